//! What is run besides expressions: states, events, policies and transcripts.

use super::{Bounds, Check, Code, Domain, Node, Shape, SiteId, Slot, Source, Text, Written};
use crate::source::Span;

/// A row: it fires once for each value of its variables for which its conditions hold.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) bindings: Box<[(u32, Source)]>,
    pub(crate) conditions: Box<[Code]>,
    pub(crate) value: Code,
    /// Whether the next row is asked where the value is none.
    pub(crate) maybe: bool,
    pub(crate) site: SiteId,
    pub(crate) label: String,
    /// Where it is explained: what becomes of it is noted in the journal.
    pub(crate) noted: Option<NotedRow>,
}

/// A row of a table that is explained.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NotedRow {
    /// Its place in the table.
    pub(crate) place: u32,
    /// How many locals its frame has.
    pub(crate) locals: u32,
}

/// A row that is said.
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
    /// What it speaks of, if that is one thing.
    pub(crate) mark: Option<Mark>,
    /// Whether it asks nothing of the state: at the start, only what was given.
    pub(crate) stateless: bool,
}

/// What of a transcript's words a row speaks of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) spoken: Spoken,
    /// The variable that is bound to each of its members, or to each position.
    pub(crate) local: Option<u32>,
    /// Whether that is a position, counted from 1.
    pub(crate) is_position: bool,
}

/// Something that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spoken {
    Field(usize),
    Given(usize),
}

/// A given.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) offset: usize,
    /// What it can be, where that is known.
    pub(crate) bounds: Option<Bounds>,
    pub(crate) slot: Slot,
    /// The key's domain and an entry's slot, if it is a map that is read entry by entry.
    pub(crate) entry: Option<(Domain, Slot)>,
    /// Its value where it is not read, or one entry's with the key's parts as locals.
    pub(crate) default: Option<Initial>,
}

/// The value that something begins with.
#[derive(Debug)]
pub(crate) struct Initial {
    pub(crate) code: Code,
    pub(crate) locals: usize,
    /// The parameters' domains, where it is the value of one entry.
    pub(crate) pointwise: Option<Pointwise>,
}

/// A map made entry by entry.
#[derive(Debug)]
pub(crate) struct Pointwise {
    pub(crate) key: Domain,
    pub(crate) slot: Slot,
    /// The domain of each parameter, which together make the key.
    pub(crate) parameters: Vec<Domain>,
    /// Where only some keys are values.
    pub(crate) partial: Option<usize>,
    /// The last key that is one, where that is given.
    pub(crate) last: Option<Code>,
}

/// A state variable.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) name: String,
    pub(crate) offset: usize,
    /// Where the value before the last event is kept, if anybody asks.
    pub(crate) previous: Option<usize>,
    pub(crate) shape: Shape,
    pub(crate) slot: Slot,
    /// What it can be, where that is known.
    pub(crate) bounds: Option<Bounds>,
    pub(crate) initial: Initial,
    /// How it is written in messages, if it is.
    pub(crate) shown: Option<Shown>,
    /// How many locals that takes.
    pub(crate) locals: usize,
    /// Whether an entry, or all of it, is shown to whoever looks, with the key as the first local.
    pub(crate) seen: Option<Asked>,
    /// How many members it has, where it is a collection that not everyone is shown.
    pub(crate) size: Option<Asked>,
}

/// How messages write a state.
#[derive(Debug)]
pub(crate) enum Shown {
    /// All of it.
    Whole(Text),
    /// A map, by its entries.
    Entries(Box<EntriesShown>),
}

/// How messages write the entries of a map.
#[derive(Debug)]
pub(crate) struct EntriesShown {
    pub(crate) key: Written,
    pub(crate) entry: Written,
    /// Where an entry is a collection: how it is written and how many members it has, with the key as the first of so many
    /// locals.
    pub(crate) collection: Option<(Text, usize, Asked)>,
    /// How an entry is drawn, with the entry as the first of so many locals.
    pub(crate) sign: Option<(Text, usize)>,
    /// Whether an entry may be none.
    pub(crate) optional: bool,
    /// How the keys lie, where they are points of a grid.
    pub(crate) plane: Option<Plane>,
    /// Where only some keys are values.
    pub(crate) partial: Option<usize>,
    /// The last key that is one, where that is given.
    pub(crate) last: Option<Code>,
}

/// How the points of a grid lie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane {
    /// How many points lie beside each other.
    pub(crate) columns: usize,
    /// Whether the first row is the lowest.
    pub(crate) rows_up: bool,
    /// Whether the first column is at the right.
    pub(crate) columns_up: bool,
}

/// A state whose value before the last event is kept: where it stands, where that is kept, and how many words it has.
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
    /// Whether whoever looks may know that it may happen.
    pub(crate) offered: Option<Asked>,
    pub(crate) guard: Option<Guard>,
    pub(crate) impossible: Vec<Impossible>,
    pub(crate) impossible_locals: usize,
    pub(crate) refuse: Vec<Objection>,
    /// Its `illegal` facts: only the list of what may happen next asks them here.
    pub(crate) illegal: Vec<Objection>,
    pub(crate) over: Option<Code>,
    pub(crate) restart: Option<Code>,
    /// What each seat has where it ends the game.
    pub(crate) outcome: Option<Outcome>,
    /// For each state, its equation here.
    pub(crate) equations: Vec<Option<Equation>>,
    /// The states that this event changes, `just` ones included.
    pub(crate) changes: Vec<u32>,
    /// Those of them that are one word, and where it stands; the others.
    pub(crate) words: Vec<(u32, usize)>,
    pub(crate) blocks: Vec<u32>,
    pub(crate) report: Vec<Report>,
    pub(crate) refused: Vec<Report>,
    pub(crate) follows: Vec<Choice>,
    /// Whether it only comes after others, at once.
    pub(crate) only_follows: bool,
}

/// A field of an event.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// What the type is called.
    pub(crate) ty: String,
    pub(crate) shape: Shape,
    pub(crate) optional: bool,
    /// What its value can be, where that is known.
    pub(crate) bounds: Option<Bounds>,
    pub(crate) values: Values,
    /// Where only some of them are values.
    pub(crate) partial: Option<usize>,
    /// What they are checked for besides.
    pub(crate) check: Option<Check>,
    /// Where it is a path: what comes next.
    pub(crate) path: Option<Path>,
}

/// What may come next in a path, and the row that makes others impossible.
#[derive(Debug)]
pub(crate) struct Path {
    pub(crate) next: Source,
    /// The local that the path so far is in, and how many there are.
    pub(crate) so_far: u32,
    pub(crate) locals: usize,
    /// The place of the row.
    pub(crate) row: usize,
}

/// The values that a field can have.
#[derive(Debug)]
pub(crate) enum Values {
    /// Those of a finite type.
    Of(Domain),
    /// The sets of so many members.
    Sets(usize),
    /// The paths that can be followed member by member.
    Paths,
    /// There is no end of them, or too many to go through.
    Endless,
}

/// A fact that refuses an event, or calls it illegal.
#[derive(Debug)]
pub(crate) struct Objection {
    pub(crate) name: String,
    pub(crate) fires: Code,
    /// The text that it says, if it is one.
    pub(crate) text: Option<Code>,
}

/// Who decides an event.
#[derive(Debug)]
pub(crate) enum Decider {
    /// Nobody who plays.
    Referee,
    /// Chance, with how likely each is where they are not alike, and where that is said.
    Chance(Option<(Asked, SiteId)>),
    /// A seat, which is written so.
    Seat(Asked, Written),
    /// The seat that a field of the event names, which is written so.
    Field(usize, Written),
}

/// A value that is asked by itself.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) code: Code,
    pub(crate) locals: usize,
}

/// What each seat has when the game is over.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) seats: Source,
    pub(crate) seat: Written,
    /// What one has; the seat is the first local.
    pub(crate) asked: Asked,
    /// Whether that is a number of points.
    pub(crate) points: bool,
}

/// When an event may happen.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) code: Code,
    /// The condition as it was written.
    pub(crate) written: String,
    pub(crate) says: Option<Text>,
    /// The parts that `and` joins, if it has several: each as it was written, and what it is where it fails.
    pub(crate) parts: Box<[GuardPart]>,
}

/// A part of a guard.
#[derive(Debug)]
pub(crate) struct GuardPart {
    pub(crate) code: Code,
    pub(crate) written: String,
    /// Whether the guard fails where this holds: it was written after `unless`.
    pub(crate) negated: bool,
}

/// The new value of a state.
#[derive(Debug)]
pub(crate) struct Equation {
    pub(crate) code: Code,
    pub(crate) locals: usize,
    pub(crate) pointwise: Option<Pointwise>,
    /// The only entries that can change, where these are known to be few.
    pub(crate) only: Option<Few>,
    /// When it begins again instead, if it may.
    pub(crate) begins: Option<Begins>,
}

/// A state that begins again with its round.
#[derive(Debug)]
pub(crate) struct Begins {
    /// Whether it does.
    pub(crate) when: Code,
    /// The value that it has then.
    pub(crate) value: Initial,
}

impl Equation {
    /// All code that it is made of.
    pub(crate) fn codes(&self) -> impl Iterator<Item = &Code> {
        let begins = self.begins.iter();
        let begins = begins.flat_map(|begins| [&begins.when, &begins.value.code]);
        begins.chain([&self.code])
    }
}

/// Some entries of a map: for each part of the key its only values, or nothing where it can be any.
#[derive(Debug)]
pub(crate) struct Few {
    pub(crate) parts: Box<[Option<Box<[Code]>>]>,
}

/// A row that names an event.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The place that the run passes when it is taken, where that is noted.
    pub(crate) passed: Option<u32>,
    pub(crate) label: String,
    pub(crate) event: usize,
    pub(crate) bindings: Box<[(u32, Source)]>,
    pub(crate) conditions: Box<[Code]>,
    pub(crate) fields: Vec<Code>,
    pub(crate) span: Span,
}

impl Report {
    /// Visits the pieces that this is made of.
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
    /// Visits the pieces that this is made of.
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
    /// Visits the pieces that are asked while the event is done, and not those that say whether it may be.
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
