//! What a transcript asks: facts that nothing else in the game refers to.

use super::{Compiler, Context};
use crate::{
    code::Question,
    program::{EventId, FactId, Tense, question_of},
};

impl Compiler<'_> {
    pub(super) fn questions(&mut self) {
        let program = self.program;
        for (index, fact) in program.facts.iter().enumerate() {
            let Some(number) = question_of(&fact.name) else {
                continue;
            };
            let context = Context {
                event: fact.owner,
                tense: Tense::Now,
            };
            let slot = self.instance(FactId::new(index), context);
            self.compiled.questions.push(Question {
                number,
                event: fact.owner.map(EventId::index),
                fact: slot as usize,
            });
        }
    }
}
