//! Questions in a transcript: lines that begin with `#?` and are to be answered yes.

mod expressions;
mod lines;
pub(super) mod tree;

pub(super) use expressions::{MOST_CHOICES, Probe, readings};
pub use lines::{PIN, has_expectations, is_wrong_pin, pinned};

use std::{collections::BTreeSet, io::Write};

use super::{Game, Invalid, Session, examples::new_names};
use crate::{
    check,
    compile::compile,
    diagnostic::{Code, Colour, Diagnostic, capped},
    explanation::{DEPTH_OF_SENTENCES, Query},
    failure::{self, Failure},
    optimise::optimise,
    program::Program,
    resolve,
    source::{SourceId, Sources, Span},
    stack,
    transcript::{QUESTION, Question, QuestionKind, Run, UnmetQuestion, UnmetReason},
};

/// The number of unmet questions for which the event before them is explained.
const REASONS: usize = 3;

/// The result of a run over a transcript with questions.
#[derive(Debug)]
pub struct Judged {
    /// What stopped the run.
    pub stopped: Option<Failure>,
    /// The questions that were not answered yes; `None` if all were.
    pub unmet: Option<Invalid>,
    /// The number of questions.
    pub questions: usize,
}

/// The questions of a transcript, and the game compiled with them.
pub(super) struct TranscriptQuestions {
    pub(super) sources: Sources,
    pub(super) questions: Vec<Question>,
    spans: Vec<Span>,
    pub(super) program: Program,
}

impl Game {
    /// Runs the game as [`Game::run`] does, and answers the questions of the transcript, on lines that begin with `#?`.
    ///
    /// # Errors
    /// What is wrong with the questions. In this case nothing is run.
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
        let questions = self.read_questions(name, text)?;
        let depth = questions.program.depth;
        let mut compiled = stack::with_room(depth, || {
            let mut compiled = compile(&questions.program, &questions.sources);
            optimise(&mut compiled);
            compiled
        });
        self.apply_settings(&mut compiled);
        let mut forms = compiled.transcripts.iter();
        let transcript_form = match form {
            None => forms.next(),
            Some(_) => forms.find(|transcript| transcript.name.as_deref() == form),
        };
        let Some(transcript_form) = transcript_form else {
            return Err(questions.invalid(Vec::new()));
        };
        let mut input = transcript;
        let run = Run::new(&compiled, transcript_form, &mut input, output).seeded(self.seed);
        let (result, misses, _) =
            stack::with_room(depth, || run.answer_questions(&questions.questions));
        let to_failure =
            |stopped| failure::from_stopped(stopped, &compiled, &questions.sources, name);
        let mut unmet = Vec::new();
        for miss in misses {
            let event = questions.event_before(&miss, text);
            let mut diagnostic = questions.unmet(miss, &to_failure);
            if let Some(line) = event
                && unmet.len() < REASONS
            {
                let query = Query {
                    form: form.map(str::to_string),
                    line: Some(line),
                    depth: DEPTH_OF_SENTENCES,
                    ..Query::default()
                };
                if let Ok(explanation) = self.explain(&query, name, transcript) {
                    let text = explanation.draw(Colour::Never);
                    diagnostic = diagnostic.note(text.trim_end().to_string());
                }
            }
            unmet.push(diagnostic);
        }
        unmet.extend(self.other_moves(&questions, form, name, text));
        Ok(Judged {
            stopped: result.err().map(|stopped| to_failure(*stopped)),
            unmet: (!unmet.is_empty()).then(|| questions.invalid(unmet)),
            questions: questions.questions.len(),
        })
    }

    /// The diagnostics of `#? moves` questions that do not list exactly the possible lines.
    fn other_moves(
        &self,
        questions: &TranscriptQuestions,
        form: Option<&str>,
        name: &str,
        text: &str,
    ) -> Vec<Diagnostic> {
        let all = questions.questions.iter().zip(&questions.spans);
        let all = all.filter_map(|(question, span)| match &question.kind {
            QuestionKind::Moves(lines) => Some((question.line, lines, *span)),
            _ => None,
        });
        let mut all = all.peekable();
        if all.peek().is_none() {
            return Vec::new();
        }
        let mut lines = possible(&questions.questions, text).into_iter().peekable();
        let mut session = self.session(form, name);
        let mut unmet = Vec::new();
        for (number, wanted, span) in all {
            let mut before = String::new();
            while let Some((_, line)) = lines.next_if(|(place, _)| *place < number) {
                before.push_str(line);
                before.push('\n');
            }
            if let Ok(open) = &mut session {
                let fed = open.feed(&before).map(|_| open.settle());
                if let Err(refusal) = fed {
                    session = Err(refusal.failure);
                }
            }
            let difference = match &mut session {
                Ok(session) => moves_differ(session, wanted, span),
                Err(failure) => Some(unclear(failure, span)),
            };
            unmet.extend(difference);
        }
        unmet
    }

    /// Reads the questions of a transcript and compiles the game with them.
    ///
    /// # Errors
    /// What is wrong with the questions.
    pub(super) fn read_questions(
        &self,
        name: &str,
        text: &str,
    ) -> Result<TranscriptQuestions, Invalid> {
        let mut sources = self.sources.clone();
        let id = sources.add(name, text);
        let read = || {
            let lines = lines::read(self, &sources, id)?;
            let file =
                tree::with_questions(self, &lines).map_err(|diagnostic| vec![*diagnostic])?;
            let (program, _) = resolve::resolve(&file, &sources, &self.settings)
                .and_then(|resolved| check::check(resolved, &sources))
                .map_err(|diagnostics| {
                    let diagnostics = diagnostics.into_iter();
                    diagnostics.map(|one| reword(one, id)).collect::<Vec<_>>()
                })?;
            Ok((lines, program))
        };
        match read() {
            Ok((lines, program)) => Ok(TranscriptQuestions {
                questions: lines.iter().map(lines::Line::question).collect(),
                spans: lines.iter().map(|line| line.span).collect(),
                program,
                sources,
            }),
            Err(diagnostics) => {
                let diagnostics = capped(diagnostics);
                Err(Invalid {
                    diagnostics: self.suggest_literals(diagnostics, &sources, (name, text)),
                    sources,
                })
            }
        }
    }

    /// If a question writes a value as the transcript does, suggests how the rule file writes it.
    fn suggest_literals(
        &self,
        diagnostics: Vec<Diagnostic>,
        sources: &Sources,
        (name, text): (&str, &str),
    ) -> Vec<Diagnostic> {
        let is_unknown = |one: &Diagnostic| one.code == Code::UnknownName;
        if !diagnostics.iter().any(is_unknown) {
            return diagnostics;
        }
        let Ok((_, words)) = self.explain_line(&Query::default(), name, text.as_bytes(), None)
        else {
            return diagnostics;
        };
        let with_literal = |one: Diagnostic| {
            let written = sources.text(one.span);
            let mut words = words.iter().filter(|_| is_unknown(&one));
            match words.find(|(word, _)| word == written) {
                Some((word, literal)) => {
                    // This is more useful than the suggestion of a similar name.
                    let one = Diagnostic {
                        help: Vec::new(),
                        edits: Vec::new(),
                        ..one
                    };
                    one.help(format!(
                        "`#?` asks as the rule file is written: for {word}, write `{literal}`"
                    ))
                }
                None => one,
            }
        };
        diagnostics.into_iter().map(with_literal).collect()
    }
}

/// How many parts, separated by commas, one line of a list of moves may have.
const MOST_COMMAS: usize = 16;

/// How many lines a range may stand for.
const MOST_OF_RANGE: usize = 1 << 16;

/// The diagnostic if other lines than `expects_yes` are possible now.
fn moves_differ(session: &mut Session<'_>, wanted: &[String], span: Span) -> Option<Diagnostic> {
    let moves = match session.moves(&[], false) {
        Ok(moves) => moves,
        // After the end of a game, nothing is possible.
        Err(Failure::NotPlaying(_)) if wanted.is_empty() => return None,
        Err(failure) => return Some(unclear(&failure, span)),
    };
    let may: BTreeSet<&str> = moves.moves.iter().map(|one| one.written.as_str()).collect();
    let wanted = lines_meant(wanted, &may);
    let wanted: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    // Lines that cannot be listed are tried.
    let is_endless = |event: &str| moves.endless.iter().any(|one| one.event == event);
    let missing = wanted.difference(&may).copied();
    let (unlisted, missing): (Vec<&str>, Vec<&str>) = missing.partition(|line| {
        !moves.endless.is_empty() && session.may_come(line).is_some_and(is_endless)
    });
    let more: Vec<&str> = may.difference(&wanted).copied().collect();
    if missing.is_empty() && more.is_empty() && unlisted.is_empty() {
        return None;
    }
    let mut diagnostic = Diagnostic::error(Code::Unmet, span, "other lines may come here");
    for (lines, what) in [(missing, "may not come"), (more, "may come too")] {
        if !lines.is_empty() {
            diagnostic = diagnostic.note(format!("{what}: {}", lines.join(", ")));
        }
    }
    if let Some(line) = unlisted.first() {
        diagnostic = diagnostic
            .note(format!(
                "`{line}` may come as well, but its event has a field with no end of values"
            ))
            .help("leave such lines out: only events that can be listed are compared");
    } else if !moves.endless.is_empty() {
        diagnostic =
            diagnostic.note("events with a field that has no end of values are not among them");
    }
    Some(diagnostic)
}

/// The lines that a list separated by commas stands for. A line may contain commas itself, and `take 1..3` stands for three
/// lines, as `referee moves` writes them.
fn lines_meant(parts: &[String], may: &BTreeSet<&str>) -> Vec<String> {
    // For the parts from each on: the least number of lines that may not come, and where the first line ends.
    let mut best = vec![(0, 0); parts.len() + 1];
    for start in (0..parts.len()).rev() {
        let ends = start + 1..=parts.len().min(start + MOST_COMMAS);
        let costs = ends.map(|end| {
            let line = parts[start..end].join(", ");
            let is_line = may.contains(line.as_str());
            let wrong = if is_line { 0 } else { end - start };
            (best[end].0 + wrong, end)
        });
        best[start] = costs.min().unwrap_or_default();
    }
    let (mut lines, mut start) = (Vec::new(), 0);
    while start < parts.len() {
        let end = best[start].1;
        let line = parts[start..end].join(", ");
        let listed = may.contains(line.as_str());
        let range = range_of(&line).filter(|_| !listed);
        lines.extend(range.unwrap_or_else(|| vec![line]));
        start = end;
    }
    lines
}

/// The lines that a line with a range of numbers stands for.
fn range_of(line: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = line.split(' ').collect();
    let (place, (least, most)) = words.iter().enumerate().find_map(|(place, word)| {
        let (least, most) = word.split_once("..")?;
        let bounds: (i64, i64) = (least.parse().ok()?, most.parse().ok()?);
        Some((place, bounds))
    })?;
    let is_small =
        usize::try_from(most.checked_sub(least)?).is_ok_and(|count| count < MOST_OF_RANGE);
    let lines = (least..=most).map(|number| {
        let mut words: Vec<String> = words.iter().map(ToString::to_string).collect();
        words[place] = number.to_string();
        words.join(" ")
    });
    is_small.then(|| lines.collect())
}

/// The diagnostic if the possible lines cannot be computed.
fn unclear(failure: &Failure, span: Span) -> Diagnostic {
    let message = "which lines may come here cannot be worked out";
    let unclear = Diagnostic::error(Code::Unmet, span, message);
    let report = failure.report();
    let why = report.map(|report| report.diagnostic.message.clone());
    why.into_iter().fold(unclear, Diagnostic::note)
}

/// The lines of a transcript with their numbers, except those that a question expects to be impossible.
fn possible<'t>(questions: &[Question], text: &'t str) -> Vec<(usize, &'t str)> {
    let mut questions = questions.iter().peekable();
    let mut possible = Vec::new();
    // Whether a question expects the next line that is not blank to be impossible.
    let mut is_expected = false;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(question) = questions.next_if(|question| question.line == number) {
            is_expected = matches!(
                question.kind,
                QuestionKind::Impossible(_) | QuestionKind::Guarded(_)
            );
            continue;
        }
        if !is_expected {
            possible.push((number, line));
        }
        is_expected &= line.trim().is_empty();
    }
    possible
}

/// Rewords a diagnostic about a question for whoever wrote the question.
fn reword(diagnostic: Diagnostic, transcript: SourceId) -> Diagnostic {
    if diagnostic.code != Code::TenseHere || diagnostic.span.source != transcript {
        return diagnostic;
    }
    // All questions are compiled in one place; the first label leads back to the question.
    let question = diagnostic.labels.first();
    Diagnostic::error(
        Code::TenseHere,
        question.map_or(diagnostic.span, |label| label.span),
        "this needs new values of an event, but is worked out after it",
    )
    .help("leave out `new`: the event before the line has happened")
}

impl TranscriptQuestions {
    /// If the answer to a question is no: the line of the event that it is about, which is the last one before it.
    fn event_before(&self, miss: &UnmetQuestion, text: &str) -> Option<usize> {
        let question = self.questions.get(miss.number)?;
        let is_no = matches!(miss.reason, UnmetReason::No { .. })
            && matches!(
                question.kind,
                QuestionKind::State | QuestionKind::Event | QuestionKind::Legal
            );
        let lines = text.lines().enumerate().take(question.line - 1);
        let events =
            lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with(QUESTION));
        let (place, _) = events.last().filter(|_| is_no)?;
        Some(place + 1)
    }

    fn invalid(&self, diagnostics: Vec<Diagnostic>) -> Invalid {
        Invalid {
            sources: self.sources.clone(),
            diagnostics: capped(diagnostics),
        }
    }

    /// The diagnostic of an unmet question.
    fn unmet(
        &self,
        miss: UnmetQuestion,
        to_failure: &dyn Fn(crate::transcript::Stopped) -> Failure,
    ) -> Diagnostic {
        let span = self.spans.get(miss.number).copied().unwrap_or_default();
        let unmet = |message: &str| Diagnostic::error(Code::Unmet, span, message);
        let wanted = match self
            .questions
            .get(miss.number)
            .map(|question| &question.kind)
        {
            Some(QuestionKind::Impossible(row)) => format!("`{row}`"),
            Some(QuestionKind::Guarded(event)) => format!("the guard of `{event}`"),
            Some(
                QuestionKind::State
                | QuestionKind::Event
                | QuestionKind::Legal
                | QuestionKind::Moves(_),
            )
            | None => String::new(),
        };
        match miss.reason {
            UnmetReason::No { state, refused } => {
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
            UnmetReason::NoGame => unmet("no game has started here"),
            UnmetReason::Silent => unmet("the event before this says nothing about it"),
            UnmetReason::Unreached => unmet("the run stops before this is answered"),
            UnmetReason::Possible => unmet("no impossible event follows"),
            UnmetReason::Otherwise(row) => {
                unmet("the next event is impossible because of another row")
                    .note(format!("`{row}` says so, not {wanted}"))
            }
            UnmetReason::Failed(stopped) => {
                let diagnostic = unmet("this cannot be worked out");
                match to_failure(*stopped).report() {
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
