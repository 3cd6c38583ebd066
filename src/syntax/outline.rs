//! Where the items of a text begin that does not parse as a whole: at lines that open with the word of an
//! item, outside all braces.

use std::ops::Range;

use super::page::Page;
use super::scan::Sort;

/// A stretch of tokens that is read by itself.
#[derive(Debug)]
pub(super) struct Stretch {
    /// Its tokens.
    pub(super) tokens: Range<usize>,
    /// What it is.
    pub(super) kind: Kind,
    /// What is wrong with its braces.
    pub(super) fault: Option<Fault>,
}

/// What a stretch is taken for, by its first word.
#[derive(Debug)]
pub(super) enum Kind {
    /// `game …` or `variant …`
    Header,
    /// Something with the first word of an item, or with no such word.
    Item,
    /// `on … { … }`
    Section {
        /// The tokens up to the opening brace.
        head: Range<usize>,
        /// Its clauses.
        clauses: Vec<Range<usize>>,
    },
    /// A clause that stands in no section.
    Clause,
}

/// What can be wrong with braces that hold clauses or steps.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    /// This brace is not closed.
    Unclosed(usize),
    /// This brace closes nothing.
    Surplus(usize),
    /// A brace is due before this token.
    Missing(usize),
}

/// Finds the stretches of a text, in its order.
pub(super) fn outline(page: Page) -> Vec<Stretch> {
    let mut outliner = Outliner {
        page,
        stretches: Vec::new(),
        start: 0,
        open: Vec::new(),
        block: Block::None,
        clauses: Vec::new(),
        fault: None,
    };
    for index in 0..page.tokens.len() {
        outliner.step(index);
    }
    outliner.end_of_text();
    outliner.stretches
}

/// What the outermost open brace holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// There is none, or it is part of an expression.
    None,
    /// Clauses.
    Section,
    /// Steps.
    Transcript,
    /// What an example says.
    Example,
}

struct Outliner<'t> {
    page: Page<'t>,
    stretches: Vec<Stretch>,
    /// Where the present stretch begins.
    start: usize,
    /// The braces that are open.
    open: Vec<usize>,
    block: Block,
    /// Where clauses of the present section begin.
    clauses: Vec<usize>,
    fault: Option<Fault>,
}

impl Outliner<'_> {
    fn step(&mut self, index: usize) {
        if self.page.first(index) {
            self.line(index);
        }
        if index == self.start && self.is_section() {
            self.open_section(index);
        }
        match self.page.word(index) {
            "{" => {
                if self.open.is_empty() && self.page.word(self.start) == "transcript" {
                    self.block = Block::Transcript;
                }
                if self.open.is_empty() && self.page.word(self.start) == "example" {
                    self.block = Block::Example;
                }
                let first_word = self.page.word(self.start);
                if self.open.is_empty() && first_word == "event" && self.opens_body(index + 1) {
                    // Its clauses belong to what is wrong with the event.
                    self.block = Block::Section;
                }
                let opens_section = self.clauses.first() == Some(&(index + 1));
                if self.block != Block::Section || !opens_section {
                    self.open.push(index);
                }
            }
            "}" => self.close(index),
            _ => {}
        }
    }

    /// A line begins: perhaps a new stretch or clause does.
    fn line(&mut self, index: usize) {
        let opens_item = self.page.opens_item(index);
        let opens_clause = self.page.opens_clause_only(index);
        let in_place = index == self.start || self.page.opens_item(index - 1);
        match self.block {
            Block::None => {
                let assigns = self.open.is_empty() && self.page.assigns(index);
                let opens_section =
                    self.open.is_empty() && self.page.opens_nameless_section(index) && !in_place;
                if opens_item || opens_clause || opens_section || assigns && !in_place {
                    self.end_stretch(index);
                }
            }
            Block::Section => {
                let is_fact = self.page.word(index) == "fact";
                if opens_item && !is_fact && self.page.indent(index) <= self.block_indent() {
                    self.unclosed(index);
                } else if opens_item || opens_clause || self.page.assigns(index) {
                    self.open.truncate(1);
                    self.clauses.push(index);
                }
            }
            Block::Transcript => {
                if opens_item {
                    self.unclosed(index);
                }
            }
            Block::Example => {
                // `given` opens an item too.
                if opens_item && self.page.indent(index) <= self.block_indent() {
                    self.unclosed(index);
                }
            }
        }
    }

    /// Whether the present stretch is a section.
    fn is_section(&self) -> bool {
        let page = self.page;
        page.word(self.start) == "on"
            || !page.opens_item(self.start) && page.opens_nameless_section(self.start)
    }

    /// How far the line is indented on which the outermost block opens.
    fn block_indent(&self) -> usize {
        self.page.indent(self.start)
    }

    /// `on x, y` begins here; its brace is looked for.
    fn open_section(&mut self, index: usize) {
        let mut brace = index + 1;
        while brace < self.page.tokens.len()
            && !self.page.first(brace)
            && self.page.word(brace) != "{"
        {
            brace += 1;
        }
        self.block = Block::Section;
        if self.page.word(brace) == "{" {
            self.open.push(brace);
            self.clauses = vec![brace + 1];
        } else {
            self.open.push(index);
            self.clauses = vec![brace];
            self.fault = Some(Fault::Missing(brace));
        }
    }

    /// Whether clauses begin here, in the braces of an event that should have none.
    fn opens_body(&self, index: usize) -> bool {
        self.page.word(index) == "fact"
            || self.page.opens_clause_only(index)
            || self.page.assigns(index)
    }

    fn close(&mut self, index: usize) {
        let alone = self.page.first(index) || index == self.start;
        match self.open.len() {
            0 if alone => {
                self.fault = Some(Fault::Surplus(index));
                self.end_stretch(index + 1);
            }
            // Reading the item will fail at it or before it.
            0 => {}
            1 if self.block == Block::Section && !alone && self.goes_on(index + 1) => {}
            1 if self.block != Block::None => self.end_stretch(index + 1),
            _ => {
                self.open.pop();
            }
        }
    }

    /// Whether the section goes on here, so that a brace within a line before it does not close it.
    fn goes_on(&self, next: usize) -> bool {
        let page = self.page;
        if !(self.start + 1..next).any(|index| page.first(index)) {
            return false;
        }
        if page.first(next) {
            page.word(next) != "}" && page.indent(next) > self.block_indent()
        } else {
            page.word(next) != "}" && !page.opens_item(next) && next < page.tokens.len()
        }
    }

    /// The outermost block is not closed where something else begins.
    fn unclosed(&mut self, next: usize) {
        if self.fault.is_none() {
            self.fault = Some(Fault::Unclosed(self.culprit(next)));
        }
        self.end_stretch(next);
    }

    /// The brace that is probably the one not closed, by how its line is indented.
    fn culprit(&self, next: usize) -> usize {
        let page = self.page;
        let mut open: Vec<usize> = Vec::new();
        for index in self.start..next {
            match page.word(index) {
                "{" => open.push(index),
                "}" => {
                    let indent = page.indent(index);
                    let outer = open.iter().rev().skip(1);
                    let mut outer = outer.map(|brace| page.indent(*brace));
                    match open.last() {
                        Some(last)
                            if page.first(index)
                                && page.indent(*last) > indent
                                && outer.any(|outer| outer == indent) =>
                        {
                            return *last;
                        }
                        _ => open.pop(),
                    };
                }
                _ => {}
            }
        }
        open.last().copied().unwrap_or(self.start)
    }

    fn end_of_text(&mut self) {
        let end = self.page.tokens.len();
        if self.block == Block::None {
            self.end_stretch(end);
        } else {
            self.unclosed(end);
        }
    }

    /// The present stretch ends before token `end`, where the next one begins.
    fn end_stretch(&mut self, end: usize) {
        let tokens = self.start..end;
        let fault = self.fault.take();
        let clauses = std::mem::take(&mut self.clauses);
        let is_section = self.is_section();
        self.open.clear();
        self.block = Block::None;
        self.start = end;
        if tokens.is_empty() {
            return;
        }
        let kind = match self.page.word(tokens.start) {
            "game" | "variant" => Kind::Header,
            _ if is_section => self.section(&tokens, &clauses),
            _ if self.page.opens_clause_only(tokens.start) => Kind::Clause,
            _ => Kind::Item,
        };
        self.stretches.push(Stretch {
            tokens,
            kind,
            fault,
        });
    }

    fn section(&self, tokens: &Range<usize>, starts: &[usize]) -> Kind {
        let first = starts.first().copied().unwrap_or(tokens.end);
        let closed = tokens.end.checked_sub(1).filter(|last| {
            self.page.word(*last) == "}" && self.page.sort(*last) == Some(Sort::Mark)
        });
        let end = closed.unwrap_or(tokens.end);
        let ends = starts.iter().skip(1).copied().chain([end]);
        let clauses = starts.iter().copied().zip(ends);
        Kind::Section {
            head: tokens.start..first,
            clauses: clauses
                .filter(|(start, end)| start < end)
                .map(|(start, end)| start..end)
                .collect(),
        }
    }
}
