# An option that a variant leaves without a use is dropped, as a fact is; who sets it hears why it is not there.
mkdir cards
cat > cards.rules <<'RULES'
game cards "Cards"
option knock_at: 0..30 = 10                  -- with how much one may knock
option start: 1..9 = 5
state left: number = start
event knock(points: 0..30)
event draw
on knock {
  impossible | much: "too much" when points > knock_at
  fact over = yes
  report | knock: "knocks with {points}"
}
on draw { fact over = new left is 0 new left = left - 1 }
transcript by lines { start play until over { | knock: "knock {points}" | draw: "draw" } }
RULES
cat > cards/open.rules <<'RULES'
variant open of cards "Whoever likes may knock"
remove knock.impossible.much
RULES
run referee check --deny warnings cards.rules+open
run referee show cards.rules+open --why knock_at
: > none.txt
run referee run cards.rules+open --set knock_at=7 none.txt
