//! Diagnostics for transcripts that cannot be read further.

use crate::{
    diagnostic::{Code, Diagnostic, Expected},
    fault::{Expectation, TextTrouble, Unreadable},
    source::Span,
};

/// Says what was found at `span` and what was expected.
pub(super) fn describe_unreadable(unreadable: &Unreadable, span: Span) -> Diagnostic {
    let found = &unreadable.found;
    let error = |code, message: &str| Diagnostic::error(code, span, message);
    let ending = match unreadable.trouble {
        TextTrouble::Ends { .. } => Some("next"),
        TextTrouble::Untimely { .. } => Some("instead"),
        _ => None,
    };
    let mut diagnostic = match unreadable.trouble {
        TextTrouble::TooLong => error(Code::TooLong, "this line or word is too long")
            .note("a line, or a word, may have a million bytes"),
        TextTrouble::NotText => {
            error(Code::NotText, "this byte is not text").help("save the transcript as UTF-8")
        }
        TextTrouble::LeftOver { over: Some(line) } => error(
            Code::LeftOver,
            &format!("the game ended on line {line}, but here is `{found}`"),
        )
        .help("remove it, and what comes after it"),
        TextTrouble::LeftOver { over: None } => error(
            Code::LeftOver,
            &format!("nothing more is expected, but here is `{found}`"),
        )
        .help("remove it, or correct the number where the transcript says how many there are"),
        TextTrouble::Ends { in_game: true } => error(
            Code::EndsEarly,
            "the transcript ends in the middle of a game",
        ),
        TextTrouble::Ends { in_game: false } => error(
            Code::EndsEarly,
            "the transcript ends here, but more is expected",
        ),
        TextTrouble::LineEnds => error(Code::Unexpected, "the line ends too early"),
        TextTrouble::Untimely { .. } => error(Code::Unexpected, found),
        TextTrouble::Word => error(Code::Unexpected, &format!("unexpected `{found}`")),
    };
    // What is possible now comes first.
    let mut expected: Vec<_> = unreadable.expected.iter().collect();
    expected.sort_by_key(|expected| expected.untried);
    let only = expected.len() == 1;
    for expected in expected {
        diagnostic = diagnostic.note(describe_expectation(expected, only, ending));
        let reason = Some(&expected.reason).filter(|reason| !reason.is_empty());
        diagnostic.expected.push(Expected {
            pattern: expected.written.clone(),
            event: expected.name.clone(),
            now: !expected.untried,
            reason: reason.cloned(),
        });
    }
    diagnostic
}

/// Something that was expected, and why the transcript does not match it.
fn describe_expectation(expected: &Expectation, only: bool, ending: Option<&str>) -> String {
    let Expectation {
        written,
        name,
        reason,
        untried,
    } = expected;
    let (what, comes) = match name {
        Some(name) => (format!("`{written}` ({name})"), "could come"),
        None if only => (format!("`{written}`"), "is expected"),
        None => (format!("`{written}`"), "could come"),
    };
    // The main message already says that this word is expected.
    let reason =
        Some(reason).filter(|reason| !reason.starts_with(&format!("`{written}` is expected")));
    match (untried, ending, reason) {
        (true, _, Some(reason)) => format!("{what} cannot come now: {reason}"),
        (_, Some(ending), _) => format!("{what} {comes} {ending}"),
        (_, None, Some(reason)) => format!("{what} {comes} here, but {reason}"),
        (_, None, None) => format!("{what} {comes} here"),
    }
}
