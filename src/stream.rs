//! A run as data: what happened, what it changed, what was said, and the rows behind it, one object after the other.
//!
//! [`Game::watched`](crate::game::Game::watched) gives them. As JSON each is a line of what
//! `referee run --format jsonl` writes; `docs/events.schema.json` describes that, and `docs/events.md` tells it.

pub mod cause;
mod drift;

use std::{fmt, sync::Arc};

use serde::{Serialize, Serializer};

use crate::{
    diagnostic::Data,
    source::{Position, Sources, Span},
};

/// Which form these objects have. It is raised where a field goes away or changes its meaning, not where one is added.
pub const VERSION: u32 = 2;

/// One object of a run: [`Run`] is the first, and [`End`] or an error the last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Item {
    /// What is run.
    Run(Run),
    /// A row, before the first object that names it by its number.
    Row(RowPlace),
    /// Something that happened.
    Event(Box<Event>),
    /// The transcript's end was reached.
    End(End),
    /// The run stopped before that.
    Error(Data),
}

/// What is run on what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Run {
    /// [`VERSION`].
    pub version: u32,
    /// The game's name.
    pub game: String,
    /// Its name for people.
    pub title: String,
    /// The variants that were applied, from left to right.
    pub variants: Vec<String>,
    /// The options with the values they have.
    pub options: Entries,
    /// Which of the rule file's forms the transcript has; nothing for the first, if that has no name.
    pub form: Option<String>,
    /// What messages call the transcript.
    pub transcript: String,
    /// What `random` draws from.
    pub seed: u64,
}

/// A part of an event that takes time to find out, and that not everybody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What was said.
    Said,
    /// What changed.
    Changes,
    /// The facts behind all this, and what rows ask for.
    Facts,
    /// The values of facts and of what changed; without them, they are [`Value::None`].
    Values,
    /// All state, where a game begins.
    State,
}

/// Parts of events.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Parts([bool; 5]);

impl Parts {
    /// These and one more.
    pub(crate) fn with(mut self, part: Part) -> Parts {
        if let Some(there) = self.0.get_mut(part as usize) {
            *there = true;
        }
        self
    }

    pub(crate) fn contain(self, part: Part) -> bool {
        self.0.get(part as usize).is_some_and(|there| *there)
    }
}

/// How much a run was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct End {
    /// How many games were started.
    pub games: u64,
    /// How many events happened, the starts among them.
    pub events: u64,
}

/// An event, with what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Which game of the transcript, from 1.
    pub game: u64,
    /// Which event of the game; its start is 0.
    pub number: u64,
    /// The line of the transcript that was read last.
    pub line: usize,
    /// The column where its words begin, from 1; nothing where the event was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// What was read, its words joined by blanks; nothing where the event was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The event's name; `start` for a game's start.
    pub event: String,
    /// Its fields with their values.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub fields: Entries,
    /// Why it happens.
    pub by: By,
    /// The row that named it: a policy's, or one of `follows`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<Row>,
    /// What came of it.
    pub outcome: Outcome,
    /// The row that makes it impossible, with what it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impossible: Option<Said>,
    /// The fact that refuses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The facts that call it illegal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub illegal: Vec<String>,
    /// What was said, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Said>,
    /// What changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The facts on which that rests, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// All state after it, where a game began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Entries>,
}

/// Why an event happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The transcript starts a game.
    Start,
    /// The transcript says it.
    Transcript,
    /// A policy chose it.
    Policy,
    /// It was drawn from all that may happen.
    Random,
    /// It follows the event before it.
    Follows,
}

/// What came of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It happened.
    Done,
    /// It happened, and the game is over.
    Over,
    /// It was refused.
    Refused,
    /// It is impossible, or could not be worked out: an error follows.
    Failed,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Said {
    /// The text.
    pub text: String,
    /// Whether the line goes on after it.
    #[serde(skip_serializing_if = "is_no")]
    pub inline: bool,
    /// The row that says it.
    pub row: Row,
}

/// A change of a state, or of one of its entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The state.
    pub state: String,
    /// Of what, where it has an entry for each of something.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<Value>,
    /// How it changed.
    #[serde(flatten)]
    pub how: How,
    /// The rows that made it so; none where it falls back by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
}

/// How a value changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum How {
    /// It became another.
    Became {
        /// The value before.
        from: Value,
        /// The value after.
        to: Value,
    },
    /// Members came to a set or bag, or left it. So changes are told of those that have no greatest size.
    Members {
        /// What came to it.
        added: Vec<Value>,
        /// What left it.
        removed: Vec<Value>,
    },
}

/// A fact that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Its name, after `new` or `previous` where it was asked of that state.
    pub fact: String,
    /// Of what it was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<Value>,
    /// Its value.
    pub value: Value,
    /// The rows that made it so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
}

/// Where a row stands, or a whole definition where that has no rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RowPlace {
    /// Its number, by which events name it.
    pub row: usize,
    /// Its name; nothing where a definition has no rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The rule file.
    pub file: String,
    /// Where it begins.
    #[serde(flatten)]
    pub start: Position,
    /// The place after its last character.
    pub end: Position,
    /// The place in a book that it follows, if its author says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cites: Option<String>,
}

/// A row that fired. As JSON it has its number and its name; [`Item::Row`] says where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Where it stands.
    #[serde(flatten, serialize_with = "number_and_name")]
    pub place: Arc<RowPlace>,
    /// Its sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// What its value, or what it says, is made from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<Ask>,
    /// What its conditions ask.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Ask>,
}

/// The number and the name of a row.
#[derive(Serialize)]
struct NumberAndName<'p> {
    row: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'p str>,
}

fn number_and_name<S: Serializer>(place: &Arc<RowPlace>, serializer: S) -> Result<S::Ok, S::Error> {
    let (row, name) = (place.row, place.name.as_deref());
    NumberAndName { row, name }.serialize(serializer)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_no(value: &bool) -> bool {
    !value
}

/// Something that a row asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Ask {
    /// A fact: its value is among those of the event.
    Fact {
        /// Its name, as in [`Fact`].
        fact: String,
        /// Of what.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        of: Vec<Value>,
    },
    /// A state, or an entry of it.
    State {
        /// Its name.
        state: String,
        /// Of what; nothing where the row asks for all of it, or for entries that only a loop knows.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        at: Vec<Value>,
        /// Whether the state after the event is meant.
        #[serde(skip_serializing_if = "is_no")]
        new: bool,
    },
}

/// Values by names, in order. As JSON it is an object.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entries(pub Vec<(String, Value)>);

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A value. As JSON a number is a number, a yes/no a boolean, none null, a collection an array, and a map an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// none
    None,
    /// A yes/no.
    YesNo(bool),
    /// A number.
    Number(i64),
    /// A text, or a member or product as the game writes it.
    Text(String),
    /// A set, bag or pile; sets and bags in ascending order.
    List(Vec<Value>),
    /// A map by its keys, or a record by its parts.
    Entries(Entries),
}

/// As one reads it in a line: a map is its keys with their values, `Ann 3, Ben 0`.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |all: Vec<String>| {
            if all.is_empty() {
                "nothing".to_owned()
            } else {
                all.join(", ")
            }
        };
        match self {
            Value::None => out.write_str("none"),
            Value::YesNo(value) => out.write_str(if *value { "yes" } else { "no" }),
            Value::Number(value) => write!(out, "{value}"),
            Value::Text(text) => out.write_str(text),
            Value::List(list) => out.write_str(&joined(list.iter().map(Value::inner).collect())),
            Value::Entries(Entries(list)) => {
                let entries = list.iter();
                let entries = entries.map(|(key, value)| format!("{key} {}", value.inner()));
                out.write_str(&joined(entries.collect()))
            }
        }
    }
}

impl Value {
    /// Within another value: what has several parts stands in brackets.
    fn inner(&self) -> String {
        match self {
            Value::List(list) if list.len() > 1 => format!("({self})"),
            Value::Entries(list) if list.0.len() > 1 => format!("({self})"),
            _ => self.to_string(),
        }
    }
}

impl Entries {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl RowPlace {
    /// The row of a number at a place.
    pub(crate) fn new(row: usize, name: Option<&str>, span: Span, sources: &Sources) -> RowPlace {
        let source = sources.get(span.source);
        RowPlace {
            row,
            name: name.map(str::to_string),
            file: source.map(|source| source.name.clone()).unwrap_or_default(),
            start: sources.position(span),
            end: sources.position(span.tail()),
            cites: sources.cited(span).map(str::to_string),
        }
    }
}
