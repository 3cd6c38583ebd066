//! Loops over the values of a source.

use super::{
    body::{Body, Place},
    expressions::bounds_of_table,
    word,
};
use crate::code::{Code, Loop, NONE, Slot, Source};
use crate::mir::{Condition, Value};

/// Called with each value.
pub(super) type Visit<'v, 'b, 'c> = &'v mut dyn FnMut(&mut Body<'b, 'c>, Value);

impl<'b, 'c> Body<'b, 'c> {
    /// Visits each value of a source.
    pub(super) fn each(&mut self, source: &'c Source, visit: Visit<'_, 'b, 'c>) {
        match source {
            Source::Span(ends) => {
                if let Some((lo, hi)) = self.short_span(ends) {
                    self.each_of_short(lo, hi, visit);
                    return;
                }
                let (lo, hi) = self.both(ends);
                self.each_number(lo, hi, visit);
            }
            Source::Partial(partial) => {
                let count = self.unit.compiled.partial[*partial].count;
                let (lo, hi) = (self.constant(0), self.constant(word(count) - 1));
                self.each_number(lo, hi, &mut |body, index| {
                    let is_value = body.is_value(*partial, index);
                    body.if_nonzero(is_value, &mut |body| visit(body, index));
                });
            }
            Source::Bits { set, base, .. } => {
                let set = self.code(set);
                self.each_bit(set, *base, visit);
            }
            Source::Words { set, base, words } => {
                let place = self.place(set);
                self.each_word(place, *base, *words, visit);
            }
            Source::Counts { bag, base, count } => {
                let place = self.place(bag);
                self.each_counted(place, *base, *count, visit);
            }
            Source::Pile { pile, slot } => {
                let pile = self.code(pile);
                self.each_element(pile, slot, visit);
            }
            Source::Hashed { set, hashed } => {
                let set = self.code(set);
                self.each_entry_of(set, *hashed, visit);
            }
            Source::Items(items) => self.each_item(items, visit),
            Source::Mapped(range, value) => self.mapped(range, value, visit),
            Source::When(pair) => self.each_when(&pair.0, &pair.1, visit),
            Source::Around { grid, points } => self.each_around(*grid, points, visit),
            Source::Beside { .. }
            | Source::Region { .. }
            | Source::Boundary { .. }
            | Source::Line { .. }
            | Source::Ray { .. } => self.each_point(source, visit),
        }
    }

    /// Emits `then` for the case that a value is not 0.
    pub(super) fn if_nonzero(&mut self, value: Value, then: &mut dyn FnMut(&mut Self)) {
        let (inside, done) = (self.block(), self.block());
        self.branch(value, inside, done);
        self.begin(inside);
        then(self);
        self.go_to(done);
        self.begin(done);
    }

    /// Visits the numbers from one to another.
    pub(super) fn each_number(&mut self, lo: Value, hi: Value, visit: Visit<'_, 'b, 'c>) {
        let number = self.variable(lo);
        let (head, inside, next, done) = (self.block(), self.block(), self.block(), self.block());
        let any = self.compare(Condition::LessOrEqual, lo, hi);
        self.branch(any, head, done);
        self.begin(head);
        self.charge();
        self.go_to(inside);
        self.begin(inside);
        let value = self.get(number);
        self.between_ends(value, lo, hi);
        visit(self, value);
        // Compare before incrementing: the last number may be the largest there is.
        let last = self.compare(Condition::Equal, value, hi);
        self.branch(last, done, next);
        self.begin(next);
        let following = self.add_imm(value, 1);
        self.set(number, following);
        self.go_to(head);
        self.begin(done);
    }

    /// Visits the members of a set of words.
    pub(super) fn each_word(
        &mut self,
        place: Place,
        base: i64,
        words: usize,
        visit: Visit<'_, 'b, 'c>,
    ) {
        let lo = self.constant(0);
        let hi = self.constant(word(words) - 1);
        let index = self.variable(lo);
        let (head, next, done) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let word = self.get(index);
        self.between_ends(word, lo, hi);
        let bits = self.read(place, word, words, Slot::Word);
        let first = self.times(word, 64);
        self.each_bit(bits, base, &mut |body, value| {
            let value = body.sum_of(value, first);
            visit(body, value);
        });
        let last = self.compare(Condition::Equal, word, hi);
        self.branch(last, done, next);
        self.begin(next);
        let following = self.add_imm(word, 1);
        self.set(index, following);
        self.go_to(head);
        self.begin(done);
    }

    /// Visits the members of a set of bits.
    pub(super) fn each_bit(&mut self, set: Value, base: i64, visit: Visit<'_, 'b, 'c>) {
        self.each_bit_uncharged(set, &mut |body, bit| {
            body.charge();
            let value = body.plus(bit, base);
            visit(body, value);
        });
    }

    /// Visits the bits of a word without charging fuel.
    pub(super) fn each_bit_uncharged(&mut self, set: Value, visit: Visit<'_, 'b, 'c>) {
        let left = self.variable(set);
        let (head, inside, done) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let bits = self.get(left);
        self.branch(bits, inside, done);
        self.begin(inside);
        let bit = self.trailing_zeros(bits);
        self.ranged(bit, (0, 63));
        let less = self.add_imm(bits, -1);
        let rest = self.and(bits, less);
        self.set(left, rest);
        visit(self, bit);
        self.go_to(head);
        self.begin(done);
    }

    /// Visits the members of a bag of counts, with repetitions.
    pub(super) fn each_counted(
        &mut self,
        place: Place,
        base: i64,
        count: usize,
        visit: Visit<'_, 'b, 'c>,
    ) {
        let zero = self.constant(0);
        let index = self.variable(zero);
        let pieces = self.variable(zero);
        let (head, inside, some) = (self.block(), self.block(), self.block());
        let (next, done) = (self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let at = self.get(index);
        let below = self.is_below(at, count);
        self.branch(below, inside, done);
        self.begin(inside);
        let how_often = self.read(place, at, count, Slot::Word);
        self.set(pieces, how_often);
        let repeat = self.block();
        self.go_to(repeat);
        self.begin(repeat);
        let left = self.get(pieces);
        let any = self.compare(Condition::Greater, left, zero);
        self.branch(any, some, next);
        self.begin(some);
        self.charge();
        let fewer = self.add_imm(left, -1);
        self.set(pieces, fewer);
        let value = self.add_imm(at, base);
        self.ranged(value, (base, base + word(count) - 1));
        visit(self, value);
        self.go_to(repeat);
        self.begin(next);
        let following = self.add_imm(at, 1);
        self.set(index, following);
        self.go_to(head);
        self.begin(done);
    }

    /// Visits single values, skipping those that are none.
    fn each_item(&mut self, items: &'c [Code], visit: Visit<'_, 'b, 'c>) {
        if items.is_empty() {
            return;
        }
        if let [item] = items {
            let value = self.code(item);
            let is_some = self.is_some(value);
            self.if_nonzero(is_some, &mut |body| {
                let value = body.assume_some(value);
                visit(body, value);
            });
            return;
        }
        let constants = items.iter().map(|item| self.unit.compiled.constant(item));
        if let Some(constants) = constants.collect::<Option<Vec<_>>>()
            && !constants.contains(&NONE)
        {
            self.each_constant(constants, visit);
            return;
        }
        // Emit the body only once.
        let zero = self.constant(0);
        let index = self.variable(zero);
        let none = self.none();
        let item = self.variable(none);
        let (head, inside, next, done) = (self.block(), self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let at = self.get(index);
        let following = self.add_imm(at, 1);
        self.set(index, following);
        let blocks: Vec<_> = items.iter().map(|_| self.block()).collect();
        self.jump_by(at, &blocks, done);
        let mut bounds = Vec::with_capacity(items.len());
        for (block, code) in blocks.into_iter().zip(items) {
            self.begin(block);
            let value = self.code(code);
            self.set(item, value);
            bounds.push(self.bounds_of(value));
            self.go_to(inside);
        }
        self.begin(inside);
        let value = self.get(item);
        self.bounded_by_all(value, &bounds);
        let is_some = self.is_some(value);
        let visited = self.block();
        self.branch(is_some, visited, next);
        self.begin(visited);
        let value = self.assume_some(value);
        visit(self, value);
        self.go_to(next);
        self.begin(next);
        self.go_to(head);
        self.begin(done);
    }

    /// Visits constants.
    fn each_constant(&mut self, constants: Vec<i64>, visit: Visit<'_, 'b, 'c>) {
        let bounds = bounds_of_table(&constants);
        let last = word(constants.len()) - 1;
        let table = self.unit.keep_words(constants);
        let zero = self.constant(0);
        let index = self.variable(zero);
        let (head, done) = (self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let at = self.get(index);
        let value = self.of_table(table, at);
        self.as_typed(value, bounds);
        visit(self, value);
        let following = self.add_imm(at, 1);
        self.set(index, following);
        let is_last = self.equals(at, last);
        self.branch(is_last, done, head);
        self.begin(done);
    }

    fn mapped(&mut self, range: &'c Loop, value: &'c Code, visit: Visit<'_, 'b, 'c>) {
        if range.condition.is_none() {
            self.hoist_loop(&range.bindings, value);
        }
        self.run(&range.bindings, range.condition.as_slice(), &mut |body| {
            let value = body.code(value);
            let is_some = body.is_some(value);
            body.if_nonzero(is_some, &mut |body| {
                let value = body.assume_some(value);
                visit(body, value);
            });
        });
    }

    /// Visits the values of a source if a condition holds, which is evaluated when the first comes.
    fn each_when(&mut self, condition: &'c Code, source: &'c Source, visit: Visit<'_, 'b, 'c>) {
        let no = self.constant(0);
        let is_known = self.variable(no);
        let exit = self.exit();
        self.each(source, &mut |body, value| {
            let known = body.get(is_known);
            let (ask, go_on) = (body.block(), body.block());
            body.branch(known, go_on, ask);
            body.begin(ask);
            let holds = body.code(condition);
            body.leave_unless(holds, exit);
            let yes = body.constant(1);
            body.set(is_known, yes);
            body.go_to(go_on);
            body.begin(go_on);
            visit(body, value);
        });
        self.arrive(exit);
    }
}
