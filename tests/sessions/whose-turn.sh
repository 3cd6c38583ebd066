# Whoever has no choice is told whose turn it is.
cat > draw.rules <<'RULES'
game draw
ring Player | Ann | Ben | Cid
state hand(p: Player): set of 1..6 seen by p = by p | Ann => {1, 4} | Ben => {2, 5} | Cid => {3, 6}
state turn: Player = Ann
event play(card: 1..6) by turn
on play {
  impossible | none: "{turn} has no {card}" unless card in hand of turn
  new hand of turn = hand of turn without {card}
  new turn = after turn
  fact over = new hand(old turn) is empty
  report | card: "{old turn} plays {card}"
}
transcript by lines { start play until over { | play: "{card}" } }
RULES
printf '1\n' > game.txt
run referee moves draw.rules game.txt --for Ben
run referee moves draw.rules game.txt --for Cid
run referee moves draw.rules game.txt --for Cid --format json
