//! Explanations in a few sentences, for players: what happened, why, the calculation behind a number, and what else
//! would have been possible.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};

use super::{
    Answer, Cause, Decision, Effect, Event, Explanation, Fact, Sort, Stopped, Value,
    answer::{describe_alternatives, describe_answer, may_come},
    changes::changes,
    reasons::{because, describe_comparisons, found_by, reasons_of_end, says_of, with_reason},
    sum::{explain_conditions, explain_illegal, explain_shown_facts},
    text::{Page, describe_suggestions, ending, heading, is_start},
    words::{
        LISTED, LONGEST_LINE, MOST_SENTENCES, after_lines, cut, in_brackets, in_words, is_readable,
        is_yes_no, listed, short_values, with_citation,
    },
};
use crate::diagnostic::Colour;

/// Up to this many events are explained in several sentences each; if there are more, each gets one.
const FEW_EVENTS: usize = 2;

/// The prefix of a sentence that quotes the report.
const SAID: &str = "said ";

/// The number of events that are shown at most.
const MOST_EVENTS: usize = 12;

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.draw(Colour::Never))
    }
}

impl Explanation {
    /// Whether the line was read as an event, including one that is not possible now.
    #[must_use]
    pub fn is_read(&self) -> bool {
        let untimely = self
            .stopped
            .as_ref()
            .is_some_and(|stopped| stopped.untimely.is_some());
        untimely || self.events.iter().any(|event| event.words.is_some())
    }

    /// Whether a line that cannot be read is spelt much like one that can.
    #[must_use]
    pub fn is_near(&self) -> bool {
        let stopped = self.stopped.as_ref();
        stopped.is_some_and(|stopped| !stopped.suggestions.is_empty())
    }

    /// The explanation in a few sentences. [`Explanation::trace`] has all of it.
    #[must_use]
    pub fn draw(&self, colour: Colour) -> String {
        let mut page = Page {
            text: String::new(),
            coloured: colour == Colour::Always,
        };
        self.short(&mut page);
        page.finish()
    }

    fn short(&self, page: &mut Page) {
        let head = page.opening(self);
        let few = self.events.len() <= FEW_EVENTS;
        let hidden = self.events.len().saturating_sub(MOST_EVENTS);
        let last = self.events.len().saturating_sub(1);
        for (place, event) in self.events.iter().enumerate() {
            // Of many events, the first ones and the last are shown.
            if place < last && place + 1 >= MOST_EVENTS {
                continue;
            }
            if place == last && hidden > 0 {
                let events = if hidden == 1 { "event" } else { "events" };
                let line = format!("and {hidden} more {events}; `--event N` explains the N-th");
                page.line(0, &line);
            }
            let event = &without_visible_values(event);
            let (line, decision) = heading(event, &head);
            // Whoever wrote the words knows them, however long they are.
            let line = match event.words {
                Some(_) => line,
                None => cut(&line, 2 * LONGEST_LINE),
            };
            let mut line = page.strong(&line);
            let mut sentences = sentences(event, decision);
            if sentences.is_empty() && !is_start(event) {
                let unseen = if self.redacted {
                    " that you can see"
                } else {
                    ""
                };
                sentences.push(format!("nothing is said, and nothing changes{unseen}"));
            }
            let most = match self.events.len() {
                _ if place == last => MOST_SENTENCES,
                _ if few => LISTED,
                _ => 1,
            };
            let left = sentences.len().saturating_sub(most);
            sentences.truncate(most);
            cite_once(event, decision, &mut sentences);
            if let (Some(last), true) = (sentences.last_mut(), left > 0 && (few || place == last)) {
                let _ = write!(last, "; {left} more with `--trace`");
            }
            if few || place == last {
                page.line(0, &line);
                for sentence in &sentences {
                    page.line(1, sentence);
                }
            } else {
                // The report says more than the changes do.
                let said = sentences.iter().find(|sentence| sentence.starts_with(SAID));
                if let Some(one) = said.or(sentences.first()) {
                    line = format!("{line}: {one}");
                }
                page.line(0, &line);
            }
        }
        if !few && hidden == 0 {
            page.line(0, "`--event N` explains the N-th of these events");
        }
        if let (Some(answer), None) = (&self.answer, &self.stopped) {
            let line = page.strong(&self.when_answered(&head));
            page.line(0, &line);
            let mut lines = Vec::new();
            describe_answer(answer, &mut lines);
            for sentence in lines.iter().take(MOST_SENTENCES) {
                page.line(1, sentence);
            }
        }
        if let Some(stopped) = &self.stopped {
            let words = stopped.words.trim();
            let line = page.strong(&format!("{head}: {}", cut(words, 2 * LONGEST_LINE)));
            page.line(0, &line);
            for sentence in summarise_stop(stopped, self.answer.as_ref()) {
                page.line(1, &sentence);
            }
        }
    }
}

/// What a condition that fails rests on, if that is more than its name.
fn fails(answer: &Answer) -> Option<String> {
    let mut told = Vec::new();
    describe_answer(answer, &mut told);
    let (_, values) = told.first()?.split_once("` is not so: ")?;
    let is_name = answer.name.trim_start_matches("not (").split(' ').count() == 1;
    (!is_name || values.contains(" since ")).then(|| values.to_string())
}

/// Why a transcript cannot be read further. The state is left out: the viewer may not be allowed to see it.
fn summarise_stop(stopped: &Stopped, answer: Option<&Answer>) -> Vec<String> {
    let mut lines = vec![stopped.message.clone()];
    lines.extend(answer.and_then(fails));
    let notes = stopped.notes.iter().chain(&stopped.helps);
    let notes = notes.filter(|note| !note.starts_with("the state before it"));
    lines.extend(notes.take(MOST_SENTENCES).cloned());
    lines.extend(describe_suggestions(stopped));
    lines
}

/// The sentences about an event, the most important first.
fn sentences(event: &Event, decision: Option<&Decision>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(answer) = &event.answer {
        explain_stop(event, &mut lines);
        lines.truncate(1);
        describe_answer(answer, &mut lines);
        // Nothing follows what ends the game.
        let is_answered = answer.happened || !answer.unfired.is_empty();
        if answer.sort == Sort::Follows && !is_answered {
            lines.extend(explain_end(event));
        }
        return lines;
    }
    explain_stop(event, &mut lines);
    if !lines.is_empty() {
        lines.extend(describe_repeats(event));
        describe_alternatives(&event.alternatives, "possible", &mut lines);
        lines.extend(may_come(event));
        return lines;
    }
    lines.extend(event.sentences.iter().take(LISTED).cloned());
    if let Some(Decision { chosen, .. }) = decision {
        lines.extend(because(chosen).map(|why| format!("because: {why}")));
    }
    let said = quote_report(event);
    let (mut sums, others, flags) = changes(event);
    let end = explain_end(event);
    let ends = |effect: &&Effect| matches!(effect, Effect::Over { .. } | Effect::Restarted { .. });
    // An end without a reason comes last.
    let plain_end = event.effects.iter().find(ends).filter(|_| end.is_none());
    // A player who asks about an illegal event has already seen the report.
    if event.sentences.is_empty() {
        lines.extend(said);
        lines.extend(end);
        lines.append(&mut sums);
    } else {
        lines.append(&mut sums);
        lines.extend(said);
        lines.extend(end);
    }
    lines.extend(describe_repeats(event));
    lines.extend(explain_shown_facts(event));
    let told = explain_conditions(event).into_iter();
    let told = told.filter(|line| !lines.contains(line));
    lines.extend(told.collect::<Vec<_>>());
    lines.splice(0..0, explain_illegal(event, &lines));
    lines.extend(describe_comparisons(event));
    lines.extend(others);
    if !flags.is_empty() {
        let also = if lines.is_empty() { "" } else { "also " };
        lines.push(format!("{also}{}", listed(&flags, MOST_SENTENCES)));
    }
    lines.extend(plain_end.map(|effect| ending(effect).to_string()));
    lines
}

/// A copy of the event without values that the reader sees anyway: those of its fields, if its words are shown above
/// the sentences, and the old or new value of a state next to the change of that state.
fn without_visible_values(event: &Event) -> Event {
    let mut event = event.clone();
    let seen = event.fields.iter().filter(|_| event.words.is_some());
    let names: Vec<String> = seen.map(|field| field.name.clone()).collect();
    for effect in &mut event.effects {
        match effect {
            Effect::Said { cause, .. } | Effect::Impossible { cause, .. } => {
                leave_out(cause, &names);
            }
            Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
                let causes = fact.causes.iter_mut();
                causes.for_each(|cause| leave_out(cause, &names));
            }
            Effect::Changed {
                name,
                old,
                new,
                causes,
                ..
            } => {
                for cause in causes {
                    leave_out(cause, &names);
                    if !cause.is_calculated() {
                        cause.values.retain(|value| {
                            let own = value.name == *name && Some(&value.value) == old.as_ref();
                            !own && Some(&value.value) != new.as_ref()
                        });
                    }
                }
            }
        }
    }
    if let Some(answer) = &mut event.answer {
        answer
            .causes
            .iter_mut()
            .for_each(|cause| leave_out(cause, &names));
    }
    event
}

/// Removes the values with these names from a row and all rows behind it.
fn leave_out(cause: &mut Cause, names: &[String]) {
    if !cause.is_calculated() {
        let is_named = |value: &Value| names.contains(&value.name);
        cause.values.retain(|value| !is_named(value));
    }
    let causes = cause.facts.iter_mut().flat_map(|fact| &mut fact.causes);
    causes.for_each(|cause| leave_out(cause, names));
}

/// Visits a row and all rows behind its facts.
fn each_cause<'e>(cause: &'e Cause, visit: &mut dyn FnMut(&'e Cause)) {
    visit(cause);
    let causes = cause.facts.iter().flat_map(|fact| &fact.causes);
    causes.for_each(|cause| each_cause(cause, visit));
}

/// Visits every row that fired in an event.
fn each_cause_of<'e>(event: &'e Event, visit: &mut dyn FnMut(&'e Cause)) {
    for effect in &event.effects {
        match effect {
            Effect::Said { cause, .. } | Effect::Impossible { cause, .. } => {
                each_cause(cause, visit);
            }
            Effect::Changed { causes, .. } => {
                for cause in causes {
                    each_cause(cause, visit);
                }
            }
            Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
                let causes = fact.causes.iter();
                causes.for_each(|cause| each_cause(cause, visit));
            }
        }
    }
    let answer = event.answer.iter().flat_map(|answer| &answer.causes);
    answer.for_each(|cause| each_cause(cause, visit));
}

/// After which earlier lines the state already held the value that a row looks up.
fn describe_repeats(event: &Event) -> Option<String> {
    let mut lines: &[usize] = &[];
    each_cause_of(event, &mut |cause| {
        if lines.is_empty() {
            lines = &cause.earlier;
        }
    });
    after_lines(lines).map(|when| format!("the same stood {when}"))
}

/// Keeps each citation only at the end of the first sentence that rests on it.
fn cite_once<'e>(event: &'e Event, decision: Option<&'e Decision>, sentences: &mut [String]) {
    let mut places: Vec<&'e str> = Vec::new();
    // A `says` already ends with the citation of its row.
    for sentence in &event.sentences {
        let place = sentence.rsplit_once(" (");
        places.extend(place.and_then(|(_, place)| place.strip_suffix(')')));
    }
    {
        let mut visit = |cause: &'e Cause| places.extend(cause.cites.as_deref());
        each_cause_of(event, &mut visit);
        if let Some(decision) = decision {
            each_cause(&decision.chosen, &mut visit);
        }
    }
    places.sort_unstable();
    places.dedup();
    for place in places {
        let cited = format!(" ({place})");
        let first = sentences.iter().position(|line| line.contains(&cited));
        let Some(first) = first else { continue };
        for line in sentences.iter_mut() {
            *line = line.replace(&cited, "");
        }
        sentences[first].push_str(&cited);
    }
}

/// Writes why an event is impossible or refused.
fn explain_stop(event: &Event, lines: &mut Vec<String>) {
    let first = event.effects.first();
    for effect in &event.effects {
        match effect {
            // Later rows may speak of what the first one denies.
            Effect::Impossible { cause, .. }
                if !matches!(first, Some(Effect::Impossible { cause: first, .. })
                    if (&first.file, first.at) == (&cause.file, cause.at)) => {}
            Effect::Impossible { text, cause } => {
                // The sentence of an underlying fact says more than values do.
                let says = cause.facts.iter().find_map(says_of);
                let why = match says.filter(|says| !text.contains(says.as_str())) {
                    Some(says) => format!(" ({says})"),
                    None => in_brackets(&short_values(&cause.values, text)),
                };
                let line = with_citation(cause, format!("impossible: {text}{why}"));
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
            Effect::Refused { fact } => {
                // Players need not know which fact refuses it.
                let own = format!("{}: ", fact.name);
                let sentences = event.sentences.iter();
                lines.extend(sentences.map(|sentence| match sentence.strip_prefix(&own) {
                    Some(rest) => format!("refused: {rest}"),
                    None => sentence.clone(),
                }));
                if event.sentences.is_empty() {
                    let says = fact.value.clone().filter(|says| !is_yes_no(says));
                    // If the fact does not say why, the report of the refusal does.
                    let mut said = event.effects.iter().filter_map(|effect| match effect {
                        Effect::Said { text, .. } if !text.trim().is_empty() => Some(text.clone()),
                        _ => None,
                    });
                    // The text comes from that row, so it takes the row's citation.
                    let says = says
                        .or_else(|| said.next())
                        .map(|says| match fact.causes.first() {
                            Some(cause) => with_citation(cause, says),
                            None => says,
                        });
                    lines.push(format!(
                        "refused: {}",
                        says.unwrap_or_else(|| with_reason(fact))
                    ));
                }
            }
            Effect::Said { .. }
            | Effect::Changed { .. }
            | Effect::Restarted { .. }
            | Effect::Over { .. } => {}
        }
    }
    lines.truncate(LISTED + 1);
}

/// Why the game is over, if it is.
fn explain_end(event: &Event) -> Option<String> {
    let mut effects = event.effects.iter();
    let (effect, fact) = effects.find_map(|effect| match effect {
        Effect::Over { fact } | Effect::Restarted { fact } => Some((effect, fact)),
        _ => None,
    })?;
    let told = facts_with_reasons(event);
    let whys = fact.causes.iter().filter_map(|cause| {
        // A condition without a value to show is quoted.
        let gives = cause.gives.as_deref();
        let gives = gives.filter(|gives| is_readable(gives) && !is_yes_no(gives));
        // A text such as `{end}` is the reason itself.
        let name = cause
            .gives
            .as_deref()
            .and_then(|gives| gives.strip_suffix(" is not none"));
        let says = cause.values.iter().find_map(|value| {
            let text = Some(value.name.as_str()) == name;
            match told.get(&*value.name).copied().and_then(says_of) {
                Some(says) if text => Some(format!("{}: {says}", value.value)),
                None if text => Some(value.value.clone()).filter(|value| value.contains(' ')),
                says => says.filter(|_| value.value == "yes"),
            }
        });
        says.or_else(|| found_by(cause, &told))
            .or_else(|| reasons_of_end(cause, &told))
            .or_else(|| gives.map(in_words))
    });
    let whys: Vec<String> = whys.collect();
    (!whys.is_empty()).then(|| format!("{}: {}", ending(effect), listed(&whys, LISTED)))
}

/// The facts in an explanation by name, each where it is first mentioned: only there it has its causes.
pub(super) fn facts_with_reasons(event: &Event) -> BTreeMap<&str, &Fact> {
    let mut told: BTreeMap<&str, &Fact> = BTreeMap::new();
    each_cause_of(event, &mut |cause| {
        let facts = cause.facts.iter().filter(|fact| !fact.causes.is_empty());
        for fact in facts {
            told.entry(&fact.name).or_insert(fact);
        }
    });
    told
}

/// The report, in one sentence.
fn quote_report(event: &Event) -> Option<String> {
    let (mut all, mut repeated) = (Vec::new(), Vec::new());
    let times = |row: &Cause| {
        let same = |effect: &&Effect| matches!(effect, Effect::Said { cause, .. } if cause.file == row.file && cause.at == row.at);
        event.effects.iter().filter(same).count()
    };
    // Texts on one line are quoted together, under the row of the first.
    let mut lines: Vec<(String, &Cause)> = Vec::new();
    let mut goes_on = false;
    for effect in &event.effects {
        let Effect::Said {
            text,
            inline,
            cause,
        } = effect
        else {
            continue;
        };
        match lines.last_mut() {
            Some((line, _)) if goes_on => line.push_str(text),
            _ => lines.push((text.clone(), cause)),
        }
        goes_on = *inline;
    }
    for (text, cause) in lines {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines = lines.map(|line| format!("\"{}\"", cut(line.trim(), LONGEST_LINE)));
        // A row that fires many times draws a picture or a table, which the reader sees anyway.
        if times(cause) > LISTED {
            repeated.extend(lines);
        } else {
            all.extend(lines);
        }
    }
    // The end of the report comes last.
    if let Some(last) = all.len().checked_sub(1).filter(|last| *last > LISTED + 1) {
        let left = last - LISTED;
        let end = all.swap_remove(last);
        all.truncate(LISTED);
        all.push(format!("{left} more lines, {end}"));
    }
    let more = match all.len() {
        0 => LISTED,
        shown => shown,
    };
    all.append(&mut repeated);
    (!all.is_empty()).then(|| format!("{SAID}{}", listed(&all, more)))
}
