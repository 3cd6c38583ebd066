//! A small declarative language for the rules of games, and an interpreter that knows no game.

pub mod diagnostic;
pub mod source;
pub mod syntax;
