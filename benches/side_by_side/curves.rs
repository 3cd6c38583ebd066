//! What happens as things grow: as a transcript grows, and as a rule file does.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::{
    Wanted,
    contest::Contest,
    measure::{self, Cost, count, median},
    synthetic,
};

/// Transcripts of one length, of twice that, of four times, and so on.
pub(crate) fn length(wanted: &Wanted) -> io::Result<()> {
    if !wanted.part("length") {
        return Ok(());
    }
    measure::head(
        "As a transcript grows",
        &["transcript", "ns for an event", "MiB", "events"],
    );
    let start = if wanted.quick { 100_000 } else { 500_000 };
    for name in ["snooker", "weiqi", "mau-mau"] {
        let contest = Contest::required(name)?;
        for doubled in 0..if wanted.quick { 4 } else { 6 } {
            let transcript = contest.transcript(start << doubled)?;
            let costs = repeated(if doubled < 3 { 5 } else { 3 }, || {
                measure::cost(&mut contest.interpreter(), transcript.open()?)
            })?;
            measure::line(&[
                name.to_string(),
                format!("{:.0}", seconds(&costs) * 1e9 / count(transcript.events)),
                memory(&costs).to_string(),
                transcript.events.to_string(),
            ]);
        }
    }
    Ok(())
}

/// Rule files of so many lines of one sort, of twice as many, and so on.
pub(crate) fn rules(wanted: &Wanted) -> io::Result<()> {
    if !wanted.part("rules") {
        return Ok(());
    }
    measure::head(
        "As a rule file grows",
        &[
            "made of",
            "check, µs for each",
            "run, µs for each",
            "how many",
            "check, MiB",
        ],
    );
    let most = if wanted.quick { 800 } else { 3200 };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for sort in &synthetic::SORTS {
        let path = folder.join("grown.rules");
        let mut number = 100;
        let nothing = costs_of(sort, 1, &path)?;
        while number <= most {
            let costs = costs_of(sort, number, &path)?;
            let each = |after: &[Cost], before: &[Cost]| {
                (seconds(after) - seconds(before)) * 1e6 / count(number)
            };
            measure::line(&[
                sort.name.to_string(),
                format!("{:.1}", each(&costs[0], &nothing[0])),
                format!("{:.1}", each(&costs[1], &nothing[1])),
                number.to_string(),
                memory(&costs[0]).to_string(),
            ]);
            number *= 2;
        }
    }
    Ok(())
}

/// What it takes to check a rule file, and to run an empty transcript by it.
fn costs_of(sort: &synthetic::Sort, number: u64, path: &Path) -> io::Result<[Vec<Cost>; 2]> {
    fs::write(path, (sort.rules)(number))?;
    let name = path.to_string_lossy();
    let check = repeated(3, || {
        measure::cost(&mut measure::referee(&["check", &name]), Stdio::null())
    })?;
    let run = repeated(3, || {
        measure::cost(&mut measure::referee(&["run", &name]), Stdio::null())
    })?;
    Ok([check, run])
}

fn repeated(times: usize, run: impl Fn() -> io::Result<Cost>) -> io::Result<Vec<Cost>> {
    (0..times).map(|_| run()).collect()
}

fn seconds(costs: &[Cost]) -> f64 {
    median(costs.iter().map(Cost::seconds))
}

fn memory(costs: &[Cost]) -> u64 {
    costs.iter().map(Cost::mebibytes).max().unwrap_or_default()
}
