//! The answer to what is asked of a line besides what happened on it, in a few sentences.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Serialize;

use super::{
    Beside, By, Cause, Decision, Effect, Event, Fact, Failed, LastChange, Unfired, Value,
    sum::{added, because, fact_in_words, fact_told, not_so, passed_on, says_of, sum, worth},
    text::{ALONE, or_nothing, would_be},
    words::{
        LISTED, LONGEST_ANSWER, LONGEST_LINE, LONGEST_VALUE, MOST_SENTENCES, cut, ends_name,
        glanced, guarded, has_name, in_words, is_number, is_short, is_variable, is_yes_no, listed,
        since_when, so, spoken,
    },
};

/// Why something happened, or why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub struct Asked {
    /// What: its name among the event's.
    pub name: String,
    /// What sort of thing it is.
    pub sort: Sort,
    /// Whether it happened.
    pub happened: bool,
    /// Its value, if it has one that can be written in a line.
    pub value: Option<String>,
    /// The rows that made it so.
    pub causes: Vec<Cause>,
    /// The rows that could have made it so, each with what it failed at.
    pub unfired: Vec<Unfired>,
    /// The events beside this one in which it is the other way round.
    pub beside: Vec<Beside>,
    /// Whether it is certain that no event that differs in one field is such.
    pub alone: bool,
    /// For state that changed since the game began, the line on which it did last.
    pub since: Option<usize>,
    /// If that line can have several events, the words of the one that changed it.
    pub since_words: Option<String>,
    /// Whether it is an expression or a fact over the state before the event, which the event may have changed.
    pub before: bool,
    /// Whether it is known that who looks at the game sees all that it rests on.
    #[serde(skip)]
    pub(crate) seen: bool,
    /// That change.
    #[serde(skip)]
    pub(crate) changed: Option<LastChange>,
}

/// What can be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// A fact.
    Fact,
    /// A row of a fact.
    FactRow,
    /// A change.
    Change,
    /// A row of a change.
    ChangeRow,
    /// A row that is said.
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

impl Asked {
    /// The line of a report that is asked about, if one is.
    pub(crate) fn text(&self) -> Option<&str> {
        self.name.strip_prefix('"')?.strip_suffix('"')
    }

    /// An answer that is still to be found.
    pub(crate) fn new(name: String, sort: Sort) -> Asked {
        Asked {
            name,
            sort,
            happened: false,
            value: None,
            causes: Vec::new(),
            unfired: Vec::new(),
            beside: Vec::new(),
            alone: false,
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
    pub(crate) fn rule(&self, name: &str) -> Option<Asked> {
        let (policy, decision, short) = self.policy_row(name)?;
        let mut asked = Asked::new(format!("{policy}.{short}"), Sort::Rule);
        let mut passed = decision.passed.iter();
        if decision.chosen.row.as_deref() == Some(short) {
            asked.happened = true;
            asked.causes.push(decision.chosen.clone());
        } else {
            let passed = passed.find(|passed| passed.row.as_deref() == Some(short))?;
            asked.unfired.push(passed.clone());
        }
        Some(asked)
    }
}

/// The answer to a question.
pub(super) fn answered(asked: &Asked, lines: &mut Vec<String>) {
    let name = match asked.sort {
        Sort::Expression => asked.name.clone(),
        _ => in_words(&asked.name),
    };
    let mut head = match (asked.sort, &asked.value) {
        (Sort::Fact | Sort::Expression, Some(value)) if is_yes_no(value) => {
            let not = if value == "no" { "not " } else { "" };
            match asked.sort {
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
        // Whether a map or a collection of records holds is no question.
        (Sort::Expression, None) => {
            format!("`{name}` cannot be written in a line: ask for a part of it")
        }
        _ => verdict(asked, &name),
    };
    head.push_str(&since_when(asked.since, asked.since_words.as_deref()));
    if asked.before {
        head = format!("before it, {head}");
    }
    let own = |text: Option<&str>| asked.sort == Sort::Expression && text == Some(&asked.name);
    let mut whys: Vec<String> = asked
        .causes
        .iter()
        .filter(|cause| {
            cause.row.is_some()
                || cause.facts.len() > 1
                || !own(cause.gives.as_deref())
                || made(cause, asked).is_some()
                || cause.compared().is_some()
        })
        .filter_map(|cause| {
            // A row that only passes on a fact has the sentence of that.
            let passed = |fact: &&Fact| cause.gives.as_deref() == Some(&fact.name);
            let says = || says_of(cause.facts.iter().find(passed)?);
            let why = made(cause, asked).or_else(says);
            let why = why.or_else(|| because(cause));
            let why = why.or_else(|| cause.compared())?;
            // What a line is said for is compared, too.
            let calls = match asked.sort {
                Sort::Said => calls_compared(&cause.values, &cause.facts, &cause.written),
                _ => Vec::new(),
            };
            Some(calls.into_iter().fold(why, |why, call| why + ", " + &call))
        })
        .collect();
    whys.dedup();
    // That it is what it is says nothing.
    whys.retain(|why| *why != head);
    if let Some(added) = added(&asked.causes, asked.value.as_deref()) {
        whys = vec![added];
    }
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
            // That it is what it is says nothing.
            let mut own = unfired.clone();
            own.values.retain(|value| value.name != asked.name);
            let mut values = glanced(&own.values, "");
            values.extend(calls_compared(
                &own.values,
                &own.facts,
                std::slice::from_ref(&own.written),
            ));
            values.extend(missing(&own));
            if let (Some(line), false) = (lines.last_mut(), values.is_empty()) {
                let _ = write!(line, ": {}", values.join(", "));
            }
        } else {
            lines.push(failed(unfired, asked));
        }
    }
    if asked.unfired.len() > shown {
        lines.push(format!(
            "and {} more could have made it so",
            asked.unfired.len() - shown
        ));
    }
    let what = otherwise(asked, &name);
    let room = MOST_SENTENCES.saturating_sub(2).max(1);
    lines.truncate(room + 1);
    if asked.alone {
        lines.push(ALONE.to_string());
    }
    besides(&asked.beside, &what, lines);
}

/// The sum that makes the value: with the value where it makes all of that, and not one of several parts.
fn made(cause: &Cause, asked: &Asked) -> Option<String> {
    let value = asked.value.as_deref();
    let is_all = asked.causes.len() == 1
        && worth(cause).is_none_or(|worth| value == Some(worth.to_string().as_str()));
    sum(cause, value.filter(|_| is_all))
}

/// The values at which a row failed: those that can be read at a glance, and those that are compared.
fn compared_values(unfired: &Unfired) -> Vec<String> {
    let written = &unfired.written;
    // What is compared is shown however it is called.
    let is_compared = |value: &Value| is_call_compared(value, written);
    // The names of what is compared say what its variables stand for.
    let are_compared = unfired.values.iter().any(is_compared);
    let shown = unfired.values.iter().filter(|value| {
        is_compared(value) || is_short(value) && !(are_compared && is_variable(value))
    });
    let values = shown.map(|value| {
        let mut facts = unfired.facts.iter();
        let fact = facts.find(|fact| fact.name == value.name && is_yes_no(&value.value));
        let why = fact.and_then(|fact| because(fact.causes.first()?));
        let none = unfired.facts.iter().find(|fact| {
            fact.name == value.name && value.value == "none" && !fact.passed.is_empty()
        });
        let why = why.or_else(|| {
            let whys: Vec<String> = none?.passed.iter().filter_map(not_so).collect();
            (!whys.is_empty()).then(|| listed(&whys, LISTED))
        });
        let why = why.map_or(String::new(), |why| format!(" ({why})"));
        let named = if is_compared(value) {
            call_spoken(value, &unfired.values, &unfired.facts)
        } else {
            spoken(value, &unfired.values)
        };
        format!("{}{why}", so(&named))
    });
    let mut values: Vec<String> = values.take(LISTED).collect();
    values.extend(missing(unfired));
    values
}

/// The members that one collection has and another one, which it is not within, has not.
fn missing(unfired: &Unfired) -> Option<String> {
    let (part, whole) = unfired.written.split_once(" within ")?;
    let value = |name: &str| {
        let value = unfired.values.iter().find(|value| value.name == name)?;
        Some(value.value.split(' ').filter(|word| !word.is_empty()))
    };
    let (part, whole) = (value(part)?, value(whole)?);
    let whole: Vec<&str> = whole.collect();
    let missing: Vec<String> = part
        .filter(|member| !whole.contains(member))
        .map(str::to_string)
        .collect();
    (!missing.is_empty()).then(|| format!("without {}", listed(&missing, LISTED)))
}

/// What a row failed at, of which somebody asks.
fn failed(unfired: &Unfired, asked: &Asked) -> String {
    let label = unfired
        .row
        .as_deref()
        .map_or(String::new(), |row| format!("{}: ", in_words(row)));
    let written = &unfired.written;
    let values = compared_values(unfired);
    let mut reason = match &unfired.failed {
        Failed::Condition => format!("needs `{written}`"),
        Failed::Value if written.is_empty() => "gives what it was before".to_string(),
        Failed::Value if matches!(asked.sort, Sort::Change | Sort::ChangeRow) => {
            format!("`{written}` is what it was before")
        }
        Failed::Value
            if asked
                .value
                .as_deref()
                .is_some_and(|value| !is_yes_no(value)) =>
        {
            no_best(written).unwrap_or_else(|| format!("`{written}` gives none"))
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

/// What was compared for what is said, where an event does nothing else.
pub(super) fn compared(event: &Event) -> Vec<String> {
    let is_comparison = |written: &&String| COMPARISONS.iter().any(|sign| written.contains(sign));
    let mut lines = Vec::new();
    for effect in &event.effects {
        let Effect::Said { cause, .. } = effect else {
            return Vec::new();
        };
        for written in cause.written.iter().filter(is_comparison) {
            let values = glanced(&cause.values, "").join(", ");
            if !values.is_empty() {
                lines.push(format!("as `{written}`: {values}"));
            }
            lines.extend(cause.facts.iter().filter_map(fact_told));
        }
    }
    lines
}

/// What may come in place of an event, if that is known.
pub(super) fn may_come(event: &Event) -> Option<String> {
    let all: Vec<String> = event
        .may_come
        .iter()
        .map(|line| format!("`{line}`"))
        .collect();
    (!all.is_empty()).then(|| format!("possible instead: {}", all.join(", ")))
}

/// The events beside one in which it is the other way round.
pub(super) fn besides(beside: &[Beside], what: &str, lines: &mut Vec<String>) {
    for Beside {
        field,
        value,
        words,
        refused,
    } in beside.iter().take(2)
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

/// That nothing meets the condition of a `best`.
fn no_best(written: &str) -> Option<String> {
    let (of, _) = written.strip_prefix("best ")?.rsplit_once(" by ")?;
    let (of, condition) = of.split_once(" where ")?;
    Some(format!("there is no `{of}` where `{condition}`"))
}

/// What would be so in an event in which it is the other way round.
pub(super) fn otherwise(asked: &Asked, name: &str) -> String {
    match (asked.sort, asked.happened) {
        (Sort::Change | Sort::ChangeRow, false) => format!("{name} would change"),
        (Sort::Change | Sort::ChangeRow, true) => format!("{name} would not change"),
        (Sort::Said, true) => format!("{name} would not be said"),
        (_, false) => name.to_string(),
        (_, true) => format!("not {name}"),
    }
}

/// Whether something happened, for what has no value to tell.
pub(super) fn verdict(asked: &Asked, name: &str) -> String {
    let (yes, no) = match asked.sort {
        Sort::Fact | Sort::FactRow | Sort::Expression => ("holds", "does not hold"),
        Sort::Change | Sort::ChangeRow => ("changes", "does not change"),
        Sort::Said => ("is said", "is not said"),
        Sort::Impossible => ("makes it impossible", "does not make it impossible"),
        Sort::Rule => ("chooses", "does not choose"),
        Sort::Follows => ("follows", "does not follow"),
    };
    format!("{name} {}", if asked.happened { yes } else { no })
}

/// What stands between two values that are compared.
const COMPARISONS: [&str; 4] = [" < ", " > ", " <= ", " >= "];

/// Whether a value is that of a fact with arguments, and is compared in what is written.
fn is_call_compared(value: &Value, written: &str) -> bool {
    let Value { name, value, .. } = value;
    if !name.contains('(') || value.chars().count() > LONGEST_VALUE / 2 || is_yes_no(value) {
        return false;
    }
    let compares = COMPARISONS.iter().any(|sign| written.contains(sign));
    let before = [" is ", " is not "].map(|sign| format!("{sign}{name}"));
    let is_beside = written.contains(&format!("{name} is "))
        || before.iter().any(|before| {
            let mut found = written.match_indices(before.as_str());
            found.any(|(at, found)| ends_name(written.get(at + found.len()..).unwrap_or_default()))
        });
    is_beside || compares && is_number(value) && has_name(written, name)
}

/// The values of facts with arguments that are compared in what is written.
fn calls_compared<S: AsRef<str>>(values: &[Value], facts: &[Fact], written: &[S]) -> Vec<String> {
    let is_compared = |value: &&Value| {
        let mut written = written.iter();
        written.any(|written| is_call_compared(value, written.as_ref()))
    };
    let calls = values.iter().filter(is_compared);
    let told = calls.map(|value| so(&call_spoken(value, values, facts)));
    told.take(LISTED).collect()
}

/// The value of a fact with arguments under its name in words, with what these stand for.
fn call_spoken(value: &Value, values: &[Value], facts: &[Fact]) -> Value {
    let mut facts = facts.iter();
    let called = facts.find_map(|fact| fact.called.as_ref().filter(|_| fact.name == value.name));
    if let Some(called) = called {
        return Value::new(in_words(called), value.value.clone());
    }
    let mut name = String::new();
    // What stands between names stays as it is.
    for part in value
        .name
        .split_inclusive(|sign: char| !sign.is_alphanumeric() && sign != '_')
    {
        let word = part.trim_end_matches(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let known = values.iter().find(|known| known.name == word);
        let known = known.filter(|known| known.value.chars().all(char::is_alphanumeric));
        name.push_str(known.map_or(word, |known| &known.value));
        name.push_str(part.get(word.len()..).unwrap_or_default());
    }
    Value::new(in_words(&name), value.value.clone())
}

impl Cause {
    /// The values of variables, where its own is whether something compares, or whether there is something: a name of one
    /// letter says little, but more than nothing.
    pub(super) fn compared(&self) -> Option<String> {
        let gives = self.gives.as_deref()?;
        let mut signs = COMPARISONS.iter().chain(&[" is "]);
        if !gives.starts_with("some ") && !signs.any(|sign| gives.contains(sign)) {
            return None;
        }
        let variables = self.values.iter();
        let variables = variables.filter(|value| is_variable(value) && is_short(value));
        let mut told: Vec<String> = variables.take(LISTED).map(so).collect();
        if told.is_empty() {
            told = calls_compared(&self.values, &self.facts, std::slice::from_ref(&gives));
        }
        (!told.is_empty()).then(|| told.join(", "))
    }
}

/// The fact that a row only asks for, and for what that holds, if it asks whether there is something.
pub(super) fn found_by(cause: &Cause, told: &BTreeMap<&str, &Fact>) -> Option<String> {
    let fact = told.get(cause.gives.as_deref()?)?;
    if fact.value.as_deref() != Some("yes") {
        return None;
    }
    let [found] = passed_on(fact).causes.as_slice() else {
        return None;
    };
    let is_found = found.says.is_none() && found.gives.as_deref()?.starts_with("some ");
    let told = found.compared().filter(|_| is_found)?;
    Some(format!("{}, as {told}", fact_in_words(fact)))
}
