//! `referee diff`: what two games say of the same transcripts.

use std::{cell::OnceCell, collections::BTreeMap, fmt::Write as _, path::PathBuf};

use clap_complete::ArgValueCompleter;
use referee::{
    diagnostic::numbered,
    failure::Failure,
    game::{Game, Watched},
    library::Library,
    stream::{Row, cause::Cause},
};

use super::{
    Exit, complete,
    difference::{NO_ROW, by_row},
    error::{Error, Result},
    inputs,
    output::{self, Formatted, write_json},
    pin::Pins,
    revision,
    screen::{Screen, is_quiet},
    settings::{self, Limited, Setting},
};
use schemars::JsonSchema;
use serde::Serialize;

/// The arguments of `diff`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// One game: its name, the path of a rule file, or `REV:PATH`, a file in a git revision; with variants,
    /// `GAME+VARIANT`
    #[arg(value_name = "A", add = ArgValueCompleter::new(complete::games))]
    one: String,
    /// The other game
    #[arg(value_name = "B", add = ArgValueCompleter::new(complete::games))]
    other: String,
    /// Transcripts: files, folders (all `.txt` and `.in` files below them), or `-` for standard input, which is also the default
    #[arg(value_name = "TRANSCRIPT")]
    inputs: Vec<PathBuf>,
    /// The form of the transcripts, if it is not the rule files' first
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(complete::forms))]
    transcript: Option<String>,
    /// The seed of `play by random`
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Sets an option of both games
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = settings::setting, add = ArgValueCompleter::new(complete::settings))]
    settings: Vec<Setting>,
    #[command(flatten)]
    formatted: Formatted,
    #[command(flatten)]
    limited: Limited,
}

/// Where the reports on a transcript first differ, and by what, for programs.
#[derive(JsonSchema, Serialize)]
struct Difference {
    /// The transcript.
    transcript: String,
    /// The first line of the reports that differs, from 1.
    line: usize,
    /// The line of the transcript; 0 before anything is read, `None` if no row is responsible.
    at: Option<usize>,
    /// What each game reports there.
    sides: [SideSays; 2],
    /// The option that is responsible for the difference: its name, and its value in each game.
    option: Option<(String, [String; 2])>,
    /// The later differences, each row once.
    later: Vec<Later>,
}

/// A further difference.
#[derive(JsonSchema, Serialize)]
struct Later {
    /// The line of the transcript.
    at: usize,
    /// The row of each game.
    rows: [Option<SideRow>; 2],
    /// The rows, as text.
    #[serde(skip)]
    shown: (String, String),
}

/// One game's side of the difference.
#[derive(JsonSchema, Serialize)]
struct SideSays {
    /// The line; `None` if the report has ended.
    says: Option<String>,
    /// The row responsible, if there is one.
    row: Option<SideRow>,
}

/// The row responsible.
#[derive(JsonSchema, Serialize)]
struct SideRow {
    /// Its name, as `owner.row`.
    name: String,
    /// Its file.
    file: String,
    /// Its line, from 1.
    line: usize,
}

impl SideRow {
    fn of((name, row): (String, &Row)) -> SideRow {
        SideRow {
            name,
            file: row.place.file.clone(),
            line: row.place.start.line,
        }
    }
}

/// The widest pair of lines that is shown side by side, in characters.
const WIDEST: usize = 100;

/// Stands for the end of a report.
const OVER: &str = "(nothing more)";

/// Shows where the two games' reports on each transcript first differ, and how many differ.
pub(super) fn diff(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    let settings = settings::values(&arguments.settings)?;
    let limits = arguments.limited.limits()?;
    let mut games = Vec::new();
    for name in [&arguments.one, &arguments.other] {
        let game = revision::load(library, name, &settings)?;
        let game = game.limited(limits);
        games.push((name.as_str(), game.with_seed(arguments.seed)));
    }
    let [one, other] = games.as_slice() else {
        return Ok(Exit::Usage);
    };
    let meant = inputs::meant(&arguments.inputs)?;
    for path in &meant.left_out {
        screen.note(&inputs::left_out(path));
    }
    let as_data = arguments.formatted.is_json();
    let (one, other) = (Side::new(one), Side::new(other));
    let options = options(one.game, other.game, |option, value| {
        let mut settings = settings.clone();
        settings.retain(|(name, _)| name != option);
        settings.push((option.to_string(), value.to_string()));
        let game = revision::load(library, other.name, &settings).ok()?;
        Some(game.limited(limits).with_seed(arguments.seed))
    });
    let mut found = Found::default();
    let mut exit = Exit::Done;
    for path in &meant.inputs {
        let (name, text) = inputs::read(path);
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                let error = Error::unreadable(&name, &error);
                error.show(screen);
                exit = exit.then(error.exit());
                continue;
            }
        };
        let pins = [one.game, other.game].map(|game| Pins::new(game).of_file(path));
        // A transcript is pinned to a single game, so only a mismatch with both is reported.
        if let [Some(differs), Some(_)] = pins.map(|pins| pins.into_iter().next()) {
            screen.warning(&differs.message, &differs.help);
        }
        let transcript = Transcript {
            form: arguments.transcript.as_deref(),
            name: &name,
            text: &text,
        };
        match compared(&one, &other, &options, transcript)? {
            Compared::Same { stopped } => {
                found.same += 1;
                found.stopped += usize::from(stopped);
            }
            Compared::Different(difference, cause) => {
                found.different += 1;
                let row = match (&difference.option, &cause) {
                    (Some((option, _)), _) => format!("option {option}"),
                    (None, Some(cause)) => cause.name(),
                    (None, None) => NO_ROW.to_string(),
                };
                *found.by_row.entry(row).or_default() += 1;
                if as_data {
                    found.differences.push(*difference);
                } else {
                    output::write(difference.drawn(&one, &other, cause.as_ref()))?;
                }
            }
        }
    }
    if as_data {
        write_json(&found)?;
    } else if !is_quiet() {
        output::write(found.summary())?;
    }
    if found.different > 0 {
        exit = exit.then(Exit::No);
    }
    Ok(exit)
}

/// One of the two games.
struct Side<'g> {
    name: &'g str,
    game: &'g Game,
    /// The game prepared for tracing, which is done only if there is a difference.
    watched: OnceCell<Watched<'g>>,
}

impl<'g> Side<'g> {
    fn new((name, game): &'g (&str, Game)) -> Side<'g> {
        Side {
            name,
            game,
            watched: OnceCell::new(),
        }
    }

    fn watched(&self) -> &Watched<'g> {
        self.watched.get_or_init(|| self.game.watched().thorough())
    }
}

/// An option that both games have, with different values.
struct Apart {
    name: String,
    values: [String; 2],
    /// The other game with the first one's value.
    alike: Option<Game>,
}

/// The options with different values. `set` returns the other game with an option set.
fn options(one: &Game, other: &Game, set: impl Fn(&str, &str) -> Option<Game>) -> Vec<Apart> {
    let others = other.options();
    let both = one.options().into_iter().filter_map(|option| {
        let other = others.iter().find(|other| other.name == option.name)?;
        (option.value != other.value).then(|| Apart {
            alike: set(&option.name, &option.value),
            name: option.name,
            values: [option.value, other.value.clone()],
        })
    });
    both.collect()
}

/// The result of comparing two reports.
enum Compared {
    /// Both reports are the same.
    Same {
        /// Whether the same error stops both games.
        stopped: bool,
    },
    /// The first difference, and the rows responsible.
    Different(Box<Difference>, Option<Cause>),
}

/// Compares the reports of both games on a transcript.
///
/// # Errors
/// If there is no transcript of this form.
fn compared(
    one: &Side<'_>,
    other: &Side<'_>,
    options: &[Apart],
    transcript: Transcript<'_>,
) -> Result<Compared, Failure> {
    let (left, stopped) = said(one.game, transcript)?;
    let (right, _) = said(other.game, transcript)?;
    let most = left.len().max(right.len());
    let Some(index) = (0..most).find(|index| left.get(*index) != right.get(*index)) else {
        return Ok(Compared::Same { stopped });
    };
    let Transcript { form, text, .. } = transcript;
    let causes = one.watched().causes(other.watched(), form, text, FURTHER);
    let mut causes = causes.into_iter();
    let (cause, at) = causes.next().unzip();
    let later = causes.map(|(cause, at)| Later {
        at,
        rows: cause.rows().map(|row| row.map(SideRow::of)),
        shown: cause.sides(),
    });
    // Whether setting this option alike removes the difference.
    let is_it = |apart: &&Apart| {
        let lines = apart.alike.as_ref().map(|game| said(game, transcript));
        matches!(lines, Some(Ok((lines, _))) if lines.get(..=index) == left.get(..=index))
    };
    let option = options.iter().find(is_it);
    let option = option.map(|apart| (apart.name.clone(), apart.values.clone()));
    let rows = cause.as_ref().map_or([None, None], Cause::rows);
    let [row, other_row] = rows.map(|row| row.map(SideRow::of));
    let line = |lines: &[String]| lines.get(index).cloned();
    let difference = Difference {
        transcript: transcript.name.to_string(),
        line: index + 1,
        at,
        sides: [
            SideSays {
                says: line(&left),
                row,
            },
            SideSays {
                says: line(&right),
                row: other_row,
            },
        ],
        option,
        later: later.collect(),
    };
    Ok(Compared::Different(Box::new(difference), cause))
}

impl Difference {
    /// The difference as text, with the names of both games and the rows responsible.
    fn drawn(&self, one: &Side<'_>, other: &Side<'_>, cause: Option<&Cause>) -> String {
        let [left, right] = &self.sides;
        let line = |side: &SideSays| side.says.clone().unwrap_or_else(|| OVER.to_string());
        let mut rows = vec![
            (one.name.to_string(), other.name.to_string()),
            (line(left), line(right)),
        ];
        let mut place = format!("line {} of the report differs", self.line);
        // Writing to a string cannot fail.
        let _ = match self.at {
            None => Ok(()),
            Some(0) => write!(place, ", before anything is read"),
            Some(line) => write!(place, ", at line {line} of the transcript"),
        };
        rows.extend(cause.map(Cause::sides));
        if let Some((option, [left, right])) = &self.option {
            let set = |value: &str| format!("option {option} = {value}");
            rows.push((set(left), set(right)));
        }
        let mut text = format!("{}: {place}\n{}\n", self.transcript, both_columns(&rows));
        for later in &self.later {
            let _ = writeln!(text, "  then at line {} of the transcript:", later.at);
            let _ = writeln!(text, "{}", both_columns(std::slice::from_ref(&later.shown)));
        }
        text
    }
}

/// The report of a game on a transcript, line by line, with the error that stops it at the end; and whether there is
/// one.
///
/// # Errors
/// If there is no transcript of this form.
fn said(game: &Game, transcript: Transcript<'_>) -> Result<(Vec<String>, bool), Failure> {
    let Transcript { form, name, text } = transcript;
    let mut report = Vec::new();
    let ended = game.run(form, name, &mut &*text, &mut report);
    let report = String::from_utf8_lossy(&report);
    let mut lines: Vec<String> = report.lines().map(ToString::to_string).collect();
    let stopped = ended.is_err();
    match ended {
        Ok(()) => {}
        Err(failure @ Failure::NoTranscript(_)) => return Err(failure),
        Err(failure) => {
            // The place in the transcript is part of the error: the same message may be about another line. That in the
            // rules is not: the same rule may be on another line there.
            let drawn = failure.draw(referee::diagnostic::Colour::Never);
            let headline = drawn.lines().next().unwrap_or_default().to_string();
            let data = failure
                .report()
                .map(|report| report.diagnostic.to_data(&report.sources));
            let mut labels = data.iter().flat_map(|data| &data.labels);
            let place = labels.find(|label| label.file == name);
            let place =
                place.map(|label| format!(" ({}:{})", label.start.line, label.start.column));
            lines.push(headline + &place.unwrap_or_default());
        }
    }
    Ok((lines, stopped))
}

/// Two columns of text, side by side or, if they are too wide, one below the other.
fn both_columns(rows: &[(String, String)]) -> String {
    let wide = |text: &str| text.chars().count();
    let width = |side: fn(&(String, String)) -> &str| {
        let widths = rows.iter().map(|row| wide(side(row)));
        widths.max().unwrap_or_default()
    };
    let (left, right) = (width(|row| &row.0), width(|row| &row.1));
    let lines = if left + right > WIDEST {
        let column = |side: fn(&(String, String)) -> &str| {
            let lines = rows.iter().map(side).enumerate();
            lines.map(|(index, line)| format!("  {}{line}", if index == 0 { "" } else { "  " }))
        };
        column(|row| &row.0)
            .chain(column(|row| &row.1))
            .collect::<Vec<_>>()
    } else {
        let lines = rows.iter();
        lines
            .map(|(one, other)| format!("  {one:left$} | {other}"))
            .collect()
    };
    lines.join("\n")
}

/// The total result.
#[derive(Default, JsonSchema, Serialize)]
pub(super) struct Found {
    /// How many reports are equal.
    same: usize,
    /// How many of these end with the same error: the rest of their transcripts was not compared.
    stopped: usize,
    /// How many reports differ.
    different: usize,
    /// How many reports differ because of each row.
    by_row: BTreeMap<String, usize>,
    /// Where and why each of them differs.
    // Collected only for JSON.
    differences: Vec<Difference>,
}

impl Found {
    /// `2 reports are the same, 3 differ: 2 by one.row, 1 by another.row`
    fn summary(&self) -> String {
        let are = if self.same == 1 { "is" } else { "are" };
        let differ = if self.different == 1 {
            "differs"
        } else {
            "differ"
        };
        let stopped = match (self.stopped, self.same) {
            (0, _) => String::new(),
            (1, 1) => " (it stops at an error)".to_string(),
            (1, _) => " (1 stops at an error)".to_string(),
            (count, _) => format!(" ({count} stop at an error)"),
        };
        let mut text = format!(
            "{} {are} the same{stopped}, {} {differ}",
            numbered(self.same, "report"),
            self.different
        );
        if self.different > 0 {
            let _ = write!(text, ": {}", by_row(&self.by_row));
        }
        text.push('\n');
        text
    }
}

/// The transcript and its name.
#[derive(Clone, Copy)]
struct Transcript<'t> {
    form: Option<&'t str>,
    name: &'t str,
    text: &'t [u8],
}

/// The number of events that are compared after the first difference.
const FURTHER: usize = 1000;
