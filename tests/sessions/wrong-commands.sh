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
# What other tools call a command or an option.
for word in variants version bless parse export; do
  run referee "$word" something
done
run referee run nim --variant misere game.txt
run referee run nim --verbose game.txt
run referee test --update
run referee why nim --jsn
run referee moves nim --perft 3
run referee list --json --quiet --format json
# A game is found by its title, a variant where a file is due, and a path whose folders are misspelt.
run referee run go game.txt
run referee run 2048 game.txt
run referee run nim,most=3 game.txt
run referee run snooker free-ball game.txt
run referee run kalah+greedy game.txt
mkdir -p games/first
echo 3 > games/first/one.txt
run referee run nim gmaes/frist/one.txt
run referee run games/first/one.txt
run referee fmt --check gmes
# Options are set once, each with a value.
run referee run nim --set most=3 --set most=4
run referee run nim --set most=
run referee run nim --set most=3,heaps=2
# A folder stands for its rule files.
referee new my-game games > /dev/null
run referee check games
run referee check games --quiet
run referee check games/first
# Limits say what is wrong with them, and are set once; so are seats.
for limit in fuel=99999999999999999999 memory=999999999 memory=512MB fuel=1e6 events=0 time=3 fuel; do
  run referee run nim --limit $limit
done
run referee run nim --limit fuel=10 --limit fuel=20
run referee play nim --seat Ann=random --seat Ann=person
# A command line that is wrong is not run again after changes, and standard input has none.
run referee run nim --watch --format jsonl --out x t.txt
run referee run nim --watch -
run referee run nim --watch
