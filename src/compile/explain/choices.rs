//! Rules of decision to what explanations are made of.

use super::{Explainer, squeezed};
use crate::{
    code::{
        Code,
        explain::{ExplainedChoice, Phrase, Told},
    },
    compile::{Compiler, Context, Frame},
    program,
};

impl Explainer<'_, '_> {
    /// Rows that name an event.
    pub(super) fn choices(
        &mut self,
        context: Context,
        choices: &[program::Choice],
        locals: usize,
    ) -> Vec<ExplainedChoice> {
        choices
            .iter()
            .map(|choice| self.choice(context, choice, locals))
            .collect()
    }

    fn choice(
        &mut self,
        context: Context,
        choice: &program::Choice,
        locals: usize,
    ) -> ExplainedChoice {
        let program = self.compiler.program;
        let event = &program.events[choice.event.index()];
        let mut frame = Frame::new(context, locals);
        let bindings = self.compiler.bindings(&mut frame, &choice.bindings);
        let ranges = choice
            .bindings
            .iter()
            .map(|(_, collection)| self.phrase(&mut frame, collection))
            .collect();
        let (mut conditions, mut phrases) = (Vec::new(), Vec::new());
        let mut written = Vec::new();
        for condition in &choice.conditions {
            self.joined(&mut frame, condition, &mut conditions, &mut phrases);
            written.push(self.condition(condition));
        }
        let mut fields = Vec::new();
        for (value, (name, ty)) in choice.fields.iter().zip(&event.fields) {
            let code = self.compiler.code(&mut frame, value);
            let phrase = self.phrase(&mut frame, value);
            fields.push((name.clone(), code, phrase, ty.is_optional()));
        }
        let says = choice
            .says
            .as_ref()
            .map(|says| self.compiler.template(&mut frame, says));
        let guard = event.guard.as_ref().map(|guard| {
            let mut frame = Frame::new(Compiler::plain_context(), guard.locals);
            let code = self.compiler.code(&mut frame, &guard.condition);
            let phrase = Phrase {
                written: squeezed(&guard.written),
                mentioned: self.mentioned(&mut frame, &guard.condition),
            };
            (code, frame.locals, phrase)
        });
        ExplainedChoice {
            told: Told {
                label: Some(choice.label.clone()),
                span: choice.span,
                locals: frame.locals,
                bindings,
                ranges,
                conditions: conditions.into(),
                phrases,
                written,
                value: Code::Constant(1),
                part: None,
                gives: None,
                text: None,
                inline: false,
                says,
                uses: Vec::new(),
                asks: Vec::new(),
            },
            event: choice.event.index(),
            fields,
            guard,
        }
    }
}
