# What is asked of the state is asked after the line, also a row of a fact and a fact with arguments; `--event` says after
# which event on it. A row of `follows` can be asked about.
cat > level.rules <<'RULES'
game level "Level"
ring Player | Home | Guest
given name(p: Player): word
write Player as name of it
state points(p: Player): number = 0
fact level = points of Home is points of Guest
fact ahead(p: Player) = points of p > points of after p
fact call: text = first of
  | level: "level" when level
  | other: "not level"
event point(to: Player)
on point {
  refuse late = points of to > 1
  fact over = new points of to is 9
  new points of to = points of to + 1
  report | call: "{new call}"
  report refused | late: "no more for {to}"
}
transcript by lines { "{name of Home} {name of Guest}" start play until over { | point: "{to}" } }
RULES
printf 'Ann Ben\nAnn\nBen\nAnn\nAnn\n' > game.txt
for asked in call.level 'new call.level' 'new level' level call 'ahead(Ann)' 'points of Ann > 3'; do
  run referee why level.rules game.txt:3 --not "$asked"
done
run referee why level.rules game.txt:3 --of 'ahead(Ann)'
run referee why level.rules game.txt:5 --of 'new points of Ann'
run referee why level.rules game.txt:5 --not 'call.level'
cat > pot.rules <<'RULES'
game pot "Pot"
ring Player | Ann | Ben
state turn: Player = Ann
state pot: number = 0
event take(k: 1..3)
event bonus
event toll
on take {
  impossible | two: "nobody takes two" when k is 2
  fact over = new pot > 9
  new pot = pot + k
  new turn = after turn
  report | taken: "{old turn} takes {k}"
  follows
    | bonus: bonus when turn is Ann and k is 3
    | pays: toll when k is 3
}
on bonus { new pot = pot + 1 report | bonus: "bonus for {turn}" }
on toll { new pot = pot - 1 report | toll: "{turn} pays" }
transcript by lines { start play until over { | take: "{k}" } }
RULES
printf '3\n3\n1\n3\n2\n' > game.txt
run referee why pot.rules game.txt:2 --event 1 --of pot
run referee why pot.rules game.txt:2 --event 2 --of pot
run referee why pot.rules game.txt:2 --of pot
for asked in bonus follows.pays toll take.follows.bonus follows.none; do run referee why pot.rules game.txt:2 --not "$asked"; done
run referee why pot.rules game.txt:1 --not bonus --trace
run referee why pot.rules game.txt:1 --not bonus --format json
run referee why pot.rules game.txt:3 --not toll
printf '3\n3\n3\n3\n' > game.txt
run referee why pot.rules game.txt:4 --not toll
printf '3\n2\n' > game.txt
run referee why pot.rules game.txt:2 --not toll
