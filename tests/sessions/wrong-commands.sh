# Whoever writes a wrong command hears which is meant.
for word in rnu chekc lint validate format explain repl legal coverage init fly ''; do
  run referee "$word" something
done
# An option of the game is no argument of the command; a slip of the pen is told as such.
run referee run nim --most=3 game.txt
run referee play nim --stones 12
run referee run nim --sed 3
run referee list --most=3
run referee run nim --seed abc
run referee moves nim --depth 1.5 game.txt
run referee run nim -j 99999999999999999999999
run referee run nim --most=3 "$(printf '\377')"
