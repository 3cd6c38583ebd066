//! What happens in runs, as tables of Arrow's. `docs/python.md` says what they hold.

mod schema;

use std::borrow::Cow;

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{
        ArrayBuilder, BooleanBuilder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
    },
};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};

use crate::{
    diagnostic::Data,
    game::Watched,
    stream::{By, Change, End, Event, Fact, How, Outcome, Part, Row, Said, Value},
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
