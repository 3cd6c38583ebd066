//! What was said and is not yet written out.

use std::ops::Deref;

/// Bytes with room behind them, so that machine code can write there.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// What was said, and then what is to be written over.
    pub(super) bytes: Vec<u8>,
    /// How much was said.
    pub(super) length: usize,
}

/// How much room there is at least once something was said.
const LEAST: usize = 1 << 10;

impl Said {
    pub(crate) fn push(&mut self, byte: u8) {
        self.extend_from_slice(&[byte]);
    }

    /// Makes room for so many bytes more.
    pub(super) fn make_room(&mut self, bytes: usize) {
        let end = self.length + bytes;
        if end > self.bytes.len() {
            self.bytes.resize((2 * end).max(LEAST), 0);
        }
    }

    #[inline]
    pub(crate) fn extend_from_slice(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        self.make_room(bytes.len());
        self.bytes[self.length..end].copy_from_slice(bytes);
        self.length = end;
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }
}

impl Deref for Said {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}
