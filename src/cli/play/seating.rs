//! Who plays for each seat: a person, a policy, or chance.

use referee::{
    diagnostic::alternatives,
    failure::Failure,
    game::{Decider, Game, Session, Stage},
};

use super::super::error::{Error, Result};

/// An argument of `--seat`: the seat, and who plays for it.
pub(super) type Seat = (String, String);

/// Stands for all seats that are not named.
const OTHERS: &str = "*";

/// The seat of chance.
const CHANCE: &str = "chance";

const PERSON: &str = "person";
const RANDOM: &str = "random";

/// Parses an argument of `--seat`.
pub(super) fn seat(written: &str) -> Result<Seat, &'static str> {
    match written.split_once('=') {
        Some((name, who)) if !name.is_empty() => Ok((name.to_string(), who.to_string())),
        _ => Err("write NAME=WHO: `person`, `random` or a policy plays for NAME"),
    }
}

/// Who played a step of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A person typed it.
    Typed,
    /// A policy or random numbers chose it for a seat.
    Seat,
    /// Chance drew it.
    Chance,
}

/// Who plays for each seat.
pub(super) struct Seating {
    taken: Vec<Seat>,
    /// The state that says whose move it is.
    whose: Option<String>,
    /// Whether the rules say who decides, and no state is named instead.
    by_rules: bool,
    seed: u64,
}

impl Seating {
    /// The seating, if the game has all policies that it names.
    pub(super) fn new(
        game: &Game,
        seating: &[Seat],
        whose: Option<&str>,
        seed: u64,
    ) -> Result<Seating> {
        let policies = game.policies();
        let known = |who: &str| who == PERSON || who == RANDOM || policies.contains(&who);
        if let Some((_, who)) = seating.iter().find(|(_, who)| !known(who)) {
            let message = format!("`{}` has no policy called `{who}`", game.name());
            let all = [PERSON, RANDOM].into_iter().chain(policies);
            return Err(Error::usage(message).with_help(format!("there is {}", alternatives(all))));
        }
        for (place, (name, _)) in seating.iter().enumerate() {
            if seating.iter().take(place).any(|(known, _)| known == name) {
                let message = format!("`--seat` says twice who plays for `{name}`");
                return Err(Error::usage(message));
            }
        }
        Ok(Seating {
            taken: seating.to_vec(),
            whose: whose
                .or_else(|| game.first_state_of_a_kind())
                .map(str::to_string),
            by_rules: whose.is_none() && game.has_deciders(),
            seed,
        })
    }

    /// Whose move it is, if the rules or a state say so.
    pub(super) fn whose(&self, session: &mut Session<'_>) -> Option<String> {
        if let Some(deciders) = self.deciders(session).ok().flatten() {
            let seats = deciders.into_iter().filter_map(|decider| match decider {
                Decider::Seat(seat) => Some(seat),
                Decider::Chance => Some(CHANCE.to_string()),
                Decider::Referee => None,
            });
            return Some(seats.collect::<Vec<_>>().join(" or "));
        }
        let mut states = session.states().into_iter();
        states.find_map(|(name, value)| (Some(&name) == self.whose.as_ref()).then_some(value))
    }

    /// The seats that may have the move.
    pub(super) fn seats(&self, session: &mut Session<'_>) -> Vec<String> {
        let Some(deciders) = self.deciders(session).ok().flatten() else {
            return self.whose(session).into_iter().collect();
        };
        let deciders = deciders.into_iter();
        let seats = deciders.filter_map(|decider| match decider {
            Decider::Seat(seat) => Some(seat),
            Decider::Chance | Decider::Referee => None,
        });
        seats.collect()
    }

    /// Who decides the next event, if the rules say so and no state is named instead.
    fn deciders(&self, session: &mut Session<'_>) -> Result<Option<Vec<Decider>>> {
        if !self.by_rules {
            return Ok(None);
        }
        Ok(Some(session.deciders().map_err(Error::Failure)?))
    }

    /// The move of a seat that no person plays for; `None` if it is a person's move.
    pub(super) fn choose(&self, session: &mut Session<'_>) -> Result<Option<Chosen>> {
        if session.stage() != Stage::Playing {
            return Ok(None);
        }
        self.check_names(session)?;
        if self.taken.is_empty() && !self.by_rules {
            return Ok(None);
        }
        if let Some(deciders) = self.deciders(session)? {
            // If several decide at once, seats without a person go first. Rows of `impossible` may leave chance, or a
            // seat, nothing to do: then the others go on.
            let mut failed = Vec::new();
            for decider in &deciders {
                match self.chosen_by(session, decider) {
                    Some(chosen) if chosen.words.is_err() => failed.push(chosen),
                    Some(chosen) => return Ok(Some(chosen)),
                    None => {}
                }
            }
            // Otherwise one of them is a person, who has not moved yet.
            let all_failed = failed.len() == deciders.len();
            return Ok(failed.into_iter().next().filter(|_| all_failed));
        }
        let Some(whose) = self.whose(session) else {
            let message = "no state says whose move it is";
            return Err(Error::usage(message)
                .with_help("name the state that does with `--whose`, or play without `--seat`"));
        };
        let policy = match self.sits(&whose) {
            None | Some(PERSON) => return Ok(None),
            Some(RANDOM) => None,
            Some(policy) => Some(policy),
        };
        let words = session.choose(policy, self.seed);
        Ok(Some(Chosen {
            whose,
            words,
            origin: Origin::Seat,
            by_lot: policy.is_none(),
        }))
    }

    /// Checks that the seats and the state on the command line exist.
    ///
    /// # Errors
    /// If one does not exist.
    fn check_names(&self, session: &mut Session<'_>) -> Result<()> {
        if let Some(whose) = self.whose.as_ref().filter(|_| !self.by_rules) {
            let states = session.states();
            let mut names = states.iter().map(|(name, _)| name);
            if !names.any(|name| name == whose) {
                let message = format!("no state is called `{whose}`");
                let names = states.iter().map(|(name, _)| name.as_str());
                let help = format!("for `--whose` there is {}", alternatives(names));
                return Err(Error::usage(message).with_help(help));
            }
        }
        let mut named = self.taken.iter().map(|(name, _)| name);
        let seats = session.seats();
        let is_unknown = |name: &&String| {
            !seats.is_empty() && *name != OTHERS && *name != CHANCE && !seats.contains(name)
        };
        match named.find(is_unknown) {
            Some(name) => Err(Error::usage(format!("no seat is called `{name}`"))
                .with_help(format!("for `--seat` there is {}", alternatives(&seats)))),
            None => Ok(()),
        }
    }

    /// The move for a decider; `None` if a person plays for it.
    fn chosen_by(&self, session: &mut Session<'_>, decider: &Decider) -> Option<Chosen> {
        let (whose, who, origin) = match decider {
            Decider::Seat(seat) => (seat.clone(), self.sits(seat), Origin::Seat),
            Decider::Chance => (CHANCE.to_string(), Some(self.by_chance()), Origin::Chance),
            Decider::Referee => return None,
        };
        let words = match who {
            None | Some(PERSON) => return None,
            Some(RANDOM) => session.draw(decider, self.seed),
            Some(policy) => session.choose(Some(policy), self.seed),
        };
        Some(Chosen {
            whose,
            words,
            origin,
            by_lot: who == Some(RANDOM),
        })
    }

    /// A line, completed by what chance draws, if the rules leave that to chance and no person draws it.
    pub(super) fn drawn(&self, session: &mut Session<'_>, line: &str) -> Option<String> {
        let is_drawn = self.by_chance() == RANDOM && session.stage() == Stage::Between;
        is_drawn.then(|| session.drawn(line, self.seed)).flatten()
    }

    /// What decides for chance; without a policy, random numbers do.
    fn by_chance(&self) -> &str {
        let own = self.taken.iter().find(|(name, _)| name == CHANCE);
        own.map_or(RANDOM, |(_, who)| who)
    }

    /// The seat of the only person.
    pub(super) fn only_person(&self, session: &mut Session<'_>) -> Option<String> {
        let is_person = |seat: &String| matches!(self.sits(seat), None | Some(PERSON));
        let mut people = session.seats().into_iter().filter(is_person);
        let first = people.next()?;
        people.next().is_none().then_some(first)
    }

    /// What plays for a seat, unless it is a person.
    pub(super) fn sat_by(&self, seat: &str) -> Option<&str> {
        self.sits(seat).filter(|who| *who != PERSON)
    }

    /// Who plays for a seat.
    fn sits(&self, seat: &str) -> Option<&str> {
        let own = self.taken.iter().find(|(name, _)| *name == seat);
        let seat = own.or_else(|| self.taken.iter().find(|(name, _)| name == OTHERS));
        seat.map(|(_, who)| who.as_str())
    }
}

/// A move that was chosen for a seat.
pub(super) struct Chosen {
    pub(super) whose: String,
    pub(super) words: Result<String, Failure>,
    pub(super) origin: Origin,
    /// Whether it was drawn by lot.
    pub(super) by_lot: bool,
}
