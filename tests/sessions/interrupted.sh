# An interrupt ends a command at once, and files are whole.
cat > slow.rules <<'RULES'
game slow
state s: number = 0
event go(k: number)
on go {
  fact over = k is 0
  new s = size of (x for x in 1..k where x > s)
  report | said: "{k} done"
}
transcript by lines { start play until over { | go: "go {k}" } }
RULES
# What was typed is kept line by line, and a game goes on from there.
printf 'go 1\n' > kept.txt
mkfifo typed
: > said
( exec 3> typed; printf 'go 2\n' >&3; exec sleep 60 ) > /dev/null 2>&1 &
typist=$!
( exec sh -c 'echo $$ > pid; exec "$@" < typed' sh "$command" play slow.rules kept.txt ) > said 2> told &
tries=0
while [ "$(wc -l < said)" -lt 2 ] && [ "$tries" -lt 400 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -s TERM "$(cat pid)"
wait $! 2> /dev/null
echo "--- exit code $? ---"
kill "$typist" 2> /dev/null
run cat said kept.txt
printf 'go 0\n' | run referee play slow.rules kept.txt
# The language server ends with what it reads.
run referee lsp < /dev/null
# A file is replaced as a whole or not at all.
printf 'game  x\n' > x.rules
run referee fmt x.rules
run cat x.rules
ls -A | grep -c '^\.tmp'
