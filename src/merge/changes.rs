//! Applies the changes of a variant to the tree.

use super::{
    Merging,
    bodies::{self, Body, List},
    copies, failures, forms,
    history::{ChangeResult, Edit},
    locate::{Found, Wanted, only, written},
    targets::{EQUATION, Location, Target},
};
use crate::{
    source::Span,
    syntax::ast::{
        self, AddedRow, ChangeKind, Decider, Definition, Expr, ExprKind, Item, Step as Stage,
    },
};

/// The deciders of events that no seat decides.
const CHANCE: &str = "chance";
const REFEREE: &str = "referee";

impl Merging<'_> {
    /// Makes one change, or reports why it cannot be made.
    pub(super) fn change(&mut self, change: ast::Change) {
        let span = change.span;
        let made = match change.kind {
            ChangeKind::Set {
                name,
                of: None,
                value,
            } => self.set_option(&name, value, span),
            ChangeKind::Set {
                name,
                of: Some(member),
                value,
            } => self.set_attribute(&name, &member, value, span),
            ChangeKind::Remove { path } => self.remove(&path, span),
            ChangeKind::ReplaceDefinition { path, definition } => {
                self.replace_definition(&path, definition, span)
            }
            ChangeKind::ReplaceType { name, ty } => self.replace_type(&name, ty, span),
            ChangeKind::ReplaceProduct(product) => self.replace_product(product, span),
            ChangeKind::Retype {
                path,
                ty,
                per,
                sight,
                wraps,
            } => self.retype(&path, ty, (per, sight), wraps, span),
            ChangeKind::ReplaceWrite { name, form } => self.replace_write(&name, form, span),
            ChangeKind::ReplaceLimit { events } => self.replace_limit(events, span),
            ChangeKind::ReplaceRow { path, row } => match self.as_type(&path, &row) {
                Some(ty) => self.retype(&path, ty, (None, None), false, span),
                None => self.replace_row(&path, row, span),
            },
            ChangeKind::Add { path, place, rows } => self.add(&path, place.as_ref(), rows),
            ChangeKind::Except {
                path,
                negated,
                condition,
            } => self.except(&path, negated, condition, span),
        };
        if let Err(diagnostic) = made {
            self.diagnostics.push(*diagnostic);
        }
    }

    fn remove(&mut self, path: &ast::Path, span: Span) -> ChangeResult {
        let text = written(path);
        let is_missing = super::locate::matching(&self.targets(), &text, Wanted::Either).is_empty();
        if is_missing && self.history.removed_by_another(&text, self.layer) {
            return Ok(());
        }
        if self.is_event(&text) {
            self.remove_event(&text, span);
            return Ok(());
        }
        if self.is_round(&text) {
            self.remove_round(&text, span);
            return Ok(());
        }
        let mut removed = false;
        loop {
            // For clauses that add up, each is removed in turn.
            let found = if removed {
                super::locate::matching(&self.targets(), &written(path), Wanted::Whole)
            } else {
                self.locate(path, Wanted::Either)
            };
            let Some(found) = found.into_iter().next() else {
                return Ok(());
            };
            if found.row.is_none() && found.target.is_fixed() || found.is_start() {
                return Err(Box::new(failures::no_removal(path, &found.target)));
            }
            let before = found.span();
            if !removed {
                self.record(written(path), Edit::Removed, span, before);
            }
            removed = true;
            let location = bodies::own(&mut self.items, &found.target.location);
            let Some(row) = found.row else {
                bodies::remove(&mut self.items, &location);
                match location {
                    Location::Clause { .. } => continue,
                    Location::Item(_) if found.target.what == "a state" => {
                        for target in bodies::remove_equations(&mut self.items, &text) {
                            self.record(target.path, Edit::Removed, span, target.span);
                        }
                        self.items.retain(
                            |item| !matches!(item, Item::Write(write) if write.ty.text == text),
                        );
                    }
                    Location::Item(_)
                    | Location::Guard(_)
                    | Location::By(_)
                    | Location::Weight(_)
                    | Location::Round(_)
                    | Location::Part { .. }
                    | Location::Play { .. }
                    | Location::Steps { .. } => {}
                }
                return Ok(());
            };
            let Some(mut list) = bodies::list(&mut self.items, &location) else {
                return Ok(());
            };
            if list.len() > 1 {
                list.remove(row);
            } else if found.target.can_be_empty() {
                bodies::remove(&mut self.items, &location);
            } else {
                return Err(Box::new(failures::last_row(path, &found.target)));
            }
            return Ok(());
        }
    }

    fn replace_definition(
        &mut self,
        path: &ast::Path,
        definition: Definition,
        span: Span,
    ) -> ChangeResult {
        let found = self.locate(path, Wanted::Whole);
        let Some(found) = only(path, found)? else {
            return Ok(());
        };
        let location = bodies::own(&mut self.items, &found.target.location);
        let same = match (bodies::body(&mut self.items, &location), definition) {
            (Body::Definition(place), definition) => {
                let same = forms::same_definition(place, &definition);
                *place = definition;
                same
            }
            (Body::Drawn(place), definition) => {
                *place = Some(definition);
                false
            }
            (Body::Guard(guard), Definition::Expression(condition)) => {
                let before = guard.take();
                let same = before.is_some_and(|guard| {
                    !guard.negated && forms::same(&guard.condition, &condition)
                });
                *guard = Some(ast::Guard {
                    negated: false,
                    condition,
                    says: None,
                });
                same
            }
            (Body::Next(place), Definition::Expression(next)) => {
                let same = forms::same(place, &next);
                *place = next;
                same
            }
            (Body::Next(_), Definition::Table(_) | Definition::By(_)) => {
                return Err(Box::new(failures::no_rows_of_path(path)));
            }
            (Body::By(by), Definition::Expression(written)) => {
                let decider = match &written.kind {
                    ExprKind::Name(name) if name.text == CHANCE => Decider::Chance(None),
                    ExprKind::Name(name) if name.text == REFEREE => Decider::Referee,
                    _ => Decider::Seat(written),
                };
                let same = match (&by.decider, &decider) {
                    (Decider::Seat(before), Decider::Seat(now)) => forms::same(before, now),
                    (Decider::Chance(weight), Decider::Chance(_)) => weight.is_none(),
                    (Decider::Referee, Decider::Referee) => true,
                    _ => false,
                };
                by.decider = decider;
                same
            }
            (Body::Weight(weight), Definition::Expression(now)) => {
                let same = forms::same(weight, &now);
                *weight = now;
                same
            }
            (Body::Round(round), Definition::Expression(written)) => match written.kind {
                ExprKind::Name(name) => {
                    let same = round.text == name.text;
                    *round = name;
                    same
                }
                _ => return Err(Box::new(failures::no_definition(path, &found.target))),
            },
            (
                Body::Guard(_)
                | Body::By(_)
                | Body::Weight(_)
                | Body::Round(_)
                | Body::Rows(_)
                | Body::Members(_)
                | Body::Steps(_)
                | Body::Other,
                _,
            ) => {
                return Err(Box::new(failures::no_definition(path, &found.target)));
            }
        };
        if same {
            return self.unchanged(&written(path), span, found.target.span);
        }
        self.record(written(path), Edit::Replaced, span, found.target.span);
        Ok(())
    }

    fn replace_row(&mut self, path: &ast::Path, row: AddedRow, span: Span) -> ChangeResult {
        if let AddedRow::Row(row) = &row
            && let Some(before) = copies::replace_copied_row(&mut self.items, path, row)
        {
            self.record(written(path), Edit::Replaced, span, before);
            return Ok(());
        }
        if let Some(failure) = self.one_value(path, &row) {
            return Err(Box::new(failure));
        }
        let found = self.locate(path, Wanted::Row);
        let Some(found) = only(path, found)? else {
            return Ok(());
        };
        let Some(place) = found.row else {
            return Ok(());
        };
        let location = bodies::own(&mut self.items, &found.target.location);
        let same = match (bodies::list(&mut self.items, &location), row) {
            (Some(List::Rows(rows)), AddedRow::Row(row)) => {
                let before = std::mem::replace(&mut rows[place], row);
                let row = &rows[place];
                self.warnings.extend(failures::lost_condition(&before, row));
                forms::same_row(&before, row)
            }
            (Some(List::By(rows)), AddedRow::By(row)) => {
                let before = std::mem::replace(&mut rows[place], row);
                forms::same_by_row(&before, &rows[place])
            }
            (Some(List::Steps(steps)), AddedRow::Row(row)) if forms::as_pattern(&row).is_some() => {
                match (&mut steps[place], forms::as_pattern(&row)) {
                    (Stage::Pattern(before), Some(pattern)) => {
                        let same = forms::same_text(&before.text, &pattern.text);
                        *before = pattern;
                        same
                    }
                    _ => return Err(Box::new(failures::no_definition(path, &found.target))),
                }
            }
            (list, row) => {
                let failure = failures::other_form(path.span, list.as_ref(), &row, &found.target);
                return Err(Box::new(failure));
            }
        };
        if same {
            return self.unchanged(&written(path), span, found.span());
        }
        self.record(written(path), Edit::Replaced, span, found.span());
        Ok(())
    }

    /// Adds rows; rows without a place go into every `play` that has some.
    fn add(
        &mut self,
        path: &ast::Path,
        place: Option<&ast::Place>,
        rows: Vec<AddedRow>,
    ) -> ChangeResult {
        let targets = self.targets();
        let is_play = written(path) == PLAY && !targets.iter().any(|target| target.path == PLAY);
        let plays = targets.iter().filter(|target| target.has_patterns());
        let mut plays: Vec<Target> = plays.filter(|_| is_play).cloned().collect();
        if plays.is_empty() {
            return self.add_to_one(path, place, rows);
        }
        // In each, before the row with the same label.
        let of_label = |target: &Target| {
            place.is_some_and(|place| !target.rows_called(&place.label.text).is_empty())
        };
        if let (Some(place), false) = (place, plays.iter().any(of_label)) {
            return Err(Box::new(failures::unknown_place(
                path,
                &place.label,
                &plays[0],
            )));
        }
        for row in &rows {
            let (label, span) = named(row);
            let path = format!("{PLAY}.{}", label.unwrap_or_default());
            self.record(path, Edit::Added, span, span);
        }
        while let Some(target) = plays.pop() {
            let at = place.filter(|_| of_label(&target));
            self.insert_rows(&target, place_of(&target, at), rows.clone())?;
        }
        Ok(())
    }

    fn add_to_one(
        &mut self,
        path: &ast::Path,
        place: Option<&ast::Place>,
        rows: Vec<AddedRow>,
    ) -> ChangeResult {
        let mut found = self.locate(path, Wanted::Whole);
        if let Some(place) = place {
            // Of several clauses that add up, the one with the row.
            let has = |found: &Found| !found.target.rows_called(&place.label.text).is_empty();
            if let Some(index) = found.iter().position(has) {
                found = vec![found.swap_remove(index)];
            }
        }
        if let [first, _, ..] = found.as_slice()
            && first.target.what == EQUATION
        {
            // Each is about other entries, so they do not add up.
            return Err(Box::new(failures::ambiguous_target(path, &found)));
        }
        // Without `refused` in the path, the report of events that happen is intended.
        let happens = |found: &Found| !bodies::is_of_refused(&self.items, &found.target.location);
        let happens = found.iter().rposition(happens);
        let found = match happens {
            Some(index) => found.swap_remove(index),
            None => match found.pop() {
                Some(found) => found,
                None => return Ok(()),
            },
        };
        let target = found.target;
        let at = match place {
            None if target.ordered && !self.are_disjoint(&target.location, &rows) => {
                return Err(Box::new(failures::place_missing(path, &target)));
            }
            None => None,
            Some(place) => {
                let Some(at) = place_of(&target, Some(place)) else {
                    let label = &place.label;
                    return Err(Box::new(failures::unknown_place(path, label, &target)));
                };
                Some(at)
            }
        };
        for row in &rows {
            if let (Some(label), span) = named(row) {
                let path = format!("{}.{label}", written(path));
                self.record(path, Edit::Added, span, span);
            }
        }
        self.insert_rows(&target, at, rows)
    }

    /// Inserts rows into one list, at an index or at the end.
    fn insert_rows(
        &mut self,
        target: &Target,
        at: Option<usize>,
        rows: Vec<AddedRow>,
    ) -> ChangeResult {
        let location = bodies::own(&mut self.items, &target.location);
        for (index, row) in rows.into_iter().enumerate() {
            let (_, span) = named(&row);
            match (bodies::list(&mut self.items, &location), row) {
                (Some(List::Rows(rows)), AddedRow::Row(row)) => insert(rows, at, index, row),
                (Some(List::By(rows)), AddedRow::By(row)) => insert(rows, at, index, row),
                (Some(List::Members(members)), AddedRow::Member(member)) => {
                    insert(members, at, index, member);
                }
                (Some(List::Steps(steps)), AddedRow::Row(row))
                    if forms::as_pattern(&row).is_some() =>
                {
                    let pattern = forms::as_pattern(&row).map(Stage::Pattern);
                    steps.splice(at.map_or(0..0, |at| at + index..at + index), pattern);
                }
                (list, row) => {
                    let failure = failures::other_form(span, list.as_ref(), &row, target);
                    return Err(Box::new(failure));
                }
            }
        }
        Ok(())
    }

    fn except(
        &mut self,
        path: &ast::Path,
        negated: bool,
        condition: Expr,
        span: Span,
    ) -> ChangeResult {
        let found = self.locate(path, Wanted::Row);
        let Some(found) = only(path, found)? else {
            return Ok(());
        };
        let Some(row) = found.row else {
            return Ok(());
        };
        if bodies::has_no_effect(negated, &condition) {
            return Err(Box::new(failures::no_effect(span, found.span())));
        }
        let location = bodies::own(&mut self.items, &found.target.location);
        let list = bodies::list(&mut self.items, &location);
        let Some(mut list) = list else {
            return Ok(());
        };
        let Some(conditions) = list.conditions(row) else {
            return Err(Box::new(failures::no_exception(path, &found.target)));
        };
        if !bodies::except(conditions, negated, condition) {
            return Err(Box::new(failures::too_many_exceptions(span, found.span())));
        }
        self.record(written(path), Edit::Excepted, span, found.span());
        Ok(())
    }
}

/// The path of every list of ways to write an event.
const PLAY: &str = "play";

/// The index for rows with `before` or `after`.
fn place_of(target: &Target, place: Option<&ast::Place>) -> Option<usize> {
    let place = place?;
    let places = target.rows_called(&place.label.text);
    if place.before {
        places.first().copied()
    } else {
        places.last().map(|last| last + 1)
    }
}

/// The name of a row, and its span.
fn named(row: &AddedRow) -> (Option<String>, Span) {
    match row {
        AddedRow::Row(row) => (Some(row.label.text.clone()), row.span),
        AddedRow::By(row) => (super::targets::called(row), row.span),
        AddedRow::Member(member) => (Some(member.name.text.clone()), member.span),
    }
}

/// Inserts the `index`th of several rows at `at` plus that, or at the end.
fn insert<T>(list: &mut Vec<T>, at: Option<usize>, index: usize, row: T) {
    match at {
        Some(at) => list.insert(at + index, row),
        None => list.push(row),
    }
}
