//! Values as data for other programs.

use super::{Machine, memory::at};
use crate::{
    code::{NONE, State, Typed, TypedEntries, TypedState},
    fault::Stop,
    stream::{Entries, Value},
};

impl<'c> Machine<'c> {
    /// A value as data.
    pub(super) fn typed(&mut self, value: i64, typed: &'c Typed) -> Result<Value, Stop> {
        if value == NONE {
            return Ok(Value::None);
        }
        Ok(match typed {
            Typed::YesNo => Value::YesNo(value != 0),
            Typed::Number => Value::Number(value),
            Typed::Text(written) => Value::Text(self.rendered_value(value, written)),
            Typed::List { shape, element } => {
                let members = self.members(value, shape)?;
                Value::List(self.typed_members(&members, element)?)
            }
            Typed::Entries(entries) => {
                let mut list = Vec::new();
                for index in self.keys(entries)? {
                    let key = self.rendered_value(entries.domain.value(index), &entries.key);
                    let entry = self.read(at(value), index, entries.slot);
                    list.push((key, self.typed(entry, &entries.entry)?));
                }
                Value::Entries(Entries(list))
            }
            Typed::Record(parts) => {
                let mut list = Vec::new();
                for (name, offset, slot, part) in parts {
                    let value = self.read(at(value) + offset, 0, *slot);
                    list.push((name.clone(), self.typed(value, part)?));
                }
                Value::Entries(Entries(list))
            }
        })
    }

    /// Members of a collection as data.
    pub(super) fn typed_members(
        &mut self,
        members: &[i64],
        element: &'c Typed,
    ) -> Result<Vec<Value>, Stop> {
        let mut list = Vec::with_capacity(members.len());
        for member in members {
            list.push(self.typed(*member, element)?);
        }
        Ok(list)
    }

    /// The indices of a map's keys.
    fn keys(&mut self, entries: &'c TypedEntries) -> Result<Vec<usize>, Stop> {
        let domain = entries.domain;
        let end = match &entries.last {
            Some(last) => domain.index(self.evaluate(last)?).saturating_add(1),
            None => domain.count,
        };
        let keys = (0..end.min(domain.count)).filter(|index| {
            let key = domain.value(*index);
            let partial = entries.partial;
            partial.is_none_or(|partial| self.is_value(partial, key))
        });
        Ok(keys.collect())
    }

    /// The values that make up the key with an index.
    pub(super) fn key_parts(
        &mut self,
        entries: &'c TypedEntries,
        index: usize,
    ) -> Result<Vec<Value>, Stop> {
        let mut rest = index;
        let mut parts = Vec::new();
        for (domain, typed) in entries.parameters.iter().rev() {
            let count = domain.count.max(1);
            parts.push(self.typed(domain.value(rest % count), typed)?);
            rest /= count;
        }
        parts.reverse();
        Ok(parts)
    }

    /// The whole state as data, if the program was compiled for that.
    pub(crate) fn own_state_data(&mut self) -> Entries {
        let compiled = self.compiled;
        self.state_data(&compiled.data)
    }

    /// The whole state as data. A collection that the viewer may not see becomes its size.
    pub(crate) fn state_data(&mut self, states: &'c [TypedState]) -> Entries {
        let compiled = self.compiled;
        let mut list = Vec::new();
        for (state, typed) in compiled.states.iter().zip(states) {
            let value = self.read(state.offset, 0, state.slot);
            if let Some(value) = self.attempt(|machine| machine.seen_state(state, value, typed)) {
                list.push((typed.name.clone(), value));
            }
        }
        Entries(list)
    }

    fn seen_state(
        &mut self,
        state: &'c State,
        value: i64,
        typed: &'c TypedState,
    ) -> Result<Value, Stop> {
        match &typed.whole {
            whole if state.seen.is_none() => self.typed(value, whole),
            Typed::Entries(entries) => {
                let mut list = Vec::new();
                for index in self.keys(entries)? {
                    let key = entries.domain.value(index);
                    let entry = self.read(at(value), index, entries.slot);
                    let entry = self.seen(state, key, entry, &entries.entry)?;
                    list.push((self.rendered_value(key, &entries.key), entry));
                }
                Ok(Value::Entries(Entries(list)))
            }
            whole => self.seen(state, 0, value, whole),
        }
    }

    /// The value of a state, or of its entry with this key, as far as the viewer may see it.
    fn seen(
        &mut self,
        state: &'c State,
        key: i64,
        value: i64,
        typed: &'c Typed,
    ) -> Result<Value, Stop> {
        if self.is_seen(state, key) {
            return self.typed(value, typed);
        }
        let size = match typed {
            Typed::List { shape, .. } if value != NONE => self.members(value, shape)?.len(),
            _ => return Ok(Value::None),
        };
        Ok(Value::Number(i64::try_from(size).unwrap_or(i64::MAX)))
    }
}
