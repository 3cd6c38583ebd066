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
fact pen = after turn                        -- written nearly like a name that only the transcript has
event lay(card: Card) by turn
on lay {
  impossible | low: "too low" when rank of card < 3
  fact over = rank of card is 9
  new last = card
  new turn = pen
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
# What is refused may not come, whether or not other events can be listed.
mkdir purse
cat > purse.rules <<'RULES'
game purse "Purse"
state coins: number = 5
event pay(n: 1..2)
on pay {
  refuse poor = n > 1
  fact over = new coins is 0
  new coins = coins - n
  report refused | poor: "only one"
}
event note(marks: bag of 1..9)
on note { refuse many = size of marks > 2 report | note: "{marks}" report refused | many: "too many" }
transcript by lines { start play until over, or "*" { | pay: "pay {n}" | note: "note {marks ...}" } }
RULES
printf '#? moves pay 1\n#? moves pay 1, pay 2\n#? moves pay 1, note 1 2\n#? moves pay 1, note 1 2 3\n#? moves pay 1, hum\n*\n' > purse/moves.in
for case in name row near moves; do run referee test heap/$case.in; done
run referee test purse/moves.in
