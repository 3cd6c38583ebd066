//! Rows to what explanations are made of.

use std::collections::BTreeMap;

use super::{Compiler, Context, Frame};
use crate::{
    code::{
        Code, NONE, Shape, Told,
        explain::{
            Combined, Entries, Explained, ExplainedChange, ExplainedEvent, ExplainedFact, Mention,
        },
    },
    program::{
        self, Body, ByTable, Definition, EventId, Expr, ExprKind, FactId, How, Matches, Tense,
    },
    types::Type,
};

/// How long an expression may be that is shown with its value.
const LONGEST_MENTION: usize = 40;

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

    pub(super) fn events(&mut self) {
        for index in 0..self.compiler.program.events.len() {
            let event = self.event(EventId::new(index));
            self.explained.events.push(event);
        }
    }

    fn event(&mut self, id: EventId) -> ExplainedEvent {
        let program = self.compiler.program;
        let event = &program.events[id.index()];
        let context = Context {
            event: Some(id),
            tense: Tense::Now,
        };
        let clause = |explainer: &mut Self, clause: &program::Clause| -> Vec<Told> {
            clause
                .rows
                .iter()
                .map(|row| {
                    let mut told = explainer.row(context, row, clause.locals, true);
                    let mut frame = Frame::new(context, told.locals);
                    told.text = Some(explainer.compiler.text(&mut frame, &row.value));
                    told.uses = explainer.reads(&mut frame, [&row.value]);
                    told.locals = frame.locals;
                    told
                })
                .collect()
        };
        ExplainedEvent {
            impossible: clause(self, &event.impossible),
            report: clause(self, &event.report),
            refused: clause(self, &event.refused),
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
            fields: event
                .fields
                .iter()
                .map(|(name, ty)| (name.clone(), self.compiler.typed(ty)))
                .collect(),
        }
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
                parameters: equation.pointwise.then(|| {
                    let parameters = state.parameters.iter();
                    parameters
                        .filter_map(|parameter| self.compiler.domain(parameter))
                        .collect()
                }),
            }),
            _ => None,
        };
        let written = entries.is_none() && self.compiler.is_written(&ty);
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
            shape,
            entries,
            how,
            rows,
        }
    }

    /// A fact in a context, explained when it is first mentioned.
    pub(super) fn fact(&mut self, fact: FactId, context: Context) -> usize {
        if let Some(known) = self.facts.get(&(fact, context)) {
            return *known;
        }
        let program = self.compiler.program;
        let definition = &program.facts[fact.index()];
        let value = Code::Fact(self.compiler.instance(fact, context));
        let ty = &definition.definition.ty;
        let text = self
            .compiler
            .is_written(ty)
            .then(|| self.compiler.value_text(value.clone(), ty));
        let typed = self.compiler.typed(ty);
        let parameters = definition.parameters.iter();
        let parameters = parameters.map(|(_, ty)| self.compiler.typed(ty)).collect();
        let place = self.explained.facts.len();
        self.facts.insert((fact, context), place);
        self.explained.facts.push(ExplainedFact {
            name: definition.name.clone(),
            called: super::reads::called(&definition.name, context.tense),
            parameters,
            typed,
            value,
            text,
            how: Combined::First,
            rows: Vec::new(),
        });
        let (how, rows) = self.definition(context, &definition.definition);
        self.explained.facts[place].how = how;
        self.explained.facts[place].rows = rows;
        place
    }

    fn definition(&mut self, context: Context, definition: &Definition) -> (Combined, Vec<Told>) {
        let locals = definition.locals;
        match &definition.body {
            Body::Expression(value) => {
                let mut frame = Frame::new(context, locals);
                let code = self.compiler.code(&mut frame, value);
                let mut mentions = Vec::new();
                self.mentions(&mut frame, value, &mut mentions);
                let uses = self.reads(&mut frame, [value]);
                let text = self.compiler.sources.text(value.span);
                let told = Told {
                    label: None,
                    span: value.span,
                    locals: frame.locals,
                    bindings: Box::new([]),
                    conditions: Box::new([]),
                    written: vec![squeezed(text)],
                    value: code,
                    text: None,
                    inline: false,
                    says: None,
                    mentions,
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
                    How::Sum | How::Union | How::One => Combined::Every,
                };
                let rows = table
                    .rows
                    .iter()
                    .map(|row| self.row(context, row, locals, false))
                    .collect();
                (how, rows)
            }
            Body::By(table) => (Combined::First, self.by(context, table, locals)),
        }
    }

    fn row(&mut self, context: Context, row: &program::Row, locals: usize, said: bool) -> Told {
        let mut frame = Frame::new(context, locals);
        let bindings = self.compiler.bindings(&mut frame, &row.bindings);
        let conditions = self.compiler.conditions(&mut frame, &row.conditions);
        let value = if said {
            Code::Constant(1)
        } else {
            self.compiler.code(&mut frame, &row.value)
        };
        let mut mentions = Vec::new();
        for condition in &row.conditions {
            self.mentions(&mut frame, condition, &mut mentions);
        }
        if !said {
            self.mentions(&mut frame, &row.value, &mut mentions);
        }
        let uses = if said {
            Vec::new()
        } else {
            self.reads(&mut frame, [&row.value])
        };
        let ranges = row.bindings.iter().map(|(_, range)| range);
        let asks = self.reads(&mut frame, row.conditions.iter().chain(ranges));
        let says = row
            .says
            .as_ref()
            .map(|says| self.compiler.template(&mut frame, says));
        let mut written: Vec<String> = Vec::new();
        if !said && !matches!(row.value.kind, ExprKind::Constant(_)) {
            written.push(squeezed(self.compiler.sources.text(row.value.span)));
        }
        for condition in &row.conditions {
            written.push(self.condition(condition));
        }
        Told {
            label: Some(row.label.clone()),
            span: row.span,
            locals: frame.locals,
            bindings,
            conditions,
            written,
            value,
            text: None,
            inline: row.inline,
            says,
            mentions,
            uses,
            asks,
        }
    }

    /// The rows of a table by columns: each cell is a condition.
    fn by(&mut self, context: Context, table: &ByTable, locals: usize) -> Vec<Told> {
        let mut rows = Vec::new();
        for row in &table.rows {
            let mut frame = Frame::new(context, locals);
            let mut conditions = Vec::new();
            let mut mentions = Vec::new();
            for (key, cell) in table.keys.iter().zip(&row.cells) {
                if *cell != Matches::Any {
                    let code = self.compiler.code(&mut frame, key);
                    conditions.push(self.cell(&code, cell));
                    self.mentions(&mut frame, key, &mut mentions);
                }
            }
            let further = self.compiler.conditions(&mut frame, &row.conditions);
            conditions.extend(further);
            for condition in &row.conditions {
                self.mentions(&mut frame, condition, &mut mentions);
            }
            let value = self.compiler.code(&mut frame, &row.value);
            self.mentions(&mut frame, &row.value, &mut mentions);
            let uses = self.reads(&mut frame, [&row.value]);
            let keys = table.keys.iter().zip(&row.cells);
            let keys = keys.filter(|(_, cell)| **cell != Matches::Any);
            let keys = keys.map(|(key, _)| key);
            let asks = self.reads(&mut frame, keys.chain(&row.conditions));
            let says = row
                .says
                .as_ref()
                .map(|says| self.compiler.template(&mut frame, says));
            rows.push(Told {
                label: Some(row.label.clone()),
                span: row.span,
                locals: frame.locals,
                bindings: Box::new([]),
                conditions: conditions.into(),
                written: row
                    .conditions
                    .iter()
                    .map(|condition| self.condition(condition))
                    .collect(),
                value,
                text: None,
                inline: false,
                says,
                mentions,
                uses,
                asks,
            });
        }
        rows
    }

    fn cell(&mut self, key: &Code, cell: &Matches) -> Code {
        let is = |value: i64| Code::EqualConstant(Box::new(key.clone()), value);
        let (negated, mut any) = match cell {
            Matches::Any => return Code::Constant(1),
            Matches::Scalars {
                negated,
                ranges,
                none,
            } => {
                let mut any: Vec<Code> = ranges
                    .iter()
                    .map(|(lo, hi)| {
                        let triple = (key.clone(), Code::Constant(*lo), Code::Constant(*hi));
                        Code::Between(Box::new(triple))
                    })
                    .collect();
                any.extend(none.then(|| is(NONE)));
                (*negated, any)
            }
            Matches::Texts {
                negated,
                texts,
                none,
            } => {
                let mut any: Vec<Code> = texts
                    .iter()
                    .map(|text| is(self.compiler.text_id(text)))
                    .collect();
                any.extend(none.then(|| is(NONE)));
                (*negated, any)
            }
        };
        let first = any.pop().unwrap_or(Code::Constant(0));
        let either = any
            .into_iter()
            .fold(first, |left, right| Code::Or(Box::new((left, right))));
        if negated {
            Code::Not(Box::new(either))
        } else {
            either
        }
    }

    /// What an expression mentions: state, givens, fields, variables and facts, each with its value.
    fn mentions(&mut self, frame: &mut Frame, expr: &Expr, mentions: &mut Vec<Mention>) {
        let whole = match &expr.kind {
            ExprKind::State(..)
            | ExprKind::Given(_)
            | ExprKind::EventField(_)
            | ExprKind::Local(_)
            | ExprKind::Fact { .. } => true,
            ExprKind::Entry { map, .. } => {
                matches!(map.kind, ExprKind::State(..) | ExprKind::Given(_))
            }
            _ => false,
        };
        let fact = match &expr.kind {
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            } if arguments.is_empty() => {
                let context = super::expressions::shifted(frame.context, *tense);
                Some(self.fact(*fact, context))
            }
            _ => None,
        };
        let name = squeezed(self.compiler.sources.text(expr.span));
        // What is negated has the place of the whole.
        let name = name.strip_prefix("not ").unwrap_or(&name).to_string();
        let known = mentions.iter().any(|mention| mention.name == name);
        let short = !name.is_empty() && name.len() <= LONGEST_MENTION;
        if whole && !known && short && self.shown(&expr.ty) {
            let text = self.compiler.text(frame, expr);
            mentions.push(Mention { name, text, fact });
        }
        match &expr.kind {
            ExprKind::Entry { map, key } if whole => {
                let _ = map;
                self.mentions(frame, key, mentions);
            }
            // What a loop's own variables are cannot be said before it runs.
            ExprKind::Comprehension { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::Best { .. }
            | ExprKind::Lift { .. } => {}
            _ => expr.children(&mut |child| self.mentions(frame, child, mentions)),
        }
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

    fn shown(&self, ty: &Type) -> bool {
        self.compiler.is_written(ty)
    }
}

/// A text in one line.
fn squeezed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
