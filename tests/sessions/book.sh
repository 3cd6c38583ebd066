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
# What a variant put there has its line, also where the rest is the game's; of a row it is said what it is a row of.
cat > tally.rules <<'RULES'
game tally
option most: 1..9 = 3                -- how much at once
ring Player | Ann | Ben
state score(p: Player): number = 0
state turn: Player = Ann
fact worth(n: number) = n * 2        -- what is written down
fact needed(p: Player): number = by p is turn, level
  | mine:  yes, any => 20
  | other: any, any => 10
fact level = any of
  | start: score of Ann is 0
event add(n: 1..9)
on add {
  impossible | much: "at most {most}" when n > most
  fact over = new score of turn > needed(turn)
  new score of turn | added: score of turn + worth(n) unless level and n is 1
  new turn = after turn
}
transcript by lines { start play until over { | add: "{n}" } }
RULES
mkdir tally
cat > tally/wide.rules <<'RULES'
variant wide of tally "Wide"
set most = 5
replace score = 1
replace worth = n * 3
replace add.over = first of
  | far: yes when new score of turn > 50 + needed(turn)
  | near: no
add to needed before other
  | start: no, yes => 15
add to level
  | end: score of Ben is 0
add to add.new.score
  | once: 1 when n is 9
except add.impossible.much when level
RULES
run referee check tally.rules+wide
run referee doc tally.rules+wide | sed '/^## What can/,$d'
