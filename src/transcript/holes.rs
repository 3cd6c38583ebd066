//! Lists what each hole of a pattern accepts.

use super::Run;
use crate::{
    code::{Check, Hole, Item, Pattern, Reading, Segment},
    machine::Machine,
};

/// A hole of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taker {
    pub(crate) name: String,
    /// The name of the type.
    pub(crate) ty: String,
    pub(crate) takes: Takes,
    /// The form of none or of an empty collection.
    pub(crate) absent: Option<String>,
    /// Whether it reads several words, or several values from one word.
    pub(crate) several: bool,
    /// The index of the pattern's word that the hole is all of; the last word, if it reads several.
    pub(crate) word: Option<usize>,
}

/// What a hole accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Any word.
    Word,
    /// A number in this range.
    Number(i64, i64),
    /// A number in this range, in units of this many decimal places.
    Decimal(u8, i64, i64),
    /// One of these words.
    OneOf(Vec<String>),
}

impl<'c> Run<'c, '_> {
    /// The holes of a pattern, in order.
    pub(super) fn holes(&mut self, pattern: &'c Pattern) -> Vec<Taker> {
        let mut holes = Vec::new();
        for (place, item) in pattern.items.iter().enumerate() {
            match item {
                Item::Word(segments) => {
                    let word = Some(place).filter(|_| segments.len() == 1);
                    for segment in segments {
                        if let Segment::Hole(hole) = segment {
                            holes.push(self.taker(hole, word, false));
                        }
                    }
                }
                Item::Many { hole, .. } => holes.push(self.taker(hole, Some(place), true)),
            }
        }
        holes
    }

    fn taker(&mut self, hole: &'c Hole, word: Option<usize>, many: bool) -> Taker {
        let is_joined = matches!(hole.reading, Reading::Joined(_));
        Taker {
            name: hole.name.clone(),
            ty: hole.ty.clone(),
            takes: self.takes(hole, &hole.reading),
            absent: hole.absent.clone().filter(|absent| !absent.is_empty()),
            several: many || is_joined,
            word: word.filter(|_| !is_joined),
        }
    }

    fn takes(&mut self, hole: &'c Hole, reading: &'c Reading) -> Takes {
        match reading {
            Reading::Number { lo, hi } => Takes::Number(*lo, *hi),
            Reading::Decimal { places, lo, hi } => Takes::Decimal(*places, *lo, *hi),
            Reading::YesNo => Takes::OneOf(vec!["yes".into(), "no".into()]),
            Reading::Word => Takes::Word,
            Reading::Form(form) => {
                let forms = forms_taken(&mut self.machine, *form, hole.check.as_ref());
                if forms.is_empty() {
                    Takes::Word
                } else {
                    Takes::OneOf(forms)
                }
            }
            Reading::Attribute(texts) => {
                Takes::OneOf(texts.iter().map(|(text, _)| text.clone()).collect())
            }
            Reading::Joined(inner) => self.takes(hole, inner),
        }
    }
}

/// The forms of a type's values, of which a hole accepts only those of its own type: that may be a part of a kind.
pub(super) fn forms_taken<'c>(
    machine: &mut Machine<'c>,
    form: usize,
    check: Option<&'c Check>,
) -> Vec<String> {
    let forms = machine.forms_now(form).iter();
    let mut forms: Vec<String> = forms.filter(|form| !form.is_empty()).cloned().collect();
    if let Some(check) = check {
        forms.retain(|written| {
            let value = machine.form_value(form, written.as_bytes());
            value.is_none_or(|value| !matches!(machine.outside(value, check), Ok(Some(_))))
        });
    }
    forms
}
