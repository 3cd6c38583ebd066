//! Chess: whether the moves are legal, and how games end.

use std::io::{BufRead, Write};

use super::words::{Error, Words, write_number};
use position::{Move, Position, WIDTH, man};

mod moves;
pub mod position;

/// Reports on every game of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("games")? {
        let mut game = Game::new();
        loop {
            let Some(word) = words.next()? else {
                return Err(words.error("the game is not over: expected a move"));
            };
            if word == b"*" {
                break;
            }
            let Some(made) = read(word) else {
                return Err(words.error("expected a move"));
            };
            if !game.possible(made) {
                return Err(words.error("this move cannot be"));
            }
            if let Some(reason) = game.refused(made) {
                game.say_number(output)?;
                output.write_all(&square(made.from))?;
                output.write_all(&square(made.to))?;
                writeln!(output, " is not allowed: {reason}")?;
            } else if game.play(made, output)? {
                break;
            }
        }
    }
    words.end()
}

/// A game as far as it has gone.
struct Game {
    position: Position,
    number: u64,
    /// Moves of one side since a capture or a pawn's move, and the positions since then.
    quiet: u32,
    seen: Vec<Position>,
}

impl Game {
    fn new() -> Self {
        let position = Position::first();
        Game {
            position,
            number: 1,
            quiet: 0,
            seen: vec![position],
        }
    }

    fn possible(&self, made: Move) -> bool {
        let promotes = self.position.promotes(made.from.into(), made.to.into());
        self.position.own(made.from.into()) && promotes == (made.becomes != 0)
    }

    fn refused(&self, made: Move) -> Option<String> {
        let position = &self.position;
        if position.own(made.to.into()) {
            return Some(format!(
                "{} is taken",
                String::from_utf8_lossy(&square(made.to))
            ));
        }
        let castling = position.castling(made.from.into(), made.to.into());
        let mut moves = Vec::with_capacity(32);
        position.moves_from(made.from.into(), &mut moves);
        if !moves.contains(&made) {
            let unsafe_castle = castling.is_some_and(|side| position.may_castle(side));
            if unsafe_castle {
                return Some("the king would castle out of, through or into check".into());
            }
            let figure = match position.board[usize::from(made.from)].to_ascii_lowercase() {
                b'p' => "pawn",
                b'n' => "knight",
                b'b' => "bishop",
                b'r' => "rook",
                b'q' => "queen",
                _ => "king",
            };
            return Some(format!("the {figure} does not go there"));
        }
        let exposes = position.exposes(made);
        exposes.then(|| "the king would be in check".into())
    }

    fn say_number(&self, output: &mut impl Write) -> Result<(), Error> {
        write_number(output, self.number)?;
        let dots: &[u8] = if self.position.white { b". " } else { b"... " };
        output.write_all(dots)?;
        Ok(())
    }

    /// Makes a move and says so; yes if it ends the game.
    fn play(&mut self, made: Move, output: &mut impl Write) -> Result<bool, Error> {
        let before = self.position;
        let moved = before.board[usize::from(made.from)];
        let takes = before.board[usize::from(made.to)] != b'.' || before.by_the_way(made);
        self.say_number(output)?;
        self.position = before.made(made);
        let (check, stuck) = (
            self.position.check(self.position.white),
            self.position.stuck(),
        );
        tell(&before, made, takes, output)?;
        let mark: &[u8] = match (check, stuck) {
            (true, true) => b"#\n",
            (true, false) => b"+\n",
            _ => b"\n",
        };
        output.write_all(mark)?;
        self.number += u64::from(!before.white);
        let situation = self.position.situation();
        if takes || moved.eq_ignore_ascii_case(&b'p') {
            self.quiet = 0;
            self.seen.clear();
        } else {
            self.quiet += 1;
        }
        self.seen.push(situation);
        let end = if stuck && check {
            if before.white {
                "mate: 1-0"
            } else {
                "mate: 0-1"
            }
        } else if stuck {
            "stalemate: 1/2-1/2"
        } else if self.position.dead() {
            "neither side can mate: 1/2-1/2"
        } else if self
            .seen
            .iter()
            .filter(|other| **other == situation)
            .count()
            >= 3
        {
            "the same position 3 times: 1/2-1/2"
        } else if self.quiet >= 100 {
            "50 moves without a capture or a pawn's move: 1/2-1/2"
        } else {
            return Ok(false);
        };
        writeln!(output, "{end}")?;
        for row in 2..10 {
            output.write_all(&self.position.board[row * WIDTH + 1..row * WIDTH + 9])?;
            output.write_all(b"\n")?;
        }
        Ok(true)
    }
}

/// The name of a square.
fn square(place: u8) -> [u8; 2] {
    [b'a' + place % 10 - 1, b'0' + 10 - place / 10]
}

fn place(file: u8, rank: u8) -> Option<u8> {
    let there = (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    there.then(|| (10 - (rank - b'0')) * 10 + file - b'a' + 1)
}

fn read(word: &[u8]) -> Option<Move> {
    let (squares, becomes) = match word {
        [squares @ .., letter] if b"nbrq".contains(letter) && squares.len() == 4 => {
            (squares, *letter)
        }
        squares => (squares, 0),
    };
    let [file, rank, to_file, to_rank] = squares else {
        return None;
    };
    Some(Move {
        from: place(*file, *rank)?,
        to: place(*to_file, *to_rank)?,
        becomes,
    })
}

/// The move as people write it, without what it does to the king.
fn tell(before: &Position, made: Move, takes: bool, output: &mut impl Write) -> Result<(), Error> {
    if let Some(side) = before.castling(made.from.into(), made.to.into()) {
        let castling: &[u8] = if side == 0 { b"O-O" } else { b"O-O-O" };
        output.write_all(castling)?;
        return Ok(());
    }
    let figure = before.board[usize::from(made.from)].to_ascii_uppercase();
    if figure != b'P' {
        output.write_all(&[figure])?;
    }
    output.write_all(&square(made.from))?;
    output.write_all(if takes { b"x" } else { b"-" })?;
    output.write_all(&square(made.to))?;
    if made.becomes != 0 {
        output.write_all(&[b'=', man(made.becomes, true)])?;
    }
    if before.by_the_way(made) {
        output.write_all(b" e.p.")?;
    }
    Ok(())
}
