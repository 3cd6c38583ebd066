//! Sets and bags over infinite domains: logs of entries with an index by hash. A set is a prefix of a log, so that
//! adding to the latest version costs only the new entry. A hash finds candidates, which are then compared.

mod log;

use super::{
    Machine,
    memory::{at, handle},
};
use crate::{
    code::{LENGTH_BITS, NONE, Slot},
    fault::{Fault, Stop},
};
use log::{FIRST, Log, hash};

/// With at most this many logs, unused ones are not collected.
const LEAST_LOGS: usize = 3;

/// All logs. The first is empty and never grows.
#[derive(Debug)]
pub(super) struct Hashed {
    logs: Vec<Log>,
    free: Vec<usize>,
    /// The size of all entries, in bytes.
    bytes: usize,
    /// The cost of all logs (one each, and one for every [`MANY`] bytes), and the cost from which on unused ones are
    /// collected.
    pub(super) used: usize,
    pub(super) threshold: usize,
}

/// The size of an entry besides its words, in bytes.
const ENTRY: usize = 24;

/// This many bytes cost as much as a log.
const MANY: usize = 1 << 19;

impl Hashed {
    pub(super) fn new() -> Hashed {
        Hashed {
            logs: vec![Log::default()],
            free: Vec::new(),
            bytes: 0,
            used: 1,
            threshold: LEAST_LOGS,
        }
    }

    /// Visits all words of all sets and bags.
    pub(super) fn each_word(&self, visit: &mut dyn FnMut(u64)) {
        let words = self.logs.iter().flat_map(|log| &log.words);
        words.for_each(|word| visit(*word));
    }

    /// The size of all entries, in words.
    #[inline]
    pub(super) fn words(&self) -> usize {
        self.bytes / size_of::<u64>()
    }

    fn log(&mut self, stride: usize) -> usize {
        self.used += 1;
        let log = self.free.pop().unwrap_or_else(|| {
            self.logs.push(Log::default());
            self.logs.len() - 1
        });
        self.logs[log].stride = stride;
        log
    }

    /// Accounts for `entries` new entries.
    fn has_grown(&mut self, entries: usize, stride: usize) {
        let before = self.bytes;
        self.bytes += entries * (stride * 8 + ENTRY);
        self.used += self.bytes / MANY - before / MANY;
    }

    /// Empties an unused log, for reuse.
    fn give_back(&mut self, log: usize) {
        let entries = &mut self.logs[log];
        let before = self.bytes;
        let bytes = entries.len() * (entries.stride * 8 + ENTRY);
        self.bytes -= bytes;
        self.used -= 1 + before / MANY - self.bytes / MANY;
        if bytes < MANY {
            entries.clear();
        } else {
            *entries = Log::default();
        }
        self.free.push(log);
    }

    /// The length of each of some logs.
    pub(super) fn lengths(&self, logs: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
        logs.map(|log| (log, self.logs[log].len())).collect()
    }

    /// Cuts logs to earlier lengths.
    pub(super) fn cut(&mut self, lengths: &[(usize, usize)]) {
        for (log, len) in lengths {
            let log = &mut self.logs[*log];
            let (entries, before) = (log.len().saturating_sub(*len), self.bytes);
            log.truncate(*len);
            self.bytes -= entries * (log.stride * 8 + ENTRY);
            self.used -= before / MANY - self.bytes / MANY;
        }
    }

    /// A new log with a prefix of another.
    #[cold]
    fn copied(&mut self, from: usize, len: usize, stride: usize) -> usize {
        let copy = self.log(stride);
        for index in 0..len {
            let entry = u32::try_from(index).unwrap_or(FIRST);
            let entry = self.logs[from].entry(entry).to_vec();
            self.logs[copy].push(&entry);
        }
        self.has_grown(len, stride);
        copy
    }
}

/// The last lookup in a log and its result, since a lookup is often followed by an insertion.
#[derive(Debug)]
pub(super) struct LastFound {
    log: usize,
    /// The length of the log.
    len: usize,
    /// A block; other values are not cached.
    value: i64,
    epoch: u64,
    key: u64,
    /// The latest entry with the value, or [`FIRST`].
    found: u32,
}

impl Default for LastFound {
    fn default() -> LastFound {
        LastFound {
            log: 0,
            len: 0,
            value: NONE,
            epoch: 0,
            key: 0,
            found: FIRST,
        }
    }
}

/// The log of a handle.
pub(super) fn log_of(handle: i64) -> usize {
    parts(handle).0
}

/// The log and the number of entries of a handle.
fn parts(handle: i64) -> (usize, usize) {
    let bits = handle.cast_unsigned();
    let log = usize::try_from(bits >> LENGTH_BITS).unwrap_or(0);
    let len = usize::try_from(bits & u64::from(u32::MAX)).unwrap_or(0);
    (log, len)
}

fn joined(log: usize, len: usize) -> i64 {
    if len == 0 {
        0
    } else {
        (handle(log) << LENGTH_BITS) | handle(len)
    }
}

/// The words of a value: in memory if it is a block, itself if it is one word.
#[inline]
fn words_of<'w>(memory: &'w [u64], value: i64, slot: Slot, own: &'w mut [u64; 1]) -> &'w [u64] {
    match slot {
        Slot::Byte { .. } | Slot::Word => {
            own[0] = value.cast_unsigned();
            own
        }
        Slot::Block { words } | Slot::OptionalBlock { words } => {
            &memory[at(value)..at(value) + words]
        }
    }
}

impl Machine<'_> {
    /// The value as a set or bag stores it.
    #[inline]
    fn canonical_element(&mut self, value: i64, hashed: usize) -> Result<i64, Stop> {
        let shape = &self.compiled.hashed[hashed];
        if shape.flat {
            return Ok(value);
        }
        self.canonical(value, &shape.element)
    }

    /// Finds the latest entry of a log with a value, and its hash; stores them in [`Machine::last_found`].
    #[inline]
    fn find(&mut self, log: usize, value: i64, slot: Slot) {
        match slot {
            Slot::Byte { .. } | Slot::Word => {
                let words = [value.cast_unsigned()];
                let key = hash(&words);
                self.last_found = LastFound {
                    key,
                    found: self.hashed.logs[log].find_hashed(key, &words),
                    ..LastFound::default()
                };
            }
            Slot::Block { words } | Slot::OptionalBlock { words } => {
                self.find_block(log, value, words);
            }
        }
    }

    fn find_block(&mut self, log: usize, value: i64, words: usize) {
        let entries = &self.hashed.logs[log];
        let len = entries.len();
        let last = &mut self.last_found;
        let is_again = last.value == value && last.epoch == self.epoch;
        if is_again && last.log == log && last.len == len {
            return;
        }
        let words = &self.memory[at(value)..][..words];
        if !is_again {
            last.value = value;
            last.epoch = self.epoch;
            last.key = hash(words);
        }
        last.log = log;
        last.len = len;
        last.found = entries.find_hashed(last.key, words);
    }

    /// Whether a set or bag has a value.
    pub(super) fn has_hashed(&mut self, set: i64, value: i64, hashed: usize) -> Result<bool, Stop> {
        if value == NONE || set == 0 {
            return Ok(false);
        }
        let value = self.canonical_element(value, hashed)?;
        let (log, len) = parts(set);
        self.find(log, value, self.compiled.hashed[hashed].slot);
        Ok(self.is_among(log, len))
    }

    /// How often a set or bag has a value.
    pub(super) fn count_hashed(
        &mut self,
        set: i64,
        value: i64,
        hashed: usize,
    ) -> Result<i64, Stop> {
        if value == NONE || set == 0 {
            return Ok(0);
        }
        let value = self.canonical_element(value, hashed)?;
        Ok(self.count_canonical(set, value, hashed))
    }

    fn count_canonical(&mut self, set: i64, value: i64, hashed: usize) -> i64 {
        let (log, len) = parts(set);
        let slot = self.compiled.hashed[hashed].slot;
        self.find(log, value, slot);
        let count = self.hashed.logs[log].count_from(self.last_found.found, len);
        handle(count)
    }

    /// Whether the entry found last, or an earlier one with the same value, is among the first `len` of a log.
    #[inline]
    fn is_among(&self, log: usize, len: usize) -> bool {
        self.hashed.logs[log].before(self.last_found.found, len) != FIRST
    }

    /// The `index`-th entry.
    pub(super) fn entry_hashed(
        &mut self,
        set: i64,
        index: usize,
        hashed: usize,
    ) -> Result<i64, Stop> {
        let (log, _) = parts(set);
        match self.compiled.hashed[hashed].slot {
            Slot::Byte { .. } | Slot::Word => Ok(self.hashed.logs[log].words[index].cast_signed()),
            Slot::Block { words } | Slot::OptionalBlock { words } => {
                let start = self.block(words)?;
                let from = index * words;
                self.memory[start..start + words]
                    .copy_from_slice(&self.hashed.logs[log].words[from..from + words]);
                Ok(handle(start))
            }
        }
    }

    /// The entries of a set or bag in ascending order.
    pub(super) fn in_order(&self, set: i64, hashed: usize) -> Vec<usize> {
        let (log, len) = parts(set);
        let log = &self.hashed.logs[log];
        let mut order: Vec<usize> = (0..len).collect();
        let words = |index: usize| log.entry(u32::try_from(index).unwrap_or(FIRST));
        if self.compiled.hashed[hashed].text {
            let text = |index: usize| {
                let id = words(index).first().map_or(NONE, |id| id.cast_signed());
                self.texts.get(id)
            };
            order.sort_by(|left, right| text(*left).cmp(text(*right)));
        } else {
            let signed = |index: usize| words(index).iter().map(|word| word.cast_signed());
            order.sort_by(|left, right| signed(*left).cmp(signed(*right)));
        }
        order
    }

    /// The words of all entries of a set or bag, in ascending order.
    pub(super) fn words_in_order(&self, set: i64, hashed: usize) -> Vec<u64> {
        let log = &self.hashed.logs[parts(set).0];
        self.in_order(set, hashed)
            .into_iter()
            .flat_map(|index| log.entry(u32::try_from(index).unwrap_or(FIRST)))
            .copied()
            .collect()
    }

    /// A set or bag in a log of its own, with these words as its entries.
    pub(super) fn hashed_of(&mut self, words: &[u64], stride: usize) -> i64 {
        let log = self.hashed.log(stride);
        for entry in words.chunks_exact(stride) {
            self.hashed.logs[log].push(entry);
        }
        self.hashed.has_grown(words.len() / stride, stride);
        joined(log, words.len() / stride)
    }

    /// The set or bag with one more value.
    pub(super) fn insert_hashed(
        &mut self,
        set: i64,
        value: i64,
        hashed: usize,
    ) -> Result<i64, Stop> {
        let compiled = self.compiled;
        let shape = &compiled.hashed[hashed];
        if value == NONE {
            return Ok(set);
        }
        let value = self.canonical_element(value, hashed)?;
        let (mut log, len) = parts(set);
        self.find(log, value, shape.slot);
        if !shape.bag && self.is_among(log, len) {
            return Ok(set);
        }
        let LastFound { key, mut found, .. } = self.last_found;
        let mut own = [0];
        let words = words_of(&self.memory, value, shape.slot, &mut own);
        // A set's log may not contain a value twice: copy the prefix if a later version has the value.
        let at_tip = log != 0 && self.hashed.logs[log].len() == len;
        let stride = shape.slot.stride();
        if !at_tip {
            log = self.hashed.copied(log, len, stride);
            found = self.hashed.logs[log].find_hashed(key, words);
        }
        self.hashed.logs[log].push_hashed(key, found, words);
        self.hashed.has_grown(1, stride);
        if self.hashed.bytes > self.compiled.limits.bytes_of_sets() {
            return Err(Box::new(Fault::Memory));
        }
        if !at_tip {
            self.charge_words(len * stride)?;
        }
        Ok(joined(log, len + 1))
    }

    /// The set without a value, or the bag with one occurrence fewer.
    pub(super) fn remove_hashed(
        &mut self,
        set: i64,
        value: i64,
        hashed: usize,
    ) -> Result<i64, Stop> {
        if value == NONE {
            return Ok(set);
        }
        let value = self.canonical_element(value, hashed)?;
        if self.count_canonical(set, value, hashed) == 0 {
            return Ok(set);
        }
        let slot = self.compiled.hashed[hashed].slot;
        let (log, len) = parts(set);
        let mut own = [0];
        let gone = words_of(&self.memory, value, slot, &mut own).to_vec();
        let copy = self.hashed.log(slot.stride());
        let mut removed = false;
        for index in 0..len {
            self.charge_one()?;
            let entry = self.hashed.logs[log]
                .entry(u32::try_from(index).unwrap_or(FIRST))
                .to_vec();
            if !removed && entry == gone {
                removed = true;
            } else {
                self.hashed.logs[copy].push(&entry);
            }
        }
        self.hashed.has_grown(len - 1, slot.stride());
        if self.hashed.bytes > self.compiled.limits.bytes_of_sets() {
            return Err(Box::new(Fault::Memory));
        }
        Ok(joined(copy, len - 1))
    }

    pub(super) fn same_hashed(&self, left: i64, right: i64, hashed: usize) -> bool {
        let ((log, len), (other, other_len)) = (parts(left), parts(right));
        if len != other_len {
            return false;
        }
        let (log, other) = (&self.hashed.logs[log], &self.hashed.logs[other]);
        let bag = self.compiled.hashed[hashed].bag;
        (0..len).all(|index| {
            let value = log.entry(u32::try_from(index).unwrap_or(FIRST));
            let count = other.count(value, len);
            if bag {
                count == log.count(value, len)
            } else {
                count > 0
            }
        })
    }

    /// The entries that a set or bag has more often than another of the same type.
    pub(super) fn more_than(
        &mut self,
        set: i64,
        other: i64,
        hashed: usize,
    ) -> Result<Vec<i64>, Stop> {
        let ((log, len), (before, before_len)) = (parts(set), parts(other));
        let mut more = Vec::new();
        // An earlier prefix of the same log is a subset.
        let known = if log == before {
            before_len.min(len)
        } else {
            0
        };
        for index in known..len {
            if log != before {
                self.charge_one()?;
                let (log, other) = (&self.hashed.logs[log], &self.hashed.logs[before]);
                let value = log.entry(u32::try_from(index).unwrap_or(FIRST));
                if log.count(value, index + 1) <= other.count(value, before_len) {
                    continue;
                }
            }
            more.push(self.entry_hashed(set, index, hashed)?);
        }
        Ok(more)
    }

    /// Frees the logs that no given and no state holds, once there are many.
    pub(super) fn collect_hashed(&mut self) {
        if self.hashed.used <= self.hashed.threshold {
            return;
        }
        let mut marks = vec![false; self.hashed.logs.len()];
        marks[0] = true;
        for (start, count) in &self.compiled.hashed_roots {
            for place in *start..start + count {
                marks[parts(self.load(place)).0] = true;
                for image in &self.images {
                    marks[parts(image[place].cast_signed()).0] = true;
                }
            }
        }
        // As for piles: any field that could be a set or bag counts as one.
        for value in self.found.iter().chain(&self.open_paths) {
            if let Some(mark) = marks.get_mut(parts(*value).0) {
                *mark = true;
            }
        }
        for set in self.interned.sets() {
            marks[parts(set).0] = true;
        }
        for free in &self.hashed.free {
            marks[*free] = true;
        }
        for (log, marked) in marks.iter().enumerate() {
            if !marked {
                self.hashed.give_back(log);
            }
        }
        self.hashed.threshold = LEAST_LOGS.max(self.hashed.used * 2) + self.images.len();
    }
}
