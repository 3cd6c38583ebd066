//! Conditions as branches: their value is not materialised.

use super::body::Body;
use crate::code::{Code, NONE};
use crate::mir::{Block, Condition, Value};

/// An expression that is evaluated only if another has a value, compared with a value.
struct LiftedEqual<'c> {
    lifted: &'c Code,
    other: Other<'c>,
}

/// The value of the comparison.
enum Other<'c> {
    Constant(i64),
    Code(&'c Code),
}

impl<'c> LiftedEqual<'c> {
    fn of(code: &'c Code) -> Option<LiftedEqual<'c>> {
        let is_lifted = |code: &Code| matches!(code, Code::Lift { .. });
        match code {
            Code::EqualConstant(lifted, value) if is_lifted(lifted) => Some(LiftedEqual {
                lifted,
                other: Other::Constant(*value),
            }),
            Code::Equal(pair) => {
                let (lifted, other) = match &**pair {
                    (lifted, other) if is_lifted(lifted) => (lifted, other),
                    (other, lifted) if is_lifted(lifted) => (lifted, other),
                    _ => return None,
                };
                Some(LiftedEqual {
                    lifted,
                    other: Other::Code(other),
                })
            }
            _ => None,
        }
    }
}

impl<'c> Body<'_, 'c> {
    /// Branches to `no` if a condition does not hold, and continues in a new block if it does.
    pub(super) fn unless_holds(&mut self, code: &'c Code, no: Block) {
        match code {
            Code::And(pair) => {
                self.unless_holds(&pair.0, no);
                self.unless_holds(&pair.1, no);
            }
            Code::Or(pair) => {
                let yes = self.block();
                self.if_holds(&pair.0, yes);
                self.unless_holds(&pair.1, no);
                self.go_to(yes);
                self.begin(yes);
            }
            Code::Not(operand) => self.if_holds(operand, no),
            other => {
                let next = self.block();
                self.branch_on(other, next, no);
                self.begin(next);
            }
        }
    }

    /// Branches to `yes` if a condition holds, and continues in a new block if it does not.
    pub(super) fn if_holds(&mut self, code: &'c Code, yes: Block) {
        match code {
            Code::Or(pair) => {
                self.if_holds(&pair.0, yes);
                self.if_holds(&pair.1, yes);
            }
            Code::And(pair) => {
                let no = self.block();
                self.unless_holds(&pair.0, no);
                self.if_holds(&pair.1, yes);
                self.go_to(no);
                self.begin(no);
            }
            Code::Not(operand) => self.unless_holds(operand, yes),
            other => {
                let next = self.block();
                self.branch_on(other, yes, next);
                self.begin(next);
            }
        }
    }

    /// Branches by a condition.
    fn branch_on(&mut self, code: &'c Code, yes: Block, no: Block) {
        if let Code::Some(range) | Code::No(range) = code
            && Body::is_gone_through(range)
        {
            let (found, nothing) = if matches!(code, Code::Some(_)) {
                (yes, no)
            } else {
                (no, yes)
            };
            self.branch_on_some(range, found, nothing);
            return;
        }
        let Some(equal) = LiftedEqual::of(code) else {
            let holds = self.code(code);
            self.branch(holds, yes, no);
            return;
        };
        let other = match equal.other {
            Other::Constant(value) => self.constant(value),
            Other::Code(other) => self.code(other),
        };
        self.branch_on_lifted(equal.lifted, other, yes, no);
    }

    /// Branches by whether an expression equals a value.
    fn branch_on_lifted(&mut self, code: &'c Code, other: Value, yes: Block, no: Block) {
        let Code::Lift {
            local,
            operand,
            body,
        } = code
        else {
            let value = self.code(code);
            let same = self.compare(Condition::Equal, value, other);
            self.branch(same, yes, no);
            return;
        };
        let value = self.code(operand);
        let none = self.is_none(value);
        let (missing, inside) = (self.block(), self.block());
        self.branch(none, missing, inside);
        self.begin(missing);
        let same = self.equals(other, NONE);
        self.branch(same, yes, no);
        self.begin(inside);
        let assumed = self.assume_some(value);
        self.set_local(*local, assumed);
        self.branch_on_lifted(body, other, yes, no);
    }
}
