//! The tree that a rule file is read into: what was written, where, and nothing more.
//!
//! Each type bears the name of the grammar rule it comes from; its documentation shows the smallest
//! text that makes one. Names are not looked up here and nothing has a type yet.

#![expect(
    clippy::large_enum_variant,
    reason = "a rule file's tree is small and made once; boxes would only be in the way"
)]

use crate::source::Span;

/// A name as it was written: `level`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name's text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole rule file.
#[derive(Debug, Clone)]
pub struct RuleFile {
    /// What the file describes.
    pub header: Header,
    /// Everything after the header, in file order.
    pub items: Vec<Item>,
}

/// The first item of a file.
#[derive(Debug, Clone)]
pub enum Header {
    /// `game nine "Nine by nine"`
    Game {
        /// The game's name.
        name: Name,
        /// The name for people.
        title: Option<Text>,
    },
    /// `variant small of nine with quick "Small and quick"`
    Variant {
        /// The variant's name.
        name: Name,
        /// The game it changes.
        of: Name,
        /// The variants that are applied before it.
        with: Vec<Name>,
        /// The name for people.
        title: Option<Text>,
    },
}

/// One item of a rule file.
#[derive(Debug, Clone)]
pub enum Item {
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

/// `option size: 1..25 = 19`
#[derive(Debug, Clone)]
pub struct OptionItem {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its default.
    pub value: Expr,
    /// The whole item.
    pub span: Span,
}

/// `use Tile, Shade from other`
#[derive(Debug, Clone)]
pub struct Use {
    /// The types and options taken over.
    pub names: Vec<Name>,
    /// The game they come from.
    pub from: Name,
    /// The whole item.
    pub span: Span,
}

/// `kind Shade (letter: text) | Light "L"` or `ring Side of 4`
#[derive(Debug, Clone)]
pub struct Kind {
    /// Its name.
    pub name: Name,
    /// Whether the first member comes after the last.
    pub ring: bool,
    /// The attributes that every member has.
    pub attributes: Vec<Parameter>,
    /// Its members.
    pub members: Members,
    /// The whole item.
    pub span: Span,
}

/// How a kind's members are given.
#[derive(Debug, Clone)]
pub enum Members {
    /// `| Light "L" | Dark "D"`
    Listed(Vec<Member>),
    /// `of places`: members 1 to n.
    Count(Expr),
}

/// `| Light "L"`
#[derive(Debug, Clone)]
pub struct Member {
    /// Its name.
    pub name: Name,
    /// One constant for each attribute.
    pub values: Vec<Expr>,
    /// The whole member.
    pub span: Span,
}

/// `row: 1..size`, in fields, attributes and parameters
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
}

/// `type Tile(shade: Shade, grade: Grade) where …`
#[derive(Debug, Clone)]
pub struct Product {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Parameter>,
    /// The condition on its fields, which are in scope by name.
    pub condition: Option<Expr>,
    /// The whole item.
    pub span: Span,
}

/// `grid Point(row: 1..9, column: 1..9)`
#[derive(Debug, Clone)]
pub struct Grid {
    /// Its name.
    pub name: Name,
    /// Its axes.
    pub axes: Vec<Axis>,
    /// The whole item.
    pub span: Span,
}

/// `row: 1..9 up`
#[derive(Debug, Clone)]
pub struct Axis {
    /// The axis as a field.
    pub field: Parameter,
    /// Whether `up` turns the axis.
    pub up: bool,
}

/// `type Position = Point -> Side?`
#[derive(Debug, Clone)]
pub struct Alias {
    /// The new name.
    pub name: Name,
    /// What it stands for.
    pub ty: Type,
    /// The whole item.
    pub span: Span,
}

/// `write Tile as "{shade of it}"`
#[derive(Debug, Clone)]
pub struct Write {
    /// The type.
    pub ty: Name,
    /// The form, in which `it` is the value.
    pub form: Expr,
    /// The whole item.
    pub span: Span,
}

/// `given items: pile of Tile`
#[derive(Debug, Clone)]
pub struct Given {
    /// Its name.
    pub name: Name,
    /// Its parameters: a given with parameters is a map.
    pub parameters: Vec<Parameter>,
    /// Its type.
    pub ty: Type,
    /// Its value where it is not read.
    pub default: Option<Definition>,
    /// The whole item.
    pub span: Span,
}

/// `state level(p: Side): number = 0`
#[derive(Debug, Clone)]
pub struct State {
    /// Its name.
    pub name: Name,
    /// Its parameters: a state with parameters is a map.
    pub parameters: Vec<Parameter>,
    /// Its type.
    pub ty: Type,
    /// Its initial value.
    pub initial: Definition,
    /// The whole item.
    pub span: Span,
}

/// `just done`: a yes/no state that falls back to no at every event.
#[derive(Debug, Clone)]
pub struct Just {
    /// Its name.
    pub name: Name,
    /// The whole item.
    pub span: Span,
}

/// `event tick(row: 1..9) unless done says "…"`
#[derive(Debug, Clone)]
pub struct Event {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Parameter>,
    /// When it may happen.
    pub guard: Option<Guard>,
    /// The whole item.
    pub span: Span,
}

/// `when open says "…"` after an event
#[derive(Debug, Clone)]
pub struct Guard {
    /// Whether it was written with `unless`.
    pub negated: bool,
    /// The condition as written.
    pub condition: Expr,
    /// Its sentence.
    pub says: Option<Text>,
}

/// `on tick, rest { … }`
#[derive(Debug, Clone)]
pub struct Section {
    /// The events it belongs to; `start` is one too.
    pub events: Vec<Name>,
    /// What it says of them.
    pub clauses: Vec<Clause>,
    /// The whole item.
    pub span: Span,
}

/// One clause of a section.
#[derive(Debug, Clone)]
pub enum Clause {
    /// `fact place = …`, `illegal wrong = …`, `refuse refused = …`
    Fact(Fact),
    /// `impossible | taken: "…" when …`
    Impossible(Rows),
    /// `new mode = after mode`
    New(New),
    /// `report | end: "…"`, `report refused | …`
    Report(Report),
    /// `follows | next: tick when …`
    Follows(Rows),
}

/// The rows of a clause that is no definition.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The rows in file order.
    pub rows: Vec<Row>,
    /// The whole clause.
    pub span: Span,
}

/// What a fact decides beside being a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `fact`
    Fact,
    /// `illegal`: the event happened and is against the rules.
    Illegal,
    /// `refuse`: the event is said and changes nothing.
    Refuse,
}

/// `fact left(b: Tile): number = …`
#[derive(Debug, Clone)]
pub struct Fact {
    /// Which word it began with.
    pub role: Role,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its type, if written.
    pub ty: Option<Type>,
    /// What it is.
    pub definition: Definition,
    /// The whole item.
    pub span: Span,
}

/// `new level(p) | points: … when …`
#[derive(Debug, Clone)]
pub struct New {
    /// The state that changes.
    pub name: Name,
    /// Names for its parameters.
    pub parameters: Vec<Name>,
    /// Its new value; rows without a combining word are [`How::One`].
    pub definition: Definition,
    /// The whole clause.
    pub span: Span,
}

/// `report | end: "…"`
#[derive(Debug, Clone)]
pub struct Report {
    /// Whether it is said of refused events.
    pub refused: bool,
    /// The lines in file order.
    pub rows: Vec<Row>,
    /// The whole clause.
    pub span: Span,
}

/// `policy plan | first: tick`
#[derive(Debug, Clone)]
pub struct Policy {
    /// Its name.
    pub name: Name,
    /// Its rules in order.
    pub rows: Vec<Row>,
    /// The whole item.
    pub span: Span,
}

/// `limit 1000`
#[derive(Debug, Clone)]
pub struct Limit {
    /// How many events a game may have.
    pub events: i64,
    /// The whole item.
    pub span: Span,
}

/// `example late "Who comes late pays" { given level = 3 when tick(2) expect late }`
#[derive(Debug, Clone)]
pub struct Example {
    /// Its name.
    pub name: Name,
    /// What it shows, for people.
    pub title: Option<Text>,
    /// The state that differs from the initial one.
    pub given: Vec<Assignment>,
    /// The event.
    pub event: Option<Expr>,
    /// What must follow from it, or hold in the state.
    pub expected: Vec<Expectation>,
    /// The whole item.
    pub span: Span,
}

/// `mode of Left = Open`
#[derive(Debug, Clone)]
pub struct Assignment {
    /// A name, or its entry at a key.
    pub target: Expr,
    /// Its value.
    pub value: Expr,
}

/// `legal`, `impossible over`, `not late.after_nine`, `new level is 4`
#[derive(Debug, Clone)]
pub struct Expectation {
    /// What it expects.
    pub kind: ExpectationKind,
    /// Where it stands.
    pub span: Span,
}

/// What is expected.
#[derive(Debug, Clone)]
pub enum ExpectationKind {
    /// `new level is 4`
    Holds(Expr),
    /// `late.after_nine`
    Row {
        /// Whether it does not fire.
        negated: bool,
        /// The fact.
        fact: Name,
        /// The row.
        row: Name,
    },
    /// `legal`, `not legal`
    Legal {
        /// Whether some rule is broken.
        negated: bool,
    },
    /// `impossible over`
    Impossible {
        /// The row that says so.
        row: Name,
    },
}

/// What a definition's right side is.
#[derive(Debug, Clone)]
pub enum Definition {
    /// `= level > 9`
    Expression(Expr),
    /// `= any of | late: …`
    Table(Table),
    /// `= by mode | Opening => 1`
    By(ByTable),
}

/// `first of | late: …`
#[derive(Debug, Clone)]
pub struct Table {
    /// What is made of the rows that fire.
    pub how: How,
    /// The rows in file order.
    pub rows: Vec<Row>,
    /// From the combining word to the last row.
    pub span: Span,
}

/// The word that a table begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// `any of`
    Any,
    /// `all of`
    All,
    /// `first of`
    First,
    /// `highest of`
    Highest,
    /// `lowest of`
    Lowest,
    /// `sum of`
    Sum,
    /// `union of`
    Union,
    /// The rows of a `new` clause without a word: those that fire must agree.
    One,
}

/// `by mode, late | Opening, any => 1`
#[derive(Debug, Clone)]
pub struct ByTable {
    /// What the columns are matched with.
    pub keys: Vec<Expr>,
    /// The rows in file order.
    pub rows: Vec<ByRow>,
    /// From `by` to the last row.
    pub span: Span,
}

/// `| opening: Opening, any => 1 when … unless … says "…"`
#[derive(Debug, Clone)]
pub struct ByRow {
    /// Its label, if written.
    pub label: Option<Name>,
    /// One cell for each key.
    pub cells: Vec<Cell>,
    /// The value of the row.
    pub value: Expr,
    /// Its conditions.
    pub conditions: Conditions,
    /// The whole row.
    pub span: Span,
}

/// One cell of a `by` row.
#[derive(Debug, Clone)]
pub struct Cell {
    /// What it matches.
    pub kind: CellKind,
    /// Where it stands.
    pub span: Span,
}

/// What a cell matches.
#[derive(Debug, Clone)]
pub enum CellKind {
    /// `any`
    Any,
    /// `Opening`, `1..3`, `not none`
    Match {
        /// Whether it began with `not`.
        negated: bool,
        /// A value, or a collection of values.
        value: Expr,
    },
}

/// `| label: inline maybe value => event for x in s when c unless d says "…"`
#[derive(Debug, Clone)]
pub struct Row {
    /// Its name.
    pub label: Name,
    /// `inline`: the text does not end the line.
    pub inline: bool,
    /// `maybe`: where the value is none, the next row is asked.
    pub maybe: bool,
    /// Its value.
    pub value: Expr,
    /// `=> roll(10)`: the event that a transcript's words stand for.
    pub event: Option<Expr>,
    /// `for x in s, y in t`
    pub bindings: Vec<Binding>,
    /// Its conditions.
    pub conditions: Conditions,
    /// The whole row.
    pub span: Span,
}

/// `when c unless d says "…"`
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The condition after `when`.
    pub when: Option<Expr>,
    /// The condition after `unless`.
    pub unless: Option<Expr>,
    /// The row's sentence.
    pub says: Option<Text>,
}

/// `x in s`
#[derive(Debug, Clone)]
pub struct Binding {
    /// The variable.
    pub name: Name,
    /// What it ranges over.
    pub collection: Expr,
}

/// A type as it was written.
#[derive(Debug, Clone)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a written type is.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// `yes/no`
    YesNo,
    /// `Tile`, `number`, `word`, `text`
    Named(Name),
    /// `1..size`, `Light..Dark`
    Range(Box<Expr>, Box<Expr>),
    /// `set of T`
    Set(Box<Type>),
    /// `bag of T`
    Bag(Box<Type>),
    /// `pile of T`
    Pile(Box<Type>),
    /// `A -> T`
    Map(Box<Type>, Box<Type>),
    /// `T?`
    Optional(Box<Type>),
}

/// An expression with its place.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// `a or b`, `a + 1`, `s with t`, `a is b`, `x else y`, `1..9`
    Binary {
        /// The operator.
        operator: Operator,
        /// Where the operator stands.
        operator_span: Span,
        /// What stands before it.
        left: Box<Expr>,
        /// What stands after it.
        right: Box<Expr>,
    },
    /// `not a`, `-a`, `the a`
    Unary {
        /// The operator.
        operator: Prefix,
        /// What stands after it.
        operand: Box<Expr>,
    },
    /// `m but v at k`
    But {
        /// The map.
        map: Box<Expr>,
        /// The new entry.
        value: Box<Expr>,
        /// A key or a set of keys.
        at: Box<Expr>,
    },
    /// `some x in s where c`, `no x in s where c`, `every x in s has c`
    Quantified {
        /// Which of the three.
        quantifier: Quantifier,
        /// The variables.
        bindings: Vec<Binding>,
        /// The condition.
        condition: Box<Expr>,
    },
    /// `best x in s where c by highest k`
    Best {
        /// The variables.
        bindings: Vec<Binding>,
        /// The condition.
        condition: Option<Box<Expr>>,
        /// The keys, the most important first.
        keys: Vec<Key>,
    },
    /// `new level of A`, `old mode`, `previous field`
    Tensed {
        /// Which state is meant.
        tense: Tense,
        /// A name or an application.
        operand: Box<Expr>,
    },
    /// `after mode`, `after(mode, 2)`, `before p`
    Beside {
        /// Whether it was `before`.
        before: bool,
        /// Where from.
        operand: Box<Expr>,
        /// How many steps; one where not written.
        steps: Option<Box<Expr>>,
    },
    /// `highest of s`, `lowest of s`
    Extreme {
        /// Whether it was `highest`.
        highest: bool,
        /// The collection.
        operand: Box<Expr>,
    },
    /// `mode`
    Name(Name),
    /// `level of p`, `count(x, c)`
    Apply {
        /// What is applied.
        function: Name,
        /// What it is applied to.
        arguments: Vec<Expr>,
        /// Whether it was written with `of`.
        with_of: bool,
    },
    /// `15`
    Number(i64),
    /// `"A : {level of A}"`
    Text(Text),
    /// `yes`, `no`
    YesNo(bool),
    /// `none`
    None,
    /// `empty`
    Empty,
    /// `{Light, Dark}`
    Set(Vec<Expr>),
    /// `[Light, Dark]`
    Pile(Vec<Expr>),
    /// `{x in s where c}`
    Filter {
        /// The variable.
        binding: Box<Binding>,
        /// The condition.
        condition: Box<Expr>,
    },
    /// `{e for x in s where c}`, `(e for x in s where c)`
    Mapped {
        /// Whether in braces: a set; otherwise a pile.
        braces: bool,
        /// The value.
        value: Box<Expr>,
        /// The variables.
        bindings: Vec<Binding>,
        /// The condition.
        condition: Option<Box<Expr>>,
    },
    /// `(a + b)`
    Group(Box<Expr>),
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `or`
    Or,
    /// `and`
    And,
    /// `is`
    Is,
    /// `is not`
    IsNot,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `within`
    Within,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `else`
    Else,
    /// `..`
    Range,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `with`
    With,
    /// `without`
    Without,
    /// `then`
    Then,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `mod`
    Modulo,
}

/// An operator before an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// `not`
    Not,
    /// `-`
    Negate,
    /// `the`
    The,
}

/// The word that a quantified condition begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// `some`
    Some,
    /// `no`
    No,
    /// `every`
    Every,
}

/// Which of a step's states a name is read in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tense {
    /// `new x`: after this event.
    New,
    /// `old x`: before this event, said aloud.
    Old,
    /// `previous x`: before the last event that was read or chosen.
    Previous,
}

/// `highest value of c`
#[derive(Debug, Clone)]
pub struct Key {
    /// Whether it was `highest`.
    pub highest: bool,
    /// What is compared.
    pub value: Expr,
}

/// A text with holes, in quotes.
#[derive(Debug, Clone)]
pub struct Text {
    /// Its parts in order; two literals never stand side by side.
    pub parts: Vec<TextPart>,
    /// With its quotes.
    pub span: Span,
}

/// A part of a text.
#[derive(Debug, Clone)]
pub enum TextPart {
    /// Plain text, escapes resolved.
    Literal {
        /// The text.
        text: String,
        /// Where it stands.
        span: Span,
    },
    /// `{level of A}`, `{x ...}`, `{x ... 3}`
    Hole(Hole),
}

/// `{items ...}`
#[derive(Debug, Clone)]
pub struct Hole {
    /// What stands in it.
    pub value: Expr,
    /// Whether it is one value or many.
    pub many: Many,
    /// With its braces.
    pub span: Span,
}

/// How many words a hole stands for.
#[derive(Debug, Clone)]
pub enum Many {
    /// `{x}`
    One,
    /// `{x ...}`: to the end of the line.
    Rest,
    /// `{x ... n}`: exactly n.
    Exactly(Box<Expr>),
}

/// `transcript spoken by lines { … }`
#[derive(Debug, Clone)]
pub struct Transcript {
    /// Its name; the default one has none.
    pub name: Option<Name>,
    /// What its patterns take.
    pub unit: Unit,
    /// Its steps in order.
    pub steps: Vec<Step>,
    /// The whole item.
    pub span: Span,
}

/// What a transcript's patterns take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// `by lines`: each pattern a whole line.
    Lines,
    /// `by words`: line ends do not matter.
    Words,
}

/// One step of a transcript.
#[derive(Debug, Clone)]
pub enum Step {
    /// `"{places} {items ...}"`
    Pattern(Text),
    /// `start`
    Start(Span),
    /// `repeat n times { … }`, `repeat until "…" { … }`
    Repeat(Repeat),
    /// `play until over { … }`
    Play(Play),
}

/// `repeat n times { … }`
#[derive(Debug, Clone)]
pub struct Repeat {
    /// How often.
    pub rounds: Rounds,
    /// What is repeated.
    pub steps: Vec<Step>,
    /// The whole step.
    pub span: Span,
}

/// How often a `repeat` goes round.
#[derive(Debug, Clone)]
pub enum Rounds {
    /// `n times`
    Times(Expr),
    /// `until "…"`
    Until(Text),
}

/// `play by plan until over, or before "…" when c { … }`
#[derive(Debug, Clone)]
pub struct Play {
    /// The policy that chooses.
    pub by: Option<Name>,
    /// The condition that ends it.
    pub until: Expr,
    /// The words that end it.
    pub stop: Option<Stop>,
    /// One row for each way to write an event; a row's label is the event.
    pub rows: Vec<Row>,
    /// The whole step.
    pub span: Span,
}

/// `or before "-1 -1" when c`
#[derive(Debug, Clone)]
pub struct Stop {
    /// Whether the words are left unread.
    pub before: bool,
    /// The words.
    pub words: Text,
    /// When they end it.
    pub when: Option<Expr>,
}

/// A change that a variant makes.
#[derive(Debug, Clone)]
pub struct Change {
    /// What it does.
    pub kind: ChangeKind,
    /// The whole item.
    pub span: Span,
}

/// What a change does.
#[derive(Debug, Clone)]
pub enum ChangeKind {
    /// `set size = 9`, `set worth of One = 2`
    Set {
        /// The option or attribute.
        name: Name,
        /// The member whose attribute changes.
        of: Option<Name>,
        /// The new constant.
        value: Expr,
    },
    /// `remove tick.restart`
    Remove {
        /// What goes.
        path: Path,
    },
    /// `replace tick.early = …`
    ReplaceDefinition {
        /// What is replaced.
        path: Path,
        /// By what.
        definition: Definition,
    },
    /// `replace tick.refused.late: "…" when …`
    ReplaceRow {
        /// The row that is replaced; the new row bears its label.
        path: Path,
        /// By what.
        row: AddedRow,
    },
    /// `add to tick.report before blank | area: …`
    Add {
        /// Where.
        path: Path,
        /// Before or after which row.
        place: Option<Place>,
        /// What.
        rows: Vec<AddedRow>,
    },
    /// `except tick.wrong.late when …`
    Except {
        /// Which row.
        path: Path,
        /// Whether it was written with `unless`.
        negated: bool,
        /// When it does not fire.
        condition: Expr,
    },
}

/// `before blank`
#[derive(Debug, Clone)]
pub struct Place {
    /// Whether it was `before`.
    pub before: bool,
    /// The row.
    pub label: Name,
}

/// A row of any of the three sorts.
#[derive(Debug, Clone)]
pub enum AddedRow {
    /// `| label: value when …`
    Row(Row),
    /// `| label: cell => value`
    By(ByRow),
    /// `| Two "2" 2`
    Member(Member),
}

/// `tick.refused.late`
#[derive(Debug, Clone)]
pub struct Path {
    /// The names between the dots.
    pub parts: Vec<Name>,
    /// The whole path.
    pub span: Span,
}
