//! Written forms read backwards: words to values.

use hashbrown::HashMap;

use super::Machine;
use crate::{code::Compiled, word};

/// A short word with its value. Machine code reads it as it lies.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entry {
    /// The word's key; 0 where there is no word.
    pub(crate) key: u64,
    pub(crate) value: i64,
}

/// Short words, each as its key, at the place that its hash says or the next free one after it. There are at least
/// twice as many places as words.
#[derive(Debug, Default)]
pub(super) struct Short {
    pub(super) places: Vec<Entry>,
    /// How far a hash is shifted to be a place.
    pub(super) shift: u32,
}

/// What a key is multiplied with to be hashed: the golden ratio (Knuth, volume 3, 6.4).
pub(crate) const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

impl Short {
    /// Where a word's search begins.
    #[inline]
    fn place(&self, key: u64) -> usize {
        usize::try_from(key.wrapping_mul(MULTIPLIER) >> self.shift).unwrap_or(0)
    }

    /// Room for so many words.
    fn with_room(words: usize) -> Short {
        let places = (words * 2).next_power_of_two().max(2);
        Short {
            places: vec![Entry::default(); places],
            shift: u64::BITS - places.trailing_zeros(),
        }
    }

    /// Adds a word unless it is there.
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
    /// How often versions of the forms were given up before this was made; nothing before it is.
    made: Option<u64>,
    short: Short,
    long: HashMap<Box<[u8]>, i64, foldhash::fast::FixedState>,
}

/// The dictionaries of a form, one for each version of it.
#[derive(Debug, Default)]
struct Versions {
    list: Vec<Dictionary>,
    /// Which of them was needed last.
    now: usize,
}

/// The dictionaries of all forms, made when they are first needed and again where what is given changes them.
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

    /// The dictionary of a form, as it was last.
    fn last(&self, form: usize) -> Option<&Dictionary> {
        let versions = self.forms.get(form)?;
        versions.list.get(versions.now)
    }

    /// The short words of a form, as they were last.
    pub(super) fn short(&self, form: usize) -> Option<&Short> {
        self.last(form).map(|dictionary| &dictionary.short)
    }
}

impl Machine<'_> {
    /// The value that a word stands for in a form.
    #[inline]
    pub(crate) fn meant(&mut self, form: usize, word: &[u8]) -> Option<i64> {
        self.know_words(form);
        let dictionary = self.dictionaries.last(form)?;
        let key = word::key(word);
        if key < word::LONG {
            dictionary.short.find(key)
        } else {
            dictionary.long.get(word).copied()
        }
    }

    /// Makes a form's dictionary, unless it is that of this game.
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
        // Of two members written alike the first is read; that they differ is checked elsewhere.
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
