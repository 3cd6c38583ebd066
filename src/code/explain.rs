//! What explanations are made of: the rows as they were written, and code for tables of them that notes in the journal
//! what becomes of each.

use super::{
    Code, Domain, Shape, Slot, Text, Written,
    typed::{Typed, TypedState},
};
use crate::source::Span;

/// A game's rows, to be explained.
#[derive(Debug, Default)]
pub(crate) struct Explained {
    /// Whether the journal has only the rows that fire, and nothing that rows mention.
    pub(crate) fired_only: bool,
    pub(crate) events: Vec<ExplainedEvent>,
    pub(crate) facts: Vec<ExplainedFact>,
    /// How all states become data.
    pub(crate) states: Vec<TypedState>,
    /// The rules of decision of each policy.
    pub(crate) policies: Vec<ExplainedChoices>,
    pub(crate) policy_names: Vec<String>,
    /// What rows mention.
    pub(crate) mentions: Vec<Mention>,
    /// What is asked about: its number, the event in which it is, or none, and the fact that is its value.
    pub(crate) questions: Vec<(usize, Option<usize>, usize)>,
}

impl Explained {
    /// The fact that is the value of what is asked in an event, or in none.
    pub(crate) fn question(&self, number: usize, event: Option<usize>) -> Option<usize> {
        let mut questions = self.questions.iter();
        let found = questions.find(|(known, of, _)| *known == number && *of == event);
        found.map(|(.., fact)| *fact)
    }
}

/// An event's rows.
#[derive(Debug)]
pub(crate) struct ExplainedEvent {
    /// Its fields, each with its value if that can be written, and whether it is a number.
    pub(crate) fields: Vec<(String, Option<Text>, bool)>,
    pub(crate) impossible: ExplainedTable,
    /// The facts that refuse it.
    pub(crate) refuse: Vec<usize>,
    /// The facts that call it illegal.
    pub(crate) illegal: Vec<usize>,
    pub(crate) report: ExplainedTable,
    pub(crate) refused: ExplainedTable,
    pub(crate) changes: Vec<ExplainedChange>,
    /// The fact that ends the game.
    pub(crate) over: Option<usize>,
    /// The fact that begins the game again.
    pub(crate) restart: Option<usize>,
    /// How its fields become data.
    pub(crate) data: Vec<Typed>,
    pub(crate) follows: ExplainedChoices,
    /// The facts that can be asked about while it is in hand, its own first.
    pub(crate) facts: Vec<usize>,
}

/// What becomes of a state.
#[derive(Debug)]
pub(crate) struct ExplainedChange {
    pub(crate) name: String,
    pub(crate) state: u32,
    pub(crate) old: Code,
    /// Its value after the event.
    pub(crate) new: Code,
    pub(crate) shape: Shape,
    /// Both values written, where they can be written in a line.
    pub(crate) texts: Option<(Text, Text)>,
    /// How its members are written, where it is a collection.
    pub(crate) member: Option<Written>,
    /// For a map, its entries.
    pub(crate) entries: Option<Entries>,
    pub(crate) table: ExplainedTable,
    /// The fact that says whether it begins again instead, if it may.
    pub(crate) begins: Option<usize>,
}

/// The entries of a map.
#[derive(Debug)]
pub(crate) struct Entries {
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    pub(crate) entry: Shape,
    pub(crate) key: Written,
    pub(crate) value: Written,
    /// How an entry's members are written, where it is a collection.
    pub(crate) member: Option<Written>,
    /// Where the rows say the value of one entry: the domains of the parameters that make its key, which are their
    /// first locals.
    pub(crate) parameters: Option<Vec<Domain>>,
}

/// A fact.
#[derive(Debug)]
pub(crate) struct ExplainedFact {
    pub(crate) name: String,
    /// Its name, after the word for another state than the present one.
    pub(crate) called: String,
    /// The event in which it is asked; 0 where that does not matter.
    pub(crate) event: usize,
    /// How its parameters become data.
    pub(crate) of: Vec<Typed>,
    /// How its value becomes data.
    pub(crate) typed: Typed,
    /// Its value; with parameters, these are the first locals.
    pub(crate) value: Code,
    /// How its parameters are written, each as the first local, where they can be.
    pub(crate) asked_of: Vec<Option<Text>>,
    /// How many parameters it has.
    pub(crate) parameters: usize,
    /// Its value, written; nothing where it cannot be written in a line, or has parameters.
    pub(crate) text: Option<Text>,
    pub(crate) yes_no: bool,
    /// Whether it belongs to an event, or asks for new values: others are asked of the state before one.
    pub(crate) owned: bool,
    /// Whether it always has a value, and one that is not empty: a number, for example.
    pub(crate) always: bool,
    /// What it is, where it is a collection: what is empty does not hold.
    pub(crate) shape: Shape,
    pub(crate) table: ExplainedTable,
    /// Whether who looks at the game sees all that it rests on, in a frame with so many locals, the first of them its
    /// parameters; nothing where that is not known.
    pub(crate) seen: Option<(Code, usize)>,
}

/// Which of the rows that fire gave a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Combined {
    /// The first whose value is yes.
    Any,
    /// The first whose value is no, if there is one.
    All,
    /// The first.
    First,
    /// The first whose value is the whole's.
    Same,
    /// All that add something.
    Sum,
    /// All.
    Every,
}

/// Rows that belong together.
#[derive(Debug)]
pub(crate) struct ExplainedTable {
    /// The table, as it runs, of rows that are noted.
    pub(crate) code: Code,
    /// How many locals it takes; the first are what it is asked of.
    pub(crate) locals: usize,
    pub(crate) how: Combined,
    pub(crate) rows: Vec<ExplainedRow>,
    /// How the value of a row is written, which is the first local, if several give one value and it can be.
    pub(crate) each: Option<Text>,
}

/// A row, or an expression that stands for one.
#[derive(Debug)]
pub(crate) struct ExplainedRow {
    /// Its label; nothing where a definition has no rows.
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
    /// Its file, its line from 1, and the place in a book that it follows.
    pub(crate) file: String,
    pub(crate) at: usize,
    pub(crate) cites: Option<String>,
    /// What the first of its variables goes through, if it has any: as it was written, and a table that notes what that
    /// mentions.
    pub(crate) range: Option<(String, ExplainedTable)>,
    /// Its conditions as they were written, taken apart where they are joined by `and`.
    pub(crate) conditions: Vec<String>,
    /// How many of them, the first, say that a key is in a column of the table.
    pub(crate) columns: usize,
    /// Whether its label is only its first cell.
    pub(crate) is_cell: bool,
    /// Its value if that is no constant, and its whole conditions, as they were written.
    pub(crate) written: Vec<String>,
    /// What its value is, where that is a collection of which the whole is the union.
    pub(crate) part: Option<Shape>,
    /// Its value as it was written; nothing where it is a constant.
    pub(crate) gives: Option<String>,
    /// What a `report` or `impossible` row says.
    pub(crate) text: Option<Text>,
    /// Whether the line goes on after that.
    pub(crate) inline: bool,
    /// Its sentence.
    pub(crate) says: Option<Text>,
    /// How much the viewer sees of what it rests on.
    pub(crate) seen: Seen,
}

/// How much the viewer of a game sees of what a row rests on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// Where all locals of its frame are known.
    pub(crate) fired: Visibility,
    /// Where only those are that it is asked of.
    pub(crate) asked: Visibility,
}

/// Conditions for what the viewer sees; nothing where it is not known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Visibility {
    /// All, but for the members of collections of which only the size tells.
    pub(crate) sizes: Option<Code>,
    /// All.
    pub(crate) all: Option<Code>,
}

/// How much of what a row rests on the viewer of a game sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Visible {
    /// Not all.
    None,
    /// All, but for the members of collections of which only the size tells.
    Sizes,
    /// All.
    All,
}

/// Rows that name an event.
#[derive(Debug)]
pub(crate) struct ExplainedChoices {
    /// The rows. Their conditions are those that were written, then that each field has a value, then the event's guard.
    pub(crate) table: ExplainedTable,
    /// For each row, its event.
    pub(crate) events: Vec<ChosenEvent>,
}

/// The event that a row names.
#[derive(Debug)]
pub(crate) struct ChosenEvent {
    pub(crate) event: usize,
    /// The names of its fields.
    pub(crate) fields: Vec<String>,
    /// How many conditions of the row were written.
    pub(crate) conditions: usize,
}

/// Something that a row mentions.
#[derive(Debug)]
pub(crate) struct Mention {
    /// As it was written; empty where that is too long.
    pub(crate) name: String,
    /// Its value, if that can be written in a line; the value is the first local.
    pub(crate) text: Option<Text>,
    pub(crate) what: Mentioned,
    /// The state in which it is looked for, where that is a collection of what cannot be written in a line.
    pub(crate) looked_for: Option<usize>,
}

/// What a row mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mentioned {
    /// A fact, asked of some values.
    Fact(usize),
    /// A state or, if a key was noted with it, an entry of that state.
    State {
        state: usize,
        /// Whether its value after the event is meant.
        new: bool,
    },
    /// Something else that has a value: a given, a field, a variable, an option.
    Other,
}

impl Explained {
    /// The tables that events, and the facts that they ask for, are told by: each with its event, and with how many
    /// arguments it takes.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (usize, &ExplainedTable, usize)> {
        let events = self.events.iter().enumerate();
        let of_events = events.flat_map(|(place, event)| {
            let said = [&event.impossible, &event.report, &event.refused];
            let said = said.into_iter().map(|table| (table, 0));
            let changes = event.changes.iter().map(|change| {
                let entries = change.entries.as_ref();
                let parameters = entries.and_then(|entries| entries.parameters.as_ref());
                (&change.table, parameters.map_or(0, Vec::len))
            });
            let tables = said.chain(changes);
            tables.map(move |(table, parameters)| (place, table, parameters))
        });
        let facts = self.facts.iter();
        of_events.chain(facts.map(|fact| (fact.event, &fact.table, fact.parameters)))
    }

    /// What else events are told by, each with its event: the new values, and facts that take no arguments.
    pub(crate) fn values(&self) -> impl Iterator<Item = (usize, &Code)> {
        let events = self.events.iter().enumerate();
        let new = events.flat_map(|(place, event)| {
            let changes = event.changes.iter();
            changes.map(move |change| (place, &change.new))
        });
        let facts = self.facts.iter().filter(|fact| fact.parameters == 0);
        new.chain(facts.map(|fact| (fact.event, &fact.value)))
    }
}
