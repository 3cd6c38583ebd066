//! The origin of a definition, a row or an option: where it was written, and what changed it.

use super::{
    Merged,
    bodies::{self, Body, List},
    failures,
    history::{Edit, is_within},
    locate::{self, Found, Wanted, written},
    targets::{self, Location, Target},
};
use crate::{
    diagnostic::Diagnostic,
    source::Span,
    syntax::{
        ast::{self, Item, Members},
        print,
    },
};

/// The origins of the target of a path.
#[derive(Debug)]
pub(crate) struct Why {
    /// The places where it was written and changed, in order.
    pub(crate) origins: Vec<Origin>,
    /// Its present form, if it still exists.
    pub(crate) now: Option<String>,
}

/// A place where something was written or changed.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The path of what was changed: the path in question, or one within or around it.
    pub(crate) path: String,
    /// The change; none for the first definition.
    pub(crate) edit: Option<Edit>,
    /// Its place in the source.
    pub(crate) span: Span,
}

impl Merged {
    /// The origins of the target of `path`.
    ///
    /// # Errors
    /// The path has no target.
    pub(crate) fn why(&self, path: &ast::Path) -> Result<Why, Box<Diagnostic>> {
        let text = written(path);
        let targets = targets::all(&self.file.items);
        let mut found = locate::matching(&targets, &text, Wanted::Either);
        let cell = text.rsplit_once('.').filter(|_| found.is_empty());
        if let Some((member, attribute)) = cell
            && self.has_cell(member, attribute)
        {
            found = locate::matching(&targets, member, Wanted::Row);
        }
        let steps = self
            .history
            .steps
            .iter()
            .filter(|step| is_within(&step.path, &text) || is_within(&text, &step.path));
        let steps: Vec<_> = steps.collect();
        let own = steps.iter().find(|step| is_within(&text, &step.path));
        let mut origins = Vec::new();
        match own {
            Some(step) if step.edit == Edit::Added => {}
            Some(step) => origins.push((step.path.clone(), step.before)),
            None if found.is_empty() => {
                return Err(Box::new(failures::unknown_target(
                    path,
                    Wanted::Either,
                    &targets,
                )));
            }
            None => origins.extend(found.iter().map(|one| (text.clone(), one.span()))),
        }
        let written = origins.into_iter().map(|(path, span)| Origin {
            path,
            edit: None,
            span,
        });
        let changed = steps.iter().map(|step| Origin {
            path: step.path.clone(),
            edit: Some(step.edit),
            span: step.span,
        });
        Ok(Why {
            origins: written.chain(changed).collect(),
            now: self.forms(&found),
        })
    }

    /// Whether the member at the path `member` has this attribute.
    fn has_cell(&self, member: &str, attribute: &str) -> bool {
        let Some((kind, member)) = member.split_once('.') else {
            return false;
        };
        self.file.items.iter().any(|item| match item {
            Item::Kind(item) => {
                let has =
                    |members: &[ast::Member]| members.iter().any(|one| one.name.text == member);
                item.name.text == kind
                    && matches!(&item.members, Members::Listed(members) if has(members))
                    && item.attributes.iter().any(|one| one.name.text == attribute)
            }
            _ => false,
        })
    }

    /// The path to the value of `attribute of member`, if it exists.
    pub(crate) fn cell(&self, attribute: &str, member: &str) -> Option<String> {
        self.file.items.iter().find_map(|item| match item {
            Item::Kind(kind) => {
                let path = format!("{}.{member}", kind.name.text);
                self.has_cell(&path, attribute)
                    .then(|| format!("{path}.{attribute}"))
            }
            _ => None,
        })
    }

    /// The printed forms of everything found. The sections of a game and of its variants may each have a part.
    fn forms(&self, found: &[Found]) -> Option<String> {
        let forms: Vec<String> = found.iter().filter_map(|one| self.form(one)).collect();
        (!forms.is_empty()).then(|| forms.join("\n"))
    }

    /// The printed form of a target.
    fn form(&self, found: &Found) -> Option<String> {
        let mut items = self.file.items.clone();
        let Target { location, .. } = &found.target;
        if let Some(row) = found.row {
            return Some(match bodies::list(&mut items, location)? {
                List::Rows(rows) => print::row(rows.get(row)?),
                List::By(rows) => print::by_row(rows.get(row)?),
                List::Members(members) => print::member(members.get(row)?),
                List::Steps(steps) => print::step(steps.get(row)?),
            });
        }
        if let Some(item) = found.target.item() {
            return Some(print::item(items.get(item)?));
        }
        if let Location::Clause { item, clause, .. } = location
            && let Item::Section(section) = items.get(*item)?
        {
            return section.clauses.get(*clause).map(print::clause);
        }
        match bodies::body(&mut items, location) {
            Body::Definition(definition) => Some(print::definition(definition)),
            Body::Guard(guard) => Some(print::expression(&guard.as_ref()?.condition)),
            Body::By(by) => Some(print::decider(by)),
            Body::Weight(weight) => Some(print::expression(weight)),
            Body::Round(round) => Some(round.text.clone()),
            Body::Rows(rows) => {
                let rows: Vec<String> = rows.iter().map(print::row).collect();
                Some(rows.join("\n"))
            }
            Body::Steps(steps) => {
                let steps: Vec<String> = steps.iter().map(print::step).collect();
                Some(steps.join("\n"))
            }
            Body::Next(_) | Body::Drawn(_) | Body::Other => match location {
                Location::Part { item, part } => {
                    bodies::part(items.get_mut(*item)?, *part).map(|part| print::parameter(part))
                }
                _ => None,
            },
            Body::Members(_) => None,
        }
    }
}
