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
    hash: u64,
    /// The previous entry with the same value.
    earlier: u32,
}

pub(super) fn hash(words: &[u64]) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    hasher.write(bytemuck::cast_slice(words));
    hasher.finish()
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
        let is_hashed = |entry: &u32| self.entries[*entry as usize].hash == key;
        let same = |entry: &u32| is_hashed(entry) && self.entry(*entry) == value;
        self.latest.find(key, same).copied().unwrap_or(FIRST)
    }

    /// How often a value is among the first `len` entries.
    pub(super) fn count(&self, value: &[u64], len: usize) -> usize {
        let mut count = 0;
        let mut entry = self.find(value);
        while entry != FIRST {
            count += usize::from((entry as usize) < len);
            entry = self.earlier(entry);
        }
        count
    }

    /// The previous entry with the same value.
    pub(super) fn earlier(&self, entry: u32) -> u32 {
        self.entries[entry as usize].earlier
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
        self.entries.push(Entry {
            hash: key,
            earlier: found,
        });
        if found == FIRST {
            let entries = &self.entries;
            let rehash = |entry: &u32| entries[*entry as usize].hash;
            self.latest.insert_unique(key, index, rehash);
        } else if let Some(latest) = self.latest.find_mut(key, |entry| *entry == found) {
            *latest = index;
        }
    }

    /// Cuts the log to its first `len` entries.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.len() > len {
            let Some(Entry { hash, earlier }) = self.entries.pop() else {
                break;
            };
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
