//! Numbers, and members so many places on.

use cranelift_codegen::ir::{InstBuilder, Value, condcodes::IntCC, types::I64};

use super::{body::Body, calls::Callee};
use crate::code::{After, Code};

impl<'c> Body<'_, 'c> {
    /// A member so many places on.
    pub(super) fn after(&mut self, after: &'c After) -> Value {
        let place = self.code(&after.operand);
        let steps = self.code(&after.steps);
        let count = self.code(&after.count);
        let steps = if after.before {
            self.builder.ins().ineg(steps)
        } else {
            steps
        };
        if after.ring {
            let few = self.compare(IntCC::UnsignedLessThan, steps, count);
            let result = self.variable(steps);
            let (many, done) = (self.block(), self.block());
            self.branch(few, done, many);
            self.begin(many);
            // Seldom more than once around.
            let steps = self.call(Callee::Modulo, &[steps, count]);
            self.set(result, steps);
            self.go_to(done);
            self.begin(done);
            let steps = self.get(result);
            let there = self.builder.ins().iadd(place, steps);
            let around = self.builder.ins().isub(there, count);
            let within = self.compare(IntCC::SignedLessThan, there, count);
            return self.select(within, there, around);
        }
        let (there, overflow) = self.builder.ins().sadd_overflow(place, steps);
        let overflow = self.builder.ins().uextend(I64, overflow);
        let within = self.compare(IntCC::UnsignedLessThan, there, count);
        let none = self.none();
        let found = self.select(within, there, none);
        self.select(overflow, none, found)
    }

    /// What becomes of numbers; too large a one makes machine code give up.
    pub(super) fn arithmetic(&mut self, code: &'c Code) -> Value {
        if let Some(constant) = self.unit.compiled.constant(code) {
            return self.constant(constant);
        }
        let (value, overflow) = match code {
            Code::Add(pair, _) => {
                let (left, right) = self.both(pair);
                self.builder.ins().sadd_overflow(left, right)
            }
            Code::Subtract(pair, _) => {
                let (left, right) = self.both(pair);
                self.builder.ins().ssub_overflow(left, right)
            }
            Code::Multiply(pair, _) => {
                let (left, right) = self.both(pair);
                self.builder.ins().smul_overflow(left, right)
            }
            Code::Negate(operand, _) => {
                let operand = self.code(operand);
                let nothing = self.constant(0);
                self.builder.ins().ssub_overflow(nothing, operand)
            }
            Code::Apart(pair, _) => {
                let (left, right) = self.both(pair);
                let (value, overflow) = self.builder.ins().ssub_overflow(left, right);
                (self.builder.ins().iabs(value), overflow)
            }
            Code::Divide(pair, _) => return self.divided(pair, Callee::Divide),
            Code::Modulo(pair, _) => return self.divided(pair, Callee::Modulo),
            other => return self.interpret(other),
        };
        let overflow = self.builder.ins().uextend(I64, overflow);
        self.fail_if(overflow);
        // The least number is none.
        let none = self.is_none(value);
        self.fail_if(none);
        value
    }

    /// A quotient, rounded down, or the rest.
    fn divided(&mut self, pair: &'c (Code, Code), callee: Callee) -> Value {
        let (left, right) = self.both(pair);
        let zero = self.constant(0);
        let found = self.variable(zero);
        let (plain, others, done) = (self.block(), self.block(), self.block());
        // By what is more than 0 no quotient is too large.
        let is_plain = self.compare(IntCC::SignedGreaterThan, right, zero);
        self.branch(is_plain, plain, others);
        self.begin(plain);
        let rest = match self.unit.compiled.constant(&pair.1) {
            Some(right) if right > 0 => self.builder.ins().srem_imm(left, right),
            _ => self.builder.ins().srem(left, right),
        };
        // All bits are set where the rest is negative.
        let below = self.builder.ins().sshr_imm(rest, 63);
        let value = if callee == Callee::Modulo {
            let more = self.builder.ins().band(below, right);
            self.builder.ins().iadd(rest, more)
        } else {
            let quotient = match self.unit.compiled.constant(&pair.1) {
                Some(right) if right > 0 => self.builder.ins().sdiv_imm(left, right),
                _ => self.builder.ins().sdiv(left, right),
            };
            self.builder.ins().iadd(quotient, below)
        };
        self.set(found, value);
        self.go_to(done);
        self.begin(others);
        let value = self.call(callee, &[left, right]);
        self.set(found, value);
        self.go_to(done);
        self.begin(done);
        let value = self.get(found);
        let none = self.is_none(value);
        self.fail_if(none);
        value
    }
}
