//! Tables by columns to what explanations are made of.

use super::Explainer;
use crate::{
    code::{Code, NONE, explain::Told},
    compile::{Context, Frame},
    program::{self, ByTable, Matches},
};

impl Explainer<'_, '_> {
    /// The rows of a table by columns: each cell is a condition.
    pub(super) fn by(&mut self, context: Context, table: &ByTable, locals: usize) -> Vec<Told> {
        let mut rows = Vec::new();
        for row in &table.rows {
            let mut frame = Frame::new(context, locals);
            let (mut conditions, mut phrases) = (Vec::new(), Vec::new());
            let cells = self.cells(row);
            for (place, (key, cell)) in table.keys.iter().zip(&row.cells).enumerate() {
                if *cell != Matches::Any {
                    let code = self.compiler.code(&mut frame, key);
                    conditions.push(self.cell(&code, cell));
                    let mut phrase = self.phrase(&mut frame, key);
                    phrase.written = match cells.get(place).map(String::as_str) {
                        Some("yes") | None => phrase.written,
                        Some("no") => format!("not {}", phrase.written),
                        Some(cell) => format!("{} is {cell}", phrase.written),
                    };
                    phrases.push(phrase);
                }
            }
            let mut written: Vec<String> = phrases
                .iter()
                .map(|phrase| phrase.written.clone())
                .collect();
            for condition in &row.conditions {
                self.joined(&mut frame, condition, &mut conditions, &mut phrases);
                written.push(self.condition(condition));
            }
            let value = self.compiler.code(&mut frame, &row.value);
            let gives = self.gives(&mut frame, &row.value);
            if let Some(gives) = &gives {
                written.insert(0, gives.written.clone());
            }
            let uses = self.reads(&mut frame, [&row.value]);
            let keys = table.keys.iter().zip(&row.cells);
            let keys = keys.filter(|(_, cell)| **cell != Matches::Any);
            let keys = keys.map(|(key, _)| key);
            let asks = self.reads(&mut frame, keys.chain(&row.conditions));
            let says = row
                .says
                .as_ref()
                .map(|says| self.compiler.template(&mut frame, says));
            rows.push(Told {
                label: Some(row.label.clone()),
                span: row.span,
                locals: frame.locals,
                bindings: Box::new([]),
                ranges: Vec::new(),
                conditions: conditions.into(),
                phrases,
                written,
                value,
                part: None,
                gives,
                text: None,
                inline: false,
                says,
                uses,
                asks,
            });
        }
        rows
    }

    /// The cells of a row, as they were written.
    fn cells(&self, row: &program::ByRow) -> Vec<String> {
        let text = self.compiler.sources.text(row.span);
        let text = text.split("=>").next().unwrap_or_default();
        let text = text.trim_start().trim_start_matches('|');
        let cells = match text.trim_start().strip_prefix(row.label.as_str()) {
            Some(after) if after.trim_start().starts_with(':') => {
                after.trim_start().strip_prefix(':').unwrap_or(after)
            }
            _ => text,
        };
        cells
            .split(',')
            .map(|cell| cell.trim().to_string())
            .collect()
    }

    fn cell(&mut self, key: &Code, cell: &Matches) -> Code {
        let is = |value: i64| Code::EqualConstant(Box::new(key.clone()), value);
        let (negated, mut any) = match cell {
            Matches::Any => return Code::Constant(1),
            Matches::Scalars {
                negated,
                ranges,
                none,
            } => {
                let mut any: Vec<Code> = ranges
                    .iter()
                    .map(|(lo, hi)| {
                        let triple = (key.clone(), Code::Constant(*lo), Code::Constant(*hi));
                        Code::Between(Box::new(triple))
                    })
                    .collect();
                any.extend(none.then(|| is(NONE)));
                (*negated, any)
            }
            Matches::Texts {
                negated,
                texts,
                none,
            } => {
                let mut any: Vec<Code> = texts
                    .iter()
                    .map(|text| is(self.compiler.text_id(text)))
                    .collect();
                any.extend(none.then(|| is(NONE)));
                (*negated, any)
            }
        };
        let first = any.pop().unwrap_or(Code::Constant(0));
        let either = any
            .into_iter()
            .fold(first, |left, right| Code::Or(Box::new((left, right))));
        if negated {
            Code::Not(Box::new(either))
        } else {
            either
        }
    }
}
