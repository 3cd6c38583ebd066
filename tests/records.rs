//! Real Go records: played by people, replayed elsewhere by an independent engine, and ruled on here as it did.
//!
//! The records lie beside the checkout, in `../shared/data`, or where `REFEREE_DATA` says. Without them there is
//! nothing to test: each test says so and passes.

#[path = "records/json.rs"]
mod json;
#[path = "records/ko.rs"]
mod ko;
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

/// The text of a file; none if it is not there.
fn text_of(file: &str) -> Option<String> {
    let folder = env::var_os("REFEREE_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    let path = folder.join("go").join(file);
    let Ok(text) = fs::read_to_string(&path) else {
        skipped(file);
        return None;
    };
    Some(text)
}

/// The lines of a table, each by the names of its columns; none if the file is not there.
fn table(file: &str) -> Option<Vec<BTreeMap<String, String>>> {
    let text = text_of(file)?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next()?.split('\t').collect();
    let names = names.into_iter().map(str::to_string);
    let line = |line: &str| {
        names
            .clone()
            .zip(line.split('\t').map(str::to_string))
            .collect()
    };
    Some(lines.map(line).collect())
}

/// The records of a file that can be ruled on; none if the file is not there.
fn records(file: &str) -> Option<Vec<Record>> {
    Some(table(file)?.iter().filter_map(record).collect())
}

/// A turn as the transcript has it: `pd` is column p and row d, `--` a pass.
fn written(place: &str) -> String {
    match place.as_bytes() {
        [column, row] if *column != b'-' => format!("{} {}", row - b'a' + 1, column - b'a' + 1),
        _ => "0 0".to_string(),
    }
}

#[expect(
    clippy::print_stderr,
    reason = "whoever runs the tests is to know what was not tested"
)]
fn skipped(file: &str) {
    eprintln!("skipped: {file} is not there; say in REFEREE_DATA which folder has `go/{file}`");
}

fn record(line: &BTreeMap<String, String>) -> Option<Record> {
    let mut turns = Vec::new();
    for (number, turn) in line["moves"].split(' ').enumerate() {
        let (colour, place) = turn.split_at_checked(1)?;
        if colour != ["B", "W"][number % 2] {
            return None;
        }
        turns.push(written(place));
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
        size: line["size"].clone(),
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

/// The first put that brings a position back is taboo where no position may come back, and no put before it; by the
/// rule of the game itself it is not.
#[test]
fn positions_come_back_where_it_is_recorded() {
    let Some(lines) = table("superko19.tsv") else {
        return;
    };
    let (superko, plain) = (load("weiqi+superko", &[]), load("weiqi", &[]));
    let mut number = 0;
    for line in &lines {
        let repeat: usize = line["first_repeat_ply"].parse().expect("it is a number");
        let moves: Vec<&str> = line["moves"].split(' ').take(repeat).collect();
        let alternate = moves
            .iter()
            .zip(["B", "W"].into_iter().cycle())
            .all(|(turn, colour)| turn.starts_with(colour));
        if !alternate || !line["setup"].is_empty() {
            continue;
        }
        number += 1;
        let turns: Vec<String> = moves
            .iter()
            .filter_map(|one| Some(written(one.get(1..)?)))
            .collect();
        let transcript = format!("{}\n0 0\n0 0\n-1 -1\n", turns.join("\n"));
        let refused = |game: &Game| {
            let outcome = run(game, None, transcript.as_bytes());
            assert!(outcome.failure.is_none(), "{}", outcome.drawn());
            let lines = outcome.report.lines();
            let lines = lines.filter(|line| line.contains("(taboo") || line.contains("(invalid"));
            lines.map(str::to_string).collect::<Vec<String>>()
        };
        let player = ["black", "white"][(repeat - 1) % 2];
        let point = turns[repeat - 1].replace(' ', ",");
        let taboo = format!("Turn {repeat} {player} pass (taboo point {point})");
        assert_eq!(refused(&superko), [taboo], "{}", line["id"]);
        assert!(refused(&plain).is_empty(), "{}", line["id"]);
    }
    assert_eq!(
        number, 144,
        "games without setup stones and with alternating colours"
    );
}
