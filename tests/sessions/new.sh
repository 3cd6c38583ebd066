# A new game passes its test, and nothing is overwritten.
run referee new my-game
run referee check my-game.rules
run referee test
echo '-- changed' >> my-game.rules
run referee new my-game
tail -1 my-game.rules
run referee new my-game elsewhere | tail -2
run referee new 'My game'
run referee new ../game
run referee new ''
# A game that comes with it keeps its name.
run referee new nim
