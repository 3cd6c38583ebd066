//! A position of chess, and how its men go.

/// The board with a margin of two rows and one file, so that no step leaves it: a8 is at 21, h1 at 98.
pub const WIDTH: usize = 10;

pub(super) const EAST: usize = 1;
const WEST: usize = 0usize.wrapping_sub(1);
const NORTH: usize = 0usize.wrapping_sub(WIDTH);
const SOUTH: usize = WIDTH;
pub(super) const STRAIGHT: [usize; 4] = [EAST, WEST, NORTH, SOUTH];
pub(super) const SLANTED: [usize; 4] = [
    NORTH.wrapping_add(EAST),
    NORTH.wrapping_add(WEST),
    SOUTH + EAST,
    SOUTH - EAST,
];
pub(super) const AROUND: [usize; 8] = [
    STRAIGHT[0],
    STRAIGHT[1],
    STRAIGHT[2],
    STRAIGHT[3],
    SLANTED[0],
    SLANTED[1],
    SLANTED[2],
    SLANTED[3],
];
pub(super) const LEAPS: [usize; 8] = [
    SOUTH + SOUTH + EAST,
    SOUTH + SOUTH - EAST,
    SOUTH + EAST + EAST,
    SOUTH - EAST - EAST,
    NORTH.wrapping_add(NORTH).wrapping_add(EAST),
    NORTH.wrapping_add(NORTH).wrapping_add(WEST),
    NORTH.wrapping_add(EAST + EAST),
    NORTH.wrapping_add(WEST).wrapping_add(WEST),
];

/// A way to castle, by its places in the first row of its side, whose a-file is at 0.
pub(super) struct Castle {
    pub(super) rook: usize,
    pub(super) goal: usize,
    pub(super) rook_goal: usize,
    /// What has to be empty, from one to before another.
    pub(super) empty: [usize; 2],
}

/// On the king's side, and on the queen's.
pub(super) const CASTLES: [Castle; 2] = [
    Castle {
        rook: 7,
        goal: 6,
        rook_goal: 5,
        empty: [5, 7],
    },
    Castle {
        rook: 0,
        goal: 2,
        rook_goal: 3,
        empty: [1, 4],
    },
];
pub(super) const KING: usize = 4;

/// The places whose men take rights to castle with them: white's on the king's and the queen's side, then black's.
const RIGHTS: [(usize, u8); 6] = [(98, 1), (91, 2), (95, 3), (28, 4), (21, 8), (25, 12)];

/// A move: from where to where, and what a pawn becomes, or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: u8,
    pub to: u8,
    pub becomes: u8,
}

/// All that the next moves depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// A letter for each man, large for white; a dot where there is none, and `#` beside the board.
    pub board: [u8; 120],
    pub white: bool,
    castles: u8,
    /// Where a pawn can be taken as it goes by; 0 if none can.
    pub passant: u8,
    /// Where the kings stand: black's and white's.
    kings: [u8; 2],
}

/// A side's man.
pub fn man(figure: u8, white: bool) -> u8 {
    if white {
        figure.to_ascii_uppercase()
    } else {
        figure
    }
}

pub(super) fn small(place: usize) -> u8 {
    u8::try_from(place).unwrap_or_default()
}

impl Position {
    /// How a game begins.
    pub fn first() -> Position {
        let mut board = [b'#'; 120];
        let rows: [&[u8; 8]; 8] = [
            b"rnbqkbnr",
            b"pppppppp",
            b"........",
            b"........",
            b"........",
            b"........",
            b"PPPPPPPP",
            b"RNBQKBNR",
        ];
        for (row, men) in (2..).zip(rows) {
            board[row * WIDTH + 1..row * WIDTH + 9].copy_from_slice(men);
        }
        Position {
            board,
            white: true,
            castles: 15,
            passant: 0,
            kings: [25, 95],
        }
    }

    /// Whether a man of the side in turn stands there.
    pub fn own(&self, place: usize) -> bool {
        let man = self.board[place];
        if self.white {
            man.is_ascii_uppercase()
        } else {
            man.is_ascii_lowercase()
        }
    }

    /// The a-file of the side's first row.
    pub(super) fn home(&self) -> usize {
        if self.white { 91 } else { 21 }
    }

    pub(super) fn forward(white: bool) -> usize {
        if white { NORTH } else { SOUTH }
    }

    /// Whether a side strikes a place.
    pub fn struck(&self, place: usize, by_white: bool) -> bool {
        let at = |way: usize| self.board[place.wrapping_add(way)];
        let back = Position::forward(!by_white);
        let pawn = man(b'p', by_white);
        if at(back.wrapping_add(EAST)) == pawn || at(back.wrapping_add(WEST)) == pawn {
            return true;
        }
        let (knight, king) = (man(b'n', by_white), man(b'k', by_white));
        LEAPS.iter().any(|way| at(*way) == knight)
            || AROUND.iter().any(|way| at(*way) == king)
            || self.struck_along(place, &STRAIGHT, man(b'r', by_white), man(b'q', by_white))
            || self.struck_along(place, &SLANTED, man(b'b', by_white), man(b'q', by_white))
    }

    fn struck_along(&self, place: usize, ways: &[usize; 4], one: u8, other: u8) -> bool {
        ways.iter().any(|way| {
            let mut at = place.wrapping_add(*way);
            while self.board[at] == b'.' {
                at = at.wrapping_add(*way);
            }
            self.board[at] == one || self.board[at] == other
        })
    }

    /// Whether a side's king is in check.
    pub fn check(&self, white: bool) -> bool {
        self.struck(usize::from(self.kings[usize::from(white)]), !white)
    }

    /// Whether a move is a pawn's to the last row.
    pub fn promotes(&self, from: usize, to: usize) -> bool {
        let last = if self.white { 2 } else { 9 };
        self.board[from].eq_ignore_ascii_case(&b'p') && to / WIDTH == last
    }

    /// The castling that a move is, if the king still has the right: 0 on the king's side, 1 on the queen's.
    pub fn castling(&self, from: usize, to: usize) -> Option<usize> {
        if from != self.home() + KING || !self.board[from].eq_ignore_ascii_case(&b'k') {
            return None;
        }
        (0..2).find(|side| self.right(*side) && to == self.home() + CASTLES[*side].goal)
    }

    pub(super) fn right(&self, side: usize) -> bool {
        let shift = if self.white { side } else { side + 2 };
        self.castles >> shift & 1 == 1
    }

    /// Whether a pawn takes another that has just gone by.
    pub fn by_the_way(&self, made: Move) -> bool {
        self.passant != 0
            && made.to == self.passant
            && self.board[usize::from(made.from)].eq_ignore_ascii_case(&b'p')
            && made.from % 10 != made.to % 10
    }

    /// The position after a move.
    pub fn made(&self, made: Move) -> Position {
        let mut next = *self;
        let (from, to) = (usize::from(made.from), usize::from(made.to));
        let moved = self.board[from];
        next.board[from] = b'.';
        next.board[to] = if made.becomes == 0 {
            moved
        } else {
            man(made.becomes, self.white)
        };
        next.passant = 0;
        match moved.to_ascii_lowercase() {
            b'p' => {
                if self.by_the_way(made) {
                    next.board[from / WIDTH * WIDTH + to % WIDTH] = b'.';
                }
                if from.abs_diff(to) == 2 * WIDTH {
                    next.passant = small(usize::midpoint(from, to));
                }
            }
            b'k' => {
                next.kings[usize::from(self.white)] = made.to;
                if let Some(side) = self.castling(from, to) {
                    let home = self.home();
                    next.board
                        .swap(home + CASTLES[side].rook, home + CASTLES[side].rook_goal);
                }
            }
            _ => {}
        }
        for (place, rights) in RIGHTS {
            if from == place || to == place {
                next.castles &= !rights;
            }
        }
        next.white = !self.white;
        next
    }

    /// Whether a move leaves the own king in check.
    pub fn exposes(&self, made: Move) -> bool {
        self.made(made).check(self.white)
    }

    /// Whether the side in turn has no move.
    pub fn stuck(&self) -> bool {
        let mut moves = Vec::with_capacity(64);
        self.moves(&mut moves);
        moves.iter().all(|made| self.exposes(*made))
    }

    /// How many lines of so many moves there are.
    pub fn lines(&self, depth: u32) -> u64 {
        let mut moves = Vec::with_capacity(64);
        self.moves(&mut moves);
        let mut lines = 0;
        for made in moves {
            let next = self.made(made);
            if !next.check(self.white) {
                lines += if depth > 1 { next.lines(depth - 1) } else { 1 };
            }
        }
        lines
    }

    /// The same, for who asks whether it was there before: a pawn that cannot be taken leaves no trace.
    pub fn situation(&self) -> Position {
        let mut moves = Vec::new();
        let mut situation = *self;
        if self.passant != 0 {
            self.moves(&mut moves);
            let takes = |made: &Move| self.by_the_way(*made) && !self.exposes(*made);
            if !moves.iter().any(takes) {
                situation.passant = 0;
            }
        }
        situation
    }

    /// Whether neither side can ever mate.
    pub fn dead(&self) -> bool {
        let (mut knights, mut shades) = (0, [0, 0]);
        for (place, man) in self.board.iter().enumerate() {
            match man.to_ascii_lowercase() {
                b'p' | b'r' | b'q' => return false,
                b'n' => knights += 1,
                b'b' => shades[(place / WIDTH + place % WIDTH) % 2] += 1,
                _ => {}
            }
        }
        matches!((knights, shades), (0, [_, 0] | [0, _]) | (1, [0, 0]))
    }
}
