//! Declarations: options, types, states, events and their sections.

use super::{Definition, Expr, Name, Row, Text, Type};
use crate::source::Span;

/// `option size: 1..25 = 19`
#[derive(Debug, Clone)]
pub(crate) struct OptionItem {
    pub name: Name,
    pub ty: Type,
    /// Its default.
    pub value: Expr,
    /// The whole item.
    pub span: Span,
}

/// `use Tile, Shade from other`
#[derive(Debug, Clone)]
pub(crate) struct Use {
    /// The types and options taken over.
    pub names: Vec<Name>,
    /// The game they come from.
    pub from: Name,
}

/// `kind Shade (letter: text) | Light "L"` or `ring Side of 4`
#[derive(Debug, Clone)]
pub(crate) struct Kind {
    pub name: Name,
    /// Whether the first member comes after the last.
    pub ring: bool,
    /// The attributes that every member has.
    pub attributes: Vec<Parameter>,
    pub members: Members,
    /// The whole item.
    pub span: Span,
}

/// How a kind's members are given.
#[derive(Debug, Clone)]
pub(crate) enum Members {
    /// `| Light "L" | Dark "D"`
    Listed(Vec<Member>),
    /// `of places`: members 1 to n.
    Count(Expr),
}

/// `| Light "L"`
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub name: Name,
    /// One constant for each attribute.
    pub values: Vec<Expr>,
    /// The whole member.
    pub span: Span,
}

/// `row: 1..size`, in fields, attributes and parameters
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    pub name: Name,
    pub ty: Type,
    /// `each in next(path)`: the members that may come next in a field that is a path.
    pub next: Option<Expr>,
    /// Who sees a field.
    pub sight: Option<Sight>,
}

/// `type Tile(shade: Shade, grade: Grade) where …`
#[derive(Debug, Clone)]
pub(crate) struct Product {
    pub name: Name,
    pub fields: Vec<Parameter>,
    /// The condition on its fields, which are in scope by name.
    pub condition: Option<Expr>,
}

/// `grid Point(row: 1..9, column: 1..9)`
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub name: Name,
    pub axes: Vec<Axis>,
}

/// `row: 1..9 up wraps`
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    /// The axis as a field.
    pub field: Parameter,
    /// Whether `up` turns the axis.
    pub up: bool,
    /// Whether its last place is next to its first.
    pub wraps: bool,
}

/// `type Position = Point -> Side?`
#[derive(Debug, Clone)]
pub(crate) struct Alias {
    /// The new name.
    pub name: Name,
    /// Its definition.
    pub ty: Type,
}

/// `write Tile as "{shade of it}"`
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub ty: Name,
    /// The form, in which `it` is the value.
    pub form: Expr,
    /// The whole item.
    pub span: Span,
}

/// `given items: pile of Tile`
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub name: Name,
    /// Its parameters: a given with parameters is a map.
    pub parameters: Vec<Parameter>,
    pub ty: Type,
    /// Who sees it.
    pub sight: Option<Sight>,
    /// `by chance`, if chance draws it when it is not read.
    pub drawn: Option<Span>,
    /// Its value if it is not read; if chance shuffles it, the values to shuffle.
    pub default: Option<Definition>,
    /// The whole item.
    pub span: Span,
}

/// `state level(p: Side): number = 0`
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub name: Name,
    /// Its parameters: a state with parameters is a map.
    pub parameters: Vec<Parameter>,
    pub ty: Type,
    /// The round that resets it.
    pub per: Option<Name>,
    /// Who sees it.
    pub sight: Option<Sight>,
    /// Its initial value.
    pub initial: Definition,
    /// Its value when its round begins again, where an example starts with another.
    pub again: Option<Definition>,
    /// The whole item.
    pub span: Span,
}

/// `seen by seat`, `hidden`: who sees something. Without it, everyone does.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    /// A seat or several; none if it is `hidden`.
    pub seats: Option<Expr>,
    /// The whole.
    pub span: Span,
}

/// `just done`: a yes/no state that every event resets to no.
#[derive(Debug, Clone)]
pub(crate) struct Just {
    pub name: Name,
    /// The whole item.
    pub span: Span,
}

/// `round lap in race`: a group of states that are reset together.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    pub name: Name,
    /// The round around it, with which it begins, too.
    pub within: Option<Name>,
    /// The whole item.
    pub span: Span,
}

/// `event tick(row: 1..9) unless done says "…"`
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub name: Name,
    pub fields: Vec<Parameter>,
    /// Who decides it; if nobody does, the referee records it.
    pub by: Option<By>,
    /// When it may happen.
    pub guard: Option<Guard>,
    /// The place in a book that it follows.
    pub cites: Option<Text>,
    /// The whole item.
    pub span: Span,
}

/// `by turn`, `by chance weight width of s`, `by referee` after an event
#[derive(Debug, Clone)]
pub(crate) struct By {
    /// Who decides.
    pub decider: Decider,
    /// The whole, from `by` on.
    pub span: Span,
}

/// Who decides an event.
#[derive(Debug, Clone)]
pub(crate) enum Decider {
    /// The seat that an expression names.
    Seat(Expr),
    /// Chance; with a weight, some are likelier than others.
    Chance(Option<Expr>),
    /// No player: the referee records it.
    Referee,
}

/// `when open says "…"` after an event
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    /// Whether it has `unless` instead of `when`.
    pub negated: bool,
    /// The condition as written.
    pub condition: Expr,
    /// Its text after `says`.
    pub says: Option<Text>,
}

/// `on tick, rest { … }`
#[derive(Debug, Clone)]
pub(crate) struct Section {
    /// The events it belongs to; `start` is one too.
    pub events: Vec<Name>,
    /// The event whose rules it copies, except for those given here.
    pub like: Option<Name>,
    pub clauses: Vec<Clause>,
    /// The whole item.
    pub span: Span,
}

/// One clause of a section.
#[derive(Debug, Clone)]
pub(crate) enum Clause {
    /// `fact place = …`, `illegal wrong = …`, `refuse refused = …`
    Fact(Fact),
    /// `impossible | taken: "…" when …`
    Impossible(Rows),
    /// `new mode = after mode`
    New(New),
    /// `begin | full: lap when level > 9`
    Begin(Rows),
    /// `report | end: "…"`, `report refused | …`
    Report(Report),
    /// `follows | next: tick when …`
    Follows(Rows),
}

/// The rows of a clause that is not a definition.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    /// The rows in file order.
    pub rows: Vec<Row>,
    /// The whole clause.
    pub span: Span,
}

/// The effect of a fact on its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// `fact`
    Fact,
    /// `illegal`: the event happens, against the rules.
    Illegal,
    /// `refuse`: the event changes nothing.
    Refuse,
}

/// `fact left(b: Tile): number = …`
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    /// Its first word.
    pub role: Role,
    pub name: Name,
    pub parameters: Vec<Parameter>,
    /// Its type, if written.
    pub ty: Option<Type>,
    /// What it is.
    pub definition: Definition,
    /// The place in a book that it follows, if it is one expression.
    pub cites: Option<Text>,
    /// The whole item.
    pub span: Span,
}

/// `new level(p) | points: … when …`
#[derive(Debug, Clone)]
pub(crate) struct New {
    /// The state that changes.
    pub name: Name,
    /// Names for its parameters.
    pub parameters: Vec<Name>,
    /// The one entry that changes.
    pub entry: Option<Entry>,
    /// Its new value; rows without a combining word are [`How::One`](super::How::One).
    pub definition: Definition,
    /// The place in a book that it follows, if it is one expression.
    pub cites: Option<Text>,
    /// The whole clause.
    pub span: Span,
}

/// `of seat`, `of (row, column)`
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The key, or its parts.
    pub keys: Vec<Expr>,
    /// The whole, from `of` on.
    pub span: Span,
}

/// `report | end: "…"`
#[derive(Debug, Clone)]
pub(crate) struct Report {
    /// Whether it is about refused events.
    pub refused: bool,
    /// The lines in file order.
    pub rows: Vec<Row>,
    /// The whole clause.
    pub span: Span,
}

/// `policy plan | first: tick`
#[derive(Debug, Clone)]
pub(crate) struct Policy {
    pub name: Name,
    /// Its rules in order.
    pub rows: Vec<Row>,
    /// The whole item.
    pub span: Span,
}

/// `limit 1000`
#[derive(Debug, Clone)]
pub(crate) struct Limit {
    /// How many events a game may have.
    pub events: i64,
    /// The whole item.
    pub span: Span,
}

/// `example late "Who comes late pays" { given level = 3 when tick(2) expect late }`
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub name: Name,
    /// What it shows, for people.
    pub title: Option<Text>,
    /// The parts of the state that differ from the initial one.
    pub given: Vec<Assignment>,
    pub event: Option<Expr>,
    /// What must be true after the event, or of the state.
    pub expected: Vec<Expectation>,
    /// The whole item.
    pub span: Span,
}

/// `mode of Left = Open`
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    /// A name, or its entry at a key.
    pub target: Expr,
    pub value: Expr,
}

/// `legal`, `impossible over`, `not late.after_nine`, `new level is 4`
#[derive(Debug, Clone)]
pub(crate) struct Expectation {
    /// What it expects.
    pub kind: ExpectationKind,
    /// Its place in the source.
    pub span: Span,
}

/// What is expected.
#[derive(Debug, Clone)]
pub(crate) enum ExpectationKind {
    /// `new level is 4`
    Holds(Expr),
    /// `late.after_nine`
    Row {
        /// Whether it does not fire.
        negated: bool,
        fact: Name,
        row: Name,
    },
    /// `legal`, `not legal`
    Legal {
        /// Whether some rule is broken.
        negated: bool,
    },
    /// `impossible over`, `impossible rest.guard`
    Impossible {
        /// The event, if its guard makes it impossible.
        event: Option<Name>,
        /// The row that makes it impossible, or `guard`.
        row: Name,
    },
}
