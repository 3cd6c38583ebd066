//! Tables: rows that fire, and how their values are combined.

use super::{body::Body, word};
use crate::{
    code::{Code, Decide, Disputed, Matches, Row, Shape, SiteId},
    mir::{
        Callee, Checked, Condition, Field, Object, RAISE_NO_ROW, RAISE_OVERFLOW, Value, Variable,
    },
};

/// Called with the value of a row.
type Fired<'v, 'b, 'c> = &'v mut dyn FnMut(&mut Body<'b, 'c>, &'c Row, Value);

impl<'b, 'c> Body<'b, 'c> {
    /// The value of a table.
    pub(super) fn rows(&mut self, code: &'c Code) -> Value {
        match code {
            Code::Any(rows) => self.until(rows, false),
            Code::All(rows) => self.until(rows, true),
            Code::First(rows) => self.first(rows),
            Code::Highest(rows) => self.extreme_row(rows, Condition::Greater),
            Code::Lowest(rows) => self.extreme_row(rows, Condition::Less),
            Code::SumRows(rows, site) => {
                let zero = self.constant(0);
                let sum = self.variable(zero);
                self.fired(rows, &mut |body, _, value| body.add_some(sum, value, *site));
                let sum = self.get(sum);
                let none = self.is_none(sum);
                self.trouble_if(none, RAISE_OVERFLOW, *site);
                sum
            }
            Code::UnionBits(rows) => {
                let zero = self.constant(0);
                let bits = self.variable(zero);
                self.fired(rows, &mut |body, _, value| {
                    let none = body.is_none(value);
                    let nothing = body.constant(0);
                    let more = body.select(none, nothing, value);
                    let so_far = body.get(bits);
                    let all = body.or(so_far, more);
                    body.set(bits, all);
                });
                self.get(bits)
            }
            Code::Agree {
                rows,
                shape,
                otherwise,
                shown,
            } => self.agree(rows, (shape, shown.as_deref()), otherwise),
            Code::Decide(table) => self.decided(table, &mut Body::code),
            other => unreachable!("no rows: {other:?}"),
        }
    }

    /// Emits code for the value of each row that fires.
    fn fired(&mut self, rows: &'c [Row], visit: Fired<'_, 'b, 'c>) {
        for row in rows {
            self.run_row(row, &mut |body| {
                let value = body.row_value(row);
                visit(body, row, value);
            });
        }
    }

    /// Whether all rows that fire give yes; if `all` is no, whether any does.
    fn until(&mut self, rows: &'c [Row], all: bool) -> Value {
        let otherwise = self.constant(i64::from(all));
        let result = self.variable(otherwise);
        let exit = self.exit();
        for row in rows {
            self.run_row(row, &mut |body| {
                let next = body.block();
                if row.noted.is_some() {
                    let value = body.row_value(row);
                    let (yes, no) = (body.block(), body.block());
                    body.branch(value, yes, no);
                    let (early, late) = if all { (no, yes) } else { (yes, no) };
                    body.begin(late);
                    body.go_to(next);
                    body.begin(early);
                } else if all {
                    body.if_holds(&row.value, next);
                } else {
                    body.unless_holds(&row.value, next);
                }
                let early = body.constant(i64::from(!all));
                body.set(result, early);
                body.leave(exit);
                body.go_to(next);
                body.begin(next);
            });
        }
        self.arrive(exit);
        let result = self.get(result);
        self.ranged(result, (0, 1))
    }

    fn first(&mut self, rows: &'c [Row]) -> Value {
        let none = self.none();
        let result = self.variable(none);
        let exit = self.exit();
        self.fired(rows, &mut |body, row, value| {
            if row.maybe {
                let is_some = body.is_some(value);
                body.if_nonzero(is_some, &mut |body| {
                    body.set(result, value);
                    body.leave(exit);
                });
            } else {
                body.set(result, value);
                body.leave(exit);
            }
        });
        self.arrive(exit);
        self.get(result)
    }

    fn extreme_row(&mut self, rows: &'c [Row], how: Condition) -> Value {
        let none = self.none();
        let found = self.variable(none);
        self.fired(rows, &mut |body, _, value| {
            body.keep_extreme(found, value, how);
        });
        self.get(found)
    }

    /// Keeps a value if it is more extreme than those before it.
    pub(super) fn keep_extreme(&mut self, found: Variable, value: Value, how: Condition) {
        let held = self.get(found);
        let first = self.is_none(held);
        let wins = self.compare(how, value, held);
        let wins = self.or(wins, first);
        // None never wins against a value.
        let is_some = self.is_some(value);
        let wins = self.and(wins, is_some);
        let kept = self.select(wins, value, held);
        self.set(found, kept);
    }

    /// Adds a value unless it is none.
    pub(super) fn add_some(&mut self, sum: Variable, value: Value, site: SiteId) {
        let none = self.is_none(value);
        let nothing = self.constant(0);
        let more = self.select(none, nothing, value);
        let so_far = self.get(sum);
        let all = self.checked_by(Checked::Add, so_far, more, site);
        self.set(sum, all);
    }

    fn agree(
        &mut self,
        rows: &'c [Row],
        (shape, shown): (&'c Shape, Option<&'c Disputed>),
        otherwise: &'c Code,
    ) -> Value {
        let zero = self.constant(0);
        let any = self.variable(zero);
        let none = self.none();
        let found = self.variable(none);
        let last = rows.len().saturating_sub(1);
        // In an exact function, the label of the row that fired first.
        let first_label = self.variable(zero);
        for (place, row) in rows.iter().enumerate() {
            self.run_row(row, &mut |body| {
                let value = body.row_value(row);
                if place > 0 || !row.bindings.is_empty() {
                    let before = body.get(any);
                    body.if_nonzero(before, &mut |body| {
                        let held = body.get(found);
                        let same = body.is_same(value, held, shape);
                        let differs = body.equals(same, 0);
                        body.raise_if(differs, |body| {
                            let labels = [body.get(first_label), body.label(row)];
                            body.raise_disagreement(labels, [held, value], shown, row.site);
                        });
                    });
                }
                let yes = body.constant(1);
                let before = body.get(any);
                let held = body.get(found);
                let kept = if place == 0 && last == 0 && row.bindings.is_empty() {
                    value
                } else {
                    body.select(before, held, value)
                };
                body.set(found, kept);
                if body.unit.is_exact {
                    let (label, held) = (body.label(row), body.get(first_label));
                    let label = body.select(before, held, label);
                    body.set(first_label, label);
                }
                body.set(any, yes);
            });
        }
        let (none_fired, done) = (self.block(), self.block());
        let fired = self.get(any);
        self.branch(fired, done, none_fired);
        self.begin(none_fired);
        let value = self.code(otherwise);
        self.set(found, value);
        self.go_to(done);
        self.begin(done);
        self.get(found)
    }

    /// Reports that two rows disagree, with the entry and both values for the message.
    fn raise_disagreement(
        &mut self,
        [first, second]: [Value; 2],
        values: [Value; 2],
        shown: Option<&'c Disputed>,
        site: SiteId,
    ) {
        let start = self.field(Field::OutputLength);
        for (local, written) in (0..).zip(shown.map_or(&[][..], |shown| &shown.entry)) {
            if local > 0 {
                self.say_literal(" ");
            }
            let part = self.local(local);
            self.say_value(part, written);
        }
        let [middle, end] = values.map(|value| {
            let place = self.field(Field::OutputLength);
            if let Some(shown) = shown {
                self.say_value(value, &shown.value);
            }
            place
        });
        let site = self.constant(i64::from(site));
        self.call(
            Callee::RaiseDisagreement,
            &[first, second, start, middle, end, site],
        );
    }

    /// The label of a row, as a text of the module.
    fn label(&mut self, row: &Row) -> Value {
        let label = self.unit.text(&row.label);
        self.constant(label)
    }

    /// Whether two values are equal.
    pub(super) fn is_same(&mut self, left: Value, right: Value, shape: &'c Shape) -> Value {
        let same = self.compare(Condition::Equal, left, right);
        if shape.is_word() {
            return same;
        }
        let result = self.variable(same);
        let (closer, done) = (self.block(), self.block());
        self.branch(same, done, closer);
        self.begin(closer);
        let found = match shape.block() {
            // None is no block.
            Some(words) if shape.is_flat() => {
                let (one, other) = (self.is_some(left), self.is_some(right));
                let both = self.and(one, other);
                let no = self.constant(0);
                let found = self.variable(no);
                self.if_nonzero(both, &mut |body| {
                    let words = body.constant(word(words));
                    let same = body.call(Callee::SameWords, &[left, right, words]);
                    body.set(found, same);
                });
                self.get(found)
            }
            _ => {
                let shape = self.object(shape, || Object::Shape(shape.clone()));
                self.call(Callee::Same, &[left, right, shape])
            }
        };
        self.set(result, found);
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }

    /// The result of `make` for the value of the first row whose cells and conditions hold.
    pub(super) fn decided(
        &mut self,
        table: &'c Decide,
        make: &mut dyn FnMut(&mut Self, &'c Code) -> Value,
    ) -> Value {
        for (key, local) in table.keys.iter().zip(&table.locals) {
            let value = self.code(key);
            self.set_local(*local, value);
        }
        if let Some(value) = self.decided_by_table(table) {
            return value;
        }
        let none = self.none();
        let result = self.variable(none);
        let done = self.block();
        for row in &table.rows {
            let next = self.block();
            for (cell, local) in row.cells.iter().zip(&table.locals) {
                if let Matches::Ranges { wanted, ranges } = cell {
                    let value = self.local(*local);
                    let found = self.in_ranges(value, ranges);
                    let holds = if *wanted {
                        found
                    } else {
                        self.equals(found, 0)
                    };
                    self.unless_zero(holds, next);
                }
            }
            for condition in &row.conditions {
                let holds = self.code(condition);
                self.unless_zero(holds, next);
            }
            let value = make(self, &row.value);
            self.set(result, value);
            self.go_to(done);
            self.begin(next);
        }
        let always = self.constant(1);
        self.trouble_if(always, RAISE_NO_ROW, table.site);
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }

    fn in_ranges(&mut self, value: Value, ranges: &[(i64, i64)]) -> Value {
        let mut found = self.constant(0);
        for (lo, hi) in ranges {
            let inside = if lo == hi {
                self.equals(value, *lo)
            } else {
                let (lo, hi) = (self.constant(*lo), self.constant(*hi));
                let above = self.compare(Condition::LessOrEqual, lo, value);
                let below = self.compare(Condition::LessOrEqual, value, hi);
                self.and(above, below)
            };
            found = self.or(found, inside);
        }
        found
    }
}
