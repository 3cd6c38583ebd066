//! Standard output, for everything but reports, which are written as they come.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anyhow::Context as _;
use referee::diagnostic::Colour;

/// Whether standard output has colour.
pub(super) fn colour() -> Colour {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => Colour::Never,
        ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => Colour::Always,
    }
}

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
