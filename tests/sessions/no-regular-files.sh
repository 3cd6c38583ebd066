# Pipes, loops and folders where files are looked for: nothing waits, and what is wrong is said.
cat > tally.rules <<'RULES'
game tally
state total: number = 0
event add(amount: number)
on add { fact over = amount is 0 new total = total + amount report | said: "{new total}" }
transcript by lines { start play until over { | add: "{amount}" } }
RULES
mkdir games tally
printf '1\n0\n' > games/one.txt
mkfifo games/pipe.txt tally/pipe.in
run referee run tally.rules games
run referee run tally.rules games -j 2 --errors json
run referee diff tally.rules tally.rules games
run referee cover tally.rules games | sed -n 2p
run referee test tally
rm games/one.txt
run referee run tally.rules games
mkdir library library/folder.rules
ln -s loop.rules library/loop.rules
ln -s nowhere library/broken.rules
mkfifo library/pipe.rules
for game in loop folder broken pipe lop; do
  run referee --rules library check $game
done
run referee --rules library list | grep -e loop -e folder -e broken -e pipe
# A game cannot be kept in a pipe.
run referee play tally.rules games/pipe.txt
# The text of a pipe is read, and there is nothing to put another in place of.
printf 'game spaced   "A"\n' > library/pipe.rules &
run referee fmt library/pipe.rules
wait
