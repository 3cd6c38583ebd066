//! What the paths of changes lead to: every definition, every list of rows, and the rows in them.

use crate::{
    source::Span,
    syntax::ast::{self, CellKind, Clause, Definition, ExprKind, How, Item, Step},
};

/// What the equations of a state are called.
pub(super) const EQUATION: &str = "an equation";

/// Something that a path without a row leads to.
#[derive(Debug, Clone)]
pub(super) struct Aim {
    /// The path: `put.refused`.
    pub(super) path: String,
    /// What it is, with an article.
    pub(super) what: &'static str,
    /// Where in the tree it stands.
    pub(super) seat: Seat,
    /// Where in the text it stands.
    pub(super) span: Span,
    /// Its rows or members, where it has some.
    pub(super) rows: Option<Vec<Row>>,
    /// Whether the order of its rows decides.
    pub(super) ordered: bool,
}

/// A row or member, by its name.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) label: Option<String>,
    pub(super) span: Span,
}

/// Where in a tree something stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seat {
    /// An item of its own.
    Item(usize),
    /// The guard of an event.
    Guard(usize),
    /// A clause of a section, as far as it belongs to one event.
    Clause {
        item: usize,
        clause: usize,
        event: String,
    },
    /// A `play` in a transcript: the step to it, and the steps within that.
    Play { item: usize, steps: Vec<usize> },
}

impl Aim {
    /// The places of the rows with this name.
    pub(super) fn rows_called(&self, label: &str) -> Vec<usize> {
        let rows = self.rows.iter().flatten().enumerate();
        rows.filter(|(_, row)| row.label.as_deref() == Some(label))
            .map(|(index, _)| index)
            .collect()
    }

    /// The item that it is, if it is a whole one.
    pub(super) fn item(&self) -> Option<usize> {
        match self.seat {
            Seat::Item(item) => Some(item),
            Seat::Guard(_) | Seat::Clause { .. } | Seat::Play { .. } => None,
        }
    }

    /// The names of its rows.
    pub(super) fn labels(&self) -> impl Iterator<Item = &str> {
        let rows = self.rows.iter().flatten();
        rows.filter_map(|row| row.label.as_deref())
    }
}

/// Everything in `items` that a path can lead to, in their order.
pub(super) fn all(items: &[Item]) -> Vec<Aim> {
    let mut aims = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let at = Seat::Item(index);
        match item {
            Item::Fact(fact) => {
                aims.push(defined(
                    &fact.name.text,
                    "a fact",
                    at,
                    fact.span,
                    &fact.definition,
                ));
            }
            Item::State(state) => {
                aims.push(defined(
                    &state.name.text,
                    "a state",
                    at,
                    state.span,
                    &state.initial,
                ));
            }
            Item::Just(just) => aims.push(plain(&just.name.text, "a state", at, just.span)),
            Item::Given(given) => match &given.default {
                Some(default) => {
                    aims.push(defined(
                        &given.name.text,
                        "a given",
                        at,
                        given.span,
                        default,
                    ));
                }
                None => aims.push(plain(&given.name.text, "a given", at, given.span)),
            },
            Item::Option(option) => {
                aims.push(plain(&option.name.text, "an option", at, option.span));
            }
            Item::Kind(kind) => aims.push(of_kind(kind, at)),
            Item::Policy(policy) => aims.push(of_policy(policy, at)),
            Item::Event(event) => aims.extend(of_guard(event, Seat::Guard(index))),
            Item::Section(section) => of_section(section, index, &mut aims),
            Item::Transcript(transcript) => {
                let name = transcript.name.as_ref();
                let name = name.map_or("transcript", |name| name.text.as_str());
                plays(name, &transcript.steps, index, &mut Vec::new(), &mut aims);
            }
            Item::Use(_)
            | Item::Product(_)
            | Item::Grid(_)
            | Item::Alias(_)
            | Item::Write(_)
            | Item::Limit(_)
            | Item::Example(_)
            | Item::Change(_) => {}
        }
    }
    aims
}

/// An aim without rows.
fn plain(path: &str, what: &'static str, seat: Seat, span: Span) -> Aim {
    Aim {
        path: path.to_string(),
        what,
        seat,
        span,
        rows: None,
        ordered: false,
    }
}

/// An aim with a definition.
fn defined(path: &str, what: &'static str, seat: Seat, span: Span, definition: &Definition) -> Aim {
    let (rows, ordered) = match definition {
        Definition::Expression(_) => (None, false),
        Definition::Table(table) => (Some(labelled(&table.rows)), table.how == How::First),
        Definition::By(table) => (Some(by_labelled(&table.rows)), true),
    };
    Aim {
        rows,
        ordered,
        ..plain(path, what, seat, span)
    }
}

fn of_policy(policy: &ast::Policy, seat: Seat) -> Aim {
    Aim {
        rows: Some(labelled(&policy.rows)),
        ordered: true,
        ..plain(&policy.name.text, "a policy", seat, policy.span)
    }
}

/// The guard of an event, if it has one.
fn of_guard(event: &ast::Event, seat: Seat) -> Option<Aim> {
    let path = format!("{}.guard", event.name.text);
    event.guard.as_ref()?;
    Some(plain(&path, "a guard", seat, event.span))
}

fn of_kind(kind: &ast::Kind, seat: Seat) -> Aim {
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
    Aim {
        rows,
        ..plain(&kind.name.text, what, seat, kind.span)
    }
}

/// The clauses of a section, once for each of its events.
fn of_section(section: &ast::Section, item: usize, aims: &mut Vec<Aim>) {
    for event in &section.events {
        for (index, clause) in section.clauses.iter().enumerate() {
            let seat = Seat::Clause {
                item,
                clause: index,
                event: event.text.clone(),
            };
            let path = |part: &str| format!("{}.{part}", event.text);
            let listed = |part: &str, what, rows: &[ast::Row], span| Aim {
                rows: Some(labelled(rows)),
                ..plain(&path(part), what, seat.clone(), span)
            };
            aims.push(match clause {
                Clause::Fact(fact) => {
                    let path = path(&fact.name.text);
                    defined(&path, "a fact", seat, fact.span, &fact.definition)
                }
                Clause::Impossible(rows) => {
                    listed("impossible", "a list of rows", &rows.rows, rows.span)
                }
                Clause::New(new) => {
                    let path = path(&format!("new.{}", new.name.text));
                    defined(&path, EQUATION, seat, new.span, &new.definition)
                }
                Clause::Report(report) => listed("report", "a report", &report.rows, report.span),
                Clause::Follows(rows) => Aim {
                    ordered: true,
                    ..listed("follows", "a list of rows", &rows.rows, rows.span)
                },
            });
        }
    }
}

/// The plays among `steps`, which stand at `at`.
fn plays(name: &str, steps: &[Step], item: usize, at: &mut Vec<usize>, aims: &mut Vec<Aim>) {
    for (index, step) in steps.iter().enumerate() {
        at.push(index);
        match step {
            Step::Play(play) => aims.push(Aim {
                rows: Some(labelled(&play.rows)),
                ordered: true,
                ..plain(
                    &format!("{name}.play"),
                    "a play",
                    Seat::Play {
                        item,
                        steps: at.clone(),
                    },
                    play.span,
                )
            }),
            Step::Repeat(repeat) => plays(name, &repeat.steps, item, at, aims),
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

/// What a row of a `by` table is called: its label or, where it has none, its first cell if that is one word.
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
