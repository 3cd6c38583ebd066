//! Compiles rows for explanations.

mod choices;
mod noted;
mod tables;
mod written;

use super::{Compiler, Context, Frame, Noting};
use crate::{
    code::{
        Code, Noted, Row, Shape, Text, Written,
        explain::{
            Combined, Entries, Explained, ExplainedChange, ExplainedEvent, ExplainedFact,
            ExplainedRow, ExplainedTable, Metric, Visibility,
        },
    },
    program::{self, Body, Definition, EventId, Expr, ExprKind, FactId, LocalId, Tense},
    source::Span,
    types::Type,
};

pub(super) use noted::Mentions;
use tables::table;

/// Compiles the explanations of all events.
pub(super) struct Explainer<'a, 'p> {
    pub(super) compiler: &'a mut Compiler<'p>,
    explained: Explained,
}

/// A row that is being compiled, with the number of locals in its frame.
struct Compiled {
    row: Row,
    told: ExplainedRow,
    locals: usize,
}

impl<'a, 'p> Explainer<'a, 'p> {
    pub(super) fn new(compiler: &'a mut Compiler<'p>) -> Explainer<'a, 'p> {
        Explainer {
            compiler,
            explained: Explained::default(),
        }
    }

    /// All events and policies, and the facts that they mention.
    pub(super) fn all(mut self) -> Explained {
        let program = self.compiler.program;
        for index in 0..program.events.len() {
            let event = self.event(EventId::new(index));
            self.explained.events.push(event);
        }
        for policy in &program.policies {
            let context = Compiler::plain_context();
            let rows = self.choices(context, &policy.rows, policy.locals);
            self.explained.policies.push(rows);
            self.explained.policy_names.push(policy.name.clone());
        }
        for (index, fact) in program.facts.iter().enumerate() {
            let Some(number) = program::question_of(&fact.name) else {
                continue;
            };
            // Facts that read new values can only be evaluated in events.
            if fact.owner.is_none() && self.compiler.says_new[index] {
                continue;
            }
            let context = Context {
                event: fact.owner,
                tense: Tense::Now,
            };
            let place = self.mentioned(FactId::new(index), context);
            let event = fact.owner.map(EventId::index);
            self.explained.questions.push((number, event, place));
        }
        // Facts mention further facts.
        while let Some((fact, context)) = self.compiler.mentions.fact(self.explained.facts.len()) {
            let fact = self.fact(fact, context);
            self.explained.facts.push(fact);
        }
        self.explained.states = self.compiler.typed_states();
        self.explained.mentions = self.compiler.mentions.take();
        self.explained
    }

    fn event(&mut self, id: EventId) -> ExplainedEvent {
        let program = self.compiler.program;
        let event = &program.events[id.index()];
        let context = Context {
            event: Some(id),
            tense: Tense::Now,
        };
        ExplainedEvent {
            fields: self.fields(context, event),
            impossible: self.clause(context, &event.impossible, Combined::First),
            report: self.clause(context, &event.report, Combined::Every),
            refused: self.clause(context, &event.refused, Combined::Every),
            refuse: event
                .refuse
                .iter()
                .map(|fact| self.mentioned(*fact, context))
                .collect(),
            illegal: event
                .illegal
                .iter()
                .map(|fact| self.mentioned(*fact, context))
                .collect(),
            changes: event
                .equations
                .iter()
                .map(|equation| self.change(context, equation))
                .collect(),
            over: event.over.map(|fact| self.mentioned(fact, context)),
            restart: event.restart.map(|fact| self.mentioned(fact, context)),
            data: event
                .fields
                .iter()
                .map(|(_, ty)| self.compiler.typed(ty))
                .collect(),
            follows: self.choices(context, &event.follows, event.follows_locals),
            facts: self.named_facts(id, context),
        }
    }

    /// The facts that questions about an event can name, its own first.
    fn named_facts(&mut self, id: EventId, context: Context) -> Vec<usize> {
        let program = self.compiler.program;
        let mut facts = Vec::new();
        for owner in [Some(id), None] {
            for (index, fact) in program.facts.iter().enumerate() {
                if fact.owner != owner || !fact.parameters.is_empty() {
                    continue;
                }
                let question = program::question_of(&fact.name).is_some()
                    || program::is_value_fact(&fact.name)
                    || program::is_view_fact(&fact.name);
                if !question {
                    facts.push(self.mentioned(FactId::new(index), context));
                }
            }
        }
        facts
    }

    fn fields(
        &mut self,
        context: Context,
        event: &program::Event,
    ) -> Vec<(String, Option<Text>, Metric)> {
        let mut fields = Vec::new();
        for (place, (name, ty)) in event.fields.iter().enumerate() {
            let field = Expr {
                kind: ExprKind::EventField(place),
                ty: ty.clone(),
                span: event.span,
            };
            let mut frame = Frame::new(context, 0);
            let text = self
                .compiler
                .fits_in_line(ty)
                .then(|| self.compiler.text(&mut frame, &field));
            fields.push((name.clone(), text, self.metric(ty.required())));
        }
        fields
    }

    fn metric(&mut self, ty: &Type) -> Metric {
        if let Type::Product(id) = ty {
            let product = self.compiler.program.types.product(*id);
            // A product of numbers counts as one: a time of minutes and seconds.
            let mut parts = product.fields.iter().map(|part| &part.ty);
            return if product.grid.is_some() {
                Metric::Grid(self.compiler.grid(ty))
            } else if parts.all(Type::is_number) {
                Metric::Numbers
            } else {
                Metric::Discrete
            };
        }
        if ty.is_number() && !ty.is_decimal() {
            Metric::Numbers
        } else {
            Metric::Discrete
        }
    }

    /// The index of a fact in a context among the explained facts.
    fn mentioned(&mut self, fact: FactId, context: Context) -> usize {
        self.compiler.mentions.place_of(fact, context)
    }

    /// The rows of a clause.
    fn clause(
        &mut self,
        context: Context,
        clause: &program::Clause,
        how: Combined,
    ) -> ExplainedTable {
        let rows = clause.rows.iter().enumerate().map(|(place, row)| {
            let mut text = None;
            let frame = (clause.locals, [].as_slice());
            let mut compiled = self.row(context, frame, (place, row), |compiler, frame| {
                let noted = compiler.loops_in_text(frame, &row.value);
                let said = compiler.text(frame, &row.value);
                let code = Code::Text(Box::new(said.clone()));
                text = Some(said);
                Code::Noted(Box::new(Noted::Before { noted, code }))
            });
            compiled.told.text = text;
            // Everyone sees the words of a line.
            compiled
                .told
                .written
                .retain(|written| compiled.told.gives.as_ref() != Some(written));
            compiled
        });
        let rows: Vec<Compiled> = rows.collect();
        table(how, rows, |rows| match how {
            Combined::First => Code::First(rows),
            // Evaluates all rows; which text is the highest does not matter.
            _ => Code::Highest(rows),
        })
    }

    fn change(&mut self, context: Context, equation: &program::Equation) -> ExplainedChange {
        let program = self.compiler.program;
        let state = &program.states[equation.state.index()];
        let ty = state.ty.clone();
        let shape = self.compiler.shape(&ty);
        let old = self
            .compiler
            .load(self.compiler.state_offsets[equation.state.index()], &ty);
        let new = Code::New(equation.state.0);
        let parameters: &[Type] = if equation.pointwise {
            &state.parameters
        } else {
            &[]
        };
        let table = self.definition(context, &equation.definition, parameters);
        let entries = match (&state.key, &shape) {
            (
                Some(key),
                Shape::Map {
                    domain,
                    slot,
                    entry,
                    ..
                },
            ) => Some(Entries {
                domain: *domain,
                slot: *slot,
                entry: (**entry).clone(),
                key: self.compiler.written(key),
                value: self.compiler.written(&state.entry),
                member: self.member(&state.entry),
                parameters: equation.pointwise.then(|| {
                    let parameters = state.parameters.iter();
                    parameters
                        .filter_map(|parameter| self.compiler.domain(parameter))
                        .collect()
                }),
            }),
            _ => None,
        };
        let written = entries.is_none() && self.compiler.fits_in_line(&ty);
        ExplainedChange {
            name: state.name.clone(),
            state: equation.state.0,
            texts: written.then(|| {
                (
                    self.compiler.value_text(old.clone(), &ty),
                    self.compiler.value_text(new.clone(), &ty),
                )
            }),
            old,
            new,
            member: self.member(&ty),
            shape,
            entries,
            table,
            begins: equation.begins.map(|fact| self.mentioned(fact, context)),
        }
    }

    /// The written form of a collection's members, if they have one.
    fn member(&mut self, ty: &Type) -> Option<Written> {
        let element = ty.required().element()?.clone();
        let written = self.compiler.fits_in_line(ty);
        written.then(|| self.compiler.written(&element))
    }

    /// A fact in a context.
    fn fact(&mut self, fact: FactId, context: Context) -> ExplainedFact {
        let program = self.compiler.program;
        let definition = &program.facts[fact.index()];
        let instance = self.compiler.instance(fact, context);
        let parameters = definition.parameters.len();
        let value = if parameters == 0 {
            Code::Fact(instance)
        } else {
            let locals = (0..parameters).map(|place| u32::try_from(place).unwrap_or(u32::MAX));
            Code::Call(instance, locals.map(Code::Local).collect())
        };
        let ty = &definition.definition.ty;
        let text = (parameters == 0 && self.compiler.fits_in_line(ty))
            .then(|| self.compiler.value_text(value.clone(), ty));
        let typed = self.compiler.typed(ty);
        let mut argument_texts = Vec::new();
        for (_, ty) in &definition.parameters {
            let fits = self.compiler.fits_in_line(ty);
            argument_texts.push(fits.then(|| self.compiler.value_text(Code::Local(0), ty)));
        }
        let parameter_data = definition.parameters.iter();
        let parameter_data = parameter_data.map(|(_, ty)| self.compiler.typed(ty));
        let parameter_data = parameter_data.collect();
        let shape = self.compiler.shape(ty);
        let parameter_types: Vec<Type> = definition
            .parameters
            .iter()
            .map(|(_, ty)| ty.clone())
            .collect();
        let mut frame = Frame::new(context, definition.definition.locals.max(parameters));
        let known = locals_of(&parameter_types);
        let expressions = program::expressions_of(&definition.definition);
        let seen = self.visibility(&mut frame, &known, expressions, definition.span);
        let seen = seen.sizes.map(|seen| (seen, frame.locals));
        ExplainedFact {
            name: definition.name.clone(),
            called: called(&definition.name, context.tense),
            event: context.event.map_or(0, EventId::index),
            parameter_data,
            typed,
            value,
            argument_texts,
            parameters,
            text,
            yes_no: matches!(ty.required(), Type::YesNo),
            owned: definition.owner.is_some() || self.compiler.says_new[fact.index()],
            always: !ty.is_optional()
                && !matches!(ty, Type::YesNo | Type::Text)
                && ty.element().is_none(),
            shape,
            table: self.definition(context, &definition.definition, &parameter_types),
            seen,
        }
    }

    fn definition(
        &mut self,
        context: Context,
        definition: &Definition,
        parameters: &[Type],
    ) -> ExplainedTable {
        let mut table = match &definition.body {
            Body::Expression(value) => self.expression(context, value, definition, parameters),
            Body::Table(rows) => self.table(context, rows, definition, parameters),
            Body::By(rows) => self.by(context, rows, definition, parameters),
        };
        if let Combined::Sum | Combined::Same = table.how
            && self.compiler.fits_in_line(&definition.ty)
        {
            table.each = Some(self.compiler.value_text(Code::Local(0), &definition.ty));
        }
        table
    }

    /// How much the viewer sees of what some expressions of a frame depend on, if these of its locals are known.
    fn visibility<'e>(
        &mut self,
        frame: &mut Frame,
        known: &[(LocalId, Type)],
        expressions: impl IntoIterator<Item = &'e Expr>,
        span: Span,
    ) -> Visibility {
        let (program, event) = (self.compiler.program, frame.context.event);
        let expressions: Vec<&Expr> = expressions.into_iter().collect();
        let mut condition = |whole| {
            let all = expressions.iter().copied();
            let seen = program.seen(event, known, all, (span, whole), &mut frame.locals)?;
            let noting = std::mem::replace(&mut frame.noting, Noting::No);
            let code = self.compiler.code(frame, &seen);
            frame.noting = noting;
            Some(code)
        };
        Visibility {
            sizes: condition(false),
            all: condition(true),
        }
    }
}

/// Parameters as the first locals of a frame.
fn locals_of(parameters: &[Type]) -> Vec<(LocalId, Type)> {
    let locals = parameters.iter().cloned().enumerate();
    locals
        .map(|(place, ty)| (LocalId::new(place), ty))
        .collect()
}

/// The name of a fact evaluated in a tense.
fn called(name: &str, tense: Tense) -> String {
    match tense {
        Tense::Now => name.to_string(),
        Tense::New => format!("new {name}"),
        Tense::Previous => format!("previous {name}"),
    }
}
