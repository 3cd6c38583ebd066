//! Rows and tables.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::failure::Failure;
use crate::syntax::grammar::Rule;
use crate::syntax::lexer::TokenKind;

/// `| 1 when c`, `| late 1 when c`
pub(super) fn row_without_name(failure: &Failure) -> Option<Diagnostic> {
    let bar = failure.row()?;
    let found = failure.found();
    let lexed = failure.lexed;
    if lexed.word(failure.stretch.start) == "add"
        && lexed.kind(bar + 1) == Some(TokenKind::Text)
        && failure.at == bar + 2
    {
        // Without a name it is read as the first cell of a row of a `by` table.
        let message = "this row has neither a name nor a `=>`";
        return Some(
            Diagnostic::error(Code::RowWithoutName, lexed.span(bar), message)
                .help("give it a name: `| name: …`; in a `by` table, write `| cell => value`"),
        );
    }
    let is_row = failure.expects(Rule::label) || failure.expects(Rule::colon);
    if !is_row || failure.expects(Rule::fat_arrow) || failure.at > bar + 2 {
        return None;
    }
    let span = lexed.span(bar);
    let message = "this row has no name";
    let diagnostic = Diagnostic::error(Code::RowWithoutName, span, message);
    if failure.at == bar + 2 {
        let label = failure.word(bar + 1);
        if found == "=>" {
            return Some(diagnostic.help(format!(
                "write `| name: value`; rows with `=>` belong to a table that begins with `by`: \
                 `by … | {label} => …`"
            )));
        }
        let is_value = matches!(
            lexed.kind(failure.at),
            Some(TokenKind::Text | TokenKind::Number)
        ) || matches!(found, "yes" | "no" | "none" | "the" | "new" | "{" | "[");
        if is_value {
            let message = "after the name of a row comes `:`";
            return Some(
                Diagnostic::error(Code::RowWithoutName, lexed.span(bar + 1).tail(), message)
                    .help(format!("write `| {label}: …`")),
            );
        }
    }
    Some(diagnostic.help("give it one: `| name: …`"))
}

/// `report "done"`, `kind Size Small`, a row that begins without a bar
pub(super) fn missing_bar(failure: &Failure) -> Option<Diagnostic> {
    let bars = [
        Rule::bar,
        Rule::row,
        Rule::by_row,
        Rule::member,
        Rule::added_row,
    ];
    let (found, next) = (failure.found(), failure.word(failure.at + 1));
    if !failure.expects_any(&bars) || found.is_empty() {
        return None;
    }
    let begins = failure.row().is_none() && !failure.after_expression();
    let help = match failure.word(failure.stretch.start) {
        "kind" | "ring" if begins => "members follow, each after a bar: `kind NAME | A | B`",
        _ if failure.lexed.first(failure.at) && next == ":" || next == "=>" => {
            "every row begins with a bar: `| name: …`"
        }
        _ if begins => "rows follow, each with a bar and a name: `| name: …`",
        _ => return None,
    };
    let message = match failure.lexed.kind(failure.at) {
        Some(TokenKind::Text) => "a `|` is missing before this text".to_owned(),
        Some(TokenKind::Word) => format!("a `|` is missing before `{found}`"),
        _ => format!("expected `|`, found `{found}`"),
    };
    Some(Diagnostic::error(Code::MissingBar, failure.span(), message).help(help))
}

/// `by x | yes: 1`
pub(super) fn by_row_colon(failure: &Failure) -> Option<Diagnostic> {
    let bar = failure.row()?;
    let colon = (bar..failure.at).find(|index| failure.word(*index) == ":")?;
    if !failure.wants_arrow() || failure.row_words().any(|word| word == "=>") {
        return None;
    }
    let message = "a row of a `by` table is a cell, `=>` and a value";
    let cell = failure.lexed.written(bar + 1, colon - 1);
    Some(
        Diagnostic::error(Code::ByRowColon, failure.lexed.span(colon), message)
            .here("only a row's name can come before a colon")
            .help(format!("write `| {cell} => …`")),
    )
}

/// How late in a row its parts stand.
fn place_of(word: &str) -> usize {
    match word {
        "for" => 1,
        "when" => 2,
        "unless" => 3,
        "says" => 4,
        "cites" => 5,
        _ => 0,
    }
}

/// `unless d when c`, `when c when d`
pub(super) fn clause_order(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let found_place = place_of(found);
    failure.row()?;
    let late = failure
        .row_words()
        .max_by_key(|word| place_of(word))
        .filter(|word| place_of(word) >= found_place)?;
    if found_place == 0 {
        return None;
    }
    let diagnostic =
        |message: String| Diagnostic::error(Code::ClauseOrder, failure.span(), message);
    Some(if late == found {
        let join = if found == "unless" { "or" } else { "and" };
        let help = match found {
            "for" => "write all its variables after one `for`: `for x in s, y in t`".to_owned(),
            "says" | "cites" => "write one text".to_owned(),
            _ => format!("join its conditions: `{found} c {join} d`"),
        };
        diagnostic(format!("a row has only one `{found}`")).help(help)
    } else {
        diagnostic(format!("`{found}` comes before `{late}`"))
            .help("the order is `| name: value for x in s when c unless d says \"…\" cites \"…\"`")
    })
}
