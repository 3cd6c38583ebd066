# Why a move is illegal is told to whoever sees what that rests on, and to nobody else.
cat > claim.rules <<'RULES'
game claim "Claim"
ring Player | Ann | Ben
state hand(p: Player): 0..9 seen by p = 5
state penalty(p: Player): 0..99 seen by p = 0
state turn: Player = Ann
event claim(n: 1..9) by turn
on claim {
  illegal lie = n > hand of turn
  illegal nine = n is 9
  fact over = n is 8
  new penalty of turn | lie: (penalty of turn) + 1 when lie | nine: (penalty of turn) + 5 when nine and not lie
  new turn = after turn
  report | claims: "{old turn} claims {n}" seen by Player
}
transcript by lines { start play until over { | claim: "{n}" } }
RULES
printf '7\n4\n9\n' > claims.txt
run referee why claim.rules claims.txt:1
run referee why claim.rules claims.txt:1 --trace
run referee why claim.rules claims.txt
printf '%s\n' 'why not 7' 'why not 9' 7 why 'as Ben' why 9 'as Ann' why quit | run referee play claim.rules
