# The option that makes reports differ, and what else does after that.
cat > sum.rules <<'RULES'
game sum "Sum"
option bonus: 0..9 = 1
state total: number = 0
state last: number = 0
event add(n: number)
on add {
  fact over = n is 0
  new total | more: total + n + bonus
  new last | same: n
  report
    | told: "{new total}"
    | big: "big" when n > 5
}
transcript by lines { start play until over { | add: "{n}" } }
RULES
mkdir sum
printf '1\n7\n0\n' > one.txt
cat > sum/rich.rules <<'RULES'
variant rich of sum "More"
set bonus = 2
RULES
cat > sum/large.rules <<'RULES'
variant large of sum "Large"
replace add.report.big: "large" when n > 5
replace add.new.total.more: total + n + bonus + 1
RULES
run referee diff sum.rules sum.rules+rich one.txt
run referee diff sum.rules sum.rules+large one.txt
run referee diff sum.rules+rich sum.rules+large one.txt
run referee diff sum.rules+rich sum.rules+large one.txt --format json
run referee diff sum.rules sum.rules+rich one.txt --set bonus=3
# A fact that only one of the games has.
cat > lamp.rules <<'RULES'
game lamp "Lamp"
state turns: 0..99 = 0
event go(k: 0..9)
event stop
on go { fact restart = k is 9 }
on stop { fact over = yes }
on go, stop {
  fact finished = over or restart
  new turns = turns + 1
  report | total: "{new turns}" when finished
}
transcript by lines { start play until over { | stop: "stop" | go: "{k}" } }
RULES
mkdir lamp
printf 'variant short of lamp "Short"\non go { fact over = k is 0 }\n' > lamp/short.rules
printf 'variant steady of lamp "Steady"\nremove go.restart\n' > lamp/steady.rules
printf '1\n9\n0\nstop\n' > lamp.txt
run referee diff lamp.rules lamp.rules+short lamp.txt
run referee diff lamp.rules lamp.rules+steady lamp.txt
