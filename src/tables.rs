//! What happens in runs, as tables of Arrow's: their columns, and what makes their rows. `docs/python.md` says what they
//! hold.

use std::{borrow::Cow, sync::Arc};

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{
        ArrayBuilder, BooleanBuilder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
    },
};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};

use crate::{
    diagnostic::Data,
    game::Watched,
    stream::{By, Change, End, Event, Fact, How, Outcome, Part, Row, Said, Value},
};

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
enum Holds {
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
type Columns = &'static [(&'static str, Holds)];

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
    fn columns(self) -> Columns {
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
fn row() -> Fields {
    Fields::from(vec![
        Field::new("name", DataType::Utf8, true),
        Field::new("file", DataType::Utf8, false),
        Field::new("line", DataType::Int64, false),
    ])
}

impl<'g> Watched<'g> {
    /// The same, told only as far as some tables need it.
    #[must_use]
    pub fn for_tables(self, tables: &[Kind]) -> Watched<'g> {
        let parts = [
            (Part::Said, Kind::Said),
            (Part::Changes, Kind::Changes),
            (Part::Facts, Kind::Facts),
        ];
        // Facts are told where something said or changed rests on them.
        let all = tables.contains(&Kind::Facts);
        let needless = parts
            .into_iter()
            .filter(|(_, kind)| !all && !tables.contains(kind));
        needless.fold(self.without(Part::State), |watched, (part, _)| {
            watched.without(part)
        })
    }
}

/// A value on its way to a column.
enum Cell<'c> {
    Text(Option<&'c str>),
    Number(Option<i64>),
    YesNo(bool),
    Values(&'c [Value]),
    Names(&'c [String]),
    Rows(&'c [Row]),
}

/// What stopped a run.
#[derive(Debug, Clone, Copy)]
pub struct Stopped<'s> {
    /// What is wrong: `usage`, `rules`, `transcript`, `bound` or `machine`.
    pub kind: &'s str,
    /// The diagnostic.
    pub data: Option<&'s Data>,
}

/// Rows of a table that are not yet a batch.
pub struct Batch {
    kind: Kind,
    schema: SchemaRef,
    columns: Vec<Box<dyn ArrayBuilder>>,
    count: usize,
}

impl Batch {
    /// None yet.
    #[must_use]
    pub fn new(kind: Kind) -> Batch {
        let columns = kind
            .columns()
            .iter()
            .map(|(_, holds)| -> Box<dyn ArrayBuilder> {
                match holds {
                    Holds::Text | Holds::MaybeText => Box::new(StringBuilder::new()),
                    Holds::Number | Holds::MaybeNumber => Box::new(Int64Builder::new()),
                    Holds::YesNo => Box::new(BooleanBuilder::new()),
                    Holds::Texts => {
                        let item = Field::new("item", DataType::Utf8, true);
                        Box::new(ListBuilder::new(StringBuilder::new()).with_field(item))
                    }
                    Holds::Rows => {
                        let item = Field::new("item", DataType::Struct(row()), false);
                        let rows = StructBuilder::from_fields(row(), 0);
                        Box::new(ListBuilder::new(rows).with_field(item))
                    }
                }
            });
        Batch {
            kind,
            schema: kind.schema(),
            columns: columns.collect(),
            count: 0,
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// What there is as a batch; it begins again then.
    ///
    /// # Errors
    /// What Arrow finds wrong with it: nothing.
    pub fn taken(&mut self) -> Result<RecordBatch, ArrowError> {
        self.count = 0;
        let columns = self.columns.iter_mut().map(ArrayBuilder::finish);
        let columns: Vec<ArrayRef> = columns.collect();
        RecordBatch::try_new(self.schema.clone(), columns)
    }

    fn push<const COLUMNS: usize>(&mut self, cells: [Cell<'_>; COLUMNS]) {
        debug_assert_eq!(COLUMNS, self.columns.len());
        self.count += 1;
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            let column = column.as_any_mut();
            match cell {
                Cell::Text(text) => {
                    if let Some(column) = column.downcast_mut::<StringBuilder>() {
                        column.append_option(text);
                    }
                }
                Cell::Number(number) => {
                    if let Some(column) = column.downcast_mut::<Int64Builder>() {
                        column.append_option(number);
                    }
                }
                Cell::YesNo(value) => {
                    if let Some(column) = column.downcast_mut::<BooleanBuilder>() {
                        column.append_value(value);
                    }
                }
                Cell::Values(values) => {
                    if let Some(column) = column.downcast_mut::<ListBuilder<StringBuilder>>() {
                        for value in values {
                            column.values().append_option(as_text(value));
                        }
                        column.append(true);
                    }
                }
                Cell::Names(names) => {
                    if let Some(column) = column.downcast_mut::<ListBuilder<StringBuilder>>() {
                        for name in names {
                            column.values().append_value(name);
                        }
                        column.append(true);
                    }
                }
                Cell::Rows(rows) => {
                    if let Some(column) = column.downcast_mut::<ListBuilder<StructBuilder>>() {
                        push_rows(column, rows);
                    }
                }
            }
        }
    }

    /// Adds what came of an event.
    pub fn event(&mut self, input: &str, event: &Event) {
        let head = || {
            [
                Cell::Text(Some(input)),
                number(event.game),
                number(event.number),
                number(event.line as u64),
                Cell::Text(Some(&event.event)),
            ]
        };
        match self.kind {
            Kind::Runs => {}
            Kind::Events => {
                let [input, game, place, line, name] = head();
                let fields = written(&event.fields);
                self.push([
                    input,
                    game,
                    place,
                    line,
                    name,
                    Cell::Text(Some(by(event.by))),
                    Cell::Text(Some(outcome(event.outcome))),
                    Cell::Text(event.words.as_deref()),
                    Cell::Text(Some(&fields)),
                    Cell::Names(&event.illegal),
                    Cell::Text(event.refused.as_deref()),
                    Cell::Text(event.impossible.as_ref().map(|said| said.text.as_str())),
                ]);
            }
            Kind::Changes => {
                for change in &event.changes {
                    self.change(head(), change);
                }
            }
            Kind::Said => {
                for said in &event.said {
                    self.said(head(), said);
                }
            }
            Kind::Facts => {
                for fact in &event.facts {
                    self.fact(head(), fact);
                }
            }
        }
    }

    fn change(&mut self, [input, game, place, line, event]: [Cell<'_>; 5], change: &Change) {
        let (mut old, mut new) = (None, None);
        let (mut came, mut went): (&[Value], &[Value]) = (&[], &[]);
        match &change.how {
            How::Became { from, to } => (old, new) = (Some(from), Some(to)),
            How::Members { added, removed } => (came, went) = (added, removed),
        }
        let (old_text, new_text) = (old.and_then(as_text), new.and_then(as_text));
        self.push([
            input,
            game,
            place,
            line,
            event,
            Cell::Text(Some(&change.state)),
            Cell::Values(&change.at),
            Cell::Text(old_text.as_deref()),
            Cell::Text(new_text.as_deref()),
            as_number(old),
            as_number(new),
            Cell::Values(came),
            Cell::Values(went),
            Cell::Rows(&change.rows),
        ]);
    }

    fn said(&mut self, [input, game, place, line, event]: [Cell<'_>; 5], said: &Said) {
        let row = &said.row;
        self.push([
            input,
            game,
            place,
            line,
            event,
            Cell::Text(Some(&said.text)),
            Cell::YesNo(said.inline),
            Cell::Text(row.place.name.as_deref()),
            Cell::Text(Some(&row.place.file)),
            number(row.place.start.line as u64),
            Cell::Text(row.says.as_deref()),
        ]);
    }

    fn fact(&mut self, [input, game, place, line, event]: [Cell<'_>; 5], fact: &Fact) {
        let value = as_text(&fact.value);
        self.push([
            input,
            game,
            place,
            line,
            event,
            Cell::Text(Some(&fact.fact)),
            Cell::Values(&fact.of),
            Cell::Text(value.as_deref()),
            as_number(Some(&fact.value)),
            Cell::Rows(&fact.rows),
        ]);
    }

    /// Adds how a run ended.
    pub fn run(&mut self, input: &str, end: End, stopped: Option<&Stopped<'_>>) {
        if self.kind != Kind::Runs {
            return;
        }
        let data = stopped.and_then(|stopped| stopped.data);
        let place = data.and_then(|data| data.labels.first());
        self.push([
            Cell::Text(Some(input)),
            number(end.games),
            number(end.events),
            Cell::Text(stopped.map(|stopped| stopped.kind)),
            Cell::Text(data.map(|data| data.code.as_str())),
            Cell::Text(data.map(|data| data.message.as_str())),
            Cell::Text(place.map(|place| place.file.as_str())),
            place.map_or(Cell::Number(None), |place| number(place.start.line as u64)),
            place.map_or(Cell::Number(None), |place| {
                number(place.start.column as u64)
            }),
        ]);
    }
}

fn push_rows(column: &mut ListBuilder<StructBuilder>, rows: &[Row]) {
    for row in rows {
        let place = &row.place;
        let values = column.values();
        if let Some(name) = values.field_builder::<StringBuilder>(0) {
            name.append_option(place.name.as_deref());
        }
        if let Some(file) = values.field_builder::<StringBuilder>(1) {
            file.append_value(&place.file);
        }
        if let Some(line) = values.field_builder::<Int64Builder>(2) {
            line.append_value(i64::try_from(place.start.line).unwrap_or(i64::MAX));
        }
        values.append(true);
    }
    column.append(true);
}

fn number(number: u64) -> Cell<'static> {
    Cell::Number(Some(i64::try_from(number).unwrap_or(i64::MAX)))
}

/// A value as a column of texts has it: nothing for none, what is a text or has a name as it is, anything else as JSON.
fn as_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::None => None,
        Value::Text(text) => Some(Cow::Borrowed(text)),
        other => Some(Cow::Owned(written(other))),
    }
}

fn as_number(value: Option<&Value>) -> Cell<'static> {
    Cell::Number(match value {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    })
}

fn written(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn by(by: By) -> &'static str {
    match by {
        By::Start => "start",
        By::Transcript => "transcript",
        By::Policy => "policy",
        By::Random => "random",
        By::Follows => "follows",
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Over => "over",
        Outcome::Refused => "refused",
        Outcome::Failed => "failed",
    }
}
