# Whoever asks why a line did not come, or was not said, is told about that line.
cat > tiles.rules <<'RULES'
game tiles
ring Player | Ann | Bob
state turn: Player = Ann
state left: 0..9 = 9
state taken(p: Player): 0..9 = 0
event take(who: Player, count: 1..9) by turn
on take {
  impossible
    | turn: "it is {turn}'s turn" when who is not turn
    | many: "only {left} are left" when count > left
  fact over = new left is 0
  fact winner = (best p in Player by highest new taken of p, lowest p) else Ann
  new left = left - count
  new taken of who = (taken of who) + count
  new turn = after turn
  report
    | takes: "{who} takes {count}"
    | wins:  "{winner} wins" when over
}
transcript by lines { start play until over { | take: "{who} {count}" } }
RULES
printf 'Ann 3\nBob 4\nAnn 2\n' > game.txt
for not in 'Ann 2' 'Bob 5' 'Bob 1' 'Bob wins' 'Ann wins' 'Ann takes 2' 'Zoe 1'; do
  echo "--- $not"
  referee why tiles.rules game.txt:3 --not "$not"
done
for of in turn winner; do
  echo "--- $of"
  referee why tiles.rules game.txt:3 --of "$of"
done
echo '--- play'
printf 'Ann 3\nmoves\nwhy not Ann 2\nwhy not Bob 7\nwhy not Bob takes 3\nwhy not\nwhy turn\n' | referee play tiles.rules
echo '--- parts the other way round'
cat > bones.rules <<'RULES'
game bones
type Bone(low: 0..6, high: 0..6) where low <= high
write Bone as "{low of it}-{high of it}"
event lay(bone: Bone)
on lay { fact over = low of bone is 0 report | lays: "{bone}" }
transcript by lines { start play until over { | lay: "{bone}" } }
RULES
echo 6-3 | referee run bones.rules
# Where no line like it is possible, and little else is, all that is possible is told.
printf '1\ne2e4\nf7f5\nd1h5\nb8c6\n' > check.txt
run referee why chess check.txt
run referee why chess check.txt --trace
# Of several moves on a line, after which it is asked.
printf '1\ne2e4 e7e5 g1f3\n' > line.txt
run referee why chess line.txt:2 --event 1 --of 'board of e5'
run referee why chess line.txt:2:8 --of 'board of e5'
run referee why chess line.txt:2:99
# What ends the game is told by the sentence of its rule, and asked of the state after it in both ways.
printf '1\nf2f3 e7e5 g2g4 d8h4\n' > mate.txt
run referee why chess mate.txt --event 4
run referee why chess mate.txt --not check
run referee why chess mate.txt --of check
# Another move in the place of one of several on a line, and a line that cannot come now.
run referee why chess line.txt:2 --event 1 --not d1d4
run referee why chess line.txt:2:8 --not e8e7
cat > turns.rules <<'RULES'
game turns
ring Player | Ann | Bob
state turn: Player = Ann
state left: 0..9 = 9
event take(count: 1..3)
event pass when left < 5 says "only when fewer than five are left"
on take {
  impossible | many: "only {left} are left" when count > left
  fact over = new left is 0
  fact again = any of | two: count is 2 says "two were taken"
  new left = left - count
  new turn
    | next: after turn unless again
  report | takes: "{turn} takes {count}"
}
on pass { new turn = after turn }
transcript by lines { start play until over { | take: "{count}" | pass: "pass" } }
RULES
printf '1\n2\n3\n' > turns.txt
run referee why turns.rules turns.txt:2 --not pass
# What the rules of an event leave as it was.
run referee why turns.rules turns.txt:2 --of turn
run referee why turns.rules turns.txt:3 --of turn
