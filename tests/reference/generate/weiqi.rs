//! Games of weiqi: brawls on the whole board, and shapes laid out for the rules that brawls hardly reach.

use std::io::{self, Write};

use super::super::counts::Counts;
use super::super::random::Random;
use super::super::weiqi::board::Point;
use super::super::weiqi::{Game, Rules, Turn, watched};

/// A row and a column, from 1.
type Place = (usize, usize);

/// A shape for who moves next when it lies there, and what is then played by turns.
struct Shape {
    own: &'static [Place],
    other: &'static [Place],
    line: &'static [Place],
    /// The least board that has room for it.
    size: usize,
}

/// A stone is beaten on the edge, and beaten back.
const RETAKE: Shape = Shape {
    own: &[(1, 1), (2, 2)],
    other: &[(1, 2), (1, 4), (2, 3)],
    line: &[(1, 3), (1, 2)],
    size: 4,
};
/// Two stones are given for one: the board is the same after three puts.
const ODD_LOOP: Shape = Shape {
    own: &[(1, 2), (1, 4), (2, 3)],
    other: &[(2, 1), (2, 2)],
    line: &[(1, 1), (1, 3), (1, 2)],
    size: 4,
};
/// Three points on which stones are beaten and beaten back in turn: the board is the same after six puts.
const EVEN_LOOP: Shape = Shape {
    own: &[(1, 1), (2, 2), (4, 1), (5, 2), (6, 1), (1, 6), (2, 7)],
    other: &[
        (1, 2),
        (1, 4),
        (2, 3),
        (6, 2),
        (7, 1),
        (1, 7),
        (1, 9),
        (2, 8),
    ],
    line: &[(1, 3), (5, 1), (1, 8), (1, 2), (6, 1), (1, 7)],
    size: 9,
};
/// A point where one stone is dead at once.
const SUICIDE: Shape = Shape {
    own: &[],
    other: &[(1, 2), (2, 1)],
    line: &[(1, 1)],
    size: 3,
};
/// A point where several stones are dead at once.
const LARGE_SUICIDE: Shape = Shape {
    own: &[(1, 2)],
    other: &[(1, 3), (2, 2), (2, 1)],
    line: &[(1, 1)],
    size: 3,
};
/// A put that leaves two blocks dead.
const TWO_BLOCKS: Shape = Shape {
    own: &[(2, 1), (1, 4), (2, 3)],
    other: &[(1, 1), (1, 3)],
    line: &[(2, 2), (3, 3), (1, 2)],
    size: 4,
};

/// A game under way, and its transcript.
struct Record<'a, W> {
    game: Game,
    size: usize,
    random: &'a mut Random,
    output: &'a mut W,
    events: u64,
}

/// A size of board: mostly small, since there the rules meet each other more often.
pub fn rules(random: &mut Random) -> Rules {
    let most = random.pick(&[4, 6, 9, 13, 25]);
    let size = usize::try_from(random.between(1, most)).unwrap_or(1);
    Rules {
        size,
        ..Rules::default()
    }
}

/// A valid transcript of so many games.
///
/// # Panics
/// If the referee does not think it valid.
pub fn generate(rules: &Rules, games: u64, random: &mut Random, counts: &mut Counts) -> String {
    let mut text = Vec::new();
    let mut record = Record::new(rules, random, &mut text);
    for _ in 0..games {
        record.game().expect("a vector takes any text");
    }
    text.extend_from_slice(b"-1 -1\n");
    // Line ends and blanks are the same to this game.
    if random.percent(10) {
        for end in text.iter_mut().filter(|byte| **byte == b'\n') {
            *end = random.pick(b"\n  ");
        }
    }
    watched(rules, text.as_slice(), &mut io::sink(), counts).expect("what is generated is valid");
    String::from_utf8(text).expect("numbers are digits")
}

/// A long transcript of plausible games; how many turns it has.
///
/// # Errors
/// If the stream fails.
pub fn generate_large(
    rules: &Rules,
    games: u64,
    random: &mut Random,
    output: &mut impl Write,
) -> io::Result<u64> {
    let mut record = Record::new(rules, random, output);
    for _ in 0..games {
        record.plausible_game()?;
    }
    let events = record.events;
    output.write_all(b"-1 -1\n")?;
    Ok(events)
}

/// A long transcript of short games, in which many turns are passes or are refused; how many turns it has.
///
/// # Errors
/// If the stream fails.
pub fn generate_short(
    rules: &Rules,
    games: u64,
    random: &mut Random,
    output: &mut impl Write,
) -> io::Result<u64> {
    let mut record = Record::new(rules, random, output);
    for _ in 0..games {
        record.short_game()?;
    }
    let events = record.events;
    output.write_all(b"-1 -1\n")?;
    Ok(events)
}

impl<'a, W: Write> Record<'a, W> {
    fn new(rules: &Rules, random: &'a mut Random, output: &'a mut W) -> Self {
        Record {
            game: Game::new(rules),
            size: rules.size,
            random,
            output,
            events: 0,
        }
    }

    /// Writes a turn and plays it; yes if that ends the game. After a tie the replay has begun.
    fn play(&mut self, turn: Turn) -> io::Result<bool> {
        match turn {
            Turn::Pass => self.output.write_all(b"0 0\n")?,
            Turn::Put(row, column) => writeln!(self.output, "{row} {column}")?,
        }
        self.events += 1;
        self.game.play(turn);
        let over = self.game.over;
        if over || self.game.tied {
            self.game.restart();
        }
        Ok(over)
    }

    /// One game of one kind or the other, with its replays.
    fn game(&mut self) -> io::Result<()> {
        let shape = self.random.pick(&[
            None,
            None,
            Some(&RETAKE),
            Some(&ODD_LOOP),
            Some(&EVEN_LOOP),
            Some(&SUICIDE),
            Some(&LARGE_SUICIDE),
            Some(&TWO_BLOCKS),
        ]);
        if let Some(shape) = shape.filter(|shape| shape.size <= self.size)
            && self.shape(shape)?
        {
            return Ok(());
        }
        let turns =
            self.random.below(40) + self.random.below(3 * (self.size * self.size) as u64 + 1);
        let passes = self.random.pick(&[0, 0, 4, 25]);
        for _ in 0..turns {
            let turn = self.random_turn(passes);
            if self.play(turn)? {
                return Ok(());
            }
        }
        self.finish()
    }

    fn random_turn(&mut self, passes: u64) -> Turn {
        let any = |random: &mut Random, size| (1 + random.index(size), 1 + random.index(size));
        if self.random.percent(passes) {
            return Turn::Pass;
        }
        let careless = self.random.percent(3);
        for _ in 0..8 {
            let (row, column) = any(self.random, self.size);
            let empty = self.on((row, column)) == Point::Empty;
            if careless || empty && !(self.is_eye((row, column)) && self.random.percent(80)) {
                return Turn::Put(row, column);
            }
        }
        let (row, column) = any(self.random, self.size);
        Turn::Put(row, column)
    }

    /// Both players pass at last, perhaps not at the first try.
    fn finish(&mut self) -> io::Result<()> {
        while self.random.percent(40) {
            let turn = self.random_turn(40);
            if self.play(turn)? {
                return Ok(());
            }
        }
        while !self.play(Turn::Pass)? {}
        Ok(())
    }

    /// Lays a shape out somewhere and plays what it is for, with a pass in between or not; yes if the game is over.
    fn shape(&mut self, shape: &Shape) -> io::Result<bool> {
        let turned = self.turned();
        let own: Vec<Place> = shape.own.iter().map(|place| turned(*place)).collect();
        let other: Vec<Place> = shape.other.iter().map(|place| turned(*place)).collect();
        let line: Vec<Place> = shape.line.iter().map(|place| turned(*place)).collect();
        let mover = self.random.pick(&[Point::Black, Point::White]);
        let (mut own_left, mut other_left) = (own.iter(), other.iter());
        while own_left.len() + other_left.len() > 0 || self.game.turn != mover {
            let mine = self.game.turn == mover;
            let next = if mine {
                own_left.next()
            } else {
                other_left.next()
            };
            let turn = match next {
                Some((row, column)) => Turn::Put(*row, *column),
                None => self.aside(&[&own[..], &other[..], &line[..]].concat()),
            };
            self.play(turn)?;
        }
        let broken = self
            .random
            .percent(40)
            .then(|| self.random.index(line.len()));
        for (number, (row, column)) in line.iter().enumerate() {
            if broken == Some(number) {
                // One passes by choice, the other puts a stone on another: neither ends the game.
                let first = self.random.percent(50);
                for choice in [first, !first] {
                    let taken = own
                        .iter()
                        .chain(&other)
                        .find(|place| self.on(**place) != Point::Empty);
                    match taken {
                        Some((row, column)) if !choice => self.play(Turn::Put(*row, *column))?,
                        _ => self.play(Turn::Pass)?,
                    };
                }
            }
            if self.play(Turn::Put(*row, *column))? {
                return Ok(true);
            }
        }
        self.retake_again(&line)
    }

    /// A put refused before is tried again when the other has passed.
    fn retake_again(&mut self, line: &[Place]) -> io::Result<bool> {
        match line.last() {
            Some((row, column)) if self.game.turns > 0 && self.random.percent(60) => {
                Ok(self.play(Turn::Pass)? || self.play(Turn::Put(*row, *column))?)
            }
            _ => Ok(false),
        }
    }

    /// One of the eight ways to lay a shape in a corner.
    fn turned(&mut self) -> impl Fn(Place) -> Place + use<W> {
        let size = self.size;
        let [transposed, upside_down, mirrored] = [0, 1, 2].map(|_| self.random.percent(50));
        move |(row, column)| {
            let (row, column) = if transposed {
                (column, row)
            } else {
                (row, column)
            };
            let row = if upside_down { size + 1 - row } else { row };
            let column = if mirrored { size + 1 - column } else { column };
            (row, column)
        }
    }

    /// A turn that does not touch the shape: a put away from all stones if there is room, else a pass.
    fn aside(&mut self, reserved: &[Place]) -> Turn {
        let near = |(row, column): Place, other: &Place| {
            row.abs_diff(other.0) + column.abs_diff(other.1) <= 1
        };
        for _ in 0..30 {
            let place = (
                1 + self.random.index(self.size),
                1 + self.random.index(self.size),
            );
            let beside = self.beside(place);
            let lonely = beside
                .into_iter()
                .all(|point| matches!(point, Point::Empty | Point::Rim));
            let empty = self.on(place) == Point::Empty;
            if lonely && empty && !reserved.iter().any(|other| near(place, other)) {
                return Turn::Put(place.0, place.1);
            }
        }
        Turn::Pass
    }

    /// Two or three hundred puts, each on an empty point that is no eye of one's own, often near the one before.
    fn plausible_game(&mut self) -> io::Result<()> {
        let turns = self.random.between(200, 300);
        let mut last = (self.size.div_ceil(2), self.size.div_ceil(2));
        for _ in 0..turns {
            let turn = self.plausible_turn(last);
            if let Turn::Put(row, column) = turn {
                last = (row, column);
            }
            if self.play(turn)? {
                return Ok(());
            }
        }
        while !self.play(Turn::Pass)? {}
        Ok(())
    }

    /// About 35 turns, of which a quarter are passes or puts on points that are taken.
    fn short_game(&mut self) -> io::Result<()> {
        let turns = self.random.between(23, 43);
        let mut last = (self.size.div_ceil(2), self.size.div_ceil(2));
        for _ in 0..turns {
            let turn = match self.random.below(100) {
                0..8 if !self.game.passed => Turn::Pass,
                8..20 if self.on(last) != Point::Empty => Turn::Put(last.0, last.1),
                _ => self.plausible_turn(last),
            };
            if let Turn::Put(row, column) = turn {
                last = (row, column);
            }
            if self.play(turn)? {
                return Ok(());
            }
        }
        while !self.play(Turn::Pass)? {}
        Ok(())
    }

    fn plausible_turn(&mut self, (row, column): Place) -> Turn {
        let size = self.size;
        for _ in 0..40 {
            let mut near = |place: usize| {
                (place + self.random.index(7))
                    .saturating_sub(3)
                    .clamp(1, size)
            };
            let near = (near(row), near(column));
            let far = (1 + self.random.index(size), 1 + self.random.index(size));
            let place = if self.random.percent(60) { near } else { far };
            if self.on(place) == Point::Empty && !self.is_eye(place) {
                return Turn::Put(place.0, place.1);
            }
        }
        Turn::Pass
    }

    fn on(&self, (row, column): Place) -> Point {
        self.game.board.point(self.game.board.at(row, column))
    }

    fn beside(&self, (row, column): Place) -> [Point; 4] {
        let board = &self.game.board;
        board
            .beside(board.at(row, column))
            .map(|place| board.point(place))
    }

    /// Whether nothing but stones of the player in turn is beside the point.
    fn is_eye(&self, place: Place) -> bool {
        let own = self.game.turn;
        self.beside(place)
            .into_iter()
            .all(|point| point == own || point == Point::Rim)
    }
}
