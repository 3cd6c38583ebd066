//! Chess.

use super::{Account, Random};

/// The board with a margin: a8 is at 21, h1 at 98.
const WIDTH: usize = 10;
const EAST: usize = 1;
const WEST: usize = 0usize.wrapping_sub(1);
const NORTH: usize = 0usize.wrapping_sub(WIDTH);
const SOUTH: usize = WIDTH;

const STRAIGHT: [usize; 4] = [EAST, WEST, NORTH, SOUTH];
const SLANTED: [usize; 4] = [
    NORTH.wrapping_add(EAST),
    NORTH.wrapping_add(WEST),
    SOUTH + EAST,
    SOUTH.wrapping_add(WEST),
];
const LEAPS: [usize; 8] = [
    NORTH.wrapping_add(NORTH).wrapping_add(EAST),
    NORTH.wrapping_add(NORTH).wrapping_add(WEST),
    SOUTH + SOUTH + EAST,
    (SOUTH + SOUTH).wrapping_add(WEST),
    NORTH.wrapping_add(EAST + EAST),
    NORTH.wrapping_add(WEST).wrapping_add(WEST),
    SOUTH + EAST + EAST,
    SOUTH.wrapping_add(WEST).wrapping_add(WEST),
];

/// King's side and queen's side: how far the king goes, where the rook stands, where it goes, and what must be empty.
const CASTLES: [(usize, usize, usize, &[usize]); 2] = [(6, 7, 5, &[5, 6]), (2, 0, 3, &[1, 2, 3])];

/// From, to, and what a pawn becomes.
type Move = (usize, usize, Option<u8>);

/// What counts as the same position.
#[derive(Clone, PartialEq, Eq)]
struct Position {
    board: [u8; 120],
    white: bool,
    /// The rights to castle: white's on the king's and the queen's side, then black's.
    castles: [bool; 4],
    passant: Option<usize>,
}

/// A side's man, in the letter for it.
fn man_of(figure: u8, white: bool) -> u8 {
    if white {
        figure.to_ascii_uppercase()
    } else {
        figure.to_ascii_lowercase()
    }
}

impl Position {
    fn first() -> Position {
        let mut board = [b'#'; 120];
        for (row, men) in (2..).zip([
            "rnbqkbnr", "pppppppp", "", "", "", "", "PPPPPPPP", "RNBQKBNR",
        ]) {
            board[row * WIDTH + 1..row * WIDTH + 9].fill(b'.');
            board[row * WIDTH + 1..row * WIDTH + 1 + men.len()].copy_from_slice(men.as_bytes());
        }
        Position {
            board,
            white: true,
            castles: [true; 4],
            passant: None,
        }
    }

    fn own(&self, place: usize) -> bool {
        self.board[place].is_ascii_alphabetic()
            && self.board[place].is_ascii_uppercase() == self.white
    }

    /// Where one comes from a place in some ways, up to and with the first man.
    fn lines(&self, from: usize, ways: &[usize], far: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for way in ways {
            let mut at = from;
            for _ in 0..far {
                at = at.wrapping_add(*way);
                if self.board[at] == b'#' {
                    break;
                }
                found.push(at);
                if self.board[at] != b'.' {
                    break;
                }
            }
        }
        found
    }

    /// Whether a side strikes a place: seen from there, its men stand where they would go.
    fn struck(&self, place: usize, by_white: bool) -> bool {
        let towards = if by_white { SOUTH } else { NORTH };
        let pawns = [towards.wrapping_add(EAST), towards.wrapping_add(WEST)];
        let looks: [(&[usize], usize, &[u8]); 5] = [
            (&STRAIGHT, 7, b"rq"),
            (&SLANTED, 7, b"bq"),
            (&LEAPS, 1, b"n"),
            (&pawns, 1, b"p"),
            (&[STRAIGHT, SLANTED].concat(), 1, b"k"),
        ];
        looks.iter().any(|(ways, far, figures)| {
            let seen = self.lines(place, ways, *far);
            seen.into_iter().any(|at| {
                figures
                    .iter()
                    .any(|figure| self.board[at] == man_of(*figure, by_white))
            })
        })
    }

    fn check(&self, white: bool) -> bool {
        let king = man_of(b'k', white);
        self.board
            .iter()
            .position(|man| *man == king)
            .is_some_and(|place| self.struck(place, !white))
    }

    /// How the men go, their own king's safety aside.
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in (0..self.board.len()).filter(|place| self.own(*place)) {
            let goals = match self.board[from].to_ascii_lowercase() {
                b'p' => {
                    self.pawn_moves(from, &mut moves);
                    continue;
                }
                b'n' => self.lines(from, &LEAPS, 1),
                b'b' => self.lines(from, &SLANTED, 7),
                b'r' => self.lines(from, &STRAIGHT, 7),
                b'q' => self.lines(from, &[STRAIGHT, SLANTED].concat(), 7),
                _ => {
                    self.castling_moves(&mut moves);
                    self.lines(from, &[STRAIGHT, SLANTED].concat(), 1)
                }
            };
            moves.extend(
                goals
                    .into_iter()
                    .filter(|to| !self.own(*to))
                    .map(|to| (from, to, None)),
            );
        }
        moves
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<Move>) {
        let (ahead, home, last) = if self.white {
            (NORTH, 8, 2)
        } else {
            (SOUTH, 3, 9)
        };
        let mut goals = Vec::new();
        let one = from.wrapping_add(ahead);
        let two = one.wrapping_add(ahead);
        if self.board[one] == b'.' {
            goals.push(one);
            if from / WIDTH == home && self.board[two] == b'.' {
                goals.push(two);
            }
        }
        for to in [one.wrapping_add(EAST), one.wrapping_add(WEST)] {
            let takes = self.board[to].is_ascii_alphabetic() && !self.own(to);
            if takes || self.passant == Some(to) {
                goals.push(to);
            }
        }
        for to in goals {
            if to / WIDTH == last {
                moves.extend(b"nbrq".map(|figure| (from, to, Some(figure))));
            } else {
                moves.push((from, to, None));
            }
        }
    }

    fn castling_moves(&self, moves: &mut Vec<Move>) {
        let row = self.home();
        for (right, (goal, _, crossed, empty)) in (if self.white { 0 } else { 2 }..).zip(CASTLES) {
            let free = empty.iter().all(|file| self.board[row + file] == b'.');
            let safe = || {
                [4, crossed, goal]
                    .iter()
                    .all(|file| !self.struck(row + file, !self.white))
            };
            if self.castles[right] && free && safe() {
                moves.push((row + 4, row + goal, None));
            }
        }
    }

    /// The a-file of the side's first row.
    fn home(&self) -> usize {
        if self.white { 91 } else { 21 }
    }

    fn castles_by(&self, (from, to, _): Move) -> Option<usize> {
        let king = self.board[from].eq_ignore_ascii_case(&b'k');
        CASTLES.iter().position(|(goal, ..)| {
            king && from == self.home() + 4 && from.abs_diff(to) == 2 && to == self.home() + goal
        })
    }

    fn by_the_way(&self, (from, to, _): Move) -> bool {
        self.board[from].eq_ignore_ascii_case(&b'p') && self.passant == Some(to)
    }

    fn made(&self, made: Move) -> Position {
        let (from, to, promoted) = made;
        let mut next = self.clone();
        let man = std::mem::replace(&mut next.board[from], b'.');
        next.board[to] = promoted.map_or(man, |figure| man_of(figure, self.white));
        if self.by_the_way(made) {
            next.board[from / WIDTH * WIDTH + to % WIDTH] = b'.';
        }
        if let Some(side) = self.castles_by(made) {
            let (_, rook, goal, _) = CASTLES[side];
            next.board.swap(self.home() + rook, self.home() + goal);
        }
        for (right, (king, rook)) in [(95, 98), (95, 91), (25, 28), (25, 21)]
            .into_iter()
            .enumerate()
        {
            if from == king || [from, to].contains(&rook) {
                next.castles[right] = false;
            }
        }
        let two = man.eq_ignore_ascii_case(&b'p') && from.abs_diff(to) == 2 * WIDTH;
        next.passant = two.then_some(usize::midpoint(from, to));
        next.white = !self.white;
        next
    }

    fn legal(&self) -> Vec<Move> {
        let mut moves = self.moves();
        moves.retain(|made| !self.made(*made).check(self.white));
        moves
    }

    /// The same for who asks whether it was there before: a pawn that cannot be taken by the way leaves no trace.
    fn situation(mut self) -> Position {
        if !self.legal().iter().any(|made| self.by_the_way(*made)) {
            self.passant = None;
        }
        self
    }

    /// Whether neither side can ever mate.
    fn dead(&self) -> bool {
        let men: Vec<(u8, usize)> = (0..self.board.len())
            .map(|place| (self.board[place].to_ascii_lowercase(), place))
            .filter(|(man, _)| man.is_ascii_alphabetic() && *man != b'k')
            .collect();
        let shade = |place: usize| (place / WIDTH + place % WIDTH) % 2;
        match men.as_slice() {
            [] | [(b'n', _)] => true,
            [(_, first), ..] => men
                .iter()
                .all(|(man, place)| *man == b'b' && shade(*place) == shade(*first)),
        }
    }
}

fn square(place: usize) -> String {
    format!(
        "{}{}",
        b"?abcdefgh"[place % WIDTH] as char,
        10 - place / WIDTH
    )
}

/// A move as people write it, without what it does to the king.
fn told(position: &Position, made: Move) -> String {
    let (from, to, promoted) = made;
    if let Some(side) = position.castles_by(made) {
        return ["O-O", "O-O-O"][side].to_string();
    }
    let figure = match position.board[from].to_ascii_uppercase() {
        b'P' => String::new(),
        other => (other as char).to_string(),
    };
    let by_the_way = position.by_the_way(made);
    let how = if by_the_way || position.board[to] != b'.' {
        'x'
    } else {
        '-'
    };
    let becomes = promoted.map_or(String::new(), |figure| {
        format!("={}", figure.to_ascii_uppercase() as char)
    });
    let way = if by_the_way { " e.p." } else { "" };
    format!("{figure}{}{how}{}{becomes}{way}", square(from), square(to))
}

/// One of the moves: those that are seldom come more often.
fn chosen(random: &mut Random, position: &Position, moves: &[Move]) -> Move {
    let seldom: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|made| {
            position.castles_by(*made).is_some() || position.by_the_way(*made) || made.2.is_some()
        })
        .collect();
    let takes: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|(_, to, _)| position.board[*to] != b'.')
        .collect();
    if !seldom.is_empty() && random.percent(60) {
        random.pick(&seldom)
    } else if !takes.is_empty() && random.percent(25) {
        random.pick(&takes)
    } else {
        random.pick(moves)
    }
}

pub(crate) fn play(random: &mut Random, account: &mut Account) {
    let mut position = Position::first();
    let mut seen = vec![position.clone()];
    let (mut number, mut quiet) = (1, 0);
    loop {
        let moves = position.legal();
        let dots = if position.white { "." } else { "..." };
        let mates = if position.white { "1-0" } else { "0-1" };
        if random.percent(30) {
            // A move that mostly cannot be.
            let from = random.index(120);
            let to = 21 + 10 * random.index(8) + random.index(8);
            let last = if position.white { 2 } else { 9 };
            let promotes = position.board[from].eq_ignore_ascii_case(&b'p') && to / WIDTH == last;
            if position.own(from) && !promotes && !moves.contains(&(from, to, None)) {
                account.note(square(from) + &square(to));
                account.say(format!(
                    "{number}{dots} {}{} is not allowed",
                    square(from),
                    square(to)
                ));
            }
        }
        let made = chosen(random, &position, &moves);
        let (from, to, promoted) = made;
        let letter = promoted.map_or(String::new(), |figure| (figure as char).to_string());
        account.note(square(from) + &square(to) + &letter);
        let pawn = position.board[from].eq_ignore_ascii_case(&b'p');
        let anew = pawn || position.board[to] != b'.';
        let next = position.made(made);
        let (check, stuck) = (next.check(next.white), next.legal().is_empty());
        let mark = match (check, stuck) {
            (true, true) => "#",
            (true, false) => "+",
            _ => "",
        };
        account.say(format!("{number}{dots} {}{mark}", told(&position, made)));
        number += u32::from(!position.white);
        quiet = if anew { 0 } else { quiet + 1 };
        position = next;
        let situation = position.clone().situation();
        seen.push(situation.clone());
        let times = seen.iter().filter(|other| **other == situation).count();
        let end = if stuck && check {
            format!("mate: {mates}")
        } else if stuck {
            "stalemate: 1/2-1/2".to_string()
        } else if position.dead() {
            "neither side can mate: 1/2-1/2".to_string()
        } else if times >= 3 {
            "the same position 3 times: 1/2-1/2".to_string()
        } else if quiet >= 100 {
            "50 moves without a capture or a pawn's move: 1/2-1/2".to_string()
        } else {
            continue;
        };
        account.say(end);
        for row in 2..10 {
            account.say(String::from_utf8_lossy(
                &position.board[row * WIDTH + 1..row * WIDTH + 9],
            ));
        }
        return;
    }
}
