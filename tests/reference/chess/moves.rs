//! How the men of chess go.

use super::position::{
    AROUND, CASTLES, KING, LEAPS, Move, Position, SLANTED, STRAIGHT, WIDTH, small,
};

impl Position {
    /// How the men of the side in turn go, the safety of their king aside, castling excepted.
    pub fn moves(&self, moves: &mut Vec<Move>) {
        for row in 2..10 {
            for from in row * WIDTH + 1..row * WIDTH + 9 {
                if self.own(from) {
                    self.moves_from(from, moves);
                }
            }
        }
    }

    /// How one of them goes.
    pub fn moves_from(&self, from: usize, moves: &mut Vec<Move>) {
        match self.board[from].to_ascii_lowercase() {
            b'p' => self.pawn_moves(from, moves),
            b'n' => self.steps(from, &LEAPS, moves),
            b'b' => self.slides(from, &SLANTED, moves),
            b'r' => self.slides(from, &STRAIGHT, moves),
            b'q' => self.slides(from, &AROUND, moves),
            _ => {
                self.steps(from, &AROUND, moves);
                for side in 0..2 {
                    if self.may_castle(side) && !self.unsafe_castle(side) {
                        moves.push(self.castle_move(side));
                    }
                }
            }
        }
    }

    fn go(from: usize, to: usize, moves: &mut Vec<Move>) {
        moves.push(Move {
            from: small(from),
            to: small(to),
            becomes: 0,
        });
    }

    /// Whether there is no man of one's own on a place of the board.
    fn open(&self, place: usize) -> bool {
        self.board[place] != b'#' && !self.own(place)
    }

    fn steps(&self, from: usize, ways: &[usize], moves: &mut Vec<Move>) {
        for way in ways {
            let to = from.wrapping_add(*way);
            if self.open(to) {
                Position::go(from, to, moves);
            }
        }
    }

    fn slides(&self, from: usize, ways: &[usize], moves: &mut Vec<Move>) {
        for way in ways {
            let mut to = from.wrapping_add(*way);
            while self.board[to] == b'.' {
                Position::go(from, to, moves);
                to = to.wrapping_add(*way);
            }
            if self.open(to) {
                Position::go(from, to, moves);
            }
        }
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<Move>) {
        let ahead = Position::forward(self.white);
        let one = from.wrapping_add(ahead);
        let start = if self.white { 8 } else { 3 };
        if self.board[one] == b'.' {
            self.pawn_goes(from, one, moves);
            let two = one.wrapping_add(ahead);
            if from / WIDTH == start && self.board[two] == b'.' {
                Position::go(from, two, moves);
            }
        }
        for to in [one + 1, one - 1] {
            let rival = self.board[to].is_ascii_alphabetic() && !self.own(to);
            if rival || usize::from(self.passant) == to {
                self.pawn_goes(from, to, moves);
            }
        }
    }

    fn pawn_goes(&self, from: usize, to: usize, moves: &mut Vec<Move>) {
        if self.promotes(from, to) {
            for becomes in *b"nbrq" {
                moves.push(Move {
                    from: small(from),
                    to: small(to),
                    becomes,
                });
            }
        } else {
            Position::go(from, to, moves);
        }
    }

    fn castle_move(&self, side: usize) -> Move {
        let home = self.home();
        Move {
            from: small(home + KING),
            to: small(home + CASTLES[side].goal),
            becomes: 0,
        }
    }

    /// Whether the right is there and nothing stands between.
    pub fn may_castle(&self, side: usize) -> bool {
        let [first, end] = CASTLES[side].empty;
        let row = &self.board[self.home()..];
        self.right(side) && row[first..end].iter().all(|man| *man == b'.')
    }

    /// Whether the king would stand, go or come where the other side strikes.
    pub fn unsafe_castle(&self, side: usize) -> bool {
        let castle = &CASTLES[side];
        [KING, castle.rook_goal, castle.goal]
            .iter()
            .any(|file| self.struck(self.home() + file, !self.white))
    }
}
