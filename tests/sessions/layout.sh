# Files that are laid out, and those that are not, cannot be read or are no rule files.
printf 'game  one "One"\nstate n:number=0 -- a count\n' > one.rules
mkdir -p deep/er
printf 'game two "Two"\n' > deep/er/two.rules
printf 'game three "Three"\nfact\n' > deep/three.rules
printf 'no rules\n' > deep/notes.txt
run referee fmt --check one.rules deep
run referee fmt --diff one.rules
cat one.rules
run referee fmt one.rules deep
cat one.rules deep/three.rules
run referee fmt --check one.rules deep/er
run referee fmt --diff --check one.rules
run referee fmt deep/notes.txt
run referee fmt none.rules
echo 'game  four "Four"' | run referee fmt
echo 'game  four "Four"' | run referee fmt -
echo 'game  four "Four"' | run referee fmt --check -
echo 'game  four "Four"' | run referee fmt --diff
echo 'game Four' | run referee fmt -
printf 'game \377' | run referee fmt -
