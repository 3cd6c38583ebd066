//! Prints a syntax tree: this produces the words in order, and `format` lays out whatever is more than a line. Comments
//! are not kept.

mod expressions;
mod items;

use super::{ast, format::format, grammar::Rule};

/// A whole rule file.
#[must_use]
pub(crate) fn file(file: &ast::RuleFile) -> String {
    let header = printed(&[&file.header, &"\n"]);
    let mut text = format(Rule::header_alone, &header);
    let mut before = None;
    for item in &file.items {
        let one = self::item(item);
        let word = one.split(' ').next().unwrap_or("").to_owned();
        let is_long = one.contains('\n');
        // Consecutive items of the same sort have no blank line between them if each takes one line.
        if is_long || before.as_ref() != Some(&word) {
            text.push('\n');
        }
        text.push_str(&one);
        text.push('\n');
        before = (!is_long).then_some(word);
    }
    text
}

/// One item.
#[must_use]
pub(crate) fn item(item: &ast::Item) -> String {
    let text = printed(&[item]);
    format(Rule::items_alone, &text).trim_end().to_owned()
}

/// An expression, on one line.
#[must_use]
pub(crate) fn expression(expr: &ast::Expr) -> String {
    printed(&[expr])
}

/// A type.
#[must_use]
pub(crate) fn written_type(ty: &ast::Type) -> String {
    printed(&[ty])
}

/// The decider of an event.
#[must_use]
pub(crate) fn decider(by: &ast::By) -> String {
    printed(&[by])
}

/// A definition after its `=`, perhaps with rows below.
#[must_use]
pub(crate) fn definition(definition: &ast::Definition) -> String {
    printed(&[definition])
}

/// A row from its value on.
#[must_use]
pub(crate) fn row_body(row: &ast::Row) -> String {
    printed(&[&Body(row)])
}

/// A row with its bar and its name.
#[must_use]
pub(crate) fn row(row: &ast::Row) -> String {
    printed(&[row])
}

/// A row of a `by` table with its bar and its name.
#[must_use]
pub(crate) fn by_row(row: &ast::ByRow) -> String {
    printed(&[row])
}

/// A cell of a `by` table.
#[must_use]
pub(crate) fn cell(cell: &ast::Cell) -> String {
    printed(&[cell])
}

/// A member with its bar.
#[must_use]
pub(crate) fn member(member: &ast::Member) -> String {
    printed(&[member])
}

/// A step of a transcript.
#[must_use]
pub(crate) fn step(step: &ast::Step) -> String {
    printed(&[step])
}

/// A clause of a section.
#[must_use]
pub(crate) fn clause(clause: &ast::Clause) -> String {
    printed(&[clause])
}

/// A text, with its quotes.
#[must_use]
pub(crate) fn text(text: &ast::Text) -> String {
    printed(&[text])
}

/// A part of a record, with its type.
#[must_use]
pub(crate) fn parameter(parameter: &ast::Parameter) -> String {
    printed(&[parameter])
}

/// A row of a `by` table from its cells on.
#[must_use]
pub(crate) fn by_row_body(row: &ast::ByRow) -> String {
    printed(&[&Body(row)])
}

/// The text of some parts in order.
fn printed(parts: &[&dyn Print]) -> String {
    let mut printer = Printer::default();
    printer.put(parts);
    printer.text
}

/// Something that can be printed.
trait Print {
    fn print(&self, printer: &mut Printer);
}

/// Collects the pieces of a file in order.
#[derive(Default)]
struct Printer {
    text: String,
    /// In how many holes the current place is.
    holes: usize,
}

impl Printer {
    /// Prints parts in order.
    fn put(&mut self, parts: &[&dyn Print]) {
        for part in parts {
            part.print(self);
        }
    }

    /// Prints each of `parts` on a line of its own.
    fn lines<T: Print>(&mut self, parts: &[T]) {
        for part in parts {
            self.put(&[&"\n  ", part]);
        }
    }
}

/// The parts of a list, with commas between them.
struct List<'p, T>(&'p [T]);

/// A word and a part, if there is a part.
struct After<'p, T>(&'static str, Option<&'p T>);

/// A row from its value or its cells on.
struct Body<'p, T>(&'p T);

/// A word if a condition holds.
struct If(bool, &'static str);

impl Print for &str {
    fn print(&self, printer: &mut Printer) {
        printer.text.push_str(self);
    }
}

impl Print for i64 {
    fn print(&self, printer: &mut Printer) {
        printer.text.push_str(&self.to_string());
    }
}

impl<T: Print> Print for List<'_, T> {
    fn print(&self, printer: &mut Printer) {
        for (place, part) in self.0.iter().enumerate() {
            printer.put(&[&If(place > 0, ", "), part]);
        }
    }
}

impl<T: Print> Print for After<'_, T> {
    fn print(&self, printer: &mut Printer) {
        if let Some(part) = self.1 {
            printer.put(&[&self.0, part]);
        }
    }
}

impl Print for If {
    fn print(&self, printer: &mut Printer) {
        if self.0 {
            self.1.print(printer);
        }
    }
}

impl Print for ast::Name {
    fn print(&self, printer: &mut Printer) {
        printer.text.push_str(&self.text);
    }
}
