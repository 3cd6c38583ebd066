//! Checks events: their sections and the facts in them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Checker, Place, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Clause, Decider, Event, EventId, Expr, FactId, Row, StateId},
    resolve::{Entity, OUTCOME, StateItem},
    source::Span,
    syntax::ast::{self, Item, Role},
    types::Type,
};

impl<'t> Checker<'t> {
    /// Collects which states each event changes; every event changes a `just`.
    pub(super) fn find_changes(&mut self) {
        let just: BTreeSet<StateId> = self
            .resolved
            .states
            .iter()
            .enumerate()
            .filter(|(_, state)| matches!(state.item, StateItem::Just(_)))
            .map(|(index, _)| StateId::new(index))
            .collect();
        for index in 1..self.resolved.events.len() {
            self.changes.insert(EventId::new(index), just.clone());
        }
        for item in &self.resolved.file.items {
            let Item::Section(section) = item else {
                continue;
            };
            for name in &section.events {
                let Some(event) = self.resolved.event_names.get(&name.text) else {
                    continue;
                };
                for clause in &section.clauses {
                    let states = match clause {
                        ast::Clause::New(new) => match self.resolved.names.get(&new.name.text) {
                            Some((Entity::State(state), _)) => vec![*state],
                            _ => Vec::new(),
                        },
                        ast::Clause::Begin(rows) => self.begun_by(&rows.rows),
                        _ => Vec::new(),
                    };
                    self.changes.entry(*event).or_default().extend(states);
                }
            }
        }
    }

    /// Whether an event changes a state.
    pub(super) fn changed(&self, event: EventId, state: StateId) -> bool {
        self.changes
            .get(&event)
            .is_some_and(|states| states.contains(&state))
    }

    pub(super) fn events(&mut self) -> Vec<Event> {
        let mut sections: BTreeMap<EventId, Vec<&'t ast::Section>> = BTreeMap::new();
        for item in &self.resolved.file.items {
            let Item::Section(section) = item else {
                continue;
            };
            let named = section.events.iter();
            let named: BTreeSet<EventId> = named
                .filter_map(|name| self.resolved.event_names.get(&name.text).copied())
                .collect();
            for event in named {
                sections.entry(event).or_default().push(section);
            }
        }
        let mut facts: BTreeMap<EventId, Vec<FactId>> = BTreeMap::new();
        for (index, fact) in self.resolved.facts.iter().enumerate() {
            if let Some(owner) = fact.owner {
                facts.entry(owner).or_default().push(FactId::new(index));
            }
        }
        let ids = (0..self.resolved.events.len()).map(EventId::new);
        ids.map(|id| {
            let sections = sections.remove(&id).unwrap_or_default();
            let facts = facts.remove(&id).unwrap_or_default();
            self.event(id, &facts, &sections)
        })
        .collect()
    }

    /// Checks an event with its facts and its sections.
    fn event(&mut self, id: EventId, facts: &[FactId], sections: &[&'t ast::Section]) -> Event {
        let entry = &self.resolved.events[id.index()];
        let (item, name, fields) = (entry.item, entry.name.clone(), entry.fields.clone());
        let fact_named = |checker: &Self, role: Option<Role>, name: Option<&str>| -> Vec<FactId> {
            let wanted = |fact: &FactId| {
                let item = &checker.resolved.facts[fact.index()].item;
                role.is_none_or(|role| item.role == role)
                    && name.is_none_or(|name| item.name.text == name)
            };
            facts.iter().copied().filter(wanted).collect()
        };
        let mut event = Event {
            name,
            fields,
            sights: Vec::new(),
            offered: None,
            by: Decider::Referee,
            guard: None,
            paths: Vec::new(),
            impossible: Clause::default(),
            refuse: fact_named(self, Some(Role::Refuse), None),
            illegal: fact_named(self, Some(Role::Illegal), None),
            over: fact_named(self, None, Some("over")).first().copied(),
            restart: fact_named(self, None, Some("restart")).first().copied(),
            outcome: fact_named(self, None, Some(OUTCOME)).first().copied(),
            equations: Vec::new(),
            begin: Vec::new(),
            report: Clause::default(),
            refused: Clause::default(),
            follows: Vec::new(),
            follows_locals: 0,
            span: item.map_or(Span::default(), |item| item.name.span),
        };
        if let Some(restart) = event.restart.filter(|_| id == EventId::START) {
            let span = self.resolved.facts[restart.index()].item.name.span;
            let message = "at `start`, there is nothing yet that could begin again";
            let help =
                "write it in the section of an event; if the game ends here, write `fact over = …`";
            self.report(Diagnostic::error(Code::NewAtStart, span, message).help(help));
        }
        if id == EventId::START {
            for fact in event.refuse.iter().chain(&event.illegal) {
                let span = self.resolved.facts[fact.index()].item.name.span;
                let message =
                    "at `start`, nobody has done anything yet that could be refused or illegal";
                let help = "if what is given is impossible, say so in a row: `impossible | wrong: \"…\" when …`";
                self.report(Diagnostic::error(Code::NewAtStart, span, message).help(help));
            }
        }
        for reserved in [event.over, event.restart].into_iter().flatten() {
            self.reserved_fact(reserved);
        }
        for fact in event
            .refuse
            .clone()
            .into_iter()
            .chain(event.illegal.clone())
        {
            self.decision_fact(fact);
        }
        if let Some(item) = item {
            for field in &item.fields {
                let scope = Scope::new(Place::Fact);
                self.shadows(&scope, &field.name);
            }
            if let Some(by) = &item.by {
                event.by = self.decider(id, by);
            }
            let sight = |field: &ast::Parameter| {
                let sight = field.sight.as_ref()?;
                let scope = &mut Scope::of_event(id, Place::Sight);
                Some(self.sight(scope, sight, Vec::new()))
            };
            event.sights = item.fields.iter().map(sight).collect();
            event.guard = item.guard.as_ref().map(|guard| self.guard(guard));
        }
        self.sections(id, sections, &mut event);
        event
    }

    fn sections(&mut self, id: EventId, sections: &[&'t ast::Section], event: &mut Event) {
        let mut impossible = Scope::of_event(id, Place::Event);
        let mut begin = Scope::of_event(id, Place::Event);
        let mut report = Scope::of_event(id, Place::Report);
        let mut refused = Scope::of_event(id, Place::Refused);
        let mut follows = Scope::of_event(id, Place::Follows);
        let mut so_far = BTreeMap::new();
        if id == EventId::START {
            report.place = Place::Event;
        }
        for section in sections {
            for clause in &section.clauses {
                match clause {
                    ast::Clause::Fact(_) => {}
                    ast::Clause::Impossible(rows) => {
                        let rows = self.report_rows(&mut impossible, &rows.rows, true);
                        event.impossible.rows.extend(rows);
                    }
                    ast::Clause::New(new) => self.equation(id, new, event, &mut so_far),
                    ast::Clause::Begin(rows) => self.begin(&mut begin, id, rows, event),
                    ast::Clause::Report(clause) if clause.refused => {
                        self.refused_without_refuse(event, clause.span);
                        let rows = self.report_rows(&mut refused, &clause.rows, false);
                        event.refused.rows.extend(rows);
                    }
                    ast::Clause::Report(clause) => {
                        let rows = self.report_rows(&mut report, &clause.rows, false);
                        event.report.rows.extend(rows);
                    }
                    ast::Clause::Follows(rows) => {
                        let rows = self.choices(&mut follows, &rows.rows);
                        event.follows.extend(rows);
                    }
                }
            }
        }
        if let Some(item) = self.resolved.events[id.index()].item {
            // They come last, since the game's own rows may have better messages.
            let (paths, rows) = self.paths(id, item, &mut impossible);
            event.paths = paths;
            for row in rows {
                self.duplicate_path_label(&event.impossible.rows, &row);
                event.impossible.rows.push(row);
            }
        }
        self.begin_again(id, begin.locals(), event);
        event.impossible.locals = impossible.locals();
        event.report.locals = report.locals();
        event.refused.locals = refused.locals();
        event.follows_locals = follows.locals();
        let own = event.impossible.rows.len() - event.paths.len();
        self.labels_over_sections(&event.impossible.rows[..own]);
        self.labels_over_sections(&event.report.rows);
        self.labels_over_sections(&event.refused.rows);
    }

    fn refused_without_refuse(&mut self, event: &Event, span: Span) {
        if event.refuse.is_empty() {
            self.report(
                Diagnostic::error(
                    Code::NothingRefused,
                    span,
                    format!(
                        "no `refuse` fact of `{}` says when it is refused",
                        event.name
                    ),
                )
                .help("write `refuse refused = …`, or `report` without `refused`"),
            );
        }
    }

    /// Reports rows with the same name in different sections of one event.
    fn labels_over_sections(&mut self, rows: &[Row]) {
        let mut known: BTreeMap<&str, Span> = BTreeMap::new();
        for row in rows {
            let first = *known.entry(&row.label).or_insert(row.span);
            if first != row.span {
                let name = &row.label;
                self.report(
                    Diagnostic::error(
                        Code::DuplicateLabel,
                        row.span,
                        format!("two rows are called `{name}`"),
                    )
                    .label(first, "the first")
                    .help("give each row its own name"),
                );
            }
        }
    }

    /// Checks the rows of `impossible` and `report`: texts, or values that are written as text.
    fn report_rows(
        &mut self,
        scope: &mut Scope,
        rows: &'t [ast::Row],
        impossible: bool,
    ) -> Vec<Row> {
        rows.iter()
            .map(|row| {
                if impossible {
                    self.only_in_reports(row);
                }
                self.only_in_first_of(row);
                let before = scope.variables.len();
                let bindings = self.bindings(scope, &row.bindings);
                let conditions = self.conditions_of(scope, &row.conditions);
                let value = self.line(scope, &row.value, impossible);
                let sight = row.sight.as_ref().filter(|_| !impossible);
                let sight = sight.map(|sight| self.sight(scope, sight, Vec::new()));
                let says = self.says(scope, row.conditions.says.as_ref());
                scope.leave(before);
                Row {
                    label: row.label.text.clone(),
                    inline: row.inline,
                    maybe: false,
                    value,
                    bindings,
                    conditions,
                    says,
                    sight,
                    span: row.span,
                }
            })
            .collect()
    }

    /// Checks the text of a row.
    fn line(&mut self, scope: &mut Scope, written: &ast::Expr, impossible: bool) -> Expr {
        if let ast::ExprKind::Text(text) = &written.kind {
            let template = self.template(scope, text, impossible);
            return Expr::new(
                crate::program::ExprKind::Template(template),
                Type::Text,
                written.span,
            );
        }
        let value = self.printed(scope, written);
        if impossible && value.ty == Type::YesNo {
            let text = self.sources.text(written.span);
            let message = format!("`{text}` is yes/no, but a row says a text here");
            self.report(
                Diagnostic::error(Code::WrongType, written.span, message).help(format!(
                    "write what is wrong, then when that is so: `\"…\" when {text}`"
                )),
            );
            return Self::wrong(value.span);
        }
        if value.ty == Type::YesNo {
            let text = self.text(written.span);
            let message = format!("this row says yes or no: `{text}` is no text");
            self.report(
                Diagnostic::warning(Code::BareCondition, written.span, message).help(format!(
                    "write what is to be said, then when: `\"…\" when {text}`"
                )),
            );
        }
        if value.ty.is_optional() {
            self.may_be_none(&value, "a line of a report is a text");
            return Self::wrong(value.span);
        }
        value
    }
}
