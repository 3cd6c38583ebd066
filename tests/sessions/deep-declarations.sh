# Options and types that need each other in long chains, in either order.
tail='event go
on go { fact over = yes report | said: "{s0}" }
transcript by words { start play until over { | go: "go" } }'
options() {
  echo 'game options'
  seq 0 $(($1 - 1)) | sed 's/.*/echo "option s&: number = s$((& + 1)) + 1"/' | sh
  echo "option s$1: number = 1"
  echo "$tail"
}
types() {
  echo 'game types'
  seq 0 $(($1 - 1)) | sed 's/.*/echo "type T$((& + 1)) = pile of T&"/' | sh
  echo 'type T0 = number'
  echo "state s0: T$1 = empty"
  echo "$tail" | sed 's/{s0}/{size of s0}/'
}
options 99 > options.rules
echo go | run referee run options.rules --set s99=7
options 20000 > options.rules
run referee check options.rules
types 99 > types.rules
run referee check types.rules
types 20000 > types.rules
run referee check types.rules
