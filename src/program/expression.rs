//! Typed expressions.

use super::{Builtin, FactId, LocalId, StateId};
use crate::{
    source::Span,
    types::{Constant, GivenId, KindId, ProductId, Type},
};

/// An expression with its type and place.
#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    /// Its place in the source.
    pub span: Span,
}

/// The state in which something is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tense {
    /// Before this event.
    Now,
    /// After this event.
    New,
    /// Before the last event that was read or chosen.
    Previous,
}

/// What an expression is.
#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Constant(Constant),
    /// A variable of the frame.
    Local(LocalId),
    /// A field of the event.
    EventField(usize),
    /// A state variable.
    State(StateId, Tense),
    /// A given.
    Given(GivenId),
    /// The value of a fact.
    Fact {
        fact: FactId,
        tense: Tense,
        /// Its arguments; one can be none only if its parameter is optional.
        arguments: Vec<Expr>,
    },
    /// A fact of one parameter, as a map.
    Tabulated(FactId, Tense),
    /// None if `operand` is none; otherwise `body`, in which `local` is its value.
    Lift {
        /// The variable that holds the value.
        local: LocalId,
        /// The value, which may be none.
        operand: Box<Expr>,
        /// The result.
        body: Box<Expr>,
    },
    /// An attribute of a member.
    Attribute {
        kind: KindId,
        /// The index of the attribute.
        attribute: usize,
        /// The member.
        operand: Box<Expr>,
    },
    /// A part of a product.
    Field {
        product: ProductId,
        /// The index of the part.
        field: usize,
        /// The product.
        operand: Box<Expr>,
    },
    /// A product, from its parts.
    Make {
        product: ProductId,
        parts: Vec<Expr>,
    },
    /// The member of a numbered ring with this number, from 1.
    Numbered(Box<Expr>),
    /// A map's entry.
    Entry {
        map: Box<Expr>,
        key: Box<Expr>,
    },
    /// `+ - * / mod` on numbers.
    Arithmetic {
        operator: Arithmetic,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `-x`
    Negate(Box<Expr>),
    /// `< <= > >=`
    Order {
        operator: Order,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `a is b`; either may be none.
    Is(Box<Expr>, Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `a and b`
    And(Box<Expr>, Box<Expr>),
    /// `a or b`
    Or(Box<Expr>, Box<Expr>),
    /// `x in s`; x may be none.
    In(Box<Expr>, Box<Expr>),
    /// `s within t`
    Within(Box<Expr>, Box<Expr>),
    /// `x else y`
    Else(Box<Expr>, Box<Expr>),
    /// `the x`, and a hole that requires a value.
    The(Box<Expr>),
    /// `lo..hi` as a set.
    Span(Box<Expr>, Box<Expr>),
    /// The set of all values of its element type.
    All,
    /// `{a, b}`, `[a, b]`: a set, bag or pile, by its type; members that are none are left out.
    Collect(Vec<Expr>),
    /// `{x in s where c}`, `{e for x in s}`, `(e for x in s)`: a set, bag or pile, by its type.
    Comprehension {
        /// The value; none is left out.
        value: Box<Expr>,
        /// The variables.
        bindings: Vec<(LocalId, Expr)>,
        condition: Option<Box<Expr>>,
    },
    /// `s with t`
    With(Box<Expr>, Box<Expr>),
    /// `s without t`
    Without(Box<Expr>, Box<Expr>),
    /// `p then q`
    Then(Box<Expr>, Box<Expr>),
    /// `m but v at k`
    But {
        map: Box<Expr>,
        /// The new entry.
        value: Box<Expr>,
        /// A key, which may be none, or keys.
        at: Box<Expr>,
        /// Whether `at` is a collection of keys.
        many: bool,
    },
    /// `some x in s where c`, `no …`, `every …`
    Quantified {
        quantifier: Quantifier,
        /// The variables.
        bindings: Vec<(LocalId, Expr)>,
        condition: Box<Expr>,
    },
    /// `{s by ', ' last ' and '}` in a text
    Listed {
        collection: Box<Expr>,
        /// The text between two members.
        between: String,
        /// The text before the last of several.
        last: String,
    },
    /// `best x in s where c by highest k`
    Best {
        /// Whether it is `sorted`: all members, the best first.
        sorted: bool,
        /// The variable.
        local: LocalId,
        /// What it ranges over.
        collection: Box<Expr>,
        condition: Option<Box<Expr>>,
        /// The keys, the most important first.
        keys: Vec<SortKey>,
    },
    /// `highest of s`, `lowest of s`
    Extreme {
        /// Whether it is `highest`.
        highest: bool,
        /// The collection.
        operand: Box<Expr>,
    },
    /// `after(x, n)`, `before x`
    Beside {
        /// The value to start from.
        operand: Box<Expr>,
        /// How many steps.
        steps: Box<Expr>,
        /// Whether to go back.
        before: bool,
    },
    /// A call of a built-in.
    Builtin(Builtin, Vec<Expr>),
    /// A text with holes.
    Template(Template),
    /// A value that is checked against the type of this expression.
    Checked(Box<Expr>),
    /// A value in another representation: a set of a subtype as one of the whole type, a set as a bag.
    Converted(Box<Expr>),
}

/// `highest value of c`
#[derive(Debug, Clone)]
pub(crate) struct SortKey {
    pub highest: bool,
    /// The value to sort by.
    pub value: Expr,
}

/// An operator on numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounded down.
    Divide,
    /// `/`, rounded up.
    DivideUp,
    /// `/`, rounded to the nearest; of two that are equally near, to the even one.
    DivideEven,
    /// `mod`, the remainder of `/`.
    Modulo,
}

/// A comparison of ordered values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

pub(crate) use crate::syntax::ast::Quantifier;

/// A text with holes.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    pub parts: Vec<Part>,
}

/// A part of a text.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// Plain text.
    Literal(String),
    /// A value, written.
    Hole(Expr),
}

/// What a name refers to, for the checks of dependencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Reading {
    /// A state in a tense.
    State(StateId, Tense),
    /// A fact in a tense.
    Fact(FactId, Tense),
    /// A given.
    Given(GivenId),
}

impl Expr {
    /// The parts of a condition that are joined by `and`, but for a fact and `not` with it.
    pub(super) fn parts_without(&self, left_out: Option<FactId>) -> Vec<&Expr> {
        let is_left_out = |expr: &Expr| matches!(expr.kind, ExprKind::Fact { fact, .. } if Some(fact) == left_out);
        match &self.kind {
            ExprKind::And(left, right) => {
                let mut parts = left.parts_without(left_out);
                parts.extend(right.parts_without(left_out));
                parts
            }
            ExprKind::Not(inner) if is_left_out(inner) => Vec::new(),
            _ if is_left_out(self) => Vec::new(),
            _ => vec![self],
        }
    }

    /// An expression of a type.
    #[must_use]
    pub(crate) fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    /// A constant yes or no.
    #[must_use]
    pub(crate) fn yes_no(value: bool, span: Span) -> Expr {
        Expr::scalar(i64::from(value), Type::YesNo, span)
    }

    /// A constant number.
    #[must_use]
    pub(crate) fn number(value: i64, places: u8, span: Span) -> Expr {
        Expr::scalar(value, Type::one_number(value, places), span)
    }

    /// A constant that is no text.
    #[must_use]
    pub(crate) fn scalar(value: i64, ty: Type, span: Span) -> Expr {
        Expr::new(ExprKind::Constant(Constant::Scalar(value)), ty, span)
    }

    /// The expression without checks and conversions around it.
    #[must_use]
    pub(crate) fn unconverted(&self) -> &Expr {
        match &self.kind {
            ExprKind::Checked(inner) | ExprKind::Converted(inner) => inner.unconverted(),
            _ => self,
        }
    }

    /// Calls `visit` with this expression and all inside it, each before its parts. Uses no recursion: expressions may
    /// nest deeper than the stack allows.
    pub(crate) fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        let mut open = vec![self];
        while let Some(expression) = open.pop() {
            visit(expression);
            let first = open.len();
            expression.children(&mut |child| open.push(child));
            open[first..].reverse();
        }
    }

    /// Calls `visit` with each direct part of this expression.
    pub(crate) fn children<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Constant(_)
            | ExprKind::Local(_)
            | ExprKind::EventField(_)
            | ExprKind::State(..)
            | ExprKind::Given(_)
            | ExprKind::Tabulated(..)
            | ExprKind::All => {}
            ExprKind::Fact { arguments, .. } => arguments.iter().for_each(visit),
            ExprKind::Make { parts, .. } => parts.iter().for_each(visit),
            ExprKind::Collect(items) | ExprKind::Builtin(_, items) => items.iter().for_each(visit),
            ExprKind::Lift { operand, body, .. } => {
                visit(operand);
                visit(body);
            }
            ExprKind::Attribute { operand, .. }
            | ExprKind::Field { operand, .. }
            | ExprKind::Extreme { operand, .. }
            | ExprKind::Numbered(operand)
            | ExprKind::Negate(operand)
            | ExprKind::Not(operand)
            | ExprKind::The(operand)
            | ExprKind::Checked(operand)
            | ExprKind::Converted(operand) => visit(operand),
            ExprKind::Entry { map, key } => {
                visit(map);
                visit(key);
            }
            ExprKind::Arithmetic { left, right, .. }
            | ExprKind::Order { left, right, .. }
            | ExprKind::Is(left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::In(left, right)
            | ExprKind::Within(left, right)
            | ExprKind::Else(left, right)
            | ExprKind::Span(left, right)
            | ExprKind::With(left, right)
            | ExprKind::Without(left, right)
            | ExprKind::Then(left, right) => {
                visit(left);
                visit(right);
            }
            ExprKind::Comprehension {
                value,
                bindings,
                condition,
            } => {
                for (_, collection) in bindings {
                    visit(collection);
                }
                if let Some(condition) = condition {
                    visit(condition);
                }
                visit(value);
            }
            ExprKind::But { map, value, at, .. } => {
                visit(map);
                visit(value);
                visit(at);
            }
            ExprKind::Quantified {
                bindings,
                condition,
                ..
            } => {
                for (_, collection) in bindings {
                    visit(collection);
                }
                visit(condition);
            }
            ExprKind::Listed { collection, .. } => visit(collection),
            ExprKind::Best {
                collection,
                condition,
                keys,
                ..
            } => {
                visit(collection);
                if let Some(condition) = condition {
                    visit(condition);
                }
                for key in keys {
                    visit(&key.value);
                }
            }
            ExprKind::Beside { operand, steps, .. } => {
                visit(operand);
                visit(steps);
            }
            ExprKind::Template(template) => template.children(visit),
        }
    }
}

impl Template {
    /// Calls `visit` with the value of each hole.
    pub(crate) fn children<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        for part in &self.parts {
            if let Part::Hole(value) = part {
                visit(value);
            }
        }
    }
}
