# Whoever names a game or a variant in another way is told how.
printf '1\n' > game.txt
run referee check nim,misere
run referee check chess-no-castling
run referee check 'nim + misere'
run referee check nim+
run referee run game.txt nim
