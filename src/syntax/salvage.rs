//! Removes the invalid parts of a rule file, so that mistakes in the rest can be found, too.

use std::{collections::BTreeSet, ops::Range};

use super::{
    parse,
    recover::ENOUGH,
    skeleton::{Stretch, Word, skeleton},
};
use crate::{diagnostic::Diagnostic, source::Sources};

/// How many parts are removed before the whole file is given up.
const ROUNDS: usize = 24;

/// A rule file whose invalid parts are replaced by blanks, so that everything else keeps its place.
#[derive(Debug)]
pub(crate) struct Salvaged {
    pub(crate) text: String,
    /// The words in the removed parts: if one is declared there, it is not unknown.
    pub(crate) removed_words: BTreeSet<String>,
}

/// Removes rows, clauses and items of `text`, which has the mistakes `wrong`, until the rest parses. None if that does
/// not succeed, or if there are so many mistakes that the search for more has stopped.
pub(crate) fn salvage(text: &str, wrong: &[Diagnostic]) -> Option<Salvaged> {
    if wrong.len() >= ENOUGH {
        return None;
    }
    let mut rest = text.to_string();
    let mut removed_words = BTreeSet::new();
    let mut places: Vec<usize> = wrong.iter().map(|one| one.range().start).collect();
    for _ in 0..ROUNDS {
        let (words, stretches) = skeleton(&rest);
        let parts: Vec<Range<usize>> = places
            .iter()
            .map(|place| around(*place, &rest, &words, &stretches))
            .collect::<Option<_>>()?;
        for part in parts {
            let left_out = words.iter().filter(|word| {
                word.is_name && part.start <= word.range.start && word.range.end <= part.end
            });
            removed_words.extend(
                left_out.filter_map(|word| rest.get(word.range.clone()).map(str::to_string)),
            );
            let blank = |letter: char| {
                if letter == '\n' {
                    "\n".to_string()
                } else {
                    " ".repeat(letter.len_utf8())
                }
            };
            let blanks: String = rest.get(part.clone())?.chars().map(blank).collect();
            rest.replace_range(part, &blanks);
        }
        let mut sources = Sources::default();
        let id = sources.add("", rest.as_str());
        match parse(&sources, id) {
            Ok(_) => {
                return Some(Salvaged {
                    text: rest,
                    removed_words,
                });
            }
            Err(wrong) => places = wrong.iter().map(|one| one.range().start).collect(),
        }
    }
    None
}

/// The bytes of the row, or else the clause or item, that contains a place. The only row of a clause is removed with
/// the clause; a mistake at a bar belongs to what comes before.
fn around(place: usize, text: &str, words: &[Word], stretches: &[Stretch]) -> Option<Range<usize>> {
    let is_bar = |at: usize| text.get(words[at].range.clone()) == Some("|");
    let after = words.partition_point(|word| word.range.start <= place);
    let mut at = after.checked_sub(1)?;
    if is_bar(at) && words[at].range.start == place {
        at = at.checked_sub(1)?;
    }
    let stretch = stretches.iter().find(|it| it.words.contains(&at))?;
    let clause = stretch.clauses.iter().find(|it| it.contains(&at));
    let part = match clause {
        Some(clause) => clause.clone(),
        // The head or the end of a section.
        None => stretch.words.clone(),
    };
    let bars: Vec<usize> = part.clone().filter(|at| is_bar(*at)).collect();
    let start = bars.iter().rev().find(|bar| **bar <= at);
    let words_out = match start {
        Some(start) if bars.len() > 1 => {
            let end = bars.iter().find(|bar| **bar > at);
            *start..end.copied().unwrap_or(part.end)
        }
        _ => part,
    };
    let (first, last) = (
        words.get(words_out.start)?,
        words.get(words_out.end.checked_sub(1)?)?,
    );
    Some(first.range.start..last.range.end)
}
