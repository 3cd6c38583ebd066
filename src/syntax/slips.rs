//! Slips that people make, and what they are told.

use super::MAXIMUM_DEPTH;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// `a < b < c`
pub(super) fn chained_comparison(span: Span, before: Span) -> Diagnostic {
    Diagnostic::error(
        Code::ChainedComparison,
        span,
        "comparisons cannot follow one another",
    )
    .label(before, "the first comparison")
    .help("join two comparisons: `a < b and b < c`")
}

/// `1..2..3`
pub(super) fn chained_range(span: Span, before: Span) -> Diagnostic {
    Diagnostic::error(Code::ChainedRange, span, "a range has two ends only")
        .label(before, "the range's first `..`")
        .help("write `low..high`")
}

/// `{size of s where c}`
pub(super) fn filter_without_binding(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::FilterWithoutBinding,
        span,
        "before `where` a variable goes through a collection",
    )
    .help("write `{x in s where …}`, or `{… for x in s where …}` for a value of each")
}

/// `after(a, 1, 2)`
pub(super) fn beside_arguments(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::TooManyArguments,
        span,
        "`after` and `before` take a value and how many steps",
    )
    .help("write `after(x, 2)`")
}

/// `99999999999999999999`
pub(super) fn large_number(span: Span) -> Diagnostic {
    Diagnostic::error(Code::LargeNumber, span, "this number is too large")
        .help(format!("the greatest number is {}", i64::MAX))
}

/// `((((…`
pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::TooDeep,
        span,
        format!("this is nested more than {MAXIMUM_DEPTH} levels deep"),
    )
    .help("give a part of it a name: put it into a fact of its own")
}
