//! Reversi.

use std::io::{BufRead, Write};

use super::words::{Error, Words, write_number};

/// The board with a margin, row by row.
const WIDTH: usize = 10;
const WAYS: [usize; 8] = [
    1,
    WIDTH - 1,
    WIDTH,
    WIDTH + 1,
    0usize.wrapping_sub(1),
    0usize.wrapping_sub(WIDTH - 1),
    0usize.wrapping_sub(WIDTH),
    0usize.wrapping_sub(WIDTH + 1),
];

/// What lies on the board, and whose turn it is.
#[derive(Clone, Copy)]
pub struct Board {
    squares: [u8; WIDTH * WIDTH],
    turn: u8,
    over: bool,
}

fn rival(disc: u8) -> u8 {
    if disc == b'X' { b'O' } else { b'X' }
}

impl Board {
    /// How a game begins.
    pub fn first() -> Board {
        let mut squares = [b'#'; WIDTH * WIDTH];
        for row in 1..=8 {
            squares[row * WIDTH + 1..row * WIDTH + 9].fill(b'.');
        }
        for (place, disc) in [(44, b'O'), (45, b'X'), (54, b'X'), (55, b'O')] {
            squares[place] = disc;
        }
        Board {
            squares,
            turn: b'X',
            over: false,
        }
    }

    /// How many discs are turned over in one way.
    fn turned(&self, disc: u8, place: usize, way: usize) -> usize {
        let rival = rival(disc);
        let mut at = place.wrapping_add(way);
        let mut count = 0;
        while self.squares[at] == rival {
            at = at.wrapping_add(way);
            count += 1;
        }
        if self.squares[at] == disc { count } else { 0 }
    }

    fn fits(&self, disc: u8, place: usize) -> bool {
        self.squares[place] == b'.' && WAYS.iter().any(|way| self.turned(disc, place, *way) > 0)
    }

    fn stuck(&self, disc: u8) -> bool {
        !(11..89).any(|place| self.fits(disc, place))
    }

    /// Lays a disc, if it turns any over; whether the rival has to pass.
    fn lay(&mut self, place: usize) -> Option<bool> {
        let disc = self.turn;
        let mut any = false;
        for way in WAYS {
            let mut at = place;
            for _ in 0..self.turned(disc, place, way) {
                at = at.wrapping_add(way);
                self.squares[at] = disc;
                any = true;
            }
        }
        if !any {
            return None;
        }
        self.squares[place] = disc;
        let passes = self.stuck(rival(disc));
        self.over = passes && self.stuck(disc);
        if !passes {
            self.turn = rival(disc);
        }
        Some(passes)
    }

    fn count(&self, disc: u8) -> u64 {
        self.squares
            .iter()
            .map(|other| u64::from(*other == disc))
            .sum()
    }

    /// How many lines of so many moves there are.
    pub fn lines(&self, depth: u32) -> u64 {
        if self.over {
            return 0;
        }
        let places = (11..89).filter(|place| self.fits(self.turn, *place));
        if depth == 1 {
            return places.count() as u64;
        }
        places
            .map(|place| {
                let mut next = *self;
                next.lay(place);
                next.lines(depth - 1)
            })
            .sum()
    }
}

/// Reports on every game of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for number in 1..=words.number_of("games")? {
        let names = words.names()?;
        writeln!(
            output,
            "Game {number}: {} (black) against {} (white)",
            names[0], names[1]
        )?;
        game(&names, &mut words, output)?;
    }
    words.end()
}

fn game(
    names: &[String; 2],
    words: &mut Words<impl BufRead>,
    output: &mut impl Write,
) -> Result<(), Error> {
    let mut board = Board::first();
    let mut moves = 0;
    while !board.over {
        let square = match words.next()? {
            Some(b"*") => return Ok(()),
            Some(&[file @ b'a'..=b'h', row @ b'1'..=b'8']) => [file, row],
            _ => return Err(words.error("expected a square")),
        };
        let place = usize::from(square[1] - b'0') * WIDTH + usize::from(square[0] - b'a') + 1;
        if board.squares[place] != b'.' {
            return Err(words.error("this square is taken"));
        }
        let colour = |disc| if disc == b'X' { "black" } else { "white" };
        let turn = board.turn;
        let Some(passes) = board.lay(place) else {
            let square = String::from_utf8_lossy(&square).into_owned();
            writeln!(output, "{} turns nothing over at {square}", colour(turn))?;
            continue;
        };
        moves += 1;
        write_number(output, moves)?;
        output.write_all(&[b'.', b' ', square[0], square[1], b' '])?;
        write_number(output, board.count(b'X'))?;
        output.write_all(b":")?;
        write_number(output, board.count(b'O'))?;
        output.write_all(b"\n")?;
        if passes && !board.over {
            writeln!(output, "{} passes", colour(rival(turn)))?;
        }
    }
    for row in 1..=8 {
        output.write_all(&board.squares[row * WIDTH + 1..row * WIDTH + 9])?;
        output.write_all(b"\n")?;
    }
    let (black, white) = (board.count(b'X'), board.count(b'O'));
    match black.cmp(&white) {
        std::cmp::Ordering::Equal => writeln!(output, "a draw, {black}:{white}")?,
        std::cmp::Ordering::Greater => writeln!(output, "{} wins {black}:{white}", names[0])?,
        std::cmp::Ordering::Less => writeln!(output, "{} wins {white}:{black}", names[1])?,
    }
    Ok(())
}
