//! A run that is fed line by line and can go back.

use super::{
    Depth, FoundMoves, MoveSearch, Run, Stopped, Taker, control, control::Due, names::Names,
    play::no_choice, reader::Mark,
};
use crate::{
    code::{Pattern, Play, PlayRow, Step, Transcript},
    fault::{Fault, Stop},
    machine::{Choices, Decides, Ending, Executable, Lot, Past},
};

/// The state of a run that waits for input.
#[derive(Debug)]
pub(crate) struct Snapshot<'c> {
    machine: Past,
    frames: Vec<control::Frame<'c>>,
    mark: Mark,
    given: Vec<Vec<bool>>,
    named: Names,
    last: Option<&'c Pattern>,
    in_game: bool,
    lot: Lot,
}

/// Something that is expected.
#[derive(Debug)]
pub(crate) struct Awaited {
    /// Its pattern, with holes in angle brackets.
    pub(crate) written: String,
    pub(crate) event: Option<usize>,
    /// Why it is not possible now.
    pub(crate) untimely: Option<String>,
    pub(crate) holes: Vec<Taker>,
}

impl Snapshot<'_> {
    /// The line from which on the transcript is needed to return here.
    pub(crate) fn line(&self) -> usize {
        self.mark.line
    }
}

impl<'c> Run<'c, '_> {
    /// A run that is fed its transcript.
    pub(crate) fn fed(compiled: &'c Executable, transcript: &'c Transcript) -> Self {
        let mut run = Run::over(compiled, transcript, None, None);
        run.machine.set_bottom(transcript.locals);
        run.machine.keep_all_games();
        run.machine.keep_outcomes();
        run.begin_steps(&transcript.steps);
        run
    }

    /// Takes a snapshot. The run must be waiting for input.
    pub(crate) fn snapshot(&mut self) -> Snapshot<'c> {
        Snapshot {
            machine: self.machine.past(),
            frames: self.frames.clone(),
            mark: self.reader.place_to_return(),
            given: self.given.clone(),
            named: self.named.clone(),
            last: self.last,
            in_game: self.in_game,
            lot: self.machine.lot.clone(),
        }
    }

    /// Returns to the last snapshot. `lines` are those of the transcript from [`Snapshot::line`] to where the snapshot
    /// was taken.
    pub(crate) fn go_back(&mut self, snapshot: Snapshot<'c>, lines: &[u8]) {
        self.machine.return_to(&snapshot.machine);
        self.reader.return_to(&snapshot.mark, lines);
        self.frames = snapshot.frames;
        self.given = snapshot.given;
        self.named = snapshot.named;
        self.last = snapshot.last;
        self.in_game = snapshot.in_game;
        self.machine.lot = snapshot.lot;
    }

    /// Runs whole lines, as far as they can be understood without more input. The report stays in the machine.
    ///
    /// # Errors
    /// What stopped the run. It must go back in that case.
    pub(crate) fn feed(&mut self, lines: &[u8]) -> Result<(), Box<Stopped>> {
        self.reader.feed(lines);
        self.go_to_end(false)
    }

    /// Ends the transcript.
    ///
    /// # Errors
    /// What stopped the run, usually that more is expected. It must go back in that case.
    pub(crate) fn end(&mut self) -> Result<(), Box<Stopped>> {
        self.go_to_end(true)
    }

    /// Reads the words that wait for others as if none came, and then waits for more.
    ///
    /// # Errors
    /// What stopped it; then it must go back.
    pub(crate) fn read_open_words(&mut self) -> Result<(), Box<Stopped>> {
        self.reader.end_input();
        (self.explains, self.refuses) = (false, false);
        let gone = self.go_on(0);
        self.reader.reopen_input();
        let stopped = gone.err().map(|stop| self.stopped(stop));
        match stopped {
            Some(stopped) if stopped.ends() && self.words_open().is_empty() => Ok(()),
            Some(stopped) => Err(stopped),
            None => Ok(()),
        }
    }

    fn go_to_end(&mut self, mut ended: bool) -> Result<(), Box<Stopped>> {
        loop {
            if ended {
                self.reader.end_input();
            }
            (self.explains, self.refuses) = (false, false);
            let gone = self.go_on(0).and_then(|()| self.nothing_left());
            match gone {
                Ok(()) => return Ok(()),
                Err(stop) if matches!(*stop, Fault::Starved) && !ended => {
                    if !self.refuses {
                        return Ok(());
                    }
                    // No further input can make this match, so the reason can be given now.
                    ended = true;
                }
                Err(stop) => return Err(self.stopped(stop)),
            }
        }
    }

    /// Takes the report so far.
    pub(crate) fn take_said(&mut self) -> String {
        let said = String::from_utf8_lossy(&self.machine.out).into_owned();
        self.machine.out.clear();
        said
    }

    /// The words that were fed but not yet understood.
    pub(crate) fn words_open(&self) -> String {
        let words = (0..self.reader.left()).map(|word| self.reader.found(word));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether a game is under way, and the number of games that have begun.
    pub(crate) fn games(&self) -> (bool, i64) {
        (self.in_game, self.machine.game_number())
    }

    /// How the last complete game ended.
    pub(crate) fn ending(&self) -> Option<&Ending> {
        self.machine.ending()
    }

    /// Whether nothing more is expected.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self.waits_for(), Due::Nothing)
    }

    /// Lists what is expected. The run must go back to a snapshot afterwards.
    ///
    /// # Errors
    /// The fault of a rule about whether an event is possible.
    pub(crate) fn what_is_due(&mut self) -> Result<Vec<Awaited>, Box<Stopped>> {
        let mut expected = Vec::new();
        let found = self.all_due(&mut expected);
        found.map_err(|stop| self.stopped(stop))?;
        Ok(expected)
    }

    fn all_due(&mut self, expected: &mut Vec<Awaited>) -> Result<(), Stop> {
        match self.waits_for() {
            Due::Nothing => {}
            Due::Step(step) => self.due_of(step, self.in_game, expected)?,
            Due::Round(words, steps) => {
                self.due_words(words, expected);
                if let Some(step) = steps.first() {
                    self.due_of(step, false, expected)?;
                }
            }
        }
        Ok(())
    }

    fn due_of(
        &mut self,
        step: &'c Step,
        in_game: bool,
        expected: &mut Vec<Awaited>,
    ) -> Result<(), Stop> {
        match step {
            Step::Pattern(words) => self.due_words(words, expected),
            Step::Play(play) if in_game => self.due_events(play, expected)?,
            Step::Times(_, steps) => {
                if let Some(step) = steps.first() {
                    self.due_of(step, false, expected)?;
                }
            }
            Step::Until(words, steps) => {
                self.due_words(words, expected);
                if let Some(step) = steps.first() {
                    self.due_of(step, false, expected)?;
                }
            }
            Step::Start | Step::Play(_) => {}
        }
        Ok(())
    }

    fn due_words(&mut self, words: &'c Pattern, expected: &mut Vec<Awaited>) {
        if !words.items.is_empty() {
            let written = self.shown(words);
            expected.push(Awaited {
                written,
                event: None,
                untimely: None,
                holes: self.holes(words),
            });
        }
    }

    fn due_events(&mut self, play: &'c Play, expected: &mut Vec<Awaited>) -> Result<(), Stop> {
        self.machine.forget();
        if let Some(stop) = &play.stop
            && self.may_stop(stop)?
        {
            self.due_words(&stop.words, expected);
        }
        let rows = play.by.is_none().then_some(&play.rows);
        for row in rows.into_iter().flatten() {
            let untimely = if self.may_be_read(row)? {
                self.machine.barred(row.event)
            } else {
                Some(self.why_not_now(row)?)
            };
            expected.push(self.awaited(row, untimely));
        }
        Ok(())
    }

    /// The pattern of a possible event, and why it is not possible now.
    pub(super) fn awaited(&mut self, row: &'c PlayRow, untimely: Option<String>) -> Awaited {
        Awaited {
            written: self.shown(&row.pattern),
            event: Some(row.event),
            untimely,
            holes: self.holes(&row.pattern),
        }
    }

    /// The `play` whose events are read next.
    fn play_here(&self) -> Option<&'c Play> {
        match self.waits_for() {
            Due::Step(Step::Play(play)) if self.in_game && play.by.is_none() => Some(play),
            _ => None,
        }
    }

    /// Lists the possible events. The run must go back to a snapshot afterwards.
    ///
    /// # Errors
    /// If no game is under way whose events are read; whatever stops the search.
    pub(crate) fn moves_here(&mut self, asked: MoveSearch<'_>) -> Result<FoundMoves, Box<Stopped>> {
        if !self.words_open().is_empty() {
            // Open words that may be an event or the start of a longer one count as the event. That the transcript then
            // ends too early is no mistake.
            let _ = self.go_to_end(true);
            // An incomplete event must be completed before any other.
            if !self.words_open().is_empty() {
                return Err(self.stopped(Box::new(Fault::NotPlaying)));
            }
        }
        self.reached = self.play_here();
        self.forget_event();
        let all = self.moves_at_place(asked, Depth::Next);
        all.map(|(all, _)| all).map_err(|stop| self.stopped(stop))
    }

    /// The deciders of the possible events, in the order of the transcript's rows. The run must go back to a snapshot
    /// afterwards.
    ///
    /// # Errors
    /// The fault of a rule about who decides.
    pub(crate) fn deciders_here(&mut self) -> Result<Vec<Decides>, Box<Stopped>> {
        let deciders = self.deciders();
        deciders.map_err(|stop| self.stopped(stop))
    }

    fn deciders(&mut self) -> Result<Vec<Decides>, Stop> {
        let mut deciders = Vec::new();
        let Some(play) = self.play_here() else {
            return Ok(deciders);
        };
        self.machine.forget();
        for row in &play.rows {
            if self.may_be_read(row)? {
                for by in self.machine.deciders(row.event)? {
                    if !deciders.contains(&by) {
                        deciders.push(by);
                    }
                }
            }
        }
        Ok(deciders)
    }

    /// The decider of the event that a line stands for; `None` if the line cannot be read. The run must go back to a
    /// snapshot afterwards.
    pub(crate) fn decider_of(&mut self, line: &[u8]) -> Option<Decides> {
        let event = self.event_of(line)?;
        self.machine.decides(event).ok()
    }

    /// The event that a whole line stands for, if it may happen. The run must go back to a snapshot afterwards.
    pub(crate) fn event_that_may_come(&mut self, line: &[u8]) -> Option<usize> {
        // Nothing after the line can be part of the event.
        self.reader.end_input();
        let event = self.event_of(line)?;
        let is_whole = self.words_open().is_empty();
        let reason = self.machine.reason(event).ok()?;
        (is_whole && reason.is_none()).then_some(event)
    }

    /// Makes the event that a line stands for the current one.
    fn event_of(&mut self, line: &[u8]) -> Option<usize> {
        let play = self.play_here()?;
        self.reader.feed(line);
        (self.explains, self.refuses) = (false, false);
        self.machine.forget();
        self.take_in_hand(play).ok()
    }

    /// The event that a policy chooses, or chance with this seed if there is no policy, as the transcript writes it;
    /// only among those of one decider, if that is given. `None` if it cannot be written. The run must go back to a
    /// snapshot afterwards.
    ///
    /// # Errors
    /// If no game is under way whose events are read, or nothing can be chosen.
    pub(crate) fn choose_here(
        &mut self,
        policy: Option<usize>,
        seed: u64,
        by: Option<&Decides>,
    ) -> Result<Option<String>, Box<Stopped>> {
        let chosen = self.chosen_here(policy, seed, by);
        chosen.map_err(|stop| self.stopped(stop))
    }

    fn chosen_here(
        &mut self,
        policy: Option<usize>,
        seed: u64,
        by: Option<&Decides>,
    ) -> Result<Option<String>, Stop> {
        let Some(play) = self.play_here() else {
            return Err(Box::new(Fault::NotPlaying));
        };
        self.machine.forget();
        match policy {
            None => {
                self.machine.lot = Lot::new(seed);
                self.draw(by)?;
            }
            Some(policy) => {
                if self.machine.choose(Choices::Policy(policy))?.is_none() {
                    return Err(no_choice());
                }
                self.machine.take_chosen();
            }
        }
        let event = self.machine.event;
        self.written(play, event)
    }
}
