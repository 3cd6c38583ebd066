//! Hoisting: facts and new values that an event, or a loop with at least one iteration, needs on every path are
//! evaluated first, so that they are available wherever they are used.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{availability::Available, texts::is_said, unit::Unit};
use crate::code::{Code, Compiled, Equation, Event, Loop, NONE, Node, Row, Source, Text, Written};

/// The most dependencies to hoist in an event, and in a loop. Beyond that, values are evaluated where they are used.
const IN_EVENT: usize = 256;
const IN_LOOP: usize = 32;

/// Collects what is needed on every path, each after its own dependencies.
#[derive(Debug)]
pub(super) struct Hoisting<'c> {
    compiled: &'c Compiled,
    dependencies: Arc<Dependencies>,
    event: Option<usize>,
    most: usize,
    /// What was visited.
    visited: BTreeSet<Available>,
    found: Vec<Available>,
}

impl<'c> Hoisting<'c> {
    pub(super) fn new(unit: &Unit<'c>, event: Option<usize>) -> Hoisting<'c> {
        Hoisting {
            compiled: unit.compiled,
            dependencies: Arc::clone(&unit.dependencies),
            event,
            most: IN_EVENT,
            visited: BTreeSet::new(),
            found: Vec::new(),
        }
    }

    fn event(&self) -> Option<&'c Event> {
        self.event.map(|event| &self.compiled.events[event])
    }

    /// What an event needs before it is refused or not.
    pub(super) fn before(mut self) -> Vec<Available> {
        if let Some(refuse) = self.event().and_then(|event| event.refuse.first()) {
            self.code(&refuse.fires);
        }
        self.found
    }

    /// What the body of a loop needs, if it has at least one iteration.
    pub(super) fn within(mut self, bindings: &[(u32, Source)], first: &Code) -> Vec<Available> {
        self.most = IN_LOOP;
        if self.are_visited(bindings) {
            self.code(first);
        }
        self.found
    }

    /// What an event needs that is not refused.
    pub(super) fn after(mut self) -> Vec<Available> {
        let Some(event) = self.event() else {
            return self.found;
        };
        for refuse in &event.refuse {
            self.code(&refuse.fires);
        }
        for condition in event.over.iter().chain(&event.restart) {
            self.code(condition);
        }
        for state in &event.changes {
            self.ask(Available::New(*state));
        }
        for row in &event.report {
            if row.bindings.is_empty() {
                match row.conditions.first() {
                    Some(condition) => self.code(condition),
                    None => self.text(&row.text),
                }
            }
        }
        self.ordered()
    }

    /// What was found, each after what it may depend on.
    fn ordered(&self) -> Vec<Available> {
        let found: BTreeSet<Available> = self.found.iter().copied().collect();
        let mut ordered = Vec::new();
        let mut visited = BTreeSet::new();
        // A stack for depth-first search, with the number of dependencies visited so far.
        let mut open: Vec<(Available, usize)> = Vec::new();
        for known in &self.found {
            if visited.insert(*known) {
                open.push((*known, 0));
            }
            while let Some((known, next)) = open.last_mut() {
                let known = *known;
                if let Some(dependency) = self.dependencies.by(self.event, known).get(*next) {
                    *next += 1;
                    if visited.insert(*dependency) {
                        open.push((*dependency, 0));
                    }
                } else {
                    if found.contains(&known) {
                        ordered.push(known);
                    }
                    open.pop();
                }
            }
        }
        ordered
    }

    /// Whether the event evaluates the new value of a state in any case, independently of everything in `making`, as
    /// far as that is known.
    pub(super) fn is_made_anyway(&self, state: u32, making: &[Available]) -> bool {
        let changes = self.event().map(|event| &event.changes);
        if !changes.is_some_and(|changes| changes.contains(&state)) {
            return false;
        }
        let mut visited = BTreeSet::new();
        let mut open = vec![Available::New(state)];
        while let Some(known) = open.pop() {
            if making.contains(&known) || visited.len() > self.most {
                return false;
            }
            if visited.insert(known) {
                open.extend(self.dependencies.by(self.event, known));
            }
        }
        true
    }

    /// Adds something after what it needs on every path.
    fn ask(&mut self, known: Available) {
        if self.visited.len() >= self.most || !self.visited.insert(known) {
            return;
        }
        match known {
            Available::Fact(fact) => {
                let fact = &self.compiled.facts[fact as usize];
                self.code(&fact.code);
            }
            Available::New(state) => {
                if let Some(equation) = self.equation(state) {
                    let begins = equation.begins.as_ref();
                    // If it may be reset, the equation is not always evaluated.
                    self.code(begins.map_or(&equation.code, |begins| &begins.when));
                }
            }
            _ => return,
        }
        self.found.push(known);
    }

    /// The equation of a state in this event.
    fn equation(&self, state: u32) -> Option<&'c Equation> {
        let equations = self.event().map(|event| &event.equations)?;
        equations.get(state as usize)?.as_ref()
    }

    fn text(&mut self, text: &Text) {
        match text {
            // A text of a fact that is written in place is not evaluated first.
            Text::Value(code, Written::Text) => match &**code {
                Code::Fact(fact) if is_said(&self.compiled.facts[*fact as usize].code) => {
                    self.code(&self.compiled.facts[*fact as usize].code);
                }
                code => self.code(code),
            },
            Text::Value(code, _) => self.code(code),
            Text::Parts(parts) => parts.iter().for_each(|part| self.text(part)),
            Text::Literal(_) | Text::List { .. } => {}
        }
    }

    fn row(&mut self, row: &Row) {
        self.visited(&row.bindings, row.conditions.first().unwrap_or(&row.value));
    }

    fn range(&mut self, range: &Loop, otherwise: Option<&Code>) {
        if let Some(first) = range.condition.as_ref().or(otherwise) {
            self.visited(&range.bindings, first);
        }
    }

    /// Adds what each iteration needs.
    fn visited(&mut self, bindings: &[(u32, Source)], first: &Code) {
        if let Some((_, source)) = bindings.first() {
            self.source(source);
        }
        if self.are_visited(bindings) {
            self.code(first);
        }
    }

    fn source(&mut self, source: &Source) {
        match source {
            Source::Span(ends) => {
                self.code(&ends.0);
                self.code(&ends.1);
            }
            Source::Bits { set: code, .. }
            | Source::Words { set: code, .. }
            | Source::Counts { bag: code, .. }
            | Source::Pile { pile: code, .. }
            | Source::Beside { point: code, .. } => self.code(code),
            Source::Mapped(range, value) => self.range(range, Some(value)),
            _ => {}
        }
    }

    /// Whether all variables range over at least one value.
    fn are_visited(&self, bindings: &[(u32, Source)]) -> bool {
        bindings.iter().all(|(_, source)| self.is_visited(source))
    }

    fn is_visited(&self, source: &Source) -> bool {
        match source {
            Source::Span(ends) => {
                let ends = [&ends.0, &ends.1].map(|end| self.compiled.constant(end));
                matches!(ends, [Some(lo), Some(hi)] if lo <= hi)
            }
            Source::Bits { set, .. } => self.compiled.constant(set).is_some_and(|set| set != 0),
            Source::Items(items) => {
                let mut values = items.iter().map(|item| self.compiled.constant(item));
                values.any(|value| value.is_some_and(|value| value != NONE))
            }
            // Only the point of a grid of one has no neighbour.
            Source::Beside { grid, .. } => self.compiled.grids[*grid as usize].beside.len() > 1,
            _ => false,
        }
    }

    /// Adds what an expression needs on every path. Expressions that are not clear-cut add nothing.
    fn code(&mut self, code: &Code) {
        match code {
            Code::Fact(fact) => self.ask(Available::Fact(*fact)),
            Code::New(state) => self.ask(Available::New(*state)),
            // The second operand is evaluated only if the first does not decide.
            Code::And(pair) | Code::Or(pair) | Code::Else(pair) => self.code(&pair.0),
            Code::If(choice) => {
                if let Some(condition) = choice.conditions.first() {
                    self.code(condition);
                }
            }
            Code::Lift { operand, .. } | Code::Checked(operand, ..) => self.code(operand),
            Code::Switch(switch) => self.code(&switch.operand),
            Code::Dense(table) => table.keys.iter().for_each(|key| self.code(&key.code)),
            Code::MaskedRows(table) => table.keys.iter().for_each(|key| self.code(&key.code)),
            Code::Decide(table) => table.keys.iter().for_each(|key| self.code(key)),
            Code::Some(range) | Code::No(range) => self.range(range, None),
            Code::Count(source) | Code::Sum(source, _) | Code::Extreme { source, .. } => {
                self.source(source);
            }
            Code::Best(best) => self.source(&best.source),
            Code::Any(rows) | Code::All(rows) | Code::First(rows) => {
                rows.first().iter().for_each(|row| self.row(row));
            }
            Code::Union(rows, _) => rows.iter().for_each(|row| self.row(&row.row)),
            Code::Agree { rows, .. }
            | Code::Highest(rows)
            | Code::Lowest(rows)
            | Code::SumRows(rows, _)
            | Code::UnionBits(rows) => rows.iter().for_each(|row| self.row(row)),
            Code::ButMany(but) => {
                self.code(&but.map);
                self.source(&but.at);
            }
            code if code.is_simple() || uses_all(code) => code.pieces(&mut |piece| {
                if let Node::Code(code) = piece {
                    self.code(code);
                }
            }),
            _ => {}
        }
    }
}

/// Whether an expression evaluates all its operands, though it may fail or allocate.
pub(super) fn uses_all(code: &Code) -> bool {
    matches!(
        code,
        Code::CheckedIndex(..)
            | Code::The(..)
            | Code::Negate(..)
            | Code::Add(..)
            | Code::Subtract(..)
            | Code::Multiply(..)
            | Code::Divide(..)
            | Code::DivideEven(..)
            | Code::Modulo(..)
            | Code::Apart(..)
            | Code::Same(..)
            | Code::Has { .. }
            | Code::CountHashed { .. }
            | Code::Item { .. }
            | Code::TopMany(_)
            | Code::Below(_)
            | Code::Reversed { .. }
            | Code::But(_)
    )
}

/// The direct dependencies of each fact, and of each new value of a state in an event.
#[derive(Debug)]
pub(super) struct Dependencies {
    facts: Vec<Vec<Available>>,
    new: BTreeMap<(usize, u32), Vec<Available>>,
}

impl Dependencies {
    pub(super) fn of(compiled: &Compiled) -> Dependencies {
        let mut new = BTreeMap::new();
        for (event, definition) in compiled.events.iter().enumerate() {
            for (state, equation) in (0u32..).zip(&definition.equations) {
                if let Some(equation) = equation {
                    let dependencies = equation.codes().flat_map(direct_dependencies).collect();
                    new.insert((event, state), dependencies);
                }
            }
        }
        let facts = compiled.facts.iter();
        Dependencies {
            facts: facts.map(|fact| direct_dependencies(&fact.code)).collect(),
            new,
        }
    }

    /// The direct dependencies of something in an event.
    pub(super) fn by(&self, event: Option<usize>, known: Available) -> &[Available] {
        let dependencies = match (known, event) {
            (Available::Fact(fact), _) => self.facts.get(fact as usize),
            (Available::New(state), Some(event)) => self.new.get(&(event, state)),
            _ => None,
        };
        dependencies.map_or(&[], Vec::as_slice)
    }

    /// For each fact, whether it reads new values, directly or through other facts.
    pub(super) fn facts_reading_new(&self) -> Vec<bool> {
        let mut callers = vec![Vec::new(); self.facts.len()];
        let mut open = Vec::new();
        for (fact, dependencies) in self.facts.iter().enumerate() {
            for known in dependencies {
                match known {
                    Available::Fact(dependency) => callers[*dependency as usize].push(fact),
                    Available::New(_) => open.push(fact),
                    _ => {}
                }
            }
        }
        let mut reads_new = vec![false; self.facts.len()];
        while let Some(fact) = open.pop() {
            if !std::mem::replace(&mut reads_new[fact], true) {
                open.extend(&callers[fact]);
            }
        }
        reads_new
    }
}

/// The direct dependencies of an expression.
fn direct_dependencies(code: &Code) -> Vec<Available> {
    let mut dependencies = Vec::new();
    code.each(&mut |piece| match piece {
        Code::Fact(fact) | Code::Call(fact, _) => dependencies.push(Available::Fact(*fact)),
        Code::Tabulate(tabulate) => dependencies.push(Available::Fact(tabulate.fact)),
        Code::New(state) => dependencies.push(Available::New(*state)),
        _ => {}
    });
    dependencies
}
