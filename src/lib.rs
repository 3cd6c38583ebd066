//! A small declarative language for the rules of games, and an interpreter that knows no game.
//!
//! A *rule file* says what a game consists of, what may happen, what follows and what is said; a *transcript* says what
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
//! [`Game::load`](game::Game::load) takes a game by its name from a [`Library`](library::Library), or by the path of its
//! file, and with variants by a name such as `game+variant`; [`Game::run`](game::Game::run) reads a transcript from anywhere and writes the report as it comes. What is wrong
//! with a rule file is an [`Invalid`](game::Invalid), what stops a run a [`Failure`](failure::Failure); both hold
//! [`Diagnostic`](diagnostic::Diagnostic)s, which are data until they are drawn, or
//! [made](diagnostic::Diagnostic::to_data) what other programs read. What happened in a run, with the rows behind it,
//! is told as data by what [`Game::watched`](game::Game::watched) gives: the module [`stream`]. The module
//! [`reference`](mod@reference) lists the built-ins and the operators of the language.
//!
//! # The stages
//!
//! Each is a function from the type of the one before.
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
//! `syntax` reads, `merge` applies variants and puts in what `use` names, `resolve` looks up what is declared, `check`
//! gives everything a type and finds what cannot be meant, `compile` makes code for a machine, `optimise` makes it fast.
//! `transcript` reads words as far as they are needed and turns them into events, and `machine` does them, one at a time.
//! What it does is functions of the middle representation of `mir`, which `lower` makes when they are first called and
//! `interpret` runs. In a long run all of a game is lowered again, to be fast, and becomes machine code (`native`, the
//! feature of that name). Where one of these functions fails, the one of the same event that says why does it again.
//!
//! # Invariants
//!
//! - No game is named in this crate, nor anything that a game consists of.
//! - A run is a function of two texts, the options' values and a seed: no clock, no surroundings. Nothing iterates
//!   over a hash table.
//! - Whoever wrote a text never sees a panic: what is wrong with a rule file or a transcript is a diagnostic.
//! - A stage reports all that it finds, in the order of the text, and the next one runs only if that was nothing.
//! - No module outside `syntax` knows the parser. Nothing that runs knows the tree: it is made from the
//!   checked program alone.
//! - Old and new values lie apart until an event is done, so that the order of a file's equations cannot matter.
//! - What a run keeps does not grow with the transcript, and what an event may cost is bounded.
//! - Nothing here prints. The command does, and it alone reads arguments and surroundings.

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

/// What only fuzzers call.
#[cfg(all(fuzzing, feature = "native"))]
pub mod fuzzing {
    /// Both back ends do the same with a module of the middle representation that bytes decide on.
    pub fn modules(data: &[u8]) {
        crate::machine::back_ends::modules(data);
    }
}

/// The code in the README is tested with that in these pages.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
