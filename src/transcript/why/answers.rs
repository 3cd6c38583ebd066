//! Answers to questions about a line: the values of expressions, when the state was the same before, and which events
//! would have been possible instead.

use super::{Explainer, Subject, WhyQuery};
use crate::{
    code::{
        Field, Play, Values,
        explain::{ChosenEvent, Explained, Metric},
    },
    explanation::{Alternative, Answer, Effect, Event, Member, Sort, Until},
    fault::Stop,
    machine::{Machine, Reason, is_said, names, row_beginning, row_saying},
    transcript::{Run, moves::FoundMoves},
};

/// If more lines than this are possible instead of an event, none is listed.
const MOST_INSTEAD: usize = 6;

impl<'c> WhyQuery<'c> {
    /// A question about no line: the run goes on to its end.
    fn of_all(explained: &'c Explained) -> WhyQuery<'c> {
        WhyQuery {
            explained,
            replacement: None,
            line: usize::MAX,
            depth: 0,
            not: None,
            of: None,
            words: false,
            until: None,
            to_end: false,
        }
    }
}

/// Where an expression is evaluated: its line, the number of the event on it, and the number of the expression.
pub(crate) type Place = (usize, usize, usize);

/// Expressions to evaluate at several places of a transcript.
#[derive(Debug)]
pub(super) struct Probes {
    /// The expressions still to evaluate, in order.
    places: std::vec::IntoIter<Place>,
    values: Vec<Option<String>>,
    /// The line of the last event, and the number of events on it so far.
    reached: (usize, usize),
}

/// When a collection in the state came to have a member.
#[derive(Debug)]
pub(super) struct MemberHistory {
    member: Member,
    /// Nothing that happens after this line counts.
    last: usize,
    /// Whether a game has started after it.
    is_past: bool,
    /// How often the member is in it now.
    times: usize,
    /// The lines after which it was added, each with the step of the line; 0 is the start.
    lines: Vec<(usize, usize)>,
}

impl MemberHistory {
    /// A game starts on a line.
    pub(super) fn start(&mut self, line: usize) {
        if line < self.last {
            self.times = 0;
            self.lines.clear();
        } else {
            self.is_past = true;
        }
    }

    /// After a line, the member is in the collection so many times.
    fn note(&mut self, line: usize, step: usize, times: usize) {
        if self.is_past || line > self.last {
            return;
        }
        if times > self.times {
            self.lines.push((line, step));
        } else if times == 0 && line < self.last {
            // What the last line itself empties held the member until then.
            self.lines.clear();
        }
        self.times = times;
    }
}

impl<'c> Run<'c, '_> {
    /// The answer to the question after the line, if there is a question.
    ///
    /// # Errors
    /// Why the expression has no value.
    pub(super) fn answer_state_query(
        &mut self,
        question: &WhyQuery<'c>,
        after: Option<&(String, Subject)>,
    ) -> Result<Option<Answer>, Stop> {
        let of = question.of;
        let fact = of.and_then(|of| question.explained.question(of, None));
        let fact = fact.map(|fact| (String::new(), Subject::Fact(fact, None)));
        let Some((name, named)) = fact.or_else(|| after.cloned()) else {
            return Ok(None);
        };
        self.machine.finish_explanation();
        let mut answer = Answer::new(name, named.sort());
        let (explained, depth) = (question.explained, question.depth);
        self.machine
            .explain_subject(explained, named, depth, &mut answer)?;
        Ok(Some(answer))
    }

    /// The answer to a question by name about the current event, if the event has that name.
    pub(super) fn answer_named(
        &mut self,
        question: &WhyQuery<'c>,
        name: &str,
        play: Option<&'c Play>,
        event_explained: &Event,
    ) -> Result<Option<Answer>, Stop> {
        let (explained, event) = (question.explained, self.machine.event);
        let all = names(explained, event);
        let Some(named) = self.find_named(explained, &all, name, event_explained) else {
            // It is answered once it is known what follows.
            if let Some((name, _)) = self.follows_row(explained, name) {
                return Ok(Some(Answer::new(name, Sort::Follows)));
            }
            if let Some(explainer) = &mut self.explainer {
                // Names of events before the one that is asked about are of no use.
                if let Some(Until::Event(number)) = question.until
                    && explainer.result.explanation.events.len() < number
                {
                    explainer.names.clear();
                }
                explainer
                    .names
                    .extend(all.into_iter().map(|(name, _)| name));
            }
            return Ok(None);
        };
        if named.1.is_row_of_state(explained) {
            if let Some(explainer) = &mut self.explainer {
                explainer.after = Some(named);
            }
            return Ok(None);
        }
        self.answer_about(question, named, play, event_explained)
            .map(Some)
    }

    /// The row of the current event's `follows` with this name, or that names an event with it: its name and index.
    fn follows_row(&self, explained: &'c Explained, name: &str) -> Option<(String, usize)> {
        let event = self.machine.event;
        let own = format!("{}.", self.compiled.events[event].name);
        let short = name.strip_prefix(&own).unwrap_or(name);
        let short = short.trim_start_matches("follows.");
        let choices = &explained.events[event].follows;
        let mut rows = choices.table.rows.iter();
        let row = rows.position(|row| row.label.as_deref() == Some(short));
        let of_event = |chosen: &ChosenEvent| self.compiled.events[chosen.event].name == short;
        let row = row.or_else(|| choices.events.iter().position(of_event))?;
        Some((short.to_string(), row))
    }

    /// Answers why a row of `follows` names the event that follows the current one, or why not, if that is the
    /// question.
    pub(super) fn answer_about_follows(&mut self, question: &WhyQuery<'c>) -> Result<(), Stop> {
        let explained = question.explained;
        let named = question
            .not
            .and_then(|not| self.follows_row(explained, not));
        let Some((name, row)) = named else {
            return Ok(());
        };
        let mut answer = Answer::new(name, Sort::Follows);
        let choices = &explained.events[self.machine.event].follows;
        (self.machine).explain_choice(explained, choices, row, question.depth, &mut answer)?;
        let event = self.explainer.as_mut();
        let event = event.and_then(|explainer| explainer.result.explanation.events.last_mut());
        let before = event.and_then(|event| event.answer.as_mut());
        if let Some(before) = before.filter(|before| before.sort == Sort::Follows) {
            *before = answer;
        }
        Ok(())
    }

    /// The answer to a question about the current event, with the alternatives that would have the opposite answer.
    pub(super) fn answer_about(
        &mut self,
        question: &WhyQuery<'c>,
        (name, named): (String, Subject),
        play: Option<&'c Play>,
        event_explained: &Event,
    ) -> Result<Answer, Stop> {
        let explained = question.explained;
        // An impossible or refused event reports and changes nothing of its own.
        let idle = match named {
            Subject::Said(_) | Subject::Change(..) => {
                event_explained.is_impossible() || event_explained.is_refused()
            }
            // An expression has a value even if the event is impossible or refused.
            Subject::Fact(fact, _) => {
                let ends = explained.events[self.machine.event].over == Some(fact);
                event_explained.is_impossible() && !name.is_empty()
                    || event_explained.is_refused() && ends
            }
            Subject::Impossible(_) | Subject::Refused(_) => false,
        };
        let mut answer = Answer::new(name, named.sort());
        answer.before = named.is_before(explained, self.machine.event);
        if !idle {
            (self.machine).explain_subject(explained, named, question.depth, &mut answer)?;
        }
        let wanted = !answer.happened;
        let always = matches!(named, Subject::Fact(fact, None) if explained.facts[fact].always);
        let mut alone = false;
        if let Some(play) = play
            && !matches!(named, Subject::Impossible(_) | Subject::Refused(_))
            && !always
        {
            let text = answer.text().map(str::to_owned);
            (answer.alternatives, alone) =
                self.find_alternatives(explained, play, false, &mut |machine| {
                    let happens = machine.happens(explained, named, text.as_deref())?;
                    Ok(happens == wanted && machine.is_legal(explained)?)
                })?;
            // If no legal event has the opposite answer, illegal ones may; and only refused ones if the question is
            // about a refusal.
            let refuses = &explained.events[self.machine.event].refuse;
            let refusal = matches!(named, Subject::Fact(fact, _) if refuses.contains(&fact));
            for refused in [false, true] {
                if answer.alternatives.is_empty() && (!refused || wanted && refusal) {
                    (answer.alternatives, alone) =
                        self.find_alternatives(explained, play, refused, &mut |machine| {
                            Ok(machine.happens(explained, named, text.as_deref())? == wanted)
                        })?;
                }
            }
            // A fact that is neither yes nor no may have a third value.
            if let Subject::Fact(fact, None) = named {
                alone &= explained.facts[fact].yes_no || wanted;
            }
            // An event without fields has no alternatives.
            alone &= !explained.events[self.machine.event].fields.is_empty();
        }
        // A refused event reports and changes nothing, so refused alternatives are an answer, too.
        if alone && !wanted && matches!(named, Subject::Said(_) | Subject::Change(..)) {
            let event = self.machine.event;
            let refuses = &mut |machine: &mut Machine<'c>| {
                let reason = machine.reason(event)?;
                Ok(matches!(reason, Some(Reason::Refused(..))))
            };
            if let Some(play) = play {
                (answer.alternatives, alone) =
                    self.find_alternatives(explained, play, true, refuses)?;
            }
            for alternative in &mut answer.alternatives {
                alternative.refused = true;
            }
        }
        answer.no_alternative = alone && !idle;
        Ok(answer)
    }

    /// The line of the last event, or the line where the transcript cannot be read further, unless it only ends there.
    pub(crate) fn last_event(mut self, explained: &'c Explained) -> Option<usize> {
        self.explainer = Some(Box::new(Explainer::new(WhyQuery::of_all(explained))));
        let result = self.run_steps();
        let reached = self
            .explainer
            .take()
            .and_then(|explainer| explainer.reached);
        match result {
            Err(stop) => {
                let stopped = self.stopped(stop);
                if stopped.ends() {
                    reached
                } else {
                    Some(stopped.place.line)
                }
            }
            Ok(()) => reached,
        }
    }

    /// The values of expressions at places of a transcript, in the order of the places. `None` where an expression has
    /// no value or the run does not reach its place.
    pub(crate) fn values(mut self, code: &'c Explained, places: Vec<Place>) -> Vec<Option<String>> {
        let mut explainer = Explainer::new(WhyQuery::of_all(code));
        let count = places.len();
        explainer.probes = Some(Probes {
            places: places.into_iter(),
            values: Vec::new(),
            reached: (0, 0),
        });
        self.explainer = Some(Box::new(explainer));
        // What stops the run has been reported already.
        let _ = self.run_steps();
        let probes = self.explainer.take().and_then(|explainer| explainer.probes);
        let mut values = probes.map_or(Vec::new(), |probes| probes.values);
        values.resize(count, None);
        values
    }

    /// For each member, the lines and steps up to the one in question after which it was added to its collection; 0 if
    /// it was in it from the start.
    pub(crate) fn earlier_lines(
        mut self,
        question: WhyQuery<'c>,
        members: Vec<Member>,
    ) -> Vec<Vec<(usize, usize)>> {
        let mut explainer = Explainer::new(WhyQuery {
            line: usize::MAX,
            ..question
        });
        let last = question.line;
        let members = members.into_iter();
        let members = members.map(|member| MemberHistory {
            member,
            last,
            is_past: false,
            times: 0,
            lines: Vec::new(),
        });
        explainer.histories = members.collect();
        self.explainer = Some(Box::new(explainer));
        // What stops the run has been reported already.
        let _ = self.run_steps();
        let histories = self.explainer.take().map(|explainer| explainer.histories);
        let histories = histories.unwrap_or_default().into_iter();
        histories.map(|one| one.lines).collect()
    }

    /// Records which members are in their collections after a line.
    pub(super) fn note_members(&mut self, line: usize, step: usize) {
        let Some(explainer) = &mut self.explainer else {
            return;
        };
        let code = explainer.question.explained;
        for one in &mut explainer.histories {
            let times = self.machine.occurrences(code, &one.member);
            one.note(line, step, times);
        }
    }

    /// Evaluates the expressions that are due in the current event. Returns whether this run has expressions to
    /// evaluate at all.
    pub(super) fn evaluate_probes(&mut self) -> bool {
        let line = self.reader.last_line();
        let event = self.machine.event;
        let Some(explainer) = &mut self.explainer else {
            return false;
        };
        let code = explainer.question.explained;
        let Some(probes) = &mut explainer.probes else {
            return false;
        };
        let before = if probes.reached.0 == line {
            probes.reached.1
        } else {
            0
        };
        probes.reached = (line, before + 1);
        while let Some((at, number, wanted)) = probes.places.as_slice().first() {
            if (*at, *number) > probes.reached {
                break;
            }
            let is_here = (*at, *number) == probes.reached;
            let fact = code.question(*wanted, Some(event));
            let fact = fact.or_else(|| code.question(*wanted, None));
            let value = fact.filter(|_| is_here);
            let value = value.and_then(|fact| self.machine.question_value(code, fact));
            probes.values.push(value);
            probes.places.next();
        }
        true
    }

    /// Events that differ from the current one in a single field, may happen (or, with `refused`, may be refused) and
    /// fulfil `wanted`: for each field the nearest value, if there is one and it can be written. The flag says whether
    /// it is certain that there are none.
    pub(super) fn find_alternatives(
        &mut self,
        explained: &'c Explained,
        play: &'c Play,
        refused: bool,
        wanted: &mut dyn FnMut(&mut Machine<'c>) -> Result<bool, Stop>,
    ) -> Result<(Vec<Alternative>, bool), Stop> {
        let event = self.machine.event;
        let fields = &explained.events[event].fields;
        let metrics: Vec<Metric> = fields.iter().map(|(.., metric)| *metric).collect();
        let mut found = Vec::new();
        let (changes, tries_all) = self.machine.nearest(&metrics, refused, wanted)?;
        let none = changes.is_empty();
        for change in changes {
            let back = self.machine.exchange(change);
            let (name, text, _) = &fields[change.field];
            let value = match text {
                Some(text) => Some(self.machine.rendered(text)?),
                None => None,
            };
            // An empty line is no useful suggestion.
            if let Some(words) = self.written(play, event)?.filter(|it| !it.is_empty()) {
                found.push(Alternative {
                    field: name.clone(),
                    value,
                    words,
                    refused: false,
                });
            }
            self.machine.exchange(back);
        }
        Ok((found, none && tries_all))
    }

    /// The lines that are possible instead of the current event, if they are few: legal ones, or else illegal ones.
    ///
    /// # Errors
    /// A path has no room.
    pub(super) fn possible_lines(&mut self, play: &'c Play) -> Result<Vec<String>, Stop> {
        let event = self.machine.event;
        let fields = &self.compiled.events[event].fields;
        let is_kept = |field: &Field| matches!(field.values, Values::Of(_) | Values::Paths);
        // A search would overwrite other fields that are kept in memory.
        if !fields.iter().all(is_kept) {
            return Ok(Vec::new());
        }
        let paths = self.machine.paths_in_hand()?;
        let fields = self.machine.current_fields();
        let mut all = FoundMoves::default();
        let mut found = Vec::new();
        let before = self.machine.limit_fuel();
        for other in self.events_of(play, &[], &mut all) {
            if self.find_moves_of(play, other, false, &mut found).is_err() {
                found.clear();
                break;
            }
        }
        self.machine.restore_fuel(before);
        self.machine.forget();
        self.machine.take_event(event, &fields);
        self.machine.take_paths(&paths)?;
        if found.iter().any(|found| found.reason.is_none()) {
            found.retain(|found| found.reason.is_none());
        }
        if found.len() > MOST_INSTEAD || !all.endless.is_empty() {
            return Ok(Vec::new());
        }
        Ok(found.into_iter().map(|found| found.written).collect())
    }

    /// What a name stands for in the current event: a full name, the end of one, or a line of the report.
    pub(super) fn find_named(
        &self,
        explained: &Explained,
        all: &[(String, Subject)],
        wanted: &str,
        event_explained: &Event,
    ) -> Option<(String, Subject)> {
        let event = self.machine.event;
        let own = format!("{}.", self.compiled.events[event].name);
        let short = wanted.strip_prefix(&own).unwrap_or(wanted);
        let short = short.strip_prefix("new ").unwrap_or(short);
        let ending = format!(".{short}");
        all.iter()
            .find(|(name, _)| name == short)
            .or_else(|| {
                let mut rows = all.iter().filter(|(name, _)| name.ends_with(&ending));
                let first = rows.next()?;
                // Of a row that changes something and one that reports it, the reader knows the second.
                let said = rows.find(|(_, named)| matches!(named, Subject::Said(_)));
                let is_change = matches!(first.1, Subject::Change(..));
                Some(said.filter(|_| is_change).unwrap_or(first))
            })
            .cloned()
            .or_else(|| {
                // If the row has no literal text to compare, the text that it reported identifies it.
                let saying = |fits: &dyn Fn(&str) -> bool| {
                    let mut effects = event_explained.effects.iter();
                    let said = effects.find_map(|effect| match effect {
                        Effect::Said { text, cause, .. } if fits(text) => cause.row.as_deref(),
                        _ => None,
                    });
                    let refused = event_explained.is_refused();
                    let row = format!("{}.{}", if refused { "refused" } else { "report" }, said?);
                    let row = all.iter().find(|(name, _)| *name == row)?;
                    Some(row.1)
                };
                // A part of a line is asked for only if it cannot be a name.
                let is_name = wanted
                    .chars()
                    .all(|sign| sign.is_alphanumeric() || "_.".contains(sign));
                let named = row_saying(explained, event, wanted)
                    .or_else(|| saying(&|text| text == wanted))
                    .or_else(|| saying(&|text| is_said(text, wanted)).filter(|_| !is_name))
                    .or_else(|| row_beginning(explained, event, wanted).filter(|_| !is_name))?;
                Some((format!("\"{wanted}\""), named))
            })
    }
}
