# What a variant leaves unused is dropped, and its book tells apart rows of one name.
cat > low.rules <<'RULES'
game low
type Low = 1..3
ring Player | A | B
option goal: 1..9 = 9
state total: number = 0
fact end: number = goal
event go(n: 1..9)
on go {
  impossible | high: "too high" when n not in Low
  fact over = new total > end
  new total = total + n
  fact outcome(p: Player) = by total
    | 0   => draw
    | any => win when p is A
    | any => loss
}
transcript by lines { start play until over { | go: "{n}" } }
RULES
mkdir low
printf 'variant free of low "Free"\nremove go.impossible.high\n' > low/free.rules
printf 'variant longer of low "Longer"\nreplace end = goal + 1\n' > low/longer.rules
run referee check low.rules low/free.rules low/longer.rules
run referee doc low+longer --rules . | sed -n '/different/,/chosen/p'
