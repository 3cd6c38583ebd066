//! Another engine's tests of its ko rules: a start position, turns, and after some of them the points that ko forbids.
//!
//! The start position and, for the simple ko, that loops tie nothing are a variant made for each test; positional and
//! situational ko and suicide are the shipped ones.

use std::fmt::Write as _;

use referee::{game::Game, library::Library};

use super::{json::Json, support::run, text_of};

/// One of the tests.
struct Test {
    name: String,
    game: Game,
    rows: usize,
    columns: usize,
    steps: Vec<Json>,
    expected: Vec<String>,
}

/// The variant of a test: its name says which others it is with.
fn variant(test: &Json) -> Option<String> {
    let suicide = test.entry("multi_stone_suicide")?.text()? == "true";
    let ko = test.entry("ko")?.text()?;
    let mut with = Vec::new();
    match ko {
        "KO_POSITIONAL" => with.push("superko"),
        "KO_SITUATIONAL" => with.push("situational"),
        _ => {}
    }
    if suicide {
        with.push("suicide");
    }
    let mut rules = "variant case of weiqi".to_string();
    if !with.is_empty() {
        let _ = write!(rules, " with {}", with.join(", "));
    }
    rules.push_str("\nreplace board = by row of p, column of p\n");
    for (row, points) in test.entry("board")?.list().iter().enumerate() {
        for (column, point) in points.text()?.chars().enumerate() {
            let stone = match point {
                'x' => "black",
                'o' => "white",
                _ => continue,
            };
            let _ = writeln!(rules, "  | {}, {} => {stone}", row + 1, column + 1);
        }
    }
    rules.push_str("  | any, any => none\n");
    if ko == "KO_SIMPLE" {
        rules.push_str("remove put.restart\nremove seen\n");
    }
    // What ko forbids is told apart from what would be dead.
    let dead = if suicide {
        "suicide and cleared is board"
    } else {
        "suicide"
    };
    let _ = writeln!(rules, "replace put.refused.suicide: \"dead\" when {dead}");
    Some(rules)
}

/// Reads a test.
fn test(line: &str) -> Option<Test> {
    let test = Json::read(line)?;
    let (rows, columns) = (
        test.entry("height")?.number()?,
        test.entry("width")?.number()?,
    );
    let settings = [("size", rows), ("columns", columns)];
    let settings = settings.map(|(name, value)| (name.to_string(), value.to_string()));
    let rules = variant(&test)?;
    let game = Game::from_text("case.rules", &rules, &Library::shipped(), &settings);
    let expected = test.entry("expected")?.list().iter();
    Some(Test {
        name: test.entry("name")?.text()?.to_string(),
        game: game.unwrap_or_else(|invalid| panic!("{invalid}")),
        rows,
        columns,
        steps: test.entry("steps")?.list().to_vec(),
        expected: expected
            .filter_map(|line| Some(line.text()?.to_string()))
            .collect(),
    })
}

impl Test {
    /// Whether the last of these turns is refused because of ko.
    fn is_forbidden(&self, turns: &[String]) -> bool {
        let outcome = run(&self.game, None, (turns.join("\n") + "\n").as_bytes());
        let last = format!("Turn {} ", turns.len());
        let mut lines = outcome.report.lines();
        lines.any(|line| line.starts_with(&last) && line.contains("(taboo point"))
    }

    /// What is said, as the engine says it.
    fn said(&self) -> Vec<String> {
        let mut said = Vec::new();
        let mut turns: Vec<String> = Vec::new();
        for step in &self.steps {
            let words: Vec<&Json> = step.list().iter().collect();
            match (words[0].text(), words[1].text()) {
                (Some("say"), Some(text)) => said.push(text.to_string()),
                (Some("move"), Some(colour)) => {
                    assert_eq!(colour, ["B", "W"][turns.len() % 2], "{}", self.name);
                    turns.push(match words[2].list() {
                        [column, row] => format!(
                            "{} {}",
                            row.number().expect("a row") + 1,
                            column.number().expect("a column") + 1
                        ),
                        _ => "0 0".to_string(),
                    });
                }
                (Some("list_illegal"), Some(colour)) => {
                    assert_eq!(colour, ["B", "W"][turns.len() % 2], "{}", self.name);
                    let mark = ["X", "O"][turns.len() % 2];
                    for row in 0..self.rows {
                        for column in 0..self.columns {
                            turns.push(format!("{} {}", row + 1, column + 1));
                            if self.is_forbidden(&turns) {
                                said.push(format!("Illegal: ({column},{row}) {mark}"));
                            }
                            turns.pop();
                        }
                    }
                }
                other => panic!("{}: {other:?}", self.name),
            }
        }
        // All turns were made: none of them was refused, and nothing ended the game before the last.
        let outcome = run(&self.game, None, (turns.join("\n") + "\n").as_bytes());
        let refused = outcome.report.lines().find(|line| line.contains("pass ("));
        let refused = refused.filter(|line| !line.ends_with("(by player)"));
        assert_eq!(refused, None, "{}", self.name);
        said
    }
}

#[test]
fn ko_forbids_what_another_engine_says() {
    let Some(text) = text_of("ko_rules.jsonl") else {
        return;
    };
    let tests: Vec<Test> = text
        .lines()
        .map(|line| test(line).unwrap_or_else(|| panic!("{line}")))
        .collect();
    assert_eq!(tests.len(), 8);
    for test in tests {
        assert_eq!(test.said(), test.expected, "{}", test.name);
    }
}
