# By lines, a line that is wrong is passed over; what comes next stands where it stood.
printf '1\nAnn Ben\nRed\nGren\nRed Red\nPlay again\nNone x\nNone\n' > frame.txt
run referee run snooker --keep-going frame.txt
run referee run snooker --keep-going --errors github frame.txt
# By words, the words of one event are.
printf '1 1 1 1 2 2 99 1\n3 3 0 0 x 0 0 -1 -1\n' > stones.txt
run referee run weiqi --keep-going --set size=5 stones.txt
# A transcript that is right is reported on as ever.
run referee run snooker --keep-going "$cases/../transcripts/snooker/sample.txt" > kept
referee run snooker "$cases/../transcripts/snooker/sample.txt" > plain
tail -n +2 kept | grep -v '^--- exit' > report
run cmp plain report
