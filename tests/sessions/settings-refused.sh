# A value that an option cannot have is the only thing that is said, also where other options and types need it.
cat > sizes.rules <<'RULES'
game sizes
option size: 1..9 = 3
option half: 1..9 = size
type Place = 1..size
state at: Place = 1
event go
on go { fact over = yes new at = size report | said: "{new at} {half}" }
transcript by words { start play until over { | go: "go" } }
RULES
for value in 16 -1 x ''; do
  run referee run sizes.rules --set "size=$value"
done
echo go | run referee run sizes.rules --set size=4
run referee run snooker --set red_balls=16
