# A game and a variant that say other names than their files have.
mkdir base
cat > base.rules <<'RULES'
game bass
state s: number = 0
event go
on go { fact over = yes new s = s + 1 report | said: "{new s}" }
transcript by words { start play until over { | go: "go" } }
RULES
run referee check base.rules
sed -i 's/bass/base/' base.rules
run referee check base.rules
cat > base/more.rules <<'RULES'
variant most of base
replace go.report.said: "more {new s}"
RULES
run referee check base.rules+more
run referee check base/more.rules
echo go | run referee run base.rules+more
