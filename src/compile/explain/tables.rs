//! Compiles tables of rows, and tables by columns, for explanations.

use super::{Compiled, Explainer, locals_of, written::negated};
use crate::{
    code::{
        Code, NONE, NotedRow, Row, Shape, UnionRow,
        explain::{Combined, ExplainedRow, ExplainedTable, Seen},
    },
    compile::{Compiler, Context, Frame, Noting},
    program::{self, ByTable, Definition, Expr, ExprKind, How, Matches},
    source::Span,
    types::{Constant, Type},
};

impl Explainer<'_, '_> {
    /// An expression as a table of one row.
    pub(super) fn expression(
        &mut self,
        context: Context,
        value: &Expr,
        definition: &Definition,
        parameters: &[Type],
    ) -> ExplainedTable {
        let mut frame = Frame::new(context, definition.locals);
        frame.noting = Noting::Yes;
        let code = self.compiler.code_as(&mut frame, value, &definition.ty);
        let written = self.compiler.as_written(value);
        let mut row = self.noted_row(&frame, (0, value.span), code);
        let (codes, conditions) = self.conditions(&mut frame, &definition.only);
        row.conditions = codes;
        let expressions = definition.only.iter().chain([value]);
        let seen = self.visibility(&mut frame, &locals_of(parameters), expressions, value.span);
        let told = ExplainedRow {
            conditions,
            written: vec![written.clone()],
            gives: Some(written),
            seen: Seen {
                fired: seen.clone(),
                unfired: seen,
            },
            ..self.row_at(None, value.span)
        };
        let locals = frame.locals;
        table(
            Combined::First,
            vec![Compiled { row, told, locals }],
            Code::First,
        )
    }

    pub(super) fn table(
        &mut self,
        context: Context,
        rows: &program::Table,
        definition: &Definition,
        parameters: &[Type],
    ) -> ExplainedTable {
        let how = match rows.how {
            How::Any => Combined::Any,
            How::All => Combined::All,
            How::First => Combined::First,
            How::Highest | How::Lowest => Combined::Same,
            How::Sum | How::Union => Combined::Sum,
            How::One => Combined::Every,
        };
        let union = rows.how == How::Union;
        let compiled = rows.rows.iter().enumerate().map(|(place, row)| {
            let ty = if union { &row.value.ty } else { &definition.ty };
            let mut compiled = self.row(
                context,
                (definition.locals, parameters),
                (place, row),
                |compiler, frame| compiler.value_of_row(frame, row, ty),
            );
            if union {
                compiled.row.maybe |= row.value.ty.is_optional();
                compiled.told.part = Some(self.compiler.shape(row.value.ty.required()));
            } else {
                compiled.row.maybe = row.maybe;
            }
            compiled
        });
        let compiled: Vec<Compiled> = compiled.collect();
        let site = self.compiler.site(definition.span);
        let shape = self.compiler.shape(&definition.ty);
        let shapes: Vec<Shape> = rows
            .rows
            .iter()
            .map(|row| self.compiler.shape(&row.value.ty))
            .collect();
        table(how, compiled, |compiled| match rows.how {
            How::Any => Code::Any(compiled),
            How::All => Code::All(compiled),
            How::First => Code::First(compiled),
            How::Highest => Code::Highest(compiled),
            How::Lowest => Code::Lowest(compiled),
            How::Sum => Code::SumRows(compiled, site),
            How::Union => {
                let rows = compiled.into_iter().zip(shapes);
                let rows = rows.map(|(row, shape)| UnionRow {
                    row,
                    source: None,
                    shape,
                });
                Code::Union(rows.collect(), Box::new(shape))
            }
            How::One => Code::Agree {
                rows: compiled,
                shape: Box::new(shape),
                otherwise: Box::new(Code::Constant(NONE)),
                shown: None,
            },
        })
    }

    /// A row of a table in a frame of its own, whose first locals are `parameters`; `value` compiles its value.
    pub(super) fn row(
        &mut self,
        context: Context,
        (locals, parameters): (usize, &[Type]),
        (place, row): (usize, &program::Row),
        value: impl FnOnce(&mut Compiler, &mut Frame) -> Code,
    ) -> Compiled {
        let mut frame = Frame::new(context, locals);
        let bindings = self.compiler.bindings(&mut frame, &row.bindings);
        frame.noting = Noting::Yes;
        let (codes, conditions) = self.conditions(&mut frame, &row.conditions);
        let value = value(self.compiler, &mut frame);
        let gives = self.gives(&row.value);
        let mut written: Vec<String> = gives.iter().cloned().collect();
        let whole = row.conditions.iter().filter(|one| !names_entry(one));
        written.extend(whole.map(|condition| self.compiler.as_written(condition)));
        frame.noting = Noting::No;
        let says = row
            .says
            .as_ref()
            .map(|says| self.compiler.template(&mut frame, says));
        let seen = self.row_seen(&mut frame, parameters, row);
        let variables = row.bindings.iter().map(|(local, collection)| {
            let ty = collection.ty.element()?;
            let fits = ty.required().element().is_none() && self.compiler.is_written(ty);
            fits.then(|| self.compiler.value_text(Code::Local(local.0), ty))
        });
        let variables = variables.collect();
        let mut compiled = self.noted_row(&frame, (place, row.span), value);
        compiled.bindings = bindings;
        compiled.conditions = codes;
        compiled.label.clone_from(&row.label);
        Compiled {
            row: compiled,
            told: ExplainedRow {
                range: self.range(context, locals, &row.bindings),
                conditions,
                written,
                gives,
                denies: denies(&row.value),
                inline: row.inline,
                says,
                variables,
                seen,
                ..self.row_at(Some(&row.label), row.span)
            },
            locals: frame.locals,
        }
    }

    /// How much the viewer sees of what a row depends on.
    fn row_seen(&mut self, frame: &mut Frame, parameters: &[Type], row: &program::Row) -> Seen {
        let collections = || row.bindings.iter().map(|(_, collection)| collection);
        let expressions = || {
            let written = collections().chain(&row.conditions).chain([&row.value]);
            written.collect::<Vec<&Expr>>()
        };
        let mut known = locals_of(parameters);
        let unfired = self.visibility(frame, &known, expressions(), row.span);
        let variables = row
            .bindings
            .iter()
            .filter_map(|(local, collection)| Some((*local, collection.ty.element()?.clone())));
        known.extend(variables);
        let fired = if row.bindings.is_empty() {
            unfired.clone()
        } else {
            self.visibility(frame, &known, expressions(), row.span)
        };
        Seen { fired, unfired }
    }

    /// A row with its label and place, and everything else empty.
    pub(super) fn row_at(&self, label: Option<&String>, span: Span) -> ExplainedRow {
        let sources = self.compiler.sources;
        let source = sources.get(span.source);
        ExplainedRow {
            label: label.cloned(),
            span,
            file: source.map_or(String::new(), |source| source.name.clone()),
            at: sources.position(span).line,
            cites: sources.cited(span).map(str::to_string),
            range: None,
            conditions: Vec::new(),
            columns: 0,
            written: Vec::new(),
            is_cell: false,
            part: None,
            gives: None,
            denies: false,
            text: None,
            inline: false,
            says: None,
            variables: Vec::new(),
            seen: Seen::default(),
        }
    }

    /// A row without variables and conditions.
    pub(super) fn noted_row(
        &mut self,
        frame: &Frame,
        (place, span): (usize, Span),
        value: Code,
    ) -> Row {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Row {
            bindings: Box::new([]),
            conditions: Box::new([]),
            value,
            maybe: false,
            site: self.compiler.site(span),
            label: String::new(),
            noted: Some(NotedRow {
                place: number(place),
                locals: number(frame.locals),
            }),
        }
    }

    /// What the first variable of a row ranges over.
    pub(super) fn range(
        &mut self,
        context: Context,
        locals: usize,
        bindings: &[(program::LocalId, Expr)],
    ) -> Option<(String, ExplainedTable)> {
        let (_, collection) = bindings.first()?;
        let mut frame = Frame::new(context, locals);
        frame.noting = Noting::Yes;
        let noted = self.compiler.code(&mut frame, collection);
        let row = self.noted_row(&frame, (0, collection.span), noted);
        let range = ExplainedTable {
            locals: frame.locals,
            how: Combined::First,
            rows: Vec::new(),
            each: None,
            code: Code::First(Box::new([row])),
        };
        Some((self.compiler.as_written(collection), range))
    }

    /// The source text of a row's value, unless it is constant.
    fn gives(&self, value: &Expr) -> Option<String> {
        let written = self.compiler.as_written(value);
        let known = matches!(value.kind, ExprKind::Constant(_));
        (!known || self.compiler.is_option(&written)).then_some(written)
    }

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
            let (cells, is_labelled) = self.cells(row);
            for (place, (key, cell)) in columns.keys.iter().zip(&row.cells).enumerate() {
                if *cell != Matches::Any {
                    let code = self.compiler.column(&mut frame, key);
                    codes.push(self.cell(&mut frame, code, cell));
                    let written = self.compiler.as_written(key);
                    conditions.push(match cells.get(place).map(String::as_str) {
                        Some("yes") | None => written,
                        Some("no") => negated(key, &written),
                        Some(cell) => format!("{written} is {cell}"),
                    });
                }
            }
            let mut written = conditions.clone();
            // The only reason for such a constant is that no other row fits, so note the keys.
            let is_rest = place > 0 && conditions.is_empty() && row.conditions.is_empty();
            if is_rest && self.compiler.mentions.deep && self.gives(&row.value).is_none() {
                for key in &columns.keys {
                    let key_code = self.compiler.column(&mut frame, key);
                    let is_none = Code::EqualConstant(Box::new(key_code), NONE);
                    codes.push(Code::Or(Box::new((is_none, Code::Constant(1)))));
                    conditions.push(self.compiler.as_written(key));
                }
            }
            let count = conditions.len();
            let (further, phrases) = self.conditions(&mut frame, &row.conditions);
            codes.extend(further);
            conditions.extend(phrases);
            let whole = row.conditions.iter();
            written.extend(whole.map(|condition| self.compiler.as_written(condition)));
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
            let seen = self.visibility(&mut frame, &known, expressions, row.span);
            let mut compiled = self.noted_row(&frame, (place, row.span), value);
            compiled.conditions = codes.into();
            Compiled {
                row: compiled,
                told: ExplainedRow {
                    conditions,
                    columns: count,
                    is_cell: !is_labelled,
                    written,
                    gives,
                    denies: denies(&row.value),
                    says,
                    seen: Seen {
                        fired: seen.clone(),
                        unfired: seen,
                    },
                    ..self.row_at(Some(&row.label), row.span)
                },
                locals: frame.locals,
            }
        });
        let rows: Vec<Compiled> = rows.collect();
        table(Combined::First, rows, Code::First)
    }

    /// The source texts of a row's cells, and whether there is a label before them.
    fn cells(&self, row: &program::ByRow) -> (Vec<String>, bool) {
        let text = self.compiler.sources.text(row.span);
        let text = text.split("=>").next().unwrap_or_default();
        let text = text.trim_start().trim_start_matches('|');
        let labelled = text.trim_start().strip_prefix(row.label.as_str());
        let labelled = labelled.and_then(|after| after.trim_start().strip_prefix(':'));
        let cells = labelled.unwrap_or(text);
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
        let cells = cells.map(|cell| cell.trim().to_string()).collect();
        (cells, labelled.is_some())
    }

    /// Whether a key is in a cell. Evaluates the key once, though it may be compared with several values.
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
        // If the key is none, the comparison so far is none.
        let lifted = Code::Lift {
            local,
            operand: Box::new(key),
            body: Box::new(holds),
        };
        let if_none = Code::Constant(i64::from(none != negated));
        Code::Else(Box::new((lifted, if_none)))
    }
}

/// Rows that belong together, and the code made of them.
pub(super) fn table(
    how: Combined,
    compiled: Vec<Compiled>,
    code: impl FnOnce(Box<[Row]>) -> Code,
) -> ExplainedTable {
    let locals = compiled.iter().map(|row| row.locals).max().unwrap_or(0);
    let (codes, mut rows): (Vec<Row>, Vec<ExplainedRow>) =
        compiled.into_iter().map(|row| (row.row, row.told)).unzip();
    rows.shrink_to_fit();
    ExplainedTable {
        code: code(codes.into()),
        locals,
        how,
        rows,
        each: None,
    }
}

/// Whether a condition tests whether an entry is the one that a `new` names, which the change already says.
fn names_entry(condition: &Expr) -> bool {
    matches!(&condition.kind, ExprKind::Is(own, key) if own.span == key.span)
}

/// Whether a row's value is no, whatever its conditions.
fn denies(value: &Expr) -> bool {
    *value.ty.required() == Type::YesNo
        && matches!(value.kind, ExprKind::Constant(Constant::Scalar(0)))
}
