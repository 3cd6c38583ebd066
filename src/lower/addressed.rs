//! Constant tables and objects of the module.

use super::{unit::Unit, word};
use crate::{
    code::Grid,
    mir::{Object, Table, TableId},
};

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
            row[0] = word(beside.len());
            for (word, point) in row[1..].iter_mut().zip(beside) {
                *word = i64::from(*point);
            }
        }
        Beside { table, stride }
    }
}

impl Unit<'_> {
    /// A table of the module; the same again where there is one with the same contents.
    pub(super) fn table(&mut self, table: Table) -> TableId {
        let known = self.table_places.get(&table).copied();
        known.unwrap_or_else(|| {
            let place = self.module.add_table(table.clone());
            self.table_places.insert(table, place);
            place
        })
    }

    /// A table of words.
    pub(super) fn keep_words(&mut self, words: impl Into<Box<[i64]>>) -> TableId {
        self.table(Table::Words(words.into()))
    }

    /// The place of an object of the module, made once for each address of what it is a copy of.
    pub(super) fn object(&mut self, address: usize, object: impl FnOnce() -> Object) -> i64 {
        let module = self.module;
        let place = self.object_places.entry(address);
        *place.or_insert_with(|| word(module.add_object(object())))
    }

    /// The place of a text of the module.
    pub(super) fn text(&mut self, text: &str) -> i64 {
        if let Some(place) = self.texts.get(text) {
            return *place;
        }
        let place = word(self.module.add_object(Object::Text(text.to_owned())));
        self.texts.insert(text.to_owned(), place);
        place
    }

    /// The texts by which the values of a type are written: for each the length, and so many words.
    pub(super) fn written(&mut self, form: usize, words: usize) -> TableId {
        let known = &self.compiled.forms[form].known;
        self.keep_words(written_out(known, words))
    }
}

/// Texts as a table: for each the length, and so many words.
pub(super) fn written_out(texts: &[String], words: usize) -> Box<[i64]> {
    let mut table = Vec::with_capacity(texts.len() * (words + 1));
    for text in texts {
        table.push(word(text.len()));
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(words * 8, 0);
        let words = bytes.chunks_exact(8).filter_map(<[u8]>::first_chunk);
        table.extend(words.map(|word| i64::from_le_bytes(*word)));
    }
    table.into_boxed_slice()
}
