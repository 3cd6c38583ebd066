//! A game as one of its players sees it.

use super::{
    Body, Clause, Decider, Definition, EventId, Expr, ExprKind, Fact, FactId, FramedExpr, Hidden,
    LocalId, Program, Quantifier, Row, Secret, Sight, StateId, Template, TemplatePart, Tense,
};
use crate::{
    source::Span,
    types::{GivenId, KindId, Type},
};

/// Who looks at a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// A seat, by its index in its kind.
    Seat(i64),
    /// Somebody who sees only what everyone sees.
    Everyone,
}

/// The prefix of the names of facts that say whether the viewer sees something; no rule file can declare such a name.
const SEES: &str = "sees ";

/// Whether a fact of this name was made for a view.
pub(crate) fn is_view_fact(fact: &str) -> bool {
    fact.starts_with(SEES)
}

/// What one viewer sees of a game.
#[derive(Debug, Clone)]
pub(crate) struct View {
    /// The kind or ring whose members play.
    pub(crate) seats: KindId,
    pub(crate) viewer: Viewer,
    /// For everything that not everyone sees, the fact that says whether the viewer does. A field comes with its event.
    facts: Vec<(Option<EventId>, Hidden, FactId)>,
    /// For `illegal` facts that depend on hidden values, the fact that says whether the viewer sees all of these.
    marks: Vec<(FactId, FactId)>,
}

impl View {
    /// The fact that says whether the viewer may learn that an `illegal` fact holds; `None` if everyone may.
    pub(crate) fn sees_mark(&self, illegal: FactId) -> Option<FactId> {
        let mut marks = self.marks.iter();
        marks.find_map(|(fact, sees)| (*fact == illegal).then_some(*sees))
    }
}

impl Program {
    /// Everything that not everyone sees. A field comes with its event.
    fn hidden(&self) -> Vec<(Option<EventId>, Hidden)> {
        let states = (0..self.states.len()).map(|one| (None, Hidden::State(StateId::new(one))));
        let givens = (0..self.givens.len()).map(|one| (None, Hidden::Given(GivenId::new(one))));
        let events = self.events.iter().enumerate();
        let fields = events.flat_map(|(event, declared)| {
            let fields = 0..declared.fields.len();
            fields.map(move |field| (Some(EventId::new(event)), Hidden::Field(field)))
        });
        let all = states.chain(givens).chain(fields);
        all.filter(|(owner, what)| self.sight(*owner, *what).is_some())
            .collect()
    }

    /// The game as a viewer sees it: what they may not see is neither reported, shown nor offered.
    pub(crate) fn seen_by(&self, seats: KindId, viewer: Viewer) -> Program {
        let mut program = self.clone();
        let mut view = View {
            seats,
            viewer,
            facts: Vec::new(),
            marks: Vec::new(),
        };
        for (owner, what) in self.hidden() {
            if let Some(sight) = self.sight(owner, what) {
                let name = format!("{SEES}{}", self.name_of(owner, what));
                let fact = FactId::new(program.facts.len());
                program
                    .facts
                    .push(self.fact_of_sight(&view, owner, name, sight));
                view.facts.push((owner, what, fact));
            }
        }
        for (owner, what, fact) in &view.facts {
            let (None, Hidden::State(id)) = (owner, what) else {
                continue;
            };
            let state = &mut program.states[id.index()];
            let key = state.key.as_ref().map(|ty| {
                let kind = ExprKind::Local(LocalId::new(0));
                Expr::new(kind, ty.clone(), state.span)
            });
            let arguments = key.map(|key| parts_of(&key, &state.parameters));
            let arguments = arguments.unwrap_or_default();
            state.shown = Some(FramedExpr {
                value: call(*fact, Tense::Now, arguments, state.span),
                locals: 1,
            });
        }
        program.view = Some(view);
        for index in 0..program.events.len() {
            let id = EventId::new(index);
            let offered = program.offered(id);
            let event = &program.events[index];
            let (mut report, mut refused) = (event.report.clone(), event.refused.clone());
            for clause in [&mut report, &mut refused] {
                let mut locals = clause.locals;
                for row in &mut clause.rows {
                    let condition = program.reads(id, row, &mut locals);
                    row.conditions.extend(condition);
                }
                clause.locals = locals;
            }
            let impossible = program.impossible(id);
            let event = &mut program.events[index];
            (event.offered, event.report, event.refused) = (offered, report, refused);
            event.impossible = impossible;
            for fact in program.events[index].illegal.clone() {
                program.mark(id, fact);
            }
        }
        program
    }

    /// Makes the fact that says whether the viewer may learn that an `illegal` fact holds, if not everyone may.
    fn mark(&mut self, event: EventId, illegal: FactId) {
        let fact = &self.facts[illegal.index()];
        let (name, span) = (format!("{SEES}{}", fact.name), fact.span);
        let secrets = self.secrets_of_definition(None, &fact.definition);
        let Some(view) = &self.view else {
            return;
        };
        let mut locals = 0;
        let sees = secrets
            .iter()
            .map(|secret| self.sees(view, Some(event), secret, &mut locals));
        let Some(sees) = all_of(sees) else {
            return;
        };
        let sees_all = FactId::new(self.facts.len());
        self.facts.push(Fact {
            name,
            owner: Some(event),
            parameters: Vec::new(),
            definition: Definition {
                body: Body::Expression(sees),
                only: Vec::new(),
                ty: Type::YesNo,
                locals,
                span,
            },
            span,
        });
        if let Some(view) = &mut self.view {
            view.marks.push((illegal, sees_all));
        }
    }

    /// The hidden values that the text of a row shows.
    pub(crate) fn secrets_of_text(&self, event: EventId, row: &Row) -> Vec<Secret> {
        let mut text = row.clone();
        text.conditions.clear();
        self.secrets_of_row(event, &text)
    }

    /// The rows of `impossible`, with the texts that the viewer may read.
    fn impossible(&self, id: EventId) -> Clause {
        let mut clause = self.events[id.index()].impossible.clone();
        let Some(view) = &self.view else {
            return clause;
        };
        let rows = std::mem::take(&mut clause.rows);
        for mut row in rows {
            let secrets = self.secrets_of_text(id, &row);
            let sees = secrets
                .iter()
                .map(|secret| self.sees(view, Some(id), secret, &mut clause.locals));
            if let Some(sees) = all_of(sees) {
                let mut masked = row.clone();
                row.conditions.push(sees.clone());
                let (ty, span) = (row.value.ty.clone(), row.value.span);
                let not = Expr::new(ExprKind::Not(Box::new(sees)), Type::YesNo, span);
                masked.conditions.push(not);
                let parts = vec![TemplatePart::Literal("the reason is hidden".to_string())];
                masked.value = Expr::new(ExprKind::Template(Template { parts }), ty, span);
                clause.rows.push(masked);
            }
            clause.rows.push(row);
        }
        clause
    }

    /// The fact that says whether the viewer sees something.
    fn fact_of_sight(
        &self,
        view: &View,
        owner: Option<EventId>,
        name: String,
        sight: &Sight,
    ) -> Fact {
        let parameters = sight.parameters.iter().cloned();
        Fact {
            name,
            owner,
            parameters: parameters.map(|ty| (String::new(), ty)).collect(),
            definition: Definition {
                body: Body::Expression(self.is_among(view, sight)),
                only: Vec::new(),
                ty: Type::YesNo,
                locals: sight.locals,
                span: sight.span,
            },
            span: sight.span,
        }
    }

    /// Whether the viewer is one of the seats of `sight`.
    fn is_among(&self, view: &View, sight: &Sight) -> Expr {
        let Some(seats) = &sight.seats else {
            return Expr::yes_no(false, sight.span);
        };
        let whole = self.types.whole(view.seats);
        let all = Box::new(seats.clone());
        let kind = match view.viewer {
            Viewer::Seat(seat) => {
                ExprKind::In(Box::new(Expr::scalar(seat, whole, sight.span)), all)
            }
            Viewer::Everyone => {
                let ty = seats.ty.clone();
                ExprKind::Within(Box::new(Expr::new(ExprKind::All, ty, sight.span)), all)
            }
        };
        Expr::new(kind, Type::YesNo, sight.span)
    }

    /// Whether the viewer sees the hidden value behind `secret`.
    fn sees(
        &self,
        view: &View,
        event: Option<EventId>,
        secret: &Secret,
        locals: &mut usize,
    ) -> Expr {
        let owner = event.filter(|_| matches!(secret.what, Hidden::Field(_)));
        let mut facts = view.facts.iter();
        let fact = facts.find(|(of, what, _)| *of == owner && *what == secret.what);
        let (Some((.., fact)), Some(sight)) = (fact, self.sight(owner, secret.what)) else {
            return Expr::yes_no(false, secret.span);
        };
        let (fact, parameters) = (*fact, &sight.parameters);
        let key = match secret.what {
            Hidden::State(state) => self.states[state.index()].key.as_ref(),
            Hidden::Given(given) => self.givens[given.index()].key.as_ref(),
            Hidden::Field(_) => None,
        };
        let Some(ty) = key else {
            return call(fact, secret.tense, Vec::new(), secret.span);
        };
        if let Some(key) = &secret.key {
            return call(fact, secret.tense, parts_of(key, parameters), secret.span);
        }
        let local = LocalId::new(*locals);
        *locals += 1;
        let key = Expr::new(ExprKind::Local(local), ty.clone(), secret.span);
        let arguments = parts_of(&key, parameters);
        let all = Expr::new(ExprKind::All, Type::Set(ty.clone().into()), secret.span);
        let kind = ExprKind::Quantified {
            quantifier: Quantifier::Every,
            bindings: vec![(local, all)],
            condition: Box::new(call(fact, secret.tense, arguments, secret.span)),
        };
        Expr::new(kind, Type::YesNo, secret.span)
    }

    /// Whether the viewer sees everything that some expressions depend on, given the locals of their frame whose values
    /// are known. None if the game has no viewer. A collection of which only the size is used counts as seen, unless
    /// `whole`.
    pub(crate) fn seen<'p>(
        &'p self,
        event: Option<EventId>,
        known: &[(LocalId, Type)],
        expressions: impl IntoIterator<Item = &'p Expr>,
        (span, whole): (Span, bool),
        locals: &mut usize,
    ) -> Option<Expr> {
        let view = self.view.as_ref()?;
        let secrets = self.find_secrets(event, known, expressions, whole);
        let all = secrets
            .iter()
            .map(|secret| self.sees(view, event, secret, locals));
        Some(all_of(all).unwrap_or_else(|| Expr::yes_no(true, span)))
    }

    /// The conditions under which the viewer reads a row of a report.
    fn reads(&self, event: EventId, row: &Row, locals: &mut usize) -> Vec<Expr> {
        let Some(view) = &self.view else {
            return Vec::new();
        };
        if let Some(sight) = &row.sight {
            return vec![self.is_among(view, sight)];
        }
        let secrets = self.secrets_of_row(event, row);
        let secrets = secrets.iter();
        secrets
            .map(|secret| self.sees(view, Some(event), secret, locals))
            .collect()
    }

    /// Whether the viewer may know that an event can happen: its decider may, and so may anyone who sees everything
    /// that it depends on. None if everyone may.
    fn offered(&self, id: EventId) -> Option<FramedExpr> {
        let (view, event) = (self.view.as_ref()?, &self.events[id.index()]);
        let (mut locals, span) = (event.impossible.locals, event.span);
        let secrets = self.secrets_of_legality(id);
        let sees = secrets
            .iter()
            .map(|secret| self.sees(view, Some(id), secret, &mut locals));
        let all = all_of(sees)?;
        let value = match (&event.by, view.viewer) {
            (Decider::Seat(by), Viewer::Seat(seat)) => {
                let seat = Expr::scalar(seat, self.types.whole(view.seats), span);
                let is_own = ExprKind::Is(Box::new(by.value.clone()), Box::new(seat));
                let is_own = Expr::new(is_own, Type::YesNo, span);
                let kind = ExprKind::Or(Box::new(is_own), Box::new(all));
                Expr::new(kind, Type::YesNo, span)
            }
            _ => all,
        };
        Some(FramedExpr { value, locals })
    }
}

/// Whether all of some conditions hold; none without conditions.
fn all_of(conditions: impl Iterator<Item = Expr>) -> Option<Expr> {
    conditions.reduce(|all, one| {
        let span = one.span;
        let kind = ExprKind::And(Box::new(all), Box::new(one));
        Expr::new(kind, Type::YesNo, span)
    })
}

/// A call of a yes/no fact.
fn call(fact: FactId, tense: Tense, arguments: Vec<Expr>, span: Span) -> Expr {
    let kind = ExprKind::Fact {
        fact,
        tense,
        arguments,
    };
    Expr::new(kind, Type::YesNo, span)
}

/// The parts of a key, one for each parameter.
pub(crate) fn parts_of(key: &Expr, parameters: &[Type]) -> Vec<Expr> {
    match (&key.kind, &key.ty) {
        _ if parameters.len() == 1 => vec![key.clone()],
        (ExprKind::Make { parts, .. }, _) => parts.clone(),
        (_, Type::Product(product)) => {
            let parts = parameters.iter().enumerate();
            let part = |(field, ty): (usize, &Type)| {
                let kind = ExprKind::Field {
                    product: *product,
                    field,
                    operand: Box::new(key.clone()),
                };
                Expr::new(kind, ty.clone(), key.span)
            };
            parts.map(part).collect()
        }
        _ => Vec::new(),
    }
}
