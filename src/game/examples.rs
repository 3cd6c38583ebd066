//! Runs the examples in a rule file.

mod run;
mod tree;

use std::cmp::Ordering;

use run::ExampleRun;

use super::{
    Game,
    trial::{Bounds, bounded},
};
use crate::{
    code::explain::Explained,
    compile,
    diagnostic::{Code, Diagnostic},
    explanation::{By, DEPTH_OF_SENTENCES, Event, Value},
    failure,
    fault::{Fault, Place},
    limits::{Limit, Limits},
    machine::{Answer, Executable},
    program::{Body, EventId, ExprKind, Program, question_name},
    resolve, stack,
    syntax::{
        MAXIMUM_DEPTH,
        ast::{self, ExpectationKind, Item},
        print,
    },
    transcript::Stopped,
    types::Constant,
};

/// For each example the whole game is checked again. This bounds the total, in bytes of rules.
const MOST: usize = 1 << 25;

/// All examples of a game share the fuel of one event; each has at least this much.
const LEAST: u64 = 1 << 12;

/// An example and its result.
#[derive(Debug, Clone)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// What is wrong with it; empty if it passes.
    pub wrong: Vec<Diagnostic>,
}

/// An example ready to be run.
pub(super) struct Prepared<'e> {
    example: &'e ast::Example,
    pub(super) program: Program,
}

impl Game {
    /// Runs the examples in the rule file: those of the game or, if it was loaded with one variant, those of that
    /// variant. Examples of other files may be about rules that the variant changes.
    #[must_use]
    pub fn examples(&self) -> Vec<Example> {
        let count = self.own_examples().count();
        let size: usize = self.rule_texts().map(str::len).sum();
        let most = (MOST / size.max(1)).max(1);
        let limits = self.compiled.limits;
        let fuel = (limits.fuel / count.max(1) as u64).max(LEAST.min(limits.fuel));
        let limits = limits.with(Limit::Fuel, fuel);
        let examples = self
            .own_examples()
            .enumerate()
            .map(|(number, example)| Example {
                name: example.name.text.clone(),
                wrong: match number.cmp(&most) {
                    Ordering::Less => self.run_example(example, limits),
                    Ordering::Equal => vec![too_many(example, number)],
                    Ordering::Greater => Vec::new(),
                },
            });
        examples.collect()
    }

    fn run_example(&self, example: &ast::Example, limits: Limits) -> Vec<Diagnostic> {
        match self.prepare(example) {
            Ok(prepared) => stack::with_room(prepared.program.depth, || {
                self.failures_of(&prepared, limits)
            }),
            Err(diagnostics) => diagnostics,
        }
    }

    pub(super) fn own_examples(&self) -> impl Iterator<Item = &ast::Example> {
        self.merged.file.items.iter().filter_map(|item| match item {
            Item::Example(example) => Some(example),
            _ => None,
        })
    }

    /// Compiles the example's program, up to checking.
    ///
    /// # Errors
    /// What is wrong with the example itself.
    pub(super) fn prepare<'e>(
        &self,
        example: &'e ast::Example,
    ) -> Result<Prepared<'e>, Vec<Diagnostic>> {
        let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
        let (file, just) = tree::with_state(self, example).map_err(one)?;
        let begun = self.altered(file, &[])?;
        let file = tree::with_expectations(&begun, example).map_err(one)?;
        let (mut program, _) = stack::with_room(MAXIMUM_DEPTH, || {
            resolve::resolve(&file, &self.sources, &self.settings)
                .and_then(|resolved| crate::check::check(resolved, &self.sources))
        })?;
        for (name, yes) in just {
            let states = program.states.iter_mut();
            for state in states.filter(|state| state.name == name) {
                if let Body::Expression(value) = &mut state.initial.body {
                    value.kind = ExprKind::Constant(Constant::Scalar(i64::from(yes)));
                }
            }
        }
        let mut wrong = Vec::new();
        for expectation in &example.expected {
            let ExpectationKind::Impossible { event, row } = &expectation.kind else {
                continue;
            };
            wrong.extend(match event {
                None => unknown_row(&program, row),
                Some(event) => no_guard(&program, event, row),
            });
        }
        if wrong.is_empty() {
            Ok(Prepared { example, program })
        } else {
            Err(wrong)
        }
    }

    /// The examples that pass.
    pub(super) fn passing_examples(&self) -> Vec<&ast::Example> {
        let mut examples: Vec<&ast::Example> = self.own_examples().collect();
        examples.retain(|example| self.holds(&example.name.text, Bounds::WIDEST));
        examples
    }

    /// Whether the example of this name passes.
    pub(super) fn holds(&self, name: &str, bounds: Bounds) -> bool {
        let mut examples = self.own_examples();
        let example = examples.find(|example| example.name.text == name);
        let prepared = example.and_then(|example| self.prepare(example).ok());
        prepared.is_some_and(|prepared| {
            let compiled = bounded(
                &prepared.program,
                &self.sources,
                self.compiled.limits,
                bounds,
            );
            prepared.holds(&compiled, bounds)
        })
    }

    /// The expectations of an example that do not hold.
    fn failures_of(&self, prepared: &Prepared, limits: Limits) -> Vec<Diagnostic> {
        let (mut compiled, explained) = compile::explain(&prepared.program, &self.sources, false);
        compiled.limits = limits;
        let mut run = ExampleRun::new(prepared, &compiled);
        let answers = match run.answers() {
            Ok(answers) => answers,
            Err(stop) => return vec![self.stopped(prepared.example, *stop, &compiled)],
        };
        let mut wrong = Vec::new();
        let expected = &prepared.example.expected;
        let is_impossible = expected.iter().zip(&answers).any(|(expectation, answer)| {
            matches!(expectation.kind, ExpectationKind::Impossible { .. })
                && matches!(answer, Answer::Known(true))
        });
        let expected = expected.iter().zip(answers);
        for (number, (expectation, answer)) in expected.enumerate() {
            let fails =
                |message: String| Diagnostic::error(Code::ExampleFails, expectation.span, message);
            let name = &prepared.example.name.text;
            match answer {
                Answer::Known(true) => {}
                Answer::Nothing if is_impossible => wrong.push(
                    fails(format!(
                        "in the example `{name}` the event is impossible, so nothing else can be asked of it"
                    ))
                    .help("ask it in an example of its own, without the event"),
                ),
                Answer::Known(false) | Answer::Nothing => {
                    let what = match &expectation.kind {
                        ExpectationKind::Impossible { event: Some(_), .. } => {
                            "the event is not impossible by its guard".to_string()
                        }
                        ExpectationKind::Impossible { row, .. } => {
                            format!("the event is not impossible by `{}`", row.text)
                        }
                        _ => "this does not follow".to_string(),
                    };
                    let mut fails = fails(format!("in the example `{name}` {what}"));
                    if let Some(values) = values_in(number, prepared, &compiled, &explained) {
                        fails = fails.note(values);
                    }
                    let new = new_names(self.sources.text(expectation.span));
                    let mut would = would_become(prepared, &compiled, &explained);
                    would.retain(|(state, _)| new.contains(&state.as_str()));
                    wrong.push(would.iter().fold(fails, |fails, (state, value)| {
                        fails.note(format!(
                            "the event is refused: `new {state}` is what it would have become, {value}, and `{state}` keeps its value"
                        ))
                    }));
                }
                Answer::Failed(stop) => {
                    let cause = self.stopped(prepared.example, *stop, &compiled);
                    let message = format!("in the example `{name}` this cannot be worked out");
                    wrong.push(fails(message).label(cause.span, cause.message));
                }
            }
        }
        if let Some(last) = wrong.last_mut() {
            let why = self.explain_event(prepared, &compiled, &explained);
            last.notes.extend(why);
        }
        wrong
    }

    /// Explains the event of an example; without an event, describes its state.
    fn explain_event(
        &self,
        prepared: &Prepared,
        compiled: &Executable,
        explained: &Explained,
    ) -> Option<String> {
        let mut run = ExampleRun::new(prepared, compiled);
        run.begin().ok()?;
        let Some(event) = &prepared.example.event else {
            return Some(format!("the state: {}", run.machine.state_line()));
        };
        run.choose().ok()?;
        let machine = &mut run.machine;
        let mut explanation = Event::new(1, &compiled.events[machine.event].name, By::Transcript);
        explanation.words = Some(print::expression(event));
        machine
            .explain_event(explained, DEPTH_OF_SENTENCES, &mut explanation)
            .ok()?;
        let text = Game::event_text(self.sources.position(event.span).line, explanation);
        Some(text.trim_end().to_string())
    }

    /// The diagnostic if an example cannot be run to its end.
    fn stopped(&self, example: &ast::Example, fault: Fault, compiled: &Executable) -> Diagnostic {
        let span = example
            .event
            .as_ref()
            .map_or(example.name.span, |event| event.span);
        let name = &example.name.text;
        let fails = |message: String| Diagnostic::error(Code::ExampleFails, span, message);
        match fault {
            Fault::Impossible {
                event, row, text, ..
            } => {
                let row = &compiled.events[event].impossible[row].row;
                let what = if event == 0 {
                    "the game cannot begin like this"
                } else {
                    "the event is impossible"
                };
                fails(format!("in the example `{name}` {what}: {text}"))
                    .label(row.span, format!("`{}` says so", row.label))
                    .help(format!(
                        "if that is intended, expect `impossible {}`",
                        row.label
                    ))
            }
            Fault::Policy { .. } => {
                let diagnostic = fails(format!(
                    "in the example `{name}` the event cannot happen: its `when` does not hold, or a field is none"
                ));
                match &example.event {
                    Some(event) => diagnostic.help(format!(
                        "if its `when` is meant, expect `impossible {}.guard`",
                        tree::target(event).text
                    )),
                    None => diagnostic,
                }
            }
            other => {
                let stopped = Stopped {
                    fault: other,
                    place: Place::default(),
                    state: Vec::new(),
                };
                let failure = failure::from_stopped(stopped, compiled, &self.sources, name);
                let mut wrong = fails(format!("the example `{name}` cannot be worked out"));
                let set = |given: &str| {
                    let mut texts = example
                        .given
                        .iter()
                        .map(|one| self.sources.text(one.target.span));
                    texts.any(|text| text == given)
                };
                let givens = self.program.givens.iter();
                let mut unread = givens.filter(|given| {
                    let is_empty = given.default.is_none() && !given.drawn;
                    is_empty && given.ty.element().is_some() && !set(&given.name)
                });
                if let Some(given) = unread.next() {
                    let given = &given.name;
                    wrong = wrong.help(format!(
                        "an example reads nothing, so `{given}` is empty: say what it is, `given {given} = …`"
                    ));
                }
                match failure.report() {
                    Some(report) if self.sources.get(report.diagnostic.span.source).is_some() => {
                        let cause = &report.diagnostic;
                        wrong.label(cause.span, cause.message.clone())
                    }
                    Some(report) => wrong.note(report.diagnostic.message.clone()),
                    None => wrong,
                }
            }
        }
    }
}

impl Prepared<'_> {
    /// Whether the example passes, run with the code of its program.
    pub(super) fn holds(&self, compiled: &Executable, bounds: Bounds) -> bool {
        let mut run = ExampleRun::new(self, compiled);
        run.machine.bound(bounds.work);
        let answers = stack::with_room(self.program.depth, || run.answers());
        answers.is_ok_and(|answers| {
            let mut answers = answers.iter();
            answers.all(|answer| matches!(answer, Answer::Known(true)))
        })
    }
}

/// The names that an expectation mentions, with their values.
fn values_in(
    number: usize,
    prepared: &Prepared,
    compiled: &Executable,
    explained: &Explained,
) -> Option<String> {
    let mut run = ExampleRun::new(prepared, compiled);
    run.begin().ok()?;
    if prepared.example.event.is_some() {
        run.choose().ok()?;
    }
    let fact = question_name(number, 0);
    let values = run.machine.mentioned_by(explained, &fact);
    // Names that contain a text were generated.
    let values = values.iter().filter(|value| !value.name.contains('"'));
    let values = values.map(|Value { name, value, .. }| match value.as_str() {
        "" => format!("`{name}` is nothing"),
        value => format!("`{name}` is {value}"),
    });
    let values: Vec<String> = values.collect();
    (!values.is_empty()).then(|| format!("here {}", values.join(", ")))
}

/// The new values that an example's refused event would have given to states.
fn would_become(
    prepared: &Prepared,
    compiled: &Executable,
    explained: &Explained,
) -> Vec<(String, String)> {
    let mut run = ExampleRun::new(prepared, compiled);
    let chosen = run.begin().and_then(|()| run.choose());
    if prepared.example.event.is_none() || chosen.is_err() {
        return Vec::new();
    }
    let would = run.machine.would_become(explained);
    would.unwrap_or_default()
}

/// The names after `new` in the source of an expression.
pub(super) fn new_names(written: &str) -> Vec<&str> {
    let words = written.split(|character: char| !character.is_alphanumeric() && character != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let pairs = words.windows(2).filter(|pair| pair[0] == "new");
    pairs.map(|pair| pair[1]).collect()
}

/// The diagnostic if this is not the guard of the example's event.
fn no_guard(program: &Program, named: &ast::Name, row: &ast::Name) -> Option<Diagnostic> {
    let event = event_of(program);
    let name = &program.events[event.index()].name;
    let error = |span, message| Some(Diagnostic::error(Code::UnknownName, span, message));
    if row.text != "guard" {
        let message = "only a guard has its event before it here".to_string();
        return error(named.span.to(row.span), message)
            .map(|wrong| wrong.help(format!("write `impossible {}`", row.text)));
    }
    if named.text != *name {
        return error(named.span, format!("the event of this example is `{name}`"));
    }
    if program.events[event.index()].guard.is_none() {
        return error(named.span, format!("`{name}` has no guard"));
    }
    None
}

/// The event of an example; without one, its expectations are about the start.
fn event_of(program: &Program) -> EventId {
    let mut policies = program.policies.iter();
    let policy = policies.find(|policy| policy.name == tree::POLICY);
    let row = policy.and_then(|policy| policy.rows.first());
    row.map_or(EventId::START, |row| row.event)
}

/// The diagnostic if no row of the event's `impossible` has this name.
fn unknown_row(program: &Program, row: &ast::Name) -> Option<Diagnostic> {
    let event = event_of(program);
    let rows = &program.events[event.index()].impossible.rows;
    let labels = || rows.iter().map(|row| row.label.as_str());
    if labels().any(|label| label == row.text) {
        return None;
    }
    let message = format!(
        "`{}` has no row of `impossible` called `{}`",
        program.events[event.index()].name,
        row.text
    );
    let diagnostic = Diagnostic::error(Code::UnknownName, row.span, message);
    Some(diagnostic.did_you_mean(&row.text, labels()))
}

/// The diagnostic that this example and those after it were not run.
fn too_many(example: &ast::Example, number: usize) -> Diagnostic {
    let message = format!("there are too many examples: only the first {number} are tried");
    Diagnostic::error(Code::Work, example.name.span, message)
        .help("write the others as transcripts, which `referee test` runs")
}

/// The keys of the entry that an assignment sets.
fn keys(assignment: &ast::Assignment, count: usize) -> Result<&[ast::Expr], Box<Diagnostic>> {
    match &assignment.target.kind {
        ast::ExprKind::Apply { arguments, .. } if arguments.len() == count => Ok(arguments),
        _ => Err(Box::new(wrong_keys(assignment, count))),
    }
}

/// The diagnostic if an entry has not as many keys as it takes.
fn wrong_keys(assignment: &ast::Assignment, count: usize) -> Diagnostic {
    let name = &tree::target(&assignment.target).text;
    let message = "an example gives a state once as a whole, or its entries one by one";
    let error =
        |message: String| Diagnostic::error(Code::ArgumentCount, assignment.target.span, message);
    if count < 2 {
        return error(format!("{message}, each with one key"))
            .help("write `x = value`, or `x of key = value, x of other = value`");
    }
    let keys = vec!["key"; count].join(", ");
    error(format!("{message}: those of `{name}` have {count} keys"))
        .help(format!("write `{name}({keys}) = value`"))
}
