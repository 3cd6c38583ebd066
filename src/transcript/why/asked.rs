//! What is asked beside what happened on a line: expressions, when it was so before, and what could have stood there
//! instead.

use super::{Question, Subject, Telling};
use crate::{
    code::{
        Field, Play, Values,
        explain::{ChosenEvent, Explained},
    },
    explanation::{Asked, Beside, Effect, Event, Member, Sort},
    fault::Stop,
    machine::{Machine, Reason, names, row_saying},
    transcript::{Run, moves::All},
};

/// How many lines are listed at most that may come instead of one that may not.
const MOST_INSTEAD: usize = 6;

impl<'c> Question<'c> {
    /// A question about no line: the run goes to its end.
    fn of_all(explained: &'c Explained) -> Question<'c> {
        Question {
            explained,
            instead: None,
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

/// Of several events on a line, the last one after which something is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Until {
    /// The one with this number, from 1.
    Event(usize),
    /// The one that stands in this column, from 1.
    Column(usize),
}

impl Until {
    /// The same, behind the name of the line.
    pub(crate) fn written(self) -> String {
        match self {
            Until::Event(number) => format!(", event {number}"),
            Until::Column(column) => format!(", column {column}"),
        }
    }

    /// Whether it is among the first of these, as many as were answered after.
    pub(super) fn is_before(self, events: &[Event], answered: usize) -> bool {
        match self {
            Until::Event(number) => answered >= number,
            // It is known once another begins behind it.
            Until::Column(column) => {
                let mut later = events[answered..].iter();
                answered > 0
                    && later.any(|event| event.column.is_some_and(|begins| begins > column))
            }
        }
    }
}

/// Where an expression is asked: its line, which of the events on it, and its number.
pub(crate) type Place = (usize, usize, usize);

/// Expressions that are asked all over a transcript.
#[derive(Debug)]
pub(super) struct Asking {
    /// Those that are still to be asked, in order.
    places: std::vec::IntoIter<Place>,
    values: Vec<Option<String>>,
    /// The line of the last event, and how many were on it.
    reached: (usize, usize),
}

/// When a value was in a state.
#[derive(Debug)]
pub(super) struct Standing {
    member: Member,
    /// How often it is in it.
    pub(super) times: usize,
    /// The lines after which it came there, each with the step of the line; 0 is the start.
    lines: Vec<(usize, usize)>,
}

impl<'c> Run<'c, '_> {
    /// The answer to what is asked after the line, if anything is.
    ///
    /// # Errors
    /// Why it has no value.
    pub(super) fn asked_after(
        &mut self,
        question: &Question<'c>,
        after: Option<&(String, Subject)>,
    ) -> Result<Option<Asked>, Stop> {
        let of = question.of;
        let fact = of.and_then(|of| question.explained.question(of, None));
        let fact = fact.map(|fact| (String::new(), Subject::Fact(fact, None)));
        let Some((name, named)) = fact.or_else(|| after.cloned()) else {
            return Ok(None);
        };
        self.machine.finish_explanation();
        let mut asked = Asked::new(name, named.sort());
        let (explained, depth) = (question.explained, question.depth);
        self.machine
            .explain_subject(explained, named, depth, &mut asked)?;
        Ok(Some(asked))
    }

    /// The answer to the question about the event in hand, if it has what is asked for.
    pub(super) fn ask(
        &mut self,
        question: &Question<'c>,
        name: &str,
        play: Option<&'c Play>,
        told: &Event,
    ) -> Result<Option<Asked>, Stop> {
        let (explained, event) = (question.explained, self.machine.event);
        let all = names(explained, event);
        let Some(named) = self.find(explained, &all, name, told) else {
            // It is answered once it is known what follows.
            if let Some((name, _)) = self.follows_row(explained, name) {
                return Ok(Some(Asked::new(name, Sort::Follows)));
            }
            if let Some(telling) = &mut self.telling {
                telling.names.extend(all.into_iter().map(|(name, _)| name));
            }
            return Ok(None);
        };
        if named.1.is_row_of_state(explained) {
            if let Some(telling) = &mut self.telling {
                telling.after = Some(named);
            }
            return Ok(None);
        }
        self.answer_to(question, named, play, told).map(Some)
    }

    /// The row of `follows` of the event in hand that is called so, or names an event that is: that name, and its number.
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

    /// Answers why a row of `follows` names what follows the event in hand, or not, if that is asked.
    pub(super) fn tell_follows(&mut self, question: &Question<'c>) -> Result<(), Stop> {
        let explained = question.explained;
        let named = question
            .not
            .and_then(|not| self.follows_row(explained, not));
        let Some((name, row)) = named else {
            return Ok(());
        };
        let mut asked = Asked::new(name, Sort::Follows);
        let choices = &explained.events[self.machine.event].follows;
        (self.machine).explain_choice(explained, choices, row, question.depth, &mut asked)?;
        let event = (self.telling.as_mut()).and_then(|it| it.told.told.events.last_mut());
        let before = event.and_then(|event| event.asked.as_mut());
        if let Some(before) = before.filter(|before| before.sort == Sort::Follows) {
            *before = asked;
        }
        Ok(())
    }

    /// The answer to what is asked of the event in hand, and the events beside it in which it is the other way round.
    pub(super) fn answer_to(
        &mut self,
        question: &Question<'c>,
        (name, named): (String, Subject),
        play: Option<&'c Play>,
        told: &Event,
    ) -> Result<Asked, Stop> {
        let explained = question.explained;
        // What is impossible or refused says and changes nothing of its own.
        let idle = match named {
            Subject::Said(_) | Subject::Change(..) => told.is_impossible() || told.is_refused(),
            // An expression is asked whatever comes of the event.
            Subject::Fact(fact, _) => {
                let ends = explained.events[self.machine.event].over == Some(fact);
                told.is_impossible() && !name.is_empty() || told.is_refused() && ends
            }
            Subject::Impossible(_) | Subject::Refused(_) => false,
        };
        let mut asked = Asked::new(name, named.sort());
        asked.before = named.is_before(explained, self.machine.event);
        if !idle {
            (self.machine).explain_subject(explained, named, question.depth, &mut asked)?;
        }
        let wanted = !asked.happened;
        let always = matches!(named, Subject::Fact(fact, None) if explained.facts[fact].always);
        let mut alone = false;
        if let Some(play) = play
            && !matches!(named, Subject::Impossible(_) | Subject::Refused(_))
            && !always
        {
            let text = asked.text().map(str::to_owned);
            (asked.beside, alone) = self.beside(explained, play, false, &mut |machine| {
                let happens = machine.happens(explained, named, text.as_deref())?;
                Ok(happens == wanted && machine.is_legal(explained)?)
            })?;
            // What is so only where something is illegal is shown there, and why something is refused where it is.
            let refuses = &explained.events[self.machine.event].refuse;
            let refusal = matches!(named, Subject::Fact(fact, _) if refuses.contains(&fact));
            for refused in [false, true] {
                if asked.beside.is_empty() && (!refused || wanted && refusal) {
                    (asked.beside, alone) =
                        self.beside(explained, play, refused, &mut |machine| {
                            Ok(machine.happens(explained, named, text.as_deref())? == wanted)
                        })?;
                }
            }
            // Another value would alter it, too.
            if let Subject::Fact(fact, None) = named {
                alone &= explained.facts[fact].yes_no || wanted;
            }
            // Without fields there is no other event like it.
            alone &= !explained.events[self.machine.event].fields.is_empty();
        }
        // What is refused says and changes nothing.
        if alone && !wanted && matches!(named, Subject::Said(_) | Subject::Change(..)) {
            let event = self.machine.event;
            let refuses = &mut |machine: &mut Machine<'c>| {
                let reason = machine.reason(event)?;
                Ok(matches!(reason, Some(Reason::Refused(..))))
            };
            if let Some(play) = play {
                (asked.beside, alone) = self.beside(explained, play, true, refuses)?;
            }
            for beside in &mut asked.beside {
                beside.refused = true;
            }
        }
        asked.alone = alone && !idle;
        Ok(asked)
    }

    /// The line of the last event; or of what keeps the transcript from being read on, if that is more than its end.
    pub(crate) fn last_event(mut self, explained: &'c Explained) -> Option<usize> {
        self.telling = Some(Box::new(Telling::new(Question::of_all(explained))));
        let result = self.all_told();
        let reached = self.telling.take().and_then(|telling| telling.reached);
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

    /// The values of expressions at places of a transcript, which are in order; nothing where one cannot be worked out,
    /// or the run does not come there.
    pub(crate) fn values(
        mut self,
        explained: &'c Explained,
        places: Vec<Place>,
    ) -> Vec<Option<String>> {
        let mut telling = Telling::new(Question::of_all(explained));
        let count = places.len();
        telling.asking = Some(Asking {
            places: places.into_iter(),
            values: Vec::new(),
            reached: (0, 0),
        });
        self.telling = Some(Box::new(telling));
        // Whatever stops it is known already.
        let _ = self.all_told();
        let asking = self.telling.take().and_then(|telling| telling.asking);
        let mut values = asking.map_or(Vec::new(), |asking| asking.values);
        values.resize(count, None);
        values
    }

    /// After which steps of which lines up to the one that is explained a value came into a state, or was there from the
    /// start, for each of some.
    pub(crate) fn stood(
        mut self,
        question: Question<'c>,
        members: Vec<Member>,
    ) -> Vec<Vec<(usize, usize)>> {
        let mut telling = Telling::new(Question {
            line: usize::MAX,
            ..question
        });
        let last = question.line;
        let members = members.into_iter();
        let members = members.map(|member| Standing {
            member,
            times: 0,
            lines: Vec::new(),
        });
        telling.standing = members.collect();
        self.telling = Some(Box::new(telling));
        // Whatever stops it is known already.
        let _ = self.all_told();
        let standing = self.telling.take().map(|telling| telling.standing);
        let standing = standing.unwrap_or_default().into_iter();
        let before = |(line, _): &(usize, usize)| *line <= last;
        standing
            .map(|one| one.lines.into_iter().filter(before).collect())
            .collect()
    }

    /// Notes what is in states after a line, where somebody asks for it.
    pub(super) fn note_standing(&mut self, line: usize, step: usize) {
        let Some(telling) = &mut self.telling else {
            return;
        };
        let explained = telling.question.explained;
        for one in &mut telling.standing {
            let times = self.machine.occurrences(explained, &one.member);
            if times > one.times {
                one.lines.push((line, step));
            } else if times == 0 {
                one.lines.clear();
            }
            one.times = times;
        }
    }

    /// Works out what is asked in the event in hand; says whether anything is asked in any event.
    pub(super) fn values_told(&mut self) -> bool {
        let line = self.reader.last_line();
        let event = self.machine.event;
        let Some(telling) = &mut self.telling else {
            return false;
        };
        let explained = telling.question.explained;
        let Some(asking) = &mut telling.asking else {
            return false;
        };
        let before = if asking.reached.0 == line {
            asking.reached.1
        } else {
            0
        };
        asking.reached = (line, before + 1);
        while let Some((at, number, wanted)) = asking.places.as_slice().first() {
            if (*at, *number) > asking.reached {
                break;
            }
            let is_here = (*at, *number) == asking.reached;
            let fact = explained.question(*wanted, Some(event));
            let fact = fact.or_else(|| explained.question(*wanted, None));
            let value = fact.filter(|_| is_here);
            let value = value.and_then(|fact| self.machine.question_value(explained, fact));
            asking.values.push(value);
            asking.places.next();
        }
        true
    }

    /// The events beside the one in hand that may happen, or with `refused` may be refused, and are as wanted: for each
    /// field the nearest, if there is one and it can be written; and whether it is certain that there are none.
    pub(super) fn beside(
        &mut self,
        explained: &'c Explained,
        play: &'c Play,
        refused: bool,
        wanted: &mut dyn FnMut(&mut Machine<'c>) -> Result<bool, Stop>,
    ) -> Result<(Vec<Beside>, bool), Stop> {
        let event = self.machine.event;
        let fields = &explained.events[event].fields;
        let numbers: Vec<bool> = fields.iter().map(|(.., number)| *number).collect();
        let mut found = Vec::new();
        let (changes, tries_all) = self.machine.nearest(&numbers, refused, wanted)?;
        let none = changes.is_empty();
        for change in changes {
            let back = self.machine.exchange(change);
            let (name, text, _) = &fields[change.field];
            let value = match text {
                Some(text) => Some(self.machine.rendered(text)?),
                None => None,
            };
            // An empty line is nothing that one could write instead.
            if let Some(words) = self.written(play, event)?.filter(|it| !it.is_empty()) {
                found.push(Beside {
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

    /// The lines that may come instead of the event in hand, if they are few: the legal ones, or else the illegal ones.
    ///
    /// # Errors
    /// A path that has no room.
    pub(super) fn may_come(&mut self, play: &'c Play) -> Result<Vec<String>, Stop> {
        let event = self.machine.event;
        let fields = &self.compiled.events[event].fields;
        let is_kept = |field: &Field| matches!(field.values, Values::Of(_) | Values::Paths);
        // A search would overwrite other fields that lie in memory.
        if !fields.iter().all(is_kept) {
            return Ok(Vec::new());
        }
        let paths = self.machine.paths_in_hand()?;
        let fields = self.machine.current_fields();
        let mut all = All::default();
        let mut found = Vec::new();
        for other in self.events_of(play, &[], &mut all) {
            if self.next_of(play, other, false, &mut found).is_err() {
                found.clear();
                break;
            }
        }
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

    /// What the user asks about in the event in hand: a full name, the end of one, or a line of the report.
    pub(super) fn find(
        &self,
        explained: &Explained,
        all: &[(String, Subject)],
        wanted: &str,
        told: &Event,
    ) -> Option<(String, Subject)> {
        let event = self.machine.event;
        let own = format!("{}.", self.compiled.events[event].name);
        let short = wanted.strip_prefix(&own).unwrap_or(wanted);
        let short = short.strip_prefix("new ").unwrap_or(short);
        let ending = format!(".{short}");
        all.iter()
            .find(|(name, _)| name == short)
            .or_else(|| all.iter().find(|(name, _)| name.ends_with(&ending)))
            .cloned()
            .or_else(|| {
                // What a row has no words of its own for is known by what it said.
                let named = row_saying(explained, event, wanted).or_else(|| {
                    let said = told.effects.iter().find_map(|effect| match effect {
                        Effect::Said { text, cause, .. } if text == wanted => cause.row.as_deref(),
                        _ => None,
                    });
                    let row = format!("report.{}", said?);
                    let row = all.iter().find(|(name, _)| *name == row)?;
                    Some(row.1)
                })?;
                Some((format!("\"{wanted}\""), named))
            })
    }
}
