# Lines of play that are too many to be counted: that is said at once.
echo 1 > chess.txt
run referee moves chess chess.txt --depth 99
run referee moves chess chess.txt --depth 3
run referee moves chess chess.txt --depth 4000000000
cat > fill.rules <<'RULES'
game fill
type Place = 1..7
state taken: set of Place = empty
event put(place: Place)
on put {
  impossible | taken: "it is taken" when place in taken
  fact over = size of new taken is 7
  new taken = taken with {place}
  report | said: "{place}"
}
transcript by lines { start play until over { | put: "{place}" } }
RULES
run referee moves fill.rules --depth 6 - < /dev/null
run referee moves fill.rules --depth 99 - < /dev/null
cat > one.rules <<'RULES'
game one
state s: 0..9 = 0
event go
on go { fact over = no new s = (s + 1) mod 10 report | said: "{new s}" }
transcript by lines { start play until over { | go: "go" } }
RULES
run referee moves one.rules --depth 1000 - < /dev/null
run referee moves one.rules --depth 1001 - < /dev/null
# Each event more has fewer events after it: the game must end before that many, and the lines are counted.
sed 's/1\.\.7/1..9/; s/is 7/is 10/' fill.rules > nine.rules
run referee moves nine.rules --depth 99 - < /dev/null
