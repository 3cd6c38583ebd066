//! Prints items, sections, tables, transcripts and changes.

use super::super::ast::{self, ChangeKind, Clause, Definition, Header, How, Item, Step};
use super::{After, Body, If, List, Print, Printer};

/// Parameters in their parentheses, if there are any.
struct Parenthesised<'p, T>(&'p [T]);

impl<T: Print> Print for Parenthesised<'_, T> {
    fn print(&self, printer: &mut Printer) {
        if !self.0.is_empty() {
            printer.put(&[&"(", &List(self.0), &")"]);
        }
    }
}

/// The rows of a table or clause, each on a line of its own.
struct Rows<'p, T>(&'p [T]);

impl<T: Print> Print for Rows<'_, T> {
    fn print(&self, printer: &mut Printer) {
        printer.lines(self.0);
    }
}

/// ` when c`, ` unless c`
struct Exception<'p>(bool, &'p ast::Expr);

impl Print for Exception<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.put(&[&if self.0 { " unless " } else { " when " }, self.1]);
    }
}

impl Print for Header {
    fn print(&self, printer: &mut Printer) {
        let (title, cites) = match self {
            Header::Game { name, title, cites } => {
                printer.put(&[&"game ", name]);
                (title, cites)
            }
            Header::Variant {
                name,
                of,
                with,
                without,
                title,
                cites,
            } => {
                let with = (!with.is_empty()).then_some(List(with));
                let with = After(" with ", with.as_ref());
                let without = (!without.is_empty()).then_some(List(without));
                let without = After(" without ", without.as_ref());
                printer.put(&[&"variant ", name, &" of ", of, &with, &without]);
                (title, cites)
            }
        };
        After(" ", title.as_ref()).print(printer);
        After(" cites ", cites.as_ref()).print(printer);
    }
}

impl Print for Item {
    fn print(&self, printer: &mut Printer) {
        match self {
            Item::Option(one) => {
                printer.put(&[&"option ", &one.name, &": ", &one.ty, &" = ", &one.value]);
            }
            Item::Use(one) => printer.put(&[&"use ", &List(&one.names), &" from ", &one.from]),
            Item::Kind(kind) => kind.print(printer),
            Item::Product(one) => {
                let condition = After(" where ", one.condition.as_ref());
                let fields = Parenthesised(&one.fields);
                printer.put(&[&"type ", &one.name, &fields, &condition]);
            }
            Item::Grid(one) => printer.put(&[&"grid ", &one.name, &Parenthesised(&one.axes)]),
            Item::Alias(one) => printer.put(&[&"type ", &one.name, &" = ", &one.ty]),
            Item::Write(one) => printer.put(&[&"write ", &one.ty, &" as ", &one.form]),
            Item::Given(one) => {
                let parameters = Parenthesised(&one.parameters);
                let default = After(" = ", one.default.as_ref());
                printer.put(&[&"given ", &one.name, &parameters, &": ", &one.ty]);
                let drawn = If(one.drawn.is_some(), " by chance");
                printer.put(&[&After(" ", one.sight.as_ref()), &drawn, &default]);
            }
            Item::State(one) => {
                printer.put(&[&"state ", &one.name, &Parenthesised(&one.parameters)]);
                printer.put(&[&": ", &one.ty, &After(" per ", one.per.as_ref())]);
                printer.put(&[&After(" ", one.sight.as_ref()), &" = ", &one.initial]);
            }
            Item::Round(one) => {
                printer.put(&[&"round ", &one.name, &After(" in ", one.within.as_ref())]);
            }
            Item::Just(one) => printer.put(&[&"just ", &one.name]),
            Item::Event(one) => {
                printer.put(&[&"event ", &one.name, &Parenthesised(&one.fields)]);
                printer.put(&[&After(" ", one.by.as_ref())]);
                if let Some(guard) = &one.guard {
                    let exception = Exception(guard.negated, &guard.condition);
                    printer.put(&[&exception, &After(" says ", guard.says.as_ref())]);
                }
                After(" cites ", one.cites.as_ref()).print(printer);
            }
            Item::Section(one) => {
                printer.put(&[
                    &"on ",
                    &List(&one.events),
                    &After(" as ", one.like.as_ref()),
                ]);
                printer.block(&one.clauses);
            }
            Item::Fact(fact) => fact.print(printer),
            Item::Policy(one) => printer.put(&[&"policy ", &one.name, &Rows(&one.rows)]),
            Item::Transcript(one) => {
                printer.put(&[&"transcript ", &After("", one.name.as_ref())]);
                printer.put(&[&If(one.name.is_some(), " "), &"by "]);
                printer.put(&[match one.unit {
                    ast::Unit::Lines => &"lines",
                    ast::Unit::Words => &"words",
                }]);
                printer.block(&one.steps);
            }
            Item::Limit(one) => printer.put(&[&"limit ", &one.events]),
            Item::Example(one) => one.print(printer),
            Item::Change(one) => one.kind.print(printer),
        }
    }
}

impl Printer {
    /// Clauses or steps in braces.
    fn block<T: Print>(&mut self, parts: &[T]) {
        self.put(&[&" {"]);
        self.lines(parts);
        self.put(&[&"\n}"]);
    }
}

impl Print for ast::By {
    fn print(&self, printer: &mut Printer) {
        match &self.decider {
            ast::Decider::Seat(seat) => printer.put(&[&"by ", seat]),
            ast::Decider::Chance(weight) => {
                printer.put(&[&"by chance", &After(" weight ", weight.as_ref())]);
            }
            ast::Decider::Referee => printer.put(&[&"by referee"]),
        }
    }
}

impl Print for ast::Parameter {
    fn print(&self, printer: &mut Printer) {
        let next = After(" each in ", self.next.as_ref());
        printer.put(&[&self.name, &": ", &self.ty, &next]);
        After(" ", self.sight.as_ref()).print(printer);
    }
}

impl Print for ast::Sight {
    fn print(&self, printer: &mut Printer) {
        match &self.seats {
            Some(seats) => printer.put(&[&"seen by ", seats]),
            None => "hidden".print(printer),
        }
    }
}

impl Print for ast::Axis {
    fn print(&self, printer: &mut Printer) {
        printer.put(&[&self.field, &If(self.up, " up"), &If(self.wraps, " wraps")]);
    }
}

impl Print for ast::Kind {
    fn print(&self, printer: &mut Printer) {
        let word = if self.ring { "ring " } else { "kind " };
        printer.put(&[&word, &self.name, &Parenthesised(&self.attributes)]);
        match &self.members {
            ast::Members::Count(count) => printer.put(&[&" of ", count]),
            ast::Members::Listed(members) => {
                for member in members {
                    printer.put(&[&" ", member]);
                }
            }
        }
    }
}

impl Print for ast::Member {
    fn print(&self, printer: &mut Printer) {
        printer.put(&[&"| ", &self.name]);
        for value in &self.values {
            printer.put(&[&" ", value]);
        }
    }
}

impl Print for Clause {
    fn print(&self, printer: &mut Printer) {
        match self {
            Clause::Fact(fact) => fact.print(printer),
            Clause::Impossible(one) => printer.put(&[&"impossible", &Rows(&one.rows)]),
            Clause::New(new) => {
                printer.put(&[&"new ", &new.name, &Parenthesised(&new.parameters)]);
                match new.entry.as_ref().map(|entry| entry.keys.as_slice()) {
                    Some([key]) => printer.put(&[&" of ", key]),
                    Some(keys) => printer.put(&[&" of ", &Parenthesised(keys)]),
                    None => {}
                }
                match &new.definition {
                    Definition::Table(table) if table.how == How::One => {
                        printer.lines(&table.rows);
                    }
                    definition => printer.put(&[&" = ", definition]),
                }
                After(" cites ", new.cites.as_ref()).print(printer);
            }
            Clause::Begin(one) => printer.put(&[&"begin", &Rows(&one.rows)]),
            Clause::Report(one) => {
                printer.put(&[&"report", &If(one.refused, " refused"), &Rows(&one.rows)]);
            }
            Clause::Follows(one) => printer.put(&[&"follows", &Rows(&one.rows)]),
        }
    }
}

impl Print for ast::Fact {
    fn print(&self, printer: &mut Printer) {
        let word = match self.role {
            ast::Role::Fact => "fact ",
            ast::Role::Illegal => "illegal ",
            ast::Role::Refuse => "refuse ",
        };
        let ty = After(": ", self.ty.as_ref());
        printer.put(&[&word, &self.name, &Parenthesised(&self.parameters), &ty]);
        printer.put(&[&" = ", &self.definition]);
        After(" cites ", self.cites.as_ref()).print(printer);
    }
}

impl Print for ast::Example {
    fn print(&self, printer: &mut Printer) {
        printer.put(&[&"example ", &self.name, &After(" ", self.title.as_ref())]);
        printer.put(&[&" {"]);
        if !self.given.is_empty() {
            printer.put(&[&"\ngiven ", &List(&self.given)]);
        }
        if let Some(event) = &self.event {
            printer.put(&[&"\nwhen ", event]);
        }
        printer.put(&[&"\nexpect ", &List(&self.expected), &"\n}"]);
    }
}

impl Print for ast::Assignment {
    fn print(&self, printer: &mut Printer) {
        printer.put(&[&self.target, &" = ", &self.value]);
    }
}

impl Print for ast::Expectation {
    fn print(&self, printer: &mut Printer) {
        use ast::ExpectationKind as Kind;
        match &self.kind {
            Kind::Holds(condition) => condition.print(printer),
            Kind::Row { negated, fact, row } => {
                printer.put(&[&If(*negated, "not "), fact, &".", row]);
            }
            Kind::Legal { negated } => printer.put(&[&If(*negated, "not "), &"legal"]),
            Kind::Impossible {
                event: Some(event),
                row,
            } => {
                printer.put(&[&"impossible ", event, &".", row]);
            }
            Kind::Impossible { event: None, row } => printer.put(&[&"impossible ", row]),
        }
    }
}

impl Print for Definition {
    fn print(&self, printer: &mut Printer) {
        match self {
            Definition::Expression(expr) => expr.print(printer),
            Definition::Table(table) => {
                let words = match table.how {
                    How::Any => "any of",
                    How::All => "all of",
                    How::First => "first of",
                    How::Highest => "highest of",
                    How::Lowest => "lowest of",
                    How::Sum => "sum of",
                    How::Union => "union of",
                    How::One => "",
                };
                printer.put(&[&words, &Rows(&table.rows)]);
            }
            Definition::By(table) => {
                printer.put(&[&"by ", &List(&table.keys), &Rows(&table.rows)]);
            }
        }
    }
}

impl Print for ast::Row {
    fn print(&self, printer: &mut Printer) {
        printer.put(&[&"| ", &self.label, &": ", &Body(self)]);
    }
}

impl Print for Body<'_, ast::Row> {
    fn print(&self, printer: &mut Printer) {
        let row = self.0;
        printer.put(&[&If(row.inline, "inline "), &If(row.maybe, "maybe ")]);
        printer.put(&[&row.value, &After(" => ", row.event.as_ref())]);
        printer.for_each(&row.bindings);
        After(" ", row.sight.as_ref()).print(printer);
        row.conditions.print(printer);
    }
}

impl Print for ast::ByRow {
    fn print(&self, printer: &mut Printer) {
        printer.put(&[&After("| ", self.label.as_ref())]);
        let before = if self.label.is_some() { ": " } else { "| " };
        printer.put(&[&before, &Body(self)]);
    }
}

impl Print for Body<'_, ast::ByRow> {
    fn print(&self, printer: &mut Printer) {
        let row = self.0;
        printer.put(&[&List(&row.cells), &" => ", &row.value, &row.conditions]);
    }
}

impl Print for ast::Cell {
    fn print(&self, printer: &mut Printer) {
        match &self.kind {
            ast::CellKind::Any => "any".print(printer),
            ast::CellKind::Match { negated, value } => {
                If(*negated, "not ").print(printer);
                printer.value(value);
            }
        }
    }
}

impl Print for ast::Conditions {
    fn print(&self, printer: &mut Printer) {
        After(" when ", self.when.as_ref()).print(printer);
        After(" unless ", self.unless.as_ref()).print(printer);
        After(" says ", self.says.as_ref()).print(printer);
        After(" cites ", self.cites.as_ref()).print(printer);
    }
}

impl Print for Step {
    fn print(&self, printer: &mut Printer) {
        match self {
            Step::Pattern(pattern) => {
                if let Some(label) = &pattern.label {
                    printer.put(&[label, &": "]);
                }
                pattern.text.print(printer);
            }
            Step::Start(_) => "start".print(printer),
            Step::Repeat(repeat) => {
                match &repeat.rounds {
                    ast::Rounds::Times(times) => printer.put(&[&"repeat ", times, &" times"]),
                    ast::Rounds::Until(words) => printer.put(&[&"repeat until ", words]),
                }
                printer.block(&repeat.steps);
            }
            Step::Play(play) => {
                let by = After(" by ", play.by.as_ref());
                printer.put(&[&"play", &by, &" until ", &play.until]);
                if let Some(stop) = &play.stop {
                    printer.put(&[&", or ", &If(stop.before, "before "), &stop.words]);
                    After(" when ", stop.when.as_ref()).print(printer);
                }
                if !play.rows.is_empty() {
                    printer.put(&[&" {", &Rows(&play.rows), &"\n}"]);
                }
            }
        }
    }
}

impl Print for ChangeKind {
    fn print(&self, printer: &mut Printer) {
        match self {
            ChangeKind::Set { name, of, value } => {
                let of = After(" of ", of.as_ref());
                printer.put(&[&"set ", name, &of, &" = ", value]);
            }
            ChangeKind::Remove { path } => printer.put(&[&"remove ", path]),
            ChangeKind::ReplaceDefinition { path, definition } => {
                printer.put(&[&"replace ", path, &" = ", definition]);
            }
            ChangeKind::ReplaceType { name, ty } => {
                printer.put(&[&"replace type ", name, &" = ", ty]);
            }
            ChangeKind::ReplaceProduct(one) => {
                let condition = After(" where ", one.condition.as_ref());
                let fields = Parenthesised(&one.fields);
                printer.put(&[&"replace type ", &one.name, &fields, &condition]);
            }
            ChangeKind::Retype {
                path,
                ty,
                per,
                sight,
                wraps,
            } => {
                printer.put(&[&"replace ", path, &": ", ty, &After(" per ", per.as_ref())]);
                After(" ", sight.as_ref()).print(printer);
                If(*wraps, " wraps").print(printer);
            }
            ChangeKind::ReplaceWrite { name, form } => {
                printer.put(&[&"replace write ", name, &" as ", form]);
            }
            ChangeKind::ReplaceLimit { events } => printer.put(&[&"replace limit ", events]),
            ChangeKind::ReplaceRow { path, row } => {
                printer.put(&[&"replace ", path, &": ", &Body(row)]);
            }
            ChangeKind::Add { path, place, rows } => {
                printer.put(&[&"add to ", path, &After(" ", place.as_ref()), &Rows(rows)]);
            }
            ChangeKind::Except {
                path,
                negated,
                condition,
            } => printer.put(&[&"except ", path, &Exception(*negated, condition)]),
        }
    }
}

impl Print for ast::Place {
    fn print(&self, printer: &mut Printer) {
        let word = if self.before { "before " } else { "after " };
        printer.put(&[&word, &self.label]);
    }
}

impl Print for ast::AddedRow {
    fn print(&self, printer: &mut Printer) {
        match self {
            ast::AddedRow::Row(row) => row.print(printer),
            ast::AddedRow::By(row) => row.print(printer),
            ast::AddedRow::Member(member) => member.print(printer),
        }
    }
}

impl Print for Body<'_, ast::AddedRow> {
    fn print(&self, printer: &mut Printer) {
        match self.0 {
            ast::AddedRow::Row(row) => Body(row).print(printer),
            ast::AddedRow::By(row) => Body(row).print(printer),
            ast::AddedRow::Member(member) => member.print(printer),
        }
    }
}

impl Print for ast::Path {
    fn print(&self, printer: &mut Printer) {
        for (place, part) in self.parts.iter().enumerate() {
            printer.put(&[&If(place > 0, "."), part]);
        }
    }
}
