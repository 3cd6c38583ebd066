# `#? moves` takes ranges as `referee moves` writes them, and lines that contain commas.
mkdir range pair
cat > range.rules <<'RULES'
game range
state left: number = 60
event take(n: 1..99)
on take {
  impossible | many: "only {left}" when n > left
  fact over = new left is 0
  new left = left - n
}
transcript by lines { start play until over { | take: "take {n}" } }
RULES
printf '#? moves take 1..60\ntake 5\n#? moves take 1..54\n' > range/range.in
cat > pair.rules <<'RULES'
game pair
kind R | Two | Ten
event go(xs: set of R)
on go { fact over = size of xs is 2 report | x: "{xs}" }
transcript by lines { start play until over { | go: "take {xs ... by ', '}" } }
RULES
printf '#? moves take, take Two, take Ten, take Two, Ten\ntake Two\n#? moves take Two, take\n' > pair/pair.in
run referee test .
