# Whose choice each move is, and what each has at the end.
cp $cases/slide.rules .
printf 'Ann Ben\n* 4\n4\n' > game.txt
run referee moves slide.rules game.txt
run referee moves slide.rules game.txt --format json
printf 'enough\n' >> game.txt
run referee moves slide.rules game.txt
run referee moves slide.rules game.txt --format json
# Chance is drawn, unless somebody says what it was; the same seed draws the same.
printf 'Ann Ben\n0\n1\n0\n2\nenough\n' > typed
run referee play slide.rules drawn.txt --seed 3 < typed
run cat drawn.txt
run referee play slide.rules again.txt --seed 3 < typed
run cmp drawn.txt again.txt
printf 'Ann Ben\n* 4\n3\n* 2\n1\nenough\n' > typed
run referee play slide.rules said.txt --seat chance=person < typed
run cat said.txt
# Whoever decides is asked, or plays by lot.
printf 'Ann Ben\n1\n2\n' > typed
run referee play slide.rules by-lot.txt --seat Ben=random < typed
run cat by-lot.txt
# A variant says otherwise.
mkdir slide
REFEREE_RULES=. && export REFEREE_RULES
printf 'variant even of slide\nreplace spin.by.weight = 1\nreplace push.by = after turn\nremove outcome\n' > slide/even.rules
run referee show slide+even --why push.by
printf 'Ann Ben\n' > game.txt
run referee moves slide+even game.txt
printf '* 4\n' >> game.txt
run referee moves slide+even game.txt --format json
printf 'variant turned of slide\nreplace spin.by = turn\nreplace push.by = chance\nremove give_up\n' > slide/turned.rules
run referee moves slide+turned game.txt
printf 'variant noted of slide\nremove spin.by.weight\nremove push.by\n' > slide/noted.rules
run referee moves slide+noted game.txt
printf 'variant wrong of slide\nreplace push.by = by turn | First => Second | Second => First\n' > slide/wrong.rules
run referee check slide/wrong.rules
# Shipped games: the event that ends the game may say what each has.
over() { printf "$2" > over.txt; shift 2; run referee moves "$@" over.txt; }
over mate '1\nf2f3 e7e5 g2g4 d8h4\n' chess
over resigned '1\ne2e4 1-0\n' chess --transcript played
over agreed '1\ne2e4 1/2-1/2\n' chess --transcript played
over unfinished '1\ne2e4 *\n' chess
over points '1\n2 Ann Ben\nX X X X X X X X X X X X - - - - - - - - - - - - - - - - - - - -\n' bowling
over nim '1\nAnn Ben\n1\nAnn 1 from 1\n' nim
over nim '1\nAnn Ben\n1\nAnn 1 from 1\n' nim --set last_loses=yes
over area '1 1 0 0 0 0 -1 -1\n' weiqi+area
printf '1\nAnn Ben\n1 2 1 2 1 2\n1\nundo\n3\n2\n' > typed
run referee play connect-four < typed
# Players and states that there are not.
printf 'Ann Ben\n1\n' > typed
run referee play slide.rules none.txt --seat Zoe=random < typed
run referee play slide.rules none.txt --whose turnn < typed
