//! Which row says the line of a report that is not as it should be.

use std::{collections::BTreeSet, io};

use referee::{
    diagnostic::Colour,
    explanation,
    game::Game,
    stream::{Ask, Event, How, Item, Row, cause::row_name},
};

/// How many levels of an explanation are shown.
const DEPTH: usize = 3;

/// What made a line.
pub(super) struct Blame {
    /// The row from which it comes, `owner.row`.
    pub(super) row: String,
    /// Where that stands, `file:line`.
    pub(super) place: String,
    /// What the game explains of the line of the transcript on which it was said.
    pub(super) why: Option<String>,
}

/// What made the first line of the report that differs from what it should be; nothing where no row did.
pub(super) fn blame(
    game: &Game,
    form: Option<&str>,
    name: &str,
    transcript: &[u8],
    line: usize,
) -> Option<Blame> {
    let mut search = Search { line, found: None };
    // The search stops the run; what else stops it was told already.
    let _ = game
        .watched()
        .run(form, name, &mut &*transcript, &mut |item| {
            if let Item::Event(event) = item
                && search.ends_in(&event)
            {
                return Err(io::Error::from(io::ErrorKind::Interrupted));
            }
            Ok(())
        });
    let (owner, row, line) = search.found?;
    let query = explanation::Query {
        form: form.map(str::to_string),
        line: Some(line),
        depth: DEPTH,
        ..explanation::Query::default()
    };
    let why = game.explain(&query, name, transcript);
    Some(Blame {
        row: row_name(&owner, row.place.name.as_deref()),
        place: format!("{}:{}", row.place.file, row.place.start.line),
        why: why.ok().map(|told| told.trace(Colour::Never)),
    })
}

/// The search for a line.
struct Search {
    /// How many lines come before it.
    line: usize,
    /// What owns the row, the row, and the line of the transcript.
    found: Option<(String, Row, usize)>,
}

impl Search {
    /// Whether an event says the line, or stops the run before it.
    fn ends_in(&mut self, event: &Event) -> bool {
        for said in &event.said {
            if self.line == 0 {
                let (owner, row) = deepest(event, "report", &said.row);
                self.found = Some((owner, row, event.line));
                return true;
            }
            let ends = said.text.matches('\n').count() + usize::from(!said.inline);
            self.line = self.line.saturating_sub(ends);
        }
        if let Some(said) = &event.impossible {
            let (owner, row) = deepest(event, "impossible", &said.row);
            self.found = Some((owner, row, event.line));
        }
        self.found.is_some()
    }
}

/// The last row with a name on the way down from a row: to what its value is made from, or where that is written out,
/// to what its conditions ask.
fn deepest(event: &Event, owner: &str, row: &Row) -> (String, Row) {
    let mut deepest = (owner.to_string(), row.clone());
    let mut row = row;
    let mut seen = BTreeSet::new();
    loop {
        let asks = if row.uses.is_empty() {
            &row.when
        } else {
            &row.uses
        };
        let mut below = asks.iter().filter(|query| !seen.contains(*query));
        let Some((query, owner, next)) = below.find_map(|query| {
            let (owner, next) = below_of(event, query)?;
            Some((query, owner, next))
        }) else {
            return deepest;
        };
        seen.insert(query.clone());
        if next.place.name.is_some() {
            deepest = (owner, next.clone());
        }
        row = next;
    }
}

/// The first row of a fact, or of a change in this event, with the name of what it belongs to.
fn below_of<'e>(event: &'e Event, query: &Ask) -> Option<(String, &'e Row)> {
    match query {
        Ask::Fact { fact, of } => {
            let mut facts = event.facts.iter();
            let found = facts.find(|found| found.fact == *fact && found.of == *of)?;
            Some((fact.clone(), found.rows.first()?))
        }
        Ask::State {
            state,
            at,
            new: true,
        } => {
            let mut changes = event.changes.iter();
            let found = changes.find(|change| {
                let is_change = match &change.how {
                    How::Became { from, to } => from != to,
                    How::Members { .. } => true,
                };
                is_change && change.state == *state && (at.is_empty() || change.at == *at)
            })?;
            Some((state.clone(), found.rows.first()?))
        }
        Ask::State { .. } => None,
    }
}
