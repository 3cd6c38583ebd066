//! What the machine asks of the rules by itself: exact functions, which are lowered when they are first called and say
//! what is wrong where they fail.

use super::Machine;
use crate::{
    code::{Code, Source, Text},
    fault::{self, Fault, Stop, Trouble},
    interpret,
    lower::{Key, Piece, Table},
    mir::{Function, FunctionId},
    word::Input,
};

/// What is done with each value; it says whether to go on.
pub(crate) type Visit<'v, 'c> = &'v mut dyn FnMut(&mut Machine<'c>, i64) -> Result<bool, Stop>;

/// What is done each time that variables have values; it says whether to go on.
pub(super) type Body<'v, 'c> = &'v mut dyn FnMut(&mut Machine<'c>) -> Result<bool, Stop>;

impl<'c> Machine<'c> {
    /// The value of an expression.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn evaluate(&mut self, code: &'c Code) -> Result<i64, Stop> {
        match code {
            Code::Local(local) => Ok(self.locals[self.base + *local as usize]),
            Code::Load(place) => Ok(self.load(*place as usize)),
            Code::Constant(value) => Ok(*value),
            code => self.call_piece(Piece::Code(code)),
        }
    }

    /// Writes a text to what is said.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn say(&mut self, text: &'c Text) -> Result<(), Stop> {
        if let Text::Literal(literal) = text {
            self.out.extend_from_slice(literal.as_bytes());
            return Ok(());
        }
        self.call_piece(Piece::Text(text))?;
        Ok(())
    }

    /// Visits each value that is ranged over; says whether no visit stopped it.
    pub(super) fn each(&mut self, source: &'c Source, visit: Visit<'_, 'c>) -> Result<bool, Stop> {
        let (listed, result) = self.listed_by(Piece::Source(source));
        for value in listed {
            if !visit(self, value)? {
                return Ok(false);
            }
        }
        result.map(|_| true)
    }

    /// Calls `body` each time that variables have values for which conditions hold; says whether no call stopped it.
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

    /// The value of a table whose rows write the journal, in the present frame.
    pub(super) fn call_table(&mut self, table: Table<'c>) -> Result<i64, Stop> {
        self.call_piece(Piece::Table(table))
    }

    /// What a piece lists, as far as it comes.
    fn listed_by(&mut self, piece: Piece<'c>) -> (Vec<i64>, Result<i64, Stop>) {
        let outer = std::mem::take(&mut self.listed);
        let result = self.call_piece(piece);
        (std::mem::replace(&mut self.listed, outer), result)
    }

    /// Calls the function of a piece in the event in hand, with the locals of the present frame.
    fn call_piece(&mut self, piece: Piece<'c>) -> Result<i64, Stop> {
        if let Some(value) = self.evaluated_lowered(piece) {
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
    /// What is wrong where it fails.
    pub(super) fn call_key(&mut self, key: Key, arguments: &[i64]) -> Result<i64, Stop> {
        let compiled = self.compiled;
        let declared = self.declared.entry(key);
        let function = *declared.or_insert_with(|| compiled.exact.declared(compiled, key));
        self.call_exact(function, arguments)
    }

    fn call_exact(&mut self, function: FunctionId, arguments: &[i64]) -> Result<i64, Stop> {
        let module = self.compiled.exact.module();
        // A function of the runtime may ask for a value while another function waits for it.
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

    /// A function that is lowered when it is first called; where that takes too many instructions, the call fails.
    pub(super) fn lowered_on_demand(&mut self, function: FunctionId) -> Option<&'c Function> {
        let compiled = self.compiled;
        let lowered = compiled.exact.function(compiled, function);
        if lowered.is_none() {
            self.value_or_failed(Err(Box::new(Fault::Size)));
        }
        lowered
    }
}

/// What is wrong where a function fails without saying more: a value is none that its place can hold.
#[cold]
fn outside() -> Stop {
    let (value, ty) = ("a value".to_owned(), "what its place can hold".to_owned());
    fault::rules(0, Trouble::Outside { value, ty })
}
