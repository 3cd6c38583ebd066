//! The calculation behind a number, and the causes of a fact.

use std::fmt::Write as _;

use super::{
    Answer, Cause, Effect, Event, Fact, Term, Value,
    members::members_of,
    reasons::{because, explain_passed_over, said_below, with_reason},
    words::{
        LISTED, LONGEST_VALUE, MOST_SENTENCES, NEW, SIZE, as_clause, cut, ends_name, has_name,
        in_brackets, in_words, is_comprehension, is_number, is_plain, is_plain_name, is_readable,
        is_yes_no, listed, short_values, with_citation, with_value,
    },
};

/// How deeply facts are followed into other facts.
const STEPS: usize = 4;

/// Row names that carry no meaning: cells of a table.
pub(super) const CELLS: [&str; 4] = ["any", "yes", "no", ""];

/// The number of terms that a sentence adds up at most.
const MOST_ADDED: usize = 12;

/// The most terms that are shown with what each is of.
const MOST_TERMS_NAMED: usize = 6;

/// The prefix of an expression that adds up a collection.
const SUM: &str = "sum of ";

/// A `size of …` at the start of `rest`: the length of its source, how it is shown, and its value.
fn size_aggregate(rest: &str, values: &[Value]) -> Option<(usize, String, String)> {
    let known = values.iter().filter(|value| {
        let after = rest.strip_prefix(&*value.name);
        value.name.starts_with(SIZE) && after.is_some_and(ends_name)
    });
    let size = known.max_by_key(|value| value.name.len())?;
    let of = size.name.strip_prefix(SIZE)?;
    let bare = of.strip_prefix('(').and_then(|of| of.strip_suffix(')'));
    let of = bare.unwrap_or(of);
    let members = values.iter().find(|value| value.name == of);
    let members = members.filter(|members| members.value.chars().count() <= LONGEST_VALUE);
    let shown = match members {
        // A one-letter name says nothing.
        _ if of.len() == 1 => size.name.clone(),
        Some(members) if is_comprehension(of) => members.value.clone(),
        // What has numbers as its members is easily taken for a number.
        Some(members) if members.value.split_whitespace().all(is_number) => in_words(&size.name),
        None if !is_readable(of) => String::new(),
        _ => in_words(of),
    };
    let shown = match shown.as_str() {
        "" => size.value.clone(),
        shown => format!("{} ({shown})", size.value),
    };
    Some((size.name.len(), shown, size.value.clone()))
}

/// A `sum of …` over a known collection at the start of `rest`: the length of its source, how it is shown, and the
/// terms as plain numbers.
fn sum_aggregate(rest: &str, is_start: bool, cause: &Cause) -> Option<(usize, String, String)> {
    let of = rest.strip_prefix(SUM)?;
    let bare = of.strip_prefix('(');
    for value in &cause.values {
        let length = if of.starts_with(&value.name) {
            value.name.len()
        } else if bare.is_some_and(|bare| {
            let after = bare.strip_prefix(value.name.as_str());
            after.is_some_and(|after| after.starts_with(')'))
        }) {
            value.name.len() + 2
        } else {
            continue;
        };
        let members: Vec<&str> = value.value.split_whitespace().collect();
        let numbers = members.iter().all(|member| is_number(member));
        if !ends_name(of.get(length..).unwrap_or_default())
            || !numbers
            || members.len() > MOST_ADDED
        {
            continue;
        }
        let length = SUM.len() + length;
        if members.is_empty() {
            return Some((length, "0".to_string(), "0".to_string()));
        }
        let of = members_of(&value.name, members.len(), cause);
        let shown = members.iter().enumerate().map(|(place, member)| {
            let of = of.as_ref().and_then(|of| of.get(place));
            // "20 (20)" says no more than "20".
            let of = of.filter(|of| *of != member);
            of.map_or((*member).to_string(), |of| format!("{member} ({of})"))
        });
        let (shown, plain) = (shown.collect::<Vec<_>>().join(" + "), members.join(" + "));
        if members.len() == 1 || is_start && rest.len() == length {
            return Some((length, shown, plain));
        }
        return Some((length, format!("({shown})"), format!("({plain})")));
    }
    None
}

/// The value's formula with values substituted for names: as shown, and with plain numbers only.
fn substituted(cause: &Cause) -> Option<(String, String)> {
    let formula = cause.gives.as_deref()?;
    let mut names: Vec<&Value> = cause.values.iter().collect();
    names.sort_by_key(|value| std::cmp::Reverse(value.name.len()));
    let (mut text, mut rest) = (String::new(), formula);
    let mut plain = String::new();
    while let Some(sign) = rest.chars().next() {
        let starts = !text.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        let aggregate = || {
            let size = size_aggregate(rest, &cause.values);
            size.or_else(|| sum_aggregate(rest, text.is_empty(), cause))
        };
        if starts && let Some((length, shown, operand)) = aggregate() {
            text.push_str(&shown);
            plain.push_str(&operand);
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        let known = names.iter().find(|value| {
            starts && is_number(&value.value) && rest.starts_with(&value.name) && {
                ends_name(rest.get(value.name.len()..).unwrap_or_default())
            }
        });
        if let Some(value) = known {
            // `the n` is just `n`.
            for written in [&mut text, &mut plain] {
                let bare = written.strip_suffix("the ").filter(|bare| {
                    !bare.ends_with(|last: char| last.is_alphanumeric() || last == '_')
                });
                if let Some(length) = bare.map(str::len) {
                    written.truncate(length);
                }
            }
            // A single name in parentheses loses them.
            let is_bare = rest
                .get(value.name.len()..)
                .is_some_and(|after| after.starts_with(')'))
                && (text == "(" || text.ends_with(" ("));
            if is_bare {
                text.pop();
                plain.pop();
            }
            text.push_str(&value.value);
            plain.push_str(&value.value);
            // A fact's value is followed by its name; the old value of a state is not.
            let fact = cause.facts.iter().find(|fact| fact.name == value.name);
            // A decimal is named, too: its digits alone say little.
            if (fact.is_some() || value.value.contains('.')) && is_plain_name(&value.name) {
                let _ = write!(
                    text,
                    " ({})",
                    fact.map_or(in_words(&value.name), fact_in_words)
                );
            }
            let length = value.name.len() + usize::from(is_bare);
            rest = rest.get(length..).unwrap_or_default();
        } else {
            text.push(sign);
            plain.push(sign);
            rest = rest.get(sign.len_utf8()..).unwrap_or_default();
        }
    }
    Some((text, plain))
}

/// The calculation behind a number: its formula with values substituted for names.
pub(super) fn sum(cause: &Cause, of: Option<&str>) -> Option<String> {
    if of.is_some_and(|of| !is_number(of)) {
        return None;
    }
    let (text, plain) = substituted(cause)?;
    let is_sum = plain
        .chars()
        .all(|sign| sign.is_ascii_digit() || " +-*/().".contains(sign))
        && plain.contains(' ');
    let Some(of) = of else {
        return is_sum.then_some(text);
    };
    if is_sum {
        return Some(format!("{text} = {of}"));
    }
    // Names whose values are no numbers stay, with their values after the formula.
    let has_operator = [" + ", " - ", " * "]
        .iter()
        .any(|sign| plain.contains(sign));
    if !has_operator || !is_readable(&plain) {
        return None;
    }
    let others = cause.values.iter();
    let others = others.filter(|value| !is_number(&value.value) && has_name(&plain, &value.name));
    let others: Vec<Value> = others.cloned().collect();
    // Show the value of a variable in place of its name: `rank of c` becomes "rank of 7".
    let variables = others.iter().filter(|value| value.variable);
    let text = variables.fold(text, |text, known| with_value(&text, known));
    Some(format!(
        "{text} = {of}{}",
        in_brackets(&short_values(&others, ""))
    ))
}

/// The calculation behind a value, or behind the fact that it only forwards, followed by the value if this cause alone
/// accounts for it.
pub(super) fn calculation_of(cause: &Cause, answer: &Answer) -> Option<String> {
    let value = answer.value.as_deref();
    let sum_of = |cause: &Cause| {
        let is_all = answer.causes.len() == 1
            && evaluate_sum(cause).is_none_or(|worth| value == Some(worth.to_string().as_str()));
        sum(cause, value.filter(|_| is_all))
    };
    let passed = || {
        let mut facts = cause.facts.iter();
        let fact = facts.find(|fact| cause.gives.as_deref() == Some(&fact.name))?;
        let inner = &forwarded(fact).causes;
        match inner.as_slice() {
            [only] => sum_of(only),
            several => {
                let sum = sum_of_rows(several, value)?;
                Some(format!("{sum} = {}", value.unwrap_or_default()))
            }
        }
    };
    sum_of(cause).or_else(passed)
}

/// Evaluates a row's calculation, if it has only integers and no parentheses. A row that fires several times
/// contributes more than this.
pub(super) fn evaluate_sum(cause: &Cause) -> Option<i64> {
    let (_, plain) = substituted(cause)?;
    let (mut total, mut product) = (0i64, None::<i64>);
    let mut operator = "+";
    for word in plain.split(' ') {
        if let "+" | "-" | "*" = word {
            operator = word;
            continue;
        }
        let number: i64 = word.parse().ok()?;
        product = match (operator, product) {
            ("*", Some(before)) => Some(before.checked_mul(number)?),
            (sign, before) => {
                total = total.checked_add(before.unwrap_or(0))?;
                Some(if sign == "-" { -number } else { number })
            }
        };
    }
    total.checked_add(product?)
}

/// The calculation that several rows add up to, each term with its row's name, if it accounts for the whole value. If
/// there are many terms, only their sum is given for each row.
pub(super) fn sum_of_rows(causes: &[Cause], value: Option<&str>) -> Option<String> {
    let value: i64 = value?.parse().ok()?;
    let times: usize = causes.iter().map(|cause| cause.added.len()).sum();
    let is_long = times > MOST_ADDED;
    if times < 2 || is_long && causes.len() < 2 {
        return None;
    }
    let are_few = times <= MOST_TERMS_NAMED;
    let (mut total, mut parts) = (0i64, Vec::new());
    for cause in causes {
        let mut of_row = 0i64;
        for added in &cause.added {
            of_row = of_row.checked_add(added.value.parse().ok()?)?;
        }
        total = total.checked_add(of_row)?;
        let label = cause.row.as_deref().filter(|row| !CELLS.contains(row));
        let label = label.map(in_words);
        let in_label = label
            .as_ref()
            .map_or(String::new(), |label| format!(" ({label})"));
        let part = match (cause.added.as_slice(), sum(cause, None)) {
            ([_], Some(formula)) => formula,
            ([_, _, ..], _) if is_long => format!("{of_row}{in_label}"),
            (added @ [_, _, ..], _) if are_few && added.iter().all(Term::is_named) => {
                let named = added.iter().map(|term| term.named(label.as_deref()));
                named.collect::<Vec<_>>().join(" + ")
            }
            (added, _) => {
                let values: Vec<&str> = added.iter().map(|term| &*term.value).collect();
                format!("{}{in_label}", values.join(" + "))
            }
        };
        parts.push(with_citation(cause, part));
    }
    (total == value && parts.len() <= MOST_ADDED).then(|| parts.join(" + "))
}

/// Explains the facts whose values appear in the report, if these are numbers or names.
pub(super) fn explain_shown_facts(event: &Event) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for effect in &event.effects {
        let Effect::Said { text, cause, .. } = effect else {
            continue;
        };
        explain_facts_in_text(text, &cause.facts, &mut lines);
    }
    lines.truncate(LISTED + 1);
    lines
}

/// What makes an event illegal, if neither a sentence of the rules nor a line says so.
pub(super) fn explain_illegal(event: &Event, lines: &[String]) -> Vec<String> {
    let is_told = |fact: &&Fact| {
        let told = format!("{}: ", in_words(&fact.name));
        !event.sentences.is_empty() || lines.iter().any(|line| line.starts_with(&told))
    };
    let illegal = event.illegal.iter().filter(|fact| !is_told(fact));
    let illegal = illegal.map(|fact| format!("illegal: {}", with_reason(fact)));
    illegal.take(LISTED).collect()
}

/// Explains the facts that hold and on whose condition something is reported. The end of the game is explained
/// elsewhere.
pub(super) fn explain_conditions(event: &Event) -> Vec<String> {
    let mut effects = event.effects.iter();
    let end = effects.find_map(|effect| match effect {
        Effect::Over { fact } => Some(fact.name.as_str()),
        _ => None,
    });
    let mut lines: Vec<String> = Vec::new();
    for effect in &event.effects {
        let Effect::Said { cause, .. } = effect else {
            continue;
        };
        let is_condition = |fact: &Fact| {
            let mut conditions = cause.written.iter();
            conditions.any(|condition| has_name(condition, &fact.name))
        };
        for fact in &cause.facts {
            let is_so = fact.value.as_deref() == Some("yes") && is_condition(fact);
            if !is_so || end == Some(&fact.name) {
                continue;
            }
            // "Because the game is over" explains nothing here.
            let is_end = |cause: &Cause| end.is_some() && because(cause).as_deref() == end;
            if !fact.causes.iter().all(is_end) {
                lines.extend(explain_fact(fact).filter(|line| !lines.contains(line)));
            }
        }
    }
    lines.truncate(LISTED);
    lines
}

/// Explains the facts whose values appear in a text, and the numbers behind them.
pub(super) fn explain_facts_in_text(text: &str, facts: &[Fact], lines: &mut Vec<String>) {
    for fact in facts {
        let value = fact.value.as_deref().unwrap_or_default();
        if value.is_empty() || is_yes_no(value) || !text.contains(value) {
            continue;
        }
        // A text that is composed of parts is clear as it is.
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
        // If the fact is the whole text, what the text shows explains it; a number has to be explained itself.
        if value == text && !is_number(value) {
            for cause in &fact.causes {
                let is_row = cause.row.is_some() && !cause.is_cell;
                let has_values = !short_values(&cause.values, "").is_empty();
                let why = because(cause).filter(|_| is_row && has_values);
                lines.extend(why.map(|why| format!("{}: {why}", fact_in_words(fact))));
                explain_facts_in_text(text, &cause.facts, lines);
            }
            continue;
        }
        explain_with_parts(fact, 0, lines);
    }
}

/// Explains a fact and the numbers that it is made of.
fn explain_with_parts(fact: &Fact, steps: usize, lines: &mut Vec<String>) {
    if steps > STEPS + 1 || lines.len() > LISTED {
        return;
    }
    let inner = forwarded(fact);
    let passes = matches!(inner.causes.as_slice(), [cause] if forwards_number(cause, inner));
    if !passes {
        lines.extend(explain_fact(fact).filter(|line| !lines.contains(line)));
    }
    let parts = inner.causes.iter().flat_map(|cause| &cause.facts);
    for part in parts.filter(|part| part.value.as_deref().is_some_and(is_number)) {
        explain_with_parts(part, steps + 1, lines);
    }
}

/// Whether a row only forwards a number: that of another fact, or its negation.
fn forwards_number(cause: &Cause, fact: &Fact) -> bool {
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

/// Follows a fact that only forwards another one, to the fact that has its own causes.
pub(super) fn forwarded(fact: &Fact) -> &Fact {
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

/// A fact's name with its arguments, in words.
pub(super) fn fact_in_words(fact: &Fact) -> String {
    let called = fact.called.as_deref();
    let called = called.filter(|called| called.chars().count() <= LONGEST_VALUE);
    in_words(called.unwrap_or(&fact.name))
}

/// Explains a fact's value; a fact that only forwards another one is explained by that.
pub(super) fn explain_fact(fact: &Fact) -> Option<String> {
    let value = fact.value.as_deref()?;
    let name = match fact.name.strip_prefix(NEW) {
        Some(_) => format!("{NEW}{}", fact_in_words(fact)),
        None => fact_in_words(fact),
    };
    let whole = as_clause(&Value::new(name, cut(value, LONGEST_VALUE)));
    let fact = forwarded(fact);
    let is_alone = fact.causes.len() == 1 && fact.outdone.is_empty();
    let mut whys: Vec<String> = fact
        .causes
        .iter()
        .filter_map(|cause| match (sum(cause, None), evaluate_sum(cause)) {
            (Some(_), Some(worth)) if is_alone && worth.to_string() != value => cause
                .row
                .as_deref()
                .map(|row| format!("{}, more than once", in_words(row))),
            (Some(sum), _) => Some(sum),
            (None, _) => said_below(cause).or_else(|| because(cause)),
        })
        .collect();
    if let Some(added) = sum_of_rows(&fact.causes, Some(value)) {
        whys = vec![added];
    }
    // A reason that repeats the value adds nothing.
    whys.retain(|why| why != value);
    whys.extend(fact.passed.iter().filter_map(explain_passed_over));
    if whys.is_empty() {
        return None;
    }
    let mut line = format!("{whole}: {}", listed(&whys, LISTED));
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
