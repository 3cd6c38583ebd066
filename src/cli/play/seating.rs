//! Who plays: people, policies, the lot.

use referee::{
    diagnostic::alternatives,
    failure::Failure,
    game::{Game, Session, Stage},
};

use super::super::error::{Error, Result};

/// An argument of `--seat`: whose move it is, and who plays then.
pub(super) type Seat = (String, String);

/// A seat for whoever has none.
const OTHERS: &str = "*";

const PERSON: &str = "person";
const RANDOM: &str = "random";

/// Takes an argument of `--seat` apart.
pub(super) fn seat(written: &str) -> Result<Seat, &'static str> {
    match written.split_once('=') {
        Some((name, who)) if !name.is_empty() => Ok((name.to_string(), who.to_string())),
        _ => Err("write NAME=WHO: `person`, `random` or a policy plays for NAME"),
    }
}

/// Who sits where.
pub(super) struct Seating {
    taken: Vec<Seat>,
    /// The state that says whose move it is.
    whose: Option<String>,
    seed: u64,
}

impl Seating {
    /// The seating, if the game has all that play.
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
        Ok(Seating {
            taken: seating.to_vec(),
            whose: whose
                .or_else(|| game.first_state_of_a_kind())
                .map(str::to_string),
            seed,
        })
    }

    /// Whose move it is, if a state says so.
    pub(super) fn whose(&self, session: &mut Session<'_>) -> Option<String> {
        let mut states = session.states().into_iter();
        states.find_map(|(name, value)| (Some(&name) == self.whose.as_ref()).then_some(value))
    }

    /// What whoever is no person would play now, and who that is; nothing where it is a person's move.
    pub(super) fn choose(&self, session: &mut Session<'_>) -> Result<Option<Chosen>> {
        if self.taken.is_empty() || session.stage() != Stage::Playing {
            return Ok(None);
        }
        let Some(whose) = self.whose(session) else {
            let message = "no state says whose move it is";
            return Err(Error::usage(message)
                .with_help("name the state that does with `--whose`, or play without `--seat`"));
        };
        let own = self.taken.iter().find(|(name, _)| *name == whose);
        let seat = own.or_else(|| self.taken.iter().find(|(name, _)| name == OTHERS));
        let policy = match seat.map(|(_, who)| who.as_str()) {
            None | Some(PERSON) => return Ok(None),
            Some(RANDOM) => None,
            Some(policy) => Some(policy),
        };
        let words = session.choose(policy, self.seed);
        Ok(Some(Chosen { whose, words }))
    }
}

/// What was chosen for a seat.
pub(super) struct Chosen {
    pub(super) whose: String,
    pub(super) words: Result<String, Failure>,
}
