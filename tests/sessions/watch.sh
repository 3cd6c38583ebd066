# The command runs again after every change, until it is ended.
waits() { # until what FILE holds says COUNT times that it waits
  tries=0
  until [ "$(grep -c '^-- waiting' "$1")" -ge "$2" ] || [ "$tries" -ge 300 ]; do sleep 0.1; tries=$((tries + 1)); done
}
echo 'game small "Small"
state turns: number = 0
event go(k: 0..3)
on go { fact over = k is 0 new turns = turns + k report | turns: "{new turns}" }
transcript by lines { start play until over { | go: "{k}" } }' > small.rules
printf '2\n0\n' > game.txt
: > said
referee run --watch small.rules game.txt > said 2>&1 &
watching=$!
waits said 1
printf '3\n0\n' > game.txt
waits said 2
sed -i.old 's/turns + k/turns + kk/' small.rules
waits said 3
echo 'not a rule' > notes.md
sed -i.old 's/turns + kk/turns + 2 * k/' small.rules
waits said 4
kill "$watching"
# A change that comes in two steps may be seen as two.
sort -u said
# The game is watched, too, where a variant in its folder is named.
mkdir small
echo 'variant slow of small' > small/slow.rules
: > checked # the shell may open it later than `waits` reads it
"$command" check --watch small/slow.rules >> checked 2>&1 &
watching=$!
waits checked 1
sed -i.old 's/2 \* k/2 * kkk/' small.rules
waits checked 2
kill "$watching"
grep -c '^-- waiting' checked
grep -m 1 'called `kkk`' checked
