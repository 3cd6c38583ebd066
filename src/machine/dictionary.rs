//! The inverse of written forms: from words to values.

use hashbrown::HashMap;

use super::Machine;
use crate::{code::Compiled, word};

/// A short word with its value, in the layout that machine code reads.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entry {
    /// The word's key; 0 in an empty slot.
    pub(crate) key: u64,
    pub(crate) value: i64,
}

/// A hash table of short words with linear probing, at most half full.
#[derive(Debug, Default)]
pub(super) struct Short {
    pub(super) places: Vec<Entry>,
    /// How far to shift a hash to get an index.
    pub(super) shift: u32,
}

/// The multiplier of the hash: the golden ratio (Knuth, volume 3, 6.4).
pub(crate) const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

impl Short {
    /// The index where the probe of a key begins.
    #[inline]
    fn place(&self, key: u64) -> usize {
        usize::try_from(key.wrapping_mul(MULTIPLIER) >> self.shift).unwrap_or(0)
    }

    /// A table with room for `words` words.
    fn with_room(words: usize) -> Short {
        let places = (words * 2).next_power_of_two().max(2);
        Short {
            places: vec![Entry::default(); places],
            shift: u64::BITS - places.trailing_zeros(),
        }
    }

    /// Adds a word unless it is in the table.
    fn add(&mut self, key: u64, value: i64) {
        let mut place = self.place(key);
        while self.places[place].key != 0 {
            if self.places[place].key == key {
                return;
            }
            place = (place + 1) % self.places.len();
        }
        self.places[place] = Entry { key, value };
    }

    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<i64> {
        let mut place = self.place(key);
        loop {
            let entry = self.places.get(place)?;
            if entry.key == key {
                return Some(entry.value);
            }
            if entry.key == 0 {
                return None;
            }
            place += 1;
            if place == self.places.len() {
                place = 0;
            }
        }
    }
}

/// The words of one type with their values.
#[derive(Debug, Default)]
struct Dictionary {
    /// How often versions of the forms had been dropped when this was made; nothing if it was never made.
    made: Option<u64>,
    short: Short,
    long: HashMap<Box<[u8]>, i64, foldhash::fast::FixedState>,
}

/// The dictionaries of a form, one for each version of it.
#[derive(Debug, Default)]
struct Versions {
    list: Vec<Dictionary>,
    /// The one needed last.
    now: usize,
}

/// The dictionaries of all forms, made when first needed, and again when givens change them.
#[derive(Debug)]
pub(super) struct Dictionaries {
    forms: Vec<Versions>,
}

impl Dictionaries {
    pub(super) fn new(compiled: &Compiled) -> Dictionaries {
        let forms = compiled.forms.iter().map(|_| Versions::default());
        Dictionaries {
            forms: forms.collect(),
        }
    }

    /// The last dictionary of a form.
    fn last(&self, form: usize) -> Option<&Dictionary> {
        let versions = self.forms.get(form)?;
        versions.list.get(versions.now)
    }

    /// The short words of the last dictionary of a form.
    pub(super) fn short(&self, form: usize) -> Option<&Short> {
        self.last(form).map(|dictionary| &dictionary.short)
    }
}

impl Machine<'_> {
    /// The value of a word in a form.
    #[inline]
    pub(crate) fn form_value(&mut self, form: usize, word: &[u8]) -> Option<i64> {
        self.know_words(form);
        let dictionary = self.dictionaries.last(form)?;
        let key = word::key(word);
        if key < word::LONG {
            dictionary.short.find(key)
        } else {
            dictionary.long.get(word).copied()
        }
    }

    /// Makes the dictionary of a form for this game, unless it exists.
    #[inline]
    pub(super) fn know_words(&mut self, form: usize) {
        let (version, given_up) = self.forms[form].version();
        let versions = &mut self.dictionaries.forms[form];
        versions.now = version;
        let made = versions.list.get(version).and_then(|found| found.made);
        if made != Some(given_up) {
            self.make_dictionary(form, version, given_up);
        }
    }

    fn make_dictionary(&mut self, form: usize, version: usize, given_up: u64) {
        let mut dictionary = self.dictionary(form);
        dictionary.made = Some(given_up);
        let list = &mut self.dictionaries.forms[form].list;
        if list.len() <= version {
            list.resize_with(version + 1, Dictionary::default);
        }
        list[version] = dictionary;
    }

    fn dictionary(&self, form: usize) -> Dictionary {
        let mut dictionary = Dictionary::default();
        let Some(domain) = self.compiled.forms[form].domain else {
            return dictionary;
        };
        let forms = self.forms_now(form);
        dictionary.short = Short::with_room(forms.len());
        // If two members have the same form, the first wins; another check requires forms to differ.
        for (index, written) in forms.iter().enumerate() {
            let (word, value) = (written.as_bytes(), domain.value(index));
            let key = word::key(word);
            if word.is_empty() {
                continue;
            }
            if key < word::LONG {
                dictionary.short.add(key, value);
            } else {
                dictionary.long.entry(word.into()).or_insert(value);
            }
        }
        dictionary
    }
}
