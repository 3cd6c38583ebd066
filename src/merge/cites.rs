//! Citations: the places in books that the rows of a game follow.

use std::collections::BTreeMap;

use super::Merged;
use crate::{
    diagnostic::{Code, Diagnostic},
    source::{SourceId, Sources, Span},
    syntax::ast::{Clause, Definition, Header, Item, Row, Step, Text, TextPart},
};

impl Merged {
    /// Records in `sources` the place that each row cites, after the name of the book: that of the row's own file, or
    /// else that of the game.
    ///
    /// # Errors
    /// Texts with holes.
    pub(crate) fn cite(&self, sources: &mut Sources) -> Result<(), Vec<Diagnostic>> {
        let mut found = Vec::new();
        for item in &self.file.items {
            of_item(item, &mut found);
        }
        let headers = std::iter::once(&self.file.header).chain(&self.variants);
        let books: BTreeMap<SourceId, &Text> = headers.filter_map(book).collect();
        let texts = books.values().copied();
        let texts = texts.chain(found.iter().map(|(_, text)| *text));
        let wrong: Vec<Diagnostic> = texts.filter_map(with_hole).collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let of_game = book(&self.file.header).map(|(_, text)| text);
        for (span, text) in found {
            let book = books.get(&text.span.source).copied().or(of_game);
            let place = match book {
                Some(book) => format!("{}, {}", plain(book), plain(text)),
                None => plain(text),
            };
            sources.cite(span, place);
        }
        Ok(())
    }
}

/// The book that a file cites.
fn book(header: &Header) -> Option<(SourceId, &Text)> {
    let (Header::Game { name, cites, .. } | Header::Variant { name, cites, .. }) = header;
    Some((name.span.source, cites.as_ref()?))
}

/// The error for a citation with a hole.
fn with_hole(text: &Text) -> Option<Diagnostic> {
    let hole = text.parts.iter().find_map(|part| match part {
        TextPart::Hole(hole) => Some(hole.span),
        TextPart::Literal { .. } => None,
    })?;
    let message = "a place in a book is the same in every state";
    let diagnostic = Diagnostic::error(Code::CitesHole, hole, message);
    Some(diagnostic.help("write it without braces: `cites \"section 3, rule 12\"`"))
}

fn plain(text: &Text) -> String {
    let parts = text.parts.iter().map(|part| match part {
        TextPart::Literal { text, .. } => text.as_str(),
        TextPart::Hole(_) => "",
    });
    parts.collect()
}

type Found<'m> = Vec<(Span, &'m Text)>;

fn of_item<'m>(item: &'m Item, found: &mut Found<'m>) {
    match item {
        Item::Fact(fact) => of_whole(&fact.definition, fact.cites.as_ref(), found),
        Item::Given(given) => {
            if let Some(default) = &given.default {
                of_definition(default, found);
            }
        }
        Item::State(state) => of_definition(&state.initial, found),
        Item::Event(event) => {
            let span = event.guard.as_ref().map(|guard| guard.condition.span);
            found.extend(
                event
                    .cites
                    .as_ref()
                    .map(|text| (span.unwrap_or(event.name.span), text)),
            );
        }
        Item::Section(section) => {
            for clause in &section.clauses {
                match clause {
                    Clause::Fact(fact) => of_whole(&fact.definition, fact.cites.as_ref(), found),
                    Clause::New(new) => of_whole(&new.definition, new.cites.as_ref(), found),
                    Clause::Impossible(rows) | Clause::Begin(rows) | Clause::Follows(rows) => {
                        of_rows(&rows.rows, found);
                    }
                    Clause::Report(report) => of_rows(&report.rows, found),
                }
            }
        }
        Item::Policy(policy) => of_rows(&policy.rows, found),
        Item::Transcript(transcript) => of_steps(&transcript.steps, found),
        Item::Option(_)
        | Item::Use(_)
        | Item::Kind(_)
        | Item::Product(_)
        | Item::Grid(_)
        | Item::Alias(_)
        | Item::Write(_)
        | Item::Round(_)
        | Item::Just(_)
        | Item::Limit(_)
        | Item::Example(_)
        | Item::Change(_) => {}
    }
}

/// Adds the citation of a whole definition and those in it. A definition from another file than its citation has none.
fn of_whole<'m>(definition: &'m Definition, cites: Option<&'m Text>, found: &mut Found<'m>) {
    of_definition(definition, found);
    if let (Definition::Expression(expr), Some(text)) = (definition, cites)
        && expr.span.source == text.span.source
        && expr.span.end <= text.span.start
    {
        found.push((expr.span, text));
    }
}

fn of_definition<'m>(definition: &'m Definition, found: &mut Found<'m>) {
    match definition {
        Definition::Expression(_) => {}
        Definition::Table(table) => of_rows(&table.rows, found),
        Definition::By(table) => {
            for row in &table.rows {
                found.extend(row.conditions.cites.as_ref().map(|text| (row.span, text)));
            }
        }
    }
}

fn of_rows<'m>(rows: &'m [Row], found: &mut Found<'m>) {
    for row in rows {
        found.extend(row.conditions.cites.as_ref().map(|text| (row.span, text)));
    }
}

fn of_steps<'m>(steps: &'m [Step], found: &mut Found<'m>) {
    for step in steps {
        match step {
            Step::Repeat(repeat) => of_steps(&repeat.steps, found),
            Step::Play(play) => of_rows(&play.rows, found),
            Step::Pattern(_) | Step::Start(_) => {}
        }
    }
}
