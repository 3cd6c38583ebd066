//! The members of collections: which was the best and why, and what each gave or added.

use super::{
    Cause, Value,
    text::or_nothing,
    words::{LISTED, in_words, is_number, listed, some_of, with_value, with_values_in_name},
};

/// What a row of a sum added once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) value: String,
    /// The values of the row's variables then, if they can be written.
    pub(crate) members: Option<String>,
}

/// What is compared of the members of a collection, or computed for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// What it is, as written in the rules; empty if that is too long.
    pub(crate) key: String,
    /// Whether the highest is the best; nothing if they are not compared.
    pub(crate) highest: Option<bool>,
    /// Each member with its value. Where they are compared, the best is the first.
    pub(crate) of: Vec<(String, String)>,
    /// How many more there are.
    pub(crate) left: usize,
}

impl Term {
    /// Whether the values of its variables tell a reader what it is of; numbers alone do not.
    pub(super) fn is_named(&self) -> bool {
        let members = self.members.as_deref();
        members.is_some_and(|members| !members.split(", ").all(is_number))
    }

    /// The value, with the name of its row and what it is of: `3 (points C3)`.
    pub(super) fn named(&self, row: Option<&str>) -> String {
        let members = self.members.as_deref();
        let of: Vec<&str> = row.into_iter().chain(members).collect();
        format!("{} ({})", self.value, of.join(" "))
    }
}

impl Cause {
    /// Each key by which the best was chosen, with what is left to compare by it, the best first.
    fn keys_compared(&self) -> Vec<(&Comparison, &[(String, String)])> {
        let mut equal = usize::MAX;
        let mut keys = Vec::new();
        for by in self.compared.iter().filter(|by| by.highest.is_some()) {
            let among = by.of.get(..equal.min(by.of.len())).unwrap_or_default();
            let as_good =
                |(_, value): &&(String, String)| Some(value) == among.first().map(|(_, best)| best);
            equal = among.iter().take_while(as_good).count();
            keys.push((by, among));
            if equal < 2 {
                break;
            }
        }
        keys
    }

    /// What was compared to find the best.
    pub(super) fn compared_in_full(&self) -> String {
        let keys = self.keys_compared().into_iter();
        let told = keys
            .filter(|(_, among)| among.len() > 1)
            .map(|(by, among)| {
                let of: Vec<String> = among.iter().map(of_member).collect();
                let left = if among.len() == by.of.len() {
                    by.left
                } else {
                    0
                };
                format!("{}: {}", by.key, with_left(&of, of.len(), left))
            });
        let told: Vec<String> = told.collect();
        match told.as_slice() {
            [] => String::new(),
            told => format!("  (compared {})", told.join("; ")),
        }
    }
}

/// What a row says of the members of a collection, if it does nothing else: what it counts or compares, or how it chose.
pub(super) fn describe_collection(cause: &Cause) -> Option<String> {
    describe_members_used(cause).or_else(|| describe_choice(cause))
}

/// The aggregates whose members are shown if they are the whole expression, and whether they compare the members.
const COMPARED: [(&str, bool); 3] = [
    ("size of", false),
    ("lowest of", true),
    ("highest of", true),
];

/// The members that a row counts or compares, if it does nothing else.
fn describe_members_used(cause: &Cause) -> Option<String> {
    let gives = cause.gives.as_deref()?;
    for before in ["", "the "] {
        for (what, is_compared) in COMPARED {
            let prefix = format!("{before}{what} ");
            let Some(of) = gives.strip_prefix(&prefix) else {
                continue;
            };
            let bare = of.strip_prefix('(').and_then(|of| of.strip_suffix(')'));
            let mut values = cause.values.iter();
            let value = values.find(|value| value.name == of || Some(&*value.name) == bare)?;
            let members: Vec<&str> = value.value.split_whitespace().collect();
            let size = cause.values.iter().find(|value| value.name == gives);
            if size.is_some_and(|size| size.value != members.len().to_string()) {
                return None;
            }
            let made_of = members_of(&value.name, members.len(), cause);
            let told = members.iter().enumerate().map(|(place, member)| {
                let of = made_of.as_ref().and_then(|of| of.get(place));
                of.map_or((*member).to_string(), |of| format!("{member} ({of})"))
            });
            let told = some_of(&told.collect::<Vec<_>>());
            return match (told.is_empty(), is_compared) {
                (true, _) => None,
                (false, false) => Some(format!("the {what} {}", told.join(" "))),
                (false, true) => Some(format!("the {what} {}", told.join(", "))),
            };
        }
    }
    None
}

/// The members that a list was computed from, such as those of `hand` for `(value of c for c in hand)`. `None` if some
/// are numbers, which a reader would take for values.
pub(super) fn members_of<'c>(name: &str, count: usize, cause: &'c Cause) -> Option<Vec<&'c str>> {
    let bare = name
        .strip_prefix('(')
        .and_then(|name| name.strip_suffix(')'));
    let mut compared = cause.compared.iter();
    let made = compared.find(|made| made.key == name || Some(&*made.key) == bare)?;
    let members: Vec<&str> = made.of.iter().map(|(member, _)| &**member).collect();
    let are_names = members.len() == count && !members.iter().any(|member| is_number(member));
    are_names.then_some(members)
}

/// A value of a member: `9 (Ann)`.
fn of_member((member, value): &(String, String)) -> String {
    match value {
        value if value == member => value.clone(),
        value => format!("{} ({member})", or_nothing(value)),
    }
}

/// The first `most` items of a list that has `left` more.
fn with_left(all: &[String], most: usize, left: usize) -> String {
    let shown = all.iter().take(most).cloned().collect::<Vec<_>>();
    match all.len() - shown.len() + left {
        0 => shown.join(", "),
        left => format!("{} and {left} more", shown.join(", ")),
    }
}

/// The keys by which `best` chose, or the value that `after` or `before` starts from, if a row does nothing else.
fn describe_choice(cause: &Cause) -> Option<String> {
    let gives = cause.gives.as_deref()?;
    for before in ["after ", "before "] {
        if let (Some(of), None) = (gives.strip_prefix(before), &cause.row) {
            let value = cause.values.iter().find(|value| value.name == of)?;
            return Some(format!("{before}{}", value.value));
        }
    }
    let alone = gives
        .strip_prefix('(')
        .and_then(|gives| gives.split_once(')'));
    let best = alone.map_or(gives, |(best, _)| best);
    let best = best.strip_prefix("the ").unwrap_or(best);
    let (variable, rest) = best.strip_prefix("best ")?.split_once(" in ")?;
    if rest.contains("best ") {
        return None;
    }
    let keys = cause.keys_compared();
    let mut told = Vec::new();
    // Who is as good as the best by all keys.
    let mut like = Vec::new();
    for (place, (by, among)) in keys.into_iter().enumerate() {
        let is_own = by.key == variable;
        let (first, others) = among.split_first()?;
        let (member, value) = first;
        if others.is_empty() && place == 0 {
            return Some("there is no other".to_string());
        }
        let known = Value {
            variable: true,
            ..Value::new(variable.to_string(), member.clone())
        };
        let name = Value::new(with_value(&by.key, &known), value.clone());
        let name = with_values_in_name(&name, &cause.values).name;
        let is = match name.as_str() {
            _ if is_own => format!("{member} is"),
            "" => format!("{} is", or_nothing(value)),
            name => format!("{} is {},", in_words(name), or_nothing(value)),
        };
        let which = if by.highest == Some(true) {
            "highest"
        } else {
            "lowest"
        };
        let equal = others.iter().take_while(|(_, other)| other == value);
        like = equal
            .map(|(other, _)| other.clone())
            .filter(|other| other != member)
            .collect();
        let then = others.iter().filter(|(_, other)| other != value);
        let then: Vec<String> = then.map(of_member).collect();
        let left = if place == 0 { by.left } else { 0 };
        told.push(match (like.as_slice(), then.as_slice()) {
            ([], []) => format!("{is} the {which}"),
            ([], then) => format!("{is} the {which}, then {}", with_left(then, LISTED, left)),
            (like, _) => format!("{is} the {which}, like {}", listed(like, LISTED)),
        });
        if like.is_empty() {
            break;
        }
    }
    let best = cause.compared.first().and_then(|by| by.of.first());
    if let (Some((best, _)), false) = (best, like.is_empty()) {
        told.push(format!("{best} comes first"));
    }
    (!told.is_empty()).then(|| told.join("; "))
}
