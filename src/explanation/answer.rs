//! The answer to a question about a line, in a few sentences.

use std::fmt::Write as _;

use serde::Serialize;

use super::{
    Alternative, By, Cause, Decision, Event, Explanation, Fact, Failed, Query, Unfired,
    members::describe_collection,
    reasons::{
        because, calls_compared, compared_values, missing, says_of, searched, with_reasons,
        without_arguments,
    },
    sum::{calculation_of, explain_facts_in_text, forwarded, sum_of_rows},
    text::{ALONE, or_nothing, would_be},
    words::{
        LISTED, LONGEST_ANSWER, LONGEST_LINE, LONGEST_VALUE, MOST_SENTENCES, cut,
        describe_empty_best, guarded, in_words, is_readable, is_yes_no, listed, short_values,
        since_when,
    },
};

/// The answer to a question: why something happened, or why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub struct Answer {
    /// The name of what the question is about.
    pub name: String,
    /// What sort of thing it is.
    pub sort: Sort,
    /// Whether it happened.
    pub happened: bool,
    /// Its value, if that can be written in a line.
    pub value: Option<String>,
    /// The rows that made it happen.
    pub causes: Vec<Cause>,
    /// The rows that could have made it happen, each with why it did not fire.
    pub unfired: Vec<Unfired>,
    /// Events that differ in one field and for which the answer is the opposite.
    #[serde(rename = "beside")]
    pub alternatives: Vec<Alternative>,
    /// Whether it is certain that no single change to a field gives the opposite answer.
    #[serde(rename = "alone")]
    pub no_alternative: bool,
    /// For state: the line on which it last changed, if it did since the game began.
    pub since: Option<usize>,
    /// The words of the event that changed it, if that line can have several events.
    pub since_words: Option<String>,
    /// Whether it was evaluated in the state before the event, which the event may have changed.
    pub before: bool,
    /// Whether the viewer is known to see everything that it depends on.
    #[serde(skip)]
    pub(crate) seen: bool,
    /// That change.
    #[serde(skip)]
    pub(crate) changed: Option<LastChange>,
}

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// A fact.
    Fact,
    /// A row of a fact.
    FactRow,
    /// A change of state.
    Change,
    /// A row of a change.
    ChangeRow,
    /// A row of a report.
    Said,
    /// A row that makes an event impossible.
    Impossible,
    /// A rule of a policy.
    Rule,
    /// A row that names the event that follows.
    Follows,
    /// An expression.
    Expression,
}

/// The last change of a state, or of an entry of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastChange {
    /// The step of its line in which it changed.
    pub(crate) step: usize,
    /// The state's number.
    pub(crate) state: usize,
    /// The entry's place.
    pub(crate) place: usize,
}

/// The last event on a line after which a question is answered.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Until {
    /// The event with this number, from 1.
    Event(usize),
    /// The event that is read in this column, from 1.
    Column(usize),
}

impl Until {
    /// A suffix to the line's heading.
    pub(crate) fn description(self) -> String {
        match self {
            Until::Event(number) => format!(", event {number}"),
            Until::Column(column) => format!(", column {column}"),
        }
    }

    /// Whether the event is among the first `answered` ones.
    pub(crate) fn is_before(self, events: &[Event], answered: usize) -> bool {
        match self {
            Until::Event(number) => answered >= number,
            // A column belongs to an event until the next one begins.
            Until::Column(column) => {
                let mut later = events[answered..].iter();
                answered > 0
                    && later.any(|event| event.column.is_some_and(|begins| begins > column))
            }
        }
    }
}

impl Query {
    /// The same line without the question.
    pub(crate) fn without_question(&self) -> Query {
        Query {
            of: None,
            not: None,
            ..self.clone()
        }
    }

    /// The event on the line after which the question is answered.
    pub(crate) fn until(&self) -> Option<Until> {
        let column = self.column.map(Until::Column);
        self.event.map(Until::Event).or(column)
    }
}

impl Explanation {
    /// The same without alternatives to the events, which not every question calls for.
    pub(crate) fn without_alternatives(mut self) -> Explanation {
        for event in &mut self.events {
            if let Some(answer) = &mut event.answer {
                answer.alternatives.clear();
                answer.no_alternative = false;
            }
        }
        self
    }

    /// The same answers under another name.
    pub(crate) fn renamed(mut self, name: &str) -> Explanation {
        let answers = self.events.iter_mut().map(|event| &mut event.answer);
        for answer in answers.chain([&mut self.answer]).flatten() {
            name.clone_into(&mut answer.name);
            // A change to the line cannot alter what held before it.
            answer.no_alternative = false;
        }
        self
    }
}

impl Answer {
    /// The report line that the question quotes, if it does.
    pub(crate) fn text(&self) -> Option<&str> {
        self.name.strip_prefix('"')?.strip_suffix('"')
    }

    /// An answer that is still to be filled in.
    pub(crate) fn new(name: String, sort: Sort) -> Answer {
        Answer {
            name,
            sort,
            happened: false,
            value: None,
            causes: Vec::new(),
            unfired: Vec::new(),
            alternatives: Vec::new(),
            no_alternative: false,
            since: None,
            since_words: None,
            before: false,
            seen: false,
            changed: None,
        }
    }
}

impl By {
    /// The name of the policy that chose, its decision, and the name of one of its rows without that of the policy.
    pub(crate) fn policy_row<'n>(&self, name: &'n str) -> Option<(&str, &Decision, &'n str)> {
        let By::Policy {
            name: policy,
            decision: Some(decision),
        } = self
        else {
            return None;
        };
        let own = name.strip_prefix(policy.as_str());
        let row = own.and_then(|row| row.strip_prefix('.')).unwrap_or(name);
        Some((policy, decision, row))
    }

    /// What a rule of a policy did that is asked by its name, if this is a decision about it.
    pub(crate) fn rule(&self, name: &str) -> Option<Answer> {
        let (policy, decision, short) = self.policy_row(name)?;
        let mut answer = Answer::new(format!("{policy}.{short}"), Sort::Rule);
        let mut passed = decision.passed.iter();
        if decision.chosen.row.as_deref() == Some(short) {
            answer.happened = true;
            answer.causes.push(decision.chosen.clone());
        } else {
            let passed = passed.find(|passed| passed.row.as_deref() == Some(short))?;
            answer.unfired.push(passed.clone());
        }
        Some(answer)
    }
}

/// Writes the answer: its value or verdict, the causes, the rows that did not fire, and the alternatives.
pub(super) fn describe_answer(answer: &Answer, lines: &mut Vec<String>) {
    let name = match answer.sort {
        Sort::Expression => answer.name.clone(),
        _ => in_words(&answer.name),
    };
    let mut head = match (answer.sort, &answer.value) {
        (Sort::Fact | Sort::Expression, Some(value)) if is_yes_no(value) => {
            let not = if value == "no" { "not " } else { "" };
            match answer.sort {
                Sort::Expression => format!("`{name}` is {not}so"),
                _ => format!("{} is {value}", in_words(&name)),
            }
        }
        (Sort::Fact | Sort::Expression, Some(value)) => {
            format!("{name} is {}", cut(or_nothing(value), LONGEST_ANSWER))
        }
        (Sort::Said, Some(said)) => {
            format!("{name} is not said, but \"{}\"", cut(said, LONGEST_LINE))
        }
        // A map or a collection of records has no value that fits in a line.
        (Sort::Expression, None) => {
            format!("`{name}` cannot be written in a line: ask for a part of it")
        }
        _ => verdict(answer, &name),
    };
    head.push_str(&since_when(answer.since, answer.since_words.as_deref()));
    if answer.before {
        head = format!("before it, {head}");
    }
    let own = |text: Option<&str>| answer.sort == Sort::Expression && text == Some(&answer.name);
    let mut whys: Vec<String> = answer
        .causes
        .iter()
        .filter(|cause| {
            cause.row.is_some()
                || cause.facts.len() > 1
                || !own(cause.gives.as_deref())
                || calculation_of(cause, answer).is_some()
                || cause.compared_variables().is_some()
                || describe_collection(cause).is_some()
        })
        .filter_map(|cause| why_of(cause, answer))
        .collect();
    whys.dedup();
    // A reason that only repeats the head adds nothing.
    whys.retain(|why| *why != head);
    if let Some(added) = sum_of_rows(&answer.causes, answer.value.as_deref()) {
        whys = vec![added];
    }
    if whys.is_empty() {
        lines.push(head);
    } else {
        lines.push(format!("{head}: {}", listed(&whys, LISTED)));
    }
    // What a line of the report is made of.
    if let (Some(text), true) = (answer.text(), answer.happened) {
        let facts = answer.causes.iter().map(|cause| &cause.facts);
        facts.for_each(|facts| explain_facts_in_text(text, facts, lines));
    }
    let room = MOST_SENTENCES.saturating_sub(1);
    let shown = room.saturating_sub(lines.len()).max(1);
    for unfired in answer.unfired.iter().take(shown) {
        if own(Some(&unfired.written)) {
            // That it is what it is says nothing.
            let mut own = unfired.clone();
            own.values.retain(|value| value.name != answer.name);
            let written = std::slice::from_ref(&own.written);
            let mut values = short_values(&without_arguments(&own.values, written), "");
            values.extend(calls_compared(&own.values, &own.facts, written));
            values.extend(missing(&own));
            values.extend(searched(&own, &values));
            if let (Some(line), false) = (lines.last_mut(), values.is_empty()) {
                let _ = write!(line, ": {}", values.join(", "));
            }
        } else {
            lines.push(describe_unfired(unfired, answer));
        }
    }
    if let (Some(last), left @ 1..) = (lines.last_mut(), answer.unfired.len().saturating_sub(shown))
    {
        let _ = write!(last, "; {left} more with `--trace`");
    }
    let what = otherwise(answer, &name);
    lines.truncate(room);
    if answer.no_alternative {
        lines.push(ALONE.to_string());
    }
    describe_alternatives(&answer.alternatives, &what, lines);
}

impl Explanation {
    /// Removes everything but the answer: other events, and what stops the run later.
    pub(crate) fn keep_answer(&mut self) {
        if self.answer.is_some() {
            self.stopped = None;
        }
        self.events.retain(|event| event.answer.is_some());
    }

    /// Whether the expression in question mentions nothing and its value is neither yes nor no.
    pub(crate) fn is_constant(&self) -> bool {
        let events = self.events.iter();
        let answers = events.filter_map(|event| event.answer.as_ref());
        answers.chain(&self.answer).all(|answer| {
            let causes = answer
                .causes
                .iter()
                .map(|cause| (&cause.values, &cause.facts));
            let unfired = answer.unfired.iter().map(|row| (&row.values, &row.facts));
            let mut mentioned = causes.chain(unfired);
            let is_yes_no = matches!(answer.value.as_deref(), Some("yes" | "no"));
            !is_yes_no && mentioned.all(|(values, facts)| values.is_empty() && facts.is_empty())
        })
    }

    /// The names of the events on the line, each once, the last first.
    pub(crate) fn event_names(&self) -> Vec<Option<String>> {
        let mut events = Vec::new();
        for event in self.events.iter().rev() {
            let name = Some(event.event.clone());
            if !events.contains(&name) {
                events.push(name);
            }
        }
        events
    }
}

/// Why a row gave the answer: its calculation or its words, and what it compares.
fn why_of(cause: &Cause, answer: &Answer) -> Option<String> {
    // A row that only forwards a fact is explained by the fact's own sentence.
    let passed = |fact: &&Fact| cause.gives.as_deref() == Some(&fact.name);
    let says = || says_of(cause.facts.iter().find(passed)?);
    let is_said = says().is_some();
    let why = calculation_of(cause, answer).or_else(says);
    let value = answer.value.as_deref();
    // What a line is said for is compared, too, and so is what is so or not.
    let compares = answer.sort == Sort::Said || value.is_some_and(is_yes_no);
    let why = why.or_else(|| {
        if !compares {
            return because(cause);
        }
        because(&Cause {
            values: without_arguments(&cause.values, &cause.written),
            ..cause.clone()
        })
    });
    let why = why.or_else(|| cause.compared_variables());
    // What only forwards another fact has the reason of that.
    let below = || forwarded(cause.facts.iter().find(passed)?).causes.first();
    let why = why.or_else(|| {
        below().and_then(|below| because(below).or_else(|| below.compared_variables()))
    });
    let mut whys: Vec<String> = why.into_iter().collect();
    if compares {
        // The sentence of a fact says more than that the fact is so.
        let calls = calls_compared(&cause.values, &cause.facts, &cause.written);
        let is_new = |call: &String| whys.iter().all(|why| !why.contains(call));
        let calls: Vec<String> = calls
            .into_iter()
            .filter(|call| !is_said && is_new(call))
            .collect();
        whys.extend(calls);
    }
    let besides = cause.holds_besides();
    whys.extend(besides.filter(|part| whys.iter().all(|why| !why.contains(part.as_str()))));
    let gives = cause
        .gives
        .as_deref()
        .filter(|gives| gives.contains(' ') && is_readable(gives));
    if let (Some(gives), Some("no"), None) = (gives, value, &cause.says) {
        whys.push(format!("but not `{gives}`"));
    }
    let told = |name: &str| cause.facts.iter().find(|fact| fact.name == name);
    (!whys.is_empty()).then(|| with_reasons(whys.join(", "), cause, told))
}

/// What a row failed at, of which somebody asks.
fn describe_unfired(unfired: &Unfired, answer: &Answer) -> String {
    let label = unfired
        .row
        .as_deref()
        .map_or(String::new(), |row| format!("{}: ", in_words(row)));
    let written = &unfired.written;
    let values = compared_values(unfired);
    let is_change = matches!(answer.sort, Sort::Change | Sort::ChangeRow);
    let mut reason = match &unfired.failed {
        Failed::Condition => format!("needs `{written}`"),
        Failed::Value if written.is_empty() && is_change => "gives what it was before".to_string(),
        Failed::Value if written.is_empty() => "gives none".to_string(),
        Failed::Value if is_change => {
            format!("`{written}` is what it was before")
        }
        Failed::Value
            if answer
                .value
                .as_deref()
                .is_some_and(|value| !is_yes_no(value)) =>
        {
            describe_empty_best(written).unwrap_or_else(|| format!("`{written}` gives none"))
        }
        Failed::Value => format!("`{written}` is not so"),
        Failed::Empty => format!("there is nothing in `{written}`"),
        Failed::Earlier { row } => format!("{} comes first", in_words(row)),
        Failed::Field { field } => format!("there is no {field}"),
        Failed::Guard { event } => guarded(event, written),
    };
    let is_earlier = matches!(unfired.failed, Failed::Earlier { .. });
    if !values.is_empty() && !is_earlier {
        let _ = write!(reason, ": {}", values.join(", "));
    }
    format!("{label}{reason}")
}

/// The lines that are possible instead of an event, if they are known.
pub(super) fn may_come(event: &Event) -> Option<String> {
    let all: Vec<String> = event
        .may_come
        .iter()
        .map(|line| format!("`{line}`"))
        .collect();
    (!all.is_empty()).then(|| format!("possible instead: {}", all.join(", ")))
}

/// Writes the events that differ in one field and for which the answer is the opposite.
pub(super) fn describe_alternatives(
    alternatives: &[Alternative],
    what: &str,
    lines: &mut Vec<String>,
) {
    for Alternative {
        field,
        value,
        words,
        refused,
    } in alternatives.iter().take(2)
    {
        let value = value.as_deref().map_or("another", or_nothing);
        let value = cut(value, LONGEST_VALUE);
        let but = would_be(*refused);
        lines.push(format!(
            "{what} if {} were {value}: `{words}`{but}",
            in_words(field)
        ));
    }
}

/// What would be so in an event in which it is the other way round.
pub(super) fn otherwise(answer: &Answer, name: &str) -> String {
    match (answer.sort, answer.happened) {
        (Sort::Change | Sort::ChangeRow, false) => format!("{name} would change"),
        (Sort::Change | Sort::ChangeRow, true) => format!("{name} would not change"),
        (Sort::Said, true) => format!("{name} would not be said"),
        (_, false) => name.to_string(),
        (_, true) => format!("not {name}"),
    }
}

/// Whether something happened, for what has no value to tell.
pub(super) fn verdict(answer: &Answer, name: &str) -> String {
    let (yes, no) = match answer.sort {
        Sort::Fact | Sort::FactRow | Sort::Expression => ("holds", "does not hold"),
        Sort::Change | Sort::ChangeRow => ("changes", "does not change"),
        Sort::Said => ("is said", "is not said"),
        Sort::Impossible => ("makes it impossible", "does not make it impossible"),
        Sort::Rule => ("chooses", "does not choose"),
        Sort::Follows => ("follows", "does not follow"),
    };
    format!("{name} {}", if answer.happened { yes } else { no })
}
