//! Explains expressions, rules of policies, and lines of a run with one row disabled.

use crate::{
    code::explain::Visible,
    diagnostic::{Code, alternatives},
    explanation::{self as data, Explanation, Query, Sort, add_facts, with_values_in_name},
    failure::{Failure, Report},
    game::{
        Game,
        questions::{MOST_CHOICES, Probe, readings},
    },
    types::Type,
};

impl Game {
    /// Explains an expression: after the line, or in the events on it if it mentions their names. It may also be a
    /// name.
    pub(super) fn explain_expression(
        &self,
        of: &str,
        query: &Query,
        name: &str,
        transcript: &[u8],
    ) -> Result<Explanation, Failure> {
        let plain = query.without_question();
        let (explanation, words) = self.explain_line(&plain, name, transcript, None)?;
        let call = self.entry_as_call(of);
        let of = call.as_deref().unwrap_or(of);
        let events = self.readings_of(of, &explanation);
        let found = self.explain_expression_in(of, (&events, &words), &plain, name, transcript);
        if let Err(failure @ Failure::Bound(_)) = found {
            return Err(failure);
        }
        if let Ok(Some(explanation)) = found {
            let answer = (&*events, &*words);
            let entry = explanation
                .is_constant()
                .then(|| self.explain_entry(of, answer, &plain, name, transcript));
            let mut explanation = entry
                .flatten()
                .unwrap_or(explanation)
                .without_alternatives();
            if explanation.answer.is_some() {
                explanation.events = self.unchanged_event(of, &plain, name, transcript);
            }
            return Ok(explanation);
        }
        if let Some(guard) = self.guard_of(of) {
            let explanation =
                self.explain_expression_in(&guard, (&[None], &words), &plain, name, transcript);
            if let Ok(Some(explanation)) = explanation {
                return Ok(explanation.without_alternatives());
            }
        }
        let named = Query {
            not: Some(of.to_string()),
            ..plain.clone()
        };
        let explanation = match self.explain_line(&named, name, transcript, None) {
            Err(Failure::NoName(unknown)) => {
                let explanation =
                    self.explain_policy_rule((of, true), &named, name, transcript, unknown);
                // An error in an expression says more than "unknown name".
                match (explanation, found) {
                    (Err(Failure::NoName(_)), Err(failure)) => return Err(failure),
                    (explanation, _) => explanation?,
                }
            }
            explanation => explanation?.0,
        };
        Ok(explanation.without_alternatives())
    }

    /// The events in which an expression may be meant, the likeliest first; `None` stands for the state after the line.
    fn readings_of(&self, expression: &str, explanation: &Explanation) -> Vec<Option<String>> {
        let mut events = explanation.event_names();
        // What an event defines anew for itself is meant as that event has it, and only an event has an old state.
        let is_old = words_of(expression).any(|name| name == "old");
        let own = events
            .iter()
            .take_while(|event| is_old || self.has_own(event.as_deref(), expression));
        events.insert(own.count(), None);
        events
    }

    /// Whether an event has a fact of its own in place of one of the game that an expression mentions.
    fn has_own(&self, event: Option<&str>, expression: &str) -> bool {
        let facts = &self.program.facts;
        words_of(expression).any(|name| {
            let mut same = facts.iter().filter(|fact| fact.name == name);
            let mut owned = same.clone().filter_map(|fact| fact.owner);
            let owned = owned.any(|id| event == Some(&*self.program.events[id.index()].name));
            owned && same.any(|fact| fact.owner.is_none())
        })
    }

    /// The last event with its explanation, if its rows gave a state the value that it had already.
    fn unchanged_event(
        &self,
        state: &str,
        query: &Query,
        name: &str,
        transcript: &[u8],
    ) -> Vec<data::Event> {
        let mut states = self.program.states.iter();
        if query.line.is_none() || states.all(|one| one.name != state) {
            return Vec::new();
        }
        let named = Query {
            not: Some(state.to_string()),
            ..query.clone()
        };
        let Ok((explanation, _)) = self.explain_line(&named, name, transcript, None) else {
            return Vec::new();
        };
        let last = explanation.without_alternatives().events.pop();
        let is_kept = |event: &data::Event| {
            let answer = event.answer.as_ref();
            answer.is_some_and(|answer| answer.sort == Sort::Change && !answer.happened)
        };
        last.filter(is_kept).into_iter().collect()
    }

    /// Explains why something did not happen that the events have no name for: a rule of a policy, or an expression,
    /// unless that has been tried.
    pub(super) fn explain_policy_rule(
        &self,
        (not, is_tried): (&str, bool),
        query: &Query,
        name: &str,
        transcript: &[u8],
        unknown: Box<Report>,
    ) -> Result<Explanation, Failure> {
        let plain = query.without_question();
        let (explanation, words) = self.explain_line(&plain, name, transcript, None)?;
        let mut ruled = explanation.clone();
        for event in &mut ruled.events {
            event.answer = event.by.rule(not);
        }
        if ruled.events.iter().all(|event| event.answer.is_none()) {
            for event in &mut ruled.events {
                event.answer = self.later_rule(&event.by, not);
            }
        }
        ruled.events.retain(|event| event.answer.is_some());
        if !ruled.events.is_empty() {
            return Ok(ruled);
        }
        // For an entry that changes, the question is about its new value.
        let mut effects = explanation.events.iter().flat_map(|event| &event.effects);
        let entry = super::without_new(not);
        let changes = |effect: &data::Effect| matches!(effect, data::Effect::Changed { name, .. } if name == entry);
        if !is_tried && effects.any(changes) {
            return self.explain_expression(entry, &plain, name, transcript);
        }
        let guard = self.guard_of(not);
        // An expression about the state is asked after the line, and whether an event may come before it.
        let events = match guard {
            None => self.readings_of(not, &explanation),
            Some(_) => explanation.event_names(),
        };
        let call = self.entry_as_call(not);
        let text = guard.as_deref().or(call.as_deref()).unwrap_or(not);
        let found = self.explain_expression_in(text, (&events, &words), &plain, name, transcript);
        let found = found.map(|explanation| {
            explanation.map(|explanation| self.mark_before(explanation, text, &words))
        });
        if guard.is_some() {
            let explanation = found?.ok_or(Failure::NoName(unknown))?;
            return Ok(explanation.renamed(&format!("{not} may come")));
        }
        let is_name = not
            .chars()
            .all(|sign| sign.is_alphanumeric() || sign == '_' || sign == '.');
        let unknown = self.with_policy(unknown, &explanation);
        match found {
            // "5 is 5" explains nothing, and `1-0` is a line rather than a calculation.
            Ok(Some(explanation))
                if !is_name && not.contains(char::is_alphabetic) || !explanation.is_constant() =>
            {
                Ok(explanation)
            }
            // The text of a report is not always an expression.
            Err(Failure::NoName(wrong)) if is_name || is_malformed(&wrong) => {
                Err(Failure::NoName(unknown))
            }
            Err(failure) => Err(failure),
            Ok(_) => Err(Failure::NoName(unknown)),
        }
    }

    /// Says which rules to ask about, if a policy chose an event.
    fn with_policy(&self, mut unknown: Box<Report>, explanation: &Explanation) -> Box<Report> {
        let chosen = explanation.events.iter().find_map(|event| match &event.by {
            data::By::Policy { name, .. } => Some(name),
            _ => None,
        });
        let mut policies = self.program.policies.iter();
        let policy = policies.find(|policy| Some(&policy.name) == chosen);
        if let Some(policy) = policy {
            let rows = policy
                .rows
                .iter()
                .map(|row| format!("{}.{}", policy.name, row.label));
            unknown.diagnostic.notes.push(format!(
                "the policy `{}` chose it: ask about one of its rules, {}",
                policy.name,
                alternatives(rows)
            ));
        }
        unknown
    }

    /// The answer about a rule of a policy after the one that chose.
    fn later_rule(&self, by: &data::By, name: &str) -> Option<data::Answer> {
        let (policy, decision, short) = by.policy_row(name)?;
        let mut policies = self.program.policies.iter();
        let rows = &policies.find(|one| one.name == policy)?.rows;
        let row = rows.iter().find(|row| row.label == short)?;
        let place = self.sources.position(row.span);
        let mut answer = data::Answer::new(format!("{policy}.{short}"), Sort::Rule);
        answer.unfired.push(data::Unfired {
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
        Some(answer)
    }

    /// Answers a question about a line that cannot be read, in the state before it: what the guard of an event of that
    /// name depends on, or the value of an expression. For anything else, the explanation stays as it is.
    pub(super) fn explain_stopped(
        &self,
        not: &str,
        (explanation, words): (Explanation, &[(String, String)]),
        query: &Query,
        name: &str,
        transcript: &[u8],
    ) -> Explanation {
        let plain = query.without_question();
        let guard = self.guard_of(not);
        let text = guard.as_deref().unwrap_or(not);
        match self.explain_expression_in(text, (&[None], words), &plain, name, transcript) {
            Ok(Some(answer)) if guard.is_some() => answer.renamed(&format!("{not} may come")),
            Ok(Some(answer)) => answer,
            _ => explanation,
        }
    }

    /// Adds what the guard depends on, if the line is an event that is not possible now.
    pub(super) fn with_guard(
        &self,
        (mut explanation, words): (Explanation, Vec<(String, String)>),
        query: &Query,
        name: &str,
        transcript: &[u8],
    ) -> Explanation {
        let untimely = explanation.stopped.as_ref();
        let untimely = untimely.and_then(|stopped| stopped.untimely.as_deref());
        if let Some(guard) = untimely.and_then(|event| self.guard_of(event))
            && let Ok(Some(answer)) =
                self.explain_expression_in(&guard, (&[None], &words), query, name, transcript)
        {
            explanation.answer = answer.answer;
        }
        explanation
    }

    /// Marks the answers whose value is that before the event.
    fn mark_before(
        &self,
        mut explanation: Explanation,
        text: &str,
        words: &[(String, String)],
    ) -> Explanation {
        let probe = Probe {
            number: 0,
            text,
            event: None,
            new: false,
            with: &[],
            choice: 0,
        };
        let is_new = words_of(text).any(|word| word == "new");
        let before = !is_new && self.with_expressions(&[probe], words).is_ok();
        let answer = explanation
            .events
            .iter_mut()
            .filter_map(|event| event.answer.as_mut());
        answer.for_each(|answer| answer.before = before);
        explanation
    }

    /// Whether there is a state, a given, an option or a fact of this name, which takes precedence.
    fn is_named(&self, name: &str) -> bool {
        let program = &self.program;
        let name = name.strip_prefix("new ").unwrap_or(name);
        program.states.iter().any(|one| one.name == name)
            || program.givens.iter().any(|one| one.name == name)
            || program.options.iter().any(|one| one.name == name)
            || program.facts.iter().any(|one| one.name == name)
    }

    /// Explains a point of a grid or a record by the entry for it, if only one state has such keys.
    fn explain_entry(
        &self,
        of: &str,
        answer: (&[Option<String>], &[(String, String)]),
        query: &Query,
        name: &str,
        transcript: &[u8],
    ) -> Option<Explanation> {
        if !of.starts_with(char::is_alphabetic) || self.is_named(of) {
            return None;
        }
        let states = self.program.states.iter();
        let mut explanation = states.filter_map(|state| {
            let text = format!("{} of {of}", state.name);
            let explanation = matches!(state.parameters.as_slice(), [Type::Product(_)])
                .then(|| self.explain_expression_in(&text, answer, query, name, transcript));
            explanation?.ok().flatten()
        });
        match (explanation.next(), explanation.next()) {
            (only, None) => only,
            _ => None,
        }
    }

    /// Explains an expression in the first of some events in which it is valid. `None` if it is invalid only because it
    /// is the name of something else.
    pub(super) fn explain_expression_in(
        &self,
        text: &str,
        (events, words): (&[Option<String>], &[(String, String)]),
        query: &Query,
        name: &str,
        transcript: &[u8],
    ) -> Result<Option<Explanation>, Failure> {
        let (mut wrong, mut valueless, mut is_in_event) = (None, None, false);
        let readings = readings(text, words);
        let choices = events.iter().flat_map(|event| {
            let readings = readings.iter();
            readings
                .flat_map(move |text| (0..MOST_CHOICES).map(move |choice| (event, text, choice)))
        });
        for (event, reading, choice) in choices {
            let probe = Probe {
                number: 0,
                text: reading,
                event: event.as_deref(),
                new: false,
                with: &[],
                choice,
            };
            let game = match self.with_expressions(&[probe], words) {
                Ok(game) => game,
                Err(error) => {
                    wrong.get_or_insert(error.invalid);
                    continue;
                }
            };
            let mut explanation = match game.explain_line(query, name, transcript, Some(0)) {
                Ok((explanation, _)) => explanation,
                // It would exceed the bound in any other event, too.
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
            for event in &mut explanation.events {
                if let Some(answer) = &mut event.answer {
                    answer.name_as(reading, text, words);
                }
            }
            if let Some(answer) = &mut explanation.answer {
                answer.name_as(reading, text, words);
                self.add_last_change(answer, query, name, transcript);
            }
            explanation.keep_answer();
            if explanation.answer.is_some() || !explanation.events.is_empty() {
                return Ok(Some(explanation));
            }
        }
        if let Some(failure) = valueless {
            return Err(failure);
        }
        let is_call = text
            .split_once('(')
            .is_some_and(|(head, _)| self.is_name(head));
        let is_word = !is_call && text.chars().all(|sign| !sign.is_whitespace());
        match wrong {
            Some(mut invalid) if !is_word && !invalid.diagnostics.is_empty() => {
                let diagnostic = invalid.diagnostics.swap_remove(0);
                Err(Failure::NoName(Report::new(invalid.sources, diagnostic)))
            }
            _ => Ok(None),
        }
    }

    /// Adds to an answer about the state why it last changed.
    fn add_last_change(
        &self,
        answer: &mut data::Answer,
        query: &Query,
        name: &str,
        transcript: &[u8],
    ) {
        let (Some(line), Some(changed)) = (answer.since, answer.changed) else {
            return;
        };
        let until = query.event.filter(|_| query.line == Some(line));
        let query = Query {
            line: Some(line),
            event: None,
            column: None,
            ..query.clone()
        };
        let Ok((explanation, _)) = self.explain_line(&query, name, transcript, None) else {
            return;
        };
        // The last change on the line counts. Its rows may have been explained for another entry of the map.
        let until = until.unwrap_or(usize::MAX);
        let is_step = |event: &&data::Event| event.step == changed.step && event.number <= until;
        let events = explanation.events.iter().filter(is_step);
        let effects = events.flat_map(|event| event.effects.iter().map(move |one| (event, one)));
        let state = &self.program.states[changed.state].name;
        let mut whole = Vec::new();
        let mut causes = None;
        for (event, effect) in effects {
            if let data::Effect::Changed {
                state: of,
                place,
                causes: own,
                new,
                ..
            } = effect
                && of == state
            {
                if !own.is_empty() {
                    whole.clone_from(own);
                    add_facts(&mut whole, event);
                }
                // What follows may change it again, after what is asked.
                let is_value = new.is_none() || *new == answer.value;
                if *place == changed.place && (is_value || causes.is_none()) {
                    causes = Some(whole.clone());
                }
            }
        }
        if let Some(mut causes) = causes {
            // The old value does not explain the new one, unless the row takes the value after or before it.
            let changed = answer.name.as_str();
            let is_next = |cause: &data::Cause| {
                let gives = cause.gives.as_deref().unwrap_or_default();
                ["after ", "before "]
                    .iter()
                    .any(|word| gives.starts_with(word))
            };
            let others = |cause: &&mut data::Cause| !cause.is_calculated() && !is_next(cause);
            for cause in causes.iter_mut().filter(others) {
                let all = cause.values.clone();
                let is_old = |value: &data::Value| with_values_in_name(value, &all).name == changed;
                cause.values.retain(|value| !is_old(value));
            }
            answer.causes = causes;
            answer.unfired.clear();
        }
    }
}

/// A name without `new`: a fact about the state is evaluated after the event anyway.
pub(super) fn without_new(name: &str) -> &str {
    name.strip_prefix("new ").map_or(name, str::trim_start)
}

/// Whether a text is no expression at all.
fn is_malformed(wrong: &Report) -> bool {
    let code = wrong.diagnostic.code;
    matches!(
        code,
        Code::Syntax | Code::UnclosedText | Code::StrayCharacter
    )
}

/// The names and words of an expression.
fn words_of(expression: &str) -> impl Iterator<Item = &str> {
    expression.split(|sign: char| !sign.is_alphanumeric() && sign != '_')
}
