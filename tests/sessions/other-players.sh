# Games for more players or fewer, and a rule that changes the hand of another player.
cat > three.rules <<'RULES'
variant three of hearts "Hearts for three"
-- Three players play with 51 cards: the two of diamonds stays out.
remove Player.Fourth
replace transcript.names: "{name of First} {name of Second} {name of Third}"
replace deal.impossible.few: "there are {size of deck} cards in the deck, not 51" when size of deck is not 51
replace deal.new.hand = {item(deck, 3 * (round - 1) + number of p) for round in 1..17}
replace seats = by deals mod 3 | 1 => 1 | 2 => 2 | any => 0
replace opening = some p in Player where size of hand of p is 17
replace play.full = size of cards is 3
RULES
run referee check hearts+three.rules
printf '1\nIda Kim Lea\ndeal 2C\n' | run referee run hearts+three.rules
# What the message says to write is right.
cat > four.rules <<'RULES'
variant four of nim "Nim for four"
add to Player | Third | Fourth
RULES
run referee check nim+four.rules
echo 'add to transcript before start | name: "{name of Third} {name of Fourth}"' >> four.rules
run referee check nim+four.rules
# A two makes the next player take two cards.
cat > twos.rules <<'RULES'
variant twos of crazy-eights "Twos make the next player draw two"
on play {
  fact forced: pile of Card = by rank of card | Two => top(2, stock) | any => empty
  new hand(p)
    | two: hand of p with forced when p is after who
  new stock = below(size of forced, stock)
  report | two: "{after who} takes {forced}" seen by after who when forced is not empty
}
RULES
run referee check crazy-eights+twos.rules
sed -i 's/^on play/remove play.new.hand\n&/
s/^  new hand(p)/&\n    | own: hand of who without {card} when p is who/' twos.rules
run referee check crazy-eights+twos.rules
# An option beyond its type.
printf 'variant wide of connect-four "Wide"\nset columns = 12\n' > wide.rules
run referee check connect-four+wide.rules
echo 'replace columns: 4..12' >> wide.rules
run referee check connect-four+wide.rules
