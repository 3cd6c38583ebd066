# A transcript that is named is taken, whatever its folder is called; of a folder, only what belongs to the game.
cat > coin.rules <<'RULES'
game coin
event toss(heads: yes/no)
on toss { fact over = heads report | said: "heads" when heads }
transcript by lines { start play until over { | toss: "{heads}" } }
RULES
mkdir -p games/dice
printf 'no\nyes\n' > games/dice/first.txt
sed 's/game coin/game dice/' coin.rules > games/dice.rules
run referee cover coin.rules games/dice/first.txt
mkdir coin
cp games/dice/first.txt coin/second.txt
run referee cover coin.rules .
