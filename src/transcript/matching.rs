//! Patterns against words.

use super::{Run, expected::Miss, values};
use crate::{
    code::{Item, Pattern, Segment},
    fault::Stop,
};

/// How long a word of several parts may be.
const LONGEST_SPLIT: usize = 512;

impl<'c> Run<'c, '_> {
    /// Matches a pattern with the words from here; says how many it takes, or why it does not.
    pub(super) fn matched(&mut self, pattern: &'c Pattern) -> Result<Result<usize, Miss>, Stop> {
        let mut at = 0;
        for item in &pattern.items {
            match item {
                Item::Word(segments) => {
                    if self.peek(at)?.is_none() {
                        if let [Segment::Hole(hole)] = segments.as_slice()
                            && hole.absent.as_deref() == Some("")
                        {
                            self.put_none(hole)?;
                            continue;
                        }
                        return Ok(Err(missing(at, segments)));
                    }
                    if let Err(reason) = self.word(segments, at)? {
                        return Ok(Err(Miss {
                            matched: at,
                            reason,
                            untried: false,
                        }));
                    }
                    at += 1;
                }
                Item::Many { hole, count } => {
                    let count = match count {
                        Some(count) => {
                            let count = self.machine.evaluate(count)?;
                            usize::try_from(count.max(0)).unwrap_or(usize::MAX)
                        }
                        None if self.peek(at)?.is_some() => self.reader.left() - at,
                        None if at == 0 => return Ok(Err(missing(at, &[]))),
                        None => 0,
                    };
                    match self.many(hole, at, count)? {
                        Ok(()) => at += count,
                        Err(miss) => return Ok(Err(miss)),
                    }
                }
            }
        }
        if self.transcript.by_lines && !pattern.items.is_empty() && self.peek(at)?.is_some() {
            let word = self.reader.found(at);
            return Ok(Err(Miss {
                matched: at,
                reason: format!("the line should end before `{word}`"),
                untried: false,
            }));
        }
        Ok(Ok(at))
    }

    /// Matches one word.
    fn word(&mut self, segments: &'c [Segment], at: usize) -> Result<Result<(), String>, Stop> {
        let word = self.reader.word(at);
        match segments {
            [Segment::Literal(text)] => Ok(if word == text.as_bytes() {
                Ok(())
            } else {
                Err(if self.explains {
                    format!("`{text}` is due, not `{}`", self.reader.found(at))
                } else {
                    String::new()
                })
            }),
            [Segment::Hole(hole)] => {
                let value = values::value(&mut self.machine, hole, word, self.explains)?;
                match value {
                    Ok(value) => {
                        self.put(hole, value)?;
                        Ok(Ok(()))
                    }
                    Err(reason) => Ok(Err(reason)),
                }
            }
            several => {
                let word = word.to_vec();
                if word.len() > LONGEST_SPLIT {
                    return Ok(Err("this word is too long".into()));
                }
                Ok(if self.split(several, &word)? {
                    Ok(())
                } else if self.explains {
                    Err(self.why_not_split(several, &word)?)
                } else {
                    Err(String::new())
                })
            }
        }
    }

    /// Matches a word of several parts that touch.
    fn split(&mut self, segments: &'c [Segment], word: &[u8]) -> Result<bool, Stop> {
        let Some((first, rest)) = segments.split_first() else {
            return Ok(word.is_empty());
        };
        match first {
            Segment::Literal(text) => match word.strip_prefix(text.as_bytes()) {
                Some(word) => self.split(rest, word),
                None => Ok(false),
            },
            Segment::Hole(hole) => {
                let shortest = usize::from(hole.absent.as_deref() != Some(""));
                let lengths = if rest.is_empty() {
                    word.len()..=word.len()
                } else {
                    shortest..=word.len()
                };
                for length in lengths {
                    let (part, left) = word.split_at(length);
                    if std::str::from_utf8(part).is_err() {
                        continue;
                    }
                    if part.is_empty() {
                        if hole.absent.as_deref() == Some("") && self.split(rest, left)? {
                            self.put_none(hole)?;
                            return Ok(true);
                        }
                        continue;
                    }
                    let value = values::value(&mut self.machine, hole, part, self.explains)?;
                    let Ok(value) = value else { continue };
                    if self.split(rest, left)? {
                        self.put(hole, value)?;
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}

/// The words end too early.
fn missing(at: usize, segments: &[Segment]) -> Miss {
    let due = match segments {
        [Segment::Literal(text)] => format!("`{text}`"),
        [Segment::Hole(hole)] => format!("`{}` ({})", hole.name, hole.ty),
        _ => "a word".into(),
    };
    Miss {
        matched: at,
        reason: format!("{due} is missing"),
        untried: false,
    }
}
