//! What a transcript asks of its game, on lines that begin with `#?`, and whether the answers are yes.

mod lines;
pub(super) mod tree;

pub use lines::{has_expectations, pinned};

use std::{collections::BTreeSet, io::Write, ops::Range};

use super::{Game, Invalid, examples::new_names, moves};
use crate::{
    check,
    compile::compile,
    diagnostic::{Code, Colour, Diagnostic, first},
    explanation::{Ask, DEPTH_OF_SENTENCES},
    failure::{self, Failure},
    merge,
    optimise::optimise,
    program::{Program, question_name, value_fact},
    resolve,
    source::{SourceId, Sources, Span},
    stack,
    syntax::{
        self,
        ast::{Clause, Definition, Expr, ExprKind, Item, Name, Section, Tense},
    },
    transcript::{Lapse, Miss, QUESTION, Question, Run, What},
};

/// For how many questions whose answer is no the event before them is explained.
const REASONS: usize = 3;

/// What came of a transcript that asks something.
#[derive(Debug)]
pub struct Judged {
    /// What stopped the run, if something did.
    pub stopped: Option<Failure>,
    /// The questions whose answers are not yes; nothing where all are.
    pub unmet: Option<Invalid>,
    /// How many questions there are.
    pub questions: usize,
}

/// The questions of a transcript, where they stand, and the game with them.
pub(super) struct Asked {
    pub(super) sources: Sources,
    pub(super) questions: Vec<Question>,
    spans: Vec<Span>,
    pub(super) program: Program,
}

/// An expression that somebody asks of a transcript.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'w> {
    pub(super) number: usize,
    /// As it would stand in the rules.
    pub(super) text: &'w str,
    /// The event in which it is asked; after all of them where that is nothing.
    pub(super) event: Option<&'w str>,
    /// Whether it is asked of the state after the event.
    pub(super) new: bool,
    /// Names in it that stand for values, each as it is written in a transcript.
    pub(super) with: &'w [(String, String)],
    /// Which of the values is meant that are written alike.
    pub(super) choice: usize,
}

/// Expressions that mean nothing.
pub(super) struct Unclear {
    pub(super) invalid: Invalid,
    /// Their numbers.
    pub(super) numbers: Vec<usize>,
}

/// What messages call the text of expressions.
const EXPRESSIONS: &str = "what is asked";

/// How a value is written that is used, where, and the numbers of the expressions in which it is.
type UsedValue = (String, Range<usize>, Vec<usize>);

/// What expressions use.
struct Used {
    /// The source that holds them all.
    id: SourceId,
    /// The range of each in it.
    ranges: Vec<Range<usize>>,
    values: Vec<UsedValue>,
    /// The names that stand for no value: each with its place, and the number of its expression.
    left: Vec<(String, Span, usize)>,
}

impl Used {
    /// Which expressions mean nothing, and why.
    fn unclear(
        &self,
        wanted: &[Wanted<'_>],
        sources: Sources,
        diagnostics: Vec<Diagnostic>,
    ) -> Unclear {
        let mut numbers = Vec::new();
        for diagnostic in &diagnostics {
            let others = diagnostic.labels.iter().map(|label| label.span);
            for span in std::iter::once(diagnostic.span).chain(others) {
                let at = span.range().start;
                if span.source != self.id {
                    let name = sources.get(span.source).map(|source| source.name.as_str());
                    let mut values = self.values.iter().filter(|_| name == Some(VALUES));
                    let value = values.find(|(_, range, _)| range.contains(&at));
                    numbers.extend(value.into_iter().flat_map(|(.., numbers)| numbers));
                    continue;
                }
                let mut places = self.ranges.iter();
                let place = places.position(|range| range.contains(&at) || range.end == at);
                numbers.extend(place.map(|place| wanted[place].number));
                // A name that means nothing is reported once, wherever it stands.
                for (name, ..) in self.left.iter().filter(|(_, place, _)| *place == span) {
                    let everywhere = self.left.iter().filter(|(other, ..)| other == name);
                    numbers.extend(everywhere.map(|(.., number)| number));
                }
            }
        }
        let invalid = Invalid {
            sources,
            diagnostics,
        };
        Unclear { invalid, numbers }
    }
}

/// A value that nothing stands for.
const HIDDEN: &str = "hidden";

/// What messages call the text of the values in them.
const VALUES: &str = "values";

impl Game {
    /// The game with facts that have the values of expressions. What is written in a transcript stands for its value:
    /// `words` has those, each with how it would stand in the rules.
    ///
    /// # Errors
    /// Which of them mean nothing, and why.
    pub(super) fn with_expressions(
        &self,
        wanted: &[Wanted<'_>],
        words: &[(String, String)],
    ) -> Result<Game, Unclear> {
        let mut sources = self.sources.clone();
        let mut ranges = Vec::new();
        let mut all = String::new();
        for one in wanted {
            let start = all.len();
            all.push_str(one.text);
            ranges.push(start..all.len());
            all.push('\n');
        }
        let id = sources.add(EXPRESSIONS, all);
        let mut used = Used {
            id,
            ranges,
            values: Vec::new(),
            left: Vec::new(),
        };
        let mut file = self.merged.file.clone();
        let mut wrong = Vec::new();
        for (place, one) in wanted.iter().enumerate() {
            let range = used.ranges[place].clone();
            let mut expression = match syntax::expression(&sources, id, range.clone()) {
                Ok(expression) => expression,
                Err(diagnostics) => {
                    wrong.extend(diagnostics);
                    continue;
                }
            };
            merge::each_value(&mut expression, &mut |name| {
                let given = one.with.iter().find(|(known, _)| *known == name.text);
                let is_hidden = given.is_some() && self.is_field(&name.text);
                if self.is_name(&name.text) && !is_hidden {
                    return;
                }
                let word = given.map_or(&name.text, |(_, word)| word);
                let known = words.iter().filter(|(known, _)| known == word);
                let values_meant = known.map(|(_, value)| value);
                let values_meant = values_meant.chain(given.map(|(_, word)| word));
                let mut values_meant = values_meant.filter(|value| is_literal(value));
                let Some(value) = values_meant.nth(one.choice) else {
                    // What hides a field and cannot be written is not the field.
                    if is_hidden {
                        name.text = value_fact(HIDDEN);
                    }
                    used.left.push((name.text.clone(), name.span, one.number));
                    return;
                };
                name.text = value_fact(value);
                match used.values.iter_mut().find(|(known, ..)| known == value) {
                    Some((.., numbers)) => numbers.push(one.number),
                    None => used.values.push((value.clone(), 0..0, vec![one.number])),
                }
            });
            let span = Span::new(id, range);
            add(&mut file.items, one, expression, span);
        }
        if !wrong.is_empty() {
            return Err(used.unclear(wanted, sources, wrong));
        }
        stand_for(&mut used.values, &mut sources, &mut file.items);
        let checked = resolve::resolve(&file, &sources, &self.settings)
            .and_then(|resolved| check::check(resolved, &sources));
        let (program, warnings) = match checked {
            Ok(checked) => checked,
            Err(diagnostics) => return Err(used.unclear(wanted, sources, diagnostics)),
        };
        let program = match &self.program.view {
            Some(view) => program.seen_by(view.seats, view.viewer),
            None => program,
        };
        let mut merged = self.merged.clone();
        merged.file = file;
        let compiled = stack::with_room(program.depth, || compile(&program, &sources));
        let game = Game {
            sources,
            program,
            compiled: Box::new(compiled),
            warnings,
            merged,
            library: self.library.clone(),
            settings: self.settings.clone(),
            seed: self.seed,
            veil: None,
        };
        Ok(game.limited(self.compiled.limits))
    }

    /// Whether something in the rules is called so.
    fn is_name(&self, name: &str) -> bool {
        let program = &self.program;
        let mut kinds = program.types.kinds.iter();
        program.facts.iter().any(|fact| fact.name == name)
            || program.states.iter().any(|state| state.name == name)
            || program.givens.iter().any(|given| given.name == name)
            || program.options.iter().any(|option| option.name == name)
            || self.is_field(name)
            || kinds.any(|kind| kind.name == name || kind.members.iter().any(|one| one == name))
    }

    /// Whether a field of an event is called so.
    fn is_field(&self, name: &str) -> bool {
        let mut events = self.program.events.iter();
        events.any(|event| event.fields.iter().any(|(field, _)| field == name))
    }

    /// Runs the game as [`Game::run`] does, and answers what the transcript asks on lines that begin with `#?`.
    ///
    /// # Errors
    /// What is wrong with what it asks; nothing was run then.
    pub fn judge(
        &self,
        form: Option<&str>,
        name: &str,
        transcript: &[u8],
        output: &mut dyn Write,
    ) -> Result<Judged, Invalid> {
        let text = std::str::from_utf8(transcript).unwrap_or_default();
        let asks = text.lines().any(|line| line.starts_with(QUESTION));
        if !asks || self.transcript(form).is_err() {
            return Ok(Judged {
                stopped: self.run(form, name, &mut &*transcript, output).err(),
                unmet: None,
                questions: 0,
            });
        }
        let asked = self.asked(name, text)?;
        let depth = asked.program.depth;
        let mut compiled = stack::with_room(depth, || {
            let mut compiled = compile(&asked.program, &asked.sources);
            optimise(&mut compiled);
            compiled
        });
        self.as_here(&mut compiled);
        let mut forms = compiled.transcripts.iter();
        let transcript_form = match form {
            None => forms.next(),
            Some(_) => forms.find(|transcript| transcript.name.as_deref() == form),
        };
        let Some(transcript_form) = transcript_form else {
            return Err(asked.invalid(Vec::new()));
        };
        let mut input = transcript;
        let run = Run::new(&compiled, transcript_form, &mut input, output).seeded(self.seed);
        let (result, misses, _) = stack::with_room(depth, || run.watched(&asked.questions));
        let told = |stopped| failure::told(stopped, &compiled, &asked.sources, name);
        let mut unmet = Vec::new();
        for miss in misses {
            let event = asked.event_before(&miss, text);
            let mut diagnostic = asked.unmet(miss, &told);
            if let Some(line) = event
                && unmet.len() < REASONS
            {
                let ask = Ask {
                    form: form.map(str::to_string),
                    line: Some(line),
                    depth: DEPTH_OF_SENTENCES,
                    ..Ask::default()
                };
                if let Ok(explanation) = self.explain(&ask, name, transcript) {
                    let told = explanation.draw(Colour::Never);
                    diagnostic = diagnostic.note(told.trim_end().to_string());
                }
            }
            unmet.push(diagnostic);
        }
        for (question, span) in asked.questions.iter().zip(&asked.spans) {
            if let What::Moves(lines) = &question.what {
                let before = before(&asked.questions, question, text);
                unmet.extend(self.other_moves(lines, *span, form, name, &before));
            }
        }
        Ok(Judged {
            stopped: result.err().map(|stopped| told(*stopped)),
            unmet: (!unmet.is_empty()).then(|| asked.invalid(unmet)),
            questions: asked.questions.len(),
        })
    }

    /// What is said where other lines than `wanted` may come after a transcript.
    fn other_moves(
        &self,
        wanted: &[String],
        span: Span,
        form: Option<&str>,
        name: &str,
        transcript: &str,
    ) -> Option<Diagnostic> {
        let unmet = |message: &str| Diagnostic::error(Code::Unmet, span, message);
        let ask = moves::Ask {
            form: form.map(str::to_string),
            ..moves::Ask::default()
        };
        let moves = match self.moves(&ask, name, &mut transcript.as_bytes()) {
            Ok(moves) => moves,
            // After a game's end, nothing may come.
            Err(Failure::NotPlaying(_)) if wanted.is_empty() => return None,
            Err(failure) => {
                let report = failure.report();
                let message = report.map(|report| report.diagnostic.message.clone());
                let unclear = unmet("which lines may come here cannot be worked out");
                return Some(message.into_iter().fold(unclear, Diagnostic::note));
            }
        };
        let may: BTreeSet<&str> = moves.moves.iter().map(|one| one.written.as_str()).collect();
        let wanted: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
        let missing: Vec<&str> = wanted.difference(&may).copied().collect();
        let more: Vec<&str> = may.difference(&wanted).copied().collect();
        if missing.is_empty() && more.is_empty() {
            return None;
        }
        let mut diagnostic = unmet("other lines may come here");
        for (lines, what) in [(missing, "may not come"), (more, "may come too")] {
            if !lines.is_empty() {
                diagnostic = diagnostic.note(format!("{what}: {}", lines.join(", ")));
            }
        }
        if !moves.endless.is_empty() {
            diagnostic =
                diagnostic.note("events with a field that has no end of values are not among them");
        }
        Some(diagnostic)
    }

    /// The questions of a transcript, and the game with them.
    ///
    /// # Errors
    /// What is wrong with what it asks.
    pub(super) fn asked(&self, name: &str, text: &str) -> Result<Asked, Invalid> {
        let mut sources = self.sources.clone();
        let id = sources.add(name, text);
        let read = || {
            let lines = lines::read(self, &sources, id)?;
            let file =
                tree::with_questions(self, &lines).map_err(|diagnostic| vec![*diagnostic])?;
            let (program, _) = resolve::resolve(&file, &sources, &self.settings)
                .and_then(|resolved| check::check(resolved, &sources))
                .map_err(|diagnostics| {
                    let meant = diagnostics.into_iter().map(|one| meant(one, id));
                    meant.collect::<Vec<_>>()
                })?;
            Ok((lines, program))
        };
        match read() {
            Ok((lines, program)) => Ok(Asked {
                questions: lines.iter().map(lines::Line::question).collect(),
                spans: lines.iter().map(|line| line.span).collect(),
                program,
                sources,
            }),
            Err(diagnostics) => Err(Invalid {
                sources,
                diagnostics: first(diagnostics),
            }),
        }
    }
}

/// The lines of a transcript before a question, without those that are impossible as others expect.
fn before(questions: &[Question], question: &Question, text: &str) -> String {
    let passed = |number: usize| {
        let is_last = |one: &&Question| one.line < number;
        let last = questions.iter().rfind(is_last);
        last.is_some_and(|one| {
            let asks = matches!(one.what, What::Impossible(_) | What::Guarded(_));
            let mut between = text.lines().take(number - 1).skip(one.line);
            asks && between.all(|line| line.trim().is_empty())
        })
    };
    let lines = text.lines().enumerate().take(question.line - 1);
    lines
        .filter(|(place, _)| !passed(place + 1))
        .fold(String::new(), |mut all, (_, line)| {
            all.push_str(line);
            all.push('\n');
            all
        })
}

/// Whether a value can stand in the rules as it is written.
fn is_literal(value: &str) -> bool {
    let mut sources = Sources::default();
    let id = sources.add(VALUES, value);
    syntax::expression(&sources, id, 0..value.len()).is_ok()
}

/// Adds a fact for each value that is used.
fn stand_for(values: &mut [UsedValue], sources: &mut Sources, items: &mut Vec<Item>) {
    let mut written = String::new();
    for (value, range, _) in values.iter_mut() {
        *range = written.len()..written.len() + value.len();
        written.push_str(value);
        written.push('\n');
    }
    let values_id = sources.add(VALUES, written);
    for (value, range, _) in values.iter() {
        let range = range.clone();
        let span = Span::new(values_id, range.clone());
        let expression = syntax::expression(sources, values_id, range);
        let kind = ExprKind::None;
        let expression = expression.unwrap_or(Expr { kind, span });
        let definition = Definition::Expression(expression);
        let fact = tree::fact(value_fact(value), span, None, definition);
        items.push(Item::Fact(fact));
    }
}

/// Adds a fact that has the value of an expression: to the event in which it is asked, or beside all.
fn add(items: &mut Vec<Item>, wanted: &Wanted<'_>, expression: Expr, span: Span) {
    let name = question_name(wanted.number, 0);
    let Some(event) = wanted.event else {
        let definition = Definition::Expression(expression);
        items.push(Item::Fact(tree::fact(name, span, None, definition)));
        return;
    };
    let mut definition = Definition::Expression(expression);
    if wanted.new {
        let text = value_fact(&name);
        let whole = tree::fact(text.clone(), span, None, definition);
        items.push(Item::Fact(whole));
        let kind = ExprKind::Name(Name { text, span });
        let operand = Box::new(Expr { kind, span });
        let tense = Tense::New;
        let kind = ExprKind::Tensed { tense, operand };
        definition = Definition::Expression(Expr { kind, span });
    }
    let clause = Clause::Fact(tree::fact(name, span, None, definition));
    let section = items.iter_mut().find_map(|item| match item {
        Item::Section(section) if section.events.iter().any(|one| one.text == event) => {
            Some(section)
        }
        _ => None,
    });
    match section {
        Some(section) => section.clauses.push(clause),
        None => items.push(Item::Section(Section {
            events: vec![Name {
                text: event.to_string(),
                span,
            }],
            like: None,
            clauses: vec![clause],
            span,
        })),
    }
}

/// What is wrong with a question, in the words of whoever asks it.
fn meant(diagnostic: Diagnostic, transcript: SourceId) -> Diagnostic {
    if diagnostic.code != Code::TenseHere || diagnostic.span.source != transcript {
        return diagnostic;
    }
    // All questions are asked in one place, which the first of the labels leads away from.
    let question = diagnostic.labels.first();
    Diagnostic::error(
        Code::TenseHere,
        question.map_or(diagnostic.span, |label| label.span),
        "this needs new values of an event, but is worked out after it",
    )
    .help("leave out `new`: the event before the line has happened")
}

impl Asked {
    /// The line of the event that a question is about, if its answer is no: the last one before it.
    fn event_before(&self, miss: &Miss, text: &str) -> Option<usize> {
        let question = self.questions.get(miss.number)?;
        let is_no = matches!(miss.lapse, Lapse::No { .. })
            && matches!(question.what, What::State | What::Event | What::Legal);
        let lines = text.lines().enumerate().take(question.line - 1);
        let events =
            lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with(QUESTION));
        let (place, _) = events.last().filter(|_| is_no)?;
        Some(place + 1)
    }

    fn invalid(&self, diagnostics: Vec<Diagnostic>) -> Invalid {
        Invalid {
            sources: self.sources.clone(),
            diagnostics: first(diagnostics),
        }
    }

    /// What is said of a question whose answer is not yes.
    fn unmet(
        &self,
        miss: Miss,
        told: &dyn Fn(crate::transcript::Stopped) -> Failure,
    ) -> Diagnostic {
        let span = self.spans.get(miss.number).copied().unwrap_or_default();
        let unmet = |message: &str| Diagnostic::error(Code::Unmet, span, message);
        let wanted = match self
            .questions
            .get(miss.number)
            .map(|question| &question.what)
        {
            Some(What::Impossible(row)) => format!("`{row}`"),
            Some(What::Guarded(event)) => format!("the guard of `{event}`"),
            Some(What::State | What::Event | What::Legal | What::Moves(_)) | None => String::new(),
        };
        match miss.lapse {
            Lapse::No { state, refused } => {
                let mut diagnostic = unmet("this does not hold");
                if !state.is_empty() {
                    diagnostic = diagnostic.note(format!("the state here: {state}"));
                }
                let new = new_names(self.sources.text(span));
                let new = new.into_iter().filter(|_| refused);
                new.fold(diagnostic, |diagnostic, name| {
                    diagnostic.note(format!(
                        "the event before this is refused: `new {name}` is what it would have become, and `{name}` keeps its value"
                    ))
                })
            }
            Lapse::NoGame => unmet("no game has started here"),
            Lapse::Silent => unmet("the event before this says nothing about it"),
            Lapse::Unreached => unmet("the run stops before this is answered"),
            Lapse::Possible => unmet("no impossible event follows"),
            Lapse::Otherwise(row) => unmet("the next event is impossible because of another row")
                .note(format!("`{row}` says so, not {wanted}")),
            Lapse::Failed(stopped) => {
                let diagnostic = unmet("this cannot be worked out");
                match told(*stopped).report() {
                    Some(report) if self.sources.get(report.diagnostic.span.source).is_some() => {
                        let cause = &report.diagnostic;
                        diagnostic.label(cause.span, cause.message.clone())
                    }
                    Some(report) => diagnostic.note(report.diagnostic.message.clone()),
                    None => diagnostic,
                }
            }
        }
    }
}
