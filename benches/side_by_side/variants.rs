//! Variants against their games: what a variant costs beside what it costs by hand.

use std::io;

use referee::library::Library;

use crate::{
    Wanted,
    measure::{self, median},
    races,
};

/// The games, the forms of their transcripts, and how many events these have.
const GAMES: [(&str, &str, u64); 4] = [
    ("snooker", "", 3_000_000),
    ("weiqi", "", 2_000_000),
    ("mau-mau", "", 3_000_000),
    ("mau-mau", ".moves", 3_000_000),
];

pub(crate) fn run(wanted: &Wanted) -> io::Result<()> {
    if !wanted.part("variants") {
        return Ok(());
    }
    measure::head(
        "Variants, beside their games",
        &[
            "transcript",
            "ratio of CPU times",
            "to the game's ratio",
            "time of an event, to the game's",
            "interpreter, events/s",
            "by hand, events/s",
            "events",
        ],
    );
    for (game, form, events) in GAMES {
        let variants = Library::shipped().variants(game);
        let mut names = vec![format!("{game}{form}")];
        names.extend(
            variants
                .iter()
                .map(|variant| format!("{game}+{variant}{form}")),
        );
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        // A variant is told beside its game, so that even a quick run has to be long enough to tell them apart.
        let events = if wanted.quick { events / 4 } else { events };
        let races = races::race(&names, events, wanted.rounds())?;
        let [base, ..] = races.as_slice() else {
            continue;
        };
        for race in &races {
            let relative = race.ratios().zip(base.ratios()).map(|(own, its)| own / its);
            let [interpreter, by_hand] = race.speeds();
            measure::line(&[
                race.name.clone(),
                format!("{:.2}", race.ratio()),
                format!("{:.2}", median(relative)),
                format!("{:.2}", base.speeds()[0] / interpreter),
                format!("{interpreter:.2} M"),
                format!("{by_hand:.2} M"),
                race.events.to_string(),
            ]);
        }
    }
    Ok(())
}
