# Rows of `impossible` may leave chance nothing to do: then it is the seat's turn.
cat > dice.rules <<'R'
game dice "Dice"
ring Player | Ann | Ben
state pips: 0..6 = 0
state turn: Player = Ann
event roll(n: 1..6) by chance
on roll {
  impossible | rolled: "rolled already" when pips > 0
  new pips = n
}
event stop by turn
on stop {
  impossible | roll: "roll first" when pips is 0
  fact over = yes
  report | stop: "{turn} stops at {pips}"
}
transcript by lines { start play until over { | roll: "{n}" | stop: "stop" } }
R
printf 'stop\n' > moves.txt
run referee play dice.rules --seed 2 < moves.txt
run referee play dice.rules --seed 2 --seat '*=random' < /dev/null
