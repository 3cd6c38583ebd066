# A variant with a larger or smaller board: what the rules say of the size follows.
mkdir -p reversi draughts
cat > reversi/six.rules <<'RULES'
variant six of reversi "Six by six"
replace type Row = 1..6
remove File.g
remove File.h
RULES
cat > reversi/low.rules <<'RULES'
variant low of reversi "Six by six, otherwise"
replace Square.row: 1..6
remove File.g
remove File.h
RULES
cat > draughts/ten.rules <<'RULES'
variant ten of draughts "Ten by ten"
replace Square.row: 1..10
replace Square.column: 1..10
replace Side.far: 1..10
set far of black = 10
replace board.black: 1, 1..4 => Piece(black, man)
replace board.white: 1, 7..10 => Piece(white, man)
RULES
cat > six.txt <<'END'
1
Ann Ben
c2 b2 b3 b4 a2 c1 a3 e2 d1 a1 d5 a4 e3 e6 d6 e4 b1 c6 b5 a6 c5 d2 f1 e1 e5 f6 f2 f4 a5 b6 f3 f5
END
run referee run reversi+reversi/six.rules six.txt --set winner_takes_empty=yes
run referee run reversi+reversi/low.rules six.txt --set winner_takes_empty=yes
cat > ten.txt <<'END'
1
18-23 32-28 23x32 38x27 0-1
END
run referee run draughts+draughts/ten.rules ten.txt --transcript played
