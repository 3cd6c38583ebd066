//! Written forms read backwards: words to values.

use hashbrown::HashMap;

use crate::{code::Compiled, machine::Machine};

/// How long a word is that fits into a number.
const SHORT: usize = 7;

/// The words of one type with their values.
#[derive(Debug, Default)]
struct Dictionary {
    /// The game whose forms these are; nothing before the first.
    game: Option<i64>,
    short: Short,
    long: HashMap<Box<[u8]>, i64, foldhash::fast::FixedState>,
}

/// Short words, each as a number, at the place that its hash says or the next free one after it. There are at least
/// twice as many places as words.
#[derive(Debug, Default)]
struct Short {
    places: Vec<Option<(u64, i64)>>,
    /// How far a hash is shifted to be a place.
    shift: u32,
}

impl Short {
    /// A word as a number: its length, then its bytes.
    #[inline]
    fn key(word: &[u8]) -> u64 {
        word.iter()
            .fold(word.len() as u64, |key, byte| (key << 8) | u64::from(*byte))
    }

    /// Where a word's search begins. It is multiplied with the golden ratio (Knuth, volume 3, 6.4).
    #[inline]
    fn place(&self, key: u64) -> usize {
        usize::try_from(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift).unwrap_or(0)
    }

    /// Room for so many words.
    fn with_room(words: usize) -> Short {
        let places = (words * 2).next_power_of_two().max(2);
        Short {
            places: vec![None; places],
            shift: u64::BITS - places.trailing_zeros(),
        }
    }

    /// Adds a word that is not there yet.
    fn add(&mut self, word: &[u8], value: i64) {
        let key = Short::key(word);
        let mut place = self.place(key);
        while let Some((other, _)) = self.places[place] {
            if other == key {
                return;
            }
            place = (place + 1) % self.places.len();
        }
        self.places[place] = Some((key, value));
    }

    #[inline]
    fn find(&self, word: &[u8]) -> Option<i64> {
        let key = Short::key(word);
        let mut place = self.place(key);
        while let Some((other, value)) = self.places.get(place)? {
            if *other == key {
                return Some(*value);
            }
            place += 1;
            if place == self.places.len() {
                place = 0;
            }
        }
        None
    }
}

/// Whether a word fits into a number.
#[inline]
fn is_short(word: &[u8]) -> bool {
    word.len() <= SHORT
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
        if is_short(word) {
            dictionary.short.find(word)
        } else {
            dictionary.long.get(word).copied()
        }
    }
}

impl Dictionary {
    fn make(&mut self, machine: &Machine<'_>, form: usize) {
        self.short = Short::default();
        self.long.clear();
        let Some(domain) = machine.compiled.forms[form].domain else {
            return;
        };
        let forms = machine.forms_now(form);
        self.short = Short::with_room(forms.len());
        // Of two members written alike the first is read; that they differ is checked elsewhere.
        for (index, written) in forms.iter().enumerate() {
            let (word, value) = (written.as_bytes(), domain.value(index));
            if word.is_empty() {
                continue;
            }
            if is_short(word) {
                self.short.add(word, value);
            } else {
                self.long.entry(word.into()).or_insert(value);
            }
        }
    }
}
