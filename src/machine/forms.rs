//! How the values of a type are written.

use hashbrown::HashSet;

use super::Machine;
use crate::{
    code::Compiled,
    fault::{self, Stop, Trouble},
};

/// How the values of a type are written, where that depends on what is given.
#[derive(Debug, Clone, Default)]
pub(super) struct Forms {
    /// Games are often given one of a few things: the written forms of some of them, by index; empty for an index that is
    /// no value.
    versions: Vec<Vec<String>>,
    /// Which of them are those of this game.
    now: Option<usize>,
    /// How often all versions were given up.
    given_up: u64,
}

impl Forms {
    /// Which version is that of this game, from 1, or 0 for none; and how often versions were given up before.
    #[inline]
    pub(super) fn version(&self) -> (usize, u64) {
        (self.now.map_or(0, |now| now + 1), self.given_up)
    }

    /// The forms of this game.
    pub(super) fn written(&self) -> &[String] {
        self.now.map_or(&[], |now| &self.versions[now])
    }

    /// Takes the version that says the same as some bytes, each form up to where it ends. Whether there is one.
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

    /// Adds a version, that of this game.
    fn add(&mut self, forms: Vec<String>) {
        if self.versions.len() == MOST_VERSIONS {
            self.versions.clear();
            self.given_up += 1;
        }
        self.now = Some(self.versions.len());
        self.versions.push(forms);
    }
}

/// How many versions of a type's forms are kept.
const MOST_VERSIONS: usize = 8;

/// How many forms of one type are known beforehand.
const KNOWN_FORMS: usize = 4096;

/// Works out the written forms that depend on nothing that is given; those that facts say only if asked to.
pub(crate) fn know_forms(compiled: &mut Compiled, by_facts: bool) {
    let mut known = Vec::new();
    {
        let mut machine = Machine::new(compiled);
        machine.find_values(false).ok();
        for (index, form) in compiled.forms.iter().enumerate() {
            let few = form
                .domain
                .is_some_and(|domain| domain.count <= KNOWN_FORMS);
            let is_known = few && form.asked && !form.given && (by_facts || !form.by_facts);
            let forms = is_known.then(|| machine.forms_of(index).ok()).flatten();
            // What is wrong with what facts say is said when a game starts.
            known.push(forms.filter(|forms| !form.by_facts || wrong(forms, form.read).is_none()));
        }
    }
    for (form, known) in compiled.forms.iter_mut().zip(known) {
        form.given |= form.by_facts && known.is_none();
        form.known = known.unwrap_or_default();
    }
}

/// The first of some written forms that is that of another value too, or holds a blank although it is `read`; and whether
/// it holds one.
fn wrong(forms: &[String], read: bool) -> Option<(&str, bool)> {
    let mut seen: HashSet<&str, foldhash::fast::FixedState> = HashSet::default();
    let mut written = forms.iter().filter(|form| !form.is_empty());
    written.find_map(|form| {
        let blank = read && form.contains(char::is_whitespace);
        let same = !seen.insert(form);
        (blank || same).then_some((form.as_str(), blank))
    })
}

/// Texts that lie one after the other, each up to where it ends.
fn texts(bytes: &[u8], ends: &[usize]) -> Vec<String> {
    let starts = [0].iter().chain(ends);
    let texts = starts.zip(ends).map(|(start, end)| &bytes[*start..*end]);
    texts
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}

impl crate::code::Form {
    /// Whether the forms of all values are known when a game has begun, so that any can be written.
    pub(crate) fn is_listed(&self) -> bool {
        self.asked
            && self
                .domain
                .is_some_and(|domain| domain.count <= KNOWN_FORMS)
    }
}

impl Machine<'_> {
    /// Works out the written forms that depend on what is given. They must differ, and hold no blank where they are read.
    pub(super) fn find_forms(&mut self) -> Result<(), Stop> {
        let compiled = self.compiled;
        // One form may say another: none is left of the game before.
        for forms in &mut self.forms {
            forms.now = None;
        }
        for (index, form) in compiled.forms.iter().enumerate() {
            let few = form
                .domain
                .is_some_and(|domain| domain.count <= KNOWN_FORMS);
            if !form.given || !form.asked || !few {
                continue;
            }
            let start = self.out.len();
            let mut ends = std::mem::take(&mut self.form_ends);
            self.make_forms(index, &mut ends)
                .inspect_err(|_| self.out.truncate(start))?;
            let bytes = &self.out[start..];
            // Forms that were made before are as they must be.
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

    /// The written forms of a type's values, by index; empty for an index that is no value.
    fn forms_of(&mut self, form: usize) -> Result<Vec<String>, Stop> {
        let start = self.out.len();
        let mut ends = Vec::new();
        self.make_forms(form, &mut ends)
            .inspect_err(|_| self.out.truncate(start))?;
        let forms = texts(&self.out[start..], &ends);
        self.out.truncate(start);
        Ok(forms)
    }

    /// Writes the forms of a type's values one after the other to where lines are said, nothing for an index that is no
    /// value, and where each ends.
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

    /// How a value of a form is written in this game; empty where the index is no value.
    pub(crate) fn forms_now(&self, form: usize) -> &[String] {
        let known = &self.compiled.forms[form].known;
        if known.is_empty() {
            self.forms[form].written()
        } else {
            known
        }
    }
}
