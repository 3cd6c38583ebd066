//! Rows below each other, aligned in columns.

use std::ops::Range;

use super::super::grammar::Rule;
use super::build::{Builder, Gap, Node};
use super::layout::{Group, Op, WIDTH, width};

/// The indentation of rows below what they belong to.
pub(super) const INDENT: usize = 2;

/// The columns of rows: for each column and row, the index of the instruction for padding, and the instructions of the
/// part itself.
type Columns = Vec<Vec<(usize, Range<usize>)>>;

/// A member of a list, by its instructions.
struct Member {
    gap: usize,
    /// The index of the padding before it, if it does not begin a line.
    pad: usize,
    whole: Range<usize>,
    /// The name and the attributes, each with the index of its padding.
    parts: Vec<(usize, Range<usize>)>,
    /// Whether each part is a number.
    numbers: Vec<bool>,
}

impl<'t> Builder<'t> {
    /// Emits something with rows.
    pub(super) fn rows(&mut self, node: Node<'t>) {
        let rule = node.as_rule();
        let is_row = |part: &Node| {
            matches!(
                part.as_rule(),
                Rule::row | Rule::by_row | Rule::member | Rule::added_row
            )
        };
        let (rows, head): (Vec<Node>, Vec<Node>) = node.into_inner().partition(is_row);
        // Further lines of the keys of a table are indented more than its rows.
        self.ops.push(Op::Indent(if rule == Rule::by_table {
            2 * INDENT
        } else {
            0
        }));
        for part in head {
            match part.as_rule() {
                Rule::expr if self.is_after(Rule::comma) => self.gap(Gap::Break(2)),
                Rule::parameters if rule == Rule::kind => self.gap(Gap::Blank),
                _ => {}
            }
            self.node(part);
        }
        self.ops.push(Op::Outdent);
        if !rows.is_empty() {
            let group = self.open();
            self.indented(INDENT, |builder| builder.table(group, rows));
            self.close(group);
        }
    }

    /// Emits rows.
    pub(super) fn table(&mut self, group: Group, rows: Vec<Node<'t>>) {
        let unwrapped = rows.into_iter().map(|row| match row.as_rule() {
            Rule::added_row => row.clone().into_inner().next().unwrap_or(row),
            _ => row,
        });
        let rows: Vec<Node> = unwrapped.collect();
        if rows.iter().all(|row| row.as_rule() == Rule::member) {
            return self.members(group, rows);
        }
        let label = |row: &Node| {
            let mut parts = row.clone().into_inner();
            let label = parts.find(|part| part.as_rule() == Rule::label);
            label.map_or(0, |label| label.as_str().len() + 1)
        };
        let widest = rows.iter().map(label).max().unwrap_or(0);
        let mut columns = Columns::new();
        for row in rows {
            let mut missing = widest - label(&row);
            if missing == widest {
                // A row without a name, in a table where others have one.
                missing += usize::from(widest > 0);
            }
            self.gap(Gap::Group(group));
            for part in row.into_inner() {
                match part.as_rule() {
                    Rule::row_body => {
                        self.ops.push(Op::Pad(group, missing));
                        self.aligned(Gap::Blank, |builder| builder.children(part));
                    }
                    Rule::by_row_body => {
                        self.ops.push(Op::Pad(group, missing));
                        self.gap(Gap::Blank);
                        self.cells(group, part, &mut columns);
                    }
                    _ => self.node(part),
                }
            }
        }
        for column in columns {
            self.pad(&column);
        }
    }

    /// Emits the cells of a row and the rest of it.
    fn cells(&mut self, group: Group, body: Node<'t>, columns: &mut Columns) {
        let mut parts = body.into_inner().peekable();
        let mut place = 0;
        while let Some(cell) = parts.next_if(|part| part.as_rule() == Rule::cell) {
            if place > 0 {
                self.gap(Gap::Blank);
            }
            let start = self.ops.len();
            self.node(cell);
            let range = start..self.ops.len();
            self.nodes(parts.next_if(|part| part.as_rule() == Rule::comma));
            if columns.len() == place {
                columns.push(Vec::new());
            }
            if let Some(column) = columns.get_mut(place) {
                column.push((self.ops.len(), range));
            }
            self.ops.push(Op::Pad(group, 0));
            place += 1;
        }
        self.nodes(parts.next());
        self.aligned(Gap::Blank, |builder| builder.nodes(parts));
    }

    /// Pads the parts of a column to equal width, if each is on one line.
    fn pad(&mut self, column: &[(usize, Range<usize>)]) {
        let widths = column.iter().map(|(_, part)| self.width(part));
        let Some(widths) = widths.collect::<Option<Vec<usize>>>() else {
            return;
        };
        let widest = widths.iter().copied().max().unwrap_or(0);
        for ((pad, _), width) in column.iter().zip(widths) {
            self.set_pad(*pad, widest - width);
        }
    }

    fn width(&self, part: &Range<usize>) -> Option<usize> {
        width(self.ops.get(part.clone()).unwrap_or(&[]))
    }

    fn set_pad(&mut self, at: usize, blanks: usize) {
        if let Some(Op::Pad(_, known)) = self.ops.get_mut(at) {
            *known = blanks;
        }
    }

    /// Emits members: each on its line, or as many on a line as the author has.
    fn members(&mut self, group: Group, rows: Vec<Node<'t>>) {
        let members: Vec<Member> = rows
            .into_iter()
            .map(|row| self.member(group, row))
            .collect();
        let begins = |member: &Member| {
            !matches!(
                self.ops.get(member.gap),
                Some(Op::GroupLine { kept: false, .. })
            )
        };
        let mut lines: Vec<Vec<&Member>> = Vec::new();
        for member in &members {
            match lines.last_mut() {
                Some(line) if !begins(member) => line.push(member),
                _ => lines.push(vec![member]),
            }
        }
        let has_lines = lines.len() > 1 || members.first().is_some_and(begins);
        let widths: Option<Vec<Vec<usize>>> = lines
            .iter()
            .map(|line| {
                line.iter()
                    .map(|member| self.width(&member.whole))
                    .collect()
            })
            .collect();
        let longest = |widths: &[Vec<usize>]| {
            let lines = widths
                .iter()
                .map(|line| line.iter().map(|width| width + 1).sum());
            INDENT + lines.max().unwrap_or(0usize)
        };
        match widths {
            Some(widths)
                if has_lines && lines.len() < members.len() && longest(&widths) <= WIDTH + 1 =>
            {
                let column = |place: usize| {
                    let column = widths.iter().filter_map(|line| line.get(place));
                    column.copied().max().unwrap_or(0)
                };
                let padded: Vec<Vec<usize>> = widths
                    .iter()
                    .map(|line| (0..line.len()).map(column).collect())
                    .collect();
                let is_padded = longest(&padded) <= WIDTH + 1;
                let mut changes = Vec::new();
                for (line, widths) in lines.iter().zip(&widths) {
                    for place in 1..line.len() {
                        let blanks = column(place - 1) - widths.get(place - 1).unwrap_or(&0);
                        changes.extend(line.get(place).map(|member| {
                            (member.gap, member.pad, if is_padded { blanks } else { 0 })
                        }));
                    }
                }
                for (gap, pad, blanks) in changes {
                    if let Some(Op::GroupLine { joined, .. }) = self.ops.get_mut(gap) {
                        *joined = true;
                    }
                    self.set_pad(pad, blanks);
                }
            }
            _ => self.attributes(&members),
        }
    }

    /// Emits a member.
    fn member(&mut self, group: Group, row: Node<'t>) -> Member {
        let pad = self.ops.len();
        self.ops.push(Op::Pad(group, 0));
        let gap = self.ops.len();
        self.gap(Gap::Group(group));
        let start = self.ops.len();
        let mut parts = Vec::new();
        let mut numbers = Vec::new();
        for part in row.into_inner() {
            if part.as_rule() == Rule::bar {
                self.node(part);
                continue;
            }
            let pad = self.ops.len();
            self.ops.push(Op::Pad(group, 0));
            self.gap(Gap::Blank);
            let start = self.ops.len();
            let is_number = |part: &Node| part.as_rule() == Rule::number;
            numbers.push(part.clone().into_inner().any(|part| is_number(&part)));
            self.node(part);
            parts.push((pad, start..self.ops.len()));
        }
        Member {
            gap,
            pad,
            whole: start..self.ops.len(),
            parts,
            numbers,
        }
    }

    /// Aligns attributes in columns: numbers at their ends, everything else at its start.
    fn attributes(&mut self, members: &[Member]) {
        let count = members.iter().map(|member| member.parts.len()).max();
        // By how much the part before is narrower than its column, in each row.
        let mut missing = vec![0; members.len()];
        for place in 0..count.unwrap_or(0) {
            let parts = members.iter().map(|member| member.parts.get(place));
            let widths: Vec<Option<usize>> = parts
                .map(|part| part.map_or(Some(0), |(_, part)| self.width(part)))
                .collect();
            if widths.contains(&None) {
                return;
            }
            let widest = widths.iter().flatten().copied().max().unwrap_or(0);
            let is_right = members
                .iter()
                .all(|one| *one.numbers.get(place).unwrap_or(&true));
            for ((member, width), missing) in members.iter().zip(widths).zip(&mut missing) {
                let narrower = widest - width.unwrap_or(0);
                let before = if is_right { narrower } else { 0 };
                if let Some((pad, _)) = member.parts.get(place) {
                    self.set_pad(*pad, *missing + before);
                }
                *missing = narrower - before;
            }
        }
    }
}
