# What a loop goes through may depend on another of its variables, which has no value where nothing is found.
cat > cells.rules <<'RULES'
game cells
kind Cell | A | B
state at: Cell = A
fact ahead: set of Cell = {s in Cell where s is not at}
fact reach(s: Cell): set of Cell = {s, at}
fact stuck = any of | row: at is A or some s in ahead, t in reach(s) where s is t
fact pairs: set of Cell = {t for s in ahead, t in reach(s) where s is not t}
event go(to: Cell)
on go {
  fact over = new stuck
  new at = to
  report | over: "over, {new pairs}" when over
}
transcript by lines { start play until over { | go: "{to}" } }
RULES
echo B > game.txt
referee why cells.rules game.txt:1
referee why cells.rules game.txt:1 --trace
referee why cells.rules game.txt:1 --of stuck
