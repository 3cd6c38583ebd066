//! English draughts.

use std::io::{BufRead, Write};

use super::words::{Error, Words, write_number};

/// The board with a margin of two, row by row.
const WIDTH: usize = 12;
const WAYS: [usize; 4] = [
    0usize.wrapping_sub(WIDTH + 1),
    0usize.wrapping_sub(WIDTH - 1),
    WIDTH - 1,
    WIDTH + 1,
];

#[derive(Clone, Copy)]
struct Board {
    squares: [u8; WIDTH * WIDTH],
    turn: u8,
}

fn rival(side: u8) -> u8 {
    if side == b'b' { b'w' } else { b'b' }
}

fn name(side: u8) -> &'static str {
    if side == b'b' { "black" } else { "white" }
}

fn place(square: usize) -> usize {
    let row = (square - 1) / 4;
    (row + 2) * WIDTH + (square - 1) % 4 * 2 + 3 - row % 2
}

fn square(place: usize) -> usize {
    (place / WIDTH - 2) * 4 + (place % WIDTH - 2) / 2 + 1
}

/// The ways that a man goes.
fn ways(man: u8) -> &'static [usize] {
    match man {
        b'b' => &WAYS[2..],
        b'w' => &WAYS[..2],
        _ => &WAYS,
    }
}

impl Board {
    fn first() -> Board {
        let mut squares = [b'#'; WIDTH * WIDTH];
        for row in 2..10 {
            squares[row * WIDTH + 2..row * WIDTH + 10].fill(b'.');
        }
        for square in 1..=12 {
            squares[place(square)] = b'b';
            squares[place(square + 20)] = b'w';
        }
        Board {
            squares,
            turn: b'b',
        }
    }

    fn is_own(&self, place: usize) -> bool {
        self.squares[place].to_ascii_lowercase() == self.turn
    }

    /// Whether a man jumps over `over` to `to`; what was jumped over before is marked.
    fn can_jump(&self, over: usize, to: usize) -> bool {
        self.squares[over].to_ascii_lowercase() == rival(self.turn) && self.squares[to] == b'.'
    }

    fn jumps(&self, man: u8, from: usize) -> bool {
        ways(man).iter().any(|way| {
            let over = from.wrapping_add(*way);
            self.can_jump(over, over.wrapping_add(*way))
        })
    }

    fn men(&self) -> impl Iterator<Item = (u8, usize)> {
        let own = (0..self.squares.len()).filter(|place| self.is_own(*place));
        own.map(|place| (self.squares[place], place))
    }

    fn must_jump(&self) -> bool {
        self.men().any(|(man, place)| self.jumps(man, place))
    }

    fn is_stuck(&self) -> bool {
        let walks = |man: u8, place: usize| {
            let mut ways = ways(man).iter();
            ways.any(|way| self.squares[place.wrapping_add(*way)] == b'.')
        };
        !self.must_jump() && !self.men().any(|(man, place)| walks(man, place))
    }

    /// Does a move; why it is not allowed, or whether a man was crowned.
    fn go(&mut self, path: &[usize], walks: bool) -> Result<Result<bool, String>, &'static str> {
        let from = path[0];
        if !self.is_own(from) {
            return Err("there is no such man");
        }
        let man = self.squares[from];
        let mut next = *self;
        next.squares[from] = b'.';
        for step in path.windows(2) {
            let legs: Vec<usize> = ways(man)
                .iter()
                .map(|way| if walks { *way } else { way.wrapping_mul(2) })
                .collect();
            let way = step[1].wrapping_sub(step[0]);
            if !legs.contains(&way) {
                return Err("the man does not go there");
            }
            let over = step[0].midpoint(step[1]);
            if walks && (next.squares[step[1]] != b'.' || path.len() > 2)
                || !walks && !next.can_jump(over, step[1])
            {
                return Err("the man cannot go there");
            }
            if !walks {
                next.squares[over] = b'-';
            }
        }
        if walks && self.must_jump() {
            return Ok(Err(format!("{} must jump", name(self.turn))));
        }
        let goal = path[path.len() - 1];
        if !walks && next.jumps(man, goal) {
            return Ok(Err(format!("the jump goes on from {}", square(goal))));
        }
        let far = if self.turn == b'b' { 9 } else { 2 };
        let crowned = man == self.turn && goal / WIDTH == far;
        for square in &mut next.squares {
            if *square == b'-' {
                *square = b'.';
            }
        }
        next.squares[goal] = if crowned {
            man.to_ascii_uppercase()
        } else {
            man
        };
        next.turn = rival(self.turn);
        *self = next;
        Ok(Ok(crowned))
    }
}

/// Reports on every game of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("games")? {
        game(&mut words, output)?;
    }
    words.end()
}

/// The places that a word names, and whether the man walks.
fn path(word: &str) -> Option<(Vec<usize>, bool)> {
    let walks = word.contains('-');
    let sign = if walks { '-' } else { 'x' };
    let place = |number: &str| {
        let number: usize = number.parse().ok()?;
        (1..=32).contains(&number).then(|| place(number))
    };
    let path: Option<Vec<usize>> = word.split(sign).map(place).collect();
    path.filter(|path| path.len() > 1).map(|path| (path, walks))
}

fn game(words: &mut Words<impl BufRead>, output: &mut impl Write) -> Result<(), Error> {
    let mut board = Board::first();
    let mut moves = 1;
    loop {
        let word = match words.next()? {
            Some(b"*") => return Ok(()),
            Some(word) => String::from_utf8_lossy(word).into_owned(),
            None => return Err(words.error("expected a move")),
        };
        let Some((path, walks)) = path(&word) else {
            return Err(words.error("expected a move"));
        };
        let turn = board.turn;
        let done = board.go(&path, walks);
        let done = done.map_err(|reason| words.error(reason))?;
        write_number(output, moves)?;
        output.write_all(if turn == b'b' { b". " } else { b"... " })?;
        output.write_all(word.as_bytes())?;
        match done {
            Err(reason) => {
                writeln!(output, " is not allowed: {reason}")?;
                continue;
            }
            Ok(crowned) => {
                output.write_all(b"\n")?;
                if crowned {
                    writeln!(output, "a king on {}", square(path[path.len() - 1]))?;
                }
            }
        }
        moves += u64::from(turn == b'w');
        if board.is_stuck() {
            writeln!(
                output,
                "{} wins: {} cannot move",
                name(turn),
                name(rival(turn))
            )?;
            for row in 2..10 {
                output.write_all(&board.squares[row * WIDTH + 2..row * WIDTH + 10])?;
                output.write_all(b"\n")?;
            }
            return Ok(());
        }
    }
}
