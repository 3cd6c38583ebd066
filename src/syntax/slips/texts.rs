//! Quotes, escapes and holes.

use super::super::failure::Failure;
use super::super::page::Page;
use super::super::scan::{Sort, holes_are_closed};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A text that does not end on its line.
pub(super) fn unclosed_text(failure: &Failure) -> Option<Diagnostic> {
    let page = failure.page;
    let end_of_line = (failure.at + 1..failure.stretch.end)
        .find(|index| page.first(*index))
        .unwrap_or(failure.stretch.end);
    let open = (failure.stretch.start..end_of_line)
        .find(|index| page.sort(*index) == Some(Sort::OpenText))?;
    let span = page.span(open);
    let quote = if page.word(open).starts_with('\'') {
        '\''
    } else {
        '"'
    };
    let message = format!(
        "the text that begins at column {} is not closed",
        column(page, open)
    );
    let diagnostic = Diagnostic::error(Code::UnclosedText, span, message).help(format!(
        "a text begins and ends with `{quote}`, on one line"
    ));
    let before = open
        .checked_sub(1)
        .filter(|before| page.touch(*before, open));
    let stuck = before
        .is_some_and(|before| !matches!(page.word(before), "(" | "[" | "{" | "," | ":" | "|"));
    Some(if stuck {
        diagnostic.help(format!("or is the `{quote}` missing with which it begins?"))
    } else {
        diagnostic
    })
}

/// The column of a token, in characters from 1.
fn column(page: Page, index: usize) -> usize {
    let before = page.text.get(..page.start(index)).unwrap_or("");
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    before.get(line..).unwrap_or("").chars().count() + 1
}

/// `'it's'`: an apostrophe ends a text in single quotes.
pub(super) fn apostrophe(failure: &Failure) -> Option<Diagnostic> {
    let before = failure.at.checked_sub(1)?;
    let page = failure.page;
    let touches = page.touch(before, failure.at) && failure.word(before).starts_with('\'');
    if !touches || page.sort(failure.at) != Some(Sort::Word) {
        return None;
    }
    let message = "the text ends before this, at the `'`";
    Some(
        Diagnostic::error(Code::UnclosedText, failure.span(), message)
            .help("put a text with an apostrophe into `\"`, or write `\\'`"),
    )
}

/// A text with a hole that does not end, a brace that opens none, or an escape that means nothing.
pub(super) fn inside_text(failure: &Failure) -> Option<Diagnostic> {
    let page = failure.page;
    let in_text = (failure.stretch.start..=failure.at)
        .filter(|index| failure.stretch.contains(index))
        .find(|index| {
            page.sort(*index) == Some(Sort::Text) && !holes_are_closed(page.word(*index))
        });
    if let Some(index) = in_text {
        return Some(unclosed_hole(page, index));
    }
    if page.sort(failure.at) != Some(Sort::Text) || failure.offset <= page.start(failure.at) {
        return None;
    }
    let rest = page.text.get(failure.offset..)?;
    let mut characters = rest.chars();
    match characters.next()? {
        '\\' => {
            let escaped = characters.next()?;
            let end = failure.offset + 1 + escaped.len_utf8();
            let span = Span::new(page.source, failure.offset..end);
            let message = format!("`\\{escaped}` means nothing");
            let diagnostic = Diagnostic::error(Code::UnknownEscape, span, message)
                .help(r#"`\` stands before `"`, `'`, `\`, `{` and `}` only"#);
            Some(if escaped == 'n' {
                diagnostic.help("each row of a report is a line of its own")
            } else {
                diagnostic
            })
        }
        '}' => {
            let span = Span::new(page.source, failure.offset..failure.offset + 1);
            Some(
                Diagnostic::error(Code::BraceInText, span, "this `}` closes no hole")
                    .help(r"a brace that is to be read or written is `\}`"),
            )
        }
        _ => None,
    }
}

/// `"a {x"`
fn unclosed_hole(page: Page, index: usize) -> Diagnostic {
    let word = page.word(index);
    let brace = word.rfind('{').unwrap_or(0);
    let start = page.start(index) + brace;
    let span = Span::new(page.source, start..start + 1);
    let message = "this hole is not closed in its text";
    Diagnostic::error(Code::UnclosedHole, span, message)
        .help(r"write `}` where the hole ends; a brace that is to be read or written is `\{`")
}

/// `“a”`
pub(super) fn foreign_quotes(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.found();
    let is_quote = word.starts_with(['“', '”', '„', '‟', '‘', '’', '‚', '«', '»', '`', '´']);
    is_quote.then(|| {
        let message = format!("a text stands in `\"`, not in `{word}`");
        Diagnostic::error(Code::ForeignQuotes, failure.span(), message)
            .help("write `\"…\"` or `'…'`; has an editor replaced the quotes?")
    })
}
