//! Maps that are made whole: of a fact's values, or of another map's entries.

use super::{
    body::{Body, Place},
    word,
};
use crate::code::{Remap, Tabulate};
use crate::mir::Value;

impl<'c> Body<'_, 'c> {
    /// A map of a fact's values.
    pub(super) fn tabulate(&mut self, table: &'c Tabulate) -> Value {
        let domain = table.domain;
        let block = self.new_block(table.words);
        let (first, end) = (self.constant(0), self.constant(word(domain.count)));
        self.each_index(first, end, &mut |body, index| {
            let key = body.value_of(domain, index);
            let skip = body.block();
            if let Some(partial) = table.partial {
                let is_value = body.is_value(partial, key);
                body.unless_zero(is_value, skip);
            }
            body.charge();
            let value = body.fact_of(table.fact, &[key]);
            body.write(Place::At(block), index, domain.count, &table.slot, value);
            body.go_to(skip);
            body.begin(skip);
        });
        block
    }

    /// A map with its entries kept in another way.
    pub(super) fn remap(&mut self, remap: &'c Remap) -> Value {
        let count = remap.domain.count;
        let map = self.place(&remap.map);
        let block = self.new_block(remap.words);
        let (first, end) = (self.constant(0), self.constant(word(count)));
        self.each_index(first, end, &mut |body, index| {
            let value = body.read(map, index, count, remap.from);
            body.write(Place::At(block), index, count, &remap.to, value);
        });
        block
    }
}
