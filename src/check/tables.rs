//! Checks definitions: one expression, rows that are combined, or rows that are matched by column.

use std::collections::BTreeMap;

use super::{Checker, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Body, Definition, Expr, ExprKind, How, Row, Table},
    source::Span,
    syntax::ast,
    types::{Constant, Type},
};

impl Checker<'_> {
    /// Checks a definition of `name`; `declared` is its written type, if it has one.
    pub(super) fn definition(
        &mut self,
        mut scope: Scope,
        written: &ast::Definition,
        declared: Option<&Type>,
        name: &str,
    ) -> Definition {
        let (body, ty, span) = match written {
            ast::Definition::Expression(expression) => {
                let value = self.expression(&mut scope, expression, declared);
                let value = match declared {
                    Some(declared) => self.fitted(value, declared),
                    None => value,
                };
                let (ty, span) = (value.ty.clone(), value.span);
                (Body::Expression(value), ty, span)
            }
            ast::Definition::Table(table) => {
                let (table, ty, span) = self.table(&mut scope, table, declared);
                (Body::Table(table), ty, span)
            }
            ast::Definition::By(table) => {
                let (by, ty) = self.by_table(&mut scope, table, declared, name);
                (Body::By(by), ty, table.span)
            }
        };
        if declared.is_none() && matches!(ty, Type::Optional(ref inner) if **inner == Type::Nothing)
        {
            self.report(
                Diagnostic::error(
                    Code::UntypedFact,
                    span,
                    format!("nothing says what `{name}` is when it is not none"),
                )
                .help(format!("write its type: `{name}: … = …`")),
            );
        }
        Definition {
            body,
            only: Vec::new(),
            ty: declared.cloned().unwrap_or(ty),
            locals: scope.locals(),
            span,
        }
    }

    fn table(
        &mut self,
        scope: &mut Scope,
        written: &ast::Table,
        declared: Option<&Type>,
    ) -> (Table, Type, Span) {
        self.unique_labels(&written.rows);
        let wanted = self.row_type(written.how, declared, written.span);
        let mut rows: Vec<Row> = Vec::new();
        let mut joined = Type::Nothing;
        for row in &written.rows {
            let row = self.row(scope, row, written.how, wanted.as_ref());
            if let Some(ty) = crate::types::join(&joined, row.value.ty.required()) {
                joined = ty;
            } else {
                self.rows_differ(&row, &joined);
            }
            rows.push(row);
        }
        if wanted.is_none() && (written.how == How::Sum || joined.is_decimal()) {
            let number = match written.how {
                How::Sum => Type::numbers(joined.places().unwrap_or(0)),
                _ => joined.clone(),
            };
            rows = self.as_numbers(rows, &number);
        }
        let always = rows
            .last()
            .is_some_and(|row| row.conditions.is_empty() && row.bindings.is_empty() && !row.maybe)
            || rows.iter().any(|row| {
                row.conditions.is_empty()
                    && row.bindings.is_empty()
                    && !row.maybe
                    && !row.value.ty.is_optional()
            });
        let may_be_none = match written.how {
            How::First => !always || rows.last().is_some_and(|row| row.value.ty.is_optional()),
            How::Highest | How::Lowest => !rows.iter().any(|row| {
                row.conditions.is_empty() && row.bindings.is_empty() && !row.value.ty.is_optional()
            }),
            How::Any | How::All | How::Sum | How::Union | How::One => false,
        };
        let found = match written.how {
            How::Any | How::All => Type::YesNo,
            How::Sum => Type::numbers(joined.places().unwrap_or(0)),
            How::Union => match joined {
                Type::Nothing => Type::Set(Type::Nothing.into()),
                other => other,
            },
            How::First | How::Highest | How::Lowest if may_be_none => joined.optional(),
            How::First | How::Highest | How::Lowest | How::One => joined,
        };
        self.first_falls_through(written.how, &rows);
        self.rows_below_last(written.how, &rows);
        if let Some(declared) = declared {
            self.table_fits(written, &found, may_be_none, declared);
        }
        let table = Table {
            how: written.how,
            rows,
        };
        (table, found, written.span)
    }

    /// Checks that all rows are numbers of one type.
    fn as_numbers(&mut self, rows: Vec<Row>, number: &Type) -> Vec<Row> {
        let fitted = rows.into_iter().map(|row| {
            let ty = match &row.value.ty {
                Type::Optional(_) => number.clone().optional(),
                _ => number.clone(),
            };
            let value = self.fitted(row.value, &ty);
            Row { value, ..row }
        });
        fitted.collect()
    }

    /// The type that the rows of a table must have.
    fn row_type(&mut self, how: How, declared: Option<&Type>, span: Span) -> Option<Type> {
        match how {
            How::Any | How::All => Some(Type::YesNo),
            // Rows without decimals can be added to rows with some.
            How::Sum => Some(Type::numbers(declared.and_then(Type::places)?)),
            How::Union => match declared {
                None => None,
                Some(ty @ (Type::Set(_) | Type::Wrong)) => Some(ty.clone()),
                Some(other) => {
                    let message = format!(
                        "`union of` makes a set, but {} is expected",
                        self.described(other)
                    );
                    self.report(Diagnostic::error(Code::WrongType, span, message));
                    Some(Type::Wrong)
                }
            },
            How::First | How::Highest | How::Lowest => {
                declared.map(|declared| declared.required().clone())
            }
            How::One => declared.cloned(),
        }
    }

    fn row(&mut self, scope: &mut Scope, row: &ast::Row, how: How, wanted: Option<&Type>) -> Row {
        self.only_in_reports(row);
        if row.maybe && how != How::First {
            let message = "`maybe` sends on to the next row, and only `first of` has a next row";
            let diagnostic =
                Diagnostic::error(Code::MisplacedWord, row.span, message).help("leave out `maybe`");
            self.report(self.leave_out(diagnostic, "maybe", row.value.span));
        }
        let before = scope.variables.len();
        let bindings = self.bindings(scope, &row.bindings);
        let conditions = self.conditions_of(scope, &row.conditions);
        let value = match wanted {
            Some(wanted) => {
                // Whether none is a value, or the row does not count, depends on the table.
                let value = self.expression(scope, &row.value, Some(wanted));
                let ty = if value.ty.is_optional() && how != How::One {
                    wanted.clone().optional()
                } else {
                    wanted.clone()
                };
                self.fitted(value, &ty)
            }
            None => self.expression(scope, &row.value, None),
        };
        if matches!(how, How::Highest | How::Lowest)
            && !self.resolved.types.is_ordered(value.ty.required())
        {
            self.report(self.no_order(&value));
        }
        let says = self.says(scope, row.conditions.says.as_ref());
        scope.leave(before);
        Row {
            label: row.label.text.clone(),
            inline: row.inline,
            maybe: row.maybe,
            value,
            bindings,
            conditions,
            says,
            sight: None,
            span: row.span,
        }
    }

    /// Reports `maybe` in a row of any other table.
    pub(super) fn only_in_first_of(&mut self, row: &ast::Row) {
        if row.maybe {
            let message = "`maybe` is for the rows of `first of`";
            self.report(
                Diagnostic::error(Code::MisplacedWord, row.span, message)
                    .help("leave out `maybe`, and say when: `when … is not none`"),
            );
        }
    }

    pub(super) fn only_in_reports(&mut self, row: &ast::Row) {
        if row.inline {
            let message = "`inline` is for the rows of a report";
            let diagnostic = Diagnostic::error(Code::MisplacedWord, row.span, message)
                .help("leave out `inline`");
            self.report(self.leave_out(diagnostic, "inline", row.value.span));
        }
        if let Some(sight) = &row.sight {
            let message = "`seen by` and `hidden` are for states, givens, fields of events and rows of a report";
            self.report(
                Diagnostic::error(Code::MisplacedWord, sight.span, message)
                    .help("leave it out here"),
            );
        }
        if let Some(event) = &row.event {
            self.report(
                Diagnostic::error(
                    Code::MisplacedWord,
                    event.span,
                    "`=>` with an event is for the rows of a transcript's `play`",
                )
                .help("in a `by` table, write cells before `=>`"),
            );
        }
    }

    fn rows_differ(&mut self, row: &Row, joined: &Type) {
        let message = format!(
            "row `{}` is {}, but the rows above are {}",
            row.label,
            self.described(&row.value.ty),
            self.display(joined)
        );
        self.report(Diagnostic::error(Code::WrongType, row.value.span, message));
    }

    /// Warns of a `first of` in which a row with an optional value falls through, where keeping the old value may be
    /// intended.
    fn first_falls_through(&mut self, how: How, rows: &[Row]) {
        if how != How::First {
            return;
        }
        let count = rows.len();
        for row in rows.iter().take(count.saturating_sub(1)) {
            // The mistake in it has been reported; `none` only stands in for it.
            if row.value.ty == Type::Wrong {
                continue;
            }
            if matches!(row.value.kind, ExprKind::Constant(Constant::None)) {
                self.report(
                    Diagnostic::error(
                        Code::NoValue,
                        row.value.span,
                        "in `first of`, a row that is none never gives its value: the next row is tried",
                    )
                    .help("leave this row out, and say in the rows below when they hold; or use a `by` table, where none is a value"),
                );
            } else if row.value.ty.is_optional() && !row.maybe {
                let text = self.text(row.value.span);
                let mut diagnostic = Diagnostic::error(
                    Code::MaybeMissing,
                    row.value.span,
                    format!(
                        "`{text}` may be none: is none then the value, or is the next row tried?"
                    ),
                );
                for word in ["maybe", "the"] {
                    let text = format!("{word} {}", self.written(row.value.span));
                    diagnostic = diagnostic.edit(row.value.span, text, false);
                }
                self.report(diagnostic.help(format!(
                    "write `maybe {text}` to try the next row, `the {text}` if it is never none here, or use a `by` table"
                )));
            }
            if row.maybe && !row.value.ty.is_optional() && row.value.ty != Type::Wrong {
                let message = format!("`{}` is never none", self.text(row.value.span));
                let diagnostic = Diagnostic::warning(Code::NeverNone, row.value.span, message);
                let always = row.conditions.is_empty() && row.bindings.is_empty();
                self.report(if always {
                    diagnostic.help("leave out `maybe` and the rows below, which are never reached; or give this row a condition")
                } else {
                    let diagnostic = diagnostic.help("leave out `maybe`");
                    self.leave_out(diagnostic, "maybe", row.value.span)
                });
            }
        }
    }

    fn table_fits(
        &mut self,
        written: &ast::Table,
        found: &Type,
        may_be_none: bool,
        declared: &Type,
    ) {
        if *declared == Type::Wrong {
            return;
        }
        if may_be_none && !declared.is_optional() {
            let word = match written.how {
                How::First => "first of",
                How::Highest => "highest of",
                _ => "lowest of",
            };
            self.report(
                Diagnostic::error(
                    Code::MayBeNone,
                    written.span.head(),
                    format!(
                        "this `{word}` is none when no row fires, but {} is expected",
                        self.described(declared)
                    ),
                )
                .help(format!(
                    "let the last row always fire: without `when`, `unless` and `for`; or write `{}?` as its type",
                    self.display(declared)
                )),
            );
        } else if matches!(written.how, How::Any | How::All | How::Sum)
            && !crate::types::fits(found, declared)
        {
            let message = format!(
                "this table is {}, but {} is expected",
                self.described(found),
                self.described(declared)
            );
            self.report(Diagnostic::error(
                Code::WrongType,
                written.span.head(),
                message,
            ));
        }
    }

    pub(super) fn unique_labels(&mut self, rows: &[ast::Row]) {
        let mut known = BTreeMap::new();
        for row in rows {
            match known.get(row.label.text.as_str()) {
                Some(first) => self.same_label(&row.label, *first),
                None => {
                    known.insert(row.label.text.as_str(), row.label.span);
                }
            }
        }
    }

    pub(super) fn same_label(&mut self, label: &ast::Name, first: Span) {
        self.report(
            Diagnostic::error(
                Code::DuplicateLabel,
                label.span,
                format!("two rows are called `{}`", label.text),
            )
            .label(first, "the first")
            .help("give each row its own name"),
        );
    }

    /// `when` as written, and `unless` negated.
    pub(super) fn conditions_of(
        &mut self,
        scope: &mut Scope,
        conditions: &ast::Conditions,
    ) -> Vec<Expr> {
        let mut checked = Vec::new();
        if let Some(when) = &conditions.when {
            checked.push(self.condition(scope, when));
        }
        if let Some(unless) = &conditions.unless {
            checked.push(super::operators::not(self.condition(scope, unless)));
        }
        checked
    }

    pub(super) fn says(
        &mut self,
        scope: &mut Scope,
        says: Option<&ast::Text>,
    ) -> Option<crate::program::Template> {
        says.map(|says| {
            // People read the text after the event, so its tense is clear from the row.
            let place = scope.place;
            if place == super::Place::Report {
                scope.place = super::Place::Event;
            }
            let template = self.template(scope, says, true);
            scope.place = place;
            template
        })
    }
}

/// The definition by one expression.
pub(super) fn constant(value: Expr) -> Definition {
    Definition {
        ty: value.ty.clone(),
        span: value.span,
        body: Body::Expression(value),
        only: Vec::new(),
        locals: 0,
    }
}
