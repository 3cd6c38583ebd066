//! What is asked of the number of a game. Where it is only said, parts of a transcript can be run apart from each
//! other, and their games numbered afterwards.

use super::Compiler;
use crate::code::{Code, Report, Text, Written};

impl Compiler<'_> {
    /// The number of the game.
    pub(super) fn game_number(&mut self) -> Code {
        self.numbers_asked += 1;
        Code::GameNumber
    }

    /// Makes a row that is said, and sees what it asks of the number of the game.
    pub(super) fn said(&mut self, make: impl FnOnce(&mut Self) -> Report) -> Report {
        let before = self.numbers_asked;
        let row = make(self);
        let mut fine = written(&row.text);
        for condition in &row.conditions {
            condition.each(&mut |code| {
                if let Some(with) = compared(code) {
                    let greatest = &mut self.compiled.number_asked.greatest;
                    *greatest = with.max(*greatest);
                    fine += 1;
                }
            });
        }
        // A fact that it asks for may ask for the number too: that is something else.
        if fine == self.numbers_asked - before {
            self.numbers_said += fine;
        }
        row
    }
}

/// How often a text writes the number of the game, and nothing made from it.
fn written(text: &Text) -> usize {
    match text {
        Text::Value(code, Written::Number) => usize::from(matches!(**code, Code::GameNumber)),
        Text::Parts(parts) => parts.iter().map(written).sum(),
        Text::Literal(_) | Text::Value(..) | Text::List { .. } => 0,
    }
}

/// What the number of the game is compared with, if this does that.
fn compared(code: &Code) -> Option<i64> {
    match code {
        Code::Less(pair) | Code::LessOrEqual(pair) | Code::Equal(pair) => match &**pair {
            (Code::GameNumber, Code::Constant(with)) | (Code::Constant(with), Code::GameNumber) => {
                Some(*with)
            }
            _ => None,
        },
        Code::EqualConstant(operand, with) if matches!(**operand, Code::GameNumber) => Some(*with),
        _ => None,
    }
}
