//! A log: entries in insertion order, with an index by hash.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;

/// No earlier entry.
pub(super) const FIRST: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) stride: usize,
    pub(super) words: Vec<u64>,
    /// The metadata of each entry.
    entries: Vec<Entry>,
    /// The latest entry of each value.
    latest: HashTable<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Half of the hash: the other half is the same.
    hash: u32,
    /// The previous entry with the same value.
    earlier: u32,
    /// How many earlier entries have the same value.
    number: u32,
    /// An earlier entry with the same value, further away: itself, if there is none. The jumps are those of Myers, "An
    /// applicative random-access stack" (1983), so that any earlier entry is a logarithmic number of steps away.
    jump: u32,
}

/// A hash of which both halves are the same, so that an entry has to keep only one.
pub(super) fn hash(words: &[u64]) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    hasher.write(bytemuck::cast_slice(words));
    whole(half(hasher.finish()))
}

fn half(hash: u64) -> u32 {
    u32::try_from(hash & u64::from(u32::MAX)).unwrap_or_default()
}

/// A hash of which this is half.
fn whole(half: u32) -> u64 {
    u64::from(half) | u64::from(half) << 32
}

impl Log {
    pub(super) fn entry(&self, index: u32) -> &[u64] {
        let start = index as usize * self.stride;
        &self.words[start..start + self.stride]
    }

    /// The latest entry with this value, or [`FIRST`].
    pub(super) fn find(&self, value: &[u64]) -> u32 {
        self.find_hashed(hash(value), value)
    }

    pub(super) fn find_hashed(&self, key: u64, value: &[u64]) -> u32 {
        let is_hashed = |entry: &u32| whole(self.entries[*entry as usize].hash) == key;
        let same = |entry: &u32| is_hashed(entry) && self.entry(*entry) == value;
        self.latest.find(key, same).copied().unwrap_or(FIRST)
    }

    /// How often a value is among the first `len` entries.
    pub(super) fn count(&self, value: &[u64], len: usize) -> usize {
        self.count_from(self.find(value), len)
    }

    /// How often the value of an entry, the latest with that value, is among the first `len`.
    pub(super) fn count_from(&self, latest: u32, len: usize) -> usize {
        match self.before(latest, len) {
            FIRST => 0,
            entry => self.entries[entry as usize].number as usize + 1,
        }
    }

    /// The latest of the first `len` entries that has the value of a given entry, or [`FIRST`].
    #[inline]
    pub(super) fn before(&self, mut entry: u32, len: usize) -> u32 {
        while entry != FIRST && entry as usize >= len {
            let Entry { earlier, jump, .. } = self.entries[entry as usize];
            let jumps = jump as usize >= len && jump != entry;
            entry = if jumps { jump } else { earlier };
        }
        entry
    }

    /// Where an entry jumps to that follows another with the same value.
    fn jump_over(&self, earlier: u32) -> u32 {
        let number = |entry: u32| self.entries[entry as usize].number;
        let near = self.entries[earlier as usize].jump;
        let far = self.entries[near as usize].jump;
        if number(earlier) - number(near) == number(near) - number(far) {
            far
        } else {
            earlier
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn push(&mut self, value: &[u64]) {
        let key = hash(value);
        let found = self.find_hashed(key, value);
        self.push_hashed(key, found, value);
    }

    /// Adds a value whose hash and latest entry are known.
    #[inline]
    pub(super) fn push_hashed(&mut self, key: u64, found: u32, value: &[u64]) {
        let index = u32::try_from(self.len()).unwrap_or(FIRST);
        self.words.extend_from_slice(value);
        let (number, jump) = if found == FIRST {
            (0, index)
        } else {
            let number = self.entries[found as usize].number + 1;
            (number, self.jump_over(found))
        };
        self.entries.push(Entry {
            hash: half(key),
            earlier: found,
            number,
            jump,
        });
        if found == FIRST {
            let entries = &self.entries;
            let rehash = |entry: &u32| whole(entries[*entry as usize].hash);
            self.latest.insert_unique(key, index, rehash);
        } else if let Some(latest) = self.latest.find_mut(key, |entry| *entry == found) {
            *latest = index;
        }
    }

    /// Cuts the log to its first `len` entries.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.len() > len {
            let Some(Entry { hash, earlier, .. }) = self.entries.pop() else {
                break;
            };
            let hash = whole(hash);
            let last = u32::try_from(self.len()).unwrap_or(FIRST);
            if let Ok(mut latest) = self.latest.find_entry(hash, |entry| *entry == last) {
                if earlier == FIRST {
                    latest.remove();
                } else {
                    *latest.get_mut() = earlier;
                }
            }
        }
        self.words.truncate(len * self.stride);
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.entries.clear();
        self.latest.clear();
    }
}
