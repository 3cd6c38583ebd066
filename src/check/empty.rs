//! Types with a condition that no value fulfils.

use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Arithmetic, Expr, ExprKind, Order, Program},
    source::Sources,
    types::{Constant, Type},
};

/// How many values of a type are tried at most.
const MOST_VALUES: u64 = 1 << 12;

/// Warns of `type Pair(low: 1..3, high: 1..3) where high > 3`, which has no value.
pub(super) fn check(program: &Program, sources: &Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, condition, _) in &program.conditions {
        let product = program.types.product(*id);
        let bounds: Option<Vec<(i64, i64)>> = product
            .fields
            .iter()
            .map(|field| bounds(&field.ty))
            .collect();
        let Some(bounds) = bounds else { continue };
        if holds_never(condition, &bounds) {
            let text = sources.text(condition.span);
            let message = format!("`{}` has no value: `{text}` holds for none", product.name);
            found.push(
                Diagnostic::warning(Code::ConstantCondition, condition.span, message)
                    .help("write a condition that some values of its parts fulfil"),
            );
        }
    }
    found
}

/// The first and the last value of a type of single values.
fn bounds(ty: &Type) -> Option<(i64, i64)> {
    match ty {
        Type::YesNo => Some((0, 1)),
        Type::Range(range) if range.places == 0 => Some((range.lo, range.hi)),
        Type::Member(part) => Some((i64::from(part.first), i64::from(part.last))),
        _ => None,
    }
}

/// Whether a condition holds for no values of its parts, as far as that can be told by trying them all.
fn holds_never(condition: &Expr, bounds: &[(i64, i64)]) -> bool {
    let count = |(from, to): &(i64, i64)| u64::try_from(to.checked_sub(*from)? + 1).ok();
    let all = bounds
        .iter()
        .try_fold(1u64, |all, one| all.checked_mul(count(one)?));
    if all.is_none_or(|all| all > MOST_VALUES) {
        return false;
    }
    let mut values: Vec<i64> = bounds.iter().map(|(from, _)| *from).collect();
    loop {
        if value(condition, &values) != Some(0) {
            return false;
        }
        // The next values, as digits are counted up.
        let Some(place) = (0..values.len()).rfind(|place| values[*place] < bounds[*place].1) else {
            return true;
        };
        values[place] += 1;
        for (value, (from, _)) in values.iter_mut().zip(bounds).skip(place + 1) {
            *value = *from;
        }
    }
}

/// The value of a simple expression over parts with these values; nothing for any other.
fn value(expr: &Expr, parts: &[i64]) -> Option<i64> {
    if expr.ty.is_decimal() || expr.ty.is_optional() {
        return None;
    }
    let of = |expr: &Expr| value(expr, parts);
    let holds = |yes: bool| Some(i64::from(yes));
    match &expr.kind {
        ExprKind::Constant(Constant::Scalar(value)) => Some(*value),
        ExprKind::Local(local) => parts.get(local.index()).copied(),
        ExprKind::Converted(inner) | ExprKind::Checked(inner) => of(inner),
        ExprKind::Negate(inner) => of(inner)?.checked_neg(),
        ExprKind::Arithmetic {
            operator,
            left,
            right,
        } => match operator {
            Arithmetic::Add => of(left)?.checked_add(of(right)?),
            Arithmetic::Subtract => of(left)?.checked_sub(of(right)?),
            Arithmetic::Multiply => of(left)?.checked_mul(of(right)?),
            _ => None,
        },
        ExprKind::Order {
            operator,
            left,
            right,
        } => {
            let (left, right) = (of(left)?, of(right)?);
            holds(match operator {
                Order::Less => left < right,
                Order::LessOrEqual => left <= right,
                Order::Greater => left > right,
                Order::GreaterOrEqual => left >= right,
            })
        }
        ExprKind::Is(left, right) => holds(of(left)? == of(right)?),
        ExprKind::Not(inner) => holds(of(inner)? == 0),
        ExprKind::And(left, right) => match of(left)? {
            0 => Some(0),
            _ => of(right),
        },
        ExprKind::Or(left, right) => match of(left)? {
            0 => of(right),
            held => Some(held),
        },
        _ => None,
    }
}
