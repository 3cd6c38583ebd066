//! Rows and tables.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::failure::{Failure, is_reserved};
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
        // Without a name, it parses as the first cell of a row of a `by` table.
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
    if matches!(found, ">" | "<" | ">=" | "<=") {
        return Some(diagnostic.help(
            "a cell is a value or a range such as `4..9`, and a comparison a condition: `| any => … when x > 3`",
        ));
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
    if begins && let Some(diagnostic) = not_rows(failure) {
        return Some(diagnostic);
    }
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

/// `by x, y | yes no => 1`
pub(super) fn missing_cell_comma(failure: &Failure) -> Option<Diagnostic> {
    let bar = failure.row()?;
    let found = failure.found();
    let begins_cell = match failure.lexed.kind(failure.at)? {
        TokenKind::Word => {
            !is_reserved(found)
                || matches!(
                    found,
                    "any" | "yes" | "no" | "none" | "empty" | "the" | "new"
                )
        }
        TokenKind::Number | TokenKind::Text => true,
        _ => matches!(found, "{" | "["),
    };
    let commas = failure.row_words().filter(|word| *word == ",").count();
    let arrow = (failure.at..failure.row_end()).find(|index| failure.word(*index) == "=>")?;
    if !begins_cell || !failure.wants_arrow() || failure.columns()? < commas + 2 {
        return None;
    }
    let lexed = failure.lexed;
    let (before, after) = (
        lexed.written(bar, failure.at - 1),
        lexed.written(failure.at, arrow),
    );
    let message = format!("a comma is missing between the cells, before `{found}`");
    Some(
        Diagnostic::error(Code::Syntax, failure.span(), message)
            .help(format!("write `{before}, {after} …`")),
    )
}

/// `by x | yes: 1`
pub(super) fn by_row_colon(failure: &Failure) -> Option<Diagnostic> {
    let bar = failure.row()?;
    let colon = (bar..failure.at).find(|index| failure.word(*index) == ":")?;
    let end = failure.row_end();
    if !failure.wants_arrow() || (bar..end).any(|index| failure.word(index) == "=>") {
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

/// The order of the parts of a row.
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

/// `fact x = 5 when c`
pub(super) fn condition_outside_row(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let is_condition = matches!(found, "when" | "unless" | "for" | "says");
    if !is_condition
        || failure.row().is_some()
        || !failure.after_expression()
        || failure.entry == Rule::hole
    {
        return None;
    }
    let lexed = failure.lexed;
    let (start, at) = (failure.stretch.start, failure.at);
    let equals = (start..at).find(|index| failure.word(*index) == "=");
    let value = equals
        .filter(|equals| equals + 1 < at)
        .map_or("value", |equals| lexed.written(equals + 1, at - 1));
    let message = format!("only rows take `{found}`");
    let diagnostic = Diagnostic::error(Code::ConditionOutsideRow, failure.span(), message);
    if found == "for" {
        // `sum of score of p`, `sum of score(p)`: the first name before `of`, outside brackets.
        let depth = |of: usize| (of..at).map(|index| failure.bracket(index)).sum::<isize>();
        let of = (start + 1..at).find(|of| {
            let taken = failure.word(of - 1);
            failure.word(*of) == "of"
                && matches!(taken, "sum" | "highest" | "lowest" | "size" | "joined")
                && depth(*of) == 0
        });
        let end = (at + 1..failure.stretch.end)
            .find(|index| lexed.first(*index))
            .unwrap_or(failure.stretch.end);
        let Some(of) = of.filter(|of| of + 1 < at) else {
            return Some(diagnostic.help(format!(
                "begin a table: `= union of | label: {value} for x in s`"
            )).help("or write a collection: `{value for x in s}` for a set, `(value for x in s)` for a pile"));
        };
        let taken = lexed.written(of - 1, of);
        let inside = lexed.written(of + 1, end - 1);
        return Some(diagnostic.help(format!("write `{taken} ({inside})`")));
    }
    let condition = match found {
        "unless" => "unless c",
        "says" => "says \"…\"",
        _ => "when c",
    };
    let words = |wanted: &[&str]| {
        (equals.unwrap_or(at)..at)
            .skip(1)
            .any(|index| wanted.contains(&failure.word(index)))
    };
    let target = equals
        .filter(|equals| *equals > start + 1)
        .map(|equals| lexed.written(start + 1, equals - 1));
    if failure.word(start) == "replace"
        && let Some(target) = target.filter(|target| target.contains('.'))
    {
        let help = format!("a row comes after a colon: `replace {target}: {value} {condition}`");
        return Some(diagnostic.help(help));
    }
    let is_number = equals.is_some_and(|equals| {
        lexed.kind(equals + 1) == Some(TokenKind::Number) && equals + 2 == at
    });
    let compares = words(&[
        "is", "in", "and", "or", "not", "yes", "no", "<", ">", "<=", ">=", "some", "every",
    ]);
    let typed = failure.word(start + 2) == ":";
    let is_text = equals.is_some_and(|equals| lexed.kind(equals + 1) == Some(TokenKind::Text));
    let row = format!("label: {value} {condition}");
    let first = format!("begin a table: `= first of | {row} | other: …`");
    Some(
        if is_number || words(&["+", "-", "*", "/", "mod"]) && !compares {
            let diagnostic = diagnostic.help(format!("begin a table: `= sum of | {row}`"));
            if typed {
                diagnostic.help(format!("or `= first of | {row} | other: …`"))
            } else {
                diagnostic
            }
        } else if compares || typed && failure.word(start + 3) == "yes" {
            diagnostic.help(format!("begin a table: `= any of | {row}`"))
        } else if typed || is_text {
            diagnostic.help(first)
        } else {
            diagnostic
                .help(first)
                .help(format!("or, if it is yes/no, `= any of | {row}`"))
        },
    )
}

/// `new x is 1`, `new x[k] = 1`, `report refuse | …`, `impossible when c`: other mistakes where rows were expected.
fn not_rows(failure: &Failure) -> Option<Diagnostic> {
    let lexed = failure.lexed;
    let (first, at, found) = (failure.stretch.start, failure.at, failure.found());
    // Other clauses may stand before it.
    let start = (first..at).rev().find(|index| lexed.first(*index));
    let start = start.unwrap_or(first);
    let error = |message: &str| Diagnostic::error(Code::Syntax, failure.span(), message);
    let end = (at + 1..failure.stretch.end)
        .find(|index| lexed.first(*index))
        .unwrap_or(failure.stretch.end);
    match failure.word(start) {
        "new" if at >= start + 2 => {
            let name = lexed.written(start, at - 1);
            let message = "the new value comes after `=`";
            match found {
                "[" => {
                    let close = (at..end).find(|index| failure.word(*index) == "]")?;
                    let key = (close > at + 1).then(|| lexed.written(at + 1, close - 1))?;
                    let message = "an entry is not taken with brackets";
                    let span = failure.span().to(lexed.span(close));
                    let diagnostic = Diagnostic::error(Code::Index, span, message);
                    Some(diagnostic.help(format!("write `{name} of {key} = …`")))
                }
                ":" | "is" | "to" | "becomes" | "are" if at + 1 < end => {
                    let value = lexed.written(at + 1, end - 1);
                    Some(error(message).help(format!("write `{name} = {value}`")))
                }
                "with" | "without" | "but" | "then" => {
                    let old = name.trim_start_matches("new").trim_start();
                    let rest = lexed.written(at, end - 1);
                    Some(error(message).help(format!("write `{name} = {old} {rest}`")))
                }
                "+" | "-" => {
                    let old = name.trim_start_matches("new").trim_start();
                    let rest = lexed.written(at, end - 1);
                    Some(error(message).help(format!("write `{name} = ({old}) {rest}`")))
                }
                _ => None,
            }
        }
        "report" if at == start + 1 && found.starts_with("refus") => Some(error(
            "what is reported of an event that is refused is called `refused`",
        ))
        .map(|diagnostic| diagnostic.did_you_mean(found, ["refused"])),
        item @ ("impossible" | "illegal") if matches!(found, "when" | "unless") && at + 1 < end => {
            let condition = lexed.written(at, end - 1);
            Some(
                error("a row says with its name what is wrong").help(format!(
                    "write `{item} | name: \"what is wrong\" {condition}`"
                )),
            )
        }
        _ => None,
    }
}

/// `for each p in s { new x of p = 0 }`
pub(super) fn for_each(failure: &Failure) -> Option<Diagnostic> {
    let at = failure.at;
    if failure.found() != "for"
        || failure.entry != Rule::clauses_alone
        || !failure.lexed.first(at)
        || failure.row().is_some()
    {
        return None;
    }
    let variable = at + 1 + usize::from(failure.word(at + 1) == "each");
    let (variable, members) = (failure.word(variable), failure.word(variable + 2));
    let new = (at..failure.stretch.end).find(|index| failure.word(*index) == "new");
    let target = new.map_or("x", |new| failure.word(new + 1));
    let message = "nothing is done one after another: all of an event happens at once";
    Some(
        Diagnostic::error(Code::ConditionOutsideRow, failure.span(), message)
            .help(format!(
                "for the new values, an equation with a parameter says it for all: `new {target}({variable}) = …`"
            ))
            .help(format!(
                "for lines of a report, a row does: `| label: \"…\" for {variable} in {members}`"
            )),
    )
}
