//! The names that a question about an event can use.

use super::{Attempt, Machine, asked::fired_at};
use crate::{
    code::{
        Text, Written,
        explain::{Explained, ExplainedRow, ExplainedTable},
    },
    explanation::Answer,
    program::round_of_begin,
};

/// Something with a name that a question can be about. The numbers are indices into [`Explained`], and of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A fact, or one of its rows.
    Fact(usize, Option<usize>),
    /// A change, or one of its rows.
    Change(usize, Option<usize>),
    /// A row of `report`.
    Said(usize),
    /// A row of `impossible`.
    Impossible(usize),
    /// A row of what a refused event says.
    Refused(usize),
}

/// At most this many values of a type are listed.
const MOST_WORDS: usize = 1 << 12;

impl<'c> Machine<'c> {
    /// The current written forms of all kinds, products and grids: type, value, form.
    pub(crate) fn current_words(&mut self) -> Vec<(&'c str, i64, String)> {
        let mut words = Vec::new();
        for form in &self.compiled.forms {
            let Some(domain) = form.domain else {
                continue;
            };
            for index in 0..domain.count.min(MOST_WORDS) {
                let value = domain.value(index);
                let word = self.attempt(|machine| {
                    machine.with_arguments(form.locals, &[value], |machine| {
                        machine.rendered(&form.text)
                    })
                });
                words.extend(word.map(|word| (form.name.as_str(), value, word)));
            }
        }
        words
    }
}

impl Subject {
    /// Whether it is evaluated in the state before the event: a fact that belongs to no event.
    pub(crate) fn is_before(self, explained: &Explained, event: usize) -> bool {
        let end = explained.events[event].over;
        matches!(self, Subject::Fact(fact, None) if !explained.facts[fact].owned && end != Some(fact))
    }

    /// Whether it is a row of a fact that belongs to no event.
    pub(crate) fn is_row_of_state(self, explained: &Explained) -> bool {
        matches!(self, Subject::Fact(fact, Some(_)) if !explained.facts[fact].owned)
    }
}

/// All names of an event, with what each names.
pub(crate) fn names(explained: &Explained, event: usize) -> Vec<(String, Subject)> {
    let event = &explained.events[event];
    let mut names = Vec::new();
    for fact in &event.facts {
        let definition = &explained.facts[*fact];
        names.push((definition.name.clone(), Subject::Fact(*fact, None)));
    }
    for (place, change) in event.changes.iter().enumerate() {
        names.push((change.name.clone(), Subject::Change(place, None)));
    }
    for fact in &event.facts {
        let definition = &explained.facts[*fact];
        let name = |place| Subject::Fact(*fact, Some(place));
        let owner = match round_of_begin(&definition.name) {
            Some(_) => "begin",
            None => &definition.name,
        };
        rows_of(owner, &definition.table, &name, &mut names);
    }
    for (change, definition) in event.changes.iter().enumerate() {
        let name = |place| Subject::Change(change, Some(place));
        rows_of(&definition.name, &definition.table, &name, &mut names);
    }
    rows_of("report", &event.report, &Subject::Said, &mut names);
    rows_of(
        "impossible",
        &event.impossible,
        &Subject::Impossible,
        &mut names,
    );
    rows_of("refused", &event.refused, &Subject::Refused, &mut names);
    names
}

fn rows_of(
    name: &str,
    table: &ExplainedTable,
    row_of: &dyn Fn(usize) -> Subject,
    names: &mut Vec<(String, Subject)>,
) {
    for (place, row) in table.rows.iter().enumerate() {
        if let Some(label) = &row.label {
            names.push((format!("{name}.{label}"), row_of(place)));
        }
    }
}

/// The row of an event that could say `line`.
pub(crate) fn row_saying(explained: &Explained, event: usize, line: &str) -> Option<Subject> {
    let event = &explained.events[event];
    let says = |row: &&ExplainedRow| {
        let mut pieces = Vec::new();
        if let Some(text) = &row.text {
            literals(text, &mut pieces);
        }
        // Without any literal, a text would match every line.
        pieces
            .iter()
            .flatten()
            .any(|piece| !piece.trim().is_empty())
            && fits(&pieces, line)
    };
    let place = event.report.rows.iter().position(|row| says(&row));
    place.map(Subject::Said).or_else(|| {
        let place = event.refused.rows.iter().position(|row| says(&row));
        place.map(Subject::Refused)
    })
}

/// The row of an event's report that could say a line that begins with `line`.
pub(crate) fn row_beginning(explained: &Explained, event: usize, line: &str) -> Option<Subject> {
    let event = &explained.events[event];
    let begins = |row: &ExplainedRow| {
        let mut pieces = Vec::new();
        if let Some(text) = &row.text {
            literals(text, &mut pieces);
        }
        // Whole pieces are left out at the end, but some literal with letters must be part of it.
        (1..pieces.len()).rev().any(|count| {
            let mut shorter = pieces.get(..count).unwrap_or_default().to_vec();
            if let Some(Some(last)) = shorter.last_mut() {
                *last = last.trim_end();
            }
            let mut literals = shorter.iter().flatten();
            literals.any(|piece| piece.contains(char::is_alphabetic)) && fits(&shorter, line)
        })
    };
    event.report.rows.iter().position(begins).map(Subject::Said)
}

/// Whether a text of the report is the line that is asked for, or contains it as whole words.
pub(crate) fn is_said(said: &str, line: &str) -> bool {
    let ends = |sign: char| sign.is_whitespace() || "()".contains(sign);
    said.match_indices(line).any(|(at, _)| {
        let before = said.get(..at).unwrap_or_default();
        let after = said.get(at + line.len()..).unwrap_or_default();
        let bare = after.trim_start_matches([',', ';', ':', '.']);
        (before.is_empty() || before.ends_with(ends)) && (bare.is_empty() || bare.starts_with(ends))
    })
}

/// The literals of a text, with `None` for each value.
fn literals<'t>(text: &'t Text, pieces: &mut Vec<Option<&'t str>>) {
    match text {
        Text::Literal(literal) => pieces.push(Some(literal)),
        Text::Parts(parts) => parts.iter().for_each(|part| literals(part, pieces)),
        Text::Value(..) | Text::List { .. } => pieces.push(None),
    }
}

fn fits(pieces: &[Option<&str>], line: &str) -> bool {
    match pieces.split_first() {
        None => line.is_empty(),
        Some((Some(literal), rest)) => line
            .strip_prefix(literal)
            .is_some_and(|line| fits(rest, line)),
        Some((None, rest)) => line
            .char_indices()
            .map(|(place, _)| place)
            .chain([line.len()])
            .any(|place| line.get(place..).is_some_and(|line| fits(rest, line))),
    }
}

impl<'c> Machine<'c> {
    /// Whether a row fires, and says `text` if there is one.
    pub(super) fn fires(
        &mut self,
        table: &'c ExplainedTable,
        row: usize,
        text: Option<&str>,
    ) -> bool {
        let (attempts, _) = self.journal_of(table, &[], true);
        let Some(text) = text else {
            return fired_at(&attempts, row).is_some();
        };
        let said = attempts.iter().filter(|attempt| attempt.row == row);
        let mut said = said.filter_map(|attempt| attempt.value);
        said.any(|said| is_said(&self.rendered_value(said, &Written::Text), text))
    }

    /// The firing of a row that says the requested text. If it says only other texts, the first of them becomes the
    /// value of `asked`.
    pub(super) fn firing_that_says<'a>(
        &mut self,
        attempts: &'a [Attempt],
        row: usize,
        asked: &mut Answer,
    ) -> Option<&'a Attempt> {
        let text = asked.text()?.to_string();
        for attempt in attempts.iter().filter(|attempt| attempt.row == row) {
            let Some(said) = attempt.value else { continue };
            let said = self.rendered_value(said, &Written::Text);
            if is_said(&said, &text) {
                asked.value = None;
                return Some(attempt);
            }
            asked.value.get_or_insert(said);
        }
        asked.happened = false;
        None
    }
}
