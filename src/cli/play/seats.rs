//! Who plays: people, policies, the lot.

use referee::{
    diagnostic::alternatives,
    failure::Failure,
    game::{Game, Session, Standing},
};

use super::super::error::{Error, Result};

/// An argument of `--seat`: whose turn it is, and who plays then.
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
pub(super) struct Seats {
    taken: Vec<Seat>,
    /// The state that says whose turn it is.
    turn: String,
    seed: u64,
}

impl Seats {
    /// The seats, if the game has all that play.
    pub(super) fn new(game: &Game, seats: &[Seat], turn: &str, seed: u64) -> Result<Seats> {
        let policies = game.policies();
        let known = |who: &str| who == PERSON || who == RANDOM || policies.contains(&who);
        if let Some((_, who)) = seats.iter().find(|(_, who)| !known(who)) {
            let message = format!("`{}` has no policy called `{who}`", game.name());
            let all = [PERSON, RANDOM].into_iter().chain(policies);
            return Err(Error::usage(message).with_help(format!("there is {}", alternatives(all))));
        }
        Ok(Seats {
            taken: seats.to_vec(),
            turn: turn.to_string(),
            seed,
        })
    }

    /// Whose turn it is, if a state says so.
    pub(super) fn turn(&self, session: &mut Session<'_>) -> Option<String> {
        let mut states = session.states().into_iter();
        states.find_map(|(name, value)| (name == self.turn).then_some(value))
    }

    /// What whoever is no person would play now, and who that is; nothing where it is a person's turn.
    pub(super) fn choose(&self, session: &mut Session<'_>) -> Result<Option<Played>> {
        if self.taken.is_empty() || session.standing() != Standing::Playing {
            return Ok(None);
        }
        let Some(turn) = self.turn(session) else {
            let message = format!("no state `{}` says whose turn it is", self.turn);
            return Err(Error::usage(message)
                .with_help("name the state that does with `--turn`, or play without `--seat`"));
        };
        let own = self.taken.iter().find(|(name, _)| *name == turn);
        let seat = own.or_else(|| self.taken.iter().find(|(name, _)| name == OTHERS));
        let policy = match seat.map(|(_, who)| who.as_str()) {
            None | Some(PERSON) => return Ok(None),
            Some(RANDOM) => None,
            Some(policy) => Some(policy),
        };
        let words = session.choose(policy, self.seed);
        Ok(Some(Played { turn, words }))
    }
}

/// What was chosen for a seat.
pub(super) struct Played {
    pub(super) turn: String,
    pub(super) words: Result<String, Failure>,
}
