//! Places for coverage: the journal counts how often definitions are evaluated, and how far each row gets.

use std::{collections::BTreeMap, sync::atomic::AtomicU64};

use super::Compiler;
use crate::{
    code::{Code, Noted},
    program::{
        Body, Choice, Clause, Definition, Event, Expr, FactId, How, Program, Row, Step,
        question_of, round_of_begin,
    },
    source::Span,
    types::Type,
};

/// A group of rows: a definition, or a clause of a section.
#[derive(Debug)]
pub(crate) struct Counted {
    /// Its path: `tick.late`, `tick.new.level`, `tick.report`.
    pub(crate) path: String,
    pub(crate) span: Span,
    /// Whether its rows are tried in order until one fires.
    pub(crate) ordered: bool,
    /// Whether its rows are matched by columns.
    pub(crate) by: bool,
    /// The place passed when it is evaluated; nothing for clauses, which try all rows.
    pub(crate) evaluated: Option<usize>,
    pub(crate) rows: Vec<CountedRow>,
}

#[derive(Debug)]
pub(crate) struct CountedRow {
    /// Its label; nothing if the definition is a single expression.
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
    /// The place passed when its conditions are evaluated. Each later place is passed if one more of the conditions
    /// holds.
    pub(crate) first: usize,
    /// Its conditions: the span of each.
    pub(crate) conditions: Vec<Span>,
    /// Whether it ranges over something.
    pub(crate) ranges: bool,
    /// The place passed when it fires.
    pub(crate) fired: usize,
}

/// A row to give places to.
struct Planned<'p> {
    label: &'p str,
    span: Span,
    conditions: &'p [Expr],
    ranges: bool,
    /// The value of a yes-or-no row of a table that can be decided by one row: the row fires if it decides the table.
    says: Option<&'p Expr>,
}

/// The places of all rows and definitions.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) plan: Vec<Counted>,
    rows: BTreeMap<Span, usize>,
    definitions: BTreeMap<Span, usize>,
    takes: BTreeMap<Span, usize>,
    /// The number of places.
    pub(super) count: usize,
    /// The facts of rounds that share rows of `begin`: each row is counted in only one of them.
    begins: BTreeMap<Span, FactId>,
    /// The fact that is being compiled.
    current: Option<FactId>,
    /// Whether that belongs to a question of a transcript, which copies rows.
    is_question: bool,
}

impl Ledger {
    /// Gives every row of a program its places.
    pub(super) fn new(program: &Program) -> Ledger {
        let mut ledger = Ledger::default();
        for (index, fact) in program.facts.iter().enumerate() {
            // No run evaluates the outcomes of the seats.
            if question_of(&fact.name).is_none()
                && round_of_begin(&fact.name).is_none()
                && !program.is_outcome(FactId::new(index))
            {
                let path = match fact.owner {
                    Some(event) => format!("{}.{}", program.events[event.index()].name, fact.name),
                    None => fact.name.clone(),
                };
                ledger.definition(path, fact.span, &fact.definition);
            }
        }
        ledger.number_begins(program);
        for given in &program.givens {
            if let Some(default) = &given.default {
                ledger.initial(&given.name, given.span, default);
            }
        }
        for state in &program.states {
            ledger.initial(&state.name, state.span, &state.initial);
        }
        for event in &program.events {
            ledger.event(program, event);
        }
        for policy in &program.policies {
            ledger.choices(policy.name.clone(), policy.span, &policy.rows);
        }
        for transcript in &program.transcripts {
            let name = transcript.name.as_deref().unwrap_or("transcript");
            // A transcript of questions only is not counted.
            if question_of(name).is_none() {
                ledger.steps(name, &transcript.steps);
            }
        }
        ledger.plan.sort_by_key(|counted| {
            let first = counted.rows.first().map(|row| row.span);
            first.unwrap_or(counted.span)
        });
        ledger
    }

    /// A row of `begin` belongs to the facts of all rounds that it begins. It is counted in the one with the fewest
    /// rows, which is evaluated whenever another one is.
    fn number_begins(&mut self, program: &Program) {
        let mut sizes: BTreeMap<Span, usize> = BTreeMap::new();
        for (index, fact) in program.facts.iter().enumerate() {
            let (Some(_), Body::Table(table)) = (round_of_begin(&fact.name), &fact.definition.body)
            else {
                continue;
            };
            for row in &table.rows {
                let size = sizes.entry(row.span).or_insert(usize::MAX);
                if table.rows.len() < *size {
                    *size = table.rows.len();
                    self.begins.insert(row.span, FactId::new(index));
                }
            }
        }
    }

    /// An initial value: the rows of a table. A single expression is evaluated in every game, so it has no place.
    fn initial(&mut self, name: &str, span: Span, definition: &Definition) {
        if !matches!(definition.body, Body::Expression(_)) {
            self.definition(name.to_string(), span, definition);
        }
    }

    fn event(&mut self, program: &Program, event: &Event) {
        for equation in &event.equations {
            let state = &program.states[equation.state.index()].name;
            let path = format!("{}.new.{state}", event.name);
            self.definition(path, equation.span, &equation.definition);
        }
        let begin = event.begin.iter().map(|(_, row)| Planned {
            says: Some(&row.value),
            ..Self::planned(row)
        });
        self.group(format!("{}.begin", event.name), event.span, begin.collect());
        let clauses: [(&str, &Clause); 3] = [
            ("impossible", &event.impossible),
            ("report", &event.report),
            ("report", &event.refused),
        ];
        for (name, clause) in clauses {
            let rows = clause.rows.iter().map(Self::planned).collect();
            self.group(format!("{}.{name}", event.name), event.span, rows);
        }
        self.choices(
            format!("{}.follows", event.name),
            event.span,
            &event.follows,
        );
    }

    fn steps(&mut self, name: &str, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Play(play) => {
                    let rows = play.rows.iter().map(|row| Planned {
                        label: &row.label,
                        span: row.span,
                        conditions: &row.conditions,
                        ranges: false,
                        says: None,
                    });
                    self.taken(format!("{name}.play"), play.span, rows.collect());
                }
                Step::Times { steps, .. } | Step::Until { steps, .. } => self.steps(name, steps),
                Step::Pattern(_) | Step::Start(_) => {}
            }
        }
    }

    fn choices(&mut self, path: String, span: Span, choices: &[Choice]) {
        let rows = choices.iter().map(|row| Planned {
            label: &row.label,
            span: row.span,
            conditions: &row.conditions,
            ranges: !row.bindings.is_empty(),
            says: None,
        });
        self.taken(path, span, rows.collect());
    }

    fn planned(row: &Row) -> Planned<'_> {
        Planned {
            label: &row.label,
            span: row.span,
            conditions: &row.conditions,
            ranges: !row.bindings.is_empty(),
            says: None,
        }
    }

    fn definition(&mut self, path: String, span: Span, definition: &Definition) {
        if self.definitions.contains_key(&definition.span) {
            // A section that belongs to several events was handled with the first.
            return;
        }
        let place = self.next();
        self.definitions.insert(definition.span, place);
        let before = self.plan.len();
        match &definition.body {
            Body::Expression(_) => self.plan.push(Counted {
                path,
                span,
                ordered: false,
                by: false,
                evaluated: Some(place),
                rows: vec![CountedRow {
                    label: None,
                    span: definition.span,
                    first: place,
                    conditions: Vec::new(),
                    ranges: false,
                    fired: place,
                }],
            }),
            Body::Table(table) => {
                let rows = table.rows.iter().map(|row| Planned {
                    says: Some(&row.value).filter(|value| decides(table.how, value)),
                    ..Self::planned(row)
                });
                self.group(path, span, rows.collect());
                if let Some(counted) = self.plan.get_mut(before) {
                    counted.ordered = table.how == How::First;
                }
            }
            Body::By(table) => {
                let rows = table.rows.iter().map(|row| Planned {
                    label: &row.label,
                    span: row.span,
                    conditions: &row.conditions,
                    ranges: false,
                    says: None,
                });
                self.group(path, span, rows.collect());
                if let Some(counted) = self.plan.get_mut(before) {
                    counted.ordered = true;
                    counted.by = true;
                }
            }
        }
        if let Some(counted) = self.plan.get_mut(before) {
            counted.evaluated = Some(place);
        }
    }

    /// Rows that choose events: even if their conditions hold, they may be passed over.
    fn taken(&mut self, path: String, span: Span, rows: Vec<Planned>) {
        let before = self.plan.len();
        self.group(path, span, rows);
        if let Some(counted) = self.plan.get_mut(before) {
            counted.ordered = true;
            for row in &mut counted.rows {
                row.fired = self.count;
                self.count += 1;
                self.takes.insert(row.span, row.fired);
            }
        }
    }

    /// A group of rows, without those already known from the section of another event.
    fn group(&mut self, path: String, span: Span, rows: Vec<Planned>) {
        let mut counted = Vec::new();
        for row in rows {
            let Planned {
                label,
                span,
                conditions,
                ranges,
                says,
            } = row;
            let conditions: Vec<Span> = conditions.iter().chain(says).map(|one| one.span).collect();
            if self.rows.contains_key(&span) {
                continue;
            }
            let first = self.next();
            self.count += conditions.len();
            self.rows.insert(span, first);
            counted.push(CountedRow {
                label: Some(label.to_string()),
                span,
                first,
                ranges,
                fired: first + conditions.len(),
                conditions,
            });
        }
        if !counted.is_empty() {
            self.plan.push(Counted {
                path,
                span,
                ordered: false,
                by: false,
                evaluated: None,
                rows: counted,
            });
        }
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }
}

impl Compiler<'_> {
    /// The conditions of the row at `span`, with its places between them, if it has any.
    pub(super) fn passing_conditions(&self, span: Span, conditions: Box<[Code]>) -> Box<[Code]> {
        let Some(first) = self.place_at(|ledger| &ledger.rows, span) else {
            return conditions;
        };
        let passes = |place: usize| passing(first + place, Code::Constant(1));
        let mut all = vec![passes(0)];
        for (place, condition) in conditions.into_iter().enumerate() {
            all.push(condition);
            all.push(passes(place + 1));
        }
        all.into()
    }

    /// The value of a row of a table, followed by its place, if it has one and the value may decide the table.
    pub(super) fn passing_value(&self, how: How, row: &Row, value: Code) -> Code {
        let Some(first) = self.place_at(|ledger| &ledger.rows, row.span) else {
            return value;
        };
        if !decides(how, &row.value) {
            return value;
        }
        let decided = passing(first + row.conditions.len() + 1, Code::Constant(1));
        match how {
            How::All => Code::Or(Box::new((value, Code::Not(Box::new(decided))))),
            _ => Code::And(Box::new((value, decided))),
        }
    }

    /// The code of a definition, preceded by its place, if it has one.
    pub(super) fn passing(&self, definition: &Definition, code: Code) -> Code {
        match self.place_at(|ledger| &ledger.definitions, definition.span) {
            Some(place) => passing(place, code),
            None => code,
        }
    }

    /// The place passed when the row at `span` is chosen, if it has one.
    pub(super) fn passed_when_taken(&self, span: Span) -> Option<u32> {
        let place = self.place_at(|ledger| &ledger.takes, span)?;
        u32::try_from(place).ok()
    }

    /// Whether there are places.
    pub(super) fn notes_places(&self) -> bool {
        self.ledger.is_some()
    }

    fn place_at(&self, map: fn(&Ledger) -> &BTreeMap<Span, usize>, span: Span) -> Option<usize> {
        let ledger = self.ledger.as_ref()?;
        let other = ledger.begins.get(&span);
        if ledger.is_question || other.is_some_and(|owner| ledger.current != Some(*owner)) {
            return None;
        }
        map(ledger).get(&span).copied()
    }

    /// Enters a fact; returns what was compiled before.
    pub(super) fn enter_fact(&mut self, fact: FactId) -> (Option<FactId>, bool) {
        let program = self.program;
        let Some(ledger) = &mut self.ledger else {
            return (None, false);
        };
        let name = &program.facts[fact.index()].name;
        let is_question = question_of(name).is_some() || program.is_outcome(fact);
        let outer = (ledger.current.replace(fact), ledger.is_question);
        ledger.is_question = is_question;
        outer
    }

    /// Returns to what was compiled before a fact.
    pub(super) fn leave_fact(&mut self, (current, is_question): (Option<FactId>, bool)) {
        if let Some(ledger) = &mut self.ledger {
            ledger.current = current;
            ledger.is_question = is_question;
        }
    }

    /// Allocates the counters of the places.
    pub(super) fn make_places(&mut self) {
        if let Some(ledger) = &self.ledger {
            let places = ledger.count;
            self.compiled.passed.resize_with(places, AtomicU64::default);
        }
    }
}

/// Whether a row's value is yes or no, and one of the two decides its table.
fn decides(how: How, value: &Expr) -> bool {
    matches!(how, How::Any | How::All) && value.ty == Type::YesNo
}

fn passing(place: usize, code: Code) -> Code {
    let place = u32::try_from(place).unwrap_or(u32::MAX);
    Code::Noted(Box::new(Noted::Passed { place, code }))
}
