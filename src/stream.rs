//! A run as data: what happened, what it changed and reported, and the rows behind it, one object after the other.
//!
//! [`Game::watched`](crate::game::Game::watched) gives them. As JSON, each is a line of what
//! `referee run --format jsonl` writes; `docs/events.md` explains it, and `docs/events.schema.json` is its schema.

pub mod cause;
mod drift;

use std::{fmt, sync::Arc};

use serde::{Serialize, Serializer};

use crate::{
    diagnostic::Data,
    source::{Position, Sources, Span},
};

/// The version of these objects. It changes when a field is removed or changes its meaning, not when one is added.
pub const VERSION: u32 = 2;

/// An object of a run: [`Run`] is the first, and [`End`] or an error the last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Item {
    /// What is run.
    Run(Run),
    /// A row, before the first object that refers to it by its number.
    Row(RowPlace),
    /// An event.
    Event(Box<Event>),
    /// The end of the transcript was reached.
    End(End),
    /// The run stopped before that.
    Error(Data),
}

/// What is run, and on which transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Run {
    /// The version of these objects, [`VERSION`]. It changes when a field is removed or changes its meaning, not when one
    /// is added.
    #[cfg_attr(feature = "cli", schemars(extend("const" = VERSION)))]
    pub version: u32,
    /// The game's name.
    pub game: String,
    /// Its name for people.
    pub title: String,
    /// The variants that were applied, from left to right.
    pub variants: Vec<String>,
    /// The options with their values.
    pub options: Entries,
    /// The form of the transcript; `None` for the rule file's first, if that has no name.
    pub form: Option<String>,
    /// The transcript's name in messages.
    pub transcript: String,
    /// The seed of `play by random`.
    pub seed: u64,
}

/// A part of an event that takes time to find out, and that not every reader wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The reported texts.
    Said,
    /// What changed.
    Changes,
    /// The facts behind all this, and what rows read.
    Facts,
    /// The values of facts and of what changed; without them, they are [`Value::None`].
    Values,
    /// The whole state, when a game begins.
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

/// The end of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct End {
    /// How many games were started.
    pub games: u64,
    /// How many events happened, including the starts of games.
    pub events: u64,
}

/// An event, with what it did. What is empty is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Event {
    /// The number of the game in the transcript, from 1.
    pub game: u64,
    /// The number of the event in the game; its start is 0.
    pub number: u64,
    /// The last line of the transcript that was read; 0 before the first.
    pub line: usize,
    /// The column where its words begin, from 1, if it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Its words, joined by blanks, if it was read.
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
    /// How it ended.
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
    /// The reported texts, in order. All texts of a run, each with a line break after it unless it is `inline`, are its
    /// report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Said>,
    /// What changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The facts behind that, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// The whole state after it, if it starts a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Entries>,
}

/// Why an event happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The transcript starts a game.
    Start,
    /// The transcript says it.
    Transcript,
    /// A policy chose it.
    Policy,
    /// It was drawn by lot from all possible events.
    Random,
    /// It follows the event before it.
    Follows,
}

/// How an event ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It happened.
    Done,
    /// It happened, and the game is over.
    Over,
    /// It was refused.
    Refused,
    /// It is impossible, or a rule failed: an error follows, unless the transcript expects it.
    Failed,
}

/// A reported text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Said {
    /// The text.
    pub text: String,
    /// Whether the next text continues the same line.
    #[serde(skip_serializing_if = "is_no")]
    pub inline: bool,
    /// The row that says it.
    pub row: Row,
}

/// A change of a state, or of one of its entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Change {
    /// The state.
    pub state: String,
    /// The keys of the entry, if the state is a map.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<Value>,
    /// How it changed.
    #[serde(flatten)]
    pub how: How,
    /// The rows that gave it this value; empty if the state was reset.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
}

/// How a value changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum How {
    /// It became another.
    Became {
        /// The value before.
        from: Value,
        /// The value after.
        to: Value,
    },
    /// A set or bag of unbounded size gained or lost members.
    Members {
        /// The members it gained.
        added: Vec<Value>,
        /// The members it lost.
        removed: Vec<Value>,
    },
}

/// A fact that was evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Fact {
    /// Its name, after `new` or `previous` if it was evaluated in that state.
    pub fact: String,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<Value>,
    /// Its value.
    pub value: Value,
    /// The rows that gave it this value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
}

/// The place of a row, or of a whole definition without rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RowPlace {
    /// Its number, by which events refer to it.
    pub row: usize,
    /// Its name; a definition without rows has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The rule file.
    pub file: String,
    /// The position of its first character.
    #[serde(flatten)]
    pub start: Position,
    /// The position after its last character.
    pub end: Position,
    /// The rule of a published book that it cites.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cites: Option<String>,
}

/// A row that fired. As JSON it has its number and its name; [`Item::Row`] has its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Row {
    /// Where it stands.
    #[serde(flatten, serialize_with = "number_and_name")]
    #[cfg_attr(feature = "cli", schemars(with = "NumberAndName"))]
    pub place: Arc<RowPlace>,
    /// Its sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// What its value or its text is computed from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<Ask>,
    /// What its conditions read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Ask>,
}

/// The number and the name of a row.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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

/// Something that a row reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Ask {
    /// A fact; the event has its value.
    Fact {
        /// Its name, as in [`Fact`].
        fact: String,
        /// Its arguments.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        of: Vec<Value>,
    },
    /// A state, or an entry of it.
    State {
        /// Its name.
        state: String,
        /// The keys of the entry; empty if the row reads all of it, or entries that depend on a loop.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        at: Vec<Value>,
        /// Whether it is the state after the event.
        #[serde(skip_serializing_if = "is_no")]
        new: bool,
    },
}

/// Values by names, in order. As JSON it is an object.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entries(pub Vec<(String, Value)>);

#[cfg(feature = "cli")]
impl schemars::JsonSchema for Entries {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Entries".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Values by names, in order.",
            "type": "object",
            "additionalProperties": generator.subschema_for::<Value>(),
        })
    }
}

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A value. As JSON a number is a number, a yes/no a boolean, none null, a collection an array, and a map an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
