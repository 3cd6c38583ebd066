# Two variants that do not know of each other: what one says of all rows that there are is not said of what the other adds;
# but how a game begins holds for every event. What one says of who wins, of a line of the report or of a rule that it
# removes is not said of an event that the other adds. A fact that only the report needs reads the value before the event,
# which only the other lets the event change. And both may declare the same.
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
  fact outcome(p: Player) = by p is turn | yes => loss | no => win
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
cat > path/hopeful.rules <<'RULES'
variant hopeful of path "Who is spent wins"
replace go.outcome = by p is turn | yes => win | no => loss
RULES
cat > path/quiet.rules <<'RULES'
variant quiet of path "Less is told"
replace go.report.go: "{w}"
RULES
cat > path/brave.rules <<'RULES'
variant brave of path "Nobody is too weak"
remove go.impossible
RULES
cat > path/stones.rules <<'RULES'
variant stones of path "With stones"
state stones(p: Player): number = 0
on go {
  fact lead: number = stones(First) - stones(Second)
  report | lead: "ahead by {lead}" when over
}
RULES
cat > path/finds.rules <<'RULES'
variant finds of path with stones "A wood has a stone"
on go { new stones of turn = (stones of turn) + 1 }
RULES
cat > path/pebbles.rules <<'RULES'
variant pebbles of path "Stones of another kind"
state stones: number = 0
on go { new stones = stones + 1 report | stones: "{new stones} stones" }
RULES
for names in double+cave cave+double both tired+resting hopeful+resting quiet+resting brave+resting finds stones+pebbles; do
  run referee check --deny warnings path.rules+$names
done
