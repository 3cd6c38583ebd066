# A path that goes astray is marked at its first wrong step, also if a later one is the same.
cat > steps.rules <<'RULES'
game steps "Steps"
state last: number = 0
fact onward(path: pile of 1..3): set of 1..3 = by size of path < 3 | yes => {1, 2} | no => empty
event go(path: pile of 1..3 each in onward(path))
on go {
  refuse refused: text? = first of | two: "two steps, not {size of path}" when size of path is not 2
  fact over = yes
  new last = size of path
  report | went: "{path}"
  report refused | no: "{refused}"
}
transcript by lines { start play until over { | go: "go {path ...}" } }
RULES
printf 'go 3 1 3\n' > astray.txt
run referee run steps.rules astray.txt
printf 'go 1 3 1 3\n' > astray.txt
run referee run steps.rules astray.txt
# Other paths are tried: longer ones, shorter ones, and others from some step on.
printf 'go 1\n' > refused.txt
run referee why steps.rules refused.txt:1 --not refused
# What is refused says and changes nothing: that is an answer, too.
printf 'go 2 1\n' > went.txt
run referee why steps.rules went.txt:1 --not went
run referee why steps.rules went.txt:1 --not last
