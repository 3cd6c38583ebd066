# A book says who decides an event and who sees what; an option that is worked out changes only with what it is worked out
# of.
cat > lots.rules <<'RULES'
game lots
option height: 1..9 = 3
option rows: 2..10 = height + 1
ring Player | Ann | Ben
type Line = 1..rows
given pool: pile of Line hidden
given lot(p: Player): Line seen by p
state hand(p: Player): set of Line seen by p = {lot of p}
state turn: Player = Ann
event draw(line: Line seen by turn, times: 1..3) by chance weight times
event play(line: Line) by turn when hand of turn is not empty
event enough by referee
on draw, play { new hand of turn = hand of turn with {line} }
on draw { report | said: "{turn} draws {line}" seen by turn | only: "{times}" hidden when times > 1 }
on play { new turn = after turn report | said: "{old turn} plays {line}" }
on enough { fact over = yes }
transcript by lines {
  "{pool ...}"
  "{lot of Ann} {lot of Ben}"
  start
  play until over { | draw: "{times} {line}" | play: "{line}" | enough: "enough" }
}
RULES
mkdir lots
printf 'variant loud of lots "Loud"\nreplace play.report.said: "{old turn} plays {line}!"\n' > lots/loud.rules
printf 'variant tall of lots "Tall"\nset height = 5\n' > lots/tall.rules
run referee doc lots.rules
run referee doc lots.rules+loud | sed '/^## What can/,$d'
run referee doc lots.rules+loud --set height=4 | sed '/^## What can/,$d'
run referee doc lots.rules+tall | sed '/^## What can/,$d'
