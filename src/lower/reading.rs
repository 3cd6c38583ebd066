//! Matches patterns with the words of a transcript.

use std::mem::offset_of;

use super::{body::Body, holes::is_rest, word, words::of_word};
use crate::mir::{Address, Block, Callee, Condition, Field, Space, Value, Variable, WORD_RECORD};
use crate::{
    code::{Hole, Item, Pattern, Segment, Shape},
    word::Word,
};

/// The words of a line to match a pattern with.
#[derive(Clone, Copy)]
struct Line {
    /// The address of the first word.
    first: Value,
    /// The number of words.
    count: Value,
    /// Where to go if a word is missing.
    missing: Block,
    not: Block,
}

impl<'c> Body<'_, 'c> {
    /// Matches a pattern with the next words and stores their values; returns how many words it takes. Goes to `not` if
    /// it does not match, and to `unsure` if more words must be fetched first.
    pub(super) fn pattern(
        &mut self,
        pattern: &'c Pattern,
        by_lines: bool,
        not: Block,
        unsure: Block,
    ) -> Value {
        let next = self.field(Field::WordNext);
        let end = self.field(Field::WordCount);
        let available = self.sub(end, next);
        self.unless_zero(available, unsure);
        let first = self.mul_imm(next, WORD_RECORD);
        let count = if by_lines {
            self.load_at(of_word(first, offset_of!(Word, left)))
        } else {
            available
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
        let items = word(pattern.items.len());
        if pattern.items.iter().all(single) {
            let wanted = self.constant(items);
            let how = if by_lines {
                Condition::Equal
            } else {
                Condition::GreaterOrEqual
            };
            let fits = self.compare(how, count, wanted);
            self.unless_zero(fits, missing);
            for (place, item) in pattern.items.iter().enumerate() {
                if let Item::Word(segments) = item {
                    let at = self.add_imm(first, word(place) * WORD_RECORD);
                    self.read_item(item, segments, at, not);
                }
            }
            self.remember_read();
            return wanted;
        }
        let zero = self.constant(0);
        let at = self.variable(zero);
        for item in &pattern.items {
            match item {
                Item::Word(segments) => self.next_word(item, segments, at, line),
                Item::Many { hole, count } => {
                    let count = if let Some(count) = count {
                        let count = self.code(count);
                        let none = self.constant(0);
                        self.max(count, none)
                    } else {
                        let place = self.get(at);
                        self.sub(line.count, place)
                    };
                    self.several(hole, at, count, line);
                }
            }
        }
        let taken = self.get(at);
        if by_lines && !pattern.items.is_empty() {
            let all = self.compare(Condition::Equal, taken, count);
            self.unless_zero(all, not);
        }
        self.remember_read();
        taken
    }

    /// Caches the members of the bags that were read into fields of an event.
    fn remember_read(&mut self) {
        for (field, members) in std::mem::take(&mut self.members_read) {
            if let Some(event) = self.reads_for {
                let members = self.get(members);
                self.remember_members(event, field, members);
            }
        }
    }

    fn word_at(&mut self, line: Line, at: Value) -> Value {
        let offset = self.mul_imm(at, WORD_RECORD);
        self.add(line.first, offset)
    }

    /// Matches one item of a pattern with the next word.
    fn next_word(&mut self, item: &'c Item, segments: &'c [Segment], at: Variable, line: Line) {
        let place = self.get(at);
        let in_line = self.compare(Condition::Less, place, line.count);
        let (some, missing, done) = (self.block(), self.block(), self.block());
        self.branch(in_line, some, missing);
        self.begin(missing);
        match segments {
            [Segment::Hole(hole)] if may_be_missing(segments) => {
                let none = self.absent_value(hole);
                self.put(hole, none);
                self.go_to(done);
            }
            _ => self.go_to(line.missing),
        }
        self.begin(some);
        let word = self.word_at(line, place);
        self.read_item(item, segments, word, line.not);
        let next = self.add_imm(place, 1);
        self.set(at, next);
        self.go_to(done);
        self.begin(done);
    }

    /// Reads `count` words into a collection.
    fn several(&mut self, hole: &'c Hole, at: Variable, count: Value, line: Line) {
        let first = self.get(at);
        let left = self.sub(line.count, first);
        let enough = self.compare(Condition::LessOrEqual, count, left);
        self.unless_zero(enough, line.missing);
        let end = self.add(first, count);
        if is_rest(hole) {
            self.rest_of_line(hole, at, count, line);
            return;
        }
        if matches!(&hole.shape, Shape::Pile { slot, element } if slot.stride() == 1 && element.is_word())
        {
            self.plain_pile(hole, at, count, line);
            return;
        }
        let made = self.begin_empty(&hole.shape);
        let members = self.members_of_hole(hole);
        self.each_value(hole, at, end, line, &mut |body, _, value| {
            body.insert(made, value);
            if let Some(members) = &members {
                body.add_member(members, value);
            }
        });
        let collection = self.end(made);
        self.put(hole, collection);
        self.read_members(hole, members.as_ref());
    }

    /// Reads the text to the end of the line.
    fn rest_of_line(&mut self, hole: &'c Hole, at: Variable, count: Value, line: Line) {
        let none = self.constant(0);
        let (start, end) = (self.variable(none), self.variable(none));
        let first = self.get(at);
        self.if_nonzero(count, &mut |body| {
            let word = body.word_at(line, first);
            let piece = body.whole(word);
            let bounds = body.bounds(piece);
            body.set(start, bounds.0);
            let last = body.add_imm(line.count, -1);
            let word = body.word_at(line, last);
            let piece = body.whole(word);
            let bounds = body.bounds(piece);
            body.set(end, bounds.1);
        });
        let (start, end) = (self.get(start), self.get(end));
        let text = self.call(Callee::TextOf, &[start, end]);
        self.put(hole, text);
        let next = self.add(first, count);
        self.set(at, next);
    }

    /// Reads `count` words, one after the other.
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
        let more = self.compare(Condition::Less, place, end);
        self.branch(more, inside, done);
        self.begin(inside);
        let word = self.word_at(line, place);
        let piece = self.whole(word);
        let value = self.hole_value(hole, piece, line.not);
        visit(self, place, value);
        let next = self.add_imm(place, 1);
        self.set(at, next);
        self.go_to(head);
        self.begin(done);
    }

    /// Reads `count` words into a pile of one-word values.
    fn plain_pile(&mut self, hole: &'c Hole, at: Variable, count: Value, line: Line) {
        let first = self.get(at);
        let end = self.add(first, count);
        let block = self.call(Callee::Block, &[count]);
        let start = self.sub(block, first);
        self.each_value(hole, at, end, line, &mut |body, place, value| {
            let at = body.add(start, place);
            body.store_at(value, Address::new(Space::Memory).based(at));
        });
        let pile = self.call(Callee::PileOfWords, &[block, count]);
        self.put(hole, pile);
    }

    /// Matches one item of a pattern with a word.
    fn read_item(&mut self, item: &'c Item, segments: &'c [Segment], word: Value, not: Block) {
        match segments {
            [Segment::Literal(text)] => {
                let piece = self.whole(word);
                let same = self.is_text(piece, text);
                self.unless_zero(same, not);
            }
            [Segment::Hole(hole)] => {
                let piece = self.whole(word);
                let value = self.hole_value(hole, piece, not);
                self.put(hole, value);
            }
            several => self.read_parts(item, several, word, not),
        }
    }

    /// The function of a pattern between events: how many words it takes; none if it does not match, or more words must
    /// be fetched first.
    pub(super) fn read_pattern(&mut self, number: usize) {
        let (pattern, by_lines) = self.unit.patterns[number];
        let not = self.block();
        let count = self.pattern(pattern, by_lines, not, not);
        self.returns(count);
        self.begin(not);
        let none = self.none();
        self.returns(none);
    }
}

/// Whether a word may be missing at the end of a line.
fn may_be_missing(segments: &[Segment]) -> bool {
    matches!(segments, [Segment::Hole(hole)] if hole.absent.as_deref() == Some(""))
}
