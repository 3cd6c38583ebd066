//! Explains why words are not values of a type.

use super::{Run, holes::forms_taken, reader::shown, values::value};
use crate::{
    arithmetic,
    code::{Check, Hole, Reading, Segment},
    diagnostic::{nearest, numbered, with_article},
    fault::Stop,
    machine::{LONGEST_FORM, Machine},
    word::number,
};

/// The number of members that a message lists.
const LISTED: usize = 12;

/// `2 decimal places`
fn places_of(places: u8) -> String {
    numbered(usize::from(places), "decimal place")
}

/// Why a word is not a value of a type.
pub(super) fn why<'c>(
    machine: &mut Machine<'c>,
    reading: &Reading,
    (ty, check): (&str, Option<&'c Check>),
    word: &[u8],
) -> String {
    let text = shown(word);
    match reading {
        Reading::Number { lo, hi } => {
            let digits = word.strip_prefix(b"-").unwrap_or(word);
            if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
                format!("`{text}` is not a whole number")
            } else if *hi < i64::MAX {
                format!("`{text}` is not one of {lo}..{hi}")
            } else if number(word).is_none() {
                format!("`{text}` is beyond 64 bits")
            } else {
                format!("`{text}` is less than {lo}")
            }
        }
        Reading::Decimal { places, lo, hi } => {
            let number = std::str::from_utf8(word).ok().and_then(arithmetic::decimal);
            let text_of = |value| arithmetic::decimal_text(value, *places);
            match number {
                None => format!("`{text}` is not a number with {}", places_of(*places)),
                Some((value, from)) => match arithmetic::scaled(value, from, *places) {
                    Some(value) if from < *places && (lo..=hi).contains(&&value) => format!(
                        "`{text}` must be written with {}, `{}`",
                        places_of(*places),
                        text_of(value)
                    ),
                    None if from > *places => {
                        format!("`{text}` has more than {}", places_of(*places))
                    }
                    _ if *hi < i64::MAX => {
                        format!("`{text}` is not one of {}..{}", text_of(*lo), text_of(*hi))
                    }
                    _ => format!("`{text}` is beyond 64 bits"),
                },
            }
        }
        Reading::YesNo => format!("`{text}` is neither `yes` nor `no`"),
        Reading::Form(form) => {
            let forms = forms_taken(machine, *form, check);
            not_one_of(&text, ty, forms.iter().map(String::as_str))
        }
        Reading::Attribute(texts) => {
            not_one_of(&text, ty, texts.iter().map(|(text, _)| text.as_str()))
        }
        Reading::Word | Reading::Joined(_) => format!("`{text}` is not {}", with_article(ty)),
    }
}

/// Whether a form consists of digits and punctuation, so that similar ones are no useful suggestions.
fn is_digits_only(form: &str) -> bool {
    !form.contains(char::is_alphabetic)
}

/// A text with its two parts swapped: `3-6` for `6-3`.
fn swapped(text: &str) -> Option<String> {
    let is_sign = |sign: char| !sign.is_alphanumeric();
    let (first, second) = text.split_once(is_sign)?;
    let sign = text.get(first.len()..text.len() - second.len())?;
    (!second.contains(is_sign)).then(|| format!("{second}{sign}{first}"))
}

fn not_one_of<'f>(text: &str, ty: &str, forms: impl Iterator<Item = &'f str>) -> String {
    let ty = with_article(ty);
    let all: Vec<&str> = forms.filter(|form| !form.is_empty()).collect();
    if let Some(swapped) = swapped(text).filter(|swapped| all.contains(&swapped.as_str())) {
        return format!("`{text}` is not {ty}; did you mean `{swapped}`?");
    }
    let range = (all.first(), all.last());
    if let (Some(first), Some(last)) = range
        && all.len() > LISTED
        && is_digits_only(text)
        && all.iter().all(|form| is_digits_only(form))
    {
        return format!("`{text}` is not {ty} (from {first} to {last})");
    }
    if let Some(near) = nearest(text, all.iter().copied()) {
        return format!("`{text}` is not {ty}; did you mean `{near}`?");
    }
    let mut listed: Vec<&str> = all.iter().take(LISTED).copied().collect();
    if all.len() > LISTED {
        listed.push("…");
    }
    if listed.is_empty() {
        return format!("`{text}` is not {ty}");
    }
    format!("`{text}` is not {ty} ({})", listed.join(", "))
}

/// Why a word is not a collection written without blanks: which piece is not a member.
pub(super) fn why_not_joined<'c>(
    machine: &mut Machine<'c>,
    hole: &'c Hole,
    inner: &Reading,
    word: &[u8],
) -> String {
    let separator = hole.separator();
    let mut reached = vec![false; word.len() + 1];
    reached[0] = true;
    for start in 0..word.len() {
        if !reached[start] {
            continue;
        }
        for length in 1..=LONGEST_FORM.min(word.len() - start) {
            let end = start + length;
            if machine.value_read(inner, &word[start..end]).is_some() {
                if end == word.len() {
                    reached[end] = true;
                } else if word[end..].starts_with(separator.as_bytes()) {
                    reached[end + separator.len()] = true;
                }
            }
        }
    }
    let start = reached.iter().rposition(|is| *is).unwrap_or(0);
    let piece = if separator.is_empty() {
        piece(machine, inner, &word[start..])
    } else {
        let mut ends = start..word.len();
        let end = ends.find(|end| word[*end..].starts_with(separator.as_bytes()));
        &word[start..end.unwrap_or(word.len())]
    };
    let ty = match inner {
        Reading::Form(form) => machine.compiled.forms[*form].name.clone(),
        _ => hole.ty.clone(),
    };
    let text = shown(word);
    if piece == word {
        return format!("`{text}` is not {}", with_article(&hole.ty));
    }
    format!(
        "`{text}` is not {}: {}",
        with_article(&hole.ty),
        why(machine, inner, (&ty, hole.check.as_ref()), piece)
    )
}

/// The start of a text, at least as long as what would be read there.
fn piece<'w>(machine: &Machine<'_>, reading: &Reading, text: &'w [u8]) -> &'w [u8] {
    let shortest = |forms: &mut dyn Iterator<Item = &str>| {
        let lengths = forms.map(|form| form.chars().count());
        lengths.filter(|length| *length > 0).min().unwrap_or(1)
    };
    let characters = match reading {
        Reading::Number { .. } => 1,
        Reading::Form(form) => shortest(&mut machine.forms_now(*form).iter().map(String::as_str)),
        Reading::Attribute(texts) => shortest(&mut texts.iter().map(|(text, _)| text.as_str())),
        Reading::Decimal { places, .. } => {
            let point = text.iter().position(|byte| *byte == b'.');
            point.map_or(usize::MAX, |point| point + 1 + usize::from(*places))
        }
        Reading::YesNo | Reading::Word | Reading::Joined(_) => usize::MAX,
    };
    let text_of = String::from_utf8_lossy(text);
    let length = text_of
        .chars()
        .take(characters)
        .map(char::len_utf8)
        .sum::<usize>();
    &text[..length.min(text.len())]
}

/// Where a value before a literal can end in a word: at each occurrence of the literal; nowhere if no literal follows
/// or the word lacks it.
fn ends_before(more: &[Segment], word: &[u8]) -> Vec<usize> {
    let Some(Segment::Literal(sign)) = more.first() else {
        return Vec::new();
    };
    let sign = sign.as_bytes();
    (1..word.len())
        .filter(|end| !sign.is_empty() && word[*end..].starts_with(sign))
        .collect()
}

/// The attempt to divide a word that got farthest.
struct Deepest {
    /// What was left: bytes and parts.
    left: (usize, usize),
    reason: String,
}

impl<'c> Run<'c, '_> {
    /// Why a word does not divide into adjacent parts: the part that fails when most of the word is understood.
    pub(super) fn why_not_split(
        &mut self,
        segments: &'c [Segment],
        word: &[u8],
    ) -> Result<String, Stop> {
        let mut deepest = None;
        self.fail(segments, word, &mut deepest)?;
        let text = shown(word);
        Ok(match deepest {
            Some(Deepest { reason, .. }) => format!("`{text}` does not have this form: {reason}"),
            None => format!("`{text}` does not have this form"),
        })
    }

    /// Tries all ways to divide a word, none of which matches, and keeps the one that gets farthest.
    fn fail(
        &mut self,
        segments: &'c [Segment],
        word: &[u8],
        deepest: &mut Option<Deepest>,
    ) -> Result<(), Stop> {
        let left = (word.len(), segments.len());
        let note = |deepest: &mut Option<Deepest>, reason: String| {
            if deepest.as_ref().is_none_or(|deepest| left < deepest.left) {
                *deepest = Some(Deepest { left, reason });
            }
        };
        let rest = shown(word);
        match segments.split_first() {
            None if word.is_empty() => {}
            None => note(deepest, format!("`{rest}` is left over")),
            Some((Segment::Literal(text), more)) => match word.strip_prefix(text.as_bytes()) {
                Some(word) => self.fail(more, word, deepest)?,
                None if word.is_empty() => note(deepest, format!("`{text}` is missing at its end")),
                None => note(deepest, format!("`{text}` is expected, not `{rest}`")),
            },
            Some((Segment::Hole(hole), more)) => {
                let optional = hole.absent.as_deref() == Some("");
                let ends = ends_before(more, word);
                if !optional && !ends.is_empty() {
                    // A part that can only end in one place is reported as a whole.
                    let mut fits = false;
                    for end in &ends {
                        let (part, after) = word.split_at(*end);
                        if self.part(hole, part, false)?.is_ok() {
                            fits = true;
                            self.fail(more, after, deepest)?;
                        }
                    }
                    if !fits && let Err(reason) = self.part(hole, &word[..ends[0]], true)? {
                        note(deepest, reason);
                    }
                    return Ok(());
                }
                if word.is_empty() && !optional {
                    let reason = format!("`{}` ({}) is missing at its end", hole.name, hole.ty);
                    note(deepest, reason);
                } else if !word.is_empty() {
                    let piece = match more {
                        [] => word,
                        _ => piece(&self.machine, &hole.reading, word),
                    };
                    if let Err(reason) = self.part(hole, piece, true)? {
                        note(deepest, reason);
                    }
                }
                if optional {
                    self.fail(more, word, deepest)?;
                }
                for length in 1..=word.len() {
                    let (part, after) = word.split_at(length);
                    let is_last = more.is_empty() && !after.is_empty();
                    if !is_last
                        && std::str::from_utf8(part).is_ok()
                        && self.part(hole, part, false)?.is_ok()
                    {
                        self.fail(more, after, deepest)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a part of a word is a value of a hole; if not, why.
    fn part(
        &mut self,
        hole: &'c Hole,
        part: &[u8],
        explains: bool,
    ) -> Result<Result<i64, String>, Stop> {
        let machine = &mut self.machine;
        value(machine, hole, part, explains)
    }
}
