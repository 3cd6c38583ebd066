//! Items of a rule file, the clauses of its sections, and the steps of its transcripts.

use super::super::ast;
use super::parts::{Parts, grammar_mismatch};
use super::{Lowering, Node};
use crate::{source::Span, syntax::grammar::Rule};

impl Lowering {
    /// `option_item`
    pub(super) fn option_item(&self, node: Node) -> ast::OptionItem {
        let mut parts = self.parts(node);
        ast::OptionItem {
            name: parts.name(),
            ty: parts.written_type(),
            value: parts.expr(),
            span: parts.end(),
        }
    }

    /// `use_item`
    pub(super) fn use_item(&self, node: Node) -> ast::Use {
        let mut parts = self.parts(node);
        let names = parts.all(Rule::name, Self::name);
        let from = parts.one(Rule::file_name, Self::name);
        parts.end();
        ast::Use { names, from }
    }

    /// `kind`
    pub(super) fn kind(&self, node: Node) -> ast::Kind {
        let mut parts = self.parts(node);
        ast::Kind {
            ring: parts.any().as_rule() == Rule::kw_ring,
            name: parts.name(),
            attributes: parts.parameters(),
            members: if parts.pass(Rule::kw_of) {
                ast::Members::Count(parts.one(Rule::bound, Self::operations))
            } else {
                ast::Members::Listed(parts.all(Rule::member, Self::member))
            },
            span: parts.end(),
        }
    }

    /// `member`
    pub(super) fn member(&self, node: Node) -> ast::Member {
        let mut parts = self.parts(node);
        ast::Member {
            name: parts.name(),
            values: parts.all(Rule::attribute, Self::constant),
            span: parts.end(),
        }
    }

    /// `parameter`
    fn parameter(&self, node: Node) -> ast::Parameter {
        let mut parts = self.parts(node);
        ast::Parameter {
            name: parts.name(),
            ty: parts.written_type(),
            next: parts.optional(Rule::each_clause, Self::clause_condition),
            sight: parts.optional(Rule::sight, Self::sight),
        }
    }

    /// `sight`
    pub(super) fn sight(&self, node: Node) -> ast::Sight {
        let mut parts = self.parts(node);
        let seats = (!parts.pass(Rule::kw_hidden)).then(|| parts.expr());
        let span = parts.end();
        ast::Sight { seats, span }
    }

    /// `product_or_alias`
    pub(super) fn product_or_alias(&self, node: Node) -> ast::Item {
        let mut parts = self.parts(node);
        parts.pass(Rule::kw_type);
        let name = parts.name();
        if let Some(ty) = parts.optional(Rule::written_type, Self::written_type) {
            parts.end();
            return ast::Item::Alias(ast::Alias { name, ty });
        }
        let fields = parts.parameters();
        let condition = parts.optional(Rule::where_clause, Self::clause_condition);
        parts.end();
        ast::Item::Product(ast::Product {
            name,
            fields,
            condition,
        })
    }

    /// `grid`
    pub(super) fn grid(&self, node: Node) -> ast::Grid {
        let mut parts = self.parts(node);
        let name = parts.name();
        let axes = parts.all(Rule::axis, Self::axis);
        parts.end();
        ast::Grid { name, axes }
    }

    /// `axis`
    fn axis(&self, node: Node) -> ast::Axis {
        let mut parts = self.parts(node);
        ast::Axis {
            field: parts.one(Rule::parameter, Self::parameter),
            up: parts.pass(Rule::kw_up),
            wraps: parts.pass(Rule::kw_wraps),
        }
    }

    /// `write`
    pub(super) fn write(&self, node: Node) -> ast::Write {
        let mut parts = self.parts(node);
        ast::Write {
            ty: parts.name(),
            form: parts.expr(),
            span: parts.end(),
        }
    }

    /// `given`
    pub(super) fn given(&self, node: Node) -> ast::Given {
        let mut parts = self.parts(node);
        ast::Given {
            name: parts.name(),
            parameters: parts.parameters(),
            ty: parts.written_type(),
            sight: parts.optional(Rule::sight, Self::sight),
            drawn: parts.optional(Rule::drawn, Self::drawn),
            default: parts.optional(Rule::definition, Self::definition),
            span: parts.end(),
        }
    }

    /// `drawn`
    fn drawn(&self, node: Node) -> Span {
        let mut parts = self.parts(node);
        parts.pass(Rule::kw_chance);
        parts.end()
    }

    /// `state`
    pub(super) fn state(&self, node: Node) -> ast::State {
        let mut parts = self.parts(node);
        ast::State {
            name: parts.name(),
            parameters: parts.parameters(),
            ty: parts.written_type(),
            per: parts.optional(Rule::per_round, Self::per_round),
            sight: parts.optional(Rule::sight, Self::sight),
            initial: parts.one(Rule::definition, Self::definition),
            again: None,
            span: parts.end(),
        }
    }

    /// `per_round`
    pub(super) fn per_round(&self, node: Node) -> ast::Name {
        self.parts(node).name()
    }

    /// `round`
    pub(super) fn round(&self, node: Node) -> ast::Round {
        let mut parts = self.parts(node);
        ast::Round {
            name: parts.name(),
            within: parts.optional(Rule::name, Self::name),
            span: parts.end(),
        }
    }

    /// `just`
    pub(super) fn just(&self, node: Node) -> ast::Just {
        let mut parts = self.parts(node);
        ast::Just {
            name: parts.name(),
            span: parts.end(),
        }
    }

    /// `event`
    pub(super) fn event(&self, node: Node) -> ast::Event {
        let mut parts = self.parts(node);
        ast::Event {
            name: parts.name(),
            fields: parts.fields(),
            by: parts.optional(Rule::decider, Self::decider),
            guard: parts.exception().map(|(negated, condition)| ast::Guard {
                negated,
                condition,
                says: parts.optional_says(),
            }),
            cites: parts.optional_cites(),
            span: parts.end(),
        }
    }

    /// `decider`
    fn decider(&self, node: Node) -> ast::By {
        let mut parts = self.parts(node);
        let decider = if parts.pass(Rule::kw_chance) {
            ast::Decider::Chance(
                parts.optional(Rule::weight, |lowering, node| lowering.parts(node).expr()),
            )
        } else if parts.pass(Rule::kw_referee) {
            ast::Decider::Referee
        } else {
            ast::Decider::Seat(parts.expr())
        };
        let span = parts.end();
        ast::By { decider, span }
    }

    /// `section`
    pub(super) fn section(&self, node: Node) -> ast::Section {
        let mut parts = self.parts(node);
        ast::Section {
            events: parts.all(Rule::name, Self::name),
            like: parts.optional(Rule::section_like, |lowering, node| {
                lowering.parts(node).name()
            }),
            clauses: parts.rest(Self::clause),
            span: parts.end(),
        }
    }

    /// `clause`
    pub(super) fn clause(&self, node: Node) -> ast::Clause {
        match node.as_rule() {
            Rule::fact => ast::Clause::Fact(self.fact(node)),
            Rule::impossible => ast::Clause::Impossible(self.clause_rows(node)),
            Rule::new => ast::Clause::New(self.new_clause(node)),
            Rule::begin => ast::Clause::Begin(self.clause_rows(node)),
            Rule::report => ast::Clause::Report(self.report_clause(node)),
            Rule::follows => ast::Clause::Follows(self.clause_rows(node)),
            other => grammar_mismatch(Rule::clause, "a clause", Some(other)),
        }
    }

    /// `fact`
    pub(super) fn fact(&self, node: Node) -> ast::Fact {
        let mut parts = self.parts(node);
        ast::Fact {
            role: match parts.any().as_rule() {
                Rule::kw_illegal => ast::Role::Illegal,
                Rule::kw_refuse => ast::Role::Refuse,
                _ => ast::Role::Fact,
            },
            name: parts.name(),
            parameters: parts.parameters(),
            ty: parts.optional(Rule::written_type, Self::written_type),
            definition: parts.one(Rule::definition, Self::definition),
            cites: parts.optional_cites(),
            span: parts.end(),
        }
    }

    /// `impossible`, `begin`, `follows`
    fn clause_rows(&self, node: Node) -> ast::Rows {
        let mut parts = self.parts(node);
        parts.pass(Rule::kw_impossible);
        ast::Rows {
            rows: parts.rows(),
            span: parts.end(),
        }
    }

    /// `new`
    fn new_clause(&self, node: Node) -> ast::New {
        let mut parts = self.parts(node);
        parts.pass(Rule::kw_new);
        let name = parts.name();
        let names = |lowering: &Self, node| lowering.parts(node).all(Rule::name, Self::name);
        let parameters = parts.optional(Rule::names, names).unwrap_or_default();
        let entry = parts.optional(Rule::one_entry, Self::one_entry);
        let definition = parts.optional(Rule::definition, Self::definition);
        let cites = parts.optional_cites();
        let rows = parts.rows();
        let span = parts.end();
        let table = |rows: Vec<ast::Row>| ast::Table {
            how: ast::How::One,
            span: rows.first().map_or(span, |row| row.span).to(span),
            rows,
        };
        ast::New {
            name,
            parameters,
            entry,
            definition: definition.unwrap_or_else(|| ast::Definition::Table(table(rows))),
            cites,
            span,
        }
    }

    /// `one_entry`
    fn one_entry(&self, node: Node) -> ast::Entry {
        let mut parts = self.parts(node);
        parts.pass(Rule::kw_of);
        let keys = match parts.optional(Rule::keys, Self::arguments) {
            Some(keys) => keys,
            None => vec![parts.one(Rule::operand, Self::operations)],
        };
        let span = parts.end();
        ast::Entry { keys, span }
    }

    /// `report`
    fn report_clause(&self, node: Node) -> ast::Report {
        let mut parts = self.parts(node);
        ast::Report {
            refused: parts.pass(Rule::kw_refused),
            rows: parts.rows(),
            span: parts.end(),
        }
    }

    /// `policy`
    pub(super) fn policy(&self, node: Node) -> ast::Policy {
        let mut parts = self.parts(node);
        ast::Policy {
            name: parts.name(),
            rows: parts.rows(),
            span: parts.end(),
        }
    }

    /// `limit`
    pub(super) fn limit(&self, node: Node) -> ast::Limit {
        let mut parts = self.parts(node);
        ast::Limit {
            events: parts.one(Rule::number, Self::number),
            span: parts.end(),
        }
    }

    /// `example`
    pub(super) fn example(&self, node: Node) -> ast::Example {
        let given =
            |lowering: &Self, node| lowering.parts(node).all(Rule::assignment, Self::assignment);
        let expected = |lowering: &Self, node| {
            lowering
                .parts(node)
                .all(Rule::expectation, Self::expectation)
        };
        let mut parts = self.parts(node);
        ast::Example {
            name: parts.label(),
            title: parts.optional(Rule::text, Self::text),
            given: parts
                .optional(Rule::example_given, given)
                .unwrap_or_default(),
            event: parts.optional(Rule::example_when, |lowering, node| {
                lowering.parts(node).one(Rule::call, Self::call)
            }),
            expected: parts.one(Rule::example_expect, expected),
            span: parts.end(),
        }
    }

    /// `assignment`
    fn assignment(&self, node: Node) -> ast::Assignment {
        let mut parts = self.parts(node);
        ast::Assignment {
            target: parts.one(Rule::call, Self::call),
            value: parts.expr(),
        }
    }

    /// `expectation`
    fn expectation(&self, node: Node) -> ast::Expectation {
        let mut parts = self.parts(node);
        let negated = parts.pass(Rule::kw_not);
        let first = parts.any();
        let kind = match first.as_rule() {
            Rule::kw_legal => ast::ExpectationKind::Legal { negated },
            Rule::kw_impossible => parts.impossible(),
            Rule::name => ast::ExpectationKind::Row {
                negated,
                fact: self.name(first),
                row: parts.label(),
            },
            _ => ast::ExpectationKind::Holds(self.operations(first)),
        };
        let span = parts.end();
        ast::Expectation { kind, span }
    }

    /// `transcript`
    pub(super) fn transcript(&self, node: Node) -> ast::Transcript {
        let mut parts = self.parts(node);
        ast::Transcript {
            name: parts.optional(Rule::name, Self::name),
            unit: match parts.any().as_rule() {
                Rule::kw_lines => ast::Unit::Lines,
                _ => ast::Unit::Words,
            },
            steps: parts.rest(Self::step),
            span: parts.end(),
        }
    }

    /// `step`
    fn step(&self, node: Node) -> ast::Step {
        match node.as_rule() {
            Rule::pattern => ast::Step::Pattern(self.pattern(node)),
            Rule::kw_start => ast::Step::Start(self.span(&node)),
            Rule::repeat => ast::Step::Repeat(self.repeat(node)),
            Rule::play => ast::Step::Play(self.play(node)),
            other => grammar_mismatch(Rule::step, "a step", Some(other)),
        }
    }

    /// `pattern`
    fn pattern(&self, node: Node) -> ast::Pattern {
        let mut parts = self.parts(node);
        ast::Pattern {
            label: parts.optional(Rule::step_label, Self::name),
            text: parts.one(Rule::text, Self::text),
        }
    }

    /// `repeat`
    fn repeat(&self, node: Node) -> ast::Repeat {
        let span = self.span(&node);
        let mut parts = self.parts(node);
        ast::Repeat {
            rounds: if parts.pass(Rule::kw_until) {
                ast::Rounds::Until(parts.one(Rule::text, Self::text))
            } else {
                ast::Rounds::Times(parts.expr())
            },
            steps: self.nested(span, 1, Vec::new(), || parts.rest(Self::step)),
        }
    }

    /// `play`
    fn play(&self, node: Node) -> ast::Play {
        let mut parts = self.parts(node);
        let by = parts.optional(Rule::name, Self::name);
        parts.pass(Rule::kw_until);
        ast::Play {
            by,
            until: parts.expr(),
            stop: parts.optional(Rule::stop, Self::stop),
            rows: parts.rows(),
            span: parts.end(),
        }
    }

    /// `stop`
    fn stop(&self, node: Node) -> ast::Stop {
        let mut parts = self.parts(node);
        ast::Stop {
            before: parts.pass(Rule::kw_before),
            words: parts.one(Rule::text, Self::text),
            when: parts.optional(Rule::when_clause, Self::clause_condition),
        }
    }
}

impl Parts<'_, '_> {
    /// `parameters?`
    pub(super) fn parameters(&mut self) -> Vec<ast::Parameter> {
        let parameters = |lowering: &Lowering, node| {
            let mut parts = lowering.parts(node);
            parts.all(Rule::parameter, Lowering::parameter)
        };
        self.optional(Rule::parameters, parameters)
            .unwrap_or_default()
    }

    /// `fields?`
    fn fields(&mut self) -> Vec<ast::Parameter> {
        let fields = |lowering: &Lowering, node| {
            let mut parts = lowering.parts(node);
            parts.all(Rule::field, Lowering::parameter)
        };
        self.optional(Rule::fields, fields).unwrap_or_default()
    }

    /// `(when_clause | unless_clause)?`, and whether it is `unless`.
    pub(super) fn exception(&mut self) -> Option<(bool, ast::Expr)> {
        let when = self.optional(Rule::when_clause, |lowering, node| {
            (false, lowering.clause_condition(node))
        });
        when.or_else(|| {
            self.optional(Rule::unless_clause, |lowering, node| {
                (true, lowering.clause_condition(node))
            })
        })
    }

    /// `written_type`
    fn written_type(&mut self) -> ast::Type {
        self.one(Rule::written_type, Lowering::written_type)
    }
}
