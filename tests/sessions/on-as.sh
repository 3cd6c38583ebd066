# What an event takes over from another stands where it stood, also the rows that its section gives anew.
cat > heap.rules <<'RULES'
game heap
state left: number = 9
event take(n: 1..3)
on take {
  impossible
    | few:  "there are only {left}" when n > left
    | none: "nothing is left" when left is 0
  fact over = new left <= 0
  new left = left - n
  report
    | before: "there were {old left}"
    | taken:  "{n} taken"
    | after:  "{new left} left"
}
event grab
on grab as take {
  fact n: number = left
  report
    | loud:  "a grab!"
    | taken: "{n} grabbed"
    | thud:  "thud"
}
transcript by lines { start play until over { | take: "take {n}" | grab: "grab" } }
RULES
mkdir heap
# Another file gives a row anew by its path.
cat > heap/path.rules <<'RULES'
variant path of heap "Nothing is left after a grab"
replace grab.report.after: "nothing left"
replace grab.report.taken: "{n} grabbed at once"
replace grab.impossible.none: "nothing to grab" when left is 0
RULES
# So does a section of two events.
cat > heap/two.rules <<'RULES'
variant two of heap "Snatches and snaps take all"
event snatch
event snap
on snatch, snap as take {
  fact n: number = left
  report | taken: "{n} in one go"
}
add to play | snatch: "snatch" | snap: "snap"
RULES
# A variant says all of its own event at once.
cat > heap/own.rules <<'RULES'
variant own of heap
event snatch
on snatch as take { fact n: number = left }
replace snatch.report.taken: "{n} in one go"
add to play | snatch: "snatch"
RULES
printf 'take 1\ngrab\n' > game.txt
run referee run heap.rules game.txt
run referee run heap.rules+path game.txt
run referee show heap.rules+path --why grab.report.taken
printf 'take 1\nsnatch\n' > game.txt
run referee run heap.rules+two game.txt
run referee check heap/own.rules
# The other event may say things in two places: a new row comes once, after the last; one above a replaced row stays there.
cat > halves.rules <<'END'
game halves
state n: number = 0
state m: number = 0
event throw
on throw { new n = n + 1 report | first: "n is {new n}" }
on throw { new m = m + 1 report | second: "m is {new m}" | third: "over" }
event pass
on pass as throw { report | told: "passed" }
event skip
on skip as throw { report | above: "skipped" | second: "m becomes {new m}" | below: "done" }
transcript by lines { start play until n > 1 { | throw: "throw" | pass: "pass" | skip: "skip" } }
END
printf 'pass\nskip\n' > game.txt
run referee run halves.rules game.txt
referee show --flat halves.rules > flat.rules
run referee run flat.rules game.txt
