# What happens as tables: which go where, what is refused, and transcripts in archives.
cat > tally.rules <<'RULES'
game tally
state total: number = 0
event add(amount: number)
on add {
  fact over = amount is 0
  impossible | most: "{amount} is too much" when amount > 9
  new total = total + amount
  report | said: "{new total}"
}
transcript by lines { start play until over { | add: "{amount}" } }
RULES
mkdir games
printf '1\n2\n0\n' > games/a.txt
printf '3\n10\n0\n' > games/b.txt
printf '4\n0\n' > games/c.txt
run referee run tally.rules games --format parquet
run referee run tally.rules games --format arrow --table events,said
run referee run tally.rules games --table events
run referee run tally.rules games --format parquet --table lines
run referee run tally.rules games --format parquet --out tables
run ls tables
run head -c 4 tables/said.parquet
run referee run tally.rules games --format arrow --out tables --table runs,facts --quiet
run ls tables
run head -c 6 tables/runs.arrow
# The same tables on one thread and on several.
mkdir one several
run referee run tally.rules games --format arrow --out one --errors json
run referee run tally.rules games --format arrow --out several --errors json -j 3
run cmp one/changes.arrow several/changes.arrow
run cmp one/runs.arrow several/runs.arrow
# Archives, and what is compressed.
cp -r games some
gzip -n some/a.txt
tar -cf games.tar some/a.txt.gz some/b.txt some/c.txt
tar -czf games.tgz some/a.txt.gz some/b.txt some/c.txt
run referee run tally.rules games.tar
run referee run tally.rules games.tgz some/a.txt.gz -j 2
run referee run tally.rules some
mkdir none
tar -cf none.tar none
run referee run tally.rules none.tar -j 2
head -c 60 games.tgz > cut.tgz
run referee run tally.rules cut.tgz games/a.txt
run referee why tally.rules some/a.txt.gz:2
