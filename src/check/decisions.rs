//! What decides about events: guards, deciders, `over` and `restart`, `refuse` and `illegal`, outcomes and visibility.

use super::{Checker, Place, Scope, unused};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Decider, EventId, Expr, ExprKind, FactId, FramedExpr, Guard, Program, Sight, TemplatePart,
    },
    resolve::{FactEntry, OUTCOME, RESULTS, is_own_result},
    source::Span,
    syntax::ast::{self},
    types::{KindId, Type},
};

/// How many values chance may draw from.
const MOST_DRAWN: u64 = 1 << 16;

impl Checker<'_> {
    /// Requires `over` and `restart` to be yes/no.
    pub(super) fn reserved_fact(&mut self, fact: FactId) {
        let ty = self.fact_type(fact);
        let item = self.resolved.facts[fact.index()].item;
        if ty != Type::YesNo && ty != Type::Wrong {
            let message = format!(
                "`{}` decides whether the game ends, so it is yes or no, not {}",
                item.name.text,
                self.described(&ty)
            );
            self.report(Diagnostic::error(Code::WrongType, item.name.span, message));
        }
        if !item.parameters.is_empty() {
            self.report(Diagnostic::error(
                Code::ArgumentCount,
                item.name.span,
                format!("`{}` takes no parameters", item.name.text),
            ));
        }
    }

    /// Requires `illegal` and `refuse` facts to be yes/no or optional.
    pub(super) fn decision_fact(&mut self, fact: FactId) {
        let ty = self.fact_type(fact);
        let item = self.resolved.facts[fact.index()].item;
        if !matches!(ty, Type::YesNo | Type::Optional(_) | Type::Wrong) {
            let message = format!(
                "`{}` is {}, so it always holds",
                item.name.text,
                self.described(&ty)
            );
            self.report(
                Diagnostic::error(Code::WrongType, item.name.span, message)
                    .help("make it yes/no, or something that may be none"),
            );
        }
    }

    /// Checks who decides an event.
    pub(super) fn decider(&mut self, event: EventId, by: &ast::By) -> Decider {
        match &by.decider {
            ast::Decider::Seat(written) => {
                let mut scope = match self.field_within(event, written) {
                    None => Scope::new(Place::Decider),
                    Some(_) if matches!(written.kind, ast::ExprKind::Name(_)) => {
                        Scope::of_event(event, Place::Decider)
                    }
                    Some(field) => {
                        self.decided_by_field(&field);
                        return Decider::Referee;
                    }
                };
                let value = self.expression(&mut scope, written, None);
                let value = self.seat(value);
                let locals = scope.locals();
                Decider::Seat(FramedExpr { value, locals })
            }
            ast::Decider::Chance(None) => Decider::Chance(None),
            ast::Decider::Referee => Decider::Referee,
            ast::Decider::Chance(Some(written)) => {
                let mut scope = Scope::of_event(event, Place::Decider);
                let value = self.number(&mut scope, written, "a weight is a number");
                let locals = scope.locals();
                Decider::Chance(Some(FramedExpr { value, locals }))
            }
        }
    }

    /// Whether chance can draw a given: one of the values of its type; or, of a pile, its members in any order.
    pub(super) fn is_drawn(&mut self, item: &ast::Given, ty: &Type, span: Span) -> bool {
        let name = &item.name.text;
        let (one, advice) = match ty {
            Type::Wrong => return false,
            Type::Pile(element) => (&**element, "shuffles all of them"),
            ty => (ty, "draws one of them"),
        };
        let wrong = match self.resolved.types.capacity(one) {
            _ if !item.parameters.is_empty() => Some((
                format!("`{name}` has parameters, and chance draws one value"),
                "declare a given without parameters".to_string(),
            )),
            _ if item.default.is_some() && !matches!(ty, Type::Pile(_)) => Some((
                format!("chance draws `{name}` from all values of its type, so it has no other"),
                "remove `by chance`, or what is after `=`".to_string(),
            )),
            Some(count) if count <= MOST_DRAWN => None,
            // What a pile is shuffled from is known.
            _ if item.default.is_some() => None,
            _ => Some((
                format!(
                    "chance cannot draw `{name}`: {} has too many values",
                    self.described(one)
                ),
                format!("give it a type with at most {MOST_DRAWN} values: chance {advice}"),
            )),
        };
        let Some((message, help)) = wrong else {
            return true;
        };
        self.report(Diagnostic::error(Code::WrongType, span, message).help(help));
        false
    }

    /// Checks who sees something with parameters.
    pub(super) fn sight_of(
        &mut self,
        names: &[ast::Parameter],
        parameters: Vec<Type>,
        sight: &ast::Sight,
    ) -> Sight {
        let mut scope = Scope::new(Place::Sight);
        for (parameter, ty) in names.iter().zip(&parameters) {
            scope.parameter(&parameter.name.text, ty.clone());
        }
        self.sight(&mut scope, sight, parameters)
    }

    /// Checks who sees something: a seat or a collection of seats.
    pub(super) fn sight(
        &mut self,
        scope: &mut Scope,
        sight: &ast::Sight,
        parameters: Vec<Type>,
    ) -> Sight {
        let seats = sight.seats.as_ref().map(|written| {
            let value = self.expression(scope, written, None);
            let kind = match value.ty.element().unwrap_or(value.ty.required()) {
                Type::Wrong => return value,
                Type::Member(part) if !matches!(value.ty, Type::Bag(_) | Type::Pile(_)) => {
                    part.kind
                }
                _ => {
                    let message = format!(
                        "{}, but `seen by` takes a member of a kind or ring, or a set of them",
                        self.text_and_type(&value)
                    );
                    self.report(
                        Diagnostic::error(Code::WrongType, value.span, message).help(
                            "after `seen by`, write who sees it; `hidden` if nobody does, and nothing if everyone does",
                        ),
                    );
                    return Self::wrong(value.span);
                }
            };
            self.of_one_kind(kind, &value);
            let whole = Type::Set(self.resolved.types.whole(kind).into());
            if value.ty.element().is_some() {
                return self.fitted(value, &whole);
            }
            let span = value.span;
            Expr::new(ExprKind::Collect(vec![value]), whole, span)
        });
        Sight {
            seats,
            parameters,
            locals: scope.locals(),
            span: sight.span,
        }
    }

    /// Warns of events in transcripts without a decider, in a game where others have one.
    pub(super) fn missing_deciders(&mut self, program: &Program) {
        let items = self.resolved.events.iter().map(|event| event.item);
        let items: Vec<&ast::Event> = items.flatten().collect();
        let Some(declared) = items.iter().find_map(|item| item.by.as_ref()) else {
            return;
        };
        let mut plays = Vec::new();
        for transcript in &program.transcripts {
            unused::collect_plays(&transcript.steps, &mut plays);
        }
        let rows: Vec<_> = plays.iter().flat_map(|play| &play.rows).collect();
        for item in items.iter().filter(|item| item.by.is_none()) {
            let name = &item.name;
            let is_event = |event: EventId| program.events[event.index()].name == name.text;
            if rows.iter().any(|row| is_event(row.event)) {
                let message = format!("nothing says who decides `{}`", name.text);
                self.report(
                    Diagnostic::warning(Code::NoDecider, name.span, message)
                        .label(declared.span, "who decides this event is declared")
                        .help("write after its fields `by` and whose choice it is, `by chance`, or `by referee` if it is nobody's choice"),
                );
            }
        }
    }

    /// Requires a value to be a member of the kind or ring of the seats.
    fn seat(&mut self, value: Expr) -> Expr {
        match value.ty.clone() {
            Type::Wrong => value,
            Type::Member(part) => {
                self.of_one_kind(part.kind, &value);
                value
            }
            Type::Optional(inner) if matches!(*inner, Type::Member(_)) => {
                self.may_be_none(&value, "somebody decides the event");
                Self::wrong(value.span)
            }
            _ => {
                let message = format!(
                    "{}, but an event is decided by a member of a kind or ring",
                    self.text_and_type(&value)
                );
                self.report(
                    Diagnostic::error(Code::WrongType, value.span, message).help(
                        "after `by`, write whose choice it is, `chance`, or `referee` if the referee notes it",
                    ),
                );
                Self::wrong(value.span)
            }
        }
    }

    /// Reports a seat of another kind than the others.
    fn of_one_kind(&mut self, own: KindId, value: &Expr) {
        let first = *self.seats.get_or_insert((own, value.span));
        if first.0 == own {
            return;
        }
        let kind = |id| self.resolved.types.kind(id).name.clone();
        let (other, own) = (kind(first.0), kind(own));
        let message = format!(
            "`{}` is a {own}, but elsewhere a {other} plays: all who play must be of one kind",
            self.text(value.span)
        );
        self.report(
            Diagnostic::error(Code::WrongType, value.span, message)
                .label(first.1, format!("a {other} plays here"))
                .help(format!("use {other} in both places")),
        );
    }

    /// The fact with each seat's outcome.
    pub(super) fn outcome(&mut self) -> Option<FactId> {
        let mut facts = self.resolved.facts.iter();
        let is_outcome =
            |fact: &FactEntry<'_>| fact.owner.is_none() && fact.item.name.text == OUTCOME;
        let id = FactId::new(facts.position(is_outcome)?);
        self.is_outcome(id).then_some(id)
    }

    /// Whether a fact can be the outcome of each seat; if not, this is reported.
    pub(super) fn is_outcome(&mut self, id: FactId) -> bool {
        let fact = &self.resolved.facts[id.index()];
        let (span, parameters) = (fact.item.name.span, fact.parameters.clone());
        let ty = self.fact_type(id);
        let kind = |checker: &Self, id| checker.resolved.types.kind(id).name.clone();
        let seats = match parameters.as_slice() {
            [(_, Type::Member(part))] => Some(part.kind),
            [(_, Type::Wrong)] => return false,
            _ => None,
        };
        let error = match (seats, self.seats) {
            (None, _) => Some(self.no_seat(span, &parameters)),
            (Some(own), Some((other, place))) if own != other => {
                let (own, other) = (kind(self, own), kind(self, other));
                let message = format!("`outcome` is about each {own}, but each {other} plays");
                Some(
                    Diagnostic::error(Code::WrongType, span, message)
                        .label(place, format!("a {other} decides here")),
                )
            }
            _ => None,
        };
        let is_result = |ty: &Type| matches!(ty, Type::Member(part) if is_own_result(self.resolved.types.kind(part.kind)));
        let error = error.or_else(|| match &ty {
            Type::Wrong => None,
            ty if ty.is_number() || is_result(ty) => None,
            ty => {
                let message = format!(
                    "`outcome` is `win`, `draw` or `loss`, or a number of points, not {}",
                    self.described(ty)
                );
                let error = Diagnostic::error(Code::WrongType, span, message);
                Some(match ty {
                    Type::Optional(inner) if inner.is_number() || is_result(inner) => error.help(
                        "when the game is over, everyone who plays must have an outcome: give one, such as `… else draw`",
                    ),
                    Type::Member(part) if self.resolved.types.kind(part.kind).name == RESULTS => error
                        .help(
                            "this kind hides the one that is built in: give it another name, or leave it out, and use that one",
                        ),
                    Type::YesNo => error.help("write `= by … | yes => win | no => loss`"),
                    _ => error,
                })
            }
        });
        let is_right = error.is_none();
        self.report_all(error.into_iter().collect());
        is_right
    }

    /// The error for an `outcome` whose parameter is not a seat.
    fn no_seat(&self, span: Span, parameters: &[(String, Type)]) -> Diagnostic {
        let about = "`outcome` says what everyone who plays has when the game is over";
        let [(name, ty)] = parameters else {
            let message = format!("{about}, so it takes one parameter, the one who plays");
            return Diagnostic::error(Code::ArgumentCount, span, message).help(
                "write `fact outcome(p: …) = …` with the type of those who play, or give the fact another name",
            );
        };
        let message = format!(
            "{about}, so its parameter is of a kind or ring, but `{name}` is {}",
            self.described(ty)
        );
        Diagnostic::error(Code::WrongType, span, message).help(
            "declare those who play as a kind or ring, such as `ring Side of 2`, whose members are 1 and 2; or give the fact another name",
        )
    }

    /// The field of the event that an expression names, if it names one.
    fn field_within(&self, event: EventId, written: &ast::Expr) -> Option<ast::Name> {
        let fields = &self.resolved.events[event.index()].fields;
        let is_field = |name: &ast::Name| fields.iter().any(|(field, _)| *field == name.text);
        match &written.kind {
            ast::ExprKind::Name(name) if is_field(name) => Some(name.clone()),
            ast::ExprKind::Apply { arguments, .. } => arguments
                .iter()
                .find_map(|argument| self.field_within(event, argument)),
            ast::ExprKind::Group(inner) => self.field_within(event, inner),
            ast::ExprKind::Beside { operand, .. } => self.field_within(event, operand),
            _ => None,
        }
    }

    fn decided_by_field(&mut self, field: &ast::Name) {
        let name = &field.text;
        let message =
            format!("`{name}` is a field of the event, so it must stand alone after `by`");
        let help = format!(
            "write `by {name}` if `{name}` decides; otherwise use only the state, as in `by turn`"
        );
        self.report(Diagnostic::error(Code::UnknownName, field.span, message).help(help));
    }

    pub(super) fn guard(&mut self, guard: &ast::Guard) -> Guard {
        let mut scope = Scope::new(Place::Guard);
        let condition = self.condition(&mut scope, &guard.condition);
        let text = self.text(guard.condition.span);
        let mut says = self.says(&mut scope, guard.says.as_ref());
        let place = self.sources.cited(guard.condition.span);
        if let (Some(says), Some(place)) = (&mut says, place) {
            says.parts
                .push(TemplatePart::Literal(format!(" ({place})")));
        }
        Guard {
            condition: if guard.negated {
                super::operators::not(condition)
            } else {
                condition
            },
            written: format!("{} {text}", if guard.negated { "unless" } else { "when" }),
            says,
            locals: scope.locals(),
        }
    }
}
