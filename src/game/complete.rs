//! What may come next: how it is written, what it takes, and how a line that was begun may go on.

use serde::Serialize;

use super::{Game, Session, session::Stage};
use crate::{
    arithmetic::decimal_text,
    transcript::{self, Awaited, Taker},
};

/// Something that could come next in a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Expected {
    /// How it is written: words as they are, and what is to be put in as `<name>`.
    pub written: String,
    /// The event that it stands for, if it stands for one.
    pub event: Option<String>,
    /// Why it cannot come now; nothing where it can.
    pub untimely: Option<String>,
    /// What is to be put in, in order.
    pub holes: Vec<Hole>,
}

/// A place in a line where something is to be put in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hole {
    /// Its name.
    pub name: String,
    /// The type of its value, as the rule file calls it.
    #[serde(rename = "type")]
    pub ty: String,
    /// What it takes.
    pub takes: Takes,
    /// What stands for nothing there, if a word does.
    pub absent: Option<String>,
    /// Whether it takes several of these.
    pub several: bool,
    /// Which word of the line it is, from 0, and all after it where it takes several; nothing where it is a part of a
    /// word.
    #[serde(skip)]
    pub word: Option<usize>,
}

/// What can be put in a hole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Takes {
    /// Any word.
    Word,
    /// A number.
    Number {
        /// The least.
        least: i64,
        /// The greatest.
        greatest: i64,
    },
    /// A number with decimal places, as it is written.
    Decimal {
        /// The least, if there is one.
        least: Option<String>,
        /// The greatest, if there is one.
        greatest: Option<String>,
    },
    /// One of these words.
    OneOf(Vec<String>),
}

impl Hole {
    fn of(taker: &Taker) -> Hole {
        Hole {
            name: taker.name.clone(),
            ty: taker.ty.clone(),
            takes: match &taker.takes {
                transcript::Takes::Word => Takes::Word,
                transcript::Takes::Number(least, greatest) => Takes::Number {
                    least: *least,
                    greatest: *greatest,
                },
                transcript::Takes::Decimal(places, least, greatest) => Takes::Decimal {
                    least: Some(decimal_text(*least, *places)).filter(|_| *least > i64::MIN + 1),
                    greatest: Some(decimal_text(*greatest, *places))
                        .filter(|_| *greatest < i64::MAX),
                },
                transcript::Takes::OneOf(words) => Takes::OneOf(words.clone()),
            },
            absent: taker.absent.clone(),
            several: taker.several,
            word: taker.word,
        }
    }
}

impl Game {
    fn event_name(&self, event: usize) -> String {
        self.compiled
            .events
            .get(event)
            .map_or(String::new(), |event| event.name.clone())
    }

    /// What could come next, as it is told.
    pub(super) fn expected(&self, due: &Awaited) -> Expected {
        Expected {
            written: due.written.clone(),
            event: due.event.map(|event| self.event_name(event)),
            untimely: due.untimely.clone(),
            holes: due.holes.iter().map(Hole::of).collect(),
        }
    }
}

impl Session<'_> {
    /// What the next line may become that begins so, whole lines, each once: the moves there are, or else what the words
    /// that are due take at the last word. Nothing where that is not known.
    pub fn completions(&mut self, line: &str) -> Vec<String> {
        let mut found = Vec::new();
        let playing = self.stage() == Stage::Playing;
        if playing && let Ok(moves) = self.moves(&[], false) {
            found.extend(moves.moves.into_iter().map(|found| found.written));
        }
        found.retain(|written| written.starts_with(line));
        if found.is_empty() {
            found = self.words_due(line);
        }
        let mut kept: Vec<String> = Vec::new();
        for line in found {
            if !kept.contains(&line) {
                kept.push(line);
            }
        }
        kept
    }

    /// The line with each word that may stand where its last one does.
    fn words_due(&mut self, line: &str) -> Vec<String> {
        let (before, last) = line.rsplit_once(' ').unwrap_or(("", line));
        let place = before.split_whitespace().count();
        let lead = if before.is_empty() {
            String::new()
        } else {
            format!("{before} ")
        };
        let expected = self.expected().unwrap_or_default();
        let timely = expected.iter().filter(|due| due.untimely.is_none());
        let mut found = Vec::new();
        for hole in timely.flat_map(|due| &due.holes) {
            let is_here = hole.word == Some(place)
                || hole.several && hole.word.is_some_and(|word| word < place);
            if let (true, Takes::OneOf(words)) = (is_here, &hole.takes) {
                let words = words.iter().chain(&hole.absent);
                let words = words.filter(|word| word.starts_with(last));
                found.extend(words.map(|word| format!("{lead}{word}")));
            }
        }
        found
    }
}
