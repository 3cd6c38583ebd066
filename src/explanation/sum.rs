//! The sum that makes a number.

use std::fmt::Write as _;

use super::{
    Cause, Value,
    words::{glanced, has_name, in_brackets, in_words, is_number, is_readable},
};

/// The sum that makes a number: what was written, with the values in the place of the names.
pub(super) fn sum(cause: &Cause, of: Option<&str>) -> Option<String> {
    let formula = cause.gives.as_deref()?;
    if of.is_some_and(|of| !is_number(of)) {
        return None;
    }
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
