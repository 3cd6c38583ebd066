# A transcript names the rules it is written for, and a run says where these are others.
cat > sum.rules <<'RULES'
game sum "Sum" -- the first
state total: number = 0
event add(n: number)
on add { fact over = n is 0 new total | more: total + n report | told: "{new total}" }
transcript by lines { start play until over { | add: "{n}" } }
RULES
mkdir sum
cat > sum/double.rules <<'RULES'
variant double of sum "Twice"
replace add.new.total.more: total + 2 * n
RULES
pinned() { referee show "$1" --pin; printf '%s\n' '#? total is 0' 1 2 0; }
pinned sum.rules > sum.game.in
run cat sum.game.in
run referee run sum.rules sum.game.in
run referee show sum.rules+double --pin
# Line ends, blanks at a line's end, and where the file lies make no difference.
mkdir elsewhere
sed 's/$/ \r/' sum.rules > elsewhere/sum.rules
run referee run elsewhere/sum.rules sum.game.in
# Other rules do: by one file or by several, from a pipe, at once, as data.
run referee run sum.rules+double sum.game.in
cat sum.game.in | run referee run sum.rules+double
run referee run sum.rules+double sum.game.in --errors json
run referee run sum.rules+double sum.game.in --format jsonl --quiet | cut -c1-60
cp sum.game.in one.txt; cp sum.game.in two.txt
run referee run sum.rules+double one.txt two.txt -j 2
run referee run sum.rules+double one.txt --keep-going
sed 's/total + n/total + n + 0/' sum.rules > new.rules
mv new.rules sum.rules
run referee run sum.rules sum.game.in
# So do the other commands; two games may both be others.
run referee why sum.rules one.txt:2
run referee moves sum.rules one.txt:2
run referee diff sum.rules sum.rules+double one.txt
run referee play sum.rules one.txt < /dev/null
# A test tells it too, and is judged by its report.
run referee test --bless .
run referee test .
run referee test --quiet .
# A pin stands first.
printf '1\n%s\n0\n' "$(referee show sum.rules --pin)" > sum.late.in
run referee run sum.rules sum.late.in
run referee test sum.late.in
run referee show sum.rules --pin --flat
# What looks like a pin, and is none, is told.
for line in '#? rules sum' '#? rules sum+double' '#? rule sum sha256:aa'; do
  printf '%s\n1\n0\n' "$line" > sum.bad.in
  run referee run sum.rules sum.bad.in
  run referee test sum.bad.in
done
