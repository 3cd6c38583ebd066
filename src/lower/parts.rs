//! Words made of several adjacent parts, and collections without blanks between their members.

use super::{
    body::{Body, Place},
    slots::FEW,
    word,
    words::Piece,
};
use crate::mir::{Address, Block, Callee, Condition, Object, Space, Value, Variable};
use crate::{
    code::{Compiled, Domain, Hole, Item, Reading, Segment, Shape, Target, length_of},
    word,
};

/// The bits of a key that are set if the word is long, or contains a byte outside ASCII.
const STRANGE: u64 = 0xF880_8080_8080_8080;

/// The bits of a key that hold the word's bytes.
const BYTES: u64 = (1 << word::LENGTH) - 1;

/// The unread rest of a short word.
#[derive(Clone, Copy)]
struct Rest {
    /// The address of the word, and its length.
    word: Value,
    whole: Value,
    /// The remaining bytes, the first one lowest, and their number.
    bytes: Value,
    length: Value,
}

/// The members of a bag being read, as bits.
pub(super) struct Members {
    bits: Variable,
    domain: Domain,
}

impl<'c> Body<'_, 'c> {
    /// Reads a word of several parts.
    pub(super) fn read_parts(
        &mut self,
        item: &'c Item,
        segments: &'c [Segment],
        word: Value,
        not: Block,
    ) {
        let (by_machine, done) = (self.block(), self.block());
        let piece = self.whole(word);
        if shortest(self.unit.compiled, segments) <= word::SHORT {
            let by_key = self.block();
            let strange = self.and_imm(piece.key, STRANGE.cast_signed());
            self.branch(strange, by_machine, by_key);
            self.begin(by_key);
            let length = self.shr_imm(piece.key, i64::from(word::LENGTH));
            let rest = Rest {
                word,
                whole: length,
                bytes: self.and_imm(piece.key, BYTES.cast_signed()),
                length,
            };
            let mut read = Vec::new();
            self.parts(segments, rest, &mut read, not);
            for (hole, value) in read {
                self.put(hole, value);
            }
            self.go_to(done);
        } else {
            self.go_to(by_machine);
        }
        self.begin(by_machine);
        let (start, end) = self.bounds(piece);
        let item = self.object(item, || Object::Item(Box::new(item.clone())));
        let fits = self.call(Callee::ReadParts, &[item, start, end]);
        self.unless_zero(fits, not);
        self.go_to(done);
        self.begin(done);
    }

    /// Reads the parts of a short word; goes to `not` if it does not match.
    fn parts(
        &mut self,
        segments: &'c [Segment],
        rest: Rest,
        read: &mut Vec<(&'c Hole, Value)>,
        not: Block,
    ) {
        let Some((first, more)) = segments.split_first() else {
            let empty = self.equals(rest.length, 0);
            self.unless_zero(empty, not);
            return;
        };
        let hole = match first {
            Segment::Literal(text) => {
                let length = text.len().min(word::SHORT + 1);
                let wanted = self.constant(word(length));
                let long = self.compare(Condition::GreaterOrEqual, rest.length, wanted);
                self.unless_zero(long, not);
                if length <= word::SHORT {
                    let key = (word::key(text.as_bytes()) & BYTES).cast_signed();
                    let mask = (1 << (8 * length)) - 1;
                    let beginning = self.and_imm(rest.bytes, mask);
                    let same = self.equals(beginning, key);
                    self.unless_zero(same, not);
                }
                let rest = self.without(rest, wanted);
                self.parts(more, rest, read, not);
                return;
            }
            Segment::Hole(hole) => &**hole,
        };
        let (least, most) = lengths(self.unit.compiled, hole);
        if let Some(after) = length_of(more) {
            // The parts after it have a fixed length.
            let length = self.add_imm(rest.length, -word(after));
            self.one_part((hole, length, least), more, rest, read, not);
            return;
        }
        let shortest = self.constant(word(least));
        if least == most {
            self.one_part((hole, shortest, least), more, rest, read, not);
            return;
        }
        let length = self.variable(shortest);
        let (head, next, found) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let tried = self.get(length);
        let longest = self.constant(word(most));
        let in_range = self.compare(Condition::LessOrEqual, tried, longest);
        self.unless_zero(in_range, not);
        let in_range = self.compare(Condition::LessOrEqual, tried, rest.length);
        self.unless_zero(in_range, not);
        self.one_part((hole, tried, least), more, rest, read, next);
        self.go_to(found);
        self.begin(next);
        let longer = self.add_imm(tried, 1);
        self.set(length, longer);
        self.go_to(head);
        self.begin(found);
    }

    /// Reads one part of a given length, at least `least`, and then the parts after it.
    fn one_part(
        &mut self,
        (hole, length, least): (&'c Hole, Value, usize),
        more: &'c [Segment],
        rest: Rest,
        read: &mut Vec<(&'c Hole, Value)>,
        not: Block,
    ) {
        let least_length = self.constant(word(least));
        let enough = self.compare(Condition::GreaterOrEqual, length, least_length);
        self.unless_zero(enough, not);
        let in_range = self.compare(Condition::LessOrEqual, length, rest.length);
        self.unless_zero(in_range, not);
        let bits = self.shl_imm(length, 3);
        let one = self.constant(1);
        let mask = self.shl(one, bits);
        let mask = self.add_imm(mask, -1);
        let bytes = self.and(rest.bytes, mask);
        let before = self.sub(rest.whole, rest.length);
        let piece = self.part_of(rest.word, bytes, (before, length));
        let value = if least == 0 {
            let none = self.none();
            let found = self.variable(none);
            let (some, empty, done) = (self.block(), self.block(), self.block());
            self.branch(length, some, empty);
            self.begin(some);
            let value = self.hole_value(hole, piece, not);
            self.set(found, value);
            self.go_to(done);
            self.begin(empty);
            let value = self.absent_value(hole);
            self.set(found, value);
            self.go_to(done);
            self.begin(done);
            self.get(found)
        } else {
            self.hole_value(hole, piece, not)
        };
        read.push((hole, value));
        let rest = self.without(rest, length);
        self.parts(more, rest, read, not);
    }

    /// The rest after so many bytes.
    fn without(&mut self, rest: Rest, length: Value) -> Rest {
        let bits = self.shl_imm(length, 3);
        Rest {
            bytes: self.shr(rest.bytes, bits),
            length: self.sub(rest.length, length),
            ..rest
        }
    }

    /// The value of a hole that is left out: none, or an empty collection.
    pub(super) fn absent_value(&mut self, hole: &'c Hole) -> Value {
        if matches!(hole.shape, Shape::Scalar) {
            return self.none();
        }
        let made = self.begin_empty(&hole.shape);
        self.end(made)
    }

    /// Reads a collection without blanks between its members. Only handles the case where each byte is a member; the
    /// machine reads any other.
    pub(super) fn joined(
        &mut self,
        hole: &'c Hole,
        inner: &'c Reading,
        piece: Piece,
        not: Block,
    ) -> Value {
        let by_letter = matches!(
            inner,
            Reading::Number { .. } | Reading::Form(_) | Reading::Attribute(_)
        );
        if !by_letter || hole.between.is_some() {
            return self.read_by_machine(hole, piece, not);
        }
        let members = self.members_of_hole(hole);
        let none = self.none();
        let found = self.variable(none);
        let (otherwise, done) = (self.block(), self.block());
        if let Some(absent) = hole.absent.as_deref().filter(|absent| !absent.is_empty()) {
            let differs = self.is_text(piece, absent);
            let differs = self.equals(differs, 0);
            self.unless_zero(differs, otherwise);
        }
        let (start, end) = self.bounds(piece);
        let made = self.begin_empty(&hole.shape);
        let place = self.variable(start);
        let (head, inside, all) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let at = self.get(place);
        let more = self.compare(Condition::Below, at, end);
        self.branch(more, inside, all);
        self.begin(inside);
        let letter = self.load_byte(Address::new(Space::Text).indexed(at));
        let one = self.constant(1);
        let before = self.sub(at, start);
        let letter = self.part_of_piece(piece, letter, (before, one));
        let value = self.read_word(inner, letter, otherwise);
        if let Some(check) = &hole.check {
            self.passes(value, check, otherwise);
        }
        self.insert(made, value);
        if let Some(members) = &members {
            self.add_member(members, value);
        }
        let next = self.add_imm(at, 1);
        self.set(place, next);
        self.go_to(head);
        self.begin(all);
        let collection = self.end(made);
        self.set(found, collection);
        self.go_to(done);

        self.begin(otherwise);
        let collection = self.read_by_machine(hole, piece, not);
        self.set(found, collection);
        if let Some(members) = &members {
            let bits = self.members_in(Place::At(collection), members.domain.count);
            self.set(members.bits, bits);
        }
        self.go_to(done);
        self.begin(done);
        self.read_members(hole, members.as_ref());
        self.get(found)
    }

    /// A part of a piece.
    fn part_of_piece(
        &mut self,
        piece: Piece,
        bytes: Value,
        (before, length): (Value, Value),
    ) -> Piece {
        let before = match piece.part {
            Some((skipped, _)) => self.add(skipped, before),
            None => before,
        };
        self.part_of(piece.word, bytes, (before, length))
    }

    /// The variable for the members of the bag that a hole reads into an event's field, if it is small.
    pub(super) fn members_of_hole(&mut self, hole: &'c Hole) -> Option<Members> {
        let Shape::Counts { domain } = &hole.shape else {
            return None;
        };
        // If the bag may be left out, its members are not tracked.
        if domain.count > FEW || hole.absent.as_deref() == Some("") {
            return None;
        }
        let none = self.constant(0);
        Some(Members {
            bits: self.variable(none),
            domain: *domain,
        })
    }

    pub(super) fn add_member(&mut self, members: &Members, value: Value) {
        let index = self.less_constant(value, members.domain.base);
        let one = self.constant(1);
        let bit = self.shl(one, index);
        let before = self.get(members.bits);
        let all = self.or(before, bit);
        self.set(members.bits, all);
    }

    /// Records that the members of a bag are known; they are cached once the whole pattern matches.
    pub(super) fn read_members(&mut self, hole: &'c Hole, members: Option<&Members>) {
        if let (Target::Field(field), Some(members)) = (&hole.target, members) {
            self.members_read.push((*field, members.bits));
        }
    }
}

/// The lengths of the shortest and the longest short word that a hole reads, in bytes.
fn lengths(compiled: &Compiled, hole: &Hole) -> (usize, usize) {
    let of = |texts: &mut dyn Iterator<Item = &str>| {
        let lengths: Vec<_> = texts.map(str::len).filter(|length| *length > 0).collect();
        let ends = (lengths.iter().min(), lengths.iter().max());
        match ends {
            (Some(least), Some(most)) => (*least, *most),
            _ => (1, word::SHORT),
        }
    };
    let (least, most) = match &hole.reading {
        Reading::Form(form) => {
            let form = &compiled.forms[*form];
            let all = form
                .domain
                .is_some_and(|domain| domain.count == form.known.len());
            let known: &[String] = if all && !form.given { &form.known } else { &[] };
            of(&mut known.iter().map(String::as_str))
        }
        Reading::Attribute(texts) => of(&mut texts.iter().map(|(text, _)| text.as_str())),
        Reading::YesNo => (2, 3),
        Reading::Number { .. } | Reading::Decimal { .. } | Reading::Word | Reading::Joined(_) => {
            (1, word::SHORT)
        }
    };
    match hole.absent.as_deref().map(str::len) {
        Some(absent) => (least.min(absent), most.max(absent)),
        None => (least, most),
    }
}

/// The length of the shortest word made of these parts, in bytes.
fn shortest(compiled: &Compiled, segments: &[Segment]) -> usize {
    let lengths = segments.iter().map(|segment| match segment {
        Segment::Literal(text) => text.len(),
        Segment::Hole(hole) => lengths(compiled, hole).0,
    });
    lengths.sum()
}
