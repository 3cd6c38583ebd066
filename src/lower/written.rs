//! Writes literals, numbers and values to the output.

use super::{addressed::written_out, body::Body, word};
use crate::code::Written;
use crate::mir::{Address, Block, Callee, Condition, Field, Object, Space, TableId, Value};

/// The size of a word in bytes.
const WORD: usize = 8;

/// A literal of at most this many bytes is written word by word.
pub(super) const SHORT: usize = 64;

/// The forms of a type are written word by word if none has more words than this.
const FEW_WORDS: usize = 4;

/// A text value with at most this many possible texts is written by a table.
const FEW_TEXTS: usize = 64;

impl<'c> Body<'_, 'c> {
    pub(super) fn say_literal(&mut self, text: &str) {
        if text.len() <= SHORT {
            self.append(text.as_bytes());
            return;
        }
        let text = self.unit.text(text);
        let text = self.constant(text);
        self.call(Callee::SayLiteral, &[text]);
    }

    pub(super) fn say_value(&mut self, value: Value, written: &'c Written) {
        match written {
            Written::Number => self.say_number(value),
            Written::Form(form) => self.say_form(value, *form, written),
            Written::Text => self.say_text_value(value, written),
            other => self.say_by_machine(value, other),
        }
    }

    fn say_by_machine(&mut self, value: Value, written: &'c Written) {
        let written = self.object(written, || Object::Written(written.clone()));
        self.call(Callee::SayValue, &[value, written]);
    }

    /// Writes a literal word by word.
    pub(super) fn append(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        let at = self.room(text.len());
        for (place, bytes) in (0i32..).step_by(WORD).zip(text.chunks(WORD)) {
            let mut word = [0; WORD];
            word[..bytes.len()].copy_from_slice(bytes);
            let word = self.constant(i64::from_le_bytes(word));
            self.store_at(word, Address::new(Space::Output).indexed(at).plus(place));
        }
        let length = self.constant(word(text.len()));
        self.count_written(length);
    }

    /// Makes room for `bytes` bytes and a word more, and returns the address to write to.
    fn room(&mut self, bytes: usize) -> Value {
        let length = self.field(Field::OutputLength);
        let room = self.field(Field::OutputRoom);
        let end = self.add_imm(length, word(bytes + WORD));
        let scarce = self.compare(Condition::Above, end, room);
        self.if_nonzero(scarce, &mut |body| {
            let more = body.constant(word(bytes + WORD));
            body.call(Callee::MakeRoom, &[more]);
        });
        length
    }

    /// Counts bytes as written to the output.
    fn count_written(&mut self, bytes: Value) {
        let length = self.field(Field::OutputLength);
        let length = self.add(length, bytes);
        self.store_field(length, Field::OutputLength);
    }

    /// Writes a number; one of up to three digits directly, unless code size matters more.
    fn say_number(&mut self, number: Value) {
        if self.unit.is_exact {
            self.call(Callee::SayNumber, &[number]);
            return;
        }
        let (one, more, several, two, three) = (
            self.block(),
            self.block(),
            self.block(),
            self.block(),
            self.block(),
        );
        let (large, done) = (self.block(), self.block());
        self.builder.set_cold(large);
        let at = self.room(WORD);
        let below = |body: &mut Self, limit: i64, then, otherwise| {
            let limit = body.constant(limit);
            let below = body.compare(Condition::Below, number, limit);
            body.branch(below, then, otherwise);
        };
        below(self, 10, one, more);
        self.begin(more);
        below(self, 100, two, several);
        self.begin(several);
        below(self, 1000, three, large);

        self.begin(one);
        let digit = self.add_imm(number, i64::from(b'0'));
        self.digits(at, digit, 1, done);
        self.begin(two);
        // Division by 10 below 100, and by 100 below 1,000, as multiplication and shift.
        let tens = self.mul_imm(number, 205);
        let tens = self.shr_imm(tens, 11);
        let text = self.two_digits(number, tens);
        self.digits(at, text, 2, done);
        self.begin(three);
        let hundreds = self.mul_imm(number, 41);
        let hundreds = self.shr_imm(hundreds, 12);
        let whole = self.mul_imm(hundreds, 100);
        let rest = self.sub(number, whole);
        let tens = self.mul_imm(rest, 205);
        let tens = self.shr_imm(tens, 11);
        let text = self.two_digits(rest, tens);
        let text = self.shl_imm(text, 8);
        let first = self.add_imm(hundreds, i64::from(b'0'));
        let text = self.or(text, first);
        self.digits(at, text, 3, done);
        self.begin(large);
        self.call(Callee::SayNumber, &[number]);
        self.go_to(done);
        self.begin(done);
    }

    /// The two digits of a number as text, given its tens.
    fn two_digits(&mut self, number: Value, tens: Value) -> Value {
        let whole = self.mul_imm(tens, 10);
        let ones = self.sub(number, whole);
        let ones = self.shl_imm(ones, 8);
        let digits = self.or(ones, tens);
        self.add_imm(digits, i64::from(b'0') << 8 | i64::from(b'0'))
    }

    fn digits(&mut self, at: Value, text: Value, count: i64, done: Block) {
        self.store_at(text, Address::new(Space::Output).indexed(at));
        let count = self.constant(count);
        self.count_written(count);
        self.go_to(done);
    }

    /// Writes a value by its form, if all forms are constant and short.
    fn say_form(&mut self, value: Value, form: usize, written: &'c Written) {
        let definition = &self.unit.compiled.forms[form];
        let longest = definition.known.iter().map(String::len).max();
        let (Some(domain), Some(longest)) = (definition.domain, longest) else {
            self.say_by_machine(value, written);
            return;
        };
        let words = longest.div_ceil(WORD).max(1);
        if words > FEW_WORDS {
            self.say_by_machine(value, written);
            return;
        }
        let table = self.unit.written(form, words);
        let count = definition.known.len();
        let index = self.index_in(domain, value);
        let (known, unknown, done) = (self.block(), self.block(), self.block());
        let below = self.is_below(index, count);
        self.branch(below, known, unknown);
        self.begin(known);
        self.say_one_of(table, words, index);
        self.go_to(done);
        self.begin(unknown);
        self.say_by_machine(value, written);
        self.go_to(done);
        self.begin(done);
    }

    /// Writes one of the texts of a table, each with its length and a number of words.
    fn say_one_of(&mut self, table: TableId, words: usize, index: Value) {
        let at = self.room(words * WORD);
        let row = self.mul_imm(index, word(words + 1));
        let entry = Address::new(Space::Table(table)).based(row);
        let length = self.load_at(entry);
        for place in (0i32..).step_by(WORD).take(words) {
            let word = self.load_at(entry.plus(place + 8));
            self.store_at(word, Address::new(Space::Output).indexed(at).plus(place));
        }
        self.count_written(length);
    }

    /// Writes a text value, by a table if it is one of a few constants.
    fn say_text_value(&mut self, value: Value, written: &'c Written) {
        let texts = self.unit.compiled.texts.as_slice();
        let range = self.range(value);
        let ends = range.and_then(|(least, greatest)| {
            let ends = (usize::try_from(least), usize::try_from(greatest));
            ends.0.ok().zip(ends.1.ok())
        });
        let few = ends
            .and_then(|(first, last)| texts.get(first..=last))
            .filter(|texts| texts.len() <= FEW_TEXTS);
        let longest = few.and_then(|texts| texts.iter().map(String::len).max());
        let (Some((least, _)), Some(few), Some(longest)) = (range, few, longest) else {
            self.say_by_machine(value, written);
            return;
        };
        let words = longest.div_ceil(WORD).max(1);
        if words > FEW_WORDS {
            self.say_by_machine(value, written);
            return;
        }
        let table = written_out(few, words);
        let table = self.unit.keep_words(table);
        let index = self.less_constant(value, least);
        self.say_one_of(table, words, index);
    }
}
