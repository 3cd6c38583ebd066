# Several decide at the same time: a field of the event says who.
cat > bids.rules <<'RULES'
game bids "Bids"
ring Player | Ann | Ben | Cleo
state bid(p: Player): 0..3 seen by p = 0
state done(p: Player): yes/no = no
event bids(who: Player, n: 1..3 seen by who) by who
on bids {
  impossible | again: "{who} has bid already" when done of who
  refuse high = n is 3
  new bid of who = n
  new done of who = yes
  fact over = every p in Player has new done of p
  report
    | bids: "{who} bids {n}"
    | all:  "{p} bid {new bid of p}" for p in Player seen by Player when over
  report refused
    | high: "{who} may not bid {n}"
}
transcript by lines { start play until over { | bids: "{who} bids {n}" } }
RULES
run referee check bids.rules
# Whoever has bid is not asked again.
printf 'Ben bids 1\n' > game.txt
run referee moves bids.rules game.txt
run referee moves bids.rules game.txt --for Cleo
# Whoever looks can only type their own line: an answer would tell what only the other one knows.
printf '?\nAnn bids 2\nas Ann\nBen bids 2\nwhy not Ben bids 2\nwhy not Ann bids 2\nAnn bids 2\nas Ben\n?\nstate\nAnn bids 1\nBen bids 1\nas Cleo\nwhy not Ann bids 1\nCleo bids 2\n' > typed
run referee play bids.rules < typed
# What is drawn for a seat is that seat's, also where a person comes first.
printf '?\nAnn bids 1\n' > typed
run referee play bids.rules kept.txt --seat '*=random' --seat Ann=person < typed
run cat kept.txt
# Neither what is taken back nor what cannot be worked out tells a secret, and nobody looks for a seat that plays by itself.
printf 'as Ann\nAnn bids 2\nas Ben\nwhy 1 / (bid of Ann - 2)\nwhy 1 / (bid of Ann - 1)\nwhy not bid\nwhy bid of Ben + 1\nundo\nas Cleo\nCleo bids 7\n' > typed
run referee play bids.rules < typed
printf 'as Ben\nundo\n' > typed
run referee play bids.rules --seat '*=random' --seat Ann=person < typed
printf 'Ann bids 2\nAnn bids 1\n' > wrong.txt
run referee moves bids.rules wrong.txt --for Ben
