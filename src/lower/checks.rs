//! Checks of values against types.

use super::{
    availability::Available,
    body::{Body, Exit, Place},
    word,
};
use crate::code::{Check, Code, SiteId};
use crate::mir::{Callee, Condition, Object, Value};

impl<'c> Body<'_, 'c> {
    /// Reports a value outside its type.
    fn raise_outside(&mut self, value: Value, check: &'c Check, site: SiteId) {
        let check = self.object(check, || Object::Check(Box::new(check.clone())));
        let site = self.constant(i64::from(site));
        self.call(Callee::RaiseOutside, &[value, check, site]);
    }

    /// A value; fails if it is outside its type.
    pub(super) fn checked(&mut self, operand: &'c Code, check: &'c Check, site: SiteId) -> Value {
        let value = self.code(operand);
        match check {
            Check::Range {
                lo, hi, optional, ..
            } => {
                let done = self.block();
                if *optional {
                    let check = self.block();
                    let none = self.is_none(value);
                    self.branch(none, done, check);
                    self.begin(check);
                }
                let (lo, hi) = (self.code(lo), self.code(hi));
                let below = self.compare(Condition::Less, value, lo);
                let above = self.compare(Condition::Greater, value, hi);
                let outside = self.or(below, above);
                self.raise_if(outside, |body| body.raise_outside(value, check, site));
                if !*optional
                    && let (Some((least, _)), Some((_, greatest))) =
                        (self.range(lo), self.range(hi))
                {
                    let known = Available::Within(value, least, greatest);
                    self.availability.learn(known, value);
                }
                self.go_to(done);
                self.begin(done);
            }
            Check::Bits { .. } | Check::Each { .. } | Check::Entries { .. } => {
                let passes = self.is_of_type(value, check);
                let wrong = self.equals(passes, 0);
                self.raise_if(wrong, |body| body.raise_outside(value, check, site));
            }
        }
        value
    }

    /// Whether a value is within its type.
    pub(super) fn is_of_type(&mut self, value: Value, check: &'c Check) -> Value {
        match check {
            Check::Range {
                lo, hi, optional, ..
            } => {
                let (lo, hi) = (self.code(lo), self.code(hi));
                let above = self.compare(Condition::LessOrEqual, lo, value);
                let below = self.compare(Condition::LessOrEqual, value, hi);
                let inside = self.and(above, below);
                let none = self.is_none(value);
                let none_passes = self.and_imm(none, i64::from(*optional));
                self.or(inside, none_passes)
            }
            Check::Bits { allowed, .. } => {
                let others = self.and_imm(value, !allowed);
                let inside = self.equals(others, 0);
                let none = self.is_none(value);
                self.or(inside, none)
            }
            Check::Each { optional, .. } | Check::Entries { optional, .. } => {
                let no = self.constant(0);
                let result = self.variable(no);
                let wrong = self.exit();
                let passes = self.block();
                if *optional {
                    let check = self.block();
                    let none = self.is_none(value);
                    self.branch(none, passes, check);
                    self.begin(check);
                }
                self.leave_unless_all_pass(value, check, wrong);
                self.go_to(passes);
                self.begin(passes);
                let yes = self.constant(1);
                self.set(result, yes);
                self.arrive(wrong);
                self.get(result)
            }
        }
    }

    /// Leaves if a member or an entry of a value is outside its type.
    fn leave_unless_all_pass(&mut self, value: Value, check: &'c Check, wrong: Exit) {
        match check {
            Check::Each { shape, check, .. } => {
                self.each_member(value, shape, &mut |body, member| {
                    let passes = body.is_of_type(member, check);
                    body.leave_unless(passes, wrong);
                });
            }
            Check::Entries {
                domain,
                slot,
                check,
                ..
            } => {
                let (first, end) = (self.constant(0), self.constant(word(domain.count)));
                self.each_index(first, end, &mut |body, index| {
                    let entry = body.read(Place::At(value), index, domain.count, *slot);
                    let passes = body.is_of_type(entry, check);
                    body.leave_unless(passes, wrong);
                });
            }
            Check::Range { .. } | Check::Bits { .. } => {}
        }
    }
}
