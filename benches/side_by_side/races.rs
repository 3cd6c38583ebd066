//! Games against referees written by hand, on the same long transcripts.

use std::io;

use crate::{
    Wanted,
    contest::{Contest, Transcript},
    measure::{self, Cost, count, geometric_mean, median},
};

/// The games, how many events their transcripts have, and whether they count for the mean.
const RACES: [(&str, u64, bool); 6] = [
    ("snooker", 10_000_000, true),
    ("weiqi", 6_000_000, true),
    ("mau-mau", 16_000_000, true),
    ("mau-mau.moves", 16_000_000, false),
    ("snooker-chance", 8_000_000, false),
    ("weiqi-short", 6_000_000, false),
];

/// What both took for one transcript, in each round.
pub(crate) struct Race {
    pub(crate) name: String,
    pub(crate) events: u64,
    rounds: Vec<[Cost; 2]>,
}

impl Race {
    /// Runs both once more.
    fn round(&mut self, contest: &Contest, transcript: &Transcript) -> io::Result<()> {
        let interpreter = measure::cost(&mut contest.interpreter(), transcript.open()?)?;
        let by_hand = measure::cost(&mut measure::by_hand(&contest.name)?, transcript.open()?)?;
        self.rounds.push([interpreter, by_hand]);
        Ok(())
    }

    /// The ratio of times in each round.
    pub(crate) fn ratios(&self) -> impl Iterator<Item = f64> {
        self.rounds
            .iter()
            .map(|[interpreter, by_hand]| interpreter.seconds() / by_hand.seconds())
    }

    pub(crate) fn ratio(&self) -> f64 {
        median(self.ratios())
    }

    /// Events in a second, in millions: of the interpreter and by hand.
    pub(crate) fn speeds(&self) -> [f64; 2] {
        [0, 1].map(|who| {
            let seconds = median(self.rounds.iter().map(|costs| costs[who].seconds()));
            count(self.events) / seconds / 1e6
        })
    }

    fn memory(&self) -> [u64; 2] {
        [0, 1].map(|who| {
            let memory = self.rounds.iter().map(|costs| costs[who].mebibytes());
            memory.max().unwrap_or_default()
        })
    }
}

/// Races several games, all in each round, so that what slows the machine for a while slows all of them.
pub(crate) fn race(names: &[&str], events: u64, rounds: usize) -> io::Result<Vec<Race>> {
    let mut races = Vec::new();
    for name in names {
        let contest = Contest::required(name)?;
        let transcript = contest.transcript(events)?;
        let race = Race {
            name: contest.name.clone(),
            events: transcript.events,
            rounds: Vec::new(),
        };
        races.push((race, contest, transcript));
    }
    for _ in 0..rounds {
        for (race, contest, transcript) in &mut races {
            race.round(contest, transcript)?;
        }
    }
    Ok(races.into_iter().map(|(race, ..)| race).collect())
}

pub(crate) const COLUMNS: [&str; 7] = [
    "transcript",
    "ratio of CPU times",
    "interpreter, events/s",
    "by hand, events/s",
    "events",
    "interpreter, MiB",
    "by hand, MiB",
];

/// A race as a line of a table.
pub(crate) fn tell(race: &Race) {
    let [interpreter, by_hand] = race.speeds();
    let [interpreter_memory, by_hand_memory] = race.memory();
    measure::line(&[
        race.name.clone(),
        format!("{:.2}", race.ratio()),
        format!("{interpreter:.2} M"),
        format!("{by_hand:.2} M"),
        race.events.to_string(),
        interpreter_memory.to_string(),
        by_hand_memory.to_string(),
    ]);
}

pub(crate) fn run(wanted: &Wanted) -> io::Result<()> {
    let chosen = RACES.iter().filter(|(name, ..)| wanted.line("races", name));
    let chosen: Vec<_> = chosen.collect();
    if chosen.is_empty() {
        return Ok(());
    }
    measure::head("Long transcripts", &COLUMNS);
    let mut ratios = Vec::new();
    for (name, events, counts) in chosen {
        for race in race(&[name], wanted.less(*events), wanted.rounds())? {
            tell(&race);
            if *counts {
                ratios.push(race.ratio());
            }
        }
    }
    if ratios.len() > 1 {
        println!(
            "\ngeometric mean of the first {}: {:.2}",
            ratios.len(),
            geometric_mean(&ratios)
        );
    }
    Ok(())
}
