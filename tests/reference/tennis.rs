//! A match of tennis, as the umpire calls it.

use std::io::{BufRead, Write};

use super::words::{Error, Words};

const CALLS: [&str; 4] = ["love", "15", "30", "40"];

/// The options of the game.
#[derive(Clone, Debug)]
pub struct Rules {
    pub sets: usize,
    pub last_tie_break: usize,
    /// Whether the last set has no tie-break.
    pub advantage: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            sets: 2,
            last_tie_break: 7,
            advantage: false,
        }
    }
}

/// A match as far as it has gone.
struct Match<'r> {
    rules: &'r Rules,
    names: [String; 2],
    points: [usize; 2],
    games: [usize; 2],
    sets: [usize; 2],
    tallies: Vec<[usize; 2]>,
    /// Who serves first in this game.
    opener: usize,
    faulted: bool,
}

/// Reports on every match of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(rules: &Rules, input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("matches")? {
        let names = words.names()?;
        writeln!(output, "{} to serve", names[0])?;
        let mut game = Match {
            rules,
            names,
            points: [0; 2],
            games: [0; 2],
            sets: [0; 2],
            tallies: Vec::new(),
            opener: 0,
            faulted: false,
        };
        loop {
            let winner = match words.next()? {
                Some(b"fault") => {
                    output.write_all(if game.faulted {
                        b"Double fault\n"
                    } else {
                        b"Fault\n"
                    })?;
                    game.faulted = !game.faulted;
                    if game.faulted {
                        continue;
                    }
                    1 - game.server()
                }
                Some(name) => match game.names.iter().position(|other| other.as_bytes() == name) {
                    Some(winner) => winner,
                    None => return Err(words.error("expected a player")),
                },
                None => return Err(words.error("the match is not over")),
            };
            if game.point(winner, output)? {
                break;
            }
        }
    }
    words.end()
}

impl Match<'_> {
    fn last_set(&self) -> bool {
        self.tallies.len() == 2 * self.rules.sets - 2
    }

    fn tie_break(&self) -> bool {
        self.games == [6, 6] && !(self.last_set() && self.rules.advantage)
    }

    /// In a tie-break the first point is served by one player, and then two by each.
    fn server(&self) -> usize {
        let played = self.points[0] + self.points[1];
        if self.tie_break() && played.div_ceil(2) % 2 == 1 {
            1 - self.opener
        } else {
            self.opener
        }
    }

    /// A point for a player; yes if it ends the match.
    fn point(&mut self, winner: usize, output: &mut impl Write) -> Result<bool, Error> {
        let tie_break = self.tie_break();
        let target = match (tie_break, self.last_set()) {
            (true, true) => self.rules.last_tie_break,
            (true, false) => 7,
            (false, _) => 4,
        };
        self.faulted = false;
        self.points[winner] += 1;
        let ahead = |counts: &[usize; 2], least| {
            counts[winner] >= least && counts[winner] >= counts[1 - winner] + 2
        };
        if !ahead(&self.points, target) {
            self.call(tie_break, output)?;
            return Ok(false);
        }
        self.points = [0; 2];
        self.games[winner] += 1;
        self.opener = 1 - self.opener;
        let name = &self.names[winner];
        let [first, second] = self.games;
        if !tie_break && !ahead(&self.games, 6) {
            writeln!(output, "Game {name}, {first}-{second}")?;
            if self.tie_break() {
                writeln!(output, "Tie-break, {} to serve", self.names[self.opener])?;
            }
            return Ok(false);
        }
        self.tallies.push(self.games);
        self.games = [0; 2];
        self.sets[winner] += 1;
        if self.sets[winner] < self.rules.sets {
            writeln!(output, "Game and set {name}, {first}-{second}")?;
            return Ok(false);
        }
        write!(output, "Game, set and match {name},")?;
        for tally in &self.tallies {
            write!(output, " {}-{}", tally[winner], tally[1 - winner])?;
        }
        output.write_all(b"\n")?;
        Ok(true)
    }

    fn call(&self, tie_break: bool, output: &mut impl Write) -> Result<(), Error> {
        let server = self.server();
        let (own, other) = (self.points[server], self.points[1 - server]);
        if tie_break {
            writeln!(output, "{own}-{other}, {} to serve", self.names[server])?;
        } else if own >= 3 && other >= 3 {
            match own.cmp(&other) {
                std::cmp::Ordering::Equal => output.write_all(b"Deuce\n")?,
                std::cmp::Ordering::Greater => {
                    writeln!(output, "Advantage {}", self.names[server])?;
                }
                std::cmp::Ordering::Less => {
                    writeln!(output, "Advantage {}", self.names[1 - server])?;
                }
            }
        } else if own == other {
            writeln!(output, "{}-all", CALLS[own])?;
        } else {
            writeln!(output, "{}-{}", CALLS[own], CALLS[other])?;
        }
        Ok(())
    }
}
