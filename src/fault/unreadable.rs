//! A transcript that cannot be read on.

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
    Untimely,
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
