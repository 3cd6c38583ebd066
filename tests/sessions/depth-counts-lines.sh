# `--depth` counts what a transcript can write, as `moves` lists it.
cat > parts.rules <<'R'
game parts "Parts"
state n: number = 0
event go(a: 1..2, b: 1..2?)
on go {
  fact over = new n > 3
  new n = n + a
  report | go: "{a}{b else '-'}"
}
transcript by lines { start play until over { | go: "{a}" } }
R
: > nothing.txt
run referee moves parts.rules nothing.txt
run referee moves parts.rules nothing.txt --depth 1
run referee moves parts.rules nothing.txt --depth 2
run referee moves parts.rules nothing.txt --depth 3
