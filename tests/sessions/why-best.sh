# What the best of a collection was compared with is told, and what each term of a sum is of.
cat > trick.rules <<'RULES'
game trick

ring Player (sign: text) | Ann "Ann" | Ben "Ben" | Cid "Cid"
kind Suit (letter: text) | Clubs "C" | Hearts "H"
type Card(suit: Suit, pips: 1..9)
write Card as "{letter of suit of it}{pips of it}"
state laid(p: Player): Card? = none
state turn: Player = Ann
state points(p: Player): number = 0
state hand: set of Card = empty

event lay(card: Card)
on lay {
  impossible | twice: "{turn} has laid" when laid of turn is not none
  fact all = every p in Player has new laid of p is not none
  fact weight(p: Player): number = sum of
    | trump: 10 when new laid of p is not none and suit of the new laid of p is Hearts
    | pips: pips of the new laid of p when new laid of p is not none
  fact winner: Player? = best p in Player where all by highest weight(p)
  fact direct: Player? = best p in Player where new laid of p is not none by highest pips of the new laid of p
  fact dear: Card? = best c in new hand by highest pips of c, highest suit of c
  fact worth(c: Card): number = 2 * pips of c
  new laid = laid but card at turn
  new hand = hand with {card}
  new points(p) = sum of
    | old: points of p
    | won: pips of c for c in new hand when all and p is winner
  new turn
    | won: the winner when all
    | after: after turn when not all
  fact total: number = sum of (worth(c) for c in new hand)
  fact bare: number = sum of
    | cards: pips of c for c in new hand
  fact top: number = the highest of (worth(c) for c in new hand)
  fact low: number = the lowest of (weight(p) for p in Player where new laid of p is not none)
  report
    | win: "{the winner} wins {total} {bare} {top} {low} {the direct} {the dear}" when all
}
transcript by lines { start play until no { | lay: "{card}" } }
RULES
printf 'C9\nH2\nC3\n' > game.txt
run referee check trick.rules
run referee why trick.rules game.txt:3
run referee why trick.rules game.txt:3 --of dear
run referee why trick.rules game.txt:3 --of bare
run referee why trick.rules game.txt:3 --of low
run referee why trick.rules game.txt:3 --of 'highest of (worth(c) for c in hand)'
run referee why trick.rules game.txt:3 --trace
# In a tie, the next key decides, or the order of the type.
printf 'C9\nH3\nH3\n' > tie.txt
run referee why trick.rules tie.txt:3 --of winner
printf 'C9\nH9\nC3\n' > tie.txt
run referee why trick.rules tie.txt:3 --of dear
run referee why trick.rules game.txt:1 --of dear
run referee why trick.rules tie.txt:3 --of 'best p in Player by highest size of {c in hand where pips of c > 1}, highest p'
run referee why trick.rules tie.txt:3 --of 'best n in 1..30 by highest 100 - n'
