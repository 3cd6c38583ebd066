# What compares or counts says so where an error keeps it from the rest of a transcript.
printf '1\nAnn Ben\nRed\nRed Red\n' > short.txt
printf 'what is this\n' > wrong.txt
printf 'nor this\n' > other.txt
printf '1\nAnn Ben\n3 3\nAnn 3 from 2\n' > game.txt
run referee diff snooker snooker wrong.txt
run referee diff snooker snooker short.txt wrong.txt other.txt
run referee diff snooker snooker short.txt
run referee diff snooker snooker wrong.txt --format json
referee cover snooker wrong.txt | tail -2
referee cover snooker short.txt wrong.txt other.txt | tail -2
referee cover snooker short.txt wrong.txt other.txt --json | grep -A 3 stopped
# The counts go to standard output: a transcript behind `--json` is read, not written.
referee cover nim --json game.txt | head -5
cat game.txt
run referee cover nim --json cover.json
# Lines and columns are counted from 1.
run referee why snooker short.txt:0
run referee why snooker short.txt:0:0
run referee why snooker short.txt:2:0
# A transcript that says what must hold may end before the game does.
printf '1\nAnn Ben\nRed\n#? scored\n' > part.in
referee cover snooker part.in | tail -2
printf '1\nAnn Ben\nRed\n#? scored\nGren\n' > part.in
referee cover snooker part.in | tail -2
