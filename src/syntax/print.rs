//! Tree to text: a rule file in one layout, whatever its author's was. Comments are not kept.

mod expressions;
mod items;

use super::ast;

/// How many characters a list of members may have before each goes on a line of its own.
const WIDTH: usize = 100;

/// A whole rule file.
#[must_use]
pub(crate) fn file(file: &ast::RuleFile) -> String {
    let mut text = printed(&[&file.header, &"\n"]);
    let mut before = None;
    for item in &file.items {
        let one = self::item(item);
        let word = one.split(' ').next().unwrap_or("").to_owned();
        let is_long = one.trim_end().contains('\n');
        // Items of a sort stand together if each takes a line.
        if is_long || before.as_ref() != Some(&word) {
            text.push('\n');
        }
        text.push_str(&one);
        before = (!is_long).then_some(word);
    }
    text
}

/// One item, with the end of its last line.
#[must_use]
pub(crate) fn item(item: &ast::Item) -> String {
    printed(&[item, &"\n"])
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

/// What stands after `=`, perhaps with rows below.
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

/// A member with its bar.
#[must_use]
pub(crate) fn member(member: &ast::Member) -> String {
    printed(&[member])
}

/// A row of a `by` table from its cells on.
#[must_use]
pub(crate) fn by_row_body(row: &ast::ByRow) -> String {
    printed(&[&Body(row)])
}

/// Parts one after the other as text.
fn printed(parts: &[&dyn Print]) -> String {
    let mut printer = Printer::default();
    printer.put(parts);
    printer.text
}

/// What can be written.
trait Print {
    /// Writes it.
    fn print(&self, printer: &mut Printer);
}

/// Writes pieces of a file one after the other.
#[derive(Default)]
struct Printer {
    text: String,
    /// How many levels the present line is indented.
    indent: usize,
    /// How many holes the present place is in.
    holes: usize,
}

impl Printer {
    /// Writes parts one after the other.
    fn put(&mut self, parts: &[&dyn Print]) {
        for part in parts {
            part.print(self);
        }
    }

    /// Writes each of `parts` on a line of its own, `deeper` levels further in than the present indentation.
    fn lines<T: Print>(&mut self, deeper: usize, parts: &[T]) {
        for part in parts {
            self.put(&[&Line(deeper), part]);
        }
    }
}

/// A new line, so many levels further in than the present indentation.
struct Line(usize);

/// The parts of a list, with commas between them.
struct List<'p, T>(&'p [T]);

/// A part and the words before it, if there is one.
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

impl Print for Line {
    fn print(&self, printer: &mut Printer) {
        printer.text.push('\n');
        printer.text.push_str(&"  ".repeat(printer.indent + self.0));
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
