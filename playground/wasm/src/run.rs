//! What is asked of a game and a transcript.

use std::{
    cell::Cell,
    collections::BTreeSet,
    io::{self, Read, Write},
};

use referee::{
    diagnostic::Colour,
    explanation,
    failure::Failure,
    game::Game,
    stream::{Event, Item, Row, cause::Cause},
};
use serde_json::{Value, json};

use crate::{
    place::told,
    play::Perspective,
    rules::{Rules, Shelf, TRANSCRIPT, game},
};

/// How many facts are looked into, one in the other.
const DEPTH: usize = 4;

/// A transcript that is handed out line by line.
struct Lines<'t> {
    rest: &'t [u8],
    /// How many were handed out.
    read: &'t Cell<usize>,
}

impl Read for Lines<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let end = self.rest.iter().position(|byte| *byte == b'\n');
        let line = end.map_or(self.rest.len(), |end| end + 1).min(into.len());
        into[..line].copy_from_slice(&self.rest[..line]);
        if line > 0 {
            self.read.set(self.read.get() + 1);
        }
        self.rest = &self.rest[line..];
        Ok(line)
    }
}

/// A report, with the line of the transcript that each line of it comes from.
struct Page<'t> {
    text: Vec<u8>,
    lines: Vec<usize>,
    read: &'t Cell<usize>,
}

impl Write for Page<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            if self.text.last().is_none_or(|last| *last == b'\n') {
                self.lines.push(self.read.get());
            }
            self.text.push(*byte);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What stopped a run, as JSON: as data, and drawn as the command draws it.
pub(crate) fn failed(shelf: &Shelf, failure: &Failure, text: &str) -> Value {
    let data = failure
        .report()
        .map(|report| report.diagnostic.to_data(&report.sources));
    let text_of = |file: &str| match file {
        TRANSCRIPT => Some(text.to_string()),
        _ => shelf.text(file),
    };
    let data = data.map(|data| told(&data, &text_of));
    json!({ "data": data, "drawn": failure.draw(Colour::Never) })
}

pub(crate) fn reported(
    game: &Game,
    form: Option<&str>,
    text: &str,
) -> (String, Vec<usize>, Option<Failure>) {
    let read = Cell::new(0);
    let mut page = Page {
        text: Vec::new(),
        lines: Vec::new(),
        read: &read,
    };
    let mut lines = Lines {
        rest: text.as_bytes(),
        read: &read,
    };
    let failure = game.run(form, TRANSCRIPT, &mut lines, &mut page).err();
    let report = String::from_utf8_lossy(&page.text).into_owned();
    (report, page.lines, failure)
}

pub(crate) fn run(shelf: &mut Shelf, rules: &Rules, text: &str) -> Value {
    let game = game!(shelf, rules);
    let (report, lines, failure) = reported(&game, rules.form.as_deref(), text);
    let options = game.options().into_iter().map(|option| {
        json!({
            "name": option.name, "type": option.ty, "value": option.value,
            "default": option.default, "meaning": option.meaning,
        })
    });
    let (questions, unmet) = asked(shelf, &game, rules, text);
    json!({
        "questions": questions,
        "unmet": unmet,
        "title": game.title(),
        "report": report,
        "lines": lines,
        "failed": failure.map(|failure| failed(shelf, &failure, text)),
        "forms": game.transcripts(),
        "options": options.collect::<Vec<_>>(),
    })
}

/// How many questions the transcript asks on lines that begin with `#?`, and those whose answer is not yes.
fn asked(shelf: &Shelf, game: &Game, rules: &Rules, text: &str) -> (usize, Vec<Value>) {
    if !text.lines().any(|line| line.starts_with("#?")) {
        return (0, Vec::new());
    }
    let form = rules.form.as_deref();
    let judged = game.judge(form, TRANSCRIPT, text.as_bytes(), &mut io::sink());
    let (questions, unmet) = match judged {
        Ok(judged) => (judged.questions, judged.unmet),
        Err(invalid) => (0, Some(invalid)),
    };
    let text_of = |file: &str| match file {
        TRANSCRIPT => Some(text.to_string()),
        _ => shelf.text(file),
    };
    let unmet = unmet.map_or(Vec::new(), |invalid| {
        let found = invalid.diagnostics.iter();
        let found = found.map(|one| told(&one.to_data(&invalid.sources), &text_of));
        found.collect()
    });
    (questions, unmet)
}

pub(crate) fn why(
    shelf: &mut Shelf,
    rules: &Rules,
    text: &str,
    (line, not, perspective): (usize, Option<String>, Perspective),
) -> Value {
    let game = game!(shelf, rules, perspective.viewer());
    match explained(&game, rules, text, line, not) {
        Ok(told) => json!({ "told": told, "drawn": told.to_string() }),
        Err(failure) => json!({ "failed": failed(shelf, &failure, text) }),
    }
}

fn explained(
    game: &Game,
    rules: &Rules,
    text: &str,
    line: usize,
    not: Option<String>,
) -> Result<explanation::Explanation, Failure> {
    let query = explanation::Query {
        form: rules.form.clone(),
        line: Some(line),
        depth: DEPTH,
        not,
        ..explanation::Query::default()
    };
    game.explain(&query, TRANSCRIPT, text.as_bytes())
}

pub(crate) fn caused(
    shelf: &mut Shelf,
    rules: &Rules,
    text: &str,
    file: &str,
    line: usize,
) -> Value {
    let game = game!(shelf, rules);
    let (mut lines, mut texts) = (BTreeSet::new(), Vec::new());
    let is_it = |row: &Row| {
        let place = &row.place;
        place.file == file && (place.start.line..=place.end.line).contains(&line)
    };
    let mut take = |item: Item| {
        if let Item::Event(event) = item {
            let own = event.said.iter().filter(|said| is_it(&said.row));
            texts.extend(own.map(|said| json!([event.line, said.text])));
            let said = event.said.iter().map(|said| &said.row);
            let said = said.chain(event.impossible.iter().map(|said| &said.row));
            let changed = event.changes.iter().flat_map(|change| &change.rows);
            let asked = event.facts.iter().flat_map(|fact| &fact.rows);
            if said
                .chain(changed)
                .chain(asked)
                .chain(&event.row)
                .any(is_it)
            {
                lines.insert(event.line);
            }
        }
        Ok(())
    };
    let watched = game.watched();
    // What stopped the run is in the report already.
    let _ = watched.run(
        rules.form.as_deref(),
        TRANSCRIPT,
        &mut text.as_bytes(),
        &mut take,
    );
    json!({ "lines": lines, "said": texts })
}

pub(crate) fn compare(shelf: &mut Shelf, rules: &Rules, with: &Rules, text: &str) -> Value {
    let (one, other) = (game!(shelf, rules), game!(shelf, with));
    let form = rules.form.as_deref();
    let mut sides = Vec::new();
    for game in [&one, &other] {
        let (report, from, failure) = reported(game, form, text);
        let mut lines: Vec<(String, usize)> =
            report.lines().map(ToString::to_string).zip(from).collect();
        if let Some(failure) = failure {
            let data = failure.report();
            let data = data.map(|report| report.diagnostic.to_data(&report.sources));
            let line = data.as_ref().and_then(|data| data.labels.first());
            let line = line.map_or(0, |label| label.start.line);
            let drawn = failure.draw(Colour::Never);
            let first = drawn.lines().next().unwrap_or_default();
            lines.push((first.to_string(), line));
        }
        sides.push(lines);
    }
    let [left, right] = sides.as_slice() else {
        return Value::Null;
    };
    let said = |side: &[(String, usize)], index: usize| side.get(index).map(|line| line.0.clone());
    let most = left.len().max(right.len());
    let Some(first) = (0..most).find(|index| said(left, *index) != said(right, *index)) else {
        return json!({ "same": left.len() });
    };
    let line_of = |side: &[(String, usize)]| side.get(first).map(|line| line.1);
    let line = [line_of(left), line_of(right)].into_iter().flatten().min();
    let why = |game: &Game| {
        let line = line.filter(|line| *line > 0)?;
        let told = explained(game, rules, text, line, None).ok()?;
        Some(told)
    };
    let last = line.unwrap_or(usize::MAX);
    let [left_events, right_events] = [&one, &other].map(|game| events(game, form, text, last));
    let boxed = |events: Vec<Event>| events.into_iter().map(Box::new);
    let cause = Cause::first(boxed(left_events), boxed(right_events));
    let cause = cause.map(|(cause, line)| (cause.name(), cause.rows().map(row), line));
    let (name, rows, at) = match cause {
        Some((name, rows, line)) => (Some(name), rows, Some(line)),
        None => (None, [None, None], None),
    };
    let [left_row, right_row] = rows;
    // The option with which nothing would differ up to there, were its value the same in both.
    let others = other.options();
    let option = one.options().into_iter().find_map(|option| {
        let apart = others
            .iter()
            .find(|it| it.name == option.name && it.value != option.value)?;
        let mut alike = with.clone();
        alike.settings.retain(|(name, _)| *name != option.name);
        alike
            .settings
            .push((option.name.clone(), option.value.clone()));
        let (report, _, _) = reported(&shelf.load(&alike).ok()?, form, text);
        let same = left.iter().take(first + 1).map(|line| line.0.as_str());
        let is_it = report.lines().take(first + 1).eq(same);
        is_it.then(|| json!({ "name": option.name, "one": option.value, "other": apart.value }))
    });
    json!({
        "first": first + 1,
        "line": at.or(line),
        "cause": name,
        "option": option,
        "one": { "said": said(left, first), "row": left_row, "why": why(&one) },
        "other": { "said": said(right, first), "row": right_row, "why": why(&other) },
    })
}

/// How many events are looked at for what makes two games differ.
const LOOKED_AT: usize = 20_000;

/// What happens up to a line of a transcript.
fn events(game: &Game, form: Option<&str>, text: &str, last: usize) -> Vec<Event> {
    let mut events = Vec::new();
    let mut take = |item: Item| {
        if let Item::Event(event) = item {
            if event.line > last || events.len() == LOOKED_AT {
                return Err(io::Error::from(io::ErrorKind::BrokenPipe));
            }
            events.push(*event);
        }
        Ok(())
    };
    // What stopped the run is in the report already.
    let _ = game
        .watched()
        .thorough()
        .run(form, TRANSCRIPT, &mut text.as_bytes(), &mut take);
    events
}

/// A row that made two games differ, as JSON.
fn row(row: Option<(String, &Row)>) -> Option<Value> {
    let (name, row) = row?;
    let place = &row.place;
    Some(
        json!({ "name": name, "file": place.file, "line": place.start.line, "cites": place.cites }),
    )
}
