# After the last event of the only game nothing can come.
cat > cast.rules <<'RULES'
game cast
kind Die | One | Two | Three | Broken
type Sound = One..Three
event cast(die: Sound)
on cast { fact over = die is Three report | said: "{die}, not {Broken}" }
transcript by lines { start play until over { | cast: "cast {die}" } }
RULES
printf 'cast One\ncast Three\ncast Two\n' > game.txt
run referee run cast.rules game.txt
# Of several games the number may be wrong.
cat > casts.rules <<'RULES'
game casts
event cast(die: 1..6)
on cast { fact over = die is 6 }
transcript by lines { "{games}" repeat games times { start play until over { | cast: "{die}" } } }
RULES
printf '1\n6\n5\n' > game.txt
run referee run casts.rules game.txt
