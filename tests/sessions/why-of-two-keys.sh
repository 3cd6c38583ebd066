# An entry of a state with two keys, as explanations and as rules write it; calls with a wrong argument.
cat > boxes.rules <<'R'
game boxes "Boxes"
ring Player | Ann | Bob
kind Box (title: text) | Small "small-straight" | House "full-house" | Ones "ones"
write Box as title of it
state filled(p: Player, b: Box): number? = none
state turn: Player = Ann
fact full = every b in Box has filled(turn, b) is not none
fact any_of(boxes: set of Box) = some b in boxes where filled(turn, b) is not none
event fill(box: Box)
on fill {
  fact over = new full
  new filled of (turn, box) = 5
  new turn = after turn
  report
    | w:     "{box}"
    | small: "again" when any_of({Small})
}
transcript by words { start play until over { | fill: "{box}" } }
R
printf 'small-straight full-house ones' > boxes.txt
run referee why boxes.rules boxes.txt --of 'filled of Ann,small-straight'
run referee why boxes.rules boxes.txt --of 'filled(Ann,small-straight)'
run referee why boxes.rules boxes.txt --of 'filled(Bob, ones)'
run referee why boxes.rules boxes.txt --of 'filled of Ann,large'
run referee why boxes.rules boxes.txt --not 'filled of Ann,small-straight'
run referee why boxes.rules boxes.txt --of 'any_of([Small])'
run referee why boxes.rules boxes.txt --not 'any_of(Small)'
