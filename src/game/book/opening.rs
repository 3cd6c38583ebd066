//! The picture of how a game begins.

use super::{Chapter, Part};
use crate::game::{Game, Hole, Takes};

/// How many lines are made up before a game begins.
const MOST_LINES: usize = 8;

impl Game {
    /// Puts the states that are maps on grids into the chapter on the beginning, where a game begins without more than
    /// names and numbers.
    pub(super) fn picture(&self, chapters: &mut [Chapter]) {
        let Some(chapter) = chapters
            .iter_mut()
            .find(|it| it.title == super::chapters::BEGINNING)
        else {
            return;
        };
        let Ok(mut session) = self.session(None, "book") else {
            return;
        };
        let mut names = 0;
        for _ in 0..MOST_LINES {
            if session.games() > 0 {
                break;
            }
            let Ok(expected) = session.expected() else {
                return;
            };
            let [expected] = expected.as_slice() else {
                return;
            };
            let mut line = expected.written.clone();
            for hole in &expected.holes {
                let Some(word) = made_up(hole, &mut names) else {
                    return;
                };
                line = line.replacen(&format!("<{}>", hole.name), &word, 1);
            }
            line.push('\n');
            if session.feed(&line).is_err() {
                return;
            }
        }
        for picture in session.pictures() {
            let rows = picture.rows.into_iter();
            chapter.parts.push(Part::Picture {
                title: super::phrases::in_words(&picture.state),
                rows: rows
                    .map(|row| row.into_iter().map(|cell| cell.value).collect())
                    .collect(),
            });
        }
    }
}

/// A word for a hole.
fn made_up(hole: &Hole, names: &mut u32) -> Option<String> {
    if hole.several {
        return None;
    }
    Some(match &hole.takes {
        Takes::Word => {
            *names += 1;
            format!("N{names}")
        }
        Takes::Number { least, greatest } => (*least).max(1).min(*greatest).to_string(),
        Takes::Decimal { least, greatest } => least.as_ref().or(greatest.as_ref())?.clone(),
        Takes::OneOf(words) => words.first()?.clone(),
    })
}
