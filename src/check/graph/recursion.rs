//! A fact that asks itself: only for one less, from a range that is not too long.

use super::{Graph, reads};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Arithmetic, Expr, ExprKind, Fact, FactId, GREATEST_RECURSION, LocalId, Program, Reading,
        TemplatePart, Tense,
    },
    source::Span,
    types::{Constant, Type},
};

/// Reports facts that ask themselves and may not.
pub(super) fn check(graph: &Graph<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (index, (fact, reads)) in graph.program.facts.iter().zip(&graph.facts).enumerate() {
        let id = FactId::new(index);
        let itself =
            |read: &&super::Read| matches!(read.what, Reading::Fact(found, _) if found == id);
        if reads.list.iter().any(|read| itself(&read)) {
            diagnostics.extend(asks_itself(fact, id));
        }
    }
    diagnostics.extend(written_within_itself(graph.program));
    diagnostics
}

/// What a written form is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Another written form, by its place among all.
    Form(usize),
    /// A fact, which may write something.
    Fact(usize),
}

/// Parts, each where it is written or asked.
type Places = Vec<(Part, Span)>;

/// What a form or fact writes or asks, each where it does so. That a fact asks itself matters elsewhere.
fn parts(program: &Program, part: Part) -> Places {
    let mut parts = Places::new();
    let says = |ty: &Type, span: Span, parts: &mut Places| {
        let mut open = vec![ty.clone()];
        while let Some(ty) = open.pop() {
            let ty = ty.required();
            let whole = match ty.element().unwrap_or(ty).required() {
                Type::Member(part) => program.types.whole(part.kind),
                other => other.clone(),
            };
            match (
                program.writes.iter().position(|write| write.ty == whole),
                &whole,
            ) {
                (Some(form), _) => parts.push((Part::Form(form), span)),
                (None, Type::Product(id)) => {
                    let fields = &program.types.product(*id).fields;
                    open.extend(fields.iter().map(|field| field.ty.clone()));
                }
                (None, _) => {}
            }
        }
    };
    let expressions = match part {
        Part::Form(form) => {
            let form = &program.writes[form].form;
            says(&form.ty, form.span, &mut parts);
            vec![form]
        }
        Part::Fact(fact) => reads::of_definition(&program.facts[fact].definition, false),
    };
    for expression in expressions {
        expression.walk(&mut |expression| match &expression.kind {
            ExprKind::Fact { fact, .. } | ExprKind::Tabulated(fact, _) => {
                parts.push((Part::Fact(fact.index()), expression.span));
            }
            ExprKind::Template(template) => {
                for hole in &template.parts {
                    if let TemplatePart::Hole(hole) = hole {
                        says(&hole.ty, hole.span, &mut parts);
                    }
                }
            }
            ExprKind::Listed { collection, .. } => {
                says(&collection.ty, collection.span, &mut parts);
            }
            _ => {}
        });
    }
    parts.retain(|(found, _)| *found != part || matches!(part, Part::Form(_)));
    parts
}

/// Reports written forms that are part of themselves. Other circles of facts are reported elsewhere.
fn written_within_itself(program: &Program) -> Vec<Diagnostic> {
    let forms = program.writes.len();
    let place = |part: Part| match part {
        Part::Form(form) => form,
        Part::Fact(fact) => forms + fact,
    };
    let mut diagnostics = Vec::new();
    let mut seen = vec![false; forms + program.facts.len()];
    let mut is_open = seen.clone();
    for root in 0..forms {
        let mut path: Vec<(Part, Places, usize)> = Vec::new();
        if !seen[root] {
            seen[root] = true;
            is_open[root] = true;
            path.push((Part::Form(root), parts(program, Part::Form(root)), 0));
        }
        while let Some((part, below, next)) = path.last_mut() {
            let Some((found, _)) = below.get(*next).copied() else {
                is_open[place(*part)] = false;
                path.pop();
                continue;
            };
            *next += 1;
            if is_open[place(found)] {
                let from = path.iter().position(|(part, ..)| *part == found);
                let circle = path.get(from.unwrap_or(0)..).unwrap_or_default();
                let form = circle.iter().find_map(|(part, below, next)| match part {
                    Part::Form(form) => Some((*form, below.get(next - 1)?.1)),
                    Part::Fact(_) => None,
                });
                if let Some((form, span)) = form {
                    let name = program.types.display(&program.writes[form].ty);
                    let message = format!("`{name}` would be written as a part of itself");
                    diagnostics.push(
                        Diagnostic::error(Code::Recursion, span, message)
                            .help("write something of it: its name, an attribute or a part"),
                    );
                }
            } else if !seen[place(found)] {
                seen[place(found)] = true;
                is_open[place(found)] = true;
                path.push((found, parts(program, found), 0));
            }
        }
    }
    diagnostics
}

fn asks_itself(fact: &Fact, id: FactId) -> Option<Diagnostic> {
    let mut calls: Vec<&Expr> = Vec::new();
    for expression in reads::of_definition(&fact.definition, false) {
        expression.walk(&mut |expression| match &expression.kind {
            ExprKind::Fact { fact, .. } | ExprKind::Tabulated(fact, _) if *fact == id => {
                calls.push(expression);
            }
            _ => {}
        });
    }
    let first = calls.first()?;
    let name = &fact.name;
    let Some((parameter, Type::Range(range))) = fact.parameters.first() else {
        return Some(
            Diagnostic::error(
                Code::Recursion,
                first.span,
                format!("`{name}` uses itself, and nothing says that this ends"),
            )
            .label(fact.span, "declared here")
            .help(format!(
                "let its first parameter count down: `{name}(n: 1..9)` may use `{name}(n - 1)`"
            )),
        );
    };
    if let Some(call) = calls.iter().find(|call| !counts_down(call)) {
        return Some(
            Diagnostic::error(
                Code::Recursion,
                call.span,
                format!("`{name}` uses itself here with something other than `{parameter} - 1`"),
            )
            .help(format!(
                "a fact may use itself only with one less: `{name}({parameter} - 1{})`",
                if fact.parameters.len() > 1 {
                    ", …"
                } else {
                    ""
                }
            )),
        );
    }
    let count = range.count().unwrap_or(u64::MAX);
    if count > GREATEST_RECURSION {
        return Some(
            Diagnostic::error(
                Code::Recursion,
                fact.span,
                format!("`{name}` may use itself {count} times; {GREATEST_RECURSION} is the most"),
            )
            .label(first.span, "it uses itself here")
            .help("use a smaller range, or `for` or `sum of` in its place"),
        );
    }
    None
}

/// Whether a call is asked for the first parameter less one.
fn counts_down(call: &Expr) -> bool {
    let ExprKind::Fact {
        arguments,
        tense: Tense::Now,
        ..
    } = &call.kind
    else {
        return false;
    };
    let Some(ExprKind::Arithmetic {
        operator: Arithmetic::Subtract,
        left,
        right,
    }) = arguments.first().map(|argument| &plain(argument).kind)
    else {
        return false;
    };
    matches!(plain(left).kind, ExprKind::Local(LocalId(0)))
        && matches!(plain(right).kind, ExprKind::Constant(Constant::Scalar(1)))
}

/// The expression without the checks around it.
fn plain(expression: &Expr) -> &Expr {
    match &expression.kind {
        ExprKind::Checked(inner) | ExprKind::Converted(inner) => plain(inner),
        _ => expression,
    }
}
