# What an event changes may rest on its fields through facts alone.
cat > chosen.rules <<'R'
game chosen "Chosen"
state x: number = 0
state board(k: 1..3): yes/no = no
event move(n: 1..3)
on move {
  fact f = n
  impossible
    | one: "not one" when new x is 1
    | two: "not two" when new board of 2
  new x = f
  new board of f = yes
  fact over = yes
}
transcript by lines { start play until over { | move: "{n}" } }
R
: > nothing.txt
run referee moves chosen.rules nothing.txt
run referee moves chosen.rules nothing.txt --illegal
run referee moves chosen.rules nothing.txt --depth 1
