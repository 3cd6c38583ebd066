# Compressed transcripts and archives that are damaged: what is wrong is said, and never a report alone.
cat > tally.rules <<'RULES'
game tally
state total: number = 0
event add(amount: number)
on add { fact over = amount is 0 new total = total + amount report | said: "{new total}" }
transcript by lines { start play until over { | add: "{amount}" } }
RULES
# A frame of Zstandard with a checksum; with another number in it; cut off; something else.
printf '\050\265\057\375\004\130\061\000\000\061\012\062\012\060\012\043\052\257\231' > good.txt.zst
printf '\050\265\057\375\004\130\061\000\000\061\012\067\012\060\012\043\052\257\231' > other.txt.zst
head -c 12 good.txt.zst > cut.txt.zst
printf '1\n0\n' > plain.txt.zst
for name in good other cut plain; do
  run referee run tally.rules $name.txt.zst
done
# An archive is read to its end, where its checksum is.
seq 1 200 > a.txt
echo 0 >> a.txt
cp a.txt b.txt
printf '1\n0\n' > c.txt
tar -cf all.tar a.txt b.txt
gzip -nk all.tar
head -c $(($(wc -c < all.tar.gz) - 3)) all.tar.gz > short.tar.gz
run referee run tally.rules short.tar.gz --errors json | tail -2
# A member that is cut off is not read, and the files after the archive are.
head -c 2100 all.tar > cut.tar
run referee run tally.rules cut.tar c.txt | tail -4
# A folder that cannot be read (its path is too long) does not keep from the others.
mkdir games
cp c.txt games/a.txt
cp c.txt games/z.txt
cp tally.rules games/z.rules
name=$(awk 'BEGIN { while (n++ < 250) printf "d" }')
(
  cd games
  while mkdir $name 2> /dev/null && cd -P $name 2> /dev/null && [ $((depth = depth + 1)) -lt 20 ]; do :; done
)
short() { sed "s,\(/$name\)*/$name,/DEEP,g"; }
for asked in 'run tally.rules' 'run tally.rules -j 2' 'diff tally.rules tally.rules' 'cover tally.rules' test check 'fmt --check'; do
  run referee $asked games | short
done
rm -r games
