//! The operators, in one table: the checker types them by their [`Rule`]s, and the reference in `docs/language.md` is
//! generated from it. Their precedence is defined in `grammar/` and `syntax`.

use crate::{
    program::{Arithmetic, Order},
    syntax::ast::Operator,
};

/// An operator's type rule and documentation.
#[derive(Debug)]
pub(crate) struct Entry {
    /// How it is written.
    pub sign: &'static str,
    /// How it is typed.
    pub rule: Rule,
    /// The types of its operands, in words.
    pub operands: &'static str,
    /// The type of its result, in words.
    pub result: &'static str,
    /// What it computes, in one line.
    pub doc: &'static str,
    /// An example, with its value.
    pub example: (&'static str, &'static str),
}

/// How an operator is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// `or`, or `and`: yes/no on both sides.
    Junction {
        /// Whether it is `and`.
        and: bool,
    },
    /// `is`: any two values of one type.
    Equality {
        /// Whether it is `is not`.
        negated: bool,
    },
    /// `in`: a value and a collection.
    Membership {
        /// Whether it is `not in`.
        negated: bool,
    },
    /// `within`: two collections.
    Inclusion,
    /// `<` and its like: two values of one ordered type.
    Order(Order),
    /// `else`: a value that may be none, and one to use instead.
    Default,
    /// `..`: two ends.
    Range,
    /// `+` and its like: two numbers.
    Arithmetic(Arithmetic),
    /// `with`: a set or bag, and a collection.
    Change {
        /// Whether it is `without`.
        without: bool,
    },
    /// `then`: two piles.
    Concatenation,
}

/// Defines the table, and [`entry`] as a match without a wildcard, so that no operator is left out.
macro_rules! table {
    ($($operator:ident: $rule:expr, $sign:literal, $operands:literal -> $result:literal, $doc:literal, $example:literal is $value:literal;)*) => {
        /// The operators between two operands, loosest first.
        pub(crate) static TABLE: &[Entry] = &[$(
            Entry {
                sign: $sign,
                rule: $rule,
                operands: $operands,
                result: $result,
                doc: $doc,
                example: ($example, $value),
            },
        )*];

        /// The index of an operator in the table.
        enum Place { $($operator),* }

        pub(crate) fn entry(operator: Operator) -> &'static Entry {
            let place = match operator {
                $(Operator::$operator => Place::$operator,)*
            };
            &TABLE[place as usize]
        }
    };
}

table! {
    Or: Rule::Junction { and: false }, "or", "yes/no" -> "yes/no",
        "whether one of them holds; the right side is evaluated only if the left is no", "1 > 2 or 2 > 1" is "yes";
    And: Rule::Junction { and: true }, "and", "yes/no" -> "yes/no",
        "whether both hold; the right side is evaluated only if the left is yes", "1 > 2 and 2 > 1" is "no";
    Is: Rule::Equality { negated: false }, "is", "two values of one type" -> "yes/no",
        "whether they are equal", "[1, 2] is [2, 1]" is "no";
    IsNot: Rule::Equality { negated: true }, "is not", "two values of one type" -> "yes/no",
        "whether they differ", "Short is not Long" is "yes";
    Less: Rule::Order(Order::Less), "<", "two numbers, members of a kind or products" -> "yes/no",
        "whether the left is smaller; of members, whether it comes first", "Short < Long" is "yes";
    LessOrEqual: Rule::Order(Order::LessOrEqual), "<=", "two numbers, members of a kind or products" -> "yes/no",
        "the same, or they are equal", "2 <= 2" is "yes";
    Greater: Rule::Order(Order::Greater), ">", "two numbers, members of a kind or products" -> "yes/no",
        "whether the left is larger; of members, whether it comes later", "Short > Long" is "no";
    GreaterOrEqual: Rule::Order(Order::GreaterOrEqual), ">=", "two numbers, members of a kind or products" -> "yes/no",
        "the same, or they are equal", "1 >= 2" is "no";
    In: Rule::Membership { negated: false }, "in", "a value and a collection" -> "yes/no",
        "whether it is one of them", "4 in 3..5" is "yes";
    NotIn: Rule::Membership { negated: true }, "not in", "a value and a collection" -> "yes/no",
        "whether it is none of them", "4 not in 3..5" is "no";
    Within: Rule::Inclusion, "within", "two collections" -> "yes/no",
        "whether the right has everything that the left has; for bags, at least as often", "{1, 2} within 1..3" is "yes";
    Else: Rule::Default, "else", "T? and T" -> "T",
        "the left side, or the right one if that is none", "after Long else Short" is "Short";
    Range: Rule::Range, "..", "two numbers, or members of one kind" -> "set",
        "all from the left to the right, both included; empty if the right comes first", "3..5" is "3 4 5";
    Add: Rule::Arithmetic(Arithmetic::Add), "+", "numbers" -> "number",
        "the sum", "2 + 3" is "5";
    Subtract: Rule::Arithmetic(Arithmetic::Subtract), "-", "numbers" -> "number",
        "the difference", "10 - 3 - 2" is "5";
    With: Rule::Change { without: false }, "with", "a set or bag, and a collection" -> "as the left",
        "the left side with all values of the right side added", "{1, 2} with {2, 3}" is "1 2 3";
    Without: Rule::Change { without: true }, "without", "a set or bag, and a collection" -> "as the left",
        "the left side with the values of the right side taken out; a bag loses one for each", "{1, 2} without {2, 3}" is "1";
    Then: Rule::Concatenation, "then", "two piles" -> "pile",
        "the left pile on top of the right one", "[3, 1] then [9]" is "3 1 9";
    Multiply: Rule::Arithmetic(Arithmetic::Multiply), "*", "numbers" -> "number",
        "the product", "2 + 3 * 4" is "14";
    Divide: Rule::Arithmetic(Arithmetic::Divide), "/", "numbers" -> "number",
        "the quotient, rounded down", "-7 / 2" is "-4";
    Modulo: Rule::Arithmetic(Arithmetic::Modulo), "mod", "numbers" -> "number",
        "the remainder; it has the sign of the right side", "-7 mod 3" is "2";
}
