//! Compiles events and policies.

use super::{
    Compiler, Context, Frame,
    marks::{is_stateless, mark},
};
use crate::{
    code::{
        self, Begins, Choice, Code, Decider, Entry, Equation, Event, Field, FramedCode, Guard,
        GuardPart, If, Impossible, Objection, Outcome, Path, Report, Shape, Slot, Values,
    },
    program::{self, Clause, EventId, Expr, ExprKind, FactId, FramedExpr, LocalId, Tense},
    types::Type,
};

/// A field of set type ranges over all subsets of at most this many members.
const MOST_MEMBERS: usize = 12;

impl Compiler<'_> {
    pub(super) fn events(&mut self) {
        for index in 0..self.program.events.len() {
            let event = self.event(EventId::new(index));
            self.compiled.events.push(event);
        }
    }

    fn event(&mut self, id: EventId) -> Event {
        let event = &self.program.events[id.index()];
        let context = Context {
            event: Some(id),
            tense: Tense::Now,
        };
        let fields = event.fields.iter().enumerate();
        let fields = fields.map(|(place, (name, ty))| {
            let mut field = self.field(name, ty, &event.by);
            field.path = self.path(context, event, place, &field.shape);
            if field.path.is_some() {
                field.values = Values::Paths;
            }
            field
        });
        let fields = fields.collect();
        let by = self.decider(context, &event.by);
        let offered = event.offered.as_ref();
        let offered = offered.map(|offered| self.framed_code(context, offered));
        let guard = event.guard.as_ref().map(|guard| self.guard(guard));
        let (impossible, impossible_locals) = self.clause(context, &event.impossible);
        let impossible = impossible
            .into_iter()
            .zip(&event.impossible.rows)
            .map(|(row, written)| Impossible {
                row,
                mark: mark(written),
                stateless: is_stateless(self.program, written),
            })
            .collect();
        let (report, _) = self.clause(context, &event.report);
        let (refused, refused_locals) = self.clause(context, &event.refused);
        let refuse = self.objections(context, &event.refuse);
        let mut illegal = self.objections(context, &event.illegal);
        // The viewer, if there is one, learns that such a fact holds only if they see everything that it depends on.
        let view = self.program.view.as_ref();
        for (fact, objection) in event.illegal.iter().zip(&mut illegal) {
            if let Some(sees) = view.and_then(|view| view.sees_mark(*fact)) {
                let sees = Code::Fact(self.instance(sees, context));
                objection.fires = Code::And(Box::new((sees, objection.fires.clone())));
            }
        }
        let over = event
            .over
            .map(|fact| Code::Fact(self.instance(fact, context)));
        let restart = event
            .restart
            .map(|fact| Code::Fact(self.instance(fact, context)));
        let mut equations: Vec<Option<Equation>> = Vec::new();
        equations.resize_with(self.program.states.len(), || None);
        let mut changes = Vec::new();
        for equation in &event.equations {
            let compiled = self.equation(context, equation);
            equations[equation.state.index()] = Some(compiled);
            changes.push(equation.state.0);
        }
        for (index, state) in self.program.states.iter().enumerate() {
            if state.just && equations[index].is_none() && id != EventId::START {
                equations[index] = Some(Equation {
                    code: Code::Constant(0),
                    locals: 0,
                    pointwise: None,
                    only: None,
                    begins: None,
                });
                changes.push(u32::try_from(index).unwrap_or(u32::MAX));
            }
        }
        let follows = self.choices(context, &event.follows, event.follows_locals);
        let (words, blocks): (Vec<u32>, Vec<u32>) = changes
            .iter()
            .partition(|change| matches!(self.compiled.states[**change as usize].slot, Slot::Word));
        let words = words
            .into_iter()
            .map(|change| (change, self.state_offsets[change as usize]))
            .collect();
        Event {
            name: event.name.clone(),
            fields,
            by,
            offered,
            guard,
            impossible,
            impossible_locals,
            refuse,
            illegal,
            over,
            restart,
            outcome: None,
            equations,
            changes,
            words,
            blocks,
            report,
            refused,
            refused_locals,
            follows,
            only_follows: self.only_follows(id),
        }
    }

    /// Whether an event only follows others, and no transcript and no policy names it.
    fn only_follows(&self, id: EventId) -> bool {
        let follows = self.program.events.iter().any(|event| {
            let mut choices = event.follows.iter();
            choices.any(|choice| choice.event == id)
        });
        let chosen = self.program.policies.iter().any(|policy| {
            let mut choices = policy.rows.iter();
            choices.any(|choice| choice.event == id)
        });
        follows
            && !chosen
            && !self
                .program
                .transcripts
                .iter()
                .any(|transcript| reads(&transcript.steps, id))
    }

    fn objections(&mut self, context: Context, facts: &[FactId]) -> Vec<Objection> {
        facts
            .iter()
            .map(|fact| {
                let definition = &self.program.facts[fact.index()];
                let ty = &definition.definition.ty;
                let fact = Code::Fact(self.instance(*fact, context));
                let fires = if ty.is_optional() {
                    let is_none = Code::EqualConstant(Box::new(fact.clone()), code::NONE);
                    Code::Not(Box::new(is_none))
                } else {
                    fact.clone()
                };
                Objection {
                    name: definition.name.clone(),
                    fires,
                    text: ty.required().is_text().then_some(fact),
                }
            })
            .collect()
    }

    fn field(&mut self, name: &str, ty: &Type, by: &program::Decider) -> Field {
        let shape = self.shape(ty);
        let values = match (&shape, self.domain(ty)) {
            (Shape::Scalar, Some(domain)) => Values::Of(domain),
            (Shape::Bits { domain }, _) if domain.count <= MOST_MEMBERS && !ty.is_optional() => {
                Values::Sets(domain.count)
            }
            _ => Values::Endless,
        };
        Field {
            name: name.to_string(),
            ty: self.program.types.display(ty),
            optional: ty.is_optional(),
            bounds: self.bounds_of(ty),
            partial: self.partial(ty.required()),
            check: self.check(ty),
            is_word: shape.is_word() && !ty.required().is_text(),
            shape,
            values,
            path: None,
            drawn: self.drawn_field(by, ty),
        }
    }

    /// The possible next members of a field, if it is a path whose members are words.
    fn path(
        &mut self,
        context: Context,
        event: &program::Event,
        field: usize,
        shape: &Shape,
    ) -> Option<Path> {
        let Shape::Pile { slot, element } = shape else {
            return None;
        };
        let path = event.paths.iter().find(|path| path.field == field)?;
        let mut rows = event.impossible.rows.iter();
        let row = rows.position(|row| row.span == path.span)?;
        let mut frame = Frame::new(context, event.impossible.locals);
        let next = self.distinct(&mut frame, &path.next);
        (element.is_word() && slot.stride() == 1).then_some(Path {
            next,
            so_far: path.so_far.0,
            locals: frame.locals,
            row,
        })
    }

    fn decider(&mut self, context: Context, by: &program::Decider) -> Decider {
        match by {
            program::Decider::Referee => Decider::Referee,
            program::Decider::Chance(weight) => Decider::Chance(weight.as_ref().map(|weight| {
                let site = self.site(weight.value.span);
                (self.framed_code(context, weight), site)
            })),
            program::Decider::Seat(seat) => {
                let written = self.written(&seat.value.ty);
                if let ExprKind::EventField(field) = seat.value.kind {
                    return Decider::Field(field, written);
                }
                Decider::Seat(self.framed_code(Self::plain_context(), seat), written)
            }
        }
    }

    pub(super) fn framed_code(&mut self, context: Context, framed: &FramedExpr) -> FramedCode {
        let mut frame = Frame::new(context, framed.locals);
        let code = self.code(&mut frame, &framed.value);
        let locals = frame.locals;
        FramedCode { code, locals }
    }

    /// Compiles the outcomes of the seats.
    pub(super) fn outcomes(&mut self) {
        for index in 0..self.program.events.len() {
            let id = EventId::new(index);
            if let Some(fact) = self.program.events[index].outcome {
                let context = Context {
                    event: Some(id),
                    tense: Tense::Now,
                };
                self.compiled.events[index].outcome = self.outcome(context, fact);
            }
        }
        if let Some(kind) = self.program.seats {
            let seat = self.program.types.whole(kind);
            self.compiled.seats = Some((self.all_values(&seat), self.written(&seat)));
        }
        if let Some(fact) = self.program.outcome {
            self.compiled.outcome = self.outcome(Self::plain_context(), fact);
        }
    }

    fn outcome(&mut self, context: Context, fact: FactId) -> Option<Outcome> {
        let definition = &self.program.facts[fact.index()];
        let (_, seat) = definition.parameters.first()?;
        let (ty, span) = (definition.definition.ty.clone(), definition.span);
        let current = Expr::new(ExprKind::Local(LocalId::new(0)), seat.clone(), span);
        let call = ExprKind::Fact {
            fact,
            tense: Tense::Now,
            arguments: vec![current],
        };
        let value = Expr::new(call, ty.clone(), span);
        let value = self.framed_code(context, &FramedExpr { value, locals: 1 });
        Some(Outcome {
            seats: self.all_values(seat),
            seat: self.written(seat),
            value,
            points: ty.is_number(),
        })
    }

    fn guard(&mut self, guard: &program::Guard) -> Guard {
        let mut frame = Frame::new(Self::plain_context(), guard.locals);
        let code = self.code(&mut frame, &guard.condition);
        let says = guard
            .says
            .as_ref()
            .map(|says| self.template(&mut frame, says));
        let mut parts = Vec::new();
        if guard.locals == 0 {
            self.guard_parts(&mut frame, &guard.condition, false, &mut parts);
        }
        // A single part would repeat the whole guard.
        if parts.len() < 2 {
            parts.clear();
        }
        Guard {
            code,
            written: guard.written.clone(),
            says,
            parts: parts.into(),
        }
    }

    /// The parts of a guard, which fails if one of them does; or, after `unless`, if one of them holds.
    fn guard_parts(
        &mut self,
        frame: &mut Frame,
        condition: &Expr,
        negated: bool,
        parts: &mut Vec<GuardPart>,
    ) {
        match &condition.kind {
            ExprKind::And(left, right) if !negated => {
                self.guard_parts(frame, left, negated, parts);
                self.guard_parts(frame, right, negated, parts);
            }
            ExprKind::Or(left, right) if negated => {
                self.guard_parts(frame, left, negated, parts);
                self.guard_parts(frame, right, negated, parts);
            }
            ExprKind::Not(either) if matches!(either.kind, ExprKind::Or(..)) && !negated => {
                self.guard_parts(frame, either, true, parts);
            }
            _ => {
                let text = self.sources.text(condition.span).split_whitespace();
                parts.push(GuardPart {
                    code: self.code(frame, condition),
                    written: text.collect::<Vec<_>>().join(" "),
                    negated,
                });
            }
        }
    }

    /// The rows of a report.
    fn clause(&mut self, context: Context, clause: &Clause) -> (Vec<Report>, usize) {
        let mut frame = Frame::new(context, clause.locals);
        let rows = clause
            .rows
            .iter()
            .map(|row| {
                self.report_row(|compiler| Report {
                    bindings: compiler.bindings(&mut frame, &row.bindings),
                    conditions: {
                        let conditions = compiler.conditions(&mut frame, &row.conditions);
                        compiler.passing_conditions(row.span, conditions)
                    },
                    text: compiler.text(&mut frame, &row.value),
                    inline: row.inline,
                    label: row.label.clone(),
                    span: row.span,
                })
            })
            .collect();
        (rows, frame.locals)
    }

    fn equation(&mut self, context: Context, equation: &program::Equation) -> Equation {
        let state = &self.program.states[equation.state.index()];
        let mut frame = Frame::new(context, equation.definition.locals);
        let mut code = self.definition(&mut frame, &equation.definition);
        let (key, parameters) = (state.key.clone(), state.parameters.clone());
        let (entry, ty) = (state.entry.clone(), state.ty.clone());
        let old = self.load(self.state_offsets[equation.state.index()], &ty);
        let pointwise = match &key {
            Some(key) if equation.pointwise => self.pointwise(key, &parameters, &entry),
            _ => None,
        };
        let before = match (&pointwise, &key) {
            _ if state.just => Code::Constant(0),
            (Some(pointwise), Some(_)) => Code::Entry(Box::new(Entry {
                map: old,
                key: key_of(&pointwise.parameters),
                domain: pointwise.key,
                slot: pointwise.slot,
                bounds: self.bounds_of(&entry),
            })),
            _ => old,
        };
        // If no row fires, the entry or the whole keeps its value, and so do all entries but the one named. A `just`
        // state becomes no instead.
        if let Code::Agree {
            otherwise, shown, ..
        } = &mut code
        {
            **otherwise = before;
            if let (Some(shown), Some(_)) = (shown, &pointwise) {
                let entry = parameters.iter().map(|ty| self.written_in_messages(ty));
                shown.entry = entry.collect::<Option<_>>().unwrap_or_default();
            }
        } else if !equation.definition.only.is_empty() {
            code = Code::If(Box::new(If {
                conditions: self.conditions(&mut frame, &equation.definition.only),
                value: code,
                otherwise: before,
            }));
        }
        let code = self.passing(&equation.definition, code);
        let begins = equation.begins.map(|fact| Begins {
            when: Code::Fact(self.instance(fact, context)),
            value: {
                // The value after a reset is evaluated in the state after the event.
                let after = Context {
                    tense: Tense::New,
                    ..context
                };
                self.initial(after, state.again(), key.as_ref(), &parameters, &entry)
            },
        });
        Equation {
            code,
            locals: frame.locals,
            pointwise,
            only: None,
            begins,
        }
    }

    fn choices(
        &mut self,
        context: Context,
        choices: &[program::Choice],
        locals: usize,
    ) -> Vec<Choice> {
        choices
            .iter()
            .map(|choice| {
                let mut frame = Frame::new(context, locals);
                let bindings = self.bindings(&mut frame, &choice.bindings);
                let conditions = self.conditions(&mut frame, &choice.conditions);
                let conditions = self.passing_conditions(choice.span, conditions);
                let fields = choice
                    .fields
                    .iter()
                    .map(|field| self.code(&mut frame, field))
                    .collect();
                Choice {
                    passed: self.passed_when_taken(choice.span),
                    label: choice.label.clone(),
                    event: choice.event.index(),
                    bindings,
                    conditions,
                    fields,
                    span: choice.span,
                }
            })
            .collect()
    }

    pub(super) fn policies(&mut self) {
        for policy in &self.program.policies {
            let choices = self.choices(Self::plain_context(), &policy.rows, policy.locals);
            self.compiled.policies.push(choices);
        }
    }
}

/// The key made of the parameters, which are the first locals.
fn key_of(parameters: &[code::Domain]) -> Code {
    if let [_] = parameters {
        return Code::Local(0);
    }
    let mut stride: i64 = parameters
        .iter()
        .map(|domain| i64::try_from(domain.count).unwrap_or(i64::MAX))
        .product();
    let components = parameters
        .iter()
        .enumerate()
        .map(|(index, domain)| {
            stride /= i64::try_from(domain.count.max(1)).unwrap_or(i64::MAX);
            code::Component {
                code: Code::Local(u32::try_from(index).unwrap_or(u32::MAX)),
                domain: *domain,
                stride,
            }
        })
        .collect();
    Code::Index(components)
}

/// Whether steps of a transcript read an event.
fn reads(steps: &[program::Step], event: EventId) -> bool {
    steps.iter().any(|step| match step {
        program::Step::Play(play) => play.rows.iter().any(|row| row.event == event),
        program::Step::Times { steps, .. } | program::Step::Until { steps, .. } => {
            reads(steps, event)
        }
        program::Step::Pattern(_) | program::Step::Start(_) => false,
    })
}
