# Questions that are asked as the transcript is written, and not as the rules are.
mkdir heap
cat > heap.rules <<'RULES'
game heap "Heap"
kind Suit (letter: text) | Clubs "C" | Spades "S"
type Card(rank: 2..9, suit: Suit)
write Card as "{rank of it}{letter of suit of it}"
ring Player | First | Second
given name(p: Player): word
write Player as name of it
state last: Card? = none
state turn: Player = First
event lay(card: Card) by turn
on lay {
  impossible | low: "too low" when rank of card < 3
  fact over = rank of card is 9
  new last = card
  new turn = after turn
  report
    | lays: "{old turn} lays {card}"
    | red:  "black" when suit of card is Clubs
}
event say(what: text) by turn
on say { new turn = after turn report | says: "{old turn}: {what}" }
transcript by lines { "{name of First} {name of Second}" start play until over { | say: "say {what ...}" | lay: "{card}" } }
RULES
printf 'Ann Ben\n5C\n#? turn is Ben\n#? last is Card(5, Clubs)\n' > heap/name.in
printf 'Ann Ben\n#? impossible lays\n5C\n' > heap/row.in
printf 'Ann Ben\n#? impossible lo\n5C\n' > heap/near.in
printf 'Ann Ben\n#? moves say yes, 9C\n' > heap/moves.in
for case in name row near moves; do run referee test heap/$case.in; done
