//! How a definition, a row or an option came by its present form.

use super::{
    Merged,
    bodies::{self, Body, List},
    failures,
    history::{Edit, lies_in},
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

/// What a path leads to, and how it came to be so.
#[derive(Debug)]
pub(crate) struct Why {
    /// Where it was written, and what changed it, in order.
    pub(crate) origins: Vec<Origin>,
    /// What it is now, if it is still there.
    pub(crate) now: Option<String>,
}

/// Something that was written, or changed.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The path of what was changed: that which was asked about, or one within or around it.
    pub(crate) path: String,
    /// What was done, where it was a change.
    pub(crate) edit: Option<Edit>,
    /// Where that stands.
    pub(crate) span: Span,
}

impl Merged {
    /// How what `path` leads to came by its present form.
    ///
    /// # Errors
    /// It leads to nothing.
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
            .filter(|step| lies_in(&step.path, &text) || lies_in(&text, &step.path));
        let steps: Vec<_> = steps.collect();
        let own = steps.iter().find(|step| lies_in(&text, &step.path));
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

    /// Whether the member that the path `member` leads to has this attribute.
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

    /// The path of the cell that `attribute of member` names, if there is one.
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

    /// All that was found, as it would be written: the sections of a game and of its variants may each have a part.
    fn forms(&self, found: &[Found]) -> Option<String> {
        let forms: Vec<String> = found.iter().filter_map(|one| self.form(one)).collect();
        (!forms.is_empty()).then(|| forms.join("\n"))
    }

    /// What was found, as it would be written.
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
            Body::Next(_) | Body::Other => match location {
                Location::Part { item, part } => {
                    bodies::part(items.get_mut(*item)?, *part).map(|part| print::parameter(part))
                }
                _ => None,
            },
            Body::Members(_) => None,
        }
    }
}
