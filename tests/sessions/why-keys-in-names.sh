# If many values explain something, what the name of one already says, as "points of Ben" does who `winner` is, makes way.
mkdir -p tennis
cat > tennis/no-ad.rules <<'RULES'
variant no-ad of tennis "No advantage"
-- At deuce the next point decides the game.
replace point.wins_game =
  (points of winner) + 1 >= target and ((points of winner) + 1 >= (points of loser) + 2 or not tie_break)
RULES
printf '1\nAnn Ben\nAnn Ann Ann Ben Ben Ben\nBen\n' > deuce.txt
run referee why tennis+tennis/no-ad.rules deuce.txt:4
