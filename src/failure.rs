//! Turns what stopped a run into diagnostics for whoever wrote the rules or the transcript.

mod unreadable;

use std::{fmt, io};

use crate::{
    code::Compiled,
    diagnostic::{Code, Colour, Data, Diagnostic, StateShown, numbered},
    fault::{Fault, Place, Trouble},
    limits::Limits,
    machine::LONGEST_PATH,
    source::{Source, Sources, Span},
    transcript::{GREATEST_LINE, Stopped},
};
use unreadable::describe_unreadable;

/// Why a run stopped before its end.
#[derive(Debug)]
pub enum Failure {
    /// The transcript is wrong: it cannot be read, or contains something impossible.
    Transcript(Box<Report>),
    /// The rules are wrong: a row cannot be evaluated, or two rows contradict each other.
    Rules(Box<Report>),
    /// A bound was exceeded: the file's `limit`, or the work or memory that a game may take.
    Bound(Box<Report>),
    /// The game has no transcript of this name.
    NoTranscript(Box<Report>),
    /// No game is under way at the place in question.
    NotPlaying(Box<Report>),
    /// Nothing has the name in question.
    NoName(Box<Report>),
    /// Reading the transcript failed.
    Input(io::Error),
    /// Writing the report failed.
    Output(io::Error),
}

/// A diagnostic with the texts it points into.
#[derive(Debug)]
pub struct Report {
    /// The rule files and the relevant part of the transcript.
    pub sources: Sources,
    /// What is wrong.
    pub diagnostic: Diagnostic,
}

impl Report {
    /// A diagnostic over `sources`.
    pub(crate) fn new(sources: Sources, diagnostic: Diagnostic) -> Box<Report> {
        Box::new(Report {
            sources,
            diagnostic,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.draw(Colour::Never))
    }
}

impl std::error::Error for Failure {}

impl Failure {
    /// The diagnostic, if it is about a text.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        match self {
            Failure::Transcript(report)
            | Failure::Rules(report)
            | Failure::Bound(report)
            | Failure::NoTranscript(report)
            | Failure::NoName(report)
            | Failure::NotPlaying(report) => Some(report),
            Failure::Input(_) | Failure::Output(_) => None,
        }
    }

    /// The diagnostic, if it is about a text, to be modified.
    #[must_use]
    pub fn report_mut(&mut self) -> Option<&mut Report> {
        match self {
            Failure::Transcript(report)
            | Failure::Rules(report)
            | Failure::Bound(report)
            | Failure::NotPlaying(report)
            | Failure::NoName(report)
            | Failure::NoTranscript(report) => Some(report),
            Failure::Input(_) | Failure::Output(_) => None,
        }
    }

    /// The failure as data, for a run over the transcript called `name`; `None` if the output is closed.
    #[must_use]
    pub fn to_data(&self, name: &str) -> Option<Data> {
        match self {
            Failure::Output(_) => None,
            Failure::Input(error) => {
                let message = format!("`{name}` cannot be read: {error}");
                Some(Data::placeless("unreadable", message, Vec::new()))
            }
            other => other
                .report()
                .map(|report| report.diagnostic.to_data(&report.sources)),
        }
    }

    /// The failure as text.
    #[must_use]
    pub fn draw(&self, colour: Colour) -> String {
        match self {
            Failure::Input(error) => format!("error: the transcript cannot be read: {error}"),
            Failure::Output(error) => format!("error: the report cannot be written: {error}"),
            other => other.report().map_or(String::new(), |report| {
                report.diagnostic.draw(&report.sources, colour)
            }),
        }
    }
}

/// The failure for what stopped a run over the transcript called `input`.
pub(crate) fn from_stopped(
    stopped: Stopped,
    compiled: &Compiled,
    sources: &Sources,
    input: &str,
) -> Failure {
    let mut sources = sources.clone();
    let Stopped {
        fault,
        place,
        state,
    } = stopped;
    let span = transcript_span(&mut sources, input, &place);
    let with_state = |mut diagnostic: Diagnostic| {
        diagnostic.state = state;
        match StateShown::line(&diagnostic.state) {
            line if line.is_empty() => diagnostic,
            line => diagnostic.note(format!("the state before it: {line}")),
        }
    };
    let diagnostic = match fault {
        Fault::Input(error) => return Failure::Input(error),
        Fault::Output(error) => return Failure::Output(error),
        Fault::Transcript(unreadable) => {
            let diagnostic = with_state(describe_unreadable(&unreadable, span));
            return Failure::Transcript(Report::new(sources, diagnostic));
        }
        Fault::Impossible {
            event, row, text, ..
        } => {
            let row = &compiled.events[event].impossible[row].row;
            let diagnostic = Diagnostic::error(Code::Impossible, span, text)
                .label(row.span, format!("`{}` says so", row.label));
            let diagnostic = with_state(diagnostic);
            return Failure::Transcript(Report::new(sources, diagnostic));
        }
        Fault::Reached | Fault::Starved | Fault::NotPlaying | Fault::NoName { .. } => {
            let diagnostic = Diagnostic::error(
                Code::NotPlaying,
                span,
                "no game is under way here whose events are read",
            )
            .help("name a line after a game's start and before its end")
            .help("where a policy chooses the events, use a transcript that reads them");
            return Failure::NotPlaying(Report::new(sources, diagnostic));
        }
        Fault::Limit(limit) => Diagnostic::error(
            Code::Limit,
            span,
            format!("this game has more than {limit} events"),
        )
        .help(if compiled.limits.events == limit {
            format!(
                "allow more with `--limit events={}`",
                limit.saturating_mul(2)
            )
        } else {
            "if such games are long, write a higher `limit` in the rule file".into()
        }),
        Fault::Lines { depth, known } => too_many_lines(depth, known, span),
        Fault::Path { event, field } => endless_path(compiled, event, field, span),
        Fault::Work => too_much_work(compiled.limits, span),
        Fault::Memory => too_much_memory(compiled.limits, span),
        Fault::Size => Diagnostic::error(
            Code::Work,
            span,
            "a rule of this game is too large to be run",
        )
        .help("split it into several facts"),
        Fault::Policy { text, choice, row } => {
            let code = if row.is_some() {
                Code::Impossible
            } else {
                Code::PolicyChoice
            };
            let mut diagnostic = Diagnostic::error(code, span, text);
            if let Some((row, label)) = row {
                diagnostic = diagnostic.label(row, format!("`{label}` says so"));
            }
            if let Some((row, event)) = choice {
                diagnostic = diagnostic.label(row, format!("this row chose `{event}`"));
            }
            return Failure::Transcript(Report::new(sources, with_state(diagnostic)));
        }
        Fault::Rules { site, trouble } => {
            let diagnostic = with_state(describe_trouble(&trouble, site, compiled, span));
            let failure = if matches!(
                trouble,
                Trouble::SameForm { .. } | Trouble::BlankForm { .. }
            ) {
                Failure::Transcript
            } else {
                Failure::Rules
            };
            return failure(Report::new(sources, diagnostic));
        }
    };
    Failure::Bound(Report::new(sources, with_state(diagnostic)))
}

/// The diagnostic for an event that exceeds its fuel.
fn too_much_work(limits: Limits, span: Span) -> Diagnostic {
    Diagnostic::error(Code::Work, span, "this takes too much work")
        .note(format!(
            "an event may look at {} values, all long events of a game at {}",
            limits.fuel,
            limits.game()
        ))
        .help("make `for`, `some` and `best` range over less")
        .help(format!(
            "or allow more with `--limit fuel={}`",
            limits.fuel.saturating_mul(2)
        ))
}

fn too_much_memory(limits: Limits, span: Span) -> Diagnostic {
    Diagnostic::error(Code::Work, span, "this takes too much memory")
        .note(format!("a game may take about {} MiB", limits.memory))
        .help("keep fewer things in sets and piles, and shorter texts")
        .help(format!(
            "or allow more with `--limit memory={}`",
            limits.memory.saturating_mul(2)
        ))
}

/// The diagnostic for a path without an end.
fn endless_path(compiled: &Compiled, event: usize, field: usize, span: Span) -> Diagnostic {
    let event = &compiled.events[event];
    let field = &event.fields[field];
    let message = format!(
        "`{}` has no end: `{}` still goes on after {LONGEST_PATH} members",
        event.name, field.name
    );
    let diagnostic = Diagnostic::error(Code::EndlessPath, span, message).help(
        "make what comes after `each in` empty in the end, or leave out what is already in the path",
    );
    let row = field.path.as_ref().map(|path| path.row);
    match row.and_then(|row| event.impossible.get(row)) {
        Some(row) => diagnostic.label(row.row.span, "this lets it go on"),
        None => diagnostic,
    }
}

fn too_many_lines(depth: u32, known: Option<(u32, u64, u64)>, span: Span) -> Diagnostic {
    let message = format!("there are too many lines of play of {depth} events to be counted");
    let diagnostic = Diagnostic::error(Code::Work, span, message);
    match known {
        Some((shorter, count, growth)) => diagnostic
            .note(format!(
                "for {} there are {count}, and each further event multiplies them by about {growth}",
                numbered(shorter as usize, "event")
            ))
            .help("count lines of fewer events"),
        None => diagnostic.note(format!("a line may have {GREATEST_LINE} events")),
    }
}

/// The failure for a place that a transcript does not have, with its nearest line.
pub(crate) fn no_place(
    sources: &Sources,
    input: &str,
    message: &str,
    (line, text): (usize, &str),
) -> Failure {
    let mut sources = sources.clone();
    let id = sources.add_part(Source {
        name: input.to_string(),
        text: text.to_string(),
        first_line: line,
        ..Source::default()
    });
    let span = Span::new(id, 0..text.len());
    let diagnostic = Diagnostic::error(Code::NoPlace, span, message);
    Failure::NotPlaying(Report::new(sources, diagnostic))
}

fn transcript_span(sources: &mut Sources, input: &str, place: &Place) -> Span {
    let id = sources.add_part(Source {
        name: input.to_string(),
        text: place.text.clone(),
        first_line: place.line.max(1),
        skipped: place.skipped,
        ..Source::default()
    });
    Span::new(id, place.start..place.end)
}

fn describe_trouble(trouble: &Trouble, site: u32, compiled: &Compiled, span: Span) -> Diagnostic {
    let place = compiled.sites.get(site as usize);
    let text = place.map_or("", |place| place.text.as_str());
    let at = |code: Code, message: String| match place {
        Some(place) => {
            Diagnostic::error(code, place.span, message).label(span, "when this was read")
        }
        None => Diagnostic::error(code, span, message),
    };
    match trouble {
        Trouble::None => at(
            Code::TheNone,
            format!("`{text}` is none here, but a value is expected"),
        )
        .help(format!(
            "write `{text} else …`, or say `when {text} is not none`"
        )),
        Trouble::Overflow => at(
            Code::Overflow,
            format!("`{text}` is larger than a number can be"),
        )
        .note("numbers have 64 bits"),
        Trouble::DivisionByZero => {
            at(Code::DivisionByZero, format!("`{text}` divides by 0")).help("say `when … is not 0`")
        }
        Trouble::Outside { value, ty } if text == value => {
            at(Code::Outside, format!("`{text}` is not one of {ty}"))
        }
        Trouble::Outside { value, ty } => at(
            Code::Outside,
            format!("`{text}` is {value} here, which is not one of {ty}"),
        )
        .help("add a row that prevents this, or widen the type"),
        Trouble::Weight { value } => at(
            Code::Outside,
            format!("`{text}` is {value} here, but a weight is 0 or more"),
        )
        .help("give weight 0 to what cannot come"),
        Trouble::NoRow => at(Code::NoRow, "no row of this table fits".into())
            .help("add a row for it, or end with `| any => …`"),
        Trouble::Disagreement {
            labels: [first, second],
            entry,
            values: [one, other],
        } => at(Code::Disagreement, {
            let of = if entry.is_empty() { "" } else { " for " };
            let rows = format!("`{first}` and `{second}` both fire{of}{entry}");
            if one == other {
                format!("{rows}, with different values")
            } else {
                format!("{rows}, with different values: {one} and {other}")
            }
        })
        .help("tell them apart with `when` or `unless`"),
        Trouble::SameForm { ty, form } => Diagnostic::error(
            Code::SameForm,
            span,
            format!("`{form}` stands for two of {ty}"),
        )
        .help(if form == "none" {
            "their names are not given: give each a name"
        } else {
            "give each another name"
        }),
        Trouble::BlankForm { ty, form } => Diagnostic::error(
            Code::SameForm,
            span,
            format!("one of {ty} is written `{form}`, with a blank in it"),
        )
        .help("words are read between blanks"),
    }
}
