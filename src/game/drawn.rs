//! Pictures in examples and transcripts: reads them with the signs that the rules draw a state with, and replaces them
//! by the entries that they show.

use std::collections::BTreeMap;

use super::{Game, questions::tree::binary, stack};
use crate::{
    code::NONE,
    compile::compile,
    diagnostic::{Code, Diagnostic},
    machine::Machine,
    program::StateId,
    source::Span,
    syntax::ast::{
        Assignment, Binding, Expr, ExprKind, Name, Operator, Prefix, Quantifier, TextPart,
    },
    types::Type,
};

/// Separates the rows of a picture on one line.
const ROW_END: char = '/';

/// The variable that ranges over the points of a picture. No rule file can use this name.
const POINT: &str = "point of the picture";

/// The number of values of an entry up to which their signs are computed.
const MOST_SIGNS: u64 = 5_000;

/// The rows of a picture in the source, each with its place.
type Rows = Vec<(String, Span)>;

/// The points of a picture that show the same value, and the value.
type Group = (Vec<Expr>, Expr);

/// How a state is drawn.
struct Drawing {
    /// The sign of each value.
    signs: Vec<(i64, String)>,
    /// The points, row by row.
    points: Vec<Vec<i64>>,
}

impl Game {
    /// The assignments of an example, with pictures replaced by the entries that they show.
    ///
    /// # Errors
    /// If a picture does not fit its state.
    pub(super) fn assignments(
        &self,
        given: &[Assignment],
    ) -> Result<Vec<Assignment>, Box<Diagnostic>> {
        let mut all = Vec::new();
        for assignment in given {
            let state = self.drawn_state(&assignment.target);
            let (Some((name, id)), Some(rows)) = (state, rows(&assignment.value)) else {
                all.push(assignment.clone());
                continue;
            };
            for (points, value) in self.read_picture(name, id, &rows, assignment.value.span)? {
                let span = assignment.target.span;
                let points = Expr {
                    kind: ExprKind::Set(points),
                    span,
                };
                let target = apply(name, vec![points], span);
                all.push(Assignment { target, value });
            }
        }
        Ok(all)
    }

    /// A condition, with each comparison to a picture replaced by comparisons of the entries that it shows.
    ///
    /// # Errors
    /// If a picture does not fit its state.
    pub(super) fn expand_pictures(&self, condition: &Expr) -> Result<Expr, Box<Diagnostic>> {
        let span = condition.span;
        let kind = match &condition.kind {
            ExprKind::Group(inner) => ExprKind::Group(Box::new(self.expand_pictures(inner)?)),
            ExprKind::Unary {
                operator: Prefix::Not,
                operand,
            } => ExprKind::Unary {
                operator: Prefix::Not,
                operand: Box::new(self.expand_pictures(operand)?),
            },
            ExprKind::Binary {
                operator: operator @ (Operator::And | Operator::Or),
                operator_span,
                left,
                right,
            } => ExprKind::Binary {
                operator: *operator,
                operator_span: *operator_span,
                left: Box::new(self.expand_pictures(left)?),
                right: Box::new(self.expand_pictures(right)?),
            },
            ExprKind::Binary {
                operator: operator @ (Operator::Is | Operator::IsNot),
                left,
                right,
                ..
            } => {
                let (state, rows) = match (rows(left), rows(right)) {
                    (None, Some(rows)) => (left, rows),
                    (Some(rows), None) => (right, rows),
                    _ => return Ok(condition.clone()),
                };
                let Some((name, id)) = self.drawn_state(untensed(state)) else {
                    return Ok(condition.clone());
                };
                let groups = self.read_picture(name, id, &rows, span)?.into_iter();
                let same = groups.map(|group| everywhere(state, name, group, span));
                let same = same.reduce(|left, right| binary(Operator::And, left, right));
                let same = ExprKind::Group(Box::new(same.unwrap_or_else(|| condition.clone())));
                if *operator == Operator::Is {
                    same
                } else {
                    ExprKind::Unary {
                        operator: Prefix::Not,
                        operand: Box::new(Expr { kind: same, span }),
                    }
                }
            }
            _ => return Ok(condition.clone()),
        };
        Ok(Expr { kind, span })
    }

    /// The state that an expression names, if the rules draw it.
    fn drawn_state<'e>(&self, expression: &'e Expr) -> Option<(&'e Name, StateId)> {
        let ExprKind::Name(name) = &expression.kind else {
            return None;
        };
        let draws = &mut self.program.draws.iter();
        let draw = draws.find(|draw| self.program.states[draw.state.index()].name == name.text)?;
        Some((name, draw.state))
    }

    /// The points of a picture, grouped by value.
    fn read_picture(
        &self,
        name: &Name,
        id: StateId,
        rows: &Rows,
        span: Span,
    ) -> Result<Vec<Group>, Box<Diagnostic>> {
        let wrong = |span: Span, message: String, help: String| {
            Box::new(Diagnostic::error(Code::Picture, span, message).help(help))
        };
        let state = &self.program.states[id.index()];
        let signs = stack::with_room(self.program.depth, || self.signs(id));
        // A grid whose size is a given has no points yet.
        let signs = signs.filter(|drawing| !drawing.points.is_empty());
        let (Some(Drawing { signs, points }), Some(key)) = (signs, &state.key) else {
            let message = format!(
                "a picture of `{}` cannot be read, since its size or its signs are known only in a game",
                name.text
            );
            return Err(wrong(span, message, "give its entries one by one".into()));
        };
        let mut values: BTreeMap<&str, i64> = BTreeMap::new();
        for (value, sign) in &signs {
            if let Some(other) = values.insert(sign, *value) {
                let called = |value: i64| self.called(&state.entry, value);
                let message = format!(
                    "a picture of `{}` cannot be read, since {} and {} are both drawn as `{sign}`",
                    name.text,
                    called(other),
                    called(*value)
                );
                let help = format!("give each its own sign in `write {}`", name.text);
                return Err(wrong(span, message, help));
            }
        }
        if rows.len() != points.len() {
            let message = format!(
                "the picture has {}, and `{}` has {}",
                counted(rows.len(), "row"),
                name.text,
                points.len()
            );
            let help = format!(
                "write a list of texts, one for each row, or one text with `{ROW_END}` between the rows"
            );
            return Err(wrong(span, message, help));
        }
        let close = signs.iter().all(|(_, sign)| sign.chars().count() == 1);
        let mut groups: BTreeMap<i64, Vec<Expr>> = BTreeMap::new();
        for ((row, place), points) in rows.iter().zip(points) {
            let cells: Vec<String> = if close {
                row.chars().map(String::from).collect()
            } else {
                row.split_whitespace().map(String::from).collect()
            };
            if cells.len() != points.len() {
                let message = format!(
                    "`{row}` has {}, and a row of `{}` has {}",
                    counted(cells.len(), "sign"),
                    name.text,
                    points.len()
                );
                let help = "write one sign for each point, empty ones too".into();
                return Err(wrong(*place, message, help));
            }
            for (cell, point) in cells.iter().zip(points) {
                let Some(value) = values.get(cell.as_str()) else {
                    let known: Vec<String> =
                        signs.iter().map(|(_, sign)| format!("`{sign}`")).collect();
                    let help = format!("the signs are {}", known.join(" "));
                    let message = format!("nothing is drawn as `{cell}` here");
                    return Err(wrong(*place, message, help));
                };
                let point = self.expression(key, point, *place);
                groups.entry(*value).or_default().push(point);
            }
        }
        let groups = groups.into_iter();
        Ok(groups
            .map(|(value, points)| (points, self.expression(&state.entry, value, span)))
            .collect())
    }

    /// How a state is drawn; `None` if that depends on the game in progress.
    fn signs(&self, id: StateId) -> Option<Drawing> {
        let compiled = compile(&self.program, &self.sources);
        let mut machine = Machine::new(&compiled);
        let entry = &self.program.states[id.index()].entry;
        let types = &self.program.types;
        let capacity = types.capacity(entry.required());
        let count = i64::try_from(capacity.filter(|count| *count <= MOST_SIGNS)?).ok()?;
        let first = match entry.required() {
            Type::Range(interval) if interval.is_dynamic() => return None,
            Type::Range(interval) => interval.lo,
            Type::Member(part) => i64::from(part.first),
            _ => 0,
        };
        let none = entry.is_optional().then_some(NONE);
        let values: Vec<i64> = none.into_iter().chain(first..first + count).collect();
        let signs = machine.signs(id.index(), &values)?;
        let signs = values.into_iter().zip(signs).collect();
        Some(Drawing {
            signs,
            points: machine.points(id.index())?,
        })
    }

    /// The name of a value in messages.
    fn called(&self, ty: &Type, value: i64) -> String {
        if value == NONE {
            return "none".into();
        }
        format!("`{}`", self.program.types.value_name(ty.required(), value))
    }

    /// A value as an expression of the rules.
    fn expression(&self, ty: &Type, value: i64, span: Span) -> Expr {
        let name = |text: &str| Name {
            text: text.to_string(),
            span,
        };
        let kind = match ty.required() {
            _ if value == NONE => ExprKind::None,
            Type::YesNo => ExprKind::YesNo(value != 0),
            Type::Member(_) => {
                ExprKind::Name(name(&self.program.types.value_name(ty.required(), value)))
            }
            Type::Product(id) => {
                let parts = self.program.types.product_parts(*id, value).into_iter();
                let parts = parts.map(|(ty, part)| self.expression(ty, part.unwrap_or(NONE), span));
                let product = name(&self.program.types.product(*id).name);
                return apply(&product, parts.collect(), span);
            }
            ty => match ty.places() {
                Some(places @ 1..) => ExprKind::Decimal(value, places),
                _ => ExprKind::Number(value),
            },
        };
        Expr { kind, span }
    }
}

/// The rows of a picture: a text, or a pile of texts.
fn rows(expression: &Expr) -> Option<Rows> {
    let literal = |expression: &Expr| match &expression.kind {
        ExprKind::Text(text) => match text.parts.as_slice() {
            [TextPart::Literal { text, .. }] => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    if let ExprKind::Pile(texts) = &expression.kind {
        let rows = texts.iter();
        return rows.map(|text| Some((literal(text)?, text.span))).collect();
    }
    let text = literal(expression)?;
    let rows = text.split(ROW_END);
    Some(rows.map(|row| (row.into(), expression.span)).collect())
}

/// A state without its `new`, `old` or `previous`.
fn untensed(expression: &Expr) -> &Expr {
    match &expression.kind {
        ExprKind::Tensed { operand, .. } => operand,
        _ => expression,
    }
}

/// The condition that a state has a value at all of these points.
fn everywhere(state: &Expr, name: &Name, (points, value): Group, span: Span) -> Expr {
    let point = Name {
        text: POINT.into(),
        span,
    };
    let entry = apply(
        name,
        vec![Expr {
            kind: ExprKind::Name(point.clone()),
            span,
        }],
        span,
    );
    let entry = match &state.kind {
        ExprKind::Tensed { tense, .. } => Expr {
            kind: ExprKind::Tensed {
                tense: *tense,
                operand: Box::new(entry),
            },
            span,
        },
        _ => entry,
    };
    let collection = Expr {
        kind: ExprKind::Set(points),
        span,
    };
    let kind = ExprKind::Quantified {
        quantifier: Quantifier::Every,
        bindings: vec![Binding {
            name: point,
            collection,
        }],
        condition: Box::new(binary(Operator::Is, entry, value)),
    };
    Expr { kind, span }
}

pub(super) fn apply(function: &Name, arguments: Vec<Expr>, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Apply {
            function: function.clone(),
            arguments,
            with_of: false,
        },
        span,
    }
}

fn counted(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}
