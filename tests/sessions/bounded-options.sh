# An option bounds another: only the values that count must fit.
cat > bound.rules <<'END'
game bound
option most: 1..40 = 20
option start_at: 1..most = 9
event go
on go { fact over = yes report | go: "{start_at} of {most}" }
transcript by lines { start play until over { | go: "go" } }
END
echo go > game.txt
run referee run bound.rules game.txt
run referee run bound.rules game.txt --set most=6 --set start_at=2
run referee run bound.rules game.txt --set most=6
run referee run bound.rules game.txt --set most=6 --set start_at=7
