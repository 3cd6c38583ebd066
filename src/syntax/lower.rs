//! Parse tree to syntax tree, one function for each grammar rule, in the order of the grammar.
//!
//! A parse tree cannot be wrong in shape; what the grammar cannot say (numbers that are too large,
//! comparisons that chain) is noted here as diagnostics.

mod definitions;
mod examples;
mod expressions;
mod happenings;
mod operators;
mod texts;
mod transcripts;
mod variants;
mod vocabulary;

use std::cell::{Cell, RefCell};

use super::ast;
use super::cursor::{Children, Node, drift};
use super::grammar::Rule;
use super::slips;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// Lowers the nodes of one stretch of a source.
pub(super) struct Lowering {
    source: SourceId,
    /// Where in the source the parsed stretch begins.
    base: usize,
    /// How long the parsed stretch is.
    length: usize,
    depth: Cell<usize>,
    diagnostics: RefCell<Vec<Diagnostic>>,
}

impl Lowering {
    /// Lowers what was parsed from the `length` bytes of `source` that begin at `base`.
    pub(super) fn new(source: SourceId, base: usize, length: usize) -> Lowering {
        Lowering {
            source,
            base,
            length,
            depth: Cell::new(0),
            diagnostics: RefCell::default(),
        }
    }

    /// What was found wrong.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.diagnostics.into_inner()
    }

    /// Notes something that is wrong.
    fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// Notes that an expression is nested too deeply; once is enough.
    fn report_too_deep(&self, span: Span) {
        if !self.is_too_deep() {
            self.report(slips::too_deep(span));
        }
    }

    /// Whether something has been left out of the tree because it was nested too deeply.
    fn is_too_deep(&self) -> bool {
        let diagnostics = self.diagnostics.borrow();
        diagnostics.iter().any(|one| one.code == Code::TooDeep)
    }

    /// Where `node` stands, without the blanks and comments that pest lets a rule take after its last word.
    fn span(&self, node: &Node) -> Span {
        let whole = node.as_span();
        let takes_blanks = whole.end() == self.length
            || whole
                .as_str()
                .as_bytes()
                .last()
                .is_some_and(u8::is_ascii_whitespace);
        let end = if takes_blanks {
            last_word_end(node.clone())
        } else {
            whole.end()
        };
        Span::new(self.source, self.base + whole.start()..self.base + end)
    }

    /// A name, label or file name.
    fn name(&self, node: &Node) -> ast::Name {
        ast::Name {
            text: node.as_str().to_owned(),
            span: self.span(node),
        }
    }

    /// The next parts that are names.
    fn names_of(&self, children: &mut Children, rule: Rule) -> Vec<ast::Name> {
        children.all(rule).map(|node| self.name(&node)).collect()
    }

    /// `rule_file`
    pub(super) fn rule_file(&self, node: Node) -> ast::RuleFile {
        let mut children = Children::of(node);
        let header = self.header(children.expect(Rule::header));
        let mut items = Vec::new();
        while let Some(node) = children.next() {
            items.push(self.item(node));
        }
        ast::RuleFile { header, items }
    }

    /// `items_alone`
    pub(super) fn items_alone(&self, mut children: Children) {
        while let Some(node) = children.next() {
            self.item(node);
        }
    }

    /// `header_alone`
    pub(super) fn header_alone(&self, mut children: Children) {
        self.header(children.expect(Rule::header));
        self.items_alone(children);
    }

    /// `clauses_alone`
    pub(super) fn clauses_alone(&self, mut children: Children) {
        while let Some(node) = children.next() {
            self.clause(node);
        }
    }

    /// `expr_alone`
    pub(super) fn expr_alone(&self, node: Node) -> ast::Expr {
        let mut children = Children::of(node);
        self.expr(children.expect(Rule::expr))
    }

    /// `header`
    fn header(&self, node: Node) -> ast::Header {
        let mut children = Children::of(node);
        let kind = children.any();
        let title = children.accept(Rule::text).map(|node| self.text(node));
        children.end();
        match kind.as_rule() {
            Rule::game => self.game(kind, title),
            Rule::variant => self.variant(kind, title),
            _ => drift(Rule::header, "game or variant", Some(&kind)),
        }
    }

    /// `game`
    fn game(&self, node: Node, title: Option<ast::Text>) -> ast::Header {
        let mut children = Children::of(node);
        children.expect(Rule::kw_game);
        let name = self.name(&children.expect(Rule::file_name));
        children.end();
        ast::Header::Game { name, title }
    }

    /// `variant`
    fn variant(&self, node: Node, title: Option<ast::Text>) -> ast::Header {
        let mut children = Children::of(node);
        children.expect(Rule::kw_variant);
        let name = self.name(&children.expect(Rule::file_name));
        children.expect(Rule::kw_of);
        let of = self.name(&children.expect(Rule::file_name));
        let with = if children.pass(Rule::kw_with) {
            self.names_of(&mut children, Rule::file_name)
        } else {
            Vec::new()
        };
        children.end();
        ast::Header::Variant {
            name,
            of,
            with,
            title,
        }
    }

    /// `item`
    fn item(&self, node: Node) -> ast::Item {
        match node.as_rule() {
            Rule::fact => ast::Item::Fact(self.fact(node)),
            Rule::state => ast::Item::State(self.state(node)),
            Rule::section => ast::Item::Section(self.section(node)),
            Rule::event => ast::Item::Event(self.event(node)),
            Rule::option_item => ast::Item::Option(self.option_item(node)),
            Rule::use_item => ast::Item::Use(self.use_item(node)),
            Rule::kind => ast::Item::Kind(self.kind(node)),
            Rule::product_or_alias => self.product_or_alias(node),
            Rule::grid => ast::Item::Grid(self.grid(node)),
            Rule::write => ast::Item::Write(self.write(node)),
            Rule::given => ast::Item::Given(self.given(node)),
            Rule::just => ast::Item::Just(self.just(node)),
            Rule::policy => ast::Item::Policy(self.policy(node)),
            Rule::transcript => ast::Item::Transcript(self.transcript(node)),
            Rule::limit => ast::Item::Limit(self.limit(node)),
            Rule::example => ast::Item::Example(self.example(node)),
            Rule::change => ast::Item::Change(self.change(node)),
            _ => drift(Rule::item, "an item", Some(&node)),
        }
    }
}

/// Where the last word of `node` ends, relative to the parsed stretch.
fn last_word_end(mut node: Node) -> usize {
    // A loop, because what is nested too deeply is still to be refused.
    loop {
        let end = node.as_span().end();
        match node.into_inner().next_back() {
            Some(last) => node = last,
            None => return end,
        }
    }
}
