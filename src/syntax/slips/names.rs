//! Names, numbers, and the declarations they stand in.

use super::super::failure::Failure;
use super::super::grammar::Rule;
use super::super::scan::Sort;
use super::brackets::innermost;
use crate::diagnostic::{Code, Diagnostic};

/// `fact x-y = 1`
pub(super) fn dash_in_name(failure: &Failure) -> Option<Diagnostic> {
    let page = failure.page;
    let first = failure.at.checked_sub(1)?;
    if failure.found() != "-" || failure.after_expression() || page.sort(first) != Some(Sort::Word)
    {
        return None;
    }
    let mut last = first;
    while failure.word(last + 1) == "-"
        && page.touch(last, last + 1)
        && page.touch(last + 1, last + 2)
    {
        last += 2;
    }
    if last == first {
        return None;
    }
    let span = page.span(first).to(page.span(last));
    let name = page.text.get(span.range()).unwrap_or("").replace('-', "_");
    let message = "names take `_`, not `-`";
    Some(Diagnostic::error(Code::DashInName, span, message).help(format!("write `{name}`")))
}

/// `größe`, `_x`
pub(super) fn foreign_letter(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.found();
    if failure.page.sort(failure.at) != Some(Sort::Word) {
        return None;
    }
    if let Some(letter) = word.chars().find(|letter| !letter.is_ascii()) {
        let message = format!("`{letter}` cannot stand in a name");
        return Some(
            Diagnostic::error(Code::ForeignLetter, failure.span(), message).help(
                "names are written with a to z, A to Z, digits and `_`; texts take any letter",
            ),
        );
    }
    let message = "a name begins with a letter";
    (word.starts_with('_') && word != "_").then(|| {
        Diagnostic::error(Code::ForeignLetter, failure.span(), message)
            .help(format!("write `{}`", word.trim_start_matches('_')))
    })
}

/// A character that means nothing.
pub(super) fn stray_character(failure: &Failure) -> Option<Diagnostic> {
    if failure.page.sort(failure.at) != Some(Sort::Stray) {
        return None;
    }
    let character = failure.found().chars().next()?;
    let help = match character {
        '–' | '—' | '−' => "write `-`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `is not`",
        '×' | '·' | '∙' => "write `*`",
        '÷' => "write `/`",
        '→' => "write `->`",
        '⇒' => "write `=>`",
        '…' => "write `...`, or `..` for a range",
        '∈' => "write `in`",
        '∧' => "write `and`",
        '∨' => "write `or`",
        '¬' => "write `not`",
        '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{200b}' => {
            "this blank is a special one: write an ordinary blank"
        }
        _ => "only texts and comments take any character",
    };
    let shown = character.escape_debug();
    let message = format!("the character `{shown}` means nothing here");
    Some(Diagnostic::error(Code::StrayCharacter, failure.span(), message).help(help))
}

/// `2x`, `1_000`
pub(super) fn number_and_letters(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.found();
    if failure.page.sort(failure.at) != Some(Sort::Number) {
        return None;
    }
    let letters = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = word.get(..word.len() - letters.len())?;
    let error = |message: &str| Diagnostic::error(Code::NumberAndLetters, failure.span(), message);
    if !failure.wants_expression() && failure.expects(Rule::name) {
        return Some(error("a name begins with a letter"));
    }
    if letters.is_empty() {
        return None;
    }
    let plain = word.replace('_', "");
    let diagnostic = error("letters cannot stick to a number");
    Some(if plain.bytes().all(|byte| byte.is_ascii_digit()) {
        diagnostic.help(format!("write `{plain}`"))
    } else {
        diagnostic.help(format!(
            "write a blank or an operator between them, such as `{digits} * {letters}`"
        ))
    })
}

/// `event tick(row)`, `state x = 0`, `fact x: = 1`, `just x: yes/no`
pub(super) fn missing_type(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let before = failure.before(1);
    let item = failure.word(failure.stretch.start);
    let missing = |message: String| Diagnostic::error(Code::MissingType, failure.span(), message);
    if item == "just" && matches!(found, "=" | ":") {
        return Some(failure.plain().help(
            "a `just` state is yes/no and begins as no; with another type or value it is `state x: TYPE = …`",
        ));
    }
    if item == "new" && found == ":" && failure.expects(Rule::close_paren) {
        return Some(failure.plain().help(format!(
            "the types stand with the state: write `new {}({before}) …`",
            failure.word(failure.stretch.start + 1)
        )));
    }
    if failure.expects(Rule::colon) && innermost(failure).is_some() && is_type(failure) {
        return Some(failure.plain().help(format!("write `{before}: {found}…`")));
    }
    if matches!(found, ")" | ",") && failure.expects(Rule::colon) && innermost(failure).is_some() {
        return Some(missing(format!("`{before}` has no type")).help(format!(
            "write `{before}: TYPE`, such as `{before}: number`"
        )));
    }
    if found == "=" && before == ":" {
        return Some(
            missing("after `:` comes a type".to_owned())
                .help("write the type, such as `x: number = …`, or leave out the `:` of a fact"),
        );
    }
    if found == "=" && failure.expects(Rule::colon) && failure.row().is_none() {
        let guess = match failure.word(failure.at + 1) {
            "yes" | "no" => "yes/no",
            value if value.starts_with(['"', '\'']) => "text",
            _ => "number",
        };
        return Some(missing(format!("this {item} has no type")).help(format!(
            "write its type: `{item} {before}: TYPE = …`, such as `{before}: {guess}`"
        )));
    }
    None
}

/// Whether a type could begin with the word found.
fn is_type(failure: &Failure) -> bool {
    matches!(
        failure.page.sort(failure.at),
        Some(Sort::Word | Sort::Number)
    )
}

/// `state x: number`
pub(super) fn missing_value(failure: &Failure) -> Option<Diagnostic> {
    if !failure.found().is_empty() || !failure.expects(Rule::equals) {
        return None;
    }
    let item = failure.word(failure.stretch.start);
    let message = match item {
        "state" => "a state has a value at the start".to_owned(),
        "new" => "it is not said what the new value is".to_owned(),
        _ => format!("this {item} has no value"),
    };
    Some(
        Diagnostic::error(Code::MissingValue, failure.span(), message).help("write `= …` after it"),
    )
}

/// `list of number`, `set number`, `[number]`, `yes`
pub(super) fn foreign_type(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let before = failure.before(1);
    let after_type = failure.expects(Rule::question_mark) || failure.expects(Rule::arrow);
    let help = if failure.expects(Rule::written_type) || failure.expects(Rule::simple_type) {
        match found {
            "yes" | "no" => "the type of what is yes or no is `yes/no`",
            "[" => "write `pile of TYPE` for a sequence, `set of TYPE` for a set",
            "{" => "write `set of TYPE`",
            _ => return None,
        }
    } else if after_type {
        match (before, found) {
            (
                "list" | "array" | "sequence" | "stack" | "queue" | "vector",
                "of" | "<" | "[" | "(",
            ) => "write `pile of TYPE`",
            ("map" | "dict" | "table", "of" | "<" | "[" | "(") => "write `TYPE -> TYPE`",
            ("set" | "bag" | "pile", _) => {
                let is_word = failure.page.sort(failure.at) == Some(Sort::Word);
                let is_range = failure.word(failure.at + 1) == "..";
                let of = if is_range {
                    format!("{found}..{}", failure.word(failure.at + 2))
                } else {
                    failure.word(failure.at + usize::from(!is_word)).to_owned()
                };
                let help = format!("write `{before} of {of}`");
                return Some(foreign(failure, &help));
            }
            _ => return None,
        }
    } else {
        return None;
    };
    Some(foreign(failure, help))
}

/// Says that the word found cannot stand in a type.
fn foreign(failure: &Failure, help: &str) -> Diagnostic {
    let message = format!("`{}` cannot stand here in a type", failure.found());
    Diagnostic::error(Code::ForeignType, failure.span(), message).help(help)
}

/// `ring Place of 1..count`
pub(super) fn ring_of_range(failure: &Failure) -> Option<Diagnostic> {
    let start = failure.stretch.start;
    let name = failure.word(start + 1);
    if failure.word(start) != "ring" || failure.word(start + 2) != "of" || failure.found() != ".." {
        return None;
    }
    let last = failure.word(failure.at + 1);
    let message = "a `ring … of` is told how many members it has, which are numbered from 1";
    Some(
        Diagnostic::error(Code::BoundExpression, failure.span(), message)
            .help(format!("write `ring {name} of {last}`")),
    )
}

/// `state level of Place: number = 0`
pub(super) fn item_of(failure: &Failure) -> Option<Diagnostic> {
    let start = failure.stretch.start;
    let (item, name) = (failure.word(start), failure.word(start + 1));
    let declares = matches!(item, "state" | "given" | "fact");
    if !declares || failure.found() != "of" || failure.at != start + 2 {
        return None;
    }
    let ty = failure.word(failure.at + 1);
    let parameter = ty.chars().next()?.to_ascii_lowercase();
    let parameter = if parameter.is_ascii_lowercase() {
        parameter
    } else {
        'x'
    };
    let message = "where something is declared, what it is asked of stands in parentheses";
    Some(
        Diagnostic::error(Code::Syntax, failure.span(), message)
            .help(format!("write `{item} {name}({parameter}: {ty})`")),
    )
}

/// `x: 1..n + 1`, `x: 1 to 5`
pub(super) fn bound_expression(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let is_range = matches!(found, "to" | "-" | "..." | "until");
    if failure.expects(Rule::range) && !failure.after_expression() && is_range {
        let message = "a range is written with two dots";
        let (low, high) = (failure.before(1), failure.word(failure.at + 1));
        return Some(
            Diagnostic::error(Code::BoundExpression, failure.span(), message)
                .help(format!("write `{low}..{high}`")),
        );
    }
    let after_type = failure.expects(Rule::question_mark) || failure.expects(Rule::arrow);
    let is_operator = matches!(found, "+" | "-" | "*" | "/" | "mod" | "of" | "(");
    let is_end = failure.before(2) == ".." || failure.expects(Rule::bound);
    if !(after_type && is_operator && is_end || failure.expects(Rule::bound)) {
        return None;
    }
    let message = "the ends of a range in a type are numbers or names";
    Some(
        Diagnostic::error(Code::BoundExpression, failure.span(), message)
            .help("make it an option, `option last: number = …`, and write its name"),
    )
}
