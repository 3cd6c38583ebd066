# A member that the rules name is told as it is written.
cat > lit.rules <<'RULES'
game lit
ring Player (name: text) | A "Ann" | B "Ben"
write Player as name of it
state score(p: Player): number = 0
state turn: Player = A
event win(k: 1..9) by turn
on win {
  new score of turn = score of turn + k
  new turn = after turn
  fact over = new score of A > new score of B + 5
  report
    | leads: "{name of A} leads" when new score of A > new score of B
    | even: "even" when new score of A is new score of B
}
transcript by lines { start play until over { | win: "{k}" } }
RULES
printf '3\n2\n9\n' > game.txt
for asked in even leads 'score of A is score of B' over; do run referee why lit.rules game.txt:2 --not "$asked"; done
run referee why lit.rules game.txt:3
