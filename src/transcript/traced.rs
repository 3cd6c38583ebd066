//! A run that somebody watches: every event is told, with what it did.

use std::io;

use super::{Run, Stopped};
use crate::{
    code::Choice,
    fault::{Fault, Stop},
    machine::{After, Tracer},
    stream::{By, End, Entries, Event, Item, Outcome, Said},
};

/// What is done with each row and each event.
pub(crate) type Told<'io> = &'io mut dyn FnMut(Item) -> io::Result<()>;

/// Who is told of every event.
pub(crate) struct Watcher<'c, 'io> {
    tracer: Tracer<'c>,
    told: Told<'io>,
    /// Which event of the game comes next.
    number: u64,
    end: End,
}

impl<'c, 'io> Watcher<'c, 'io> {
    /// Tells `told` what a tracer finds out.
    pub(crate) fn new(tracer: Tracer<'c>, told: Told<'io>) -> Watcher<'c, 'io> {
        Watcher {
            tracer,
            told,
            number: 0,
            end: End::default(),
        }
    }

    fn explain_event(&mut self, event: Event) -> Result<(), Stop> {
        self.number += 1;
        self.end.events += 1;
        let rows = self.tracer.new_rows.drain(..);
        let rows = rows.map(|row| Item::Row((*row).clone()));
        for item in rows.chain([Item::Event(Box::new(event))]) {
            (self.told)(item).map_err(|error| Box::new(Fault::Output(error)))?;
        }
        Ok(())
    }
}

impl<'c, 'io> Run<'c, 'io> {
    /// Runs to the transcript's end, and tells a watcher of every event.
    ///
    /// # Errors
    /// What stopped it.
    pub(crate) fn told_to(mut self, watcher: Watcher<'c, 'io>) -> Result<End, Box<Stopped>> {
        self.watcher = Some(watcher);
        self.go()?;
        Ok(self.watcher.map(|watcher| watcher.end).unwrap_or_default())
    }

    /// Starts a game, and tells of it.
    pub(super) fn start_watched(&mut self) -> Result<bool, Stop> {
        let before = self.machine.out.len();
        let started = self.machine.start(&self.given);
        let Some(mut watcher) = self.watcher.take() else {
            return started;
        };
        watcher.number = 0;
        watcher.end.games += 1;
        let mut event = self.event(&mut watcher, By::Start, None);
        match &started {
            Ok(_) => {
                self.machine.tell_event(&mut watcher.tracer, &mut event);
                event.state = self.machine.state_now(&watcher.tracer);
            }
            Err(stop) => {
                let reported = self.machine.out.len() - before;
                if reported > 0 {
                    // There is a state to look at.
                    self.machine.forget();
                    self.machine.tell_event(&mut watcher.tracer, &mut event);
                }
                self.failed(&mut watcher, stop, reported, &mut event);
            }
        }
        watcher.explain_event(event)?;
        self.watcher = Some(watcher);
        started
    }

    /// Does the event in hand, which a row may have chosen, and what follows it, and tells of it.
    pub(super) fn step_watched(
        &mut self,
        (by, choice): (By, Option<&'c Choice>),
    ) -> Result<After, Stop> {
        let Some(mut watcher) = self.watcher.take() else {
            return self.machine.step();
        };
        let after = self.watched_step(&mut watcher, by, choice);
        self.watcher = Some(watcher);
        after
    }

    fn watched_step(
        &mut self,
        watcher: &mut Watcher<'c, 'io>,
        by: By,
        choice: Option<&'c Choice>,
    ) -> Result<After, Stop> {
        let (mut by, mut choice) = (by, choice);
        loop {
            let mut event = self.event(watcher, by, choice);
            self.machine.tell_event(&mut watcher.tracer, &mut event);
            let before = self.machine.out.len();
            let happened = self.machine.happen(by != By::Follows);
            match &happened {
                Ok(After::On) => {}
                Ok(After::Over) => event.outcome = Outcome::Over,
                Ok(After::Refused) => event.outcome = Outcome::Refused,
                Err(stop) => {
                    let reported = self.machine.out.len() - before;
                    self.failed(watcher, stop, reported, &mut event);
                }
            }
            if happened.is_ok() && self.machine.began_again() {
                event.state = self.machine.state_now(&watcher.tracer);
            }
            watcher.explain_event(event)?;
            let after = happened?;
            if after != After::On {
                return Ok(after);
            }
            choice = self.machine.take_next()?;
            if choice.is_none() {
                return Ok(After::On);
            }
            by = By::Follows;
        }
    }

    /// The event in hand, without what it does.
    fn event(&self, watcher: &mut Watcher<'c, 'io>, by: By, choice: Option<&'c Choice>) -> Event {
        let words = (by == By::Transcript).then(|| {
            let words = (0..self.reader.last_count()).map(|index| self.reader.last_word(index));
            let words: Vec<String> = words.map(super::reader::shown).collect();
            words.join(" ")
        });
        let column = (by == By::Transcript).then(|| {
            let (words, piece) = self.reader.last_stretch(0);
            words.column(piece)
        });
        Event {
            game: watcher.end.games,
            number: watcher.number,
            line: self.reader.last_line(),
            column,
            words,
            event: self.compiled.events[self.machine.event].name.clone(),
            fields: Entries::default(),
            by,
            row: choice.map(|choice| watcher.tracer.row(Some(&choice.label), choice.span)),
            outcome: Outcome::Done,
            impossible: None,
            refused: None,
            illegal: Vec::new(),
            said: Vec::new(),
            changes: Vec::new(),
            facts: Vec::new(),
            state: None,
        }
    }

    /// An event that stops the run changes nothing, and what it said is `reported` bytes long.
    fn failed(
        &self,
        watcher: &mut Watcher<'c, 'io>,
        stop: &Stop,
        reported: usize,
        event: &mut Event,
    ) {
        event.outcome = Outcome::Failed;
        event.changes.clear();
        let mut length = 0;
        event.said.retain(|said| {
            length += said.text.len() + usize::from(!said.inline);
            length <= reported
        });
        if let Fault::Impossible {
            event: index,
            row,
            text,
            ..
        } = &**stop
            && event.impossible.is_none()
        {
            let row = &self.compiled.events[*index].impossible[*row].row;
            event.impossible = Some(Said {
                text: text.clone(),
                inline: false,
                row: watcher.tracer.row(Some(&row.label), row.span),
            });
        }
    }
}
