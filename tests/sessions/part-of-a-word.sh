# A part of a word that ends where a sign stands is told as a whole.
cat > steps.rules <<'RULES'
game steps
kind Point (label: text) | off "off" | p2 "2" | p24 "24"
write Point as label of it
event step(from: Point, to: Point)
on step { fact over = to is off report | said: "{from}" }
transcript by words { start play until over { | step: "{from}/{to}" } }
RULES
for word in 25/2 2/25 24/ /2 x24 2-24; do
  printf '%s\n' $word > game.txt
  run referee run steps.rules game.txt
done
