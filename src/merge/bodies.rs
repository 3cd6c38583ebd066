//! Access to the parts of a tree that changes edit.

use super::targets::{self, EQUATION, Location, Target};
use crate::{
    source::Span,
    syntax::{
        MAXIMUM_DEPTH,
        ast::{
            self, By, Clause, Conditions, Decider, Definition, Expr, ExprKind, Guard, Item, Member,
            Members, Operator, Row, Step,
        },
    },
};

/// What is at a location.
pub(super) enum Body<'a> {
    /// The definition of a fact, state, given or equation.
    Definition(&'a mut Definition),
    /// What a given is shuffled from that chance draws from all values.
    Drawn(&'a mut Option<Definition>),
    /// An event's guard.
    Guard(&'a mut Option<Guard>),
    /// The members that may come next in a field that is a path.
    Next(&'a mut ast::Expr),
    /// The decider of an event.
    By(&'a mut By),
    /// The weight of an event.
    Weight(&'a mut ast::Expr),
    /// The round of a state.
    Round(&'a mut ast::Name),
    /// Rows that are not part of a definition.
    Rows(&'a mut Vec<Row>),
    /// The members of a kind.
    Members(&'a mut Vec<Member>),
    /// Steps of a transcript.
    Steps(&'a mut Vec<Step>),
    /// An option, or something with neither rows nor a definition.
    Other,
}

/// A list whose elements can be added and removed.
pub(super) enum List<'a> {
    /// `| label: value when …`
    Rows(&'a mut Vec<Row>),
    /// `| cell => value`
    By(&'a mut Vec<ast::ByRow>),
    /// `| Name value`
    Members(&'a mut Vec<Member>),
    /// `name: "…"`
    Steps(&'a mut Vec<Step>),
}

impl List<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            List::Rows(rows) => rows.len(),
            List::By(rows) => rows.len(),
            List::Members(members) => members.len(),
            List::Steps(steps) => steps.len(),
        }
    }

    /// The conditions of a row; none for a member.
    pub(super) fn conditions(&mut self, row: usize) -> Option<&mut ast::Conditions> {
        match self {
            List::Rows(rows) => Some(&mut rows[row].conditions),
            List::By(rows) => Some(&mut rows[row].conditions),
            List::Members(_) | List::Steps(_) => None,
        }
    }

    /// Removes a row.
    pub(super) fn remove(&mut self, place: usize) {
        match self {
            List::Rows(rows) => drop(rows.remove(place)),
            List::By(rows) => drop(rows.remove(place)),
            List::Members(members) => drop(members.remove(place)),
            List::Steps(steps) => drop(steps.remove(place)),
        }
    }
}

/// Whether `location` is a `report refused`.
pub(super) fn is_of_refused(items: &[Item], location: &Location) -> bool {
    let Location::Clause { item, clause, .. } = location else {
        return false;
    };
    match &items[*item] {
        Item::Section(section) => {
            matches!(&section.clauses[*clause], Clause::Report(report) if report.refused)
        }
        _ => false,
    }
}

/// What is at `location`.
pub(super) fn body<'a>(items: &'a mut [Item], location: &Location) -> Body<'a> {
    match location {
        Location::Item(item) => match &mut items[*item] {
            Item::Fact(fact) => Body::Definition(&mut fact.definition),
            Item::State(state) => Body::Definition(&mut state.initial),
            Item::Given(given) => match &mut given.default {
                Some(default) => Body::Definition(default),
                default if given.drawn.is_some() => Body::Drawn(default),
                None => Body::Other,
            },
            Item::Policy(policy) => Body::Rows(&mut policy.rows),
            Item::Kind(kind) => match &mut kind.members {
                Members::Listed(members) => Body::Members(members),
                Members::Count(_) => Body::Other,
            },
            _ => Body::Other,
        },
        Location::Guard(item) => match &mut items[*item] {
            Item::Event(event) => Body::Guard(&mut event.guard),
            _ => Body::Other,
        },
        Location::By(item) => match &mut items[*item] {
            Item::Event(ast::Event { by: Some(by), .. }) => Body::By(by),
            _ => Body::Other,
        },
        Location::Weight(item) => match &mut items[*item] {
            Item::Event(ast::Event {
                by:
                    Some(By {
                        decider: Decider::Chance(Some(weight)),
                        ..
                    }),
                ..
            }) => Body::Weight(weight),
            _ => Body::Other,
        },
        Location::Round(item) => match &mut items[*item] {
            Item::State(ast::State {
                per: Some(round), ..
            }) => Body::Round(round),
            _ => Body::Other,
        },
        Location::Clause { item, clause, .. } => match &mut items[*item] {
            Item::Section(section) => match &mut section.clauses[*clause] {
                Clause::Fact(fact) => Body::Definition(&mut fact.definition),
                Clause::New(new) => Body::Definition(&mut new.definition),
                Clause::Impossible(rows) | Clause::Begin(rows) | Clause::Follows(rows) => {
                    Body::Rows(&mut rows.rows)
                }
                Clause::Report(report) => Body::Rows(&mut report.rows),
            },
            _ => Body::Other,
        },
        Location::Part { item, part } => match &mut items[*item] {
            Item::Event(event) => match &mut event.fields[*part].next {
                Some(next) => Body::Next(next),
                None => Body::Other,
            },
            _ => Body::Other,
        },
        Location::Play { item, steps } => match &mut items[*item] {
            Item::Transcript(transcript) => match play(&mut transcript.steps, steps) {
                Some(rows) => Body::Rows(rows),
                None => Body::Other,
            },
            _ => Body::Other,
        },
        Location::Steps { item, steps } => match &mut items[*item] {
            Item::Transcript(transcript) => match within(&mut transcript.steps, steps) {
                Some(steps) => Body::Steps(steps),
                None => Body::Other,
            },
            _ => Body::Other,
        },
    }
}

/// The rows at `location`.
pub(super) fn list<'a>(items: &'a mut [Item], location: &Location) -> Option<List<'a>> {
    match body(items, location) {
        Body::Definition(Definition::Table(table)) => Some(List::Rows(&mut table.rows)),
        Body::Definition(Definition::By(table)) => Some(List::By(&mut table.rows)),
        Body::Rows(rows) => Some(List::Rows(rows)),
        Body::Members(members) => Some(List::Members(members)),
        Body::Steps(steps) => Some(List::Steps(steps)),
        Body::Definition(Definition::Expression(_))
        | Body::Drawn(_)
        | Body::Guard(_)
        | Body::Next(_)
        | Body::By(_)
        | Body::Weight(_)
        | Body::Round(_)
        | Body::Other => None,
    }
}

fn play<'a>(steps: &'a mut [Step], way: &[usize]) -> Option<&'a mut Vec<Row>> {
    let (first, rest) = way.split_first()?;
    match steps.get_mut(*first)? {
        Step::Play(play) => Some(&mut play.rows),
        Step::Repeat(repeat) => play(&mut repeat.steps, rest),
        Step::Pattern(_) | Step::Start(_) => None,
    }
}

/// The steps at the end of a path of indices.
fn within<'a>(steps: &'a mut Vec<Step>, way: &[usize]) -> Option<&'a mut Vec<Step>> {
    let Some((first, rest)) = way.split_first() else {
        return Some(steps);
    };
    match steps.get_mut(*first)? {
        Step::Repeat(repeat) => within(&mut repeat.steps, rest),
        Step::Play(_) | Step::Pattern(_) | Step::Start(_) => None,
    }
}

/// A part of a record, an axis, an attribute or a field.
pub(super) fn part(item: &mut Item, part: usize) -> Option<&mut ast::Parameter> {
    match item {
        Item::Kind(kind) => kind.attributes.get_mut(part),
        Item::Product(product) => product.fields.get_mut(part),
        Item::Grid(grid) => grid.axes.get_mut(part).map(|axis| &mut axis.field),
        Item::Event(event) => event.fields.get_mut(part),
        _ => None,
    }
}

/// Moves the clause at `location` to a section of its own if its section belongs to other events, too. Returns its new
/// location.
///
/// The clauses before and after it stay shared and in order, since the order of sections matters.
pub(super) fn own(items: &mut Vec<Item>, location: &Location) -> Location {
    let Location::Clause {
        item,
        clause,
        event,
    } = location
    else {
        return location.clone();
    };
    let Item::Section(section) = &items[*item] else {
        return location.clone();
    };
    if section.events.len() == 1 {
        return location.clone();
    }
    let section = section.clone();
    let part = |events: Vec<ast::Name>, clauses: &[Clause]| {
        let clauses = clauses.to_vec();
        let span = section.span;
        let some = !clauses.is_empty() && !events.is_empty();
        some.then_some(Item::Section(ast::Section {
            events,
            like: section.like.clone(),
            clauses,
            span,
        }))
    };
    let (this_event, others) = section
        .events
        .iter()
        .cloned()
        .partition(|name| name.text == *event);
    let (before, rest) = section.clauses.split_at(*clause);
    let (this, after) = rest.split_at(1);
    let parts = [
        part(section.events.clone(), before),
        part(this_event, this),
        part(others, this),
        part(section.events.clone(), after),
    ];
    let place = item + usize::from(!before.is_empty());
    items.splice(*item..=*item, parts.into_iter().flatten());
    Location::Clause {
        item: place,
        clause: 0,
        event: event.clone(),
    }
}

/// Removes what is at `location`, which belongs to no other event.
pub(super) fn remove(items: &mut Vec<Item>, location: &Location) {
    match location {
        Location::Item(item) | Location::Steps { item, .. } => drop(items.remove(*item)),
        Location::Guard(item) => {
            if let Item::Event(event) = &mut items[*item] {
                event.guard = None;
            }
        }
        Location::By(item) => {
            if let Item::Event(event) = &mut items[*item] {
                event.by = None;
            }
        }
        Location::Weight(item) => {
            if let Item::Event(ast::Event { by: Some(by), .. }) = &mut items[*item] {
                by.decider = Decider::Chance(None);
            }
        }
        Location::Round(item) => {
            if let Item::State(state) = &mut items[*item] {
                state.per = None;
            }
        }
        Location::Clause { item, clause, .. } => {
            if let Item::Section(section) = &mut items[*item] {
                section.clauses.remove(*clause);
                if section.clauses.is_empty() {
                    items.remove(*item);
                }
            }
        }
        Location::Part { .. } | Location::Play { .. } => {}
    }
}

/// Removes the equations of a state that was removed, and returns what was removed.
pub(super) fn remove_equations(items: &mut Vec<Item>, state: &str) -> Vec<Target> {
    let ending = format!(".new.{state}");
    let is_equation = |target: &Target| target.what == EQUATION && target.path.ends_with(&ending);
    let mut removed = Vec::new();
    while let Some(target) = targets::all(items).into_iter().find(is_equation) {
        let location = own(items, &target.location);
        remove(items, &location);
        removed.push(target);
    }
    removed
}

/// How many exceptions a row may have. Each is an operand of one long condition, which must stay short enough to be
/// written in a rule file.
const MOST_EXCEPTIONS: usize = MAXIMUM_DEPTH / 2;

/// Adds an exception: the row does not fire when `condition` holds, or, if `negated`, when it does not. Returns false
/// if there are too many exceptions.
pub(super) fn except(conditions: &mut Conditions, negated: bool, condition: Expr) -> bool {
    let (place, operator) = if negated {
        (&mut conditions.when, Operator::And)
    } else {
        (&mut conditions.unless, Operator::Or)
    };
    let (mut count, mut last) = (0, place.as_ref());
    while let Some(ExprKind::Binary { left, .. }) = last.map(|last| &last.kind) {
        (count, last) = (count + 1, Some(&**left));
    }
    if count >= MOST_EXCEPTIONS {
        return false;
    }
    *place = Some(match place.take() {
        None => condition,
        Some(before) => {
            let span = condition.span;
            Expr {
                kind: ExprKind::Binary {
                    operator,
                    operator_span: span.head(),
                    left: Box::new(before),
                    right: Box::new(condition),
                },
                span,
            }
        }
    });
    true
}

/// Whether an exception has no effect.
pub(super) fn has_no_effect(negated: bool, condition: &Expr) -> bool {
    matches!(condition.kind, ExprKind::YesNo(yes) if yes == negated)
}

/// The cells for an attribute and a member, in all kinds that have both: the path of each, the cell and the span of its
/// member.
pub(super) fn cells<'i>(
    items: &'i mut [Item],
    attribute: &str,
    member: &str,
) -> Vec<(String, &'i mut Expr, Span)> {
    let mut found = Vec::new();
    for item in items {
        let Item::Kind(kind) = item else { continue };
        let name = kind.name.text.clone();
        let column = kind
            .attributes
            .iter()
            .position(|column| column.name.text == attribute);
        if let (Some(column), Members::Listed(members)) = (column, &mut kind.members) {
            for row in members.iter_mut().filter(|row| row.name.text == member) {
                let span = row.span;
                if let Some(cell) = row.values.get_mut(column) {
                    found.push((format!("{name}.{member}.{attribute}"), cell, span));
                }
            }
        }
    }
    found
}
