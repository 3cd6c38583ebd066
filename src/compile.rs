//! From a checked program to code: slots for names, shapes for types, and the code of each event.

mod builtins;
mod collections;
mod cover;
mod definitions;
mod events;
mod explain;
mod expressions;
mod grids;
mod layout;
mod marks;
mod numbers;
mod shapes;
mod sources;
mod texts;
mod transcripts;

use std::collections::BTreeMap;

pub(crate) use cover::{Counted, CountedRow};

use crate::{
    code::{Code, Compiled, Fact, Natively, Question, SiteId, explain::Explained},
    machine::Executable,
    program::{EventId, FactId, LocalId, Program, Tense, question_of},
    source::{Sources, Span},
    types::{ProductId, Type},
};
use cover::Ledger;

/// Compiles a program to run.
pub(crate) fn compile(program: &Program, sources: &Sources) -> Executable {
    let mut compiler = Compiler::new(program, sources);
    compiler.all();
    Executable::new(compiler.compiled, true)
}

/// Compiles a program to run, and to give its states as data.
pub(crate) fn compile_with_data(program: &Program, sources: &Sources) -> Executable {
    let mut compiler = Compiler::new(program, sources);
    compiler.all();
    // Forms used only in messages need not be distinct.
    compiler.for_messages = true;
    let data = compiler.typed_states();
    let mut finished = compiler.compiled;
    finished.data = data;
    Executable::new(finished, true)
}

/// Compiles a program to run with coverage; also returns the places that the journal counts.
pub(crate) fn cover(program: &Program, sources: &Sources) -> (Executable, Vec<Counted>) {
    let mut compiler = Compiler::new(program, sources);
    compiler.ledger = Some(Ledger::new(program));
    compiler.make_places();
    compiler.all();
    let mut finished = compiler.compiled;
    // Only exact functions pass every row. Forms from facts are evaluated, and so counted, in each game.
    finished.natively = Natively::Never;
    let plan = compiler.ledger.map(|ledger| ledger.plan);
    (Executable::new(finished, false), plan.unwrap_or_default())
}

/// Compiles a program to run and to be explained; with `deep`, lists are explained member by member, too.
pub(crate) fn explain(program: &Program, sources: &Sources, deep: bool) -> (Executable, Explained) {
    let mut compiler = Compiler::new(program, sources);
    compiler.mentions.deep = deep;
    compiler.all();
    // Forms used only in messages need not be distinct.
    compiler.for_messages = true;
    let explained = explain::Explainer::new(&mut compiler).all();
    let mut finished = compiler.compiled;
    // Explanations look at every event, which machine code does not allow.
    finished.natively = Natively::Never;
    (Executable::new(finished, true), explained)
}

/// The event in which an expression is evaluated, and in which of its states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Context {
    event: Option<EventId>,
    tense: Tense,
}

/// The frame of an expression that is being compiled.
#[derive(Debug)]
struct Frame {
    context: Context,
    locals: usize,
    noting: Noting,
}

/// Whether an expression notes what it mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Noting {
    No,
    Yes,
    /// Its parts do, but not itself.
    OfParts,
}

impl Frame {
    fn new(context: Context, locals: usize) -> Frame {
        Frame {
            context,
            locals,
            noting: Noting::No,
        }
    }

    /// Compiles something that notes nothing.
    fn without_noting<T>(&mut self, compile: impl FnOnce(&mut Frame) -> T) -> T {
        let noting = std::mem::replace(&mut self.noting, Noting::No);
        let compiled = compile(self);
        self.noting = noting;
        compiled
    }

    /// Allocates a local.
    fn local(&mut self) -> u32 {
        self.locals += 1;
        u32::try_from(self.locals - 1).unwrap_or(u32::MAX)
    }
}

struct Compiler<'p> {
    program: &'p Program,
    sources: &'p Sources,
    compiled: Compiled,
    /// The compiled facts, by the context they are evaluated in.
    instances: BTreeMap<(FactId, Context), u32>,
    says_new: Vec<bool>,
    text_ids: BTreeMap<String, i64>,
    form_ids: Vec<(Type, usize)>,
    /// Whether the forms compiled now are only for messages.
    for_messages: bool,
    grid_ids: BTreeMap<ProductId, u32>,
    partial_ids: BTreeMap<String, Option<usize>>,
    given_offsets: Vec<usize>,
    state_offsets: Vec<usize>,
    previous_offsets: Vec<Option<usize>>,
    /// The numbers of the current transcript that say how often something is repeated.
    counts: Vec<LocalId>,
    /// The places for coverage.
    ledger: Option<Ledger>,
    /// How often the number of a game was read so far.
    numbers_read: usize,
    /// How often only to be said, or to be compared in the condition of a report row.
    numbers_said: usize,
    /// What explained rows mention.
    mentions: explain::Mentions,
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, sources: &'p Sources) -> Compiler<'p> {
        Compiler {
            program,
            sources,
            compiled: Compiled {
                limit: program.limit,
                ..Compiled::default()
            },
            instances: BTreeMap::new(),
            says_new: says_new(program),
            text_ids: BTreeMap::new(),
            form_ids: Vec::new(),
            for_messages: false,
            grid_ids: BTreeMap::new(),
            partial_ids: BTreeMap::new(),
            given_offsets: Vec::new(),
            state_offsets: Vec::new(),
            previous_offsets: Vec::new(),
            counts: Vec::new(),
            ledger: None,
            numbers_read: 0,
            numbers_said: 0,
            mentions: explain::Mentions::default(),
        }
    }
}

impl Compiler<'_> {
    /// Compiles the questions of a transcript: facts that nothing else in the game refers to.
    fn questions(&mut self) {
        let program = self.program;
        for (index, fact) in program.facts.iter().enumerate() {
            let Some(number) = question_of(&fact.name) else {
                continue;
            };
            let context = Context {
                event: fact.owner,
                tense: Tense::Now,
            };
            let slot = self.instance(FactId::new(index), context);
            self.compiled.questions.push(Question {
                number,
                event: fact.owner.map(EventId::index),
                fact: slot as usize,
            });
        }
    }

    fn all(&mut self) {
        self.text_id("");
        self.lay_out();
        self.givens();
        self.states();
        self.events();
        self.policies();
        self.transcripts();
        self.questions();
        self.outcomes();
        self.compiled.number_uses.elsewhere = self.numbers_read != self.numbers_said;
    }

    /// The id of a text of the program.
    fn text_id(&mut self, text: &str) -> i64 {
        if let Some(id) = self.text_ids.get(text) {
            return *id;
        }
        let id = i64::try_from(self.compiled.texts.len()).unwrap_or(i64::MAX);
        self.compiled.texts.push(text.to_string());
        self.text_ids.insert(text.to_string(), id);
        id
    }

    /// A site that faults can point to.
    fn site(&mut self, span: Span) -> SiteId {
        let text: Vec<&str> = self.sources.text(span).split_whitespace().collect();
        self.compiled.sites.push(crate::code::Site {
            span,
            text: text.join(" "),
        });
        u32::try_from(self.compiled.sites.len() - 1).unwrap_or(u32::MAX)
    }

    /// The index of a fact in a context, compiled when first needed.
    fn instance(&mut self, fact: FactId, context: Context) -> u32 {
        let definition = &self.program.facts[fact.index()];
        let needs_event = definition.owner.is_some()
            || context.tense == Tense::New
            || self.says_new[fact.index()];
        let context = Context {
            event: context.event.filter(|_| needs_event),
            tense: context.tense,
        };
        if let Some(slot) = self.instances.get(&(fact, context)) {
            return *slot;
        }
        let index = self.compiled.facts.len();
        let slot = u32::try_from(index).unwrap_or(u32::MAX);
        self.instances.insert((fact, context), slot);
        self.compiled.facts.push(Fact {
            name: String::new(),
            code: Code::Constant(0),
            parameters: 0,
            locals: 0,
            bounds: None,
            takes: Vec::new(),
            table: None,
        });
        let mut frame = Frame::new(context, definition.definition.locals);
        let outer = self.enter_fact(fact);
        let code = self.definition(&mut frame, &definition.definition);
        let code = self.passing(&definition.definition, code);
        self.leave_fact(outer);
        let table = self.fact_table(fact);
        let takes = definition.parameters.iter();
        let takes = takes.map(|(_, ty)| self.bounds_of(ty));
        self.compiled.facts[index] = Fact {
            name: definition.name.clone(),
            code,
            parameters: definition.parameters.len(),
            locals: frame.locals,
            bounds: self.bounds_of(&definition.definition.ty),
            takes: takes.collect(),
            table,
        };
        slot
    }
}

/// Which facts read new values, directly or through others.
pub(crate) fn says_new(program: &Program) -> Vec<bool> {
    let mut direct = Vec::new();
    let mut asks: Vec<Vec<FactId>> = Vec::new();
    for fact in &program.facts {
        let mut new = false;
        let mut asked = Vec::new();
        definitions::each_expression(&fact.definition, &mut |expr| {
            use crate::program::ExprKind;
            match &expr.kind {
                ExprKind::State(_, tense) => new = new || *tense == Tense::New,
                ExprKind::Fact { fact, tense, .. } | ExprKind::Tabulated(fact, tense) => {
                    new = new || *tense == Tense::New;
                    asked.push(*fact);
                }
                _ => {}
            }
        });
        direct.push(new);
        asks.push(asked);
    }
    loop {
        let mut changed = false;
        for index in 0..direct.len() {
            if !direct[index] && asks[index].iter().any(|fact| direct[fact.index()]) {
                direct[index] = true;
                changed = true;
            }
        }
        if !changed {
            return direct;
        }
    }
}
