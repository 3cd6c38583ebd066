//! The names in a part of a tree.

use crate::syntax::ast::{
    self, Binding, ByRow, CellKind, Clause, Conditions, Definition, Expr, ExprKind, Many, Row,
    Text, TextPart,
};

/// The way in which a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// A value by itself: `level`.
    Value,
    /// Applied to something: `level of p`.
    Applied,
    /// A variable or parameter where it is bound: `p in Side`.
    Bound,
}

/// A visitor of all names in a part of a tree.
pub(super) trait Names {
    /// Calls `visit` with each name and its use.
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use));
}

impl<T: Names> Names for Option<T> {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        if let Some(one) = self {
            one.names(visit);
        }
    }
}

impl<T: Names> Names for Vec<T> {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        for one in self {
            one.names(visit);
        }
    }
}

impl<T: Names> Names for Box<T> {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        (**self).names(visit);
    }
}

impl Names for Expr {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        match &mut self.kind {
            ExprKind::Binary { left, right, .. } => {
                left.names(visit);
                right.names(visit);
            }
            ExprKind::Unary { operand, .. }
            | ExprKind::Tensed { operand, .. }
            | ExprKind::Extreme { operand, .. }
            | ExprKind::Rounded { operand, .. } => operand.names(visit),
            ExprKind::But { map, value, at } => {
                map.names(visit);
                value.names(visit);
                at.names(visit);
            }
            ExprKind::Quantified {
                bindings,
                condition,
                ..
            } => {
                bindings.names(visit);
                condition.names(visit);
            }
            ExprKind::Best {
                bindings,
                condition,
                keys,
                ..
            } => {
                bindings.names(visit);
                condition.names(visit);
                for key in keys {
                    key.value.names(visit);
                }
            }
            ExprKind::Beside { operand, steps, .. } => {
                operand.names(visit);
                steps.names(visit);
            }
            ExprKind::Name(name) => visit(name, Use::Value),
            ExprKind::Apply {
                function,
                arguments,
                ..
            } => {
                visit(function, Use::Applied);
                arguments.names(visit);
            }
            ExprKind::Text(text) => text.names(visit),
            ExprKind::Set(parts) | ExprKind::Pile(parts) => parts.names(visit),
            ExprKind::Filter { binding, condition } => {
                binding.names(visit);
                condition.names(visit);
            }
            ExprKind::Mapped {
                value,
                bindings,
                condition,
                ..
            } => {
                value.names(visit);
                bindings.names(visit);
                condition.names(visit);
            }
            ExprKind::Group(inner) => inner.names(visit),
            ExprKind::Number(_)
            | ExprKind::Decimal(..)
            | ExprKind::YesNo(_)
            | ExprKind::None
            | ExprKind::Empty => {}
        }
    }
}

impl Names for Binding {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        visit(&mut self.name, Use::Bound);
        self.collection.names(visit);
    }
}

impl Names for Text {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        for part in &mut self.parts {
            let TextPart::Hole(hole) = part else { continue };
            hole.value.names(visit);
            if let Many::Exactly(count) = &mut hole.many {
                count.names(visit);
            }
            if let Some(separators) = &mut hole.separators {
                separators.between.names(visit);
                separators.last.names(visit);
            }
        }
    }
}

impl Names for Conditions {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        self.when.names(visit);
        self.unless.names(visit);
        self.says.names(visit);
    }
}

impl Names for Row {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        self.value.names(visit);
        self.event.names(visit);
        self.bindings.names(visit);
        self.sight.names(visit);
        self.conditions.names(visit);
    }
}

impl Names for ByRow {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        for cell in &mut self.cells {
            if let CellKind::Match { value, .. } = &mut cell.kind {
                value.names(visit);
            }
        }
        self.value.names(visit);
        self.conditions.names(visit);
    }
}

impl Names for Definition {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        match self {
            Definition::Expression(expr) => expr.names(visit),
            Definition::Table(table) => table.rows.names(visit),
            Definition::By(table) => {
                table.keys.names(visit);
                table.rows.names(visit);
            }
        }
    }
}

impl Names for Clause {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        match self {
            Clause::Fact(fact) => {
                parameters(&mut fact.parameters, visit);
                fact.definition.names(visit);
            }
            Clause::Impossible(rows) | Clause::Begin(rows) | Clause::Follows(rows) => {
                rows.rows.names(visit);
            }
            Clause::New(new) => {
                for name in &mut new.parameters {
                    visit(name, Use::Bound);
                }
                if let Some(entry) = &mut new.entry {
                    entry.keys.names(visit);
                }
                new.definition.names(visit);
            }
            Clause::Report(report) => report.rows.names(visit),
        }
    }
}

impl Names for ast::Sight {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        self.seats.names(visit);
    }
}

/// The names of parameters.
fn parameters(list: &mut [ast::Parameter], visit: &mut dyn FnMut(&mut ast::Name, Use)) {
    for parameter in list {
        visit(&mut parameter.name, Use::Bound);
    }
}

impl Names for ast::Item {
    fn names(&mut self, visit: &mut dyn FnMut(&mut ast::Name, Use)) {
        match self {
            ast::Item::Fact(fact) => {
                parameters(&mut fact.parameters, visit);
                fact.definition.names(visit);
            }
            ast::Item::State(state) => {
                parameters(&mut state.parameters, visit);
                state.sight.names(visit);
                state.initial.names(visit);
            }
            ast::Item::Given(given) => {
                parameters(&mut given.parameters, visit);
                given.sight.names(visit);
                given.default.names(visit);
            }
            ast::Item::Option(option) => option.value.names(visit),
            ast::Item::Policy(policy) => policy.rows.names(visit),
            ast::Item::Section(section) => section.clauses.names(visit),
            ast::Item::Product(product) => product.condition.names(visit),
            ast::Item::Write(write) => write.form.names(visit),
            ast::Item::Event(event) => {
                for field in &mut event.fields {
                    field.next.names(visit);
                    field.sight.names(visit);
                }
                match event.by.as_mut().map(|by| &mut by.decider) {
                    Some(ast::Decider::Seat(seat)) => seat.names(visit),
                    Some(ast::Decider::Chance(weight)) => weight.names(visit),
                    Some(ast::Decider::Referee) | None => {}
                }
                if let Some(guard) = &mut event.guard {
                    guard.condition.names(visit);
                    guard.says.names(visit);
                }
            }
            ast::Item::Transcript(_)
            | ast::Item::Use(_)
            | ast::Item::Kind(_)
            | ast::Item::Grid(_)
            | ast::Item::Alias(_)
            | ast::Item::Just(_)
            | ast::Item::Round(_)
            | ast::Item::Limit(_)
            | ast::Item::Example(_)
            | ast::Item::Change(_) => {}
        }
    }
}

/// Calls `visit` with each name in an expression that is used as a value and is not a variable of the expression.
pub(crate) fn each_value(expr: &mut Expr, visit: &mut dyn FnMut(&mut ast::Name)) {
    let mut bound: Vec<String> = Vec::new();
    expr.names(&mut |name, usage| {
        if usage == Use::Bound {
            bound.push(name.text.clone());
        }
    });
    expr.names(&mut |name, usage| {
        if usage == Use::Value && !bound.contains(&name.text) {
            visit(name);
        }
    });
}
