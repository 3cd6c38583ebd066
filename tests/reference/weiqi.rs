//! Weiqi: what happened on the board.

use std::io::{BufRead, Write};

use super::counts::Watch;
use super::words::{Error, Words};
use board::{Board, Loops, Point, Put, Refusal};

pub mod board;
mod notes;

#[allow(unused_imports, reason = "a benchmark counts nothing")]
pub use notes::RULES;

/// The options of the game.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Rows and columns of the board.
    pub size: usize,
    /// Whether several stones may be taken away by their own player.
    pub suicide: bool,
    /// Whether the last row lies beside the first, and the last column beside the first.
    pub torus: bool,
    /// Which positions may not come back.
    pub loops: Loops,
    /// What white is given in half points, where areas are counted.
    pub half_komi: Option<i64>,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            size: 19,
            suicide: false,
            torus: false,
            loops: Loops::Tie,
            half_komi: None,
        }
    }
}

impl Rules {
    /// The rules of the game with some variants, if all are known.
    pub fn of(variants: &[impl AsRef<str>]) -> Option<Self> {
        let mut rules = Rules::default();
        for variant in variants {
            match variant.as_ref() {
                "nine" => rules.size = 9,
                "thirteen" => rules.size = 13,
                "suicide" => rules.suicide = true,
                "torus" => rules.torus = true,
                "superko" => rules.loops = Loops::Positional,
                "situational" => rules.loops = Loops::Situational,
                "area" => rules.half_komi = Some(15),
                _ => return None,
            }
        }
        Some(rules)
    }
}

/// What a player does in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Passes.
    Pass,
    /// Puts a stone at this row and column.
    Put(usize, usize),
}

/// What came of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The player passed.
    Passed,
    /// The stone was taken back, so that this is a pass too.
    Refused(Refusal),
    /// The stone lies.
    Stands(Put),
}

/// A game from its start, or from the start of a replay.
#[derive(Clone, Debug)]
pub struct Game {
    /// The stones.
    pub board: Board,
    /// Whose turn it is.
    pub turn: Point,
    /// The turns played.
    pub turns: u64,
    /// The last turn was a pass by choice.
    pub passed: bool,
    /// Both players passed by choice, one after the other.
    pub over: bool,
    /// The board was there before.
    pub tied: bool,
}

impl Game {
    /// An empty board.
    pub fn new(rules: &Rules) -> Self {
        Game {
            board: Board::new(rules),
            turn: Point::Black,
            turns: 0,
            passed: false,
            over: false,
            tied: false,
        }
    }

    /// Empties the board for the next game, or for a replay.
    pub fn restart(&mut self) {
        self.board.clear();
        self.turn = Point::Black;
        self.turns = 0;
        self.passed = false;
        self.over = false;
        self.tied = false;
    }

    /// Judges a turn and goes on to the state after it.
    pub fn play(&mut self, turn: Turn) -> Ruling {
        let ruling = match turn {
            Turn::Pass => Ruling::Passed,
            Turn::Put(row, column) => match self.board.put(self.board.at(row, column), self.turn) {
                Ok(put) => Ruling::Stands(put),
                Err(refusal) => Ruling::Refused(refusal),
            },
        };
        let passed = ruling == Ruling::Passed;
        match ruling {
            Ruling::Stands(put) => self.tied = put.loop_length.is_some(),
            Ruling::Passed | Ruling::Refused(_) => self.board.pass(),
        }
        self.over = self.passed && passed;
        self.passed = passed;
        self.turn = self.turn.rival();
        self.turns += 1;
        self.board.remember(self.turn);
        ruling
    }
}

/// Reports on every game of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(rules: &Rules, input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    watched(rules, input, output, &mut ())
}

/// The same, with somebody who is told of each rule applied.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn watched<W: Watch>(
    rules: &Rules,
    input: impl BufRead,
    output: &mut impl Write,
    watch: &mut W,
) -> Result<(), Error> {
    let mut words = Words::new(input);
    let mut game = Game::new(rules);
    let mut notes = notes::Notes::default();
    let mut number = 0_u64;
    let mut replayed = false;
    loop {
        if !words.line()? {
            return Err(words.error("expected a row, or `-1 -1`, but the transcript ends"));
        }
        let first = read_turn(rules, &game, &mut words);
        if matches!(first, Ok(None)) {
            break;
        }
        // Whatever does not end the transcript begins a game.
        if !replayed {
            number += 1;
            writeln!(output, "Game #{number}")?;
        }
        let mut turn = first?.unwrap_or(Turn::Pass);
        loop {
            let ruling = game.play(turn);
            if W::LOOKS {
                notes.turn(&mut game, turn, ruling, watch);
            }
            say_pass(&game, turn, ruling, output)?;
            if game.over || game.tied {
                break;
            }
            turn = read_turn(rules, &game, &mut words)?.unwrap_or(Turn::Pass);
        }
        say_end(rules, &game, output)?;
        replayed = game.tied;
        game.restart();
    }
    if number > 1 {
        watch.reached("several games");
    }
    words.end()
}

/// What comes next; none if there is no next game.
fn read_turn(
    rules: &Rules,
    game: &Game,
    words: &mut Words<impl BufRead>,
) -> Result<Option<Turn>, Error> {
    let row = words.integer(if game.turns == 0 {
        "a row, or `-1 -1`"
    } else {
        "a row, or `0 0`"
    })?;
    let on_board = |number: i64| {
        let number = usize::try_from(number).ok()?;
        (number <= rules.size).then_some(number)
    };
    let ends = row == -1 && game.turns == 0;
    if !ends && on_board(row).is_none() {
        return Err(words.error(format!(
            "there is no row {row}: expected 1 to {}",
            rules.size
        )));
    }
    let column = words.integer("a column")?;
    match (on_board(row), on_board(column)) {
        (None, _) if column == -1 => Ok(None),
        (None, _) => Err(words.error("expected `-1` after `-1`")),
        (Some(0), Some(0)) => Ok(Some(Turn::Pass)),
        (Some(0), _) => Err(words.error("there is no row 0: expected `0 0` for a pass")),
        (Some(row), Some(column)) if column > 0 => Ok(Some(Turn::Put(row, column))),
        _ => Err(words.error(format!(
            "there is no column {column}: expected 1 to {}",
            rules.size
        ))),
    }
}

fn say_pass(game: &Game, turn: Turn, ruling: Ruling, output: &mut impl Write) -> Result<(), Error> {
    // The game has gone on to the next player already.
    let player = game.turn.rival().name();
    let turns = game.turns;
    match (ruling, turn) {
        (Ruling::Refused(refusal), Turn::Put(row, column)) => {
            let why = match refusal {
                Refusal::Invalid => "invalid put",
                Refusal::Suicide | Refusal::Retake => "taboo point",
            };
            writeln!(output, "Turn {turns} {player} pass ({why} {row},{column})")?;
        }
        (Ruling::Passed, _) => writeln!(output, "Turn {turns} {player} pass (by player)")?,
        (Ruling::Stands(_) | Ruling::Refused(_), _) => {}
    }
    Ok(())
}

fn say_end(rules: &Rules, game: &Game, output: &mut impl Write) -> Result<(), Error> {
    writeln!(output, "Total {} turn(s)", game.turns)?;
    if game.tied {
        output.write_all(b"(Tie)\n")?;
    }
    let mut line = Vec::with_capacity(game.board.size() + 1);
    for row in 1..=game.board.size() {
        line.clear();
        line.extend(game.board.row(row).iter().map(|point| match point {
            Point::Black => b'e',
            Point::White => b'o',
            Point::Empty | Point::Rim => b'+',
        }));
        line.push(b'\n');
        output.write_all(&line)?;
    }
    if game.over {
        if let Some(half_komi) = rules.half_komi {
            say_areas(game, half_komi, output)?;
        }
        output.write_all(b"\n")?;
    }
    Ok(())
}

fn say_areas(game: &Game, half_komi: i64, output: &mut impl Write) -> Result<(), Error> {
    let [black, white] = game.board.areas();
    writeln!(output, "Area {black} : {white}")?;
    let lead = 2 * black - 2 * white - half_komi;
    let half = if lead % 2 == 0 { "" } else { ".5" };
    let margin = lead.abs() / 2;
    match lead {
        0 => writeln!(output, "Even")?,
        1.. => writeln!(output, "Black wins by {margin}{half}")?,
        _ => writeln!(output, "White wins by {margin}{half}")?,
    }
    Ok(())
}
