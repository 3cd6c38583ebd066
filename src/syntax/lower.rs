//! Converts the parse tree to the syntax tree, with one function for each grammar rule.
//!
//! A parse tree always has the right shape. What the grammar cannot express (numbers that are too large, chained
//! comparisons) becomes a diagnostic here.

mod definitions;
mod expressions;
mod items;
mod parts;
mod variants;

use std::cell::{Cell, RefCell};

use pest::iterators::Pair;

use super::MAXIMUM_DEPTH;
use super::ast;
use super::grammar::Rule;
use super::mistakes;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};
use parts::grammar_mismatch;

/// A node of the parse tree.
type Node<'i> = Pair<'i, Rule>;

/// Converts the nodes of a range of a source.
pub(super) struct Lowering {
    source: SourceId,
    /// The byte offset of the range in the source.
    base: usize,
    /// The length of the range.
    length: usize,
    depth: Cell<usize>,
    diagnostics: RefCell<Vec<Diagnostic>>,
}

impl Lowering {
    /// Prepares to convert what was parsed from the `length` bytes of `source` that start at `base`.
    pub(super) fn new(source: SourceId, base: usize, length: usize) -> Lowering {
        Lowering {
            source,
            base,
            length,
            depth: Cell::new(0),
            diagnostics: RefCell::default(),
        }
    }

    /// The mistakes found.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.diagnostics.into_inner()
    }

    /// Adds a mistake.
    fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// Whether something was left out of the tree because it nests too deeply.
    fn is_too_deep(&self) -> bool {
        let diagnostics = self.diagnostics.borrow();
        diagnostics.iter().any(|one| one.code == Code::TooDeep)
    }

    /// Calls `read` for something that nests `levels` deeper, unless that is too deep.
    fn nested<T>(&self, span: Span, levels: usize, placeholder: T, read: impl FnOnce() -> T) -> T {
        let depth = self.depth.get();
        if depth + levels > MAXIMUM_DEPTH {
            // One message is enough.
            if !self.is_too_deep() {
                self.report(mistakes::too_deep(span));
            }
            return placeholder;
        }
        self.depth.set(depth + levels);
        let read = read();
        self.depth.set(depth);
        read
    }

    /// The span of `node`, without the blanks and comments that pest includes after its last word.
    fn span(&self, node: &Node) -> Span {
        let whole = node.as_span();
        let last = whole.as_str().as_bytes().last();
        let takes_blanks = whole.end() == self.length || last.is_some_and(u8::is_ascii_whitespace);
        let end = if takes_blanks {
            last_word_end(node.clone())
        } else {
            whole.end()
        };
        Span::new(self.source, self.base + whole.start()..self.base + end)
    }

    /// `rule_file`
    pub(super) fn rule_file(&self, node: Node) -> ast::RuleFile {
        let mut parts = self.parts(node);
        ast::RuleFile {
            header: parts.one(Rule::header, Self::header),
            items: parts.rest(Self::item),
        }
    }

    /// `items_alone`, `clauses_alone`, `header_alone`: only for their mistakes.
    pub(super) fn check_alone(&self, node: Node) {
        let rule = node.as_rule();
        let mut parts = self.parts(node);
        match rule {
            Rule::clauses_alone => drop(parts.rest(Self::clause)),
            Rule::items_alone | Rule::header_alone => {
                parts.optional(Rule::header, Self::header);
                parts.rest(Self::item);
            }
            _ => {}
        }
    }

    /// `expr_alone`
    pub(super) fn expr_alone(&self, node: Node) -> ast::Expr {
        self.parts(node).expr()
    }

    /// `header`
    fn header(&self, node: Node) -> ast::Header {
        let mut parts = self.parts(node);
        let kind = parts.any();
        let title = parts.optional(Rule::text, Self::text);
        let cites = parts.optional_cites();
        let is_game = kind.as_rule() == Rule::game;
        let mut parts = self.parts(kind);
        let name = parts.one(Rule::file_name, Self::name);
        if is_game {
            parts.end();
            return ast::Header::Game { name, title, cites };
        }
        parts.pass(Rule::kw_of);
        ast::Header::Variant {
            name,
            of: parts.one(Rule::file_name, Self::name),
            with: parts.all(Rule::file_name, Self::name),
            without: parts
                .optional(Rule::excluded, Self::excluded)
                .unwrap_or_default(),
            title,
            cites,
        }
    }

    /// `excluded`
    fn excluded(&self, node: Node) -> Vec<ast::Name> {
        let mut parts = self.parts(node);
        parts.pass(Rule::kw_without);
        parts.all(Rule::file_name, Self::name)
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
            Rule::round => ast::Item::Round(self.round(node)),
            Rule::policy => ast::Item::Policy(self.policy(node)),
            Rule::transcript => ast::Item::Transcript(self.transcript(node)),
            Rule::limit => ast::Item::Limit(self.limit(node)),
            Rule::example => ast::Item::Example(self.example(node)),
            Rule::change => ast::Item::Change(self.change(node)),
            _ => grammar_mismatch(Rule::item, "an item", Some(node.as_rule())),
        }
    }

    /// A name, label or file name.
    #[expect(clippy::needless_pass_by_value, reason = "as all lowering functions")]
    fn name(&self, node: Node) -> ast::Name {
        ast::Name {
            text: node.as_str().to_owned(),
            span: self.span(&node),
        }
    }
}

/// The end of the last word of `node`, relative to the range.
fn last_word_end(mut node: Node) -> usize {
    // A loop and no recursion: what nests too deeply has yet to be rejected.
    loop {
        let end = node.as_span().end();
        match node.into_inner().next_back() {
            Some(last) => node = last,
            None => return end,
        }
    }
}
