//! The JSON Schemas of what commands write, made from the types that they write.

use clap::ValueEnum;
use referee::{diagnostic::Data, explanation::Explanation, game::Moves, stream::Item};
use schemars::{
    JsonSchema, Schema, SchemaGenerator,
    generate::SchemaSettings,
    json_schema,
    transform::{RecursiveTransform, Transform as _},
};

use super::{
    Exit, cover, diff,
    error::Result,
    list, moves,
    output::{self, Versioned},
    show, test,
};

/// The arguments of `schema`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// What to describe
    #[arg(value_enum, value_name = "WHAT")]
    what: What,
}

/// What commands write as JSON.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// What `cover` writes, also with `--mutants`
    Cover,
    /// A line of what `check` writes, and `run` with `--errors json`
    Diagnostics,
    /// What `diff` writes
    Diff,
    /// A line of what `run --format jsonl` writes
    Events,
    /// What `list` writes
    List,
    /// What `moves` writes, also with `--depth`
    Moves,
    /// What `show` writes
    Show,
    /// What `test` writes
    Test,
    /// What `why` writes
    Why,
}

/// Writes a schema.
pub(super) fn schema(arguments: &Arguments) -> Result {
    let mut text =
        serde_json::to_string_pretty(&arguments.what.schema()).map_err(anyhow::Error::from)?;
    text.push('\n');
    output::write(text)?;
    Ok(Exit::Done)
}

impl What {
    fn schema(self) -> Schema {
        let forms: &[Form] = match self {
            What::Cover => &[
                of::<Versioned<cover::Covered>>,
                of::<Versioned<cover::Mutated>>,
            ],
            What::Diagnostics => &[of::<Data>],
            What::Diff => &[of::<Versioned<diff::Found>>],
            What::Events => &[of::<Item>],
            What::List => &[of::<Versioned<list::Games>>],
            What::Moves => &[of::<Versioned<Moves>>, of::<Versioned<moves::Lines>>],
            What::Show => &[of::<Versioned<show::Shown<'static>>>],
            What::Test => &[of::<Versioned<test::Results>>],
            What::Why => &[of::<Explanation>],
        };
        let mut generator = SchemaSettings::draft2020_12()
            .for_serialize()
            .into_generator();
        let forms: Vec<Schema> = forms.iter().map(|form| form(&mut generator)).collect();
        let value = self.to_possible_value();
        let title = value.as_ref().and_then(|value| value.get_help());
        let mut schema = json_schema!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": title.map(ToString::to_string),
            "oneOf": forms,
            "$defs": generator.take_definitions(true),
        });
        RecursiveTransform(plain).transform(&mut schema);
        schema
    }
}

/// The schema of one form of an object.
type Form = fn(&mut SchemaGenerator) -> Schema;

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Leaves out what only Rust knows: the sizes of numbers, and links to other types.
fn plain(schema: &mut Schema) {
    schema.remove("format");
    if let Some(serde_json::Value::String(text)) = schema.get_mut("description") {
        *text = text.replace("[`", "`").replace("`]", "`");
    }
}
