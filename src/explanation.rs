//! Why the referee decided as it did, as data: what happened on a line, the rows behind it, and what else was possible.
//!
//! [`Explanation::draw`] sums it up in a few sentences for players; [`Explanation::trace`] writes all of it.

mod answer;
mod changes;
mod members;
mod reasons;
mod short;
mod sum;
mod text;
mod words;

pub use answer::{Answer, Sort};
pub(crate) use answer::{LastChange, Until};
pub(crate) use members::{Comparison, Term};
pub(crate) use reasons::add_facts;
use serde::Serialize;
pub(crate) use text::or_nothing;
pub(crate) use words::with_values_in_name;

use crate::{code::explain::Visible, stream};

/// The version of [`Explanation`]'s format, raised when a field is removed or changes its meaning.
pub const VERSION: u32 = 1;

/// How deeply facts are explained within facts, so that sentences can say what a number is made of.
pub const DEPTH_OF_SENTENCES: usize = 8;

/// What to explain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The form of the transcript; `None` for the rule file's default.
    pub form: Option<String>,
    /// The line, from 1. Without `line`, `event` and `column`, the last event and those that follow it are explained.
    pub line: Option<usize>,
    /// Which event on the line, from 1; `None` for all.
    pub event: Option<usize>,
    /// A column of the line, from 1: explains the event read there and those that follow it.
    pub column: Option<usize>,
    /// How deeply facts are explained within facts.
    pub depth: usize,
    /// The name of something that did not happen (a fact, a change, a row, the text of a report), or an expression.
    pub not: Option<String>,
    /// An expression, as the rules would write it, or a name as in `not`, to explain whether or not it happened.
    pub of: Option<String>,
    /// A row to disable on that line, to see whether it matters.
    pub without: Option<RowPlace>,
}

/// A row, identified by its name and its place in the rules.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowPlace {
    /// Its name.
    pub row: String,
    /// Its file.
    pub file: String,
    /// Its line in that file, from 1.
    pub at: usize,
}

/// A line of a transcript, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The version of this object, [`VERSION`]. It changes when a field is removed or changes its meaning, not when one is
    /// added.
    #[cfg_attr(feature = "cli", schemars(extend("const" = VERSION)))]
    pub version: u32,
    /// The line's number, from 1.
    pub line: usize,
    /// The line that was asked for, if it is blank or begins with `#?`: then the next line with an event is explained.
    pub blank: Option<usize>,
    /// Whether the line that was asked for begins with `#?`.
    #[serde(skip)]
    pub question: bool,
    /// What was read from the line besides events, as written.
    pub read: Vec<String>,
    /// The events on the line, in order, each followed by those that it leads to or that a policy then chooses.
    pub events: Vec<Event>,
    /// Why the transcript cannot be read further, if the problem is on this line.
    pub stopped: Option<Stopped>,
    /// The answer to a question about the state after the line.
    #[serde(rename = "asked")]
    pub answer: Option<Answer>,
    /// Whether anything is hidden from the viewer.
    #[serde(skip)]
    pub redacted: bool,
    /// Which event on the line an expression was evaluated after, in words; empty if that needs no saying.
    #[serde(skip)]
    pub(crate) part: String,
}

/// An expression to evaluate in a transcript.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expression {
    /// The line, from 1.
    pub line: usize,
    /// Which event on the line, from 1.
    pub event: usize,
    /// That event's name.
    pub owner: String,
    /// The expression, as the rules would write it.
    pub text: String,
    /// Whether to evaluate it in the state after the event.
    pub new: bool,
    /// Names in it that stand for values, each with its value as a transcript writes it.
    pub with: Vec<(String, String)>,
}

/// Why a transcript cannot be read further.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Stopped {
    /// The line as written.
    pub words: String,
    /// What is wrong.
    pub message: String,
    /// What was expected, and other facts.
    pub notes: Vec<String>,
    /// What to write instead.
    pub helps: Vec<String>,
    /// Possible lines that are spelt much like it.
    #[serde(rename = "meant")]
    pub suggestions: Vec<String>,
    /// The event that the line would be, if that is not possible now.
    #[serde(skip)]
    pub untimely: Option<String>,
}

/// An event, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Event {
    /// Its number among those on the line, from 1.
    pub number: usize,
    /// The column where its words begin, from 1, if it was read.
    pub column: Option<usize>,
    /// Its name; `start` for the beginning of a game.
    pub event: String,
    /// Its words, if it was read.
    pub words: Option<String>,
    /// Its fields.
    pub fields: Vec<Value>,
    /// What brought it about.
    pub by: By,
    /// The sentences of the `illegal` and `refuse` rows that fired.
    pub sentences: Vec<String>,
    /// The facts that make it illegal, if it may happen.
    #[serde(skip)]
    pub illegal: Vec<Fact>,
    /// What it did.
    pub effects: Vec<Effect>,
    /// If it may not happen: events that differ in one field and may.
    #[serde(rename = "beside")]
    pub alternatives: Vec<Alternative>,
    /// If it may not happen and `alternatives` is empty: the lines that are possible instead, unless there are many.
    pub may_come: Vec<String>,
    /// The answer to the question about it.
    #[serde(rename = "asked")]
    pub answer: Option<Answer>,
    /// The number among those on the line of the one that was read, drawn or chosen: this, or what this follows.
    #[serde(skip)]
    pub(crate) step: usize,
}

/// What brought an event about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum By {
    /// It was read, or it is the start of the game.
    Transcript,
    /// A policy chose it.
    Policy {
        /// The policy's name.
        name: String,
        /// The rule that chose, if one did.
        decision: Option<Decision>,
    },
    /// It was drawn by lot.
    Lot,
    /// It follows from the event before it.
    Follows {
        /// The row that named it.
        decision: Option<Decision>,
    },
}

/// The rule that chose an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Decision {
    /// The rule.
    pub chosen: Cause,
    /// The rules before it, which did not choose.
    pub passed: Vec<Unfired>,
}

/// One thing that an event did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// It reported a line.
    Said {
        /// The line.
        text: String,
        /// Whether the next text continues the same line.
        inline: bool,
        /// The row that says it.
        cause: Cause,
    },
    /// It changed a state, or an entry of it.
    Changed {
        /// The state, or the entry of it, as people read it.
        name: String,
        /// The state.
        state: String,
        /// For a map, the key of the entry.
        entry: Option<String>,
        /// Its old value; `None` if that cannot be written in a line.
        old: Option<String>,
        /// Its new value.
        new: Option<String>,
        /// For a collection, the members it gained.
        gains: Vec<String>,
        /// For a collection, the members it lost.
        loses: Vec<String>,
        /// Whether it is a collection.
        collection: bool,
        /// Whether the state was reset to its initial value, regardless of its rows.
        #[serde(skip)]
        again: bool,
        /// The index of the entry in the map.
        #[serde(skip)]
        place: usize,
        /// The rows that gave it its new value.
        causes: Vec<Cause>,
    },
    /// It is impossible.
    Impossible {
        /// Why.
        text: String,
        /// The row that says so.
        cause: Cause,
    },
    /// It was refused.
    Refused {
        /// The fact that refuses it.
        fact: Fact,
    },
    /// The game starts again, and nothing else changes.
    Restarted {
        /// The fact that ends the game.
        fact: Fact,
    },
    /// It ends the game.
    Over {
        /// The fact that ends the game.
        fact: Fact,
    },
}

/// A row that fired, with the values that made it fire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Cause {
    /// Its name; `None` where a definition has no rows.
    pub row: Option<String>,
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub at: usize,
    /// Its value and its conditions, as written in the rules.
    pub written: Vec<String>,
    /// Its value as written in the rules; `None` for a constant.
    pub gives: Option<String>,
    /// The values that it mentions.
    pub values: Vec<Value>,
    /// Its `says`.
    pub says: Option<String>,
    /// The rule of a published book that it cites.
    pub cites: Option<String>,
    /// The facts among `values`, each with its causes; a fact is explained where it is mentioned first.
    pub facts: Vec<Fact>,
    /// The earlier lines after which the state held the value that the row looks up in it; 0 is the start.
    #[serde(rename = "stood")]
    pub earlier: Vec<usize>,
    /// Whether its name is only the first cell of its row in a table by columns.
    #[serde(skip)]
    pub(crate) is_cell: bool,
    /// For a row of a sum, what it added each time it fired, if that can be written.
    #[serde(skip)]
    pub(crate) added: Vec<Term>,
    /// What it compared to find the best of a collection, the most important first.
    #[serde(skip)]
    pub(crate) compared: Vec<Comparison>,
    /// What it looks up in collections of the state.
    #[serde(skip)]
    pub(crate) looked_for: Vec<Member>,
    /// How much of what it depends on the viewer is known to see.
    #[serde(skip)]
    pub(crate) seen: Visible,
}

/// A possible member of a collection in the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The state's number.
    pub(crate) state: usize,
    pub(crate) value: stream::Value,
}

/// A row that did not fire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Unfired {
    /// Its name; `None` where a definition has no rows.
    pub row: Option<String>,
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub at: usize,
    /// Why it did not fire.
    pub failed: Failed,
    /// The part that failed, as written in the rules.
    pub written: String,
    /// The values that this part mentions.
    pub values: Vec<Value>,
    /// The facts among `values`, each with its causes.
    pub facts: Vec<Fact>,
    /// How much of what it depends on the viewer is known to see.
    #[serde(skip)]
    pub(crate) seen: Visible,
}

/// Why a row did not fire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Failed {
    /// Its variable ranges over an empty collection.
    Empty,
    /// A condition did not hold.
    Condition,
    /// Its value is no, none, or the old value.
    Value,
    /// An earlier row fired instead.
    Earlier {
        /// That row.
        row: String,
    },
    /// A field of the event that it names would have no value.
    Field {
        /// The field.
        field: String,
    },
    /// The event that it names is not possible now.
    Guard {
        /// The event.
        event: String,
    },
}

impl Explanation {
    /// The explanation of a line without events.
    pub(crate) fn new(line: usize) -> Explanation {
        Explanation {
            version: VERSION,
            line,
            blank: None,
            question: false,
            read: Vec::new(),
            events: Vec::new(),
            stopped: None,
            answer: None,
            redacted: false,
            part: String::new(),
        }
    }
}

impl Event {
    /// An event of which nothing else is told yet.
    pub(crate) fn new(number: usize, event: &str, by: By) -> Event {
        Event {
            number,
            column: None,
            event: event.to_string(),
            words: None,
            fields: Vec::new(),
            by,
            sentences: Vec::new(),
            illegal: Vec::new(),
            effects: Vec::new(),
            alternatives: Vec::new(),
            may_come: Vec::new(),
            answer: None,
            step: 0,
        }
    }

    /// Whether it is impossible.
    pub(crate) fn is_impossible(&self) -> bool {
        matches!(self.effects.first(), Some(Effect::Impossible { .. }))
    }

    /// Whether it was refused.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(self.effects.first(), Some(Effect::Refused { .. }))
    }

    /// Visits every row that fired, also those behind facts.
    pub(crate) fn each_cause(&mut self, visit: &mut dyn FnMut(&mut Cause)) {
        for effect in &mut self.effects {
            let causes = match effect {
                Effect::Said { cause, .. } | Effect::Impossible { cause, .. } => {
                    std::slice::from_mut(cause)
                }
                Effect::Changed { causes, .. } => causes.as_mut_slice(),
                Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
                    &mut fact.causes
                }
            };
            for cause in causes {
                cause.each(visit);
            }
        }
    }
}

impl Cause {
    /// Visits this row and all rows behind its facts.
    fn each(&mut self, visit: &mut dyn FnMut(&mut Cause)) {
        visit(self);
        for fact in &mut self.facts {
            fact.causes.iter_mut().for_each(|cause| cause.each(visit));
        }
    }
}

/// A name with its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Value {
    /// The name as written in the rules.
    pub name: String,
    /// The value; empty for an empty collection or text.
    pub value: String,
    /// For state: the line on which it last changed, if it did since the game began.
    pub since: Option<usize>,
    /// The words of the event that changed it, if that line can have several events.
    pub since_words: Option<String>,
    /// Whether it belongs to a variable with a name of one letter, which says nothing to a reader.
    #[serde(skip)]
    pub(crate) variable: bool,
    /// For a fact with arguments: its name with their values, if these can be written.
    #[serde(skip)]
    pub(crate) called: Option<String>,
    /// What stands for a value in the name, as written in the rules and as values are written.
    #[serde(skip)]
    pub(crate) literals: Vec<(String, String)>,
}

/// A fact with its value and what gave it that value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Fact {
    /// Its name and its arguments, as written in the rules.
    pub name: String,
    /// The same with the arguments' values, if these can be written.
    #[serde(skip)]
    pub(crate) called: Option<String>,
    /// Its value; `None` if that cannot be written in a line.
    pub value: Option<String>,
    /// The rows that gave it its value; empty if no row fired.
    pub causes: Vec<Cause>,
    /// Other rows that fired and were overridden, each with its value.
    pub outdone: Vec<Value>,
    /// For a table by columns, earlier rows that would have given the same value but for a condition.
    pub passed: Vec<Unfired>,
    /// Whether the viewer is known to see everything that it depends on.
    #[serde(skip)]
    pub(crate) seen: bool,
}

/// An event that differs from another in one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Alternative {
    /// The field.
    pub field: String,
    /// The field's value in it.
    pub value: Option<String>,
    /// The event as a transcript writes it.
    pub words: String,
    /// Whether it would be refused for another reason.
    pub refused: bool,
}
