# A row that a variant adds to a report is said of events that happen, also if the game's section ends with `report refused`.
cat > steps.rules <<'RULES'
game steps
ring Player | A | B
state turn: Player = A
event go(who: Player, n: 1..6) by turn
on go {
  refuse small = n is 1
  fact over = n is 6
  new turn = after turn
  report | goes: "{who} goes {n}"
  report refused | small: "{who} must go on"
}
transcript by lines { start play until over { | go: "{who} {n}" } }
RULES
cat > loud.rules <<'RULES'
variant loud of steps
add to go.report | more: "that was {n} steps"
RULES
printf 'A 3\nB 1\nB 6\n' > game.txt
referee run ./loud.rules game.txt
printf 'variant next of steps\non go { new turn = who }\n' > next.rules
referee check ./next.rules
printf 'variant next of steps\nreplace go.new.turn = who\n' > next.rules
referee check ./next.rules
