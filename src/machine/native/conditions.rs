//! Conditions, of which nobody asks for the value but only where to go.

use cranelift_codegen::ir::Block;

use super::body::Body;
use crate::code::Code;

impl<'c> Body<'_, 'c> {
    /// Goes on in a new block only where a condition holds, and else to another.
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
                let holds = self.code(other);
                self.unless_zero(holds, no);
            }
        }
    }

    /// Goes to a block where a condition holds, and else on in a new one.
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
                let holds = self.code(other);
                let next = self.block();
                self.branch(holds, yes, next);
                self.begin(next);
            }
        }
    }
}
