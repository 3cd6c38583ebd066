//! Which rows against an event can be evaluated once a number of its fields have values.

use super::{Code, Compiled, Loop, Source, Text};

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
    /// For each event, the facts that its rows call and that depend on its fields or on what it changes.
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
        let mut fields = FieldDependencies {
            compiled,
            facts: vec![None; compiled.facts.len()],
        };
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

/// Computes how many of an event's fields code depends on: one more than the index of the last one.
struct FieldDependencies<'c> {
    compiled: &'c Compiled,
    facts: Vec<Option<usize>>,
}

impl FieldDependencies<'_> {
    fn levels(&mut self, event: usize) -> Vec<Vec<Against>> {
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

    /// The facts that the rows against an event call, directly or indirectly, and whose values depend on the event.
    fn unsteady(&mut self, event: usize) -> Vec<usize> {
        let compiled = self.compiled;
        let event = &compiled.events[event];
        let mut facts = Vec::new();
        for row in &event.impossible {
            for condition in &row.row.conditions {
                calls(condition, &mut facts);
            }
            for (_, source) in &row.row.bindings {
                calls(&looped(source), &mut facts);
            }
            asks_in_text(&row.row.text, &mut facts);
        }
        for objection in event.refuse.iter().chain(&event.illegal) {
            calls(&objection.fires, &mut facts);
        }
        let mut next = 0;
        while let Some(fact) = facts.get(next) {
            calls(&compiled.facts[*fact].code, &mut facts);
            next += 1;
        }
        facts.retain(|fact| self.fact(*fact) > 0);
        facts
    }

    fn source(&mut self, source: &Source) -> usize {
        self.code(&looped(source))
    }

    fn code(&mut self, code: &Code) -> usize {
        let fields = self.compiled.fields;
        let last = self.compiled.fixed_words;
        let mut level = 0;
        let mut facts = Vec::new();
        code.each(&mut |code| match code {
            Code::Load(place) => {
                let place = *place as usize;
                if (fields..last).contains(&place) {
                    level = level.max(place - fields + 1);
                }
            }
            Code::New(_) => level = usize::MAX,
            Code::Fact(fact) | Code::Call(fact, _) => facts.push(*fact as usize),
            Code::Tabulate(table) => facts.push(table.fact as usize),
            _ => {}
        });
        for fact in facts {
            level = level.max(self.fact(fact));
        }
        level
    }

    fn fact(&mut self, fact: usize) -> usize {
        if let Some(known) = self.facts[fact] {
            return known;
        }
        // A recursive call adds nothing to what the fact depends on.
        self.facts[fact] = Some(0);
        let compiled = self.compiled;
        let level = self.code(&compiled.facts[fact].code);
        self.facts[fact] = Some(level);
        level
    }
}

/// A loop over a source, which depends on the same as the source.
fn looped(source: &Source) -> Code {
    Code::Some(Box::new(Loop {
        bindings: Box::new([(0, source.clone())]),
        condition: None,
    }))
}

/// Adds the facts that code calls directly, each once.
fn calls(code: &Code, facts: &mut Vec<usize>) {
    code.each(&mut |code| {
        let fact = match code {
            Code::Fact(fact) | Code::Call(fact, _) => *fact as usize,
            Code::Tabulate(table) => table.fact as usize,
            _ => return,
        };
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    });
}

fn asks_in_text(text: &Text, facts: &mut Vec<usize>) {
    calls(&Code::Text(Box::new(text.clone())), facts);
}
