//! What may happen next at a place of a transcript.

use std::{
    fmt,
    io::{Read, sink},
};

use serde::Serialize;

use super::{Expected, Game};
use crate::{
    code::Transcript,
    diagnostic::{Code, Diagnostic, alternatives, nearest},
    failure::{self, Failure, Report},
    machine::{self, Decides, Reason},
    stack,
    transcript::{All, Asked, Depth, GREATEST_LINE, Run},
};

/// What is asked about the next events. The default asks for all that may happen after a transcript's end, in its
/// default form.
#[derive(Debug, Clone, Default)]
pub struct Ask {
    /// The form of the transcript; the default where it is nothing.
    pub form: Option<String>,
    /// The number of the last line that is read, from 1; all lines where it is nothing.
    pub line: Option<usize>,
    /// The names of the events that are looked at; all where there are none.
    pub events: Vec<String>,
    /// Whether also what may not happen is told, with its reason.
    pub illegal: bool,
}

/// An event that could come next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The event's name.
    pub event: String,
    /// How it is written in the transcript.
    pub written: String,
    /// Who decides it.
    pub by: Decider,
    /// How likely it is beside the others, where chance decides and the rules give weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u64>,
    /// Whether it may happen, and what speaks against it.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// Who decides an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decider {
    /// Nobody who plays: the referee notes what happened.
    Referee,
    /// Chance.
    Chance,
    /// Whoever sits there, as the transcript writes it.
    Seat(String),
}

/// What a seat has when the game is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The seat, as the transcript writes it.
    pub seat: String,
    /// What it has.
    pub has: Has,
}

/// What one can have when a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Has {
    /// It has lost.
    Loss,
    /// Nobody has won.
    Draw,
    /// It has won.
    Win,
    /// So many points.
    Points(i64),
}

/// Whether an event may happen. Legal and illegal ones may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    /// It may.
    Legal,
    /// It may, and breaks a rule: an `illegal` fact holds.
    Illegal {
        /// The fact's name.
        fact: String,
        /// What it says, if it says something.
        says: Option<String>,
    },
    /// An `impossible` row fires.
    Impossible {
        /// The row's name.
        row: String,
        /// What it says.
        says: String,
    },
    /// A `refuse` fact holds.
    Refused {
        /// The fact's name.
        fact: String,
        /// What it says, if it says something.
        says: Option<String>,
    },
}

/// The next events, in the order of the transcript's rows and of their fields' values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Moves {
    /// What was found.
    pub moves: Vec<Move>,
    /// The events that were left out because there is no end of their values.
    pub endless: Vec<Endless>,
    /// How those of them that may come now are written, and what each of their fields takes.
    pub patterns: Vec<Expected>,
    /// Whether the last game is over, and nothing came after it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub over: bool,
    /// What each seat has then, if the rules say it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outcome: Vec<Outcome>,
}

/// An event that has a field without end of values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Endless {
    /// The event's name.
    pub event: String,
    /// The field's name.
    pub field: String,
    /// The field's type.
    #[serde(rename = "type")]
    pub ty: String,
}

impl Decider {
    pub(super) fn of(decides: &Decides) -> Decider {
        match decides {
            Decides::Referee => Decider::Referee,
            Decides::Chance => Decider::Chance,
            Decides::Seat(seat) => Decider::Seat(seat.clone()),
        }
    }

    /// The same, as the rules are asked.
    pub(super) fn asked(&self) -> Decides {
        match self {
            Decider::Referee => Decides::Referee,
            Decider::Chance => Decides::Chance,
            Decider::Seat(seat) => Decides::Seat(seat.clone()),
        }
    }
}

impl Outcome {
    pub(super) fn all(outcome: &[(String, machine::Has)]) -> Vec<Outcome> {
        let one = |(seat, has): &(String, machine::Has)| Outcome {
            seat: seat.clone(),
            has: match has {
                machine::Has::Loss => Has::Loss,
                machine::Has::Draw => Has::Draw,
                machine::Has::Win => Has::Win,
                machine::Has::Points(points) => Has::Points(*points),
            },
        };
        outcome.iter().map(one).collect()
    }

    /// What each seat has, in a line: `Ann has won, Ben has lost`, or `it is a draw`.
    #[must_use]
    pub fn told(all: &[Outcome]) -> String {
        if !all.is_empty() && all.iter().all(|one| one.has == Has::Draw) {
            return "it is a draw".to_string();
        }
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        all.join(", ")
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seat = &self.seat;
        match self.has {
            Has::Loss => write!(out, "{seat} has lost"),
            Has::Draw => write!(out, "{seat} has a draw"),
            Has::Win => write!(out, "{seat} has won"),
            Has::Points(points) => write!(out, "{seat} has {points}"),
        }
    }
}

impl Game {
    /// What may happen next at a place of a transcript, which messages call `name`: every event whose fields are finite,
    /// as it would be written there.
    ///
    /// # Errors
    /// What stopped the run before that place; that no game is under way there, or that there is no such event.
    pub fn moves(&self, ask: &Ask, name: &str, input: &mut dyn Read) -> Result<Moves, Failure> {
        let (all, _) = self.ask(ask, Depth::Next, name, input)?;
        Ok(self.moves_told(&all))
    }

    /// What was found, as it is told.
    pub(super) fn moves_told(&self, all: &All) -> Moves {
        let moves = all
            .found
            .iter()
            .map(|found| Move {
                event: self.compiled.events[found.event].name.clone(),
                written: found.written.clone(),
                by: Decider::of(&found.by),
                weight: found.weight,
                verdict: self.verdict(found.event, found.reason.as_ref()),
            })
            .collect();
        Moves {
            moves,
            endless: self.endless(all),
            patterns: all.patterns.iter().map(|due| self.expected(due)).collect(),
            over: all.over,
            outcome: Outcome::all(&all.outcome),
        }
    }

    /// How many lines of `depth` events there are from a place of a transcript on, what is called perft. A line on
    /// which the game ends before is not counted.
    ///
    /// # Errors
    /// As [`Game::moves`].
    pub fn lines_of_play(
        &self,
        ask: &Ask,
        depth: u32,
        name: &str,
        input: &mut dyn Read,
    ) -> Result<(u64, Vec<Endless>), Failure> {
        let (all, count) = self.ask(ask, Depth::Lines(depth), name, input)?;
        Ok((count, self.endless(&all)))
    }

    fn ask(
        &self,
        ask: &Ask,
        depth: Depth,
        name: &str,
        input: &mut dyn Read,
    ) -> Result<(All, u64), Failure> {
        let transcript: &Transcript = self.transcript(ask.form.as_deref())?;
        self.known_events(&ask.events)?;
        let mut output = sink();
        let asked = Asked {
            line: ask.line,
            events: &ask.events,
            illegal: ask.illegal,
        };
        let run = Run::new(&self.compiled, transcript, input, &mut output);
        // A line of play takes no more stack for each of its events than rules do for each level.
        let events = match depth {
            Depth::Next => 0,
            Depth::Lines(depth) => depth.min(GREATEST_LINE) as usize,
        };
        stack::with_room(self.program.depth + events, || run.moves(asked, depth))
            .map_err(|stopped| failure::told(*stopped, &self.compiled, &self.sources, name))
    }

    /// Checks that all these are names of events.
    pub(super) fn known_events(&self, names: &[String]) -> Result<(), Failure> {
        let events = self.events();
        let Some(unknown) = names.iter().find(|name| !events.contains(&name.as_str())) else {
            return Ok(());
        };
        let message = format!("`{}` has no event called `{unknown}`", self.program.name);
        let mut diagnostic = Diagnostic::error(Code::UnknownName, self.first_place(), message);
        if let Some(near) = nearest(unknown, events.iter().copied()) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        let diagnostic = diagnostic.note(format!("there is {}", alternatives(events)));
        Err(Failure::NoName(Report::new(
            self.sources.clone(),
            diagnostic,
        )))
    }

    fn verdict(&self, event: usize, reason: Option<&Reason>) -> Verdict {
        match reason {
            None => Verdict::Legal,
            Some(Reason::Impossible(row, says)) => Verdict::Impossible {
                row: self.compiled.events[event].impossible[*row]
                    .row
                    .label
                    .clone(),
                says: says.clone(),
            },
            Some(Reason::Refused(fact, says)) => Verdict::Refused {
                fact: fact.clone(),
                says: says.clone(),
            },
            Some(Reason::Illegal(fact, says)) => Verdict::Illegal {
                fact: fact.clone(),
                says: says.clone(),
            },
        }
    }

    fn endless(&self, all: &All) -> Vec<Endless> {
        all.endless
            .iter()
            .map(|(event, field)| {
                let event = &self.compiled.events[*event];
                Endless {
                    event: event.name.clone(),
                    field: event.fields[*field].name.clone(),
                    ty: event.fields[*field].ty.clone(),
                }
            })
            .collect()
    }
}
