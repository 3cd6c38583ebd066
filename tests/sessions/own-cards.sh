# Who plays is told why a move is refused, also where that rests on what nobody else sees, and nobody else is told.
cat > take.rules <<'RULES'
game take "Take"
ring Player | Ann | Ben
state hand(p: Player): 0..9 seen by p = 5
state turn: Player = Ann
fact much(p: Player, n: 1..9) = n > hand of p
event take(n: 1..9) by turn
on take {
  refuse too_many = any of
    | hand: much(turn, n) says "{turn} has only {hand of turn}"
    | more: n > 3 says "at most 3 are taken"
  fact over = new hand of turn is 0
  new hand of turn | takes: (hand of turn) - n when n <= hand of turn
  new turn = after turn
  report | takes: "{old turn} takes some" seen by Player
  report refused | refused: "{turn} may not take {n}" seen by Player
}
event resign by turn
on resign {
  fact over = yes
  report | resigns: "{turn} resigns" seen by Player
}
transcript by lines { start play until over { | take: "{n}" | resign: "resigns" } }
RULES
run referee check take.rules
printf '%s\n' 9 why 'why not 4' 'why not 2' 'why not much(Ann, 6)' 'why not much(Ben, 6)' 'as Ben' why 'why not too_many.hand' \
  'why not much(Ann, 6)' quit | run referee play take.rules
# What was taken back is not reported again, nor the rest of a line that begins otherwise.
printf '%s\n' 1 undo 9 'as Ben' 2 'as Ann' 2 undo 3 'as Ann' quit | run referee play take.rules
# An event that only ends the game needs to change nothing.
run referee play take.rules --seat '*=random' --seed 3 < /dev/null
# Whoever is the only person looks on while chance and others play.
printf '%s\n' 2 state quit | run referee play take.rules --seat Ben=random
# Looking as somebody who does not play, and in games that hide nothing, with seats and without.
printf '%s\n' 'as Zoe' 'as' 1 quit | run referee play take.rules
printf '%s\n' 1 'Ann Ben' 'as Ben' 'as Zoe' 4 quit | run referee play connect-four
printf '%s\n' '1' 'Ann Ben' 'as Ben' quit | run referee play snooker
