//! The checked program: every name resolved, every expression typed, every row with its name and place.
//!
//! It does not refer to the syntax tree of the rule file; the compiler needs nothing else.

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
pub(crate) use view::{View, Viewer, is_view_fact, parts_of};

pub(crate) use crate::{builtins::Builtin, stack::GREATEST_DEPTH, syntax::ast::How};
use crate::{
    source::Span,
    types::{ProductId, Type, Types, ids},
};

/// How many values the number may have on which a fact recurs, one less each time.
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
    /// A variable of a frame: a parameter, or a variable of `for`, `some` or `best`.
    LocalId,
}

impl EventId {
    /// The start of a game.
    pub(crate) const START: EventId = EventId(0);
}

/// A whole game, checked.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub name: String,
    /// Its name for people.
    pub title: String,
    pub types: Types,
    /// The conditions of products, over their parts as the first locals, with the number of locals of each.
    pub conditions: Vec<(ProductId, Expr, usize)>,
    /// How values are written, where a `write` sets it.
    pub writes: Vec<Write>,
    /// How states are drawn, where a `write` sets it.
    pub draws: Vec<Draw>,
    /// Its options with the values they have.
    pub options: Vec<OptionValue>,
    /// Values that a transcript sets before the game starts.
    pub givens: Vec<Given>,
    pub states: Vec<State>,
    /// Groups of states that are reset together.
    pub rounds: Vec<Round>,
    pub facts: Vec<Fact>,
    /// The events; the first is `start`.
    pub events: Vec<Event>,
    pub policies: Vec<Policy>,
    /// The ways to read transcripts; the default is the first.
    pub transcripts: Vec<Transcript>,
    /// The kind whose members play, if the rules name one.
    pub seats: Option<crate::types::KindId>,
    /// Who looks at the game; none for the referee, who sees everything.
    pub view: Option<View>,
    /// The fact with each seat's outcome, for games whose last event has none of its own.
    pub outcome: Option<FactId>,
    /// How many events a game may have.
    pub limit: u64,
    /// How deeply evaluations nest; at most [`GREATEST_DEPTH`].
    pub depth: usize,
}

/// `write Pair as "{first of it}"`
#[derive(Debug, Clone)]
pub(crate) struct Write {
    /// The kind or product whose values are written so.
    pub ty: Type,
    /// The form; `it` is the first local.
    pub form: Expr,
    /// How many locals the form has.
    pub locals: usize,
}

/// `write board as "{mark of it else '.'}"`: the sign of a state's entry in pictures of the state.
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
    pub name: String,
    pub ty: Type,
    pub value: crate::types::Constant,
    /// Its value in the rule file.
    pub default: crate::types::Constant,
    /// Its documentation: the comment on its line.
    pub meaning: String,
}

/// A value that a transcript sets before a game starts.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub name: String,
    /// The type of its key, if it is a map.
    pub key: Option<Type>,
    /// The type of one entry.
    pub entry: Type,
    /// The type of the whole.
    pub ty: Type,
    /// Who sees it, if not everyone does.
    pub sight: Option<Sight>,
    /// Whether chance draws it if it is not read.
    pub drawn: bool,
    /// Its value if it is not read; of one entry, with the key's parts as the first locals. If chance shuffles it, the
    /// values to shuffle.
    pub default: Option<Definition>,
    /// Where it is declared.
    pub span: Span,
}

/// A state variable.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub name: String,
    /// The types of its parameters.
    pub parameters: Vec<Type>,
    /// The type of its key, if it is a map.
    pub key: Option<Type>,
    /// The type of one entry.
    pub entry: Type,
    /// The type of the whole.
    pub ty: Type,
    /// Its initial value; of one entry, with the parameters as the first locals.
    pub initial: Definition,
    /// Its value when its round begins again, where an example starts with another.
    pub again: Option<Definition>,
    /// The index of the round that resets it.
    pub round: Option<usize>,
    /// Whether every event resets it to no.
    pub just: bool,
    /// Who sees it, if not everyone does.
    pub sight: Option<Sight>,
    /// Whether the viewer sees an entry, with its key as the first local.
    pub shown: Option<FramedExpr>,
    /// Where it is declared.
    pub span: Span,
}

impl State {
    pub(crate) fn again(&self) -> &Definition {
        self.again.as_ref().unwrap_or(&self.initial)
    }
}

/// A group of states that are reset together.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    pub name: String,
    /// The index of the round around it, with which it begins, too.
    pub within: Option<usize>,
    /// Where it is declared.
    pub span: Span,
}

/// The right side of a definition.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub body: Body,
    /// For an equation about one entry, the conditions that an entry is that one; others keep their values. Empty if it
    /// defines every entry.
    pub only: Vec<Expr>,
    pub ty: Type,
    /// How many locals its frame has, including parameters.
    pub locals: usize,
    /// Its place in the source.
    pub span: Span,
}

impl Definition {
    /// Its possible values: the expression, or the values of its rows.
    pub(crate) fn values(&self) -> Vec<&Expr> {
        match &self.body {
            Body::Expression(value) => vec![value],
            Body::Table(table) => table.rows.iter().map(|row| &row.value).collect(),
            Body::By(table) => table.rows.iter().map(|row| &row.value).collect(),
        }
    }
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

/// Rows, and the word that combines them.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    /// How the rows that fire are combined.
    pub how: How,
    /// The rows in file order.
    pub rows: Vec<Row>,
}

/// A row.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub label: String,
    /// Whether the report goes on in the same line after its text.
    pub inline: bool,
    /// Whether the next row is tried if its value is none.
    pub maybe: bool,
    pub value: Expr,
    /// The variables of its `for`, each with the collection it ranges over.
    pub bindings: Vec<(LocalId, Expr)>,
    /// It fires when all of these hold: `when` as written, and `unless` negated.
    pub conditions: Vec<Expr>,
    /// Its text after `says`.
    pub says: Option<Template>,
    /// Who reads it, if it is a row of a report with `seen by` or `hidden`.
    pub sight: Option<Sight>,
    /// The whole row.
    pub span: Span,
}

/// A decision table read by column.
#[derive(Debug, Clone)]
pub(crate) struct ByTable {
    /// The values that the cells are matched with.
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
    pub value: Expr,
    /// Its further conditions.
    pub conditions: Vec<Expr>,
    /// Its text after `says`.
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
        /// Whether it matches all other values instead.
        negated: bool,
        /// The ranges, each with its first and last value.
        ranges: Vec<(i64, i64)>,
        /// Whether none matches, too.
        none: bool,
    },
    /// Some texts, and perhaps none.
    Texts {
        /// Whether it matches all other texts instead.
        negated: bool,
        texts: Vec<String>,
        /// Whether none matches, too.
        none: bool,
    },
}

/// A fact.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub name: String,
    /// The event whose section declares it.
    pub owner: Option<EventId>,
    /// Its parameters, with names; they are the first locals.
    pub parameters: Vec<(String, Type)>,
    pub definition: Definition,
    /// Where it is declared.
    pub span: Span,
}

impl Program {
    /// The facts of each event, by the event's index.
    pub(crate) fn facts_of_events(&self) -> Vec<Vec<FactId>> {
        let mut facts = vec![Vec::new(); self.events.len()];
        let known = self.facts.iter().enumerate();
        for (fact, owner) in known.filter_map(|(fact, it)| Some((fact, it.owner?))) {
            facts[owner.index()].push(FactId::new(fact));
        }
        facts
    }

    /// Whether a fact gives each seat's outcome. A run does not evaluate it.
    pub(crate) fn is_outcome(&self, fact: FactId) -> bool {
        let mut events = self.events.iter();
        self.outcome == Some(fact) || events.any(|event| event.outcome == Some(fact))
    }
}

/// The prefix of the names of facts that answer questions about a run; no rule file can declare such a name.
const QUESTION: &str = "#? ";

/// The name of the fact that answers a part of a question.
pub(crate) fn question_name(number: usize, part: usize) -> String {
    format!("{QUESTION}{number} {part}")
}

/// The number of the question that a fact of this name answers, if it answers one.
pub(crate) fn question_of(name: &str) -> Option<usize> {
    name.strip_prefix(QUESTION)?.split(' ').next()?.parse().ok()
}

/// The prefix of the names of facts that stand for a value in a question about a run.
const VALUE: &str = "#= ";

/// The name of the fact that stands for a value in a question.
pub(crate) fn value_fact(value: &str) -> String {
    format!("{VALUE}{value}")
}

/// Whether a fact of this name stands for a value.
pub(crate) fn is_value_fact(name: &str) -> bool {
    name.starts_with(VALUE)
}

/// The prefix of the names of facts that say whether a round begins; no rule file can declare such a name.
const BEGINS: &str = "begin ";

/// The name of the fact that says whether a round begins.
pub(crate) fn begin_name(round: &str) -> String {
    format!("{BEGINS}{round}")
}

/// The round that a fact of this name is about, if it says whether one begins.
pub(crate) fn round_of_begin(name: &str) -> Option<&str> {
    name.strip_prefix(BEGINS)
}

/// An event with the contents of its sections.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub name: String,
    pub fields: Vec<(String, Type)>,
    /// Who sees each field, if not everyone does.
    pub sights: Vec<Option<Sight>>,
    /// Whether the viewer may know that it can happen.
    pub offered: Option<FramedExpr>,
    /// Who decides it.
    pub by: Decider,
    /// When it may happen.
    pub guard: Option<Guard>,
    /// Its fields that are paths.
    pub paths: Vec<Path>,
    /// The conditions under which a transcript that has it is wrong.
    pub impossible: Clause,
    /// Its `refuse` facts.
    pub refuse: Vec<FactId>,
    /// Its `illegal` facts.
    pub illegal: Vec<FactId>,
    /// The fact that ends the game.
    pub over: Option<FactId>,
    /// The fact that restarts the game.
    pub restart: Option<FactId>,
    /// The fact with each seat's outcome if this event ends the game.
    pub outcome: Option<FactId>,
    pub equations: Vec<Equation>,
    /// The rounds that begin: each row with the index of its round.
    pub begin: Vec<(usize, Row)>,
    pub report: Clause,
    /// What is reported if it is refused.
    pub refused: Clause,
    /// The events that follow at once.
    pub follows: Vec<Choice>,
    /// How many locals `follows` has.
    pub follows_locals: usize,
    /// Where it is declared.
    pub span: Span,
}

/// A field that is a path. A row of `impossible` requires that each member is among those that may come next.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    /// The index of the field.
    pub field: usize,
    /// What may come next, in the frame of the `impossible` rows.
    pub next: Expr,
    /// The variable of `next` that holds the members so far.
    pub so_far: LocalId,
    /// The place of its declaration and of its row.
    pub span: Span,
}

/// Who decides an event.
#[derive(Debug, Clone)]
pub(crate) enum Decider {
    /// No player: the referee records it.
    Referee,
    /// Chance, with the weight of each event unless all are equally likely.
    Chance(Option<FramedExpr>),
    /// A seat: an expression on the state, or the field that names it.
    Seat(FramedExpr),
}

impl Decider {
    /// The expression that decides, if there is one.
    pub(crate) fn expr(&self) -> Option<&FramedExpr> {
        match self {
            Decider::Referee | Decider::Chance(None) => None,
            Decider::Chance(Some(expr)) | Decider::Seat(expr) => Some(expr),
        }
    }
}

/// An expression with a frame of its own.
#[derive(Debug, Clone)]
pub(crate) struct FramedExpr {
    /// The expression.
    pub value: Expr,
    /// How many locals it has.
    pub locals: usize,
}

/// The condition under which an event may happen.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    /// The condition, negated where it was written with `unless`.
    pub condition: Expr,
    /// The condition as written, with its `when` or `unless`.
    pub written: String,
    /// Its text after `says`.
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
    /// The state that changes.
    pub state: StateId,
    /// Whether it gives the value of one entry, with the state's parameters as the first locals.
    pub pointwise: bool,
    /// The new value.
    pub definition: Definition,
    /// The fact that says whether the state is reset instead.
    pub begins: Option<FactId>,
    /// Its place in the source.
    pub span: Span,
}
