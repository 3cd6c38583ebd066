//! Tree to text: a rule file in one layout, whatever its author's was. Comments are not kept.

mod examples;
mod expressions;
mod items;
mod rows;
mod strength;

use super::ast;

/// How many characters a list of members may have before each goes on a line of its own.
const WIDTH: usize = 100;

/// A whole rule file.
#[must_use]
pub(crate) fn file(file: &ast::RuleFile) -> String {
    let mut printer = Printer::default();
    printer.header(&file.header);
    let mut before = None;
    for item in &file.items {
        let mut one = Printer::default();
        one.item(item);
        let word = one.text.split(' ').next().unwrap_or("").to_owned();
        let is_long = one.text.trim_end().contains('\n');
        // Items of a sort stand together if each takes a line.
        if is_long || before.as_ref() != Some(&word) {
            printer.text.push('\n');
        }
        printer.text.push_str(&one.text);
        before = (!is_long).then_some(word);
    }
    printer.text
}

/// One item, with the end of its last line.
#[must_use]
pub(crate) fn item(item: &ast::Item) -> String {
    let mut printer = Printer::default();
    printer.item(item);
    printer.text
}

/// An expression, on one line.
#[must_use]
pub(crate) fn expression(expr: &ast::Expr) -> String {
    let mut printer = Printer::default();
    printer.expr(expr);
    printer.text
}

/// What stands after `=`, perhaps with rows below.
#[must_use]
pub(crate) fn definition(definition: &ast::Definition) -> String {
    let mut printer = Printer::default();
    printer.definition(definition);
    printer.text
}

/// A row from its value on.
#[must_use]
pub(crate) fn row_body(row: &ast::Row) -> String {
    let mut printer = Printer::default();
    printer.row_body(row);
    printer.text
}

/// A row with its bar and its name.
#[must_use]
pub(crate) fn row(row: &ast::Row) -> String {
    let mut printer = Printer::default();
    printer.row(row);
    printer.text
}

/// A row of a `by` table with its bar and its name.
#[must_use]
pub(crate) fn by_row(row: &ast::ByRow) -> String {
    let mut printer = Printer::default();
    printer.by_row(row);
    printer.text
}

/// A member with its bar.
#[must_use]
pub(crate) fn member(member: &ast::Member) -> String {
    let mut printer = Printer::default();
    printer.member(member);
    printer.text
}

/// A row of a `by` table from its cells on.
#[must_use]
pub(crate) fn by_row_body(row: &ast::ByRow) -> String {
    let mut printer = Printer::default();
    printer.by_row_body(row);
    printer.text
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
    /// Writes `text` as it is.
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Begins a new line, `deeper` levels further in than the present indentation.
    fn line(&mut self, deeper: usize) {
        self.put("\n");
        self.put(&"  ".repeat(self.indent + deeper));
    }

    /// Writes a name.
    fn name(&mut self, name: &ast::Name) {
        self.put(&name.text);
    }

    /// Writes each of `list`, with `between` between them.
    fn list<T>(&mut self, list: &[T], between: &str, mut write: impl FnMut(&mut Self, &T)) {
        for (place, one) in list.iter().enumerate() {
            if place > 0 {
                self.put(between);
            }
            write(self, one);
        }
    }

    /// Writes `lead` and what follows it, if there is something.
    fn optional<T>(&mut self, lead: &str, what: Option<&T>, write: impl FnOnce(&mut Self, &T)) {
        if let Some(what) = what {
            self.put(lead);
            write(self, what);
        }
    }
}
