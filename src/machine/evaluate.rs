//! How the machine itself evaluates parts of the rules: by exact functions, which are lowered on their first call and
//! report what is wrong if they fail.

use super::Machine;
use crate::{
    code::{Code, Source, Text},
    fault::{self, Fault, Stop, Trouble},
    interpret,
    lower::{Key, Piece, Table},
    mir::{Function, FunctionId},
    word::Input,
};

/// Called with each value; returns whether to continue.
pub(crate) type Visit<'v, 'c> = &'v mut dyn FnMut(&mut Machine<'c>, i64) -> Result<bool, Stop>;

/// Called for each assignment of some variables; returns whether to continue.
pub(super) type Body<'v, 'c> = &'v mut dyn FnMut(&mut Machine<'c>) -> Result<bool, Stop>;

impl<'c> Machine<'c> {
    /// The value of an expression.
    ///
    /// # Errors
    /// The expression cannot be evaluated.
    pub(crate) fn evaluate(&mut self, code: &'c Code) -> Result<i64, Stop> {
        match code {
            Code::Local(local) => Ok(self.locals[self.base + *local as usize]),
            Code::Load(place) => Ok(self.load(*place as usize)),
            Code::Constant(value) => Ok(*value),
            code => self.call_piece(Piece::Code(code)),
        }
    }

    /// Writes a text to the output.
    ///
    /// # Errors
    /// The text cannot be evaluated.
    pub(crate) fn say(&mut self, text: &'c Text) -> Result<(), Stop> {
        if let Text::Literal(literal) = text {
            self.out.extend_from_slice(literal.as_bytes());
            return Ok(());
        }
        self.call_piece(Piece::Text(text))?;
        Ok(())
    }

    /// Visits each value of a source; returns whether no visit stopped it.
    pub(super) fn each(&mut self, source: &'c Source, visit: Visit<'_, 'c>) -> Result<bool, Stop> {
        let (listed, result) = self.listed_by(Piece::Source(source));
        for value in listed {
            if !visit(self, value)? {
                return Ok(false);
            }
        }
        result.map(|_| true)
    }

    /// Calls `body` for each assignment of the variables that fulfils the conditions; returns whether no call stopped
    /// it.
    pub(super) fn run(
        &mut self,
        bindings: &'c [(u32, Source)],
        conditions: &'c [Code],
        body: Body<'_, 'c>,
    ) -> Result<bool, Stop> {
        if bindings.is_empty() && conditions.is_empty() {
            return body(self);
        }
        let locals = self.frame_top - self.base;
        let (listed, result) = self.listed_by(Piece::Matches {
            bindings,
            conditions,
            locals,
            first: bindings.is_empty(),
        });
        for found in listed.chunks(locals.max(1)) {
            let base = self.base;
            self.locals[base..base + locals].copy_from_slice(&found[..locals]);
            if !body(self)? {
                return Ok(false);
            }
        }
        result.map(|_| true)
    }

    /// The value of a table in the current frame. Its rows write the journal.
    pub(super) fn call_table(&mut self, table: Table<'c>) -> Result<i64, Stop> {
        self.call_piece(Piece::Table(table))
    }

    /// The values that a piece lists before it ends or fails.
    fn listed_by(&mut self, piece: Piece<'c>) -> (Vec<i64>, Result<i64, Stop>) {
        let outer = std::mem::take(&mut self.listed);
        let result = self.call_piece(piece);
        (std::mem::replace(&mut self.listed, outer), result)
    }

    /// Calls the function of a piece in the current event, with the locals of the current frame.
    fn call_piece(&mut self, piece: Piece<'c>) -> Result<i64, Stop> {
        if let Some(value) = self.evaluate_lowered(piece) {
            return Ok(value);
        }
        if matches!(piece, Piece::Table(_)) {
            self.journal.clear();
        }
        let (compiled, event) = (self.compiled, self.event);
        let declared = self.declared.entry(piece.key(event));
        let function = *declared.or_insert_with(|| compiled.exact.piece(compiled, piece, event));
        let arguments: Vec<i64> = (self.base..)
            .take(piece.parameters())
            .map(|place| self.locals.get(place).copied().unwrap_or(0))
            .collect();
        self.call_exact(function, &arguments)
    }

    /// Calls the exact function with a key.
    ///
    /// # Errors
    /// The error of the function.
    pub(super) fn call_key(&mut self, key: Key, arguments: &[i64]) -> Result<i64, Stop> {
        let compiled = self.compiled;
        let declared = self.declared.entry(key);
        let function = *declared.or_insert_with(|| compiled.exact.declared(compiled, key));
        self.call_exact(function, arguments)
    }

    fn call_exact(&mut self, function: FunctionId, arguments: &[i64]) -> Result<i64, Stop> {
        let module = self.compiled.exact.module();
        // The runtime may call a function while another one waits for it.
        let waiting = self.module.replace(module);
        let is_called = std::mem::replace(&mut self.is_called, true);
        let searches = std::mem::take(&mut self.searches);
        let failed = std::mem::take(&mut self.places.failed);
        self.fault = None;
        let result = interpret::run(module, function, arguments, self, Input::NONE);
        let has_failed = self.places.failed != 0;
        self.places.failed = failed;
        self.searches = searches;
        self.module = waiting;
        self.is_called = is_called;
        if has_failed {
            return Err(self.fault.take().unwrap_or_else(outside));
        }
        Ok(result)
    }

    /// The code of an exact function, lowered on its first call. Nothing if that takes too many instructions; the call
    /// fails then.
    pub(super) fn lowered_on_demand(&mut self, function: FunctionId) -> Option<&'c Function> {
        let compiled = self.compiled;
        let lowered = compiled.exact.function(compiled, function);
        if lowered.is_none() {
            self.value_or_failed(Err(Box::new(Fault::Size)));
        }
        lowered
    }
}

/// The error of a function that fails without giving one: a value is none where none is not allowed.
#[cold]
fn outside() -> Stop {
    let (value, ty) = ("a value".to_owned(), "what its place can hold".to_owned());
    fault::rules(0, Trouble::Outside { value, ty })
}
