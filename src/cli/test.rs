//! `referee test`: runs the transcripts beside rule files, and compares the reports with the expected ones.

mod blame;
mod case;
mod examples;
mod find;
mod junit;
pub(super) mod label;
mod review;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    ffi::OsStr,
    fmt::Write as _,
    fs::File,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::ValueEnum;
use referee::{
    diagnostic::{Colour, masked, masked_line},
    game::Game,
    library::Library,
    limits::Limits,
};

use super::{
    Exit,
    difference::{self, NO_ROW},
    error::{Error, Result},
    inputs,
    output::{self, Formatted, write_json},
    pin::{Differs, Pins},
    screen::{Screen, is_quiet},
    settings::Limited,
    watch::Watch,
};
use case::Outcome;
pub(super) use case::judged;
use examples::Ran;
use find::Case;
use label::Label;
use review::{Answer, Review};
use schemars::JsonSchema;
use serde::Serialize;

/// The arguments of `test`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// What to test: folders with all tests in them, rule files with the tests of their games, or single tests
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Only runs tests whose path contains this text; can be repeated
    #[arg(long = "filter", value_name = "TEXT")]
    filters: Vec<String>,
    /// Writes the reports that are missing or different
    #[arg(long)]
    bless: bool,
    /// Shows each report that is missing or different, and asks whether to write it
    #[arg(long, conflicts_with = "bless")]
    review: bool,
    /// Groups the reports that differ by the row that the first difference comes from
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with = "review")]
    group_by: Option<Group>,
    /// Stops after the first failure
    #[arg(long)]
    fail_fast: bool,
    /// Also writes the results to a file as `JUnit` XML, for servers
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    formatted: Formatted,
    #[command(flatten)]
    limited: Limited,
    #[command(flatten)]
    pub(super) again: Watch,
}

/// What outputs that are different are put together by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    // Help of its own would make that of the whole command as long as a manual.
    Row,
}

/// A test that was run.
struct Ended {
    /// The path of its transcript; for an example, that of its rule file with the example's name.
    name: String,
    /// Its folder; for an example, its rule file.
    within: String,
    /// Its name there.
    called: String,
    outcome: Outcome,
    took: Duration,
}

impl Ended {
    fn example(example: Ran) -> Ended {
        Ended {
            name: example.name(),
            within: example.file,
            called: example.example.unwrap_or_default(),
            outcome: match example.wrong {
                None => Outcome::Passed,
                Some(wrong) => Outcome::Broken(wrong),
            },
            took: example.took,
        }
    }

    fn case(case: &Case, outcome: Outcome, took: Duration) -> Ended {
        let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        Ended {
            name: case.name.clone(),
            within: part(case.input.parent().map(Path::as_os_str)),
            called: part(case.input.file_stem()),
            outcome,
            took,
        }
    }
}

/// A test's result.
#[derive(JsonSchema, Serialize)]
struct Told {
    /// The path of the transcript, or that of a rule file and the name of its example.
    name: String,
    /// `passed`, `written`, `failed`, or `broken` if it could not be run or an example does not hold.
    outcome: &'static str,
    /// The row responsible for the first different line, if there is one.
    row: Option<String>,
    /// What is wrong, as text.
    why: Option<String>,
}

/// All results.
#[derive(JsonSchema, Serialize)]
pub(super) struct Results {
    /// How many tests passed.
    passed: usize,
    /// How many reports `--bless` wrote.
    written: usize,
    /// How many tests failed or are broken.
    failed: usize,
    /// How many tests were not run, because `--fail-fast` stopped after a failure.
    not_run: usize,
    /// The tests.
    tests: Vec<Told>,
}

/// Runs the selected tests.
pub(super) fn test(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    if arguments.review && !io::stdin().is_terminal() {
        return Err(Error::usage(
            "`--review` asks, and standard input is not a terminal",
        ));
    }
    let as_data = arguments.formatted.is_json();
    if as_data && (arguments.review || arguments.group_by.is_some()) {
        return Err(Error::usage(
            "`--review` and `--group-by` are for people: leave `--format` out",
        ));
    }
    let colour = if as_data {
        Colour::Never
    } else {
        output::colour()
    };
    let show = |outcome: &Outcome, text: String| {
        if as_data || is_quiet() && !outcome.is_failure() {
            return Ok(());
        }
        output::write_drawn(text, colour)
    };
    let wrong = |error: Error| {
        error.with_help("a test is a transcript `NAME.in` with the report `NAME.out` beside it")
    };
    let examples = examples::run(&arguments.paths, &arguments.filters, library, colour);
    let examples = examples.map_err(wrong)?;
    let all = selected(arguments, library, examples.is_empty()).map_err(wrong)?;
    let mut tests = Tests {
        library,
        limits: arguments.limited.limits()?,
        games: BTreeMap::new(),
    };
    let mut ended: Vec<Ended> = Vec::new();
    for example in examples {
        let one = Ended::example(example);
        show(&one.outcome, line(&one.name, &one.outcome, None))?;
        ended.push(one);
    }
    let mut review = Review::default();
    let before = ended.len();
    let has_failed = ended.iter().any(|one| one.outcome.is_failure());
    let cases = if arguments.fail_fast && has_failed {
        &[]
    } else {
        all.as_slice()
    };
    for (number, case) in cases.iter().enumerate() {
        let mut ends = false;
        let began = Instant::now();
        let (mut outcome, pins) = tests.run(case);
        let took = began.elapsed();
        for differs in pins {
            screen.warning(&differs.message, &differs.help);
        }
        if arguments.bless {
            outcome = blessed(&case.output(), outcome)?;
        }
        let grouped = arguments.group_by.is_some() && outcome.differs();
        let text = told(case, &outcome, (!grouped).then_some(colour));
        show(&outcome, text)?;
        if arguments.review && outcome.differs() {
            let undo = |review: &mut Review| -> anyhow::Result<()> {
                let undone = review.undo()?;
                let Some((undone, case)) =
                    undone.and_then(|undone| Some((undone, cases.get(undone)?)))
                else {
                    return output::write("nothing was accepted\n");
                };
                if let Some(one) = ended.get_mut(before + undone) {
                    one.outcome = tests.run(case).0;
                }
                output::write(format!("undone  {}\n", masked_line(&case.name)))
            };
            match review.answered(outcome.row().as_deref(), undo)? {
                Answer::Accept => {
                    review.accepts(number, &case.output());
                    outcome = blessed(&case.output(), outcome)?;
                }
                Answer::Skip => {}
                Answer::Quit => ends = true,
            }
        }
        ends = ends || arguments.fail_fast && outcome.is_failure();
        ended.push(Ended::case(case, outcome, took));
        if ends {
            break;
        }
    }
    let not_run = all.get(ended.len() - before..).unwrap_or_default();
    write_results(arguments, &ended, not_run, colour)?;
    Ok(if ended.iter().any(|one| one.outcome.is_failure()) {
        Exit::No
    } else {
        Exit::Done
    })
}

/// Writes the number of tests with each result, and the requested files.
fn write_results(
    arguments: &Arguments,
    ended: &[Ended],
    not_run: &[Case],
    colour: Colour,
) -> anyhow::Result<()> {
    if arguments.group_by.is_some() {
        output::write_drawn(groups(ended, colour), colour)?;
    }
    let counts = Counts::of(ended, ended.len() + not_run.len());
    if arguments.formatted.is_json() {
        write_json(results(ended, &counts))?;
    } else if !is_quiet() || counts.failed > 0 {
        output::write(counts.summary())?;
    }
    if let Some(path) = &arguments.junit {
        output::replace(path, junit::written(ended, not_run))?;
    }
    Ok(())
}

/// The selected tests.
///
/// # Errors
/// If there are none.
fn selected(arguments: &Arguments, library: &Library, is_all: bool) -> Result<Vec<Case>> {
    let mut cases = find::cases(&arguments.paths, library)?;
    let filters = &arguments.filters;
    cases.retain(|case| {
        filters.is_empty() || filters.iter().any(|filter| case.name.contains(filter))
    });
    if cases.is_empty() && is_all {
        return Err(Error::usage("there are no tests here"));
    }
    Ok(cases)
}

/// Runs tests, and loads each game once.
struct Tests<'l> {
    library: &'l Library,
    limits: Limits,
    games: BTreeMap<Label, Result<Game, String>>,
}

impl Tests<'_> {
    /// Runs a test, which may be pinned to other rules.
    fn run(&mut self, case: &Case) -> (Outcome, Vec<Differs>) {
        let label = match &case.label {
            Ok(label) => label,
            Err(message) => return (Outcome::Broken(message.clone()), Vec::new()),
        };
        let (library, limits) = (self.library, self.limits);
        let game = self.games.entry(label.clone()).or_insert_with(|| {
            Game::load(library, &label.game, &label.settings)
                .map(|game| game.limited(limits))
                .map_err(|unloaded| unloaded.to_string())
        });
        match game {
            Ok(game) => (
                case::run(game, label.form.as_deref(), case),
                Pins::new(game).of_file(&case.input),
            ),
            Err(message) => (Outcome::Broken(message.clone()), Vec::new()),
        }
    }
}

/// Writes a new expected report if it differs. What the transcript itself expects is not changed.
fn blessed(path: &Path, outcome: Outcome) -> anyhow::Result<Outcome> {
    let Outcome::Failed(mut failed) = outcome else {
        return Ok(outcome);
    };
    if !failed.differs {
        return Ok(Outcome::Failed(failed));
    }
    output::replace(path, &failed.said)?;
    failed.differs = false;
    Ok(if failed.unmet.is_some() {
        Outcome::Failed(failed)
    } else {
        Outcome::Blessed
    })
}

/// The line about a test. It says how the test failed only if that is not shown elsewhere.
fn told(case: &Case, outcome: &Outcome, colour: Option<Colour>) -> String {
    let why = match outcome {
        Outcome::Broken(message) => Some(format!("{}\n", masked(message.trim_end()))),
        _ => colour.and_then(|colour| outcome.why(&case.output(), colour)),
    };
    line(&case.name, outcome, why)
}

/// The line about a test, with why it failed; for an example, the outcome says so.
fn line(name: &str, outcome: &Outcome, why: Option<String>) -> String {
    let word = match outcome {
        Outcome::Passed => "ok",
        Outcome::Blessed => "written",
        Outcome::Failed(_) | Outcome::Broken(_) => "FAILED",
    };
    let mut text = format!("{word:7} {}\n", masked_line(name));
    match (why, outcome) {
        (Some(why), _) => text.push_str(&why),
        (None, Outcome::Broken(message)) => {
            text.push_str(message);
            text.push('\n');
        }
        _ => {}
    }
    text
}

/// The different reports, grouped by the rows responsible: the largest group first, with the difference of its first
/// test.
fn groups(ended: &[Ended], colour: Colour) -> String {
    let mut groups: BTreeMap<String, Vec<&Ended>> = BTreeMap::new();
    for one in ended.iter().filter(|one| one.outcome.differs()) {
        let row = one.outcome.row().unwrap_or_else(|| NO_ROW.to_string());
        groups.entry(row).or_default().push(one);
    }
    let mut groups: Vec<(String, Vec<&Ended>)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, members)| Reverse(members.len()));
    let mut text = String::new();
    for (row, members) in groups {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{} by {}", members.len(), masked_line(&row));
        for one in &members {
            let _ = writeln!(text, "  {}", masked_line(&one.name));
        }
        let first = members.first();
        let why = first.and_then(|one| {
            let path = find::output_of(Path::new(&one.name));
            one.outcome.why(&path, colour)
        });
        text.push_str(&why.unwrap_or_default());
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// The number of tests with each result.
struct Counts {
    passed: usize,
    written: usize,
    failed: usize,
    not_run: usize,
}

impl Counts {
    fn of(ended: &[Ended], selected: usize) -> Counts {
        let count = |is: fn(&Outcome) -> bool| ended.iter().filter(|one| is(&one.outcome)).count();
        Counts {
            passed: count(|outcome| matches!(outcome, Outcome::Passed)),
            written: count(|outcome| matches!(outcome, Outcome::Blessed)),
            failed: count(Outcome::is_failure),
            not_run: selected - ended.len(),
        }
    }

    fn summary(&self) -> String {
        let counts = [
            (self.passed, "passed"),
            (self.written, "written"),
            (self.failed, "failed"),
            (self.not_run, "not run"),
        ];
        let some = counts.iter().filter(|(count, _)| *count > 0);
        let some: Vec<String> = some
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        format!("{}\n", some.join(", "))
    }
}

/// The results as JSON.
fn results(ended: &[Ended], counts: &Counts) -> Results {
    let tests = ended.iter().map(|one| Told {
        name: one.name.clone(),
        outcome: one.outcome.word(),
        row: one.outcome.row_name(),
        why: one
            .outcome
            .why(&find::output_of(Path::new(&one.name)), Colour::Never),
    });
    Results {
        passed: counts.passed,
        written: counts.written,
        failed: counts.failed,
        not_run: counts.not_run,
        tests: tests.collect(),
    }
}

/// The bytes of a file; `None` if it does not exist.
fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match File::open(path).and_then(inputs::all) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("`{}` cannot be read: {error}", path.display())),
    }
}
