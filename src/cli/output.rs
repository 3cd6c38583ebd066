//! Standard output, for everything but reports, which are written as they come.

use std::io::{self, Write};

use anyhow::Context as _;

/// Writes a text out.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    output
        .write_all(text.as_ref())
        .and_then(|()| output.flush())
        .context("standard output cannot be written")
}
