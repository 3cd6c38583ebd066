//! Compiles decision rules for explanations.

use super::{Compiled, Explainer, tables::table, written::squeezed};
use crate::{
    code::{
        Code, NONE, Noted,
        explain::{ChosenEvent, Combined, ExplainedChoices, ExplainedRow},
    },
    compile::{Compiler, Context, Frame, Noting},
    program,
};

impl Explainer<'_, '_> {
    /// Rows that choose an event.
    pub(super) fn choices(
        &mut self,
        context: Context,
        choices: &[program::Choice],
        locals: usize,
    ) -> ExplainedChoices {
        let choices = choices.iter().enumerate();
        let (rows, events): (Vec<Compiled>, Vec<ChosenEvent>) = choices
            .map(|(place, choice)| self.choice(context, (place, choice), locals))
            .unzip();
        ExplainedChoices {
            table: table(Combined::First, rows, Code::First),
            events,
        }
    }

    fn choice(
        &mut self,
        context: Context,
        (place, choice): (usize, &program::Choice),
        locals: usize,
    ) -> (Compiled, ChosenEvent) {
        let program = self.compiler.program;
        let event = &program.events[choice.event.index()];
        let mut frame = Frame::new(context, locals);
        let bindings = self.compiler.bindings(&mut frame, &choice.bindings);
        frame.noting = Noting::Yes;
        let (codes, mut conditions) = self.conditions(&mut frame, &choice.conditions);
        let (mut codes, written) = (codes.into_vec(), choice.conditions.iter());
        let written = written.map(|condition| self.compiler.as_written(condition));
        let written = written.collect();
        let chosen = ChosenEvent {
            event: choice.event.index(),
            fields: event.fields.iter().map(|(name, _)| name.clone()).collect(),
            conditions: codes.len(),
        };
        for (value, (_, ty)) in choice.fields.iter().zip(&event.fields) {
            let code = self.compiler.code(&mut frame, value);
            codes.push(if ty.is_optional() {
                Code::Noted(Box::new(Noted::Before {
                    noted: Box::new([code]),
                    code: Code::Constant(1),
                }))
            } else {
                Code::Not(Box::new(Code::EqualConstant(Box::new(code), NONE)))
            });
            conditions.push(self.compiler.as_written(value));
        }
        let mut locals = frame.locals;
        if let Some(guard) = &event.guard {
            // The guard does not depend on the row's variables.
            let mut frame = Frame::new(Compiler::plain_context(), guard.locals);
            frame.noting = Noting::Yes;
            codes.push(self.compiler.code(&mut frame, &guard.condition));
            conditions.push(squeezed(&guard.written));
            locals = locals.max(frame.locals);
        }
        frame.locals = locals;
        let mut row = self.noted_row(&frame, (place, choice.span), Code::Constant(1));
        row.bindings = bindings;
        row.conditions = codes.into();
        let told = ExplainedRow {
            range: self.range(context, frame.locals, &choice.bindings),
            conditions,
            written,
            ..self.row_at(Some(&choice.label), choice.span)
        };
        (Compiled { row, told, locals }, chosen)
    }
}
