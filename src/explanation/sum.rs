//! The sum that makes a number.

use std::fmt::Write as _;

use super::{
    Cause, Value,
    words::{glanced, has_name, in_brackets, in_words, is_number, is_readable},
};

/// How many numbers are added up in a sentence.
const MOST_ADDED: usize = 12;

/// What stands before a collection whose members are added up, and before one whose members are counted.
const AGGREGATES: [&str; 2] = ["sum of ", "size of "];

/// A sum or a size that is written here, of a collection that is known: how long that is, and how it is told.
fn aggregate(rest: &str, is_start: bool, values: &[Value]) -> Option<(usize, String, String)> {
    for before in AGGREGATES {
        let Some(of) = rest.strip_prefix(before) else {
            continue;
        };
        let bare = of.strip_prefix('(');
        for value in values {
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
            let after = of.get(length..).unwrap_or_default();
            if after.starts_with(|next: char| next.is_alphanumeric() || next == '_') {
                continue;
            }
            let members: Vec<&str> = value.value.split_whitespace().collect();
            let length = before.len() + length;
            if before == AGGREGATES[1] {
                let count = members.len().to_string();
                return Some((length, count.clone(), count));
            }
            let numbers = members.iter().all(|member| is_number(member));
            if !numbers || members.is_empty() || members.len() > MOST_ADDED {
                continue;
            }
            let of = members_of(&value.name, members.len(), values);
            let told = members.iter().enumerate().map(|(place, member)| {
                let of = of.as_ref().and_then(|of| of.get(place));
                of.map_or((*member).to_string(), |of| format!("{member} ({of})"))
            });
            let (told, plain) = (told.collect::<Vec<_>>().join(" + "), members.join(" + "));
            if members.len() == 1 || is_start && rest.len() == length {
                return Some((length, told, plain));
            }
            return Some((length, format!("({told})"), format!("({plain})")));
        }
    }
    None
}

/// What a list was made of, member by member: `(value of c for c in hand)` is made of `hand`.
fn members_of<'v>(name: &str, count: usize, values: &'v [Value]) -> Option<Vec<&'v str>> {
    let name = name.trim_end_matches(')');
    if name.contains(" where ") {
        return None;
    }
    let made_of = values.iter().find(|value| {
        let before = name.strip_suffix(value.name.as_str());
        before.is_some_and(|before| before.ends_with(" in "))
    })?;
    let members: Vec<&str> = made_of.value.split_whitespace().collect();
    (members.len() == count).then_some(members)
}

/// What was written, with the values in the place of the names: as it is told, and as it can be worked out.
fn substituted(cause: &Cause) -> Option<(String, String)> {
    let formula = cause.gives.as_deref()?;
    let mut names: Vec<&Value> = cause.values.iter().collect();
    names.sort_by_key(|value| std::cmp::Reverse(value.name.len()));
    let (mut text, mut rest) = (String::new(), formula);
    let mut plain = String::new();
    while let Some(sign) = rest.chars().next() {
        let starts = !text.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        if starts
            && let Some((length, told, shown)) = aggregate(rest, text.is_empty(), &cause.values)
        {
            text.push_str(&told);
            plain.push_str(&shown);
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        let known = names.iter().find(|value| {
            starts && is_number(&value.value) && rest.starts_with(&value.name) && {
                let after = rest.get(value.name.len()..).unwrap_or_default();
                !after.starts_with(|next: char| next.is_alphanumeric() || next == '_')
            }
        });
        if let Some(value) = known {
            text.push_str(&value.value);
            plain.push_str(&value.value);
            // What a state was before is seen; what a fact adds has a name.
            let plain_name = |name: &str| {
                let mut signs = name.chars();
                signs.all(|sign| sign.is_alphanumeric() || "_()".contains(sign))
            };
            let is_fact = cause.facts.iter().any(|fact| fact.name == value.name);
            // A decimal has a name that says more than its places do.
            if (is_fact || value.value.contains('.')) && plain_name(&value.name) {
                let _ = write!(text, " ({})", in_words(&value.name));
            }
            rest = rest.get(value.name.len()..).unwrap_or_default();
        } else {
            text.push(sign);
            plain.push(sign);
            rest = rest.get(sign.len_utf8()..).unwrap_or_default();
        }
    }
    Some((text, plain))
}

/// The sum that makes a number: what was written, with the values in the place of the names.
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
    // What is no number stands there as it was written, with its value behind.
    let has_operator = [" + ", " - ", " * "]
        .iter()
        .any(|sign| plain.contains(sign));
    if !has_operator || !is_readable(&plain) {
        return None;
    }
    let others = cause.values.iter();
    let others = others.filter(|value| !is_number(&value.value) && has_name(&plain, &value.name));
    let others: Vec<Value> = others.cloned().collect();
    Some(format!(
        "{text} = {of}{}",
        in_brackets(&glanced(&others, ""))
    ))
}

/// What the sum of a row comes to, where it is of whole numbers and has no brackets: a row that fires several times gives
/// more than that.
pub(super) fn worth(cause: &Cause) -> Option<i64> {
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
