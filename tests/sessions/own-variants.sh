# Variants of one's own: their tests, their rule books, and written out as one game.
cat > no-ad.rules <<'RULES'
variant no-ad of tennis "No-ad"
-- At forty all the next point wins the game.
replace ahead = own >= limit and (own >= other + 2 or limit is 4)
RULES
mkdir tennis+no-ad chess+strange
cat > case.txt <<'CASE'
1
Ann Ben
Ann Ben Ann Ben Ann Ben Ann
#? games of First is 1
CASE
for name in tennis+no-ad.deuce no-ad.deuce tennis+no-ad/deuce chess+strange/case; do cp case.txt $name.in; done
run referee test tennis+no-ad.deuce.in
run referee test no-ad.deuce.in
run referee test tennis+no-ad
(cd tennis+no-ad; run referee test deuce.in)
run referee test chess+strange
run referee test tennis+no-ad.rules
run referee test no-ad.rules
mkdir tennis
mv no-ad.rules tennis
run referee test tennis+no-ad
run referee test no-ad.deuce.in

cat > pop.rules <<'RULES'
variant pop of connect-four "Pop out"
-- Instead of dropping a disc a player may take one of their own out at the bottom.
event pop(column: 1..columns) by turn
on pop as drop {
  impossible | full: "the lowest disc in column {column} is not {turn}'s" when board of Hole(1, column) is not turn
  fact over = no
  new board(h)
    | fall: board of step(h, north, 1) when column of h is column
}
add to play | pop: "pop {column}"
RULES
run referee check connect-four+pop.rules
sed -i 's/  fact over = no/&\n  fact hole: Hole = Hole((new height of column) + 1, column)/' pop.rules
run referee check connect-four+pop.rules
referee doc connect-four+pop.rules | grep 'end the game'

cat > stones.rules <<'RULES'
game stones "Stones"
kind Stone (weight: 1..9) | Small 1 | Large 3
fact weight_of(s: Stone): number = weight of s
state points_in(s: Stone): number = 0
event lay(s: Stone)
on lay {
  fact over = new points_in of s > 5
  new points_in of s = points_in of s + weight_of(s)
}
transcript by words { start play until over { | lay: "{s}" } }
RULES
referee doc stones.rules | grep ' in \| of '

cat > long.rules <<'RULES'
variant long of snooker with six-red, foul-five "Six reds and fouls of five"
add to stroke.report | end: "that is all" when over
RULES
referee show snooker+long.rules --flat > flat.rules
head -3 flat.rules
run referee fmt --check flat.rules
