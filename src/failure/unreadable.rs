//! A transcript that cannot be read on, told to whoever wrote it.

use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
    transcript::{Expectation, TextTrouble, Unreadable},
};

/// Tells what stands at `span` and what could have stood there.
pub(super) fn unreadable_told(unreadable: &Unreadable, span: Span) -> Diagnostic {
    let found = &unreadable.found;
    let error = |code, message: &str| Diagnostic::error(code, span, message);
    let ends = matches!(unreadable.trouble, TextTrouble::Ends { .. });
    let mut diagnostic = match unreadable.trouble {
        TextTrouble::TooLong => error(Code::TooLong, "this line or word is too long")
            .note("a line, or a word, may have a million bytes"),
        TextTrouble::NotText => {
            error(Code::NotText, "this byte is no text").help("save the transcript as UTF-8")
        }
        TextTrouble::LeftOver => error(
            Code::LeftOver,
            &format!("nothing more is due, and `{found}` stands here"),
        )
        .help("take it out, or announce more where the transcript says how many there are"),
        TextTrouble::Ends { in_game: true } => error(
            Code::EndsEarly,
            "the transcript ends in the middle of a game",
        ),
        TextTrouble::Ends { in_game: false } => {
            error(Code::EndsEarly, "the transcript ends here, and more is due")
        }
        TextTrouble::LineEnds => error(Code::Unexpected, "the line ends too early"),
        TextTrouble::Word => error(Code::Unexpected, &format!("`{found}` cannot stand here")),
    };
    // What may come now is said first.
    let mut expected: Vec<_> = unreadable.expected.iter().collect();
    expected.sort_by_key(|expected| expected.untried);
    for expected in expected {
        diagnostic = diagnostic.note(told(expected, ends));
    }
    diagnostic
}

/// One thing that could have stood there, and why it does not.
fn told(expected: &Expectation, ends: bool) -> String {
    let Expectation {
        written,
        name,
        reason,
        untried,
    } = expected;
    let (what, comes) = match name {
        Some(name) => (format!("`{written}` ({name})"), "could come"),
        None => (format!("`{written}`"), "is due"),
    };
    match (untried, ends) {
        (true, _) => format!("{what} cannot come now: {reason}"),
        (false, true) => format!("{what} {comes} next"),
        (false, false) => format!("{what} {comes} here, but {reason}"),
    }
}
