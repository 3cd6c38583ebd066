//! Arithmetic, and steps from member to member.

use super::body::Body;
use crate::mir::{Callee, Checked, Condition, Value};
use crate::{
    code::{After, Code, NONE, SiteId},
    mir::{RAISE_OVERFLOW, RAISE_ZERO},
};

#[derive(Debug, Clone, Copy)]
pub(super) enum Calculation {
    Sum,
    Difference,
    Product,
}

impl<'c> Body<'_, 'c> {
    /// The member that comes a number of places after another.
    pub(super) fn after(&mut self, after: &'c After) -> Value {
        let place = self.code(&after.operand);
        let steps = self.code(&after.steps);
        let count = self.code(&after.count);
        let steps = if after.before { self.neg(steps) } else { steps };
        if after.ring {
            let few = self.compare(Condition::Below, steps, count);
            let result = self.variable(steps);
            let (many, done) = (self.block(), self.block());
            self.branch(few, done, many);
            self.begin(many);
            // Rarely more than once around.
            let steps = self.call(Callee::Modulo, &[steps, count]);
            self.set(result, steps);
            self.go_to(done);
            self.begin(done);
            let steps = self.get(result);
            let sum = self.add(place, steps);
            let around = self.sub(sum, count);
            let within = self.compare(Condition::Less, sum, count);
            return self.select(within, sum, around);
        }
        let (sum, overflow) = self.builder.checked(Checked::Add, place, steps);
        let within = self.compare(Condition::Below, sum, count);
        let none = self.none();
        let found = self.select(within, sum, none);
        self.select(overflow, none, found)
    }

    /// The value of an arithmetic expression; fails on overflow.
    pub(super) fn arithmetic(&mut self, code: &'c Code) -> Value {
        if let Some(constant) = self.unit.compiled.constant(code) {
            return self.constant(constant);
        }
        match code {
            Code::Add(pair, site) => {
                let (left, right) = self.both(pair);
                self.calculated(Calculation::Sum, left, right, *site)
            }
            Code::Subtract(pair, site) => {
                let (left, right) = self.both(pair);
                self.calculated(Calculation::Difference, left, right, *site)
            }
            Code::Multiply(pair, site) => {
                let (left, right) = self.both(pair);
                self.calculated(Calculation::Product, left, right, *site)
            }
            Code::Negate(operand, site) => {
                let operand = self.code(operand);
                let nothing = self.constant(0);
                self.calculated(Calculation::Difference, nothing, operand, *site)
            }
            Code::Apart(pair, site) => {
                let (left, right) = self.both(pair);
                let apart = self.calculated(Calculation::Difference, left, right, *site);
                let most = self
                    .range(apart)
                    .map(|(least, greatest)| least.saturating_abs().max(greatest));
                let distance = self.abs(apart);
                self.ranged(distance, (0, most.unwrap_or(i64::MAX)))
            }
            Code::Divide(pair, site) => self.divided(pair, Callee::Divide, *site),
            Code::DivideEven(pair, site) => self.divided_even(pair, *site),
            Code::Modulo(pair, site) => self.divided(pair, Callee::Modulo, *site),
            other => unreachable!("no arithmetic: {other:?}"),
        }
    }

    /// A quotient rounded down, or the remainder.
    fn divided(&mut self, pair: &'c (Code, Code), callee: Callee, site: SiteId) -> Value {
        let (left, right) = self.both(pair);
        if let Some((_, most)) = self.range(right).filter(|(least, _)| *least > 0) {
            let value = self.divided_by(left, right, callee, most);
            let none = self.is_none(value);
            self.trouble_if(none, RAISE_OVERFLOW, site);
            return value;
        }
        if self.unit.is_exact {
            let is_zero = self.equals(right, 0);
            self.trouble_if(is_zero, RAISE_ZERO, site);
            let beyond = self.is_beyond(left, right, callee);
            self.trouble_if(beyond, RAISE_OVERFLOW, site);
        }
        let zero = self.constant(0);
        let found = self.variable(zero);
        let (plain, others, done) = (self.block(), self.block(), self.block());
        // For a positive divisor, no quotient overflows.
        let is_plain = self.compare(Condition::Greater, right, zero);
        self.branch(is_plain, plain, others);
        self.begin(plain);
        let value = self.divided_by(left, right, callee, i64::MAX);
        self.set(found, value);
        self.go_to(done);
        self.begin(others);
        let value = self.call(callee, &[left, right]);
        self.set(found, value);
        self.go_to(done);
        self.begin(done);
        let value = self.get(found);
        let none = self.is_none(value);
        self.trouble_if(none, RAISE_OVERFLOW, site);
        value
    }

    /// A quotient rounded to the nearest number.
    fn divided_even(&mut self, pair: &'c (Code, Code), site: SiteId) -> Value {
        let (left, right) = self.both(pair);
        if self.unit.is_exact {
            let is_zero = self.equals(right, 0);
            self.trouble_if(is_zero, RAISE_ZERO, site);
            let beyond = self.is_beyond(left, right, Callee::DivideEven);
            self.trouble_if(beyond, RAISE_OVERFLOW, site);
        }
        let value = self.call(Callee::DivideEven, &[left, right]);
        let none = self.is_none(value);
        self.trouble_if(none, RAISE_OVERFLOW, site);
        value
    }

    /// Whether a quotient overflows: only the least number that is not none can, divided by -1.
    fn is_beyond(&mut self, left: Value, right: Value, callee: Callee) -> Value {
        if callee == Callee::Modulo {
            return self.constant(0);
        }
        let least = self.equals(left, i64::MIN);
        let negated = self.equals(right, -1);
        self.and(least, negated)
    }

    /// The same, for a positive divisor of at most `most`.
    fn divided_by(&mut self, left: Value, right: Value, callee: Callee, most: i64) -> Value {
        // A divisor of constant 0 is never reached.
        let constant = self.constant_of(right).filter(|right| *right > 0);
        let range = self.range(left);
        let is_rest = callee == Callee::Modulo;
        if let Some((least, greatest)) = range.filter(|(least, _)| *least >= 0) {
            let value = if is_rest {
                self.unsigned_rem(left, right)
            } else {
                self.unsigned_div(left, right)
            };
            let ends = match (is_rest, constant) {
                (true, Some(right)) => (0, greatest.min(right - 1)),
                (true, None) => (0, greatest.min(most - 1)),
                (false, Some(right)) => (least / right, greatest / right),
                (false, None) => (0, greatest),
            };
            return self.ranged(value, ends);
        }
        let rest = self.rem(left, right);
        // All bits are set if the remainder is negative.
        let below = self.sar_imm(rest, 63);
        if is_rest {
            let more = self.and(below, right);
            let value = self.add(rest, more);
            return self.ranged(value, (0, most - 1));
        }
        let quotient = self.div(left, right);
        let value = self.add(quotient, below);
        match (range, constant) {
            (Some((least, greatest)), Some(right)) => {
                self.ranged(value, (least.div_euclid(right), greatest.div_euclid(right)))
            }
            _ => value,
        }
    }

    /// A value plus a constant. The sum must not overflow wherever the result is used.
    pub(super) fn plus(&mut self, value: Value, constant: i64) -> Value {
        if constant == 0 {
            return value;
        }
        let range = self.range(value);
        let sum = self.add_imm(value, constant);
        if let Some((least, greatest)) = range
            && let (Some(least), Some(greatest)) =
                (least.checked_add(constant), greatest.checked_add(constant))
        {
            self.ranged(sum, (least, greatest));
        }
        sum
    }

    /// The sum of two indices.
    pub(super) fn sum_of(&mut self, left: Value, right: Value) -> Value {
        let ranges = (self.range(left), self.range(right));
        if self.constant_of(left) == Some(0) {
            return right;
        }
        let sum = self.add(left, right);
        if let (Some(left), Some(right)) = ranges
            && let (Some(least), Some(greatest)) =
                (left.0.checked_add(right.0), left.1.checked_add(right.1))
        {
            self.ranged(sum, (least, greatest));
        }
        sum
    }

    /// An index times a constant.
    pub(super) fn times(&mut self, value: Value, by: i64) -> Value {
        if by == 1 {
            return value;
        }
        let range = self.range(value);
        let product = self.mul_imm(value, by);
        if let Some((least, greatest)) = range
            && by > 0
            && let (Some(least), Some(greatest)) = (least.checked_mul(by), greatest.checked_mul(by))
        {
            self.ranged(product, (least, greatest));
        }
        product
    }

    /// The result of a calculation; fails on overflow.
    pub(super) fn calculated(
        &mut self,
        how: Calculation,
        left: Value,
        right: Value,
        site: SiteId,
    ) -> Value {
        let span = self.span(how, left, right);
        let smallest = i128::from(NONE) + 1;
        let largest = i128::from(i64::MAX);
        let overflows = span.is_none_or(|(least, most)| least < smallest - 1 || most > largest);
        let value = if overflows {
            let op = match how {
                Calculation::Sum => Checked::Add,
                Calculation::Difference => Checked::Sub,
                Calculation::Product => Checked::Mul,
            };
            self.checked_by(op, left, right, site)
        } else {
            match how {
                Calculation::Sum => self.add(left, right),
                Calculation::Difference => self.sub(left, right),
                Calculation::Product => self.mul(left, right),
            }
        };
        // The least word is none.
        if span.is_none_or(|(least, _)| least < smallest) {
            let none = self.is_none(value);
            self.trouble_if(none, RAISE_OVERFLOW, site);
        }
        let (least, most) = span.unwrap_or((smallest, largest));
        let clamped = |number: i128| i64::try_from(number.clamp(smallest, largest)).unwrap_or(0);
        self.ranged(value, (clamped(least), clamped(most)))
    }

    /// The range of a calculation's results.
    fn span(&self, how: Calculation, left: Value, right: Value) -> Option<(i128, i128)> {
        let wide = |(least, greatest)| (i128::from(least), i128::from(greatest));
        let left: (i128, i128) = wide(self.range(left)?);
        let right: (i128, i128) = wide(self.range(right)?);
        Some(match how {
            Calculation::Sum => (left.0 + right.0, left.1 + right.1),
            Calculation::Difference => (left.0 - right.1, left.1 - right.0),
            Calculation::Product => {
                let corners = [
                    left.0 * right.0,
                    left.0 * right.1,
                    left.1 * right.0,
                    left.1 * right.1,
                ];
                let least = corners.iter().copied().min()?;
                (least, corners.iter().copied().max()?)
            }
        })
    }
}
