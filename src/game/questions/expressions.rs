//! Evaluates expressions in a transcript: they are added to the game's tree as facts.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::OnceLock,
};

use super::{
    super::{Game, Invalid},
    tree,
};
use crate::{
    check,
    compile::{self, compile},
    diagnostic::Diagnostic,
    explanation::{self as data, Query},
    failure::Failure,
    merge,
    program::{question_name, value_fact},
    resolve,
    source::{SourceId, Sources, Span},
    stack,
    syntax::{
        self,
        ast::{Clause, Definition, Expr, ExprKind, Item, Name, Section, Tense},
    },
    transcript::Run,
};

/// An expression to evaluate in a transcript.
#[derive(Debug, Clone, Copy)]
pub(in crate::game) struct Probe<'w> {
    pub(in crate::game) number: usize,
    /// The expression, as the rules would write it.
    pub(in crate::game) text: &'w str,
    /// The event in which it is evaluated; `None` for after all of them.
    pub(in crate::game) event: Option<&'w str>,
    /// Whether it is evaluated in the state after the event.
    pub(in crate::game) new: bool,
    /// Names in it that stand for values, each with its value as a transcript writes it.
    pub(in crate::game) with: &'w [(String, String)],
    /// If a word stands for several values, which of them to take.
    pub(in crate::game) choice: usize,
}

/// Expressions that are invalid.
pub(in crate::game) struct InvalidProbes {
    pub(in crate::game) invalid: Invalid,
    /// Their numbers.
    pub(in crate::game) numbers: Vec<usize>,
}

/// What messages call the source of the expressions.
const EXPRESSIONS: &str = "what is asked";

/// A value that expressions use: its source, its range, and the numbers of the expressions.
type ValueUse = (String, Range<usize>, Vec<usize>);

/// The number of readings that are tried for a word that stands for several values.
pub(in crate::game) const MOST_CHOICES: usize = 3;

/// The sources of expressions, and what they use.
struct ProbeSources {
    /// The source that holds all expressions.
    id: SourceId,
    /// The range of each expression in it.
    ranges: Vec<Range<usize>>,
    values: Vec<ValueUse>,
    /// Names without a known value: each with its place and the number of its expression.
    unknown: Vec<(String, Span, usize)>,
}

impl ProbeSources {
    /// The numbers of the expressions that diagnostics are about.
    fn invalid_probes(
        &self,
        probes: &[Probe<'_>],
        sources: Sources,
        diagnostics: Vec<Diagnostic>,
    ) -> InvalidProbes {
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
                numbers.extend(place.map(|place| probes[place].number));
                // An unknown name is reported once, but makes each expression with it invalid.
                for (name, ..) in self.unknown.iter().filter(|(_, place, _)| *place == span) {
                    let everywhere = self.unknown.iter().filter(|(other, ..)| other == name);
                    numbers.extend(everywhere.map(|(.., number)| number));
                }
            }
        }
        let invalid = Invalid {
            sources,
            diagnostics,
        };
        InvalidProbes { invalid, numbers }
    }
}

/// Stands for a hidden value.
const HIDDEN: &str = "hidden";

/// What messages call the source of the values.
const VALUES: &str = "values";

impl Game {
    /// The game with a fact for each expression. Words of a transcript stand for their values: `words` has them, each
    /// with its literal in the rules.
    ///
    /// # Errors
    /// The expressions that are invalid, and why.
    pub(in crate::game) fn with_expressions(
        &self,
        probes: &[Probe<'_>],
        words: &[(String, String)],
    ) -> Result<Game, InvalidProbes> {
        let mut sources = self.sources.clone();
        let mut ranges = Vec::new();
        let mut all = String::new();
        for one in probes {
            let start = all.len();
            all.push_str(one.text);
            ranges.push(start..all.len());
            all.push('\n');
        }
        let id = sources.add(EXPRESSIONS, all);
        let mut probe_sources = ProbeSources {
            id,
            ranges,
            values: Vec::new(),
            unknown: Vec::new(),
        };
        let mut file = self.merged.file.clone();
        let mut wrong = Vec::new();
        for (place, one) in probes.iter().enumerate() {
            let range = probe_sources.ranges[place].clone();
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
                let candidates = known.map(|(_, value)| value);
                let candidates = candidates.chain(given.map(|(_, word)| word));
                let mut candidates = candidates.filter(|value| is_literal(value));
                let Some(value) = candidates.nth(one.choice) else {
                    // The name hides the field, so it must not be read as the field.
                    if is_hidden {
                        name.text = value_fact(HIDDEN);
                    }
                    probe_sources
                        .unknown
                        .push((name.text.clone(), name.span, one.number));
                    return;
                };
                name.text = value_fact(value);
                match probe_sources
                    .values
                    .iter_mut()
                    .find(|(known, ..)| known == value)
                {
                    Some((.., numbers)) => numbers.push(one.number),
                    None => probe_sources
                        .values
                        .push((value.clone(), 0..0, vec![one.number])),
                }
            });
            let span = Span::new(id, range);
            add_probe_fact(&mut file.items, one, expression, span);
        }
        if !wrong.is_empty() {
            return Err(probe_sources.invalid_probes(probes, sources, wrong));
        }
        add_value_facts(&mut probe_sources.values, &mut sources, &mut file.items);
        let checked = resolve::resolve(&file, &sources, &self.settings)
            .and_then(|resolved| check::check(resolved, &sources));
        let (program, warnings) = match checked {
            Ok(checked) => checked,
            Err(diagnostics) => {
                return Err(probe_sources.invalid_probes(probes, sources, diagnostics));
            }
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
            explained: OnceLock::new(),
            warnings,
            merged,
            library: self.library.clone(),
            settings: self.settings.clone(),
            seed: self.seed,
            redaction: None,
        };
        Ok(game.limited(self.compiled.limits))
    }

    /// An entry of a state with several keys as the rules write it: explanations write `x of a,b` for `x(a, b)`.
    pub(in crate::game) fn entry_as_call(&self, of: &str) -> Option<String> {
        let (state, keys) = of.split_once(" of ")?;
        let plain = state.strip_prefix("new ").unwrap_or(state);
        let mut states = self.program.states.iter();
        let state_of_keys = states.find(|one| one.name == plain && one.parameters.len() > 1);
        (state_of_keys.is_some() && !keys.contains(['(', ' '])).then(|| format!("{state}({keys})"))
    }

    /// Whether the rules use this name.
    pub(in crate::game) fn is_name(&self, name: &str) -> bool {
        let program = &self.program;
        let mut kinds = program.types.kinds.iter();
        program.facts.iter().any(|fact| fact.name == name)
            || program.states.iter().any(|state| state.name == name)
            || program.givens.iter().any(|given| given.name == name)
            || program.options.iter().any(|option| option.name == name)
            || self.is_field(name)
            || kinds.any(|kind| kind.name == name || kind.members.iter().any(|one| one == name))
    }

    /// Whether an event has a field of this name.
    fn is_field(&self, name: &str) -> bool {
        let mut events = self.program.events.iter();
        events.any(|event| event.fields.iter().any(|(field, _)| field == name))
    }

    /// The values of expressions in a transcript, as a transcript writes them; `None` for an expression that is invalid
    /// there or has no value that can be written.
    ///
    /// # Errors
    /// If there is no such form.
    pub fn values(
        &self,
        form: Option<&str>,
        transcript: &[u8],
        expressions: &[data::Expression],
    ) -> Result<Vec<Option<String>>, Failure> {
        self.transcript(form)?;
        // Includes the parser's stack, which it would otherwise allocate for each expression.
        let depth = self.program.depth.max(3 * syntax::MAXIMUM_DEPTH);
        stack::with_room(depth, || {
            let query = Query {
                form: form.map(str::to_string),
                ..Query::default()
            };
            let (_, words) = self.explain_line(&query, "", transcript, None)?;
            self.evaluate(&query, transcript, expressions, &words)
        })
    }

    fn evaluate(
        &self,
        query: &Query,
        transcript: &[u8],
        expressions: &[data::Expression],
        words: &[(String, String)],
    ) -> Result<Vec<Option<String>>, Failure> {
        // Expressions that differ only in their lines are compiled once.
        let mut places = Vec::new();
        let mut distinct: Vec<&data::Expression> = Vec::new();
        let mut numbers = BTreeMap::new();
        for (place, expression) in expressions.iter().enumerate() {
            let key = (
                &expression.owner,
                &expression.text,
                expression.new,
                &expression.with,
            );
            let number = *numbers.entry(key).or_insert_with(|| {
                distinct.push(expression);
                distinct.len() - 1
            });
            places.push(((expression.line, expression.event, number), place));
        }
        let mut left: Vec<(usize, usize)> = (0..distinct.len()).map(|one| (one, 0)).collect();
        let game = loop {
            let probes: Vec<Probe<'_>> = left
                .iter()
                .map(|(number, choice)| {
                    let expression = distinct[*number];
                    Probe {
                        number: *number,
                        text: &expression.text,
                        event: Some(&expression.owner),
                        new: expression.new,
                        with: &expression.with,
                        choice: *choice,
                    }
                })
                .collect();
            match self.with_expressions(&probes, words) {
                Ok(game) => break game,
                // Tries again without the invalid ones, or with other readings of them.
                Err(wrong) => {
                    if wrong.numbers.is_empty() {
                        return Ok(vec![None; expressions.len()]);
                    }
                    let numbers: BTreeSet<usize> = wrong.numbers.into_iter().collect();
                    for (number, choice) in &mut left {
                        *choice += usize::from(numbers.contains(number));
                    }
                    left.retain(|(_, choice)| *choice < MOST_CHOICES);
                }
            }
        };
        let (mut compiled, explained) = compile::explain(&game.program, &game.sources, false);
        self.apply_settings(&mut compiled);
        let form = self.compiled_form(&compiled, query.form.as_deref())?;
        places.sort_unstable();
        let (mut input, mut output) = (transcript, std::io::sink());
        let run = Run::new(&compiled, form, &mut input, &mut output).seeded(self.seed);
        let probes = places.iter().map(|(place, _)| *place).collect();
        let found = run.values(&explained, probes);
        let mut values = vec![None; expressions.len()];
        for ((_, place), value) in places.into_iter().zip(found) {
            values[place] = value;
        }
        Ok(values)
    }
}

/// Whether the rules could write a value like this.
fn is_literal(value: &str) -> bool {
    let mut sources = Sources::default();
    let id = sources.add(VALUES, value);
    syntax::expression(&sources, id, 0..value.len()).is_ok()
}

/// Adds a fact for each value in use.
fn add_value_facts(values: &mut [ValueUse], sources: &mut Sources, items: &mut Vec<Item>) {
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

/// Adds a fact for an expression: to its event, or to none.
fn add_probe_fact(items: &mut Vec<Item>, probes: &Probe<'_>, expression: Expr, span: Span) {
    let name = question_name(probes.number, 0);
    let Some(event) = probes.event else {
        let definition = Definition::Expression(expression);
        items.push(Item::Fact(tree::fact(name, span, None, definition)));
        return;
    };
    let mut definition = Definition::Expression(expression);
    if probes.new {
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

/// The readings of a text: as it stands, then with values such as `8D`, which are no names, read as in a transcript, and last
/// with numbers read so too.
pub(in crate::game) fn readings(text: &str, words: &[(String, String)]) -> Vec<String> {
    let mut readings = vec![text.to_string()];
    let is_number = |word: &str| word.bytes().all(|sign| sign.is_ascii_digit());
    // `x(Ann,b-2)` may have two arguments, although an entry is written `Ann,b-2`.
    for (numbers, joined) in [(false, true), (true, true), (false, false), (true, false)] {
        for choice in 0..MOST_CHOICES {
            let known = words.iter().filter(|(word, _)| {
                let is_wanted = (numbers || !is_number(word)) && (joined || !word.contains(','));
                is_wanted && !is_identifier(word) && !word.is_empty()
            });
            let reading = with_literals(text, &known.collect::<Vec<_>>(), choice);
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
    }
    readings
}

/// Whether a word could be a name in the rules.
fn is_identifier(word: &str) -> bool {
    word.starts_with(|sign: char| sign.is_ascii_alphabetic()) && word.chars().all(is_letter)
}

fn is_letter(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

/// A text in which some words are replaced by their literals in the rules. Of words that begin alike, the longest is taken; of
/// several literals for one word, the one with this number.
fn with_literals(text: &str, words: &[&(String, String)], choice: usize) -> String {
    let (mut written, mut rest) = (String::new(), text);
    while let Some(sign) = rest.chars().next() {
        let begins = !written.ends_with(is_letter);
        let found = words.iter().filter(|(word, _)| {
            let after = rest.strip_prefix(word.as_str());
            begins && after.is_some_and(|after| !after.starts_with(is_letter))
        });
        let longest = found.clone().map(|(word, _)| word.len()).max();
        let mut found = found.filter(|(word, _)| Some(word.len()) == longest);
        let literal = found.clone().nth(choice).or_else(|| found.next());
        let length = if let Some((word, literal)) = literal {
            written.push_str(literal);
            word.len()
        } else {
            written.push(sign);
            sign.len_utf8()
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    written
}
