# Only a part of the kind can be written.
cat > cast.rules <<'RULES'
game cast
kind Die | One | Two | Three | Broken
type Sound = One..Three
event cast(die: Sound)
on cast { fact over = die is Three report | said: "{die}, not {Broken}" }
transcript by lines { start play until over { | cast: "cast {die}" } }
RULES
printf '?\nquit\n' > typed
run referee play cast.rules < typed
printf 'cast Four\n' > game.txt
run referee run cast.rules game.txt
printf 'cast Broken\n' > game.txt
run referee run cast.rules game.txt
