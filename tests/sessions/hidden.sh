# What each player sees of a game with hidden cards.
deck="AC 2C 3C 4C 5C 6C 7C 9C TC JC QC KC AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS 8C"
printf "1\n3: Ann Ben Cid\n$deck\nAnn 4C\n" > game.txt
run referee moves crazy-eights game.txt --for Ann
run referee moves crazy-eights game.txt --for Ben
run referee moves crazy-eights game.txt --for Dan
# Each sees the own cards when it is the own move, and what was said since then.
printf "1\n3: Ann Ben Cid\n$deck\nstate\nAnn 4C\nAnn 4D\nwhy\nstate\nwhy not Ben 3C\nwhy not fits(the lowest of hand of Player(3))\nBen 2C\nwhy\nCid draws\nas Ann\n?\nwhy not Cid 3C\nstate\nundo\nstate\n" > typed
run referee play crazy-eights --seat chance=person < typed
# Where one person plays, it is always that one who looks.
printf "1\n3: Ann Ben Cid\n$deck\nstate\nAnn 4C\nstate\nAnn 3D\nquit\n" > typed
run referee play crazy-eights kept.txt --seat Ben=random --seat Cid=random --seat chance=person < typed
run cat kept.txt
# What is passed face down is shown to whoever passes it.
deck="2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
printf "1\nAnn Ben Cid Dan\ndeal $deck\nas Ann\nAnn passes 2C 6C TC\nas Ann\nstate\nas Ben\nBen passes 3C 7C JC\nas Dan\nstate\n" > typed
run referee play hearts --seat chance=person < typed
# What is asked of a fact is no way to see what is hidden.
deck="SS DS HS SJ DJ HJ CA SN CK CT HN DE ST HA SQ CE HE CN CJ CQ DN DT DQ DK DA CS HT HQ HK SE SK SA"
printf "1\n2 $deck\nwhy dearest(hand of Player(1))\nwhy dearest(hand of Player(2))\nwhy not dearest(hand of Player(2))\nwhy playable(the item(draw, 1))\n" > typed
run referee play mau-mau --transcript moves --seat chance=person < typed
# A variant changes who sees what.
mkdir crazy-eights
printf 'variant open-hands of crazy-eights\nreplace hand: set of Card seen by Player\nreplace stock: pile of Card seen by turn\n' > crazy-eights/open-hands.rules
run referee check crazy-eights/open-hands.rules
run referee moves crazy-eights/open-hands.rules game.txt --for Ann
# The text of a row of `impossible` is not read by whoever does not see what is in it.
printf 'game cups\nring Player | Ann | Ben\nstate pea: 1..3 hidden = 2\nstate cup(p: Player): 1..3 seen by p = 1\nstate turn: Player = Ann\nevent look(n: 1..3) by turn\non look {\n  impossible\n    | pea: "the pea is under {pea}" when n is 1\n    | own: "{turn} has {cup of turn}" when n is 2\n  fact over = yes\n}\ntranscript by lines { start play until over { | look: "{n}" } }\n' > cups.rules
printf "1\n2\n?\n" > typed
run referee play cups.rules < typed
run referee run cups.rules typed
# That a move is illegal is marked for whoever sees why.
cat > high.rules <<'R'
game high
ring Player | Ann | Ben
state hand(p: Player): set of 1..9 seen by p = by p | Ann => {1, 5, 9} | Ben => {2, 6}
state turn: Player = Ann
fact higher(n: 1..9): text? = first of
  | held: "you have a higher one" when some m in hand of turn where m > n
event put(n: 1..9) by turn
on put {
  impossible | held: "no such number" when n not in hand of turn
  illegal low = higher(n)
  fact over = new hand of turn is empty
  new hand of turn = hand of turn without {n}
  new turn = after turn
  report
    | put: "{old turn} puts {n}" seen by Player
    | low: "that was low" seen by Player when low is not none
}
transcript by lines { start play until over { | put: "{n}" } }
R
printf "" > high.txt
run referee moves high.rules high.txt --for Ann
run referee moves high.rules high.txt --for Ben
printf "?\n" > typed
run referee play high.rules < typed
