//! What may happen: the events of a position, each field going through its values.
//!
//! A row that stands against an event is asked as soon as the fields that it depends on have values, so that what is
//! impossible whatever the other fields are is not gone through. A row that cannot be worked out then, because a row
//! before it would have kept it from being asked, is asked again when all fields have values, in the order of the file.

use super::Machine;
use crate::{
    code::{Code, Compiled, NONE, Source, Text, Values},
    fault::{Fault, Stop},
};

/// What stands against an event.
#[derive(Debug, Clone, Copy)]
enum Against {
    /// An `impossible` row.
    Impossible(usize),
    /// A `refuse` fact.
    Refuse(usize),
}

/// For each event, what can be asked when so many of its fields have values.
#[derive(Debug)]
pub(crate) struct Legality {
    levels: Vec<Vec<Vec<Against>>>,
    /// For each event, the facts that its rows ask and that depend on its fields or on what it changes.
    unsteady: Vec<Vec<usize>>,
}

/// Why an event may not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reason {
    /// An `impossible` row fires: its place, and what it says.
    Impossible(usize, String),
    /// A `refuse` fact holds: its name, and what it says if it says something.
    Refused(String, Option<String>),
}

/// The state of a game, to be returned to.
#[derive(Debug)]
pub(crate) struct Snapshot {
    events: u64,
    restarted: bool,
}

/// What is done with an event that was found; its fields have their values.
type Visit<'v, 'c> = &'v mut dyn FnMut(&mut Machine<'c>, usize) -> Result<(), Stop>;

impl Legality {
    /// Finds out what depends on what.
    pub(crate) fn new(compiled: &Compiled) -> Legality {
        let mut asked = Asked {
            compiled,
            facts: vec![None; compiled.facts.len()],
        };
        let levels = (0..compiled.events.len())
            .map(|event| asked.levels(event))
            .collect();
        let unsteady = (0..compiled.events.len())
            .map(|event| asked.unsteady(event))
            .collect();
        Legality { levels, unsteady }
    }
}

/// How many of an event's fields code depends on: one more than the place of the last one.
struct Asked<'c> {
    compiled: &'c Compiled,
    facts: Vec<Option<usize>>,
}

impl Asked<'_> {
    fn levels(&mut self, event: usize) -> Vec<Vec<Against>> {
        let compiled = self.compiled;
        let event = &compiled.events[event];
        let count = event.fields.len();
        let mut levels = vec![Vec::new(); count + 1];
        for (place, row) in event.impossible.iter().enumerate() {
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

    /// The facts that the rows against an event ask, themselves or through others, and that are not the same
    /// whatever the event is.
    fn unsteady(&mut self, event: usize) -> Vec<usize> {
        let compiled = self.compiled;
        let event = &compiled.events[event];
        let mut facts = Vec::new();
        for row in &event.impossible {
            for condition in &row.row.conditions {
                asks(condition, &mut facts);
            }
            for (_, source) in &row.row.bindings {
                asks(&looped(source), &mut facts);
            }
            asks_in_text(&row.row.text, &mut facts);
        }
        for refuse in &event.refuse {
            asks(&refuse.fires, &mut facts);
        }
        let mut next = 0;
        while let Some(fact) = facts.get(next) {
            asks(&compiled.facts[*fact].code, &mut facts);
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
        let last = self.compiled.fixed_words - self.compiled.constants.len();
        let mut level = 0;
        let mut facts = Vec::new();
        code.each(&mut |code| match code {
            Code::Load(place) | Code::LookupLoaded(_, place) | Code::EqualLoaded(place, _) => {
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
        // While it is being found out it adds nothing: what it asks of itself it asks anyway.
        self.facts[fact] = Some(0);
        let compiled = self.compiled;
        let level = self.code(&compiled.facts[fact].code);
        self.facts[fact] = Some(level);
        level
    }
}

/// A loop over a source: whatever the source asks, it asks.
fn looped(source: &Source) -> Code {
    Code::Some(Box::new(crate::code::Loop {
        bindings: Box::new([(0, source.clone())]),
        condition: None,
    }))
}

/// Adds the facts that code asks itself, each once.
fn asks(code: &Code, facts: &mut Vec<usize>) {
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
    asks(&Code::Text(Box::new(text.clone())), facts);
}

impl<'c> Machine<'c> {
    /// Visits what an event can be with each of its fields going through its values: what may happen, or everything
    /// where `all` says so.
    ///
    /// # Errors
    /// What is wrong with a row, or what the visit says.
    pub(crate) fn each_event(
        &mut self,
        legality: &Legality,
        event: usize,
        all: bool,
        visit: Visit<'_, 'c>,
    ) -> Result<(), Stop> {
        self.event = event;
        self.forget_fields(legality);
        let search = Search { legality, all };
        self.search(&search, event, 0, false, visit)
    }

    fn search(
        &mut self,
        search: &Search<'_>,
        event: usize,
        level: usize,
        mut unsure: bool,
        visit: Visit<'_, 'c>,
    ) -> Result<(), Stop> {
        let compiled = self.compiled;
        if !search.all {
            for against in &search.legality.levels[event][level] {
                match self.stands(event, *against) {
                    Ok(true) => return Ok(()),
                    Ok(false) => {}
                    Err(stop) if matches!(*stop, Fault::Rules { .. }) => unsure = true,
                    Err(stop) => return Err(stop),
                }
            }
        }
        let Some(field) = compiled.events[event].fields.get(level) else {
            if unsure && self.reason(event)?.is_some() {
                return Ok(());
            }
            return visit(self, event);
        };
        let count = field.values.count().unwrap_or(0);
        for index in 0..count {
            let value = field.values.value(index);
            if field
                .partial
                .is_some_and(|partial| value != NONE && !self.is_value(partial, value))
            {
                continue;
            }
            if let Some(check) = &field.check
                && self.outside(value, check)?.is_some()
            {
                continue;
            }
            self.works()?;
            self.set_field(level, value);
            self.forget_fields(search.legality);
            self.search(search, event, level + 1, unsure, visit)?;
        }
        Ok(())
    }

    /// Forgets what was remembered of other values of the fields.
    pub(crate) fn forget_fields(&mut self, legality: &Legality) {
        let compiled = self.compiled;
        for fact in &legality.unsteady[self.event] {
            self.facts[*fact].stamp = 0;
            if let Some(table) = &compiled.facts[*fact].table {
                let count: usize = table.domains.iter().map(|domain| domain.count).product();
                for memo in &mut self.table[table.start..table.start + count] {
                    memo.stamp = 0;
                }
            }
        }
        for memo in &mut self.new {
            memo.stamp = 0;
        }
    }

    /// Whether something stands against the event in hand.
    fn stands(&mut self, event: usize, against: Against) -> Result<bool, Stop> {
        let compiled = self.compiled;
        let (base, frame_top) = (self.base, self.frame_top);
        let result = match against {
            Against::Impossible(place) => {
                let event = &compiled.events[event];
                let row = &event.impossible[place].row;
                self.framed(event.impossible_locals, |machine| {
                    let mut fires = false;
                    machine.run(&row.bindings, &row.conditions, &mut |_| {
                        fires = true;
                        Ok(false)
                    })?;
                    Ok(fires)
                })
            }
            Against::Refuse(place) => self
                .evaluate(&compiled.events[event].refuse[place].fires)
                .map(|fires| fires == 1),
        };
        self.base = base;
        self.frame_top = frame_top;
        result
    }

    /// Why the event in hand may not happen, by the first row that stands against it.
    ///
    /// # Errors
    /// What is wrong with a row.
    pub(crate) fn reason(&mut self, event: usize) -> Result<Option<Reason>, Stop> {
        let (base, frame_top) = (self.base, self.frame_top);
        let impossible = self.impossible();
        self.base = base;
        self.frame_top = frame_top;
        if let Err(stop) = impossible {
            return match *stop {
                Fault::Impossible { row, text, .. } => Ok(Some(Reason::Impossible(row, text))),
                other => Err(Box::new(other)),
            };
        }
        let compiled = self.compiled;
        for refuse in &compiled.events[event].refuse {
            if self.evaluate(&refuse.fires)? == 1 {
                let says = match &refuse.text {
                    None => None,
                    Some(text) => {
                        let text = self.evaluate(text)?;
                        Some(String::from_utf8_lossy(self.texts.get(text)).into_owned())
                    }
                };
                return Ok(Some(Reason::Refused(refuse.name.clone(), says)));
            }
        }
        Ok(None)
    }

    /// The fields of the event in hand.
    pub(crate) fn fields_in_hand(&self) -> Vec<i64> {
        let count = self.compiled.events[self.event].fields.len();
        (0..count).map(|field| self.field(field)).collect()
    }

    /// Takes an event in hand.
    pub(crate) fn take_event(&mut self, event: usize, fields: &[i64]) {
        self.event = event;
        for (place, value) in fields.iter().enumerate() {
            self.set_field(place, *value);
        }
    }

    /// Keeps the state of the game; [`Machine::restore`] returns to it. The snapshot that was taken last is given
    /// back first.
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        let fixed = self.compiled.fixed_words;
        self.images.push(self.memory[..fixed].to_vec());
        Snapshot {
            events: self.events,
            restarted: self.restarted,
        }
    }

    /// Returns to the state of the game that the last snapshot kept, and forgets that.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot) {
        if let Some(image) = self.images.pop() {
            self.memory[..image.len()].copy_from_slice(&image);
        }
        self.events = snapshot.events;
        self.restarted = snapshot.restarted;
        self.forget();
    }
}

/// What is looked for.
struct Search<'l> {
    legality: &'l Legality,
    /// Whether also what may not happen.
    all: bool,
}

impl Values {
    /// How many values there are; nothing where there is no end of them.
    pub(crate) fn count(&self) -> Option<usize> {
        match self {
            Values::Of(domain) => Some(domain.count),
            Values::Sets(members) => Some(1 << members),
            Values::Endless => None,
        }
    }

    fn value(&self, index: usize) -> i64 {
        match self {
            Values::Of(domain) => domain.value(index),
            _ => i64::try_from(index).unwrap_or(0),
        }
    }
}
