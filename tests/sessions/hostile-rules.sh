# Rule files that ask for too much, in ways that the usual ones do not.
game() { # declarations, lines of the section, what is said
  printf 'game hostile\n%s\nevent go(k: number)\non go {\n  fact over = k is 0\n%s\n  report | said: "%s"\n}\n' "$1" "$2" "$3"
  printf 'transcript by lines { start play until over { | go: "go {k}" } }\n'
}
printf 'go 1\ngo 9\n' > game.txt
long=$(awk 'BEGIN { while (n++ < 70000) printf "x" }')
# A sign that is longer than a line, and a picture with too many points: a line instead.
game "ring Mark (sign: text) | A \"$long\"
grid Field(row: 1..9, column: 1..9)
state board(f: Field): Mark? = none
write board as sign of it else \".\"" "  impossible | nine: \"nine\" when k is 9
  new board(f) | first: A when f is Field(1, 1)" "{k}" > hostile.rules
run referee run hostile.rules game.txt
game "grid Field(row: 1..300, column: 1..300)
state board(f: Field): 0..9 = 0
write board as \"{it}\"" "  impossible | nine: \"nine\" when k is 9
  new board(f) | first: 1 when f is Field(k, 1)" "{k}" > hostile.rules
run referee run hostile.rules game.txt
# Signs that a terminal would obey.
game "ring Mark (sign: text) | A \"$(printf '\033')[31m\"
grid Field(row: 1..2, column: 1..2)
state board(f: Field): Mark? = none
write board as sign of it else \"$(printf '\342\200\256')\"" "  impossible | nine: \"nine\" when k is 9
  new board(f) | first: A when f is Field(1, 1)" "{k}" > hostile.rules
run referee run hostile.rules game.txt
# A long member does not widen the lines of all others.
{
  printf 'game wide\nkind Card (name: text, worth: number)\n  | A "%s" 1\n' "$long"
  awk 'BEGIN { for (n = 0; n < 2000; n++) printf "  | B%d \"b\" %d\n", n, n }'
} > wide.rules
referee fmt - < wide.rules | wc -c | awk '{ print ($1 < 200000 ? "short" : "long") }'
# Weights at the end of the numbers.
game 'state s: number = 0' '  new s = k' '{k}' | sed 's/event go(k: number)/event go(k: 0..19) by chance weight 9223372036854775788 + k/' > hostile.rules
run referee moves hostile.rules - < /dev/null
run referee play hostile.rules kept.txt --seat chance=random < /dev/null
# Too many examples.
{
  game 'state s: number = 0' '  new s = k' '{k}'
  awk 'BEGIN { while (n++ < 500) printf "-- %0600d\n", 0; for (n = 0; n < 200; n++) printf "example e%d { when go(%d) expect new s is %d }\n", n, n, n }'
} > hostile.rules
run referee check hostile.rules | grep -E 'error|help|exit'
# Many mistakes: the first are told.
awk 'BEGIN { print "game hostile"; for (n = 0; n < 3000; n++) printf "fact f%d = none_%d\n", n, n }' > hostile.rules
run referee check hostile.rules | tail -8
# Comments that allow something, and those that only look so.
{
  printf 'game hostile\n-- allow(\nfact a = 1\n-- allow(unused)\nfact b = 1\n-- allow(unused):\nfact c = 1\n-- allow(what, unused): the club uses it\nfact d = 1\n'
  game 'state s: number = 0' '  new s = k' '{k}' | tail -n +2
} > hostile.rules
run referee check hostile.rules
