# What a sum is made of, row by row; what begins again comes after what is so for good; why there is no winner.
cat > bout.rules <<'RULES'
game bout "A bout" cites "The book"
kind Card (points: number) | Two 2 | Three 3 | Nine 9
ring Side | Left | Right
round set
state score(s: Side): number per set = 0
state sets(s: Side): number = 0
state melds: pile of set of Card = [{Two}, {Three}]
fact outcome(s: Side) = draw
event touch(who: Side, cards: set of Card)
on touch {
  refuse bad: text? = first of
    | nine: "no nines" when Nine in cards cites "5"
  fact gain: number = sum of
    | own:   points of c for c in cards
    | bonus: 5 when size of cards is 2
  fact winner: Side? = first of
    | ten: who when score of who + gain >= 10
  fact ends = winner is not none
  fact over = new sets of who is 2
  fact outcome(s: Side) = by s is who | yes => win | no => loss
  begin | next: set when ends
  new melds = melds then [cards]
  new sets of winner = (the sets of winner) + 1
  new score of who = score of who + gain
  report | gain: "{gain}"
  report refused | bad: "{bad}"
}
event yields(who: Side)
on yields {
  refuse bad: text? = first of
    | early: "too early" when score of who < 3
  fact over = yes
  fact late = score of who > 3
  report refused | bad: "{bad}"
}
transcript by lines { start play until over, or "*" { | touch: "{who} {cards ...}" | yields: "{who} yields" } }
RULES
run referee check bout.rules
printf 'Left Two\nLeft Nine\nRight yields\nLeft Two Three\n*\n' > t.txt
run referee why bout.rules t.txt:1
run referee why bout.rules t.txt:4 --of gain
run referee why bout.rules t.txt:1 --not winner.ten
run referee why bout.rules t.txt:1 --not ends
run referee why bout.rules t.txt:2
run referee why bout.rules t.txt:2 --not late
run referee why bout.rules t.txt:4
# A row of one event's fact, though another event has a fact of that name.
printf 'Left Nine\n#? bad nine\nRight yields\n#? bad early\n*\n' > bout.in
run referee test bout.in
# In play, a value and why it is so.
printf '%s\n' 'Left Two' 'why score of Left' 'why score' 'why not yields' quit | run referee play bout.rules
