//! Warnings about rules that work but are hard to vary or explain.

use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::ast::{
        Clause, Definition, Expr, ExprKind, Fact, Item, Operator, RuleFile, Type, TypeKind,
    },
};

/// How many conditions `and` may join before separate rows are better.
const MOST_CONDITIONS: usize = 3;

/// The least number that may be a copy of an option's value; smaller ones are too common.
const LEAST_BOUND: i64 = 4;

/// Warns of rules in a file that are hard to vary or read.
pub(crate) fn check(file: &RuleFile) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for item in &file.items {
        match item {
            Item::Fact(fact) => found.extend(long_condition(fact)),
            Item::Section(section) => {
                found.extend(section.clauses.iter().filter_map(|clause| match clause {
                    Clause::Fact(fact) => long_condition(fact),
                    _ => None,
                }));
            }
            _ => {}
        }
        found.extend(types(item).filter_map(|ty| fixed_bound(file, ty)));
    }
    found
}

/// Warns of a fact that joins many conditions by `and`.
fn long_condition(fact: &Fact) -> Option<Diagnostic> {
    let Definition::Expression(expression) = &fact.definition else {
        return None;
    };
    let count = conditions(expression);
    (count > MOST_CONDITIONS).then(|| {
        let name = &fact.name.text;
        let message = format!("`{name}` joins {count} conditions by `and`");
        Diagnostic::warning(Code::LongCondition, expression.span, message).help(format!(
            "write `{name} = all of` with a named row for each: a variant can then change one, and `why` says which fails"
        ))
    })
}

/// How many conditions `and` joins.
fn conditions(expression: &Expr) -> usize {
    match &expression.kind {
        ExprKind::Group(inner) => conditions(inner),
        ExprKind::Binary {
            operator: Operator::And,
            left,
            right,
            ..
        } => conditions(left) + conditions(right),
        _ => 1,
    }
}

/// The types written in an item that may be meant to depend on options.
fn types(item: &Item) -> impl Iterator<Item = &Type> {
    let (parameters, ty) = match item {
        Item::State(state) => (state.parameters.as_slice(), Some(&state.ty)),
        Item::Given(given) => (given.parameters.as_slice(), Some(&given.ty)),
        Item::Fact(fact) => (fact.parameters.as_slice(), fact.ty.as_ref()),
        Item::Event(event) => (event.fields.as_slice(), None),
        _ => (&[][..], None),
    };
    parameters.iter().map(|parameter| &parameter.ty).chain(ty)
}

/// Warns of a range that ends at the value of an option.
fn fixed_bound(file: &RuleFile, ty: &Type) -> Option<Diagnostic> {
    let end = match &ty.kind {
        TypeKind::Range(_, end) => end,
        TypeKind::Set(inner)
        | TypeKind::Bag(inner)
        | TypeKind::Pile(inner)
        | TypeKind::Optional(inner) => return fixed_bound(file, inner),
        TypeKind::Map(key, value) => {
            return fixed_bound(file, key).or_else(|| fixed_bound(file, value));
        }
        TypeKind::YesNo | TypeKind::Named(_) | TypeKind::Decimals(_) => return None,
    };
    let ExprKind::Number(bound) = end.kind else {
        return None;
    };
    let option = file.items.iter().find_map(|item| match item {
        Item::Option(option) => match option.value.kind {
            ExprKind::Number(value) if value == bound && bound >= LEAST_BOUND => Some(option),
            _ => None,
        },
        _ => None,
    })?;
    let name = &option.name.text;
    Some(
        Diagnostic::warning(
            Code::FixedBound,
            end.span,
            format!("this range ends at {bound}, and so does the option `{name}` as it is now"),
        )
        .label(option.span, "the option")
        .help(format!(
            "if the range depends on the option, write `{name}`"
        ))
        .edit(end.span, name, false),
    )
}
