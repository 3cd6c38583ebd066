# Moves at lines that are there, and at others: before a game, after the last line, and none.
printf '1\nAnn Ben\n1 2\nAnn 1 from 1\nBen 2 from 2\n' > game.txt
for line in 0 1 2 3 4 5 6 999; do
  run referee moves nim game.txt:$line
done
run referee moves nim game.txt:999 --depth 2
run referee moves nim game.txt:0 --for Ann
printf '1\nAnn Ben\n1 2' > begun.txt
run referee moves nim begun.txt:3
run referee moves nim begun.txt:4
# There is one line of play of no events, also after the end.
run referee moves nim game.txt --depth 0
run referee moves nim game.txt:4 --depth 0
run referee moves nim game.txt --depth 1
# A game that begins without a line is under way before its first event.
cat > sum.rules <<'RULES'
game sum
state total: number = 0
event add(n: 1..2)
on add { fact over = n is 2 new total = total + n report | told: "{new total}" }
transcript by lines { start play until over { | add: "{n}" } }
RULES
printf '#? total is 0\n1\n2\n' > sum.txt
run referee moves sum.rules sum.txt:1
run referee moves sum.rules sum.txt:2
