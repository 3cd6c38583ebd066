//! What stops a run.

use crate::code::SiteId;

/// Why a run cannot go on.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A row of the rules cannot be worked out.
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
        /// The row's place.
        row: usize,
        /// What it says.
        text: String,
        /// The member that its variable stands for, where it goes through something that was read.
        member: Option<i64>,
    },
    /// A policy chose what cannot be, or nothing.
    Policy {
        /// What is wrong.
        text: String,
        /// The row that chose, if one did, with its event.
        choice: Option<(crate::source::Span, String)>,
        /// The row that makes it impossible, if one does.
        row: Option<(crate::source::Span, String)>,
    },
    /// A transcript cannot be read on.
    Transcript(Box<Unreadable>),
    /// The place was reached to which a run was to go.
    Reached,
    /// There is more to be read than was fed.
    Starved,
    /// No game is under way at that place, or its events are not read.
    NotPlaying,
    /// Nothing in the events of a line is called so.
    NoName {
        /// The name.
        name: String,
        /// The first of the events.
        event: String,
        /// What there is.
        names: Vec<String>,
    },
    /// A game has more events than the file's `limit`.
    Limit(u64),
    /// There are too many lines of play of so many events.
    Lines {
        /// How many events.
        depth: u32,
        /// Of how many events lines were counted, how many there are, and how many times more than of one event fewer.
        known: Option<(u32, u64, u64)>,
    },
    /// A path goes on without end.
    Path {
        /// The event.
        event: usize,
        /// Its field.
        field: usize,
    },
    /// An event needs more work than any event may.
    Work,
    /// More memory is needed than a game may have.
    Memory,
    /// A rule is too large to be run.
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
    /// A number beyond 64 bits.
    Overflow,
    /// Division by 0.
    DivisionByZero,
    /// A value outside its type.
    Outside {
        /// The value, written.
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
        /// The entry of the state that both are for; empty if the state has none.
        entry: String,
        /// The values that they give it; empty if they cannot be written.
        values: [String; 2],
    },
    /// Two members of a kind are written alike.
    SameForm {
        /// The kind.
        ty: String,
        /// How both are written.
        form: String,
    },
    /// A written form with a blank in it, or empty.
    BlankForm {
        /// The kind.
        ty: String,
        /// The form.
        form: String,
    },
}

/// A fault on its way up: one word, so that results stay in registers.
pub(crate) type Stop = Box<Fault>;

/// A fault of the rules.
#[cold]
pub(crate) fn rules(site: SiteId, trouble: Trouble) -> Stop {
    Box::new(Fault::Rules { site, trouble })
}

/// A stretch of one line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The line's number, from 1; 0 where nothing was read.
    pub(crate) line: usize,
    /// The line, or the part of it around the place.
    pub(crate) text: String,
    /// How many characters of the line come before `text`.
    pub(crate) skipped: usize,
    /// The bytes of `text` that are meant.
    pub(crate) start: usize,
    /// The byte after the last of them.
    pub(crate) end: usize,
}

/// A transcript that cannot be read on.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// The word that stands there; the words, and why they may not, if they are untimely.
    pub(crate) found: String,
    /// What is wrong there.
    pub(crate) trouble: TextTrouble,
    /// What could have stood there.
    pub(crate) expected: Vec<Expectation>,
    /// Where.
    pub(crate) place: Place,
}

/// What is wrong with a transcript, before anybody asks what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextTrouble {
    /// A line or word that has no end.
    TooLong,
    /// Bytes that are no text.
    NotText,
    /// Everything that was due has been read; perhaps because the one game is over, since a line.
    LeftOver { over: Option<usize> },
    /// The transcript ends: in the middle of a game, or between games.
    Ends { in_game: bool },
    /// The line ends.
    LineEnds,
    /// Words that stand for an event which may not happen now.
    Untimely { event: usize },
    /// A word that fits nothing that is due.
    Word,
}

/// Something that could have stood there, and why what stands there is not that.
#[derive(Debug)]
pub(crate) struct Expectation {
    /// How it is written.
    pub(crate) written: String,
    /// The event it stands for.
    pub(crate) name: Option<String>,
    /// Why it does not fit.
    pub(crate) reason: String,
    /// Whether it is not even tried: the event may not happen now.
    pub(crate) untried: bool,
}
