//! Brackets that are not closed, close nothing, or are empty.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::failure::Failure;
use crate::syntax::grammar::Rule;

/// The bracket that closes another.
fn closing(bracket: &str) -> &'static str {
    match bracket {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// `[1, 2)`, `1)`
pub(super) fn wrong_bracket(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    if !matches!(found, ")" | "]" | "}") {
        return None;
    }
    let Some(open) = failure.innermost_bracket() else {
        let message = format!("this `{found}` closes nothing");
        return Some(
            Diagnostic::error(Code::SurplusBracket, failure.span(), message)
                .help("remove it, or open the bracket before it"),
        );
    };
    let bracket = failure.word(open);
    let due = closing(bracket);
    (due != found).then(|| {
        let message = format!("`{bracket}` is closed by `{due}`, not by `{found}`");
        Diagnostic::error(Code::MismatchedBracket, failure.span(), message)
            .label(failure.lexed.span(open), "opened here")
            .help(format!("write `{due}`"))
    })
}

/// `(1 + 2` where something else begins
pub(super) fn unclosed_bracket(failure: &Failure) -> Option<Diagnostic> {
    let open = failure.innermost_bracket()?;
    let bracket = failure.word(open);
    let due = match bracket {
        "(" => Rule::close_paren,
        "[" => Rule::close_bracket,
        _ => Rule::close_brace,
    };
    let found = failure.found();
    let begins =
        failure.lexed.opens_item(failure.at) || failure.lexed.opens_clause_only(failure.at);
    let ends = found.is_empty()
        || failure.lexed.first(failure.at) && begins
        || matches!(found, "|" | "when" | "unless" | "says" | "=>" | "=");
    if !ends || !failure.expects(due) {
        return None;
    }
    let missing = if failure.lexed.first(failure.at) {
        failure.lexed.span(failure.at - 1).tail()
    } else {
        failure.span()
    };
    let message = format!(
        "`{bracket}` (line {}) is not closed",
        failure.lexed.line(open)
    );
    Some(
        Diagnostic::error(Code::UnclosedBracket, failure.lexed.span(open), message)
            .label(missing, format!("`{}` is missing here", closing(bracket)))
            .help(format!("write `{}` where it ends", closing(bracket))),
    )
}

/// `f of (a, b)`, `(a, b)`
pub(super) fn several_in_parentheses(failure: &Failure) -> Option<Diagnostic> {
    let open = failure.innermost_bracket()?;
    if failure.found() != "," || failure.word(open) != "(" || !failure.after_expression() {
        return None;
    }
    let before = |back: usize| {
        open.checked_sub(back)
            .map_or("", |index| failure.word(index))
    };
    let close = (failure.at..failure.stretch.end).find(|index| failure.word(*index) == ")");
    if before(1) == "of" {
        let message = "`of` takes one value";
        let values = close.map_or("(a, b)", |close| failure.lexed.written(open, close));
        let inside = values.trim_start_matches('(').trim_end_matches(')');
        let diagnostic = Diagnostic::error(Code::OfWithSeveral, failure.span(), message);
        let taken = before(2);
        if matches!(taken, "highest" | "lowest" | "sum" | "size" | "joined") {
            return Some(diagnostic.help(format!("write `{taken} of [{inside}]`")));
        }
        let commas = (open..close.unwrap_or(open)).filter(|index| failure.word(*index) == ",");
        let keys = declared(failure, &["state", "given", "fact"]);
        let takes_one = keys.contains(&(taken, 1));
        let help = match with_parts(failure, commas.count() + 1).first() {
            Some(product) if takes_one => format!("write `{taken} of {product}{values}`"),
            _ => format!("write `{taken}{values}`"),
        };
        return Some(diagnostic.help(help));
    }
    let message = "parentheses hold one value";
    let diagnostic = Diagnostic::error(Code::OfWithSeveral, failure.span(), message);
    let compared = before(1) == "is" || before(1) == "not" && before(2) == "is";
    let several = diagnostic.clone();
    let several = several.help("several values are a set, `{a, b}`, or a pile, `[a, b]`");
    let (true, Some(close)) = (compared, close) else {
        return Some(several);
    };
    let values = failure.lexed.written(open, close);
    let commas = (open..close).filter(|index| failure.word(*index) == ",");
    Some(match with_parts(failure, commas.count() + 1).as_slice() {
        [] => several,
        [only] => diagnostic.help(format!("write the type before its parts: `{only}{values}`")),
        [first, ..] => diagnostic.help(format!(
            "write the type before its parts, such as `{first}{values}`"
        )),
    })
}

/// The types in the file with so many parts.
fn with_parts<'t>(failure: &Failure<'t>, count: usize) -> Vec<&'t str> {
    let types = declared(failure, &["type", "grid"]).into_iter();
    types
        .filter(|(_, parts)| *parts == count)
        .map(|(name, _)| name)
        .collect()
}

/// The names in the file that are declared with one of these words and something in parentheses, and how many parts or
/// parameters each has.
fn declared<'t>(failure: &Failure<'t>, items: &[&str]) -> Vec<(&'t str, usize)> {
    let lexed = failure.lexed;
    let parts = |name: usize| {
        (name + 2..lexed.tokens.len())
            .take_while(|index| lexed.word(*index) != ")")
            .filter(|index| lexed.word(*index) == ":")
            .count()
    };
    (0..lexed.tokens.len())
        .filter(|index| items.contains(&lexed.word(*index)) && lexed.first(*index))
        .filter(|index| lexed.word(index + 2) == "(")
        .map(|index| (lexed.word(index + 1), parts(index + 1)))
        .collect()
}
