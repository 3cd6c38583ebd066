//! Kinds and rings: their members and the members' attributes.

use super::{Entity, Memo, Resolver};
use crate::{
    diagnostic::{Code, Diagnostic, numbered},
    source::Span,
    syntax::ast::{self, Members},
    types::{Attribute, Constant, Interval, Kind, KindId},
};

use super::signatures::Bound;

/// The directions on a grid, clockwise; north is towards the first row.
pub(crate) const COMPASS: [&str; 8] = [
    "north",
    "north_east",
    "east",
    "south_east",
    "south",
    "south_west",
    "west",
    "north_west",
];

/// The fact with each seat's outcome.
pub(crate) const OUTCOME: &str = "outcome";

/// Whether a kind is the built-in kind of outcomes.
pub(crate) fn is_own_result(kind: &Kind) -> bool {
    kind.name == RESULTS && kind.span == Span::default()
}

/// The built-in kind of outcomes that are not points, with its members, the worst first.
pub(crate) const RESULTS: &str = "Outcome";
pub(crate) const ALL_RESULTS: [&str; 3] = ["loss", "draw", "win"];

/// How many members a kind may have.
const GREATEST_KIND: i64 = 4096;

impl<'t> Resolver<'t> {
    pub(super) fn declare_kind(&mut self, kind: &'t ast::Kind) {
        let id = KindId::new(self.kinds.len());
        self.bind(&kind.name, Entity::Kind(id));
        self.kinds.push(kind);
        self.kind_ready.push(Memo::Pending);
        let mut members = Vec::new();
        if let Members::Listed(listed) = &kind.members {
            for member in listed {
                self.declare_member(id, kind, member, &mut members);
            }
        }
        self.types.kinds.push(Kind {
            name: kind.name.text.clone(),
            span: kind.name.span,
            ring: kind.ring,
            members,
            count: None,
            numbered: matches!(kind.members, Members::Count(_)),
            attributes: Vec::new(),
        });
    }

    fn declare_member(
        &mut self,
        id: KindId,
        kind: &'t ast::Kind,
        member: &'t ast::Member,
        members: &mut Vec<String>,
    ) {
        let known = self.members.get(&member.name.text);
        if known.is_some_and(|known| known.iter().any(|(kind, _)| *kind == id)) {
            let first = match &kind.members {
                Members::Listed(listed) => listed
                    .iter()
                    .find(|other| other.name.text == member.name.text)
                    .map_or(member.span, |other| other.name.span),
                Members::Count(_) => member.span,
            };
            self.duplicate(&member.name, first);
            return;
        }
        let place = u32::try_from(members.len()).unwrap_or(u32::MAX);
        members.push(member.name.text.clone());
        self.members
            .entry(member.name.text.clone())
            .or_default()
            .push((id, place));
    }

    /// Declares the ring of the eight directions, for games with a grid.
    pub(super) fn declare_compass(&mut self) {
        self.declare_own("Compass", &COMPASS, true);
    }

    /// Declares the kind of outcomes, for games that have them.
    pub(super) fn declare_results(&mut self) {
        self.declare_own(RESULTS, &ALL_RESULTS, false);
    }

    /// Declares a built-in kind.
    fn declare_own(&mut self, name: &str, members: &[&str], ring: bool) {
        let id = KindId::new(self.types.kinds.len());
        self.names
            .insert(name.into(), (Entity::Kind(id), Span::default()));
        for (place, name) in members.iter().enumerate() {
            let place = u32::try_from(place).unwrap_or(u32::MAX);
            self.members
                .entry((*name).to_string())
                .or_default()
                .push((id, place));
        }
        let members = members.iter().map(|member| (*member).to_string());
        self.types.kinds.push(Kind {
            name: name.into(),
            span: Span::default(),
            ring,
            members: members.collect(),
            count: None,
            numbered: false,
            attributes: Vec::new(),
        });
    }

    /// Computes how many members a numbered ring has.
    pub(super) fn kind_members(&mut self, id: KindId) {
        let Some(memo) = self.kind_ready.get(id.index()) else {
            return;
        };
        let item = self.kinds[id.index()];
        match memo {
            Memo::Known(()) | Memo::Wrong => return,
            Memo::InProgress => {
                self.cyclic(&item.name);
                return;
            }
            Memo::Pending => {}
        }
        self.kind_ready[id.index()] = Memo::InProgress;
        if let Members::Count(count) = &item.members {
            let (number, given) = match self.bound(count) {
                Some(bound) if bound.places() > 0 => {
                    self.report(Diagnostic::error(
                        Code::WrongType,
                        count.span,
                        "a ring has a whole number of members",
                    ));
                    (1, None)
                }
                Some(Bound::Fixed(number)) => (number.lo, None),
                Some(Bound::Given(given, Interval { hi, .. })) => (hi, Some(given)),
                None => (1, None),
            };
            if !(1..=GREATEST_KIND).contains(&number) {
                self.report(
                    Diagnostic::error(
                        Code::TooLarge,
                        count.span,
                        format!("a kind cannot have {number} members"),
                    )
                    .help(format!("write a number from 1 to {GREATEST_KIND}")),
                );
            }
            let number = number.clamp(1, GREATEST_KIND);
            let kind = &mut self.types.kinds[id.index()];
            kind.members = (1..=number).map(|place| place.to_string()).collect();
            kind.count = given;
        }
        self.kind_ready[id.index()] = Memo::Known(());
    }

    /// Fills the table of a kind's attributes.
    pub(super) fn kind_attributes(&mut self, id: KindId) {
        let item = self.kinds[id.index()];
        let mut attributes: Vec<Attribute> = Vec::new();
        for parameter in &item.attributes {
            if attributes
                .iter()
                .any(|attribute| attribute.name == parameter.name.text)
            {
                self.duplicate(&parameter.name, item.attributes[0].name.span);
            }
            let ty = self.ty(&parameter.ty);
            attributes.push(Attribute {
                name: parameter.name.text.clone(),
                ty,
                values: Vec::new(),
            });
        }
        if let Members::Listed(members) = &item.members {
            for member in members {
                self.member_attributes(item, member, &mut attributes);
            }
        }
        self.types.kinds[id.index()].attributes = attributes;
    }

    fn member_attributes(
        &mut self,
        kind: &'t ast::Kind,
        member: &'t ast::Member,
        attributes: &mut [Attribute],
    ) {
        let (wanted, found) = (attributes.len(), member.values.len());
        if wanted != found {
            let message = format!(
                "`{}` has {}, and {} has {}",
                member.name.text,
                numbered(found, "value"),
                kind.name.text,
                numbered(wanted, "attribute"),
            );
            let diagnostic = Diagnostic::error(Code::AttributeCount, member.span, message);
            self.report(if found > wanted {
                let first = member
                    .values
                    .get(wanted)
                    .map_or(member.span, |value| value.span);
                diagnostic
                    .label(first, "one too many")
                    .help(if wanted == 0 && found == 1 {
                        format!(
                            "declare the attribute, `kind {} (value: number) | …`; or did a member lose its bar?",
                            kind.name.text
                        )
                    } else {
                        "did a member lose its bar? Write `|` before each member".to_owned()
                    })
            } else {
                diagnostic.help(format!(
                    "write a value for each of {}",
                    attributes
                        .iter()
                        .map(|attribute| format!("`{}`", attribute.name))
                        .collect::<Vec<_>>()
                        .join(", ")
                ))
            });
            return;
        }
        for (attribute, value) in attributes.iter_mut().zip(&member.values) {
            let ty = attribute.ty.clone();
            let constant = self
                .constant(value, Some(&ty))
                .and_then(|constant| self.constant_of(constant, &ty, value.span));
            attribute.values.push(constant.unwrap_or(Constant::None));
        }
    }
}
