# What chance draws before a game: it ends the line that a person begins, and nobody sees what is hidden.
cat > trick.rules <<'RULES'
game trick "Highest card"
ring Player | Ann | Ben
type Card = 1..6
given first: Player by chance
given deck: pile of Card hidden by chance
given stake: 1..9
state hand(p: Player): set of Card seen by p = {item(deck, 2 * (k - 1) + number of p) for k in 1..2}
state turn: Player = first
fact outcome(p: Player) = by p is turn | yes => win | no => loss
on start { report | begins: "{first} begins for {stake}" }
event play(card: Card) by turn
on play {
  impossible | held: "{turn} does not hold {card}" when card not in hand of turn
  fact over = card is 6
  new hand of turn = hand of turn without {card}
  new turn | next: after turn when card is not 6
  report | plays: "{old turn} plays {card}"
}
transcript by lines {
  "{stake} {first} {deck ...}"
  start
  play until over { | play: "{card}" }
}
transcript apart by lines {
  "stake {stake}"
  "first {first} and {deck ... 4}"
  start
  play until over { | play: "{card}" }
}
RULES
run referee check trick.rules
printf '5\nstate\nas Ben\nstate\nundo\n7 Ben 6 5 4 3 2 1\nquit\n' > typed
run referee play trick.rules kept.txt < typed
run cat kept.txt
printf 'stake 3\nquit\n' > typed
run referee play trick.rules drawn.txt --transcript apart --seed 4 < typed
run cat drawn.txt
# A person draws.
printf '5\n5 Ann 1 2 3 4 5 6\n?\nquit\n' > typed
run referee play trick.rules --seat chance=person < typed
# The pile of an event.
cat > rounds.rules <<'RULES'
game rounds "Rounds"
state top: 0..9 = 0
event deal(deck: pile of 1..9) by chance
on deal {
  impossible | low: "the first card is {the top of deck}" when the top of deck < 5
  new top = the top of deck
  fact over = new top is 9
  report | deal: "{new top} is first"
}
transcript by lines { start play until over { | deal: "deal {deck ...}" } }
RULES
run referee check rounds.rules
printf 'quit\n' > typed
run referee play rounds.rules rounds.txt --seed 2 < typed
run cat rounds.txt
# Two packs are one variant of a deck.
mkdir trick
printf 'variant double of trick\nreplace deck = (c for c in Card, pack in 1..2)\n' > trick/double.rules
run referee check trick/double.rules
printf '1\nquit\n' > typed
run referee play trick/double.rules double.txt < typed
run cat double.txt
