//! Loops: code for each assignment of some variables for which conditions hold.

use super::{
    availability::Available,
    body::{Body, Exit},
    byte_filter::ByteFilter,
    bytes::Filtered,
    hoisting::Hoisting,
    points::BoundaryTest,
    slots::FEW,
};
use crate::code::{Code, Loop, Node, Source};
use crate::mir::{Block, Condition, Value};

/// What a loop does once all conditions hold.
#[derive(Debug, Clone, Copy)]
enum AfterAll {
    /// It is left.
    Leave,
    /// It continues.
    More,
}

/// The conjuncts of a condition.
fn conjuncts<'c>(condition: &'c Code, all: &mut Vec<&'c Code>) {
    match condition {
        Code::And(pair) => {
            conjuncts(&pair.0, all);
            conjuncts(&pair.1, all);
        }
        condition => all.push(condition),
    }
}

/// Whether iterating over a source cannot fail.
fn is_plain(source: &Source) -> bool {
    let mut plain = matches!(
        source,
        Source::Span(_)
            | Source::Partial(_)
            | Source::Bits { .. }
            | Source::Words { .. }
            | Source::Counts { .. }
            | Source::Beside { .. }
    );
    source.pieces(&mut |piece| {
        let is_value = matches!(
            piece,
            Node::Code(Code::Constant(_) | Code::Local(_) | Code::Load(_))
        );
        plain = plain && is_value;
    });
    plain
}

impl<'c> Body<'_, 'c> {
    /// Emits `then` for each assignment of the variables for which the conditions hold.
    pub(super) fn run(
        &mut self,
        bindings: &'c [(u32, Source)],
        conditions: &'c [Code],
        then: &mut dyn FnMut(&mut Self),
    ) {
        let mut all = Vec::new();
        for condition in conditions {
            conjuncts(condition, &mut all);
        }
        self.run_where(bindings, &all, AfterAll::More, then);
    }

    /// The same, with the conditions in the order of evaluation. Each is evaluated as soon as its variables have
    /// values, so that inner loops do not evaluate what does not depend on them.
    fn run_where(
        &mut self,
        bindings: &'c [(u32, Source)],
        conditions: &[&'c Code],
        after: AfterAll,
        then: &mut dyn FnMut(&mut Self),
    ) {
        if self.is_exhausted() {
            return;
        }
        // A condition may only skip an inner loop if that loop cannot fail.
        let all_plain = bindings.iter().all(|(_, source)| is_plain(source));
        let may_skip = bindings.is_empty() || all_plain && !self.unit.is_exact;
        let waits = |condition: &&Code| {
            let is_bound = |local: u32| bindings.iter().any(|(bound, _)| *bound == local);
            condition.any(&|code| matches!(code, Code::Local(local) if is_bound(*local)))
        };
        let now = match conditions.iter().position(waits) {
            Some(first) if may_skip => first,
            None if may_skip => conditions.len(),
            _ => 0,
        };
        let (now, later) = conditions.split_at(now);
        let no = self.block();
        for condition in now {
            self.unless_holds(condition, no);
        }
        if let Some(first) = later.first() {
            self.hoist_loop(bindings, first);
        }
        match bindings.split_first() {
            None => then(self),
            Some(((local, source), rest)) => {
                // Do not skip what could fail in inner loops.
                let first = later
                    .first()
                    .filter(|_| rest.iter().all(|(_, source)| is_plain(source)));
                let filter = first.and_then(|first| ByteFilter::of(self, *local, source, first));
                let others = &later[usize::from(filter.is_some())..];
                let mut visit = |body: &mut Self, value| {
                    body.set_local(*local, value);
                    body.run_where(rest, others, after, then);
                };
                let written_out = match after {
                    AfterAll::Leave if rest.is_empty() => self.unrolled(source, others),
                    _ => None,
                };
                match (filter, written_out) {
                    (Some(filter), _) => self.each_filtered(&filter, &mut visit),
                    (None, Some((lo, hi))) => self.each_unrolled(lo, hi, &mut visit),
                    (None, None) => self.each(source, &mut visit),
                }
            }
        }
        self.go_to(no);
        self.begin(no);
    }

    /// Hoists what every iteration of a loop needs out of it.
    pub(super) fn hoist_loop(&mut self, bindings: &'c [(u32, Source)], first: &'c Code) {
        // While words are read, fields change.
        if bindings.is_empty() || self.reads_for.is_some() || self.unit.is_exact {
            return;
        }
        for known in Hoisting::new(self.unit, self.event).within(bindings, first) {
            self.ask(known);
        }
        self.preload(first);
    }

    /// Hoists what a loop may need again and again: words of fixed memory, which are constant meanwhile, and new values
    /// that the event evaluates anyway.
    pub(super) fn preload(&mut self, code: &'c Code) {
        if self.unit.is_exact {
            return;
        }
        let mut loaded = Vec::new();
        let mut new = Vec::new();
        code.each(&mut |piece| match piece {
            Code::Load(place) => loaded.push(*place),
            Code::New(state) => new.push(*state),
            _ => {}
        });
        for place in loaded {
            self.load_once(place);
        }
        let sure = Hoisting::new(self.unit, self.event);
        for state in new {
            if sure.is_made_anyway(state, &self.making) {
                self.ask(Available::New(state));
            }
        }
    }

    /// Whether any value fulfils the condition, or if `wanted` is no, none does.
    pub(super) fn some_of(&mut self, range: &'c Loop, wanted: bool) -> Value {
        if let ([(_, Source::Words { set, words, .. })], None) =
            (&*range.bindings, &range.condition)
            && *words <= FEW
        {
            let set = self.place(set);
            let any = self.any_bits(set, *words);
            let zero = self.constant(0);
            let how = if wanted {
                Condition::NotEqual
            } else {
                Condition::Equal
            };
            return self.compare(how, any, zero);
        }
        if !self.unit.is_exact
            && let Some(filtered) = Filtered::of(range)
        {
            let any = self.any_filtered(&filtered);
            return if wanted { any } else { self.equals(any, 0) };
        }
        match BoundaryTest::of(range) {
            Some(test) if !self.unit.is_exact => {
                let found = self.boundary_has(&test);
                if wanted { found } else { self.equals(found, 0) }
            }
            _ => self.some(range, wanted),
        }
    }

    /// Whether a loop iterates value by value to find out whether any fulfils its condition.
    pub(super) fn is_gone_through(range: &Loop) -> bool {
        let is_set = matches!(
            (&*range.bindings, &range.condition),
            ([(_, Source::Words { .. })], None)
        );
        let is_special =
            is_set || Filtered::of(range).is_some() || BoundaryTest::of(range).is_some();
        !is_special
    }

    /// Branches by whether any value fulfils the condition.
    pub(super) fn branch_on_some(&mut self, range: &'c Loop, found: Block, nothing: Block) {
        let mut all = Vec::new();
        if let Some(condition) = &range.condition {
            conjuncts(condition, &mut all);
        }
        let exit = self.exit();
        self.run_where(&range.bindings, &all, AfterAll::Leave, &mut |body| {
            body.leave(exit);
        });
        self.go_to(nothing);
        self.begin(exit.block);
        self.go_to(found);
    }

    /// Whether any value fulfils the condition, or if `wanted` is no, none does.
    fn some(&mut self, range: &'c Loop, wanted: bool) -> Value {
        let (found, nothing, done) = (self.block(), self.block(), self.block());
        let zero = self.constant(0);
        let result = self.variable(zero);
        self.branch_on_some(range, found, nothing);
        for (block, holds) in [(found, wanted), (nothing, !wanted)] {
            self.begin(block);
            let holds = self.constant(i64::from(holds));
            self.set(result, holds);
            self.go_to(done);
        }
        self.begin(done);
        let result = self.get(result);
        self.ranged(result, (0, 1))
    }

    /// Continues at an exit.
    pub(super) fn arrive(&mut self, exit: Exit) {
        self.go_to(exit.block);
        self.begin(exit.block);
    }
}
