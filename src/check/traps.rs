//! What may be meant otherwise: an old value where the new one seems due.

use std::collections::BTreeSet;

use super::reads::{self, Read, Reads};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Arithmetic, Body, Decider, Event, EventId, Expr, ExprKind, FactId, How, LocalId, Program,
        Reading, Row, Secret, StateId, Tense, is_same, parts_of,
    },
    source::{Sources, Span},
};

/// Warns of old values among new ones.
pub(super) fn check(program: &Program, sources: &Sources) -> Vec<Diagnostic> {
    let mut traps = Traps {
        program,
        sources,
        facts: Vec::new(),
        diagnostics: Vec::new(),
    };
    traps.facts = traps.reach();
    for (index, event) in program.events.iter().enumerate().skip(1) {
        let changed = event.equations.iter().map(|equation| equation.state);
        let changed: BTreeSet<StateId> = changed.collect();
        traps.reports(event, &changed);
        traps.over(event);
        for fact in &program.facts {
            if fact.owner == Some(EventId::new(index))
                && let Body::Table(table) = &fact.definition.body
                && matches!(table.how, How::First | How::Any | How::All)
            {
                traps.conditions(&table.rows, &changed);
            }
        }
    }
    traps.diagnostics.extend(leaks(program, sources));
    traps.diagnostics
}

/// Warns where somebody learns what that seat does not see, and of rows of reports that nobody reads.
fn leaks(program: &Program, sources: &Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !program.has_secrets() {
        return found;
    }
    let states = program
        .states
        .iter()
        .map(|state| (&state.name, &state.sight));
    let givens = program
        .givens
        .iter()
        .map(|given| (&given.name, &given.sight));
    for (name, sight) in states.chain(givens) {
        let seats = sight.iter().filter_map(|sight| sight.seats.as_ref());
        if let Some(secret) = program.secrets(None, &[], seats).first() {
            let hidden = program.name_of(None, secret.what);
            let message =
                format!("who sees `{name}` depends on `{hidden}`, which not everyone sees");
            let help = "let it depend on what everyone sees";
            found.push(Diagnostic::warning(Code::Leak, secret.span, message).help(help));
        }
    }
    for (index, event) in program.events.iter().enumerate() {
        let id = EventId::new(index);
        for row in &event.report.rows {
            if row.sight.is_none()
                && let Some(secret) = program
                    .secrets_of_row(id, row)
                    .into_iter()
                    .find(|secret| is_for_nobody(program, id, secret))
            {
                let hidden = program.name_of(Some(id), secret.what);
                let message = format!(
                    "no seat reads `{}`: it depends on `{hidden}`, and no seat sees all of that",
                    row.label
                );
                let help = "say who reads it: `seen by …` before `when`, with all seats if everyone is to know; `hidden` if only the referee reads it";
                found.push(Diagnostic::warning(Code::UnseenRow, row.span, message).help(help));
            }
        }
        let Decider::Seat(by) = &event.by else {
            continue;
        };
        if let Some(secret) = program.secrets(None, &[], [&by.value]).first() {
            let hidden = program.name_of(None, secret.what);
            let message = format!(
                "who decides `{}` depends on `{hidden}`, which not everyone sees",
                event.name
            );
            let help = "everyone learns whose move it is: let it depend on what everyone sees";
            found.push(Diagnostic::warning(Code::Leak, secret.span, message).help(help));
        }
        let secrets = program.secrets_of_legality(id);
        let what = format!("whether `{}` may happen", event.name);
        found.extend(unseen(program, sources, event, &what, &secrets));
    }
    for policy in &program.policies {
        for row in &policy.rows {
            let event = &program.events[row.event.index()];
            let expressions = row.conditions.iter().chain(&row.fields);
            let secrets = program.secrets(None, &[], expressions);
            let what = format!("the rule `{}` of `{}`", row.label, policy.name);
            found.extend(unseen(program, sources, event, &what, &secrets));
        }
    }
    found
}

/// Whether nobody sees something, whatever is in the game.
fn is_for_nobody(program: &Program, event: EventId, secret: &Secret) -> bool {
    let Some(sight) = program.sight(Some(event), secret.what) else {
        return false;
    };
    sight.seats.as_ref().is_none_or(|seats| {
        let mut differs = false;
        seats.walk(&mut |part| {
            let own = |local: &LocalId| local.index() < sight.parameters.len();
            differs |= matches!(&part.kind, ExprKind::Local(local) if own(local));
        });
        differs && secret.key.is_none()
    })
}

/// Warns of the first of these that whoever decides an event does not see.
fn unseen(
    program: &Program,
    sources: &Sources,
    event: &Event,
    what: &str,
    secrets: &[Secret],
) -> Option<Diagnostic> {
    let Decider::Seat(by) = &event.by else {
        return None;
    };
    let is_seen = |secret: &&Secret| !sees(program, event, &by.value, secret);
    let secret = secrets.iter().find(is_seen)?;
    let hidden = program.name_of(None, secret.what);
    let seat = sources.text(by.value.span);
    let message = format!("{what} depends on `{hidden}`, and `{seat}` does not see all of that");
    let help = "whoever learns what may happen learns why: let it depend on what that seat sees";
    let diagnostic = Diagnostic::warning(Code::Leak, secret.span, message);
    Some(diagnostic.help(help))
}

/// Whether a seat surely sees something, or that cannot be told.
fn sees(program: &Program, event: &Event, seat: &Expr, secret: &Secret) -> bool {
    let Some(sight) = program.sight(None, secret.what) else {
        return true;
    };
    let seats = match sight.seats.as_ref().map(|seats| &seats.kind) {
        None => return false,
        Some(ExprKind::Collect(seats)) => seats,
        Some(_) => return true,
    };
    // A field is that seat where it is impossible that it is another one.
    let is_seat = |one: &Expr| {
        is_same(one, seat)
            || event.impossible.rows.iter().any(|row| {
                row.conditions
                    .iter()
                    .any(|condition| match &condition.kind {
                        ExprKind::Not(is) => match &is.kind {
                            ExprKind::Is(left, right) => {
                                is_same(left, one) && is_same(right, seat)
                                    || is_same(right, one) && is_same(left, seat)
                            }
                            _ => false,
                        },
                        _ => false,
                    })
            })
    };
    let key = secret.key.as_ref();
    let parts = key.map_or(Vec::new(), |key| parts_of(key, &sight.parameters));
    seats.iter().any(|one| match &one.kind {
        ExprKind::Local(local) => parts.get(local.index()).is_some_and(is_seat),
        _ => is_seat(one),
    })
}

/// What a fact reads, also through others.
#[derive(Debug, Clone, Default)]
struct Reached {
    /// The states as they are before an event.
    old: BTreeSet<StateId>,
    /// Whether it says `new`.
    new: bool,
}

struct Traps<'p> {
    program: &'p Program,
    sources: &'p Sources,
    facts: Vec<Reached>,
    diagnostics: Vec<Diagnostic>,
}

impl Traps<'_> {
    fn reach(&self) -> Vec<Reached> {
        let facts = self.program.facts.iter();
        let reads: Vec<Reads> = facts
            .map(|fact| Reads::of(reads::of_definition(&fact.definition, false)))
            .collect();
        let mut known: Vec<Option<Reached>> = vec![None; reads.len()];
        for root in 0..reads.len() {
            let mut open = vec![root];
            while let Some(fact) = open.pop() {
                if known[fact].is_some() {
                    continue;
                }
                // A fact may ask itself, and nothing else goes round.
                let asked = |read: &Read| match read.what {
                    Reading::Fact(asked, Tense::Now) if asked.index() != fact => {
                        Some(asked.index())
                    }
                    _ => None,
                };
                let list = &reads[fact].list;
                let waits: Vec<usize> = list
                    .iter()
                    .filter_map(asked)
                    .filter(|asked| known[*asked].is_none())
                    .collect();
                if !waits.is_empty() {
                    open.push(fact);
                    open.extend(waits);
                    continue;
                }
                let mut reached = Reached::default();
                for read in list {
                    match read.what {
                        Reading::State(state, Tense::Now) => {
                            reached.old.insert(state);
                        }
                        Reading::State(_, Tense::New) | Reading::Fact(_, Tense::New) => {
                            reached.new = true;
                        }
                        _ => {}
                    }
                    if let Some(other) = asked(read).and_then(|asked| known[asked].as_ref()) {
                        reached.old.extend(&other.old);
                        reached.new |= other.new;
                    }
                }
                known[fact] = Some(reached);
            }
        }
        known.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Whether `old` stands there, which says that the old value is meant.
    fn says_old(&self, span: Span) -> bool {
        let before = self.sources.get(span.source);
        let before = before.and_then(|source| source.text.get(..span.start as usize));
        self.sources.text(span).starts_with("old ")
            || before.is_some_and(|before| before.trim_end().ends_with("old"))
    }

    /// A state that a fact of the whole game reads as it was before the event that changes it.
    fn stale(&self, fact: FactId, changed: &BTreeSet<StateId>) -> Option<StateId> {
        let reached = self.facts.get(fact.index())?;
        let of_event = self.program.facts.get(fact.index())?.owner.is_some();
        let mut stale = reached.old.intersection(changed).copied();
        stale.next().filter(|_| !of_event && !reached.new)
    }

    /// `report | now: "{level}"` where the fact `level` reads what the event changes.
    fn reports(&mut self, event: &Event, changed: &BTreeSet<StateId>) {
        for row in &event.report.rows {
            let reads = Reads::of(reads::of_rows(std::slice::from_ref(row), false)).list;
            for read in &reads {
                let Reading::Fact(fact, Tense::Now) = read.what else {
                    continue;
                };
                // Beside `new f` it is plain that `f` is the old value.
                let beside_new = |other: &Read| other.what == Reading::Fact(fact, Tense::New);
                let Some(state) = self.stale(fact, changed) else {
                    continue;
                };
                if self.says_old(read.span) || reads.iter().any(beside_new) {
                    continue;
                }
                let name = &self.program.facts[fact.index()].name;
                let state = &self.program.states[state.index()].name;
                let message = format!(
                    "`{name}` needs `{state}`, which changes in this event; in a report say which value you mean"
                );
                self.which(read.span, message, "");
            }
        }
    }

    /// `fact over = score of t >= 25` where the event adds to the score.
    fn over(&mut self, event: &Event) {
        let Some(over) = event.over else { return };
        let program = self.program;
        let reached = self.facts.get(over.index());
        if reached.is_none_or(|reached| reached.new) {
            return;
        }
        let mut open = vec![(over, 0)];
        let mut seen = BTreeSet::from([over]);
        while let Some((fact, depth)) = open.pop() {
            let definition = &program.facts[fact.index()].definition;
            let expressions = reads::of_definition(definition, false);
            for read in Reads::of(expressions.iter().copied()).list {
                if let Reading::Fact(asked, Tense::Now) = read.what
                    && !self.says_old(read.span)
                    && seen.insert(asked)
                {
                    open.push((asked, depth + 1));
                }
            }
            // Farther from `over`, what a number is before an event says which stage of the game this is.
            let is_near = depth < 2;
            for expression in expressions {
                expression.walk(&mut |part| {
                    let sides = match &part.kind {
                        ExprKind::Order { left, right, .. } => [left, right],
                        ExprKind::Is(left, right) if is_near => [left, right],
                        _ => return,
                    };
                    for side in sides {
                        self.counted(event, side);
                    }
                });
            }
        }
    }

    /// Warns if a number that is compared is what the event adds to.
    fn counted(&mut self, event: &Event, side: &Expr) {
        let Some((state, _)) = read_entry(side).filter(|(_, span)| !self.says_old(*span)) else {
            return;
        };
        let mut equations = event.equations.iter();
        let Some(equation) = equations.find(|equation| equation.state == state) else {
            return;
        };
        // Where the event begins the state anew, its new value is the first one, and asking for it may go in a circle.
        if equation.begins.is_some() {
            return;
        }
        let mut adds = false;
        for expression in reads::of_definition(&equation.definition, false) {
            expression.walk(&mut |part| {
                if let ExprKind::Arithmetic {
                    operator: Arithmetic::Add | Arithmetic::Subtract,
                    left,
                    right,
                } = &part.kind
                {
                    let sides = [left, right].into_iter();
                    let mut states = sides.filter_map(|side| read_entry(side));
                    adds |= states.any(|(read, _)| read == state);
                }
            });
        }
        if !adds || self.says_old(side.span) {
            return;
        }
        let name = &self.program.states[state.index()].name;
        let message = format!(
            "`over` asks what `{name}` was before this event, which changes it: if that is not meant, the game ends one event late"
        );
        self.which(side.span, message, " if that is meant");
        if let Some(last) = self.diagnostics.pop() {
            self.diagnostics
                .push(last.label(equation.span, "it changes here"));
        }
    }

    /// A condition on the old state in a table whose other conditions speak of the new one.
    fn conditions(&mut self, rows: &[Row], changed: &BTreeSet<StateId>) {
        let mut news = 0;
        let mut olds = Vec::new();
        for condition in rows.iter().flat_map(|row| &row.conditions) {
            let (mut new, mut old) = (false, None);
            for read in Reads::of([condition]).list {
                match read.what {
                    Reading::State(_, Tense::New) | Reading::Fact(_, Tense::New) => new = true,
                    Reading::State(state, Tense::Now) if changed.contains(&state) => {
                        old = Some(read);
                    }
                    Reading::Fact(fact, Tense::Now) if self.stale(fact, changed).is_some() => {
                        old = Some(read);
                    }
                    _ => {}
                }
            }
            match old {
                _ if new => news += 1,
                Some(read) if !self.says_old(read.span) => olds.push(read),
                _ => {}
            }
        }
        let [read] = olds.as_slice() else { return };
        if news < 2 {
            return;
        }
        let name = match read.what {
            Reading::State(state, _) => &self.program.states[state.index()].name,
            Reading::Fact(fact, _) => &self.program.facts[fact.index()].name,
            Reading::Given(_) => return,
        };
        let message = format!(
            "this uses `{name}` from before the event, but the other conditions of this table use what is `new`"
        );
        self.which(read.span, message, " if that is meant");
    }

    /// Asks which value is meant.
    fn which(&mut self, span: Span, message: String, otherwise: &str) {
        let text = self.sources.text(span);
        self.diagnostics.push(
            Diagnostic::warning(Code::WhichTense, span, message)
                .help(format!("write `new {text}`, or `old {text}`{otherwise}"))
                .edit(span.head(), "new ", false)
                .edit(span.head(), "old ", false),
        );
    }
}

/// The state that an expression is, or an entry of it, as it is before the event.
fn read_entry(expression: &Expr) -> Option<(StateId, Span)> {
    match &expression.kind {
        ExprKind::State(state, Tense::Now) => Some((*state, expression.span)),
        ExprKind::Entry { map, .. } => read_entry(map),
        ExprKind::Converted(inner) | ExprKind::Checked(inner) => read_entry(inner),
        _ => None,
    }
}
