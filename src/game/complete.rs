//! What is expected next in a transcript, and completions of a line.

use serde::Serialize;

use super::{Decider, Game, Session, session::Stage};
use crate::{
    arithmetic::decimal_text,
    transcript::{self, Awaited, Taker},
};

/// Something that is expected in a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Expected {
    /// Its pattern: words as they are, and holes as `<name>`.
    pub written: String,
    /// The event that it would be.
    pub event: Option<String>,
    /// Why it is not possible now; `None` if it is.
    pub untimely: Option<String>,
    /// Its holes, in order.
    pub holes: Vec<Hole>,
}

/// A hole in a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Hole {
    /// Its name.
    pub name: String,
    /// The type of its value, as in the rules.
    #[serde(rename = "type")]
    pub ty: String,
    /// What it accepts.
    pub takes: Takes,
    /// The word for none, if there is one.
    pub absent: Option<String>,
    /// Whether it reads several values.
    pub several: bool,
    /// The index of its word in the line, from 0, with all that follow if it reads several; `None` if it is part of a
    /// word.
    #[serde(skip)]
    pub word: Option<usize>,
}

/// What a hole accepts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Takes {
    /// Any word.
    Word,
    /// A number.
    Number {
        /// The least value.
        least: i64,
        /// The greatest value.
        greatest: i64,
    },
    /// A decimal number; its bounds are written as in a transcript.
    Decimal {
        /// The least value, if there is one.
        least: Option<String>,
        /// The greatest value, if there is one.
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

    /// The public form of what is expected.
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
    /// Who decides the event of this name; `None` if that depends on how it is written, or there is no such event.
    pub fn decider_of_event(&mut self, name: &str) -> Option<Decider> {
        let mut events = self.game.compiled.events.iter();
        let event = events.position(|event| event.name == name)?;
        let decides = self.aside(|run| run.machine.decides_now(event));
        decides.as_ref().map(Decider::of)
    }

    /// Completions of a line, each a whole line: the possible events, or else the words that are expected last. Empty
    /// if these are not known.
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

    /// The line with each word that its last word may become.
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
