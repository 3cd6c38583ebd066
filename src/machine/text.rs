//! Interned texts, and the output buffer. A text that is a value has an id; a text that is said is written out at once.

use std::{
    hash::{BuildHasher, Hasher},
    ops::Deref,
};

use hashbrown::HashTable;

use super::Machine;
use crate::{
    code::{Compiled, NONE, Shape, Text, Written},
    fault::{Fault, Stop},
};

/// Interned texts by id.
#[derive(Debug)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    ranges: Vec<(u32, u32)>,
    index: HashTable<u32>,
    /// Ids of freed texts.
    free: Vec<u32>,
    /// The number of texts that stay at least until the next game.
    kept: usize,
    /// Whether a state holds texts, so that texts made in one event may be needed in a later one.
    is_kept_in_states: bool,
    /// The memory in use, and the threshold above which unreachable texts are freed, in bytes.
    pub(super) used: usize,
    pub(super) threshold: usize,
    /// The limit of the memory in use.
    most: usize,
}

/// The bytes that a text takes besides its own.
const RANGE: usize = 16;

/// Below this many bytes, no texts are freed in the middle of a game.
const LEAST: usize = 1 << 16;

/// The range of a freed id.
const FREED: (u32, u32) = (u32::MAX, u32::MAX);

/// Where the number of a game is in the output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbered {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) number: i64,
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

impl Texts {
    pub(super) fn new(compiled: &Compiled) -> Texts {
        let (known, is_kept_in_states) = (&compiled.texts, compiled.keeps_texts);
        let mut texts = Texts {
            most: compiled.limits.bytes_of_texts(),
            bytes: Vec::new(),
            ranges: Vec::new(),
            index: HashTable::new(),
            free: Vec::new(),
            kept: 0,
            is_kept_in_states,
            used: 0,
            threshold: 0,
        };
        for text in known {
            texts.id(text.as_bytes());
        }
        texts.keep();
        texts
    }

    pub(crate) fn get(&self, id: i64) -> &[u8] {
        let range = usize::try_from(id).ok().and_then(|id| self.ranges.get(id));
        match range {
            Some((start, end)) => &self.bytes[*start as usize..*end as usize],
            None => &[],
        }
    }

    /// The id of a text; interns it if it is new.
    pub(crate) fn id(&mut self, text: &[u8]) -> i64 {
        let key = hash(text);
        let Texts {
            bytes,
            ranges,
            index,
            free,
            ..
        } = self;
        let of = |id: u32, bytes: &[u8], ranges: &[(u32, u32)]| -> u64 {
            let (start, end) = ranges[id as usize];
            hash(&bytes[start as usize..end as usize])
        };
        let found = index.find(key, |id| {
            let (start, end) = ranges[*id as usize];
            &bytes[start as usize..end as usize] == text
        });
        if let Some(id) = found {
            return i64::from(*id);
        }
        let start = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        bytes.extend_from_slice(text);
        let range = (start, u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        let id = free.pop().unwrap_or_else(|| {
            ranges.push(range);
            u32::try_from(ranges.len() - 1).unwrap_or(u32::MAX)
        });
        ranges[id as usize] = range;
        index.insert_unique(key, id, |id| of(*id, bytes, ranges));
        self.used = self.size();
        i64::from(id)
    }

    /// The id of a text that a rule makes.
    ///
    /// # Errors
    /// Texts would take too much memory.
    pub(super) fn made(&mut self, text: &[u8]) -> Result<i64, Stop> {
        if self.used + text.len() > self.most {
            return Err(Box::new(Fault::Memory));
        }
        Ok(self.id(text))
    }

    /// Frees texts from `known` on whose ids are not marked. The others keep their ids.
    fn retain(&mut self, known: usize, marked: &[bool]) {
        let bytes = std::mem::take(&mut self.bytes);
        for (place, range) in self.ranges.iter_mut().enumerate() {
            if *range == FREED {
                continue;
            }
            let text = &bytes[range.0 as usize..range.1 as usize];
            if place < known || marked[place] {
                let start = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
                self.bytes.extend_from_slice(text);
                *range = (start, u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
                continue;
            }
            let id = u32::try_from(place).unwrap_or(u32::MAX);
            if let Ok(entry) = self.index.find_entry(hash(text), |other| *other == id) {
                entry.remove();
            }
            *range = FREED;
            self.free.push(id);
        }
        self.used = self.size();
        self.threshold = LEAST.max(2 * self.used);
    }

    /// Frees the texts made since the last game started.
    pub(super) fn forget(&mut self) {
        self.truncate(self.kept);
    }

    fn truncate(&mut self, count: usize) {
        while self.ranges.len() > count {
            let Some((start, end)) = self.ranges.pop() else {
                break;
            };
            let id = u32::try_from(self.ranges.len()).unwrap_or(u32::MAX);
            let key = hash(&self.bytes[start as usize..end as usize]);
            if let Ok(entry) = self.index.find_entry(key, |other| *other == id) {
                entry.remove();
            }
            self.bytes.truncate(start as usize);
        }
        self.used = self.size();
    }

    /// Keeps all present texts until the next game.
    pub(super) fn keep(&mut self) {
        self.kept = self.ranges.len();
        self.threshold = if self.is_kept_in_states {
            LEAST.max(2 * self.used)
        } else {
            self.used
        };
    }

    /// The memory in use, in bytes.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + self.ranges.len() * RANGE
    }
}

impl<'c> Machine<'c> {
    /// Writes the number of the game.
    pub(super) fn say_game_number(&mut self) {
        let start = self.out.len();
        let number = self.game_number;
        say_number(&mut self.out, number);
        if let Some(numbers) = &mut self.numbers {
            // Forget numbers in output that was truncated since.
            while numbers.pop_if(|last| last.start >= start).is_some() {}
            let end = self.out.len();
            numbers.push(Numbered { start, end, number });
        }
    }

    /// Writes a value to the output.
    pub(crate) fn say_value(&mut self, value: i64, written: &'c Written) -> Result<(), Stop> {
        match written {
            Written::Number => say_number(&mut self.out, value),
            Written::Decimal(places) => {
                let text = crate::arithmetic::decimal_text(value, *places);
                self.out.extend_from_slice(text.as_bytes());
            }
            Written::YesNo => {
                let word: &[u8] = if value == 0 { b"no" } else { b"yes" };
                self.out.extend_from_slice(word);
            }
            Written::Text => self.out.extend_from_slice(self.texts.get(value)),
            Written::OrNone(_) if value == NONE => self.out.extend_from_slice(b"none"),
            Written::OrNone(inner) => self.say_value(value, inner)?,
            Written::Form(form) => self.say_form(value, *form)?,
            Written::Members { shape, member } => self.say_members(value, shape, member)?,
        }
        Ok(())
    }

    fn say_members(
        &mut self,
        value: i64,
        shape: &'c Shape,
        written: &'c Written,
    ) -> Result<(), Stop> {
        let (open, close) = match shape {
            Shape::Pile { .. } => (b"[", b"]"),
            _ => (b"{", b"}"),
        };
        self.out.extend_from_slice(open);
        let mut is_first = true;
        self.each_member(value, shape, &mut |machine, member| {
            if !std::mem::take(&mut is_first) {
                machine.out.extend_from_slice(b" ");
            }
            machine.say_value(member, written)?;
            Ok(true)
        })?;
        self.out.extend_from_slice(close);
        Ok(())
    }

    pub(crate) fn say_form(&mut self, value: i64, form: usize) -> Result<(), Stop> {
        let compiled = self.compiled;
        let definition = &compiled.forms[form];
        let index = definition
            .domain
            .map_or(usize::MAX, |domain| domain.index(value));
        if let Some(known) = definition.known.get(index) {
            self.out.extend_from_slice(known.as_bytes());
            return Ok(());
        }
        if let Some(known) = self.forms[form].written().get(index) {
            self.out.extend_from_slice(known.as_bytes());
            return Ok(());
        }
        self.make_form(value, form)
    }

    /// Writes a value of a form by its definition.
    pub(super) fn make_form(&mut self, value: i64, form: usize) -> Result<(), Stop> {
        let compiled = self.compiled;
        let definition = &compiled.forms[form];
        self.charge_one()?;
        self.framed(definition.locals, |machine| {
            machine.set_local(0, value);
            machine.say(&definition.text)
        })
    }

    /// A text as a string, for messages.
    pub(crate) fn rendered(&mut self, text: &'c Text) -> Result<String, Stop> {
        let start = self.out.len();
        let said = self.say(text);
        let rendered = String::from_utf8_lossy(&self.out[start..]).into_owned();
        // Do not leave a partial text.
        self.out.truncate(start);
        said.map(|()| rendered)
    }

    /// A value as a string, for messages.
    pub(crate) fn rendered_value(&mut self, value: i64, written: &'c Written) -> String {
        if value == NONE {
            return "none".into();
        }
        self.rendered_as(value, |machine| machine.say_value(value, written))
    }

    /// A value as a form writes it, for a message.
    pub(crate) fn rendered_form(&mut self, value: i64, form: usize) -> String {
        self.rendered_as(value, |machine| machine.say_form(value, form))
    }

    fn rendered_as(
        &mut self,
        value: i64,
        say: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> String {
        let start = self.out.len();
        let said = say(self);
        let rendered = String::from_utf8_lossy(&self.out[start..]).into_owned();
        self.out.truncate(start);
        if said.is_ok() {
            rendered
        } else {
            value.to_string()
        }
    }
}

/// Writes a number in decimal.
pub(super) fn say_number(out: &mut Output, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

impl Machine<'_> {
    /// Frees the texts of the last event; or, if states hold texts, the unreachable ones, once there are many.
    pub(super) fn collect_texts(&mut self) {
        if !self.compiled.keeps_texts {
            self.texts.forget();
        } else if self.texts.used > self.texts.threshold {
            // Conservative marking: any word that could be an id counts as one. That keeps a text too many now and
            // then, but needs no list of all places that may hold texts.
            let mut marked = vec![false; self.texts.ranges.len()];
            let mut mark = |word: u64| {
                let place = usize::try_from(word).ok();
                if let Some(mark) = place.and_then(|place| marked.get_mut(place)) {
                    *mark = true;
                }
            };
            let memory = &self.memory[..self.compiled.fixed_words];
            let words = memory.iter().chain(self.images.iter().flatten());
            words.for_each(|word| mark(*word));
            self.piles.each_word(&mut mark);
            self.hashed.each_word(&mut mark);
            let others = self.chosen_fields.iter().chain(&self.found);
            let others = others.chain(&self.locals[..self.bottom]);
            others.for_each(|value| mark(value.cast_unsigned()));
            self.texts.retain(self.compiled.texts.len(), &marked);
            self.texts.threshold += self.kept_words() * size_of::<u64>();
        }
    }
}

/// Output bytes with spare room behind them that machine code can write to.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// The output, followed by spare room.
    pub(super) bytes: Vec<u8>,
    /// The length of the output.
    pub(super) length: usize,
}

/// The room, in bytes, that the buffer has at least once something is written.
const LEAST_ROOM: usize = 1 << 10;

impl Output {
    pub(crate) fn push(&mut self, byte: u8) {
        self.extend_from_slice(&[byte]);
    }

    /// Makes room for so many more bytes.
    pub(super) fn make_room(&mut self, bytes: usize) {
        let end = self.length + bytes;
        if end > self.bytes.len() {
            self.bytes.resize((2 * end).max(LEAST_ROOM), 0);
        }
    }

    #[inline]
    pub(crate) fn extend_from_slice(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        self.make_room(bytes.len());
        self.bytes[self.length..end].copy_from_slice(bytes);
        self.length = end;
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }
}

impl Deref for Output {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}
