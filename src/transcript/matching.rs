//! Matches patterns with words.

use super::{Run, expected::Mismatch, reader::Reader, values};
use crate::{
    code::{Hole, Item, Pattern, Play, PlayRow, Segment, Shape},
    fault::Stop,
    machine::LONGEST_SPLIT,
};

/// The longest list that ends at a literal, in words, if the transcript is not by lines.
const LONGEST_LIST: usize = 10_000;

impl<'c> Run<'c, '_> {
    /// The current event as a row of the transcript writes it, if one can and what it writes is read as
    /// that event.
    pub(super) fn written(&mut self, play: &'c Play, event: usize) -> Result<Option<String>, Stop> {
        for row in &play.rows {
            if row.event == event && self.may_be_read(row)? && self.fits(row)? {
                let start = self.machine.out.len();
                let written = self.write_row(row)?;
                let text = String::from_utf8_lossy(&self.machine.out[start..]).into_owned();
                self.machine.out.truncate(start);
                if written && !self.is_read_before(play, row, &text)? {
                    return Ok(Some(text));
                }
            }
        }
        Ok(None)
    }

    /// Keeps those of the last events found that have a line, and returns how many these are.
    pub(super) fn keep_written(
        &mut self,
        play: &'c Play,
        event: usize,
        count: u64,
    ) -> Result<u64, Stop> {
        let fields = self.compiled.events[event].fields.len();
        let found = usize::try_from(count).unwrap_or(usize::MAX);
        let words = found.saturating_mul(fields);
        let mut next = self.machine.found.len().saturating_sub(words);
        let (mut end, mut written) = (next, 0);
        for _ in 0..count {
            let own = next..next + fields;
            self.machine.take_found(event, own.clone());
            self.machine.forget_fields();
            if self.written(play, event)?.is_some() {
                self.machine.found.copy_within(own, end);
                end += fields;
                written += 1;
            }
            next += fields;
        }
        self.machine.found.truncate(end);
        Ok(written)
    }

    /// Whether a row before this one reads these words, as another event.
    fn is_read_before(
        &mut self,
        play: &'c Play,
        row: &'c PlayRow,
        text: &str,
    ) -> Result<bool, Stop> {
        let before = play.rows.iter();
        let before = before.take_while(|other| !std::ptr::eq(*other, row));
        let others: Vec<&PlayRow> = before.filter(|other| other.event != row.event).collect();
        if others.is_empty() {
            return Ok(false);
        }
        let mut reader = Reader::new(None, self.transcript.by_lines);
        reader.feed(format!("{text}\n").as_bytes());
        reader.end_input();
        let reader = std::mem::replace(&mut self.reader, reader);
        let (event, fields) = (self.machine.event, self.machine.current_fields());
        let read = self.is_read_by_one(&others);
        self.reader = reader;
        self.machine.take_event(event, &fields);
        self.machine.forget_fields();
        read
    }

    fn is_read_by_one(&mut self, rows: &[&'c PlayRow]) -> Result<bool, Stop> {
        for row in rows {
            if self.may_be_read(row)? && self.matched(&row.pattern)?.is_ok() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Matches a pattern with the next words. Returns how many it takes, or why it does not match.
    pub(super) fn matched(
        &mut self,
        pattern: &'c Pattern,
    ) -> Result<Result<usize, Mismatch>, Stop> {
        let mut at = 0;
        for (place, item) in pattern.items.iter().enumerate() {
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
                        return Ok(Err(Mismatch {
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
                            let count = self.machine.step_value(count)?;
                            words_of(hole, usize::try_from(count.max(0)).unwrap_or(usize::MAX))
                        }
                        None if self.peek(at)?.is_some() => match end_of(pattern, place) {
                            Some(text) => self.words_up_to(text, hole, at)?,
                            None => self.reader.left() - at,
                        },
                        None if at == 0 => return Ok(Err(missing(at, &[]))),
                        None => 0,
                    };
                    match self.many(hole, at, count)? {
                        Ok(()) => at += count,
                        Err(mismatch) => return Ok(Err(mismatch)),
                    }
                }
            }
        }
        if self.transcript.by_lines && !pattern.items.is_empty() && self.peek(at)?.is_some() {
            let word = self.reader.found(at);
            return Ok(Err(Mismatch {
                matched: at,
                reason: format!("the line should end before `{word}`"),
                untried: false,
            }));
        }
        Ok(Ok(at))
    }

    /// The number of words before the one that ends a list. If that does not come: by lines, the rest of the line; by
    /// words, those up to the first that is no member.
    fn words_up_to(&mut self, text: &str, hole: &'c Hole, at: usize) -> Result<usize, Stop> {
        let mut count = 0;
        while self.peek(at + count)?.is_some() {
            let word = self.reader.word(at + count);
            if word == text.as_bytes() {
                break;
            }
            if !self.transcript.by_lines {
                let is_plain = hole.between.is_none() && !matches!(hole.shape, Shape::Scalar);
                let fits =
                    !is_plain || values::value(&mut self.machine, hole, word, false)?.is_ok();
                if !fits || count == LONGEST_LIST {
                    break;
                }
            }
            count += 1;
        }
        Ok(count)
    }

    /// Matches one word.
    fn word(&mut self, segments: &'c [Segment], at: usize) -> Result<Result<(), String>, Stop> {
        let word = self.reader.word(at);
        match segments {
            [Segment::Literal(text)] => Ok(if word == text.as_bytes() {
                Ok(())
            } else {
                Err(if self.explains {
                    format!("`{text}` is expected, not `{}`", self.reader.found(at))
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
                if word.len() > LONGEST_SPLIT {
                    return Ok(Err("this word is too long".into()));
                }
                let mut read = Vec::new();
                if self.machine.split(several, word, &mut read)? {
                    for (hole, value) in read {
                        self.put(hole, value)?;
                    }
                    return Ok(Ok(()));
                }
                Ok(Err(if self.explains {
                    let word = word.to_vec();
                    self.why_not_split(several, &word)?
                } else {
                    String::new()
                }))
            }
        }
    }
}

/// The number of words that this many members of a list take, with their separators.
fn words_of(hole: &Hole, members: usize) -> usize {
    let Some(between) = &hole.between else {
        return members;
    };
    let inner = members.saturating_sub(2);
    let inner = inner.saturating_mul(between.by.words().len());
    let last = if members > 1 {
        between.last.words().len()
    } else {
        0
    };
    members.saturating_add(inner).saturating_add(last)
}

/// The literal at which a list ends, if the list is not last in its pattern.
pub(super) fn end_of(pattern: &Pattern, place: usize) -> Option<&str> {
    match pattern.items.get(place + 1)? {
        Item::Word(segments) => match segments.as_slice() {
            [Segment::Literal(text)] => Some(text),
            _ => None,
        },
        Item::Many { .. } => None,
    }
}

/// The mismatch if words are missing.
fn missing(at: usize, segments: &[Segment]) -> Mismatch {
    let due = match segments {
        [Segment::Literal(text)] => format!("`{text}`"),
        [Segment::Hole(hole)] => format!("`{}` ({})", hole.name, hole.ty),
        _ => "a word".into(),
    };
    Mismatch {
        matched: at,
        reason: format!("{due} is missing"),
        untried: false,
    }
}

/// Whether an event may have no line: each of its rows leaves out a field, or has a condition.
pub(super) fn may_have_no_line(play: &Play, event: usize) -> bool {
    let mut rows = play.rows.iter().filter(|row| row.event == event);
    !rows.any(|row| row.fields.is_empty() && row.conditions.is_empty())
}
