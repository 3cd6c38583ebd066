//! The events that are possible at a place of a transcript.

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
    transcript::{Depth, FoundMoves, GREATEST_LINE, MoveSearch, Run},
};

/// Which events to list. The default lists all that may happen at the end of a transcript, in its default form.
#[derive(Debug, Clone, Default)]
pub struct MovesQuery {
    /// The form of the transcript; `None` for the default.
    pub form: Option<String>,
    /// The last line to read, from 1; `None` for all.
    pub line: Option<usize>,
    /// The names of the events to list; empty for all.
    pub events: Vec<String>,
    /// Whether to list events that may not happen, too, with the reason.
    pub illegal: bool,
}

/// A possible event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Move {
    /// The event's name.
    pub event: String,
    /// The event as the transcript writes it.
    pub written: String,
    /// Who decides it.
    pub by: Decider,
    /// Its weight among the alternatives, if chance decides and the rules give weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u64>,
    /// Whether it may happen, and the reason against it.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// Who decides an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Decider {
    /// Nobody: it happens outside the game, and the referee records it.
    Referee,
    /// Chance.
    Chance,
    /// The seat, as the transcript writes it.
    Seat(String),
}

/// The result of a seat at the end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// The seat, as the transcript writes it.
    pub seat: String,
    /// Its result.
    pub has: Has,
}

/// A seat's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Has {
    /// It lost.
    Loss,
    /// The game is a draw.
    Draw,
    /// It won.
    Win,
    /// Its points.
    Points(i64),
}

/// Whether an event may happen. Legal and illegal events may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    /// It may happen.
    Legal,
    /// It may happen, but breaks a rule: an `illegal` fact holds.
    Illegal {
        /// The fact's name.
        fact: String,
        /// The fact's `says`, if it has one.
        says: Option<String>,
    },
    /// An `impossible` row fires.
    Impossible {
        /// The row's name.
        row: String,
        /// The row's `says`.
        says: String,
    },
    /// A `refuse` fact holds.
    Refused {
        /// The fact's name.
        fact: String,
        /// The fact's `says`, if it has one.
        says: Option<String>,
    },
}

/// The possible events, in the order of the transcript's rows and of their fields' values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Moves {
    /// The events.
    pub moves: Vec<Move>,
    /// Events that were left out because a field has infinitely many values.
    pub endless: Vec<Endless>,
    /// Patterns of those among them that are possible now, with what each of their fields takes.
    pub patterns: Vec<Expected>,
    /// Whether the last game is over and nothing follows it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub over: bool,
    /// The seats' results in this case, if the rules define them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outcome: Vec<Outcome>,
}

/// An event with a field that has infinitely many values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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

    /// The machine's form of the same.
    pub(super) fn to_decides(&self) -> Decides {
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

    /// The results in a line: `Ann has won, Ben has lost`, or `it is a draw`.
    #[must_use]
    pub fn describe_all(all: &[Outcome]) -> String {
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
    /// Lists the events that are possible at a place of a transcript and whose fields are finite, as the transcript
    /// would write them. Messages call the transcript `name`.
    ///
    /// # Errors
    /// What stopped the run before that place; that no game is under way there; or that there is no such event.
    pub fn moves(
        &self,
        query: &MovesQuery,
        name: &str,
        input: &mut dyn Read,
    ) -> Result<Moves, Failure> {
        let (all, _) = self.search(query, Depth::Next, name, input)?;
        Ok(self.to_moves(&all))
    }

    /// The public form of the moves.
    pub(super) fn to_moves(&self, all: &FoundMoves) -> Moves {
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

    /// Counts the sequences of `depth` events that are possible from a place of a transcript on (perft). Sequences in
    /// which the game ends early are not counted.
    ///
    /// # Errors
    /// As [`Game::moves`].
    pub fn lines_of_play(
        &self,
        query: &MovesQuery,
        depth: u32,
        name: &str,
        input: &mut dyn Read,
    ) -> Result<(u64, Vec<Endless>), Failure> {
        let (all, count) = self.search(query, Depth::Lines(depth), name, input)?;
        Ok((count, self.endless(&all)))
    }

    fn search(
        &self,
        query: &MovesQuery,
        depth: Depth,
        name: &str,
        input: &mut dyn Read,
    ) -> Result<(FoundMoves, u64), Failure> {
        let transcript: &Transcript = self.transcript(query.form.as_deref())?;
        self.check_event_names(&query.events)?;
        let mut output = sink();
        let search = MoveSearch {
            line: query.line,
            events: &query.events,
            illegal: query.illegal,
        };
        let run = Run::new(&self.compiled, transcript, input, &mut output);
        // Each event of a sequence takes at most as much stack as a level of the rules.
        let events = match depth {
            Depth::Next => 0,
            Depth::Lines(depth) => depth.min(GREATEST_LINE) as usize,
        };
        stack::with_room(self.program.depth + events, || run.moves(search, depth))
            .map_err(|stopped| failure::from_stopped(*stopped, &self.compiled, &self.sources, name))
    }

    /// Checks that all names are those of events.
    pub(super) fn check_event_names(&self, names: &[String]) -> Result<(), Failure> {
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

    fn endless(&self, all: &FoundMoves) -> Vec<Endless> {
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
