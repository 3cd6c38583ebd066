//! Quotes, escapes and holes.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::failure::Failure;
use crate::syntax::lexer::{Lexed, TokenKind};

/// A text that does not end on its line.
pub(super) fn unclosed_text(failure: &Failure) -> Option<Diagnostic> {
    let lexed = failure.lexed;
    let end_of_line = (failure.at + 1..failure.stretch.end)
        .find(|index| lexed.first(*index))
        .unwrap_or(failure.stretch.end);
    let open = (failure.stretch.start..end_of_line)
        .find(|index| lexed.kind(*index) == Some(TokenKind::OpenText))?;
    let span = lexed.span(open);
    let quote = if lexed.word(open).starts_with('\'') {
        '\''
    } else {
        '"'
    };
    let message = format!(
        "the text that begins at column {} is not closed",
        lexed.line_before(open).chars().count() + 1
    );
    let diagnostic = Diagnostic::error(Code::UnclosedText, span, message).help(format!(
        "a text begins and ends with `{quote}`, on one line"
    ));
    let before = open
        .checked_sub(1)
        .filter(|before| lexed.touch(*before, open));
    if let Some(before) = before
        && lexed.kind(before) == Some(TokenKind::Word)
        && let Some(help) = apostrophe(lexed.word(before), lexed.word(open))
    {
        let span = lexed.span(open).head();
        let message = "an apostrophe begins a text, and is no part of a word";
        return Some(Diagnostic::error(Code::UnclosedText, span, message).help(help));
    }
    let stuck = before
        .is_some_and(|before| !matches!(lexed.word(before), "(" | "[" | "{" | "," | ":" | "|"));
    Some(if stuck {
        diagnostic.help(format!("or is the opening `{quote}` missing?"))
    } else {
        diagnostic
    })
}

/// The replacement for `isn't` and for `card's worth`.
fn apostrophe(before: &str, text: &str) -> Option<String> {
    let text = text.strip_prefix('\'')?;
    let mut words = text.split([' ', ',', ')']);
    match (words.next()?, words.next().filter(|word| !word.is_empty())) {
        ("t", _) if before == "isn" || before == "aren" => Some("write `is not`".to_owned()),
        ("t", _) if before.ends_with('n') => Some("write `not`".to_owned()),
        ("s", Some(part)) => Some(format!("write `{part} of {before}`")),
        _ => None,
    }
}

/// A text with a hole that does not end, a brace that opens none, or an unknown escape.
pub(super) fn inside_text(failure: &Failure) -> Option<Diagnostic> {
    let lexed = failure.lexed;
    let mut read = failure.stretch.start..failure.stretch.end.min(failure.at + 1);
    let in_text = read.find(|index| lexed.kind(*index) == Some(TokenKind::BrokenText));
    if let Some(index) = in_text {
        return Some(unclosed_hole(lexed, index));
    }
    if lexed.kind(failure.at) != Some(TokenKind::Text) || failure.offset <= lexed.start(failure.at)
    {
        return None;
    }
    let rest = lexed.text.get(failure.offset..)?;
    let mut characters = rest.chars();
    match characters.next()? {
        '\\' => {
            let escaped = characters.next()?;
            let end = failure.offset + 1 + escaped.len_utf8();
            let span = Span::new(lexed.source, failure.offset..end);
            let message = format!("`\\{escaped}` means nothing");
            let diagnostic = Diagnostic::error(Code::UnknownEscape, span, message)
                .help(r#"`\` goes only before `"`, `'`, `\`, `{` and `}`"#);
            Some(if escaped == 'n' {
                diagnostic.help("each row of a report is a line of its own")
            } else {
                diagnostic
            })
        }
        '}' => {
            let span = Span::new(lexed.source, failure.offset..failure.offset + 1);
            Some(
                Diagnostic::error(Code::BraceInText, span, "this `}` closes no hole")
                    .help(r"a brace that is to be read or written is `\}`"),
            )
        }
        _ => None,
    }
}

/// `"a {x"`
fn unclosed_hole(lexed: Lexed, index: usize) -> Diagnostic {
    let word = lexed.word(index);
    let brace = word.rfind('{').unwrap_or(0);
    let start = lexed.start(index) + brace;
    let span = Span::new(lexed.source, start..start + 1);
    let message = "this hole is not closed in its text";
    Diagnostic::error(Code::UnclosedHole, span, message)
        .help(r"write `}` where the hole ends; a brace that is to be read or written is `\{`")
}
