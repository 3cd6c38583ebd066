//! What `why` says of every line of a case, for one case or more of every shipped game and variant:
//! `why/<folder>/<case>.snap` for `transcripts/<folder>/<case>.txt`, row by row, and `<case>.short.snap` in a few
//! sentences; as data each is as `docs/why.schema.json` says. Adding a case is adding an empty snapshot.
//!
//! Of a case that shows what goes wrong (`impossible-…`, `refused-…`, `text-…`) only that is told: what leads there is
//! like other cases. `why/<folder>/<case>.asked` has questions, a line each: the number of a line, and what did not
//! happen on it; or, after `=`, an expression that is asked there.

mod support;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use jsonschema::Validator;
use rayon::prelude::*;
use referee::{
    diagnostic::Colour,
    explanation::{
        By, Cause, DEPTH_OF_SENTENCES, Effect, Event, Explanation, Expression, Fact, Failed, Query,
        RowPlace, Unfired, Value,
    },
    failure::Failure,
};
use support::{Folder, load, schema, violations};

/// The schema in `docs/`.
const SCHEMA: &str = "why.schema.json";

/// How a case is called that shows what goes wrong.
const WRONG: [&str; 3] = ["impossible-", "refused-", "text-"];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"))
}

fn query(folder: &Folder, line: usize, not: Option<&str>) -> Query {
    Query {
        form: folder.form.clone(),
        line: Some(line),
        depth: 3,
        not: not.map(str::to_string),
        ..Query::default()
    }
}

/// The same question, as it is asked for a few sentences.
fn deep(query: Query) -> Query {
    Query {
        depth: DEPTH_OF_SENTENCES,
        ..query
    }
}

/// An explanation row by row, and in a few sentences. As data it is as the schema says.
fn drawn(
    told: Result<Explanation, Failure>,
    deeper: Result<Explanation, Failure>,
    schema: &Validator,
) -> [String; 2] {
    match told {
        Ok(told) => {
            let few = deeper.expect("it is explained").draw(Colour::Never);
            let data = serde_json::to_value(&told).expect("it is data");
            let found = violations(&data, schema);
            assert!(found.is_empty(), "{found}");
            [told.trace(Colour::Never), few]
        }
        Err(failure) => [failure.draw(Colour::Never) + "\n", String::new()],
    }
}

/// A line of a case is explained in at most so many lines, and half of them in no more than so few.
const LONGEST: usize = 25;
const MEDIAN: usize = 5;

/// Of so many values that are shown, one may rest on a name that is not.
const MOST_UNKNOWN: usize = 5;

fn is_wrong(event: &Event) -> bool {
    let mut effects = event.effects.iter();
    effects.any(|effect| matches!(effect, Effect::Impossible { .. } | Effect::Refused { .. }))
}

/// What is said of each line.
fn explained(
    folder: &Folder,
    transcript: &[u8],
    only_wrong: bool,
    schema: &Validator,
) -> [Vec<String>; 2] {
    let lines = transcript.split(|byte| *byte == b'\n').count();
    let mut all = [Vec::new(), Vec::new()];
    let blank: Vec<bool> = transcript
        .split(|byte| *byte == b'\n')
        .map(|line| line.trim_ascii().is_empty())
        .collect();
    let said = blank.iter().rposition(|blank| !blank);
    for line in 1..=lines {
        // What a blank line has to say is said by the next one.
        if blank[line - 1] && said.is_some_and(|said| line <= said) {
            continue;
        }
        let query = query(folder, line, None);
        let mut told = folder.game.explain(&query, "transcript", transcript);
        let mut deeper = folder.game.explain(&deep(query), "transcript", transcript);
        match &mut told {
            Ok(told) if only_wrong => {
                told.events.retain(is_wrong);
                if let Ok(deeper) = &mut deeper {
                    deeper.events.retain(is_wrong);
                }
                if told.events.is_empty() && told.stopped.is_none() {
                    continue;
                }
            }
            // Nothing is read from it, or an earlier line is told of already.
            Err(Failure::NotPlaying(_) | Failure::Transcript(_)) => continue,
            _ => {}
        }
        for (all, one) in all.iter_mut().zip(drawn(told, deeper, schema)) {
            all.push(one);
        }
    }
    all
}

fn snapshot(folder: &Path, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The folders of cases that were loaded.
#[derive(Default)]
struct Folders(RefCell<BTreeMap<String, Rc<Folder>>>);

impl Folders {
    fn get(&self, name: &str) -> Rc<Folder> {
        let mut loaded = self.0.borrow_mut();
        let folder = loaded.entry(name.to_string());
        Rc::clone(folder.or_insert_with(|| Rc::new(Folder::new(name))))
    }
}

/// A file of the cases: its folder, its name up to the first dot, and the transcript.
fn case(path: &Path) -> (&Path, String, String, Vec<u8>) {
    let folder = path.parent().expect("a case lies in a folder");
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = file.split('.').next().unwrap_or_default().to_string();
    let transcript = root()
        .join("transcripts")
        .join(&*name)
        .join(format!("{stem}.txt"));
    let transcript = fs::read(transcript).expect("the case is there");
    (folder, name.into_owned(), stem, transcript)
}

/// Whether a snapshot stands beside that of its case.
fn is_beside(path: &Path) -> bool {
    let path = path.to_string_lossy();
    path.ends_with(".asked.snap") || path.ends_with(".short.snap")
}

fn joined(told: &[String]) -> String {
    told.iter().flat_map(|told| [told.as_str(), "\n"]).collect()
}

#[test]
fn cases() {
    let schema = schema(SCHEMA);
    let folders = Folders::default();
    let lengths = RefCell::<Vec<usize>>::default();
    insta::glob!("why/*/*.snap", |path| {
        if is_beside(path) {
            return;
        }
        let (folder, name, stem, transcript) = case(path);
        let game = folders.get(&name);
        let only_wrong = WRONG.iter().any(|wrong| stem.starts_with(wrong));
        let [rows, short] = explained(&game, &transcript, only_wrong, &schema);
        snapshot(folder, &stem, &joined(&rows));
        snapshot(folder, &format!("{stem}.short"), &joined(&short));
        lengths
            .borrow_mut()
            .extend(short.iter().map(|text| text.lines().count()));
    });
    let mut lengths = lengths.into_inner();
    lengths.sort_unstable();
    assert!(lengths[lengths.len() / 2] <= MEDIAN);
    assert!(lengths.last().is_some_and(|most| *most <= LONGEST));
}

#[test]
fn what_did_not_happen() {
    let schema = schema(SCHEMA);
    let folders = Folders::default();
    insta::glob!("why/*/*.asked", |path| {
        let (folder, name, stem, transcript) = case(path);
        let game = folders.get(&name);
        let (mut text, mut short) = (String::new(), String::new());
        let questions = fs::read_to_string(path).expect("the questions are there");
        for question in questions.lines() {
            let (line, not) = question.split_once(' ').expect("a line and a name");
            let line = line.parse().expect("the number of a line");
            let (option, asked) = match not.strip_prefix("= ") {
                Some(of) => {
                    let of = Some(of.to_string());
                    (
                        "--of",
                        Query {
                            of,
                            ..query(&game, line, None)
                        },
                    )
                }
                None => ("--not", query(&game, line, Some(not))),
            };
            let not = not.trim_start_matches("= ");
            let query = asked;
            let told = game.game.explain(&query, "transcript", &transcript);
            let deeper = game.game.explain(&deep(query), "transcript", &transcript);
            let [rows, few] = drawn(told, deeper, &schema);
            writeln!(text, "{option} {not}\n{rows}").expect("a string takes all");
            if !few.is_empty() {
                writeln!(short, "{option} {not}\n{few}").expect("a string takes all");
            }
        }
        snapshot(folder, &format!("{stem}.asked"), &text);
        snapshot(folder, &format!("{stem}.asked.short"), &short);
    });
}

#[test]
fn every_shipped_game_and_variant_has_one() {
    let cases: Vec<String> = fs::read_dir(root().join("why"))
        .expect("the cases are there")
        .map(|folder| {
            let folder = folder.expect("the cases are there").file_name();
            folder.to_string_lossy().into_owned()
        })
        .collect();
    let rules = root().join("../rules");
    for entry in fs::read_dir(rules).expect("the rules are there") {
        let path = entry.expect("the rules are there").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut wanted = Vec::new();
        if path.is_dir() {
            for variant in load(&name, &[]).variants() {
                wanted.push(format!("{name}+{}", variant.name));
            }
        } else {
            wanted.push(name.into_owned());
        }
        for name in wanted {
            let has = |folder: &String| {
                let rest = folder.strip_prefix(&name);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ',']))
            };
            assert!(cases.iter().any(has), "{name}");
        }
    }
}

/// What a line comes to.
fn outcome(told: &Explanation) -> String {
    let mut text = String::new();
    for event in &told.events {
        let _ = write!(
            text,
            "{} {:?} {:?}",
            event.event, event.fields, event.sentences
        );
        for effect in &event.effects {
            let _ = match effect {
                Effect::Said { text: said, .. } => write!(text, "\nsaid {said}"),
                Effect::Impossible { text: why, .. } => write!(text, "\nnot {why}"),
                Effect::Refused { fact } => write!(text, "\nrefused {:?}", fact.value),
                Effect::Over { .. } => write!(text, "\nover"),
                Effect::Restarted { .. } => write!(text, "\nagain"),
                Effect::Changed {
                    name,
                    old,
                    new,
                    gains,
                    loses,
                    ..
                } => write!(text, "\n{name} {old:?} {new:?} {gains:?} {loses:?}"),
            };
        }
    }
    if let Some(stopped) = &told.stopped {
        text.push_str(&stopped.message);
    }
    text
}

/// The rows that made something so, and those of the facts below.
fn rows(causes: &[Cause], named: &mut BTreeSet<RowPlace>) {
    for cause in causes {
        if let Some(row) = &cause.row {
            named.insert(RowPlace {
                row: row.clone(),
                file: cause.file.clone(),
                at: cause.at,
            });
        }
        for fact in &cause.facts {
            rows(&fact.causes, named);
        }
    }
}

fn rows_of(event: &Event) -> BTreeSet<RowPlace> {
    let mut named = BTreeSet::new();
    match &event.by {
        By::Policy {
            decision: Some(decision),
            ..
        }
        | By::Follows {
            decision: Some(decision),
        } => rows(std::slice::from_ref(&decision.chosen), &mut named),
        _ => {}
    }
    for effect in &event.effects {
        match effect {
            Effect::Said { cause, .. } | Effect::Impossible { cause, .. } => {
                rows(std::slice::from_ref(cause), &mut named);
            }
            Effect::Changed { causes, .. } => rows(causes, &mut named),
            Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
                rows(&fact.causes, &mut named);
            }
        }
    }
    named
}

/// The facts that are named with their values, each with the rows that made it so.
fn facts(causes: &[Cause], named: &mut Vec<String>) {
    for fact in causes.iter().flat_map(|cause| &cause.facts) {
        named.push(format!("{} {:?}", fact.name, fact.value));
        for cause in &fact.causes {
            let row = cause.row.as_deref().unwrap_or_default();
            named.push(format!("{} {:?} {row}:{}", fact.name, fact.value, cause.at));
        }
        facts(&fact.causes, named);
    }
}

/// The same of a line, without what a row made so.
fn facts_without(told: &Explanation, row: &RowPlace) -> Vec<String> {
    let mut named = Vec::new();
    for event in &told.events {
        for effect in &event.effects {
            match effect {
                Effect::Said { cause, .. } | Effect::Impossible { cause, .. } => {
                    facts(std::slice::from_ref(cause), &mut named);
                }
                Effect::Changed { causes, .. } => facts(causes, &mut named),
                Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
                    facts(&fact.causes, &mut named);
                }
            }
        }
        named.extend(rows_of(event).iter().map(|row| format!("{row:?}")));
    }
    let own = format!(" {}:{}", row.row, row.at);
    named.retain(|name| !name.ends_with(&own) && *name != format!("{row:?}"));
    named
}

/// Whether other rows give the same reason as a row: without it, it is no less so.
fn is_one_of_several(told: &Explanation, row: &RowPlace) -> bool {
    fn within(causes: &[Cause], row: &RowPlace) -> bool {
        let is_row = |cause: &Cause| cause.file == row.file && cause.at == row.at;
        causes.iter().any(is_row) && !causes.iter().all(is_row)
            || causes
                .iter()
                .flat_map(|cause| &cause.facts)
                .any(|fact| within(&fact.causes, row))
    }
    let effects = told.events.iter().flat_map(|event| &event.effects);
    effects.into_iter().any(|effect| match effect {
        Effect::Said { cause, .. } | Effect::Impossible { cause, .. } => {
            within(std::slice::from_ref(cause), row)
        }
        Effect::Changed { causes, .. } => within(causes, row),
        Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
            within(&fact.causes, row)
        }
    })
}

/// Without a row that is named, the line would come to something else; or another row, or another value, is named in its
/// place, which a snapshot tells of; or it is one of several reasons. This asks it of each row of a game on the first line of its cases that names it.
#[test]
fn every_row_that_is_named_matters() {
    let (mut idle, mut replaced) = (String::new(), String::new());
    let mut seen = BTreeSet::new();
    let folders = Folders::default();
    insta::glob!("why/*/*.snap", |path| {
        let (_, name, stem, transcript) = case(path);
        if is_beside(path) {
            return;
        }
        let folder = folders.get(&name);
        let lines = transcript.split(|byte| *byte == b'\n').count();
        for line in 1..=lines {
            let mut query = query(&folder, line, None);
            let Ok(told) = folder.game.explain(&query, "transcript", &transcript) else {
                continue;
            };
            let mut named: BTreeSet<RowPlace> = told.events.iter().flat_map(rows_of).collect();
            named.retain(|row| seen.insert((name.clone(), row.clone())));
            for row in named {
                query.without = Some(row.clone());
                let without = folder.game.explain(&query, "transcript", &transcript);
                let Ok(without) = without else {
                    continue;
                };
                let place = format!(
                    "{name}/{stem}.txt:{line} {} {}:{}",
                    row.row, row.file, row.at
                );
                let facts = [&told, &without].map(|told| facts_without(told, &row));
                if outcome(&without) != outcome(&told) {
                    continue;
                }
                if facts[0] == facts[1] {
                    if is_one_of_several(&told, &row) {
                        continue;
                    }
                    writeln!(idle, "{place}").expect("a string takes all");
                } else {
                    writeln!(replaced, "{place}").expect("a string takes all");
                }
            }
        }
    });
    assert!(idle.is_empty(), "{idle}");
    snapshot(&root().join("why"), "replaced", &replaced);
}

/// What an explanation offers instead of what stands there.
fn cures(told: &Explanation) -> Vec<String> {
    let mut cures = Vec::new();
    if let Some(stopped) = &told.stopped {
        cures.extend(stopped.suggestions.clone());
        // Pieces of messages between marks: what is written is offered too.
        for note in stopped.notes.iter().chain(&stopped.helps) {
            cures.extend(note.split('`').skip(1).step_by(2).map(str::to_string));
        }
    }
    let alternatives = told.events.iter().flat_map(|event| &event.alternatives);
    cures.extend(alternatives.map(|alternative| alternative.words.clone()));
    cures
}

/// `mistakes/<folder>/<mistake>.mistake`: a case with the number of one of its lines, what stands there instead by
/// mistake, and what must be offered to put it right.
#[test]
fn mistakes_are_explained_where_they_are_with_their_cure() {
    let (mut count, mut uncured) = (0, String::new());
    let folders = Folders::default();
    insta::glob!("mistakes/*/*.mistake", |path| {
        let folder = path.parent().expect("a mistake lies in a folder");
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(path).expect("the mistake is there");
        let [case, wrong, cure] = text.lines().collect::<Vec<_>>()[..] else {
            panic!("{} has three lines", path.display());
        };
        let (case, line) = case.split_once(' ').expect("a case and a line");
        let line: usize = line.parse().expect("the number of a line");
        let transcript = root()
            .join("transcripts")
            .join(&*name)
            .join(format!("{case}.txt"));
        let transcript = fs::read_to_string(transcript).expect("the case is there");
        let mut lines: Vec<&str> = transcript.lines().collect();
        lines[line - 1] = wrong;
        let folder = folders.get(&name);
        let wrong = lines.join("\n");
        // It is wrong there, and not before.
        for earlier in 1..line {
            let told = folder.game.explain(
                &query(&folder, earlier, None),
                "transcript",
                wrong.as_bytes(),
            );
            if let Ok(told) = told {
                assert!(told.stopped.is_none() && !told.events.iter().any(is_wrong));
            }
        }
        let told = folder
            .game
            .explain(&query(&folder, line, None), "transcript", wrong.as_bytes())
            .expect("it is explained");
        assert!(told.stopped.is_some() || told.events.iter().any(is_wrong));
        if !cures(&told).iter().any(|offered| offered == cure) {
            writeln!(uncured, "{}: `{cure}`\n{told}", path.display()).expect("a string takes all");
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().expect("a mistake lies in a folder");
        snapshot(folder, &stem, &told.trace(Colour::Never));
        count += 1;
    });
    assert!(uncured.is_empty(), "{uncured}");
    assert!(count >= 20);
}

/// What an explanation shows of an event: expressions with their values.
struct Shown<'a> {
    line: usize,
    event: &'a Event,
    all: Vec<(Expression, String)>,
    /// How many facts are around what is told, each with names of its own.
    depth: usize,
}

impl Shown<'_> {
    fn add(&mut self, text: &str, new: bool, values: &[Value], shown: &str) {
        let is_variable = |value: &&Value| {
            let mut signs = value.name.chars();
            signs.all(|sign| sign.is_alphanumeric() || sign == '_')
        };
        let fields = &self.event.fields;
        // A rule about each member of a path speaks of the path up to there.
        let is_along_a_path = values.iter().any(|value| {
            let mut fields = fields.iter();
            fields.any(|field| field.name == value.name && field.value != value.value)
        });
        if self.depth == 0 && is_along_a_path {
            return;
        }
        let is_field = |name: &str| fields.iter().any(|field| field.name == name);
        if self.depth > 0 && is_field(text) {
            return;
        }
        let with = values.iter().filter(is_variable);
        // Deeper down another value may have the name of a field.
        let is_own = |value: &&Value| {
            let mut own = fields.iter().filter(|field| field.name == value.name);
            own.all(|field| self.depth > 0 && field.value != value.value)
        };
        let with = with.filter(is_own);
        let with = with.map(|value| (value.name.clone(), value.value.clone()));
        let expression = Expression {
            line: self.line,
            event: self.event.number,
            owner: self.event.event.clone(),
            text: text.to_string(),
            new,
            with: with.collect(),
        };
        self.all.push((expression, shown.to_string()));
    }

    fn values(&mut self, values: &[Value], new: bool) {
        for value in values {
            self.add(&value.name, new, values, &value.value);
        }
    }

    fn condition(&mut self, text: &str, new: bool, values: &[Value], holds: bool) {
        let (text, holds) = match text.strip_prefix("unless ") {
            Some(text) => (text, !holds),
            None => (text, holds),
        };
        self.add(text, new, values, if holds { "yes" } else { "no" });
    }

    fn cause(&mut self, cause: &Cause, new: bool) {
        self.values(&cause.values, new);
        for condition in &cause.written {
            if cause.gives.as_ref() != Some(condition) {
                self.condition(condition, new, &cause.values, true);
            }
        }
        self.facts(&cause.facts, new);
    }

    fn unfired(&mut self, unfired: &Unfired) {
        self.values(&unfired.values, false);
        if unfired.failed == Failed::Condition {
            self.condition(&unfired.written, false, &unfired.values, false);
        }
        self.facts(&unfired.facts, false);
    }

    fn facts(&mut self, facts: &[Fact], new: bool) {
        for fact in facts {
            let new = new || fact.name.starts_with("new ");
            if !fact.name.starts_with("previous ") {
                self.depth += 1;
                fact.causes.iter().for_each(|cause| self.cause(cause, new));
                self.depth -= 1;
            }
        }
    }

    fn event(&mut self) {
        let event = self.event;
        match &event.by {
            By::Policy {
                decision: Some(decision),
                ..
            }
            | By::Follows {
                decision: Some(decision),
            } => {
                self.cause(&decision.chosen, false);
                decision.passed.iter().for_each(|one| self.unfired(one));
            }
            _ => {}
        }
        for effect in &event.effects {
            match effect {
                Effect::Said { cause, .. } | Effect::Impossible { cause, .. } => {
                    self.cause(cause, false);
                }
                Effect::Changed { causes, .. } => {
                    for cause in causes {
                        self.cause(cause, false);
                    }
                }
                Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
                    self.facts(std::slice::from_ref(fact), false);
                }
            }
        }
    }
}

/// What came of some cases.
#[derive(Default)]
struct Counted {
    wrong: Vec<String>,
    /// How many values are as they are shown, and how many cannot be asked, since they rest on a name that is not shown.
    known: usize,
    unknown: usize,
    /// How many lines are told of each line of a case.
    lengths: Vec<(usize, String)>,
}

impl Counted {
    fn of(game: &Folder, case: &Path) -> Counted {
        let mut counted = Counted::default();
        counted.case(game, case);
        counted
    }

    fn case(&mut self, game: &Folder, case: &Path) {
        let transcript = fs::read(case).expect("the case is there");
        let text = String::from_utf8_lossy(&transcript);
        let lines_of: Vec<String> = text.split('\n').map(str::to_string).collect();
        let lines = lines_of.len();
        let mut all = Vec::new();
        let mut given = String::new();
        for line in 1..=lines {
            let query = deep(query(game, line, None));
            let Ok(told) = game.game.explain(&query, "transcript", &transcript) else {
                continue;
            };
            if told.blank.is_some() {
                continue;
            }
            let place = format!("{}:{line}", case.display());
            if told.events.iter().all(|event| event.words.is_none()) {
                given.push_str(&lines_of[line - 1]);
                given.push(' ');
            }
            let length = told.draw(Colour::Never).lines().count();
            self.lengths.push((length, place));
            for event in &told.events {
                let mut shown = Shown {
                    line,
                    event,
                    all: Vec::new(),
                    depth: 0,
                };
                shown.event();
                all.append(&mut shown.all);
            }
        }
        let (expressions, shown): (Vec<Expression>, Vec<String>) = all.into_iter().unzip();
        let form = game.form.as_deref();
        let values = game.game.values(form, &transcript, &expressions);
        let Ok(values) = values else {
            return;
        };
        let is_given_again = |value: &str| {
            value.split(',').any(|word| {
                let given = given.split_whitespace();
                given.filter(|given| *given == word).nth(1).is_some()
            })
        };
        for ((expression, shown), value) in expressions.iter().zip(shown).zip(values) {
            match value {
                Some(value) if value == shown => self.known += 1,
                // Several values of the same are joined.
                Some(_) if shown.contains(", ") => {}
                // A name may be another player's in the next game.
                Some(_) if expression.with.iter().any(|(_, word)| is_given_again(word)) => {
                    self.unknown += 1;
                }
                Some(value) => {
                    let Expression {
                        line, text, with, ..
                    } = expression;
                    let place = format!("{}:{line}", case.display());
                    self.wrong.push(format!(
                        "{place}: `{text}` is {value}, not {shown} {with:?}"
                    ));
                }
                None => self.unknown += 1,
            }
        }
    }
}

/// Whatever an explanation shows with its value has that value, if it is asked there; and a line is told in few lines.
#[test]
fn what_is_shown_is_so() {
    let folders = fs::read_dir(root().join("transcripts")).expect("the cases are there");
    let folders: Vec<_> = folders
        .map(|folder| folder.expect("the cases are there").path())
        .collect();
    let all: Vec<Counted> = folders
        .into_par_iter()
        .flat_map(|folder| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let game = Folder::new(&name);
            let entries = fs::read_dir(&folder).expect("the cases are there");
            let paths = entries.map(|entry| entry.expect("the case is there").path());
            let cases: Vec<PathBuf> = paths
                .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
                .collect();
            let counted = cases.par_iter().map(|case| Counted::of(&game, case));
            counted.collect::<Vec<Counted>>()
        })
        .collect();
    let wrong: Vec<&str> = all
        .iter()
        .flat_map(|own| &own.wrong)
        .map(String::as_str)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let known: usize = all.iter().map(|own| own.known).sum();
    let unknown: usize = all.iter().map(|own| own.unknown).sum();
    assert!(MOST_UNKNOWN * unknown < known, "{known} and {unknown}");
    let mut lengths: Vec<&(usize, String)> = all.iter().flat_map(|own| &own.lengths).collect();
    lengths.sort();
    assert!(lengths[lengths.len() / 2].0 <= MEDIAN);
    let longest = lengths.last().expect("there are lines");
    assert!(longest.0 <= LONGEST, "{longest:?}");
}
