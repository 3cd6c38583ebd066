//! The infix operators, with their text and precedence. Parsing and printing use this table.

use super::ast::{Expr, ExprKind, Operator, Prefix};

/// The precedence of an expression, the loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    /// `a or b`
    Or,
    /// `a and b`
    And,
    /// `not a`
    Not,
    /// `a is b`
    Comparison,
    /// `a else b`
    Else,
    /// `a..b`
    Range,
    /// `a + b`, `m but v at k`
    Sum,
    /// `a * b`
    Product,
    /// `the a`, `-a`
    Prefix,
    /// Everything else.
    Atom,
}

/// All infix operators.
const OPERATORS: &[(Operator, &str, Precedence)] = &[
    (Operator::Or, "or", Precedence::Or),
    (Operator::And, "and", Precedence::And),
    (Operator::Is, "is", Precedence::Comparison),
    (Operator::IsNot, "is not", Precedence::Comparison),
    (Operator::In, "in", Precedence::Comparison),
    (Operator::NotIn, "not in", Precedence::Comparison),
    (Operator::Within, "within", Precedence::Comparison),
    (Operator::Less, "<", Precedence::Comparison),
    (Operator::LessOrEqual, "<=", Precedence::Comparison),
    (Operator::Greater, ">", Precedence::Comparison),
    (Operator::GreaterOrEqual, ">=", Precedence::Comparison),
    (Operator::Else, "else", Precedence::Else),
    (Operator::Range, "..", Precedence::Range),
    (Operator::Add, "+", Precedence::Sum),
    (Operator::Subtract, "-", Precedence::Sum),
    (Operator::With, "with", Precedence::Sum),
    (Operator::Without, "without", Precedence::Sum),
    (Operator::Then, "then", Precedence::Sum),
    (Operator::Multiply, "*", Precedence::Product),
    (Operator::Divide, "/", Precedence::Product),
    (Operator::Modulo, "mod", Precedence::Product),
];

/// Every operator is in the table, in the order of the type, whose last one shows how many there are.
const _: () = {
    assert!(OPERATORS.len() == Operator::Modulo as usize + 1);
    let mut place = 0;
    while place < OPERATORS.len() {
        assert!(OPERATORS[place].0 as usize == place);
        place += 1;
    }
};

/// Whether a word is an infix operator, or part of one with several words.
pub(super) fn is_of_operator(word: &[u8]) -> bool {
    let mut words = OPERATORS.iter().flat_map(|(_, sign, _)| sign.split(' '));
    words.any(|one| one.as_bytes() == word)
}

impl Precedence {
    /// The next tighter precedence.
    pub(super) fn tighter(self) -> Precedence {
        match self {
            Precedence::Or => Precedence::And,
            Precedence::And => Precedence::Not,
            Precedence::Not => Precedence::Comparison,
            Precedence::Comparison => Precedence::Else,
            Precedence::Else => Precedence::Range,
            Precedence::Range => Precedence::Sum,
            Precedence::Sum => Precedence::Product,
            Precedence::Product => Precedence::Prefix,
            Precedence::Prefix | Precedence::Atom => Precedence::Atom,
        }
    }

    /// Whether operators of this precedence do not chain.
    pub(super) fn is_non_associative(self) -> bool {
        matches!(self, Precedence::Comparison | Precedence::Range)
    }

    /// The precedence of `expr`.
    pub(super) fn of(expr: &Expr) -> Precedence {
        match &expr.kind {
            ExprKind::Binary { operator, .. } => operator.precedence(),
            ExprKind::Unary { operator, .. } => operator.precedence(),
            ExprKind::But { .. } => Precedence::Sum,
            ExprKind::Rounded { .. } => Precedence::Product,
            _ => Precedence::Atom,
        }
    }
}

impl Operator {
    /// The operator with this text; any blanks may be between its words.
    pub(super) fn written(text: &str) -> Option<Operator> {
        let same = |known: &str| known == text || known.split(' ').eq(text.split_whitespace());
        let mut all = OPERATORS.iter();
        all.find(|(_, known, _)| same(known)).map(|(one, ..)| *one)
    }

    /// Its text.
    pub(super) fn text(self) -> &'static str {
        self.entry().0
    }

    /// Its precedence.
    pub(super) fn precedence(self) -> Precedence {
        self.entry().1
    }

    fn entry(self) -> (&'static str, Precedence) {
        let mut all = OPERATORS.iter();
        let entry = all.find(|(one, ..)| *one == self);
        entry.map_or(("", Precedence::Atom), |(_, text, precedence)| {
            (*text, *precedence)
        })
    }
}

impl Prefix {
    /// Its precedence.
    pub(super) fn precedence(self) -> Precedence {
        match self {
            Prefix::Not => Precedence::Not,
            Prefix::The | Prefix::Negate => Precedence::Prefix,
        }
    }
}
