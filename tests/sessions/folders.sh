# Which files of a folder are meant: every command leaves out the same.
cat > sum.rules <<'RULES'
game sum "Sum"
state total: number = 0
event add(n: number)
on add { fact over = n is 0 new total = total + n report | told: "{new total}" }
transcript by lines { start play until over { | add: "{n}" } }
RULES
mkdir -p sum/deep sum/.hidden sum/made sum/old
for path in sum/one.txt sum/two.in sum/deep/three.txt sum/.hidden/no.txt sum/made/no.txt sum/old/no.in sum/draft.in; do
  printf '1\n0\n' > $path
done
printf 'Signature: 8a477f597d28d172789f06886806bc55\n' > sum/made/CACHEDIR.TAG
printf 'old/\n' > sum/.gitignore
printf 'draft.*\n' > sum/.refereeignore
run referee run sum.rules sum
run referee diff sum.rules sum.rules sum
run referee cover sum.rules sum --fail-under 100
# A test has a report, or says what must hold, or its name ends in `.in`.
printf '1\n1\n0\n' > sum/one.out
printf '#? total is 0\n1\n#? total is 2\n0\n' > sum/says.txt
run referee test sum
run referee test sum/draft.in
# What stops need not be told, if all is as a `.txt` says.
printf '1\n#? total is 1\nx\n' > sum/says.txt
run referee test sum/says.txt
# A name that ends in `.in` may be something else.
mkdir -p else/further
printf 'x\n' > else/further/Makefile.in
run referee test .
run referee test else
run referee test else/further/Makefile.in
# A folder of tests that is called like a game, or one with variants, is not what `check` is asked for.
mkdir chess chess+no-castling chess+unknown
run referee check chess
run referee check chess+no-castling
run referee check chess+unknown
