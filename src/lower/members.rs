//! Loops over the contents of collections: members, entries of hashed sets, neighbours of a set of points.

use super::{
    body::{Body, Place},
    ranges::Visit,
    word,
};
use crate::code::{Code, Shape, Slot, Source};
use crate::mir::{Callee, Condition, Object, Value};

impl<'b, 'c> Body<'b, 'c> {
    /// Visits the members of a collection.
    pub(super) fn each_member(&mut self, set: Value, shape: &'c Shape, visit: Visit<'_, 'b, 'c>) {
        match shape {
            Shape::Bits { domain } => self.each_bit_uncharged(set, &mut |body, bit| {
                let value = body.value_of(*domain, bit);
                visit(body, value);
            }),
            Shape::Words { domain, words } => {
                self.each_word(Place::At(set), domain.base, *words, visit);
            }
            Shape::Counts { domain } => {
                self.each_counted(Place::At(set), domain.base, domain.count, visit);
            }
            Shape::Pile { slot, .. } => self.each_element(set, slot, visit),
            Shape::Hashed { hashed } => self.each_entry_of(set, *hashed, visit),
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => {}
        }
    }

    /// Visits the elements of a pile.
    pub(super) fn each_element(&mut self, pile: Value, slot: &'c Slot, visit: Visit<'_, 'b, 'c>) {
        let first = self.constant(0);
        let length = self.length_of(pile);
        let last = self.add_imm(length, -1);
        self.each_number(first, last, &mut |body, index| {
            let value = body.element(pile, index, slot);
            visit(body, value);
        });
    }

    /// Visits the entries of a hashed set or bag in ascending order.
    pub(super) fn each_entry_of(&mut self, set: Value, hashed: usize, visit: Visit<'_, 'b, 'c>) {
        let hashed = self.constant(word(hashed));
        self.call(Callee::BeginEntries, &[set, hashed]);
        self.each_next(Callee::NextEntry, visit);
    }

    /// Visits the neighbours of a set of points that are not in it.
    pub(super) fn each_around(&mut self, grid: u32, points: &'c Source, visit: Visit<'_, 'b, 'c>) {
        let grid = self.constant(i64::from(grid));
        let place = self.call(Callee::BeginAround, &[grid]);
        self.searches += 1;
        self.each(points, &mut |body, point| {
            body.call(Callee::AddPoint, &[place, point]);
        });
        self.searches -= 1;
        self.each_next(Callee::NextPoint, visit);
    }

    /// Visits the results of the innermost search, and ends it.
    fn each_next(&mut self, next: Callee, visit: Visit<'_, 'b, 'c>) {
        let (head, inside, done) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let value = self.call(next, &[]);
        let is_some = self.is_some(value);
        self.branch(is_some, inside, done);
        self.begin(inside);
        self.searches += 1;
        visit(self, value);
        self.searches -= 1;
        self.go_to(head);
        self.begin(done);
        self.call(Callee::EndSearch, &[]);
    }

    /// Whether a collection contains a value.
    pub(super) fn has(&mut self, item: &'c Code, set: &'c Code, shape: &'c Shape) -> Value {
        let item = self.code(item);
        let set = self.place(set);
        self.has_value(item, set, shape)
    }

    /// The same, for a value and a collection that are already evaluated.
    fn has_value(&mut self, item: Value, set: Place, shape: &'c Shape) -> Value {
        match shape {
            Shape::Bits { domain } => {
                let set = self.handle(set);
                let index = self.index_in(*domain, item);
                let has = self.has_bit(set, index, domain.count);
                self.and_some(item, has)
            }
            Shape::Words { domain, words } => {
                let has = self.read_if_in(*domain, item, &mut |body, index| {
                    let word = body.shr_imm(index, 6);
                    let word = body.read(set, word, *words, Slot::Word);
                    let shifted = body.shr(word, index);
                    body.and_imm(shifted, 1)
                });
                self.and_some(item, has)
            }
            Shape::Counts { domain } => {
                let has = self.read_if_in(*domain, item, &mut |body, index| {
                    let pieces = body.read(set, index, domain.count, Slot::Word);
                    let zero = body.constant(0);
                    body.compare(Condition::Greater, pieces, zero)
                });
                self.and_some(item, has)
            }
            Shape::Hashed { hashed } => {
                let set = self.handle(set);
                let hashed = self.constant(word(*hashed));
                self.call(Callee::HasHashed, &[set, item, hashed])
            }
            Shape::Pile { .. } => {
                let set = self.handle(set);
                let shape = self.object(shape, || Object::Shape(shape.clone()));
                self.call(Callee::Has, &[item, set, shape])
            }
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => self.constant(0),
        }
    }

    fn and_some(&mut self, item: Value, has: Value) -> Value {
        let is_some = self.is_some(item);
        self.and(is_some, has)
    }

    /// Whether one collection is a subset of another, which is evaluated first.
    pub(super) fn within_set(
        &mut self,
        left: &'c Source,
        right: &'c Code,
        shape: &'c Shape,
    ) -> Value {
        let right = self.place(right);
        let no = self.constant(0);
        let result = self.variable(no);
        let exit = self.exit();
        self.each(left, &mut |body, value| {
            let has = body.has_value(value, right, shape);
            body.leave_unless(has, exit);
        });
        let yes = self.constant(1);
        self.set(result, yes);
        self.arrive(exit);
        self.get(result)
    }

    /// Whether one bag has no more of anything than another.
    pub(super) fn counts_within(
        &mut self,
        bags: &'c (Code, Code),
        left: &'c Shape,
        right: &'c Shape,
    ) -> Value {
        let (Shape::Counts { domain }, Shape::Counts { domain: wider }) = (left, right) else {
            self.both(bags);
            return self.constant(0);
        };
        let (fewer, more) = (self.place(&bags.0), self.place(&bags.1));
        let no = self.constant(0);
        let result = self.variable(no);
        let exit = self.exit();
        let (first, end) = (self.constant(0), self.constant(word(domain.count)));
        self.each_index(first, end, &mut |body, index| {
            let count = body.read(fewer, index, domain.count, Slot::Word);
            let value = body.value_of(*domain, index);
            let room = body.read_if_in(*wider, value, &mut |body, index| {
                body.read(more, index, wider.count, Slot::Word)
            });
            let fits = body.compare(Condition::LessOrEqual, count, room);
            body.leave_unless(fits, exit);
        });
        let yes = self.constant(1);
        self.set(result, yes);
        self.arrive(exit);
        self.get(result)
    }
}
