# Without a line, the last event is explained, also where others stand on its line.
cp "$cases/../transcripts/tennis/deuce-and-advantage.txt" deuce.txt
run referee why tennis deuce.txt
printf '1\nAnn Ben\n3 5\nAnn 1 from 1\nBen 9 from 2\n' > game.txt
run referee why nim game.txt
run referee why nim game.txt:4
run referee why nim game.txt:9
# After the last line of a game, the next one has not begun.
printf '2\ne2e4 *\nd2d4 *\n' > games.txt
run referee why chess games.txt:2
run referee why chess games.txt:2 --of 'board of e4'
run referee why chess games.txt:3 --of 'board of e4'
# Of several changes on a line, the one is told that made it so.
printf '1\nAnn Ben\n1 4 2 6 *\n' > columns.txt
run referee why connect-four columns.txt --of 'board of 1,4'
run referee why connect-four columns.txt:3 --event 1 --of 'board of 1,1'
