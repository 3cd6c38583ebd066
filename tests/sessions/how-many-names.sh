# How many names there are says a number that is wrong.
cat > names.rules <<'RULES'
game names
given players: 2..5
given names: pile of word
ring Player of players
write Player as item(names, number of it)
event go(who: Player)
on go { fact over = yes report | go: "{who}" }
transcript by lines { "{players}: {names ... players}" start play until over { | go: "{who}" } }
RULES
printf '6: a b c d e f\n' > game.txt
run referee run names.rules game.txt
printf '3: a b\n' > game.txt
run referee run names.rules game.txt
