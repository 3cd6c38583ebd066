//! Why the referee decided as it did: explanations as text.

use std::fmt::Write as _;

use super::Game;
use crate::{
    compile,
    failure::{self, Failure},
    machine::{Cause, Effect, FactCause},
    transcript::{LineExplained, Run},
};

/// What a line of an explanation is moved in by, for each level.
const INDENT: &str = "  ";

impl Game {
    /// Why the events on one line of a transcript did what they did: what was said and what changed, each with the row
    /// that did it, its file and line, and the values that made it true. Without a line, the last one that has words.
    /// `depth` is how many facts are looked into, one in the other. Messages call the transcript `name`.
    ///
    /// # Errors
    /// What stopped the run before that line; that no event is read from it, or what is on it cannot be read.
    pub fn explain(
        &self,
        form: Option<&str>,
        line: Option<usize>,
        depth: usize,
        name: &str,
        transcript: &[u8],
    ) -> Result<String, Failure> {
        // The form is looked for where messages about it are made.
        self.transcript(form)?;
        let (compiled, explained) = compile::explain(&self.program, &self.sources);
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
        let line = line.unwrap_or_else(|| last_line(transcript));
        let mut output = std::io::sink();
        let mut input = transcript;
        let told = Run::new(&compiled, chosen, &mut input, &mut output)
            .seeded(self.seed)
            .why(&explained, line, depth)
            .map_err(|stopped| failure::told(*stopped, &compiled, &self.sources, name))?;
        Ok(self.written(&told))
    }

    pub(super) fn written(&self, told: &LineExplained) -> String {
        let mut text = String::new();
        for explained in &told.events {
            let explanation = &explained.explanation;
            // Writing to a string cannot fail.
            let _ = if let Some(words) = &explained.words {
                writeln!(text, "line {}: {words}", told.line)
            } else {
                let event = &self.compiled.events[explained.event].name;
                writeln!(text, "then {event}")
            };
            for sentence in &explanation.sentences {
                let _ = writeln!(text, "{INDENT}{sentence}");
            }
            if explanation.effects.is_empty() {
                let _ = writeln!(text, "nothing is said, and nothing changes");
            }
            for effect in &explanation.effects {
                self.effect(&mut text, effect);
            }
        }
        text
    }

    fn effect(&self, text: &mut String, effect: &Effect) {
        let (head, causes) = match effect {
            Effect::Said { text, cause } => (format!("said \"{text}\""), vec![cause]),
            Effect::Impossible { text, cause } => (format!("impossible: {text}"), vec![cause]),
            Effect::Refused { fact } => {
                self.fact(text, fact, 0, "refused: ");
                return;
            }
            Effect::Changed {
                name,
                old,
                new,
                causes,
            } => {
                let change = if old.is_empty() && new.is_empty() {
                    format!("{name} changes")
                } else {
                    let shown = |value: &str| match value {
                        "" => "nothing".to_string(),
                        value => value.to_string(),
                    };
                    format!("{name} {} -> {}", shown(old), shown(new))
                };
                (change, causes.iter().collect())
            }
        };
        self.caused(text, &head, &causes, 0);
    }

    /// A thing with what caused it: the first cause on its line, further ones below.
    fn caused(&self, text: &mut String, head: &str, causes: &[&Cause], level: usize) {
        let indent = INDENT.repeat(level);
        let Some((first, others)) = causes.split_first() else {
            let _ = writeln!(text, "{indent}{head}");
            return;
        };
        let _ = writeln!(text, "{indent}{head}{}", self.because(first));
        for other in others {
            let _ = writeln!(text, "{indent}{INDENT}and{}", self.because(other));
        }
        for cause in causes {
            for fact in &cause.facts {
                self.fact(text, fact, level + 1, "");
            }
        }
    }

    fn fact(&self, text: &mut String, fact: &FactCause, level: usize, before: &str) {
        let head = match fact.value.as_deref() {
            None => format!("{before}{}", fact.name),
            Some("") => format!("{before}{} = nothing", fact.name),
            Some(value) => format!("{before}{} = {value}", fact.name),
        };
        let causes: Vec<&Cause> = fact.causes.iter().collect();
        self.caused(text, &head, &causes, level);
    }

    /// Which row, where it stands, its conditions and the values in them.
    fn because(&self, cause: &Cause) -> String {
        let mut text = String::new();
        if let Some(label) = &cause.label {
            let _ = write!(text, "  {label}");
        }
        let file = self
            .sources
            .get(cause.span.source)
            .map_or("", |source| source.name.as_str());
        let _ = write!(text, "  {file}:{}", self.sources.position(cause.span).line);
        if !cause.written.is_empty() {
            let _ = write!(text, "  {}", cause.written.join(", "));
        }
        let below = |name: &str| cause.facts.iter().any(|fact| fact.name == name);
        let values: Vec<String> = cause
            .values
            .iter()
            .filter(|(name, _)| !below(name))
            .map(|(name, value)| {
                let value = if value.is_empty() { "nothing" } else { value };
                format!("{name} = {value}")
            })
            .collect();
        if !values.is_empty() {
            let _ = write!(text, "  ({})", values.join(", "));
        }
        text
    }
}

/// The number of the last line that has words.
fn last_line(transcript: &[u8]) -> usize {
    transcript
        .split(|byte| *byte == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .last()
        .map_or(1, |(place, _)| place + 1)
}
