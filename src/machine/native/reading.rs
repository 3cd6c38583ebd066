//! Words of a transcript to values.

use std::mem::offset_of;

use cranelift_codegen::ir::{Block, InstBuilder, Value, condcodes::IntCC};

use cranelift_frontend::Variable;

use super::{
    Native,
    body::{Body, Place, field},
    calls::Callee,
    making::can_make,
    slots::FEW,
    words::of_word,
};
use crate::{
    code::{Check, Compiled, Hole, Item, NONE, Pattern, Reading, Segment, Shape, Target},
    word::{self, Word},
};

/// What a pattern's words belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// The fields of an event.
    Event,
    /// What is given before a game starts.
    Start,
}

/// How many texts are compared one by one.
const FEW_TEXTS: usize = 8;

/// Where the words of a line are that a pattern is compared with.
#[derive(Clone, Copy)]
struct Line {
    /// The address of the first word.
    first: Value,
    /// How many words there are.
    count: Value,
    /// What to do where a word is missing.
    missing: Block,
    not: Block,
}

impl<'c> Body<'_, 'c> {
    /// Whether machine code can compare a pattern with words.
    pub(super) fn can_read(
        compiled: &Compiled,
        pattern: &Pattern,
        by_lines: bool,
        aim: Aim,
    ) -> bool {
        let last = pattern.items.len().saturating_sub(1);
        let mut items = pattern.items.iter().enumerate();
        items.all(|(place, item)| match item {
            Item::Word(segments) => match segments.as_slice() {
                [Segment::Literal(text)] => is_short(text),
                [Segment::Hole(hole)] => {
                    can_fill(compiled, hole, aim) && matches!(hole.shape, Shape::Scalar)
                }
                _ => false,
            },
            Item::Many { hole, count } => {
                let counts = match count {
                    Some(count) => count.locals() == 0,
                    None => by_lines && place == last,
                };
                counts && can_fill(compiled, hole, aim) && can_make(&hole.shape)
            }
        })
    }

    /// Compares a pattern with the words that come, and puts their values where they go; says how many words it takes.
    /// Goes to `not` where it does not fit and to `unsure` where words are still to be fetched.
    pub(super) fn pattern(
        &mut self,
        pattern: &'c Pattern,
        by_lines: bool,
        not: Block,
        unsure: Block,
    ) -> Value {
        let next = self.field(field!(window.next));
        let end = self.field(field!(window.count));
        let there = self.builder.ins().isub(end, next);
        self.unless_zero(there, unsure);
        let words = self.field(field!(window.words));
        let offset = self
            .builder
            .ins()
            .imul_imm(next, Native::word(size_of::<Word>()));
        let first = self.builder.ins().iadd(words, offset);
        let count = if by_lines {
            self.load_at(first, of_word(offset_of!(Word, left)))
        } else {
            there
        };
        let missing = if by_lines { not } else { unsure };
        let line = Line {
            first,
            count,
            missing,
            not,
        };
        let single = |item: &Item| match item {
            Item::Word(segments) => !may_be_missing(segments),
            Item::Many { .. } => false,
        };
        let items = Native::word(pattern.items.len());
        if pattern.items.iter().all(single) {
            let wanted = self.constant(items);
            let how = if by_lines {
                IntCC::Equal
            } else {
                IntCC::SignedGreaterThanOrEqual
            };
            let fits = self.compare(how, count, wanted);
            self.unless_zero(fits, missing);
            for (place, item) in pattern.items.iter().enumerate() {
                if let Item::Word(segments) = item {
                    let at = self
                        .builder
                        .ins()
                        .iadd_imm(first, Native::word(place * size_of::<Word>()));
                    self.segments(segments, at, not);
                }
            }
            return wanted;
        }
        let zero = self.constant(0);
        let at = self.variable(zero);
        for item in &pattern.items {
            match item {
                Item::Word(segments) => self.next_word(segments, at, line),
                Item::Many { hole, count } => {
                    let count = if let Some(count) = count {
                        let count = self.code(count);
                        let none = self.constant(0);
                        self.builder.ins().smax(count, none)
                    } else {
                        let place = self.get(at);
                        self.builder.ins().isub(line.count, place)
                    };
                    self.several(hole, at, count, line);
                }
            }
        }
        let taken = self.get(at);
        if by_lines && !pattern.items.is_empty() {
            let all = self.compare(IntCC::Equal, taken, count);
            self.unless_zero(all, not);
        }
        taken
    }

    fn word_at(&mut self, line: Line, at: Value) -> Value {
        let offset = self
            .builder
            .ins()
            .imul_imm(at, Native::word(size_of::<Word>()));
        self.builder.ins().iadd(line.first, offset)
    }

    /// Compares one part of a pattern with the next word.
    fn next_word(&mut self, segments: &'c [Segment], at: Variable, line: Line) {
        let place = self.get(at);
        let there = self.compare(IntCC::SignedLessThan, place, line.count);
        let (some, missing, done) = (self.block(), self.block(), self.block());
        self.branch(there, some, missing);
        self.begin(missing);
        match segments {
            [Segment::Hole(hole)] if may_be_missing(segments) => {
                let none = self.none();
                self.put(hole, none);
                self.go_to(done);
            }
            _ => self.go_to(line.missing),
        }
        self.begin(some);
        let word = self.word_at(line, place);
        self.segments(segments, word, line.not);
        let next = self.builder.ins().iadd_imm(place, 1);
        self.set(at, next);
        self.go_to(done);
        self.begin(done);
    }

    /// Reads so many words into a collection.
    fn several(&mut self, hole: &'c Hole, at: Variable, count: Value, line: Line) {
        let first = self.get(at);
        let left = self.builder.ins().isub(line.count, first);
        let there = self.compare(IntCC::SignedLessThanOrEqual, count, left);
        self.unless_zero(there, line.missing);
        let end = self.builder.ins().iadd(first, count);
        if matches!(&hole.shape, Shape::Pile { slot, element } if slot.stride() == 1 && element.is_word())
        {
            self.plain_pile(hole, at, count, line);
            return;
        }
        let made = self.begin_empty(&hole.shape);
        let no_bits = self.constant(0);
        let members = self.variable(no_bits);
        let counted = match &hole.shape {
            Shape::Counts { domain } if domain.count <= FEW => Some(*domain),
            _ => None,
        };
        self.each_value(hole, at, end, line, &mut |body, _, value| {
            body.add(made, value);
            if let Some(domain) = counted {
                let index = body.less_constant(value, domain.base);
                let one = body.constant(1);
                let bit = body.builder.ins().ishl(one, index);
                let before = body.get(members);
                let all = body.builder.ins().bor(before, bit);
                body.set(members, all);
            }
        });
        let collection = self.end(made);
        self.put(hole, collection);
        if let (Some(event), Target::Field(field), Some(_)) =
            (self.reads_for, &hole.target, counted)
        {
            let members = self.get(members);
            self.remember_members(event, *field, members);
        }
    }

    /// Reads so many words, one after the other.
    fn each_value(
        &mut self,
        hole: &'c Hole,
        at: Variable,
        end: Value,
        line: Line,
        visit: &mut dyn FnMut(&mut Self, Value, Value),
    ) {
        let (head, inside, done) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let place = self.get(at);
        let there = self.compare(IntCC::SignedLessThan, place, end);
        self.branch(there, inside, done);
        self.begin(inside);
        let word = self.word_at(line, place);
        let value = self.meant(hole, word, line.not);
        visit(self, place, value);
        let next = self.builder.ins().iadd_imm(place, 1);
        self.set(at, next);
        self.go_to(head);
        self.begin(done);
    }

    /// Reads so many words into a pile of single values.
    fn plain_pile(&mut self, hole: &'c Hole, at: Variable, count: Value, line: Line) {
        let first = self.get(at);
        let end = self.builder.ins().iadd(first, count);
        let block = self.call(Callee::Block, &[count]);
        let memory = self.field(field!(places.memory));
        let offset = self.builder.ins().isub(block, first);
        let offset = self.builder.ins().ishl_imm(offset, 3);
        let start = self.builder.ins().iadd(memory, offset);
        self.each_value(hole, at, end, line, &mut |body, place, value| {
            let offset = body.builder.ins().ishl_imm(place, 3);
            let address = body.builder.ins().iadd(start, offset);
            body.store_at(value, address, 0);
        });
        let pile = self.call(Callee::PileOfWords, &[block, count]);
        self.put(hole, pile);
    }

    fn segments(&mut self, segments: &'c [Segment], word: Value, not: Block) {
        match segments {
            [Segment::Literal(text)] => {
                let key = self.load_at(word, of_word(offset_of!(Word, key)));
                let same = self.is_text(key, text);
                self.unless_zero(same, not);
            }
            [Segment::Hole(hole)] => {
                let value = self.meant(hole, word, not);
                self.put(hole, value);
            }
            // Nobody asks for these: see `can_read`.
            _ => self.fail(),
        }
    }

    /// The function of a pattern between events: how many words it takes; none where it does not fit, or words are
    /// still to be fetched.
    pub(super) fn read_pattern(&mut self, number: usize) {
        let (pattern, by_lines) = self.unit.patterns[number];
        let not = self.block();
        let count = self.pattern(pattern, by_lines, not, not);
        self.returns(count);
        self.begin(not);
        let none = self.none();
        self.returns(none);
    }

    fn put(&mut self, hole: &'c Hole, value: Value) {
        let compiled = self.unit.compiled;
        match &hole.target {
            Target::Field(field) => self.store(compiled.fields + field, value),
            Target::Given(number, key) => {
                let given = &compiled.givens[*number];
                let key = key.as_ref().and_then(|key| compiled.constant(key));
                let (index, count, slot) = match (key, &given.entry) {
                    (Some(key), Some((domain, slot))) => (domain.index(key), domain.count, slot),
                    _ => (0, 1, &given.slot),
                };
                let index = self.constant(Native::word(index));
                self.write(Place::Fixed(given.offset), index, count, slot, value);
            }
            Target::Number(_) => self.fail(),
        }
    }
}

/// The forms that the words of a pattern are read by.
pub(super) fn forms(pattern: &Pattern, visit: &mut dyn FnMut(usize)) {
    each_hole(pattern, &mut |hole| {
        if let Reading::Form(form) = hole.reading {
            visit(form);
        }
    });
}

/// The givens that a pattern gives, and which entries of them.
pub(super) fn givens(compiled: &Compiled, pattern: &Pattern) -> Vec<(usize, usize)> {
    let mut givens = Vec::new();
    each_hole(pattern, &mut |hole| {
        if let Target::Given(number, key) = &hole.target {
            let key = key.as_ref().and_then(|key| compiled.constant(key));
            let entry = match (key, &compiled.givens[*number].entry) {
                (Some(key), Some((domain, _))) => domain.index(key),
                _ => 0,
            };
            givens.push((*number, entry));
        }
    });
    givens
}

fn each_hole<'p>(pattern: &'p Pattern, hole: &mut dyn FnMut(&'p Hole)) {
    for item in &pattern.items {
        match item {
            Item::Word(segments) => {
                for segment in segments {
                    if let Segment::Hole(each) = segment {
                        hole(each);
                    }
                }
            }
            Item::Many { hole: each, .. } => hole(each),
        }
    }
}

/// Whether a text, as a word, fits into a key.
fn is_short(text: &str) -> bool {
    word::key(text.as_bytes()) < word::LONG
}

/// Whether a word may be missing at a line's end.
fn may_be_missing(segments: &[Segment]) -> bool {
    matches!(segments, [Segment::Hole(hole)] if hole.absent.as_deref() == Some(""))
}

/// Whether machine code can read a word, or several, into a hole.
fn can_fill(compiled: &Compiled, hole: &Hole, aim: Aim) -> bool {
    let reads = match &hole.reading {
        Reading::Number { .. } | Reading::YesNo | Reading::Word | Reading::Form(_) => true,
        Reading::Attribute(texts) => {
            texts.len() <= FEW_TEXTS
                && texts
                    .iter()
                    .all(|(text, value)| is_short(text) && *value != NONE)
        }
        Reading::Joined(_) => false,
    };
    // What stands for an empty collection is left to the machine.
    let absent = hole.absent.as_deref();
    reads
        && match &hole.target {
            Target::Field(_) => aim == Aim::Event,
            Target::Given(_, key) => {
                aim == Aim::Start
                    && key
                        .as_ref()
                        .is_none_or(|key| compiled.constant(key).is_some())
            }
            Target::Number(_) => false,
        }
        && absent.is_none_or(|absent| matches!(hole.shape, Shape::Scalar) && is_short(absent))
        && hole.check.as_ref().is_none_or(is_plain)
}

/// Whether machine code can check a word's value: it has no locals.
fn is_plain(check: &Check) -> bool {
    match check {
        Check::Range { lo, hi, .. } => lo.locals() == 0 && hi.locals() == 0,
        Check::Bits { .. } | Check::Each { .. } | Check::Entries { .. } => false,
    }
}
