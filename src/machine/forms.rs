//! How the values of a type are written.

use hashbrown::HashSet;

use super::Machine;
use crate::{
    code::Compiled,
    fault::{self, Stop, Trouble},
};

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
            known.push(forms.filter(|forms| !form.by_facts || wrong(forms).is_none()));
        }
    }
    for (form, known) in compiled.forms.iter_mut().zip(known) {
        form.given |= form.by_facts && known.is_none();
        form.known = known.unwrap_or_default();
    }
}

/// The first of some written forms that holds a blank, or is that of another value too; and whether it holds one.
fn wrong(forms: &[String]) -> Option<(&str, bool)> {
    let mut seen: HashSet<&str, foldhash::fast::FixedState> = HashSet::default();
    let mut written = forms.iter().filter(|form| !form.is_empty());
    written.find_map(|form| {
        let blank = form.contains(char::is_whitespace);
        let same = !seen.insert(form);
        (blank || same).then_some((form.as_str(), blank))
    })
}

#[cfg(feature = "native")]
impl crate::code::Form {
    /// Whether the forms of all values are known when a game has begun, so that any can be written.
    pub(super) fn is_listed(&self) -> bool {
        self.asked
            && self
                .domain
                .is_some_and(|domain| domain.count <= KNOWN_FORMS)
    }
}

impl Machine<'_> {
    /// Works out the written forms that depend on what is given. They must differ and hold no blank.
    pub(super) fn find_forms(&mut self) -> Result<(), Stop> {
        let compiled = self.compiled;
        // One form may say another: none is left of the game before.
        for forms in &mut self.forms {
            forms.clear();
        }
        for (index, form) in compiled.forms.iter().enumerate() {
            let few = form
                .domain
                .is_some_and(|domain| domain.count <= KNOWN_FORMS);
            if !form.given || !form.asked || !few {
                continue;
            }
            let forms = self.forms_of(index)?;
            if let Some((written, blank)) = wrong(&forms) {
                let (ty, form) = (form.name.clone(), written.into());
                let trouble = if blank {
                    Trouble::BlankForm { ty, form }
                } else {
                    Trouble::SameForm { ty, form }
                };
                return Err(fault::rules(0, trouble));
            }
            self.forms[index] = forms;
        }
        Ok(())
    }

    /// The written forms of a type's values, by index; empty for an index that is no value.
    fn forms_of(&mut self, form: usize) -> Result<Vec<String>, Stop> {
        let compiled = self.compiled;
        let definition = &compiled.forms[form];
        let Some(domain) = definition.domain else {
            return Ok(Vec::new());
        };
        let last = match &definition.last {
            Some(last) => domain.index(self.evaluate(last)?).saturating_add(1),
            None => domain.count,
        };
        let mut forms = Vec::new();
        for index in 0..domain.count {
            let value = domain.value(index);
            let is_value = index < last
                && definition
                    .partial
                    .is_none_or(|partial| self.is_value(partial, value));
            if !is_value {
                forms.push(String::new());
                continue;
            }
            let start = self.out.len();
            self.make_form(value, form)?;
            forms.push(String::from_utf8_lossy(&self.out[start..]).into_owned());
            self.out.truncate(start);
        }
        Ok(forms)
    }

    /// How a value of a form is written in this game; empty where the index is no value.
    pub(crate) fn forms_now(&self, form: usize) -> &[String] {
        let known = &self.compiled.forms[form].known;
        if known.is_empty() {
            &self.forms[form]
        } else {
            known
        }
    }
}
