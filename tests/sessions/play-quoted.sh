# A player may quote a line of the report. An illegal line may come: `why not` says why it is illegal.
printf '1\n\nAnn Ben\nRed White\nwhy not "Foul!"\nwhy not "0 : 4"\nquit\n' | run referee play snooker
# What a refused move reports can be quoted, too.
printf '1\nAnn Ben\n7\nAnn 3 from 1\nBen 4 from 1\n' > nim.txt
run referee why nim --set most=3 nim.txt --not "Ben may take 3 at most"
printf '1 1\nwhy not 1 1\nwhy not 1 2\nquit\n' | run referee play weiqi --set size=5
# An illegal line without words of its own is explained as well.
cat > wordless.rules <<'RULES'
game wordless "Sticks"
state left: 0..20 = 10
event take(n: 1..9)
on take {
  illegal much = n > 3
  new left | taken: highest of {0, left - n} unless much
  report | takes: "{n}" | much: "too many" when much
}
transcript by lines { start play until left is 0 { | take: "{n}" } }
RULES
printf '3\nwhy not 7\nwhy not 4\nquit\n' | run referee play wordless.rules
printf "4\n" > sticks.txt
run referee why wordless.rules sticks.txt --trace
