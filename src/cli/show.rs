//! `referee show`: a game's options and variants, the game as one rule file, and where its rules come from.

use std::fmt::Write as _;

use referee::{game::Game, library::Library, stream::Value};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Exit,
    error::{Error, Result},
    output::{self, Formatted, padded, write_json},
    pin::Pin,
    settings::{self, Chosen},
};

/// The arguments of `show`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Writes the game with its variants as one rule file, which runs by itself
    #[arg(long, conflicts_with = "why")]
    flat: bool,
    /// Shows where an option, a definition or a row comes from, step by step: `size`, `width of Small`,
    /// `event.fact.row`
    #[arg(long, value_name = "PATH")]
    why: Option<String>,
    /// Prints the line that pins a transcript to these rules: `run` warns if they have changed
    #[arg(long, conflicts_with_all = ["why", "flat", "format", "json"])]
    pin: bool,
    #[command(flatten)]
    formatted: Formatted,
}

/// A game with its options and variants.
#[derive(JsonSchema, Serialize)]
pub(super) struct Shown<'g> {
    /// Its name.
    name: &'g str,
    /// Its name for people.
    title: &'g str,
    /// The variants that are applied, in order.
    applied: Vec<&'g str>,
    /// The digest of its rule files, as in a pin.
    pin: String,
    /// Its options.
    options: Vec<ShownOption>,
    /// All its variants.
    variants: Vec<ShownVariant>,
}

/// An option.
#[derive(JsonSchema, Serialize)]
struct ShownOption {
    /// Its name.
    name: String,
    /// Its type, as in the rules.
    #[serde(rename = "type")]
    ty: String,
    /// Its value.
    value: Value,
    /// Its value if nothing sets it.
    default: Value,
    /// The comment beside it; may be empty.
    meaning: String,
}

/// A variant.
#[derive(JsonSchema, Serialize)]
struct ShownVariant {
    /// Its name.
    name: String,
    /// Its name for people.
    title: String,
    /// The comment at the top of its file; may be empty.
    meaning: String,
    /// Whether it is applied.
    applied: bool,
}

/// Shows what was requested.
pub(super) fn show(arguments: &Arguments, library: &Library) -> Result {
    let game = arguments.chosen.load(library)?;
    if let Some(path) = &arguments.why {
        if arguments.formatted.is_json() {
            return Err(Error::usage("`--why` is for people: leave `--format` out"));
        }
        return why(&game, path);
    }
    if arguments.pin {
        output::write(format!("{}\n", Pin::of(&game).line()))?;
        return Ok(Exit::Done);
    }
    if arguments.formatted.is_json() {
        if arguments.flat {
            return Err(Error::usage(
                "`--flat` writes a rule file: leave `--format` out",
            ));
        }
        write_json(shown(&game))?;
        return Ok(Exit::Done);
    }
    output::write(if arguments.flat {
        game.flat()
    } else {
        summary(&game)
    })?;
    Ok(Exit::Done)
}

/// The summary as JSON.
fn shown(game: &Game) -> Shown<'_> {
    let options = game.options().into_iter().map(|option| ShownOption {
        name: option.name,
        ty: option.ty,
        value: option.data,
        default: option.default_data,
        meaning: option.meaning,
    });
    let variants = game.variants().into_iter().map(|variant| ShownVariant {
        name: variant.name,
        title: variant.title,
        meaning: variant.meaning.join("\n"),
        applied: variant.applied,
    });
    Shown {
        name: game.name(),
        title: game.title(),
        applied: game.applied(),
        pin: Pin::of(game).digest,
        options: options.collect(),
        variants: variants.collect(),
    }
}

/// The title, the options and the variants.
fn summary(game: &Game) -> String {
    let mut text = format!("{}\n", game.title());
    let variants = game.variants();
    let applied = game.applied();
    let applied = applied
        .iter()
        .filter_map(|name| variants.iter().find(|variant| variant.name == *name));
    for variant in applied {
        let _ = writeln!(text, "with {}: {}", variant.name, variant.title);
    }
    text.push_str("\noptions\n");
    for line in settings::lines(game) {
        let _ = writeln!(text, "  {line}");
    }
    if game.options().is_empty() {
        text.push_str("  none\n");
    }
    text.push_str("\nvariants\n");
    if variants.is_empty() {
        text.push_str("  none\n");
    }
    let width = variants.iter().map(|variant| variant.name.chars().count());
    let width = width.max().unwrap_or_default();
    for variant in &variants {
        let title = std::slice::from_ref(&variant.title);
        let lines = if variant.meaning.is_empty() {
            title
        } else {
            &variant.meaning
        };
        let mut name = variant.name.as_str();
        for line in lines {
            let _ = writeln!(text, "  {}  {line}", padded(name, width));
            name = "";
        }
    }
    text
}

/// The history of something in the rules.
fn why(game: &Game, path: &str) -> Result {
    let why = game.why(path)?;
    let mut text = String::new();
    let mut last = "";
    for origin in &why.origins {
        let _ = writeln!(text, "{}:{}: {}", origin.file, origin.line, origin.edit);
        indented(&mut text, &origin.text);
        last = origin.edit;
    }
    match &why.now {
        None => text.push_str("now it is gone\n"),
        // If it was never changed, one step says all.
        Some(_) if why.origins.len() == 1 && last == "written" => {}
        Some(now) => {
            text.push_str("now\n");
            for line in now.lines() {
                let _ = writeln!(text, "    {line}");
            }
        }
    }
    output::write(text)?;
    Ok(Exit::Done)
}

/// Adds lines of a rule file with indentation. Lines keep their indentation relative to the first.
fn indented(text: &mut String, lines: &str) {
    let rest = lines.lines().skip(1).filter(|line| !line.trim().is_empty());
    let indent = rest.map(|line| line.len() - line.trim_start().len()).min();
    let indent = indent.unwrap_or_default();
    for (index, line) in lines.lines().enumerate() {
        let line = if index == 0 {
            line
        } else {
            line.get(indent..).unwrap_or("")
        };
        let deeper = if index == 0 { "" } else { "  " };
        let _ = writeln!(text, "    {deeper}{line}");
    }
}
