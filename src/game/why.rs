//! Explains why the referee decided as it did.

mod expressions;

use expressions::without_new;

use super::Game;
use crate::{
    code::explain::Explained,
    compile,
    diagnostic::{Code, Colour, Diagnostic, alternatives, nearest, repeated},
    explanation::{self as data, Explanation, Member, Query, RowPlace, Until},
    failure::{self, Failure, Report},
    fault::Fault,
    machine::Executable,
    program::{Body, Definition, Expr, Fact, Program},
    source::{Source, Sources, Span},
    stack,
    transcript::{LineExplanation, QUESTION, Run, Stopped, WhyQuery},
    types::{KindId, ProductId, Type},
};

impl Game {
    /// Explains the events on one line of a transcript: what was reported and what changed, each with the row
    /// responsible, its place and the values that made it true; what chose the events; and what did not happen. It also
    /// explains why a line is impossible or cannot be read. Messages call the transcript `name`.
    ///
    /// # Errors
    /// What stopped the run before that line; that nothing is read from the line; or that nothing has the name in
    /// question.
    pub fn explain(
        &self,
        query: &Query,
        name: &str,
        transcript: &[u8],
    ) -> Result<Explanation, Failure> {
        let form = query.form.as_deref();
        // This reports an unknown form.
        self.transcript(form)?;
        let explained = stack::with_room(self.program.depth, || match (&query.of, &query.not) {
            (Some(of), _) => self.explain_expression(of, query, name, transcript),
            (None, Some(not)) if self.is_state_fact(without_new(not)) => {
                self.explain_expression(without_new(not), query, name, transcript)
            }
            (None, Some(not)) => match self.explain_line(query, name, transcript, None) {
                Err(Failure::NoName(unknown)) => {
                    self.explain_policy_rule((not, false), query, name, transcript, unknown)
                }
                Ok((explanation, words))
                    if explanation.events.is_empty() && explanation.stopped.is_some() =>
                {
                    Ok(self.explain_stopped(not, (explanation, &words), query, name, transcript))
                }
                explanation => explanation.map(|(mut explanation, _)| {
                    explanation.keep_answer();
                    explanation
                }),
            },
            (None, None) => self
                .explain_line(query, name, transcript, None)
                .map(|explanation| self.with_guard(explanation, query, name, transcript)),
        });
        explained.map(|explained| self.redact(explained))
    }

    /// Whether a name is that of a single fact about the state, which belongs to no event: it is evaluated after the
    /// line.
    fn is_state_fact(&self, name: &str) -> bool {
        let facts = &self.program.facts;
        let has_name = |fact: &Fact| fact.name == name;
        let mut places = (0..facts.len()).filter(|place| has_name(&facts[*place]));
        match (places.next(), places.next()) {
            (Some(place), None) => {
                let fact = &facts[place];
                let is_plain = fact.owner.is_none() && fact.parameters.is_empty();
                is_plain && !compile::says_new(&self.program)[place]
            }
            _ => false,
        }
    }

    /// Compiles a program of this game with what explanations need.
    fn compile_explained(&self, program: &Program) -> (Executable, Explained) {
        let (mut compiled, explained) = compile::explain(program, &self.sources, true);
        self.apply_settings(&mut compiled);
        (compiled, explained)
    }

    /// Explains a line, and evaluates the expression with the number `of` if there is one. Returns also how values are
    /// written there.
    pub(super) fn explain_line(
        &self,
        query: &Query,
        name: &str,
        transcript: &[u8],
        of: Option<usize>,
    ) -> Result<(Explanation, Vec<(String, String)>), Failure> {
        let (compiled, explained) = &**self
            .explained
            .get_or_init(|| Box::new(self.compile_explained(&self.program)));
        let chosen = self.compiled_form(compiled, query.form.as_deref())?;
        let changed = query.without.as_ref().map(|row| {
            let program = without_row(&self.program, &self.sources, row);
            self.compile_explained(&program)
        });
        let lines = Lines::of(transcript);
        let line = match query.line {
            None => {
                let (mut input, mut output) = (transcript, std::io::sink());
                let run = Run::new(compiled, chosen, &mut input, &mut output);
                let last = run.seeded(self.seed).last_event(explained);
                last.unwrap_or_else(|| lines.last_with_words())
            }
            Some(line) if line > lines.0.len() => {
                let last = lines.0.len();
                let message =
                    format!("there is no line {line}: the transcript ends with line {last}");
                let place = (last, lines.text(last));
                return Err(failure::no_place(
                    &self.sources,
                    name,
                    &message,
                    (place.0, &place.1),
                ));
            }
            Some(line) => lines.first_with_words_from(line),
        };
        let question = WhyQuery {
            replacement: changed
                .as_ref()
                .map(|(compiled, explained)| (compiled, explained)),
            explained,
            line,
            depth: query.depth,
            not: query.not.as_deref(),
            of,
            words: true,
            until: query.until(),
            to_end: query.line.is_none() && query.event.is_none() && query.column.is_none(),
        };
        let mut output = std::io::sink();
        let mut input = transcript;
        let explanation = Run::new(compiled, chosen, &mut input, &mut output)
            .seeded(self.seed)
            .why(question)
            .map_err(|stopped| match &stopped.fault {
                Fault::NoName { name, event, names } => self.no_name(name, event, names),
                _ => failure::from_stopped(*stopped, compiled, &self.sources, name),
            })?;
        let LineExplanation {
            mut explanation,
            stopped,
            valueless,
            suggestions,
            words,
            ..
        } = explanation;
        if let Some(valueless) = valueless
            && explanation.answer.is_none()
            && explanation
                .events
                .iter()
                .all(|event| event.answer.is_none())
        {
            return Err(failure::from_stopped(
                *valueless,
                compiled,
                &self.sources,
                name,
            ));
        }
        add_earlier_lines(&mut explanation, |members| {
            let (mut input, mut output) = (transcript, std::io::sink());
            let run = Run::new(compiled, chosen, &mut input, &mut output).seeded(self.seed);
            run.earlier_lines(question, members)
        });
        let words = words.into_iter();
        let words = words
            .filter_map(|(ty, value, word)| Some((word, self.literal(ty, value)?)))
            .collect();
        explanation.part = query.until().map_or(String::new(), Until::description);
        explanation.stopped =
            stopped.map(|stopped| self.describe_stop(*stopped, suggestions, compiled, name));
        explanation.blank = query.line.filter(|asked| *asked != line);
        explanation.question = explanation
            .blank
            .is_some_and(|blank| lines.is_question(blank));
        Ok((
            self.narrow_to_event(explanation, query, name, &lines)?,
            words,
        ))
    }

    /// Keeps the event in question and those that follow it.
    fn narrow_to_event(
        &self,
        mut explanation: Explanation,
        query: &Query,
        name: &str,
        lines: &Lines<'_>,
    ) -> Result<Explanation, Failure> {
        let count = explanation.events.len();
        let names_none = query.line.is_none() && query.event.is_none() && query.column.is_none();
        if names_none && explanation.stopped.is_none() {
            let is_read = |event: &data::Event| event.column.is_some();
            let last = explanation.events.iter().rposition(is_read).unwrap_or(0);
            explanation.events.drain(..last);
        }
        if let Some(number) = query.event {
            explanation.events.retain(|event| event.number == number);
            if explanation.events.is_empty() {
                let line = explanation.line;
                let events = match count {
                    0 => "no events".to_string(),
                    1 => "one event".to_string(),
                    count => format!("{count} events"),
                };
                let message = format!("there is no event {number} on line {line}: it has {events}");
                let text = lines.text(line);
                return Err(failure::no_place(
                    &self.sources,
                    name,
                    &message,
                    (line, &text),
                ));
            }
            explanation.stopped = explanation.stopped.filter(|_| number == count);
        }
        if let Some(column) = query.column {
            let text = lines.text(explanation.line);
            let width = text.chars().count();
            if column > width.max(1) {
                let message = format!(
                    "there is no column {column} on line {}: it has {width}",
                    explanation.line
                );
                let place = (explanation.line, text.as_str());
                return Err(failure::no_place(&self.sources, name, &message, place));
            }
            let begins = |event: &data::Event| event.column.is_some_and(|begin| begin <= column);
            let first = explanation.events.iter().rposition(begins).unwrap_or(0);
            let after = explanation.events.iter().skip(first + 1);
            let next = after.take_while(|event| event.column.is_none()).count();
            let last = (first + 1 + next).min(count);
            explanation.events.truncate(last);
            explanation.events.drain(..first.min(last));
            explanation.stopped = explanation.stopped.filter(|_| last == count);
        }
        Ok(explanation)
    }

    /// What an event did and why, as text.
    pub(super) fn event_text(line: usize, event: data::Event) -> String {
        let explanation = Explanation {
            events: vec![event],
            ..Explanation::new(line)
        };
        explanation.draw(Colour::Never)
    }

    /// A value of a kind, product or grid, as the rules write it.
    pub(super) fn literal(&self, ty: &str, value: i64) -> Option<String> {
        let types = &self.program.types;
        let mut kinds = types.kinds.iter();
        let whole = if let Some(kind) = kinds.position(|kind| kind.name == ty) {
            types.whole(KindId::new(kind))
        } else {
            let mut products = types.products.iter();
            let product = products.position(|product| product.name == ty)?;
            Type::Product(ProductId::new(product))
        };
        Some(types.value_name(&whole, value))
    }

    fn no_name(&self, name: &str, event: &str, names: &[String]) -> Failure {
        let program = &self.program;
        let mut events = program.events.iter();
        let span = events
            .find(|known| known.name == event)
            .map_or(program.transcripts[0].span, |event| event.span);
        let asked = repeated(name);
        let is_name = |sign: char| sign.is_alphanumeric() || "_.".contains(sign);
        let message = if name.starts_with(char::is_alphanumeric) && !name.chars().all(is_name) {
            format!("`{event}` says no line `{asked}`, and has nothing of that name")
        } else {
            format!("`{event}` has nothing called `{asked}`")
        };
        let mut diagnostic = Diagnostic::error(Code::UnknownName, span.head(), message);
        if program.events.iter().any(|event| event.name == name) {
            diagnostic.message = format!("`{name}` is an event without a condition");
            let note = "it may come wherever a `play` has a line for it".to_string();
            return Failure::NoName(Report::new(self.sources.clone(), diagnostic.note(note)));
        }
        // A fact in a section of several events belongs to each of them.
        let plain = name.split('.').next().unwrap_or(name);
        let mut owners: Vec<&str> = Vec::new();
        for fact in program.facts.iter().filter(|fact| fact.name == plain) {
            let owner = fact
                .owner
                .map(|owner| program.events[owner.index()].name.as_str());
            owners.extend(owner.filter(|owner| !owners.contains(owner)));
        }
        if !owners.is_empty() && !owners.contains(&event) {
            diagnostic = diagnostic.note(format!(
                "`{plain}` belongs to {}, and the line is `{event}`",
                alternatives(owners)
            ));
            return Failure::NoName(Report::new(self.sources.clone(), diagnostic));
        }
        let last = |full: &str| full.rsplit('.').next().map(str::to_string);
        let short: Vec<String> = names.iter().filter_map(|full| last(full)).collect();
        let all = names.iter().chain(&short).map(String::as_str);
        let diagnostic = if let Some(near) = nearest(name, all) {
            diagnostic.help(format!("did you mean `{near}`?"))
        } else {
            let mut plain: Vec<&str> = Vec::new();
            for name in names.iter().filter(|name| !name.contains('.')) {
                if !plain.contains(&name.as_str()) {
                    plain.push(name);
                }
            }
            diagnostic.note(format!(
                "there is {}, and each of their rows, as `fact.row`",
                alternatives(plain)
            ))
        };
        Failure::NoName(Report::new(self.sources.clone(), diagnostic))
    }

    /// Why the run stopped, as data.
    fn describe_stop(
        &self,
        stopped: Stopped,
        suggestions: Vec<String>,
        compiled: &Executable,
        name: &str,
    ) -> data::Stopped {
        let words = stopped.place.text.clone();
        let event = stopped.untimely();
        let untimely = event.and_then(|event| compiled.events.get(event));
        let untimely = untimely.map(|event| event.name.clone());
        let failure = failure::from_stopped(stopped, compiled, &self.sources, name);
        let diagnostic = failure.report().map(|report| &report.diagnostic);
        data::Stopped {
            words,
            message: diagnostic.map_or(String::new(), |diagnostic| diagnostic.message.clone()),
            notes: diagnostic.map_or(Vec::new(), |diagnostic| diagnostic.notes.clone()),
            helps: diagnostic.map_or(Vec::new(), |diagnostic| diagnostic.help.clone()),
            suggestions,
            untimely,
        }
    }

    /// The condition of an event's guard.
    pub(super) fn guard_of(&self, event: &str) -> Option<String> {
        let mut events = self.program.events.iter();
        let event = events.find(|one| one.name == event)?;
        let guard = event.guard.as_ref()?;
        let condition = self.sources.text(guard.condition.span).to_string();
        let is_negated =
            guard.written.starts_with("unless ") || guard.written.starts_with("when unless ");
        Some(if is_negated {
            format!("not ({condition})")
        } else {
            condition
        })
    }
}

/// Fills in when the state held the same values before; `earlier` gives the lines for each member.
fn add_earlier_lines(
    explanation: &mut Explanation,
    earlier: impl FnOnce(Vec<Member>) -> Vec<Vec<(usize, usize)>>,
) {
    let mut members = Vec::new();
    for event in &mut explanation.events {
        event.each_cause(&mut |cause| {
            for member in &cause.looked_for {
                if !members.contains(member) {
                    members.push(member.clone());
                }
            }
        });
    }
    if members.is_empty() {
        return;
    }
    let stood = earlier(members.clone());
    let line = explanation.line;
    for event in &mut explanation.events {
        let now = (line, event.step);
        event.each_cause(&mut |cause| {
            let mut known = members.iter().zip(&stood);
            let known = known.find(|(member, _)| cause.looked_for.contains(member));
            let steps = known.map_or(&[][..], |(_, steps)| steps);
            let before = steps.iter().filter(|step| **step < now);
            cause.earlier = before.map(|(line, _)| *line).collect();
            cause.earlier.dedup();
        });
    }
}

/// The lines of a transcript.
struct Lines<'t>(Vec<&'t [u8]>);

impl<'t> Lines<'t> {
    fn of(transcript: &'t [u8]) -> Lines<'t> {
        let mut lines: Vec<&[u8]> = transcript.split(|byte| *byte == b'\n').collect();
        // A line feed at the end starts no further line.
        if lines.len() > 1 && lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        Lines(lines)
    }

    fn has_words(line: &[u8]) -> bool {
        !line.trim_ascii().is_empty() && !line.starts_with(QUESTION.as_bytes())
    }

    fn is_question(&self, line: usize) -> bool {
        let line = self.0.get(line.saturating_sub(1));
        line.is_some_and(|line| line.starts_with(QUESTION.as_bytes()))
    }

    /// The number of the last line with words.
    fn last_with_words(&self) -> usize {
        let last = self.0.iter().rposition(|line| Lines::has_words(line));
        last.map_or(1, |place| place + 1)
    }

    /// The first line with words from this one on; this one if there is none.
    fn first_with_words_from(&self, line: usize) -> usize {
        let first = line.saturating_sub(1);
        let rest = self.0.get(first..).unwrap_or_default();
        let next = rest.iter().position(|line| Lines::has_words(line));
        line + next.unwrap_or(0)
    }

    fn text(&self, line: usize) -> String {
        let text = self.0.get(line.saturating_sub(1));
        String::from_utf8_lossy(text.copied().unwrap_or_default()).into_owned()
    }
}

/// The program with one row disabled.
fn without_row(program: &Program, sources: &Sources, row: &RowPlace) -> Program {
    let mut program = program.clone();
    let disable = |label: &str, span: Span, conditions: &mut Vec<Expr>| {
        let is_file = |source: &Source| source.name == row.file;
        let is_place =
            sources.get(span.source).is_some_and(is_file) && sources.position(span).line == row.at;
        if is_place && label == row.row {
            conditions.insert(0, Expr::yes_no(false, span));
        }
    };
    let disable_in = |definition: &mut Definition| match &mut definition.body {
        Body::Expression(_) => {}
        Body::Table(table) => {
            for row in &mut table.rows {
                disable(&row.label, row.span, &mut row.conditions);
            }
        }
        Body::By(table) => {
            for row in &mut table.rows {
                disable(&row.label, row.span, &mut row.conditions);
            }
        }
    };
    for fact in &mut program.facts {
        disable_in(&mut fact.definition);
    }
    for state in &mut program.states {
        disable_in(&mut state.initial);
    }
    for event in &mut program.events {
        for equation in &mut event.equations {
            disable_in(&mut equation.definition);
        }
        for clause in [&mut event.impossible, &mut event.report, &mut event.refused] {
            for row in &mut clause.rows {
                disable(&row.label, row.span, &mut row.conditions);
            }
        }
        for choice in &mut event.follows {
            disable(&choice.label, choice.span, &mut choice.conditions);
        }
    }
    for policy in &mut program.policies {
        for choice in &mut policy.rows {
            disable(&choice.label, choice.span, &mut choice.conditions);
        }
    }
    program
}
