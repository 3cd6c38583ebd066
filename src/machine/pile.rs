//! Piles: slices of logs that only grow, so that putting something under a pile, or on a long one, costs only what is
//! put.

use super::{
    Machine,
    memory::{at, handle},
};
use crate::{
    code::{PILE_BITS, Slot},
    fault::{Fault, Stop},
};

const MASK: u64 = (1 << PILE_BITS) - 1;

/// With at most this many logs, unused ones are not collected.
const LEAST_LOGS: usize = 16;

/// A pile: a slice of a log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pile {
    pub(super) log: usize,
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Pile {
    #[inline]
    pub(super) fn of(handle: i64) -> Pile {
        let bits = handle.cast_unsigned();
        let part = |shift: u32| usize::try_from((bits >> shift) & MASK).unwrap_or(0);
        Pile {
            log: part(2 * PILE_BITS),
            start: part(PILE_BITS),
            len: part(0),
        }
    }

    /// The handle of the pile. The empty pile is 0.
    #[inline]
    fn handle(self) -> Result<i64, Stop> {
        if self.len == 0 {
            return Ok(0);
        }
        let fits = |number: usize| u64::try_from(number).ok().filter(|number| *number <= MASK);
        match (fits(self.log), fits(self.start), fits(self.len)) {
            (Some(log), Some(start), Some(len)) => {
                Ok(((log << (2 * PILE_BITS)) | (start << PILE_BITS) | len).cast_signed())
            }
            _ => Err(Box::new(Fault::Memory)),
        }
    }
}

/// This many words cost as much as a log.
const MANY: usize = 1 << 16;

/// Words of a log are accounted for in steps of this size, and one step for an empty log, so that most pushes need no
/// accounting.
const STEP: usize = 16;

/// A pile of at least this many words gets room before it when something is put on it.
const LONG: usize = 1 << 6;

/// The extent of a log: how many words of room are before its first element, and its length including them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    log: usize,
    room: usize,
    length: usize,
}

/// All logs. The first is empty and never grows.
#[derive(Debug)]
pub(super) struct Piles {
    logs: Vec<Vec<u64>>,
    /// For each log, the words of room before its first element.
    room: Vec<usize>,
    /// The address of each log's words, for machine code.
    addresses: Vec<usize>,
    free: Vec<usize>,
    /// The words accounted for in each log, a multiple of [`STEP`] that is at least its length; and the sum for all
    /// logs in use.
    counted: Vec<usize>,
    words: usize,
    /// The most words that all piles may have together.
    most: usize,
    /// The cost of all logs (one each, and one for every [`MANY`] words), and the cost from which on unused ones are
    /// collected.
    pub(super) used: usize,
    pub(super) threshold: usize,
    marks: Vec<bool>,
}

impl Piles {
    pub(super) fn new(most: usize) -> Piles {
        Piles {
            logs: vec![Vec::new()],
            room: vec![0],
            addresses: vec![0],
            free: Vec::new(),
            counted: vec![0],
            words: 0,
            most,
            used: 1,
            threshold: LEAST_LOGS,
            marks: Vec::new(),
        }
    }

    /// A new, empty log.
    fn log(&mut self) -> usize {
        self.used += 1;
        self.words += STEP;
        self.free.pop().unwrap_or_else(|| {
            self.logs.push(Vec::new());
            self.room.push(0);
            self.addresses.push(0);
            self.counted.push(STEP);
            self.logs.len() - 1
        })
    }

    /// Accounts for the growth of a log, which may have moved.
    ///
    /// # Errors
    /// All piles together have more words than they may.
    #[inline]
    fn has_grown(&mut self, log: usize) -> Result<(), Stop> {
        let words = &self.logs[log];
        self.addresses[log] = words.as_ptr().expose_provenance();
        if words.len() > self.counted[log] {
            self.count(log);
        }
        if self.words > self.most {
            return Err(Box::new(Fault::Memory));
        }
        Ok(())
    }

    /// Accounts for the current length of a log.
    #[cold]
    fn count(&mut self, log: usize) {
        let now = self.logs[log].len().max(1).next_multiple_of(STEP);
        let before = std::mem::replace(&mut self.counted[log], now);
        self.words = self.words - before + now;
        self.used = self.used - before / MANY + now / MANY;
    }

    /// The extent of each of some logs.
    pub(super) fn extents(&self, logs: impl Iterator<Item = usize>) -> Vec<Extent> {
        let extent = |log: usize| Extent {
            log,
            room: self.room[log],
            length: self.logs[log].len(),
        };
        logs.map(extent).collect()
    }

    /// Cuts logs to earlier extents.
    pub(super) fn cut(&mut self, extents: &[Extent]) {
        for Extent { log, room, length } in extents {
            self.room[*log] = *room;
            self.logs[*log].truncate(*length);
            self.count(*log);
        }
    }

    /// Empties an unused log, for reuse.
    fn give_back(&mut self, log: usize) {
        self.room[log] = 0;
        let words = &mut self.logs[log];
        if words.len() < MANY {
            words.clear();
        } else {
            *words = Vec::new();
        }
        if self.counted[log] > STEP {
            self.count(log);
        }
        self.words -= STEP;
        self.used -= 1;
        self.free.push(log);
    }

    /// The number of words in use.
    #[inline]
    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn word(&self, log: usize, place: usize) -> i64 {
        self.logs[log][place].cast_signed()
    }

    /// Visits all words of all piles.
    pub(super) fn each_word(&self, visit: &mut dyn FnMut(u64)) {
        self.logs.iter().flatten().for_each(|word| visit(*word));
    }

    /// The address of the table of the logs' addresses, for machine code.
    pub(super) fn addresses(&self) -> usize {
        self.addresses.as_ptr().expose_provenance()
    }
}

impl Machine<'_> {
    /// Begins a pile; [`Machine::push`] adds to it and [`Machine::pile`] ends it.
    pub(super) fn new_log(&mut self) -> usize {
        self.piles.log()
    }

    /// Adds an element to a log.
    #[inline]
    pub(super) fn push(&mut self, log: usize, value: i64, slot: Slot) -> Result<(), Stop> {
        let words = &mut self.piles.logs[log];
        match slot {
            Slot::Byte { .. } | Slot::Word => words.push(value.cast_unsigned()),
            Slot::Block { words: count } | Slot::OptionalBlock { words: count } => {
                words.extend_from_slice(&self.memory[at(value)..at(value) + count]);
            }
        }
        self.piles.has_grown(log)
    }

    /// The pile of `count` words of memory.
    pub(super) fn pile_of_words(&mut self, from: usize, count: usize) -> Result<i64, Stop> {
        let log = self.piles.log();
        self.piles.logs[log].extend_from_slice(&self.memory[from..from + count]);
        self.piles.has_grown(log)?;
        self.pile(log, 1)
    }

    /// The pile of everything in a log.
    pub(super) fn pile(&mut self, log: usize, stride: usize) -> Result<i64, Stop> {
        let len = self.piles.logs[log].len() / stride;
        Pile { log, start: 0, len }.handle()
    }

    /// An element of a pile, from 0.
    #[inline]
    pub(super) fn element(&mut self, pile: Pile, index: usize, slot: Slot) -> Result<i64, Stop> {
        match slot {
            Slot::Byte { .. } | Slot::Word => {
                Ok(self.piles.logs[pile.log][pile.start + index].cast_signed())
            }
            Slot::Block { words } | Slot::OptionalBlock { words } => {
                let start = self.block(words)?;
                let from = (pile.start + index) * words;
                self.memory[start..start + words]
                    .copy_from_slice(&self.piles.logs[pile.log][from..from + words]);
                Ok(handle(start))
            }
        }
    }

    /// The first `count` elements of a pile if `below`, else all but those.
    pub(super) fn slice(pile: i64, count: i64, below: bool) -> Result<i64, Stop> {
        let pile = Pile::of(pile);
        let count = usize::try_from(count.max(0))
            .unwrap_or(usize::MAX)
            .min(pile.len);
        if below {
            Pile {
                start: pile.start + count,
                len: pile.len - count,
                ..pile
            }
            .handle()
        } else {
            Pile { len: count, ..pile }.handle()
        }
    }

    /// One pile under another.
    pub(super) fn then(&mut self, first: i64, second: i64, stride: usize) -> Result<i64, Stop> {
        let (first, second) = (Pile::of(first), Pile::of(second));
        if second.len == 0 {
            return first.handle();
        }
        if first.len == 0 {
            return second.handle();
        }
        let len = first.len + second.len;
        let on_long = first.len < second.len && second.len * stride >= LONG;
        if on_long && self.put_on(first, second, stride)? {
            let start = second.start - first.len;
            return Pile {
                start,
                len,
                ..second
            }
            .handle();
        }
        let most = usize::try_from(MASK).unwrap_or(0);
        let at_tip = self.piles.logs[first.log].len() == (first.start + first.len) * stride;
        let (log, start) = if on_long && len + second.len < most {
            let log = self.piles.log();
            let room = second.len * stride;
            self.piles.logs[log].resize(room, 0);
            self.piles.room[log] = room;
            self.append(log, first, stride)?;
            (log, second.len)
        } else if at_tip && first.start + len < most {
            (first.log, first.start)
        } else {
            let log = self.piles.log();
            self.append(log, first, stride)?;
            (log, 0)
        };
        self.append(log, second, stride)?;
        Pile { log, start, len }.handle()
    }

    /// Copies a pile to right before another one, if that is the first of its log and has the room.
    fn put_on(&mut self, first: Pile, second: Pile, stride: usize) -> Result<bool, Stop> {
        let (begins, words) = (second.start * stride, first.len * stride);
        let room = self.piles.room[second.log];
        if begins != room || words > room {
            return Ok(false);
        }
        self.charge_words(words)?;
        let from = first.start * stride;
        if first.log == second.log {
            let log = &mut self.piles.logs[second.log];
            log.copy_within(from..from + words, room - words);
        } else {
            let mut log = std::mem::take(&mut self.piles.logs[second.log]);
            log[room - words..room]
                .copy_from_slice(&self.piles.logs[first.log][from..from + words]);
            self.piles.logs[second.log] = log;
        }
        self.piles.room[second.log] = room - words;
        Ok(true)
    }

    /// A pile of words with one more under it.
    pub(super) fn then_word(&mut self, first: i64, word: i64) -> Result<i64, Stop> {
        let pile = Pile::of(first);
        let at_tip = self.piles.logs[pile.log].len() == pile.start + pile.len;
        let room = pile.start + pile.len + 1 < usize::try_from(MASK).unwrap_or(0);
        if pile.len > 0 && at_tip && room {
            self.push(pile.log, word, Slot::Word)?;
            // The lowest bits are the length.
            return Ok(first + 1);
        }
        let log = self.piles.log();
        self.append(log, pile, 1)?;
        self.push(log, word, Slot::Word)?;
        let len = pile.len + 1;
        Pile { log, start: 0, len }.handle()
    }

    /// The words of a pile's elements.
    pub(super) fn words_of_pile(&self, pile: i64, stride: usize) -> &[u64] {
        let pile = Pile::of(pile);
        self.piles.logs[pile.log]
            .get(pile.start * stride..(pile.start + pile.len) * stride)
            .unwrap_or_default()
    }

    /// A pile in a log of its own, with these words as its elements.
    pub(super) fn pile_of(&mut self, words: &[u64], stride: usize) -> Result<i64, Stop> {
        let log = self.piles.log();
        self.piles.logs[log].extend_from_slice(words);
        self.piles.has_grown(log)?;
        self.pile(log, stride)
    }

    /// Copies a pile to the end of a log.
    fn append(&mut self, log: usize, pile: Pile, stride: usize) -> Result<(), Stop> {
        let range = pile.start * stride..(pile.start + pile.len) * stride;
        self.charge_words(range.len())?;
        if log == pile.log {
            self.piles.logs[log].extend_from_within(range);
        } else {
            let mut words = std::mem::take(&mut self.piles.logs[log]);
            words.extend_from_slice(&self.piles.logs[pile.log][range]);
            self.piles.logs[log] = words;
        }
        self.piles.has_grown(log)
    }

    pub(super) fn reversed(&mut self, pile: i64, stride: usize) -> Result<i64, Stop> {
        let pile = Pile::of(pile);
        self.charge_words(pile.len * stride)?;
        let log = self.piles.log();
        let mut words = std::mem::take(&mut self.piles.logs[log]);
        for index in (pile.start..pile.start + pile.len).rev() {
            words.extend_from_slice(
                &self.piles.logs[pile.log][index * stride..(index + 1) * stride],
            );
        }
        self.piles.logs[log] = words;
        self.piles.has_grown(log)?;
        self.pile(log, stride)
    }

    /// A pile sorted by a pile of keys, several for each element, the lowest first. The sort is stable.
    pub(super) fn sorted(
        &mut self,
        pile: i64,
        stride: usize,
        keys: i64,
        count: usize,
    ) -> Result<i64, Stop> {
        let places = Pile::of(pile).len;
        let width = stride.max(count) + usize::BITS as usize - places.leading_zeros() as usize;
        self.charge_words(places.saturating_mul(width))?;
        let keys = self.words_of_pile(keys, 1);
        let key = |place: usize| {
            let words = keys.get(place * count..(place + 1) * count);
            words.into_iter().flatten().map(|word| word.cast_signed())
        };
        let mut order: Vec<usize> = (0..places).collect();
        order.sort_by(|left, right| key(*left).cmp(key(*right)));
        let words = self.words_of_pile(pile, stride);
        let element = |place: usize| words.get(place * stride..(place + 1) * stride);
        let sorted = order.into_iter().filter_map(element);
        let sorted = sorted.collect::<Vec<_>>().concat();
        self.pile_of(&sorted, stride)
    }

    pub(super) fn same_piles(&self, left: i64, right: i64, stride: usize) -> bool {
        // The elements are interned, so equal values have equal words.
        self.words_of_pile(left, stride) == self.words_of_pile(right, stride)
    }

    /// Frees the logs that no given and no state holds, once there are many.
    pub(super) fn collect_piles(&mut self) {
        if self.piles.used <= self.piles.threshold {
            return;
        }
        let mut marks = std::mem::take(&mut self.piles.marks);
        marks.clear();
        marks.resize(self.piles.logs.len(), false);
        marks[0] = true;
        for (start, count) in &self.compiled.pile_roots {
            for place in *start..start + count {
                marks[Pile::of(self.load(place)).log] = true;
                for image in &self.images {
                    marks[Pile::of(image[place].cast_signed()).log] = true;
                }
            }
        }
        // Conservative marking: any field of a found event that could be a pile counts as one.
        for value in self.found.iter().chain(&self.open_paths) {
            if let Some(mark) = marks.get_mut(Pile::of(*value).log) {
                *mark = true;
            }
        }
        for pile in self.interned.piles() {
            marks[Pile::of(pile).log] = true;
        }
        for free in &self.piles.free {
            marks[*free] = true;
        }
        for (log, marked) in marks.iter().enumerate() {
            if !marked {
                self.piles.give_back(log);
            }
        }
        self.piles.threshold = LEAST_LOGS.max(self.piles.used * 2) + self.images.len();
        self.piles.marks = marks;
    }
}
