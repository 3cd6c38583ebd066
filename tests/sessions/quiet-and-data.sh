# Less for people, all for programs.
cp -r "$cases/../../examples/noughts" noughts
run referee test noughts
run referee test --quiet noughts
run referee --quiet test noughts --format json
sed -i 's/wins/won/' noughts/noughts/x-wins.out
run referee test -q noughts
run referee test noughts --format json
run referee test noughts --format json --group-by row
run referee test noughts --format json --review
run referee list --format json
run referee show snooker+foul-five --set red_balls=6 --format json
run referee show snooker --flat --format json
run referee show snooker --why red_balls --format json
transcript="$cases/../transcripts/snooker/sample.txt"
cp "$transcript" sample.txt
run referee diff snooker snooker+foul-five sample.txt --format json
run referee diff snooker snooker sample.txt --format json
run referee moves tennis --quiet < /dev/null
run referee man --dir pages/man1
run ls pages/man1
run sh -c 'head -3 pages/man1/referee-run.1'
run referee man run --dir pages
