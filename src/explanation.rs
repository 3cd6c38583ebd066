//! Why the referee decided as it did, as data: what happened on a line, the rows behind it, and what else was possible.
//!
//! All of it can be serialised. [`Explanation::draw`] makes a few sentences of it, for those who play, and
//! [`Explanation::trace`] tells all of it, for those who know the rules.

mod answer;
mod changes;
mod short;
mod sum;
mod text;
mod words;

use serde::Serialize;

use crate::{code::explain::Visible, stream};

pub use answer::{Asked, Sort};

/// The form of [`Explanation`], a number that is raised where a field goes away or changes its meaning.
pub const VERSION: u32 = 1;

/// How many facts are looked into, one in the other, so that sentences can say what a number is made of.
pub const DEPTH_OF_SENTENCES: usize = 8;

/// What is asked of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ask {
    /// Which of the rule file's forms it has; the default where this is nothing.
    pub form: Option<String>,
    /// The line. Without it, and without `event` and `column`: the last event and what follows it.
    pub line: Option<usize>,
    /// Which of the events on the line, from 1; all where this is nothing.
    pub event: Option<usize>,
    /// A column of the line, from 1: the event that is read there, and what follows it.
    pub column: Option<usize>,
    /// How many facts are looked into, one in the other.
    pub depth: usize,
    /// What did not happen, by its name: a fact, a change, a row, what a row says; or an expression.
    pub not: Option<String>,
    /// What is asked besides: an expression, as it would stand in the rules, or a name as in `not`.
    pub of: Option<String>,
    /// A row that does not fire on that line: who doubts that it matters there can compare.
    pub without: Option<RowPlace>,
}

/// A row, by its name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowPlace {
    /// Its name.
    pub row: String,
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub at: usize,
}

/// A line of a transcript, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// [`VERSION`].
    pub version: u32,
    /// The line's number, from 1.
    pub line: usize,
    /// The line that was asked about, if it is blank or begins with `#?`: the next line with an event is explained.
    pub blank: Option<usize>,
    /// Whether that line begins with `#?`.
    #[serde(skip)]
    pub question: bool,
    /// What was read from it besides events, as it is written.
    pub read: Vec<String>,
    /// The events on it, each before those that follow it, and those that are chosen after it.
    pub events: Vec<Event>,
    /// What keeps the transcript from being read on, where that is on this line.
    pub stopped: Option<Stopped>,
    /// The answer to what is asked of the state after the line.
    pub asked: Option<Asked>,
    /// Whether parts of the game are hidden from whoever asks.
    #[serde(skip)]
    pub veiled: bool,
    /// After which of several events on the line an expression is asked, as people read it.
    #[serde(skip)]
    pub(crate) part: String,
}

/// An expression that is asked of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expression {
    /// The line, from 1.
    pub line: usize,
    /// Which of the events on it, from 1.
    pub event: usize,
    /// That event's name.
    pub owner: String,
    /// The expression, as it would stand in the rules.
    pub text: String,
    /// Whether it is asked of the state after the event.
    pub new: bool,
    /// Names in it that stand for values, each as it is written in a transcript.
    pub with: Vec<(String, String)>,
}

/// What keeps a transcript from being read on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stopped {
    /// The line as it stands there.
    pub words: String,
    /// What is wrong.
    pub message: String,
    /// What could have stood there, and other facts.
    pub notes: Vec<String>,
    /// What to write instead.
    pub helps: Vec<String>,
    /// What may come there and is written much like it.
    pub meant: Vec<String>,
    /// The event that cannot come now, if its words are those of one.
    #[serde(skip)]
    pub untimely: Option<String>,
}

/// An event, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Its number among those on the line, from 1.
    pub number: usize,
    /// Where its words begin, from 1, if it was read.
    pub column: Option<usize>,
    /// Its name; `start` is the beginning of a game.
    pub event: String,
    /// Its words, if it was read.
    pub words: Option<String>,
    /// Its fields.
    pub fields: Vec<Value>,
    /// Why there is this event.
    pub by: By,
    /// The sentences of the `illegal` and `refuse` rows that fired.
    pub sentences: Vec<String>,
    /// What it did.
    pub effects: Vec<Effect>,
    /// Where it may not happen: the events beside it that may.
    pub beside: Vec<Beside>,
    /// If it may not happen and `beside` is empty: the lines that may come instead, unless there are many.
    pub may_come: Vec<String>,
    /// The answer to what was asked.
    pub asked: Option<Asked>,
    /// The number among those on the line of the one that was read, drawn or chosen: this, or what this follows.
    #[serde(skip)]
    pub(crate) step: usize,
}

/// The last change of a state, or of an entry of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastChange {
    /// The step of its line in which it changed.
    pub(crate) step: usize,
    /// The state's number.
    pub(crate) state: usize,
    /// The entry's place.
    pub(crate) place: usize,
}

/// Why there is an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum By {
    /// It was read, or the game starts.
    Transcript,
    /// A policy chose it.
    Policy {
        /// The policy's name.
        name: String,
        /// Which rule chose, if one did.
        decision: Option<Decision>,
    },
    /// It was drawn by lot.
    Lot,
    /// It follows the event before.
    Follows {
        /// Which row named it.
        decision: Option<Decision>,
    },
}

/// Which rule chose an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// The rule.
    pub chosen: Cause,
    /// The rules before it, which did not.
    pub passed: Vec<Unfired>,
}

/// Something that an event did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// It said a line.
    Said {
        /// The line.
        text: String,
        /// Whether what is said next stands on the same line.
        inline: bool,
        /// The row that says it.
        cause: Cause,
    },
    /// It changed a state, or an entry of it.
    Changed {
        /// Which.
        name: String,
        /// The state.
        state: String,
        /// Which entry of it, for a map.
        entry: Option<String>,
        /// What it was; nothing where that cannot be written in a line.
        old: Option<String>,
        /// What it is.
        new: Option<String>,
        /// For a collection, what it has now and had not.
        gains: Vec<String>,
        /// For a collection, what it had and has no more.
        loses: Vec<String>,
        /// Whether it is a collection.
        collection: bool,
        /// Whether it began again, whatever its rows say.
        #[serde(skip)]
        again: bool,
        /// The entry's place among those of the map.
        #[serde(skip)]
        place: usize,
        /// The rows that did it.
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
    /// The game begins again with it, and nothing else changes.
    Restarted {
        /// The fact that says so.
        fact: Fact,
    },
    /// The game is over with it.
    Over {
        /// The fact that says so.
        fact: Fact,
    },
}

/// A row that fired, with the values that made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// Its name; nothing where a definition has no rows.
    pub row: Option<String>,
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub at: usize,
    /// Its value and its conditions, as they were written.
    pub written: Vec<String>,
    /// Its value as it was written; nothing where it is a constant.
    pub gives: Option<String>,
    /// What it mentions.
    pub values: Vec<Value>,
    /// Its sentence.
    pub says: Option<String>,
    /// The place in a book that it follows, if its author says so.
    pub cites: Option<String>,
    /// The facts among that, each with what made it so; each is told once.
    pub facts: Vec<Fact>,
    /// The earlier lines after which the same stood that it looks for in a state; 0 is the start.
    pub stood: Vec<usize>,
    /// Whether its name is only the first cell of a row of a table by columns.
    #[serde(skip)]
    pub(crate) is_cell: bool,
    /// For a row of a sum, what it added each time that it fired, where that can be written.
    #[serde(skip)]
    pub(crate) added: Vec<String>,
    /// What it looks for in states that are collections.
    #[serde(skip)]
    pub(crate) looked_for: Vec<Member>,
    /// How much of what it rests on the viewer is known to see.
    #[serde(skip)]
    pub(crate) seen: Visible,
}

/// What may be a member of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The state's number.
    pub(crate) state: usize,
    pub(crate) value: stream::Value,
}

/// A row that did not fire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unfired {
    /// Its name; nothing where a definition has no rows.
    pub row: Option<String>,
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub at: usize,
    /// What it failed at.
    pub failed: Failed,
    /// That, as it was written.
    pub written: String,
    /// What that mentions.
    pub values: Vec<Value>,
    /// The facts among that, each with what made it so.
    pub facts: Vec<Fact>,
    /// How much of what it rests on the viewer is known to see.
    #[serde(skip)]
    pub(crate) seen: Visible,
}

/// What a row failed at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Failed {
    /// There was nothing for its variable to go through.
    Empty,
    /// A condition.
    Condition,
    /// Its value is no, none, or what it was before.
    Value,
    /// A row before it came first.
    Earlier {
        /// That row.
        row: String,
    },
    /// A field of the event that it names would have no value.
    Field {
        /// The field.
        field: String,
    },
    /// The event that it names may not happen now.
    Guard {
        /// The event.
        event: String,
    },
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
            effects: Vec::new(),
            beside: Vec::new(),
            may_come: Vec::new(),
            asked: None,
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

    /// Shows all rows that fired.
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
    /// Shows this and all below it.
    fn each(&mut self, visit: &mut dyn FnMut(&mut Cause)) {
        visit(self);
        for fact in &mut self.facts {
            fact.causes.iter_mut().for_each(|cause| cause.each(visit));
        }
    }
}

/// A name with its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Value {
    /// As it was written in the rules.
    pub name: String,
    /// Its value; empty where it is an empty collection or text.
    pub value: String,
    /// For state that changed since the game began, the line on which it did last.
    pub since: Option<usize>,
    /// If that line can have several events, the words of the one that changed it.
    pub since_words: Option<String>,
}

/// A fact with its value, and what made it so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Its name, with what it was asked for.
    pub name: String,
    /// The same with the values that it was asked of, where these can be written.
    #[serde(skip)]
    pub(crate) called: Option<String>,
    /// Its value; nothing where that cannot be written in a line.
    pub value: Option<String>,
    /// The rows that made it so; none where no row fired.
    pub causes: Vec<Cause>,
    /// The rows that fired, too, and gave way to those, each with its value.
    pub outdone: Vec<Value>,
    /// The rows of a table by columns that come before those and would have given the value but for a condition.
    pub passed: Vec<Unfired>,
    /// Whether it is known that who looks at the game sees all that it rests on.
    #[serde(skip)]
    pub(crate) seen: bool,
}

/// An event that differs from another in one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Beside {
    /// The field.
    pub field: String,
    /// Its value there.
    pub value: Option<String>,
    /// How that event is written in the transcript.
    pub words: String,
    /// Whether it would be refused there, for a reason that was not asked about.
    pub refused: bool,
}
