# What is meant by a command line that is nearly right.
cat > noughts.rules <<'RULES'
game noughts
event go
on go { fact over = yes report | r: "{size of {1, 2}}" }
transcript by words { start play until over { | go: "go" } }
RULES
mkdir folder none
cp noughts.rules folder/one.rules
cp noughts.rules folder/two.rules
echo go > game.txt
help() { run "$@" | grep -v 'help: there is'; }
# A game: by its title, its folder of tests, a folder of its own, and without one.
help referee run 'Snooker Referee'
help referee run +nim
help referee run mau-mau.moves
help referee run kalah-6
help referee run folder
help referee run
help referee check
# Options that are one letter, and numbers below 0.
help referee run nim -j -1
help referee run -V
help referee fmt -w
# Folders with nothing in them, and the input twice.
help referee fmt none
help referee run nim - -
# What is long is not repeated.
long=$(awk 'BEGIN { while (n++ < 300) printf "(" }')
help referee why noughts.rules game.txt --of "$long" | head -2
