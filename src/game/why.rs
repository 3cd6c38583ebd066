//! Why the referee decided as it did.

mod asked;

use asked::{answer_alone, without_new};

use super::Game;
use crate::{
    code::explain::Explained,
    compile,
    diagnostic::{Code, Colour, Diagnostic, alternatives, nearest, repeated},
    explanation::{self as data, Ask, Explanation, Member, RowPlace},
    failure::{self, Failure, Report},
    fault::Fault,
    machine::Executable,
    program::{Body, Definition, Expr, Fact, Program},
    source::{Sources, Span},
    stack,
    transcript::{LineExplained, QUESTION, Run, Stopped, Until, WhyQuestion},
    types::{KindId, ProductId, Type},
};

impl Game {
    /// Why the events on one line of a transcript did what they did: what was said and what changed, each with the row
    /// that did it, its file and line, and the values that made it true; what chose them, and what did not happen. What
    /// is impossible or cannot be read on that line is explained too. Messages call the transcript `name`.
    ///
    /// # Errors
    /// What stopped the run before that line; that nothing is read from it, or is called as is asked.
    pub fn explain(
        &self,
        ask: &Ask,
        name: &str,
        transcript: &[u8],
    ) -> Result<Explanation, Failure> {
        let form = ask.form.as_deref();
        // The form is looked for where messages about it are made.
        self.transcript(form)?;
        let explained = stack::with_room(self.program.depth, || match (&ask.of, &ask.not) {
            (Some(of), _) => self.explained_of(of, ask, name, transcript),
            (None, Some(not)) if self.is_of_state(without_new(not)) => {
                self.explained_of(without_new(not), ask, name, transcript)
            }
            (None, Some(not)) => match self.explained(ask, name, transcript, None) {
                Err(Failure::NoName(unknown)) => {
                    self.explained_rule(not, ask, name, transcript, unknown)
                }
                Ok((told, words)) if told.events.is_empty() && told.stopped.is_some() => {
                    Ok(self.answered_where_stopped(not, (told, &words), ask, name, transcript))
                }
                told => told.map(|(told, _)| answer_alone(told)),
            },
            (None, None) => self
                .explained(ask, name, transcript, None)
                .map(|told| self.with_guard(told, ask, name, transcript)),
        });
        explained.map(|explained| self.veiled(explained))
    }

    /// Whether a fact is called so that is of a state, and of no event: after a line it is asked of the state after it.
    fn is_of_state(&self, name: &str) -> bool {
        let facts = &self.program.facts;
        let is_it = |fact: &Fact| fact.name == name;
        let mut places = (0..facts.len()).filter(|place| is_it(&facts[*place]));
        match (places.next(), places.next()) {
            (Some(place), None) => {
                let fact = &facts[place];
                let is_plain = fact.owner.is_none() && fact.parameters.is_empty();
                is_plain && !compile::says_new(&self.program)[place]
            }
            _ => false,
        }
    }

    /// A program of this game's rules, to be explained.
    fn to_explain(&self, program: &Program) -> (Executable, Explained) {
        let (mut compiled, explained) = compile::explain(program, &self.sources, true);
        self.as_here(&mut compiled);
        (compiled, explained)
    }

    /// An explanation, and how values are written there; the answer to the expression with a number, if one is asked.
    pub(super) fn explained(
        &self,
        ask: &Ask,
        name: &str,
        transcript: &[u8],
        of: Option<usize>,
    ) -> Result<(Explanation, Vec<(String, String)>), Failure> {
        let form = ask.form.as_deref();
        let (compiled, explained) = &**self
            .explained
            .get_or_init(|| Box::new(self.to_explain(&self.program)));
        let chosen = match form {
            None => compiled.transcripts.first(),
            Some(form) => compiled
                .transcripts
                .iter()
                .find(|transcript| transcript.name.as_deref() == Some(form)),
        };
        let Some(chosen) = chosen else {
            return Err(self.no_transcript(form.unwrap_or_default()));
        };
        let changed = ask.without.as_ref().map(|row| {
            let program = without(&self.program, &self.sources, row);
            self.to_explain(&program)
        });
        let lines = Lines::of(transcript);
        let line = match ask.line {
            None => {
                let (mut input, mut output) = (transcript, std::io::sink());
                let run = Run::new(compiled, chosen, &mut input, &mut output);
                let last = run.seeded(self.seed).last_event(explained);
                last.unwrap_or_else(|| lines.last_said())
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
            Some(line) => lines.said_from(line),
        };
        let question = WhyQuestion {
            instead: changed
                .as_ref()
                .map(|(compiled, explained)| (compiled, explained)),
            explained,
            line,
            depth: ask.depth,
            not: ask.not.as_deref(),
            of,
            words: true,
            until: until(ask),
            to_end: ask.line.is_none() && ask.event.is_none() && ask.column.is_none(),
        };
        let mut output = std::io::sink();
        let mut input = transcript;
        let told = Run::new(compiled, chosen, &mut input, &mut output)
            .seeded(self.seed)
            .why(question)
            .map_err(|stopped| match &stopped.fault {
                Fault::NoName { name, event, names } => self.no_name(name, event, names),
                _ => failure::told(*stopped, compiled, &self.sources, name),
            })?;
        let LineExplained {
            mut told,
            stopped,
            valueless,
            meant,
            words,
            ..
        } = told;
        if let Some(valueless) = valueless
            && told.asked.is_none()
            && told.events.iter().all(|event| event.asked.is_none())
        {
            return Err(failure::told(*valueless, compiled, &self.sources, name));
        }
        stood_before(&mut told, |members| {
            let (mut input, mut output) = (transcript, std::io::sink());
            let run = Run::new(compiled, chosen, &mut input, &mut output).seeded(self.seed);
            run.stood(question, members)
        });
        let words = words.into_iter();
        let words = words
            .filter_map(|(ty, value, word)| Some((word, self.literal(ty, value)?)))
            .collect();
        told.part = until(ask).map_or(String::new(), Until::written);
        told.stopped = stopped.map(|stopped| self.stopped_told(*stopped, meant, compiled, name));
        told.blank = ask.line.filter(|asked| *asked != line);
        told.question = told.blank.is_some_and(|blank| lines.is_question(blank));
        Ok((self.narrowed(told, ask, name, &lines)?, words))
    }

    /// The one of the events on a line that is asked about, and what follows it.
    fn narrowed(
        &self,
        mut told: Explanation,
        ask: &Ask,
        name: &str,
        lines: &Lines<'_>,
    ) -> Result<Explanation, Failure> {
        let count = told.events.len();
        let names_none = ask.line.is_none() && ask.event.is_none() && ask.column.is_none();
        if names_none && told.stopped.is_none() {
            let is_read = |event: &data::Event| event.column.is_some();
            let last = told.events.iter().rposition(is_read).unwrap_or(0);
            told.events.drain(..last);
        }
        if let Some(number) = ask.event {
            told.events.retain(|event| event.number == number);
            if told.events.is_empty() {
                let line = told.line;
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
            told.stopped = told.stopped.filter(|_| number == count);
        }
        if let Some(column) = ask.column {
            let text = lines.text(told.line);
            let width = text.chars().count();
            if column > width.max(1) {
                let message = format!(
                    "there is no column {column} on line {}: it has {width}",
                    told.line
                );
                let place = (told.line, text.as_str());
                return Err(failure::no_place(&self.sources, name, &message, place));
            }
            let begins = |event: &data::Event| event.column.is_some_and(|begin| begin <= column);
            let first = told.events.iter().rposition(begins).unwrap_or(0);
            let after = told.events.iter().skip(first + 1);
            let next = after.take_while(|event| event.column.is_none()).count();
            let last = (first + 1 + next).min(count);
            told.events.truncate(last);
            told.events.drain(..first.min(last));
            told.stopped = told.stopped.filter(|_| last == count);
        }
        Ok(told)
    }

    /// What an event on a line did, and why, as people read it.
    pub(super) fn event_text(line: usize, event: data::Event) -> String {
        let explanation = Explanation {
            version: data::VERSION,
            line,
            blank: None,
            question: false,
            read: Vec::new(),
            events: vec![event],
            stopped: None,
            asked: None,
            veiled: false,
            part: String::new(),
        };
        explanation.draw(Colour::Never)
    }

    /// How a rule file writes a value of a kind, product or grid.
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
        let message = if name.contains(' ') {
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

    /// What stopped the code that it is of.
    fn stopped_told(
        &self,
        stopped: Stopped,
        meant: Vec<String>,
        compiled: &Executable,
        name: &str,
    ) -> data::Stopped {
        let words = stopped.place.text.clone();
        let event = stopped.untimely();
        let untimely = event.and_then(|event| compiled.events.get(event));
        let untimely = untimely.map(|event| event.name.clone());
        let failure = failure::told(stopped, compiled, &self.sources, name);
        let diagnostic = failure.report().map(|report| &report.diagnostic);
        data::Stopped {
            words,
            message: diagnostic.map_or(String::new(), |diagnostic| diagnostic.message.clone()),
            notes: diagnostic.map_or(Vec::new(), |diagnostic| diagnostic.notes.clone()),
            helps: diagnostic.map_or(Vec::new(), |diagnostic| diagnostic.help.clone()),
            meant,
            untimely,
        }
    }

    /// The condition without which an event may not come.
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

/// Puts into an explanation after which lines a state had what is looked for in it, which `stood` says of each of some.
fn stood_before(
    told: &mut Explanation,
    stood: impl FnOnce(Vec<Member>) -> Vec<Vec<(usize, usize)>>,
) {
    let mut members = Vec::new();
    for event in &mut told.events {
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
    let stood = stood(members.clone());
    let line = told.line;
    for event in &mut told.events {
        let now = (line, event.step);
        event.each_cause(&mut |cause| {
            let mut known = members.iter().zip(&stood);
            let known = known.find(|(member, _)| cause.looked_for.contains(member));
            let steps = known.map_or(&[][..], |(_, steps)| steps);
            let before = steps.iter().filter(|step| **step < now);
            cause.stood = before.map(|(line, _)| *line).collect();
            cause.stood.dedup();
        });
    }
}

/// The event on a line that is asked about.
fn until(ask: &Ask) -> Option<Until> {
    let column = ask.column.map(Until::Column);
    ask.event.map(Until::Event).or(column)
}

/// The lines of a transcript.
struct Lines<'t>(Vec<&'t [u8]>);

impl<'t> Lines<'t> {
    fn of(transcript: &'t [u8]) -> Lines<'t> {
        let mut lines: Vec<&[u8]> = transcript.split(|byte| *byte == b'\n').collect();
        // What a line feed ends is a line; nothing comes after it.
        if lines.len() > 1 && lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        Lines(lines)
    }

    fn is_said(line: &[u8]) -> bool {
        !line.trim_ascii().is_empty() && !line.starts_with(QUESTION.as_bytes())
    }

    fn is_question(&self, line: usize) -> bool {
        let line = self.0.get(line.saturating_sub(1));
        line.is_some_and(|line| line.starts_with(QUESTION.as_bytes()))
    }

    /// The number of the last line that has words.
    fn last_said(&self) -> usize {
        let last = self.0.iter().rposition(|line| Lines::is_said(line));
        last.map_or(1, |place| place + 1)
    }

    /// The first line from this one on that has words; this one if there is none.
    fn said_from(&self, line: usize) -> usize {
        let first = line.saturating_sub(1);
        let rest = self.0.get(first..).unwrap_or_default();
        let next = rest.iter().position(|line| Lines::is_said(line));
        line + next.unwrap_or(0)
    }

    fn text(&self, line: usize) -> String {
        let text = self.0.get(line.saturating_sub(1));
        String::from_utf8_lossy(text.copied().unwrap_or_default()).into_owned()
    }
}

/// The program with a row that never fires.
fn without(program: &Program, sources: &Sources, row: &RowPlace) -> Program {
    let mut program = program.clone();
    let is_meant = |label: &str, span: Span| {
        label == row.row
            && sources.position(span).line == row.at
            && sources
                .get(span.source)
                .is_some_and(|source| source.name == row.file)
    };
    let still = |label: &str, span: Span, conditions: &mut Vec<Expr>| {
        if is_meant(label, span) {
            conditions.insert(0, Expr::yes_no(false, span));
        }
    };
    let stilled = |definition: &mut Definition| match &mut definition.body {
        Body::Expression(_) => {}
        Body::Table(table) => {
            for row in &mut table.rows {
                still(&row.label, row.span, &mut row.conditions);
            }
        }
        Body::By(table) => {
            for row in &mut table.rows {
                still(&row.label, row.span, &mut row.conditions);
            }
        }
    };
    for fact in &mut program.facts {
        stilled(&mut fact.definition);
    }
    for state in &mut program.states {
        stilled(&mut state.initial);
    }
    for event in &mut program.events {
        for equation in &mut event.equations {
            stilled(&mut equation.definition);
        }
        for clause in [&mut event.impossible, &mut event.report, &mut event.refused] {
            for row in &mut clause.rows {
                still(&row.label, row.span, &mut row.conditions);
            }
        }
        for choice in &mut event.follows {
            still(&choice.label, choice.span, &mut choice.conditions);
        }
    }
    for policy in &mut program.policies {
        for choice in &mut policy.rows {
            still(&choice.label, choice.span, &mut choice.conditions);
        }
    }
    program
}
