//! Rows to what explanations are made of.

mod choices;
mod columns;
mod noted;
mod written;

use super::{Compiler, Context, Frame, Noting};
use crate::{
    code::{
        Code, Noted, NotedRow, Row, Shape, Text, UnionRow, Written,
        explain::{
            Combined, Entries, Explained, ExplainedChange, ExplainedEvent, ExplainedFact,
            ExplainedRow, ExplainedTable, Seen,
        },
    },
    program::{self, Body, Definition, EventId, Expr, ExprKind, FactId, How, LocalId, Tense},
    source::Span,
    types::Type,
};

pub(super) use noted::Mentions;

/// Makes the explanations of all events.
pub(super) struct Explainer<'a, 'p> {
    pub(super) compiler: &'a mut Compiler<'p>,
    explained: Explained,
}

/// A row that is being compiled, with how many locals its frame has.
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
            // What speaks of what is new is asked in events only.
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
                let question = program::question_of(&fact.name).is_some()
                    || program::is_value_fact(&fact.name)
                    || program::is_of_view(&fact.name);
                if fact.owner == owner && fact.parameters.is_empty() && !question {
                    asked.push(self.mentioned(FactId::new(index), context));
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
                .compiler
                .is_told(ty)
                .then(|| self.compiler.text(&mut frame, &field));
            let number = match ty.required() {
                // One that is made of numbers is one, too: a time of minutes and seconds.
                Type::Product(id) => {
                    let product = self.compiler.program.types.product(*id);
                    let parts = product.fields.iter();
                    product.grid.is_none() && parts.map(|part| &part.ty).all(Type::is_number)
                }
                ty => ty.is_number() && !ty.is_decimal(),
            };
            fields.push((name.clone(), text, number));
        }
        fields
    }

    /// The place of a fact in a context among those that are explained.
    fn mentioned(&mut self, fact: FactId, context: Context) -> usize {
        self.compiler.mentions.place_of(fact, context)
    }

    /// Rows that say something.
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
            // The words of a line are seen.
            compiled
                .told
                .written
                .retain(|written| compiled.told.gives.as_ref() != Some(written));
            compiled
        });
        let rows: Vec<Compiled> = rows.collect();
        table(how, rows, |rows| match how {
            Combined::First => Code::First(rows),
            // All are asked; which text is the greatest does not matter.
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
        let written = entries.is_none() && self.compiler.is_told(&ty);
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

    /// How the members of a collection are written, if they can be.
    fn member(&mut self, ty: &Type) -> Option<Written> {
        let element = ty.required().element()?.clone();
        let written = self.compiler.is_told(ty);
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
        let text = (parameters == 0 && self.compiler.is_told(ty))
            .then(|| self.compiler.value_text(value.clone(), ty));
        let each = self.compiler.is_told(ty);
        let each = each.then(|| self.compiler.value_text(Code::Local(0), ty));
        let typed = self.compiler.typed(ty);
        let mut asked_of = Vec::new();
        for (_, ty) in &definition.parameters {
            let told = self.compiler.is_told(ty);
            asked_of.push(told.then(|| self.compiler.value_text(Code::Local(0), ty)));
        }
        let of = definition.parameters.iter();
        let of = of.map(|(_, ty)| self.compiler.typed(ty)).collect();
        let shape = self.compiler.shape(ty);
        let parameter_types: Vec<Type> = definition
            .parameters
            .iter()
            .map(|(_, ty)| ty.clone())
            .collect();
        let mut frame = Frame::new(context, definition.definition.locals.max(parameters));
        let known = locals_of(&parameter_types);
        let expressions = program::expressions_of(&definition.definition);
        let seen = self.seen(&mut frame, &known, expressions, definition.span);
        let seen = seen.map(|seen| (seen, frame.locals));
        ExplainedFact {
            name: definition.name.clone(),
            called: called(&definition.name, context.tense),
            event: context.event.map_or(0, EventId::index),
            of,
            typed,
            value,
            asked_of,
            parameters,
            text,
            each,
            yes_no: matches!(ty.required(), Type::YesNo),
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
        match &definition.body {
            Body::Expression(value) => self.expression(context, value, definition, parameters),
            Body::Table(rows) => self.table(context, rows, definition, parameters),
            Body::By(rows) => self.by(context, rows, definition, parameters),
        }
    }

    /// Whether who looks at the game sees all that some expressions of a frame rest on, of whose locals these are known.
    fn seen<'e>(
        &mut self,
        frame: &mut Frame,
        known: &[(LocalId, Type)],
        expressions: impl IntoIterator<Item = &'e Expr>,
        span: Span,
    ) -> Option<Code> {
        let (program, event) = (self.compiler.program, frame.context.event);
        let expressions: Vec<&Expr> = expressions.into_iter().collect();
        let seen = program.seen(event, known, expressions, span, &mut frame.locals)?;
        let noting = std::mem::replace(&mut frame.noting, Noting::No);
        let code = self.compiler.code(frame, &seen);
        frame.noting = noting;
        Some(code)
    }

    /// An expression as a table of one row.
    fn expression(
        &mut self,
        context: Context,
        value: &Expr,
        definition: &Definition,
        parameters: &[Type],
    ) -> ExplainedTable {
        let mut frame = Frame::new(context, definition.locals);
        frame.noting = Noting::Yes;
        let code = self.compiler.code_as(&mut frame, value, &definition.ty);
        let written = self.compiler.as_written(value);
        let mut row = self.noted_row(&frame, (0, value.span), code);
        let (codes, conditions) = self.conditions(&mut frame, &definition.only);
        row.conditions = codes;
        let expressions = definition.only.iter().chain([value]);
        let seen = self.seen(&mut frame, &locals_of(parameters), expressions, value.span);
        let told = ExplainedRow {
            conditions,
            written: vec![written.clone()],
            gives: Some(written),
            seen: Seen {
                fired: seen.clone(),
                asked: seen,
            },
            ..self.row_at(None, value.span)
        };
        let locals = frame.locals;
        table(
            Combined::First,
            vec![Compiled { row, told, locals }],
            Code::First,
        )
    }

    fn table(
        &mut self,
        context: Context,
        rows: &program::Table,
        definition: &Definition,
        parameters: &[Type],
    ) -> ExplainedTable {
        let how = match rows.how {
            How::Any => Combined::Any,
            How::All => Combined::All,
            How::First => Combined::First,
            How::Highest | How::Lowest => Combined::Same,
            How::Sum | How::Union => Combined::Sum,
            How::One => Combined::Every,
        };
        let union = rows.how == How::Union;
        let compiled = rows.rows.iter().enumerate().map(|(place, row)| {
            let ty = if union { &row.value.ty } else { &definition.ty };
            let mut compiled = self.row(
                context,
                (definition.locals, parameters),
                (place, row),
                |compiler, frame| compiler.value_of_row(frame, row, ty),
            );
            if union {
                compiled.row.maybe |= row.value.ty.is_optional();
                compiled.told.part = Some(self.compiler.shape(row.value.ty.required()));
            } else {
                compiled.row.maybe = row.maybe;
            }
            compiled
        });
        let compiled: Vec<Compiled> = compiled.collect();
        let site = self.compiler.site(definition.span);
        let shape = self.compiler.shape(&definition.ty);
        let shapes: Vec<Shape> = rows
            .rows
            .iter()
            .map(|row| self.compiler.shape(&row.value.ty))
            .collect();
        table(how, compiled, |compiled| match rows.how {
            How::Any => Code::Any(compiled),
            How::All => Code::All(compiled),
            How::First => Code::First(compiled),
            How::Highest => Code::Highest(compiled),
            How::Lowest => Code::Lowest(compiled),
            How::Sum => Code::SumRows(compiled, site),
            How::Union => {
                let rows = compiled.into_iter().zip(shapes);
                let rows = rows.map(|(row, shape)| UnionRow {
                    row,
                    source: None,
                    shape,
                });
                Code::Union(rows.collect(), Box::new(shape))
            }
            How::One => Code::Agree {
                rows: compiled,
                shape: Box::new(shape),
                otherwise: Box::new(Code::Constant(crate::code::NONE)),
            },
        })
    }

    /// A row of a table in a frame of its own, of so many locals, the first of them these parameters, whose value `value`
    /// compiles.
    fn row(
        &mut self,
        context: Context,
        (locals, parameters): (usize, &[Type]),
        (place, row): (usize, &program::Row),
        value: impl FnOnce(&mut Compiler, &mut Frame) -> Code,
    ) -> Compiled {
        let mut frame = Frame::new(context, locals);
        let bindings = self.compiler.bindings(&mut frame, &row.bindings);
        frame.noting = Noting::Yes;
        let (codes, conditions) = self.conditions(&mut frame, &row.conditions);
        let value = value(self.compiler, &mut frame);
        let gives = self.gives(&row.value);
        let mut written: Vec<String> = gives.iter().cloned().collect();
        let asked = row.conditions.iter().filter(|one| !names_entry(one));
        written.extend(asked.map(|condition| self.compiler.as_written(condition)));
        frame.noting = Noting::No;
        let says = row
            .says
            .as_ref()
            .map(|says| self.compiler.template(&mut frame, says));
        let seen = self.row_seen(&mut frame, parameters, row);
        let mut compiled = self.noted_row(&frame, (place, row.span), value);
        compiled.bindings = bindings;
        compiled.conditions = codes;
        compiled.label.clone_from(&row.label);
        Compiled {
            row: compiled,
            told: ExplainedRow {
                range: self.range(context, locals, &row.bindings),
                conditions,
                written,
                gives,
                inline: row.inline,
                says,
                seen,
                ..self.row_at(Some(&row.label), row.span)
            },
            locals: frame.locals,
        }
    }

    /// Whether who looks at the game sees all that a row rests on.
    fn row_seen(&mut self, frame: &mut Frame, parameters: &[Type], row: &program::Row) -> Seen {
        let collections = || row.bindings.iter().map(|(_, collection)| collection);
        let expressions = || {
            let written = collections().chain(&row.conditions).chain([&row.value]);
            written.collect::<Vec<&Expr>>()
        };
        let mut known = locals_of(parameters);
        let asked = self.seen(frame, &known, expressions(), row.span);
        let variables = row
            .bindings
            .iter()
            .filter_map(|(local, collection)| Some((*local, collection.ty.element()?.clone())));
        known.extend(variables);
        let fired = if row.bindings.is_empty() {
            asked.clone()
        } else {
            self.seen(frame, &known, expressions(), row.span)
        };
        Seen { fired, asked }
    }

    /// A row at a place, of which nothing else is told yet.
    fn row_at(&self, label: Option<&String>, span: Span) -> ExplainedRow {
        let sources = self.compiler.sources;
        let source = sources.get(span.source);
        ExplainedRow {
            label: label.cloned(),
            span,
            file: source.map_or(String::new(), |source| source.name.clone()),
            at: sources.position(span).line,
            cites: sources.cited(span).map(str::to_string),
            range: None,
            conditions: Vec::new(),
            columns: 0,
            written: Vec::new(),
            part: None,
            gives: None,
            text: None,
            inline: false,
            says: None,
            seen: Seen::default(),
        }
    }

    /// A row without variables and conditions.
    fn noted_row(&mut self, frame: &Frame, (place, span): (usize, Span), value: Code) -> Row {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Row {
            bindings: Box::new([]),
            conditions: Box::new([]),
            value,
            maybe: false,
            site: self.compiler.site(span),
            label: String::new(),
            noted: Some(NotedRow {
                place: number(place),
                locals: number(frame.locals),
            }),
        }
    }

    /// What the first variable of a row goes through.
    fn range(
        &mut self,
        context: Context,
        locals: usize,
        bindings: &[(program::LocalId, Expr)],
    ) -> Option<(String, ExplainedTable)> {
        let (_, collection) = bindings.first()?;
        let mut frame = Frame::new(context, locals);
        frame.noting = Noting::Yes;
        let noted = self.compiler.code(&mut frame, collection);
        let row = self.noted_row(&frame, (0, collection.span), noted);
        let range = ExplainedTable {
            locals: frame.locals,
            how: Combined::First,
            rows: Vec::new(),
            code: Code::First(Box::new([row])),
        };
        Some((self.compiler.as_written(collection), range))
    }

    /// A row's value as it was written, unless it is a constant.
    fn gives(&self, value: &Expr) -> Option<String> {
        let written = self.compiler.as_written(value);
        let known = matches!(value.kind, ExprKind::Constant(_));
        (!known || self.compiler.is_option(&written)).then_some(written)
    }
}

/// Rows that belong together, and the code that is made of them.
fn table(
    how: Combined,
    compiled: Vec<Compiled>,
    code: impl FnOnce(Box<[Row]>) -> Code,
) -> ExplainedTable {
    let locals = compiled.iter().map(|row| row.locals).max().unwrap_or(0);
    let (codes, rows): (Vec<Row>, Vec<ExplainedRow>) =
        compiled.into_iter().map(|row| (row.row, row.told)).unzip();
    ExplainedTable {
        code: code(codes.into()),
        locals,
        how,
        rows,
    }
}

/// Parameters as the first locals of a frame.
fn locals_of(parameters: &[Type]) -> Vec<(LocalId, Type)> {
    let locals = parameters.iter().cloned().enumerate();
    locals
        .map(|(place, ty)| (LocalId::new(place), ty))
        .collect()
}

/// Whether a condition asks whether an entry is the one that a `new` names. What is changed says that already.
fn names_entry(condition: &Expr) -> bool {
    matches!(&condition.kind, ExprKind::Is(own, key) if own.span == key.span)
}

/// What a fact is called that is asked of a state.
fn called(name: &str, tense: Tense) -> String {
    match tense {
        Tense::Now => name.to_string(),
        Tense::New => format!("new {name}"),
        Tense::Previous => format!("previous {name}"),
    }
}
