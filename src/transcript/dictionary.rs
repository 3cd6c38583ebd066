//! Written forms read backwards: words to values.

use hashbrown::HashMap;

use crate::{code::Compiled, machine::Machine};

/// How many forms are looked through one by one.
const FEW: usize = 4;

/// The words of one type with their values.
#[derive(Debug, Default)]
struct Dictionary {
    /// The game whose forms these are; nothing before the first.
    game: Option<i64>,
    few: Vec<(Box<[u8]>, i64)>,
    many: HashMap<Box<[u8]>, i64, foldhash::fast::FixedState>,
}

/// The dictionaries of all forms, made when they are first needed and again where what is given changes them.
#[derive(Debug)]
pub(super) struct Dictionaries {
    list: Vec<Dictionary>,
}

impl Dictionaries {
    pub(super) fn new(compiled: &Compiled) -> Dictionaries {
        Dictionaries {
            list: compiled
                .forms
                .iter()
                .map(|_| Dictionary::default())
                .collect(),
        }
    }

    /// The value that a word stands for in a form.
    #[inline]
    pub(super) fn find(&mut self, machine: &Machine<'_>, form: usize, word: &[u8]) -> Option<i64> {
        let dictionary = self.list.get_mut(form)?;
        let game = if machine.compiled.forms[form].given {
            machine.game_number()
        } else {
            0
        };
        if dictionary.game != Some(game) {
            dictionary.make(machine, form);
            dictionary.game = Some(game);
        }
        if dictionary.many.is_empty() {
            return dictionary
                .few
                .iter()
                .find(|(form, _)| **form == *word)
                .map(|(_, value)| *value);
        }
        dictionary.many.get(word).copied()
    }
}

impl Dictionary {
    fn make(&mut self, machine: &Machine<'_>, form: usize) {
        self.few.clear();
        self.many.clear();
        let Some(domain) = machine.compiled.forms[form].domain else {
            return;
        };
        for (index, written) in machine.forms_now(form).iter().enumerate() {
            if !written.is_empty() {
                let word: Box<[u8]> = written.as_bytes().into();
                self.few.push((word, domain.value(index)));
            }
        }
        if self.few.len() > FEW {
            // Of two members written alike the first is read; that they differ is checked elsewhere.
            for (word, value) in self.few.drain(..) {
                self.many.entry(word).or_insert(value);
            }
        }
    }
}
