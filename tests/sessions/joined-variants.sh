# Two variants that do not know of each other: what one says of all rows that there are is not said of what the other adds;
# but how a game begins holds for every event.
mkdir path
cat > path.rules <<'RULES'
game path "The path"
ring Player | First | Second
kind Way | Hill | Ford | Wood
fact start(p: Player): number = by p | First => 9 | Second => 7
state power(p: Player): number = start(p)
state turn: Player = First
fact gain(w: Way): number = by w
  | Hill => 3
  | Ford => 2
  | Wood => 1
event go(w: Way) by turn
on go {
  impossible | weak: "too weak" when power of turn < 1 or power of turn > start(turn)
  fact over = new power of turn <= 0
  new power of turn = power of turn - gain(w)
  new turn = after turn
  report | go: "{w}: {new power of old turn}"
}
transcript by lines { start play until over { | go: "{w}" } }
RULES
cat > path/double.rules <<'RULES'
variant double of path "Every way counts double"
replace gain.Hill: Hill => 6
replace gain.Ford: Ford => 4
replace gain.Wood: Wood => 2
RULES
cat > path/cave.rules <<'RULES'
variant cave of path "Through a cave"
add to Way | Cave
add to gain | Cave => 5
RULES
cat > path/both.rules <<'RULES'
variant both of path with double, cave "Double, through a cave"
replace gain.Cave: Cave => 10
RULES
cat > path/tired.rules <<'RULES'
variant tired of path "They begin tired"
replace start = by p | First => 4 | Second => 3
RULES
cat > path/resting.rules <<'RULES'
variant resting of path "One may rest"
event rest by turn
on rest { new turn = after turn report | rest: "{old turn} rests" }
add to play | rest: "rest"
RULES
for names in double+cave cave+double both tired+resting; do
  run referee check --deny warnings path.rules+$names
done
