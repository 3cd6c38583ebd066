# A player who sees how many cards there are, or whether there are any, does not see which.
cat > cards.rules <<'RULES'
game cards "Cards"
ring Player | A | B
state hand(p: Player): pile of 1..9 seen by p = by p | A => [1, 2, 7] | B => [8, 9]
state kept(p: Player): 1..9? seen by p = by p | A => 5 | B => 6
state stock: pile of 1..9 hidden = [3, 4]
state turn: Player = A
event drop(k: 1..3) by turn
on drop {
  fact rest = below(k, hand(turn))
  fact mine = kept(turn)
  fact nothing_kept = mine is none
  fact left_over = below(1, stock)
  fact last_one = size of left_over is 0
  fact bare = any of
    | hers: size(hand(B)) is 0 or 8 not in hand(B) says "{hand(B)} is bare"
    | his: size(hand(A)) is 0 says "{hand(A)} is bare"
  new hand of turn = rest
  new turn = after turn
  fact over = size of rest is 0
  report | drops: "{old turn} drops {k}: {size of rest} left"
         | empty: "nothing is kept" when nothing_kept or last_one or bare
}
transcript by lines { start play until over { | drop: "drop {k}" } }
RULES
printf 'drop 1\nwhy not over\nwhy rest\nwhy nothing_kept\nwhy not empty\nwhy last_one\nwhy not bare\n' > typed
run referee play cards.rules < typed
