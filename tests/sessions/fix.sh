# What is certain is changed until nothing is left, in games and in variants, and nothing else is touched.
cat > one.rules <<'RULES'
game one
state n: number = 0
event go
on go {
  fact over = yes
  n += 1
  report | said: "{new n}"
  report | more: "{new m}"
}
transcript by words { start play until over { | go: "go" } }
RULES
printf '\357\273\277game two\nevent go\non go {\n  fact over == yes;\n}\ntranscript by words { start play until over { | go: "go" } }\n' > two.rules
mkdir one
cat > one/more.rules <<'RULES'
variant more of one
replace go.report.said: "{new n;}"
RULES
chmod 640 one.rules two.rules
cp one.rules before.rules
ln -s ../two.rules one/two-by-link.rules
run referee check --diff one.rules two.rules
cmp one.rules before.rules
run referee check --fix one.rules two.rules
cat one.rules
head -c 3 two.rules | od -An -tx1
run referee check --fix one/two-by-link.rules
run referee check --fix two.rules
run referee check --fix --format json before.rules
run referee check --fix none.rules
run referee check --fix nim
run referee check --fix --diff nim
run stat -c '%n %a %F' one.rules two.rules one/two-by-link.rules
run find . -name '.*' -type f
