//! Which rows against an event can be evaluated once a number of its fields have values.

use super::{Code, Compiled, Decider, Event, Loop, Source};

/// A row or fact against an event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Against {
    Impossible(usize),
    Refuse(usize),
}

/// For each event and each number of fields that have values, the rows that can be evaluated then.
#[derive(Debug)]
pub(crate) struct Legality {
    levels: Vec<Vec<Vec<Against>>>,
    /// For each event, the facts that a search for it calls and that depend on its fields or on what it changes.
    unsteady: Vec<Vec<usize>>,
}

impl Compiled {
    /// Which rows against events can be evaluated before all fields have values.
    pub(crate) fn legality(&self) -> &Legality {
        self.legality.get_or_init(|| Legality::new(self))
    }
}

impl Legality {
    fn new(compiled: &Compiled) -> Legality {
        let fields = FieldDependencies::new(compiled);
        let levels = (0..compiled.events.len())
            .map(|event| fields.levels(event))
            .collect();
        let unsteady = (0..compiled.events.len())
            .map(|event| fields.unsteady(event))
            .collect();
        Legality { levels, unsteady }
    }

    /// The rows against an event that can be evaluated as soon as `level` of its fields have values.
    pub(crate) fn against(&self, event: usize, level: usize) -> &[Against] {
        &self.levels[event][level]
    }

    /// The facts whose caches are stale when a field of an event gets another value.
    pub(crate) fn unsteady(&self, event: usize) -> &[usize] {
        &self.unsteady[event]
    }
}

/// How many of an event's fields code depends on: one more than the index of the last one, and [`usize::MAX`] if it
/// reads new values.
struct FieldDependencies<'c> {
    compiled: &'c Compiled,
    /// The same of each fact.
    facts: Vec<usize>,
}

impl<'c> FieldDependencies<'c> {
    fn new(compiled: &'c Compiled) -> FieldDependencies<'c> {
        let count = compiled.facts.len();
        let mut fields = FieldDependencies {
            compiled,
            facts: vec![0; count],
        };
        let mut callers = vec![Vec::new(); count];
        let mut open = Vec::new();
        for (fact, definition) in compiled.facts.iter().enumerate() {
            let mut called = Vec::new();
            calls(&definition.code, &mut called);
            for one in called {
                callers[one].push(fact);
            }
            // No fact depends on fields yet: this is what it reads itself.
            let level = fields.code(&definition.code);
            if level > 0 {
                open.push((fact, level));
            }
        }
        // Facts may call each other in a cycle.
        while let Some((fact, level)) = open.pop() {
            if fields.facts[fact] < level {
                fields.facts[fact] = level;
                open.extend(callers[fact].iter().map(|caller| (*caller, level)));
            }
        }
        fields
    }

    fn levels(&self, event: usize) -> Vec<Vec<Against>> {
        let compiled = self.compiled;
        let event = &compiled.events[event];
        let count = event.fields.len();
        let mut levels = vec![Vec::new(); count + 1];
        for (place, row) in event.impossible.iter().enumerate() {
            let mut fields = event.fields.iter();
            let is_path = |path: &super::Path| path.row == place;
            if fields.any(|field| field.path.as_ref().is_some_and(is_path)) {
                // The search follows only paths that this row allows.
                continue;
            }
            let mut level = 0;
            for condition in &row.row.conditions {
                level = level.max(self.code(condition));
            }
            for (_, source) in &row.row.bindings {
                level = level.max(self.source(source));
            }
            levels[level.min(count)].push(Against::Impossible(place));
        }
        for (place, refuse) in event.refuse.iter().enumerate() {
            let level = self.code(&refuse.fires);
            levels[level.min(count)].push(Against::Refuse(place));
        }
        levels
    }

    /// The facts that a search for an event calls, directly or indirectly, and whose values depend on the event.
    fn unsteady(&self, event: usize) -> Vec<usize> {
        let event = &self.compiled.events[event];
        let mut called = Called {
            compiled: self.compiled,
            event,
            facts: Vec::new(),
            new: Vec::new(),
        };
        let impossible = event.impossible.iter().map(|row| &row.row);
        for row in impossible.chain(&event.refused) {
            for condition in &row.conditions {
                called.by(condition);
            }
            for (_, source) in &row.bindings {
                called.by(&looped(source));
            }
            called.by(&Code::Text(Box::new(row.text.clone())));
        }
        for objection in event.refuse.iter().chain(&event.illegal) {
            called.by(&objection.fires);
            if let Some(text) = &objection.text {
                called.by(text);
            }
        }
        for path in event.fields.iter().filter_map(|field| field.path.as_ref()) {
            called.by(&looped(&path.next));
        }
        if let Some(offered) = &event.offered {
            called.by(&offered.code);
        }
        match &event.by {
            Decider::Chance(Some((decides, _))) | Decider::Seat(decides, _) => {
                called.by(&decides.code);
            }
            Decider::Referee | Decider::Chance(None) | Decider::Field(..) => {}
        }
        let mut facts = called.all();
        facts.retain(|fact| self.facts[*fact] > 0);
        facts
    }

    fn source(&self, source: &Source) -> usize {
        self.code(&looped(source))
    }

    fn code(&self, code: &Code) -> usize {
        let fields = self.compiled.fields;
        let last = self.compiled.fixed_words;
        let mut level = 0;
        code.each(&mut |code| match code {
            Code::Load(place) => {
                let place = *place as usize;
                if (fields..last).contains(&place) {
                    level = level.max(place - fields + 1);
                }
            }
            Code::New(_) => level = usize::MAX,
            code => {
                if let Some(fact) = called(code) {
                    level = level.max(self.facts[fact]);
                }
            }
        });
        level
    }
}

/// The facts that code of an event calls, and those that the new values call which it reads.
struct Called<'c> {
    compiled: &'c Compiled,
    event: &'c Event,
    facts: Vec<usize>,
    new: Vec<u32>,
}

impl Called<'_> {
    /// Adds what code calls directly, each once.
    fn by(&mut self, code: &Code) {
        calls(code, &mut self.facts);
        code.each(&mut |code| {
            if let Code::New(state) = code
                && !self.new.contains(state)
            {
                self.new.push(*state);
            }
        });
    }

    /// All facts, also those that are called indirectly.
    fn all(mut self) -> Vec<usize> {
        let (compiled, event) = (self.compiled, self.event);
        let (mut facts, mut new) = (0, 0);
        loop {
            if let Some(fact) = self.facts.get(facts) {
                facts += 1;
                self.by(&compiled.facts[*fact].code);
            } else if let Some(state) = self.new.get(new) {
                new += 1;
                if let Some(Some(equation)) = event.equations.get(*state as usize) {
                    for code in equation.codes() {
                        self.by(code);
                    }
                }
            } else {
                return self.facts;
            }
        }
    }
}

/// A loop over a source, which depends on the same as the source.
fn looped(source: &Source) -> Code {
    Code::Some(Box::new(Loop {
        bindings: Box::new([(0, source.clone())]),
        condition: None,
    }))
}

/// The fact that a piece of code calls.
fn called(code: &Code) -> Option<usize> {
    match code {
        Code::Fact(fact) | Code::Call(fact, _) => Some(*fact as usize),
        Code::Tabulate(table) => Some(table.fact as usize),
        _ => None,
    }
}

/// Adds the facts that code calls directly, each once.
fn calls(code: &Code, facts: &mut Vec<usize>) {
    code.each(&mut |code| {
        let fact = called(code).filter(|fact| !facts.contains(fact));
        facts.extend(fact);
    });
}
