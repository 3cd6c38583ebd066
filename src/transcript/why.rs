//! Explains the events on one line of a transcript.

mod answers;

use std::rc::Rc;

use super::{Run, Stopped, reader::shown};
use crate::{
    code::{Pattern, Play, explain::Explained},
    explanation::{By, Event, Explanation, Until, Value},
    fault::{Fault, Stop},
    machine::{After, Executable, Moment, Subject},
};
use answers::{MemberHistory, Probes};

/// The number of events on a line that are explained at most.
const MOST_EVENTS: usize = 500;

/// What to explain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WhyQuery<'c> {
    pub(crate) explained: &'c Explained,
    /// Other rules, which apply from this line on.
    pub(crate) replacement: Option<(&'c Executable, &'c Explained)>,
    pub(crate) line: usize,
    /// How deeply facts are explained within facts.
    pub(crate) depth: usize,
    /// The name of something that did not happen.
    pub(crate) not: Option<&'c str>,
    /// The number of an expression to evaluate: in the events that have all that it mentions, or else after the line.
    pub(crate) of: Option<usize>,
    /// Whether to collect how values are written.
    pub(crate) words: bool,
    /// The last event on the line after which the question is answered.
    pub(crate) until: Option<Until>,
    /// Whether no line was named, so that the question is answered after the whole transcript.
    pub(crate) to_end: bool,
}

/// The explanation of a line.
#[derive(Debug)]
pub(crate) struct LineExplanation<'c> {
    pub(crate) explanation: Explanation,
    /// Why the run stopped, if that was on this line and no row is the reason.
    pub(crate) stopped: Option<Box<Stopped>>,
    /// Why the expression had no value when it was last evaluated.
    pub(crate) valueless: Option<Box<Stopped>>,
    /// Possible lines that are spelt much like it.
    pub(crate) suggestions: Vec<String>,
    /// How values are written after the line: the type, the value, and its text.
    pub(crate) words: Vec<(&'c str, i64, String)>,
    /// Whether the answer and `words` are those after the last event on the line.
    is_answered: bool,
}

/// Collects the explanation of a line during a run.
#[derive(Debug)]
pub(super) struct Explainer<'c> {
    question: WhyQuery<'c>,
    result: LineExplanation<'c>,
    probes: Option<Probes>,
    histories: Vec<MemberHistory>,
    /// The subject of `not`, if it is a row of a fact about the state: it is explained after the line, like the fact.
    after: Option<(String, Subject)>,
    /// The names that the events on the line have, if none of them is the one in question.
    names: Vec<String>,
    /// The last line that had an event.
    reached: Option<usize>,
    /// How many events on the line had been explained when the question was last answered.
    answered: usize,
    /// The line of the last event that was read, drawn or chosen, and its number among these.
    step: (usize, usize),
    /// How much was read from the line besides events for a game that had an event there or ended there.
    read: usize,
}

impl<'c> Explainer<'c> {
    fn new(question: WhyQuery<'c>) -> Explainer<'c> {
        Explainer {
            question,
            result: LineExplanation {
                explanation: Explanation::new(question.line),
                stopped: None,
                valueless: None,
                suggestions: Vec::new(),
                words: Vec::new(),
                is_answered: false,
            },
            probes: None,
            histories: Vec::new(),
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
    /// Runs to a line and explains it.
    ///
    /// # Errors
    /// What stopped the run before that line, if nothing is read from it, or if it has nothing of the name in question.
    pub(crate) fn why(
        mut self,
        question: WhyQuery<'c>,
    ) -> Result<LineExplanation<'c>, Box<Stopped>> {
        self.explainer = Some(Box::new(Explainer::new(question)));
        let result = self.run_steps();
        let mut explainer = self.explainer.take();
        if let Some(explainer) = &mut explainer
            && !explainer.result.is_answered
        {
            self.answer_after_line(explainer);
        }
        match (explainer, result) {
            (Some(explainer), Ok(())) => self.finish_explanation(*explainer, None),
            (Some(explainer), Err(stop)) => self.finish_explanation(*explainer, Some(stop)),
            (None, _) => Err(self.stopped(Box::new(Fault::NotPlaying))),
        }
    }

    /// Answers the question after the line, and collects how values are written there. This cannot wait until the run
    /// has passed the line, because the next game may have other names.
    fn answer_after_line(&mut self, explainer: &mut Explainer<'c>) {
        explainer.result.is_answered = true;
        explainer.result.explanation.answer = None;
        match self.answer_state_query(&explainer.question, explainer.after.as_ref()) {
            Ok(None) => {}
            Ok(asked) => {
                explainer.result.explanation.answer = asked;
                explainer.result.valueless = None;
            }
            Err(stop) => explainer.result.valueless = Some(self.stopped(stop)),
        }
        if explainer.question.words {
            explainer.result.words = self.machine.current_words();
        }
    }

    /// Answers the question after an event on the line, unless a later event is in question.
    fn answer_after_event(&mut self) {
        if let Some(mut explainer) = self.explainer.take() {
            let events = &explainer.result.explanation.events;
            let until = explainer.question.until;
            let is_past = until.is_some_and(|until| until.is_before(events, explainer.answered));
            if !explainer.question.to_end && !is_past {
                explainer.answered = events.len();
                self.answer_after_line(&mut explainer);
            }
            self.explainer = Some(explainer);
        }
    }

    fn run_steps(&mut self) -> Result<(), Stop> {
        let transcript = self.transcript;
        self.machine.set_bottom(transcript.locals);
        self.steps(&transcript.steps)?;
        self.nothing_left()
    }

    fn finish_explanation(
        &mut self,
        explainer: Explainer<'c>,
        stop: Option<Stop>,
    ) -> Result<LineExplanation<'c>, Box<Stopped>> {
        let Explainer {
            question,
            mut result,
            names,
            after,
            probes: _,
            histories: _,
            reached: _,
            answered: _,
            step: _,
            read: _,
        } = explainer;
        let events = &result.explanation.events;
        let asked = match question.until {
            Some(Until::Event(number)) => events.get(number.saturating_sub(1)),
            _ => None,
        };
        let asked = asked.or(events.first());
        if let (Some(not), Some(asked), None) = (question.not, asked, after)
            && events.iter().all(|event| event.answer.is_none())
        {
            let fault = Fault::NoName {
                name: not.to_string(),
                event: asked.event.clone(),
                names,
            };
            return Err(self.stopped(Box::new(fault)));
        }
        let is_told = events.last().is_some_and(Event::is_impossible);
        let passed = !events.is_empty() || !result.explanation.read.is_empty();
        match stop {
            Some(stop) if !matches!(*stop, Fault::Reached) && !is_told => {
                let stopped = self.stopped(stop);
                let ends = stopped.ends();
                // That the transcript ends too early is no fault of this line.
                if ends && passed {
                    return Ok(result);
                }
                if stopped.place.line == question.line {
                    if !ends && matches!(stopped.fault, Fault::Transcript(_)) {
                        let place = &stopped.place;
                        let words = place.text.get(place.start..place.end);
                        result.suggestions =
                            self.suggestions(&place.text, words.unwrap_or_default());
                    }
                    result.stopped = Some(stopped);
                } else if !passed || stopped.place.line < question.line {
                    return Err(stopped);
                }
            }
            _ => {}
        }
        if !passed && result.stopped.is_none() {
            return Err(self.stopped(Box::new(Fault::NotPlaying)));
        }
        Ok(result)
    }

    /// Collects the words that were read, if they are on the line to explain.
    pub(super) fn note_read(&mut self, pattern: &'c Pattern) {
        let line = self.reader.last_line();
        if self
            .explainer
            .as_ref()
            .is_some_and(|explainer| explainer.question.line == line)
        {
            let written = self.shown(pattern);
            if let Some(explainer) = &mut self.explainer {
                explainer.result.explanation.read.push(written);
            }
        }
    }

    /// The question, if it is about the line that was read last.
    ///
    /// # Errors
    /// If the line has been passed.
    fn question(&mut self) -> Result<Option<WhyQuery<'c>>, Stop> {
        let Some(explainer) = &mut self.explainer else {
            return Ok(None);
        };
        let line = self.reader.last_line();
        explainer.reached = Some(line);
        if line > explainer.question.line {
            return Err(Box::new(Fault::Reached));
        }
        if line < explainer.question.line {
            return Ok(None);
        }
        if let Some((compiled, explained)) = explainer.question.replacement.take() {
            explainer.question.explained = explained;
            self.machine.change_rules(compiled);
        }
        Ok(Some(explainer.question))
    }

    /// The number of the current event among those on its line that were read, drawn or chosen.
    fn next_step(&mut self, line: usize) -> usize {
        let Some(explainer) = &mut self.explainer else {
            return 0;
        };
        let before = match explainer.step {
            (last, before) if last == line => before,
            _ => 0,
        };
        explainer.step = (line, before + 1);
        before + 1
    }

    /// Marks everything read so far as part of the game that ends.
    pub(super) fn note_game_end(&mut self) {
        if let Some(explainer) = &mut self.explainer {
            explainer.read = explainer.result.explanation.read.len();
        }
    }

    /// Whether a game that starts belongs to a line after the one in question, on which another game ended: the line
    /// has no more words, and none was read for the new game.
    fn starts_later(&mut self) -> Result<bool, Stop> {
        let Some(explainer) = &self.explainer else {
            return Ok(false);
        };
        let explanation = &explainer.result.explanation;
        if explanation.events.is_empty() || explanation.read.len() > explainer.read {
            return Ok(false);
        }
        let line = explainer.question.line;
        Ok(self.peek(0)?.is_none() || self.reader.next_line() > line)
    }

    /// Starts a game, and explains the start if the question is about it.
    pub(super) fn start_explained(&mut self) -> Result<bool, Stop> {
        if self.starts_later()? {
            return Err(Box::new(Fault::Reached));
        }
        let question = self.question();
        if question.is_err() {
            // Only this finds what is wrong with the names on the line.
            self.machine.prepare(&self.given)?;
        }
        let Some(question) = question? else {
            let asks = self.explainer.as_ref();
            let over = if asks.is_some_and(|explainer| explainer.probes.is_some()) {
                self.machine.prepare(&self.given)?;
                self.evaluate_probes();
                self.machine.open()?
            } else {
                self.machine.start(&self.given)?
            };
            self.machine.watch_changes();
            let line = self.reader.last_line();
            if let Some(explainer) = &mut self.explainer {
                let histories = explainer.histories.iter_mut();
                histories.for_each(|one| one.start(line));
            }
            self.note_members(0, 0);
            return Ok(over);
        };
        self.machine.prepare(&self.given)?;
        self.machine.watch_changes();
        self.explain_event(&question, By::Transcript, None, None)?;
        let over = self.machine.open()?;
        self.answer_after_event();
        Ok(over)
    }

    /// Runs the current event and those that follow it, and explains them if the question is about them. `chosen` is
    /// the decision of the policy that chose the event.
    pub(super) fn step_explained(
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
            if !self.evaluate_probes() {
                let after = self.machine.step()?;
                self.machine.note_changes(&moment, step);
                self.note_members(moment.line, step);
                return Ok(after);
            }
            let mut after = self.machine.happen(true)?;
            while after == After::On && self.machine.take_next()?.is_some() {
                self.evaluate_probes();
                after = self.machine.happen(false)?;
            }
            return Ok(after);
        };
        self.machine.set_explained_event(Some(moment.clone()));
        self.explain_event(&question, chosen.unwrap_or(By::Transcript), words, play)?;
        let mut after = self.machine.happen(true)?;
        self.machine.note_changes(&moment, step);
        while after == After::On {
            // What follows comes after the event that is asked about.
            if let Some(Until::Event(_)) = question.until {
                self.answer_after_event();
            }
            self.answer_about_follows(&question)?;
            let rules = &question.explained.events[self.machine.event].follows;
            let decision = self
                .machine
                .decision(question.explained, rules, question.depth)?;
            if self.machine.take_next()?.is_none() {
                break;
            }
            self.explain_event(&question, By::Follows { decision }, None, None)?;
            after = self.machine.happen(false)?;
            self.machine.note_changes(&moment, step);
        }
        self.answer_after_event();
        Ok(after)
    }

    /// The rule of a policy that chooses the next event, if the question is about it.
    pub(super) fn explain_decision(&mut self, policy: usize) -> Result<Option<By>, Stop> {
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

    /// Explains the current event.
    fn explain_event(
        &mut self,
        question: &WhyQuery<'c>,
        by: By,
        words: Option<String>,
        play: Option<&'c Play>,
    ) -> Result<(), Stop> {
        let event = self.machine.event;
        let explained = question.explained;
        let number = self
            .explainer
            .as_ref()
            .map_or(0, |explainer| explainer.step.1);
        let column = play.map(|_| {
            let place = self.reader.last_place(0, 1);
            let before = place.text.get(..place.start).unwrap_or_default();
            place.skipped + before.chars().count() + 1
        });
        let count = self
            .explainer
            .as_ref()
            .map_or(0, |explainer| explainer.result.explanation.events.len());
        if count == MOST_EVENTS {
            return Err(Box::new(Fault::Reached));
        }
        let mut explanation = Event {
            column,
            words,
            step: number,
            ..Event::new(count + 1, &self.compiled.events[event].name, by)
        };
        for (name, text, _) in &explained.events[event].fields {
            if let Some(text) = text {
                let value = self.machine.rendered(text)?;
                explanation.fields.push(Value::new(name.clone(), value));
            }
        }
        let depth = question.depth;
        self.machine
            .explain_event(explained, depth, &mut explanation)?;
        if let Some(play) = play
            && (explanation.is_impossible() || explanation.is_refused())
        {
            (explanation.alternatives, _) =
                self.find_alternatives(explained, play, false, &mut |machine| {
                    machine.is_legal(explained)
                })?;
            if explanation.alternatives.is_empty() {
                (explanation.alternatives, _) =
                    self.find_alternatives(explained, play, false, &mut |_| Ok(true))?;
            }
            if explanation.alternatives.is_empty() {
                explanation.may_come = self.possible_lines(play)?;
            }
        }
        let expression = question.of;
        let expression = expression.and_then(|number| explained.question(number, Some(event)));
        explanation.answer = match (question.not, expression) {
            (_, Some(fact)) => {
                let named = (String::new(), Subject::Fact(fact, None));
                match self.answer_about(question, named, play, &explanation) {
                    Ok(answer) => Some(answer),
                    Err(stop) if matches!(*stop, Fault::Reached) => return Err(stop),
                    Err(stop) => {
                        let stopped = self.stopped(stop);
                        if let Some(explainer) = &mut self.explainer {
                            explainer.result.valueless = Some(stopped);
                        }
                        None
                    }
                }
            }
            (Some(name), None) => self.answer_named(question, name, play, &explanation)?,
            (None, None) => None,
        };
        if let Some(explainer) = &mut self.explainer {
            explainer.read = explainer.result.explanation.read.len();
            explainer.result.explanation.events.push(explanation);
        }
        Ok(())
    }
}
