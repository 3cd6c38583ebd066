//! Options, kinds, products, grids, written forms and types.

use super::super::ast;
use super::super::cursor::{Children, Node, drift};
use super::super::grammar::Rule;
use super::Lowering;

impl Lowering {
    /// `option_item`
    pub(super) fn option_item(&self, node: Node) -> ast::OptionItem {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_option);
        let name = self.name(&children.expect(Rule::name));
        let ty = self.written_type(children.expect(Rule::written_type));
        let value = self.expr(children.expect(Rule::expr));
        children.end();
        ast::OptionItem {
            name,
            ty,
            value,
            span,
        }
    }

    /// `use_item`
    pub(super) fn use_item(&self, node: Node) -> ast::Use {
        let mut children = Children::of(node);
        children.expect(Rule::kw_use);
        let names = self.names_of(&mut children, Rule::name);
        children.expect(Rule::kw_from);
        let from = self.name(&children.expect(Rule::file_name));
        children.end();
        ast::Use { names, from }
    }

    /// `kind`
    pub(super) fn kind(&self, node: Node) -> ast::Kind {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let ring = children.any().as_rule() == Rule::kw_ring;
        let name = self.name(&children.expect(Rule::name));
        let attributes = self.optional_parameters(&mut children);
        let members = if children.pass(Rule::kw_of) {
            ast::Members::Count(self.bound(children.expect(Rule::bound)))
        } else {
            let members = children.all(Rule::member);
            ast::Members::Listed(members.map(|node| self.member(node)).collect())
        };
        children.end();
        ast::Kind {
            name,
            ring,
            attributes,
            members,
            span,
        }
    }

    /// `member`
    pub(super) fn member(&self, node: Node) -> ast::Member {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let name = self.name(&children.expect(Rule::name));
        let values = children
            .all(Rule::attribute)
            .map(|node| self.attribute(node))
            .collect();
        children.end();
        ast::Member { name, values, span }
    }

    /// `attribute`
    fn attribute(&self, node: Node) -> ast::Expr {
        self.constant(node)
    }

    /// `parameters`
    fn parameters(&self, node: Node) -> Vec<ast::Parameter> {
        let mut children = Children::of(node);
        let parameters = children
            .all(Rule::parameter)
            .map(|node| self.parameter(node))
            .collect();
        children.end();
        parameters
    }

    /// `parameters?`
    pub(super) fn optional_parameters(&self, children: &mut Children) -> Vec<ast::Parameter> {
        let node = children.accept(Rule::parameters);
        node.map_or_else(Vec::new, |node| self.parameters(node))
    }

    /// `parameter`
    fn parameter(&self, node: Node) -> ast::Parameter {
        let mut children = Children::of(node);
        let name = self.name(&children.expect(Rule::name));
        let ty = self.written_type(children.expect(Rule::written_type));
        children.end();
        ast::Parameter { name, ty }
    }

    /// `product_or_alias`
    pub(super) fn product_or_alias(&self, node: Node) -> ast::Item {
        let mut children = Children::of(node);
        children.expect(Rule::kw_type);
        let name = self.name(&children.expect(Rule::name));
        let Some(fields) = children.accept(Rule::parameters) else {
            let ty = self.written_type(children.expect(Rule::written_type));
            children.end();
            return ast::Item::Alias(ast::Alias { name, ty });
        };
        let fields = self.parameters(fields);
        let condition = children
            .accept(Rule::where_clause)
            .map(|node| self.where_clause(node));
        children.end();
        ast::Item::Product(ast::Product {
            name,
            fields,
            condition,
        })
    }

    /// `grid`
    pub(super) fn grid(&self, node: Node) -> ast::Grid {
        let mut children = Children::of(node);
        children.expect(Rule::kw_grid);
        let name = self.name(&children.expect(Rule::name));
        let axes = children.all(Rule::axis).map(|node| self.axis(node));
        let axes = axes.collect();
        children.end();
        ast::Grid { name, axes }
    }

    /// `axis`
    fn axis(&self, node: Node) -> ast::Axis {
        let mut children = Children::of(node);
        let field = self.parameter(children.expect(Rule::parameter));
        let up = children.pass(Rule::kw_up);
        children.end();
        ast::Axis { field, up }
    }

    /// `write`
    pub(super) fn write(&self, node: Node) -> ast::Write {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_write);
        let ty = self.name(&children.expect(Rule::name));
        children.expect(Rule::kw_as);
        let form = self.expr(children.expect(Rule::expr));
        children.end();
        ast::Write { ty, form, span }
    }

    /// `written_type`
    pub(super) fn written_type(&self, node: Node) -> ast::Type {
        let span = self.span(&node);
        let placeholder = ast::TypeKind::YesNo;
        let kind = self.nested(span, 1, placeholder, || {
            let mut children = Children::of(node);
            let mut ty = self.simple_type(children.any());
            if let Some(mark) = children.accept(Rule::question_mark) {
                ty = ast::Type {
                    span: ty.span.to(self.span(&mark)),
                    kind: ast::TypeKind::Optional(Box::new(ty)),
                };
            }
            if let Some(to) = children.accept(Rule::written_type) {
                let to = self.written_type(to);
                ty = ast::Type {
                    span: ty.span.to(to.span),
                    kind: ast::TypeKind::Map(Box::new(ty), Box::new(to)),
                };
            }
            children.end();
            ty.kind
        });
        ast::Type { kind, span }
    }

    /// `simple_type`
    fn simple_type(&self, node: Node) -> ast::Type {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::kw_yes_no => ast::TypeKind::YesNo,
            Rule::name => ast::TypeKind::Named(self.name(&node)),
            Rule::range_type => self.range_type(node),
            Rule::collection_type => {
                self.nested(span, 1, ast::TypeKind::YesNo, || self.collection_type(node))
            }
            _ => drift(Rule::simple_type, "a type", Some(&node)),
        };
        ast::Type { kind, span }
    }

    /// `collection_type`
    fn collection_type(&self, node: Node) -> ast::TypeKind {
        let mut children = Children::of(node);
        let word = children.any();
        children.expect(Rule::kw_of);
        let of = Box::new(self.simple_type(children.any()));
        children.end();
        match word.as_rule() {
            Rule::kw_set => ast::TypeKind::Set(of),
            Rule::kw_bag => ast::TypeKind::Bag(of),
            Rule::kw_pile => ast::TypeKind::Pile(of),
            _ => drift(Rule::collection_type, "set, bag or pile", Some(&word)),
        }
    }

    /// `range_type`
    fn range_type(&self, node: Node) -> ast::TypeKind {
        let mut children = Children::of(node);
        let low = self.bound(children.expect(Rule::bound));
        children.expect(Rule::range);
        let high = self.bound(children.expect(Rule::bound));
        children.end();
        ast::TypeKind::Range(Box::new(low), Box::new(high))
    }

    /// `bound`
    fn bound(&self, node: Node) -> ast::Expr {
        self.constant(node)
    }
}
