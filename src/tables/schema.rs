//! The columns of the tables.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

/// Which table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A row for each transcript: how much it was, and what stopped it.
    Runs,
    /// A row for each event.
    Events,
    /// A row for each change of a state, or of one of its entries.
    Changes,
    /// A row for each line that was reported.
    Said,
    /// A row for each fact on which that rests.
    Facts,
}

/// What a column holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Holds {
    /// Text that is always there.
    Text,
    /// Text, or nothing.
    MaybeText,
    /// A number that is always there.
    Number,
    /// A number, or nothing.
    MaybeNumber,
    YesNo,
    Texts,
    /// Rows of the rules: each with its name, file and line.
    Rows,
}

/// The columns of a table.
pub(super) type Columns = &'static [(&'static str, Holds)];

const RUNS: Columns = &[
    ("input", Holds::Text),
    ("games", Holds::Number),
    ("events", Holds::Number),
    ("kind", Holds::MaybeText),
    ("slug", Holds::MaybeText),
    ("message", Holds::MaybeText),
    ("file", Holds::MaybeText),
    ("line", Holds::MaybeNumber),
    ("column", Holds::MaybeNumber),
];

const EVENTS: Columns = &[
    ("input", Holds::Text),
    ("game", Holds::Number),
    ("number", Holds::Number),
    ("line", Holds::Number),
    ("event", Holds::Text),
    ("by", Holds::Text),
    ("outcome", Holds::Text),
    ("words", Holds::MaybeText),
    ("fields", Holds::Text),
    ("illegal", Holds::Texts),
    ("refused", Holds::MaybeText),
    ("impossible", Holds::MaybeText),
];

const CHANGES: Columns = &[
    ("input", Holds::Text),
    ("game", Holds::Number),
    ("number", Holds::Number),
    ("line", Holds::Number),
    ("event", Holds::Text),
    ("state", Holds::Text),
    ("place", Holds::Texts),
    ("old", Holds::MaybeText),
    ("new", Holds::MaybeText),
    ("old_number", Holds::MaybeNumber),
    ("new_number", Holds::MaybeNumber),
    ("added", Holds::Texts),
    ("removed", Holds::Texts),
    ("rows", Holds::Rows),
];

const SAID: Columns = &[
    ("input", Holds::Text),
    ("game", Holds::Number),
    ("number", Holds::Number),
    ("line", Holds::Number),
    ("event", Holds::Text),
    ("text", Holds::Text),
    ("inline", Holds::YesNo),
    ("row", Holds::MaybeText),
    ("row_file", Holds::Text),
    ("row_line", Holds::Number),
    ("says", Holds::MaybeText),
];

const FACTS: Columns = &[
    ("input", Holds::Text),
    ("game", Holds::Number),
    ("number", Holds::Number),
    ("line", Holds::Number),
    ("event", Holds::Text),
    ("fact", Holds::Text),
    ("arguments", Holds::Texts),
    ("value", Holds::MaybeText),
    ("value_number", Holds::MaybeNumber),
    ("rows", Holds::Rows),
];

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [
        Kind::Runs,
        Kind::Events,
        Kind::Changes,
        Kind::Said,
        Kind::Facts,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Runs => "runs",
            Kind::Events => "events",
            Kind::Changes => "changes",
            Kind::Said => "said",
            Kind::Facts => "facts",
        }
    }

    /// Its columns, each with what it holds.
    pub(super) fn columns(self) -> Columns {
        match self {
            Kind::Runs => RUNS,
            Kind::Events => EVENTS,
            Kind::Changes => CHANGES,
            Kind::Said => SAID,
            Kind::Facts => FACTS,
        }
    }

    /// Its columns, as Arrow has them.
    #[must_use]
    pub fn schema(self) -> SchemaRef {
        let fields = self.columns().iter().map(|(name, holds)| {
            let may_be_nothing = matches!(holds, Holds::MaybeText | Holds::MaybeNumber);
            Field::new(*name, holds.ty(), may_be_nothing)
        });
        Arc::new(Schema::new(fields.collect::<Vec<Field>>()))
    }
}

impl Holds {
    fn ty(self) -> DataType {
        let list = |field| DataType::List(Arc::new(field));
        match self {
            Holds::Text | Holds::MaybeText => DataType::Utf8,
            Holds::Number | Holds::MaybeNumber => DataType::Int64,
            Holds::YesNo => DataType::Boolean,
            Holds::Texts => list(Field::new("item", DataType::Utf8, true)),
            Holds::Rows => list(Field::new("item", DataType::Struct(row()), false)),
        }
    }
}

/// What a row of the rules is in a table.
pub(super) fn row() -> Fields {
    Fields::from(vec![
        Field::new("name", DataType::Utf8, true),
        Field::new("file", DataType::Utf8, false),
        Field::new("line", DataType::Int64, false),
    ])
}
