//! Prepares rounds of a transcript's loop, so that several processors can share one transcript.
//!
//! A thread runs a part of the text from a line where a round may begin, on the chance that one does. At the start of
//! each round, the main run asks whether a part began a round on the same line. If so, everything that the part
//! prepared from there on is what the main run would produce, because nothing persists from one round to the next;
//! [`Rounds::of`] says for which forms that is true. The main run repeats the last of these rounds itself, and is then
//! in the same state as if it had run them all.

use std::{
    ptr,
    sync::atomic::{AtomicBool, Ordering},
};

use super::Run;
use crate::{
    code::{
        Chooser, Code, Compiled, Hole, Item, Pattern, Reading, Segment, Step, Target, Transcript,
    },
    fault::{Fault, Stop},
    machine::{Machine, Numbered},
};

/// The longest report of a part, in bytes.
const MOST_SAID: usize = 1 << 25;

/// The loop of a form whose rounds can be prepared separately.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rounds<'c> {
    steps: &'c [Step],
    /// The words that end the loop, if any.
    until: Option<&'c Pattern>,
    /// The least game number from which on prepared rounds may follow.
    pub(crate) least_number: i64,
}

/// The start of a prepared round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) line: usize,
    /// The length of the report before it, in bytes.
    pub(crate) said: usize,
    /// The number of prepared rounds before it.
    pub(crate) rounds: i64,
}

/// A prepared part.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The starts of its rounds, and of the one that would follow.
    pub(crate) marks: Vec<Mark>,
    pub(crate) said: Vec<u8>,
    /// Game numbers in the report, which are to be replaced.
    pub(crate) numbers: Vec<Numbered>,
    /// The number before those of its games.
    pub(crate) before: i64,
    /// Whether it reached its end, or the end of the loop.
    pub(crate) is_whole: bool,
}

/// Rounds that the main run can skip.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Their report.
    pub(crate) said: Vec<u8>,
    pub(crate) rounds: i64,
    /// The line on which the next round begins, and the input continues.
    pub(crate) line: usize,
}

/// Returns prepared rounds. Takes the line where they begin, their greatest number, the number of games prepared
/// before, and the numbers that the transcript has read.
pub(crate) type Helper<'io> = dyn FnMut(usize, i64, i64, &[i64]) -> Option<Prepared> + 'io;

/// Gives a run its prepared rounds.
pub(super) struct Prepares<'c, 'io> {
    rounds: Rounds<'c>,
    helper: &'io mut Helper<'io>,
}

impl<'c> Rounds<'c> {
    /// The loop of a form whose rounds can be prepared separately, if it has one.
    pub(crate) fn of(compiled: &'c Compiled, transcript: &'c Transcript) -> Option<Rounds<'c>> {
        // The order of entries with words in them depends on the words that came before.
        let words = compiled.keeps_texts || !compiled.text_roots.is_empty();
        let ordered = compiled.hashed.iter().any(|hashed| !hashed.text);
        if compiled.number_uses.elsewhere || words && ordered {
            return None;
        }
        let mut found = None;
        for step in &transcript.steps {
            let (steps, until) = match step {
                Step::Pattern(pattern) if reads_numbers_only(pattern) => continue,
                Step::Times(_, steps) if begins_with_word(steps) => (steps, None),
                Step::Until(words, steps) => (steps, Some(words)),
                Step::Pattern(_) | Step::Start | Step::Play(_) | Step::Times(..) => return None,
            };
            if found.is_some() || !are_apart(compiled, steps) {
                return None;
            }
            found = Some(Rounds {
                steps,
                until,
                least_number: compiled.number_uses.greatest.max(0),
            });
        }
        found
    }
}

/// Whether a round begins with a word, so that looking for it evaluates nothing.
fn begins_with_word(steps: &[Step]) -> bool {
    let Some(Step::Pattern(pattern)) = steps.first() else {
        return false;
    };
    matches!(pattern.items.first(), Some(Item::Word(_)))
}

/// Whether a pattern reads only the transcript's own numbers.
fn reads_numbers_only(pattern: &Pattern) -> bool {
    holes(pattern).all(|(hole, _)| matches!(hole.target, Target::Number(_)))
}

/// The holes of a pattern, each with the code for its number of words, if it has that.
fn holes(pattern: &Pattern) -> impl Iterator<Item = (&Hole, Option<&Code>)> {
    pattern.items.iter().flat_map(|item| match item {
        Item::Word(segments) => segments
            .iter()
            .filter_map(|segment| match segment {
                Segment::Hole(hole) => Some((&**hole, None)),
                Segment::Literal(_) => None,
            })
            .collect::<Vec<_>>(),
        Item::Many { hole, count } => vec![(&**hole, count.as_ref())],
    })
}

/// Whether the steps of a round depend on nothing from earlier rounds: all givens are read anew, each time in the same
/// way and before the only start, and nothing is random.
fn are_apart(compiled: &Compiled, steps: &[Step]) -> bool {
    let mut read = Vec::new();
    let mut started = false;
    for step in steps {
        let apart = match step {
            Step::Start => {
                let mut drawn = compiled.givens.iter().filter(|given| given.drawn.is_some());
                let all_read = drawn.all(|given| read.contains(&given.offset));
                all_read && !std::mem::replace(&mut started, true)
            }
            Step::Play(play) => started && !matches!(play.by, Some(Chooser::Lot)),
            Step::Pattern(pattern) if started => holes(pattern).next().is_none(),
            Step::Pattern(pattern) => {
                holes(pattern).all(|(hole, count)| is_given_anew(compiled, hole, count, &mut read))
            }
            Step::Times(..) | Step::Until(..) => false,
        };
        if !apart {
            return false;
        }
    }
    started
}

/// Whether code depends only on what was read at these places in the same round.
fn is_known(code: &Code, read: &[usize]) -> bool {
    match code {
        Code::Constant(_) => true,
        Code::Load(place) => read.contains(&(*place as usize)),
        Code::BitsSize(operand) => is_known(operand, read),
        Code::Add(pair, _) | Code::Subtract(pair, _) | Code::Multiply(pair, _) => {
            is_known(&pair.0, read) && is_known(&pair.1, read)
        }
        _ => false,
    }
}

/// Whether a hole reads a given, and depends only on what was read in the same round.
fn is_given_anew(
    compiled: &Compiled,
    hole: &Hole,
    count: Option<&Code>,
    read: &mut Vec<usize>,
) -> bool {
    let known = |code: &Code| is_known(code, read);
    let mut fine = count.is_none_or(known);
    if let Some(check) = &hole.check {
        check.pieces(&mut |node| node.each(&mut |code| fine = fine && known(code)));
    }
    let form = match &hole.reading {
        Reading::Form(form) => Some(*form),
        Reading::Joined(inner) => match **inner {
            Reading::Form(form) => Some(form),
            _ => None,
        },
        _ => None,
    };
    fine = fine && form.is_none_or(|form| !compiled.forms[form].given);
    match &hole.target {
        Target::Given(given, None) => {
            read.push(compiled.givens[*given].offset);
            fine
        }
        Target::Given(_, Some(Code::Constant(_))) => fine,
        Target::Given(..) | Target::Number(_) | Target::Field(_) => false,
    }
}

impl<'c, 'io> Run<'c, 'io> {
    /// Sets what prepares rounds of this run.
    pub(crate) fn helped(mut self, rounds: Rounds<'c>, helper: &'io mut Helper<'io>) -> Self {
        self.helped = Some(Prepares { rounds, helper });
        self
    }

    /// Skips the rounds that were prepared from here, except the last. Returns their number.
    pub(super) fn skip_rounds(&mut self, steps: &[Step], left: i64) -> Result<i64, Stop> {
        let Some(helped) = &self.helped else {
            return Ok(0);
        };
        if left < 2 || !ptr::eq(helped.rounds.steps, steps) {
            return Ok(0);
        }
        let games = self.machine.game_number();
        if games < helped.rounds.least_number || self.peek(0)?.is_none() {
            return Ok(0);
        }
        let (Some(line), Some(helped)) = (self.reader.begins_line(), &mut self.helped) else {
            return Ok(0);
        };
        let prepared = (helped.helper)(line, left - 1, games, self.machine.numbers_read());
        let Some(prepared) = prepared else {
            return Ok(0);
        };
        self.flush()?;
        if let Some(output) = &mut self.output {
            let written = output.write_all(&prepared.said);
            written.map_err(|error| Box::new(Fault::Output(error)))?;
        }
        self.machine.set_game_number(games + prepared.rounds);
        self.reader.go_on_at(prepared.line);
        Ok(prepared.rounds)
    }

    /// Runs rounds on the chance that one begins with the input, which starts on line `line`. Stops when one begins
    /// after line `last`, or at any fault: the main run will find out what it is.
    pub(crate) fn prepare_rounds(
        mut self,
        rounds: Rounds<'c>,
        (line, last): (usize, usize),
        numbers: &[i64],
        stop: &AtomicBool,
    ) -> Part {
        self.machine.numbers = Some(Vec::new());
        self.machine.set_bottom(self.transcript.locals);
        for (local, number) in (0..).zip(numbers) {
            self.machine.set_local(local, *number);
        }
        self.machine.set_game_number(rounds.least_number);
        self.reader.go_on_at(line);
        self.part = Some(Part {
            before: rounds.least_number,
            ..Part::default()
        });
        let mut marks = Vec::new();
        let is_whole = self.rounds_of_part(rounds, last, stop, &mut marks);
        let mut part = self.part.take().unwrap_or_default();
        part.keep(&mut self.machine);
        part.marks = marks;
        part.is_whole = is_whole;
        part
    }

    /// Runs rounds. Returns whether they ended properly.
    fn rounds_of_part(
        &mut self,
        rounds: Rounds<'c>,
        last: usize,
        stop: &AtomicBool,
        marks: &mut Vec<Mark>,
    ) -> bool {
        for prepared in 0.. {
            let taken = self.reader.taken();
            let ends = match rounds.until {
                _ if !matches!(self.peek(0), Ok(Some(()))) => true,
                Some(words) => !matches!(self.comes(words, false), Ok(false)),
                None => false,
            };
            if ends {
                return true;
            }
            if let Some(line) = self.reader.begins_line() {
                let kept = self.part.as_ref().map_or(0, |part| part.said.len());
                let said = kept + self.machine.out.len();
                marks.push(Mark {
                    line,
                    said,
                    rounds: prepared,
                });
                if line > last || said > MOST_SAID {
                    return true;
                }
            }
            let is_over = stop.load(Ordering::Relaxed) || self.steps(rounds.steps).is_err();
            if is_over || self.reader.taken() == taken {
                break;
            }
        }
        false
    }
}

impl Part {
    /// Takes the report of a machine.
    pub(super) fn keep(&mut self, machine: &mut Machine<'_>) {
        let before = self.said.len();
        self.said.extend_from_slice(&machine.out);
        machine.out.clear();
        let numbers = machine.numbers.as_mut();
        let numbers = numbers.into_iter().flat_map(|numbers| numbers.drain(..));
        self.numbers.extend(numbers.map(|numbered| Numbered {
            start: before + numbered.start,
            end: before + numbered.end,
            number: numbered.number,
        }));
    }

    /// The rounds from a line on, at most this many and without the last, if one begins there; `games` were prepared
    /// before.
    pub(crate) fn from(&self, line: usize, most: i64, games: i64) -> Option<Prepared> {
        let first = self
            .marks
            .binary_search_by_key(&line, |mark| mark.line)
            .ok()?;
        let from = self.marks.get(first)?;
        let whole = self.marks.len().checked_sub(2)?;
        let many = self
            .marks
            .partition_point(|mark| mark.rounds - from.rounds <= most);
        let to = self.marks.get(many.checked_sub(1)?.min(whole))?;
        if to.rounds <= from.rounds {
            return None;
        }
        let mut said = Vec::with_capacity(to.said - from.said);
        let mut at = from.said;
        let numbers = &self.numbers;
        let begin = numbers.partition_point(|numbered| numbered.start < from.said);
        let before = self.before + from.rounds;
        for numbered in numbers.iter().skip(begin) {
            if numbered.end > to.said {
                break;
            }
            said.extend_from_slice(self.said.get(at..numbered.start)?);
            let number = numbered.number - before + games;
            said.extend_from_slice(number.to_string().as_bytes());
            at = numbered.end;
        }
        said.extend_from_slice(self.said.get(at..to.said)?);
        Some(Prepared {
            said,
            rounds: to.rounds - from.rounds,
            line: to.line,
        })
    }
}
