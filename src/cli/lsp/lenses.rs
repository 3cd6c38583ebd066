//! What stands above rows, examples and tests: how many cases reach a row and how many would notice if it were gone, and
//! whether an example holds or a test passes.
//!
//! To find that out takes longer than an editor waits. A thread of its own does it when a file is opened or saved; until
//! it is done, and while somebody types, the lines that stayed as they were keep what was found before.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use lsp_server::{Message, Request};
use lsp_types::{CodeLens, Command, Position, Range};
use referee::{
    diagnostic::numbered,
    game::{
        Game,
        cover::{Cover, CoveredRow},
        has_expectations,
    },
    ide::Label,
    library::Library,
};

use super::{
    super::{cover::trials, test::judged},
    REPORT, TRANSCRIPT,
};

/// The command of an editor that runs an example or a test; those that do not know it show what came of it all the same.
const RUN: &str = "referee.test";

/// What is found of files, and who finds it.
pub(super) struct Lenses {
    jobs: Sender<Job>,
    /// The files that were looked at, with what was found unless their games are not valid.
    done: Receiver<(String, Option<Found>)>,
    /// The files that are looked at; with a further job if something changed meanwhile, so that they are looked at again.
    waiting: BTreeMap<String, Option<Job>>,
    found: BTreeMap<String, Found>,
    /// How often the editor was told to ask again; nothing if it does not want to be told.
    refreshed: Option<i32>,
}

/// A file to be looked at.
pub(super) struct Job {
    pub(super) file: String,
    /// With all files as they are now.
    pub(super) library: Library,
    /// What it is a test of, and its text, if it is no rule file.
    pub(super) test: Option<(Label, String)>,
}

/// What was found of a file.
struct Found {
    /// Its text then.
    text: String,
    /// The lines, from 0, with what stands above them.
    lines: Vec<(usize, String, Option<Command>)>,
}

impl Lenses {
    /// `folders` are those in which cases are looked for where none lie beside the rule file.
    pub(super) fn new(wants_refresh: bool, folders: Vec<PathBuf>) -> Lenses {
        let (jobs, todo) = channel::<Job>();
        let (tell, done) = channel();
        // It ends when nobody listens any more; at the end of the program, whatever it does is lost.
        thread::spawn(move || {
            while let Ok(job) = todo.recv() {
                let found = catch_unwind(AssertUnwindSafe(|| match &job.test {
                    None => find(&job.file, &job.library, &folders),
                    Some(test) => tried(&job.file, &job.library, test),
                }));
                if tell.send((job.file, found.unwrap_or_default())).is_err() {
                    return;
                }
            }
        });
        Lenses {
            jobs,
            done,
            waiting: BTreeMap::new(),
            found: BTreeMap::new(),
            refreshed: wants_refresh.then_some(0),
        }
    }

    /// Has a file looked at.
    pub(super) fn want(&mut self, job: Job) {
        let file = job.file.clone();
        if let Some(again) = self.waiting.get_mut(&file) {
            *again = Some(job);
        } else if self.jobs.send(job).is_ok() {
            self.waiting.insert(file, None);
        }
    }

    /// Whether something is looked for.
    pub(super) fn is_busy(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Takes in what was found, and gives what the editor is to be told.
    pub(super) fn news(&mut self) -> Option<Message> {
        let mut is_new = false;
        while let Ok((file, found)) = self.done.try_recv() {
            if let Some(Some(job)) = self.waiting.remove(&file) {
                self.want(job);
            }
            if let Some(found) = found {
                self.found.insert(file, found);
                is_new = true;
            }
        }
        let number = self.refreshed.as_mut().filter(|_| is_new)?;
        *number += 1;
        let method = "workspace/codeLens/refresh".to_string();
        Some(Request::new((*number).into(), method, ()).into())
    }

    /// What stands above the lines of a file that has this text now.
    pub(super) fn of(&self, file: &str, text: &str) -> Vec<CodeLens> {
        let Some(found) = self.found.get(file) else {
            return Vec::new();
        };
        let now = moved(&found.text, text);
        let lenses = found.lines.iter().filter_map(|(line, title, command)| {
            let place = Position::new(u32::try_from(now(*line)?).ok()?, 0);
            let plain = || Command::new(title.clone(), String::new(), None);
            Some(CodeLens {
                range: Range::new(place, place),
                command: Some(command.clone().unwrap_or_else(plain)),
                data: None,
            })
        });
        lenses.collect()
    }
}

/// Where the lines of a text stand in what became of it by changes in one place; those that changed stand nowhere.
fn moved(old: &str, new: &str) -> impl Fn(usize) -> Option<usize> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = |(old, new): &(&&str, &&str)| old == new;
    let before = old.iter().zip(&new).take_while(same).count();
    let rest = old.len().min(new.len()) - before;
    let ends = old.iter().rev().zip(new.iter().rev());
    let after = ends.take(rest).take_while(same).count();
    let (old, new) = (old.len(), new.len());
    move |line| match line {
        _ if line < before => Some(line),
        _ if line >= old - after => (line + new).checked_sub(old),
        _ => None,
    }
}

/// Runs the cases of a file; nothing if its game is not valid.
fn find(file: &str, library: &Library, folders: &[PathBuf]) -> Option<Found> {
    let text = library.find(file).ok()?.text;
    let game = Game::load(library, file, &[]).ok()?;
    let mut trials = trials::beside(&game, file, library);
    if trials.is_empty() {
        trials = trials::within(&game, file, library, folders);
    }
    let cover = game.cover(&trials).ok();
    let cover = cover.filter(|cover| cover.trials + cover.examples > 0);
    let mut lines = cover.map_or(Vec::new(), |cover| rows(&cover, file));
    for example in game.examples() {
        let title = match example.wrong.as_slice() {
            [] => "holds",
            _ => "does not hold", // why not is shown as a mistake
        };
        let title = title.to_string();
        let is_it = |line: &str| {
            let rest = line.strip_prefix("example ").unwrap_or("").trim_start();
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            rest.get(..end.unwrap_or(rest.len())) == Some(example.name.as_str())
        };
        if let Some(line) = text.lines().position(is_it) {
            let arguments = vec![file.into(), example.name.into()];
            let command = Command::new(title.clone(), RUN.to_string(), Some(arguments));
            lines.push((line, title, Some(command)));
        }
    }
    Some(Found { text, lines })
}

/// Runs a test; nothing if its game is not valid.
fn tried(file: &str, library: &Library, (label, text): &(Label, String)) -> Option<Found> {
    let game = Game::load(library, &label.game, &label.settings).ok()?;
    let path = Path::new(file);
    let wanted = fs::read(path.with_extension(REPORT)).ok();
    let is_test = wanted.is_some() || has_expectations(text.as_bytes());
    let name = path.file_name()?.to_string_lossy();
    let transcript = (&*name, text.as_bytes());
    let needs_report = path.extension().is_some_and(|it| it == TRANSCRIPT);
    let outcome = || {
        judged(
            &game,
            label.form.as_deref(),
            transcript,
            wanted,
            needs_report,
        )
    };
    let title = is_test.then(outcome).and_then(|outcome| outcome.title());
    let lines = title.map(|title| {
        let command = Command::new(title.clone(), RUN.to_string(), Some(vec![file.into()]));
        (0, title, Some(command))
    });
    Some(Found {
        text: text.clone(),
        lines: lines.into_iter().collect(),
    })
}

/// What is said of the rows of a file; several on a line are told apart by their names.
fn rows(cover: &Cover, file: &str) -> Vec<(usize, String, Option<Command>)> {
    let mut lines: BTreeMap<usize, Vec<&CoveredRow>> = BTreeMap::new();
    let place = cover.files.iter().position(|(name, _)| name == file);
    let rows = cover.rows.iter();
    for row in rows.filter(|row| Some(row.file) == place && row.label.is_some()) {
        lines.entry(row.line.max(1) - 1).or_default().push(row);
    }
    let told = lines.into_iter().map(|(line, rows)| {
        let mut title = String::new();
        for row in &rows {
            if !title.is_empty() {
                title.push_str("; ");
            }
            if let (true, Some(label)) = (rows.len() > 1, &row.label) {
                // Writing to a string cannot fail.
                let _ = write!(title, "{label}: ");
            }
            title.push_str(&reached(row));
        }
        (line, title, None)
    });
    told.collect()
}

/// How many cases reach a row, in words.
fn reached(row: &CoveredRow) -> String {
    let cases = usize::try_from(row.cases).unwrap_or(usize::MAX);
    if cases == 0 {
        return format!("no case reaches it: {}", row.reason_told());
    }
    let notice = match row.changed {
        Some(0) => ", none notices its removal".to_string(),
        Some(1) => ", 1 notices its removal".to_string(),
        Some(count) => format!(", {count} notice its removal"),
        None => String::new(),
    };
    let verb = if cases == 1 { "reaches" } else { "reach" };
    format!("{} {verb} it{notice}", numbered(cases, "case"))
}
