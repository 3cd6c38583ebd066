//! The targets of changes: every definition, every list of rows, and the rows in them.

use crate::{
    source::Span,
    syntax::ast::{self, CellKind, Clause, Definition, ExprKind, How, Item, Step},
};

/// The description of an equation.
pub(super) const EQUATION: &str = "an equation";

/// The description of an event's decider.
pub(super) const DECIDER: &str = "who decides";

/// The description of a state's round.
pub(super) const ROUND: &str = "the round of a state";

/// The description of a list of steps.
pub(super) const STEPS: &str = "a transcript";

/// Something that the path of a change can lead to; a path to one of its rows has the row's label after it.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// The path: `put.refused`.
    pub(super) path: String,
    /// Its description, with an article.
    pub(super) what: &'static str,
    /// Its place in the tree.
    pub(super) location: Location,
    /// Its place in the source.
    pub(super) span: Span,
    /// Its rows or members, if it has some.
    pub(super) rows: Option<Vec<Row>>,
    /// Whether the order of its rows matters.
    pub(super) ordered: bool,
}

/// A row or member, with its name.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) label: Option<String>,
    pub(super) span: Span,
}

/// A place in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Location {
    /// An item, by its index.
    Item(usize),
    /// The guard of an event.
    Guard(usize),
    /// The decider of an event.
    By(usize),
    /// The weight of an event that chance decides.
    Weight(usize),
    /// The round of a state.
    Round(usize),
    /// A clause of a section, for one of the section's events.
    Clause {
        item: usize,
        clause: usize,
        event: String,
    },
    /// A part of a record, an axis of a grid, an attribute of a kind or a field of an event.
    Part { item: usize, part: usize },
    /// A `play` in a transcript, by the indices of the steps around it and its own.
    Play { item: usize, steps: Vec<usize> },
    /// The steps of a transcript, or those within a step, by the indices of the steps around them.
    Steps { item: usize, steps: Vec<usize> },
}

impl Target {
    /// The indices of the rows with this name.
    pub(super) fn rows_called(&self, label: &str) -> Vec<usize> {
        let rows = self.rows.iter().flatten().enumerate();
        rows.filter(|(_, row)| row.label.as_deref() == Some(label))
            .map(|(index, _)| index)
            .collect()
    }

    /// How many targets it counts as: itself and its rows.
    pub(super) fn size(&self) -> usize {
        1 + self.rows.as_ref().map_or(0, Vec::len)
    }

    /// The index of the item, if it is a whole item.
    pub(super) fn item(&self) -> Option<usize> {
        match self.location {
            Location::Item(item) => Some(item),
            Location::Guard(_)
            | Location::By(_)
            | Location::Weight(_)
            | Location::Round(_)
            | Location::Clause { .. }
            | Location::Part { .. }
            | Location::Play { .. }
            | Location::Steps { .. } => None,
        }
    }

    /// The names of its rows.
    pub(super) fn labels(&self) -> impl Iterator<Item = &str> {
        let rows = self.rows.iter().flatten();
        rows.filter_map(|row| row.label.as_deref())
    }

    /// Whether it can be removed with its last row.
    pub(super) fn can_be_empty(&self) -> bool {
        let is_clause = matches!(self.location, Location::Clause { .. });
        is_clause && self.what != "a fact" || matches!(self.location, Location::Steps { .. })
    }

    /// Whether it is defined by one value, so that it is replaced after `=`.
    pub(super) fn has_one_value(&self) -> bool {
        let what = [
            "a fact", "a guard", DECIDER, EQUATION, "a weight", "a state",
        ];
        self.rows.is_none() && what.contains(&self.what)
    }

    /// Whether it is a `play` that reads events, rather than choosing them.
    pub(super) fn has_patterns(&self) -> bool {
        matches!(self.location, Location::Play { .. }) && self.labels().next().is_some()
    }

    /// Whether it cannot be removed as a whole.
    pub(super) fn is_fixed(&self) -> bool {
        match &self.location {
            Location::Play { .. } | Location::Part { .. } => true,
            Location::Steps { .. } => self.path == "transcript",
            Location::Item(_)
            | Location::Guard(_)
            | Location::By(_)
            | Location::Weight(_)
            | Location::Round(_)
            | Location::Clause { .. } => false,
        }
    }
}

/// All targets in `items`, in order.
pub(super) fn all(items: &[Item]) -> Vec<Target> {
    let mut targets = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let at = Location::Item(index);
        match item {
            Item::Fact(fact) => {
                targets.push(defined(
                    &fact.name.text,
                    "a fact",
                    at,
                    fact.span,
                    &fact.definition,
                ));
            }
            Item::State(state) => {
                targets.push(defined(
                    &state.name.text,
                    "a state",
                    at,
                    state.span,
                    &state.initial,
                ));
                if let Some(round) = &state.per {
                    let path = format!("{}.per", state.name.text);
                    targets.push(plain(&path, ROUND, Location::Round(index), round.span));
                }
            }
            Item::Round(round) => targets.push(plain(&round.name.text, "a round", at, round.span)),
            Item::Just(just) => targets.push(plain(&just.name.text, "a state", at, just.span)),
            Item::Given(given) => match &given.default {
                Some(default) => {
                    targets.push(defined(
                        &given.name.text,
                        "a given",
                        at,
                        given.span,
                        default,
                    ));
                }
                None => targets.push(plain(&given.name.text, "a given", at, given.span)),
            },
            Item::Option(option) => {
                targets.push(plain(&option.name.text, "an option", at, option.span));
            }
            Item::Kind(kind) => {
                targets.push(of_kind(kind, at));
                let parts = kind.attributes.iter();
                targets.extend(parts_of(&kind.name, parts, "an attribute", index));
            }
            Item::Product(product) => {
                targets.extend(parts_of(&product.name, &product.fields, "a part", index));
            }
            Item::Grid(grid) => {
                let parts = grid.axes.iter().map(|axis| &axis.field);
                targets.extend(parts_of(&grid.name, parts, "an axis", index));
            }
            Item::Policy(policy) => targets.push(of_policy(policy, at)),
            Item::Event(event) => {
                targets.extend(of_guard(event, Location::Guard(index)));
                targets.extend(of_decider(event, index));
                targets.extend(parts_of(&event.name, &event.fields, "a field", index));
            }
            Item::Section(section) => of_section(section, index, &mut targets),
            Item::Transcript(transcript) => {
                let name = transcript.name.as_ref();
                let name = name.map_or("transcript", |name| name.text.as_str());
                steps(
                    name,
                    &transcript.steps,
                    transcript.span,
                    index,
                    &mut Vec::new(),
                    &mut targets,
                );
            }
            Item::Use(_)
            | Item::Alias(_)
            | Item::Write(_)
            | Item::Limit(_)
            | Item::Example(_)
            | Item::Change(_) => {}
        }
    }
    targets
}

/// A target without rows.
fn plain(path: &str, what: &'static str, location: Location, span: Span) -> Target {
    Target {
        path: path.to_string(),
        what,
        location,
        span,
        rows: None,
        ordered: false,
    }
}

/// A target with a definition.
fn defined(
    path: &str,
    what: &'static str,
    location: Location,
    span: Span,
    definition: &Definition,
) -> Target {
    let (rows, ordered) = match definition {
        Definition::Expression(_) => (None, false),
        Definition::Table(table) => (Some(labelled(&table.rows)), table.how == How::First),
        Definition::By(table) => (Some(by_labelled(&table.rows)), true),
    };
    Target {
        rows,
        ordered,
        ..plain(path, what, location, span)
    }
}

fn of_policy(policy: &ast::Policy, location: Location) -> Target {
    Target {
        rows: Some(labelled(&policy.rows)),
        ordered: true,
        ..plain(&policy.name.text, "a policy", location, policy.span)
    }
}

/// The guard of an event, if it has one.
fn of_guard(event: &ast::Event, location: Location) -> Option<Target> {
    let path = format!("{}.guard", event.name.text);
    event.guard.as_ref()?;
    Some(plain(&path, "a guard", location, event.span))
}

/// The decider of an event, and its weight.
fn of_decider(event: &ast::Event, item: usize) -> Vec<Target> {
    let Some(by) = &event.by else {
        return Vec::new();
    };
    let path = format!("{}.by", event.name.text);
    let mut targets = vec![plain(&path, DECIDER, Location::By(item), by.span)];
    if let ast::Decider::Chance(Some(weight)) = &by.decider {
        let path = format!("{path}.weight");
        targets.push(plain(
            &path,
            "a weight",
            Location::Weight(item),
            weight.span,
        ));
    }
    targets
}

fn of_kind(kind: &ast::Kind, location: Location) -> Target {
    let rows = match &kind.members {
        ast::Members::Count(_) => None,
        ast::Members::Listed(members) => {
            let rows = members.iter().map(|member| Row {
                label: Some(member.name.text.clone()),
                span: member.span,
            });
            Some(rows.collect())
        }
    };
    let what = if kind.ring { "a ring" } else { "a kind" };
    Target {
        rows,
        ..plain(&kind.name.text, what, location, kind.span)
    }
}

/// The clauses of a section, once for each of its events.
fn of_section(section: &ast::Section, item: usize, targets: &mut Vec<Target>) {
    for event in &section.events {
        for (index, clause) in section.clauses.iter().enumerate() {
            let location = Location::Clause {
                item,
                clause: index,
                event: event.text.clone(),
            };
            let path = |part: &str| format!("{}.{part}", event.text);
            let listed = |part: &str, what, rows: &[ast::Row], span| Target {
                rows: Some(labelled(rows)),
                ..plain(&path(part), what, location.clone(), span)
            };
            targets.push(match clause {
                Clause::Fact(fact) => {
                    let path = path(&fact.name.text);
                    defined(&path, "a fact", location, fact.span, &fact.definition)
                }
                Clause::Impossible(rows) => {
                    listed("impossible", "a list of rows", &rows.rows, rows.span)
                }
                Clause::New(new) => {
                    let path = path(&format!("new.{}", new.name.text));
                    defined(&path, EQUATION, location, new.span, &new.definition)
                }
                Clause::Begin(rows) => listed("begin", "a list of rows", &rows.rows, rows.span),
                Clause::Report(report) => listed("report", "a report", &report.rows, report.span),
                Clause::Follows(rows) => Target {
                    ordered: true,
                    ..listed("follows", "a list of rows", &rows.rows, rows.span)
                },
            });
        }
    }
}

/// The parts, axes, attributes or fields of the item `of`, which have types.
fn parts_of<'p>(
    of: &ast::Name,
    parts: impl IntoIterator<Item = &'p ast::Parameter>,
    what: &'static str,
    item: usize,
) -> Vec<Target> {
    let target = |(part, one): (usize, &ast::Parameter)| {
        let path = format!("{}.{}", of.text, one.name.text);
        plain(&path, what, Location::Part { item, part }, one.name.span)
    };
    parts.into_iter().enumerate().map(target).collect()
}

/// The steps at `at`, with named steps as its rows, and the plays among them.
fn steps(
    name: &str,
    list: &[Step],
    span: Span,
    item: usize,
    at: &mut Vec<usize>,
    targets: &mut Vec<Target>,
) {
    let rows = list.iter().map(|step| match step {
        Step::Pattern(pattern) => Row {
            label: pattern.label.as_ref().map(|label| label.text.clone()),
            span: pattern.text.span,
        },
        Step::Start(span) => Row {
            label: Some("start".to_string()),
            span: *span,
        },
        Step::Repeat(_) | Step::Play(_) => Row { label: None, span },
    });
    let here = Location::Steps {
        item,
        steps: at.clone(),
    };
    targets.push(Target {
        rows: Some(rows.collect()),
        ordered: true,
        ..plain(name, STEPS, here, span)
    });
    for (index, step) in list.iter().enumerate() {
        at.push(index);
        match step {
            Step::Play(play) => targets.push(Target {
                rows: Some(labelled(&play.rows)),
                ordered: true,
                ..plain(
                    &format!("{name}.play"),
                    "a play",
                    Location::Play {
                        item,
                        steps: at.clone(),
                    },
                    play.span,
                )
            }),
            Step::Repeat(repeat) => steps(name, &repeat.steps, span, item, at, targets),
            Step::Pattern(_) | Step::Start(_) => {}
        }
        at.pop();
    }
}

fn labelled(rows: &[ast::Row]) -> Vec<Row> {
    let rows = rows.iter().map(|row| Row {
        label: Some(row.label.text.clone()),
        span: row.span,
    });
    rows.collect()
}

fn by_labelled(rows: &[ast::ByRow]) -> Vec<Row> {
    let rows = rows.iter().map(|row| Row {
        label: called(row),
        span: row.span,
    });
    rows.collect()
}

/// The name of a row of a `by` table: its label or, if it has none, its first cell if that is one word.
pub(super) fn called(row: &ast::ByRow) -> Option<String> {
    if let Some(label) = &row.label {
        return Some(label.text.clone());
    }
    match &row.cells.first()?.kind {
        CellKind::Any => Some("any".to_string()),
        CellKind::Match {
            negated: false,
            value,
        } => match &value.kind {
            ExprKind::Name(name) => Some(name.text.clone()),
            ExprKind::YesNo(yes) => Some(if *yes { "yes" } else { "no" }.to_string()),
            ExprKind::None => Some("none".to_string()),
            ExprKind::Empty => Some("empty".to_string()),
            _ => None,
        },
        CellKind::Match { negated: true, .. } => None,
    }
}
