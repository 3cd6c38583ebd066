//! What an editor asks of transcripts while they are written: what is wrong, why a line did what it did, what may come
//! next.

use super::{Completion, Hover, Place, Sort, Workspace};
use crate::{
    diagnostic::{Data, LabelData, Severity},
    explanation::{Ask, Cause, Effect, Explanation},
    failure::Failure,
    game::{Game, Settings, Unloaded},
    source::Position,
};

/// How many mistakes of a transcript are shown.
const MOST: usize = 100;

/// Which game a transcript is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// What the game is loaded by, as in [`Game::load`].
    pub game: String,
    /// The form of the transcript; the default where it is nothing.
    pub form: Option<String>,
    /// The values of options.
    pub settings: Settings,
}

impl Workspace {
    fn game_of(&self, label: &Label) -> Result<Game, Unloaded> {
        Game::load(&self.library, &label.game, &label.settings)
    }

    /// Runs a transcript to its end and gives what is wrong with it, and which of its questions are not met.
    #[must_use]
    pub fn check_transcript(&self, file: &str, label: &Label) -> Vec<Data> {
        let text = self.text(file).unwrap_or_default();
        let Ok(game) = self.game_of(label) else {
            return vec![unplayable(file, &label.game)];
        };
        let form = label.form.as_deref();
        let mut found: Vec<Data> = Vec::new();
        let mut take = |failure: &Failure| {
            let data = failure
                .report()
                .map(|report| report.diagnostic.to_data(&report.sources));
            if let Some(data) = data.filter(|data| !found.contains(data) && found.len() < MOST) {
                found.push(data);
            }
        };
        let mut nowhere = std::io::sink();
        let judged = game.judge(form, file, text.as_bytes(), &mut nowhere);
        if !matches!(&judged, Ok(judged) if judged.stopped.is_none()) {
            let mut told = |failure| take(&failure);
            let stopped = game.run_on(form, file, &mut text.as_bytes(), &mut nowhere, &mut told);
            if let Err(failure) = stopped {
                take(&failure);
            }
        }
        let invalid = match judged {
            Ok(judged) => judged.unmet,
            Err(invalid) => Some(invalid),
        };
        if let Some(invalid) = invalid {
            let told = invalid.diagnostics.iter();
            found.extend(told.map(|one| one.to_data(&invalid.sources)));
        }
        found
    }

    /// Why the events on the line at `offset` of a transcript did what they did; nothing where nothing is read there.
    #[must_use]
    pub fn why(&self, file: &str, label: &Label, offset: usize) -> Option<Hover> {
        let explanation = self.explanation(file, label, offset)?;
        let text = self.text(file)?;
        let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
        let rest = text.get(start..)?;
        Some(Hover {
            range: start..start + rest.find('\n').unwrap_or(rest.len()),
            text: format!("```\n{}\n```", explanation.to_string().trim_end()),
        })
    }

    /// The explanation of the line at `offset` of a transcript.
    #[must_use]
    pub fn explanation(&self, file: &str, label: &Label, offset: usize) -> Option<Explanation> {
        let text = self.text(file)?;
        let ask = Ask {
            form: label.form.clone(),
            line: Some(1 + text.get(..offset)?.matches('\n').count()),
            ..Ask::default()
        };
        let game = self.game_of(label).ok()?;
        game.explain(&ask, file, text.as_bytes()).ok()
    }

    /// The rows that decided what is said of the line at `offset` of a transcript.
    #[must_use]
    pub fn rows(&self, file: &str, label: &Label, offset: usize) -> Vec<Place> {
        let explanation = self.explanation(file, label, offset);
        explanation.map_or(Vec::new(), |told| self.deciding(&told, None))
    }

    /// The rows that said a line of the report on a transcript, counted from 0.
    #[must_use]
    pub fn rows_of_report(&self, file: &str, label: &Label, line: usize) -> Vec<Place> {
        self.reporting(file, label, line).unwrap_or_default()
    }

    fn reporting(&self, file: &str, label: &Label, line: usize) -> Option<Vec<Place>> {
        let text = self.text(file)?;
        let game = self.game_of(label).ok()?;
        let mut session = game.session(label.form.as_deref(), file).ok()?;
        let mut read = 0;
        for fed in text.split_inclusive('\n') {
            if session.feed(fed).is_err() {
                break;
            }
            read += fed.len();
            if session.report().lines().nth(line).is_some() {
                let said = session.report().lines().nth(line)?.to_string();
                let told = self.explanation(file, label, read - fed.len())?;
                return Some(self.deciding(&told, Some(&said)));
            }
        }
        None
    }

    /// The rows behind what is said in an explanation: behind one line of it, or all; each once.
    fn deciding(&self, told: &Explanation, said: Option<&str>) -> Vec<Place> {
        let effects = told.events.iter().flat_map(|event| &event.effects);
        let causes: Vec<(&str, &Cause)> = effects
            .flat_map(|effect| match effect {
                Effect::Said { text, cause, .. } | Effect::Impossible { text, cause } => {
                    vec![(text.as_str(), cause)]
                }
                Effect::Refused { fact } | Effect::Restarted { fact } | Effect::Over { fact } => {
                    let causes = fact.causes.iter();
                    causes.map(|cause| ("", cause)).collect()
                }
                Effect::Changed { .. } => Vec::new(),
            })
            .collect();
        let is_whole = causes.iter().any(|(text, _)| Some(*text) == said);
        let mut places = Vec::new();
        for (text, cause) in causes {
            let is_meant = said.is_none_or(|said| {
                text == said || !is_whole && !text.is_empty() && said.contains(text)
            });
            let place = is_meant
                .then(|| self.line_of(&cause.file, cause.at))
                .flatten();
            places.extend(place.filter(|place| !places.contains(place)));
        }
        places
    }

    /// A line of a rule file, from 1, without the blanks around it.
    fn line_of(&self, file: &str, line: usize) -> Option<Place> {
        let text = self.text(file)?;
        let whole = text.split_inclusive('\n').nth(line.checked_sub(1)?)?;
        let before: usize = text
            .split_inclusive('\n')
            .take(line - 1)
            .map(str::len)
            .sum();
        let start = before + whole.len() - whole.trim_start().len();
        Some(Place {
            file: file.to_string(),
            range: start..start + whole.trim().len(),
        })
    }

    /// What the line at `offset` of a transcript may become, whole lines. It may have been begun.
    #[must_use]
    pub fn next(&self, file: &str, label: &Label, offset: usize) -> Vec<Completion> {
        self.lines(file, label, offset).unwrap_or_default()
    }

    fn lines(&self, file: &str, label: &Label, offset: usize) -> Option<Vec<Completion>> {
        let text = self.text(file)?;
        let before = text.get(..offset)?;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let game = self.game_of(label).ok()?;
        let mut session = game.session(label.form.as_deref(), file).ok()?;
        if start > 0 {
            session.feed(before.get(..start)?).ok()?;
        }
        let lines = session.completions(before.get(start..)?).into_iter();
        let found = lines.map(|name| Completion {
            rank: 0,
            name,
            sort: Sort::Event,
            detail: String::new(),
            meaning: String::new(),
        });
        Some(found.collect())
    }
}

/// What is shown at the beginning of a transcript whose game is not valid.
fn unplayable(file: &str, game: &str) -> Data {
    let message = format!("the rules of `{game}` are not valid, so this transcript is not checked");
    let help = format!("run `referee check {game}` to see what is wrong");
    let start = Position { line: 1, column: 1 };
    Data {
        severity: Severity::Warning,
        labels: vec![LabelData {
            file: file.to_string(),
            start,
            end: start,
            text: String::new(),
        }],
        ..Data::placeless("no-game", message, vec![help])
    }
}
