//! Texts: those that are values have an id; what is said is written out at once.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;

use super::{Machine, said::Said};
use crate::{
    code::{Code, NONE, Text, Written},
    fault::Stop,
};

/// Texts by id, each once.
#[derive(Debug)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    ranges: Vec<(u32, u32)>,
    index: HashTable<u32>,
    /// How many texts there are at least until the next game.
    pub(super) kept: usize,
    /// How many texts there are.
    pub(super) count: usize,
}

/// Where the number of a game stands in what was said.
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
    pub(super) fn new(known: &[String]) -> Texts {
        let mut texts = Texts {
            bytes: Vec::new(),
            ranges: Vec::new(),
            index: HashTable::new(),
            kept: 0,
            count: 0,
        };
        for text in known {
            texts.id(text.as_bytes());
        }
        texts.kept = texts.ranges.len();
        texts
    }

    /// The text with an id.
    pub(crate) fn get(&self, id: i64) -> &[u8] {
        let range = usize::try_from(id).ok().and_then(|id| self.ranges.get(id));
        match range {
            Some((start, end)) => &self.bytes[*start as usize..*end as usize],
            None => &[],
        }
    }

    /// The id of a text.
    pub(crate) fn id(&mut self, text: &[u8]) -> i64 {
        let key = hash(text);
        let Texts {
            bytes,
            ranges,
            index,
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
        let id = u32::try_from(ranges.len()).unwrap_or(u32::MAX);
        let start = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        bytes.extend_from_slice(text);
        ranges.push((start, u32::try_from(bytes.len()).unwrap_or(u32::MAX)));
        index.insert_unique(key, id, |id| of(*id, bytes, ranges));
        self.count = ranges.len();
        i64::from(id)
    }

    /// Forgets the texts made since the last game started.
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
        self.count = self.ranges.len();
    }

    /// Keeps all texts there are until the next game.
    pub(super) fn keep(&mut self) {
        self.kept = self.ranges.len();
    }

    /// How many bytes the texts take that are not known beforehand.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + self.ranges.len() * 16
    }
}

impl<'c> Machine<'c> {
    /// Writes a text to what is said.
    pub(crate) fn say(&mut self, text: &'c Text) -> Result<(), Stop> {
        match text {
            Text::Literal(literal) => self.out.extend_from_slice(literal.as_bytes()),
            Text::Value(code, Written::Number) if matches!(**code, Code::GameNumber) => {
                self.say_game_number();
            }
            Text::Value(code, written) => {
                if let Written::Text = written {
                    return self.say_text(code);
                }
                let value = self.operand(code)?;
                self.say_value(value, written)?;
            }
            Text::Parts(parts) => {
                for part in parts {
                    self.say(part)?;
                }
            }
            Text::List {
                source,
                written,
                blanks,
            } => {
                let mut first = true;
                self.each(source, &mut |machine, value| {
                    if value == NONE {
                        return Ok(true);
                    }
                    if *blanks && !first {
                        machine.out.push(b' ');
                    }
                    first = false;
                    machine.say_value(value, written)?;
                    Ok(true)
                })?;
            }
        }
        Ok(())
    }

    /// Writes which game this is.
    pub(super) fn say_game_number(&mut self) {
        let start = self.out.len();
        let number = self.game_number;
        say_number(&mut self.out, number);
        if let Some(numbers) = &mut self.numbers {
            // What was said may have been taken back since.
            while numbers.pop_if(|last| last.start >= start).is_some() {}
            let end = self.out.len();
            numbers.push(Numbered { start, end, number });
        }
    }

    /// Writes a text that an expression gives, without keeping it where it is made only to be written.
    pub(super) fn say_text(&mut self, code: &'c Code) -> Result<(), Stop> {
        match code {
            Code::Text(text) => return self.say(text),
            Code::Fact(fact) if self.facts[*fact as usize].stamp != self.stamp => {
                let compiled = self.compiled;
                let definition = &compiled.facts[*fact as usize];
                if definition.locals == 0 {
                    self.works()?;
                    return self.say_text(&definition.code);
                }
            }
            Code::Dense(table) => {
                let value = self.decided(table)?;
                return self.say_text(value);
            }
            Code::Switch(switch) => {
                let value = self.chosen(switch)?;
                return self.say_text(value);
            }
            _ => {}
        }
        let text = self.evaluate(code)?;
        self.out.extend_from_slice(self.texts.get(text));
        Ok(())
    }

    /// Writes a value to what is said.
    pub(crate) fn say_value(&mut self, value: i64, written: &'c Written) -> Result<(), Stop> {
        match written {
            Written::Number => say_number(&mut self.out, value),
            Written::YesNo => {
                let word: &[u8] = if value == 0 { b"no" } else { b"yes" };
                self.out.extend_from_slice(word);
            }
            Written::Text => self.out.extend_from_slice(self.texts.get(value)),
            Written::OrNone(_) if value == NONE => self.out.extend_from_slice(b"none"),
            Written::OrNone(inner) => self.say_value(value, inner)?,
            Written::Form(form) => self.say_form(value, *form)?,
        }
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

    /// Works out how a value is written.
    pub(super) fn make_form(&mut self, value: i64, form: usize) -> Result<(), Stop> {
        let compiled = self.compiled;
        let definition = &compiled.forms[form];
        self.works()?;
        self.framed(definition.locals, |machine| {
            machine.set_local(0, value);
            machine.say(&definition.text)
        })
    }

    /// The id of a text that is made.
    #[inline(never)]
    pub(super) fn made(&mut self, text: &'c Text) -> Result<i64, Stop> {
        let start = self.out.len();
        self.say(text)?;
        let id = self.texts.id(&self.out[start..]);
        self.out.truncate(start);
        Ok(id)
    }

    /// A text as a string, for messages.
    pub(crate) fn rendered(&mut self, text: &'c Text) -> Result<String, Stop> {
        let start = self.out.len();
        let said = self.say(text);
        let rendered = String::from_utf8_lossy(&self.out[start..]).into_owned();
        // What cannot be written in full is not written at all.
        self.out.truncate(start);
        said.map(|()| rendered)
    }

    /// A value as a string, for messages.
    pub(crate) fn rendered_value(&mut self, value: i64, written: &'c Written) -> String {
        let start = self.out.len();
        if value == NONE {
            return "none".into();
        }
        let said = self.say_value(value, written);
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
pub(super) fn say_number(out: &mut Said, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}
