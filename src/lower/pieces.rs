//! Pieces: parts of the rules that are evaluated by themselves and not as part of an event, for explanations and for
//! steps of a transcript between events.

use super::{
    body::Body,
    define::{Key, PieceKind},
    on_demand::{Piece, Table},
    steps::address_of,
    unit::Unit,
};
use crate::{
    code::{Code, Node, Source, Text},
    mir::{Builder, Callee, FunctionId},
};

impl<'c> Unit<'c> {
    /// The function of a piece in an event.
    pub(super) fn piece(&mut self, piece: Piece<'c>, event: usize) -> FunctionId {
        let key = piece.key(event);
        if let Some(function) = self.declared.get(&key) {
            return *function;
        }
        let builder = Builder::new(self.name(key), piece.parameters());
        let mut body = Body::new(builder, self, Some(event));
        body.piece(piece);
        let definition = body.finish();
        let function = self.module.declare();
        // A whole game that is too large is given up; an exact function on its own fails.
        if !self.is_exact || !self.budget.take_exhausted() {
            self.check(&definition);
            self.module.define(function, definition);
        }
        self.declared.insert(key, function);
        function
    }
}

impl Piece<'_> {
    /// The key of its function in an event.
    pub(crate) fn key(self, event: usize) -> Key {
        let (kind, address) = match self {
            Piece::Code(code) => (PieceKind::Code, address_of(code)),
            Piece::Text(text) => (PieceKind::Text, address_of(text)),
            Piece::Source(source) => (PieceKind::Source, address_of(source)),
            Piece::Table(Table {
                code,
                parameters,
                all,
            }) => (PieceKind::Table { all, parameters }, address_of(code)),
            Piece::Matches {
                bindings,
                conditions,
                locals,
                first,
            } => {
                // An empty slice has no address of its own.
                let address = match (bindings.first(), conditions.first()) {
                    (Some((_, source)), _) => address_of(source),
                    (None, Some(condition)) => address_of(condition),
                    (None, None) => 0,
                };
                let kind = PieceKind::Matches {
                    conditions: conditions.len(),
                    first,
                    locals,
                };
                (kind, address)
            }
        };
        Key::Piece(kind, address, event)
    }

    /// The address of an expression or a text.
    pub(crate) fn address(self) -> Option<usize> {
        match self {
            Piece::Code(code) => Some(address_of(code)),
            Piece::Text(text) => Some(address_of(text)),
            Piece::Table(table) => (!table.all).then(|| address_of(table.code)),
            Piece::Source(_) | Piece::Matches { .. } => None,
        }
    }

    /// How many locals of a frame it depends on.
    pub(crate) fn parameters(self) -> usize {
        match self {
            Piece::Code(code) => code.locals(),
            Piece::Text(text) => locals_of_text(text),
            Piece::Source(source) => Node::Source(source).locals(),
            Piece::Matches { locals, .. } => locals,
            // The journal has its arguments, which may be too many for a call of machine code.
            Piece::Table(_) => 0,
        }
    }
}

fn locals_of_text(text: &Text) -> usize {
    match text {
        Text::Literal(_) => 0,
        Text::Value(code, _) => code.locals(),
        Text::Parts(parts) => parts.iter().map(locals_of_text).max().unwrap_or(0),
        Text::List { source, .. } => Node::Source(source).locals(),
    }
}

impl<'c> Body<'_, 'c> {
    fn piece(&mut self, piece: Piece<'c>) {
        let mut result = self.constant(0);
        match piece {
            Piece::Code(code) => result = self.code(code),
            Piece::Text(text) => self.say(text),
            Piece::Source(source) => self.each(source, &mut |body, value| {
                body.call(Callee::List, &[value]);
            }),
            Piece::Table(table) => {
                for place in (0u32..).take(table.parameters) {
                    let index = self.constant(i64::from(place));
                    let argument = self.call(Callee::JournalArgument, &[index]);
                    self.set_local(place, argument);
                }
                if table.all {
                    self.all_rows(table.code);
                } else {
                    result = self.code(table.code);
                }
            }
            Piece::Matches {
                bindings,
                conditions,
                locals,
                first,
            } => self.matches(bindings, conditions, locals, first),
        }
        self.returns(result);
    }

    fn matches(
        &mut self,
        bindings: &'c [(u32, Source)],
        conditions: &'c [Code],
        locals: usize,
        first: bool,
    ) {
        let exit = self.exit();
        self.run(bindings, conditions, &mut |body| {
            for local in (0u32..).take(locals.max(1)) {
                let value = body.local_if_set(local);
                body.call(Callee::List, &[value]);
            }
            if first {
                body.leave(exit);
            }
        });
        self.arrive(exit);
    }
}
