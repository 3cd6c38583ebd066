//! The places that the journal notes while a game runs: where each definition is asked, and each row as far as it comes.

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

/// Rows that belong together: a definition, or a section's clause.
#[derive(Debug)]
pub(crate) struct Counted {
    /// Its path: `tick.late`, `tick.new.level`, `tick.report`.
    pub(crate) path: String,
    pub(crate) span: Span,
    /// Whether its rows are asked in order, and no more of them once one has fired.
    pub(crate) ordered: bool,
    /// Whether its rows are matched by columns.
    pub(crate) by: bool,
    /// The place that is passed when it is asked; nothing for clauses, whose rows are all asked.
    pub(crate) asked: Option<usize>,
    pub(crate) rows: Vec<CountedRow>,
}

/// A row.
#[derive(Debug)]
pub(crate) struct CountedRow {
    /// Its label; nothing where a definition is one expression.
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
    /// The place that is passed when its conditions are asked; those after it are passed when each of them holds, and
    /// the ones before it.
    pub(crate) first: usize,
    /// Its conditions: where each stands, and whether it does after `unless`.
    pub(crate) conditions: Vec<Span>,
    /// Whether it goes through something.
    pub(crate) ranges: bool,
    /// The place that is passed when it fires.
    pub(crate) fired: usize,
}

/// A row as the plan needs it.
struct Planned<'p> {
    label: &'p str,
    span: Span,
    conditions: &'p [Expr],
    ranges: bool,
    /// The value of a row that says yes or no in a table that asks for that: it fires if it decides the table.
    says: Option<&'p Expr>,
}

/// Which places belong to what.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) plan: Vec<Counted>,
    rows: BTreeMap<Span, usize>,
    definitions: BTreeMap<Span, usize>,
    takes: BTreeMap<Span, usize>,
    /// How many places there are.
    pub(super) count: usize,
    /// The facts to which rows of `begin` belong: of each, only one notes them.
    begins: BTreeMap<Span, FactId>,
    /// The fact that is being compiled.
    in_hand: Option<FactId>,
    /// Whether that belongs to a question of a transcript, which copies rows.
    is_question: bool,
}

impl Ledger {
    /// Gives every row of a program its places.
    pub(super) fn new(program: &Program) -> Ledger {
        let mut ledger = Ledger::default();
        for (index, fact) in program.facts.iter().enumerate() {
            // No run asks what the seats have.
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
            // A transcript that only asks belongs to questions.
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

    /// A row of `begin` belongs to the facts of all rounds that begin with it. It is noted in the one with the fewest
    /// rows, which asks it whenever another does.
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

    /// What is so at the start: the rows of a table. One expression is asked in every game.
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
            // The section of several events.
            return;
        }
        let asked = self.next();
        self.definitions.insert(definition.span, asked);
        let before = self.plan.len();
        match &definition.body {
            Body::Expression(_) => self.plan.push(Counted {
                path,
                span,
                ordered: false,
                by: false,
                asked: Some(asked),
                rows: vec![CountedRow {
                    label: None,
                    span: definition.span,
                    first: asked,
                    conditions: Vec::new(),
                    ranges: false,
                    fired: asked,
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
            counted.asked = Some(asked);
        }
    }

    /// Rows that name events: where their conditions hold, they may still be passed over.
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

    /// Rows that belong together, without those that are known from the section of another event.
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
                asked: None,
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
    /// The conditions of the row that stands at `span`, and between them the places that are noted, if any are.
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

    /// The value of a row of a table, and behind it the place that is noted, if any is and the value may decide the table.
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

    /// What a definition does, after the place that is noted, if any is.
    pub(super) fn passing(&self, definition: &Definition, code: Code) -> Code {
        match self.place_at(|ledger| &ledger.definitions, definition.span) {
            Some(asked) => passing(asked, code),
            None => code,
        }
    }

    /// The place that is passed where the row at `span` is taken, if that is noted.
    pub(super) fn passed_when_taken(&self, span: Span) -> Option<u32> {
        let place = self.place_at(|ledger| &ledger.takes, span)?;
        u32::try_from(place).ok()
    }

    /// Whether the journal notes places.
    pub(super) fn notes_places(&self) -> bool {
        self.ledger.is_some()
    }

    fn place_at(&self, map: fn(&Ledger) -> &BTreeMap<Span, usize>, span: Span) -> Option<usize> {
        let ledger = self.ledger.as_ref()?;
        let other = ledger.begins.get(&span);
        if ledger.is_question || other.is_some_and(|owner| ledger.in_hand != Some(*owner)) {
            return None;
        }
        map(ledger).get(&span).copied()
    }

    /// Goes on with a fact; gives what was compiled before.
    pub(super) fn enter_fact(&mut self, fact: FactId) -> (Option<FactId>, bool) {
        let program = self.program;
        let Some(ledger) = &mut self.ledger else {
            return (None, false);
        };
        let name = &program.facts[fact.index()].name;
        let is_question = question_of(name).is_some() || program.is_outcome(fact);
        let outer = (ledger.in_hand.replace(fact), ledger.is_question);
        ledger.is_question = is_question;
        outer
    }

    /// Goes back to what was compiled before a fact.
    pub(super) fn leave_fact(&mut self, (in_hand, is_question): (Option<FactId>, bool)) {
        if let Some(ledger) = &mut self.ledger {
            ledger.in_hand = in_hand;
            ledger.is_question = is_question;
        }
    }

    /// Makes room for the places.
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
