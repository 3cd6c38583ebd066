# A search for other moves that takes too much fuel is given up: the refused move is explained without one.
cat > walk.rules <<'RULES'
game walk "Walk"
state total: number = 0
fact next(steps: pile of 1..9): set of 1..9 = first of
  | short: 1..9 when size of steps < 12
  | full: empty
event walk(steps: pile of 1..9 each in next(steps))
on walk {
  refuse short = sum of steps < 1000
  new total = total + sum of steps
  report refused | short: "only {sum of steps} of 1000"
}
transcript by lines { start play until total > 0 { | walk: "{joined of steps}" } }
RULES
printf '123456\n' > walk.txt
run referee why walk.rules walk.txt
