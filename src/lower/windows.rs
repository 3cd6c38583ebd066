//! Whether a condition holds for so many numbers in a row: for each number it is asked once, without a jump, and rows that
//! overlap share the answers.

use super::{body::Body, few::takes_no_loop, word};
use crate::code::{Bounds, Code, Source};
use crate::mir::{Condition, Value};

/// How many numbers may be asked for, and how many pieces all of that may have.
const MOST_NUMBERS: i64 = 32;
const MOST_PIECES: i64 = 512;

/// Some values of one variable for which all values of another fulfil a condition, which asks only for the difference.
pub(super) struct Windows<'c> {
    condition: &'c Code,
    /// The other variable less the one.
    difference: (u32, u32),
    /// The first and the last value of each.
    inner: (i64, i64),
    outer: (i64, i64),
}

/// The difference that is asked for, and what it is now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Difference {
    of: (u32, u32),
    value: Value,
}

impl<'c> Windows<'c> {
    /// What a loop asks for, if it is that.
    pub(super) fn of(
        body: &Body<'_, 'c>,
        outer: u32,
        source: &Source,
        conditions: &[&'c Code],
    ) -> Option<Windows<'c>> {
        let ([Code::No(range)], Source::Span(ends)) = (conditions, source) else {
            return None;
        };
        let ([(inner, Source::Span(inner_ends))], Some(Code::Not(condition))) =
            (&*range.bindings, &range.condition)
        else {
            return None;
        };
        let (outer_ends, inner_ends) = (body.few(ends)?, body.few(inner_ends)?);
        let numbers = inner_ends.1 - inner_ends.0 + outer_ends.1 - outer_ends.0 + 1;
        let difference = (*inner, outer);
        let (mut pieces, mut mentions, mut differences) = (0, 0, 0);
        condition.each(&mut |piece| {
            pieces += 1;
            mentions += i64::from(
                matches!(piece, Code::Local(local) if *local == *inner || *local == outer),
            );
            differences += i64::from(is_difference(piece, difference));
        });
        let plain = !condition.any(&|piece| !takes_no_loop(piece));
        let fits = numbers <= MOST_NUMBERS && numbers * pieces <= MOST_PIECES;
        (plain && fits && differences > 0 && mentions == 2 * differences).then_some(Windows {
            condition,
            difference,
            inner: inner_ends,
            outer: outer_ends,
        })
    }
}

/// Whether an expression is one variable less another.
fn is_difference(code: &Code, (left, right): (u32, u32)) -> bool {
    let Code::Subtract(pair, _) = code else {
        return false;
    };
    matches!(**pair, (Code::Local(one), Code::Local(other)) if one == left && other == right)
}

impl<'c> Body<'_, 'c> {
    /// Does something for each value for which all of a row fulfil the condition.
    pub(super) fn each_window(&mut self, windows: &Windows<'c>, then: &mut dyn FnMut(&mut Self)) {
        let ((lo, hi), (first, last)) = (windows.outer, windows.inner);
        let lowest = first - hi;
        self.have_ready(windows.condition);
        let mut mask = self.constant(0);
        for number in lowest..=last - lo {
            let value = self.constant(number);
            let of = windows.difference;
            self.difference = Some(Difference { of, value });
            let holds = self.code(windows.condition);
            let bit = self.shl_imm(holds, number - lowest);
            mask = self.or(mask, bit);
        }
        self.difference = None;
        let row = u64::MAX >> (63 - last.abs_diff(first));
        let visited = self.begin_short(lo);
        for value in lo..=hi {
            let number = self.constant(value);
            self.set(visited, number);
            let from = self.shr_imm(mask, first - value - lowest);
            let row_of = self.constant(row.cast_signed());
            let missing = self.and_not(row_of, from);
            // All of a row up to the first that does not fulfil it are taken for work.
            let end = self.or_imm(missing, 1 << (last - first));
            let before = self.trailing_zeros(end);
            let asked = self.add_imm(before, 1);
            self.works_within(asked);
            let (all, next) = (self.block(), self.block());
            self.branch(missing, next, all);
            self.begin(all);
            then(self);
            self.go_to(next);
            self.begin(next);
        }
        self.end_short(lo, hi);
    }

    /// The difference of two variables, where an expression asks for just that and it is known.
    pub(super) fn known_difference(&self, code: &Code) -> Option<Value> {
        let difference = self.difference?;
        is_difference(code, difference.of).then_some(difference.value)
    }

    /// An entry where there is a key, without a jump; nothing where that cannot be.
    pub(super) fn lift_without_jump(
        &mut self,
        local: u32,
        key: Value,
        body: &'c Code,
    ) -> Option<Value> {
        self.difference?;
        let Code::Entry(entry) = body else {
            return None;
        };
        let is_key = matches!(entry.key, Code::Local(at) if at == local);
        let bounds = self.bounds_of(key)?;
        let domain = entry.domain;
        let inside = bounds.least >= domain.base
            && bounds.greatest - domain.base < word(domain.count)
            && !domain.optional;
        let (there, stands) = self.kept_as(key)?;
        if !is_key || !inside {
            return None;
        }
        let stands = self.constant(stands);
        let none = self.compare(Condition::Equal, there, stands);
        let any = self.constant(bounds.least);
        let place = self.builder.select(none, any, there);
        self.ranged(place, (bounds.least, bounds.greatest));
        self.set_local(local, place);
        let value = self.code(body);
        let found = self.bounds_of(value)?;
        if let Some((kept, absent)) = self.kept_as(value) {
            let missing = self.constant(absent);
            let kept = self.builder.select(none, missing, kept);
            return Some(self.but_none(kept, absent, (found.least, found.greatest)));
        }
        let nothing = self.none();
        let result = self.builder.select(none, nothing, value);
        let bounds = Bounds {
            optional: true,
            ..found
        };
        Some(self.bounded(result, bounds))
    }
}
