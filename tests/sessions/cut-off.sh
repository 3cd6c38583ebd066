# A state that is too long for a message says how much of it is left out.
cat > pegs.rules <<'RULES'
game pegs
ring Side | white | black
type Peg(owner: Side, at: 1..24)
state pegs(x: Peg): number = 0
event put(who: Side)
on put {
  new pegs(x) | own: pegs of x + 1 when owner of x is who
  fact over = new pegs of Peg(white, 1) > 9
}
transcript by lines { start play until over { | put: "{who}" } }
RULES
printf 'white\nblack\nred\n' > game.txt
run referee run pegs.rules game.txt
