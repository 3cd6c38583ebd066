//! Commands at the table, which are no part of the game.

use std::path::Path;

use referee::{
    explanation::{DEPTH_OF_SENTENCES, Effect, Event, Explanation, Query},
    failure::Failure,
    game::{Decider, Move, Stage, Verdict},
};

use super::{
    super::{
        error::Result,
        moves::{collapsed, takes},
        why::{DEPTH_OF_TRACE, is_name, is_word},
    },
    record::{Record, record_of},
    seating::Origin,
    table::Table,
};

/// The names of all commands.
pub(super) const COMMANDS: [&str; 11] = [
    "?", "moves", "why", "why ", "why not ", "undo", "state", "as ", "save", "quit", "help",
];

/// The help for all commands.
pub(super) const HELP: &str = "\
?, moves     what may come now
why          why the last line did what it did, or was refused
why X        the value of X now, and why: a fact, a state or an expression
why not X    why X may not come, or why a fact or row called X does not hold
             Add `--trace` to any of these to see every row and value behind the answer
undo         takes back the last line, and what happened after it by itself
state        the state of the game
as NAME      what NAME sees, until something happens
save [FILE]  says where the transcript is; with FILE, writes it there, and keeps it there from now on
quit         ends; to go on later, play the same file again
Anything else you type is the next line of the transcript, and so is every line that begins with a blank. Tab completes it.";

/// Asks for all rows behind an answer, as on the command line.
const TRACE: &str = "--trace";

/// How detailed an answer is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Detail {
    /// A few sentences.
    Sentences,
    /// Every row and value.
    Rows,
}

/// The number of moves that are listed at most.
const MOST_MOVES: usize = 60;

impl Table<'_, '_> {
    /// Runs a command, if the line is one. Returns whether to read another line.
    pub(super) fn command(&mut self, line: &str) -> Result<Option<bool>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let traced = rest.strip_suffix(TRACE).filter(|_| word == "why");
        self.detail = if traced.is_some() {
            Detail::Rows
        } else {
            Detail::Sentences
        };
        let rest = traced.map_or(rest, str::trim_end);
        match (word.trim_end(), rest) {
            ("?" | "moves", "") => self.list()?,
            ("help", "") => self.say(HELP),
            ("why", "") => self.why()?,
            ("why", "not") => self.say("Say what: `why not LINE`, or `why not X`."),
            ("why", rest) if rest.starts_with("not ") => self.why_not(rest)?,
            ("why", what) => self.why_value(unquoted(what.strip_prefix("of ").unwrap_or(what)))?,
            ("as", seat) if !seat.is_empty() => match self.session.seat(seat) {
                Some(place) => self.ask_for(place, seat)?,
                None => return Ok(None),
            },
            ("undo", "") => self.undo()?,
            ("state", "") => self.state()?,
            ("save", path) => self.save(path),
            ("quit" | "exit", "") => return Ok(Some(false)),
            _ => return Ok(None),
        }
        Ok(Some(true))
    }

    /// Lists what is possible now.
    fn list(&mut self) -> Result<()> {
        let expected = match self.seen()?.expected() {
            Ok(expected) => expected,
            Err(failure) => {
                self.told(&failure);
                return Ok(());
            }
        };
        let mut lines = Vec::new();
        for expected in &expected {
            let name = expected.event.as_ref();
            let name = name.map_or(String::new(), |name| format!(" ({name})"));
            lines.push(match &expected.untimely {
                Some(why) => format!("`{}`{name} cannot come now: {why}", expected.written),
                None => format!("`{}`{name}", expected.written),
            });
            if expected.untimely.is_none() {
                lines.extend(
                    expected
                        .holes
                        .iter()
                        .map(|hole| format!("  {}", takes(hole))),
                );
            }
        }
        if self.session.stage() == Stage::Playing {
            match self.seen()?.moves(&[], false) {
                Ok(moves) => {
                    let is_illegal =
                        |found: &Move| matches!(found.verdict, Verdict::Illegal { .. });
                    let (illegal, legal): (Vec<Move>, Vec<Move>) =
                        moves.moves.into_iter().partition(is_illegal);
                    let written = |moves: Vec<Move>| -> Vec<String> {
                        moves.into_iter().map(|found| found.written).collect()
                    };
                    let (illegal, written) = (written(illegal), written(legal));
                    let mut listed = collapsed(&written);
                    let left = listed.len().saturating_sub(MOST_MOVES);
                    listed.truncate(MOST_MOVES);
                    // Patterns with infinitely many values are listed above.
                    let endless = moves.patterns.into_iter().filter(|_| !written.is_empty());
                    listed.extend(endless.map(|pattern| format!("`{}`", pattern.written)));
                    if !listed.is_empty() {
                        lines.push(format!("Now: {}", listed.join(", ")));
                    }
                    if left > 0 {
                        lines.push(format!("and {left} more"));
                    }
                    let mut illegal = collapsed(&illegal);
                    illegal.truncate(MOST_MOVES);
                    if !illegal.is_empty() {
                        lines.push(format!("Illegal: {}", illegal.join(", ")));
                    }
                }
                // An unfinished line has to be completed first, as was said before.
                Err(_) if !self.session.open().is_empty() => {}
                Err(failure) => {
                    self.told(&failure);
                    return Ok(());
                }
            }
        }
        if lines.is_empty() {
            lines.push("Nothing more is expected: `undo`, `why` or `quit`.".to_string());
        }
        self.say(&lines.join("\n"));
        Ok(())
    }

    /// Explains the last line, accepted or refused. Of the accepted ones, the last that a seat played: what chance drew
    /// after it needs no reason.
    fn why(&mut self) -> Result<()> {
        let query = Query {
            depth: self.depth(),
            ..Query::default()
        };
        if let Some(line) = self.refused.clone() {
            let explained = self.seen()?.why_next(&line, &query);
            self.answer(explained);
            return Ok(());
        }
        let origins = self.origins.iter().rev();
        let drawn = origins.take_while(|origin| **origin == Origin::Chance);
        let drawn = drawn.count();
        let lines = self.session.transcript().lines().count();
        let before = Query {
            line: lines.checked_sub(drawn).filter(|_| drawn > 0),
            ..query.clone()
        };
        let seen = self.seen()?;
        // Before the first event of a game, there is only what chance drew.
        let explained = seen.why(&before).or_else(|_| seen.why(&query));
        self.answer(explained);
        Ok(())
    }

    /// Explains the current value of something.
    fn why_value(&mut self, what: &str) -> Result<()> {
        let query = Query {
            depth: self.depth(),
            of: Some(what.to_string()),
            ..Query::default()
        };
        let explained = self.seen()?.why(&query);
        self.answer(explained);
        Ok(())
    }

    /// Shows an explanation, or why there is none.
    fn answer(&self, explained: std::result::Result<Explanation, Failure>) {
        match explained {
            Ok(explanation) => {
                self.explained(&explanation);
            }
            Err(failure) => self.told(&failure),
        }
    }

    /// Explains why something is not possible or does not hold.
    fn why_not(&mut self, rest: &str) -> Result<()> {
        let what = unquoted(rest.strip_prefix("not ").unwrap_or(rest).trim());
        let expected = self.seen()?.expected().unwrap_or_default();
        // What is possible now takes precedence.
        let mut events = expected.iter();
        if let Some(event) = events.find(|one| one.event.as_deref() == Some(what)) {
            let written = &event.written;
            // Whether it may come can rest on what only the seat whose choice it is sees.
            let decider = self.session.decider_of_event(what);
            if self.is_choice_of_another(decider) {
                return Ok(());
            }
            let Some(reason) = &event.untimely else {
                self.say(&format!("`{written}` may come now"));
                return Ok(());
            };
            self.say(&format!("`{written}` cannot come now: {reason}"));
            // If the guard forbids it, its values say more.
            let query = Query {
                depth: self.depth(),
                of: Some(what.to_string()),
                ..Query::default()
            };
            let fails = |told: &Explanation| {
                let answer = told.answer.as_ref();
                answer.is_some_and(|answer| answer.value.as_deref() == Some("no"))
            };
            if let Some(told) = self.seen()?.why(&query).ok().filter(fails) {
                self.explained(&told);
            }
            return Ok(());
        }
        if self.is_of_another(what) {
            return Ok(());
        }
        let query = Query {
            depth: self.depth(),
            not: Some(what.to_string()),
            ..Query::default()
        };
        if !self.is_line(what)? {
            match self.seen()?.why(&query) {
                Ok(explanation) => {
                    self.explained(&explanation);
                    return Ok(());
                }
                // A word that is no line, nor near to one, is a name.
                Err(unknown @ Failure::NoName(_))
                    if is_word(what) && !self.is_like_line(what)? =>
                {
                    self.told(&unknown);
                    return Ok(());
                }
                Err(Failure::NoName(_) | Failure::NotPlaying(_)) => {}
                Err(failure) => {
                    self.told(&failure);
                    return Ok(());
                }
            }
        }
        // What is no name in the rules is taken for a line.
        if !self.is_own_move() {
            self.say("only the seat whose move it is can ask that");
            return Ok(());
        }
        if self.session.feed(what).is_ok() {
            self.session.undo();
            let query = Query { not: None, ..query };
            let mut told = self.seen()?.why_next(what, &query).ok();
            // A refused or illegal line is explained as a line.
            let is_wrong = |event: &Event| is_refused(event) || !event.illegal.is_empty();
            match told.take_if(|told| told.events.iter().any(is_wrong)) {
                Some(told) => self.explained(&told),
                None => self.say(&format!("`{what}` may come now")),
            }
            return Ok(());
        }
        let refused = self.refused.replace(what.to_string());
        self.why()?;
        self.refused = refused;
        Ok(())
    }

    /// Says that what this seat decides is another seat's choice.
    pub(super) fn is_choice_of_another(&mut self, decider: Option<Decider>) -> bool {
        match decider {
            Some(Decider::Seat(name)) if self.views.differ() && !self.looks(&name) => {
                self.say(&format!("only {name} may do that: type `as {name}` first"));
                true
            }
            _ => false,
        }
    }

    /// Whether this is a line that the seat whose move it is could enter now.
    fn is_line(&mut self, what: &str) -> Result<bool> {
        if is_name(what) || !self.is_own_move() {
            return Ok(false);
        }
        let told = self.seen()?.why_next(what, &Query::default());
        Ok(told.is_ok_and(|told| told.is_read()))
    }

    /// Whether this is a line that the seat whose move it is could mean now.
    fn is_like_line(&mut self, what: &str) -> Result<bool> {
        if !self.is_own_move() {
            return Ok(false);
        }
        let told = self.seen()?.why_next(what, &Query::default());
        Ok(told.is_ok_and(|told| told.is_read() || told.is_near()))
    }

    /// Takes back the last typed line, and everything that was played after it.
    fn undo(&mut self) -> Result<()> {
        let (mut first, mut count) = (None, 0);
        while let Some(gone) = self.session.undo() {
            first = Some(gone);
            count += 1;
            if matches!(self.origins.pop(), None | Some(Origin::Typed)) {
                break;
            }
        }
        let Some(first) = first else {
            self.say("there is nothing to take back");
            return Ok(());
        };
        (self.failed, self.asking) = (false, None);
        self.told = self.session.over();
        self.refused = None;
        record_of(&mut self.record, self.session.transcript(), true)?;
        let followed = if count > 1 {
            " and what followed it"
        } else {
            ""
        };
        // What was typed may be hidden from the next viewer.
        let line = if self.views.differ() {
            "the last line that was typed".to_string()
        } else {
            format!("`{}`", first.trim_end())
        };
        self.say(&format!("took back {line}{followed}"));
        if self.views.differ() {
            return Ok(());
        }
        self.show_state()
    }

    /// Shows the state.
    fn state(&mut self) -> Result<()> {
        let states = self.seen()?.states();
        let lines = states
            .into_iter()
            .map(|(name, value)| match value.as_str() {
                "" => format!("{name}: nothing"),
                value if value.contains('\n') => format!("{name}:\n{value}"),
                value => format!("{name}: {value}"),
            });
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            self.say("no game has begun");
            return Ok(());
        }
        self.say(&lines.join("\n"));
        Ok(())
    }

    /// Says where the transcript is saved, or starts to save it elsewhere.
    fn save(&mut self, path: &str) {
        if path.is_empty() {
            match &self.record {
                Some(record) => self.say(&format!("each line is in {}", record.path().display())),
                None => self.say("name a file: `save FILE`"),
            }
            return;
        }
        if Path::new(path).exists() {
            return self.say(&format!("`{path}` already exists: name another file"));
        }
        let saved = Record::made(Path::new(path)).and_then(|mut record| {
            record.write(self.session.transcript())?;
            Ok(record)
        });
        match saved {
            Ok(record) => {
                self.record = Some(record);
                self.say(&format!("each line is in {path}"));
            }
            // The game is still saved where it was before.
            Err(error) => error.show(self.screen),
        }
    }

    /// How deeply an answer explains facts within facts.
    fn depth(&self) -> usize {
        match self.detail {
            Detail::Rows => DEPTH_OF_TRACE,
            Detail::Sentences => DEPTH_OF_SENTENCES,
        }
    }

    fn explained(&self, explanation: &Explanation) {
        let colour = self.screen.colour;
        let text = match self.detail {
            Detail::Rows => explanation.trace(colour),
            Detail::Sentences => explanation.draw(colour),
        };
        self.screen.say(text.trim_end());
    }

    fn told(&self, failure: &Failure) {
        self.screen.say(&failure.draw(self.screen.colour));
    }
}

/// Whether an event was refused.
fn is_refused(event: &Event) -> bool {
    let mut effects = event.effects.iter();
    effects.any(|effect| matches!(effect, Effect::Refused { .. }))
}

/// A text without the quotes around it. A player may put quotes around a line of the report.
fn unquoted(text: &str) -> &str {
    let inside = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inside
        .filter(|inside| !inside.contains('"'))
        .unwrap_or(text)
}
