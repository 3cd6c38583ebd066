//! Real Go records: played by people, replayed elsewhere by an independent engine, and ruled on here as it did.
//!
//! The records lie beside the checkout, in `../shared/data`, or where `REFEREE_DATA` says. Without them there is
//! nothing to test: each test says so and passes.

mod support;

use std::{collections::BTreeMap, env, fs, path::PathBuf};

use referee::game::Game;
use support::{Outcome, load, run};

/// A record that can be ruled on: black begins, the colours alternate, and passes end it.
struct Record {
    id: String,
    size: String,
    /// The turns as the transcript has them.
    turns: Vec<String>,
    /// The stones of black and of white on the last board.
    stones: [usize; 2],
    /// The kind of the first faulty turn and its number.
    fault: Option<(String, usize)>,
}

/// The records of a file that can be ruled on; none if the file is not there.
fn records(file: &str) -> Option<Vec<Record>> {
    let folder = env::var_os("REFEREE_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    let path = folder.join("go").join(file);
    let Ok(text) = fs::read_to_string(&path) else {
        skipped(file);
        return None;
    };
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next()?.split('\t').collect();
    Some(
        lines
            .filter_map(|line| record(&names.iter().copied().zip(line.split('\t')).collect()))
            .collect(),
    )
}

#[expect(
    clippy::print_stderr,
    reason = "whoever runs the tests is to know what was not tested"
)]
fn skipped(file: &str) {
    eprintln!("skipped: {file} is not there; say in REFEREE_DATA which folder has `go/{file}`");
}

fn record(line: &BTreeMap<&str, &str>) -> Option<Record> {
    let mut turns = Vec::new();
    for (number, turn) in line["moves"].split(' ').enumerate() {
        let (colour, place) = turn.split_at_checked(1)?;
        if colour != ["B", "W"][number % 2] {
            return None;
        }
        turns.push(match place.as_bytes() {
            [column, row] if *column != b'-' => format!("{} {}", row - b'a' + 1, column - b'a' + 1),
            _ => "0 0".to_string(),
        });
    }
    let passes = turns
        .windows(2)
        .filter(|pair| pair == &["0 0", "0 0"])
        .count();
    let last_passes = turns.iter().rev().take_while(|turn| *turn == "0 0").count();
    if passes != last_passes.saturating_sub(1) || last_passes > 2 || !line["setup"].is_empty() {
        return None;
    }
    turns.extend(vec!["0 0".to_string(); 2 - last_passes]);
    let number = |column: &str| line[column].parse().ok();
    Some(Record {
        id: format!("{} of {}", line["id"], line["source"]),
        size: line["size"].to_string(),
        turns,
        stones: [number("stones_B")?, number("stones_W")?],
        fault: line["fault"]
            .split_once('@')
            .and_then(|(kind, ply)| Some((kind.to_string(), ply.parse().ok()?))),
    })
}

/// Games loaded once for each size.
#[derive(Default)]
struct Games(BTreeMap<String, Game>);

impl Games {
    fn rule(&mut self, record: &Record) -> Outcome {
        let size = record.size.as_str();
        let game = self
            .0
            .entry(size.to_string())
            .or_insert_with(|| load("weiqi", &[("size", size)]));
        let transcript = format!("{}\n-1 -1\n", record.turns.join("\n"));
        run(game, None, transcript.as_bytes())
    }
}

/// Nothing is called taboo or invalid, and the last board has the recorded stones.
fn end_as_recorded(file: &str, number: usize) {
    let Some(records) = records(file) else {
        return;
    };
    assert_eq!(records.len(), number, "records of {file}");
    let mut games = Games::default();
    for record in &records {
        let outcome = games.rule(record);
        let (id, report) = (&record.id, &outcome.report);
        assert!(outcome.failure.is_none(), "{id}: {}", outcome.drawn());
        let total = format!("Total {} turn(s)", record.turns.len());
        assert!(report.lines().any(|line| line == total), "{id}\n{report}");
        let ruled =
            |line: &str| line.contains("taboo") || line.contains("invalid") || line == "(Tie)";
        assert!(!report.lines().any(ruled), "{id}\n{report}");
        let board: Vec<&str> = report
            .lines()
            .skip_while(|line| *line != total)
            .skip(1)
            .collect();
        let stones = |glyph| {
            board
                .iter()
                .map(|row| row.matches(glyph).count())
                .sum::<usize>()
        };
        assert_eq!([stones('e'), stones('o')], record.stones, "{id}\n{report}");
    }
}

#[test]
fn server_games_end_as_recorded() {
    end_as_recorded("tom19.tsv", 607);
}

#[test]
fn games_on_small_boards_end_as_recorded() {
    end_as_recorded("small.tsv", 375);
}

#[test]
fn faults_are_called_where_they_are_recorded() {
    let Some(records) = records("faulty19.tsv") else {
        return;
    };
    assert_eq!(records.len(), 9, "records that can be ruled on");
    let mut games = Games::default();
    for record in &records {
        let outcome = games.rule(record);
        let (id, report) = (&record.id, &outcome.report);
        let (kind, ply) = record.fault.as_ref().expect("these records are faulty");
        let player = ["black", "white"][(ply - 1) % 2];
        let called = match kind.as_str() {
            "occupied" => "invalid put",
            _ => "taboo point",
        };
        let point = record.turns[ply - 1].replace(' ', ",");
        let first = report
            .lines()
            .find(|line| line.starts_with("Turn ") && !line.ends_with("(by player)"));
        let wanted = format!("Turn {ply} {player} pass ({called} {point})");
        assert_eq!(first, Some(wanted.as_str()), "{id}\n{report}");
    }
}
