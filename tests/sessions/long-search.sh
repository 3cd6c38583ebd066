# What a search makes for events that it has tried is given back: lists that are long, and need much for each event.
mkdir steps
cat > steps.rules <<'RULES'
game steps "Steps"
type Spot = 1..25
type Step(from: Spot, to: 0..24) where to < from
write Step as "{from of it}/{to of it}"
state men(s: Spot): 0..9 = by s | 5..16 => 2 | any => 0
-- A bag, and a set of what has no end: both lie outside of what is given back by itself.
fact left(path: pile of Step): bag of 1..6 = by size of path | 4 => empty | any => {1}
fact passed(path: pile of Step): set of number = {1000 * from of x + size of path for x in path}
fact next(path: pile of Step): set of Step =
  {Step(s, s - n) for s in Spot, n in left(path) where men(s) > 0 and size of passed(path) < 4}
event move(path: pile of Step each in next(path))
on move {
  impossible | short: "more" when next(path) is not empty
  fact over = size of path is 4
  new men(s) = count(s, (to of x for x in path))
  report | moves: "{path}"
}
transcript by lines { start play until over, or "*" { | move: "{path ...}" } }
transcript drawn by lines { start play by random until over }
RULES
: > empty.txt
count() { "$@" 2>&1 | awk 'NR < 3 || /error|memory/; END { print NR " lines" }'; }
run count referee moves --limit memory=16 steps.rules empty.txt
run count referee run --limit memory=16 --transcript drawn --seed 7 steps.rules empty.txt
