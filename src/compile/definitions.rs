//! Compiles definitions: expressions, combined rows, decision tables.

use super::{Compiler, Context, Frame};
use crate::{
    code::{
        self, Code, Component, Decide, DecideRow, Dense, Disputed, Domain, FactTable, NONE, Row,
        Shape, UnionRow,
    },
    program::{self, Body, ByTable, Definition, Expr, FactId, How, Matches, Program, Table},
    types::Type,
};

/// A decision table with at most this many combinations of keys becomes a dense array.
const DENSE: usize = 4096;

/// The values of a fact with at most this many combinations of arguments are cached.
const REMEMBERED: usize = 1 << 16;

/// A decision table's keys, and the row for each combination of them.
type DenseTable = (Box<[Component]>, Box<[u16]>);

impl Compiler<'_> {
    pub(super) fn definition(&mut self, frame: &mut Frame, definition: &Definition) -> Code {
        match &definition.body {
            Body::Expression(value) => self.code_as(frame, value, &definition.ty),
            Body::Table(table) => self.table(frame, table, definition),
            Body::By(table) => self.by_table(frame, table, definition),
        }
    }

    fn table(&mut self, frame: &mut Frame, table: &Table, definition: &Definition) -> Code {
        if table.how == How::Union {
            return self.union(frame, table, definition);
        }
        let rows: Box<[Row]> = table
            .rows
            .iter()
            .map(|row| {
                let mut compiled = self.row(frame, row, &definition.ty);
                compiled.value = self.passing_value(table.how, row, compiled.value);
                compiled
            })
            .collect();
        match table.how {
            How::Any => Code::Any(rows),
            How::All => Code::All(rows),
            How::First => Code::First(rows),
            How::Highest => Code::Highest(rows),
            How::Lowest => Code::Lowest(rows),
            How::Sum => Code::SumRows(rows, self.site(definition.span)),
            How::Union | How::One => Code::Agree {
                shape: Box::new(self.shape(&definition.ty)),
                rows,
                // `equation` puts the old value or entry here.
                otherwise: Box::new(Code::Constant(NONE)),
                shown: self.disputed(&definition.ty),
            },
        }
    }

    fn disputed(&mut self, ty: &Type) -> Option<Box<Disputed>> {
        let value = self.written_in_messages(ty)?;
        let entry = Box::default();
        Some(Box::new(Disputed { value, entry }))
    }

    fn row(&mut self, frame: &mut Frame, row: &program::Row, ty: &Type) -> Row {
        let bindings = self.bindings(frame, &row.bindings);
        let conditions = self.conditions(frame, &row.conditions);
        let conditions = self.passing_conditions(row.span, conditions);
        let value = self.value_of_row(frame, row, ty);
        Row {
            bindings,
            conditions,
            value,
            maybe: row.maybe,
            site: self.site(row.span),
            label: row.label.clone(),
            noted: None,
        }
    }

    /// The value of a row in the shape of a type.
    pub(super) fn value_of_row(
        &mut self,
        frame: &mut Frame,
        row: &program::Row,
        ty: &Type,
    ) -> Code {
        if *ty.required() == Type::YesNo || ty.required().is_number() {
            self.code(frame, &row.value)
        } else {
            self.code_as(frame, &row.value, ty)
        }
    }

    pub(super) fn conditions(&mut self, frame: &mut Frame, conditions: &[Expr]) -> Box<[Code]> {
        conditions
            .iter()
            .map(|condition| self.code(frame, condition))
            .collect()
    }

    fn union(&mut self, frame: &mut Frame, table: &Table, definition: &Definition) -> Code {
        let shape = self.shape(&definition.ty);
        let mut rows = Vec::new();
        for row in &table.rows {
            let own = self.shape(&row.value.ty);
            let mut compiled = self.row(frame, row, &row.value.ty);
            if row.value.ty.is_optional() {
                compiled.maybe = true;
            }
            rows.push(UnionRow {
                row: compiled,
                source: self.source_of_row(frame, &row.value, &own),
                shape: own,
            });
        }
        let bits = matches!(shape, Shape::Bits { .. })
            && rows
                .iter()
                .all(|row| matches!(row.shape, Shape::Bits { .. }));
        if bits {
            Code::UnionBits(rows.into_iter().map(|row| row.row).collect())
        } else {
            Code::Union(rows.into(), Box::new(shape))
        }
    }

    /// The source of a row's value in a union, if the value need not be built first.
    fn source_of_row(
        &mut self,
        frame: &mut Frame,
        value: &Expr,
        shape: &Shape,
    ) -> Option<code::Source> {
        if value.ty.is_optional() || matches!(shape, Shape::Bits { .. }) {
            return None;
        }
        Some(self.source(frame, value, false))
    }

    fn by_table(&mut self, frame: &mut Frame, table: &ByTable, definition: &Definition) -> Code {
        let site = self.site(definition.span);
        let values: Vec<Code> = table
            .rows
            .iter()
            .map(|row| self.code_as(frame, &row.value, &definition.ty))
            .collect();
        if let Some(dense) = self.dense(frame, table) {
            let (keys, rows) = dense;
            return Code::Dense(Box::new(Dense {
                keys,
                rows,
                values: values.into(),
                site,
            }));
        }
        let keys: Vec<Code> = table.keys.iter().map(|key| self.code(frame, key)).collect();
        let locals = keys.iter().map(|_| frame.local()).collect();
        let mut rows = Vec::new();
        for (row, value) in table.rows.iter().zip(values) {
            let cells = row.cells.iter().map(|cell| self.cell(cell)).collect();
            rows.push(DecideRow {
                cells,
                conditions: {
                    let conditions = self.conditions(frame, &row.conditions);
                    self.passing_conditions(row.span, conditions)
                },
                value,
            });
        }
        Code::Decide(Box::new(Decide {
            keys: keys.into(),
            locals,
            rows: rows.into(),
            site,
        }))
    }

    fn cell(&mut self, cell: &Matches) -> code::Matches {
        match cell {
            Matches::Any => code::Matches::Any,
            Matches::Scalars {
                negated,
                ranges,
                none,
            } => {
                let mut ranges = ranges.clone();
                if *none {
                    ranges.push((NONE, NONE));
                }
                code::Matches::Ranges {
                    wanted: !negated,
                    ranges: ranges.into(),
                }
            }
            Matches::Texts {
                negated,
                texts,
                none,
            } => {
                let mut ranges: Vec<(i64, i64)> = texts
                    .iter()
                    .map(|text| self.text_id(text))
                    .map(|id| (id, id))
                    .collect();
                if *none {
                    ranges.push((NONE, NONE));
                }
                code::Matches::Ranges {
                    wanted: !negated,
                    ranges: ranges.into(),
                }
            }
        }
    }

    /// The row for every combination of keys, if they are few and no row has further conditions.
    fn dense(&mut self, frame: &mut Frame, table: &ByTable) -> Option<DenseTable> {
        if self.notes_places() || table.rows.iter().any(|row| !row.conditions.is_empty()) {
            return None;
        }
        let domains: Vec<Domain> = table
            .keys
            .iter()
            .map(|key| self.domain(&key.ty))
            .collect::<Option<_>>()?;
        let total = domains
            .iter()
            .try_fold(1usize, |total, domain| total.checked_mul(domain.count))?;
        if total > DENSE {
            return None;
        }
        let mut rows = vec![u16::MAX; total];
        for (combination, taken) in rows.iter_mut().enumerate() {
            let mut rest = combination;
            let mut values = vec![0; domains.len()];
            for (value, domain) in values.iter_mut().zip(&domains).rev() {
                *value = domain.value(rest % domain.count);
                rest /= domain.count;
            }
            let found = table.rows.iter().position(|row| {
                row.cells
                    .iter()
                    .zip(&values)
                    .all(|(cell, value)| matches(cell, *value))
            });
            *taken = found.map_or(u16::MAX, |row| u16::try_from(row).unwrap_or(u16::MAX));
        }
        let mut stride = i64::try_from(total).ok()?;
        let mut keys = Vec::new();
        for (key, domain) in table.keys.iter().zip(&domains) {
            stride /= i64::try_from(domain.count.max(1)).ok()?;
            keys.push(Component {
                code: self.code(frame, key),
                domain: *domain,
                stride,
            });
        }
        Some((keys.into(), rows.into()))
    }

    /// The cache of a fact's values, if its arguments are few enough.
    pub(super) fn fact_table(&mut self, fact: FactId) -> Option<FactTable> {
        let parameters = &self.program.facts[fact.index()].parameters;
        if parameters.is_empty() {
            return None;
        }
        let domains: Vec<Domain> = parameters
            .iter()
            .map(|(_, ty)| self.domain(ty))
            .collect::<Option<_>>()?;
        let total = domains
            .iter()
            .try_fold(1usize, |total, domain| total.checked_mul(domain.count))?;
        if total > REMEMBERED {
            return None;
        }
        let start = self.compiled.table_words;
        self.compiled.table_words += total;
        Some(FactTable { start, domains })
    }

    /// The context outside events.
    pub(super) fn plain_context() -> Context {
        Context {
            event: None,
            tense: program::Tense::Now,
        }
    }
}

/// Whether a cell of scalars matches a value.
fn matches(cell: &Matches, value: i64) -> bool {
    match cell {
        Matches::Any => true,
        Matches::Scalars {
            negated,
            ranges,
            none,
        } => {
            let found = if value == NONE {
                *none
            } else {
                ranges.iter().any(|(lo, hi)| (lo..=hi).contains(&&value))
            };
            found != *negated
        }
        Matches::Texts { .. } => false,
    }
}

/// Calls `visit` with every expression of a definition, and every part of it.
pub(super) fn each_expression(definition: &Definition, visit: &mut dyn FnMut(&Expr)) {
    each_root(definition, &mut |expr| each_part(expr, visit));
}

/// Calls `visit` with every whole expression of a definition.
pub(super) fn each_root(definition: &Definition, visit: &mut dyn FnMut(&Expr)) {
    definition.only.iter().for_each(&mut *visit);
    match &definition.body {
        Body::Expression(value) => visit(value),
        Body::Table(table) => {
            for row in &table.rows {
                visit(&row.value);
                row.conditions.iter().for_each(&mut *visit);
                row.bindings.iter().for_each(|(_, range)| visit(range));
            }
        }
        Body::By(table) => {
            table.keys.iter().for_each(&mut *visit);
            for row in &table.rows {
                visit(&row.value);
                row.conditions.iter().for_each(&mut *visit);
            }
        }
    }
}

/// Calls `visit` with an expression and every part of it.
pub(super) fn each_part(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    expr.children(&mut |child| each_part(child, visit));
}

/// Calls `visit` with every expression of guards, reports, policies and the like, and every part of it.
pub(super) fn each_row_expression(program: &Program, visit: &mut dyn FnMut(&Expr)) {
    for event in &program.events {
        for framed in event.by.expr().into_iter().chain(&event.offered) {
            each_part(&framed.value, visit);
        }
        if let Some(guard) = &event.guard {
            each_part(&guard.condition, visit);
        }
        for clause in [&event.impossible, &event.report, &event.refused] {
            for row in &clause.rows {
                row.bindings
                    .iter()
                    .for_each(|(_, collection)| each_part(collection, visit));
                row.conditions
                    .iter()
                    .for_each(|condition| each_part(condition, visit));
                each_part(&row.value, visit);
            }
        }
        for choice in &event.follows {
            each_choice_expression(choice, visit);
        }
    }
    for policy in &program.policies {
        for choice in &policy.rows {
            each_choice_expression(choice, visit);
        }
    }
}

fn each_choice_expression(choice: &program::Choice, visit: &mut dyn FnMut(&Expr)) {
    choice
        .bindings
        .iter()
        .for_each(|(_, collection)| each_part(collection, visit));
    choice
        .conditions
        .iter()
        .for_each(|condition| each_part(condition, visit));
    choice
        .fields
        .iter()
        .for_each(|field| each_part(field, visit));
}
