//! Operations on what is only loaded, as one, and constants where they are loaded from as state is: the last step, since
//! no other looks into them.

use std::collections::BTreeMap;

use crate::code::{Choice, Code, Compiled, NodeMut, Report};

/// Fuses operations with what they load.
pub(super) fn fuse(compiled: &mut Compiled) {
    let mut fusion = Fusion {
        first: compiled.fixed_words,
        places: BTreeMap::new(),
    };
    for fact in &mut compiled.facts {
        fusion.code(&mut fact.code);
    }
    for event in &mut compiled.events {
        if let Some(guard) = &mut event.guard {
            fusion.code(&mut guard.code);
        }
        for row in &mut event.impossible {
            fusion.report(&mut row.row);
        }
        for equation in event.equations.iter_mut().flatten() {
            fusion.code(&mut equation.code);
        }
        for row in event.report.iter_mut().chain(&mut event.refused) {
            fusion.report(row);
        }
        for choice in &mut event.follows {
            fusion.choice(choice);
        }
    }
    for choice in compiled.policies.iter_mut().flatten() {
        fusion.choice(choice);
    }
    let mut constants = vec![0; fusion.places.len()];
    for (constant, place) in &fusion.places {
        constants[*place] = *constant;
    }
    compiled.fixed_words += constants.len();
    compiled.constants = constants;
}

/// The step at work.
struct Fusion {
    /// Where constants begin in fixed memory.
    first: usize,
    /// Each constant's place among them.
    places: BTreeMap<i64, usize>,
}

impl Fusion {
    fn report(&mut self, row: &mut Report) {
        for (_, source) in &mut row.bindings {
            source.pieces_mut(&mut |piece| self.node(piece));
        }
        for condition in &mut row.conditions {
            self.code(condition);
        }
        row.text.pieces_mut(&mut |piece| self.node(piece));
    }

    fn choice(&mut self, choice: &mut Choice) {
        for (_, source) in &mut choice.bindings {
            source.pieces_mut(&mut |piece| self.node(piece));
        }
        for code in choice.conditions.iter_mut().chain(&mut choice.fields) {
            self.code(code);
        }
    }

    fn node(&mut self, piece: NodeMut<'_>) {
        match piece {
            NodeMut::Code(code) => self.code(code),
            NodeMut::Source(source) => source.pieces_mut(&mut |piece| self.node(piece)),
            NodeMut::Loop(range) => range.pieces_mut(&mut |piece| self.node(piece)),
            NodeMut::Best(best) => best.pieces_mut(&mut |piece| self.node(piece)),
            NodeMut::Row(row) => row.pieces_mut(&mut |piece| self.node(piece)),
        }
    }

    fn code(&mut self, code: &mut Code) {
        code.pieces_mut(&mut |piece| self.node(piece));
        let fused = match code {
            Code::Constant(value) => self.constant(*value),
            Code::Lookup(table, operand) => match **operand {
                Code::Load(place) => Code::LookupLoaded(std::mem::take(table), place),
                _ => return,
            },
            Code::EqualConstant(operand, value) => match **operand {
                Code::Load(place) => Code::EqualLoaded(place, *value),
                _ => return,
            },
            _ => return,
        };
        *code = fused;
    }

    fn constant(&mut self, value: i64) -> Code {
        let next = self.places.len();
        let place = self.first + *self.places.entry(value).or_insert(next);
        match u32::try_from(place) {
            Ok(place) => Code::Load(place),
            Err(_) => Code::Constant(value),
        }
    }
}
