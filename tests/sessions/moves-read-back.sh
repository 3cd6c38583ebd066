# `moves` lists no line that would be read as another event, as players' names can make it.
cat > rest.rules <<'RULES'
game rest "Rest"
ring Player | First | Second
given name(p: Player): word
write Player as name of it
state n(p: Player): number = 0
event rest(who: Player)
event point(to: Player)
on point { fact over = new n of to is 3 new n of to = n of to + 1 report | point: "point for {to}" }
on rest { fact over = no report | rest: "{who} rests" }
transcript by words { "{name of First} {name of Second}" start play until over { | rest: "T{who}" | point: "{to}" } }
RULES
echo 'Ann Ben' | run referee moves rest.rules
echo 'Ann TAnn' | run referee moves rest.rules
echo 'Ann TAnn TAnn Ann Ann Ann' | run referee run rest.rules
