//! A small declarative language for the rules of games, and an interpreter that knows no game.

mod arithmetic;
mod check;
mod code;
mod compile;
pub mod diagnostic;
pub mod failure;
mod fault;
pub mod game;
pub mod library;
mod machine;
mod merge;
pub mod program;
mod resolve;
pub mod source;
pub mod syntax;
mod transcript;
pub mod types;
