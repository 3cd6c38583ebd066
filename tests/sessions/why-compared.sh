# What is compared is told: numbers with long names, counts, and what nothing was found for.
cat > few.rules <<'RULES'
game few
ring Player | White | Black
state board(p: 1..4): Player? = by p | 1 => White | any => Black
state in_hand(p: Player): number = 0
state turn: Player = White
state goal: number = 3
fact men_of(p: Player): set of 1..4 = {q in 1..4 where board of q is p}
fact high = some p in Player where in_hand of p >= goal
fact bare = turn is Black and no p in Player where in_hand of p > 0
fact far(q: 1..4): yes/no = by q > 2, board of q
  | low:  no,  any   => no
  | mine: yes, White => yes
  | else: yes, any   => goal < 2 or turn is White
event take(at: 1..4)
on take {
  new board of at = none
  new turn = after turn
  fact few = size of new men_of(after turn) + in_hand of after turn < 2
  fact over = few
  report
    | few:  "{new turn} has too few men" when few
    | each: "line {n}" for n in 1..70
}
transcript by lines { start play until over { | take: "{at}" } }
RULES
printf '2\n1\n' > game.txt
run referee check few.rules
run referee why few.rules game.txt:1 --not few
run referee why few.rules game.txt:2 --not few
run referee why few.rules game.txt:1 --not high
run referee why few.rules game.txt:1 --of bare
run referee why few.rules game.txt:1 --of 'far(3)'
run referee why few.rules game.txt:1 --of 'far(1)'
# All lines are counted, however many they are.
run referee why few.rules game.txt:1
printf '1\ng1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1\n' > again.txt
run referee why chess again.txt --not repeated
run referee why chess+three-check again.txt --not thrice
