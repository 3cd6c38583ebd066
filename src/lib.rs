//! A small declarative language for the rules of games, and an interpreter that knows no game.
//!
//! A *rule file* declares the parts of a game, its events, their effects and its report; a *transcript* lists what
//! happened; running one on the other gives the *report*.
//!
//! ```
//! use referee::{game::Game, library::Library};
//!
//! let rules = r#"
//! game tally "Tally"
//! state total: number = 0
//! event add(amount: number)
//! on add {
//!   fact over = amount is 0
//!   new total = total + amount
//!   report | total: "{new total}" unless over
//! }
//! transcript by lines { start play until over { | add: "{amount}" } }
//! "#;
//! let game = Game::from_text("tally.rules", rules, &Library::shipped(), &[])?;
//! assert_eq!(game.report("2\n3\n0\n")?, "2\n5\n");
//!
//! let failure = game.report("2\nthree\n").unwrap_err();
//! assert!(failure.to_string().starts_with("error[unexpected]: unexpected `three`"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Game::load`](game::Game::load) takes a game by its name from a [`Library`](library::Library), or by the path of
//! its file, and with variants by a name such as `game+variant`; [`Game::run`](game::Game::run) reads a transcript from
//! any reader and writes the report as it goes. Mistakes in a rule file are an [`Invalid`](game::Invalid), and what
//! stops a run is a [`Failure`](failure::Failure); both hold [`Diagnostic`](diagnostic::Diagnostic)s, which can be
//! drawn as text or [converted](diagnostic::Diagnostic::to_data) to data for other programs.
//! [`Game::watched`](game::Game::watched) gives the events of a run as data, with the rows behind them: see the module
//! [`stream`]. The module [`reference`](mod@reference) lists the built-ins and operators of the language.
//!
//! # The stages
//!
//! Each stage is a function of the result of the one before.
//!
//! ```text
//! rule files ── syntax ──► trees ── merge ──► one tree: a game with its variants
//!                                               │ resolve
//!                                               ▼
//!  code ◄── optimise ◄── compile ── program ◄── check ── declarations
//!   │ lower
//!   ▼
//!  mir ──► interpret, native ──► machine ─► report
//!                                   ▲
//!                               transcript
//! ```
//!
//! `syntax` parses, `merge` applies variants and inserts the files that `use` names, `resolve` looks up declarations,
//! `check` types every expression and reports mistakes, `compile` makes code for the machine, and `optimise` makes it
//! faster. `transcript` reads words on demand and turns them into events, and `machine` executes the events one at a
//! time: it calls functions of the middle representation (`mir`), which `lower` makes on their first call and
//! `interpret` runs. In a long run, the whole game is lowered again with optimisations and becomes machine code
//! (`native`, the feature of that name). If one of these fast functions fails, the exact function of the same event
//! runs and reports why.
//!
//! # Invariants
//!
//! - This crate names no game, nor any part of one.
//! - A run is a function of two texts, the values of options and a seed. It depends on no clock and no environment, and
//!   nothing iterates over a hash table.
//! - No input causes a panic: what is wrong with a rule file or a transcript is a diagnostic.
//! - A stage reports all mistakes that it finds, in the order of the text; the next stage runs only if there are none.
//! - No module outside `syntax` knows the parser. The compiler and everything after it know only the checked program,
//!   not the syntax tree.
//! - Old and new values are kept apart until an event is done, so the order of a file's equations cannot matter.
//! - The memory of a run does not grow with the transcript, and the cost of an event is bounded.
//! - The library does not print. Only the command does, and only it reads arguments and the environment.

mod arithmetic;
mod builtins;
mod check;
mod code;
mod compile;
pub mod diagnostic;
pub mod explanation;
pub mod failure;
mod fault;
pub mod game;
pub mod ide;
mod interpret;
pub mod library;
pub mod limits;
mod lower;
mod machine;
mod merge;
mod mir;
#[cfg(feature = "native")]
mod native;
mod operators;
mod optimise;
#[cfg(feature = "packed")]
pub mod packed;
mod program;
pub mod reference;
mod resolve;
mod source;
mod stack;
pub mod stream;
mod syntax;
#[cfg(feature = "arrow")]
pub mod tables;
mod transcript;
mod types;
mod word;

/// Entry points for fuzzers and this crate's own tests. Not part of the interface.
#[doc(hidden)]
pub mod internals {
    /// The names of all rules of the grammar.
    #[must_use]
    pub fn grammar_rules() -> Vec<String> {
        crate::syntax::grammar_rules()
    }

    /// The names of the grammar's rules that a rule file uses; none if it is not valid.
    #[must_use]
    pub fn used_grammar_rules(text: &str) -> Vec<String> {
        crate::syntax::used_grammar_rules(text)
    }

    /// Checks that both back ends do the same with a module of the middle representation made from `data`. Returns how
    /// often it failed, and its results; nothing on a machine without native code.
    ///
    /// # Panics
    /// If they do not.
    #[cfg(feature = "native")]
    #[must_use]
    pub fn compare_back_ends(data: &[u8]) -> Option<(usize, Vec<i64>)> {
        crate::machine::back_ends::compared(data)
    }

    /// Makes code generation on this thread panic, or work again.
    #[cfg(feature = "native")]
    pub fn break_native(is_broken: bool) {
        crate::machine::engine::IS_BROKEN.set(is_broken);
    }
}

/// Includes the README, so that its code is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
