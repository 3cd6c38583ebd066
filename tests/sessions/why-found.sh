# An answer names what was found, what is missing and what was compared, and does not say again what it says.
cat > line.rules <<'RULES'
game line "Line"
ring Player (sign: text) | X "x" | O "o"
grid Square(row: 1..3, column: 1..3)
state board(s: Square): Player? = none
write board as sign of it else "."
state turn: Player = X
fact row_of(p: Player) = some w in {north_east, east, south_east, south}, s in Square
  where every i in 0..2 has board of step(s, w, i) is p
fact marks(p: Player): number = size of {s in Square where board of s is p}
fact edge: set of Square = {Square(1, 1), Square(1, 2), Square(1, 3)}
fact owned(p: Player): set of Square = {s in Square where board of s is p}
event mark(at_: Square)
on mark {
  impossible | taken: "taken" when board of at_ is not none
  new board of at_ = turn
  new turn = after turn
  fact beside: set of Square = {s for way in {north, east, south, west}, s in {step(at_, way, 1)}
    where board of s is turn}
  fact over = new row_of(turn)
  report
    | wins: "{old turn} wins" when over
    | even: "even" when new marks(X) is new marks(O)
    | more: "{p} leads" for p in Player when over and new marks(p) > new marks(after p)
}
transcript by lines { start play until over { | mark: "{at_}" } }
RULES
printf '2,2\n1,1\n2,1\n1,3\n2,3\n' > game.txt
run referee why line.rules game.txt
run referee why line.rules game.txt:3
for asked in 'row_of(X)' 'board of 3,3' 'new board of 2,3' 'new board of 3,3' 'marks(X) > marks(O)' 'edge within owned(O)' 'edge within owned(X)' \
  '3,3 in owned(X)'; do run referee why line.rules game.txt --of "$asked"; done
for asked in beside report.even report.more report.wins 'board of 1,1 is X' 'new board of 2,3' 'new board of 3,3'; do
  run referee why line.rules game.txt --not "$asked"
done
