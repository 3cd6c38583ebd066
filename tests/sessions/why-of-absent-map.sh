# A map of piles that may be none is none, and has no entries to look at.
cat > kept.rules <<'R'
game kept "Kept"
kind Side | a | b
type Hands = Side -> pile of 1..9
state count: -99..99 = -5
state hand(s: Side): pile of 1..9 = [1]
state kept: Hands? = none
event put(n: 1..9)
on put {
  new hand of a = hand of a then [n]
  new count = count + 1
  new kept | some: hand when n > 5
  fact over = n is 9
  report
    | is:  "{n} {new count}"
    | had: "kept" when old kept is not none
}
transcript by words { start play until over { | put: "{n}" } }
R
printf '1 6 9\n' > kept.txt
run referee why kept.rules kept.txt
run referee why kept.rules kept.txt --of kept
