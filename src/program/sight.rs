//! Who sees what: what an expression rests on that not everyone sees.

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
    /// The seats, a set; nobody where there are none.
    pub seats: Option<Expr>,
    /// The types of the parameters of what is seen, which are the first locals.
    pub parameters: Vec<Type>,
    /// How many locals they have.
    pub locals: usize,
    /// Where it stands.
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

/// That an expression rests on something that not everyone sees.
#[derive(Debug, Clone)]
pub(crate) struct Secret {
    pub(crate) what: Hidden,
    pub(crate) tense: Tense,
    /// The entry; all of them where it is not known which.
    pub(crate) key: Option<Expr>,
    /// Where the expression that was asked about comes to it.
    pub(crate) span: Span,
}

/// The frame of an expression: what is known of its locals and in which state it is asked.
struct Frame {
    /// What stands for each; nothing where that is not known.
    known: Vec<Option<Expr>>,
    /// Whether it is that of the expression that was asked about.
    outermost: bool,
    tense: Tense,
    /// The facts that led here.
    through: Vec<FactId>,
    /// The place in the expression that was asked about.
    span: Option<Span>,
}

impl Frame {
    /// In which state something is read.
    fn tense(&self, tense: Tense) -> Tense {
        if tense == Tense::Now {
            self.tense
        } else {
            tense
        }
    }

    /// An expression of this frame as one of the outermost frame, where that is simple.
    fn outside(&self, expr: &Expr) -> Option<Expr> {
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
                    .map(|one| self.outside(one))
                    .collect::<Option<_>>()?,
            },
            ExprKind::Beside {
                operand,
                steps,
                before,
            } => ExprKind::Beside {
                operand: Box::new(self.outside(operand)?),
                steps: Box::new(self.outside(steps)?),
                before: *before,
            },
            ExprKind::Make { product, parts } => ExprKind::Make {
                product: *product,
                parts: parts
                    .iter()
                    .map(|one| self.outside(one))
                    .collect::<Option<_>>()?,
            },
            _ if self.outermost && self.knows(expr) => return Some(expr.clone()),
            _ => return None,
        };
        Some(Expr::new(kind, expr.ty.clone(), expr.span))
    }

    /// Whether all locals of an expression are known.
    fn knows(&self, expr: &Expr) -> bool {
        let mut all = true;
        expr.walk(&mut |part| {
            if let ExprKind::Local(local) = part.kind {
                all &= matches!(self.known.get(local.index()), Some(Some(_)));
            }
        });
        all
    }
}

/// Whether two simple expressions say the same.
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
    /// Whether there is anything that not everyone sees.
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

    /// What it is called.
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

    /// What expressions rest on that not everyone sees. Of these locals the frame that they stand in knows the value. How
    /// many members a collection has, and whether there is a value at all, everyone sees.
    pub(crate) fn secrets<'p>(
        &'p self,
        event: Option<EventId>,
        locals: &[(LocalId, Type)],
        expressions: impl IntoIterator<Item = &'p Expr>,
    ) -> Vec<Secret> {
        self.found(event, locals, expressions, false)
    }

    /// The same with what is hidden but for its size, if `whole`.
    pub(super) fn found<'p>(
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
            met: BTreeSet::new(),
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
            through: Vec::new(),
            span: None,
        });
        for expression in expressions {
            search.open.push((expression, Rc::clone(&frame), false));
        }
        search.run();
        search.found
    }
}

/// The search for what expressions rest on.
struct Search<'p> {
    /// Whether to find also that of which only the size tells.
    whole: bool,
    program: &'p Program,
    event: Option<EventId>,
    found: Vec<Secret>,
    /// What is still looked at, each with its frame and whether only its size tells.
    open: Vec<(&'p Expr, Rc<Frame>, bool)>,
    /// The facts that were looked at, with what they were asked.
    met: BTreeSet<(FactId, Tense, bool, String)>,
}

impl<'p> Search<'p> {
    fn run(&mut self) {
        while let Some((expr, frame, counted)) = self.open.pop() {
            self.look(expr, &frame, counted);
        }
    }

    fn look(&mut self, expr: &'p Expr, frame: &Rc<Frame>, counted: bool) {
        let push = |search: &mut Self, expr: &'p Expr, counted: bool| {
            search.open.push((expr, Rc::clone(frame), counted));
        };
        match &expr.kind {
            ExprKind::State(state, tense) => {
                self.read(Hidden::State(*state), *tense, None, (expr, counted), frame);
            }
            ExprKind::Given(given) => {
                self.read(
                    Hidden::Given(*given),
                    Tense::Now,
                    None,
                    (expr, counted),
                    frame,
                );
            }
            ExprKind::EventField(field) => {
                self.read(
                    Hidden::Field(*field),
                    Tense::Now,
                    None,
                    (expr, counted),
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
                self.read(what, tense, Some(key), (expr, counted), frame);
            }
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            } => {
                for argument in arguments {
                    push(self, argument, false);
                }
                let known = arguments.iter().map(|one| frame.outside(one)).collect();
                self.fact(*fact, *tense, known, (expr, counted), frame);
            }
            ExprKind::Tabulated(fact, tense) => {
                self.fact(*fact, *tense, Vec::new(), (expr, counted), frame);
            }
            ExprKind::Builtin(Builtin::Size, operands) => {
                for operand in operands {
                    push(self, operand, true);
                }
            }
            ExprKind::Is(left, right) if is_nothing(right) => push(self, left, true),
            ExprKind::Is(left, right) if is_nothing(left) => push(self, right, true),
            // How many there are does not tell which.
            ExprKind::Then(left, right) if counted => {
                push(self, left, true);
                push(self, right, true);
            }
            ExprKind::Builtin(Builtin::Below | Builtin::TopMany, operands) if counted => {
                if let [number, pile] = operands.as_slice() {
                    push(self, number, false);
                    push(self, pile, true);
                }
            }
            ExprKind::Converted(inner) | ExprKind::Checked(inner) => push(self, inner, counted),
            _ => expr.children(&mut |child| push(self, child, false)),
        }
    }

    /// Something is read, perhaps one that not everyone sees.
    fn read(
        &mut self,
        what: Hidden,
        tense: Tense,
        key: Option<&Expr>,
        (expr, counted): (&Expr, bool),
        frame: &Frame,
    ) {
        if counted && !self.whole || self.program.sight(self.event, what).is_none() {
            return;
        }
        self.found.push(Secret {
            what,
            tense: frame.tense(tense),
            key: key.and_then(|key| frame.outside(key)),
            span: frame.span.unwrap_or(expr.span),
        });
    }

    fn fact(
        &mut self,
        fact: FactId,
        tense: Tense,
        known: Vec<Option<Expr>>,
        (expr, counted): (&Expr, bool),
        frame: &Frame,
    ) {
        let Some(asked) = self.program.facts.get(fact.index()) else {
            return;
        };
        // What a fact asks itself is any entry.
        let again = frame.through.contains(&fact);
        let known = if again {
            vec![None; known.len()]
        } else {
            known
        };
        let tense = frame.tense(tense);
        if !self
            .met
            .insert((fact, tense, counted, format!("{known:?}")))
        {
            return;
        }
        let mut through = frame.through.clone();
        through.push(fact);
        let inner = Rc::new(Frame {
            known,
            outermost: false,
            tense,
            through,
            span: Some(frame.span.unwrap_or(expr.span)),
        });
        for (value, expr) in of_definition(&asked.definition) {
            self.open.push((expr, Rc::clone(&inner), counted && value));
        }
    }
}

/// The expressions of a definition.
pub(crate) fn expressions_of(definition: &Definition) -> impl Iterator<Item = &Expr> {
    of_definition(definition).into_iter().map(|(_, expr)| expr)
}

/// The expressions of a definition, and whether each is a value of it and no condition.
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
fn is_nothing(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(Constant::None) => true,
        ExprKind::Collect(items) => items.is_empty(),
        ExprKind::Converted(inner) | ExprKind::Checked(inner) => is_nothing(inner),
        _ => false,
    }
}

impl Program {
    /// What a row of a report rests on that not everyone sees.
    pub(crate) fn secrets_of_row(&self, event: EventId, row: &super::Row) -> Vec<Secret> {
        let locals: Vec<(LocalId, Type)> = row
            .bindings
            .iter()
            .filter_map(|(local, collection)| Some((*local, collection.ty.element()?.clone())))
            .collect();
        let expressions = row.bindings.iter().map(|(_, collection)| collection);
        let expressions = expressions.chain(&row.conditions).chain([&row.value]);
        self.secrets(Some(event), &locals, expressions)
    }

    /// What a definition rests on that not everyone sees.
    pub(crate) fn secrets_of_definition(
        &self,
        event: Option<EventId>,
        definition: &Definition,
    ) -> Vec<Secret> {
        self.secrets(event, &[], expressions_of(definition))
    }

    /// What it rests on whether an event may happen, that not everyone sees.
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
