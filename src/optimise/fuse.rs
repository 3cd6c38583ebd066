//! Operations on what is only loaded, as one: the last step, since no other looks into them.

use crate::code::{Choice, Code, Compiled, NodeMut, Report, Source};

/// Fuses operations with what they load.
pub(super) fn fuse(compiled: &mut Compiled) {
    for fact in &mut compiled.facts {
        code(&mut fact.code);
    }
    for event in &mut compiled.events {
        if let Some(guard) = &mut event.guard {
            code(&mut guard.code);
        }
        for row in &mut event.impossible {
            report(&mut row.row);
        }
        for equation in event.equations.iter_mut().flatten() {
            code(&mut equation.code);
        }
        for row in event.report.iter_mut().chain(&mut event.refused) {
            report(row);
        }
        event.follows.iter_mut().for_each(choice);
    }
    compiled.policies.iter_mut().flatten().for_each(choice);
}

fn report(row: &mut Report) {
    row.bindings.iter_mut().for_each(|(_, from)| source(from));
    row.conditions.iter_mut().for_each(code);
    row.text.pieces_mut(&mut node);
}

fn choice(choice: &mut Choice) {
    choice
        .bindings
        .iter_mut()
        .for_each(|(_, from)| source(from));
    choice.conditions.iter_mut().for_each(code);
    choice.fields.iter_mut().for_each(code);
}

fn source(source: &mut Source) {
    source.pieces_mut(&mut node);
}

fn node(piece: NodeMut<'_>) {
    match piece {
        NodeMut::Code(found) => code(found),
        NodeMut::Source(found) => source(found),
        NodeMut::Loop(range) => range.pieces_mut(&mut node),
        NodeMut::Best(best) => best.pieces_mut(&mut node),
        NodeMut::Row(row) => row.pieces_mut(&mut node),
    }
}

fn code(found: &mut Code) {
    found.pieces_mut(&mut node);
    let fused = match found {
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
    *found = fused;
}
