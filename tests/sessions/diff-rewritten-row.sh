# A row of a sum that a variant replaces, and that fires for another entry than before.
cat > leftovers.rules <<'RULES'
variant leftovers of kalah "The rest goes to whoever ends the game"
replace sow.new.store.kept: rest(h) for h in House when over and owner of h is not p
RULES
cp "$cases/../transcripts/kalah/whole-game.txt" game.txt
run referee diff kalah kalah+leftovers.rules game.txt
