//! Small changes to a tree, for mutation testing.

mod apart;
mod expressions;

use std::collections::BTreeMap;

use crate::{
    resolve::OUTCOME,
    source::{SourceId, Span},
    syntax::{
        ast::{
            ByRow, ByTable, CellKind, Clause, Conditions, Definition, Expr, How, Item, Members,
            Row, RuleFile, Step,
        },
        print,
    },
};

/// A possible change.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) span: Span,
    pub(super) path: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// All possible changes in these files.
pub(super) fn all(file: &RuleFile, own: &[SourceId]) -> Vec<Change> {
    let mut changer = Changer::new(file, own, None);
    changer.file(&mut file.clone());
    changer.changes
}

/// The tree with one of the changes that [`all`] lists.
pub(super) fn changed(file: &RuleFile, own: &[SourceId], number: usize) -> RuleFile {
    let mut changed = file.clone();
    Changer::new(file, own, Some(number)).file(&mut changed);
    changed
}

/// Visits a tree, and makes one change or lists all.
struct Changer<'o> {
    own: &'o [SourceId],
    /// For each member that belongs to a single kind: the next member of the kind, cyclically.
    members: BTreeMap<String, String>,
    wanted: Option<usize>,
    /// The number of the next possible change.
    next: usize,
    /// The possible changes, if none is to be made.
    changes: Vec<Change>,
    /// The path of what is being visited.
    path: Vec<String>,
}

impl<'o> Changer<'o> {
    fn new(file: &RuleFile, own: &'o [SourceId], wanted: Option<usize>) -> Changer<'o> {
        let mut members = BTreeMap::new();
        let mut ambiguous = Vec::new();
        for item in &file.items {
            let Item::Kind(kind) = item else { continue };
            let Members::Listed(listed) = &kind.members else {
                continue;
            };
            let after = listed.iter().cycle().skip(1);
            for (member, after) in listed.iter().zip(after) {
                let (name, after) = (member.name.text.clone(), after.name.text.clone());
                if let Some(other) = members.insert(name, after) {
                    ambiguous.push(other);
                    ambiguous.push(member.name.text.clone());
                }
            }
        }
        members.retain(|name, after| name != after && !ambiguous.contains(name));
        Changer {
            own,
            members,
            wanted,
            next: 0,
            changes: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Visits a place that can be changed. Returns whether to change it now.
    fn site(&mut self, span: Span, texts: impl FnOnce() -> (String, String)) -> bool {
        if !self.own.contains(&span.source) {
            return false;
        }
        let number = self.next;
        self.next += 1;
        if self.wanted.is_none() {
            let (before, after) = texts();
            self.changes.push(Change {
                span,
                path: self.path.join("."),
                before,
                after,
            });
        }
        self.wanted == Some(number)
    }

    /// Visits something with this name.
    fn within(&mut self, name: &str, go: impl FnOnce(&mut Self)) {
        self.path.push(name.to_string());
        go(self);
        self.path.pop();
    }

    fn file(&mut self, file: &mut RuleFile) {
        for item in &mut file.items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &mut Item) {
        match item {
            Item::Option(option) => {
                self.within(&option.name.text, |own| own.expr(&mut option.value));
            }
            Item::Kind(kind) => {
                if let Members::Listed(members) = &mut kind.members {
                    for member in members {
                        self.within(&member.name.text, |own| own.exprs(&mut member.values));
                    }
                }
            }
            Item::Product(product) => self.within(&product.name.text, |own| {
                if let Some(condition) = &mut product.condition {
                    own.expr(condition);
                }
            }),
            Item::Given(given) => self.within(&given.name.text, |own| {
                // What chance draws from matters only to a transcript that does not have it.
                if let (Some(default), None) = (&mut given.default, given.drawn) {
                    own.definition(default);
                }
            }),
            Item::State(state) => {
                self.within(&state.name.text, |own| own.definition(&mut state.initial));
            }
            Item::Event(event) => self.within(&event.name.text, |own| {
                for next in event
                    .fields
                    .iter_mut()
                    .filter_map(|field| field.next.as_mut())
                {
                    own.expr(next);
                }
                if let Some(guard) = &mut event.guard {
                    let word = if guard.negated { "unless" } else { "when" };
                    if own.site(guard.condition.span, || left_out(word, &guard.condition)) {
                        event.guard = None;
                    } else {
                        own.expr(&mut guard.condition);
                    }
                }
            }),
            Item::Section(section) => {
                let event = section.events.first().map_or("", |name| &name.text);
                let event = event.to_string();
                self.within(&event, |own| {
                    section.clauses.retain_mut(|clause| {
                        let is_left_out = own.is_left_out(clause);
                        if !is_left_out {
                            own.clause(clause);
                        }
                        !is_left_out
                    });
                });
            }
            // No run evaluates it.
            Item::Fact(fact) if fact.name.text == OUTCOME => {}
            Item::Fact(fact) => {
                self.within(&fact.name.text, |own| own.definition(&mut fact.definition));
            }
            Item::Policy(policy) => {
                self.within(&policy.name.text, |own| own.ordered(&mut policy.rows));
            }
            Item::Transcript(transcript) => {
                let name = transcript.name.as_ref();
                let name = name.map_or("transcript", |name| &name.text).to_string();
                self.within(&name, |own| own.steps(&mut transcript.steps));
            }
            Item::Use(_)
            | Item::Grid(_)
            | Item::Alias(_)
            | Item::Write(_)
            | Item::Just(_)
            | Item::Round(_)
            | Item::Limit(_)
            | Item::Example(_)
            | Item::Change(_) => {}
        }
    }

    /// Whether to leave out an equation.
    fn is_left_out(&mut self, clause: &Clause) -> bool {
        let Clause::New(new) = clause else {
            return false;
        };
        let name = &new.name;
        self.site(name.span, || (format!("new {}", name.text), String::new()))
    }

    fn clause(&mut self, clause: &mut Clause) {
        match clause {
            Clause::Fact(fact) if fact.name.text == OUTCOME => {}
            Clause::Fact(fact) => {
                self.within(&fact.name.text, |own| own.definition(&mut fact.definition));
            }
            Clause::Impossible(rows) => {
                self.within("impossible", |own| own.ordered(&mut rows.rows));
            }
            Clause::New(new) => self.within("new", |own| {
                own.within(&new.name.text, |own| {
                    for key in new.entry.iter_mut().flat_map(|entry| &mut entry.keys) {
                        own.expr(key);
                    }
                    own.definition(&mut new.definition);
                });
            }),
            Clause::Begin(rows) => self.within("begin", |own| {
                rows.rows.iter_mut().for_each(|row| own.row(row));
            }),
            Clause::Report(report) => {
                self.within("report", |own| own.ordered(&mut report.rows));
            }
            Clause::Follows(rows) => self.within("follows", |own| own.ordered(&mut rows.rows)),
        }
    }

    fn steps(&mut self, steps: &mut [Step]) {
        for step in steps {
            match step {
                Step::Pattern(_) | Step::Start(_) => {}
                Step::Repeat(repeat) => self.steps(&mut repeat.steps),
                Step::Play(play) => self.within("play", |own| {
                    own.expr(&mut play.until);
                    if let Some(stop) = &mut play.stop
                        && let Some(when) = &mut stop.when
                    {
                        if own.site(when.span, || left_out("when", when)) {
                            stop.when = None;
                        } else {
                            own.expr(when);
                        }
                    }
                    own.ordered(&mut play.rows);
                }),
            }
        }
    }

    fn definition(&mut self, definition: &mut Definition) {
        match definition {
            Definition::Expression(value) => self.expr(value),
            Definition::Table(table) if table.how == How::First => self.ordered(&mut table.rows),
            Definition::Table(table) => table.rows.iter_mut().for_each(|row| self.row(row)),
            Definition::By(table) => self.by(table),
        }
    }

    /// Swaps rows, if their order matters.
    fn ordered(&mut self, rows: &mut [Row]) {
        for row in rows.iter_mut() {
            self.row(row);
        }
        for place in 1..rows.len() {
            let (one, other) = (&rows[place - 1], &rows[place]);
            if !self.own.contains(&one.span.source) || apart::are_apart(one, other) {
                continue;
            }
            if self.site(other.span, || swapped(&one.label.text, &other.label.text)) {
                rows.swap(place - 1, place);
                return;
            }
        }
    }

    fn row(&mut self, row: &mut Row) {
        let label = row.label.text.clone();
        self.within(&label, |own| {
            own.expr(&mut row.value);
            if let Some(event) = &mut row.event {
                own.expr(event);
            }
            own.bindings(&mut row.bindings);
            own.conditions(&mut row.conditions);
        });
    }

    fn by(&mut self, table: &mut ByTable) {
        self.exprs(&mut table.keys);
        for row in &mut table.rows {
            let label = by_label(row);
            self.within(&label, |own| {
                for cell in &mut row.cells {
                    if let CellKind::Match { value, .. } = &mut cell.kind {
                        own.expr(value);
                    }
                }
                own.expr(&mut row.value);
                own.conditions(&mut row.conditions);
            });
        }
        for place in 1..table.rows.len() {
            let (one, other) = (&table.rows[place - 1], &table.rows[place]);
            if !self.own.contains(&one.span.source) {
                continue;
            }
            if apart::match_apart(one, other) {
                continue;
            }
            if self.site(other.span, || swapped(&by_label(one), &by_label(other))) {
                table.rows.swap(place - 1, place);
                return;
            }
        }
    }

    fn conditions(&mut self, conditions: &mut Conditions) {
        for (word, condition) in [
            ("when", &mut conditions.when),
            ("unless", &mut conditions.unless),
        ] {
            let Some(written) = condition else { continue };
            if self.site(written.span, || left_out(word, written)) {
                *condition = None;
            } else {
                self.expr(written);
            }
        }
    }
}

/// The texts for leaving out a condition.
fn left_out(word: &str, condition: &Expr) -> (String, String) {
    (
        format!("{word} {}", print::expression(condition)),
        String::new(),
    )
}

/// The texts for swapping two rows.
fn swapped(one: &str, other: &str) -> (String, String) {
    (
        format!("row {one} before {other}"),
        format!("row {other} before {one}"),
    )
}

/// The label of a row in a `by` table.
fn by_label(row: &ByRow) -> String {
    match (&row.label, row.cells.first().map(|cell| &cell.kind)) {
        (Some(label), _) => label.text.clone(),
        (None, Some(CellKind::Match { negated, value })) => {
            let not = if *negated { "not " } else { "" };
            format!("{not}{}", print::expression(value))
        }
        (None, Some(CellKind::Any) | None) => "any".to_string(),
    }
}
