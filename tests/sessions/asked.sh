# What is asked of rows that all must hold, of what refuses, of numbers, and of sums with several parts.
cat > asked.rules <<'RULES'
game asked
kind Rank (letter: text) | Two "2" | Three "3" | Four "4"
kind Suit (letter: text) | Clubs "C" | Diamonds "D"
type Card(rank: Rank, suit: Suit)
write Card as "{letter of rank of it}{letter of suit of it}"
grid Spot(row: 1..2, column: 1..3)
write Spot as "{row of it}{column of it}"
ring Player | A | B
state board(s: Spot): Player? = none
state hand: set of Card = {Card(Two, Clubs), Card(Three, Diamonds)}
state coins: 0..9 = 5
fact power(k: 0..6): number = by k | 0 => 1 | any => 10 * power(k - 1)
fact strength(h: set of Card): number = sum of
  | size: size of h * power(2)
  | rank: number of rank of c * power(1) for c in h
fact good(k: number) = all of
  | big:   k > 1
  | small: k < 9
  | odd:   k mod 2 is 1
event spend(amount: 1..9, at: Spot)
on spend {
  refuse refused: text? = first of
    | poor: "only {coins} left" when amount > coins
  fact double: number = amount * 2
  fact over = all of
    | big: amount > 1
    | odd: amount mod 2 is 1
    | all: new coins is 0
  new coins | paid: coins - amount when amount <= coins
  new board = board but A at at
  report | spent: "{new coins} left, {strength(hand)}"
  report refused | poor: "{refused}"
}
transcript by lines { start play until over { | spend: "{amount} at {at}" } }
RULES
printf '2 at 13\n' > game.txt
run referee why asked.rules game.txt:1 --not over.big
run referee why asked.rules game.txt:1 --not over.odd
run referee why asked.rules game.txt:1 --not over
run referee why asked.rules game.txt:1 --of 'good(4)'
run referee why asked.rules game.txt:1 --not refused
run referee why asked.rules game.txt:1 --not double
run referee why asked.rules game.txt:1 --of 'strength(hand)'
# Values may be written as in a transcript, also those that are no names.
run referee why asked.rules game.txt:1 --of '2C in hand'
run referee why asked.rules game.txt:1 --of 'board of 13'
run referee why asked.rules game.txt:1 --of 'board of 9'
printf '%s\n' 'why not 9 at 11' 'why not 2 at 11' 'why not 3D in hand' quit | run referee play asked.rules
# An expression without a value is told as such, and not as a name that nothing has.
run referee why asked.rules game.txt:1 --of '6 / (amount - 2)'
run referee why asked.rules game.txt:1 --of '1 / 0'
run referee why asked.rules game.txt:1 --limit fuel=1000 --of 'size of (x for x in 1..1000000000)'
