//! How the values of a type are written.

use hashbrown::HashSet;

use super::{Executable, Machine};
use crate::fault::{self, Stop, Trouble};

/// How the values of a type are written, where that depends on givens.
#[derive(Debug, Clone, Default)]
pub(super) struct Forms {
    /// Games often alternate between a few givens, so the written forms for several of them are kept, by index of the
    /// value. Empty for an index without a value.
    versions: Vec<Vec<String>>,
    /// The version of the current game.
    now: Option<usize>,
    /// How often all versions were dropped.
    given_up: u64,
}

impl Forms {
    /// The version of the current game, from 1, or 0 for none; and how often versions were dropped before.
    #[inline]
    pub(super) fn version(&self) -> (usize, u64) {
        (self.now.map_or(0, |now| now + 1), self.given_up)
    }

    /// The forms of the current game.
    pub(super) fn written(&self) -> &[String] {
        self.now.map_or(&[], |now| &self.versions[now])
    }

    /// Selects the version that equals `bytes`, in which each form reaches to its end in `ends`. Returns whether there
    /// is one.
    fn take(&mut self, bytes: &[u8], ends: &[usize]) -> bool {
        self.now = self.versions.iter().position(|forms| {
            let mut start = 0;
            forms.len() == ends.len()
                && forms.iter().zip(ends).all(|(form, end)| {
                    let same = bytes[start..*end] == *form.as_bytes();
                    start = *end;
                    same
                })
        });
        self.now.is_some()
    }

    /// Adds a version, for the current game.
    fn add(&mut self, forms: Vec<String>) {
        if self.versions.len() == MOST_VERSIONS {
            self.versions.clear();
            self.given_up += 1;
        }
        self.now = Some(self.versions.len());
        self.versions.push(forms);
    }
}

/// At most this many versions of a type's forms are kept.
const MOST_VERSIONS: usize = 8;

/// The forms of a type with at most this many values are computed before the first game.
const KNOWN_FORMS: usize = 4096;

/// Computes the written forms that do not depend on givens. With `by_facts`, also those that facts define.
pub(super) fn know_forms(compiled: &mut Executable, by_facts: bool) {
    let mut known = Vec::new();
    {
        let mut machine = Machine::new(compiled);
        machine.find_values(false).ok();
        for (index, form) in compiled.forms.iter().enumerate() {
            let few = form
                .domain
                .is_some_and(|domain| domain.count <= KNOWN_FORMS);
            let is_known = few && form.used && !form.given && (by_facts || !form.by_facts);
            let forms = is_known.then(|| machine.forms_of(index));
            let fails = matches!(forms, Some(Err(_)));
            let forms = forms.and_then(Result::ok);
            let forms = forms.filter(|forms| !form.by_facts || wrong(forms, form.read).is_none());
            known.push((forms, fails));
        }
    }
    for (form, (known, fails)) in compiled.forms.iter_mut().zip(known) {
        // What is wrong with them is reported when a game starts.
        form.given |= fails || form.by_facts && known.is_none();
        form.known = known.unwrap_or_default();
    }
}

/// The first written form that another value has too, or that holds a blank although transcripts `read` it; and whether
/// it is a blank.
fn wrong(forms: &[String], read: bool) -> Option<(&str, bool)> {
    let mut seen: HashSet<&str, foldhash::fast::FixedState> = HashSet::default();
    let mut written = forms.iter().filter(|form| !form.is_empty());
    written.find_map(|form| {
        let blank = read && form.contains(char::is_whitespace);
        let same = !seen.insert(form);
        (blank || same).then_some((form.as_str(), blank))
    })
}

/// Splits concatenated texts at their ends.
fn texts(bytes: &[u8], ends: &[usize]) -> Vec<String> {
    let starts = [0].iter().chain(ends);
    let texts = starts.zip(ends).map(|(start, end)| &bytes[*start..*end]);
    texts
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}

impl crate::code::Form {
    /// Whether the forms of all values are known once a game has started.
    pub(crate) fn is_listed(&self) -> bool {
        self.used
            && self
                .domain
                .is_some_and(|domain| domain.count <= KNOWN_FORMS)
    }
}

impl Machine<'_> {
    /// Computes the written forms that depend on givens. They must differ, and hold no blank if transcripts read them.
    pub(super) fn find_forms(&mut self) -> Result<(), Stop> {
        let compiled = self.compiled;
        // A form may use another, so forget those of the last game first.
        for forms in &mut self.forms {
            forms.now = None;
        }
        for (index, form) in compiled.forms.iter().enumerate() {
            let few = form
                .domain
                .is_some_and(|domain| domain.count <= KNOWN_FORMS);
            if !form.given || !form.used || !few {
                continue;
            }
            let start = self.out.len();
            let mut ends = std::mem::take(&mut self.form_ends);
            self.make_forms(index, &mut ends)
                .inspect_err(|_| self.out.truncate(start))?;
            let bytes = &self.out[start..];
            // A known version was checked when it was added.
            if !self.forms[index].take(bytes, &ends) {
                let forms = texts(bytes, &ends);
                if let Some((written, blank)) = wrong(&forms, form.read) {
                    let (ty, form) = (form.name.clone(), written.into());
                    let trouble = if blank {
                        Trouble::BlankForm { ty, form }
                    } else {
                        Trouble::SameForm { ty, form }
                    };
                    self.out.truncate(start);
                    return Err(fault::rules(0, trouble));
                }
                self.forms[index].add(forms);
            }
            self.out.truncate(start);
            self.form_ends = ends;
        }
        Ok(())
    }

    /// The written forms of a type's values, by index; empty for an index without a value.
    fn forms_of(&mut self, form: usize) -> Result<Vec<String>, Stop> {
        let start = self.out.len();
        let mut ends = Vec::new();
        self.make_forms(form, &mut ends)
            .inspect_err(|_| self.out.truncate(start))?;
        let forms = texts(&self.out[start..], &ends);
        self.out.truncate(start);
        Ok(forms)
    }

    /// Appends the forms of a type's values to the output, nothing for an index without a value, and stores where each
    /// ends.
    fn make_forms(&mut self, form: usize, ends: &mut Vec<usize>) -> Result<(), Stop> {
        ends.clear();
        let compiled = self.compiled;
        let definition = &compiled.forms[form];
        let Some(domain) = definition.domain else {
            return Ok(());
        };
        let last = match &definition.last {
            Some(last) => domain.index(self.evaluate(last)?).saturating_add(1),
            None => domain.count,
        };
        let start = self.out.len();
        for index in 0..domain.count {
            let value = domain.value(index);
            let is_value = index < last
                && definition
                    .partial
                    .is_none_or(|partial| self.is_value(partial, value));
            if is_value {
                self.make_form(value, form)?;
            }
            ends.push(self.out.len() - start);
        }
        Ok(())
    }

    /// How a value of a form is written in this game; empty for an index without a value.
    pub(crate) fn forms_now(&self, form: usize) -> &[String] {
        let known = &self.compiled.forms[form].known;
        if known.is_empty() {
            self.forms[form].written()
        } else {
            known
        }
    }
}
