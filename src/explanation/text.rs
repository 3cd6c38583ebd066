//! Explanations in full, row by row.

use std::fmt::Write as _;

use super::{
    Alternative, Answer, By, Cause, Decision, Effect, Event, Explanation, Fact, Failed, Sort,
    Stopped, Unfired, Value,
    answer::{may_come, otherwise, verdict},
    words::{LONGEST_LINE, after_lines, cut, guarded, since_when},
};
use crate::diagnostic::{Colour, alternatives, masked};

/// The number of words of a value that are shown at most.
const MOST_WORDS: usize = 16;

/// Says that no event with a single different field gives another answer.
pub(super) const ALONE: &str = "no single change to the line would alter that";

/// The sentence for the end or the restart of a game.
pub(super) fn ending(effect: &Effect) -> &'static str {
    match effect {
        Effect::Restarted { .. } => "the game begins again",
        _ => "the game is over",
    }
}

/// The indentation of a level.
const INDENT: &str = "  ";

/// Marks the start of bold text. While the page is written, styles are noncharacters, so that text from outside can be
/// cleaned of escape sequences.
const STRONG: char = '\u{fdd0}';

/// Marks the start of faint text.
const FAINT: char = '\u{fdd1}';

/// Marks the end of a style.
const PLAIN: char = '\u{fdd2}';

/// The escape sequence for each mark.
const STYLES: [(char, &str); 3] = [
    (STRONG, "\u{1b}[1m"),
    (FAINT, "\u{1b}[2m"),
    (PLAIN, "\u{1b}[0m"),
];

impl Explanation {
    /// The whole explanation as text: each row with its place, its conditions and their values.
    #[must_use]
    pub fn trace(&self, colour: Colour) -> String {
        let mut page = Page {
            text: String::new(),
            coloured: colour == Colour::Always,
        };
        page.write_explanation(self);
        page.finish()
    }
}

impl Explanation {
    /// When the answer about the state applies: at the start, or after the line.
    pub(super) fn when_answered(&self, head: &str) -> String {
        match self.line {
            0 => "at the start".to_string(),
            _ => format!("after {head}{}", self.part),
        }
    }
}

/// A page that is being written.
pub(super) struct Page {
    pub(super) text: String,
    pub(super) coloured: bool,
}

/// The suffix of a suggestion that would be refused.
pub(super) fn would_be(refused: bool) -> &'static str {
    if refused {
        ", which would be refused"
    } else {
        ""
    }
}

impl Page {
    /// The text, with escape sequences in place of the marks.
    pub(super) fn finish(self) -> String {
        let mut text = masked(&self.text).into_owned();
        if !self.coloured {
            return text;
        }
        for (mark, style) in STYLES {
            text = text.replace(mark, style);
        }
        text
    }

    pub(super) fn line(&mut self, level: usize, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{}{text}", INDENT.repeat(level));
    }

    pub(super) fn strong(&self, text: &str) -> String {
        if self.coloured {
            format!("{STRONG}{text}{PLAIN}")
        } else {
            text.to_string()
        }
    }

    fn faint(&self, text: &str) -> String {
        if self.coloured {
            format!("{FAINT}{text}{PLAIN}")
        } else {
            text.to_string()
        }
    }

    /// Writes what was read from the line besides events, and whether another line was asked for. Returns the line's
    /// heading.
    pub(super) fn opening(&mut self, explanation: &Explanation) -> String {
        let head = format!("line {}", explanation.line);
        if let Some(blank) = explanation.blank {
            let what = if explanation.question {
                "a `#?` line"
            } else {
                "blank"
            };
            self.line(0, &format!("line {blank} is {what}; the next is {head}"));
        }
        if explanation.answer.is_some() {
            return head;
        }
        let is_read = explanation.events.iter().any(|event| event.words.is_some());
        if !is_read && !explanation.read.is_empty() {
            let read = explanation.read.iter();
            let read: Vec<String> = read
                .map(|read| format!("`{}`", cut(read, LONGEST_LINE)))
                .collect();
            let mut line = format!("{head} is read as {}", read.join(", "));
            if explanation.events.is_empty() && explanation.stopped.is_none() {
                line.push_str("; nothing is decided on it");
            }
            let line = self.strong(&line);
            self.line(0, &line);
        }
        head
    }

    fn write_explanation(&mut self, explanation: &Explanation) {
        let head = self.opening(explanation);
        for event in &explanation.events {
            self.event(event, &head);
        }
        if let Some(stopped) = &explanation.stopped {
            let line = self.strong(&format!("{head}: {}", stopped.words.trim()));
            self.line(0, &line);
            self.stopped(stopped);
        }
        if let Some(answer) = &explanation.answer {
            let line = self.strong(&explanation.when_answered(&head));
            self.line(0, &line);
            self.answer(answer);
        }
    }

    fn stopped(&mut self, stopped: &Stopped) {
        self.line(1, &stopped.message);
        for note in stopped.notes.iter().chain(&stopped.helps) {
            self.line(2, note);
        }
        if let Some(line) = describe_suggestions(stopped) {
            self.line(1, &line);
        }
    }

    fn event(&mut self, event: &Event, head: &str) {
        let (line, decision) = heading(event, head);
        let mut line = self.strong(&line);
        if let Some(Decision { chosen, .. }) = decision {
            line.push_str(&self.because(chosen));
        }
        self.line(0, &line);
        if let Some(Decision { chosen, passed }) = decision {
            for fact in &chosen.facts {
                self.fact(fact, 1, "");
            }
            for unfired in passed {
                self.unfired(unfired, 1, "passed over: ");
            }
        }
        for sentence in &event.sentences {
            let sentence = self.strong(sentence);
            self.line(1, &sentence);
        }
        let illegal = event.illegal.iter();
        for fact in illegal.filter(|_| event.sentences.is_empty()) {
            let causes: Vec<&Cause> = fact.causes.iter().collect();
            self.write_with_causes(&format!("illegal by `{}`", fact.name), &causes, 0);
        }
        if let Some(answer) = &event.answer {
            for effect in &event.effects {
                if let Effect::Impossible { .. } | Effect::Refused { .. } = effect {
                    self.effect(effect);
                }
            }
            self.answer(answer);
            return;
        }
        if event.effects.is_empty() && !is_start(event) {
            self.line(0, "nothing is said, and nothing changes");
        }
        for effect in &event.effects {
            self.effect(effect);
        }
        let refused = event
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Refused { .. }));
        let what = if refused { "not refused" } else { "possible" };
        self.alternatives(&event.alternatives, what);
        if let Some(line) = may_come(event) {
            self.line(0, &line);
        }
    }

    fn alternatives(&mut self, alternatives: &[Alternative], what: &str) {
        for Alternative {
            field,
            value,
            words,
            refused,
        } in alternatives
        {
            let value = value.as_deref().map_or("another", or_nothing);
            let consequence = would_be(*refused);
            self.line(
                0,
                &format!("{what} if {field} were {value}: `{words}`{consequence}"),
            );
        }
    }

    fn answer(&mut self, answer: &Answer) {
        let name = &answer.name;
        let head = match (answer.sort, answer.happened, &answer.value) {
            (Sort::Fact | Sort::Expression, _, Some(value)) => {
                format!("{name} = {}", or_nothing(value))
            }
            (Sort::ChangeRow, true, _) => format!("{name} changes it"),
            (Sort::ChangeRow, false, _) => format!("{name} changes nothing"),
            _ => verdict(answer, name),
        };
        let since = since_when(answer.since, answer.since_words.as_deref());
        let before = if answer.before { "before it, " } else { "" };
        let head = format!("{before}{head}{since}");
        let causes: Vec<&Cause> = answer.causes.iter().collect();
        self.write_with_causes(&head, &causes, 0);
        for unfired in &answer.unfired {
            self.unfired(unfired, 1, "");
        }
        self.alternatives(&answer.alternatives, &otherwise(answer, name));
        if answer.no_alternative {
            self.line(0, ALONE);
        }
    }

    fn unfired(&mut self, unfired: &Unfired, level: usize, before: &str) {
        let mut line = before.to_string();
        if let Some(row) = &unfired.row {
            let _ = write!(line, "{row}  ");
        }
        line.push_str(&self.faint(&format!("{}:{}", unfired.file, unfired.at)));
        let written = &unfired.written;
        let reason = match &unfired.failed {
            Failed::Condition => format!("needs `{written}`"),
            Failed::Value if written.is_empty() => "gives what it was before".to_string(),
            Failed::Value => format!("is `{written}`"),
            Failed::Empty => format!("there is nothing in `{written}`"),
            Failed::Earlier { row } => format!("`{row}` comes first"),
            Failed::Field { field } => format!("no {field}: `{written}` is none"),
            Failed::Guard { event } => guarded(event, written),
        };
        let _ = write!(line, "  {reason}");
        self.values(&mut line, &unfired.values, &unfired.facts);
        self.line(level, &line);
        for fact in &unfired.facts {
            self.fact(fact, level + 1, "");
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Said { text, cause, .. } => {
                self.write_with_causes(&format!("said \"{text}\""), &[cause], 0);
            }
            Effect::Impossible { text, cause } => {
                self.write_with_causes(&format!("impossible: {text}"), &[cause], 0);
            }
            Effect::Over { fact } | Effect::Restarted { fact } => {
                let causes: Vec<&Cause> = fact.causes.iter().collect();
                self.write_with_causes(ending(effect), &causes, 0);
            }
            Effect::Refused { fact } => {
                let says = match fact.value.as_deref() {
                    None | Some("" | "yes") => String::new(),
                    Some(says) => format!(": {says}"),
                };
                let causes: Vec<&Cause> = fact.causes.iter().collect();
                self.write_with_causes(&format!("refused by `{}`{says}", fact.name), &causes, 0);
            }
            Effect::Changed {
                name,
                state: _,
                entry: _,
                old,
                new,
                gains,
                loses,
                collection,
                again: _,
                place: _,
                causes,
            } => {
                let change = if *collection {
                    describe_members(gains, loses, new.as_deref())
                } else {
                    match (old.as_deref(), new.as_deref()) {
                        (Some(old), Some(new)) => {
                            format!(": {} -> {}", or_nothing(old), or_nothing(new))
                        }
                        _ => " changes".into(),
                    }
                };
                let causes: Vec<&Cause> = causes.iter().collect();
                self.write_with_causes(&format!("{name}{change}"), &causes, 0);
            }
        }
    }

    /// Writes something with its causes: the first on the same line, others below.
    fn write_with_causes(&mut self, head: &str, causes: &[&Cause], level: usize) {
        let Some((first, others)) = causes.split_first() else {
            self.line(level, head);
            return;
        };
        let line = format!("{head}{}", self.because(first));
        self.line(level, &line);
        for other in others {
            let line = format!("and{}", self.because(other));
            self.line(level + 1, &line);
        }
        for cause in causes {
            for fact in &cause.facts {
                self.fact(fact, level + 1, "");
            }
        }
    }

    /// Writes the rows that were overridden.
    fn outdone(&mut self, outdone: &[Value], level: usize) {
        let outdone: Vec<String> = outdone
            .iter()
            .map(|Value { name, value, .. }| format!("{name} = {}", shortened(value)))
            .collect();
        if !outdone.is_empty() {
            self.line(level, &format!("instead of {}", outdone.join(", ")));
        }
    }

    fn fact(&mut self, fact: &Fact, level: usize, before: &str) {
        let head = match &fact.value {
            None => format!("{before}{}", fact.name),
            Some(value) => format!("{before}{} = {}", fact.name, shortened(value)),
        };
        let causes: Vec<&Cause> = fact.causes.iter().collect();
        self.write_with_causes(&head, &causes, level);
        self.outdone(&fact.outdone, level + 1);
        for unfired in &fact.passed {
            self.unfired(unfired, level + 1, "passed over: ");
        }
    }

    /// The row's name, its place, its conditions and their values.
    fn because(&self, cause: &Cause) -> String {
        let mut text = String::new();
        if let Some(row) = &cause.row {
            let _ = write!(text, "  {row}");
        }
        let place = self.faint(&format!("{}:{}", cause.file, cause.at));
        let _ = write!(text, "  {place}");
        if !cause.written.is_empty() {
            let _ = write!(text, "  {}", cause.written.join(", "));
        }
        if let Some(place) = &cause.cites {
            let _ = write!(text, "  ({place})");
        }
        self.values(&mut text, &cause.values, &cause.facts);
        text.push_str(&cause.compared_in_full());
        if let Some(when) = after_lines(&cause.earlier) {
            let _ = write!(text, "  (the same stood {when})");
        }
        text
    }

    /// The values that are not explained below.
    #[expect(clippy::unused_self, reason = "it writes a part of the page")]
    fn values(&self, text: &mut String, values: &[Value], facts: &[Fact]) {
        let values: Vec<String> = values
            .iter()
            .filter(|value| !facts.iter().any(|fact| fact.name == value.name))
            .map(|one| {
                let since = since_when(one.since, one.since_words.as_deref());
                format!("{} = {}{since}", one.name, shortened(&one.value))
            })
            .collect();
        if !values.is_empty() {
            let _ = write!(text, "  ({})", values.join(", "));
        }
    }
}

/// The heading of an event, and the decision that led to it.
pub(super) fn heading<'e>(event: &'e Event, head: &str) -> (String, Option<&'e Decision>) {
    let named = event_with_fields(event);
    match (&event.words, &event.by) {
        (Some(words), _) => (format!("{head}: {words}"), None),
        (None, By::Transcript) if is_start(event) => {
            let mut effects = event.effects.iter();
            let impossible = effects.any(|effect| matches!(effect, Effect::Impossible { .. }));
            let verb = if impossible { "cannot start" } else { "starts" };
            (format!("the game {verb}"), None)
        }
        (None, By::Transcript) => (named, None),
        (None, By::Policy { name, decision }) => {
            (format!("{name} chooses {named}"), decision.as_ref())
        }
        (None, By::Lot) => (format!("the lot falls on {named}"), None),
        (None, By::Follows { decision }) => (format!("then {named}"), decision.as_ref()),
    }
}

pub(super) fn is_start(event: &Event) -> bool {
    event.event == "start"
}

/// An event with its fields.
fn event_with_fields(event: &Event) -> String {
    // An optional field without a value is left out.
    let given = event.fields.iter().filter(|field| field.value != "none");
    let fields: Vec<String> = given
        .map(|Value { name, value, .. }| format!("{name} {}", or_nothing(value)))
        .collect();
    if fields.is_empty() {
        event.event.clone()
    } else {
        format!("{} ({})", event.event, fields.join(", "))
    }
}

pub(super) fn describe_members(gains: &[String], loses: &[String], new: Option<&str>) -> String {
    let mut parts = Vec::new();
    if !gains.is_empty() {
        parts.push(format!("gains {}", gains.join(" ")));
    }
    if !loses.is_empty() {
        parts.push(format!("loses {}", loses.join(" ")));
    }
    if parts.is_empty() {
        return match new {
            Some(new) => format!(" is in another order: {new}"),
            None => " is in another order".into(),
        };
    }
    if new == Some("") {
        parts.push("nothing is left".into());
    }
    format!(": {}", parts.join(", "))
}

/// A value, shortened if it has many words.
fn shortened(value: &str) -> String {
    let words: Vec<&str> = value.split(' ').collect();
    match words.get(..MOST_WORDS) {
        Some(first) if words.len() > MOST_WORDS + 2 => {
            format!("{} … ({} in all)", first.join(" "), words.len())
        }
        _ => or_nothing(value).to_string(),
    }
}

pub(crate) fn or_nothing(value: &str) -> &str {
    if value.is_empty() { "nothing" } else { value }
}

/// The lines that an unreadable line may have been meant as.
pub(super) fn describe_suggestions(stopped: &Stopped) -> Option<String> {
    let suggestions = &stopped.suggestions;
    (!suggestions.is_empty()).then(|| format!("it could be {}", alternatives(suggestions)))
}
