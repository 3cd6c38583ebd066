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
# So is what a key is worked out to be, and a square.
cat > peg.rules <<'RULES'
game peg
grid Square(row: 1..5, column: 1..5)
state peg(s: Square): yes/no = row of s < 3
event jump(hole: Square, way: Compass)
on jump {
  impossible
    | empty: "no peg at {hole}" unless peg(hole)
    | land: "it cannot land" unless some t in {step(hole, way, 2)} where not peg(t)
    | over: "nothing to jump" unless some m in {step(hole, way, 2 - 1)} where peg(m)
  fact near(t: Square) = some w in Compass where step(t, w, 1) is not none and peg(the step(t, w, 1))
  new peg(s)
    | gone: no when s is hole
    | jumped: no for w in Compass when w is way and s is step(hole, w, 2 - 1)
    | lands: yes when s is step(hole, way, 2)
  report
    | done: "{hole} {way}"
    | none: "none" for w in Compass when near(the step(hole, w, 1)) and w is way
}
transcript by lines { start play until no { | jump: "{hole} {way}" } }
RULES
printf '2,2 south\n' > peg.txt
run referee check peg.rules
for asked in impossible.land 'near(Square(2, 2))' 'peg(the step(Square(2, 2), south, 1))'; do run referee why peg.rules peg.txt:1 --not "$asked"; done
