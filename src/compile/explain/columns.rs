//! Tables by columns to what explanations are made of.

use super::{Compiled, Explainer, locals_of, table, written::negated};
use crate::{
    code::{
        Code,
        explain::{Combined, ExplainedRow, ExplainedTable, Seen},
    },
    compile::{Context, Frame, Noting},
    program::{self, ByTable, Definition, Matches},
    types::Type,
};

impl Explainer<'_, '_> {
    /// The rows of a table by columns: each cell is a condition.
    pub(super) fn by(
        &mut self,
        context: Context,
        columns: &ByTable,
        definition: &Definition,
        parameters: &[Type],
    ) -> ExplainedTable {
        let rows = columns.rows.iter().enumerate().map(|(place, row)| {
            let mut frame = Frame::new(context, definition.locals);
            frame.noting = Noting::Yes;
            let (mut codes, mut conditions) = (Vec::new(), Vec::new());
            let cells = self.cells(row);
            for (place, (key, cell)) in columns.keys.iter().zip(&row.cells).enumerate() {
                if *cell != Matches::Any {
                    let code = self.compiler.code(&mut frame, key);
                    codes.push(self.cell(&mut frame, code, cell));
                    let written = self.compiler.as_written(key);
                    conditions.push(match cells.get(place).map(String::as_str) {
                        Some("yes") | None => written,
                        Some("no") => negated(key, &written),
                        Some(cell) => format!("{written} is {cell}"),
                    });
                }
            }
            let count = conditions.len();
            let mut written = conditions.clone();
            let (further, phrases) = self.conditions(&mut frame, &row.conditions);
            codes.extend(further);
            conditions.extend(phrases);
            let asked = row.conditions.iter();
            written.extend(asked.map(|condition| self.compiler.as_written(condition)));
            let value = self
                .compiler
                .code_as(&mut frame, &row.value, &definition.ty);
            let gives = self.gives(&row.value);
            if let Some(gives) = &gives {
                written.insert(0, gives.clone());
            }
            frame.noting = Noting::No;
            let says = row
                .says
                .as_ref()
                .map(|says| self.compiler.template(&mut frame, says));
            let expressions = columns.keys.iter().chain(&row.conditions);
            let expressions = expressions.chain([&row.value]);
            let known = locals_of(parameters);
            let seen = self.seen(&mut frame, &known, expressions, row.span);
            let mut compiled = self.noted_row(&frame, (place, row.span), value);
            compiled.conditions = codes.into();
            Compiled {
                row: compiled,
                told: ExplainedRow {
                    conditions,
                    columns: count,
                    written,
                    gives,
                    says,
                    seen: Seen {
                        fired: seen.clone(),
                        asked: seen,
                    },
                    ..self.row_at(Some(&row.label), row.span)
                },
                locals: frame.locals,
            }
        });
        let rows: Vec<Compiled> = rows.collect();
        table(Combined::First, rows, Code::First)
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
        let mut depth = 0usize;
        let split = |sign: char| {
            match sign {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            sign == ',' && depth == 0
        };
        let cells = cells.split(split);
        cells.map(|cell| cell.trim().to_string()).collect()
    }

    /// Whether a key is in a cell. The key is asked once, though it may be compared with several values.
    fn cell(&mut self, frame: &mut Frame, key: Code, cell: &Matches) -> Code {
        let local = frame.local();
        let is = |value: i64| Code::EqualConstant(Box::new(Code::Local(local)), value);
        let (negated, none, mut any) = match cell {
            Matches::Any => return Code::Constant(1),
            Matches::Scalars {
                negated,
                ranges,
                none,
            } => {
                let any: Vec<Code> = ranges
                    .iter()
                    .map(|(lo, hi)| {
                        let (lo, hi) = (Code::Constant(*lo), Code::Constant(*hi));
                        Code::Between(Box::new((Code::Local(local), lo, hi)))
                    })
                    .collect();
                (*negated, *none, any)
            }
            Matches::Texts {
                negated,
                texts,
                none,
            } => {
                let any = texts.iter().map(|text| is(self.compiler.text_id(text)));
                (*negated, *none, any.collect())
            }
        };
        let first = any.pop().unwrap_or(Code::Constant(0));
        let either = any
            .into_iter()
            .fold(first, |left, right| Code::Or(Box::new((left, right))));
        let holds = if negated {
            Code::Not(Box::new(either))
        } else {
            either
        };
        // Where the key is none, none is the answer so far.
        let lifted = Code::Lift {
            local,
            operand: Box::new(key),
            body: Box::new(holds),
        };
        let if_none = Code::Constant(i64::from(none != negated));
        Code::Else(Box::new((lifted, if_none)))
    }
}
