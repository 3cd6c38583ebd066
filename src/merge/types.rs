//! Changes of options, attributes, types, written forms and the limit.

use super::{
    Merging, bodies, failures, forms,
    history::{ChangeResult, Edit},
    locate::{Wanted, matching, only, written},
    targets::Location,
};
use crate::{
    source::Span,
    syntax::ast::{self, AddedRow, Clause, Expr, Item, Product, Type},
};

impl Merging<'_> {
    /// Applies `set option = v`.
    pub(super) fn set_option(&mut self, name: &ast::Name, value: Expr, span: Span) -> ChangeResult {
        let found = self.items.iter_mut().find_map(|item| match item {
            Item::Option(option) if option.name.text == name.text => Some(option),
            _ => None,
        });
        let Some(option) = found else {
            return Err(Box::new(failures::unknown_option(name, &self.targets())));
        };
        let before = option.span;
        if forms::same(&option.value, &value) {
            return self.unchanged(&name.text, span, before);
        }
        option.value = value;
        self.record(name.text.clone(), Edit::Set, span, before);
        Ok(())
    }

    /// Applies `set attribute of Member = v`.
    pub(super) fn set_attribute(
        &mut self,
        name: &ast::Name,
        member: &ast::Name,
        value: Expr,
        span: Span,
    ) -> ChangeResult {
        if !forms::is_attribute(&value) {
            return Err(Box::new(failures::no_attribute_form(value.span)));
        }
        let found = bodies::cells(&mut self.items, &name.text, &member.text);
        let (path, cell, before) = match <[_; 1]>::try_from(found) {
            Ok([only]) => only,
            Err(found) if found.is_empty() => {
                let failure = failures::unknown_attribute(name, member, &self.items);
                return Err(Box::new(failure));
            }
            Err(found) => {
                let paths = found.iter().map(|(path, ..)| path.as_str());
                return Err(Box::new(failures::ambiguous_attribute(span, paths)));
            }
        };
        if forms::same(cell, &value) {
            return self.unchanged(&path, span, before);
        }
        *cell = value;
        self.record(path, Edit::Set, span, before);
        Ok(())
    }

    /// Applies `replace type Name = T`.
    pub(super) fn replace_type(&mut self, name: &ast::Name, ty: Type, span: Span) -> ChangeResult {
        let found = self.items.iter_mut().find_map(|item| match item {
            Item::Alias(alias) if alias.name.text == name.text => Some(alias),
            _ => None,
        });
        let Some(alias) = found else {
            let failure = failures::unknown_type(name, &self.items, &self.targets());
            return Err(Box::new(failure));
        };
        let before = alias.name.span;
        let same = forms::same_type(&alias.ty, &ty);
        alias.ty = ty;
        self.record_change(&name.text, Edit::Replaced, same, span, before)
    }

    /// Applies `replace type Name(…) where …`.
    pub(super) fn replace_product(&mut self, product: Product, span: Span) -> ChangeResult {
        let found = self.items.iter_mut().find_map(|item| match item {
            Item::Product(one) if one.name.text == product.name.text => Some(one),
            _ => None,
        });
        let Some(found) = found else {
            let failure = failures::no_product(&product.name, &self.items);
            return Err(Box::new(failure));
        };
        let before = found.name.span;
        let same = forms::same_product(found, &product);
        let path = product.name.text.clone();
        *found = product;
        self.record_change(&path, Edit::Replaced, same, span, before)
    }

    /// Applies `replace path: T`, `replace path: T per round`, `replace path: T seen by seat`.
    pub(super) fn retype(
        &mut self,
        path: &ast::Path,
        ty: Type,
        (per, sight): (Option<ast::Name>, Option<ast::Sight>),
        wraps: bool,
        span: Span,
    ) -> ChangeResult {
        let aliases = |item: &Item| matches!((item, path.parts.as_slice()), (Item::Alias(alias), [only]) if alias.name.text == only.text);
        if self.items.iter().any(aliases) {
            return Err(Box::new(failures::named_type(path, Some(&ty))));
        }
        let found = self.locate(path, Wanted::Whole);
        let Some(found) = only(path, found)? else {
            return Ok(());
        };
        let location = bodies::own(&mut self.items, &found.target.location);
        let mut same_rest = true;
        if let Some(per) = per {
            let Some(before) = round_of(&mut self.items, &location) else {
                return Err(Box::new(failures::no_round(&per, &found.target)));
            };
            let is_same = |before: &ast::Name| before.text == per.text;
            same_rest = before.as_ref().is_some_and(is_same);
            *before = Some(per);
        }
        if let Some(sight) = sight {
            let Some(before) = sight_of(&mut self.items, &location) else {
                return Err(Box::new(failures::no_sight(&sight, &found.target)));
            };
            same_rest &= before
                .as_ref()
                .is_some_and(|before| forms::same_sight(before, &sight));
            *before = Some(sight);
        }
        if wraps {
            let Some(axis) = axis(&mut self.items, &location) else {
                return Err(Box::new(failures::no_axis(path, &found.target)));
            };
            same_rest &= axis.wraps;
            axis.wraps = true;
        }
        let same = match place(&mut self.items, &location) {
            Some(Place::Written(before)) => {
                let same = forms::same_type(before, &ty);
                *before = ty;
                same
            }
            Some(Place::Optional(before)) => {
                let same = before
                    .as_ref()
                    .is_some_and(|before| forms::same_type(before, &ty));
                *before = Some(ty);
                same
            }
            None => return Err(Box::new(failures::no_type(path, &found.target, &ty))),
        };
        let text = written(path);
        let same = same && same_rest;
        self.record_change(&text, Edit::Retyped, same, span, found.target.span)
    }

    /// The type, if what was parsed as a row is one: no row has this name, but something with a type does.
    pub(super) fn as_type(&self, path: &ast::Path, row: &AddedRow) -> Option<Type> {
        let targets = self.targets();
        let text = written(path);
        if !matching(&targets, &text, Wanted::Row).is_empty() {
            return None;
        }
        let AddedRow::Row(row) = row else {
            return None;
        };
        forms::bare(row).and_then(forms::as_type)
    }

    /// Applies `replace write Name as e`.
    pub(super) fn replace_write(
        &mut self,
        name: &ast::Name,
        form: Expr,
        span: Span,
    ) -> ChangeResult {
        let found = self.items.iter_mut().find_map(|item| match item {
            Item::Write(write) if write.ty.text == name.text => Some(write),
            _ => None,
        });
        let Some(write) = found else {
            return Err(Box::new(failures::no_write(name, &form, &self.items)));
        };
        let before = write.span;
        let same = forms::same(&write.form, &form);
        write.form = form;
        let path = format!("write {}", name.text);
        self.record_change(&path, Edit::Replaced, same, span, before)
    }

    /// Applies `replace limit n`.
    pub(super) fn replace_limit(&mut self, events: i64, span: Span) -> ChangeResult {
        let found = self.items.iter_mut().find_map(|item| match item {
            Item::Limit(limit) => Some(limit),
            _ => None,
        });
        let Some(limit) = found else {
            return Err(Box::new(failures::no_limit(span, events)));
        };
        let before = limit.span;
        let same = limit.events == events;
        limit.events = events;
        self.record_change("limit", Edit::Replaced, same, span, before)
    }

    /// Records a change; an error if it changed nothing.
    fn record_change(
        &mut self,
        path: &str,
        edit: Edit,
        same: bool,
        span: Span,
        before: Span,
    ) -> ChangeResult {
        if same {
            return self.unchanged(path, span, before);
        }
        self.record(path.to_string(), edit, span, before);
        Ok(())
    }
}

/// The round of the state at `location`.
fn round_of<'a>(items: &'a mut [Item], location: &Location) -> Option<&'a mut Option<ast::Name>> {
    match location {
        Location::Item(item) => match &mut items[*item] {
            Item::State(state) => Some(&mut state.per),
            _ => None,
        },
        _ => None,
    }
}

/// Who sees what is at `location`, if it can be hidden.
fn sight_of<'a>(items: &'a mut [Item], location: &Location) -> Option<&'a mut Option<ast::Sight>> {
    match location {
        Location::Item(item) => match &mut items[*item] {
            Item::State(state) => Some(&mut state.sight),
            Item::Given(given) => Some(&mut given.sight),
            _ => None,
        },
        Location::Part { item, part } => match &mut items[*item] {
            event @ Item::Event(_) => bodies::part(event, *part).map(|field| &mut field.sight),
            _ => None,
        },
        _ => None,
    }
}

/// An axis of a grid.
fn axis<'a>(items: &'a mut [Item], location: &Location) -> Option<&'a mut ast::Axis> {
    match location {
        Location::Part { item, part } => match &mut items[*item] {
            Item::Grid(grid) => grid.axes.get_mut(*part),
            _ => None,
        },
        _ => None,
    }
}

/// A type in the tree.
enum Place<'a> {
    /// A type that cannot be left out.
    Written(&'a mut Type),
    /// A type that can be left out.
    Optional(&'a mut Option<Type>),
}

/// The type of what is at `location`.
fn place<'a>(items: &'a mut [Item], location: &Location) -> Option<Place<'a>> {
    match location {
        Location::Item(item) => match &mut items[*item] {
            Item::Fact(fact) => Some(Place::Optional(&mut fact.ty)),
            Item::State(state) => Some(Place::Written(&mut state.ty)),
            Item::Given(given) => Some(Place::Written(&mut given.ty)),
            Item::Option(option) => Some(Place::Written(&mut option.ty)),
            _ => None,
        },
        Location::Part { item, part } => {
            let part = bodies::part(&mut items[*item], *part)?;
            Some(Place::Written(&mut part.ty))
        }
        Location::Clause { item, clause, .. } => match &mut items[*item] {
            Item::Section(section) => match &mut section.clauses[*clause] {
                Clause::Fact(fact) => Some(Place::Optional(&mut fact.ty)),
                _ => None,
            },
            _ => None,
        },
        Location::Guard(_)
        | Location::By(_)
        | Location::Weight(_)
        | Location::Round(_)
        | Location::Play { .. }
        | Location::Steps { .. } => None,
    }
}
