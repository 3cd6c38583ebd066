# A seat that plays by lot goes on also where all that changes is a map of sets.
cat > pick.rules <<'RULES'
game pick
ring Player | Ann | Ben
state picked(p: Player): set of 1..9 = empty
state turn: Player = Ann
event pick(number: 1..9) by turn
on pick {
  impossible | again: "{number} is picked already" when number in picked of turn
  new picked of turn = picked of turn with {number}
  new turn | next: after turn when number > 5
  fact over = size of new picked of turn > 4
}
transcript by lines { start play until over { | pick: "{number}" } }
RULES
printf 'quit\n' > typed
run referee play pick.rules new.txt --seat '*=random' < typed
run cat new.txt
# One that changes nothing is stopped.
cat > idle.rules <<'RULES'
game idle
ring Player | Ann | Ben
state seen(p: Player): set of 1..9 = empty
state turn: Player = Ann
event wait(times: 1..3) by turn
on wait { fact over = some p in Player where seen of p is not empty }
transcript by lines { start play until over { | wait: "{times}" } }
RULES
run referee play idle.rules --seat '*=random' < typed
