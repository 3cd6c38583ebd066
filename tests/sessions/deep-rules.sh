# Facts in a chain as long as is accepted, and one more: no command may run out of stack, whatever thread it works on.
# chain COUNT DEFINITION: each fact asks the next, which is NEXT in the definition.
chain() {
  awk -v count="$1" -v definition="$2" 'BEGIN {
    print "game deep"
    for (place = 0; place < count; place++) {
      one = definition
      sub("NEXT", "f" place + 1, one)
      print "fact f" place ": number = " one
    }
    print "fact f" count ": number = s"
  }'
  echo 'state s: number = 0'
  echo 'event go(k: 0..3)'
  echo 'on go { fact over = k is 0 new s = k + f0 - f0 report | said: "{new s}" }'
  echo 'transcript by lines { start play until over { | go: "go {k}" } }'
}
printf 'go 1\ngo 0\n' > game.txt
cp game.txt other.txt

while IFS='@' read -r most definition; do
  echo "== $definition"
  chain "$most" "$definition" > deep.rules
  run referee check deep.rules
  run referee run deep.rules game.txt
  run referee run -j 2 deep.rules game.txt other.txt
  run referee run --format jsonl deep.rules game.txt | wc -l
  run referee why deep.rules game.txt:1 --depth 0 | sed -n 2p
  run referee moves deep.rules game.txt:1
  chain "$((most + 1))" "$definition" > deep.rules
  run referee check deep.rules | sed -n 2p
done <<'DEFINITIONS'
2497@NEXT
1665@NEXT + 1
2497@sum of | a: NEXT for i in 1..1 | b: 0
1665@first of | a: 1 when NEXT > 0 | b: 2
DEFINITIONS

# What is counted and changed is tried on other threads.
chain 1665 'NEXT + 1' > deep.rules
run referee cover deep.rules game.txt | sed -n 2,3p
