# Of a row that changes a state and a row of the report with the same name, the second is meant.
cat > asks.rules <<'R'
game asks "Asks"
ring Player | Ann | Bob
state hand(p: Player): set of 1..9 = by p | Ann => {1, 2} | Bob => {3, 4}
state turn: Player = Ann
event ask(n: 1..9)
on ask {
  fact to = after turn
  fact got: set of 1..9 = {c in hand of to where c is n}
  new hand(p)
    | gets:  hand of p with got when p is turn
    | gives: hand of p without got when p is to
  fact over = new hand of to is empty
  new turn = to
  report
    | gives: "{to} gives {got}" unless got is empty
    | fish:  "go fish" when got is empty
}
transcript by words { start play until over { | ask: "{n}" } }
R
printf '5\n4\n' > asks.txt
run referee why asks.rules asks.txt:1 --not gives
run referee why asks.rules asks.txt:1 --not hand.gives
