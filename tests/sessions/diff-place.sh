# The same rule on another line of the rule file is no difference, also where it stops the run; another line of the
# transcript is one.
cat > one.rules <<'RULES'
game count "Count"
state n: 1..3 = 1
event e
on e { fact over = no new n = n + 1 report | e: "e" }
transcript by lines { start play until over { | e: "e" } }
RULES
(sed 1q one.rules; echo '-- One line more.'; sed 1d one.rules) > two.rules
sed 's/1\.\.3/1..2/' one.rules > low.rules
printf 'e\ne\ne\ne\n' > four.txt
run referee diff one.rules two.rules four.txt
run referee diff one.rules low.rules four.txt
