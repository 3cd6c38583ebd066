//! The sum that makes a number.

use std::fmt::Write as _;

use super::{
    Cause, Value,
    words::{glanced, has_name, in_brackets, in_words, is_number, is_readable},
};

/// What was written, with the values in the place of the names: as it is told, and as it can be worked out.
fn substituted(cause: &Cause) -> Option<(String, String)> {
    let formula = cause.gives.as_deref()?;
    let mut names: Vec<&Value> = cause.values.iter().collect();
    names.sort_by_key(|value| std::cmp::Reverse(value.name.len()));
    let (mut text, mut rest) = (String::new(), formula);
    let mut plain = String::new();
    while let Some(sign) = rest.chars().next() {
        let starts = !text.ends_with(|last: char| last.is_alphanumeric() || last == '_');
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
            if cause.facts.iter().any(|fact| fact.name == value.name)
                && value
                    .name
                    .chars()
                    .all(|sign| sign.is_alphanumeric() || sign == '_')
            {
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
