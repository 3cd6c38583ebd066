//! Types, expressions and texts.

use super::{Binding, Name};
use crate::arithmetic::Rounding;
use crate::source::Span;

/// A type as it was written.
#[derive(Debug, Clone)]
pub(crate) struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a written type is.
#[derive(Debug, Clone)]
pub(crate) enum TypeKind {
    /// `yes/no`
    YesNo,
    /// `Tile`, `number`, `word`, `text`
    Named(Name),
    /// `number.00`: with how many decimal places.
    Decimals(u8),
    /// `1..size`, `Light..Dark`, `0.0..9.5`
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
pub(crate) struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

impl Expr {
    /// It without the parentheses around it.
    pub(crate) fn ungrouped(&self) -> &Expr {
        match &self.kind {
            ExprKind::Group(inner) => inner.ungrouped(),
            _ => self,
        }
    }

    /// What is divided and by what, where it is a quotient; else only itself.
    pub(crate) fn quotient(&self) -> (&Expr, Option<&Expr>) {
        match &self.ungrouped().kind {
            ExprKind::Binary {
                operator: Operator::Divide,
                left,
                right,
                ..
            } => (left, Some(right)),
            _ => (self, None),
        }
    }
}

/// What an expression is.
#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
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
        /// Whether all are meant, the best first: `sorted`.
        sorted: bool,
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
    /// `7.50`: so many units of so many decimal places.
    Decimal(i64, u8),
    /// `a / b rounded down`, `x rounded even to 0.01`
    Rounded {
        /// What is rounded.
        operand: Box<Expr>,
        /// How.
        rounding: Rounding,
        /// What it is rounded to a multiple of; one where not written.
        to: Option<Box<Expr>>,
    },
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
pub(crate) enum Operator {
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
pub(crate) enum Prefix {
    /// `not`
    Not,
    /// `-`
    Negate,
    /// `the`
    The,
}

/// The word that a quantified condition begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantifier {
    /// `some`
    Some,
    /// `no`
    No,
    /// `every`
    Every,
}

/// Which of a step's states a name is read in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Tense {
    /// `new x`: after this event.
    New,
    /// `old x`: before this event, said aloud.
    Old,
    /// `previous x`: before the last event that was read or chosen.
    Previous,
}

/// `highest value of c`
#[derive(Debug, Clone)]
pub(crate) struct Key {
    /// Whether it was `highest`.
    pub highest: bool,
    /// What is compared.
    pub value: Expr,
}

/// A text with holes, in quotes.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// Its parts in order; two literals never stand side by side.
    pub parts: Vec<TextPart>,
    /// With its quotes.
    pub span: Span,
}

/// A part of a text.
#[derive(Debug, Clone)]
pub(crate) enum TextPart {
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
pub(crate) struct Hole {
    /// What stands in it.
    pub value: Expr,
    /// Whether it is one value or many.
    pub many: Many,
    /// What stands between its members, and before the last of them.
    pub separators: Option<Separators>,
    /// With its braces.
    pub span: Span,
}

/// `by ', ' last ' and '`
#[derive(Debug, Clone)]
pub(crate) struct Separators {
    /// Between members.
    pub between: Text,
    /// Before the last one, where that is another.
    pub last: Option<Text>,
    /// The whole.
    pub span: Span,
}

/// How many words a hole stands for.
#[derive(Debug, Clone)]
pub(crate) enum Many {
    /// `{x}`
    One,
    /// `{x ...}`: to the end of the line.
    Rest,
    /// `{x ... n}`: exactly n.
    Exactly(Box<Expr>),
}
