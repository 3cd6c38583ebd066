//! What an event changes, in sentences.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Answer, Cause, Effect, Event, Fact, Sort, Value,
    reasons::{because, binds, is_bound},
    short::facts_with_reasons,
    sum::{evaluate_sum, explain_fact, sum, sum_of_rows},
    text::{describe_members, or_nothing},
    words::{
        LISTED, LONGEST_LINE, LONGEST_VALUE, MOST_SENTENCES, as_clause, cut, has_name, in_brackets,
        in_words, is_long_alone, is_number, is_short, is_yes_no, listed, short_values, some_of,
        witness,
    },
};

/// What changed: first what has a calculation, then other values, and last plain yes/no changes.
pub(super) fn changes(event: &Event) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (mut sums, mut others, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    let (told, of_state) = (facts_with_reasons(event), by_state(event));
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    // The names of states that are reset, grouped by the reason.
    let mut resets: Vec<(Option<String>, Vec<String>)> = Vec::new();
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
            again,
            causes,
            place: _,
        } = effect
        else {
            continue;
        };
        // The reset state depends on everything else, so its own causes are left out.
        if *again {
            let why = causes.first().and_then(because);
            match resets.iter_mut().find(|(known, _)| *known == why) {
                Some((_, names)) => names.push(in_words(name)),
                None => resets.push((why, vec![in_words(name)])),
            }
            continue;
        }
        if *collection {
            let members = describe_members(
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
        // If many entries change, only their values are listed.
        let all = of_state.get(&**state).map_or(&[][..], Vec::as_slice);
        if entry.is_some() && (!is_number(new) || all.len() > LISTED) {
            if seen.insert(state) {
                others.push(describe_entries(state, all));
                others.extend(
                    causes
                        .first()
                        .map_or_else(Vec::new, |cause| explain_ingredients(&told, cause)),
                );
            }
            continue;
        }
        if let Some(sum) = sum_of_rows(causes, Some(new)) {
            sums.push(format!("{} is now {sum} = {new}", in_words(name)));
            continue;
        }
        let first = causes.first();
        let passed = first.and_then(|cause| forwarded_row(&told, cause));
        let summed = [first, passed].into_iter().flatten();
        let mut summed = summed.filter_map(|cause| Some((cause, sum(cause, Some(new))?)));
        if let Some((cause, sum)) = summed.next() {
            // A counter that went up by one needs no calculation.
            let more = format!("{old} + 1 = {new}");
            if sum == more {
                flags.push(format!("{} is now {new}", in_words(name)));
                continue;
            }
            sums.push(format!("{} is now {sum}", in_words(name)));
            sums.extend(explain_parts(cause));
            continue;
        }
        // The size of a collection that cannot be written says little.
        if new.ends_with(" in all") {
            continue;
        }
        if is_yes_no(new) {
            flags.push(format!("{} is now {new}", in_words(name)));
            continue;
        }
        let why = first.and_then(|cause| explain_new_value(cause, new));
        let why = why.map_or(String::new(), |why| format!(": {why}"));
        let was = match old {
            "none" | "" => String::new(),
            old => format!(" (it was {})", cut(old, LONGEST_VALUE)),
        };
        others.push(format!(
            "{} is now {}{was}{why}",
            in_words(name),
            cut(or_nothing(new), LONGEST_VALUE),
        ));
    }
    sums.dedup();
    for (why, names) in resets {
        let begin = if names.len() == 1 { "begins" } else { "begin" };
        let why = why.map_or(String::new(), |why| format!(": {why}"));
        let names = listed(&names, MOST_SENTENCES);
        others.push(format!("{names} {begin} again{why}"));
    }
    (sums, others, flags)
}

/// The row of the fact that a row only forwards, if that row is a calculation.
fn forwarded_row<'e>(told: &BTreeMap<&str, &'e Fact>, cause: &Cause) -> Option<&'e Cause> {
    let fact = told.get(cause.gives.as_deref()?)?;
    let [only] = fact.causes.as_slice() else {
        return None;
    };
    // A value with a call in it is no calculation.
    let gives = only.gives.as_deref()?;
    (!gives.contains('(') || evaluate_sum(only).is_some()).then_some(only)
}

/// Explains the facts that a composed new value is made of, if their rows have sentences.
fn explain_ingredients(told: &BTreeMap<&str, &Fact>, cause: &Cause) -> Vec<String> {
    let whole = forwarded_row(told, cause).unwrap_or(cause);
    let formula = whole.gives.as_deref().unwrap_or_default();
    let parts = whole.facts.iter();
    let parts = parts.filter(|fact| {
        let mut causes = fact.causes.iter();
        has_name(formula, &fact.name) && causes.any(|cause| cause.says.is_some())
    });
    parts.filter_map(explain_fact).take(LISTED).collect()
}

/// Explains the terms of a calculation, as far as more than their values is known.
pub(super) fn explain_parts(cause: &Cause) -> Vec<String> {
    let formula = cause.gives.as_deref().unwrap_or_default();
    let parts = cause
        .facts
        .iter()
        .filter(|fact| has_name(formula, &fact.name));
    let mut told: Vec<String> = parts.filter_map(explain_fact).collect();
    told.truncate(LISTED);
    told
}

/// Why a row gives a state its new value. If it only forwards a fact, why that fact has the value.
fn explain_new_value(cause: &Cause, new: &str) -> Option<String> {
    because(cause).or_else(|| {
        let mut facts = cause.facts.iter();
        let passed = facts.find(|fact| fact.value.as_deref() == Some(new))?;
        because(passed.causes.first().filter(|cause| cause.row.is_some())?)
    })
}

/// The changes of an event, grouped by state.
fn by_state(event: &Event) -> BTreeMap<&str, Vec<&Effect>> {
    let mut all: BTreeMap<&str, Vec<&Effect>> = BTreeMap::new();
    for effect in &event.effects {
        if let Effect::Changed { state, .. } = effect {
            all.entry(state).or_default().push(effect);
        }
    }
    all
}

/// The changed entries of a state, in one sentence.
fn describe_entries(state: &str, changed: &[&Effect]) -> String {
    let entries = changed.iter().filter_map(|effect| match effect {
        Effect::Changed {
            entry: Some(entry),
            new: Some(new),
            ..
        } => Some(match new.as_str() {
            "none" => format!("{entry} is empty"),
            new => format!("{entry} is {}", or_nothing(new)),
        }),
        _ => None,
    });
    let entries: Vec<String> = entries.collect();
    format!("{}: {}", in_words(state), listed(&entries, MOST_SENTENCES))
}

/// What a row rests on that can be read at a glance.
pub(super) fn seen_of(cause: &Cause) -> Vec<String> {
    let values = short_values(&cause.values, "");
    let gives = cause.gives.as_deref().unwrap_or_default();
    // For what something holds tells more than that all that this asks is so.
    if gives.starts_with("some ") {
        let (bound, others): (Vec<Value>, Vec<Value>) =
            (cause.values.iter().cloned()).partition(|value| is_bound(gives, value));
        if is_long_alone(&others) {
            return cause
                .compared_variables()
                .map_or(values, |found| vec![found]);
        }
        let bound = bound
            .iter()
            .filter(|value| is_short(value) && binds(gives, &value.name));
        // Unless the witness says so already.
        let bound = bound.filter(|_| witness(cause).is_none());
        let mut found: Vec<String> = bound.map(as_clause).collect();
        found.extend(short_values(&others, ""));
        found.truncate(LISTED + 1);
        return found;
    }
    // What the members of a collection meet tells more than what all of them have in common.
    let members = gives.strip_prefix(['{', '(']);
    let condition = members.and_then(|members| {
        let members = members.strip_suffix(['}', ')'])?;
        let (_, condition) = members.split_once(" where ")?;
        let count = |sign: char| condition.matches(sign).count();
        let is_whole =
            !condition.contains(" where ") && count('(') == count(')') && count('{') == count('}');
        (is_whole && condition.chars().count() <= 2 * LONGEST_LINE).then_some(condition)
    });
    match condition {
        Some(condition) => vec![format!("where `{condition}`{}", in_brackets(&values))],
        None => values,
    }
}

impl Answer {
    /// Calls an answer to an expression as it was asked, also where the rules write its values otherwise.
    pub(crate) fn name_as(&mut self, suggestions: &str, text: &str, words: &[(String, String)]) {
        text.clone_into(&mut self.name);
        self.sort = Sort::Expression;
        let is_meant = |literal: &str| suggestions.contains(literal) && !text.contains(literal);
        let words: Vec<&(String, String)> = words
            .iter()
            .filter(|(word, literal)| text.contains(word.as_str()) && is_meant(literal))
            .collect();
        let rename = |written: &mut String| {
            for (word, literal) in &words {
                *written = written.replace(literal.as_str(), word);
            }
        };
        for unfired in &mut self.unfired {
            rename(&mut unfired.written);
            unfired
                .values
                .iter_mut()
                .for_each(|one| rename(&mut one.name));
        }
    }
}
