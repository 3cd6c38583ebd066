//! Mistakes in names, numbers and their declarations.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::failure::{Failure, is_reserved};
use crate::syntax::grammar::Rule;
use crate::syntax::lexer::TokenKind;

/// `fact x-y = 1`
pub(super) fn dash_in_name(failure: &Failure) -> Option<Diagnostic> {
    let lexed = failure.lexed;
    let first = failure.at.checked_sub(1)?;
    if failure.found() != "-"
        || failure.after_expression()
        || lexed.kind(first) != Some(TokenKind::Word)
    {
        return None;
    }
    let is_part = |index| matches!(lexed.kind(index), Some(TokenKind::Word | TokenKind::Number));
    let mut last = first;
    while failure.word(last + 1) == "-"
        && is_part(last + 2)
        && lexed.touch(last, last + 1)
        && lexed.touch(last + 1, last + 2)
    {
        last += 2;
    }
    if last == first {
        return None;
    }
    let span = lexed.span(first).to(lexed.span(last));
    let name = lexed.written(first, last).replace('-', "_");
    let message = "names take `_`, not `-`";
    Some(
        Diagnostic::error(Code::DashInName, span, message)
            .help(format!("write `{name}`"))
            .edit(span, name, false),
    )
}

/// `clock.turns`
pub(super) fn dot(failure: &Failure) -> Option<Diagnostic> {
    let lexed = failure.lexed;
    let at = failure.at;
    let (whole, part) = (failure.before(1), failure.word(at + 1));
    let is_word = |index: usize| lexed.kind(index) == Some(TokenKind::Word);
    let touches = at > failure.stretch.start && lexed.touch(at - 1, at) && lexed.touch(at, at + 1);
    if failure.found() != "." || !touches || !is_word(at - 1) || !is_word(at + 1) {
        return None;
    }
    let places = |word: &'static str| {
        (0..lexed.tokens.len()).filter(move |index| lexed.word(*index) == word)
    };
    let is_kind = ["kind", "ring"]
        .into_iter()
        .flat_map(places)
        .any(|index| lexed.word(index + 1) == whole);
    // Elsewhere, it may be a declared name.
    let is_declared = (0..lexed.tokens.len())
        .any(|index| lexed.word(index) == part && index > 0 && lexed.word(index - 1) != ".");
    let upper = |word: &str| word.starts_with(|first: char| first.is_ascii_uppercase());
    // `hand of Ann.size`
    let all = match failure.word(at.saturating_sub(2)) {
        "of" if at > 2 => format!("{} of {whole}", failure.word(at - 3)),
        _ => whole.to_string(),
    };
    let help = match part {
        _ if failure.word(failure.stretch.start) == "set" && at == failure.stretch.start + 2 => {
            match (upper(whole), upper(part)) {
                // `Kind.Member.attribute`
                _ if failure.word(at + 2) == "." => {
                    format!("write `set {} of {part} = …`", failure.word(at + 3))
                }
                (false, true) => format!("write `set {whole} of {part} = …`"),
                (true, _) => format!("write `set {part} of {whole} = …`"),
                _ => format!(
                    "write `set {part} of {whole} = …` or `set {whole} of {part} = …`, the member last"
                ),
            }
        }
        _ if is_kind || upper(whole) && upper(part) => {
            format!("a member is its name alone: write `{part}`")
        }
        "length" | "len" | "size" if !is_declared => format!("write `size of {all}`"),
        "contains" | "includes" | "has" if !is_declared => format!("write `… in {all}`"),
        "add" | "push" | "append" if !is_declared => {
            format!("write `{all} with {{…}}` for a set, `{all} then […]` for a pile")
        }
        "remove" | "delete" if !is_declared => format!("write `{all} without {{…}}`"),
        _ => format!("write `{part} of {all}`"),
    };
    let span = lexed.span(at - 1).to(lexed.span(at + 1));
    let message = "a part is not taken with a dot";
    Some(Diagnostic::error(Code::Dot, span, message).help(help))
}

/// `größe`, `_x`
pub(super) fn foreign_letter(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.found();
    if failure.lexed.kind(failure.at) != Some(TokenKind::Word) {
        return None;
    }
    if let Some(letter) = word.chars().find(|letter| !letter.is_ascii()) {
        let message = format!("`{letter}` is not allowed in a name");
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
            .edit(failure.span(), word.trim_start_matches('_'), false)
    })
}

/// `2x`, `1_000`
pub(super) fn number_and_letters(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.found();
    if failure.lexed.kind(failure.at) != Some(TokenKind::Number) {
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
    let diagnostic = error("letters cannot directly follow a number");
    Some(if plain.bytes().all(|byte| byte.is_ascii_digit()) {
        diagnostic
            .help(format!("write `{plain}`"))
            .edit(failure.span(), plain, true)
    } else {
        diagnostic.help(format!(
            "write a blank or an operator between them, such as `{digits} * {letters}`"
        ))
    })
}

/// `fact new = 1`
pub(super) fn reserved_word(failure: &Failure) -> Option<Diagnostic> {
    const NAMES: &[Rule] = &[
        Rule::name,
        Rule::binding,
        Rule::parameter,
        Rule::field,
        Rule::axis,
        Rule::call,
        Rule::bound,
        Rule::written_type,
    ];
    let word = failure.found();
    let wants_name = NAMES.iter().any(|rule| failure.expects(*rule));
    let is_operand = failure.wants_expression() && !failure.lexed.first(failure.at);
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
