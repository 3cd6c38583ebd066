//! Explanations in a few sentences, for those who play: what happened, why, the sum that makes a number, and what would
//! have been possible.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};

use super::{
    Asked, Cause, Decision, Effect, Event, Explanation, Fact, Sort, Stopped, Value,
    answer::{answered, besides, compared, found_by, may_come},
    changes::changes,
    sum::{because, conditions_told, says_of, told_within},
    text::{Page, could_be, ending, headed, is_start},
    words::{
        LISTED, LONGEST_LINE, MOST_SENTENCES, cut, glanced, in_brackets, in_words, is_readable,
        is_yes_no, listed, when, with_citation,
    },
};
use crate::diagnostic::Colour;

/// Of how many events more than one sentence each is said.
const FEW_EVENTS: usize = 2;

/// What stands before the lines that were said.
const SAID: &str = "said ";

/// How many events are told at all.
const MOST_EVENTS: usize = 12;

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.draw(Colour::Never))
    }
}

impl Explanation {
    /// Whether an event was read on the line, including one that cannot come now.
    #[must_use]
    pub fn is_read(&self) -> bool {
        let untimely = self
            .stopped
            .as_ref()
            .is_some_and(|stopped| stopped.untimely.is_some());
        untimely || self.events.iter().any(|event| event.words.is_some())
    }

    /// The explanation in a few sentences. [`Explanation::trace`] tells all.
    #[must_use]
    pub fn draw(&self, colour: Colour) -> String {
        let mut page = Page {
            text: String::new(),
            coloured: colour == Colour::Always,
        };
        self.short(&mut page);
        page.styled()
    }

    fn short(&self, page: &mut Page) {
        let head = page.opening(self);
        let few = self.events.len() <= FEW_EVENTS;
        let hidden = self.events.len().saturating_sub(MOST_EVENTS);
        let last = self.events.len().saturating_sub(1);
        for (place, event) in self.events.iter().enumerate() {
            // Of many, the last one tells how it ended.
            if place < last && place + 1 >= MOST_EVENTS {
                continue;
            }
            if place == last && hidden > 0 {
                let events = if hidden == 1 { "event" } else { "events" };
                let line = format!("and {hidden} more {events}; `--event N` explains the N-th");
                page.line(0, &line);
            }
            let event = &without_seen(event);
            let (line, decision) = headed(event, &head);
            // Whoever wrote the words knows them, however long they are.
            let line = match event.words {
                Some(_) => line,
                None => cut(&line, 2 * LONGEST_LINE),
            };
            let mut line = page.strong(&line);
            let mut sentences = sentences(event, decision);
            if sentences.is_empty() && !is_start(event) {
                let unseen = if self.veiled { " that you can see" } else { "" };
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
                // What everyone heard tells more than what changed.
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
        if let (Some(asked), None) = (&self.asked, &self.stopped) {
            let line = page.strong(&self.asked_when(&head));
            page.line(0, &line);
            let mut lines = Vec::new();
            answered(asked, &mut lines);
            for sentence in lines.iter().take(MOST_SENTENCES) {
                page.line(1, sentence);
            }
        }
        if let Some(stopped) = &self.stopped {
            let words = stopped.words.trim();
            let line = page.strong(&format!("{head}: {}", cut(words, 2 * LONGEST_LINE)));
            page.line(0, &line);
            for sentence in stopped_short(stopped, self.asked.as_ref()) {
                page.line(1, &sentence);
            }
        }
    }
}

/// What a condition that fails rests on, if that is more than its name.
fn fails(asked: &Asked) -> Option<String> {
    let mut told = Vec::new();
    answered(asked, &mut told);
    let (_, values) = told.first()?.split_once("` is not so: ")?;
    let is_name = asked.name.trim_start_matches("not (").split(' ').count() == 1;
    (!is_name || values.contains(" since ")).then(|| values.to_string())
}

/// What keeps a transcript from being read on. What the state is may be more than whoever asks may know.
fn stopped_short(stopped: &Stopped, asked: Option<&Asked>) -> Vec<String> {
    let mut lines = vec![stopped.message.clone()];
    lines.extend(asked.and_then(fails));
    let notes = stopped.notes.iter().chain(&stopped.helps);
    let notes = notes.filter(|note| !note.starts_with("the state before it"));
    lines.extend(notes.take(MOST_SENTENCES).cloned());
    lines.extend(could_be(stopped));
    lines
}

/// What is said of an event, the most important first.
fn sentences(event: &Event, decision: Option<&Decision>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(asked) = &event.asked {
        stopped_by(event, &mut lines);
        lines.truncate(1);
        answered(asked, &mut lines);
        // Nothing follows what ends the game.
        let is_answered = asked.happened || !asked.unfired.is_empty();
        if asked.sort == Sort::Follows && !is_answered {
            lines.extend(over(event));
        }
        return lines;
    }
    stopped_by(event, &mut lines);
    if !lines.is_empty() {
        lines.extend(stood(event));
        besides(&event.beside, "possible", &mut lines);
        lines.extend(may_come(event));
        return lines;
    }
    lines.extend(event.sentences.iter().take(LISTED).cloned());
    if let Some(Decision { chosen, .. }) = decision {
        lines.extend(because(chosen).map(|why| format!("because: {why}")));
    }
    let said = said(event);
    let (mut sums, others, flags) = changes(event);
    let end = over(event);
    let ends = |effect: &&Effect| matches!(effect, Effect::Over { .. } | Effect::Restarted { .. });
    // That it is over without a reason is seen last.
    let plain_end = event.effects.iter().find(ends).filter(|_| end.is_none());
    // Who asks about what is illegal has seen what was said.
    if event.sentences.is_empty() {
        lines.extend(said);
        lines.extend(end);
        lines.append(&mut sums);
    } else {
        lines.append(&mut sums);
        lines.extend(said);
        lines.extend(end);
    }
    lines.extend(stood(event));
    lines.extend(told_within(event));
    let told = conditions_told(event).into_iter();
    let told = told.filter(|line| !lines.contains(line));
    lines.extend(told.collect::<Vec<_>>());
    lines.extend(compared(event));
    lines.extend(others);
    if !flags.is_empty() {
        let also = if lines.is_empty() { "" } else { "also " };
        lines.push(format!("{also}{}", listed(&flags, MOST_SENTENCES)));
    }
    lines.extend(plain_end.map(|effect| ending(effect).to_string()));
    lines
}

/// An event without the values that are seen anyway: those of its fields, where its words stand above the sentences, and
/// what a state was or is now beside the change of that state.
fn without_seen(event: &Event) -> Event {
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
                    if !cause.is_reckoned() {
                        cause.values.retain(|value| {
                            let own = value.name == *name && Some(&value.value) == old.as_ref();
                            !own && Some(&value.value) != new.as_ref()
                        });
                    }
                }
            }
        }
    }
    if let Some(asked) = &mut event.asked {
        asked
            .causes
            .iter_mut()
            .for_each(|cause| leave_out(cause, &names));
    }
    event
}

/// Leaves out the values of some names of a row and all below it.
fn leave_out(cause: &mut Cause, names: &[String]) {
    if !cause.is_reckoned() {
        let is_named = |value: &Value| names.contains(&value.name);
        cause.values.retain(|value| !is_named(value));
    }
    let causes = cause.facts.iter_mut().flat_map(|fact| &mut fact.causes);
    causes.for_each(|cause| leave_out(cause, names));
}

/// Shows a row and all below it.
fn each_cause<'e>(cause: &'e Cause, visit: &mut dyn FnMut(&'e Cause)) {
    visit(cause);
    let causes = cause.facts.iter().flat_map(|fact| &fact.causes);
    causes.for_each(|cause| each_cause(cause, visit));
}

/// Shows all rows that fired in an event.
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
    let asked = event.asked.iter().flat_map(|asked| &asked.causes);
    asked.for_each(|cause| each_cause(cause, visit));
}

/// When that stood before which decides now.
fn stood(event: &Event) -> Option<String> {
    let mut lines: &[usize] = &[];
    each_cause_of(event, &mut |cause| {
        if lines.is_empty() {
            lines = &cause.stood;
        }
    });
    when(lines).map(|when| format!("the same stood {when}"))
}

/// The place in a book that a row follows.
fn cited(cause: &Cause) -> Option<&str> {
    cause.cites.as_deref()
}

/// Leaves each place in a book only at the end of the first sentence that rests on it.
fn cite_once<'e>(event: &'e Event, decision: Option<&'e Decision>, sentences: &mut [String]) {
    let mut places: Vec<&'e str> = Vec::new();
    // A sentence of its own ends with the place that its row follows.
    for sentence in &event.sentences {
        let place = sentence.rsplit_once(" (");
        places.extend(place.and_then(|(_, place)| place.strip_suffix(')')));
    }
    {
        let mut visit = |cause: &'e Cause| places.extend(cited(cause));
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

/// Why an event is impossible or refused.
fn stopped_by(event: &Event, lines: &mut Vec<String>) {
    let first = event.effects.first();
    for effect in &event.effects {
        match effect {
            // Later rows may speak of what the first one denies.
            Effect::Impossible { cause, .. }
                if !matches!(first, Some(Effect::Impossible { cause: first, .. })
                    if (&first.file, first.at) == (&cause.file, cause.at)) => {}
            Effect::Impossible { text, cause } => {
                // The sentence of a fact that the row rests on tells more than values.
                let says = cause.facts.iter().find_map(says_of);
                let why = match says.filter(|says| !text.contains(says.as_str())) {
                    Some(says) => format!(" ({says})"),
                    None => in_brackets(&glanced(&cause.values, text)),
                };
                let line = with_citation(cause, format!("impossible: {text}{why}"));
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
            Effect::Refused { fact } => {
                // Which fact refuses it matters to whoever reads the rules.
                let own = format!("{}: ", fact.name);
                let sentences = event.sentences.iter();
                lines.extend(sentences.map(|sentence| match sentence.strip_prefix(&own) {
                    Some(rest) => format!("refused: {rest}"),
                    None => sentence.clone(),
                }));
                if event.sentences.is_empty() {
                    let says = fact.value.clone().filter(|says| !is_yes_no(says));
                    let why = || match fact.causes.first().and_then(because) {
                        Some(why) => format!("{}, as {why}", in_words(&fact.name)),
                        None => in_words(&fact.name),
                    };
                    // What is said when it is refused tells why, where the fact does not.
                    let mut said = event.effects.iter().filter_map(|effect| match effect {
                        Effect::Said { text, .. } if !text.trim().is_empty() => Some(text.clone()),
                        _ => None,
                    });
                    // The text is that of a row, so the citation of that row belongs to it.
                    let says = says
                        .or_else(|| said.next())
                        .map(|says| match fact.causes.first() {
                            Some(cause) => with_citation(cause, says),
                            None => says,
                        });
                    lines.push(format!("refused: {}", says.unwrap_or_else(why)));
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
fn over(event: &Event) -> Option<String> {
    let mut effects = event.effects.iter();
    let (effect, fact) = effects.find_map(|effect| match effect {
        Effect::Over { fact } | Effect::Restarted { fact } => Some((effect, fact)),
        _ => None,
    })?;
    let told = facts_told(event);
    let whys = fact.causes.iter().filter_map(|cause| {
        // A condition without a value to show is quoted.
        let gives = cause.gives.as_deref();
        let gives = gives.filter(|gives| is_readable(gives) && !is_yes_no(gives));
        // A text of several words, such as `{end}`, is the reason itself.
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
            .or_else(|| because(cause))
            .or_else(|| gives.map(in_words))
    });
    let whys: Vec<String> = whys.collect();
    (!whys.is_empty()).then(|| format!("{}: {}", ending(effect), listed(&whys, LISTED)))
}

/// The facts in an explanation by their names, each where it is mentioned first: only there it has its reasons.
pub(super) fn facts_told(event: &Event) -> BTreeMap<&str, &Fact> {
    let mut told: BTreeMap<&str, &Fact> = BTreeMap::new();
    each_cause_of(event, &mut |cause| {
        let facts = cause.facts.iter().filter(|fact| !fact.causes.is_empty());
        for fact in facts {
            told.entry(&fact.name).or_insert(fact);
        }
    });
    told
}

/// What was said, in one sentence.
fn said(event: &Event) -> Option<String> {
    let (mut all, mut repeated) = (Vec::new(), Vec::new());
    let times = |row: &Cause| {
        let same = |effect: &&Effect| matches!(effect, Effect::Said { cause, .. } if cause.file == row.file && cause.at == row.at);
        event.effects.iter().filter(same).count()
    };
    // Rows that share a line are quoted as one line, under the first of them.
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
        // What one row says over and over is a picture or a table: that is seen.
        if times(cause) > LISTED {
            repeated.extend(lines);
        } else {
            all.extend(lines);
        }
    }
    // How it ends stands last.
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
