# What a server is told of tests: the names of examples, what was not run, how long it took.
cat > sum.rules <<'RULES'
game sum "Sum"
state total: number = 0
event add(n: number)
on add { fact over = n is 0 new total = total + n report | told: "{new total}" }
transcript by lines { start play until over { | add: "{n}" } }
example adds "It adds" { given total = 2 when add(3) expect new total is 5 }
example wrong "It does not" { given total = 2 when add(3) expect new total is 6 }
RULES
mkdir sum
printf '1\n0\n' | tee sum/one.in > sum/two.in
printf '1\n1\n' > sum/one.out
printf '1\n2\n' > sum/two.out
printf '0\n' | tee sum/zero.in > sum/zero.out
run referee test . --junit all.xml --quiet
sed 's/time="[0-9.]*"/time="…"/' all.xml
grep -v '^example wrong' sum.rules > right.rules
mv right.rules sum.rules
run referee test . --junit some.xml --fail-fast --filter w --filter e
sed 's/time="[0-9.]*"/time="…"/' some.xml
