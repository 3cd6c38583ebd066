//! A game as functions of the middle representation, to look into.

use super::Game;
use crate::lower::{Purpose, lower};

impl Game {
    /// The functions that the game is lowered to whose names contain `function`, as text: what runs after the first
    /// thousands of events. All functions where that is empty; nothing where the game is too large to be lowered.
    ///
    /// The form of the text may change with any version.
    #[must_use]
    pub fn mir(&self, function: &str) -> Option<String> {
        let program = lower(&self.compiled, Purpose::Run)?;
        Some(match function {
            "" => program.module.to_string(),
            name => program.module.text(name),
        })
    }
}
