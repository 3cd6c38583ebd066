# What begins again is told with the round that it begins with.
cat > legs.rules <<'EOF'
game legs
round set
round leg in set
ring Player | Ann | Ben
state points(p: Player): 0..9 per leg = 0
state legs(p: Player): 0..9 per set = 0
state sets(p: Player): 0..9 = 0
state odd: yes/no = no
EOF
cat >> legs.rules <<'EOF'
state held: set of 1..9 = {2, 4}
fact can_split = some n in held, m in 1..2 where n mod 4 is m
event hit(n: 1..9, p: Player)
on hit {
  fact wins_leg = points of p + n > 5
  fact wins_set = wins_leg and legs of p is 1
  fact over = new sets of p is 2
  new points of p = points of p + n
  new legs of p | leg: legs of p + 1 when wins_leg
  new sets of p | set: sets of p + 1 when wins_set
  new odd = n mod 2 is 1
  new held = held without {n}
  begin | leg: leg when wins_leg
        | set: set when wins_set
  report | hit: "{p}"
}
transcript by lines { start play until over { | hit: "{n} {p}" } }
EOF
printf '5 Ann\n#? not wins_leg\n3 Ann\n4 Ben\n3 Ben\n6 Ann\n' > legs.txt
run referee check legs.rules
run referee why legs.rules legs.txt:6
run referee why legs.rules legs.txt:2
run referee why legs.rules legs.txt:1 --of can_split
run referee why legs.rules legs.txt:1 --of odd
