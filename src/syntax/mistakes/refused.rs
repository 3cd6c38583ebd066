//! Mistakes that the grammar allows and lowering rejects.

use crate::arithmetic::MOST_PLACES;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::{MAXIMUM_DEPTH, MAXIMUM_LENGTH};

/// `a < b < c`
pub(in crate::syntax) fn chained_comparison(span: Span, before: Span) -> Diagnostic {
    let message = "comparisons cannot follow one another";
    Diagnostic::error(Code::ChainedComparison, span, message)
        .label(before, "the first comparison")
        .help("join two comparisons by `and`: `a < b and b < c`")
}

/// `1..2..3`
pub(in crate::syntax) fn chained_range(span: Span, before: Span) -> Diagnostic {
    Diagnostic::error(Code::ChainedRange, span, "a range has only two ends")
        .label(before, "the range is here")
        .help("write `low..high`")
}

/// `{size of s where c}`
pub(in crate::syntax) fn filter_without_binding(span: Span) -> Diagnostic {
    let message = "before `where`, braces say which variable goes through which collection";
    Diagnostic::error(Code::FilterWithoutBinding, span, message)
        .help("write `{x in s where …}`, or `{… for x in s where …}` for a value made from each")
}

/// `after(a, 1, 2)`
pub(in crate::syntax) fn beside_arguments(span: Span) -> Diagnostic {
    let message = "`after` and `before` take a value and, at most, a number of steps";
    Diagnostic::error(Code::TooManyArguments, span, message)
        .help("write `after x` or `after(x, 2)`")
}

/// `99999999999999999999`
/// `0.0000000001`
pub(in crate::syntax) fn many_places(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::LargeNumber,
        span,
        "this number has too many decimal places",
    )
    .help(format!("a number has at most {MOST_PLACES}"))
}

/// `limit 7.5`
pub(in crate::syntax) fn not_whole(span: Span) -> Diagnostic {
    Diagnostic::error(Code::WrongType, span, "a whole number is expected here")
        .help("leave out the point and what follows it")
}

pub(in crate::syntax) fn large_number(span: Span) -> Diagnostic {
    Diagnostic::error(Code::LargeNumber, span, "this number is too large")
        .help(format!("the greatest number is {}", i64::MAX))
}

/// `((((…`
pub(in crate::syntax) fn too_deep(span: Span) -> Diagnostic {
    let message = format!("this is nested more than {MAXIMUM_DEPTH} levels deep");
    Diagnostic::error(Code::TooDeep, span, message)
        .help("give a part of it a name: make it a fact of its own")
}

/// A file of many megabytes
pub(in crate::syntax) fn large_file(span: Span) -> Diagnostic {
    let message = format!(
        "a rule file has at most {} MiB",
        MAXIMUM_LENGTH / (1024 * 1024)
    );
    Diagnostic::error(Code::LargeFile, span, message).help("is this really a rule file?")
}

/// `"{a` on one line and `}"` on the next
pub(in crate::syntax) fn text_over_lines(span: Span) -> Diagnostic {
    let message = "a text and its holes must be on one line";
    Diagnostic::error(Code::UnclosedText, span, message)
        .help("give the value of a long hole a name: make it a fact of its own")
}
