//! Help for writing transcripts: diagnostics, explanations of lines, and completions.

use super::{Completion, Hover, Place, Sort, Workspace};
use crate::{
    diagnostic::{Data, LabelData, Severity},
    explanation::{Cause, Effect, Explanation, Query},
    failure::Failure,
    game::{Game, Settings, Unloaded},
    source::Position,
};

/// The number of diagnostics of a transcript.
const MOST: usize = 100;

/// The number of words before the cursor that may belong to an unfinished event.
const MOST_WORDS: usize = 8;

/// The game of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The name that the game is loaded by, as in [`Game::load`].
    pub game: String,
    /// The form of the transcript; `None` for the default.
    pub form: Option<String>,
    /// The values of options.
    pub settings: Settings,
}

impl Workspace {
    fn game_of(&self, label: &Label) -> Result<Game, Unloaded> {
        Game::load(&self.library, &label.game, &label.settings)
    }

    /// Runs a transcript to its end. Returns what is wrong with it, and its unmet questions.
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
            let mut report = |failure| take(&failure);
            let stopped = game.run_on(form, file, &mut text.as_bytes(), &mut nowhere, &mut report);
            if let Err(failure) = stopped {
                take(&failure);
            }
        }
        let invalid = match judged {
            Ok(judged) => judged.unmet,
            Err(invalid) => Some(invalid),
        };
        if let Some(invalid) = invalid {
            let diagnostics = invalid.diagnostics.iter();
            found.extend(diagnostics.map(|one| one.to_data(&invalid.sources)));
        }
        found
    }

    /// The explanation of the line at `offset` of a transcript; `None` if nothing is read there.
    #[must_use]
    pub fn why(&self, file: &str, label: &Label, offset: usize) -> Option<Hover> {
        let explanation = self.explanation(file, label, offset)?;
        let text = self.text(file)?;
        let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
        let line = text.get(start..)?.lines().next().unwrap_or("");
        let mut range = start..start + line.len();
        if let [event, ..] = explanation.events.as_slice()
            && let (Some(column), Some(words)) = (event.column, &event.words)
        {
            let before: usize = line.chars().take(column - 1).map(char::len_utf8).sum();
            if line
                .get(before..)
                .is_some_and(|rest| rest.starts_with(words))
            {
                range = start + before..start + before + words.len();
            }
        }
        Some(Hover {
            range,
            text: format!("```\n{}\n```", explanation.to_string().trim_end()),
        })
    }

    /// The explanation of the line at `offset` of a transcript; if it has several events, of one of them.
    #[must_use]
    pub fn explanation(&self, file: &str, label: &Label, offset: usize) -> Option<Explanation> {
        let text = self.text(file)?;
        let before = text.get(..offset)?;
        let mut query = Query {
            form: label.form.clone(),
            line: Some(1 + before.matches('\n').count()),
            ..Query::default()
        };
        let game = self.game_of(label).ok()?;
        let whole = game.explain(&query, file, text.as_bytes()).ok()?;
        let read = whole.events.iter().filter(|event| event.column.is_some());
        if read.count() < 2 {
            return Some(whole);
        }
        let line = before.rsplit('\n').next().unwrap_or("");
        query.column = Some(1 + line.chars().count());
        let one = game.explain(&query, file, text.as_bytes());
        Some(one.unwrap_or(whole))
    }

    /// The rows that decided the report on the line at `offset` of a transcript.
    #[must_use]
    pub fn rows(&self, file: &str, label: &Label, offset: usize) -> Vec<Place> {
        let explanation = self.explanation(file, label, offset);
        explanation.map_or(Vec::new(), |explanation| self.deciding(&explanation, None))
    }

    /// The rows that reported a line of the report, counted from 0.
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
                let explanation = self.explanation(file, label, read - fed.len())?;
                return Some(self.deciding(&explanation, Some(&said)));
            }
        }
        None
    }

    /// The rows behind the report in an explanation, or behind one line of it; each once.
    fn deciding(&self, explanation: &Explanation, said: Option<&str>) -> Vec<Place> {
        let effects = explanation.events.iter().flat_map(|event| &event.effects);
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
            let is_quoted = said.is_none_or(|said| {
                text == said || !is_whole && !text.is_empty() && said.contains(text)
            });
            let place = is_quoted
                .then(|| self.line_of(&cause.file, cause.at))
                .flatten();
            places.extend(place.filter(|place| !places.contains(place)));
        }
        places
    }

    /// A line of a rule file, from 1, trimmed.
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

    /// The possible events at `offset` of a transcript, and the offset where they start: the line or, if a line can
    /// have several events, a word. The event may have been begun.
    #[must_use]
    pub fn next(&self, file: &str, label: &Label, offset: usize) -> (usize, Vec<Completion>) {
        let text = self.text(file).unwrap_or_default();
        let before = text.get(..offset).unwrap_or("");
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.get(start..).unwrap_or("");
        let blanks = line.match_indices(' ').map(|(at, _)| start + at + 1);
        let mut starts: Vec<usize> = std::iter::once(start).chain(blanks).collect();
        let Ok(game) = self.game_of(label) else {
            return (start, Vec::new());
        };
        if game.reads_lines(label.form.as_deref()) {
            starts.truncate(1);
        }
        let tried = starts.into_iter().rev().take(MOST_WORDS);
        let mut found = tried.map(|start| {
            let (fed, begun) = before.split_at(start);
            (
                start,
                lines(&game, file, label, fed, begun).unwrap_or_default(),
            )
        });
        found
            .find(|(_, found)| !found.is_empty())
            .unwrap_or((start, Vec::new()))
    }
}

/// The possible events after the start of a transcript that begin with a text.
fn lines(
    game: &Game,
    file: &str,
    label: &Label,
    fed: &str,
    begun: &str,
) -> Option<Vec<Completion>> {
    let mut session = game.session(label.form.as_deref(), file).ok()?;
    if !fed.is_empty() {
        session.feed(fed).ok()?;
    }
    let lines = session.completions(begun).into_iter();
    let found = lines.map(|name| Completion {
        rank: 0,
        name,
        sort: Sort::Event,
        detail: String::new(),
        meaning: String::new(),
    });
    Some(found.collect())
}

/// The diagnostic at the start of a transcript whose game is invalid.
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
