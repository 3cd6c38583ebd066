//! The library as WebAssembly, for the playground and the JavaScript package: a question as JSON in, an answer as JSON
//! out.
//!
//! What the page asks carries all that its answer depends on, so that a worker that was ended and started anew answers the
//! same: what was loaded last is kept, and is only a faster way to the same answer. The package also has sessions, which
//! last. Places in texts are counted as JavaScript
//! counts them, in UTF-16.

#![expect(
    unsafe_code,
    reason = "a name that the page can call is an unsafe attribute; there is no unsafe block"
)]

mod editor;
mod place;
mod play;
mod rules;
mod run;
mod table;

use std::cell::RefCell;

use serde::Deserialize;
use serde_json::{Value, json};

use play::Perspective;
use rules::{Files, Rules, Shelf};
use table::{About, Act};

/// What the page asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Question {
    /// All games and variants, with their texts.
    Library,
    /// What is wrong with the files that are open, and with the game that is made of them.
    Check {
        #[serde(flatten)]
        rules: Rules,
    },
    /// A file in the one layout.
    Format { files: Files, file: String },
    /// What the name at a place means.
    Hover {
        files: Files,
        file: String,
        at: usize,
    },
    /// What could be written at a place.
    Complete {
        files: Files,
        file: String,
        at: usize,
    },
    /// The call around a place.
    Call {
        files: Files,
        file: String,
        at: usize,
    },
    /// Where the name at a place is declared.
    Define {
        files: Files,
        file: String,
        at: usize,
    },
    /// What each name of a file is.
    Names { files: Files, file: String },
    /// The report on a transcript.
    Run {
        #[serde(flatten)]
        rules: Rules,
        text: String,
    },
    /// Why a line of the transcript did what it did.
    Why {
        #[serde(flatten)]
        rules: Rules,
        text: String,
        line: usize,
        not: Option<String>,
        #[serde(default)]
        perspective: Perspective,
    },
    /// The lines of the transcript on which a row fired, and what it said there.
    Caused {
        #[serde(flatten)]
        rules: Rules,
        text: String,
        file: String,
        line: usize,
    },
    /// The state after a transcript and the possible moves, from one perspective.
    Play {
        #[serde(flatten)]
        rules: Rules,
        text: String,
        #[serde(default)]
        perspective: Perspective,
    },
    /// The first line that two games say differently of a transcript.
    Compare {
        #[serde(flatten)]
        rules: Rules,
        other: Rules,
        text: String,
    },
    /// What a game is.
    Load {
        #[serde(flatten)]
        rules: Rules,
    },
    /// What is wrong with rules, as the command says it.
    Verdict {
        #[serde(flatten)]
        rules: Rules,
    },
    /// The report on a transcript, or what stopped it.
    Report {
        #[serde(flatten)]
        rules: Rules,
        text: String,
    },
    /// Why a line did what it did.
    Explain {
        #[serde(flatten)]
        rules: Rules,
        text: String,
        #[serde(default)]
        about: About,
    },
    /// What may happen next at a place of a transcript.
    Moves {
        #[serde(flatten)]
        rules: Rules,
        text: String,
        line: Option<usize>,
        #[serde(default)]
        events: Vec<String>,
        #[serde(default)]
        illegal: bool,
    },
    /// A session begins.
    Sit {
        #[serde(flatten)]
        rules: Rules,
    },
    /// Something is done with a session, or it is asked.
    At { session: u32, does: Act },
}

thread_local! {
    /// What goes in and out: the page writes a question here, and reads the answer.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SHELF: RefCell<Shelf> = RefCell::default();
}

/// Makes room for a question of so many bytes; gives the address where the page writes it.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> usize {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr() as usize
    })
}

/// Answers the question; gives how many bytes the answer has. [`address`] tells where they are.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let question = TEXT.take();
    let answer = match serde_json::from_slice::<Question>(&question) {
        Ok(question) => SHELF.with_borrow_mut(|shelf| answered(shelf, question)),
        Err(error) => json!({ "error": error.to_string() }),
    };
    let answer = answer.to_string().into_bytes();
    let length = answer.len();
    TEXT.set(answer);
    length
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn address() -> usize {
    TEXT.with_borrow(|text| text.as_ptr() as usize)
}

/// The answer to a question that is JSON.
#[must_use]
pub fn ask(question: &Value) -> Value {
    let bytes = question.to_string();
    let start = room(bytes.len());
    debug_assert_ne!(start, 0);
    TEXT.with_borrow_mut(|text| text.copy_from_slice(bytes.as_bytes()));
    answer();
    TEXT.with_borrow(|text| serde_json::from_slice(text).unwrap_or_default())
}

fn answered(shelf: &mut Shelf, question: Question) -> Value {
    match question {
        Question::Library => rules::library(),
        Question::Check { rules } => editor::check(shelf, &rules),
        Question::Format { files, file } => editor::format(shelf, &files, &file),
        Question::Hover { files, file, at } => editor::hover(shelf, &files, &file, at),
        Question::Complete { files, file, at } => editor::complete(shelf, &files, &file, at),
        Question::Call { files, file, at } => editor::call(shelf, &files, &file, at),
        Question::Define { files, file, at } => editor::define(shelf, &files, &file, at),
        Question::Names { files, file } => editor::names(shelf, &files, &file),
        Question::Run { rules, text } => run::run(shelf, &rules, &text),
        Question::Why {
            rules,
            text,
            line,
            not,
            perspective,
        } => run::why(shelf, &rules, &text, (line, not, perspective)),
        Question::Caused {
            rules,
            text,
            file,
            line,
        } => run::caused(shelf, &rules, &text, &file, line),
        Question::Play {
            rules,
            text,
            perspective,
        } => play::play(shelf, &rules, &text, perspective),
        Question::Compare { rules, other, text } => run::compare(shelf, &rules, &other, &text),
        Question::Load { rules } => table::load(shelf, &rules),
        Question::Verdict { rules } => table::verdict(shelf, &rules),
        Question::Report { rules, text } => table::report(shelf, &rules, &text),
        Question::Explain { rules, text, about } => table::explain(shelf, &rules, &text, about),
        Question::Moves {
            rules,
            text,
            line,
            events,
            illegal,
        } => table::moves(shelf, &rules, &text, (line, events, illegal)),
        Question::Sit { rules } => table::sit(shelf, &rules),
        Question::At { session, does } => table::at(shelf, session, does),
    }
}
