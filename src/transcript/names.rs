//! Words that were given, kept with their lines until it is known that they stand for different things.

use std::ops::Range;

use super::reader::Stretch;
use crate::fault::Place;

/// How many words are remembered.
const MOST_NAMES: usize = 64;

/// How long a line may be whose words are remembered.
const LONGEST_LINE: usize = 1 << 12;

/// Words that were given since the last start, and where they stand.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// The lines, one after the other.
    text: Vec<u8>,
    /// For each word, where it stands in its line, and where that is kept.
    names: Vec<(Stretch, Range<usize>)>,
}

impl Names {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.names.clear();
    }

    /// Whether so many more words can be remembered.
    pub(super) fn has_room_for(&self, count: usize) -> bool {
        self.names.len() + count <= MOST_NAMES
    }

    /// Remembers a word, in a line or in what there is of it; says whether it could.
    pub(super) fn remember(&mut self, stretch: Stretch, piece: &[u8]) -> bool {
        if stretch.skipped + piece.len() > LONGEST_LINE {
            return false;
        }
        let start = self.text.len();
        self.text.extend_from_slice(piece);
        self.names.push((stretch, start..self.text.len()));
        true
    }

    /// Where a word stands: the last one, if there are several.
    pub(super) fn place(&self, word: &[u8]) -> Option<Place> {
        let mut names = self.names.iter().rev();
        names.find_map(|(stretch, range)| {
            let piece = &self.text[range.clone()];
            (stretch.of(piece) == word).then(|| stretch.place(piece))
        })
    }
}
