//! Everything in a compiled game besides expressions: states, events and policies.

use super::{Bounds, Check, Code, Domain, Node, Shape, SiteId, Slot, Source, Text, Written};
use crate::source::Span;

/// A row: it fires once for each value of its variables for which its conditions hold.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) bindings: Box<[(u32, Source)]>,
    pub(crate) conditions: Box<[Code]>,
    pub(crate) value: Code,
    /// Whether a value of none passes on to the next row.
    pub(crate) maybe: bool,
    pub(crate) site: SiteId,
    pub(crate) label: String,
    /// In a table that is explained: what to note in the journal.
    pub(crate) noted: Option<NotedRow>,
}

/// A row of a table that is explained.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NotedRow {
    /// Its index in the table.
    pub(crate) place: u32,
    /// The number of locals in its frame.
    pub(crate) locals: u32,
}

/// A row of a report.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) bindings: Box<[(u32, Source)]>,
    pub(crate) conditions: Box<[Code]>,
    pub(crate) text: Text,
    pub(crate) inline: bool,
    pub(crate) label: String,
    pub(crate) span: Span,
}

/// An `impossible` row.
#[derive(Debug)]
pub(crate) struct Impossible {
    pub(crate) row: Report,
    /// The one thing in the transcript's words that it is about, if there is one.
    pub(crate) mark: Option<Mark>,
    /// Whether it does not depend on the state: at the start, only on givens.
    pub(crate) stateless: bool,
}

/// The part of a transcript's words that a row is about, to underline it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) spoken: Spoken,
    /// The variable bound to each of its members, or to each position.
    pub(crate) local: Option<u32>,
    /// Whether that variable is a position, counted from 1.
    pub(crate) is_position: bool,
}

/// Something that a transcript gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spoken {
    Field(usize),
    Given(usize),
}

/// A given.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) offset: usize,
    /// The bounds of its value, where known.
    pub(crate) bounds: Option<Bounds>,
    pub(crate) slot: Slot,
    /// For a map that is read entry by entry: the key's domain and an entry's slot.
    pub(crate) entry: Option<(Domain, Slot)>,
    /// Its value if it is not read; for a map, the value of one entry, with the key's parts as locals.
    pub(crate) default: Option<Initial>,
    /// What chance draws it from where it is not read.
    pub(crate) drawn: Option<Drawn>,
}

/// What chance draws from.
#[derive(Debug)]
pub(crate) struct Drawn {
    pub(crate) from: Source,
    pub(crate) locals: usize,
    /// The pile that all values make, in any order; nothing where it is one of them.
    pub(crate) pile: Option<Shape>,
}

/// An initial or default value.
#[derive(Debug)]
pub(crate) struct Initial {
    pub(crate) code: Code,
    pub(crate) locals: usize,
    /// The parameters' domains, if this is the value of one entry.
    pub(crate) pointwise: Option<Pointwise>,
}

/// A map made entry by entry.
#[derive(Debug)]
pub(crate) struct Pointwise {
    pub(crate) key: Domain,
    pub(crate) slot: Slot,
    /// The domains of the parameters that make up the key.
    pub(crate) parameters: Vec<Domain>,
    /// The partial type of the key, if only some keys are values.
    pub(crate) partial: Option<usize>,
    /// The last key, if the size of its type is given.
    pub(crate) last: Option<Code>,
}

/// A state variable.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) name: String,
    pub(crate) offset: usize,
    /// Where the value before the last event is kept, if anything needs it.
    pub(crate) previous: Option<usize>,
    pub(crate) shape: Shape,
    pub(crate) slot: Slot,
    /// The bounds of its value, where known.
    pub(crate) bounds: Option<Bounds>,
    pub(crate) initial: Initial,
    /// How messages show it, if they do.
    pub(crate) shown: Option<Shown>,
    /// The number of locals that this takes.
    pub(crate) locals: usize,
    /// Whether the viewer sees an entry, or the whole state; the key is the first local.
    pub(crate) seen: Option<FramedCode>,
    /// The size of a collection that not every viewer sees.
    pub(crate) size: Option<FramedCode>,
}

/// How messages show a state.
#[derive(Debug)]
pub(crate) enum Shown {
    /// As a whole.
    Whole(Text),
    /// A map, by its entries.
    Entries(Box<EntriesShown>),
}

/// How messages show the entries of a map.
#[derive(Debug)]
pub(crate) struct EntriesShown {
    pub(crate) key: Written,
    pub(crate) entry: Written,
    /// For entries that are collections: the text of one, its number of locals, and the size of one. The key is the
    /// first local.
    pub(crate) collection: Option<(Text, usize, FramedCode)>,
    /// The sign of an entry in a picture, and its number of locals. The entry is the first local.
    pub(crate) sign: Option<(Text, usize)>,
    /// Whether an entry may be none.
    pub(crate) optional: bool,
    /// The layout of the picture, if the keys are points of a grid.
    pub(crate) plane: Option<Plane>,
    /// The partial type of the key, if only some keys are values.
    pub(crate) partial: Option<usize>,
    /// The last key, if the size of its type is given.
    pub(crate) last: Option<Code>,
}

/// How to draw the points of a grid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane {
    /// The number of columns.
    pub(crate) columns: usize,
    /// Whether the first row is at the bottom.
    pub(crate) rows_up: bool,
    /// Whether the first column is at the right.
    pub(crate) columns_up: bool,
}

/// A state whose value before the last event is kept: its offset, the offset of that value, and its size in words.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) offset: usize,
    pub(crate) previous: usize,
    pub(crate) words: usize,
}

/// An event.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
    pub(crate) by: Decider,
    /// Whether the viewer may know that it is possible.
    pub(crate) offered: Option<FramedCode>,
    pub(crate) guard: Option<Guard>,
    pub(crate) impossible: Vec<Impossible>,
    pub(crate) impossible_locals: usize,
    pub(crate) refuse: Vec<Objection>,
    /// Its `illegal` facts. Only the list of possible events evaluates them here.
    pub(crate) illegal: Vec<Objection>,
    pub(crate) over: Option<Code>,
    pub(crate) restart: Option<Code>,
    /// The outcome of each seat, if the event can end the game.
    pub(crate) outcome: Option<Outcome>,
    /// For each state, its equation in this event.
    pub(crate) equations: Vec<Option<Equation>>,
    /// The states that this event changes, including `just` states.
    pub(crate) changes: Vec<u32>,
    /// Those of one word, each with its offset; and the others.
    pub(crate) words: Vec<(u32, usize)>,
    pub(crate) blocks: Vec<u32>,
    pub(crate) report: Vec<Report>,
    pub(crate) refused: Vec<Report>,
    pub(crate) refused_locals: usize,
    pub(crate) follows: Vec<Choice>,
    /// Whether it only happens as a consequence of other events.
    pub(crate) only_follows: bool,
}

impl Event {
    /// Whether what its fields refer to must be kept until it is known which event follows.
    pub(crate) fn is_kept(&self) -> bool {
        !self.fields.iter().all(|field| field.is_word)
    }
}

/// A field of an event.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The name of its type.
    pub(crate) ty: String,
    pub(crate) shape: Shape,
    /// Whether its value is one word, which refers to nothing.
    pub(crate) is_word: bool,
    pub(crate) optional: bool,
    /// The bounds of its value, where known.
    pub(crate) bounds: Option<Bounds>,
    pub(crate) values: Values,
    /// The partial type, if only some indices are values.
    pub(crate) partial: Option<usize>,
    /// A further check of its value.
    pub(crate) check: Option<Check>,
    /// If it is a path: its possible next members.
    pub(crate) path: Option<Path>,
    /// Where it is a pile that chance shuffles: what from.
    pub(crate) drawn: Option<Drawn>,
}

/// The possible next members of a path, and the row that rules out all others.
#[derive(Debug)]
pub(crate) struct Path {
    pub(crate) next: Source,
    /// The local that holds the path so far, and the number of locals.
    pub(crate) so_far: u32,
    pub(crate) locals: usize,
    /// The index of the row.
    pub(crate) row: usize,
}

/// The values that a field can have.
#[derive(Debug)]
pub(crate) enum Values {
    Of(Domain),
    /// All subsets of this many members.
    Sets(usize),
    /// The paths that can be followed member by member.
    Paths,
    /// Infinitely many, or too many to enumerate.
    Endless,
}

/// A fact that refuses an event, or calls it illegal.
#[derive(Debug)]
pub(crate) struct Objection {
    pub(crate) name: String,
    pub(crate) fires: Code,
    /// Its text, if its value is one.
    pub(crate) text: Option<Code>,
}

#[derive(Debug)]
pub(crate) enum Decider {
    /// No seat.
    Referee,
    /// Chance, with the weight of each event where weights are defined, and the site of that.
    Chance(Option<(FramedCode, SiteId)>),
    /// A seat, and its written form.
    Seat(FramedCode, Written),
    /// The seat in a field of the event, and its written form.
    Field(usize, Written),
}

/// Code that is evaluated by itself, in a frame of `locals` locals.
#[derive(Debug)]
pub(crate) struct FramedCode {
    pub(crate) code: Code,
    pub(crate) locals: usize,
}

/// The outcome of each seat when the game is over.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) seats: Source,
    pub(crate) seat: Written,
    /// The outcome of a seat, which is the first local.
    pub(crate) value: FramedCode,
    /// Whether it is a number of points.
    pub(crate) points: bool,
}

/// The condition under which an event is possible.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) code: Code,
    /// Its source text.
    pub(crate) written: String,
    pub(crate) says: Option<Text>,
    /// The operands of `and`, if there are several: each with its source text and its meaning when it fails.
    pub(crate) parts: Box<[GuardPart]>,
}

/// A part of a guard.
#[derive(Debug)]
pub(crate) struct GuardPart {
    pub(crate) code: Code,
    pub(crate) written: String,
    /// Whether it was written after `unless`, so that the guard fails if it holds.
    pub(crate) negated: bool,
}

/// The new value of a state.
#[derive(Debug)]
pub(crate) struct Equation {
    pub(crate) code: Code,
    pub(crate) locals: usize,
    pub(crate) pointwise: Option<Pointwise>,
    /// The only entries that can change, if they are known to be few.
    pub(crate) only: Option<Few>,
    /// The reset of the state, if it belongs to a round.
    pub(crate) begins: Option<Begins>,
}

/// The reset of a state at the start of its round.
#[derive(Debug)]
pub(crate) struct Begins {
    /// The condition.
    pub(crate) when: Code,
    /// The value after the reset.
    pub(crate) value: Initial,
}

impl Equation {
    /// All code in it.
    pub(crate) fn codes(&self) -> impl Iterator<Item = &Code> {
        let begins = self.begins.iter();
        let begins = begins.flat_map(|begins| [&begins.when, &begins.value.code]);
        let keys = self.only.iter().flat_map(|few| &few.parts);
        let keys = keys.flatten().flatten();
        let last = self.pointwise.iter().filter_map(|map| map.last.as_ref());
        begins.chain(keys).chain(last).chain([&self.code])
    }
}

/// A few entries of a map: for each part of the key its possible values, or nothing if it can be any.
#[derive(Debug)]
pub(crate) struct Few {
    pub(crate) parts: Box<[Option<Box<[Code]>>]>,
}

#[derive(Debug)]
pub(crate) struct Choice {
    /// The place for coverage that the run passes when it chooses this row.
    pub(crate) passed: Option<u32>,
    pub(crate) label: String,
    pub(crate) event: usize,
    pub(crate) bindings: Box<[(u32, Source)]>,
    pub(crate) conditions: Box<[Code]>,
    pub(crate) fields: Vec<Code>,
    pub(crate) span: Span,
}

impl Report {
    /// Visits the pieces of this.
    pub(crate) fn pieces(&self, visit: &mut dyn FnMut(Node<'_>)) {
        for (_, source) in &self.bindings {
            visit(Node::Source(source));
        }
        for condition in &self.conditions {
            visit(Node::Code(condition));
        }
        self.text.pieces(visit);
    }
}

impl Choice {
    /// Visits the pieces of this.
    pub(crate) fn pieces(&self, visit: &mut dyn FnMut(Node<'_>)) {
        for (_, source) in &self.bindings {
            visit(Node::Source(source));
        }
        for condition in &self.conditions {
            visit(Node::Code(condition));
        }
        for field in &self.fields {
            visit(Node::Code(field));
        }
    }
}

impl Event {
    /// Visits the pieces evaluated when the event happens, without those that decide whether it is possible.
    pub(crate) fn pieces(&self, visit: &mut dyn FnMut(Node<'_>)) {
        for row in &self.impossible {
            row.row.pieces(visit);
        }
        for refuse in &self.refuse {
            visit(Node::Code(&refuse.fires));
        }
        for condition in [&self.over, &self.restart].into_iter().flatten() {
            visit(Node::Code(condition));
        }
        for equation in self.equations.iter().flatten() {
            equation.codes().for_each(|code| visit(Node::Code(code)));
        }
        for row in &self.report {
            row.pieces(visit);
        }
        for row in &self.refused {
            row.pieces(visit);
        }
    }
}
