# After the last event of the only game nothing can come.
cat > cast.rules <<'RULES'
game cast
event cast(die: 1..6)
on cast { fact over = die is 6 }
transcript by lines { start play until over { | cast: "cast {die}" } }
RULES
printf 'cast 1\ncast 6\ncast 5\n' > game.txt
run referee run cast.rules game.txt
# Of several games the number may be wrong.
sed -e 's/transcript.*/transcript by lines { "{games}" repeat games times { start play until over { | cast: "{die}" } } }/' \
  -e 's/game cast/game casts/' cast.rules > casts.rules
printf '1\n6\n5\n' > game.txt
run referee run casts.rules game.txt
