//! A game as one of those who play sees it.

use std::{collections::BTreeSet, sync::OnceLock};

use super::{Game, Session};
use crate::{
    code::explain::Visible,
    compile::compile,
    explanation::{Asked, By, Cause, Effect, Event, Explanation, Fact, Sort, Unfired, Value},
    optimise::optimise,
    program::{self, EventId, Hidden, Program, StateId},
    stack,
    types::GivenId,
};

/// Who looks at a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// The seat at this place among those that [`Session::seats`] tells.
    Seat(usize),
    /// Somebody who sees only what everyone sees.
    Everyone,
}

/// What an explanation leaves out for a viewer, except where it is known that this viewer sees it.
#[derive(Debug, Clone)]
pub(super) struct Veil {
    /// The names of the rules that rest on what not everyone sees.
    names: BTreeSet<String>,
    /// Whether something that is read before a game starts is hidden.
    givens: bool,
}

/// What stands for a value that is not told.
const HIDDEN: &str = "hidden";

impl Game {
    /// Whether there is anything that not everyone sees.
    #[must_use]
    pub fn has_secrets(&self) -> bool {
        self.program.has_secrets()
    }

    /// How many can play at most; 0 where the rules do not say who decides or sees something.
    #[must_use]
    pub fn seats(&self) -> usize {
        let seats = self.program.seats;
        seats.map_or(0, |seats| self.program.types.kind(seats).members.len())
    }

    /// Whether everyone sees all fields of whatever seats and chance decide.
    #[must_use]
    pub fn tells_moves(&self) -> bool {
        let mut events = self.program.events.iter();
        events.all(|event| {
            matches!(event.by, program::Decider::Referee)
                || event.sights.iter().all(Option::is_none)
        })
    }

    /// The game as somebody sees it: reports, states, moves, explanations and messages leave out what that seat does not
    /// see. A transcript holds all that happens, so who reads it sees everything.
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
        self.as_here(&mut compiled);
        Game {
            sources: self.sources.clone(),
            veil: self.has_secrets().then(|| Veil::of(&self.program)),
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

    /// An explanation without what whoever looks does not see: where a row speaks of that, its values are left out.
    pub(super) fn veiled(&self, mut explanation: Explanation) -> Explanation {
        let Some(veil) = &self.veil else {
            return explanation;
        };
        explanation.veiled = true;
        if veil.givens {
            explanation.read.clear();
        }
        if let Some(stopped) = &mut explanation.stopped {
            stopped.meant.clear();
        }
        for event in &mut explanation.events {
            veil.event(event);
        }
        if let Some(asked) = &mut explanation.asked {
            veil.asked(asked);
        }
        explanation
    }
}

impl Session<'_> {
    /// The place of a seat among those who play, as [`Viewer::Seat`] takes it; nothing where there is none.
    pub fn seat(&mut self, name: &str) -> Option<usize> {
        self.seats().iter().position(|seat| seat == name)
    }

    /// Those who play, in the order of [`Viewer::Seat`], as the transcript writes them; nothing where the rules do not say
    /// who decides or sees something, or no game has begun.
    pub fn seats(&mut self) -> Vec<String> {
        if self.games() == 0 {
            return Vec::new();
        }
        let seats = self.aside(|run| run.machine.seats()).unwrap_or_default();
        seats.into_iter().map(|(_, seat)| seat).collect()
    }
}

impl Veil {
    fn of(program: &Program) -> Veil {
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
        Veil { names, givens }
    }

    /// Whether a text of the rules speaks of something that not everyone sees.
    fn speaks(&self, text: &str) -> bool {
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut words = text.split(|letter| !is_letter(letter));
        words.any(|word| self.names.contains(word))
    }

    /// The values of a row that are seen where of collections only their sizes are.
    fn keep_sizes(&self, values: &mut Vec<Value>) {
        let is_size = |name: &str| name.starts_with("size of ") || name.starts_with("size(");
        values.retain(|value| !self.speaks(&value.name) || is_size(&value.name));
    }

    fn event(&self, event: &mut Event) {
        let fields = event
            .fields
            .iter_mut()
            .filter(|field| self.speaks(&field.name));
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
        event.beside.clear();
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
                !self.speaks(state)
            }
            Effect::Impossible { cause, .. } => {
                // The first is what a message says anyway.
                let is_told = !self.is_secret(cause) || !is_stopped;
                is_stopped = true;
                self.cause(cause);
                is_told
            }
            Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
                self.fact(fact);
                true
            }
        });
        if let Some(asked) = &mut event.asked {
            self.asked(asked);
        }
    }

    /// The answer to a question. Whatever makes it so may show what the question speaks of, under another name.
    fn asked(&self, asked: &mut Asked) {
        asked.beside.clear();
        let speaks = self.speaks(&asked.name);
        asked.alone &= !speaks;
        if speaks && !asked.seen {
            asked.value = Some(HIDDEN.into());
            asked.happened = false;
            if asked.sort != Sort::Expression {
                // It is not said either that it does not hold, or change.
                asked.sort = Sort::Fact;
            }
            asked.causes.clear();
            asked.unfired.clear();
            return;
        }
        asked.causes.iter_mut().for_each(|cause| self.cause(cause));
        self.unfired(&mut asked.unfired);
    }

    /// Whether a row mentions something that the viewer may not see.
    fn is_secret(&self, cause: &Cause) -> bool {
        if cause.seen != Visible::None {
            return false;
        }
        let written = cause.written.iter().chain(&cause.gives);
        let mut written = written.chain(cause.values.iter().map(|value| &value.name));
        written.any(|text| self.speaks(text))
    }

    fn cause(&self, cause: &mut Cause) {
        if self.is_secret(cause) {
            cause.says = None;
            // A variable may be a part of what is hidden, too.
            cause.values.clear();
            cause.facts.clear();
        } else {
            if cause.seen == Visible::Sizes {
                cause.says = None;
                self.keep_sizes(&mut cause.values);
            }
            cause.facts.iter_mut().for_each(|fact| self.fact(fact));
        }
    }

    fn unfired(&self, unfired: &mut [Unfired]) {
        for row in unfired {
            let mut names = row.values.iter().map(|value| &value.name);
            let speaks = |text: &String| self.speaks(text);
            if row.seen == Visible::None && (names.any(speaks) || speaks(&row.written)) {
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
        if self.speaks(&fact.name) && !fact.seen {
            fact.value = fact.value.as_ref().map(|_| HIDDEN.into());
            fact.causes.clear();
            fact.outdone.clear();
            fact.passed.clear();
        }
        fact.causes.iter_mut().for_each(|cause| self.cause(cause));
        self.unfired(&mut fact.passed);
    }
}
