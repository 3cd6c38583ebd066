//! Why the events on one line of a transcript did what they did.

mod asked;

use std::rc::Rc;

use super::{Run, Stopped, reader::shown};
use crate::{
    code::{Pattern, Play, explain::Explained},
    explanation::{By, Event, Explanation, VERSION, Value},
    fault::{Fault, Stop},
    machine::{After, Executable, Moment, Subject},
};
pub(crate) use asked::Until;
use asked::{Asking, Standing};

/// How many events of a line are told.
const MOST_EVENTS: usize = 500;

/// What is asked of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'c> {
    pub(crate) explained: &'c Explained,
    /// Other rules that hold from this line on.
    pub(crate) instead: Option<(&'c Executable, &'c Explained)>,
    pub(crate) line: usize,
    /// How many facts are looked into, one in the other.
    pub(crate) depth: usize,
    /// What did not happen.
    pub(crate) not: Option<&'c str>,
    /// The number of an expression that is asked: in the events that know what it speaks of, or else after the line.
    pub(crate) of: Option<usize>,
    /// Whether to tell how values are written.
    pub(crate) words: bool,
    /// Of several events on the line, the last one after which what is asked is asked.
    pub(crate) until: Option<Until>,
    /// Whether no line is named, so that what is asked is asked after the whole transcript.
    pub(crate) to_end: bool,
}

/// A line, explained.
#[derive(Debug)]
pub(crate) struct LineExplained<'c> {
    pub(crate) told: Explanation,
    /// What keeps the run from going on, where that is on this line and no row says so.
    pub(crate) stopped: Option<Box<Stopped>>,
    /// Why the expression that is asked has no value, where it was asked last.
    pub(crate) valueless: Option<Box<Stopped>>,
    /// What may come there and is written much like it.
    pub(crate) meant: Vec<String>,
    /// How values are written after the line: the type, the value, and that.
    pub(crate) words: Vec<(&'c str, i64, String)>,
    /// Whether its answer and `words` are as after the last event on the line.
    is_answered: bool,
}

/// A line that is being explained.
#[derive(Debug)]
pub(super) struct Telling<'c> {
    question: Question<'c>,
    told: LineExplained<'c>,
    asking: Option<Asking>,
    standing: Vec<Standing>,
    /// What `not` names, if it is a row of a fact about the state: it is asked after the line, as such a fact is.
    after: Option<(String, Subject)>,
    /// The names of what the events on the line have, if none of them has what is asked for.
    names: Vec<String>,
    /// The last line that had an event.
    reached: Option<usize>,
    /// How many events on the line were told when it was answered last.
    answered: usize,
    /// The line of the last event that was read, drawn or chosen, and its number among these.
    step: (usize, usize),
    /// How much was read from the line besides events for a game that had an event there or ended there.
    read: usize,
}

impl<'c> Telling<'c> {
    fn new(question: Question<'c>) -> Telling<'c> {
        Telling {
            question,
            told: LineExplained {
                told: Explanation {
                    version: VERSION,
                    line: question.line,
                    blank: None,
                    question: false,
                    read: Vec::new(),
                    events: Vec::new(),
                    stopped: None,
                    asked: None,
                    veiled: false,
                    part: String::new(),
                },
                stopped: None,
                valueless: None,
                meant: Vec::new(),
                words: Vec::new(),
                is_answered: false,
            },
            asking: None,
            standing: Vec::new(),
            after: None,
            names: Vec::new(),
            reached: None,
            answered: 0,
            step: (0, 0),
            read: 0,
        }
    }
}

impl<'c> Run<'c, '_> {
    /// Runs to a line and explains what is read from it.
    ///
    /// # Errors
    /// What stopped it before that line; that nothing is read from it, or has the name that is asked for.
    pub(crate) fn why(mut self, question: Question<'c>) -> Result<LineExplained<'c>, Box<Stopped>> {
        self.telling = Some(Box::new(Telling::new(question)));
        let result = self.all_told();
        let mut telling = self.telling.take();
        if let Some(telling) = &mut telling
            && !telling.told.is_answered
        {
            self.tell_after(telling);
        }
        match (telling, result) {
            (Some(telling), Ok(())) => self.told(*telling, None),
            (Some(telling), Err(stop)) => self.told(*telling, Some(stop)),
            (None, _) => Err(self.stopped(Box::new(Fault::NotPlaying))),
        }
    }

    /// Answers what is asked after the line, and keeps how values are written there: the next game may have other names,
    /// so this cannot wait until the run comes past the line.
    fn tell_after(&mut self, telling: &mut Telling<'c>) {
        telling.told.is_answered = true;
        telling.told.told.asked = None;
        match self.asked_after(&telling.question, telling.after.as_ref()) {
            Ok(None) => {}
            Ok(asked) => (telling.told.told.asked, telling.told.valueless) = (asked, None),
            Err(stop) => telling.told.valueless = Some(self.stopped(stop)),
        }
        if telling.question.words {
            telling.told.words = self.machine.current_words();
        }
    }

    /// The same, after an event on the line.
    fn tell_after_event(&mut self) {
        if let Some(mut telling) = self.telling.take() {
            let events = &telling.told.told.events;
            let until = telling.question.until;
            let is_past = until.is_some_and(|until| until.is_before(events, telling.answered));
            if !telling.question.to_end && !is_past {
                telling.answered = events.len();
                self.tell_after(&mut telling);
            }
            self.telling = Some(telling);
        }
    }

    fn all_told(&mut self) -> Result<(), Stop> {
        let transcript = self.transcript;
        self.machine.set_bottom(transcript.locals);
        self.steps(&transcript.steps)?;
        self.nothing_left()
    }

    fn told(
        &mut self,
        telling: Telling<'c>,
        stop: Option<Stop>,
    ) -> Result<LineExplained<'c>, Box<Stopped>> {
        let Telling {
            question,
            mut told,
            names,
            after,
            asking: _,
            standing: _,
            reached: _,
            answered: _,
            step: _,
            read: _,
        } = telling;
        let events = &told.told.events;
        if let (Some(not), Some(first), None) = (question.not, events.first(), after)
            && events.iter().all(|event| event.asked.is_none())
        {
            let fault = Fault::NoName {
                name: not.to_string(),
                event: first.event.clone(),
                names,
            };
            return Err(self.stopped(Box::new(fault)));
        }
        let is_told = events.last().is_some_and(Event::is_impossible);
        let passed = !events.is_empty() || !told.told.read.is_empty();
        match stop {
            Some(stop) if !matches!(*stop, Fault::Reached) && !is_told => {
                let stopped = self.stopped(stop);
                let ends = stopped.ends();
                // That more is due after a line is nothing about it.
                if ends && passed {
                    return Ok(told);
                }
                if stopped.place.line == question.line {
                    if !ends && matches!(stopped.fault, Fault::Transcript(_)) {
                        let place = &stopped.place;
                        let words = place.text.get(place.start..place.end);
                        told.meant = self.meant(&place.text, words.unwrap_or_default());
                    }
                    told.stopped = Some(stopped);
                } else if !passed || stopped.place.line < question.line {
                    return Err(stopped);
                }
            }
            _ => {}
        }
        if !passed && told.stopped.is_none() {
            return Err(self.stopped(Box::new(Fault::NotPlaying)));
        }
        Ok(told)
    }

    /// Remembers how words were written that were read, where somebody asks about their line.
    pub(super) fn tell_read(&mut self, pattern: &'c Pattern) {
        let line = self.reader.last_line();
        if self
            .telling
            .as_ref()
            .is_some_and(|telling| telling.question.line == line)
        {
            let written = self.shown(pattern);
            if let Some(telling) = &mut self.telling {
                telling.told.told.read.push(written);
            }
        }
    }

    /// The question, if it is about the line that was read last.
    ///
    /// # Errors
    /// That the line has been passed.
    fn question(&mut self) -> Result<Option<Question<'c>>, Stop> {
        let Some(telling) = &mut self.telling else {
            return Ok(None);
        };
        let line = self.reader.last_line();
        telling.reached = Some(line);
        if line > telling.question.line {
            return Err(Box::new(Fault::Reached));
        }
        if line < telling.question.line {
            return Ok(None);
        }
        if let Some((compiled, explained)) = telling.question.instead.take() {
            telling.question.explained = explained;
            self.machine.change_rules(compiled);
        }
        Ok(Some(telling.question))
    }

    /// The number of the event in hand among those on its line that were read, drawn or chosen.
    fn next_step(&mut self, line: usize) -> usize {
        let Some(telling) = &mut self.telling else {
            return 0;
        };
        let before = match telling.step {
            (last, before) if last == line => before,
            _ => 0,
        };
        telling.step = (line, before + 1);
        before + 1
    }

    /// What was read so far belongs to the game that ends.
    pub(super) fn tell_stop(&mut self) {
        if let Some(telling) = &mut self.telling {
            telling.read = telling.told.told.read.len();
        }
    }

    /// Whether a game that starts belongs to a later line than the one that is asked about, on which another ended:
    /// nothing more stands there, and nothing was read from it for this one.
    fn starts_later(&mut self) -> Result<bool, Stop> {
        let Some(telling) = &self.telling else {
            return Ok(false);
        };
        let told = &telling.told.told;
        if told.events.is_empty() || told.read.len() > telling.read {
            return Ok(false);
        }
        let line = telling.question.line;
        Ok(self.peek(0)?.is_none() || self.reader.next_line() > line)
    }

    /// Starts a game, and explains that if somebody asks for it.
    pub(super) fn start_told(&mut self) -> Result<bool, Stop> {
        if self.starts_later()? {
            return Err(Box::new(Fault::Reached));
        }
        let question = self.question();
        if question.is_err() {
            // What is wrong with the names on the line is only found here.
            self.machine.prepare(&self.given)?;
        }
        let Some(question) = question? else {
            let asks = self.telling.as_ref();
            let over = if asks.is_some_and(|telling| telling.asking.is_some()) {
                self.machine.prepare(&self.given)?;
                self.values_told();
                self.machine.open()?
            } else {
                self.machine.start(&self.given)?
            };
            self.machine.watch_changes();
            if let Some(telling) = &mut self.telling {
                telling.standing.iter_mut().for_each(|one| one.times = 0);
            }
            self.note_standing(0, 0);
            return Ok(over);
        };
        self.machine.prepare(&self.given)?;
        self.machine.watch_changes();
        self.tell(&question, By::Transcript, None, None)?;
        let over = self.machine.open()?;
        self.tell_after_event();
        Ok(over)
    }

    /// Does the event in hand and what follows it, and explains them if somebody asks for it. `chosen` is the policy's
    /// name and rows, if one chose it.
    pub(super) fn step_told(
        &mut self,
        play: Option<&'c Play>,
        chosen: Option<By>,
    ) -> Result<After, Stop> {
        let question = self.question()?;
        let words = play.map(|_| {
            let words =
                (0..self.reader.last_count()).map(|index| shown(self.reader.last_word(index)));
            words.collect::<Vec<_>>().join(" ")
        });
        let moment = Moment {
            line: self.reader.last_line(),
            words: words
                .as_deref()
                .filter(|_| !self.transcript.by_lines)
                .map(Rc::from),
        };
        let step = self.next_step(moment.line);
        let Some(question) = question else {
            if !self.values_told() {
                let after = self.machine.step()?;
                self.machine.note_changes(&moment, step);
                self.note_standing(moment.line, step);
                return Ok(after);
            }
            let mut after = self.machine.happen(true)?;
            while after == After::On && self.machine.take_next()?.is_some() {
                self.values_told();
                after = self.machine.happen(false)?;
            }
            return Ok(after);
        };
        self.machine.set_explained_event(Some(moment.clone()));
        self.tell(&question, chosen.unwrap_or(By::Transcript), words, play)?;
        let mut after = self.machine.happen(true)?;
        self.machine.note_changes(&moment, step);
        while after == After::On {
            // What follows comes after the event that is asked about.
            if let Some(Until::Event(_)) = question.until {
                self.tell_after_event();
            }
            self.tell_follows(&question)?;
            let rules = &question.explained.events[self.machine.event].follows;
            let decision = self
                .machine
                .decision(question.explained, rules, question.depth)?;
            if self.machine.take_next()?.is_none() {
                break;
            }
            self.tell(&question, By::Follows { decision }, None, None)?;
            after = self.machine.happen(false)?;
            self.machine.note_changes(&moment, step);
        }
        self.tell_after_event();
        Ok(after)
    }

    /// Which rule of a policy chooses the next event, if somebody asks for it.
    pub(super) fn decision_told(&mut self, policy: usize) -> Result<Option<By>, Stop> {
        let Some(question) = self.question()? else {
            return Ok(None);
        };
        let rules = &question.explained.policies[policy];
        let decision = self
            .machine
            .decision(question.explained, rules, question.depth)?;
        let name = question.explained.policy_names[policy].clone();
        Ok(Some(By::Policy { name, decision }))
    }

    /// Explains the event in hand.
    fn tell(
        &mut self,
        question: &Question<'c>,
        by: By,
        words: Option<String>,
        play: Option<&'c Play>,
    ) -> Result<(), Stop> {
        let event = self.machine.event;
        let explained = question.explained;
        let number = self.telling.as_ref().map_or(0, |telling| telling.step.1);
        let column = play.map(|_| {
            let place = self.reader.last_place(0, 1);
            let before = place.text.get(..place.start).unwrap_or_default();
            place.skipped + before.chars().count() + 1
        });
        let told = self
            .telling
            .as_ref()
            .map_or(0, |telling| telling.told.told.events.len());
        if told == MOST_EVENTS {
            return Err(Box::new(Fault::Reached));
        }
        let mut event_told = Event {
            column,
            words,
            step: number,
            ..Event::new(told + 1, &self.compiled.events[event].name, by)
        };
        for (name, text, _) in &explained.events[event].fields {
            if let Some(text) = text {
                let value = self.machine.rendered(text)?;
                event_told.fields.push(Value::new(name.clone(), value));
            }
        }
        let depth = question.depth;
        self.machine
            .explain_event(explained, depth, &mut event_told)?;
        if let Some(play) = play
            && (event_told.is_impossible() || event_told.is_refused())
        {
            (event_told.beside, _) = self.beside(explained, play, false, &mut |machine| {
                machine.is_legal(explained)
            })?;
            if event_told.beside.is_empty() {
                (event_told.beside, _) = self.beside(explained, play, false, &mut |_| Ok(true))?;
            }
            if event_told.beside.is_empty() {
                event_told.may_come = self.may_come(play)?;
            }
        }
        let expression = question.of;
        let expression = expression.and_then(|number| explained.question(number, Some(event)));
        event_told.asked = match (question.not, expression) {
            (_, Some(fact)) => {
                let named = (String::new(), Subject::Fact(fact, None));
                match self.answer_to(question, named, play, &event_told) {
                    Ok(asked) => Some(asked),
                    Err(stop) if matches!(*stop, Fault::Reached) => return Err(stop),
                    Err(stop) => {
                        let stopped = self.stopped(stop);
                        if let Some(telling) = &mut self.telling {
                            telling.told.valueless = Some(stopped);
                        }
                        None
                    }
                }
            }
            (Some(name), None) => self.ask(question, name, play, &event_told)?,
            (None, None) => None,
        };
        if let Some(telling) = &mut self.telling {
            telling.read = telling.told.told.read.len();
            telling.told.told.events.push(event_told);
        }
        Ok(())
    }
}
