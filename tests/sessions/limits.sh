# What a run may take, set from outside; and a rule that is too large to be run.
cat > loops.rules <<'RULES'
game loops
state s: number = 0
state p: pile of number = empty
state t: text = ""
event go(k: number)
event grow(n: number)
event name(n: number)
on go {
  fact over = k is 0
  new s = size of (i for i in 1..k where i * i is k)
  report | said: "{new s}"
}
on grow { new p = (i for i in 1..n) then (i for i in 1..n) report | said: "{size of new p}" }
on name { new t = "{t}{n}{t}{t}" report | said: "named" }
transcript by lines { start play until over { | go: "go {k}" | grow: "grow {n}" | name: "name {n}" } }
RULES
printf 'go 9\ngo 100\ngo 0\n' > game.txt
run referee run loops.rules game.txt
run referee run loops.rules game.txt --limit fuel=100
run referee run loops.rules game.txt --limit fuel=100 --limit fuel=1000
run referee run loops.rules game.txt --limit events=2
run referee run loops.rules game.txt --limit events=2 --format jsonl | tail -2 | cut -c1-80
run referee moves loops.rules game.txt:1 --limit fuel=5
run referee why loops.rules game.txt:2 --limit fuel=100
cp game.txt loops.in
printf '3\n10\n' > loops.out
run referee test loops.rules --limit fuel=100
mkdir -p cases
cp game.txt cases/loops.txt
run referee cover loops.rules cases --limit fuel=100
run referee diff loops.rules loops.rules game.txt --limit fuel=100
printf 'grow 100000\ngo 0\n' > pile.txt
run referee run loops.rules pile.txt --limit memory=4
run referee run loops.rules pile.txt --limit memory=1
awk 'BEGIN { for (n = 0; n < 14; n++) print "name 123"; print "go 0" }' > name.txt
run referee run loops.rules name.txt --limit memory=1 | cut -c1-100
for limit in fuel fuel=0 fuel=-1 time=3 'fuel=1M' events=99999999999999999999; do
  run referee run loops.rules game.txt --limit "$limit"
done

awk 'BEGIN {
  print "game large\nstate s: number = 0\nevent go(k: number)\non go {\n  fact over = k is 0\n  fact f: number = sum of"
  for (row = 0; row < 40000; row++)
    printf "    | r%d: s * s + %d for i in 1..s when s * i is %d\n", row, row, row
  print "    | none: 0\n  new s = s + f\n  report | said: \"{new s}\"\n}"
  print "transcript by lines { start play until over { | go: \"go {k}\" } }"
}' > large.rules
run referee run large.rules game.txt
