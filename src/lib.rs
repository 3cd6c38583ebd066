//! A small declarative language for the rules of games, and an interpreter that knows no game.

mod arithmetic;
mod check;
pub mod diagnostic;
pub mod game;
pub mod library;
mod merge;
pub mod program;
mod resolve;
pub mod source;
pub mod syntax;
pub mod types;
