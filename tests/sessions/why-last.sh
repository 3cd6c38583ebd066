# Without a line, the last event is explained, also where others stand on its line.
cp "$cases/../transcripts/tennis/deuce-and-advantage.txt" deuce.txt
run referee why tennis deuce.txt
printf '1\nAnn Ben\n3 5\nAnn 1 from 1\nBen 9 from 2\n' > game.txt
run referee why nim game.txt
run referee why nim game.txt:4
run referee why nim game.txt:9
