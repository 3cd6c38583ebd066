//! Rows to what explanations are made of.

mod choices;
mod columns;
mod mentions;

use std::collections::BTreeMap;

use super::{Compiler, Context, Frame};
use crate::{
    code::{
        Code, Shape, Text, Written,
        explain::{
            Combined, Entries, Explained, ExplainedChange, ExplainedEvent, ExplainedFact,
            Mentioned, Phrase, Told,
        },
    },
    program::{self, Body, Definition, EventId, Expr, ExprKind, FactId, How, Tense},
    types::Type,
};

/// Makes the explanations of all events.
pub(super) struct Explainer<'a, 'p> {
    pub(super) compiler: &'a mut Compiler<'p>,
    pub(super) explained: Explained,
    facts: BTreeMap<(FactId, Context), usize>,
}

impl<'a, 'p> Explainer<'a, 'p> {
    pub(super) fn new(compiler: &'a mut Compiler<'p>) -> Explainer<'a, 'p> {
        Explainer {
            compiler,
            explained: Explained::default(),
            facts: BTreeMap::new(),
        }
    }

    /// All events and policies.
    pub(super) fn all(&mut self) {
        for index in 0..self.compiler.program.events.len() {
            let event = self.event(EventId::new(index));
            self.explained.events.push(event);
        }
        for policy in &self.compiler.program.policies {
            let context = Compiler::plain_context();
            let rows = self.choices(context, &policy.rows, policy.locals);
            self.explained.policies.push(rows);
            self.explained.policy_names.push(policy.name.clone());
        }
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
            impossible: self.clause(context, &event.impossible),
            report: self.clause(context, &event.report),
            refused: self.clause(context, &event.refused),
            refuse: event
                .refuse
                .iter()
                .map(|fact| self.fact(*fact, context))
                .collect(),
            illegal: event
                .illegal
                .iter()
                .map(|fact| self.fact(*fact, context))
                .collect(),
            changes: event
                .equations
                .iter()
                .map(|equation| self.change(context, equation))
                .collect(),
            over: event.over.map(|fact| self.fact(fact, context)),
            data: event
                .fields
                .iter()
                .map(|(_, ty)| self.compiler.typed(ty))
                .collect(),
            follows: self.choices(context, &event.follows, event.follows_locals),
            facts: self.asked(id, context),
        }
    }

    /// The facts that can be asked about in an event, its own first.
    fn asked(&mut self, id: EventId, context: Context) -> Vec<usize> {
        let program = self.compiler.program;
        let mut asked = Vec::new();
        for owner in [Some(id), None] {
            for (index, fact) in program.facts.iter().enumerate() {
                let question = program::question_of(&fact.name).is_some();
                if fact.owner == owner && fact.parameters.is_empty() && !question {
                    asked.push(self.fact(FactId::new(index), context));
                }
            }
        }
        asked
    }

    fn fields(
        &mut self,
        context: Context,
        event: &program::Event,
    ) -> Vec<(String, Option<Text>, bool)> {
        let mut fields = Vec::new();
        for (place, (name, ty)) in event.fields.iter().enumerate() {
            let field = Expr {
                kind: ExprKind::EventField(place),
                ty: ty.clone(),
                span: event.span,
            };
            let mut frame = Frame::new(context, 0);
            let text = self
                .is_written(ty)
                .then(|| self.compiler.text(&mut frame, &field));
            let number = matches!(ty.required(), Type::Number | Type::Range(_));
            fields.push((name.clone(), text, number));
        }
        fields
    }

    fn clause(&mut self, context: Context, clause: &program::Clause) -> Vec<Told> {
        let mut rows = Vec::new();
        for row in &clause.rows {
            let mut frame = Frame::new(context, clause.locals);
            let mut told = self.row(&mut frame, row, true);
            told.text = Some(self.compiler.text(&mut frame, &row.value));
            told.locals = frame.locals;
            rows.push(told);
        }
        rows
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
        let (how, rows) = self.definition(context, &equation.definition);
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
        let written = entries.is_none() && self.is_written(&ty);
        ExplainedChange {
            name: state.name.clone(),
            state: equation.state.0,
            texts: written.then(|| {
                (
                    self.compiler.value_text(old.clone(), &ty),
                    self.compiler.value_text(new, &ty),
                )
            }),
            old,
            member: self.member(&ty),
            shape,
            entries,
            how,
            rows,
        }
    }

    /// Whether values of a type can be told, be they long or short.
    fn is_written(&self, ty: &Type) -> bool {
        match ty.required().element() {
            Some(element) => self.compiler.is_written(element) && element.element().is_none(),
            None => self.compiler.is_written(ty),
        }
    }

    /// How the members of a collection are written, if they can be.
    fn member(&mut self, ty: &Type) -> Option<Written> {
        let element = ty.required().element()?.clone();
        let written = self.is_written(ty);
        written.then(|| self.compiler.written(&element))
    }

    /// A fact in a context, explained when it is first mentioned.
    pub(super) fn fact(&mut self, fact: FactId, context: Context) -> usize {
        if let Some(known) = self.facts.get(&(fact, context)) {
            return *known;
        }
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
        let text = (parameters == 0 && self.is_written(ty))
            .then(|| self.compiler.value_text(value.clone(), ty));
        let typed = self.compiler.typed(ty);
        let of = definition.parameters.iter();
        let of = of.map(|(_, ty)| self.compiler.typed(ty)).collect();
        let shape = self.compiler.shape(ty);
        let place = self.explained.facts.len();
        self.facts.insert((fact, context), place);
        self.explained.facts.push(ExplainedFact {
            name: definition.name.clone(),
            called: super::reads::called(&definition.name, context.tense),
            of,
            typed,
            value,
            parameters,
            text,
            yes_no: matches!(ty.required(), Type::YesNo),
            shape,
            how: Combined::First,
            rows: Vec::new(),
        });
        let (how, rows) = self.definition(context, &definition.definition);
        self.explained.facts[place].how = how;
        self.explained.facts[place].rows = rows;
        place
    }

    fn definition(&mut self, context: Context, definition: &Definition) -> (Combined, Vec<Told>) {
        let mut frame = Frame::new(context, definition.locals);
        match &definition.body {
            Body::Expression(value) => {
                let code = self.compiler.code(&mut frame, value);
                let phrase = self.phrase(&mut frame, value);
                let uses = self.reads(&mut frame, [value]);
                let told = Told {
                    label: None,
                    span: value.span,
                    locals: frame.locals,
                    bindings: Box::new([]),
                    ranges: Vec::new(),
                    conditions: Box::new([]),
                    phrases: Vec::new(),
                    written: vec![phrase.written.clone()],
                    value: code,
                    part: None,
                    gives: Some(phrase),
                    text: None,
                    inline: false,
                    says: None,
                    uses,
                    asks: Vec::new(),
                };
                (Combined::First, vec![told])
            }
            Body::Table(table) => {
                let how = match table.how {
                    How::Any => Combined::Any,
                    How::All => Combined::All,
                    How::First => Combined::First,
                    How::Highest | How::Lowest => Combined::Same,
                    How::Sum | How::Union => Combined::Sum,
                    How::One => Combined::Every,
                };
                let mut rows = Vec::new();
                for row in &table.rows {
                    let mut frame = Frame::new(context, definition.locals);
                    let mut told = self.row(&mut frame, row, false);
                    told.locals = frame.locals;
                    let union = table.how == How::Union;
                    told.part = union.then(|| self.compiler.shape(row.value.ty.required()));
                    rows.push(told);
                }
                (how, rows)
            }
            Body::By(table) => (Combined::First, self.by(context, table, definition.locals)),
        }
    }

    fn row(&mut self, frame: &mut Frame, row: &program::Row, said: bool) -> Told {
        let bindings = self.compiler.bindings(frame, &row.bindings);
        let ranges = row
            .bindings
            .iter()
            .map(|(_, collection)| self.phrase(frame, collection))
            .collect();
        let (mut conditions, mut phrases) = (Vec::new(), Vec::new());
        for condition in &row.conditions {
            self.joined(frame, condition, &mut conditions, &mut phrases);
        }
        let value = if said {
            Code::Constant(1)
        } else {
            self.compiler.code(frame, &row.value)
        };
        let mut gives = self.gives(frame, &row.value);
        let uses = self.reads(frame, [&row.value]);
        let read_ranges = row.bindings.iter().map(|(_, range)| range);
        let asks = self.reads(frame, row.conditions.iter().chain(read_ranges));
        let mut written: Vec<String> = Vec::new();
        if said {
            // The words of a line are seen; of what stands in them only facts say more.
            if let Some(gives) = &mut gives {
                only_facts(&mut gives.mentioned);
            }
        } else {
            written.extend(gives.iter().map(|gives| gives.written.clone()));
        }
        for condition in &row.conditions {
            written.push(self.condition(condition));
        }
        let says = row
            .says
            .as_ref()
            .map(|says| self.compiler.template(frame, says));
        Told {
            label: Some(row.label.clone()),
            span: row.span,
            locals: frame.locals,
            bindings,
            ranges,
            conditions: conditions.into(),
            phrases,
            written,
            value,
            part: None,
            gives,
            text: None,
            inline: row.inline,
            says,
            uses,
            asks,
        }
    }

    fn gives(&mut self, frame: &mut Frame, value: &Expr) -> Option<Phrase> {
        let phrase = self.phrase(frame, value);
        let known = matches!(value.kind, ExprKind::Constant(_));
        (!known || self.is_option(&phrase.written)).then_some(phrase)
    }

    /// A condition as it was written: `unless` is in the tree as a negation of what follows it.
    fn condition(&self, condition: &Expr) -> String {
        let sources = self.compiler.sources;
        let text = squeezed(sources.text(condition.span));
        let whole = sources.get(condition.span.source);
        let before = whole.and_then(|source| source.text.get(..condition.span.range().start));
        match before {
            Some(before) if before.trim_end().ends_with("unless") => format!("unless {text}"),
            _ => text,
        }
    }
}

/// Leaves only facts of what is mentioned.
fn only_facts(mentioned: &mut Mentioned) {
    match mentioned {
        Mentioned::Value(mention) if mention.fact.is_some() => {}
        Mentioned::All(all) => all.iter_mut().for_each(only_facts),
        Mentioned::Bound { body, .. } => only_facts(body),
        Mentioned::Joined { .. } => {}
        other => *other = Mentioned::All(Vec::new()),
    }
}

/// A text in one line.
fn squeezed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
