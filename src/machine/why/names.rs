//! What can be asked about in an event, by its name.

use super::{Attempt, Machine, asked::fired_at};
use crate::{
    code::{
        Text, Written,
        explain::{Explained, ExplainedRow, ExplainedTable},
    },
    explanation::Asked,
    program::round_of_begin,
};

/// Something in an event that has a name; places of it, and of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// A fact, or one of its rows.
    Fact(usize, Option<usize>),
    /// A change, or one of its rows.
    Change(usize, Option<usize>),
    /// A row of `report`.
    Said(usize),
    /// A row of `impossible`.
    Impossible(usize),
    /// A row that is said when the event is refused.
    Refused(usize),
}

/// How many values of a type are asked how they are written.
const MOST_WORDS: usize = 1 << 12;

impl<'c> Machine<'c> {
    /// How the values of kinds, products and grids are written now: the type, the value, and that.
    pub(crate) fn words_now(&mut self) -> Vec<(&'c str, i64, String)> {
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

impl Named {
    /// Whether it is of the state before an event, which the event may change: it belongs to no event.
    pub(crate) fn is_before(self, explained: &Explained, event: usize) -> bool {
        let end = explained.events[event].over;
        matches!(self, Named::Fact(fact, None) if !explained.facts[fact].owned && end != Some(fact))
    }
}

/// All that has a name in an event.
pub(crate) fn names(explained: &Explained, event: usize) -> Vec<(String, Named)> {
    let event = &explained.events[event];
    let mut names = Vec::new();
    for fact in &event.facts {
        let definition = &explained.facts[*fact];
        names.push((definition.name.clone(), Named::Fact(*fact, None)));
    }
    for (place, change) in event.changes.iter().enumerate() {
        names.push((change.name.clone(), Named::Change(place, None)));
    }
    for fact in &event.facts {
        let definition = &explained.facts[*fact];
        let name = |place| Named::Fact(*fact, Some(place));
        let owner = match round_of_begin(&definition.name) {
            Some(_) => "begin",
            None => &definition.name,
        };
        rows_of(owner, &definition.table, &name, &mut names);
    }
    for (change, definition) in event.changes.iter().enumerate() {
        let name = |place| Named::Change(change, Some(place));
        rows_of(&definition.name, &definition.table, &name, &mut names);
    }
    rows_of("report", &event.report, &Named::Said, &mut names);
    rows_of(
        "impossible",
        &event.impossible,
        &Named::Impossible,
        &mut names,
    );
    rows_of("refused", &event.refused, &Named::Refused, &mut names);
    names
}

fn rows_of(
    name: &str,
    table: &ExplainedTable,
    row_of: &dyn Fn(usize) -> Named,
    names: &mut Vec<(String, Named)>,
) {
    for (place, row) in table.rows.iter().enumerate() {
        if let Some(label) = &row.label {
            names.push((format!("{name}.{label}"), row_of(place)));
        }
    }
}

/// The row of an event that could say this line.
pub(crate) fn said_so(explained: &Explained, event: usize, line: &str) -> Option<Named> {
    let event = &explained.events[event];
    let says = |row: &&ExplainedRow| {
        let mut pieces = Vec::new();
        if let Some(text) = &row.text {
            literals(text, &mut pieces);
        }
        // What has no words of its own could say anything.
        pieces
            .iter()
            .flatten()
            .any(|piece| !piece.trim().is_empty())
            && fits(&pieces, line)
    };
    let place = event.report.rows.iter().position(|row| says(&row));
    place.map(Named::Said).or_else(|| {
        let place = event.refused.rows.iter().position(|row| says(&row));
        place.map(Named::Refused)
    })
}

/// The words of a text, with nothing where a value stands.
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
    /// Whether a row fires, and says this text if there is one.
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
        said.any(|said| self.rendered_value(said, &Written::Text) == text)
    }

    /// The time that a row said the text that is asked about. If it said only other texts, the first of them becomes the
    /// value of `asked`.
    pub(super) fn said_as_asked<'a>(
        &mut self,
        attempts: &'a [Attempt],
        row: usize,
        asked: &mut Asked,
    ) -> Option<&'a Attempt> {
        let text = asked.text()?.to_string();
        for attempt in attempts.iter().filter(|attempt| attempt.row == row) {
            let Some(said) = attempt.value else { continue };
            let said = self.rendered_value(said, &Written::Text);
            if said == text {
                asked.value = None;
                return Some(attempt);
            }
            asked.value.get_or_insert(said);
        }
        asked.happened = false;
        None
    }
}
