//! Tables and texts that machine code has the addresses of.

use std::collections::BTreeMap;

use super::{Native, unit::Unit, ways::Ways};
use crate::code::Grid;

/// What machine code has the addresses of.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// For each grid, how many points are beside each, and which.
    pub(super) beside: Vec<Beside>,
    /// For each grid, what steps do.
    pub(super) ways: Vec<Ways>,
    /// Texts that were joined.
    pub(super) texts: Vec<Box<str>>,
    /// For each form that is written word by word, its texts.
    pub(super) written: BTreeMap<usize, Box<[i64]>>,
    /// Other tables of words.
    pub(super) words: Vec<Box<[i64]>>,
    /// For decision tables, which of some sets of rows each combination of keys has.
    pub(super) rows: Vec<Box<[u16]>>,
}

/// The points beside each point of a grid, as a table.
#[derive(Debug)]
pub(super) struct Beside {
    /// For each point so many words: how many there are, and then the points.
    pub(super) table: Box<[i64]>,
    pub(super) stride: usize,
}

impl Beside {
    pub(super) fn of(grid: &Grid) -> Beside {
        let most = grid
            .beside
            .iter()
            .map(|beside| beside.points().len())
            .max()
            .unwrap_or(0);
        let stride = most + 1;
        let mut table = vec![0; stride * grid.beside.len()].into_boxed_slice();
        for (row, beside) in table.chunks_exact_mut(stride).zip(&grid.beside) {
            let beside = beside.points();
            row[0] = Native::word(beside.len());
            for (word, point) in row[1..].iter_mut().zip(beside) {
                *word = i64::from(*point);
            }
        }
        Beside { table, stride }
    }
}

impl Unit<'_> {
    /// The address of a text, which then lives as long as machine code does.
    pub(super) fn keep(&mut self, text: String) -> i64 {
        let text = text.into_boxed_str();
        let address = text.as_ptr().expose_provenance();
        self.tables.texts.push(text);
        i64::try_from(address).unwrap_or(0)
    }

    /// The address of a table of words, which then lives as long as machine code does.
    pub(super) fn keep_words(&mut self, words: Box<[i64]>) -> i64 {
        let known = self.tables.words.iter().position(|known| *known == words);
        let place = known.unwrap_or_else(|| {
            self.tables.words.push(words);
            self.tables.words.len() - 1
        });
        let address = self.tables.words[place].as_ptr().expose_provenance();
        i64::try_from(address).unwrap_or(0)
    }

    /// The address of a table of row numbers, which then lives as long as machine code does.
    pub(super) fn keep_rows(&mut self, rows: Box<[u16]>) -> i64 {
        let address = rows.as_ptr().expose_provenance();
        self.tables.rows.push(rows);
        i64::try_from(address).unwrap_or(0)
    }

    /// The address of the texts by which the values of a type are written: for each the length, and so many words.
    pub(super) fn written(&mut self, form: usize, words: usize) -> i64 {
        let known = &self.compiled.forms[form].known;
        let table = self.tables.written.entry(form);
        let table = table.or_insert_with(|| written_out(known, words));
        i64::try_from(table.as_ptr().expose_provenance()).unwrap_or(0)
    }
}

/// Texts as a table: for each the length, and so many words.
pub(super) fn written_out(texts: &[String], words: usize) -> Box<[i64]> {
    let mut table = Vec::with_capacity(texts.len() * (words + 1));
    for text in texts {
        table.push(Native::word(text.len()));
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(words * 8, 0);
        let words = bytes.chunks_exact(8).filter_map(<[u8]>::first_chunk);
        table.extend(words.map(|word| i64::from_le_bytes(*word)));
    }
    table.into_boxed_slice()
}
