//! Who sees what: the hidden values that an expression depends on.

use std::{collections::BTreeSet, rc::Rc};

use super::{
    Body, Builtin, Definition, EventId, Expr, ExprKind, FactId, LocalId, Program, StateId, Tense,
};
use crate::{
    source::Span,
    types::{Constant, GivenId, Type},
};

/// Who sees something that not everyone sees.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    /// The set of seats; none if nobody sees it.
    pub seats: Option<Expr>,
    /// The types of the parameters of the hidden state, given or field, which are the first locals.
    pub parameters: Vec<Type>,
    pub locals: usize,
    /// Its place in the source.
    pub span: Span,
}

/// Something that not everyone sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hidden {
    State(StateId),
    Given(GivenId),
    /// A field of the event.
    Field(usize),
}

/// A hidden value that an expression depends on.
#[derive(Debug, Clone)]
pub(crate) struct Secret {
    pub(crate) what: Hidden,
    pub(crate) tense: Tense,
    /// The key of the entry; none if that is not known, so that it may be any.
    pub(crate) key: Option<Expr>,
    /// The part of the expression in question that leads to it.
    pub(crate) span: Span,
}

/// The frame of an expression: what is known of its locals, and the state in which it is evaluated.
struct Frame {
    /// The expression that each local stands for; none where that is not known.
    known: Vec<Option<Expr>>,
    /// Whether it is the frame of the expression in question, and not that of a fact it calls.
    outermost: bool,
    tense: Tense,
    /// The facts being evaluated, the outermost first.
    callers: Vec<FactId>,
    /// The part of the expression in question that led to this frame.
    span: Option<Span>,
}

impl Frame {
    /// The state in which something with this tense is read.
    fn tense(&self, tense: Tense) -> Tense {
        if tense == Tense::Now {
            self.tense
        } else {
            tense
        }
    }

    /// An expression of this frame as one of the outermost frame, if it is simple enough.
    fn in_outermost(&self, expr: &Expr) -> Option<Expr> {
        let kind = match &expr.kind {
            ExprKind::Local(local) => return self.known.get(local.index()).cloned().flatten(),
            ExprKind::State(state, tense) => ExprKind::State(*state, self.tense(*tense)),
            ExprKind::EventField(_) | ExprKind::Constant(_) | ExprKind::Given(_) => {
                expr.kind.clone()
            }
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            } => ExprKind::Fact {
                fact: *fact,
                tense: self.tense(*tense),
                arguments: arguments
                    .iter()
                    .map(|one| self.in_outermost(one))
                    .collect::<Option<_>>()?,
            },
            ExprKind::Beside {
                operand,
                steps,
                before,
            } => ExprKind::Beside {
                operand: Box::new(self.in_outermost(operand)?),
                steps: Box::new(self.in_outermost(steps)?),
                before: *before,
            },
            ExprKind::Make { product, parts } => ExprKind::Make {
                product: *product,
                parts: parts
                    .iter()
                    .map(|one| self.in_outermost(one))
                    .collect::<Option<_>>()?,
            },
            _ if self.outermost && self.is_all_known(expr) => return Some(expr.clone()),
            _ => return None,
        };
        Some(Expr::new(kind, expr.ty.clone(), expr.span))
    }

    /// Whether all locals of an expression are known.
    fn is_all_known(&self, expr: &Expr) -> bool {
        let mut all = true;
        expr.walk(&mut |part| {
            if let ExprKind::Local(local) = part.kind {
                all &= matches!(self.known.get(local.index()), Some(Some(_)));
            }
        });
        all
    }
}

/// Whether two simple expressions are the same, apart from their places.
pub(crate) fn is_same(one: &Expr, other: &Expr) -> bool {
    let all = |one: &[Expr], other: &[Expr]| {
        one.len() == other.len()
            && one
                .iter()
                .zip(other)
                .all(|(one, other)| is_same(one, other))
    };
    match (&one.kind, &other.kind) {
        (ExprKind::Local(one), ExprKind::Local(other)) => one == other,
        (ExprKind::State(one, tense), ExprKind::State(other, then)) => {
            one == other && tense == then
        }
        (ExprKind::EventField(one), ExprKind::EventField(other)) => one == other,
        (ExprKind::Given(one), ExprKind::Given(other)) => one == other,
        (
            ExprKind::Constant(Constant::Scalar(one)),
            ExprKind::Constant(Constant::Scalar(other)),
        ) => one == other,
        (
            ExprKind::Fact {
                fact: one,
                tense,
                arguments,
            },
            ExprKind::Fact {
                fact: other,
                tense: then,
                arguments: others,
            },
        ) => one == other && tense == then && all(arguments, others),
        (
            ExprKind::Beside {
                operand,
                steps,
                before,
            },
            ExprKind::Beside {
                operand: other,
                steps: others,
                before: back,
            },
        ) => before == back && is_same(operand, other) && is_same(steps, others),
        (ExprKind::Make { parts, .. }, ExprKind::Make { parts: others, .. }) => all(parts, others),
        _ => false,
    }
}

impl Program {
    /// Whether the game hides anything from anyone.
    pub(crate) fn has_secrets(&self) -> bool {
        self.states.iter().any(|state| state.sight.is_some())
            || self.givens.iter().any(|given| given.sight.is_some())
            || self.events.iter().any(|event| {
                event.sights.iter().any(Option::is_some)
                    || event.report.rows.iter().any(|row| row.sight.is_some())
            })
    }

    /// Who sees something, if not everyone does.
    pub(crate) fn sight(&self, event: Option<EventId>, what: Hidden) -> Option<&Sight> {
        match what {
            Hidden::State(state) => self.states.get(state.index())?.sight.as_ref(),
            Hidden::Given(given) => self.givens.get(given.index())?.sight.as_ref(),
            Hidden::Field(field) => {
                let event = self.events.get(event?.index())?;
                event.sights.get(field)?.as_ref()
            }
        }
    }

    pub(crate) fn name_of(&self, event: Option<EventId>, what: Hidden) -> String {
        let name = match what {
            Hidden::State(state) => self.states.get(state.index()).map(|one| &one.name),
            Hidden::Given(given) => self.givens.get(given.index()).map(|one| &one.name),
            Hidden::Field(field) => event
                .and_then(|event| self.events.get(event.index()))
                .and_then(|event| event.fields.get(field))
                .map(|(name, _)| name),
        };
        name.cloned().unwrap_or_default()
    }

    /// The hidden values that some expressions depend on, given the `locals` of their frame whose values are known. The
    /// size of a collection, and whether there is a value at all, are never hidden.
    pub(crate) fn secrets<'p>(
        &'p self,
        event: Option<EventId>,
        locals: &[(LocalId, Type)],
        expressions: impl IntoIterator<Item = &'p Expr>,
    ) -> Vec<Secret> {
        self.find_secrets(event, locals, expressions, false)
    }

    /// The same; if `whole`, with hidden collections of which only the size is used.
    pub(super) fn find_secrets<'p>(
        &'p self,
        event: Option<EventId>,
        locals: &[(LocalId, Type)],
        expressions: impl IntoIterator<Item = &'p Expr>,
        whole: bool,
    ) -> Vec<Secret> {
        let mut search = Search {
            whole,
            program: self,
            event,
            found: Vec::new(),
            open: Vec::new(),
            visited: BTreeSet::new(),
        };
        let last = locals.iter().map(|(local, _)| local.index() + 1).max();
        let mut known = vec![None; last.unwrap_or(0)];
        for (local, ty) in locals {
            let kind = ExprKind::Local(*local);
            known[local.index()] = Some(Expr::new(kind, ty.clone(), Span::default()));
        }
        let frame = Rc::new(Frame {
            known,
            outermost: true,
            tense: Tense::Now,
            callers: Vec::new(),
            span: None,
        });
        for expression in expressions {
            search.open.push((expression, Rc::clone(&frame), false));
        }
        search.run();
        search.found
    }
}

/// The search for the hidden values that expressions depend on.
struct Search<'p> {
    /// Whether to include collections of which only the size is used.
    whole: bool,
    program: &'p Program,
    event: Option<EventId>,
    found: Vec<Secret>,
    /// The expressions still to visit, each with its frame and whether only its size is used.
    open: Vec<(&'p Expr, Rc<Frame>, bool)>,
    /// The calls of facts that were visited: fact, tense, whether only the size is used, arguments.
    visited: BTreeSet<(FactId, Tense, bool, String)>,
}

impl<'p> Search<'p> {
    fn run(&mut self) {
        while let Some((expr, frame, size_only)) = self.open.pop() {
            self.visit(expr, &frame, size_only);
        }
    }

    fn visit(&mut self, expr: &'p Expr, frame: &Rc<Frame>, size_only: bool) {
        let push = |search: &mut Self, expr: &'p Expr, size_only: bool| {
            search.open.push((expr, Rc::clone(frame), size_only));
        };
        match &expr.kind {
            ExprKind::State(state, tense) => {
                self.read(
                    Hidden::State(*state),
                    *tense,
                    None,
                    (expr, size_only),
                    frame,
                );
            }
            ExprKind::Given(given) => {
                self.read(
                    Hidden::Given(*given),
                    Tense::Now,
                    None,
                    (expr, size_only),
                    frame,
                );
            }
            ExprKind::EventField(field) => {
                self.read(
                    Hidden::Field(*field),
                    Tense::Now,
                    None,
                    (expr, size_only),
                    frame,
                );
            }
            ExprKind::Entry { map, key } => {
                push(self, key, false);
                let (what, tense) = match &map.kind {
                    ExprKind::State(state, tense) => (Hidden::State(*state), *tense),
                    ExprKind::Given(given) => (Hidden::Given(*given), Tense::Now),
                    _ => return push(self, map, false),
                };
                self.read(what, tense, Some(key), (expr, size_only), frame);
            }
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            } => {
                for argument in arguments {
                    push(self, argument, false);
                }
                let known = arguments
                    .iter()
                    .map(|one| frame.in_outermost(one))
                    .collect();
                self.fact(*fact, *tense, known, (expr, size_only), frame);
            }
            ExprKind::Tabulated(fact, tense) => {
                self.fact(*fact, *tense, Vec::new(), (expr, size_only), frame);
            }
            ExprKind::Builtin(Builtin::Size, operands) => {
                for operand in operands {
                    push(self, operand, true);
                }
            }
            ExprKind::Is(left, right) if is_none_or_empty(right) => push(self, left, true),
            ExprKind::Is(left, right) if is_none_or_empty(left) => push(self, right, true),
            // The sizes of the parts say nothing about their members.
            ExprKind::Then(left, right) if size_only => {
                push(self, left, true);
                push(self, right, true);
            }
            ExprKind::Builtin(Builtin::Below | Builtin::TopMany, operands) if size_only => {
                if let [number, pile] = operands.as_slice() {
                    push(self, number, false);
                    push(self, pile, true);
                }
            }
            ExprKind::Converted(inner) | ExprKind::Checked(inner) => push(self, inner, size_only),
            _ => expr.children(&mut |child| push(self, child, false)),
        }
    }

    /// Adds a state, given or field that is read, if it is hidden.
    fn read(
        &mut self,
        what: Hidden,
        tense: Tense,
        key: Option<&Expr>,
        (expr, size_only): (&Expr, bool),
        frame: &Frame,
    ) {
        if size_only && !self.whole || self.program.sight(self.event, what).is_none() {
            return;
        }
        self.found.push(Secret {
            what,
            tense: frame.tense(tense),
            key: key.and_then(|key| frame.in_outermost(key)),
            span: frame.span.unwrap_or(expr.span),
        });
    }

    fn fact(
        &mut self,
        fact: FactId,
        tense: Tense,
        known: Vec<Option<Expr>>,
        (expr, size_only): (&Expr, bool),
        frame: &Frame,
    ) {
        let Some(called) = self.program.facts.get(fact.index()) else {
            return;
        };
        // A recursive call may be about any entry.
        let is_recursive = frame.callers.contains(&fact);
        let known = if is_recursive {
            vec![None; known.len()]
        } else {
            known
        };
        let tense = frame.tense(tense);
        if !self
            .visited
            .insert((fact, tense, size_only, format!("{known:?}")))
        {
            return;
        }
        let mut callers = frame.callers.clone();
        callers.push(fact);
        let inner = Rc::new(Frame {
            known,
            outermost: false,
            tense,
            callers,
            span: Some(frame.span.unwrap_or(expr.span)),
        });
        for (value, expr) in of_definition(&called.definition) {
            self.open
                .push((expr, Rc::clone(&inner), size_only && value));
        }
    }
}

pub(crate) fn expressions_of(definition: &Definition) -> impl Iterator<Item = &Expr> {
    of_definition(definition).into_iter().map(|(_, expr)| expr)
}

/// The expressions of a definition, each with whether it is a value rather than a condition.
fn of_definition(definition: &Definition) -> Vec<(bool, &Expr)> {
    let mut all = Vec::new();
    match &definition.body {
        Body::Expression(value) => all.push((true, value)),
        Body::Table(table) => {
            for row in &table.rows {
                all.extend(
                    row.bindings
                        .iter()
                        .map(|(_, collection)| (false, collection)),
                );
                all.extend(row.conditions.iter().map(|condition| (false, condition)));
                all.push((true, &row.value));
            }
        }
        Body::By(table) => {
            all.extend(table.keys.iter().map(|key| (false, key)));
            for row in &table.rows {
                all.extend(row.conditions.iter().map(|condition| (false, condition)));
                all.push((true, &row.value));
            }
        }
    }
    all
}

/// `none`, `empty`
fn is_none_or_empty(expr: &Expr) -> bool {
    match &expr.unconverted().kind {
        ExprKind::Constant(Constant::None) => true,
        ExprKind::Collect(items) => items.is_empty(),
        _ => false,
    }
}

impl Program {
    /// The hidden values that a row of a report depends on.
    pub(crate) fn secrets_of_row(&self, event: EventId, row: &super::Row) -> Vec<Secret> {
        let locals: Vec<(LocalId, Type)> = row
            .bindings
            .iter()
            .filter_map(|(local, collection)| Some((*local, collection.ty.element()?.clone())))
            .collect();
        // Everyone learns whether the game is over.
        let over = self.events[event.index()].over;
        let conditions = row.conditions.iter();
        let conditions = conditions.flat_map(|condition| condition.parts_without(over));
        let expressions = row.bindings.iter().map(|(_, collection)| collection);
        let expressions = expressions.chain(conditions).chain([&row.value]);
        self.secrets(Some(event), &locals, expressions)
    }

    /// The hidden values that a definition depends on.
    pub(crate) fn secrets_of_definition(
        &self,
        event: Option<EventId>,
        definition: &Definition,
    ) -> Vec<Secret> {
        self.secrets(event, &[], expressions_of(definition))
    }

    /// The hidden values that decide whether an event may happen.
    pub(crate) fn secrets_of_legality(&self, id: EventId) -> Vec<Secret> {
        let Some(event) = self.events.get(id.index()) else {
            return Vec::new();
        };
        let guard = event.guard.iter().map(|guard| &guard.condition);
        let mut all = self.secrets(None, &[], guard);
        for row in &event.impossible.rows {
            let collections = row.bindings.iter().map(|(_, collection)| collection);
            all.extend(self.secrets(None, &[], collections.chain(&row.conditions)));
        }
        for fact in &event.refuse {
            let definition = &self.facts[fact.index()].definition;
            all.extend(self.secrets_of_definition(None, definition));
        }
        all
    }
}
