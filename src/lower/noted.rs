//! Rows that are explained or counted: besides their value, their code writes the journal.

use super::{body::Body, word};
use crate::{
    code::{Code, Noted, Row},
    mir::{Callee, Value},
};

impl<'c> Body<'_, 'c> {
    /// Whether only rows that fire are noted.
    fn notes_fired_only(&self) -> bool {
        let explained = self.unit.compiled.explained.as_ref();
        explained.is_some_and(|explained| explained.fired_only)
    }

    /// Emits `then` for each time that a row's conditions hold.
    pub(super) fn run_row(&mut self, row: &'c Row, then: &mut dyn FnMut(&mut Self)) {
        let Some(noted) = row.noted.filter(|_| !self.notes_fired_only()) else {
            self.run(&row.bindings, &row.conditions, then);
            return;
        };
        self.run(&row.bindings, &[], &mut |body| {
            let place = body.constant(i64::from(noted.place));
            body.call(Callee::JournalRow, &[place]);
            let next = body.block();
            for condition in &row.conditions {
                let holds = body.code(condition);
                body.call(Callee::JournalCondition, &[holds]);
                body.unless_zero(holds, next);
            }
            then(body);
            body.go_to(next);
            body.begin(next);
        });
    }

    /// The value of a row that fires.
    pub(super) fn row_value(&mut self, row: &'c Row) -> Value {
        let value = self.code(&row.value);
        if let Some(noted) = row.noted {
            if self.notes_fired_only() {
                let place = self.constant(i64::from(noted.place));
                self.call(Callee::JournalRow, &[place]);
            }
            self.call(Callee::JournalFired, &[value]);
            for local in 0..noted.locals {
                let local = self.local_if_set(local);
                self.call(Callee::JournalLocal, &[local]);
            }
        }
        value
    }

    /// Evaluates all rows of a table, also those after the one that decides.
    pub(super) fn all_rows(&mut self, table: &'c Code) {
        let mut rows: Vec<&'c Row> = Vec::new();
        match table {
            Code::Any(all)
            | Code::All(all)
            | Code::First(all)
            | Code::Highest(all)
            | Code::Lowest(all)
            | Code::SumRows(all, _)
            | Code::UnionBits(all)
            | Code::Agree { rows: all, .. } => rows.extend(all),
            Code::Union(all, _) => rows.extend(all.iter().map(|row| &row.row)),
            _ => {}
        }
        for row in rows {
            self.run_row(row, &mut |body| {
                body.row_value(row);
            });
        }
    }

    pub(super) fn noted(&mut self, noted: &'c Noted) -> Value {
        match noted {
            Noted::Passed { place, code } => {
                let place = self.constant(i64::from(*place));
                self.call(Callee::JournalPassed, &[place]);
                self.code(code)
            }
            Noted::Value { code, .. } | Noted::Before { code, .. } if self.notes_fired_only() => {
                self.code(code)
            }
            Noted::Value { mention, of, code } => {
                let mark = self.call(Callee::JournalMark, &[]);
                for one in of {
                    let value = self.code(one);
                    self.call(Callee::JournalOf, &[value]);
                }
                let value = self.code(code);
                let mention = self.constant(i64::from(*mention));
                let of = self.constant(word(of.len()));
                self.call(Callee::JournalNote, &[mark, mention, of, value]);
                value
            }
            Noted::Before { noted, code } => {
                for one in noted {
                    self.code(one);
                }
                self.code(code)
            }
            Noted::Joined {
                decides,
                left,
                right,
            } => self.decided_by(*decides, left, right),
            Noted::Found {
                range,
                holds,
                variables,
                condition,
                ranges,
            } => {
                let (found, nothing, done) = (self.block(), self.block(), self.block());
                let otherwise = self.constant(i64::from(!holds));
                let result = self.variable(otherwise);
                self.branch_on_some(range, found, nothing);
                self.begin(found);
                let fired_only = self.notes_fired_only();
                for (mention, local) in variables.iter().filter(|_| !fired_only) {
                    let value = self.local_if_set(*local);
                    let mark = self.call(Callee::JournalMark, &[]);
                    let mention = self.constant(i64::from(*mention));
                    let none = self.constant(0);
                    self.call(Callee::JournalNote, &[mark, mention, none, value]);
                }
                if !fired_only {
                    // An unrolled loop is left from several places.
                    let bound = range.bindings.iter().map(|(local, _)| *local);
                    self.at_join(bound, |body| body.code(condition));
                }
                let yes = self.constant(i64::from(*holds));
                self.set(result, yes);
                self.go_to(done);
                self.begin(nothing);
                for range in ranges.iter().filter(|_| !fired_only) {
                    self.code(range);
                }
                self.go_to(done);
                self.begin(done);
                self.get(result)
            }
        }
    }

    /// `and` or `or`: if one operand decides, only its notes are kept.
    fn decided_by(&mut self, decides: i64, left: &'c Code, right: &'c Code) -> Value {
        let fired_only = self.notes_fired_only();
        let first = (!fired_only).then(|| self.call(Callee::JournalMark, &[]));
        let value = self.code(left);
        let result = self.variable(value);
        let (second, alone, done) = (self.block(), self.block(), self.block());
        if decides == 0 {
            self.branch(value, second, done);
        } else {
            self.branch(value, done, second);
        }
        self.begin(second);
        let marks = first.map(|first| [first, self.call(Callee::JournalMark, &[])]);
        let value = self.code(right);
        self.set(result, value);
        if decides == 0 {
            self.branch(value, done, alone);
        } else {
            self.branch(value, alone, done);
        }
        self.begin(alone);
        if let Some(marks) = marks {
            self.call(Callee::JournalTakeBack, &marks);
        }
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }
}
