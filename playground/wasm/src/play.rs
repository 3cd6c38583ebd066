//! The state of a game, as one viewer sees it.

use referee::{
    game::{Decider, Game, Session, Stage, Viewer},
    stream::{self, Entries},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    rules::{Rules, Shelf, TRANSCRIPT, game},
    run::failed,
};

/// Whose view of a game is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Perspective {
    /// The referee, who sees everything.
    #[default]
    Referee,
    /// The seat to move; if that is not one seat, the same as `Everyone`.
    Turn,
    /// Only what everyone sees.
    Everyone,
    /// The seat at this place.
    Seat(usize),
}

impl Perspective {
    /// The viewer, unless everything is shown. Nobody's turn is known here, so `Turn` shows what everyone sees.
    pub(crate) fn viewer(self) -> Option<Viewer> {
        match self {
            Perspective::Referee => None,
            Perspective::Turn | Perspective::Everyone => Some(Viewer::Everyone),
            Perspective::Seat(seat) => Some(Viewer::Seat(seat)),
        }
    }
}

pub(crate) fn play(
    shelf: &mut Shelf,
    rules: &Rules,
    text: &str,
    perspective: Perspective,
) -> Value {
    let game = game!(shelf, rules);
    let secrets = game.has_secrets();
    let mut told = match fed(shelf, &game, rules, text) {
        Ok((mut session, refused)) => {
            let viewer = viewer(&mut session, perspective).filter(|_| secrets);
            let seats = session.seats();
            let all = hands(&session.values());
            let mut told = match viewer {
                None => stands(shelf, &game, &mut session, refused.as_ref(), text),
                Some(viewer) => {
                    let seen = game!(shelf, rules, Some(viewer));
                    match fed(shelf, &seen, rules, text) {
                        Ok((mut session, refused)) => {
                            stands(shelf, &seen, &mut session, refused.as_ref(), text)
                        }
                        Err(told) => told,
                    }
                }
            };
            let seen = std::mem::take(&mut told["hands"]);
            told["hands"] = all.into_iter().map(|hand| as_seen(hand, &seen)).collect();
            told["seats"] = json!(seats);
            told["viewer"] = match viewer {
                None => Value::Null,
                Some(Viewer::Everyone) => json!("everyone"),
                Some(Viewer::Seat(seat)) => json!({ "seat": seat }),
            };
            told
        }
        Err(told) => told,
    };
    told["secrets"] = secrets.into();
    told
}

/// A session that has read a transcript, and the error that stopped it; or the error that kept it from starting.
fn fed<'g>(
    shelf: &Shelf,
    game: &'g Game,
    rules: &Rules,
    text: &str,
) -> Result<(Session<'g>, Option<Value>), Value> {
    let session = game.session(rules.form.as_deref(), TRANSCRIPT);
    let mut session =
        session.map_err(|failure| json!({ "failed": failed(shelf, &failure, text) }))?;
    for (number, line) in text.lines().enumerate() {
        if let Err(refusal) = session.feed(line) {
            let mut told = failed(shelf, &refusal.failure, text);
            told["line"] = (number + 1).into();
            return Ok((session, Some(told)));
        }
    }
    Ok((session, None))
}

/// The viewer, unless everything is shown.
fn viewer(session: &mut Session<'_>, perspective: Perspective) -> Option<Viewer> {
    if perspective != Perspective::Turn {
        return perspective.viewer();
    }
    let seat = match session.deciders().unwrap_or_default().as_slice() {
        [Decider::Seat(seat)] => session.seat(seat),
        _ => None,
    };
    Some(seat.map_or(Viewer::Everyone, Viewer::Seat))
}

/// How a session stands, in a word.
pub(crate) fn stage(session: &Session<'_>) -> &'static str {
    match session.stage() {
        Stage::Between => "between",
        Stage::Playing => "playing",
        Stage::Complete => "complete",
    }
}

/// The states that are sets, bags or piles, each with what is in it; one for each key where they are maps of these.
pub(crate) fn hands(values: &Entries) -> Vec<Value> {
    let hand = |state: &str, of: Option<&str>, value: &stream::Value| match value {
        stream::Value::List(items) => Some(json!({ "state": state, "of": of, "items": items })),
        _ => None,
    };
    let hands = values.0.iter().flat_map(|(state, value)| match value {
        stream::Value::Entries(Entries(entries)) => {
            let hands = entries
                .iter()
                .filter_map(|(key, value)| hand(state, Some(key), value));
            hands.collect::<Vec<_>>()
        }
        _ => hand(state, None, value).into_iter().collect(),
    });
    hands.collect()
}

/// A hand as it is among the visible ones; if it is not there, only the number of its things.
fn as_seen(mut hand: Value, seen: &Value) -> Value {
    let is_it = |one: &&Value| one["state"] == hand["state"] && one["of"] == hand["of"];
    let seen = seen.as_array().and_then(|all| all.iter().find(is_it));
    if let Some(seen) = seen {
        return seen.clone();
    }
    hand["items"] = hand["items"].as_array().map_or(0, Vec::len).into();
    hand
}

/// How a session stands.
fn stands(
    shelf: &Shelf,
    game: &Game,
    session: &mut Session<'_>,
    refused: Option<&Value>,
    text: &str,
) -> Value {
    let stage = session.stage();
    let expected = match session.expected() {
        Ok(expected) => json!(expected),
        Err(failure) => json!({ "failed": failed(shelf, &failure, text) }),
    };
    let moves = match (stage, session.open().is_empty()) {
        (Stage::Playing, true) => match session.moves(&[], false) {
            Ok(moves) => json!(moves),
            Err(failure) => json!({ "failed": failed(shelf, &failure, text) }),
        },
        _ => Value::Null,
    };
    json!({
        "report": session.report(),
        "stage": self::stage(session),
        "open": session.open(),
        "states": session.states(),
        "hands": hands(&session.values()),
        "boards": session.pictures(),
        "whose": game.first_state_of_a_kind(),
        "expected": expected,
        "moves": moves,
        "failed": refused,
    })
}
