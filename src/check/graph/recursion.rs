//! Recursive facts: they must count down, from a range that is not too long.

use super::{Graph, reads};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Arithmetic, Expr, ExprKind, Fact, FactId, GREATEST_RECURSION, Program, Reading,
        TemplatePart, Tense,
    },
    source::Span,
    types::{Constant, Type},
};

/// Reports invalid recursion.
pub(super) fn check(graph: &Graph<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (index, (fact, reads)) in graph.program.facts.iter().zip(&graph.facts).enumerate() {
        let id = FactId::new(index);
        let itself =
            |read: &&super::Read| matches!(read.what, Reading::Fact(found, _) if found == id);
        if reads.list.iter().any(|read| itself(&read)) {
            diagnostics.extend(unbounded_recursion(fact, id));
        }
    }
    diagnostics.extend(recursive_forms(graph.program));
    diagnostics
}

/// Part of a written form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Another written form, by its index.
    Form(usize),
    /// A fact that contributes to the form.
    Fact(usize),
}

/// Parts, each with the place of its use.
type Places = Vec<(Part, Span)>;

/// The written forms and facts that a form or fact uses, except a fact itself.
fn parts(program: &Program, part: Part) -> Places {
    let mut parts = Places::new();
    let writes = |ty: &Type, span: Span, parts: &mut Places| {
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
            writes(&form.ty, form.span, &mut parts);
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
                        writes(&hole.ty, hole.span, &mut parts);
                    }
                }
            }
            ExprKind::Listed { collection, .. } => {
                writes(&collection.ty, collection.span, &mut parts);
            }
            _ => {}
        });
    }
    parts.retain(|(found, _)| *found != part || matches!(part, Part::Form(_)));
    parts
}

/// Reports written forms that contain themselves. Other cycles of facts are reported elsewhere.
fn recursive_forms(program: &Program) -> Vec<Diagnostic> {
    let forms = program.writes.len();
    let index_of = |part: Part| match part {
        Part::Form(form) => form,
        Part::Fact(fact) => forms + fact,
    };
    let mut diagnostics = Vec::new();
    let mut seen = vec![false; forms + program.facts.len()];
    let mut on_path = seen.clone();
    for root in 0..forms {
        let mut path: Vec<(Part, Places, usize)> = Vec::new();
        if !seen[root] {
            seen[root] = true;
            on_path[root] = true;
            path.push((Part::Form(root), parts(program, Part::Form(root)), 0));
        }
        while let Some((part, below, next)) = path.last_mut() {
            let Some((found, _)) = below.get(*next).copied() else {
                on_path[index_of(*part)] = false;
                path.pop();
                continue;
            };
            *next += 1;
            if on_path[index_of(found)] {
                let from = path.iter().position(|(part, ..)| *part == found);
                let cycle = path.get(from.unwrap_or(0)..).unwrap_or_default();
                let form = cycle.iter().find_map(|(part, below, next)| match part {
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
            } else if !seen[index_of(found)] {
                seen[index_of(found)] = true;
                on_path[index_of(found)] = true;
                path.push((found, parts(program, found), 0));
            }
        }
    }
    diagnostics
}

fn unbounded_recursion(fact: &Fact, id: FactId) -> Option<Diagnostic> {
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
    let counter = (1..fact.parameters.len())
        .find(|place| calls.iter().all(|call| counts_down(call, *place)))
        .and_then(|place| fact.parameters.get(place));
    let reordered = counter.map(|(counter, _)| {
        format!("`{counter}` counts down here: make it the first parameter, and write `{name}({counter} - 1, …)`")
    });
    let Some((parameter, Type::Range(range))) = fact.parameters.first() else {
        return Some(
            Diagnostic::error(
                Code::Recursion,
                first.span,
                format!("`{name}` uses itself, and nothing says that this ends"),
            )
            .label(fact.span, "declared here")
            .help(reordered.unwrap_or_else(|| {
                format!(
                    "let its first parameter count down: `{name}(n: 1..9)` may use `{name}(n - 1)`"
                )
            })),
        );
    };
    if let Some(call) = calls.iter().find(|call| !counts_down(call, 0)) {
        return Some(
            Diagnostic::error(
                Code::Recursion,
                call.span,
                format!("`{name}` uses itself here with something other than `{parameter} - 1`"),
            )
            .help(reordered.unwrap_or_else(|| {
                let others = if fact.parameters.len() > 1 {
                    ", …"
                } else {
                    ""
                };
                format!(
                    "a fact may use itself only with one less: `{name}({parameter} - 1{others})`"
                )
            })),
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

/// Whether a call passes the parameter at this place minus one.
fn counts_down(call: &Expr, place: usize) -> bool {
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
    }) = arguments
        .get(place)
        .map(|argument| &argument.unconverted().kind)
    else {
        return false;
    };
    matches!(&left.unconverted().kind, ExprKind::Local(local) if local.0 as usize == place)
        && matches!(
            right.unconverted().kind,
            ExprKind::Constant(Constant::Scalar(1))
        )
}
