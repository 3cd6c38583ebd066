# Lines of the report that are asked about: what would have them said says these lines, and no others.
cat > pots.rules <<'END'
game pots
kind Ball | Red | Blue | Pink
event stroke(potted: bag of Ball)
on stroke {
  fact call: text = by size of potted | 2 => "two's company" | any => "{size of potted} in"
  fact over = size of potted > 2
  report
    | call:  "{call}"
    | other: "not red: {b}" for b in potted when b is not Red
}
transcript by lines { start play until over { | stroke: "{potted ...}" } }
END
printf 'Red Blue\nRed Red Red\n' > game.txt
for text in "two's company" 'somebody wins' 'not red: Pink' 'not red: Blue'; do
  run referee why pots.rules game.txt:1 --not "$text"
  run referee why pots.rules game.txt:2 --not "$text"
done
