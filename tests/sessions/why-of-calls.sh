# What is asked of facts with arguments, and what a `some` finds, is shown with its value.
cat > row.rules <<'RULES'
game row "Three in a row"
ring Player (sign: text) | A "a" | B "b"
grid Square(row: 1..3, column: 1..3)
round hand
state board(s: Square): Player? = none
state points(p: Player): 0..9 per hand = 0
state turn: Player = A
fact line(p: Player) = some s in Square, way in {east, south} where every i in 0..2 has lies(step(s, way, i), p)
fact lies(s: Square?, p: Player) = s is not none and board(the s) is p
fact rank(p: Player): text = first of
  | high: "high" when points(p) > 3
  | some: "some" when worth(p) > 1
  | low:  "low"
fact worth(p: Player): number = 2 * points(p)
fact ahead: Player? = best p in Player where worth(p) >= 4 by lowest p
event put(at: Square)
on put {
  refuse taken = board of at is not none
  fact winner: Player? = by new line(A), new line(B)
    | yes, no => A
    | no, yes => B
    | any, any => none
  fact over = winner is not none
  new board of at = turn
  new points of turn = points(turn) + 1
  new turn = after turn
}
event end
on end {
  begin | hand: hand
  report | best: "{old ahead} is ahead" when old ahead is not none
}
transcript by lines { start play until over { | end: "end" | put: "{at}" } }
RULES
printf '1,1\n2,1\n1,2\n2,2\nend\n1,3\n' > row.txt
run referee why row.rules row.txt:4 --of 'rank(A)'
run referee why row.rules row.txt:4 --of 'rank(B)'
run referee why row.rules row.txt:4 --of winner
run referee why row.rules row.txt:5 --of ahead
run referee why row.rules row.txt:5 --of 'old rank(A)'
run referee why row.rules row.txt
run referee why row.rules row.txt --of winner
run referee why row.rules row.txt --event 1 --of 'line(A)'
run referee why row.rules row.txt --of 'worth(B)'
