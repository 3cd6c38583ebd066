//! Keeps names that were read, with their lines, until it is certain that they differ.

use std::ops::Range;

use super::reader::Stretch;
use crate::fault::Place;

/// The number of names that are kept.
const MOST_NAMES: usize = 64;

/// The longest line whose names are kept, in bytes.
const LONGEST_LINE: usize = 1 << 12;

/// The names that were read since the last start, with their places.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// The lines, concatenated.
    text: Vec<u8>,
    /// For each name, its place in its line and the range of the line in `text`.
    names: Vec<(Stretch, Range<usize>)>,
}

impl Names {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.names.clear();
    }

    /// Whether there is room for this many more names.
    pub(super) fn has_room_for(&self, count: usize) -> bool {
        self.names.len() + count <= MOST_NAMES
    }

    /// Remembers a name in its line (or the available part of that). Returns whether there was room.
    pub(super) fn remember(&mut self, stretch: Stretch, piece: &[u8]) -> bool {
        if stretch.skipped + piece.len() > LONGEST_LINE {
            return false;
        }
        let start = self.text.len();
        self.text.extend_from_slice(piece);
        self.names.push((stretch, start..self.text.len()));
        true
    }

    /// The place of a name; the last one, if there are several.
    pub(super) fn place(&self, word: &[u8]) -> Option<Place> {
        let mut names = self.names.iter().rev();
        names.find_map(|(stretch, range)| {
            let piece = &self.text[range.clone()];
            (stretch.of(piece) == word).then(|| stretch.place(piece))
        })
    }
}
