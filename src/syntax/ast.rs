//! The syntax tree of a rule file: what was written, and where.
//!
//! Each type has the name of its grammar rule; its documentation shows a minimal text for it. Names are not resolved
//! yet, and nothing has a type.

#![expect(
    clippy::large_enum_variant,
    reason = "a rule file's tree is small and made once; boxes would only be in the way"
)]

mod changes;
mod declarations;
mod expressions;
mod rows;
mod transcripts;

use crate::source::Span;

pub(crate) use changes::{AddedRow, Change, ChangeKind, Path, Place};
pub(crate) use declarations::{
    Alias, Assignment, Axis, By, Clause, Decider, Entry, Event, Example, Expectation,
    ExpectationKind, Fact, Given, Grid, Guard, Just, Kind, Limit, Member, Members, New, OptionItem,
    Parameter, Policy, Product, Report, Role, Round, Rows, Section, Sight, State, Use, Write,
};
pub(crate) use expressions::{
    Expr, ExprKind, Hole, Key, Many, Operator, Prefix, Quantifier, Separators, Tense, Text,
    TextPart, Type, TypeKind,
};
pub(crate) use rows::{
    Binding, ByRow, ByTable, Cell, CellKind, Conditions, Definition, How, Row, Table,
};
pub(crate) use transcripts::{Pattern, Play, Repeat, Rounds, Step, Stop, Transcript, Unit};

/// A name as it was written: `level`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    /// The name's text.
    pub text: String,
    /// Its place in the source.
    pub span: Span,
}

/// A whole rule file.
#[derive(Debug, Clone)]
pub(crate) struct RuleFile {
    /// `game` or `variant`.
    pub header: Header,
    /// Everything after the header, in file order.
    pub items: Vec<Item>,
}

/// The first item of a file.
#[derive(Debug, Clone)]
pub(crate) enum Header {
    /// `game nine "Nine by nine"`
    Game {
        /// The game's name.
        name: Name,
        /// The name for people.
        title: Option<Text>,
        /// The book that its rows cite.
        cites: Option<Text>,
    },
    /// `variant small of nine with quick "Small and quick"`
    Variant {
        /// The variant's name.
        name: Name,
        /// The game it changes.
        of: Name,
        /// The variants that are applied before it.
        with: Vec<Name>,
        /// The variants that it cannot be applied with.
        without: Vec<Name>,
        /// The name for people.
        title: Option<Text>,
        /// The book that its rows cite.
        cites: Option<Text>,
    },
}

/// One item of a rule file.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// `option size: 1..25 = 19`
    Option(OptionItem),
    /// `use Tile, Shade from other`
    Use(Use),
    /// `kind Shade | Light | Dark`, and `ring` in place of `kind`
    Kind(Kind),
    /// `type Tile(shade: Shade, grade: Grade)`
    Product(Product),
    /// `grid Point(row: 1..9, column: 1..9)`
    Grid(Grid),
    /// `type Position = Point -> Side?`
    Alias(Alias),
    /// `write Tile as "{shade of it}"`
    Write(Write),
    /// `given places: 2..4`
    Given(Given),
    /// `state mode: Side = A`
    State(State),
    /// `just done`
    Just(Just),
    /// `round lap in race`
    Round(Round),
    /// `event tick when open`
    Event(Event),
    /// `on tick { … }`
    Section(Section),
    /// `fact late = level > 9`
    Fact(Fact),
    /// `policy plan | first: tick`
    Policy(Policy),
    /// `transcript by lines { … }`
    Transcript(Transcript),
    /// `limit 1000`
    Limit(Limit),
    /// `example late { when tick expect over }`
    Example(Example),
    /// A change that a variant makes to its game.
    Change(Change),
}
