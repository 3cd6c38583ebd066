//! Where instructions cannot be counted.

use std::{io, process::ExitCode};

use crate::{counted::Counted, measured::Measured};

#[expect(
    clippy::unnecessary_wraps,
    reason = "where something is counted it may fail"
)]
pub(crate) fn count(_: &Measured) -> io::Result<Counted> {
    Ok(Counted::Nothing("this is not Linux on x86-64".to_string()))
}

pub(crate) fn counted(_: &[Measured], _: &[String]) -> Option<ExitCode> {
    None
}

pub(crate) struct Counts {
    pub(crate) line: String,
    pub(crate) is_held: bool,
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "where something is counted it may fail"
)]
pub(crate) fn curves(_: &[String]) -> io::Result<Vec<Counts>> {
    Ok(Vec::new())
}
