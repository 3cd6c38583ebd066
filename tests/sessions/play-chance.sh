# `why` is about the last move that a player made, not about what chance drew after it.
printf '1\nwhy\nup\nwhy\nquit\n' > typed
run referee play twenty-forty-eight --seed 3 game.txt < typed
run cat game.txt
