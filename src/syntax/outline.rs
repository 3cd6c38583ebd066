//! The outline of a text that does not parse: where its items begin. They begin at lines that start with the first word
//! of an item, outside all braces.

use std::ops::Range;

use super::lexer::{Lexed, TokenKind};

/// A range of tokens to parse by itself.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) tokens: Range<usize>,
    pub(super) kind: Kind,
    /// The mistake in its braces.
    pub(super) fault: Option<Fault>,
}

/// The sort of a stretch, by its first word.
#[derive(Debug)]
pub(super) enum Kind {
    /// `game …` or `variant …`
    Header,
    /// An item, or tokens that do not start like one.
    Item,
    /// `on … { … }`
    Section {
        /// The tokens up to the opening brace.
        head: Range<usize>,
        clauses: Vec<Range<usize>>,
    },
    /// A clause outside any section.
    Clause,
}

/// A mistake in braces around clauses or steps.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    /// The brace with this index is not closed.
    Unclosed(usize),
    /// The brace with this index closes nothing.
    Surplus(usize),
    /// A brace is missing before the token with this index.
    Missing(usize),
}

/// The stretches of a text, in order.
pub(super) fn outline(lexed: Lexed) -> Vec<Stretch> {
    let mut outliner = Outliner {
        lexed,
        stretches: Vec::new(),
        start: 0,
        open: Vec::new(),
        block: Block::None,
        clauses: Vec::new(),
        fault: None,
    };
    for index in 0..lexed.tokens.len() {
        outliner.step(index);
    }
    outliner.end_of_text();
    outliner.stretches
}

/// What the outermost open brace contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// No brace is open, or it is part of an expression.
    None,
    Section,
    Transcript,
    Example,
}

struct Outliner<'t> {
    lexed: Lexed<'t>,
    stretches: Vec<Stretch>,
    /// The first token of the current stretch.
    start: usize,
    /// The open braces.
    open: Vec<usize>,
    block: Block,
    /// The first tokens of the clauses of the current section.
    clauses: Vec<usize>,
    fault: Option<Fault>,
}

impl Outliner<'_> {
    fn step(&mut self, index: usize) {
        if self.lexed.first(index) {
            self.line(index);
        }
        if index == self.start && self.is_section() {
            self.open_section(index);
        }
        match self.lexed.word(index) {
            "{" => {
                if self.open.is_empty() && self.lexed.word(self.start) == "transcript" {
                    self.block = Block::Transcript;
                }
                if self.open.is_empty() && self.lexed.word(self.start) == "example" {
                    self.block = Block::Example;
                }
                let first_word = self.lexed.word(self.start);
                if self.open.is_empty() && first_word == "event" && self.opens_body(index + 1) {
                    // Its clauses are part of the mistake in the event.
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

    /// Handles the start of a line, where a new stretch or clause may begin.
    fn line(&mut self, index: usize) {
        let opens_item = self.lexed.opens_item(index);
        let opens_clause = self.lexed.opens_clause_only(index);
        let in_place = index == self.start || self.lexed.opens_item(index - 1);
        match self.block {
            Block::None => {
                let assigns = self.open.is_empty()
                    && self.lexed.assigns(index)
                    && !self.lexed.is_continuation(index);
                let opens_section =
                    self.open.is_empty() && self.lexed.opens_nameless_section(index) && !in_place;
                if opens_item || opens_clause || opens_section || assigns && !in_place {
                    self.end_stretch(index);
                }
            }
            Block::Section => {
                let is_fact = self.lexed.word(index) == "fact";
                if opens_item && !is_fact && self.lexed.indent(index) <= self.block_indent() {
                    self.unclosed(index);
                } else if opens_item || opens_clause || self.lexed.assigns(index) {
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
                // `given` can also begin an item.
                if opens_item && self.lexed.indent(index) <= self.block_indent() {
                    self.unclosed(index);
                }
            }
        }
    }

    /// Whether the current stretch is a section.
    fn is_section(&self) -> bool {
        let lexed = self.lexed;
        lexed.word(self.start) == "on"
            || !lexed.opens_item(self.start) && lexed.opens_nameless_section(self.start)
    }

    /// The indentation of the line on which the outermost block opens.
    fn block_indent(&self) -> usize {
        self.lexed.indent(self.start)
    }

    /// Handles `on x, y`: searches for its brace.
    fn open_section(&mut self, index: usize) {
        let mut brace = index + 1;
        while brace < self.lexed.tokens.len()
            && !self.lexed.first(brace)
            && self.lexed.word(brace) != "{"
        {
            brace += 1;
        }
        self.block = Block::Section;
        if self.lexed.word(brace) == "{" {
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
        self.lexed.word(index) == "fact"
            || self.lexed.opens_clause_only(index)
            || self.lexed.assigns(index)
    }

    fn close(&mut self, index: usize) {
        let alone = self.lexed.first(index) || index == self.start;
        match self.open.len() {
            0 if alone => {
                self.fault = Some(Fault::Surplus(index));
                self.end_stretch(index + 1);
            }
            // Parsing the item will fail here or earlier.
            0 => {}
            1 if self.block == Block::Section && !alone && self.goes_on(index + 1) => {}
            1 if self.block != Block::None => self.end_stretch(index + 1),
            _ => {
                self.open.pop();
            }
        }
    }

    /// Whether the section continues, so that a brace within the line before does not close it.
    fn goes_on(&self, next: usize) -> bool {
        let lexed = self.lexed;
        if !(self.start + 1..next).any(|index| lexed.first(index)) {
            return false;
        }
        if lexed.first(next) {
            lexed.word(next) != "}" && lexed.indent(next) > self.block_indent()
        } else {
            lexed.word(next) != "}" && !lexed.opens_item(next) && next < lexed.tokens.len()
        }
    }

    /// Handles the start of a new stretch while the outermost block is open.
    fn unclosed(&mut self, next: usize) {
        if self.fault.is_none() {
            self.fault = Some(Fault::Unclosed(self.culprit(next)));
        }
        self.end_stretch(next);
    }

    /// The brace that is most likely not closed, by the indentation of its line.
    fn culprit(&self, next: usize) -> usize {
        let lexed = self.lexed;
        let mut open: Vec<usize> = Vec::new();
        for index in self.start..next {
            match lexed.word(index) {
                "{" => open.push(index),
                "}" => {
                    let indent = lexed.indent(index);
                    let outer = open.iter().rev().skip(1);
                    let mut outer = outer.map(|brace| lexed.indent(*brace));
                    match open.last() {
                        Some(last)
                            if lexed.first(index)
                                && lexed.indent(*last) > indent
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
        let end = self.lexed.tokens.len();
        if self.block == Block::None {
            self.end_stretch(end);
        } else {
            self.unclosed(end);
        }
    }

    /// Ends the current stretch before token `end`, where the next one begins.
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
        let kind = match self.lexed.word(tokens.start) {
            "game" | "variant" => Kind::Header,
            _ if is_section => self.section(&tokens, &clauses),
            _ if self.lexed.opens_clause_only(tokens.start) => Kind::Clause,
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
            self.lexed.word(*last) == "}" && self.lexed.kind(*last) == Some(TokenKind::Mark)
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

/// First words of items that are never names.
const ITEM_WORDS: &str = "event except fact given just on option policy state transcript variant";

/// First words of items that may be names elsewhere.
const EVERYDAY_WORDS: &str =
    "add example game grid kind limit remove replace ring round set type use write";

/// First words of clauses, but not of items.
const CLAUSE_WORDS: &str = "follows illegal impossible refuse report";

/// Words that join expressions, and so cannot follow the first word of an item.
const JOINING_WORDS: &str = "and but else in is mod not of or then within without with when unless \
                             for where by says cites has at";

/// The first words of all items and clauses.
pub(super) fn opening_words() -> impl Iterator<Item = &'static str> {
    let words = [ITEM_WORDS, EVERYDAY_WORDS, CLAUSE_WORDS, "begin new"];
    words.into_iter().flat_map(|words| words.split(' '))
}

/// Whether `word` is one of `words`.
fn is_among(word: &str, words: &str) -> bool {
    words.split(' ').any(|one| one == word)
}

impl Lexed<'_> {
    /// Whether an item begins with this token.
    pub(super) fn opens_item(&self, index: usize) -> bool {
        let word = self.word(index);
        if self.word(index + 1) == ":" {
            // The name of a row without its bar.
            return false;
        }
        is_among(word, ITEM_WORDS)
            || (is_among(word, EVERYDAY_WORDS)
                && match self.kind(index + 1) {
                    Some(TokenKind::Word) => !is_among(self.word(index + 1), JOINING_WORDS),
                    Some(TokenKind::Number) => true,
                    Some(TokenKind::Mark) => self.indent(index) == 0 && self.word(index + 1) == "=",
                    _ => false,
                })
    }

    /// Whether this token begins a clause, and cannot begin an item.
    pub(super) fn opens_clause_only(&self, index: usize) -> bool {
        match self.word(index) {
            "new" => self.assigns(index + 1) || self.word(index + 2) == "|",
            "begin" => {
                let next = self.word(index + 1);
                let is_word = self.kind(index + 1) == Some(TokenKind::Word);
                next == "|" || is_word && !is_among(next, JOINING_WORDS)
            }
            word => is_among(word, CLAUSE_WORDS),
        }
    }

    /// Whether the token before this one must be followed by another.
    fn is_continuation(&self, index: usize) -> bool {
        const MARKS: &str = "= : , ( [ | => -> .. + - * / < <= > >=";
        let before = index.checked_sub(1).map_or("", |before| self.word(before));
        is_among(before, MARKS) || is_among(before, JOINING_WORDS)
    }

    /// Whether a line `x, y {` begins here: a section without its `on`.
    pub(super) fn opens_nameless_section(&self, index: usize) -> bool {
        let mut at = index;
        while self.kind(at) == Some(TokenKind::Word) && self.word(at + 1) == "," {
            at += 2;
        }
        self.kind(at) == Some(TokenKind::Word)
            && self.word(at + 1) == "{"
            && (self.first(at + 2) || self.opens_clause_only(at + 2))
    }

    /// Whether `x =`, `x of y =` or `x(…) =` begins here; for a clause also `x(…) |`.
    pub(super) fn assigns(&self, index: usize) -> bool {
        if self.kind(index) != Some(TokenKind::Word) {
            return false;
        }
        match self.word(index + 1) {
            "=" | "+=" | "-=" | "*=" | "/=" | ":=" | "++" => true,
            "of" => {
                self.kind(index + 2) == Some(TokenKind::Word)
                    && matches!(self.word(index + 3), "=" | "+=" | "-=" | "*=" | "/=" | ":=")
            }
            "(" => (index + 2..index + 12)
                .find(|at| self.word(*at) == ")")
                .is_some_and(|end| matches!(self.word(end + 1), "=" | "|" | "+=" | "-=" | ":=")),
            _ => false,
        }
    }
}
