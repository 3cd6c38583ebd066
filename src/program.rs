//! The checked program: every name resolved, every expression typed, every row with its name and place.
//!
//! Nothing in it refers to the tree of the rule file; what runs is made from this alone.

mod expression;
mod sight;
mod transcript;
mod view;

pub(crate) use expression::{
    Arithmetic, Expr, ExprKind, Order, Part as TemplatePart, Quantifier, Reading, SortKey,
    Template, Tense,
};
pub(crate) use sight::{Hidden, Secret, Sight, expressions_of, is_same};
pub(crate) use transcript::{
    Choice, Hole, Item, Pattern, Play, PlayRow, Policy, Segment, Step, Stop, Target, Transcript,
    Unit, Via,
};
pub(crate) use view::{View, Viewer, is_of_view, parts_of};

pub(crate) use crate::{builtins::Builtin, stack::GREATEST_DEPTH, syntax::ast::How};
use crate::{
    source::Span,
    types::{ProductId, Type, Types, ids},
};

/// How many values the number may have by which a fact asks itself, one less each time.
pub(crate) const GREATEST_RECURSION: u64 = 1_000;

ids! {
    /// A state variable.
    StateId,
    /// A fact; each event has its own copy of the facts in its sections.
    FactId,
    /// An event; the first is `start`.
    EventId,
    /// A policy.
    PolicyId,
    /// A variable of a frame: a parameter, or what `for`, `some`, `best` range over.
    LocalId,
}

impl EventId {
    /// The beginning of a game.
    pub(crate) const START: EventId = EventId(0);
}

/// A whole game, checked.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Its types.
    pub types: Types,
    /// The conditions of products, over their parts as the first locals, and the frame each needs.
    pub conditions: Vec<(ProductId, Expr, usize)>,
    /// How values are written, where a `write` says so.
    pub writes: Vec<Write>,
    /// How states are drawn, where a `write` says so.
    pub draws: Vec<Draw>,
    /// Its options with the values they have.
    pub options: Vec<OptionValue>,
    /// What is read before it starts.
    pub givens: Vec<Given>,
    /// What changes.
    pub states: Vec<State>,
    /// What begins again together.
    pub rounds: Vec<Round>,
    /// What is true, of states and of events.
    pub facts: Vec<Fact>,
    /// What may happen; the first is `start`.
    pub events: Vec<Event>,
    /// How events are chosen.
    pub policies: Vec<Policy>,
    /// How transcripts are read; the default is the first.
    pub transcripts: Vec<Transcript>,
    /// The kind whose members play, if the rules say it.
    pub seats: Option<crate::types::KindId>,
    /// As whom somebody looks at the game, if not as its referee.
    pub view: Option<View>,
    /// The fact that says what each seat has when the game is over and its last event does not say it.
    pub outcome: Option<FactId>,
    /// How many events a game may have.
    pub limit: u64,
    /// How deep what is worked out lies in each other; at most [`GREATEST_DEPTH`].
    pub depth: usize,
}

/// `write Pair as "{first of it}"`
#[derive(Debug, Clone)]
pub(crate) struct Write {
    /// The whole kind or product that is written so.
    pub ty: Type,
    /// The form; `it` is the first local.
    pub form: Expr,
    /// How many locals the form has.
    pub locals: usize,
}

/// `write board as "{mark of it else '.'}"`: the sign of an entry of a state, as pictures of the state show it.
#[derive(Debug, Clone)]
pub(crate) struct Draw {
    /// The state: a map on a grid.
    pub state: StateId,
    /// The sign; `it`, the entry, is the first local.
    pub sign: Expr,
    /// How many locals the sign has.
    pub locals: usize,
}

/// An option with its value.
#[derive(Debug, Clone)]
pub(crate) struct OptionValue {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: crate::types::Constant,
    /// What the file says it is, if nothing was set.
    pub default: crate::types::Constant,
    /// The comment on its line.
    pub meaning: String,
}

/// Something that a transcript says before a game starts.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    /// Its name.
    pub name: String,
    /// The type of its key, if it is a map.
    pub key: Option<Type>,
    /// The type of one entry.
    pub entry: Type,
    /// The type of the whole.
    pub ty: Type,
    /// Who sees it, if not everyone does.
    pub sight: Option<Sight>,
    /// Its value (of one entry, with the key's parts as the first locals) where it is not read.
    pub default: Option<Definition>,
    /// Where it is declared.
    pub span: Span,
}

/// A state variable.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// Its name.
    pub name: String,
    /// The types of its parameters.
    pub parameters: Vec<Type>,
    /// The type of its key, if it is a map.
    pub key: Option<Type>,
    /// The type of one entry.
    pub entry: Type,
    /// The type of the whole.
    pub ty: Type,
    /// Its initial value (of one entry, with the parameters as the first locals).
    pub initial: Definition,
    /// Its value when its round begins again, where an example begins with another.
    pub again: Option<Definition>,
    /// The round with which it begins again, by its place.
    pub round: Option<usize>,
    /// Whether it falls back to no at every event.
    pub just: bool,
    /// Who sees it, if not everyone does.
    pub sight: Option<Sight>,
    /// Whether an entry is shown to whoever looks at the game, with its key as the first local.
    pub shown: Option<Asked>,
    /// Where it is declared.
    pub span: Span,
}

impl State {
    /// Its value when its round begins again.
    pub(crate) fn again(&self) -> &Definition {
        self.again.as_ref().unwrap_or(&self.initial)
    }
}

/// What begins again together.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    /// Its name.
    pub name: String,
    /// The round with which it begins, too, by its place.
    pub within: Option<usize>,
    /// Where it is declared.
    pub span: Span,
}

/// What a definition's right side says.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    /// What it is.
    pub body: Body,
    /// The conditions that an entry is the one that it is about; the others stay as they are. None where it is about
    /// all.
    pub only: Vec<Expr>,
    /// Its type.
    pub ty: Type,
    /// How many locals its frame has, parameters included.
    pub locals: usize,
    /// Where it stands.
    pub span: Span,
}

/// The three forms of a definition.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// One expression.
    Expression(Expr),
    /// Rows, combined.
    Table(Table),
    /// Rows, matched by column.
    By(ByTable),
}

/// Rows with the word that combines them.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    /// What is made of the rows that fire.
    pub how: How,
    /// The rows in file order.
    pub rows: Vec<Row>,
}

/// A row.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// Its label.
    pub label: String,
    /// Whether its text does not end the line.
    pub inline: bool,
    /// Whether the next row is asked where its value is none.
    pub maybe: bool,
    /// Its value.
    pub value: Expr,
    /// What it is asked for, each with the collection it ranges over.
    pub bindings: Vec<(LocalId, Expr)>,
    /// It fires when these hold: `when` as written, and `unless` negated.
    pub conditions: Vec<Expr>,
    /// Its sentence.
    pub says: Option<Template>,
    /// Who reads it, where it is a line of a report and says so.
    pub sight: Option<Sight>,
    /// The whole row.
    pub span: Span,
}

/// A decision table read by column.
#[derive(Debug, Clone)]
pub(crate) struct ByTable {
    /// What the cells are matched with.
    pub keys: Vec<Expr>,
    /// The rows in order.
    pub rows: Vec<ByRow>,
}

/// A row of a [`ByTable`].
#[derive(Debug, Clone)]
pub(crate) struct ByRow {
    /// Its label, or its first cell where it has none.
    pub label: String,
    /// One for each key.
    pub cells: Vec<Matches>,
    /// Its value.
    pub value: Expr,
    /// Its further conditions.
    pub conditions: Vec<Expr>,
    /// Its sentence.
    pub says: Option<Template>,
    /// The whole row.
    pub span: Span,
}

/// What a cell matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Matches {
    /// Everything.
    Any,
    /// Values in one of some closed ranges, and perhaps none.
    Scalars {
        /// Whether it matches all others instead.
        negated: bool,
        /// The ranges, each with its first and last value.
        ranges: Vec<(i64, i64)>,
        /// Whether none is among them.
        none: bool,
    },
    /// Some texts, and perhaps none.
    Texts {
        /// Whether it matches all others instead.
        negated: bool,
        /// The texts.
        texts: Vec<String>,
        /// Whether none is among them.
        none: bool,
    },
}

/// A fact.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    /// Its name.
    pub name: String,
    /// The event whose section it stands in.
    pub owner: Option<EventId>,
    /// Its parameters, which are the first locals.
    pub parameters: Vec<(String, Type)>,
    /// What it is.
    pub definition: Definition,
    /// Where it is declared.
    pub span: Span,
}

impl Program {
    /// The facts of each event, by its place.
    pub(crate) fn facts_of_events(&self) -> Vec<Vec<FactId>> {
        let mut facts = vec![Vec::new(); self.events.len()];
        let known = self.facts.iter().enumerate();
        for (fact, owner) in known.filter_map(|(fact, it)| Some((fact, it.owner?))) {
            facts[owner.index()].push(FactId::new(fact));
        }
        facts
    }

    /// Whether a fact says what each seat has at the end: no run of a transcript asks it.
    pub(crate) fn is_outcome(&self, fact: FactId) -> bool {
        let mut events = self.events.iter();
        self.outcome == Some(fact) || events.any(|event| event.outcome == Some(fact))
    }
}

/// What the names of facts begin with that a transcript asks; no rule file can name a fact so.
const QUESTION: &str = "#? ";

/// The name of the fact that answers a part of a question.
pub(crate) fn question_name(number: usize, part: usize) -> String {
    format!("{QUESTION}{number} {part}")
}

/// The question that a fact of this name answers, if it answers one.
pub(crate) fn question_of(name: &str) -> Option<usize> {
    name.strip_prefix(QUESTION)?.split(' ').next()?.parse().ok()
}

/// What the names of facts begin with that stand for a value in what is asked of a transcript.
const VALUE: &str = "#= ";

/// The name of a fact that stands for a value in what is asked of a transcript.
pub(crate) fn value_fact(value: &str) -> String {
    format!("{VALUE}{value}")
}

/// Whether a fact of this name stands for a value.
pub(crate) fn is_value_fact(name: &str) -> bool {
    name.starts_with(VALUE)
}

/// What the names of facts begin with that say whether a round begins; no rule file can name a fact so.
const BEGINS: &str = "begin ";

/// The name of the fact that says whether a round begins.
pub(crate) fn name_of_begin(round: &str) -> String {
    format!("{BEGINS}{round}")
}

/// The round of which a fact of this name says whether it begins, if it does.
pub(crate) fn begins(name: &str) -> Option<&str> {
    name.strip_prefix(BEGINS)
}

/// An event with all that its sections say of it.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<(String, Type)>,
    /// Who sees each of its fields, if not everyone does.
    pub sights: Vec<Option<Sight>>,
    /// Whether whoever looks at the game may know that it may happen.
    pub offered: Option<Asked>,
    /// Who decides it.
    pub by: Decider,
    /// When it may happen.
    pub guard: Option<Guard>,
    /// Its fields that are paths.
    pub paths: Vec<Path>,
    /// Why a transcript that says it is wrong.
    pub impossible: Clause,
    /// Its `refuse` facts.
    pub refuse: Vec<FactId>,
    /// Its `illegal` facts.
    pub illegal: Vec<FactId>,
    /// The fact that ends the game.
    pub over: Option<FactId>,
    /// The fact that begins it again.
    pub restart: Option<FactId>,
    /// The fact that says what each seat has where this event ends the game.
    pub outcome: Option<FactId>,
    /// What changes.
    pub equations: Vec<Equation>,
    /// Which rounds begin, each row with the place of its round.
    pub begin: Vec<(usize, Row)>,
    /// What is said.
    pub report: Clause,
    /// What is said when it is refused.
    pub refused: Clause,
    /// What is done at once after it.
    pub follows: Vec<Choice>,
    /// How many locals `follows` has.
    pub follows_locals: usize,
    /// Where it is declared.
    pub span: Span,
}

/// A field that is a path. That each member is one of those that may come there is one of the `impossible` rows.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    /// Which field.
    pub field: usize,
    /// What may come next, in the frame of the `impossible` rows.
    pub next: Expr,
    /// The path so far.
    pub so_far: LocalId,
    /// Where it is declared, and where its row stands.
    pub span: Span,
}

/// Who decides an event.
#[derive(Debug, Clone)]
pub(crate) enum Decider {
    /// Nobody who plays: the referee notes it.
    Referee,
    /// Chance. How likely each is, where they are not alike.
    Chance(Option<Asked>),
    /// A seat: by the state, or by the field that this is.
    Seat(Asked),
}

impl Decider {
    /// What is asked of it, if anything is.
    pub(crate) fn asked(&self) -> Option<&Asked> {
        match self {
            Decider::Referee | Decider::Chance(None) => None,
            Decider::Chance(Some(asked)) | Decider::Seat(asked) => Some(asked),
        }
    }
}

/// An expression that is asked by itself.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The expression.
    pub value: Expr,
    /// How many locals it has.
    pub locals: usize,
}

/// When an event may happen.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    /// The condition, negated where it was written with `unless`.
    pub condition: Expr,
    /// The condition as it was written, with its `when` or `unless`.
    pub written: String,
    /// Its sentence.
    pub says: Option<Template>,
    /// How many locals it has.
    pub locals: usize,
}

/// The rows of an `impossible` or `report`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clause {
    /// The rows in file order.
    pub rows: Vec<Row>,
    /// How many locals they have.
    pub locals: usize,
}

/// `new mode = after mode`
#[derive(Debug, Clone)]
pub(crate) struct Equation {
    /// What changes.
    pub state: StateId,
    /// Whether it says the value of one entry, with the state's parameters as the first locals.
    pub pointwise: bool,
    /// The new value.
    pub definition: Definition,
    /// The fact that says whether the state begins again instead.
    pub begins: Option<FactId>,
    /// Where it stands.
    pub span: Span,
}
