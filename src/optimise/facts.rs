//! Which facts are speculatable (they cannot fail, and evaluating one early changes nothing), and which may be inlined.

use crate::code::{Code, Compiled, Node, Source};

/// How deep nested calls of facts are inspected.
const DEEPEST: usize = 8;

/// A fact with at most this many pieces is inlined.
const SMALL: usize = 32;

/// A fact's code, its parameters and its locals.
struct Body {
    code: Code,
    parameters: usize,
    locals: usize,
}

/// The facts of a game.
pub(super) struct Facts {
    codes: Vec<Body>,
    speculatable: Vec<bool>,
}

impl Facts {
    pub(super) fn of(compiled: &Compiled) -> Facts {
        let codes = compiled
            .facts
            .iter()
            .map(|fact| Body {
                code: fact.code.clone(),
                parameters: fact.parameters,
                locals: fact.locals,
            })
            .collect();
        let mut facts = Facts {
            codes,
            speculatable: vec![false; compiled.facts.len()],
        };
        // A fact is speculatable if it calls only facts known to be; each round goes one level deeper.
        for _ in 0..DEEPEST {
            let speculatable = facts
                .codes
                .iter()
                .map(|body| facts.is_speculatable(&body.code))
                .collect();
            facts.speculatable = speculatable;
        }
        facts
    }

    /// Whether code cannot fail, does not loop, and does not allocate.
    pub(super) fn is_speculatable(&self, code: &Code) -> bool {
        let mut speculatable = true;
        self.is_speculatable_but(code, &mut |_| speculatable = false) && speculatable
    }

    /// As [`Facts::is_speculatable`], but allows reads of new values, which it passes to `new`.
    pub(super) fn is_speculatable_but(&self, code: &Code, new: &mut dyn FnMut(u32)) -> bool {
        let own = match code {
            code if code.is_simple() => true,
            Code::New(state) => {
                new(*state);
                true
            }
            Code::Fact(fact) | Code::Call(fact, _) => self.speculatable[*fact as usize],
            Code::Dense(table) => table
                .rows
                .iter()
                .all(|row| usize::from(*row) < table.values.len()),
            Code::Switch(switch) => switch
                .rows
                .iter()
                .all(|row| usize::from(*row) < switch.values.len()),
            _ => false,
        };
        let mut all = own;
        code.pieces(&mut |node| {
            all = all && matches!(node, Node::Code(code) if self.is_speculatable_but(code, new));
        });
        all
    }

    /// Whether iterating over a source cannot fail.
    pub(super) fn is_speculatable_source(&self, source: &Source) -> bool {
        let own = matches!(
            source,
            Source::Span(_)
                | Source::Partial(_)
                | Source::Bits { .. }
                | Source::Words { .. }
                | Source::Counts { .. }
                | Source::Items(_)
                | Source::Beside { .. }
        );
        let mut all = own;
        source.pieces(&mut |node| {
            all = all && matches!(node, Node::Code(code) if self.is_speculatable(code));
        });
        all
    }

    /// A fact's code with arguments substituted for its parameters, if it is small and has no other variables.
    pub(super) fn inlined(&self, fact: u32, arguments: &[Code]) -> Option<Code> {
        let code = self.opened(fact, arguments)?;
        (size(&code) <= SMALL).then_some(code)
    }

    /// As [`Facts::inlined`], however large it is.
    pub(super) fn opened(&self, fact: u32, arguments: &[Code]) -> Option<Code> {
        let body = self.codes.get(fact as usize)?;
        if body.locals != body.parameters || calls(&body.code, fact) {
            return None;
        }
        let all_may_stand = arguments.iter().zip(0..).all(|(argument, parameter)| {
            is_plain(argument)
                || (self.is_speculatable(argument) && uses(&body.code, parameter) == 1)
        });
        if !all_may_stand {
            return None;
        }
        let mut code = body.code.clone();
        code.put(arguments);
        Some(code)
    }
}

/// How often code reads a local.
fn uses(code: &Code, local: u32) -> usize {
    let mut count = 0;
    code.each(&mut |code| {
        count += usize::from(matches!(code, Code::Local(other) if *other == local));
    });
    count
}

/// Whether code costs no more than a variable.
fn is_plain(code: &Code) -> bool {
    matches!(code, Code::Constant(_) | Code::Local(_) | Code::Load(_))
}

/// Whether code calls a fact directly.
fn calls(code: &Code, fact: u32) -> bool {
    code.any(&|code| matches!(code, Code::Call(callee, _) | Code::Fact(callee) if *callee == fact))
}

/// The number of pieces of code.
fn size(code: &Code) -> usize {
    let mut count = 0;
    code.each(&mut |_| count += 1);
    count
}
