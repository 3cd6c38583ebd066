//! How a command writes what it finds: for people, or for programs.

use serde::Serialize;

use super::output;

/// The argument that says which.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Formatted {
    /// How to write it: for people, or as one JSON object
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// A way of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    // Help of their own would make that of the whole command as long as a manual.
    Text,
    Json,
}

impl Formatted {
    /// Whether it is for programs.
    pub(super) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// The version of the objects that these commands write.
const VERSION: u32 = 1;

/// An object with its version.
#[derive(Serialize)]
struct Versioned<T> {
    version: u32,
    #[serde(flatten)]
    object: T,
}

/// Writes out an object, on a line of its own.
///
/// # Errors
/// It cannot be written.
pub(super) fn write_json(object: impl Serialize) -> anyhow::Result<()> {
    let version = VERSION;
    let mut line = serde_json::to_string(&Versioned { version, object })?;
    line.push('\n');
    output::write(line)
}
