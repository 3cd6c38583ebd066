# An example sets one entry of a state with two keys that begins again with its round, and one of a given with a default.
cat > men.rules <<'RULES'
game men "Men"
ring Player | A | B
round hand
given start(p: Player): 0..9 = 4
state men(p: Player, s: 1..3): number per hand = by s | 2 => start(p) | any => 0
event go(p: Player, s: 1..3)
on go {
  fact over = no
  new men of (p, s) = men(p, s) + 1
  begin | hand: hand when men(p, s) is 7
  report | men: "{new men(p, s)}"
}
transcript by lines { "{start of A} {start of B}" start play until over { | go: "{p} {s}" } }
example one { given men(A, 1) = 6 when go(A, 1) expect new men(A, 1) is 7, new men(A, 2) is 4 }
example again { given men(A, 1) = 7 when go(A, 1) expect new men(A, 1) is 0, new men(B, 2) is 4 }
example default { given start(A) = 5 when go(A, 2) expect new men(A, 2) is 6, new men(B, 2) is 4 }
RULES
run referee check men.rules
