//! The reasons of facts: the rows behind them, in words, and the values that these compare.

use std::collections::BTreeMap;

use super::{
    Cause, Effect, Event, Fact, Unfired, Value,
    changes::seen_of,
    members::describe_collection,
    short::facts_with_reasons,
    sum::{CELLS, explain_fact, fact_in_words, forwarded},
    text::or_nothing,
    words::{
        HOLD_FOR_ALL, LISTED, LONGEST_ANSWER, LONGEST_LINE, LONGEST_VALUE, MOST_SENTENCES, NEW,
        SIZE, as_clause, cut, ends_name, has_name, in_words, is_number, is_short, is_yes_no,
        listed, short_values, since_when, split_words, with_citation, with_values_in_name, witness,
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

/// Whether a value is that of a fact with arguments or has a long name, and is an operand of a comparison in the text; or
/// whether it says that such a fact is so, or not.
pub(super) fn is_call_compared(value: &Value, written: &str) -> bool {
    let Value { name, value, .. } = value;
    if is_yes_no(value) {
        // The answer already says whether the whole expression holds.
        let is_part = written != name && written.strip_prefix("not ") != Some(name);
        return is_call(name) && is_part && has_name(written, name);
    }
    let is_long = name.contains('(') || name.chars().count() > LONGEST_VALUE / 2;
    if !is_long || value.chars().count() > LONGEST_VALUE {
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

/// Whether a condition asks nothing but whether a fact with arguments holds, or not.
fn is_call_asked(value: &Value, condition: &str) -> bool {
    let called = condition.strip_prefix("not ").unwrap_or(condition);
    is_yes_no(&value.value) && is_call(&value.name) && called == value.name
}

/// Whether a name is that of a fact with its arguments, such as `fits(card)`.
fn is_call(name: &str) -> bool {
    let is_in_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let name = name.strip_prefix(NEW).unwrap_or(name);
    let called = name.split_once('(');
    called.is_some_and(|(of, rest)| {
        !of.is_empty() && of.chars().all(is_in_name) && rest.ends_with(')')
    })
}

/// The values without those that only say of what a fact is asked, if the value of that fact is shown.
pub(super) fn without_arguments<S: AsRef<str>>(values: &[Value], written: &[S]) -> Vec<Value> {
    let is_compared = |value: &&Value| {
        let mut written = written.iter();
        is_call(&value.name) && written.any(|written| is_call_compared(value, written.as_ref()))
    };
    let calls: Vec<&str> = values
        .iter()
        .filter(is_compared)
        .map(|value| value.name.as_str())
        .collect();
    // What is written besides the calls.
    let rest = written.iter().map(|written| {
        let written = written.as_ref().to_string();
        calls
            .iter()
            .fold(written, |written, call| written.replace(call, ""))
    });
    let rest: Vec<String> = rest.collect();
    let is_argument = |value: &Value| {
        !calls.contains(&value.name.as_str())
            && calls.iter().any(|call| has_argument(call, &value.name))
            && !rest.iter().any(|rest| has_name(rest, &value.name))
    };
    values
        .iter()
        .filter(|value| !is_argument(value))
        .cloned()
        .collect()
}

/// Whether a call has an argument that is only a name.
fn has_argument(call: &str, name: &str) -> bool {
    let arguments = call.split_once('(').map_or("", |(_, arguments)| arguments);
    let mut arguments = arguments.split(['(', ')', ',']);
    arguments.any(|argument| argument.trim() == name)
}

/// What the end of a game rests on, with the reasons of what holds.
pub(super) fn reasons_of_end(cause: &Cause, told: &BTreeMap<&str, &Fact>) -> Option<String> {
    if cause.row.is_some() || cause.says.is_some() {
        return because(cause);
    }
    let gives = cause.gives.as_slice();
    let bare = Cause {
        values: without_arguments(&cause.values, gives),
        ..cause.clone()
    };
    let mut parts: Vec<String> = because(&bare).into_iter().collect();
    parts.extend(calls_compared(&cause.values, &cause.facts, gives));
    let reasons = parts.join(", ");
    (!parts.is_empty()).then(|| with_reasons(reasons, cause, |name| told.get(name).copied()))
}

/// Reasons, each that is so or not with its own reason in brackets.
pub(super) fn with_reasons<'f>(
    mut reasons: String,
    cause: &Cause,
    told: impl Fn(&str) -> Option<&'f Fact>,
) -> String {
    for value in cause.values.iter().filter(|value| is_yes_no(&value.value)) {
        let claim = if is_call(&value.name) {
            as_clause(&call_spoken(value, &cause.values, &cause.facts))
        } else {
            as_clause(value)
        };
        let why = || because(forwarded(told(&value.name)?).causes.first()?);
        let is_short = |why: &String| {
            *why != claim && !reasons.contains(why.as_str()) && why.chars().count() <= LONGEST_LINE
        };
        let is_alone = reasons.split(", ").any(|one| one == claim);
        if let Some(why) = why().filter(is_short)
            && is_alone
        {
            reasons = reasons.replacen(&claim, &format!("{claim} ({why})"), 1);
        }
    }
    reasons
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

/// The values of facts with arguments that decide the conditions of a row.
fn calls_in_conditions(cause: &Cause) -> Vec<String> {
    let conditions = cause.conditions();
    let decides = |value: &&Value| {
        let mut conditions = conditions.iter();
        is_call(&value.name)
            && conditions
                .any(|written| is_call_compared(value, written) || is_call_asked(value, written))
    };
    let calls = cause.values.iter().filter(decides);
    let told = calls.map(|value| as_clause(&call_spoken(value, &cause.values, &cause.facts)));
    told.collect()
}

/// The value of a fact, with its name in words and its arguments by their values.
pub(super) fn call_spoken(value: &Value, values: &[Value], facts: &[Fact]) -> Value {
    if let Some(called) = &value.called {
        return Value::new(in_words(called), value.value.clone());
    }
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
        .with_literals()
        .split_inclusive(|sign: char| !sign.is_alphanumeric() && sign != '_')
    {
        let word = part.trim_end_matches(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let known = values.iter().find(|known| known.name == word);
        let known = known.filter(|known| {
            let is_in_word = |sign: char| sign.is_alphanumeric() || ",-_".contains(sign);
            known.value.chars().all(is_in_word)
        });
        name.push_str(known.map_or(word, |known| &known.value));
        name.push_str(part.get(word.len()..).unwrap_or_default());
    }
    Value::new(in_words(&name), value.value.clone())
}

impl Cause {
    /// Its conditions, as written in the rules.
    fn conditions(&self) -> Vec<&str> {
        let written = self.written.iter().map(String::as_str);
        written
            .filter(|it| self.gives.as_deref() != Some(it))
            .collect()
    }

    /// The row alone.
    pub(crate) fn without_values(mut self) -> Cause {
        self.values.clear();
        self.facts.clear();
        self.added.clear();
        self.compared.clear();
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
        let variables = variables.filter(|value| is_bound(gives, value) && is_short(value));
        let mut told: Vec<String> = variables.take(LISTED).map(as_clause).collect();
        // What the best meets says more than which it is.
        let is_best = gives.trim_start_matches("the ").starts_with("best ");
        if told.is_empty() || is_best {
            let calls = calls_compared(&self.values, &self.facts, std::slice::from_ref(&gives));
            if !calls.is_empty() {
                told = calls;
            }
        }
        (!told.is_empty()).then(|| told.join(", "))
    }
}

/// Whether an expression is a `some` that binds a name.
pub(super) fn binds(gives: &str, name: &str) -> bool {
    let binds = |before: &str| gives.contains(&format!("{before}{name} in "));
    gives.starts_with("some ") && (binds("some ") || binds(", "))
}

/// Whether a value is that of a variable, or of a name that a `some` binds.
pub(super) fn is_bound(gives: &str, value: &Value) -> bool {
    value.variable || binds(gives, &value.name)
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

/// The `says` of the row that gave a fact its value, or of a row behind it.
pub(super) fn says_of(fact: &Fact) -> Option<String> {
    fact.causes.iter().find_map(|cause| match cause.says {
        Some(_) => because(cause),
        None => cause.facts.iter().find_map(says_of),
    })
}

/// The `says` of a fact behind a cause that has none of its own.
pub(super) fn said_below(cause: &Cause) -> Option<String> {
    let mut facts = cause.facts.iter();
    let holds = |fact: &&Fact| fact.value.as_deref() == Some("yes") && cause.says.is_none();
    says_of(facts.find(holds)?)
}

/// Explains that a row would have given the value but for a condition.
pub(super) fn explain_passed_over(passed: &Unfired) -> Option<String> {
    let label = split_words(passed.row.as_deref()?);
    let answers = passed.values.iter().filter(|value| is_yes_no(&value.value));
    let mut answers: Vec<String> = answers
        .map(|value| as_clause(&with_values_in_name(value, &passed.values)))
        .collect();
    if answers.is_empty() {
        answers = short_values(&passed.values, "");
    }
    let answers = listed(&answers, MOST_SENTENCES);
    (!answers.is_empty()).then(|| format!("not {label}, as {answers}"))
}

/// Why a row fired, in words (its `says`, or its name and values), with its citation.
pub(super) fn because(cause: &Cause) -> Option<String> {
    in_own_words(cause).map(|words| with_citation(cause, words))
}

/// The name of a fact that holds, with its reason. If the reader sees all values that it compares, that is its condition.
pub(super) fn with_reason(fact: &Fact) -> String {
    let name = in_words(&fact.name);
    if let Some(why) = fact.causes.first().and_then(because) {
        return format!("{name}, as {why}");
    }
    let causes = fact.causes.iter();
    let mut written = causes.flat_map(|cause| cause.gives.iter().chain(&cause.written));
    match written.find(|it| it.len() <= LONGEST_VALUE && it.contains(' ')) {
        Some(written) => format!("{name} ({written})"),
        None => name,
    }
}

fn in_own_words(cause: &Cause) -> Option<String> {
    if let Some(says) = &cause.says {
        return Some(says.clone());
    }
    if let Some(words) = describe_collection(cause) {
        return Some(words);
    }
    // A label that repeats the name of a value says nothing more, and nor does a cell that is no word.
    let is_repeated = |label: &str| cause.values.iter().any(|value| value.name == label);
    let is_word = |label: &str| label.starts_with(char::is_alphabetic);
    let label = cause.row.as_deref();
    let mut values = seen_of(cause);
    values.splice(0..0, witness(cause));
    // What a row asks of facts with arguments, as far as there is room.
    let calls = calls_in_conditions(cause).into_iter();
    let calls: Vec<String> = calls.filter(|call| !values.contains(call)).collect();
    values.extend(calls.into_iter().take(LISTED.saturating_sub(values.len())));
    let besides = cause.holds_besides();
    values.extend(besides.filter(|_| !values.is_empty()));
    // The question that a table asks says more than one of its cells.
    let is_condition = |label: &str| {
        let asked = format!(" is {label}");
        cause.is_cell && values.iter().any(|value| value.ends_with(&asked))
    };
    let label = label.filter(|row| !CELLS.contains(row) && is_word(row));
    let label = label.filter(|row| !is_repeated(row) && !is_condition(row));
    // The values of its variable, if a row fired for several.
    let several = cause.values.iter().find(|value| {
        value.variable && value.value.contains(", ") && value.value.len() <= LONGEST_VALUE
    });
    let each = several.map_or(String::new(), |value| format!(" ({})", as_clause(value)));
    match label {
        Some(label) if values.is_empty() => Some(format!("{}{each}", in_words(label))),
        Some(label) => Some(format!(
            "{}{each}, as {}",
            in_words(label),
            values.join(", ")
        )),
        None => (!values.is_empty()).then(|| values.join(", ")),
    }
}

/// The values to show of a row that failed: short ones, and those that are compared.
pub(super) fn compared_values(unfired: &Unfired) -> Vec<String> {
    let written = &unfired.written;
    // The operands of a comparison are shown whatever their names.
    let is_compared =
        |value: &Value| is_call_compared(value, written) || is_call_asked(value, written);
    // The names of the operands already say what the variables stand for.
    let are_compared = unfired.values.iter().any(is_compared);
    let told = without_arguments(&unfired.values, std::slice::from_ref(written));
    let shown = told
        .iter()
        .filter(|value| is_compared(value) || is_short(value) && !(are_compared && value.variable));
    let values = shown.map(|value| {
        let mut facts = unfired.facts.iter();
        let fact = facts.find(|fact| fact.name == value.name && is_yes_no(&value.value));
        let why = fact.and_then(|fact| because(fact.causes.first()?));
        let none = unfired.facts.iter().find(|fact| {
            fact.name == value.name && value.value == "none" && !fact.passed.is_empty()
        });
        let why = why.or_else(|| {
            let whys: Vec<String> = none?
                .passed
                .iter()
                .filter_map(explain_passed_over)
                .collect();
            (!whys.is_empty()).then(|| listed(&whys, LISTED))
        });
        let why = why.map_or(String::new(), |why| format!(" ({why})"));
        let named = if is_compared(value) {
            call_spoken(value, &unfired.values, &unfired.facts)
        } else {
            with_values_in_name(value, &unfired.values)
        };
        format!("{}{why}", as_clause(&named))
    });
    let mut values: Vec<String> = values.take(LISTED).collect();
    values.extend(missing(unfired));
    values.extend(searched(unfired, &values));
    values
}

/// The collections that lack what they should have, or have what they should not, with all their members; but for those
/// that `told` already shows.
pub(super) fn searched(unfired: &Unfired, told: &[String]) -> Vec<String> {
    let written = unfired.written.as_str();
    let whole = written
        .strip_prefix("not (")
        .and_then(|rest| rest.strip_suffix(')'));
    let parts = whole
        .unwrap_or(written)
        .split(" and ")
        .flat_map(|part| part.split(" or "));
    let mut searched = Vec::new();
    for part in parts {
        let of = part.split_once(" in ").map(|(_, of)| of);
        let of = of.map(|of| of.split_once(" where ").map_or(of, |(of, _)| of));
        let value = unfired.values.iter().find(|value| Some(&*value.name) == of);
        let Some(value) = value else { continue };
        let named = if is_call(&value.name) {
            call_spoken(value, &unfired.values, &unfired.facts)
        } else {
            with_values_in_name(value, &unfired.values)
        };
        let is = format!("{} is ", in_words(&named.name));
        if told
            .iter()
            .chain(&searched)
            .any(|told| told.starts_with(&is))
        {
            continue;
        }
        let members = cut(or_nothing(&value.value), LONGEST_ANSWER);
        let since = since_when(value.since, value.since_words.as_deref());
        searched.push(format!("{is}{members}{since}"));
    }
    searched
}

/// The members that one collection has and another one, which it is not within, has not.
pub(super) fn missing(unfired: &Unfired) -> Option<String> {
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

/// Adds to rows the facts that they mention and that are explained elsewhere in the event.
pub(crate) fn add_facts(causes: &mut [Cause], event: &Event) {
    let told = facts_with_reasons(event);
    for cause in causes {
        for value in &cause.values {
            let is_there = cause.facts.iter().any(|fact| fact.name == value.name);
            let fact = told.get(value.name.as_str()).filter(|_| !is_there);
            cause.facts.extend(fact.map(|fact| (*fact).clone()));
        }
    }
}
