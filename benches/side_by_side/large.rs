//! More than a gigabyte of transcript, which comes through a pipe while it is made up: how much memory that takes.

use std::io::{self, Write};

use crate::{
    Wanted,
    contest::Contest,
    measure::{self, count},
};

const GIBIBYTE: u64 = 1 << 30;

/// Counts what is written.
struct Counted<W> {
    output: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

pub(crate) fn run(wanted: &Wanted) -> io::Result<()> {
    measure::head(
        "Large transcripts, through a pipe",
        &["transcript", "MiB", "GB", "events", "CPU, s"],
    );
    let usual = ["snooker".to_string(), "mau-mau".to_string()];
    let names: &[String] = if wanted.names.is_empty() {
        &usual
    } else {
        &wanted.names
    };
    for name in names {
        let contest = Contest::required(name)?;
        let bytes = wanted.less(GIBIBYTE + GIBIBYTE / 50);
        let games = contest.games_in(bytes)?;
        let (mut events, mut bytes) = (0, 0);
        let cost = measure::cost_of_stream(&mut contest.interpreter(), |input| {
            let mut input = Counted {
                output: input,
                bytes: 0,
            };
            events = contest.generate(games, &mut input)?;
            bytes = input.bytes;
            Ok(())
        })?;
        measure::line(&[
            name.clone(),
            cost.mebibytes().to_string(),
            format!("{:.2}", count(bytes) / 1e9),
            events.to_string(),
            format!("{:.0}", cost.seconds()),
        ]);
    }
    Ok(())
}
