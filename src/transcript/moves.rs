//! Lists the events that are possible at a place of a transcript, as the transcript would write them.

use super::{Awaited, Run, Stopped, matching::may_have_no_line};
use crate::{
    code::{Hole, Item, Play, PlayRow, Reading, Segment, Shape, Target, Written},
    fault::{Fault, Stop},
    machine::{After, Decides, Has, Reason},
};

/// The longest line of play that is counted, in events.
pub(crate) const GREATEST_LINE: u32 = 1_000;

/// From this many lines on, the growth from one depth to the next is a good estimate.
const MANY_LINES: u64 = 1 << 16;

/// If an estimate exceeds this, the lines are not counted: no game may take as much work.
const MOST_LINES: u64 = 10_000_000_000_000;

/// The size of a listed event besides its fields, in words.
const WORDS: usize = 24;

/// Whether a ratio is less than another by more than an eighth.
fn is_clearly_less(one: (u64, u64), other: (u64, u64)) -> bool {
    let product = |left: u64, right: u64| u128::from(left) * u128::from(right);
    8 * product(one.0, other.1) < 7 * product(other.0, one.1)
}

/// Which events to list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveSearch<'a> {
    /// The last line to read; `None` for all.
    pub(crate) line: Option<usize>,
    /// The names of the events to list; empty for all.
    pub(crate) events: &'a [String],
    /// Whether to list events that may not happen, too.
    pub(crate) illegal: bool,
}

/// An event that the transcript could continue with.
#[derive(Debug)]
pub(crate) struct FoundMove {
    pub(crate) event: usize,
    pub(crate) written: String,
    /// Who decides it.
    pub(crate) by: Decides,
    /// Its weight, if chance decides and the weights differ.
    pub(crate) weight: Option<u64>,
    /// Why it may not happen, or which rule it breaks; `None` if it is legal.
    pub(crate) reason: Option<Reason>,
}

impl FoundMove {
    /// Whether it may happen.
    fn may_happen(&self) -> bool {
        matches!(self.reason, None | Some(Reason::Illegal(..)))
    }
}

/// The result of a search for moves.
#[derive(Debug, Default)]
pub(crate) struct FoundMoves {
    pub(crate) found: Vec<FoundMove>,
    /// Events that were left out, each with a field that has infinitely many values.
    pub(crate) endless: Vec<(usize, usize)>,
    /// Patterns of those among them that are possible now.
    pub(crate) patterns: Vec<Awaited>,
    /// Whether the last game is over and nothing follows it.
    pub(crate) over: bool,
    /// The seats' results in this case, if the rules define them.
    pub(crate) outcome: Vec<(String, Has)>,
}

/// How far to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The next events only.
    Next,
    /// The number of lines of play with this many events.
    Lines(u32),
}

impl<'c> Run<'c, '_> {
    /// Runs to a place in the transcript and lists the events that are possible there, or counts the lines of play.
    ///
    /// # Errors
    /// What stopped the run, or that no game is under way there.
    pub(crate) fn moves(
        mut self,
        search: MoveSearch<'_>,
        depth: Depth,
    ) -> Result<(FoundMoves, u64), Box<Stopped>> {
        self.stop_after = Some(search.line.unwrap_or(usize::MAX));
        self.machine.keep_outcomes();
        let transcript = self.transcript;
        self.machine.set_bottom(transcript.locals);
        let result = match self.steps(&transcript.steps) {
            Ok(()) => self.at_end(depth),
            Err(stop) if matches!(*stop, Fault::Reached) => {
                // Games that end during the search are not part of the transcript.
                self.machine.keep_no_outcomes();
                self.moves_at_place(search, depth)
            }
            Err(stop) => Err(stop),
        };
        result.map_err(|fault| self.stopped(fault))
    }

    /// The result after the last game.
    fn at_end(&mut self, depth: Depth) -> Result<(FoundMoves, u64), Stop> {
        let outcome = match self.machine.ending() {
            Some(ending) if self.machine.has_just_ended(ending.game) => ending.outcome.clone(),
            _ => return Err(Box::new(Fault::NotPlaying)),
        };
        let all = FoundMoves {
            over: true,
            outcome,
            ..FoundMoves::default()
        };
        Ok((all, u64::from(depth == Depth::Lines(0))))
    }

    pub(super) fn moves_at_place(
        &mut self,
        search: MoveSearch<'_>,
        depth: Depth,
    ) -> Result<(FoundMoves, u64), Stop> {
        let play = (self.reached).ok_or_else(|| Box::new(Fault::NotPlaying))?;
        let mut all = FoundMoves::default();
        let events = self.events_of(play, search.events, &mut all);
        match depth {
            Depth::Lines(depth) => {
                self.machine.begin_searching();
                let count = match self.estimate_lines(&events, depth)? {
                    Some(count) => count,
                    None => self.count_lines(&events, depth)?,
                };
                Ok((all, count))
            }
            Depth::Next => {
                let mut may_come = Vec::new();
                for row in &play.rows {
                    let is_endless = all.endless.iter().any(|(event, _)| *event == row.event);
                    if is_endless && self.may_be_read(row)? {
                        all.patterns.push(self.awaited(row, None));
                        may_come.push(row.event);
                    }
                }
                all.endless.retain(|(event, _)| may_come.contains(event));
                for event in events {
                    self.find_moves_of(play, event, search.illegal, &mut all.found)?;
                }
                let count = all.found.iter().filter(|found| found.may_happen()).count();
                Ok((all, count as u64))
            }
        }
    }

    /// The events with a row in `play` and finitely many values, each once.
    pub(super) fn events_of(
        &self,
        play: &Play,
        wanted: &[String],
        all: &mut FoundMoves,
    ) -> Vec<usize> {
        let mut events = Vec::new();
        for row in &play.rows {
            let definition = &self.compiled.events[row.event];
            if events.contains(&row.event)
                || !(wanted.is_empty() || wanted.contains(&definition.name))
            {
                continue;
            }
            let endless = definition
                .fields
                .iter()
                .position(|field| !field.values.end());
            match endless {
                None => events.push(row.event),
                Some(field) if !all.endless.contains(&(row.event, field)) => {
                    all.endless.push((row.event, field));
                }
                Some(_) => {}
            }
        }
        events
    }

    pub(super) fn find_moves_of(
        &mut self,
        play: &'c Play,
        event: usize,
        illegal: bool,
        found: &mut Vec<FoundMove>,
    ) -> Result<(), Stop> {
        self.machine.forget();
        if !self.machine.may_happen(event)? {
            return Ok(());
        }
        let by = if self.machine.is_decided_by_field(event) {
            None
        } else {
            Some(self.machine.decides(event)?)
        };
        let mut reasons = Vec::new();
        let fields = self.compiled.events[event].fields.len();
        let words = fields + WORDS;
        let mut kept = found.len() * words;
        self.machine.found.clear();
        self.machine
            .each_event(event, illegal, &mut |machine, event| {
                let reason = if illegal {
                    machine.reason(event)?
                } else {
                    None
                };
                kept += words + reason.as_ref().map_or(0, Reason::words);
                let in_hand = machine.current_fields();
                machine.found.extend(in_hand);
                reasons.push(reason);
                machine.fits(kept)
            })?;
        for (place, reason) in reasons.into_iter().enumerate() {
            let at = place * fields;
            self.machine.take_found(event, at..at + fields);
            self.machine.forget_fields();
            self.machine.collect_if_due();
            if !self.machine.is_offered(event) {
                continue;
            }
            if let Some(written) = self.written(play, event)? {
                let reason = match reason {
                    Some(reason) => Some(reason),
                    None => self.machine.broken(event)?,
                };
                found.push(FoundMove {
                    event,
                    written,
                    by: match &by {
                        Some(by) => by.clone(),
                        None => self.machine.decides(event)?,
                    },
                    weight: self.machine.weight(event)?,
                    reason,
                });
            }
        }
        self.machine.found.clear();
        Ok(())
    }

    /// Compares the counts of shorter lines: `Some(0)` if there are none, `None` if the lines can be counted.
    ///
    /// # Errors
    /// If there are too many lines to be counted; whatever stops a line.
    fn estimate_lines(&mut self, events: &[usize], depth: u32) -> Result<Option<u64>, Stop> {
        if depth > GREATEST_LINE {
            return Err(Box::new(Fault::Lines { depth, known: None }));
        }
        let (mut before, mut known) = (1, None);
        // The ratio of the last count to the one before it.
        let mut grew = (1, 0);
        for shorter in 1..depth {
            let count = match (self.count_lines(events, shorter), known) {
                (Err(stop), Some(_)) if matches!(*stop, Fault::Work) => {
                    return Err(Box::new(Fault::Lines { depth, known }));
                }
                (count, _) => count?,
            };
            if count == 0 {
                return Ok(Some(0));
            }
            let growth = count / before;
            let grown = |lines: u64| {
                lines
                    .checked_mul(growth)
                    .filter(|lines| *lines < MOST_LINES)
            };
            let mut lines = Some(count);
            if growth > 1 {
                for _ in shorter..depth {
                    lines = lines.and_then(grown);
                }
            }
            // A small count says little about the next one.
            if count >= MANY_LINES {
                known = Some((shorter, count, growth));
                if lines.is_some() {
                    return Ok(None);
                }
                // If the growth shrinks, the lines may end before that depth, so they are counted.
                if !is_clearly_less((count, before), grew) {
                    return Err(Box::new(Fault::Lines { depth, known }));
                }
            }
            grew = (count, before);
            before = count;
        }
        Ok(None)
    }

    /// Counts the lines of play with this many events.
    fn count_lines(&mut self, events: &[usize], depth: u32) -> Result<u64, Stop> {
        if depth == 0 {
            return Ok(1);
        }
        // The events of this level are stored after those of the levels before.
        let begin = self.machine.found.len();
        let mut sorts = Vec::with_capacity(events.len());
        for event in events {
            self.machine.forget();
            if self.machine.may_happen(*event)? {
                let partly = self.reached.filter(|play| may_have_no_line(play, *event));
                let keep = depth > 1 || partly.is_some();
                let mut count = self.machine.find_events(*event, keep)?;
                if let Some(play) = partly {
                    count = self.keep_written(play, *event, count)?;
                }
                sorts.push((*event, count));
            }
        }
        if depth == 1 {
            self.machine.found.truncate(begin);
            return Ok(sorts.iter().map(|(_, count)| count).sum());
        }
        let mut lines = 0;
        let mut next = begin;
        for (event, count) in sorts {
            let fields = self.compiled.events[event].fields.len();
            for _ in 0..count {
                let snapshot = self.machine.snapshot();
                self.machine.take_found(event, next..next + fields);
                next += fields;
                self.machine.forget_fields();
                self.machine.try_event()?;
                if self.machine.step()? == After::On {
                    lines += self.count_lines(events, depth - 1)?;
                }
                self.machine.restore(&snapshot);
                self.machine.out.clear();
            }
        }
        self.machine.found.truncate(begin);
        Ok(lines)
    }

    /// Whether the current event has the values that the row sets without reading them.
    pub(super) fn fits(&mut self, row: &'c PlayRow) -> Result<bool, Stop> {
        let fields = self.machine.current_fields();
        let mut read = vec![false; fields.len()];
        for item in &row.pattern.items {
            match item {
                Item::Word(segments) => {
                    for segment in segments {
                        if let Segment::Hole(hole) = segment
                            && let Target::Field(field) = hole.target
                        {
                            read[field] = true;
                        }
                    }
                }
                Item::Many { hole, .. } => {
                    if let Target::Field(field) = hole.target {
                        read[field] = true;
                    }
                }
            }
        }
        for (field, value) in &row.fields {
            read[*field] = true;
            if self.machine.step_value(value)? != fields[*field] {
                return Ok(false);
            }
        }
        // A field that is neither read nor set is none.
        Ok(read
            .iter()
            .zip(&fields)
            .all(|(read, value)| *read || *value == crate::code::NONE))
    }

    pub(super) fn write_row(&mut self, row: &'c PlayRow) -> Result<bool, Stop> {
        let begun = self.machine.out.len();
        for item in &row.pattern.items {
            let before = self.machine.out.len();
            if before > begun {
                self.machine.out.push(b' ');
            }
            let word = self.machine.out.len();
            match item {
                Item::Word(segments) => {
                    for segment in segments {
                        match segment {
                            Segment::Literal(text) => {
                                self.machine.out.extend_from_slice(text.as_bytes());
                            }
                            Segment::Hole(hole) if self.write_hole(hole, false)? => {}
                            Segment::Hole(_) => return Ok(false),
                        }
                    }
                }
                Item::Many { hole, .. } if !self.write_hole(hole, true)? => return Ok(false),
                Item::Many { .. } => {}
            }
            if self.machine.out.len() == word {
                self.machine.out.truncate(before);
            }
        }
        Ok(true)
    }

    /// Writes the value of a hole. Returns whether the value can be written.
    fn write_hole(&mut self, hole: &'c Hole, blanks: bool) -> Result<bool, Stop> {
        let Target::Field(field) = hole.target else {
            return Ok(false);
        };
        let value = self.machine.current_fields()[field];
        if value == crate::code::NONE {
            return Ok(match &hole.absent {
                Some(absent) => {
                    self.machine.out.extend_from_slice(absent.as_bytes());
                    true
                }
                None => false,
            });
        }
        if hole.shape == Shape::Scalar {
            return self.write_value(&hole.reading, value);
        }
        let mut members = Vec::new();
        self.machine
            .each_member(value, &hole.shape, &mut |_, member| {
                members.push(member);
                Ok(true)
            })?;
        self.write_members(hole, &members, blanks)
    }

    /// Writes members as a hole reads them; says whether all have a form.
    pub(super) fn write_members(
        &mut self,
        hole: &'c Hole,
        members: &[i64],
        blanks: bool,
    ) -> Result<bool, Stop> {
        if members.is_empty() {
            let absent = hole.absent.as_deref().unwrap_or_default().as_bytes();
            self.machine.out.extend_from_slice(absent);
            return Ok(blanks || !absent.is_empty());
        }
        let reading = match &hole.reading {
            Reading::Joined(inner) => inner,
            other => other,
        };
        for (place, member) in members.iter().enumerate() {
            if place > 0 {
                let separator = match &hole.between {
                    Some(between) if place + 1 == members.len() => between.last.written(),
                    Some(between) => between.by.written(),
                    None => (if blanks { " " } else { "" }).into(),
                };
                self.machine.out.extend_from_slice(separator.as_bytes());
            }
            if !self.write_value(reading, *member)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn write_value(&mut self, reading: &'c Reading, value: i64) -> Result<bool, Stop> {
        match reading {
            Reading::Number { .. } => self.machine.say_value(value, &Written::Number)?,
            Reading::Decimal { places, .. } => {
                let text = crate::arithmetic::decimal_text(value, *places);
                self.machine.out.extend_from_slice(text.as_bytes());
            }
            Reading::YesNo => self.machine.say_value(value, &Written::YesNo)?,
            Reading::Word => self.machine.say_value(value, &Written::Text)?,
            Reading::Form(form) => self.machine.say_form(value, *form)?,
            Reading::Attribute(texts) => {
                let Some((text, _)) = texts.iter().find(|(_, other)| *other == value) else {
                    return Ok(false);
                };
                self.machine.out.extend_from_slice(text.as_bytes());
            }
            Reading::Joined(_) => return Ok(false),
        }
        Ok(true)
    }
}
