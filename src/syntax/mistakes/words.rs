//! Words of other languages, and words of this one in a wrong place.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::failure::Failure;

/// `if a then b else c`, `elif`, `a ? b : c`
pub(super) fn no_if(failure: &Failure) -> Option<Diagnostic> {
    const WORDS: &[&str] = &[
        "if", "elif", "elsif", "elseif", "iff", "switch", "case", "match",
    ];
    let index = [failure.at, failure.at.wrapping_sub(1)]
        .into_iter()
        .find(|index| {
            WORDS.contains(&failure.word(*index)) && failure.word(index.wrapping_sub(1)) != "|"
                || *index == failure.at && failure.word(*index) == "?" && failure.after_expression()
        })?;
    let word = failure.word(index);
    let message = format!("there is no `{word}`");
    let diagnostic = Diagnostic::error(Code::NoIf, failure.lexed.span(index), message);
    let ends_row = failure.row().is_some() && index == failure.at && word == "if";
    if failure.word(failure.stretch.start) == "except" && word == "if" {
        return Some(diagnostic.help("write `when`"));
    }
    if ends_row {
        return Some(diagnostic.help("in a row, write `when`"));
    }
    let begins_clause = failure.lexed.first(index) && failure.word(index.wrapping_sub(1)) != "=";
    if begins_clause && word == "if" {
        return Some(diagnostic.help(
            "say in a row when it holds: `impossible | name: \"…\" when c`, `new x | name: value when c`",
        ));
    }
    let table = as_table(failure, index).unwrap_or_else(|| "by a | yes => b | no => c".to_owned());
    Some(
        diagnostic
            .help(format!("choose by a table: `{table}`"))
            .help("or by conditions: `first of | one: b when a | other: c`"),
    )
}

/// `if a then b else c` as a table, if it is nothing more.
fn as_table(failure: &Failure, start: usize) -> Option<String> {
    let find = |word: &str, from: usize| {
        (from..failure.stretch.end)
            .take_while(|index| !failure.lexed.first(*index) && failure.word(*index) != "|")
            .find(|index| failure.word(*index) == word)
    };
    let then = find("then", start + 1)?;
    let other = find("else", then + 1)?;
    let mut depth = 0;
    let end = (other + 1..failure.stretch.end)
        .find(|index| {
            depth += failure.bracket(*index);
            let ends = failure.lexed.first(*index) || matches!(failure.word(*index), "|" | "if");
            ends || depth < 0
        })
        .unwrap_or(failure.stretch.end);
    let written = |from: usize, to: usize| (from < to).then(|| failure.lexed.written(from, to - 1));
    let (condition, yes, no) = (
        written(start + 1, then)?,
        written(then + 1, other)?,
        written(other + 1, end)?,
    );
    Some(format!("by {condition} | yes => {yes} | no => {no}"))
}
