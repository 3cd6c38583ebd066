//! What a transcript asks of its game, on lines that begin with `#?`, and whether the answers are yes.

mod lines;
pub(super) mod tree;

use std::io::Write;

use super::{Game, Invalid, examples::new_names};
use crate::{
    check,
    compile::compile,
    diagnostic::{Code, Diagnostic},
    failure::{self, Failure},
    optimise::optimise,
    program::Program,
    resolve,
    source::{SourceId, Sources, Span},
    stack,
    transcript::{Lapse, Miss, QUESTION, Question, Run, What},
};

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

impl Game {
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
        let (result, misses) = stack::with_room(depth, || run.watched(&asked.questions));
        let told = |stopped| failure::told(stopped, &compiled, &asked.sources, name);
        let unmet: Vec<Diagnostic> = misses
            .into_iter()
            .map(|miss| asked.unmet(miss, &told))
            .collect();
        Ok(Judged {
            stopped: result.err().map(|stopped| told(*stopped)),
            unmet: (!unmet.is_empty()).then(|| asked.invalid(unmet)),
            questions: asked.questions.len(),
        })
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
                diagnostics,
            }),
        }
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
        "this needs what is new in an event, and is asked after it",
    )
    .help("leave out `new`: the event before the line has happened")
}

impl Asked {
    fn invalid(&self, diagnostics: Vec<Diagnostic>) -> Invalid {
        Invalid {
            sources: self.sources.clone(),
            diagnostics,
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
            Some(What::Impossible(row)) => row.as_str(),
            Some(What::State | What::Event | What::Legal) | None => "",
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
                        "the event before this is refused: `new {name}` is what would have come of it, and `{name}` stays as it is"
                    ))
                })
            }
            Lapse::NoGame => unmet("no game has started here"),
            Lapse::Silent => unmet("the event before this says nothing of it"),
            Lapse::Unreached => unmet("the run stops before this is answered"),
            Lapse::Possible => unmet("no event that is impossible follows"),
            Lapse::Otherwise(row) => unmet("the next event is impossible by another row")
                .note(format!("`{row}` says so, and not `{wanted}`")),
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
