# What a set holds is told where something is not in it; rows that are left out are counted.
cat > taken.rules <<'RULES'
game taken
ring Player | Ann | Ben
kind Colour | Red | Green | Blue
state taken: set of 1..20 = empty
state home(p: Player): set of Colour = empty
state turn: Player = Ann
fact high: set of 1..20 = {n in taken where n > 5 and n not in {8}}
fact reach(p: Player): set of Colour = {c in Colour where c in home of p}
event take(n: 1..20)
on take {
  new taken = taken with {n}
  new home of turn = home of turn with {Red}
  new turn = after turn
  fact odd: set of 1..20 = {m in new taken where m mod 2 is 1}
  report
    | x: "{n}" when n in odd
}
transcript by lines { start play until no { | take: "{n}" } }
RULES
printf '3\n8\n4\n13\n1\n2\n5\n6\n7\n9\n10\n' > game.txt
for asked in '11 in taken' '13 not in taken' '3 in high' '14 in taken or 3 in high' 'Blue in reach(Ann)' '4 in odd' report.x; do
  run referee why taken.rules game.txt:11 --not "$asked"
done
cat > rows.rules <<'RULES'
game rows
state n: number = 0
event add(k: 1..20)
on add {
  fact odd = any of
    | one: k is 15 and n > 1
    | two: k > 2 and n > 2
    | three: k > 3 and old n > 3
    | four: k > 4 and n > 4
    | five: k > 5 and n > 5
    | six: k > 6 and n > 6
    | seven: k > 7 and n > 7
  new n = n + k
  report
    | x: "{old n}" when odd
}
transcript by lines { start play until no { | add: "{k}" } }
RULES
printf '1\n' > add.txt
run referee why rows.rules add.txt --not odd
