//! Explanations in a few sentences, for those who play: what happened, why, the sum that makes a number, and what would
//! have been possible.

use std::fmt::{self, Write as _};

use super::{
    Asked, Beside, Cause, Decision, Effect, Event, Explanation, Fact, Failed, Sort, Stopped,
    Unfired, Value,
    sum::{sum, worth},
    text::{ALONE, Page, could_be, headed, is_start, members, or_nothing},
    words::{
        LISTED, LONGEST_LINE, LONGEST_VALUE, MOST_SENTENCES, cut, glanced, has_name, in_brackets,
        in_words, is_number, is_plain, is_readable, is_short, is_yes_no, listed, some_of, when,
    },
};
use crate::diagnostic::Colour;

/// Of how many events more than one sentence each is said.
const FEW_EVENTS: usize = 2;

/// How many events are told at all.
const MOST_EVENTS: usize = 12;

/// How many facts are gone down, one in the other.
const STEPS: usize = 4;

/// Names of rows that say nothing: the cells of a table.
const CELLS: [&str; 4] = ["any", "yes", "no", ""];

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.draw(Colour::Never))
    }
}

impl Explanation {
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
                let line = format!("and {hidden} more events; `--event N` explains the N-th");
                page.line(0, &line);
            }
            let (line, decision) = headed(event, &head);
            let mut line = page.strong(&line);
            let mut sentences = sentences(event, decision);
            let most = match self.events.len() {
                1 => MOST_SENTENCES,
                _ if few || place == last => LISTED,
                _ => 1,
            };
            sentences.truncate(most);
            cite_once(event, decision, &mut sentences);
            if few || place == last {
                page.line(0, &line);
                for sentence in &sentences {
                    page.line(1, sentence);
                }
            } else {
                if let Some(first) = sentences.first() {
                    line = format!("{line}: {first}");
                }
                page.line(0, &line);
            }
        }
        if let Some(asked) = &self.asked {
            let line = page.strong(&format!("after {head}"));
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
            for sentence in stopped_short(stopped) {
                page.line(1, &sentence);
            }
        }
    }
}

/// What keeps a transcript from being read on. What the state is may be more than whoever asks may know.
fn stopped_short(stopped: &Stopped) -> Vec<String> {
    let mut lines = vec![stopped.message.clone()];
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
        return answer(event, asked);
    }
    stopped_by(event, &mut lines);
    if !lines.is_empty() {
        lines.extend(stood(event));
        besides(&event.beside, "possible", &mut lines);
        return lines;
    }
    lines.extend(event.sentences.iter().take(LISTED).cloned());
    if let Some(Decision { chosen, .. }) = decision {
        lines.extend(because(chosen).map(|why| format!("because of {why}")));
    }
    let said = said(event);
    let (mut sums, others, flags) = changes(event);
    // Who asks about what is illegal has seen what was said.
    if event.sentences.is_empty() {
        lines.extend(said);
        lines.append(&mut sums);
    } else {
        lines.append(&mut sums);
        lines.extend(said);
    }
    lines.extend(stood(event));
    lines.extend(told_within(event));
    lines.extend(others);
    if !flags.is_empty() {
        lines.push(format!("also {}", listed(&flags, MOST_SENTENCES)));
    }
    if lines.is_empty() && !is_start(event) {
        lines.push("nothing is said, and nothing changes".into());
    }
    lines
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
            Effect::Refused { fact } => {
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
    for effect in &event.effects {
        match effect {
            Effect::Impossible { text, cause } => {
                let values = in_brackets(&glanced(&cause.values, text));
                let line = with_citation(cause, format!("impossible: {text}{values}"));
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
            Effect::Refused { fact } => {
                let sentences = event.sentences.iter().cloned();
                lines.extend(sentences);
                if event.sentences.is_empty() {
                    let says = fact.value.as_deref().filter(|says| !is_yes_no(says));
                    let says = says.map_or(String::new(), |says| format!(": {says}"));
                    let why = fact.causes.first().and_then(because);
                    let why = why.filter(|_| says.is_empty());
                    let why = why.map_or(String::new(), |why| format!(", because of {why}"));
                    lines.push(format!("{}{says}{why}", in_words(&fact.name)));
                }
            }
            Effect::Said { .. } | Effect::Changed { .. } => {}
        }
    }
    lines.truncate(LISTED + 1);
}

/// What was said, in one sentence.
fn said(event: &Event) -> Option<String> {
    let (mut all, mut repeated) = (Vec::new(), Vec::new());
    let times = |row: &Cause| {
        let same = |effect: &&Effect| matches!(effect, Effect::Said { cause, .. } if cause.file == row.file && cause.at == row.at);
        event.effects.iter().filter(same).count()
    };
    for effect in &event.effects {
        if let Effect::Said { text, cause } = effect
            && !text.trim().is_empty()
        {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let lines = lines.map(|line| format!("\"{}\"", cut(line.trim(), LONGEST_LINE)));
            // What one row says over and over is a picture or a table: that is seen.
            if times(cause) > LISTED {
                repeated.extend(lines);
            } else {
                all.extend(lines);
            }
        }
    }
    let more = if all.is_empty() {
        LISTED
    } else {
        all.len().min(LISTED + 1)
    };
    all.append(&mut repeated);
    (!all.is_empty()).then(|| format!("said {}", listed(&all, more)))
}

/// Of the facts that stand within what is said, how those came about that are numbers or names.
fn told_within(event: &Event) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for effect in &event.effects {
        let Effect::Said { text, cause } = effect else {
            continue;
        };
        within(text, &cause.facts, &mut lines);
    }
    lines.truncate(LISTED + 1);
    lines
}

/// How the facts came about that a text shows, and the numbers that these are made of.
fn within(text: &str, facts: &[Fact], lines: &mut Vec<String>) {
    for fact in facts {
        let value = fact.value.as_deref().unwrap_or_default();
        if value.is_empty() || is_yes_no(value) || !text.contains(value) {
            continue;
        }
        // What is put together as a text is read as it is.
        let is_text = |cause: &Cause| {
            cause
                .gives
                .as_ref()
                .is_some_and(|gives| gives.contains('"'))
        };
        let is_made = !is_number(value) && fact.causes.iter().any(is_text);
        if value != text && (!is_plain(value) || is_made) {
            continue;
        }
        // What is all of the text is made of what it shows.
        if value == text {
            for cause in &fact.causes {
                within(text, &cause.facts, lines);
            }
            continue;
        }
        opened(fact, 0, lines);
    }
}

/// How a fact came about, and the numbers that it is made of.
fn opened(fact: &Fact, steps: usize, lines: &mut Vec<String>) {
    if steps > STEPS + 1 || lines.len() > LISTED {
        return;
    }
    let inner = passed_on(fact);
    let passes = matches!(inner.causes.as_slice(), [cause] if is_passed(cause, inner));
    if !passes {
        lines.extend(fact_told(fact).filter(|line| !lines.contains(line)));
    }
    let parts = inner.causes.iter().flat_map(|cause| &cause.facts);
    for part in parts.filter(|part| part.value.as_deref().is_some_and(is_number)) {
        opened(part, steps + 1, lines);
    }
}

/// Whether a row only passes a number on, that of another fact or its opposite.
fn is_passed(cause: &Cause, fact: &Fact) -> bool {
    let size = |value: &str| value.trim_start_matches('-').to_string();
    let numbers: Vec<&Value> = cause
        .values
        .iter()
        .filter(|value| is_number(&value.value))
        .collect();
    let [number] = numbers.as_slice() else {
        return false;
    };
    let is_same = fact.value.as_deref().map(size) == Some(size(&number.value));
    let label = cause.row.as_deref().unwrap_or_default();
    let is_cell = CELLS.contains(&label) || fact.value.as_deref() != Some(&number.value);
    is_same
        && is_cell
        && cause.says.is_none()
        && cause.facts.iter().any(|of| of.name == number.name)
}

/// The fact that a fact is nothing but, by whatever name.
fn passed_on(fact: &Fact) -> &Fact {
    let mut fact = fact;
    for _ in 0..STEPS {
        let [cause] = fact.causes.as_slice() else {
            break;
        };
        let passed = cause.facts.iter().find(|inner| {
            cause.row.is_none()
                && cause.gives.as_deref() == Some(&inner.name)
                && !inner.causes.is_empty()
        });
        match passed {
            Some(inner) => fact = inner,
            None => break,
        }
    }
    fact
}

/// What changed: first what has a sum, then other values, and last what only is so now.
fn changes(event: &Event) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (mut sums, mut others, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen: Vec<&str> = Vec::new();
    for effect in &event.effects {
        let Effect::Changed {
            name,
            state,
            entry,
            old,
            new,
            gains,
            loses,
            collection,
            causes,
        } = effect
        else {
            continue;
        };
        if *collection {
            let members = members(
                &some_of(gains),
                &some_of(loses),
                new.as_deref().filter(|new| new.is_empty()),
            );
            flags.push(format!("{}{members}", in_words(name)));
            continue;
        }
        let (Some(old), Some(new)) = (old.as_deref(), new.as_deref()) else {
            flags.push(format!("{} changes", in_words(name)));
            continue;
        };
        if let Some(cause) = causes.first()
            && let Some(sum) = sum(cause, Some(new))
        {
            sums.push(format!("{}: {sum}", in_words(name)));
            sums.extend(parts_told(cause));
            continue;
        }
        if entry.is_some() && !is_number(new) {
            if !seen.contains(&state.as_str()) {
                seen.push(state);
                others.push(entries(event, state));
            }
            continue;
        }
        // How many there are in a collection that cannot be written says little.
        if new.ends_with(" in all") {
            continue;
        }
        if is_yes_no(new) {
            flags.push(format!("{} is {new}", in_words(name)));
            continue;
        }
        // That what it was decides what it is now is seen.
        let by_itself = |cause: &&Cause| {
            let mut values = cause.values.iter();
            cause.row.is_none()
                && cause.says.is_none()
                && !cause.values.is_empty()
                && values.all(|value| value.name == *name && value.value == old)
        };
        let cause = causes.first().filter(|cause| !by_itself(cause));
        let why = cause.and_then(because);
        let why = why.map_or(String::new(), |why| format!(" ({why})"));
        others.push(format!(
            "{}: {} after {}{why}",
            in_words(name),
            cut(or_nothing(new), LONGEST_VALUE),
            cut(or_nothing(old), LONGEST_VALUE)
        ));
    }
    sums.dedup();
    (sums, others, flags)
}

/// The entries of a state that change, in one sentence.
fn entries(event: &Event, of: &str) -> String {
    let mut all = Vec::new();
    for effect in &event.effects {
        if let Effect::Changed {
            state,
            entry: Some(entry),
            new: Some(new),
            ..
        } = effect
            && state == of
            && !is_number(new)
        {
            all.push(format!("{entry} is {}", or_nothing(new)));
        }
    }
    format!("{}: {}", in_words(of), listed(&all, MOST_SENTENCES))
}

/// How the parts of a sum came about, as far as more than their values is known.
fn parts_told(cause: &Cause) -> Vec<String> {
    let formula = cause.gives.as_deref().unwrap_or_default();
    let parts = cause
        .facts
        .iter()
        .filter(|fact| has_name(formula, &fact.name));
    let mut told: Vec<String> = parts.filter_map(fact_told).collect();
    told.truncate(LISTED);
    told
}

/// How a fact came by its value: the fact that was only passed on stands for it.
fn fact_told(fact: &Fact) -> Option<String> {
    let value = fact.value.as_deref()?;
    let name = in_words(&fact.name);
    let fact = passed_on(fact);
    let is_alone = fact.causes.len() == 1 && fact.outdone.is_empty();
    let whys: Vec<String> = fact
        .causes
        .iter()
        .filter_map(|cause| match (sum(cause, None), worth(cause)) {
            (Some(_), Some(worth)) if is_alone && worth.to_string() != value => cause
                .row
                .as_deref()
                .map(|row| format!("{}, more than once", in_words(row))),
            (Some(sum), _) => Some(sum),
            (None, _) => because(cause),
        })
        .collect();
    if whys.is_empty() {
        return None;
    }
    let mut line = format!(
        "{name} is {}: {}",
        cut(or_nothing(value), LONGEST_VALUE),
        listed(&whys, LISTED)
    );
    let outdone: Vec<String> = fact
        .outdone
        .iter()
        .filter(|outdone| is_number(&outdone.value))
        .map(|outdone| format!("{} ({})", outdone.value, in_words(&outdone.name)))
        .collect();
    if !outdone.is_empty() {
        let outdone = listed(&outdone, MOST_SENTENCES);
        let _ = write!(line, ", rather than {outdone}");
    }
    Some(line)
}

/// Why a row fired, in words: its own, or its name and what it rests on; and the place in a book that it follows.
fn because(cause: &Cause) -> Option<String> {
    in_own_words(cause).map(|words| with_citation(cause, words))
}

/// Words with the place in a book that a row follows.
fn with_citation(cause: &Cause, words: String) -> String {
    match &cause.cites {
        Some(place) => format!("{words} ({place})"),
        None => words,
    }
}

fn in_own_words(cause: &Cause) -> Option<String> {
    if let Some(says) = &cause.says {
        return Some(says.clone());
    }
    if let Some(members) = counted(cause) {
        return Some(members);
    }
    let label = cause.row.as_deref().filter(|row| !CELLS.contains(row));
    let values = glanced(&cause.values, "");
    match (label, &cause.gives) {
        (Some(label), _) if values.is_empty() => Some(in_words(label)),
        (Some(label), _) => Some(format!("{}, as {}", in_words(label), values.join(", "))),
        (None, Some(gives)) if cause.row.is_none() && is_readable(gives) => {
            Some(format!("{gives}{}", in_brackets(&values)))
        }
        _ => (!values.is_empty()).then(|| values.join(", ")),
    }
}

/// The members that a row counts, where that is all it does.
fn counted(cause: &Cause) -> Option<String> {
    let of = cause.gives.as_deref()?.strip_prefix("size of ")?;
    let counted = cause.values.iter().find(|value| value.name == of)?;
    let members: Vec<String> = counted
        .value
        .split_whitespace()
        .map(str::to_string)
        .collect();
    (!members.is_empty()).then(|| some_of(&members).join(" "))
}

/// The answer to a question.
fn answer(event: &Event, asked: &Asked) -> Vec<String> {
    let mut lines = Vec::new();
    // An expression has its value whatever comes of the event.
    if asked.sort != Sort::Expression {
        stopped_by(event, &mut lines);
        lines.truncate(1);
    }
    answered(asked, &mut lines);
    lines
}

/// The answer itself.
fn answered(asked: &Asked, lines: &mut Vec<String>) {
    let name = asked.name.clone();
    let mut head = match (asked.sort, asked.happened, &asked.value) {
        (Sort::Expression, _, Some(value)) if is_yes_no(value) => {
            let not = if value == "no" { "not " } else { "" };
            format!("`{name}` is {not}so")
        }
        (Sort::Fact | Sort::Expression, _, Some(value)) => {
            format!("{name} is {}", cut(or_nothing(value), LONGEST_VALUE))
        }
        (Sort::Fact | Sort::FactRow | Sort::Expression, true, _) => format!("{name} holds"),
        (Sort::Fact | Sort::FactRow | Sort::Expression, false, _) => {
            format!("{name} does not hold")
        }
        (Sort::Change | Sort::ChangeRow, true, _) => format!("{name} changes"),
        (Sort::Change | Sort::ChangeRow, false, _) => format!("{name} does not change"),
        (Sort::Said, true, _) => format!("{name} is said"),
        (Sort::Said, false, _) => format!("{name} is not said"),
        (Sort::Impossible, true, _) => format!("{name} makes it impossible"),
        (Sort::Impossible, false, _) => format!("{name} does not make it impossible"),
        (Sort::Rule, true, _) => format!("{name} chooses"),
        (Sort::Rule, false, _) => format!("{name} does not choose"),
    };
    if let Some(since) = asked.since {
        let _ = write!(head, " since line {since}");
    }
    let own = |text: Option<&str>| asked.sort == Sort::Expression && text == Some(&asked.name);
    let mut whys: Vec<String> = asked
        .causes
        .iter()
        .filter(|cause| {
            cause.row.is_some()
                || cause.facts.len() > 1
                || !own(cause.gives.as_deref())
                || sum(cause, asked.value.as_deref()).is_some()
        })
        .filter_map(|cause| sum(cause, asked.value.as_deref()).or_else(|| because(cause)))
        .collect();
    whys.dedup();
    if whys.is_empty() {
        lines.push(head);
    } else {
        lines.push(format!("{head}: {}", listed(&whys, LISTED)));
    }
    let shown = if asked.unfired.len() > LISTED + 1 {
        LISTED
    } else {
        asked.unfired.len()
    };
    for unfired in asked.unfired.iter().take(shown) {
        if own(Some(&unfired.written)) {
            let values = glanced(&unfired.values, "");
            if let (Some(line), false) = (lines.last_mut(), values.is_empty()) {
                let _ = write!(line, ": {}", values.join(", "));
            }
        } else {
            lines.push(failed(unfired));
        }
    }
    if asked.unfired.len() > shown {
        lines.push(format!(
            "and {} more could have made it so",
            asked.unfired.len() - shown
        ));
    }
    let what = match (asked.sort, asked.happened) {
        (Sort::Change | Sort::ChangeRow, false) => format!("{name} would change"),
        (Sort::Change | Sort::ChangeRow, true) => format!("{name} would not change"),
        (_, false) => name,
        (_, true) => format!("not {name}"),
    };
    let room = MOST_SENTENCES.saturating_sub(2).max(1);
    lines.truncate(room + 1);
    if asked.alone {
        lines.push(ALONE.to_string());
    }
    besides(&asked.beside, &what, lines);
}

/// What a row failed at.
fn failed(unfired: &Unfired) -> String {
    let label = unfired
        .row
        .as_deref()
        .map_or(String::new(), |row| format!("{}: ", in_words(row)));
    let written = &unfired.written;
    let shown = unfired.values.iter().filter(|value| is_short(value));
    let values: Vec<String> = shown
        .map(|Value { name, value, .. }| format!("{} is {}", in_words(name), or_nothing(value)))
        .take(LISTED)
        .collect();
    let mut reason = match &unfired.failed {
        Failed::Condition => format!("needs `{written}`"),
        Failed::Value if written.is_empty() => "gives what it was before".to_string(),
        Failed::Value => format!("`{written}` does not hold"),
        Failed::Empty => format!("there is nothing in `{written}`"),
        Failed::Earlier { row } => format!("{} comes first", in_words(row)),
        Failed::Field { field } => format!("there is no {field}"),
        Failed::Guard { event } => match written.strip_prefix("unless ") {
            Some(condition) => format!("{event} cannot come when {condition}"),
            None => format!("{event} can come only {written}"),
        },
    };
    if !values.is_empty() {
        let _ = write!(reason, ", and {}", values.join(", "));
    }
    format!("{label}{reason}")
}

fn besides(beside: &[Beside], what: &str, lines: &mut Vec<String>) {
    for Beside {
        field,
        value,
        words,
    } in beside.iter().take(2)
    {
        let value = value.as_deref().map_or("another", or_nothing);
        let value = cut(value, LONGEST_VALUE);
        lines.push(format!(
            "{what} if {} were {value}: `{words}`",
            in_words(field)
        ));
    }
}
