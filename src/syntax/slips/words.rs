//! Words of other languages, and words of this one in the wrong place.

use super::super::failure::{Failure, is_reserved};
use super::super::grammar::Rule;
use super::super::scan::Sort;
use crate::diagnostic::{Code, Diagnostic};

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
    let diagnostic = Diagnostic::error(Code::NoIf, failure.page.span(index), message);
    let ends_row = failure.row().is_some() && index == failure.at && word == "if";
    if ends_row {
        return Some(diagnostic.help("in a row write `when`"));
    }
    let begins_clause = failure.page.first(index) && failure.word(index.wrapping_sub(1)) != "=";
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

/// `if a then b else c` as a table, where it is all that.
fn as_table(failure: &Failure, start: usize) -> Option<String> {
    let find = |word: &str, from: usize| {
        (from..failure.stretch.end)
            .take_while(|index| !failure.page.first(*index) && failure.word(*index) != "|")
            .find(|index| failure.word(*index) == word)
    };
    let then = find("then", start + 1)?;
    let other = find("else", then + 1)?;
    let end = (other + 1..failure.stretch.end)
        .find(|index| {
            failure.page.first(*index) || matches!(failure.word(*index), "|" | "if" | ")")
        })
        .unwrap_or(failure.stretch.end);
    let written = |from: usize, to: usize| {
        let span = failure
            .page
            .span(from)
            .to(failure.page.span(to.checked_sub(1)?));
        let written = failure.page.text.get(span.range())?;
        (from < to).then_some(written)
    };
    let (condition, yes, no) = (
        written(start + 1, then)?,
        written(then + 1, other)?,
        written(other + 1, end)?,
    );
    Some(format!("by {condition} | yes => {yes} | no => {no}"))
}

/// Words that begin something in other languages, and what to write here.
const FOREIGN_WORDS: &[(&str, &str)] = &[
    ("let", "write `fact x = …`"),
    ("val", "write `fact x = …`"),
    ("def", "write `fact f(x: TYPE) = …`"),
    ("define", "write `fact x = …`"),
    ("fn", "write `fact f(x: TYPE) = …`"),
    ("func", "write `fact f(x: TYPE) = …`"),
    ("function", "write `fact f(x: TYPE) = …`"),
    ("rule", "write `fact x = …`"),
    ("var", "write `state x: TYPE = …`"),
    ("const", "write `option x: TYPE = …` or `fact x = …`"),
    ("enum", "write `kind NAME | A | B`"),
    ("struct", "write `type NAME(x: TYPE, y: TYPE)`"),
    ("record", "write `type NAME(x: TYPE, y: TYPE)`"),
    ("class", "write `type NAME(x: TYPE, y: TYPE)`"),
    ("import", "write `use NAME from GAME`"),
    ("include", "write `use NAME from GAME`"),
    ("print", "write `report | label: \"…\"`"),
    ("say", "write `report | label: \"…\"`"),
    ("return", "a fact is its value: leave the word out"),
    (
        "while",
        "every event is one step: what repeats is an event of its own, or `follows`",
    ),
    ("foreach", "write `… for x in s` in a row"),
    ("end", "a section ends with `}`"),
];

/// `let x = 1`, `return x`
pub(super) fn foreign_word(failure: &Failure) -> Option<Diagnostic> {
    let known = |index: usize| {
        FOREIGN_WORDS
            .iter()
            .find(|(word, _)| *word == failure.word(index))
    };
    let before = failure.at.wrapping_sub(1);
    let (index, (word, help)) = known(failure.at)
        .map(|known| (failure.at, known))
        .filter(|_| failure.page.first(failure.at) || failure.at == failure.stretch.start)
        .or_else(|| Some((before, known(before)?)))?;
    let message = format!("there is no `{word}`");
    Some(Diagnostic::error(Code::ForeignWord, failure.page.span(index), message).help(*help))
}

/// `for each x in s`, `any x in s`, `all x in s`, `contains`, `equals`
pub(super) fn foreign_phrase(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let is_word = failure.page.sort(failure.at) == Some(Sort::Word);
    let wants_of = failure.expects(Rule::kw_of) && !failure.after_expression();
    // How many words before the one found belong to it, and what to write.
    let (back, help) = match (failure.before(1), found) {
        ("each", _) if failure.before(2) == "for" => (2, "write `for x in s`"),
        ("any", _) if is_word && wants_of => (
            1,
            "write `some x in s where …`; a table begins with `any of`",
        ),
        ("all" | "forall", _) if is_word => (1, "write `every x in s has …`"),
        ("exists" | "exist", _) if is_word => (1, "write `some x in s where …`"),
        (_, "contains" | "includes") => (0, "write `x in s`"),
        (_, "equals") => (0, "write `is`"),
        ("equal", "to") => (1, "write `is`"),
        ("greater" | "more" | "bigger" | "larger", "than") => (1, "write `>`"),
        ("less" | "smaller" | "fewer", "than") => (1, "write `<`"),
        ("at", "least") => (1, "write `>=`"),
        ("at", "most") => (1, "write `<=`"),
        ("other" | "next" | "following", _) if is_word && !is_used(failure, failure.at - 1) => {
            (1, "the next one of a ring is `after x`")
        }
        ("a" | "an", _) if failure.before(2) == "is" && is_word => (2, "write `x in TYPE`"),
        _ => return None,
    };
    let comparison = matches!(found, "than" | "to" | "least" | "most");
    let with_is = comparison && failure.before(back + 1) == "is";
    let first = failure.at - back - usize::from(with_is);
    let last = if comparison || back == 0 {
        failure.at
    } else {
        failure.at - 1
    };
    let span = failure.page.span(first).to(failure.page.span(last));
    let phrase = failure.page.text.get(span.range()).unwrap_or(found);
    let message = format!("there is no `{phrase}`");
    Some(Diagnostic::error(Code::ForeignWord, span, message).help(help))
}

/// Whether a word stands anywhere else in the file, as the name of something would.
fn is_used(failure: &Failure, at: usize) -> bool {
    let page = failure.page;
    (0..page.tokens.len()).any(|index| index != at && page.word(index) == page.word(at))
}

/// `a is in b`, `a is not in b`, `a is < b`
pub(super) fn is_in(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let (words, written) = match (failure.before(2), failure.before(1)) {
        ("is", "not") => (2, "is not"),
        (_, "is") => (1, "is"),
        _ => return None,
    };
    let help = match (words, found) {
        (1, "in" | "within" | "<" | "<=" | ">" | ">=") => format!("write `{found}`"),
        (2, "in") => "write `not in`".to_owned(),
        (2, "within" | "<" | "<=" | ">" | ">=") => format!("write `not a {found} b`"),
        _ => return None,
    };
    let span = failure.page.span(failure.at - words).to(failure.span());
    let message = format!("`{found}` stands without `{written}`");
    Some(Diagnostic::error(Code::IsIn, span, message).help(help))
}

/// `fact new = 1`
pub(super) fn reserved_word(failure: &Failure) -> Option<Diagnostic> {
    const NAMES: &[Rule] = &[
        Rule::name,
        Rule::binding,
        Rule::parameter,
        Rule::axis,
        Rule::call,
        Rule::bound,
        Rule::written_type,
    ];
    let word = failure.found();
    let wants_name = NAMES.iter().any(|rule| failure.expects(*rule));
    let is_operand = failure.wants_expression() && !failure.page.first(failure.at);
    if !is_reserved(word) || !wants_name && !is_operand {
        return None;
    }
    let joins = matches!(
        word,
        "of" | "in" | "is" | "and" | "or" | "when" | "unless" | "for" | "by" | "says" | "where"
    );
    let declared = matches!(failure.word(failure.at + 1), "=" | ":" | "(" | ")" | ",");
    if joins && (is_operand || !declared) {
        return None;
    }
    let message = format!("`{word}` is a word of the language and cannot be a name");
    Some(
        Diagnostic::error(Code::ReservedWord, failure.span(), message)
            .help(format!("call it something else, such as `the_{word}`")),
    )
}
