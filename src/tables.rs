//! What happens in runs, as tables of Arrow's. `docs/python.md` says what they hold.

mod schema;

use std::sync::Arc;

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{BooleanBuilder, Int64Builder, ListBuilder, StringBuilder, StructBuilder},
};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};

use crate::{
    diagnostic::Data,
    game::Watched,
    stream::{By, Change, End, Entries, Event, Fact, How, Outcome, Part, Row, Said, Value},
};

pub use schema::Kind;
use schema::{Holds, row};

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
    Value(Option<&'c Value>),
    Fields(&'c Entries),
    Number(Option<i64>),
    YesNo(bool),
    Values(&'c [Value]),
    Names(&'c [String]),
    Rows(&'c [Row]),
}

/// A column that grows.
enum Column {
    Text(StringBuilder),
    Number(Int64Builder),
    YesNo(BooleanBuilder),
    Texts(ListBuilder<StringBuilder>),
    Rows(ListBuilder<StructBuilder>),
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
    columns: Vec<Column>,
    count: usize,
}

impl Batch {
    /// None yet.
    #[must_use]
    pub fn new(kind: Kind) -> Batch {
        let columns = kind.columns().iter();
        Batch {
            kind,
            schema: kind.schema(),
            columns: columns.map(|(_, holds)| Column::new(*holds)).collect(),
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
        let columns = self.columns.iter_mut().map(Column::finish);
        let columns: Vec<ArrayRef> = columns.collect();
        RecordBatch::try_new(self.schema.clone(), columns)
    }

    fn push<const COLUMNS: usize>(&mut self, cells: [Cell<'_>; COLUMNS]) {
        debug_assert_eq!(COLUMNS, self.columns.len());
        self.count += 1;
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
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
                self.push([
                    input,
                    game,
                    place,
                    line,
                    name,
                    Cell::Text(Some(by(event.by))),
                    Cell::Text(Some(outcome(event.outcome))),
                    Cell::Text(event.words.as_deref()),
                    Cell::Fields(&event.fields),
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
        self.push([
            input,
            game,
            place,
            line,
            event,
            Cell::Text(Some(&change.state)),
            Cell::Values(&change.at),
            Cell::Value(old),
            Cell::Value(new),
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
        self.push([
            input,
            game,
            place,
            line,
            event,
            Cell::Text(Some(&fact.fact)),
            Cell::Values(&fact.of),
            Cell::Value(Some(&fact.value)),
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

impl Column {
    fn new(holds: Holds) -> Column {
        match holds {
            Holds::Text | Holds::MaybeText => Column::Text(StringBuilder::new()),
            Holds::Number | Holds::MaybeNumber => Column::Number(Int64Builder::new()),
            Holds::YesNo => Column::YesNo(BooleanBuilder::new()),
            Holds::Texts => Column::Texts(ListBuilder::new(StringBuilder::new())),
            Holds::Rows => {
                let item = Field::new("item", DataType::Struct(row()), false);
                let rows = StructBuilder::from_fields(row(), 0);
                Column::Rows(ListBuilder::new(rows).with_field(item))
            }
        }
    }

    /// Adds a value of the kind that it holds.
    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Column::Text(column), Cell::Text(text)) => column.append_option(text),
            (Column::Text(column), Cell::Value(value)) => push_value(column, value),
            (Column::Text(column), Cell::Fields(fields)) => push_json(column, fields),
            (Column::Number(column), Cell::Number(number)) => column.append_option(number),
            (Column::YesNo(column), Cell::YesNo(value)) => column.append_value(value),
            (Column::Texts(column), Cell::Values(values)) => {
                for value in values {
                    push_value(column.values(), Some(value));
                }
                column.append(true);
            }
            (Column::Texts(column), Cell::Names(names)) => {
                for name in names {
                    column.values().append_value(name);
                }
                column.append(true);
            }
            (Column::Rows(column), Cell::Rows(rows)) => push_rows(column, rows),
            _ => debug_assert!(false, "the columns of a table are those of its schema"),
        }
    }

    /// What it has; it is empty then.
    fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Text(column) => Arc::new(column.finish()),
            Column::Number(column) => Arc::new(column.finish()),
            Column::YesNo(column) => Arc::new(column.finish()),
            Column::Texts(column) => Arc::new(column.finish()),
            Column::Rows(column) => Arc::new(column.finish()),
        }
    }
}

/// Adds a value as a column of texts has it: nothing for none, what is a text or has a name as it is, anything else as
/// JSON.
fn push_value(column: &mut StringBuilder, value: Option<&Value>) {
    match value {
        None | Some(Value::None) => column.append_null(),
        Some(Value::Text(text)) => column.append_value(text),
        Some(Value::Number(number)) => column.append_value(itoa::Buffer::new().format(*number)),
        Some(other) => push_json(column, other),
    }
}

fn push_json(column: &mut StringBuilder, value: &impl serde::Serialize) {
    column.append_value(serde_json::to_string(value).unwrap_or_default());
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

fn as_number(value: Option<&Value>) -> Cell<'static> {
    Cell::Number(match value {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    })
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
