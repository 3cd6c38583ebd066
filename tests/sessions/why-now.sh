# What is asked at the table is about now; what is said under a condition, and maps, are explained.
cat > bout.rules <<'EOF'
game bout
ring Fencer | Ann | Ben
state phase: 1..2 = 1
state score(f: Fencer): 0..9 = 0
state hand(f: Fencer): set of 1..4 = by f | Ann => 1..2 | Ben => 3..4
state turn: Fencer = Ann
event touch(f: Fencer) when phase is 1
on touch {
  new score of f = score of f + 1
  report | touch: "touch {f}"
}
event double
on double {
  fact annulled = any of | extra: phase is 2 | close: score of Ann is 9
  new score(f) | both: score of f + 1 unless annulled
  report | annulled: "annulled" when annulled | both: "double" unless annulled
}
event lay(card: 1..4) by turn
on lay {
  impossible | holds: "{turn} does not hold {card}" when card not in hand of turn
  fact call: text = first of | last: "last card" when size of hand of turn is 1 | more: "a card"
  new hand of turn = hand of turn without {card}
  new turn = after turn
  report | call: call
}
event time when phase is 1
on time { new phase = 2 }
event stop when phase is 2
on stop { fact over = yes }
transcript by lines {
  start
  play until over {
    | touch:  "touch {f}"
    | double: "double"
    | lay:    "{card}"
    | time:   "time"
    | stop:   "stop"
  }
}
EOF
cat > bout.txt <<'EOF'
touch Ann
time
double
1
3
2
stop
EOF
run referee run bout.rules bout.txt
run referee why bout.rules bout.txt:3
run referee why bout.rules bout.txt:4
run referee why bout.rules bout.txt:6
run referee why bout.rules bout.txt:3 --of score
run referee why bout.rules bout.txt:4 --of hand
# The rules say nothing of an outcome.
run referee moves bout.rules bout.txt
run referee moves bout.rules bout.txt --format json
head -5 bout.txt > now.txt
run referee play bout.rules now.txt <<'EOF'
why not touch
why not stop
1
why
why score
why hand
stop
EOF
head -4 bout.txt > card.txt
echo 1 >> card.txt
run referee why bout.rules card.txt:5
cat > draws.rules <<'EOF'
game draws
ring Player | Ann | Ben
state hand(p: Player): set of 1..9 = by p | Ann => 2..4 | Ben => 5..9
state open: 1..9 = 3
state score(p: Player): number = 0
event draw(who: Player)
on draw {
  refuse able = some c in hand of who where apart(c, open) is 1
  new open = open + 1
}
event point(to: Player, many: number)
on point {
  fact leader: Player? = best p in Player where new score of p > new score of after p by highest new score of p
  fact over = new score of to >= 3
  new score of to = score of to + many
  report | leads: "{leader else 'nobody'} leads"
}
transcript by lines { start play until over { | draw: "{who} draws" | point: "{many} {to}" } }
EOF
printf '1 Ann\nAnn draws\n1 Ben\n' > draws.txt
# What there is some of is shown, and that nothing is the best.
run referee why draws.rules draws.txt:2
run referee why draws.rules draws.txt:3 --of leader
# Events with numbers may come, too.
echo '?' | run referee play draws.rules draws.txt
# A name may end in "of", and what something is asked of may be empty.
cat > names.rules <<'EOF'
game names
ring Player | Ann | Ben
state hand_of(p: Player): set of 1..9 = by p | Ann => 1..4 | Ben => 5..9
state start: 1..9 = 3
fact last(path: pile of 1..9): 1..9 = item(path, size of path) else start
event go(card: 1..9, path: pile of 1..9)
on go {
  fact left: 0..9 = size of new hand_of of Ann
  fact over = left is 1
  new hand_of of Ann = hand_of of Ann without {card}
  new start = last(path)
  report | goes: "{left} left, {last(path)} last"
}
transcript by lines { start play until over { | go: "{card}: {path ...}" } }
EOF
printf '1: 2 4\n2:\n' > names.txt
run referee why names.rules names.txt:1
run referee why names.rules names.txt:2
