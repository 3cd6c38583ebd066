# A line that is wrong changes nothing, and what is typed next is played.
printf '1\nAnn Ben\nRed\nGren\nwhy\nRed Red\nundo\n?\nstate\nwhy not Blue\nNone\nquit\n' > typed
run referee play snooker kept.txt < typed
run cat kept.txt
# It goes on where it was, and is a transcript like others.
printf 'Red\nundo\nundo\nsave other.txt\n' > typed
run referee play snooker kept.txt < typed
run cat kept.txt
run cat other.txt
# Half a line, from whoever was interrupted, is left out; a line in the middle is told.
printf '1\nAnn Ben\nRe' > half.txt
run referee play snooker half.txt
printf '1\nAnn Ben\nRe\nRed\n' > wrong.txt
run referee play snooker wrong.txt
# Seats, and words that come one by one.
printf '1\nAnn\nBen\n' > typed
run referee play connect-four --seat '*=random' --seed 3 moves.txt < typed
run cat moves.txt
referee play connect-four moves.txt < /dev/null > played
referee run connect-four moves.txt > report
run cmp played report
run referee play connect-four --seat Ann=clever
printf "1\n2 Ann Ben\n" > typed
run referee play bowling --whose nobody --seat Ann=random < typed
# What the report of a refusal says is told where nothing but that line is left.
cat > ref.rules <<'RULES'
game ref
ring Player | Ann | Ben
state turn: Player = Ann
state at: 1..9 = 5
event go(to: 1..9) by turn
on go {
  new at = to
  new turn = after turn
  report
    | x: "{old turn} to {to}"
}
event bail by turn
on bail {
  refuse where_to = at < 7
  new at = 1
  report refused | w: "{turn} cannot go from {at}"
}
transcript by lines { start play until no { | go: "{to}" | bail: "bail" } }
RULES
printf '?\nbail\n' > typed
run referee play ref.rules < typed
