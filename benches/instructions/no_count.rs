//! Where instructions cannot be counted.

use std::{io, process::ExitCode};

use crate::races::Race;

/// What was counted.
#[expect(dead_code, reason = "nothing is counted on this machine")]
pub(crate) enum Counted {
    /// So many instructions for each event.
    Each(u64),
    /// Nothing, and why.
    Nothing(String),
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "where something is counted it may fail"
)]
pub(crate) fn instructions(_: &Race) -> io::Result<Counted> {
    Ok(Counted::Nothing("this is not Linux on x86-64".to_string()))
}

pub(crate) fn counted(_: &str) -> ExitCode {
    ExitCode::FAILURE
}
