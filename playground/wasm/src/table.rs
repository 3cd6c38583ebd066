//! What the JavaScript package asks: of a game, and of sessions that stay open between two questions.
//!
//! A session points into its game, which therefore stays as long as the WebAssembly does. The package has an instance of
//! it for each game, so that both go together.

use std::collections::BTreeMap;

use referee::{
    diagnostic::{Colour, Data},
    explanation::{DEPTH_OF_SENTENCES, Explanation, Query},
    failure::Failure,
    game::{self, Game, Invalid, Session, Unloaded},
    library::Missing,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    play::{hands, stage},
    rules::{Rules, Shelf, TRANSCRIPT},
    run::reported,
};

/// What is asked about a line.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct About {
    line: Option<usize>,
    event: Option<usize>,
    not: Option<String>,
    depth: Option<usize>,
}

/// What is done with a session, or asked of it.
#[derive(Debug, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub(crate) enum Act {
    Feed {
        lines: String,
    },
    End,
    Undo,
    /// All that it knows without working anything out.
    Look,
    States,
    Expected,
    Deciders,
    Moves {
        #[serde(default)]
        events: Vec<String>,
        #[serde(default)]
        illegal: bool,
    },
    Choose {
        policy: Option<String>,
        #[serde(default)]
        seed: u64,
    },
    Drawn {
        #[serde(default)]
        line: String,
        #[serde(default)]
        seed: u64,
    },
    Why {
        #[serde(flatten)]
        about: About,
        /// A line that would come next.
        next: Option<String>,
    },
    Leave,
}

/// The sessions that are open, and their games.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    games: Vec<(Rules, &'static Game)>,
    sessions: BTreeMap<u32, Session<'static>>,
    last: u32,
}

/// What went wrong, as JSON: its kind, the diagnostics, and both drawn as the command draws them.
fn error(kind: &str, diagnostics: &[Data], text: &str, report: &str) -> Value {
    json!({ "error": { "kind": kind, "diagnostics": diagnostics, "text": text, "report": report } })
}

fn invalid(kind: &str, invalid: &Invalid) -> Value {
    let found = invalid.diagnostics.iter();
    let found: Vec<Data> = found.map(|one| one.to_data(&invalid.sources)).collect();
    error(kind, &found, &invalid.draw(Colour::Never), "")
}

fn unloaded(unloaded: &Unloaded) -> Value {
    match unloaded {
        Unloaded::Missing(missing) => {
            let kind = match missing {
                Missing::NotText { .. } => "rules",
                Missing::Unknown { .. } | Missing::Unreadable { .. } => "usage",
            };
            let message = missing.to_string();
            let mut text = format!("error: {message}");
            for help in missing.help() {
                text.push_str("\n  = help: ");
                text.push_str(&help);
            }
            let data = Data::placeless("no-game", message, missing.help());
            error(kind, &[data], &text, "")
        }
        Unloaded::Variants(found) | Unloaded::Settings(found) => invalid("usage", found),
        Unloaded::Rules(found) => invalid("rules", found),
    }
}

fn failed(failure: &Failure, report: &str) -> Value {
    let kind = match failure {
        Failure::Transcript(_) | Failure::Input(_) | Failure::Output(_) => "transcript",
        Failure::Rules(_) => "rules",
        Failure::Bound(_) => "bound",
        Failure::NoTranscript(_) | Failure::NotPlaying(_) | Failure::NoName(_) => "usage",
    };
    let data = failure
        .report()
        .map(|told| told.diagnostic.to_data(&told.sources));
    let data: Vec<Data> = data.into_iter().collect();
    error(kind, &data, &failure.draw(Colour::Never), report)
}

impl About {
    fn query(self, form: Option<String>) -> Query {
        Query {
            form,
            line: self.line,
            event: self.event,
            not: self.not,
            depth: self.depth.unwrap_or(DEPTH_OF_SENTENCES),
            ..Query::default()
        }
    }
}

fn explained(told: Result<Explanation, Failure>) -> Value {
    match told {
        Ok(told) => json!({ "told": told, "drawn": told.draw(Colour::Never) }),
        Err(failure) => failed(&failure, ""),
    }
}

/// What a game is.
pub(crate) fn load(shelf: &mut Shelf, rules: &Rules) -> Value {
    let game = match shelf.loaded(rules) {
        Ok(game) => game,
        Err(wrong) => return unloaded(&wrong),
    };
    let options = game.options().into_iter().map(|option| {
        json!({
            "name": option.name, "type": option.ty, "value": option.value,
            "default": option.default, "meaning": option.meaning,
        })
    });
    let warnings = game.warnings().iter();
    json!({
        "name": game.name(),
        "title": game.title(),
        "variants": game.applied(),
        "forms": game.transcripts(),
        "options": options.collect::<Vec<_>>(),
        "events": game.events(),
        "policies": game.policies(),
        "warnings": warnings.map(|one| one.to_data(game.sources())).collect::<Vec<_>>(),
    })
}

/// The report on a transcript, and the line of the transcript that each line of it comes from.
pub(crate) fn report(shelf: &mut Shelf, rules: &Rules, text: &str) -> Value {
    let game = match shelf.loaded(rules) {
        Ok(game) => game,
        Err(wrong) => return unloaded(&wrong),
    };
    let (report, lines, failure) = reported(&game, rules.form.as_deref(), text);
    match failure {
        None => json!({ "report": report, "lines": lines }),
        Some(failure) => failed(&failure, &report),
    }
}

pub(crate) fn explain(shelf: &mut Shelf, rules: &Rules, text: &str, about: About) -> Value {
    match shelf.loaded(rules) {
        Ok(game) => {
            let query = about.query(rules.form.clone());
            explained(game.explain(&query, TRANSCRIPT, text.as_bytes()))
        }
        Err(wrong) => unloaded(&wrong),
    }
}

pub(crate) fn moves(
    shelf: &mut Shelf,
    rules: &Rules,
    text: &str,
    (line, events, illegal): (Option<usize>, Vec<String>, bool),
) -> Value {
    let query = game::MovesQuery {
        form: rules.form.clone(),
        line,
        events,
        illegal,
    };
    match shelf.loaded(rules) {
        Ok(game) => match game.moves(&query, TRANSCRIPT, &mut text.as_bytes()) {
            Ok(moves) => json!(moves),
            Err(failure) => failed(&failure, ""),
        },
        Err(wrong) => unloaded(&wrong),
    }
}

/// Begins a session; gives the number that it is asked by.
pub(crate) fn sit(shelf: &mut Shelf, rules: &Rules) -> Value {
    let known = shelf.tables.games.iter().find(|(known, _)| known == rules);
    let game = match known {
        Some((_, game)) => *game,
        None => match shelf.load(rules) {
            Ok(game) => {
                let game: &'static Game = Box::leak(Box::new(game));
                shelf.tables.games.push((rules.clone(), game));
                game
            }
            Err(wrong) => return unloaded(&wrong),
        },
    };
    match game.session(rules.form.as_deref(), TRANSCRIPT) {
        Ok(session) => {
            let tables = &mut shelf.tables;
            tables.last += 1;
            tables.sessions.insert(tables.last, session);
            json!({ "session": tables.last })
        }
        Err(failure) => failed(&failure, ""),
    }
}

/// Does something with a session, or asks it.
pub(crate) fn at(shelf: &mut Shelf, number: u32, act: Act) -> Value {
    let sessions = &mut shelf.tables.sessions;
    let Some(session) = sessions.get_mut(&number) else {
        let message = "the session is closed".to_string();
        let data = Data::placeless("no-session", message.clone(), Vec::new());
        return error("usage", &[data], &format!("error: {message}"), "");
    };
    let answer: Result<Value, Failure> = match act {
        Act::Feed { lines } => match session.feed(&lines) {
            Ok(said) => Ok(json!({ "said": said })),
            Err(refusal) => return failed(&refusal.failure, &refusal.report),
        },
        Act::End => match session.end() {
            Ok(said) => Ok(json!({ "said": said })),
            Err(refusal) => return failed(&refusal.failure, &refusal.report),
        },
        Act::Undo => Ok(json!({ "lines": session.undo() })),
        Act::Look => Ok(json!({
            "stage": stage(session),
            "games": session.games(),
            "steps": session.steps(),
            "report": session.report(),
            "transcript": session.transcript(),
            "open": session.open(),
            "outcome": session.outcome(),
        })),
        Act::States => {
            let values = session.values();
            Ok(json!({
                "state": values,
                "written": session.states(),
                "hands": hands(&values),
                "boards": session.pictures(),
            }))
        }
        Act::Expected => session.expected().map(|told| json!(told)),
        Act::Deciders => session.deciders().map(|told| json!(told)),
        Act::Moves { events, illegal } => session.moves(&events, illegal).map(|told| json!(told)),
        Act::Choose { policy, seed } => {
            let chosen = session.choose(policy.as_deref(), seed);
            chosen.map(|line| json!({ "line": line }))
        }
        Act::Drawn { line, seed } => Ok(json!({ "line": session.drawn(&line, seed) })),
        Act::Why { about, next } => {
            let query = about.query(None);
            return explained(match next {
                Some(line) => session.why_next(&line, &query),
                None => session.why(&query),
            });
        }
        Act::Leave => {
            sessions.remove(&number);
            Ok(Value::Null)
        }
    };
    answer.unwrap_or_else(|failure| failed(&failure, ""))
}

/// What is wrong with a text that is a rule file, and with the game that is made of it.
pub(crate) fn verdict(shelf: &mut Shelf, rules: &Rules) -> Value {
    shelf.open(&rules.files);
    let mut found: Vec<Data> = Vec::new();
    for file in rules.files.keys() {
        found.extend(shelf.workspace.check(file));
    }
    if let Err(Unloaded::Rules(wrong) | Unloaded::Variants(wrong) | Unloaded::Settings(wrong)) =
        shelf.loaded(rules)
    {
        let wrong_too = wrong.diagnostics.iter();
        found.extend(wrong_too.map(|one| one.to_data(&wrong.sources)));
    }
    let mut each: Vec<Data> = Vec::new();
    for one in found {
        if !each.contains(&one) {
            each.push(one);
        }
    }
    json!(each)
}
