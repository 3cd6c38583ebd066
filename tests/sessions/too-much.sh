# What is too much to keep: transcripts in archives and outside, names in archives, moves, and what `cover` tries.
cat > tally.rules <<'RULES'
game tally
state total: number = 0
event add(amount: number)
on add {
  fact over = amount is 0
  new total = total + amount
  report
    | said: "{new total}"
    | much: "much" when new total > 3
}
transcript by lines { start play until over { | add: "{amount}" } }
RULES
printf '1\n0\n' > ok.txt
# A transcript that is small only as long as it is compressed. The next one is read all the same.
head -c 70000000 /dev/zero | tr '\0' '\n' | gzip -n > blank.txt.gz
tar -cf bomb.tar blank.txt.gz ok.txt
run referee run tally.rules bomb.tar
run referee run tally.rules bomb.tar -j 2
# Names: long ones are read, endless ones are not.
long=$(awk 'BEGIN { while (n++ < 300) printf "x" }')
for format in gnu pax; do
  tar -cf long.tar --format $format --transform "s,ok,$long," ok.txt
  printf '1\n' > bad.txt
  tar -cf long.tar --format $format --transform "s,bad,$long," bad.txt ok.txt
  referee run tally.rules long.tar 2>&1 | sed "s/$long/LONG/"
done
long=$(awk 'BEGIN { while (n++ < 70000) printf "x" }')
for format in gnu pax; do
  tar -cf endless.tar --format $format --transform "s,ok,$long," ok.txt
  run referee run tally.rules endless.tar
done
# What is read as a whole has a bound; `run` reads line by line.
truncate -s 200M huge.txt
run referee why tally.rules huge.txt
run referee cover tally.rules huge.txt
run referee run tally.rules huge.txt | cut -c 1-80
run referee moves tally.rules huge.txt --for Ann
rm huge.txt
# More moves than there is room for.
cat > many.rules <<'RULES'
game many
state s: number = 0
event go(a: 1..1000, b: 1..1000, c: 1..1000)
on go { fact over = new s > 3 new s = s + 1 report | said: "{a}" }
transcript by lines { start play until over { | go: "{a} {b} {c}" } }
transcript itself by lines { start play by random until over }
RULES
run referee run many.rules --transcript itself --limit memory=1
run referee moves many.rules --limit memory=1
# Which rows make a difference is found out until that takes too much.
run referee cover tally.rules ok.txt
awk 'BEGIN { while (n++ < 3000) print 1; print 0 }' > long.txt
run referee cover tally.rules long.txt --limit fuel=1000
