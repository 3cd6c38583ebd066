//! What is asked of a line besides what happened on it: an expression, a rule of a policy; or the line itself, without
//! one of the rows.

use crate::{
    code::explain::Visible,
    diagnostic::Code,
    explanation::{self as data, Ask, Explanation, Sort},
    failure::{Failure, Report},
    game::{
        Game,
        questions::{MOST_CHOICES, Wanted, meanings},
    },
    types::Type,
};

/// Whether an expression that was asked mentions nothing, and is not yes or no.
fn is_constant(told: &Explanation) -> bool {
    let asked = told.events.iter().filter_map(|event| event.asked.as_ref());
    let mut asked = asked.chain(&told.asked);
    asked.all(|asked| {
        let causes = asked
            .causes
            .iter()
            .map(|cause| (&cause.values, &cause.facts));
        let unfired = asked.unfired.iter().map(|row| (&row.values, &row.facts));
        let mut mentioned = causes.chain(unfired);
        let is_yes_no = matches!(asked.value.as_deref(), Some("yes" | "no"));
        !is_yes_no && mentioned.all(|(values, facts)| values.is_empty() && facts.is_empty())
    })
}

impl Game {
    /// What is asked of a line that is an expression: after it, or in the events on it if it speaks of them. It may also
    /// be a name.
    pub(super) fn explained_of(
        &self,
        of: &str,
        ask: &Ask,
        name: &str,
        transcript: &[u8],
    ) -> Result<Explanation, Failure> {
        let plain = Ask {
            of: None,
            not: None,
            ..ask.clone()
        };
        let (told, words) = self.explained(&plain, name, transcript, None)?;
        let mut events = events_of(&told);
        events.insert(0, None);
        let found = self.explained_by(of, (&events, &words), &plain, name, transcript);
        if let Err(failure @ Failure::Bound(_)) = found {
            return Err(failure);
        }
        if let Ok(Some(told)) = found {
            let asked = (&*events, &*words);
            let entry = is_constant(&told).then(|| self.entry(of, asked, &plain, name, transcript));
            let mut told = without_others(entry.flatten().unwrap_or(told));
            if told.asked.is_some() {
                told.events = self.kept(of, &plain, name, transcript);
            }
            return Ok(told);
        }
        if let Some(guard) = self.guard_of(of) {
            let told = self.explained_by(&guard, (&[None], &words), &plain, name, transcript);
            if let Ok(Some(told)) = told {
                return Ok(without_others(told));
            }
        }
        let named = Ask {
            not: Some(of.to_string()),
            ..plain.clone()
        };
        let told = match self.explained(&named, name, transcript, None) {
            Err(Failure::NoName(unknown)) => {
                let told = self.explained_rule(of, &named, name, transcript, unknown);
                // What is wrong with an expression says more than that it is no name.
                match (told, found) {
                    (Err(Failure::NoName(_)), Err(failure)) => return Err(failure),
                    (told, _) => told?,
                }
            }
            told => told?.0,
        };
        Ok(without_others(told))
    }

    /// The last event and the reason, if its rules give a state the value that it had before.
    fn kept(&self, state: &str, ask: &Ask, name: &str, transcript: &[u8]) -> Vec<data::Event> {
        let mut states = self.program.states.iter();
        if ask.line.is_none() || states.all(|one| one.name != state) {
            return Vec::new();
        }
        let named = Ask {
            not: Some(state.to_string()),
            ..ask.clone()
        };
        let Ok((told, _)) = self.explained(&named, name, transcript, None) else {
            return Vec::new();
        };
        let last = without_others(told).events.pop();
        let is_kept = |event: &data::Event| {
            let asked = event.asked.as_ref();
            asked.is_some_and(|asked| asked.sort == Sort::Change && !asked.happened)
        };
        last.filter(is_kept).into_iter().collect()
    }

    /// Why something did not happen that is no name of an event: a rule of a policy, or an expression.
    pub(super) fn explained_rule(
        &self,
        not: &str,
        ask: &Ask,
        name: &str,
        transcript: &[u8],
        unknown: Box<Report>,
    ) -> Result<Explanation, Failure> {
        let plain = Ask {
            of: None,
            not: None,
            ..ask.clone()
        };
        let (told, words) = self.explained(&plain, name, transcript, None)?;
        let mut ruled = told.clone();
        for event in &mut ruled.events {
            event.asked = event.by.rule(not);
        }
        if ruled.events.iter().all(|event| event.asked.is_none()) {
            for event in &mut ruled.events {
                event.asked = self.later_rule(&event.by, not);
            }
        }
        ruled.events.retain(|event| event.asked.is_some());
        if !ruled.events.is_empty() {
            return Ok(ruled);
        }
        // What became of an entry that changes is asked for, not what it was.
        let mut effects = told.events.iter().flat_map(|event| &event.effects);
        let entry = super::without_new(not);
        let changes = |effect: &data::Effect| matches!(effect, data::Effect::Changed { name, .. } if name == entry);
        if effects.any(changes) {
            return self.explained_of(entry, &plain, name, transcript);
        }
        let mut events = events_of(&told);
        let guard = self.guard_of(not);
        // An expression about the state is asked after the line, and whether an event may come before it.
        if guard.is_none() {
            events.insert(0, None);
        }
        let text = guard.as_deref().unwrap_or(not);
        let found = self.explained_by(text, (&events, &words), &plain, name, transcript);
        let found = found.map(|told| told.map(|told| self.over_the_state(told, text, &words)));
        if guard.is_some() {
            let told = found?.ok_or(Failure::NoName(unknown))?;
            return Ok(called(told, &format!("{not} may come")));
        }
        let is_name = not
            .chars()
            .all(|sign| sign.is_alphanumeric() || sign == '_' || sign == '.');
        match found {
            // That a value is that value explains nothing.
            Ok(Some(told)) if !is_name || !is_constant(&told) => Ok(told),
            // A line that is not said need not be an expression.
            Err(Failure::NoName(wrong)) if is_name || is_malformed(&wrong) => {
                Err(Failure::NoName(unknown))
            }
            Err(failure) => Err(failure),
            Ok(_) => Err(Failure::NoName(unknown)),
        }
    }

    /// The answer about a rule of a policy that comes after the one which chose.
    fn later_rule(&self, by: &data::By, name: &str) -> Option<data::Asked> {
        let (policy, decision, short) = by.policy_row(name)?;
        let mut policies = self.program.policies.iter();
        let rows = &policies.find(|one| one.name == policy)?.rows;
        let row = rows.iter().find(|row| row.label == short)?;
        let place = self.sources.position(row.span);
        let mut asked = data::Asked::new(format!("{policy}.{short}"), Sort::Rule);
        asked.unfired.push(data::Unfired {
            row: Some(short.to_string()),
            file: self.sources.get(row.span.source)?.name.clone(),
            at: place.line,
            failed: data::Failed::Earlier {
                row: decision.chosen.row.clone().unwrap_or_default(),
            },
            written: String::new(),
            values: Vec::new(),
            facts: Vec::new(),
            seen: Visible::All,
        });
        Some(asked)
    }

    /// What is asked of a line that cannot be read, whose state is that before it: what the guard of an event of that name
    /// rests on, or an expression; the line alone where it is neither.
    pub(super) fn answered_where_stopped(
        &self,
        not: &str,
        (told, words): (Explanation, &[(String, String)]),
        ask: &Ask,
        name: &str,
        transcript: &[u8],
    ) -> Explanation {
        let plain = Ask {
            of: None,
            not: None,
            ..ask.clone()
        };
        let guard = self.guard_of(not);
        let text = guard.as_deref().unwrap_or(not);
        match self.explained_by(text, (&[None], words), &plain, name, transcript) {
            Ok(Some(answer)) if guard.is_some() => called(answer, &format!("{not} may come")),
            Ok(Some(answer)) => answer,
            _ => told,
        }
    }

    /// With a line of an event that cannot come now, what its guard rests on.
    pub(super) fn with_guard(
        &self,
        (mut told, words): (Explanation, Vec<(String, String)>),
        ask: &Ask,
        name: &str,
        transcript: &[u8],
    ) -> Explanation {
        let untimely = told.stopped.as_ref();
        let untimely = untimely.and_then(|stopped| stopped.untimely.as_deref());
        if let Some(guard) = untimely.and_then(|event| self.guard_of(event))
            && let Ok(Some(answer)) =
                self.explained_by(&guard, (&[None], &words), ask, name, transcript)
        {
            told.asked = answer.asked;
        }
        told
    }

    /// Marks an answer to an expression whose value is that before the event.
    fn over_the_state(
        &self,
        mut told: Explanation,
        text: &str,
        words: &[(String, String)],
    ) -> Explanation {
        let wanted = Wanted {
            number: 0,
            text,
            event: None,
            new: false,
            with: &[],
            choice: 0,
        };
        let mut named = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let is_new = named.any(|word| word == "new");
        let before = !is_new && self.with_expressions(&[wanted], words).is_ok();
        let asked = told
            .events
            .iter_mut()
            .filter_map(|event| event.asked.as_mut());
        asked.for_each(|asked| asked.before = before);
        told
    }

    /// Whether a state, a given, an option or a fact is called so: it is asked for itself.
    fn is_named(&self, name: &str) -> bool {
        let program = &self.program;
        let name = name.strip_prefix("new ").unwrap_or(name);
        program.states.iter().any(|one| one.name == name)
            || program.givens.iter().any(|one| one.name == name)
            || program.options.iter().any(|one| one.name == name)
            || program.facts.iter().any(|one| one.name == name)
    }

    /// The answer if a point of a grid or a record is asked for by itself: its entry in the state that has such keys, if
    /// there is only one.
    fn entry(
        &self,
        of: &str,
        asked: (&[Option<String>], &[(String, String)]),
        ask: &Ask,
        name: &str,
        transcript: &[u8],
    ) -> Option<Explanation> {
        if !of.starts_with(char::is_alphabetic) || self.is_named(of) {
            return None;
        }
        let states = self.program.states.iter();
        let mut told = states.filter_map(|state| {
            let text = format!("{} of {of}", state.name);
            let told = matches!(state.parameters.as_slice(), [Type::Product(_)])
                .then(|| self.explained_by(&text, asked, ask, name, transcript));
            told?.ok().flatten()
        });
        match (told.next(), told.next()) {
            (only, None) => only,
            _ => None,
        }
    }

    /// The answer to an expression in the first of some events in which it means something; nothing where all that is
    /// wrong with it is that it is a name of something else.
    pub(super) fn explained_by(
        &self,
        text: &str,
        (events, words): (&[Option<String>], &[(String, String)]),
        ask: &Ask,
        name: &str,
        transcript: &[u8],
    ) -> Result<Option<Explanation>, Failure> {
        let (mut wrong, mut valueless, mut is_in_event) = (None, None, false);
        let meanings = meanings(text, words);
        let choices = events.iter().flat_map(|event| {
            let meanings = meanings.iter();
            meanings
                .flat_map(move |text| (0..MOST_CHOICES).map(move |choice| (event, text, choice)))
        });
        for (event, meant, choice) in choices {
            let wanted = Wanted {
                number: 0,
                text: meant,
                event: event.as_deref(),
                new: false,
                with: &[],
                choice,
            };
            let game = match self.with_expressions(&[wanted], words) {
                Ok(game) => game,
                Err(unclear) => {
                    wrong.get_or_insert(unclear.invalid);
                    continue;
                }
            };
            let mut told = match game.explained(ask, name, transcript, Some(0)) {
                Ok((told, _)) => told,
                // It would take as much in any other event.
                Err(failure @ Failure::Bound(_)) => return Err(failure),
                Err(failure) => {
                    // What is wrong is told with the state before an event, so in an event it is told best.
                    if !is_in_event {
                        is_in_event = event.is_some();
                        valueless = Some(failure);
                    }
                    continue;
                }
            };
            for event in &mut told.events {
                if let Some(asked) = &mut event.asked {
                    asked.name_as(meant, text, words);
                }
            }
            if let Some(asked) = &mut told.asked {
                asked.name_as(meant, text, words);
                self.last_changed(asked, ask, name, transcript);
            }
            told = super::answer_alone(told);
            if told.asked.is_some() || !told.events.is_empty() {
                return Ok(Some(told));
            }
        }
        if let Some(failure) = valueless {
            return Err(failure);
        }
        let is_name = text.chars().all(|sign| !sign.is_whitespace());
        match wrong {
            Some(mut invalid) if !is_name && !invalid.diagnostics.is_empty() => {
                let diagnostic = invalid.diagnostics.swap_remove(0);
                Err(Failure::NoName(Report::new(invalid.sources, diagnostic)))
            }
            _ => Ok(None),
        }
    }

    /// Of state that is asked for: why it changed, on the line on which it did last.
    fn last_changed(&self, asked: &mut data::Asked, ask: &Ask, name: &str, transcript: &[u8]) {
        let (Some(line), Some(changed)) = (asked.since, asked.changed) else {
            return;
        };
        let until = ask.event.filter(|_| ask.line == Some(line));
        let ask = Ask {
            line: Some(line),
            event: None,
            column: None,
            ..ask.clone()
        };
        let Ok((told, _)) = self.explained(&ask, name, transcript, None) else {
            return;
        };
        // Of several changes on a line the last one made it what it is, by rows that may be told of another entry.
        let until = until.unwrap_or(usize::MAX);
        let is_it = |it: &data::Event| it.step == changed.step && it.number <= until;
        let effects = told.events.into_iter().filter(is_it);
        let effects = effects.flat_map(|event| event.effects);
        let state = &self.program.states[changed.state].name;
        let mut whole = Vec::new();
        let mut causes = None;
        for effect in effects {
            if let data::Effect::Changed {
                state: of,
                place,
                causes: own,
                new,
                ..
            } = effect
                && of == *state
            {
                if !own.is_empty() {
                    whole.clone_from(&own);
                }
                // What follows may change it again, after what is asked.
                let is_value = new.is_none() || new == asked.value;
                if place == changed.place && (is_value || causes.is_none()) {
                    causes = Some(if own.is_empty() { whole.clone() } else { own });
                }
            }
        }
        if let Some(mut causes) = causes {
            // What it was before is not why it is what it is, unless it is what comes next.
            let changed = asked.name.as_str();
            let is_next = |cause: &data::Cause| {
                let gives = cause.gives.as_deref().unwrap_or_default();
                ["after ", "before "]
                    .iter()
                    .any(|word| gives.starts_with(word))
            };
            let others = |cause: &&mut data::Cause| !cause.is_reckoned() && !is_next(cause);
            for cause in causes.iter_mut().filter(others) {
                cause.values.retain(|value| value.name != changed);
            }
            asked.causes = causes;
            asked.unfired.clear();
        }
    }
}

/// A name without the word that asks for it after the event, which is when a fact about the state is asked.
pub(super) fn without_new(name: &str) -> &str {
    name.strip_prefix("new ").map_or(name, str::trim_start)
}

/// The answer alone: without events that it is not about, and what stops the run after it.
pub(super) fn answer_alone(mut told: Explanation) -> Explanation {
    if told.asked.is_some() {
        told.stopped = None;
    }
    told.events.retain(|event| event.asked.is_some());
    told
}

/// An answer without other events, for which nobody asks.
fn without_others(mut told: Explanation) -> Explanation {
    for event in &mut told.events {
        if let Some(asked) = &mut event.asked {
            asked.beside.clear();
            asked.alone = false;
        }
    }
    told
}

/// An answer to an expression by another name.
fn called(mut told: Explanation, name: &str) -> Explanation {
    let asked = told
        .events
        .iter_mut()
        .filter_map(|event| event.asked.as_mut());
    for asked in asked.chain(&mut told.asked) {
        name.clone_into(&mut asked.name);
        // What held before the line is not for the line to alter.
        asked.alone = false;
    }
    told
}

/// The events on a line, each once, the last first.
fn events_of(told: &Explanation) -> Vec<Option<String>> {
    let mut events = Vec::new();
    for event in told.events.iter().rev() {
        let name = Some(event.event.clone());
        if !events.contains(&name) {
            events.push(name);
        }
    }
    events
}

/// Whether a text is no expression at all.
fn is_malformed(wrong: &Report) -> bool {
    let code = wrong.diagnostic.code;
    matches!(
        code,
        Code::Syntax | Code::UnclosedText | Code::StrayCharacter
    )
}
