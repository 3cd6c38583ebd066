//! One of several expressions, selected by a table or by conditions.

use super::body::Body;
use crate::mir::{Block, Table, Value, Width};
use crate::{
    code::{Code, Dense, If, NONE, SiteId, Switch},
    mir::RAISE_NO_ROW,
};

impl<'c> Body<'_, 'c> {
    pub(super) fn dense(&mut self, table: &'c Dense) -> Value {
        if let Some((condition, yes, no)) = yes_or_no(table) {
            let otherwise = self.block();
            self.unless_holds(condition, otherwise);
            return self.one_of(yes, no, otherwise);
        }
        let index = self.index(&table.keys);
        self.by_rows(
            &table.rows,
            &table.values,
            index,
            table.site,
            &mut |body, value| body.code(value),
        )
    }

    pub(super) fn switch(&mut self, switch: &'c Switch) -> Value {
        let operand = self.code(&switch.operand);
        self.by_rows(
            &switch.rows,
            &switch.values,
            operand,
            switch.site,
            &mut |body, value| body.code(value),
        )
    }

    /// The result of `make` for the expression that an index selects.
    pub(super) fn by_rows(
        &mut self,
        rows: &'c [u16],
        values: &'c [Code],
        index: Value,
        site: SiteId,
        make: &mut dyn FnMut(&mut Self, &'c Code) -> Value,
    ) -> Value {
        if self.unit.is_exact {
            let beyond = self.is_below(index, rows.len());
            let beyond = self.equals(beyond, 0);
            self.trouble_if(beyond, RAISE_NO_ROW, site);
        }
        self.fail_unless_below(index, rows.len());
        let table = self.unit.table(Table::Rows(rows.into()));
        let row = self.of_narrow(table, index, Width::Row);
        let nothing = self.constant(NONE);
        let result = self.variable(nothing);
        let done = self.block();
        let failed = self.block();
        let blocks: Vec<_> = values.iter().map(|_| self.block()).collect();
        let is_complete = rows.iter().all(|row| usize::from(*row) < values.len());
        match blocks.split_last() {
            Some((last, others)) if is_complete => self.jump_by_row(row, others, *last),
            _ => self.jump_by_row(row, &blocks, failed),
        }
        let mut bounds = Vec::with_capacity(values.len());
        for (block, value) in blocks.into_iter().zip(values) {
            self.begin(block);
            let value = make(self, value);
            self.set(result, value);
            bounds.push(self.bounds_of(value));
            self.go_to(done);
        }
        self.begin(failed);
        let always = self.constant(1);
        self.trouble_if(always, RAISE_NO_ROW, site);
        self.go_to(done);
        self.begin(done);
        let result = self.get(result);
        self.bounded_by_all(result, &bounds);
        result
    }

    pub(super) fn either(&mut self, choice: &'c If) -> Value {
        let otherwise = self.block();
        for condition in &choice.conditions {
            self.unless_holds(condition, otherwise);
        }
        self.one_of(&choice.value, &choice.otherwise, otherwise)
    }

    /// The value of one expression here, or of another if control goes to `otherwise`.
    fn one_of(&mut self, value: &'c Code, other: &'c Code, otherwise: Block) -> Value {
        let nothing = self.constant(0);
        let result = self.variable(nothing);
        let done = self.block();
        let value = self.code(value);
        self.set(result, value);
        let here = self.bounds_of(value);
        self.go_to(done);
        self.begin(otherwise);
        let value = self.code(other);
        self.set(result, value);
        let other = self.bounds_of(value);
        self.go_to(done);
        self.begin(done);
        let result = self.get(result);
        self.bounded_by_all(result, &[here, other]);
        result
    }
}

/// If the only key of a table is a condition: that, and the values for yes and no.
fn yes_or_no(table: &Dense) -> Option<(&Code, &Code, &Code)> {
    let ([key], [no, yes]) = (&*table.keys, &*table.rows) else {
        return None;
    };
    let is_condition = key.domain.base == 0 && !key.domain.optional && key.stride == 1;
    let value = |row: &u16| table.values.get(usize::from(*row));
    is_condition.then_some((&key.code, value(yes)?, value(no)?))
}
