//! Games that were written a second time, by hand: each plays at random and notes what must be said of it.

pub(crate) use crate::reference::random::Random;

pub(crate) mod bowling;
pub(crate) mod chess;
pub(crate) mod connect_four;
pub(crate) mod crazy_eights;
pub(crate) mod darts;
pub(crate) mod draughts;
pub(crate) mod kalah;
pub(crate) mod nim;
pub(crate) mod reversi;
pub(crate) mod tennis;
pub(crate) mod yahtzee;

/// A game as it went, and what is to be said of it.
#[derive(Default)]
pub(crate) struct Account {
    pub(crate) transcript: String,
    pub(crate) report: String,
}

impl Account {
    /// Notes something for the transcript.
    pub(crate) fn note(&mut self, line: impl AsRef<str>) {
        self.transcript += line.as_ref();
        self.transcript += "\n";
    }

    /// Notes something that is said.
    pub(crate) fn say(&mut self, line: impl AsRef<str>) {
        self.report += line.as_ref();
        self.report += "\n";
    }
}

/// Some things with blanks between them.
pub(crate) fn joined<T: ToString>(things: impl IntoIterator<Item = T>) -> String {
    let things: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    things.join(" ")
}
