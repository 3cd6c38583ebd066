//! The steps of transcripts that have a function in machine code.

use super::{
    body::Body,
    holes::{self, Aim},
    on_demand::{Piece, Table},
    play::can_run_through,
};
use crate::code::{Compiled, Pattern, Play, Step, Transcript};

/// The address of something that lives as long as the compiled game.
pub(crate) fn address_of<T>(of: &T) -> usize {
    std::ptr::from_ref(of).addr()
}

/// Visits steps, and those nested in them.
fn each_step<'c>(steps: &'c [Step], visit: &mut dyn FnMut(&'c Step)) {
    for step in steps {
        visit(step);
        if let Step::Times(_, steps) | Step::Until(_, steps) = step {
            each_step(steps, visit);
        }
    }
}

/// The `play`s of all transcripts that machine code can run.
pub(super) fn plays(compiled: &Compiled) -> Vec<(&Play, &Transcript)> {
    let mut plays = Vec::new();
    for transcript in &compiled.transcripts {
        each_step(&transcript.steps, &mut |step| {
            if let Step::Play(play) = step
                && can_run_through(compiled, play, transcript)
            {
                plays.push((play, transcript));
            }
        });
    }
    plays
}

/// The pieces evaluated between events and when games start that need no more than one local: conditions of `play`s,
/// written forms that depend on givens, and defaults of givens.
pub(super) fn pieces(compiled: &Compiled) -> Vec<(usize, Piece<'_>)> {
    let mut pieces = Vec::new();
    for transcript in &compiled.transcripts {
        each_step(&transcript.steps, &mut |step| {
            if let Step::Play(play) = step {
                let when = play.stop.as_ref().and_then(|stop| stop.when.as_ref());
                pieces.extend(play.until.iter().chain(when).map(Piece::Code));
            }
        });
    }
    for form in compiled.forms.iter().filter(|form| form.given && form.used) {
        pieces.push(Piece::Text(&form.text));
        pieces.extend(form.last.iter().map(Piece::Code));
    }
    for default in compiled
        .givens
        .iter()
        .filter_map(|given| given.default.as_ref())
    {
        let pointwise = default.pointwise.as_ref();
        let last = pointwise.and_then(|pointwise| pointwise.last.as_ref());
        pieces.extend(last.into_iter().chain([&default.code]).map(Piece::Code));
    }
    pieces.retain(|piece| piece.parameters() <= 1);
    let tables = compiled.explained.iter().flat_map(|all| all.tables());
    let tables = tables.map(|(event, table, parameters)| {
        let code = &table.code;
        let all = false;
        (
            event,
            Piece::Table(Table {
                code,
                parameters,
                all,
            }),
        )
    });
    let values = compiled.explained.iter().flat_map(|all| all.values());
    let values = values.map(|(event, code)| (event, Piece::Code(code)));
    let pieces = pieces.into_iter().map(|piece| (0, piece));
    pieces.chain(tables).chain(values).collect()
}

/// The patterns between events that machine code can read.
pub(super) fn patterns(compiled: &Compiled) -> Vec<(&Pattern, bool)> {
    let mut patterns = Vec::new();
    for transcript in &compiled.transcripts {
        each_step(&transcript.steps, &mut |step| {
            if let Step::Pattern(pattern) = step
                && Body::can_read(compiled, pattern, transcript.by_lines, Aim::Start)
            {
                patterns.push((pattern, transcript.by_lines));
            }
        });
    }
    patterns
}

/// An entry point for a step, with what must be prepared before it is called.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The address of the step.
    pub(crate) key: usize,
    /// The forms whose dictionaries it needs.
    pub(crate) forms: Vec<usize>,
    /// The givens that it reads, each with the index of its entry.
    pub(crate) givens: Vec<(usize, usize)>,
}

impl Entry {
    /// The entry point of a `play`.
    pub(super) fn of_play(play: &Play) -> Entry {
        let rows = play.rows.iter().map(|row| &row.pattern);
        let stop = play.stop.as_ref().map(|stop| &stop.words);
        Entry {
            key: address_of(play),
            forms: forms(rows.chain(stop)),
            givens: Vec::new(),
        }
    }

    /// The entry point of a pattern between events.
    pub(super) fn of_pattern(compiled: &Compiled, pattern: &Pattern) -> Entry {
        Entry {
            key: address_of(pattern),
            forms: forms([pattern]),
            givens: holes::givens(compiled, pattern),
        }
    }
}

/// The forms that patterns need, each once.
fn forms<'p>(patterns: impl IntoIterator<Item = &'p Pattern>) -> Vec<usize> {
    let mut forms = Vec::new();
    for pattern in patterns {
        holes::forms(pattern, &mut |form| forms.push(form));
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}
