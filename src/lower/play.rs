//! Runs the events of a transcript one after the other, without returning between them.
//!
//! If anything is unusual (words that do not match or must first be fetched, an event that must be explained, much
//! output), machine code returns before the event, as if it had not looked at it, and the machine runs that one.

use super::{
    body::Body,
    define::Key,
    events::{Decided, happened},
    holes::Aim,
    word,
};
use crate::mir::{Address, Block, Callee, Condition, Field, Space, Value, Variable};
use crate::{
    code::{Choice, Chooser, Code, Compiled, Play, Transcript},
    limits::FLUSH_AT,
};

/// Decodes the word that machine code returns.
pub(crate) fn returned(word: i64) -> Return {
    match word {
        STOPPED => Return::Stopped,
        ENDED => Return::Over,
        WAITS => Return::Waits,
        HAPPENED => Return::Happened,
        other => Return::Decided {
            decided: happened(other).0,
            chosen: other & FOLLOWED == 0,
        },
    }
}

const STOPPED: i64 = 0;
const ENDED: i64 = 16;
const WAITS: i64 = 32;
const HAPPENED: i64 = 48;
/// With [`OPEN`]: the event follows another.
const FOLLOWED: i64 = 64;

/// Whether machine code can run the events of a `play`.
pub(super) fn can_run_through(compiled: &Compiled, play: &Play, transcript: &Transcript) -> bool {
    // Machine code cannot read the transcript's own numbers.
    let plain = |code: &Code| {
        !code.any(
            &|piece| matches!(piece, Code::Local(local) if (*local as usize) < transcript.locals),
        )
    };
    let stop = play.stop.as_ref();
    let readable = match play.by {
        Some(Chooser::Lot) => false,
        // A refusal reports which row chose the event, which machine code does not remember.
        Some(Chooser::Policy(policy)) => {
            let mut chosen = compiled.policies[policy].iter();
            chosen.all(|choice| compiled.events[choice.event].follows.is_empty())
        }
        None => play.rows.iter().all(|row| {
            Body::can_read(compiled, &row.pattern, transcript.by_lines, Aim::Event)
                && row.passed.is_none()
                && row.conditions.iter().all(plain)
                && row.fields.iter().all(|(_, code)| plain(code))
        }),
    };
    readable
        && play.until.as_ref().is_none_or(plain)
        && stop.is_none_or(|stop| {
            stop.when.as_ref().is_none_or(plain)
                && !stop.words.items.is_empty()
                && Body::can_read(compiled, &stop.words, transcript.by_lines, Aim::Event)
        })
}

/// Whether machine code can choose among rows: coverage counts none of them.
fn can_choose(choices: &[Choice]) -> bool {
    choices.iter().all(|choice| choice.passed.is_none())
}

/// The blocks and variables of a `play`.
#[derive(Clone, Copy)]
struct Stage {
    /// Runs the next event.
    next: Block,
    /// Returns to the machine.
    stopped: Block,
    /// Runs the current event.
    happens: Block,
    /// The number of the current event.
    event: Variable,
    /// Whether it was read or chosen.
    chosen: Variable,
    /// The length of the output before it.
    output: Variable,
    /// How many of its words are not yet counted as read.
    count: Variable,
}

/// Why machine code returns from the events of a `play`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Return {
    /// The machine must run the next event.
    Stopped,
    Over,
    /// The current event follows another and has not happened yet.
    Waits,
    /// The current event has happened, and the machine must find which one follows.
    Happened,
    /// The current event is decided, but not finished.
    Decided {
        decided: Decided,
        /// Whether it was read or chosen, and does not follow another.
        chosen: bool,
    },
}

impl<'c> Body<'_, 'c> {
    /// The function of a `play`.
    pub(super) fn play(&mut self, number: usize) {
        let (play, transcript) = self.unit.plays[number];
        let zero = self.constant(0);
        let stage = Stage {
            next: self.block(),
            stopped: self.block(),
            happens: self.block(),
            event: self.variable(zero),
            chosen: self.variable(zero),
            output: self.variable(zero),
            count: self.variable(zero),
        };
        self.go_to(stage.next);
        self.begin(stage.next);
        self.prepare(stage);
        self.ends(play, transcript, stage);
        let events = if let Some(Chooser::Policy(policy)) = play.by {
            let choices = &self.unit.compiled.policies[policy];
            let stopped = stage.stopped;
            self.chosen_by(choices, Key::Policy(policy), stopped, stopped, stage);
            choices.iter().map(|choice| choice.event).collect()
        } else {
            self.read_event(play, transcript, stage);
            play.rows.iter().map(|row| row.event).collect()
        };
        self.happens(events, play.by.is_some(), stage);
        self.begin(stage.stopped);
        let stopped = self.constant(STOPPED);
        self.returns(stopped);
    }

    /// Drops what the last event allocated and cached.
    fn prepare(&mut self, stage: Stage) {
        let output = self.field(Field::OutputLength);
        self.set(stage.output, output);
        let most = self.constant(word(FLUSH_AT));
        let room = self.compare(Condition::Less, output, most);
        self.unless_zero(room, stage.stopped);
        self.forget();
        let yes = self.constant(1);
        self.set(stage.chosen, yes);
        let none = self.constant(0);
        self.set(stage.count, none);
    }

    /// Does the same as [`crate::machine::Machine::forget`].
    fn forget(&mut self) {
        self.availability.forget();
        let epoch = self.field(Field::Epoch);
        let epoch = self.add_imm(epoch, 1);
        self.store_field(epoch, Field::Epoch);
        let top = self.constant(word(self.unit.compiled.fixed_words));
        self.store_field(top, Field::Top);
        // Take no work of the last event from the game's fuel: it was light, or would have failed.
        let work = self.constant(self.unit.compiled.limits.fast().cast_signed());
        self.store_field(work, Field::Fuel);
        self.collect();
    }

    /// Frees what the last event allocated outside memory, once it is much.
    fn collect(&mut self) {
        let amounts = [
            (Field::PilesUsed, Field::PilesThreshold),
            (Field::HashedUsed, Field::HashedThreshold),
            (Field::TextsUsed, Field::TextsThreshold),
        ];
        let mut much = self.constant(0);
        for (amount, most) in amounts {
            let (amount, most) = (self.field(amount), self.field(most));
            let more = self.compare(Condition::Above, amount, most);
            much = self.or(much, more);
        }
        self.if_nonzero(much, &mut |body| {
            body.call(Callee::Collect, &[]);
        });
    }

    /// Returns if the events may be at their end.
    fn ends(&mut self, play: &'c Play, transcript: &'c Transcript, stage: Stage) {
        if let Some(until) = &play.until {
            let done = self.code(until);
            let done = self.equals(done, 1);
            let on = self.block();
            self.branch(done, stage.stopped, on);
            self.begin(on);
        }
        if let Some(stop) = &play.stop {
            let not = self.block();
            if let Some(when) = &stop.when {
                let may = self.code(when);
                self.unless_zero(may, not);
            }
            self.pattern(&stop.words, transcript.by_lines, not, stage.stopped);
            self.go_to(stage.stopped);
            self.begin(not);
        }
    }

    /// Reads the next event.
    fn read_event(&mut self, play: &'c Play, transcript: &'c Transcript, stage: Stage) {
        for (place, row) in play.rows.iter().enumerate() {
            let not = self.block();
            let may = self.guarded(row.event);
            self.unless_zero(may, not);
            for condition in &row.conditions {
                let holds = self.code(condition);
                self.unless_zero(holds, not);
            }
            self.reads_for = Some(row.event);
            let count = self.pattern(&row.pattern, transcript.by_lines, not, stage.stopped);
            for (field, code) in &row.fields {
                let value = self.code(code);
                self.store(self.unit.compiled.fields + field, value);
            }
            let row_number = self.constant(word(place));
            self.store_field(row_number, Field::WordRow);
            self.set(stage.count, count);
            self.set_event(row.event, stage);
            self.go_to(stage.happens);
            self.begin(not);
        }
        self.go_to(stage.stopped);
    }

    fn set_event(&mut self, event: usize, stage: Stage) {
        let event = self.constant(word(event));
        self.set(stage.event, event);
        self.store_field(event, Field::Event);
    }

    /// Makes the event that rows choose the current one; goes elsewhere if they choose none, or fail.
    fn chosen_by(
        &mut self,
        choices: &'c [Choice],
        key: Key,
        nothing: Block,
        unable: Block,
        stage: Stage,
    ) {
        let function = can_choose(choices).then(|| self.unit.declare(key));
        let Some(function) = function else {
            self.go_to(unable);
            return;
        };
        let place = self.call_own_or(function, &[], unable);
        let blocks: Vec<_> = choices.iter().map(|_| self.block()).collect();
        self.jump_by(place, &blocks, nothing);
        let compiled = self.unit.compiled;
        for (block, choice) in blocks.into_iter().zip(choices) {
            self.begin(block);
            if matches!(key, Key::Follows(_)) {
                // Drop the caches that depend on the fields of the event before.
                let epoch = self.field(Field::Epoch);
                let epoch = self.add_imm(epoch, 1);
                self.store_field(epoch, Field::Epoch);
            }
            for field in 0..compiled.events[choice.event].fields.len() {
                let value = self.load_at(Address::new(Space::Chosen).words(field));
                self.store(compiled.fields + field, value);
            }
            self.set_event(choice.event, stage);
            self.go_to(stage.happens);
        }
    }

    /// Runs the current event, one of `events`, and those that follow it.
    fn happens(&mut self, mut events: Vec<usize>, by_policy: bool, stage: Stage) {
        let compiled = self.unit.compiled;
        let mut place = 0;
        while let Some(event) = events.get(place) {
            let follow = compiled.events[*event].follows.iter();
            let new: Vec<_> = follow
                .map(|choice| choice.event)
                .filter(|event| !events.contains(event))
                .collect();
            events.extend(new);
            place += 1;
        }
        events.sort_unstable();
        events.dedup();
        let (unable, done) = (self.block(), self.block());
        self.begin(stage.happens);
        let zero = self.constant(0);
        let status = self.variable(zero);
        self.availability.forget();
        let count = self.field(Field::Events);
        let limit = self.constant(i64::try_from(compiled.limit).unwrap_or(i64::MAX));
        let more = self.compare(Condition::Below, count, limit);
        self.unless_zero(more, unable);
        let count = self.add_imm(count, 1);
        self.store_field(count, Field::Events);
        let failed = self.block();
        let event = self.get(stage.event);
        let blocks: Vec<_> = (0..=events.last().copied().unwrap_or(0))
            .map(|event| {
                if events.contains(&event) {
                    self.block()
                } else {
                    failed
                }
            })
            .collect();
        self.jump_by(event, &blocks, failed);
        for event in &events {
            self.begin(blocks[*event]);
            let function = self.unit.event_function(*event);
            let chosen = self.get(stage.chosen);
            let word = self.call_own_or(function, &[chosen], failed);
            self.set(status, word);
            if compiled.events[*event].follows.is_empty() {
                self.go_to(done);
                continue;
            }
            self.unless_word(word, 0, done);
            self.follow(*event, stage);
        }
        self.begin(done);
        self.done(status, by_policy, failed, stage);
        self.begin(failed);
        let count = self.field(Field::Events);
        let count = self.add_imm(count, -1);
        self.store_field(count, Field::Events);
        let output = self.get(stage.output);
        self.store_field(output, Field::OutputLength);
        self.go_to(unable);
        self.begin(unable);
        let first = self.get(stage.chosen);
        let waits = self.constant(WAITS);
        let stopped = self.constant(STOPPED);
        let word = self.select(first, stopped, waits);
        self.returns(word);
    }

    /// Goes to `otherwise` unless a value equals `wanted`.
    fn unless_word(&mut self, value: Value, wanted: i64, otherwise: Block) {
        let same = self.equals(value, wanted);
        self.unless_zero(same, otherwise);
    }

    /// Makes the event that follows the current one current.
    fn follow(&mut self, event: usize, stage: Stage) {
        let compiled = self.unit.compiled;
        let definition = &compiled.events[event];
        self.take_words(stage);
        let no = self.constant(0);
        self.set(stage.chosen, no);
        if !definition.is_kept() {
            self.forget();
        }
        let output = self.field(Field::OutputLength);
        self.set(stage.output, output);
        let unable = self.block();
        let choose = self.block();
        self.go_to(choose);
        self.begin(choose);
        self.chosen_by(
            &definition.follows,
            Key::Follows(event),
            stage.next,
            unable,
            stage,
        );
        self.begin(unable);
        let happened = self.constant(HAPPENED);
        self.returns(happened);
    }

    /// Finishes an event that no other follows.
    fn done(&mut self, status: Variable, by_policy: bool, failed: Block, stage: Stage) {
        self.take_words(stage);
        let word = self.get(status);
        let blocks = [self.block(), self.block(), self.block()];
        let open = self.block();
        // The statuses on, refused, over.
        self.jump_by(word, &blocks, open);
        self.begin(blocks[0]);
        self.go_to(stage.next);
        self.begin(blocks[1]);
        // A policy must not choose a refused event.
        self.go_to(if by_policy { failed } else { stage.next });
        self.begin(blocks[2]);
        let over = self.constant(ENDED);
        self.returns(over);
        self.begin(open);
        let chosen = self.get(stage.chosen);
        let zero = self.constant(0);
        let followed = self.constant(FOLLOWED);
        let followed = self.select(chosen, zero, followed);
        let word = self.or(word, followed);
        self.returns(word);
    }

    /// Counts the words of the current event as read.
    fn take_words(&mut self, stage: Stage) {
        let count = self.get(stage.count);
        self.if_nonzero(count, &mut |body| {
            let next = body.field(Field::WordNext);
            body.store_field(next, Field::WordFirst);
            let next = body.add(next, count);
            body.store_field(next, Field::WordNext);
        });
        let none = self.constant(0);
        self.set(stage.count, none);
    }
}
