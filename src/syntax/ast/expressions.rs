//! Types, expressions and texts.

use super::{Binding, Name};
use crate::arithmetic::Rounding;
use crate::source::Span;

/// A type as it was written.
#[derive(Debug, Clone)]
pub(crate) struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Its place in the source.
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
    /// Its place in the source.
    pub span: Span,
}

impl Expr {
    /// The expression without parentheses around it.
    pub(crate) fn ungrouped(&self) -> &Expr {
        match &self.kind {
            ExprKind::Group(inner) => inner.ungrouped(),
            _ => self,
        }
    }

    /// The dividend and divisor of a quotient; otherwise the expression itself and none.
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
        operator: Operator,
        /// The place of the operator.
        operator_span: Span,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `not a`, `-a`, `the a`
    Unary {
        operator: Prefix,
        operand: Box<Expr>,
    },
    /// `m but v at k`
    But {
        map: Box<Expr>,
        /// The new entry.
        value: Box<Expr>,
        /// A key or a set of keys.
        at: Box<Expr>,
    },
    /// `some x in s where c`, `no x in s where c`, `every x in s has c`
    Quantified {
        /// `some`, `no` or `every`.
        quantifier: Quantifier,
        /// The variables.
        bindings: Vec<Binding>,
        condition: Box<Expr>,
    },
    /// `best x in s where c by highest k`
    Best {
        /// Whether it is `sorted`: all members, the best first.
        sorted: bool,
        /// The variables.
        bindings: Vec<Binding>,
        condition: Option<Box<Expr>>,
        /// The keys, the most important first.
        keys: Vec<Key>,
    },
    /// `new level of A`, `old mode`, `previous field`
    Tensed {
        /// The state to read.
        tense: Tense,
        /// A name or an application.
        operand: Box<Expr>,
    },
    /// `after mode`, `after(mode, 2)`, `before p`
    Beside {
        /// Whether it is `before`.
        before: bool,
        /// The value to start from.
        operand: Box<Expr>,
        /// How many steps; one if it is left out.
        steps: Option<Box<Expr>>,
    },
    /// `highest of s`, `lowest of s`
    Extreme {
        /// Whether it is `highest`.
        highest: bool,
        /// The collection.
        operand: Box<Expr>,
    },
    /// `mode`
    Name(Name),
    /// `level of p`, `count(x, c)`
    Apply {
        /// The fact, map, built-in, attribute or part.
        function: Name,
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
        /// The result is a multiple of this; of one if it is left out.
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
        condition: Box<Expr>,
    },
    /// `{e for x in s where c}`, `(e for x in s where c)`
    Mapped {
        /// Whether in braces: a set; otherwise a pile.
        braces: bool,
        value: Box<Expr>,
        /// The variables.
        bindings: Vec<Binding>,
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

/// The state in which a name is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Tense {
    /// `new x`: after this event.
    New,
    /// `old x`: before this event, explicitly.
    Old,
    /// `previous x`: before the last event that was read or chosen.
    Previous,
}

/// `highest value of c`
#[derive(Debug, Clone)]
pub(crate) struct Key {
    /// Whether it is `highest`.
    pub highest: bool,
    /// The value to sort by.
    pub value: Expr,
}

/// A text with holes, in quotes.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// Its parts in order; no two literals are adjacent.
    pub parts: Vec<TextPart>,
    /// With its quotes.
    pub span: Span,
}

/// A part of a text.
#[derive(Debug, Clone)]
pub(crate) enum TextPart {
    /// Plain text, escapes resolved.
    Literal {
        text: String,
        /// Its place in the source.
        span: Span,
    },
    /// `{level of A}`, `{x ...}`, `{x ... 3}`
    Hole(Hole),
}

/// `{items ...}`
#[derive(Debug, Clone)]
pub(crate) struct Hole {
    /// The value in it.
    pub value: Expr,
    /// Whether it is one value or many.
    pub many: Many,
    /// The texts between its members.
    pub separators: Option<Separators>,
    /// With its braces.
    pub span: Span,
}

/// `by ', ' last ' and '`
#[derive(Debug, Clone)]
pub(crate) struct Separators {
    /// Between members.
    pub between: Text,
    /// Before the last one, if that is different.
    pub last: Option<Text>,
    /// The whole.
    pub span: Span,
}

/// How many words a hole reads.
#[derive(Debug, Clone)]
pub(crate) enum Many {
    /// `{x}`
    One,
    /// `{x ...}`: to the end of the line.
    Rest,
    /// `{x ... n}`: exactly n.
    Exactly(Box<Expr>),
}
