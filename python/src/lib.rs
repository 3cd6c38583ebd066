//! The library for Python. `referee/` beside this folder is the package; this is its module `referee._native`.
//!
//! What runs for long runs without the lock of the interpreter, and looks for signals in between (`watch`). Errors are
//! made here and are of the classes in `referee/errors.py`. Records and diagnostics are those that the command writes
//! as JSON. Tables lie in memory as Arrow has it, and go out through its C interface.

mod check;
mod counts;
mod cover;
mod difference;
mod errors;
mod events;
mod game;
mod loaded;
mod session;
mod source;
mod tables;
mod watch;

use pyo3::prelude::*;

/// What `referee` is made of.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{
        check::{check, games, variants},
        difference::_whole,
        events::Events,
        game::Game,
        session::Session,
        tables::{Table, Tables},
    };
}
