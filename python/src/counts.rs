//! What the rows of the rules do, counted.

use std::collections::BTreeMap;

use referee::stream::{Event, RowPlace};

/// How often what happened, by rows as `file:line name`.
pub(crate) type Counts = BTreeMap<String, u64>;

/// The report on a transcript, and what its rows did.
#[derive(Default)]
pub(crate) struct Counted {
    pub(crate) report: String,
    pub(crate) fired: Counts,
    pub(crate) lines: Counts,
}

impl Counted {
    pub(crate) fn event(&mut self, event: &Event) {
        let changed = event.changes.iter().flat_map(|change| &change.rows);
        let facts = event.facts.iter().flat_map(|fact| &fact.rows);
        let said = event.said.iter().map(|said| &said.row);
        let others = event.row.iter();
        let spoke = event.impossible.iter().map(|said| &said.row);
        let rows = changed.chain(facts).chain(said).chain(others).chain(spoke);
        let mut seen = BTreeMap::new();
        for row in rows {
            seen.entry(row.place.row).or_insert(&row.place);
        }
        for place in seen.into_values() {
            count(&mut self.fired, place);
        }
        for said in &event.said {
            count(&mut self.lines, &said.row.place);
        }
        add_report(&mut self.report, event);
    }
}

/// Adds what is reported on an event.
pub(crate) fn add_report(report: &mut String, event: &Event) {
    for said in &event.said {
        report.push_str(&said.text);
        if !said.inline {
            report.push('\n');
        }
    }
}

fn count(counts: &mut Counts, place: &RowPlace) {
    let name = place.name.as_deref().unwrap_or_default();
    let row = format!("{}:{} {name}", place.file, place.start.line);
    *counts.entry(row.trim_end().to_string()).or_default() += 1;
}
