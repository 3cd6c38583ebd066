//! Searches for possible events: each field of an event ranges over its values.
//!
//! This does the same as the machine in `legal`: rows are evaluated as soon as their fields have values, and if one
//! fails, all are evaluated again in the order of the file when all fields have values. If anything else is wrong, the
//! function fails, and the machine searches from the start.

use super::{
    body::{Body, Exit},
    unit::Unit,
    word,
};
use crate::code::{Against, Code, Event, Field, NONE, Values};
use crate::mir::{Cache, Callee, Value, Variable};

#[derive(Debug, Clone, Copy)]
struct Search {
    event: usize,
    /// The number of possible events found.
    found: Variable,
    /// Whether rows against the event read new values.
    reads_new: bool,
}

/// Whether machine code can search for an event.
pub(super) fn can_search(event: &Event) -> bool {
    let mut fields = event.fields.iter();
    fields.all(|field| field.values.count().is_some())
}

impl<'c> Body<'_, 'c> {
    /// The function that counts the possible events of a kind. Its parameter says whether to keep them, too.
    pub(super) fn search_event(&mut self, event: usize) {
        let zero = self.constant(0);
        let definition = &self.unit.compiled.events[event];
        let search = Search {
            event,
            found: self.variable(zero),
            reads_new: self.unit.objections_read_new(definition),
        };
        self.level(search, 0, zero);
        let found = self.get(search.found);
        self.returns(found);
    }

    /// Continues the search once `level` fields have values. `unsure` is set if a row failed.
    fn level(&mut self, search: Search, level: usize, unsure: Value) {
        let event = &self.unit.compiled.events[search.event];
        let legality = self.unit.compiled.legality();
        let impossible = self.exit();
        let unsure = self.variable(unsure);
        for against in legality.against(search.event, level) {
            self.unless_stands(event, *against, impossible, unsure);
        }
        let unsure = self.get(unsure);
        match event.fields.get(level) {
            Some(field) => self.each_value_of(search, level, field, unsure),
            None => self.may_happen(search, unsure, impossible),
        }
        self.arrive(impossible);
    }

    /// Leaves if a row against the event fires.
    fn unless_stands(
        &mut self,
        event: &'c Event,
        against: Against,
        impossible: Exit,
        unsure: Variable,
    ) {
        let (failed, next) = (self.block(), self.block());
        self.builder.set_cold(failed);
        let fails = std::mem::replace(&mut self.fails, failed);
        self.in_frame(|body| match against {
            Against::Impossible(place) => {
                let row = &event.impossible[place].row;
                body.run(&row.bindings, &row.conditions, &mut |body| {
                    body.leave(impossible);
                });
            }
            Against::Refuse(place) => {
                let fires = body.refuses(&event.refuse[place].fires);
                body.if_nonzero(fires, &mut |body| body.leave(impossible));
            }
        });
        self.fails = fails;
        self.go_to(next);
        self.begin(failed);
        self.call(Callee::GoOn, &[]);
        let yes = self.constant(1);
        self.set(unsure, yes);
        self.go_to(next);
        self.begin(next);
    }

    /// Whether a fact refuses the event. Does not build its text.
    fn refuses(&mut self, fires: &'c Code) -> Value {
        if let Code::Not(is_none) = fires
            && let Code::EqualConstant(fact, NONE) = &**is_none
        {
            return self.presence(fact);
        }
        let fires = self.code(fires);
        self.equals(fires, 1)
    }

    /// Ranges over the values of a field.
    fn each_value_of(&mut self, search: Search, level: usize, field: &'c Field, unsure: Value) {
        let count = field.values.count().unwrap_or(0);
        let (first, end) = (self.constant(0), self.constant(word(count)));
        self.each_index(first, end, &mut |body, at| {
            let value = match field.values {
                Values::Of(domain) => body.value_of(domain, at),
                Values::Sets(_) | Values::Paths | Values::Endless => at,
            };
            let skip = body.block();
            if let Some(partial) = field.partial {
                let (ask, is_value) = (body.block(), body.block());
                let none = body.is_none(value);
                body.branch(none, is_value, ask);
                body.begin(ask);
                let valid = body.is_value(partial, value);
                body.branch(valid, is_value, skip);
                body.begin(is_value);
            }
            if let Some(check) = &field.check {
                let passes = body.is_of_type(value, check);
                body.unless_zero(passes, skip);
            }
            body.charge();
            body.store(body.unit.compiled.fields + level, value);
            body.forget_unsteady(search);
            body.level(search, level + 1, unsure);
            body.go_to(skip);
            body.begin(skip);
        });
    }

    /// All fields have values: counts the event if it is possible.
    fn may_happen(&mut self, search: Search, unsure: Value, impossible: Exit) {
        let event = self.constant(word(search.event));
        self.if_nonzero(unsure, &mut |body| {
            let refused = body.call(Callee::IsRefused, &[event]);
            let may = body.equals(refused, 0);
            body.leave_unless(may, impossible);
        });
        let found = self.get(search.found);
        let more = self.add_imm(found, 1);
        self.set(search.found, more);
        let keep = self.parameters[0];
        self.if_nonzero(keep, &mut |body| {
            body.call(Callee::Found, &[]);
        });
    }

    /// Drops caches that depend on the values of the fields.
    fn forget_unsteady(&mut self, search: Search) {
        let compiled = self.unit.compiled;
        for fact in compiled.legality().unsteady(search.event).iter().copied() {
            let definition = &compiled.facts[fact];
            if definition.parameters == 0 {
                let place = self.constant(word(fact));
                self.forget_cached(Cache::Facts, place);
            }
            if let Some(table) = &definition.table {
                let count = table.domains.iter().map(|domain| domain.count).product();
                self.forget_cacheds(Cache::Table, table.start, count);
            }
        }
        if search.reads_new {
            self.forget_cacheds(Cache::New, 0, compiled.states.len());
        }
    }

    /// Drops a range of a cache.
    fn forget_cacheds(&mut self, array: Cache, start: usize, count: usize) {
        let (from, to) = (
            self.constant(word(start)),
            self.constant(word(start + count)),
        );
        self.each_index(from, to, &mut |body, at| body.forget_cached(array, at));
    }
}

impl Unit<'_> {
    /// Whether a row against an event reads new values.
    fn objections_read_new(&self, event: &Event) -> bool {
        let mut reads = false;
        let mut ask = |code: &Code| match code {
            Code::New(_) => reads = true,
            Code::Fact(fact) | Code::Call(fact, _) => reads |= self.reads_new[*fact as usize],
            Code::Tabulate(tabulate) => reads |= self.reads_new[tabulate.fact as usize],
            _ => {}
        };
        for row in &event.impossible {
            row.row.pieces(&mut |piece| piece.each(&mut ask));
        }
        for refuse in &event.refuse {
            refuse.fires.each(&mut ask);
        }
        reads
    }
}
