# Revisions are read as git reads them, from the root and from the present folder, and are never options of git.
git() { command git -c user.name=Ann -c user.email=ann@example.com -c init.defaultBranch=main "$@"; }
mkdir -p sub/base
cat > sub/base.rules <<'RULES'
game base
state s: number = 0
event go
on go { fact over = yes new s = s + 1 report | said: "{new s}" }
transcript by words { start play until over { | go: "go" } }
RULES
cat > sub/base/more.rules <<'RULES'
variant more of base
replace go.report.said: "more {new s}"
RULES
git init -q . && git add . && git commit -q -m First
cd sub
echo go > game.txt
run referee diff HEAD:./base.rules+more base.rules game.txt
run referee diff HEAD:sub/base.rules+more base.rules game.txt | grep reports
cd base
run referee diff HEAD:../base.rules+more ../base.rules ../game.txt
cd ..
run referee diff --transcript x -- --output=made:base.rules base.rules game.txt
ls
