//! What was compared: the operands of comparisons and their values.

use std::collections::BTreeMap;

use super::{
    Cause, Effect, Event, Fact, Value,
    sum::{explain_fact, fact_in_words, forwarded},
    words::{
        HOLD_FOR_ALL, LISTED, LONGEST_LINE, LONGEST_VALUE, SIZE, as_clause, ends_name, has_name,
        in_words, is_number, is_short, is_variable, is_yes_no, short_values,
    },
};

/// Operators of comparisons.
const COMPARISONS: [&str; 4] = [" < ", " > ", " <= ", " >= "];

/// The comparisons behind what an event reports, if it does nothing else.
pub(super) fn describe_comparisons(event: &Event) -> Vec<String> {
    let is_comparison = |written: &&String| COMPARISONS.iter().any(|sign| written.contains(sign));
    let mut lines = Vec::new();
    for effect in &event.effects {
        let Effect::Said { cause, .. } = effect else {
            return Vec::new();
        };
        for written in cause.written.iter().filter(is_comparison) {
            let values = short_values(&cause.values, "").join(", ");
            if !values.is_empty() {
                lines.push(format!("as `{written}`: {values}"));
            }
            lines.extend(cause.facts.iter().filter_map(explain_fact));
        }
    }
    lines
}

/// Whether a value is that of a fact with arguments or has a long name, and is an operand of a comparison in the text.
pub(super) fn is_call_compared(value: &Value, written: &str) -> bool {
    let Value { name, value, .. } = value;
    let is_long = name.contains('(') || name.chars().count() > LONGEST_VALUE / 2;
    if !is_long || value.chars().count() > LONGEST_VALUE / 2 || is_yes_no(value) {
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

/// The values of facts with arguments that are operands of comparisons in the texts.
pub(super) fn calls_compared<S: AsRef<str>>(
    values: &[Value],
    facts: &[Fact],
    written: &[S],
) -> Vec<String> {
    let is_compared = |value: &&Value| {
        let mut written = written.iter();
        written.any(|written| is_call_compared(value, written.as_ref()))
    };
    let calls = values.iter().filter(is_compared);
    let told = calls.map(|value| as_clause(&call_spoken(value, values, facts)));
    told.take(LISTED).collect()
}

/// The value of a fact, with its name in words and its arguments by their values.
pub(super) fn call_spoken(value: &Value, values: &[Value], facts: &[Fact]) -> Value {
    let mut facts = facts.iter();
    // `size of f(x)` is the size of what the fact is called with its argument's value.
    let called = facts.find_map(|fact| {
        let before = value.name.strip_suffix(fact.name.as_str())?;
        let called = fact
            .called
            .as_ref()
            .filter(|_| before.is_empty() || before == SIZE)?;
        Some(format!("{before}{}", in_words(called)))
    });
    if let Some(called) = called {
        return Value::new(called, value.value.clone());
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
    /// The row alone.
    pub(crate) fn without_values(mut self) -> Cause {
        self.values.clear();
        self.facts.clear();
        self
    }

    /// What holds for all, as the last part of an expression that is so; such a part is too long to be a value.
    pub(super) fn holds_besides(&self) -> Option<String> {
        let gives = self.gives.as_deref()?;
        let starts = HOLD_FOR_ALL
            .iter()
            .filter_map(|all| gives.find(&format!(" and {all}")));
        let (before, part) = gives.split_at(starts.min()?);
        let part = part.strip_prefix(" and ")?;
        let count = |sign: char| part.matches(sign).count();
        let is_whole = count('(') == count(')') && !before.contains(['(', '{']);
        let is_part = is_whole && !before.contains(" or ") && !part.contains(" or ");
        (is_part && part.chars().count() <= 2 * LONGEST_LINE).then(|| format!("`{part}`"))
    }

    /// The values of variables, where its own is whether something compares, or whether there is something: a name of one
    /// letter says little, but more than nothing.
    pub(super) fn compared_variables(&self) -> Option<String> {
        let gives = self.gives.as_deref()?;
        let mut signs = COMPARISONS.iter().chain(&[" is "]);
        if !gives.starts_with("some ") && !signs.any(|sign| gives.contains(sign)) {
            return None;
        }
        let variables = self.values.iter();
        let variables = variables.filter(|value| is_variable(value) && is_short(value));
        let mut told: Vec<String> = variables.take(LISTED).map(as_clause).collect();
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
    let [found] = forwarded(fact).causes.as_slice() else {
        return None;
    };
    let is_found = found.says.is_none() && found.gives.as_deref()?.starts_with("some ");
    let told = found.compared_variables().filter(|_| is_found)?;
    Some(format!("{}, as {told}", fact_in_words(fact)))
}

/// The members that a list was mapped from: `(value of c for c in hand)` comes from `hand`.
pub(super) fn members_of<'v>(
    name: &str,
    count: usize,
    values: &'v [Value],
) -> Option<Vec<&'v str>> {
    if name.contains(" where ") {
        return None;
    }
    let made_of = values.iter().find(|value| {
        // The name of the collection may end in a parenthesis of its own: `counted(k)`.
        let whole = name.strip_suffix(')').unwrap_or(name);
        [whole, name.trim_end_matches(')')].iter().any(|name| {
            let before = name.strip_suffix(value.name.as_str());
            before.is_some_and(|before| before.ends_with(" in "))
        })
    })?;
    let members: Vec<&str> = made_of.value.split_whitespace().collect();
    (members.len() == count).then_some(members)
}
