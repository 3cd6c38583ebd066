//! One of several expressions: by a table of their numbers, or by conditions.

use cranelift_codegen::ir::Value;

use super::body::Body;
use crate::code::{Code, Dense, If, NONE, Switch};

impl<'c> Body<'_, 'c> {
    pub(super) fn dense(&mut self, table: &'c Dense) -> Value {
        let index = self.index(&table.keys);
        self.by_rows(&table.rows, &table.values, index, &mut |body, value| {
            body.code(value)
        })
    }

    pub(super) fn switch(&mut self, switch: &'c Switch) -> Value {
        let operand = self.code(&switch.operand);
        self.by_rows(&switch.rows, &switch.values, operand, &mut |body, value| {
            body.code(value)
        })
    }

    /// What is made of one of several expressions, by the row that an index has.
    pub(super) fn by_rows(
        &mut self,
        rows: &'c [u16],
        values: &'c [Code],
        index: Value,
        make: &mut dyn FnMut(&mut Self, &'c Code) -> Value,
    ) -> Value {
        self.fail_unless_below(index, rows.len());
        let row = self.of_rows(rows, index);
        let nothing = self.constant(NONE);
        let result = self.variable(nothing);
        let done = self.block();
        let failed = self.block();
        let blocks: Vec<_> = values.iter().map(|_| self.block()).collect();
        self.jump_by_row(row, &blocks, failed);
        for (block, value) in blocks.into_iter().zip(values) {
            self.begin(block);
            let value = make(self, value);
            self.set(result, value);
            self.go_to(done);
        }
        self.begin(failed);
        self.fail();
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }

    pub(super) fn either(&mut self, choice: &'c If) -> Value {
        let nothing = self.constant(0);
        let result = self.variable(nothing);
        let (otherwise, done) = (self.block(), self.block());
        for condition in &choice.conditions {
            self.unless_holds(condition, otherwise);
        }
        let value = self.code(&choice.value);
        self.set(result, value);
        self.go_to(done);
        self.begin(otherwise);
        let value = self.code(&choice.otherwise);
        self.set(result, value);
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }
}
