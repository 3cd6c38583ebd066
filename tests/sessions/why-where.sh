# The name of a fact or a row stays a name where a column or a number picks the event; what can be read there is a line.
cat > sum.rules <<'RULES'
game sum
state n: number = 0
event add(k: 1..9)
on add {
  fact big = k > 5
  fact over = new n > 20
  new n = n + k
  report | big: "big" when big
}
transcript by words { start play until over { | add: "{k}" } }
RULES
printf '1 2 9\n' > sum.txt
run referee why sum.rules sum.txt:1:3 --not big
run referee why sum.rules sum.txt:1 --event 2 --not big
run referee why sum.rules sum.txt:1:3 --not report.big
run referee why sum.rules sum.txt:1:3 --not 7
# The end of a line that was said is no calculation, and a result that was not said has no value.
printf '1\ne2e4 e7e5 d1h5 e8e7 h5e5\n' > mate.txt
run referee why chess mate.txt --not 1-0
run referee why chess mate.txt --not 0-1
# What a line begins with is enough to ask who else it could be about.
printf '1\nAnn Ben\n1 1\nAnn 1 from 1\nBen 1 from 2\n' > game.txt
printf '1\nAnn Ben\n' > kalah.txt
for house in 3 2 6 4 2 1 5 1 2 3 4 6 6 5 5 4 4 5 6 1 2 2 3 4 6 1 3 1 4 2 6 2 2 6 3 1 1; do echo $house; done >> kalah.txt
run referee why kalah kalah.txt --not 'Ann wins'
run referee why kalah kalah.txt --not 'Ben wins'
# After the last line of a game, another line is read in its place.
run referee why nim game.txt --not 'Ben 1 from 1'
run referee why chess mate.txt --not h5f7
# What a policy chose is asked by the names of its rules.
cp "$cases/../transcripts/mau-mau/last-card-jack-doubles.txt" book.txt
run referee why mau-mau book.txt:2 --event 3 --not CJ
run referee why mau-mau book.txt:2 --event 3 --not book.rule_3
# Whether an event may come is told to the seat whose choice it is.
printf '1\n2 HA SS CE SK HE CJ DJ DT CN SN DE CA SE DS SJ DQ HQ CS HT CK HK HS DN DK HJ CT SA DA ST HN SQ CQ\nHA\nCA\nDJ Spades\nSK\n' > hands.txt
printf 'as 2\nwhy not take\nas 1\nwhy not take\nquit\n' > typed
run referee play mau-mau hands.txt --transcript moves < typed
