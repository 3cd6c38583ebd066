cp "$cases"/../transcripts/tennis/deuce-and-advantage.txt "$cases"/../transcripts/mau-mau/draw-pile-renewed-by-one-card.txt .
cp "$cases"/../transcripts/chess/threefold-repetition.txt "$cases"/../transcripts/crazy-eights/nobody-wins.txt .
cp "$cases"/../transcripts/bowling/two-bowlers.txt .
# A line that cannot come now: which part of its condition fails, with and without a question.
printf '1\nAnn Ben\nNone\nFree ball\nFree ball\n' > frame.txt
run referee why snooker+free-ball frame.txt
run referee why snooker+free-ball frame.txt:5 --not free_ball
run referee why snooker+free-ball frame.txt:4 --not free_ball
run referee why tennis deuce-and-advantage.txt --not retire
# A rule of a policy after the one that chose.
run referee why mau-mau draw-pile-renewed-by-one-card.txt --event 5 --not rule_3
# Moves of several steps are told, too, where they alone are possible.
printf '1\n11-15 22-18\n12-16\n' > jump.txt
run referee why draughts jump.txt
# Of reasons why it is impossible, the first: the others may speak of what it denies.
printf '1\n11-15 22-18\n17x10\n' > none.txt
run referee why draughts none.txt
# A repetition on one line.
run referee why chess threefold-repetition.txt
# Variables are called by their values, unless they go through something.
run referee why crazy-eights nobody-wins.txt --of 'outcome(Ann)'
run referee why bowling two-bowlers.txt --event 2 --of 'complete(Ann,1)'
# What has a value that is none is asked for itself.
printf '1\ne2e4 e7e5\n' > none.txt
run referee why chess none.txt --of passant
run referee why chess none.txt --not quiet
