//! What stops a run.

use crate::code::SiteId;

/// Why a run stopped.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A row of the rules cannot be evaluated.
    Rules {
        /// Where.
        site: SiteId,
        /// What is wrong.
        trouble: Trouble,
    },
    /// An `impossible` row fired: the transcript is wrong.
    Impossible {
        /// The event.
        event: usize,
        /// The index of the row.
        row: usize,
        /// Its `says`.
        text: String,
        /// The value of the row's variable, if it ranges over something that was read.
        member: Option<i64>,
    },
    /// A policy chose something impossible, or nothing.
    Policy {
        /// What is wrong.
        text: String,
        /// The row that chose, if one did, with its event.
        choice: Option<(crate::source::Span, String)>,
        /// The row that makes it impossible, if one does.
        row: Option<(crate::source::Span, String)>,
    },
    /// The transcript cannot be read further.
    Transcript(Box<Unreadable>),
    /// The run reached the place where it was to stop.
    Reached,
    /// More input is needed than was fed.
    Starved,
    /// No game is under way at that place, or its events are not read.
    NotPlaying,
    /// The events of a line have nothing of this name.
    NoName {
        /// The name.
        name: String,
        /// The first of the events.
        event: String,
        /// The names that they have.
        names: Vec<String>,
    },
    /// A game has more events than the file's `limit`.
    Limit(u64),
    /// There are too many lines of play of this many events.
    Lines {
        /// The number of events.
        depth: u32,
        /// The greatest depth that was counted, its count, and the growth from the depth before.
        known: Option<(u32, u64, u64)>,
    },
    /// A path has no end.
    Path {
        /// The event.
        event: usize,
        /// Its field.
        field: usize,
    },
    /// An event exceeds its fuel.
    Work,
    /// A game exceeds its memory.
    Memory,
    /// A rule is too large to run.
    Size,
    /// Reading failed.
    Input(std::io::Error),
    /// Writing failed.
    Output(std::io::Error),
}

/// What is wrong with a row.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// `the x` where x is none.
    None,
    /// An overflow of 64 bits.
    Overflow,
    /// Division by 0.
    DivisionByZero,
    /// A value outside its type.
    Outside {
        /// The value as text.
        value: String,
        /// The type.
        ty: String,
    },
    /// A weight below 0.
    Weight {
        /// The weight.
        value: i64,
    },
    /// No row of a decision table matches.
    NoRow,
    /// Two rows of a `new` fire with different values.
    Disagreement {
        /// The rows.
        labels: [String; 2],
        /// The entry of the state that both set; empty if the state has none.
        entry: String,
        /// The values that they set; empty if they cannot be written.
        values: [String; 2],
    },
    /// Two members of a kind have the same form.
    SameForm {
        /// The kind.
        ty: String,
        /// The form of both.
        form: String,
    },
    /// A form is empty or contains a blank.
    BlankForm {
        /// The kind.
        ty: String,
        /// The form.
        form: String,
    },
}

/// A fault on its way up. The box keeps results in registers.
pub(crate) type Stop = Box<Fault>;

/// A fault of the rules.
#[cold]
pub(crate) fn rules(site: SiteId, trouble: Trouble) -> Stop {
    Box::new(Fault::Rules { site, trouble })
}

/// A range of a line in the transcript.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The line, from 1; 0 if nothing was read.
    pub(crate) line: usize,
    /// The line, or the part of it around the range.
    pub(crate) text: String,
    /// How many characters of the line precede `text`.
    pub(crate) skipped: usize,
    /// The first byte of the range in `text`.
    pub(crate) start: usize,
    /// The byte after the last.
    pub(crate) end: usize,
}

/// A transcript that cannot be read further.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// The word that was found; for an untimely event, its words and why they are not possible.
    pub(crate) found: String,
    /// What is wrong there.
    pub(crate) trouble: TextTrouble,
    /// What was expected.
    pub(crate) expected: Vec<Expectation>,
    /// Where it is.
    pub(crate) place: Place,
}

/// Why a transcript cannot be read, regardless of its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextTrouble {
    /// A line or word is too long.
    TooLong,
    /// Bytes that are not UTF-8.
    NotText,
    /// Text after everything expected has been read; `over` is the line on which the only game ended, if that is the
    /// reason.
    LeftOver { over: Option<usize> },
    /// The transcript ends, in the middle of a game or between games.
    Ends { in_game: bool },
    /// The line ends too early.
    LineEnds,
    /// The words of an event that is not possible now.
    Untimely { event: usize },
    /// A word that matches nothing expected.
    Word,
}

/// Something that was expected, and why the transcript does not match it.
#[derive(Debug)]
pub(crate) struct Expectation {
    /// Its pattern.
    pub(crate) written: String,
    /// The event that it would be.
    pub(crate) name: Option<String>,
    /// Why it does not fit.
    pub(crate) reason: String,
    /// Whether it was not tried, because the event is not possible now.
    pub(crate) untried: bool,
}
