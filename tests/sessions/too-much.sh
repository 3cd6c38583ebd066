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
# Sections for several events, each with a copy of its own.
awk 'BEGIN {
  print "game copies"
  for (i = 0; i < 600; i++) { print "event e" i "(k: number)"; names = names (i ? ", " : "") "e" i }
  print "on " names " {\n  fact over = k is 0\n  report"
  for (i = 0; i < 600; i++) print "    | r" i ": \"{k}\" when k is " i
  print "}\ntranscript by lines { start play until over { | e0: \"go {k}\" } }"
}' > copies.rules
referee check copies.rules 2>&1 | sed 's/e0, e1, .*/e0, e1, …/; s/\^\^*/^/' | head -4
# Rows of a table that match nearly everything.
awk 'BEGIN {
  print "game table\nfact f(x: number, y: number): number = by x, y"
  for (i = 0; i < 1500; i++) print "  | not " i ", not " (i * 7919) % 1500 " => " i
  print "  | any, any => 0\nevent go(k: number)\non go { fact over = k is 0 report | r: \"{f(k, k)}\" }"
  print "transcript by lines { start play until over { | go: \"go {k}\" } }"
}' > table.rules
run referee check table.rules
# More changes than a game of this size can have.
mkdir -p tall
awk 'BEGIN {
  print "game tall\nevent go(k: number)\non go {\n  fact over = k is 0\n  report"
  for (i = 0; i < 3000; i++) print "    | r" i ": \"{k}\" when k is " i
  print "}\ntranscript by lines { start play until over { | go: \"go {k}\" } }"
}' > tall.rules
awk 'BEGIN { print "variant v of tall"; for (i = 0; i < 8000; i++) print "except go.report.r" i % 3000 " when k is " i + 9000 }' > tall/v.rules
run referee check tall.rules+v
# A long text, made again and again.
cat > text.rules <<'RULES'
game text
state s: text = "ab"
event double
event ask
on double { fact over = no new s = "{s}{s}" }
on ask {
  fact over = yes
  fact found: number = size of {i for i in 1..1000000 where "{s}{i mod 2}" is "b"}
  report | found: "{found}"
}
transcript by words { start play until over { | double: "d" | ask: "a" } }
RULES
echo d d d d d d d d d d d d d d d d d d a > text.txt
run referee run text.rules text.txt --limit fuel=10000000
# Events that take their rules from one another.
awk 'BEGIN {
  print "game like\nevent e0\non e0 {\n  report"
  for (i = 0; i < 1000; i++) print "    | r" i ": \"said\""
  print "}"
  for (i = 1; i < 1000; i++) print "event e" i "\non e" i " as e" i - 1 " { report | x" i ": \"hi\" }"
}' > like.rules
run referee check like.rules
# Lines that say what may come next, many times over.
awk 'BEGIN { for (i = 0; i < 4000; i++) print "mv " i % 3 "\n#? moves mv 0, mv 1, mv 2" }' > moves.txt
cat > moves.rules <<'RULES'
game moves
event mv(q: 0..2)
on mv {
  fact over = no
  report | r: "{q}"
}
transcript by lines { start play until over, or "stop" { | mv: "mv {q}" } }
RULES
run referee test moves.txt
# As many threads as there is work for.
run referee run tally.rules ok.txt ok.txt -j 100000
