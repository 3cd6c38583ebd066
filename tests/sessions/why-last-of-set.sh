# What a set held before does not explain what it holds now.
cat > drops.rules <<'R'
game drops "Drops"
ring Player | Ann | Bob
state hand(p: Player): set of 1..6 = {1, 2}
state turn: Player = Ann
event drop(pips: 1..6)
on drop {
  fact over = new hand of turn is empty
  new hand of turn = hand of turn without {pips}
  new turn = after turn
  report | dice: "{pips}"
}
transcript by lines { start play until over { | drop: "{pips}" } }
R
printf '1\n1\n2\n' > drops.txt
run referee why drops.rules drops.txt --of 'hand of Ann'
run referee why drops.rules drops.txt --of 'hand of Bob'
cat > rows.rules <<'R'
game rows "Rows"
state row: pile of 1..9 = [1, 2, 3]
event turn
event stay
on turn {
  new row = reversed of row
  fact over = no
}
on stay { report | row: "{row}" }
transcript by words { start play until size of row is 0, or "*" { | turn: "turn" | stay: "stay" } }
R
printf 'turn\nstay\nstay\n*\n' > rows.txt
run referee why rows.rules rows.txt --of row
run referee why rows.rules rows.txt:1 --of row
