//! The tables for explanations: rows with their source text, and code that notes each row's attempts in the journal.

use super::{Code, Domain, Shape, Slot, Text, Typed, TypedState, Written};
use crate::source::Span;

/// All rows of a game, for explanations.
#[derive(Debug, Default)]
pub(crate) struct Explained {
    /// Whether the journal contains only rows that fire, and no mentions.
    pub(crate) fired_only: bool,
    pub(crate) events: Vec<ExplainedEvent>,
    pub(crate) facts: Vec<ExplainedFact>,
    /// How states become data.
    pub(crate) states: Vec<TypedState>,
    /// The decision rules of each policy.
    pub(crate) policies: Vec<ExplainedChoices>,
    pub(crate) policy_names: Vec<String>,
    pub(crate) mentions: Vec<Mention>,
    /// Each question's number, the event that it is about, if any, and the fact that is its value.
    pub(crate) questions: Vec<(usize, Option<usize>, usize)>,
}

impl Explained {
    /// The fact that is the value of a question, in an event or outside.
    pub(crate) fn question(&self, number: usize, event: Option<usize>) -> Option<usize> {
        let mut questions = self.questions.iter();
        let found = questions.find(|(known, of, _)| *known == number && *of == event);
        found.map(|(.., fact)| *fact)
    }
}

#[derive(Debug)]
pub(crate) struct ExplainedEvent {
    /// The name of each field, the text of its value if it can be written, and how far apart its values are.
    pub(crate) fields: Vec<(String, Option<Text>, Metric)>,
    pub(crate) impossible: ExplainedTable,
    pub(crate) refuse: Vec<usize>,
    pub(crate) illegal: Vec<usize>,
    pub(crate) report: ExplainedTable,
    pub(crate) refused: ExplainedTable,
    pub(crate) changes: Vec<ExplainedChange>,
    /// The fact that ends the game.
    pub(crate) over: Option<usize>,
    /// The fact that restarts the game.
    pub(crate) restart: Option<usize>,
    /// How its fields become data.
    pub(crate) data: Vec<Typed>,
    pub(crate) follows: ExplainedChoices,
    /// The facts that questions about this event can name, its own first.
    pub(crate) facts: Vec<usize>,
}

/// How far apart two values of a field are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Metric {
    /// All are equally far apart.
    Discrete,
    /// By their difference.
    Numbers,
    /// By the distance between two points of the grid with this index.
    Grid(u32),
}

/// A change of a state.
#[derive(Debug)]
pub(crate) struct ExplainedChange {
    pub(crate) name: String,
    pub(crate) state: u32,
    pub(crate) old: Code,
    /// Its value after the event.
    pub(crate) new: Code,
    pub(crate) shape: Shape,
    /// Both values as texts, if they fit in a line.
    pub(crate) texts: Option<(Text, Text)>,
    /// The written form of a collection's members.
    pub(crate) member: Option<Written>,
    /// The entries of a map.
    pub(crate) entries: Option<Entries>,
    pub(crate) table: ExplainedTable,
    /// The fact that says whether the state is reset instead, if it can be.
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
    /// The written form of an entry's members, if it is a collection.
    pub(crate) member: Option<Written>,
    /// If the rows define one entry each: the domains of the parameters that make up the key. These are the rows' first
    /// locals.
    pub(crate) parameters: Option<Vec<Domain>>,
}

#[derive(Debug)]
pub(crate) struct ExplainedFact {
    pub(crate) name: String,
    /// Its name, with `new` or `old` in front if it is evaluated in another state.
    pub(crate) called: String,
    /// The event that it is evaluated in; 0 if that does not matter.
    pub(crate) event: usize,
    /// How its arguments become data.
    pub(crate) parameter_data: Vec<Typed>,
    /// How its value becomes data.
    pub(crate) typed: Typed,
    /// Its value; the arguments are the first locals.
    pub(crate) value: Code,
    /// The text of each argument, which is the first local, if it can be written.
    pub(crate) argument_texts: Vec<Option<Text>>,
    /// The number of parameters.
    pub(crate) parameters: usize,
    /// The text of its value, if that fits in a line and there are no parameters.
    pub(crate) text: Option<Text>,
    pub(crate) yes_no: bool,
    /// Whether it belongs to an event or reads new values. Other facts are evaluated in the state before the event.
    pub(crate) owned: bool,
    /// Whether its value is never none or empty: a number, for example.
    pub(crate) always: bool,
    /// Its shape: an empty collection does not count as holding.
    pub(crate) shape: Shape,
    pub(crate) table: ExplainedTable,
    /// Whether the viewer sees everything that it depends on, and the number of locals; the arguments are the first.
    /// Nothing if that is not known.
    pub(crate) seen: Option<(Code, usize)>,
}

/// How a table combines its rows, and so which of the rows that fire gave it its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Combined {
    /// The first whose value is yes.
    Any,
    /// The first whose value is no.
    All,
    /// The first.
    First,
    /// The first whose value equals that of the table.
    Same,
    /// All whose value is not 0.
    Sum,
    /// All.
    Every,
}

/// The rows of a fact, clause or state.
#[derive(Debug)]
pub(crate) struct ExplainedTable {
    /// The table, with rows that write the journal.
    pub(crate) code: Code,
    /// The number of locals; the arguments are the first.
    pub(crate) locals: usize,
    pub(crate) how: Combined,
    pub(crate) rows: Vec<ExplainedRow>,
    /// The text of a row's value, which is the first local, if several rows make up one value and it can be written.
    pub(crate) each: Option<Text>,
}

/// A row, or an expression in place of one.
#[derive(Debug)]
pub(crate) struct ExplainedRow {
    /// Its label; nothing if the definition has no rows.
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
    /// Its file, its line from 1, and the place in a rule book that it cites.
    pub(crate) file: String,
    pub(crate) at: usize,
    pub(crate) cites: Option<String>,
    /// What its first variable ranges over: the source text, and a table that notes what that mentions.
    pub(crate) range: Option<(String, ExplainedTable)>,
    /// The source texts of its conditions, split at `and`.
    pub(crate) conditions: Vec<String>,
    /// How many of them, from the first, are cells of a table by columns.
    pub(crate) columns: usize,
    /// Whether its label is its first cell.
    pub(crate) is_cell: bool,
    /// The source texts of its value, unless constant, and of its unsplit conditions.
    pub(crate) written: Vec<String>,
    /// The shape of its value, if that is a collection and the table their union.
    pub(crate) part: Option<Shape>,
    /// The source text of its value, unless constant.
    pub(crate) gives: Option<String>,
    /// Whether its value is no, whatever its conditions.
    pub(crate) denies: bool,
    /// The text of a `report` or `impossible` row.
    pub(crate) text: Option<Text>,
    /// Whether the line continues after this text.
    pub(crate) inline: bool,
    /// Its `says` sentence.
    pub(crate) says: Option<Text>,
    /// The texts of its variables; nothing for one that cannot be written.
    pub(crate) variables: Vec<Option<Text>>,
    /// How much the viewer sees of what it depends on.
    pub(crate) seen: Seen,
}

/// How much the viewer sees of what a row depends on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// After the row fired: all locals of its frame are known.
    pub(crate) fired: Visibility,
    /// Before: only the table's arguments are known.
    pub(crate) unfired: Visibility,
}

/// Conditions on what the viewer sees; nothing if that is not known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Visibility {
    /// The viewer sees everything but the members of collections of which only the size matters.
    pub(crate) sizes: Option<Code>,
    /// The viewer sees everything.
    pub(crate) all: Option<Code>,
}

/// How much the viewer sees of what a row depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Visible {
    None,
    /// Everything but the members of collections of which only the size matters.
    Sizes,
    /// Everything.
    All,
}

/// Rows that choose an event.
#[derive(Debug)]
pub(crate) struct ExplainedChoices {
    /// The rows. Their conditions are the written ones, then that each field has a value, then the event's guard.
    pub(crate) table: ExplainedTable,
    /// The event of each row.
    pub(crate) events: Vec<ChosenEvent>,
}

#[derive(Debug)]
pub(crate) struct ChosenEvent {
    pub(crate) event: usize,
    /// The names of its fields.
    pub(crate) fields: Vec<String>,
    /// The number of written conditions.
    pub(crate) conditions: usize,
}

#[derive(Debug)]
pub(crate) struct Mention {
    /// Its source text; empty if too long.
    pub(crate) name: String,
    /// The text of its value, which is the first local, if that fits in a line.
    pub(crate) text: Option<Text>,
    pub(crate) what: Mentioned,
    /// For a value that cannot be written in a line: the state whose members it is looked up among.
    pub(crate) looked_for: Option<usize>,
    /// For each key or argument in its name whose source text says little: that text, and the text of its value, which
    /// is the first local.
    pub(crate) literals: Vec<Option<(String, Text)>>,
    /// For a value that is compared with those of the other members of a collection.
    pub(crate) compared: Option<Compared>,
}

/// How the values of members are compared.
#[derive(Debug)]
pub(crate) struct Compared {
    /// The text of a member, which is the first local.
    pub(crate) member: Text,
    /// Whether the highest is the best; nothing if they are not compared.
    pub(crate) highest: Option<bool>,
}

/// The kind of a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mentioned {
    /// A call of a fact.
    Fact(usize),
    /// A state; or, if a key was noted with it, an entry of it.
    State {
        state: usize,
        /// Whether it is the value after the event.
        new: bool,
    },
    /// A given, a field, a variable or an option.
    Other,
}

impl Explained {
    /// The tables of all events and facts, each with its event and its number of arguments.
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

    /// The other code that explains events, each with its event: the new values, and facts without parameters.
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
