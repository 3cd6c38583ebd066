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
# So are a record and a kind, with how they are written.
cat > pick.rules <<'RULES'
game pick "Pick"
kind Sort (letter: text) | Round "r" | Long "l"
write Sort as letter of it
type Pair(first: Sort, second: Sort)
write Pair as "{first of it}{second of it}"
state left: number = 9
state pairs: set of Pair = empty
event take(count: 1..3)
on take { fact over = new left <= 0 new left = left - count report | left: "{new left}" }
event pair(what: Pair)
on pair { new pairs = pairs with {what} report | pairs: "{new pairs}" }
transcript by lines { start play until over { | take: "take {count}" | pair: "pair {what}" } }
RULES
mkdir pick
printf 'variant no-pairs of pick "No pairs"\nremove pair\n' > pick/no-pairs.rules
run referee check pick.rules pick/no-pairs.rules --deny warnings
printf 'take 3\ntake 3\ntake 3\n' | run referee run pick.rules+no-pairs
