//! Brackets that are not closed, close nothing, or hold nothing.

use super::super::failure::Failure;
use super::super::grammar::Rule;
use crate::diagnostic::{Code, Diagnostic};

/// The innermost bracket that is open where reading failed.
pub(super) fn innermost(failure: &Failure) -> Option<usize> {
    let mut open = Vec::new();
    for index in failure.stretch.start..failure.at {
        match failure.word(index) {
            "(" | "[" | "{" => open.push(index),
            ")" | "]" | "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    open.last().copied()
}

/// What closes a bracket.
fn closing(bracket: &str) -> &'static str {
    match bracket {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// `()`, `[]`, `{}`
pub(super) fn empty_brackets(failure: &Failure) -> Option<Diagnostic> {
    let (open, close) = (failure.before(1), failure.found());
    if !matches!((open, close), ("(", ")") | ("[", "]") | ("{", "}")) {
        return None;
    }
    let span = failure.page.span(failure.at - 1).to(failure.span());
    let message = "nothing stands between these brackets";
    let diagnostic = Diagnostic::error(Code::EmptyBrackets, span, message);
    Some(if open == "(" {
        diagnostic.help("what takes no parameters is written without parentheses")
    } else {
        diagnostic.help("an empty set, bag or pile is called `empty`")
    })
}

/// `[1, 2)`, `1)`
pub(super) fn wrong_bracket(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    if !matches!(found, ")" | "]" | "}") {
        return None;
    }
    let Some(open) = innermost(failure) else {
        let message = format!("this `{found}` closes nothing");
        return Some(
            Diagnostic::error(Code::SurplusBracket, failure.span(), message)
                .help("take it away, or open the bracket before it"),
        );
    };
    let bracket = failure.word(open);
    let due = closing(bracket);
    (due != found).then(|| {
        let message = format!("`{bracket}` is closed by `{due}`, not by `{found}`");
        Diagnostic::error(Code::MismatchedBracket, failure.span(), message)
            .label(failure.page.span(open), "opened here")
            .help(format!("write `{due}`"))
    })
}

/// `(1 + 2` where something else begins
pub(super) fn unclosed_bracket(failure: &Failure) -> Option<Diagnostic> {
    let open = innermost(failure)?;
    let bracket = failure.word(open);
    let due = match bracket {
        "(" => Rule::close_paren,
        "[" => Rule::close_bracket,
        _ => Rule::close_brace,
    };
    let found = failure.found();
    let begins = failure.page.opens_item(failure.at) || failure.page.opens_clause_only(failure.at);
    let ends = found.is_empty()
        || failure.page.first(failure.at) && begins
        || matches!(found, "|" | "when" | "unless" | "says" | "=>" | "=");
    if !ends || !failure.expects(due) {
        return None;
    }
    let missing = if failure.page.first(failure.at) {
        failure.page.span(failure.at - 1).tail()
    } else {
        failure.span()
    };
    let message = format!(
        "`{bracket}` (line {}) is not closed",
        failure.page.line(open)
    );
    Some(
        Diagnostic::error(Code::UnclosedBracket, failure.page.span(open), message)
            .label(missing, format!("`{}` is missing here", closing(bracket)))
            .help(format!("write `{}` where it ends", closing(bracket))),
    )
}

/// `f of (a, b)`, `(a, b)`
pub(super) fn several_in_parentheses(failure: &Failure) -> Option<Diagnostic> {
    let open = innermost(failure)?;
    if failure.found() != "," || failure.word(open) != "(" || !failure.after_expression() {
        return None;
    }
    let before = |back: usize| {
        open.checked_sub(back)
            .map_or("", |index| failure.word(index))
    };
    if before(1) == "of" {
        let name = before(2);
        let message = "`of` takes one value";
        let end = (failure.at..failure.stretch.end).find(|index| failure.word(*index) == ")");
        let values = failure
            .page
            .span(open)
            .to(failure.page.span(end.unwrap_or(open)));
        let values = failure
            .page
            .text
            .get(values.range())
            .filter(|text| text.len() > 1);
        let help = format!("write `{name}{}`", values.unwrap_or("(a, b)"));
        return Some(Diagnostic::error(Code::OfWithSeveral, failure.span(), message).help(help));
    }
    let message = "parentheses hold one value";
    let diagnostic = Diagnostic::error(Code::OfWithSeveral, failure.span(), message);
    let compared = before(1) == "is" || before(1) == "not" && before(2) == "is";
    let several = diagnostic.clone();
    let several = several.help("several values are a set, `{a, b}`, or a pile, `[a, b]`");
    let close = (failure.at..failure.stretch.end).find(|index| failure.word(*index) == ")");
    let (true, Some(close)) = (compared, close) else {
        return Some(several);
    };
    let span = failure.page.span(open).to(failure.page.span(close));
    let values = failure.page.text.get(span.range()).unwrap_or("(a, b)");
    let commas = (open..close).filter(|index| failure.word(*index) == ",");
    Some(match with_parts(failure, commas.count() + 1).as_slice() {
        [] => several,
        [only] => diagnostic.help(format!("write the type before its parts: `{only}{values}`")),
        [first, ..] => diagnostic.help(format!(
            "write the type before its parts, such as `{first}{values}`"
        )),
    })
}

/// The types of the file that have so many parts.
fn with_parts<'t>(failure: &Failure<'t>, count: usize) -> Vec<&'t str> {
    let page = failure.page;
    let parts = |name: usize| {
        (name + 2..page.tokens.len())
            .take_while(|index| page.word(*index) != ")")
            .filter(|index| page.word(*index) == ":")
            .count()
    };
    (0..page.tokens.len())
        .filter(|index| matches!(page.word(*index), "type" | "grid") && page.first(*index))
        .filter(|index| page.word(index + 2) == "(" && parts(index + 1) == count)
        .map(|index| page.word(index + 1))
        .collect()
}
