//! A game as one of its players sees it.

use std::{collections::BTreeSet, sync::OnceLock};

use super::{Game, Session};
use crate::{
    code::explain::Visible,
    compile::compile,
    explanation::{Answer, By, Cause, Effect, Event, Explanation, Fact, Sort, Unfired, Value},
    optimise::optimise,
    program::{self, EventId, Hidden, Program, StateId},
    stack,
    types::GivenId,
};

/// Who looks at a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// The seat at this index of [`Session::seats`].
    Seat(usize),
    /// Somebody who sees only what everyone sees.
    Everyone,
}

/// What explanations leave out for a viewer, unless the viewer is known to see it.
#[derive(Debug, Clone)]
pub(super) struct Redaction {
    /// The names in the rules that depend on hidden information.
    names: BTreeSet<String>,
    /// Whether a given is hidden.
    givens: bool,
}

/// Replaces a hidden value.
const HIDDEN: &str = "hidden";

impl Game {
    /// Whether the game has any hidden information.
    #[must_use]
    pub fn has_secrets(&self) -> bool {
        self.program.has_secrets()
    }

    /// The greatest number of seats; 0 if the rules do not say who decides or sees something.
    #[must_use]
    pub fn seats(&self) -> usize {
        let seats = self.program.seats;
        seats.map_or(0, |seats| self.program.types.kind(seats).members.len())
    }

    /// Whether everyone sees all fields of the events that seats and chance decide.
    #[must_use]
    pub fn tells_moves(&self) -> bool {
        let mut events = self.program.events.iter();
        events.all(|event| {
            matches!(event.by, program::Decider::Referee)
                || event.sights.iter().all(Option::is_none)
        })
    }

    /// The game as a viewer sees it: reports, states, moves, explanations and messages leave out what is hidden from
    /// that viewer. The transcript itself hides nothing.
    #[must_use]
    pub fn seen_by(&self, viewer: Viewer) -> Game {
        let viewer = match viewer {
            Viewer::Seat(seat) => program::Viewer::Seat(i64::try_from(seat).unwrap_or(i64::MAX)),
            Viewer::Everyone => program::Viewer::Everyone,
        };
        let seats = self.program.seats.filter(|_| self.has_secrets());
        let program = match seats {
            Some(seats) => self.program.seen_by(seats, viewer),
            None => self.program.clone(),
        };
        let mut compiled = stack::with_room(program.depth, || {
            let mut compiled = compile(&program, &self.sources);
            optimise(&mut compiled);
            compiled
        });
        self.apply_settings(&mut compiled);
        Game {
            sources: self.sources.clone(),
            redaction: self.has_secrets().then(|| Redaction::of(&self.program)),
            program,
            compiled: Box::new(compiled),
            explained: OnceLock::new(),
            warnings: self.warnings.clone(),
            merged: self.merged.clone(),
            library: self.library.clone(),
            settings: self.settings.clone(),
            seed: self.seed,
        }
    }

    /// Removes what is hidden from the viewer. Rows that mention it keep their names and lose their values.
    pub(super) fn redact(&self, mut explanation: Explanation) -> Explanation {
        let Some(redaction) = &self.redaction else {
            return explanation;
        };
        explanation.redacted = true;
        if redaction.givens {
            explanation.read.clear();
        }
        if let Some(stopped) = &mut explanation.stopped {
            stopped.suggestions.clear();
        }
        for event in &mut explanation.events {
            redaction.event(event);
        }
        if let Some(answer) = &mut explanation.answer {
            redaction.answer(answer);
        }
        explanation
    }
}

impl Session<'_> {
    /// The index of a seat, as [`Viewer::Seat`] takes it; `None` if there is no such seat.
    pub fn seat(&mut self, name: &str) -> Option<usize> {
        self.seats().iter().position(|seat| seat == name)
    }

    /// The seats in the order of [`Viewer::Seat`], as the transcript writes them; empty if the rules do not say who
    /// decides or sees something, or if no game has begun.
    pub fn seats(&mut self) -> Vec<String> {
        if self.games() == 0 {
            return Vec::new();
        }
        let seats = self.aside(|run| run.machine.seats()).unwrap_or_default();
        seats.into_iter().map(|(_, seat)| seat).collect()
    }
}

impl Redaction {
    fn of(program: &Program) -> Redaction {
        let mut names = BTreeSet::new();
        for (index, state) in program.states.iter().enumerate() {
            if program
                .sight(None, Hidden::State(StateId::new(index)))
                .is_some()
            {
                names.insert(state.name.clone());
            }
        }
        let mut givens = false;
        for (index, given) in program.givens.iter().enumerate() {
            if program
                .sight(None, Hidden::Given(GivenId::new(index)))
                .is_some()
            {
                names.insert(given.name.clone());
                givens = true;
            }
        }
        for (index, event) in program.events.iter().enumerate() {
            let fields = event.fields.iter().enumerate();
            let hidden = |field| program.sight(Some(EventId::new(index)), Hidden::Field(field));
            let fields = fields.filter(|(field, _)| hidden(*field).is_some());
            names.extend(fields.map(|(_, (name, _))| name.clone()));
        }
        for fact in &program.facts {
            if !program
                .secrets_of_definition(fact.owner, &fact.definition)
                .is_empty()
            {
                names.insert(fact.name.clone());
            }
        }
        Redaction { names, givens }
    }

    /// Whether a text of the rules mentions something hidden.
    fn mentions_hidden(&self, text: &str) -> bool {
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut words = text.split(|letter| !is_letter(letter));
        words.any(|word| self.names.contains(word))
    }

    /// Keeps only the sizes of hidden collections.
    fn keep_sizes(&self, values: &mut Vec<Value>) {
        let is_size = |name: &str| name.starts_with("size of ") || name.starts_with("size(");
        values.retain(|value| !self.mentions_hidden(&value.name) || is_size(&value.name));
    }

    fn event(&self, event: &mut Event) {
        let fields = event
            .fields
            .iter_mut()
            .filter(|field| self.mentions_hidden(&field.name));
        let mut hidden = false;
        for field in fields {
            field.value = HIDDEN.into();
            hidden = true;
        }
        if hidden {
            event.words = None;
        }
        match &mut event.by {
            By::Policy { decision, .. } | By::Follows { decision } => {
                if let Some(decision) = decision {
                    self.cause(&mut decision.chosen);
                    self.unfired(&mut decision.passed);
                }
            }
            By::Transcript | By::Lot => {}
        }
        event.sentences.clear();
        let is_public = |fact: &Fact| fact.seen || !self.mentions_hidden(&fact.name);
        event.illegal.retain(is_public);
        event.illegal.iter_mut().for_each(|fact| self.fact(fact));
        event.alternatives.clear();
        let mut effects = event.effects.iter();
        let is_said = effects.any(|effect| matches!(effect, Effect::Said { .. }));
        let mut is_stopped = false;
        event.effects.retain_mut(|effect| match effect {
            Effect::Said { cause, .. } => {
                self.cause(cause);
                true
            }
            Effect::Changed { state, causes, .. } => {
                for cause in causes {
                    self.cause(cause);
                }
                !self.mentions_hidden(state)
            }
            Effect::Impossible { cause, .. } => {
                // The first reason is part of the message anyway.
                let is_kept = !self.is_secret(cause) || !is_stopped;
                is_stopped = true;
                self.cause(cause);
                is_kept
            }
            Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
                self.fact(fact);
                // What is reported says why it is refused.
                fact.value.take_if(|value| is_said && value == HIDDEN);
                true
            }
        });
        if let Some(answer) = &mut event.answer {
            self.answer(answer);
        }
    }

    /// Redacts an answer. Its causes may reveal what the question mentions under another name.
    fn answer(&self, answer: &mut Answer) {
        answer.alternatives.clear();
        let mentions_hidden = self.mentions_hidden(&answer.name);
        answer.no_alternative &= !mentions_hidden;
        if mentions_hidden && !answer.seen {
            answer.value = Some(HIDDEN.into());
            answer.happened = false;
            if answer.sort != Sort::Expression {
                // Whether it holds or changes is hidden, too.
                answer.sort = Sort::Fact;
            }
            answer.causes.clear();
            answer.unfired.clear();
            return;
        }
        answer.causes.iter_mut().for_each(|cause| self.cause(cause));
        self.unfired(&mut answer.unfired);
    }

    /// Whether a row mentions something that is hidden from the viewer.
    fn is_secret(&self, cause: &Cause) -> bool {
        if cause.seen != Visible::None {
            return false;
        }
        let written = cause.written.iter().chain(&cause.gives);
        let mut written = written.chain(cause.values.iter().map(|value| &value.name));
        written.any(|text| self.mentions_hidden(text))
    }

    fn cause(&self, cause: &mut Cause) {
        if self.is_secret(cause) {
            cause.says = None;
            // A variable may be part of what is hidden.
            *cause = cause.clone().without_values();
        } else {
            if cause.seen == Visible::Sizes {
                cause.says = None;
                cause.compared.clear();
                self.keep_sizes(&mut cause.values);
            }
            cause.facts.iter_mut().for_each(|fact| self.fact(fact));
        }
    }

    fn unfired(&self, unfired: &mut [Unfired]) {
        for row in unfired {
            let mut names = row.values.iter().map(|value| &value.name);
            let mentions_hidden = |text: &String| self.mentions_hidden(text);
            if row.seen == Visible::None
                && (names.any(mentions_hidden) || mentions_hidden(&row.written))
            {
                row.values.clear();
                row.facts.clear();
            } else {
                if row.seen == Visible::Sizes {
                    self.keep_sizes(&mut row.values);
                }
                row.facts.iter_mut().for_each(|fact| self.fact(fact));
            }
        }
    }

    fn fact(&self, fact: &mut Fact) {
        if self.mentions_hidden(&fact.name) && !fact.seen {
            fact.value = fact.value.as_ref().map(|_| HIDDEN.into());
            fact.causes.clear();
            fact.outdone.clear();
            fact.passed.clear();
        }
        fact.causes.iter_mut().for_each(|cause| self.cause(cause));
        self.unfired(&mut fact.passed);
    }
}
