//! `referee why`: why the referee decided as it did on a line of a transcript.

use std::path::Path;

use referee::{explanation::Ask, library::Library};

use super::{
    Exit,
    error::{Error, Result},
    inputs,
    moves::place,
    output,
    settings::Chosen,
};

/// The arguments of `why`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// The transcript, a file or `-`, which is standard input, and the line that is explained; the last one if none is
    /// named
    #[arg(
        value_name = "INPUT[:LINE]",
        default_value = "-",
        allow_hyphen_values = true
    )]
    input: String,
    /// Which of the rule file's forms the transcript has; it has the first one otherwise
    #[arg(long, value_name = "NAME")]
    transcript: Option<String>,
    /// How many facts are looked into, one in the other
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,
    /// Tells why this did not happen: a fact, a change, a row of either as `fact.row`, or a line of the report; and what
    /// would have been otherwise
    #[arg(long, value_name = "NAME")]
    not: Option<String>,
    /// How the explanation is written: for people, or as one JSON object
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How an explanation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    // Help of their own would make that of the whole command as long as a manual.
    Text,
    Json,
}

/// Explains a line.
pub(super) fn why(arguments: &Arguments, library: &Library) -> Result {
    let game = arguments.chosen.load(library)?;
    let (path, line) = place(&arguments.input);
    let (name, transcript) = inputs::read(Path::new(path));
    let transcript = transcript.map_err(|error| Error::unreadable(&name, &error))?;
    let ask = Ask {
        form: arguments.transcript.clone(),
        line,
        depth: arguments.depth,
        not: arguments.not.clone(),
        without: None,
    };
    let explanation = game.explain(&ask, &name, &transcript)?;
    match arguments.format {
        Format::Text => {
            let colour = output::colour();
            output::write_drawn(explanation.draw(colour), colour)?;
        }
        Format::Json => output::write(format!("{}\n", serde_json::to_string(&explanation)?))?,
    }
    Ok(Exit::Done)
}
