//! How a game depends on its number. If it only writes it, parts of a transcript can run independently, and their games
//! can be numbered afterwards.

use super::Compiler;
use crate::code::{Code, Report, Text, Written};

impl Compiler<'_> {
    /// The number of the game.
    pub(super) fn game_number(&mut self) -> Code {
        self.numbers_read += 1;
        Code::GameNumber
    }

    /// Compiles a report row, and finds how it depends on the number of the game.
    pub(super) fn report_row(&mut self, make: impl FnOnce(&mut Self) -> Report) -> Report {
        let before = self.numbers_read;
        let row = make(self);
        let mut fine = written(&row.text);
        for condition in &row.conditions {
            condition.each(&mut |code| {
                if let Some(with) = compared(code) {
                    let greatest = &mut self.compiled.number_uses.greatest;
                    *greatest = with.max(*greatest);
                    fine += 1;
                }
            });
        }
        // A fact that it calls may read the number too, which counts as another use.
        if fine == self.numbers_read - before {
            self.numbers_said += fine;
        }
        row
    }
}

/// How often a text writes the number of the game itself.
fn written(text: &Text) -> usize {
    match text {
        Text::Value(code, Written::Number) => usize::from(matches!(**code, Code::GameNumber)),
        Text::Parts(parts) => parts.iter().map(written).sum(),
        Text::Literal(_) | Text::Value(..) | Text::List { .. } => 0,
    }
}

/// The constant that the number of the game is compared with, if this is such a comparison.
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
