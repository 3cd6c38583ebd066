//! What an event works out in any case: worked out first and in its place, it need not be looked up where it is asked.

use super::{known::Known, texts::is_said};
use crate::code::{Code, Compiled, Event, Row, Text, Written};

/// What is surely asked, each after what it asks for itself.
#[derive(Debug)]
pub(super) struct Sure<'c> {
    compiled: &'c Compiled,
    event: &'c Event,
    found: Vec<Known>,
}

impl<'c> Sure<'c> {
    pub(super) fn new(compiled: &'c Compiled, event: &'c Event) -> Sure<'c> {
        Sure {
            compiled,
            event,
            found: Vec::new(),
        }
    }

    /// What is asked before an event is refused or not.
    pub(super) fn before(mut self) -> Vec<Known> {
        if let Some(refuse) = self.event.refuse.first() {
            self.code(&refuse.fires);
        }
        self.found
    }

    /// What is asked in an event that is not refused.
    pub(super) fn after(mut self) -> Vec<Known> {
        let event = self.event;
        for refuse in &event.refuse {
            self.code(&refuse.fires);
        }
        for condition in event.over.iter().chain(&event.restart) {
            self.code(condition);
        }
        for state in &event.changes {
            self.ask(Known::New(*state));
        }
        for row in &event.report {
            if row.bindings.is_empty() {
                match row.conditions.first() {
                    Some(condition) => self.code(condition),
                    None => self.text(&row.text),
                }
            }
        }
        self.found
    }

    /// Asks for something, and first for what it surely asks for.
    fn ask(&mut self, known: Known) {
        if self.found.contains(&known) {
            return;
        }
        match known {
            Known::Fact(fact) => {
                let fact = &self.compiled.facts[fact as usize];
                self.code(&fact.code);
            }
            Known::New(state) => {
                if let Some(Some(equation)) = self.event.equations.get(state as usize)
                    && equation.pointwise.is_none()
                {
                    self.code(&equation.code);
                }
            }
            Known::Members(_) | Known::Words(..) | Known::Called(_) => return,
        }
        self.found.push(known);
    }

    fn text(&mut self, text: &'c Text) {
        match text {
            // What a fact gives that is said at once is not made first.
            Text::Value(code, Written::Text) => match &**code {
                Code::Fact(fact) if is_said(&self.compiled.facts[*fact as usize].code) => {
                    self.code(&self.compiled.facts[*fact as usize].code);
                }
                code => self.code(code),
            },
            Text::Value(code, _) => self.code(code),
            Text::Parts(parts) => parts.iter().for_each(|part| self.text(part)),
            Text::Literal(_) | Text::List { .. } => {}
        }
    }

    fn row(&mut self, row: &'c Row) {
        if row.bindings.is_empty() {
            self.code(row.conditions.first().unwrap_or(&row.value));
        }
    }

    /// Goes through what an expression asks for in any case. Where that is not plain, nothing is.
    fn code(&mut self, code: &'c Code) {
        match code {
            Code::Fact(fact) => self.ask(Known::Fact(*fact)),
            Code::New(state) => self.ask(Known::New(*state)),
            Code::Not(operand)
            | Code::EqualConstant(operand, _)
            | Code::Lookup(_, operand)
            | Code::The(operand, _)
            | Code::Checked(operand, ..)
            | Code::Negate(operand, _)
            | Code::BitsSize(operand)
            | Code::PileSize(operand)
            | Code::Lift { operand, .. } => self.code(operand),
            Code::Part(part) => self.code(&part.operand),
            Code::Entry(entry) => {
                self.code(&entry.map);
                self.code(&entry.key);
            }
            Code::Add(pair, _)
            | Code::Subtract(pair, _)
            | Code::Multiply(pair, _)
            | Code::Less(pair)
            | Code::LessOrEqual(pair)
            | Code::Equal(pair)
            | Code::Same(pair, _)
            | Code::BitsWith(pair)
            | Code::BitsWithout(pair)
            | Code::BitsBoth(pair) => {
                self.code(&pair.0);
                self.code(&pair.1);
            }
            Code::HasBit { item, set, .. } | Code::Has { item, set, .. } => {
                self.code(item);
                self.code(set);
            }
            // What comes second is asked only where the first does not decide.
            Code::And(pair) | Code::Or(pair) | Code::Else(pair) => self.code(&pair.0),
            Code::If(choice) => {
                if let Some(condition) = choice.conditions.first() {
                    self.code(condition);
                }
            }
            Code::Dense(table) => table.keys.iter().for_each(|key| self.code(&key.code)),
            Code::Switch(switch) => self.code(&switch.operand),
            Code::Index(parts) => parts.iter().for_each(|part| self.code(&part.code)),
            Code::Any(rows) | Code::All(rows) | Code::First(rows) => {
                rows.first().iter().for_each(|row| self.row(row));
            }
            Code::Highest(rows)
            | Code::Lowest(rows)
            | Code::SumRows(rows, _)
            | Code::UnionBits(rows) => rows.iter().for_each(|row| self.row(row)),
            Code::But(but) => {
                self.code(&but.map);
                self.code(&but.value);
                self.code(&but.at);
            }
            _ => {}
        }
    }
}
