//! Names, values and lists, worded for sentences.

use super::{Cause, Value, text::or_nothing};

/// The number of items that a sentence lists.
pub(super) const LISTED: usize = 3;

/// The longest value that fits in a sentence, in characters.
pub(super) const LONGEST_VALUE: usize = 40;

/// The longest value of an answer, in characters.
pub(super) const LONGEST_ANSWER: usize = 160;

/// The longest line that is quoted, in characters.
pub(super) const LONGEST_LINE: usize = 60;

/// The number of sentences for an event, if it is the only one.
pub(super) const MOST_SENTENCES: usize = 5;

/// The number of words that can be read at a glance.
const FEW_WORDS: usize = 4;

/// The prefix of a state's value after the event.
pub(super) const NEW: &str = "new ";

/// The prefix of an expression that counts a collection.
pub(super) const SIZE: &str = "size of ";

/// Prefixes of expressions that quantify over a collection. They read as words, however long they are.
pub(super) const HOLD_FOR_ALL: [&str; 2] = ["every ", "no "];

impl Value {
    pub(crate) fn new(name: String, value: String) -> Value {
        Value {
            name,
            value,
            since: None,
            since_words: None,
            variable: false,
            called: None,
            literals: Vec::new(),
        }
    }
}

impl Value {
    /// Its name with values in place of what stands for them.
    pub(super) fn with_literals(&self) -> String {
        let spoken = |name: String, (literal, written): &(String, String)| {
            let known = Value::new(literal.clone(), written.clone());
            with_value(&name, &known)
        };
        self.literals.iter().fold(self.name.clone(), spoken)
    }
}

/// Whether an expression is fit for a sentence.
pub(super) fn is_readable(written: &str) -> bool {
    written.chars().count() <= LONGEST_LINE && !written.contains(['"', '{'])
}

pub(super) fn in_brackets(values: &[String]) -> String {
    if values.is_empty() {
        return String::new();
    }
    format!(" ({})", values.join(", "))
}

/// Values that are short enough to read at a glance, except those of variables and those that `said` already contains.
/// A variable in a name is replaced by its value: `value of b` is "value of Pink".
pub(super) fn short_values(values: &[Value], said: &str) -> Vec<String> {
    let is_said = |value: &Value| {
        let mut seen = said.split(|sign: char| !sign.is_alphanumeric());
        seen.any(|word| !word.is_empty() && word == value.value)
    };
    let named = values.iter().filter(|value| !value.variable);
    let shown = named.filter(|value| is_short(value) && !is_counted(value, values));
    let is_long = |value: &&Value| HOLD_FOR_ALL.iter().any(|all| value.name.starts_with(all));
    let (long, short): (Vec<&Value>, Vec<&Value>) = shown.partition(is_long);
    // Quantified expressions are shown only if there is nothing shorter.
    let mut shown = if short.is_empty() { long } else { short };
    if shown.len() > LISTED {
        // "points of Ben" already says who `winner` is.
        let keys: Vec<&str> = shown
            .iter()
            .filter_map(|value| key_in_name(value))
            .collect();
        shown.retain(|value| !keys.contains(&value.name.as_str()));
    }
    // "since line 3" without a name refers to what was just said, so it must be the only value.
    let is_alone = values.iter().filter(|value| !value.variable).count() == 1;
    shown
        .into_iter()
        .filter_map(|value| {
            let since = since_when(value.since, value.since_words.as_deref());
            match (is_said(value), value.since) {
                (true, None) => None,
                (true, Some(_)) if is_alone => Some(since.trim_start().to_string()),
                _ => Some(format!(
                    "{}{since}",
                    as_clause(&with_values_in_name(value, values))
                )),
            }
        })
        .take(LISTED)
        .collect()
}

/// What the name of a value takes the value of: `winner` in `points of winner`.
fn key_in_name(value: &Value) -> Option<&str> {
    value.name.rsplit_once(" of ").map(|(_, key)| key)
}

/// Whether nothing can be read at a glance but that something holds for all, or variables.
pub(super) fn is_long_alone(values: &[Value]) -> bool {
    let is_long = |value: &Value| HOLD_FOR_ALL.iter().any(|all| value.name.starts_with(all));
    let mut shown = values.iter().filter(|value| is_short(value));
    shown.all(|value| value.variable || is_long(value))
}

/// Whether a value is the size of a collection that is itself among the values.
fn is_counted(value: &Value, values: &[Value]) -> bool {
    let of = value.name.strip_prefix(SIZE);
    of.is_some_and(|of| values.iter().any(|value| value.name == of))
}

/// The value with variables and keys in its name replaced by their values: `left of from` is "left of 2".
pub(crate) fn with_values_in_name(value: &Value, values: &[Value]) -> Value {
    let mut value = value.clone();
    if value.variable {
        return value;
    }
    for known in values {
        let is_word = |sign: char| sign.is_alphanumeric() || ",-_".contains(sign);
        if known.value.is_empty() || !known.value.chars().all(is_word) {
            // Several values stand only where something is asked of them all.
            if known.variable && is_list(&known.value) {
                value.name = with_argument(&value.name, known);
            }
            continue;
        }
        if known.variable {
            value.name = with_value(&value.name, known);
        } else if let Some((entry, of)) = value.name.rsplit_once(" of ")
            // "the dearest of SS is SS" would say nothing; the size of a known collection is known.
            && of == known.name
            && value.value != known.value
            && !SIZE.starts_with(entry)
        {
            value.name = format!("{entry} of {}", known.value);
        } else if value.since.is_some() && value.name.ends_with(')') && known.name != value.name {
            value.name = with_value(&value.name, known);
        }
    }
    value
}

/// Whether a value is several short words.
fn is_list(value: &str) -> bool {
    value.chars().count() <= LONGEST_VALUE / 2
        && value
            .chars()
            .all(|sign| sign.is_alphanumeric() || sign == ' ')
        && value.contains(' ')
}

/// A call with the value of a variable in place of its last argument.
fn with_argument(name: &str, known: &Value) -> String {
    let last = format!("{})", known.name);
    match name.strip_suffix(&last) {
        Some(before) if before.ends_with(['(', ' ']) => format!("{before}{})", known.value),
        _ => name.to_string(),
    }
}

/// An expression with a variable replaced by its value, unless the expression binds the variable.
pub(super) fn with_value(name: &str, known: &Value) -> String {
    let of_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let places: Vec<usize> = name
        .match_indices(&known.name)
        .map(|(place, _)| place)
        .filter(|place| {
            let before = name.get(..*place).unwrap_or_default();
            let after = name.get(place + known.name.len()..).unwrap_or_default();
            !before.ends_with(of_name) && !after.starts_with(of_name)
        })
        .collect();
    let is_bound = places.iter().any(|place| {
        let after = name.get(place + known.name.len()..).unwrap_or_default();
        after.starts_with(" in ")
    });
    if is_bound {
        return name.to_string();
    }
    let mut spoken = name.to_string();
    for place in places.into_iter().rev() {
        spoken.replace_range(place..place + known.name.len(), &known.value);
    }
    spoken
}

/// A clause that states a value: `over` or `not over` for yes and no, else `lead is Red`.
pub(super) fn as_clause(value: &Value) -> String {
    let name = value.with_literals();
    let (name, value) = (name.as_str(), &value.value);
    // What holds for all is quoted: it is a condition.
    let is_quoted = HOLD_FOR_ALL.iter().any(|all| name.starts_with(all)) && name.contains(" in ");
    let words = if is_quoted {
        format!("`{name}`")
    } else {
        in_words(name)
    };
    match value.as_str() {
        "yes" => words,
        "no" => format!("not {words}"),
        value if name.starts_with(NEW) => format!("{words} is now {}", or_nothing(value)),
        value => format!("{words} is {}", or_nothing(value)),
    }
}

/// Whether a value is a few words and its name is plain or reads as words.
pub(super) fn is_short(value: &Value) -> bool {
    let mut words = HOLD_FOR_ALL.iter().chain([&SIZE]);
    if words.any(|before| value.name.starts_with(before)) {
        return is_readable(&value.name) && value.value.chars().count() <= LONGEST_VALUE / 2;
    }
    value.name.chars().count() <= LONGEST_VALUE / 2
        && value.value.chars().count() <= LONGEST_VALUE / 2
        && (!value.name.contains(['(', '{', '"']) || is_entry(value))
        && value.value.split(' ').count() <= FEW_WORDS
}

/// Whether a value is the entry of a state with several keys, all of which are names: `filled(turn, House)`.
fn is_entry(value: &Value) -> bool {
    let is_key = |sign: char| sign.is_alphanumeric() || "_, ".contains(sign);
    let keys = value.name.split_once('(');
    let keys = keys.and_then(|(_, keys)| keys.strip_suffix(')'));
    value.since.is_some() && keys.is_some_and(|keys| keys.chars().all(is_key))
}

/// A name of the rules as words: `new lead` is "lead", and `area(black)` "area of black".
pub(super) fn in_words(name: &str) -> String {
    let name = name.strip_prefix(NEW).unwrap_or(name);
    let is_name = |name: &str| {
        let mut signs = name.chars();
        !name.is_empty() && signs.all(|sign| sign.is_alphanumeric() || sign == '_')
    };
    let called = name
        .split_once('(')
        .and_then(|(of, rest)| Some((of, rest.strip_suffix(')')?)))
        .filter(|(of, rest)| is_name(of) && !rest.contains('('));
    match called {
        // Of several, it is not plain what is of what.
        Some((name, of)) if of.contains(", ") => format!("{}({of})", name.replace('_', " ")),
        Some((name, of)) => {
            // `worth_of(cards)` is "worth of cards".
            let name = name.strip_suffix("_of").unwrap_or(name);
            format!("{name} of {of}").replace('_', " ")
        }
        // `hand_of of North` is "hand of North"; an empty key is "nothing".
        None if name.ends_with(" of ") => format!("{}nothing", name.replace('_', " ")),
        // A name that is a word of the language ends with a stroke.
        None => {
            let words = name.replace("_of of ", " of ").replace('_', " ");
            words.trim_end().to_string()
        }
    }
}

pub(super) fn has_name(formula: &str, name: &str) -> bool {
    let apart =
        |sign: Option<char>| !sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
    formula.match_indices(name).any(|(place, _)| {
        let before = formula
            .get(..place)
            .and_then(|before| before.chars().last());
        let after = formula
            .get(place + name.len()..)
            .and_then(|after| after.chars().next());
        apart(before) && apart(after)
    })
}

pub(super) fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let (whole, places) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits =
        |part: &str| !part.is_empty() && part.chars().all(|sign| sign.is_ascii_digit());
    all_digits(whole) && all_digits(places)
}

/// Whether a value is a number, a name, or several of these.
pub(super) fn is_plain(value: &str) -> bool {
    is_number(value)
        || value
            .chars()
            .all(|sign| sign.is_alphanumeric() || " ,_".contains(sign))
}

pub(super) fn is_yes_no(value: &str) -> bool {
    matches!(value, "yes" | "no")
}

pub(super) fn some_of(members: &[String]) -> Vec<String> {
    let shown = members.iter().take(MOST_SENTENCES + LISTED);
    let mut some: Vec<String> = shown.cloned().collect();
    if members.len() > some.len() {
        some.push(format!("and {} more", members.len() - some.len()));
    }
    some
}

/// The first `most` items, and how many more there are.
pub(super) fn listed(all: &[String], most: usize) -> String {
    let shown = all
        .iter()
        .take(most)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match all.len().saturating_sub(most) {
        0 => shown,
        left => format!("{shown} and {left} more"),
    }
}

/// A text, cut to a length in characters.
pub(super) fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_string();
    }
    let start: String = text.chars().take(longest).collect();
    format!("{}…", start.trim_end())
}

/// ` since line 3`, or ` since line 3 (e2e4)` if a line can have several events; empty since the start.
pub(super) fn since_when(line: Option<usize>, words: Option<&str>) -> String {
    let words = words.map_or(String::new(), |words| {
        format!(" ({})", cut(words, LONGEST_LINE))
    });
    line.map_or(String::new(), |line| format!(" since line {line}{words}"))
}

/// `after lines 3 and 5`, with line 0 as "at the start".
pub(super) fn after_lines(lines: &[usize]) -> Option<String> {
    let (start, rest) = match lines {
        [] => return None,
        [0, rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let numbers: Vec<String> = rest.iter().map(usize::to_string).collect();
    let after = match numbers.as_slice() {
        [] => String::new(),
        [one] => format!("after line {one}"),
        [first @ .., last] => {
            let shown = first.len().saturating_sub(MOST_SENTENCES);
            format!("after lines {} and {last}", first[shown..].join(", "))
        }
    };
    let when = match (start, after.is_empty()) {
        (true, true) => "at the start".to_string(),
        (true, false) => format!("at the start and {after}"),
        (false, _) => after,
    };
    Some(when)
}

/// When an event is possible, according to its guard.
pub(super) fn guarded(event: &str, guard: &str) -> String {
    match guard.strip_prefix("unless ") {
        Some(condition) => format!("{event} cannot come when {condition}"),
        None => format!("{event} can come only {guard}"),
    }
}

/// A name as lower-case words, also split before capital letters.
pub(super) fn split_words(name: &str) -> String {
    let mut words = String::new();
    for sign in in_words(name).chars() {
        let follows = words.ends_with(char::is_lowercase);
        if follows && sign.is_uppercase() {
            words.push(' ');
        }
        words.push(sign);
    }
    words.to_lowercase()
}

/// Whether a name ends before this text.
pub(super) fn ends_name(after: &str) -> bool {
    !after.starts_with(|next: char| next.is_alphanumeric() || next == '_')
}

/// Whether a collection is made by a loop.
pub(super) fn is_comprehension(of: &str) -> bool {
    of.contains('{') || [" for ", " where "].iter().any(|word| of.contains(word))
}

/// Whether an expression is a plain name, with or without arguments: `hand`, `hand(turn)`.
pub(super) fn is_plain_name(name: &str) -> bool {
    let mut signs = name.chars();
    signs.all(|sign| sign.is_alphanumeric() || "_()".contains(sign))
}

impl Cause {
    /// Whether its value is calculated from others, all of which are shown.
    pub(crate) fn is_calculated(&self) -> bool {
        let gives = self.gives.as_deref().unwrap_or_default();
        let has = |signs: &[&str]| signs.iter().any(|sign| gives.contains(sign));
        let of_collections = has(&[" with ", " without ", " then ", "reversed of ", "sorted "]);
        has(&[" of ", " + ", " - ", " * "]) && !of_collections
    }
}

/// A member for which a `some` holds: "2 in hand of Ann". Members of a type are among the other values already.
pub(super) fn witness(cause: &Cause) -> Option<String> {
    let some = cause.gives.as_deref()?.strip_prefix("some ")?;
    let (variable, rest) = some.split_once(" in ")?;
    let (of, _) = rest.split_once(" where ")?;
    let is_type = of.starts_with(char::is_uppercase);
    if is_type || of.contains(", ") || !is_readable(of) {
        return None;
    }
    let value = cause.values.iter().find(|value| value.name == variable)?;
    let of = Value {
        name: of.to_string(),
        ..value.clone()
    };
    Some(format!(
        "{} in {}",
        cut(or_nothing(&value.value), LONGEST_VALUE),
        in_words(&with_values_in_name(&of, &cause.values).name)
    ))
}

/// Appends the row's citation.
pub(super) fn with_citation(cause: &Cause, words: String) -> String {
    match &cause.cites {
        Some(place) => format!("{words} ({place})"),
        None => words,
    }
}

/// That nothing meets the condition of a `best`.
pub(super) fn describe_empty_best(written: &str) -> Option<String> {
    let (of, _) = written.strip_prefix("best ")?.rsplit_once(" by ")?;
    let (of, condition) = of.split_once(" where ")?;
    Some(format!("there is no `{of}` where `{condition}`"))
}
