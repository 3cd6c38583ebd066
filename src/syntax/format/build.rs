//! Converts a parse tree to layout instructions: it decides about the space between any two words.

use pest::iterators::Pair;

use super::super::grammar::Rule;
use super::layout::{Group, Op, width};
use super::rows::INDENT;
use super::trivia::{Trivia, trivia};

/// A node of the parse tree.
pub(super) type Node<'t> = Pair<'t, Rule>;

/// How many levels of precedence expressions have.
pub(super) const LEVELS: u16 = 8;

/// The space between two words without a comment between them.
#[derive(Clone, Copy)]
pub(super) enum Gap {
    /// No space.
    None,
    /// A blank.
    Blank,
    /// A line break if one is needed or the author has one, or else a blank. The number is the precedence.
    Break(u16),
    /// A line break if the group takes several lines, or else a blank.
    Group(Group),
    /// A line break.
    Line,
}

/// Builds layout instructions from a tree.
pub(super) struct Builder<'t> {
    text: &'t str,
    pub(super) ops: Vec<Op<'t>>,
    pub(super) groups: usize,
    /// The end of the last word.
    at: usize,
    /// The last word, if the space after it is not decided yet.
    last: Option<Rule>,
    /// The precedence of the loosest operator in the current expression.
    pub(super) level: u16,
    /// In how many holes of texts the current place is. A text is on one line.
    holes: usize,
    /// The column in the text of the last trailing comment.
    trailing: Option<usize>,
}

impl<'t> Builder<'t> {
    pub(super) fn new(text: &'t str) -> Builder<'t> {
        Builder {
            text,
            ops: Vec::new(),
            groups: 0,
            at: 0,
            last: None,
            level: 2,
            holes: 0,
            trailing: None,
        }
    }

    /// Whether this is the last word, and the space after it is not decided yet.
    pub(super) fn is_after(&self, rule: Rule) -> bool {
        self.last == Some(rule)
    }

    /// Begins a group.
    pub(super) fn open(&mut self) -> Group {
        let group = self.groups;
        self.groups += 1;
        self.ops.push(Op::Open(group));
        group
    }

    /// Ends a group.
    pub(super) fn close(&mut self, group: Group) {
        self.ops.push(Op::Close(group));
    }

    /// Calls `build` with the following lines indented by so much more.
    pub(super) fn indented(&mut self, more: usize, build: impl FnOnce(&mut Self)) {
        self.ops.push(Op::Indent(more));
        build(self);
        self.ops.push(Op::Outdent);
    }

    /// Calls `build` with the following lines aligned to the next word.
    pub(super) fn aligned(&mut self, gap: Gap, build: impl FnOnce(&mut Self)) {
        self.gap(gap);
        self.ops.push(Op::Align);
        build(self);
        self.ops.push(Op::Outdent);
    }

    /// Emits the space before the next word.
    pub(super) fn gap(&mut self, gap: Gap) {
        let before = trivia(self.text, self.at);
        self.last = None;
        let is_first = self.ops.is_empty();
        if self.comments(&before, matches!(gap, Gap::Group(_) | Gap::Line)) {
            return;
        }
        let (lines, kept) = (before.lines, self.is_kept(&before));
        match gap {
            Gap::None => {}
            _ if is_first => {}
            Gap::Break(_) if self.holes > 0 => self.ops.push(Op::Blanks(1)),
            Gap::Blank => self.ops.push(Op::Blanks(1)),
            Gap::Break(level) => self.ops.push(Op::Break { level, kept }),
            Gap::Line => self.ops.push(Op::Line { blank: lines > 1 }),
            Gap::Group(group) => self.ops.push(Op::GroupLine {
                group,
                joined: false,
                kept: lines > 0,
                blank: lines > 1,
            }),
        }
    }

    /// Emits the comments before the next word, if there are any, with their line breaks.
    fn comments(&mut self, before: &Trivia<'t>, blank_lines: bool) -> bool {
        for comment in &before.comments {
            let is_first = self.ops.is_empty();
            let continues = comment.lines == 1 && self.trailing == Some(comment.column);
            if comment.lines == 0 && !is_first {
                self.trailing = Some(comment.column);
                self.ops.push(Op::Trailing(comment.text));
                continue;
            }
            let blank = comment.lines > 1 && blank_lines;
            self.ops.push(Op::Line { blank });
            if continues {
                self.ops.push(Op::Continued(comment.text));
            } else {
                self.trailing = None;
                self.ops.push(Op::Text(comment.text));
            }
        }
        self.trailing = None;
        if before.comments.is_empty() {
            return false;
        }
        let blank = before.lines > 1 && blank_lines;
        self.ops.push(Op::Line { blank });
        true
    }

    /// Whether the author has a line break here, or after the next word if that is an infix operator.
    fn is_kept(&self, before: &Trivia) -> bool {
        let rest = self.text.get(before.end..).unwrap_or("");
        let is_letter = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let length = match rest.find(|character| !is_letter(character)) {
            Some(0) => rest.find(|mark| !matches!(mark, '=' | '>' | '+' | '-' | '*' | '/')),
            length => length,
        };
        let word = rest.get(..length.unwrap_or(0)).unwrap_or("");
        let joins = matches!(
            word,
            "and"
                | "or"
                | "when"
                | "unless"
                | "says"
                | "cites"
                | "for"
                | "where"
                | "but"
                | "by"
                | "else"
                | "with"
                | "without"
                | "then"
                | "mod"
                | "has"
                | "="
                | "=>"
                | "+"
                | "-"
                | "*"
                | "/"
        );
        before.lines > 0 || joins && trivia(self.text, before.end + word.len()).has_line()
    }

    /// Emits a node, and the space before it if that is not decided yet.
    pub(super) fn node(&mut self, node: Node<'t>) {
        match node.as_rule() {
            Rule::EOI | Rule::first_comment => {}
            Rule::rule_file | Rule::items_alone => self.lines(node),
            Rule::section | Rule::transcript | Rule::repeat | Rule::play | Rule::example => {
                self.block(node);
            }
            Rule::table
            | Rule::by_table
            | Rule::impossible
            | Rule::new
            | Rule::begin
            | Rule::report
            | Rule::follows
            | Rule::policy
            | Rule::kind
            | Rule::add => self.rows(node),
            Rule::definition => self.definition(node),
            Rule::event
            | Rule::product_or_alias
            | Rule::except
            | Rule::row_body
            | Rule::by_row_body => self.indented(INDENT, |builder| builder.children(node)),
            Rule::option_item | Rule::write | Rule::set_value => self.indented(INDENT, |builder| {
                for part in node.into_inner() {
                    if part.as_rule() == Rule::expr {
                        builder.part(Gap::Break(1), |builder| builder.node(part));
                    } else {
                        builder.node(part);
                    }
                }
            }),
            Rule::grid => {
                let mut parts = node.into_inner();
                self.nodes(parts.by_ref().take(2));
                self.gap(Gap::None);
                self.parenthesised(parts);
            }
            Rule::row_event
            | Rule::for_each
            | Rule::decider
            | Rule::drawn
            | Rule::sight
            | Rule::when_clause
            | Rule::unless_clause
            | Rule::says_clause
            | Rule::cites_clause
            | Rule::where_clause
            | Rule::example_given
            | Rule::example_expect => self.clause(node),
            Rule::arguments | Rule::parameters | Rule::fields | Rule::names => {
                if self.last.is_some() {
                    self.gap(Gap::None);
                }
                self.parenthesised(node.into_inner());
            }
            Rule::set | Rule::pile | Rule::group | Rule::keys => {
                self.parenthesised(node.into_inner());
            }
            Rule::expr => self.chain(node),
            Rule::value | Rule::bound => self.value(node),
            Rule::quantified | Rule::best => self.quantified(node),
            Rule::text => self.text(node),
            Rule::hole => self.hole(node),
            _ => self.children(node),
        }
    }

    /// Emits the parts of a node in order, or a word.
    pub(super) fn children(&mut self, node: Node<'t>) {
        let (rule, span) = (node.as_rule(), node.as_span());
        let mut parts = node.into_inner().peekable();
        if parts.peek().is_none() {
            return self.word(rule, span);
        }
        self.nodes(parts);
    }

    /// Emits nodes in order.
    pub(super) fn nodes(&mut self, nodes: impl IntoIterator<Item = Node<'t>>) {
        for node in nodes {
            self.node(node);
        }
    }

    /// Decides the space before the next word, which is `rule`, if it is not decided yet.
    pub(super) fn settle(&mut self, next: Rule) {
        if let Some(last) = self.last {
            let is_tight = tight(last, next);
            self.gap(if is_tight { Gap::None } else { Gap::Blank });
        }
    }

    /// Emits a word or a mark.
    fn word(&mut self, rule: Rule, span: pest::Span<'t>) {
        self.settle(rule);
        if rule == Rule::comparing {
            // Any blanks may be between the words of `is not` and `not in`.
            for (place, word) in span.as_str().split_whitespace().enumerate() {
                self.ops.push(Op::Blanks(place.min(1)));
                self.ops.push(Op::Text(word));
            }
        } else {
            self.ops.push(Op::Text(span.as_str()));
        }
        self.at = span.end();
        self.last = Some(rule);
    }

    /// Emits a text, without space between its parts.
    fn text(&mut self, node: Node<'t>) {
        for (place, part) in node.into_inner().enumerate() {
            if place > 0 {
                self.last = None;
            }
            self.node(part);
        }
    }

    /// Emits a hole of a text.
    fn hole(&mut self, node: Node<'t>) {
        self.holes += 1;
        self.nodes(node.into_inner());
        self.holes -= 1;
    }

    /// Emits the header and the items.
    fn lines(&mut self, node: Node<'t>) {
        for child in node.into_inner() {
            if child.as_rule() != Rule::first_comment {
                self.gap(Gap::Line);
                self.node(child);
            }
        }
    }

    /// Emits clauses, steps or rows in braces.
    fn block(&mut self, node: Node<'t>) {
        let mut parts: Vec<Node> = node.into_inner().collect();
        let is_open = |part: &Node| part.as_rule() == Rule::open_brace;
        let Some(brace) = parts.iter().position(is_open) else {
            return self.nodes(parts);
        };
        let mut within = parts.split_off(brace);
        let first = within.get(1).map(Pair::as_rule);
        self.nodes(parts);
        let group = self.open();
        self.nodes(within.drain(..1));
        self.ops.push(Op::Indent(INDENT));
        if first == Some(Rule::row) {
            let close = within.split_off(within.len() - 1);
            self.table(group, within);
            within = close;
        }
        for part in within {
            if part.as_rule() == Rule::close_brace {
                self.closing(group, part);
            } else {
                self.gap(Gap::Group(group));
                self.node(part);
            }
        }
        self.close(group);
    }

    /// Emits the brace that ends a block.
    fn closing(&mut self, group: Group, brace: Node<'t>) {
        let before = trivia(self.text, self.at);
        let has_comments = self.comments(&before, true);
        if has_comments {
            // They are indented like the block, and the brace is not.
            self.ops.pop();
        }
        self.ops.push(Op::Outdent);
        self.ops.push(if has_comments {
            Op::Line { blank: false }
        } else {
            Op::GroupLine {
                group,
                joined: false,
                kept: before.lines > 0,
                blank: false,
            }
        });
        self.last = None;
        self.node(brace);
    }

    /// Emits the right side of a definition.
    fn definition(&mut self, node: Node<'t>) {
        for part in node.into_inner() {
            if part.as_rule() == Rule::expr {
                self.indented(INDENT, |builder| {
                    builder.part(Gap::Break(1), |builder| builder.node(part));
                });
            } else {
                self.gap(Gap::Blank);
                self.node(part);
            }
        }
    }

    /// Emits something that starts on a line of its own if it takes several.
    fn part(&mut self, gap: Gap, build: impl FnOnce(&mut Self)) {
        let before = self.ops.len();
        self.gap(gap);
        let start = self.ops.len();
        build(self);
        let has_lines = width(self.ops.get(start..).unwrap_or(&[])).is_none();
        if has_lines && let Some(Op::Break { kept, .. }) = self.ops.get_mut(before) {
            *kept = true;
        }
    }

    /// Emits a keyword and its argument.
    fn clause(&mut self, node: Node<'t>) {
        let outer = self.level;
        let gap = match node.as_rule() {
            Rule::example_given | Rule::example_expect => None,
            Rule::where_clause | Rule::for_each if outer > 2 => Some(Gap::Break(outer)),
            _ => Some(Gap::Break(1)),
        };
        let build = |builder: &mut Self| {
            builder.level += LEVELS;
            let level = builder.level - 1;
            let mut parts = node.into_inner();
            builder.nodes(parts.next());
            if !parts.is_empty() {
                builder.aligned(Gap::Blank, |builder| builder.list(parts, level));
            }
            builder.level = outer;
        };
        match gap {
            Some(gap) => self.part(gap, build),
            None => build(self),
        }
    }
}

/// Whether there is never space between two words.
fn tight(left: Rule, right: Rule) -> bool {
    match (left, right) {
        (Rule::negation, right) => right != Rule::negation,
        (Rule::open_paren | Rule::open_bracket | Rule::open_brace | Rule::dot | Rule::range, _)
        | (
            _,
            Rule::close_paren
            | Rule::close_bracket
            | Rule::close_brace
            | Rule::comma
            | Rule::colon
            | Rule::question_mark
            | Rule::dot
            | Rule::range,
        ) => true,
        _ => false,
    }
}
