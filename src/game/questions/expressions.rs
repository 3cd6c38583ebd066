//! Expressions that somebody asks of a transcript, put into the game's tree as facts.

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
    explanation::{self as data, Ask},
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

/// An expression that somebody asks of a transcript.
#[derive(Debug, Clone, Copy)]
pub(in crate::game) struct Wanted<'w> {
    pub(in crate::game) number: usize,
    /// As it would stand in the rules.
    pub(in crate::game) text: &'w str,
    /// The event in which it is asked; after all of them where that is nothing.
    pub(in crate::game) event: Option<&'w str>,
    /// Whether it is asked of the state after the event.
    pub(in crate::game) new: bool,
    /// Names in it that stand for values, each as it is written in a transcript.
    pub(in crate::game) with: &'w [(String, String)],
    /// Which of the values is meant that are written alike.
    pub(in crate::game) choice: usize,
}

/// Expressions that mean nothing.
pub(in crate::game) struct Unclear {
    pub(in crate::game) invalid: Invalid,
    /// Their numbers.
    pub(in crate::game) numbers: Vec<usize>,
}

/// What messages call the text of expressions.
const EXPRESSIONS: &str = "what is asked";

/// How a value is written that is used, where, and the numbers of the expressions in which it is.
type UsedValue = (String, Range<usize>, Vec<usize>);

/// How many values that are written alike are tried.
pub(in crate::game) const MOST_CHOICES: usize = 3;

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
    pub(in crate::game) fn with_expressions(
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
            explained: OnceLock::new(),
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

    /// The values of expressions that are asked of a transcript, as they are written; nothing where one cannot be worked
    /// out or written, or means nothing there.
    ///
    /// # Errors
    /// What is wrong with the form.
    pub fn values(
        &self,
        form: Option<&str>,
        transcript: &[u8],
        expressions: &[data::Expression],
    ) -> Result<Vec<Option<String>>, Failure> {
        self.transcript(form)?;
        // Room for the parser too, which would ask for it at each expression.
        let depth = self.program.depth.max(3 * syntax::MAXIMUM_DEPTH);
        stack::with_room(depth, || {
            let ask = Ask {
                form: form.map(str::to_string),
                ..Ask::default()
            };
            let (_, words) = self.explained(&ask, "", transcript, None)?;
            self.worked_out(&ask, transcript, expressions, &words)
        })
    }

    fn worked_out(
        &self,
        ask: &Ask,
        transcript: &[u8],
        expressions: &[data::Expression],
        words: &[(String, String)],
    ) -> Result<Vec<Option<String>>, Failure> {
        // Expressions that differ in what they are asked of only by line are one.
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
            let wanted: Vec<Wanted<'_>> = left
                .iter()
                .map(|(number, choice)| {
                    let expression = distinct[*number];
                    Wanted {
                        number: *number,
                        text: &expression.text,
                        event: Some(&expression.owner),
                        new: expression.new,
                        with: &expression.with,
                        choice: *choice,
                    }
                })
                .collect();
            match self.with_expressions(&wanted, words) {
                Ok(game) => break game,
                // Without those that mean nothing.
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
        self.as_here(&mut compiled);
        let form = ask.form.as_deref();
        let mut forms = compiled.transcripts.iter();
        let Some(form) = (match form {
            None => forms.next(),
            Some(_) => forms.find(|transcript| transcript.name.as_deref() == form),
        }) else {
            return Err(self.no_transcript(form.unwrap_or_default()));
        };
        places.sort_unstable();
        let (mut input, mut output) = (transcript, std::io::sink());
        let run = Run::new(&compiled, form, &mut input, &mut output).seeded(self.seed);
        let wanted = places.iter().map(|(place, _)| *place).collect();
        let found = run.values(&explained, wanted);
        let mut values = vec![None; expressions.len()];
        for ((_, place), value) in places.into_iter().zip(found) {
            values[place] = value;
        }
        Ok(values)
    }
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

/// The readings of a text: as it stands, then with values such as `8D`, which are no names, read as in a transcript, and last
/// with numbers read so too.
pub(in crate::game) fn meanings(text: &str, words: &[(String, String)]) -> Vec<String> {
    let mut meanings = vec![text.to_string()];
    let is_number = |word: &str| word.bytes().all(|sign| sign.is_ascii_digit());
    for numbers in [false, true] {
        for choice in 0..MOST_CHOICES {
            let known = words.iter().filter(|(word, _)| {
                !is_identifier(word) && (numbers || !is_number(word)) && !word.is_empty()
            });
            let meaning = with_literals(text, &known.collect::<Vec<_>>(), choice);
            if !meanings.contains(&meaning) {
                meanings.push(meaning);
            }
        }
    }
    meanings
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
