//! Converts a word of a transcript to a value.

use std::mem::offset_of;

use super::{body::Body, word};
use crate::mir::{Address, Block, Callee, Condition, Field, Object, Space, Value, WORD_RECORD};
use crate::{
    code::{Check, Hole, Reading},
    word::{self, Word},
};

/// At most this many texts are compared one by one.
const FEW_TEXTS: usize = 16;

/// Eight digits `0`.
const ZEROES: i64 = i64::from_le_bytes([b'0'; 8]);

/// Added to eight bytes, this sets the highest bit of each byte that is more than 9.
const BEYOND_NINE: i64 = i64::from_le_bytes([0x76; 8]);

const HIGHEST_BITS: i64 = i64::from_le_bytes([0x80; 8]);

/// A word, or a part of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) key: Value,
    /// The offset of the word's record, in words.
    pub(super) word: Value,
    /// For a part: its offset in the word, and its length in bytes.
    pub(super) part: Option<(Value, Value)>,
}

impl<'c> Body<'_, 'c> {
    /// A whole word.
    pub(super) fn whole(&mut self, word: Value) -> Piece {
        Piece {
            key: self.load_at(of_word(word, offset_of!(Word, key))),
            word,
            part: None,
        }
    }

    /// A part of a word, with its offset and its length in bytes.
    pub(super) fn part_of(
        &mut self,
        word: Value,
        bytes: Value,
        (before, length): (Value, Value),
    ) -> Piece {
        let high = self.shl_imm(length, i64::from(word::LENGTH));
        Piece {
            key: self.or(bytes, high),
            word,
            part: Some((before, length)),
        }
    }

    /// Whether a piece equals a text.
    pub(super) fn is_text(&mut self, piece: Piece, text: &'c str) -> Value {
        let key = word::key(text.as_bytes());
        let same = self.equals(piece.key, key.cast_signed());
        if key < word::LONG {
            return same;
        }
        let result = self.variable(same);
        self.if_nonzero(same, &mut |body| {
            let (start, end) = body.bounds(piece);
            let text = body.unit.text(text);
            let text = body.constant(text);
            let same = body.call(Callee::IsText, &[start, end, text]);
            body.set(result, same);
        });
        self.get(result)
    }

    /// The value of a piece in a hole; goes to `not` if it has none.
    pub(super) fn hole_value(&mut self, hole: &'c Hole, piece: Piece, not: Block) -> Value {
        let reading = match &hole.reading {
            Reading::Joined(inner) => return self.joined(hole, inner, piece, not),
            Reading::Attribute(texts) if texts.len() > FEW_TEXTS => {
                return self.read_by_machine(hole, piece, not);
            }
            reading => reading,
        };
        let none = self.none();
        let found = self.variable(none);
        let done = self.block();
        if let Some(absent) = hole.absent.as_deref().filter(|absent| !absent.is_empty()) {
            let anew = self.block();
            let same = self.is_text(piece, absent);
            self.branch(same, done, anew);
            self.begin(anew);
        }
        let value = self.read_word(reading, piece, not);
        if let Some(check) = &hole.check {
            self.passes(value, check, not);
        }
        self.set(found, value);
        self.go_to(done);
        self.begin(done);
        self.get(found)
    }

    /// Lets the machine read a piece; goes to `not` if it has no value.
    pub(super) fn read_by_machine(&mut self, hole: &'c Hole, piece: Piece, not: Block) -> Value {
        let (start, end) = self.bounds(piece);
        let hole = self.object(hole, || Object::Hole(Box::new(hole.clone())));
        let read = self.call(Callee::ReadHole, &[hole, start, end]);
        self.unless_zero(read, not);
        self.field(Field::WordValue)
    }

    pub(super) fn passes(&mut self, value: Value, check: &'c Check, not: Block) {
        if let Check::Range {
            lo,
            hi,
            optional: false,
            ..
        } = check
        {
            let (lo, hi) = (self.code(lo), self.code(hi));
            let above = self.compare(Condition::GreaterOrEqual, value, lo);
            self.unless_zero(above, not);
            let below = self.compare(Condition::LessOrEqual, value, hi);
            self.unless_zero(below, not);
            return;
        }
        let passes = self.is_of_type(value, check);
        self.unless_zero(passes, not);
    }

    /// The value of a piece, before the hole's check.
    pub(super) fn read_word(&mut self, reading: &'c Reading, piece: Piece, not: Block) -> Value {
        match reading {
            Reading::Number { lo, hi } => self.number(piece, (*lo, *hi), not),
            Reading::Decimal { places, lo, hi } => self.decimal(piece, *places, (*lo, *hi), not),
            Reading::YesNo => {
                let yes = self.is_text(piece, "yes");
                let no = self.is_text(piece, "no");
                let either = self.or(yes, no);
                self.unless_zero(either, not);
                yes
            }
            Reading::Word => {
                let (start, end) = self.bounds(piece);
                self.call(Callee::TextOf, &[start, end])
            }
            Reading::Form(form) => self.of_form(*form, piece, not),
            Reading::Attribute(texts) => {
                let zero = self.constant(0);
                let found = self.variable(zero);
                let done = self.block();
                for (text, value) in texts {
                    let next = self.block();
                    let same = self.is_text(piece, text);
                    self.unless_zero(same, next);
                    let value = self.constant(*value);
                    self.set(found, value);
                    self.go_to(done);
                    self.begin(next);
                }
                self.go_to(not);
                self.begin(done);
                self.get(found)
            }
            // Holes of these kinds are read elsewhere: see `hole_value`.
            Reading::Joined(_) => {
                self.fail();
                self.constant(0)
            }
        }
    }

    /// The start and the end of a piece in the text.
    pub(super) fn bounds(&mut self, piece: Piece) -> (Value, Value) {
        let start = self.load_half(of_word(piece.word, offset_of!(Word, start)));
        if let Some((before, length)) = piece.part {
            let start = self.add(start, before);
            return (start, self.add(start, length));
        }
        let end = self.load_half(of_word(piece.word, offset_of!(Word, end)));
        (start, end)
    }

    /// Parses a decimal integer.
    fn number(&mut self, piece: Piece, ends: (i64, i64), not: Block) -> Value {
        let key = piece.key;
        let zero = self.constant(0);
        let number = self.variable(zero);
        let (digits, slow, done) = (self.block(), self.block(), self.block());
        // Align the digits of a short word at the highest byte, after zeroes, and sum all eight at once (D. Lemire,
        // Quickly parsing eight digits, 2018).
        let length = self.shr_imm(key, 56);
        let bits = self.shl_imm(length, 3);
        let whole = self.constant(64);
        let others = self.sub(whole, bits);
        let high = self.shl(key, others);
        let zeroes = self.constant(ZEROES);
        let low = self.shr(zeroes, bits);
        let text = self.or(high, low);
        let values = self.xor(text, zeroes);
        let beyond_nine = self.constant(BEYOND_NINE);
        let sum = self.add(values, beyond_nine);
        let wrong = self.or(sum, values);
        let highest = self.constant(HIGHEST_BITS);
        let wrong = self.and(wrong, highest);
        let long = self.constant(word::LONG.cast_signed());
        let is_long = self.compare(Condition::AboveOrEqual, key, long);
        let wrong = self.or(wrong, is_long);
        self.branch(wrong, slow, digits);
        self.begin(digits);
        let mut sum = values;
        for (mask, multiplier, shift) in [
            (0x0F0F_0F0F_0F0F_0F0F, 2561, 8),
            (0x00FF_00FF_00FF_00FF, 6_553_601, 16),
            (0x0000_FFFF_0000_FFFF, 42_949_672_960_001, 32),
        ] {
            let mask = self.constant(mask);
            let multiplier = self.constant(multiplier);
            sum = self.and(sum, mask);
            sum = self.mul(sum, multiplier);
            sum = self.shr_imm(sum, shift);
        }
        self.set(number, sum);
        self.go_to(done);
        self.begin(slow);
        let (start, end) = self.bounds(piece);
        let read = self.call(Callee::ReadNumber, &[start, end]);
        self.unless_zero(read, not);
        let value = self.field(Field::WordValue);
        self.set(number, value);
        self.go_to(done);
        self.begin(done);
        let number = self.get(number);
        self.inside(number, ends, not);
        number
    }

    /// Parses a number with decimal places.
    fn decimal(&mut self, piece: Piece, places: u8, ends: (i64, i64), not: Block) -> Value {
        let (start, end) = self.bounds(piece);
        let places = self.constant(i64::from(places));
        let read = self.call(Callee::ReadDecimal, &[places, start, end]);
        self.unless_zero(read, not);
        let number = self.field(Field::WordValue);
        self.inside(number, ends, not);
        number
    }

    /// Goes to `not` unless a number is in a range.
    fn inside(&mut self, number: Value, (lo, hi): (i64, i64), not: Block) {
        if lo > i64::MIN {
            let lo = self.constant(lo);
            let above = self.compare(Condition::GreaterOrEqual, number, lo);
            self.unless_zero(above, not);
        }
        if hi < i64::MAX {
            let hi = self.constant(hi);
            let below = self.compare(Condition::LessOrEqual, number, hi);
            self.unless_zero(below, not);
        }
    }

    /// The value of a word in a form, whose dictionary the caller has prepared for this game.
    fn of_form(&mut self, form: usize, piece: Piece, not: Block) -> Value {
        let key = piece.key;
        let none = self.none();
        let found = self.variable(none);
        let (short, long, done) = (self.block(), self.block(), self.block());
        let most = self.constant(word::LONG.cast_signed());
        let is_short = self.compare(Condition::Below, key, most);
        self.branch(is_short, short, long);

        self.begin(short);
        let (is_known, value) = self.builder.lookup(form, key);
        self.unless_zero(is_known, not);
        self.set(found, value);
        self.go_to(done);

        self.begin(long);
        let (start, end) = self.bounds(piece);
        let form = self.constant(word(form));
        let read = self.call(Callee::ReadForm, &[form, start, end]);
        self.unless_zero(read, not);
        let value = self.field(Field::WordValue);
        self.set(found, value);
        self.go_to(done);
        self.begin(done);
        self.get(found)
    }
}

/// The address of a field in the record of a word.
pub(super) fn of_word(word: Value, offset: usize) -> Address {
    let offset = i32::try_from(offset).unwrap_or(i32::MAX);
    Address::new(Space::Words).based(word).plus(offset)
}

const _: () = assert!(size_of::<Word>() == 32 && WORD_RECORD == 4);
