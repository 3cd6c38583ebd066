//! Definitions and their types: tables, rows and the parts of rows.

use super::super::ast::{self, TypeKind};
use super::parts::{Parts, grammar_mismatch};
use super::{Lowering, Node};
use crate::arithmetic::MOST_PLACES;
use crate::source::Span;
use crate::syntax::grammar::Rule;
use crate::syntax::mistakes;

impl Lowering {
    /// `definition`
    pub(super) fn definition(&self, node: Node) -> ast::Definition {
        let only = self.parts(node).any();
        match only.as_rule() {
            Rule::by_table => ast::Definition::By(self.by_table(only)),
            Rule::table => ast::Definition::Table(self.table(only)),
            _ => ast::Definition::Expression(self.operations(only)),
        }
    }

    /// `written_type`
    pub(super) fn written_type(&self, node: Node) -> ast::Type {
        let span = self.span(&node);
        let kind = self.nested(span, 1, TypeKind::YesNo, || {
            let mut parts = self.parts(node);
            let mut ty = self.simple_type(parts.any());
            if let Some(mark) = parts.accept(Rule::question_mark) {
                ty = ast::Type {
                    span: ty.span.to(self.span(&mark)),
                    kind: TypeKind::Optional(Box::new(ty)),
                };
            }
            match parts.optional(Rule::written_type, Self::written_type) {
                Some(to) => TypeKind::Map(Box::new(ty), Box::new(to)),
                None => ty.kind,
            }
        });
        ast::Type { kind, span }
    }

    /// `simple_type`
    fn simple_type(&self, node: Node) -> ast::Type {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::kw_yes_no => TypeKind::YesNo,
            Rule::name => TypeKind::Named(self.name(node)),
            Rule::decimals => {
                let places = node.as_str().len() - "number.".len();
                if places > usize::from(MOST_PLACES) {
                    self.report(mistakes::many_places(span));
                }
                let places = u8::try_from(places).unwrap_or(MOST_PLACES);
                TypeKind::Decimals(places.min(MOST_PLACES))
            }
            Rule::range_type => {
                let mut parts = self.parts(node);
                let low = Box::new(parts.one(Rule::bound, Self::operations));
                TypeKind::Range(low, Box::new(parts.one(Rule::bound, Self::operations)))
            }
            _ => self.nested(span, 1, TypeKind::YesNo, || self.collection_type(node)),
        };
        ast::Type { kind, span }
    }

    /// `collection_type`
    fn collection_type(&self, node: Node) -> TypeKind {
        let mut parts = self.parts(node);
        let word = parts.any().as_rule();
        parts.pass(Rule::kw_of);
        let of = Box::new(self.simple_type(parts.any()));
        match word {
            Rule::kw_set => TypeKind::Set(of),
            Rule::kw_bag => TypeKind::Bag(of),
            Rule::kw_pile => TypeKind::Pile(of),
            _ => grammar_mismatch(Rule::collection_type, "set, bag or pile", Some(word)),
        }
    }

    /// `by_table`
    fn by_table(&self, node: Node) -> ast::ByTable {
        let mut parts = self.parts(node);
        ast::ByTable {
            keys: parts.all(Rule::expr, Self::operations),
            rows: parts.all(Rule::by_row, Self::by_row),
            span: parts.end(),
        }
    }

    /// `by_row`
    pub(super) fn by_row(&self, node: Node) -> ast::ByRow {
        let mut parts = self.parts(node);
        let label = parts.optional(Rule::label, Self::name);
        let body = parts.any();
        self.by_row_body(body, label, parts.end())
    }

    /// `by_row_body`
    pub(super) fn by_row_body(
        &self,
        node: Node,
        label: Option<ast::Name>,
        span: Span,
    ) -> ast::ByRow {
        let mut parts = self.parts(node);
        ast::ByRow {
            label,
            cells: parts.all(Rule::cell, Self::cell),
            value: parts.expr(),
            conditions: parts.conditions(),
            span,
        }
    }

    /// `cell`
    fn cell(&self, node: Node) -> ast::Cell {
        let mut parts = self.parts(node);
        let kind = if parts.pass(Rule::kw_any) {
            ast::CellKind::Any
        } else {
            ast::CellKind::Match {
                negated: parts.pass(Rule::kw_not),
                value: parts.one(Rule::value, Self::operations),
            }
        };
        let span = parts.end();
        ast::Cell { kind, span }
    }

    /// `table`
    fn table(&self, node: Node) -> ast::Table {
        let mut parts = self.parts(node);
        ast::Table {
            how: parts.one(Rule::how, Self::how),
            rows: parts.rows(),
            span: parts.end(),
        }
    }

    /// `how`
    fn how(&self, node: Node) -> ast::How {
        match self.parts(node).any().as_rule() {
            Rule::kw_any => ast::How::Any,
            Rule::kw_all => ast::How::All,
            Rule::kw_first => ast::How::First,
            Rule::kw_highest => ast::How::Highest,
            Rule::kw_lowest => ast::How::Lowest,
            Rule::kw_sum => ast::How::Sum,
            Rule::kw_union => ast::How::Union,
            other => grammar_mismatch(Rule::how, "a word that combines rows", Some(other)),
        }
    }

    /// `row`
    pub(super) fn row(&self, node: Node) -> ast::Row {
        let mut parts = self.parts(node);
        let label = parts.label();
        let body = parts.any();
        self.row_body(body, label, parts.end())
    }

    /// `row_body`
    pub(super) fn row_body(&self, node: Node, label: ast::Name, span: Span) -> ast::Row {
        let mut parts = self.parts(node);
        ast::Row {
            label,
            inline: parts.pass(Rule::kw_inline),
            maybe: parts.pass(Rule::kw_maybe),
            value: parts.expr(),
            event: parts.optional(Rule::row_event, |lowering, node| {
                lowering.parts(node).one(Rule::call, Self::call)
            }),
            bindings: parts
                .optional(Rule::for_each, Self::for_each)
                .unwrap_or_default(),
            sight: parts.optional(Rule::sight, Self::sight),
            conditions: parts.conditions(),
            span,
        }
    }

    /// `for_each`
    pub(super) fn for_each(&self, node: Node) -> Vec<ast::Binding> {
        self.parts(node).all(Rule::binding, Self::binding)
    }

    /// `binding`
    pub(super) fn binding(&self, node: Node) -> ast::Binding {
        let mut parts = self.parts(node);
        ast::Binding {
            name: parts.name(),
            collection: parts.one(Rule::value, Self::operations),
        }
    }

    /// `when_clause`, `unless_clause`, `where_clause`
    pub(super) fn clause_condition(&self, node: Node) -> ast::Expr {
        self.parts(node).expr()
    }
}

impl Parts<'_, '_> {
    /// `conditions`, up to the end
    fn conditions(&mut self) -> ast::Conditions {
        let conditions = ast::Conditions {
            when: self.optional(Rule::when_clause, Lowering::clause_condition),
            unless: self.optional(Rule::unless_clause, Lowering::clause_condition),
            says: self.optional_says(),
            cites: self.optional_cites(),
        };
        self.end();
        conditions
    }

    /// `cites_clause?`
    pub(in super::super) fn optional_cites(&mut self) -> Option<ast::Text> {
        self.optional(Rule::cites_clause, |lowering, node| {
            lowering.parts(node).one(Rule::text, Lowering::text)
        })
    }

    /// `says_clause?`
    pub(super) fn optional_says(&mut self) -> Option<ast::Text> {
        self.optional(Rule::says_clause, |lowering, node| {
            lowering.parts(node).one(Rule::text, Lowering::text)
        })
    }
}
