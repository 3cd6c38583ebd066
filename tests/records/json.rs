//! As much of JSON as the records need.

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    /// `"text"`
    Text(String),
    /// `3`
    Number(usize),
    /// `true`
    Truth(bool),
    /// `[…]`
    List(Vec<Json>),
    /// `{…}`
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Option<Json> {
        let (value, rest) = value(line)?;
        rest.trim().is_empty().then_some(value)
    }

    /// The entry of an object.
    pub(super) fn entry(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(entries) => Some(&entries.iter().find(|(other, _)| other == name)?.1),
            _ => None,
        }
    }

    /// A text.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number.
    pub(super) fn number(&self) -> Option<usize> {
        match self {
            Json::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The elements of a list; none of anything else.
    pub(super) fn list(&self) -> &[Json] {
        match self {
            Json::List(list) => list,
            _ => &[],
        }
    }
}

/// A value at the beginning of a text, and the rest of that.
fn value(text: &str) -> Option<(Json, &str)> {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix('"') {
        let (inside, rest) = rest.split_once('"')?;
        return (!inside.contains('\\')).then(|| (Json::Text(inside.to_string()), rest));
    }
    if let Some(mut rest) = text.strip_prefix('[') {
        let mut list = Vec::new();
        while let Some((one, after)) = value(rest) {
            list.push(one);
            rest = after.trim_start();
            rest = rest.strip_prefix(',').unwrap_or(rest);
        }
        return Some((Json::List(list), rest.trim_start().strip_prefix(']')?));
    }
    if let Some(mut rest) = text.strip_prefix('{') {
        let mut entries = Vec::new();
        while let Some((Json::Text(name), after)) = value(rest) {
            let (one, after) = value(after.trim_start().strip_prefix(':')?)?;
            entries.push((name, one));
            rest = after.trim_start();
            rest = rest.strip_prefix(',').unwrap_or(rest);
        }
        return Some((Json::Object(entries), rest.trim_start().strip_prefix('}')?));
    }
    for (word, truth) in [("true", true), ("false", false)] {
        if let Some(rest) = text.strip_prefix(word) {
            return Some((Json::Truth(truth), rest));
        }
    }
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    Some((Json::Number(digits.parse().ok()?), rest))
}
