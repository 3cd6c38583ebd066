//! Leaks of hidden values, and rows of reports that too few people can read.

mod pieces;

use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Body, Decider, Definition, Event, EventId, Expr, ExprKind, FramedExpr, LocalId, Program,
        Row, Secret, is_same, parts_of,
    },
    source::Sources,
    types::Constant,
};

/// Warns of hidden values that players can learn, and of report rows that no player, or only some, can read.
pub(super) fn check(program: &Program, sources: &Sources) -> Vec<Diagnostic> {
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
        let rows = event.report.rows.iter();
        found.extend(rows.filter_map(|row| unseen_row(program, sources, id, row)));
        found.extend(public_fields(program, sources, event));
        found.extend(pieces::public(program, id));
        let Decider::Seat(by) = &event.by else {
            continue;
        };
        if let Some(secret) = program.secrets(Some(id), &[], [&by.value]).first() {
            let hidden = program.name_of(Some(id), secret.what);
            let message = format!(
                "who decides `{}` depends on `{hidden}`, which not everyone sees",
                event.name
            );
            let help = "everyone learns whose move it is: let it depend on what everyone sees";
            found.push(Diagnostic::warning(Code::Leak, secret.span, message).help(help));
        }
        found.extend(leaked_by_decider(program, id, by));
        let secrets = program.secrets_of_legality(id);
        let what = format!("whether `{}` may happen", event.name);
        found.extend(unseen(program, sources, event, &what, &secrets, as_seen));
        for row in &event.impossible.rows {
            let secrets = program.secrets_of_text(id, row);
            let what = format!("what `{}` says", row.label);
            found.extend(unseen(program, sources, event, &what, &secrets, |seat| {
                format!(
                    "`{seat}` reads `the reason is hidden` instead: mention only what `{seat}` sees"
                )
            }));
        }
    }
    for policy in &program.policies {
        for row in &policy.rows {
            let event = &program.events[row.event.index()];
            let expressions = row.conditions.iter().chain(&row.fields);
            let secrets = program.secrets(None, &[], expressions);
            let what = format!("the rule `{}` of `{}`", row.label, policy.name);
            found.extend(unseen(program, sources, event, &what, &secrets, as_seen));
        }
    }
    found
}

/// The help for what a seat learns from what may happen.
fn as_seen(seat: &str) -> String {
    format!("a list of what may happen would reveal it: let it depend only on what `{seat}` sees")
}

/// Warns if the first field says who decides, and a row of `impossible` about that field alone uses hidden state:
/// everyone learns who cannot act.
fn leaked_by_decider(program: &Program, id: EventId, by: &FramedExpr) -> Option<Diagnostic> {
    if !matches!(by.value.kind, ExprKind::EventField(0)) {
        return None;
    }
    let event = &program.events[id.index()];
    let inputs_of = |row: &'_ Row| -> Vec<Expr> {
        let collections = row.bindings.iter().map(|(_, collection)| collection);
        collections.chain(&row.conditions).cloned().collect()
    };
    let is_about_first_field = |inputs: &Vec<Expr>| {
        let mut alone = true;
        for expression in inputs {
            expression.walk(&mut |part| {
                alone &= !matches!(part.kind, ExprKind::EventField(field) if field > 0);
            });
        }
        alone
    };
    let mut rows = event.impossible.rows.iter().map(inputs_of);
    let secret = rows.find_map(|inputs| {
        let secrets = is_about_first_field(&inputs).then(|| program.secrets(None, &[], &inputs));
        secrets?.into_iter().next()
    })?;
    let hidden = program.name_of(None, secret.what);
    let (name, field) = (&event.name, &event.fields[0].0);
    let message = format!("who may do `{name}` depends on `{hidden}`, which not everyone sees");
    let help = format!(
        "everyone learns who is asked: let it depend on what everyone sees, or put another field before `{field}`"
    );
    Some(Diagnostic::warning(Code::Leak, secret.span, message).help(help))
}

/// Warns of `event deal(c: Card) by chance` with `new hand of p = hand of p with [c]`, where only p sees the hand but
/// everyone sees the field.
fn public_fields(program: &Program, sources: &Sources, event: &Event) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for equation in &event.equations {
        let state = &program.states[equation.state.index()];
        let Some(sight) = &state.sight else {
            found.extend(hidden_field(event, &state.name, &equation.definition));
            continue;
        };
        // What a player takes may have been public before; what chance draws was not.
        let deep = matches!(event.by, Decider::Chance(_));
        for value in equation.definition.values() {
            let Some((field, expression)) = field_among(value, deep) else {
                continue;
            };
            if event.sights[field].is_some() {
                continue;
            }
            let name = &event.fields[field].0;
            let message = format!(
                "everyone sees the field `{name}` of `{}`, and only some see `{}`, which it goes into",
                event.name, state.name
            );
            let seats = sight.seats.as_ref().map(|seats| sources.text(seats.span));
            let help = match (&event.by, seats) {
                (_, None) => "hide the field as well: write `hidden` after its type".to_string(),
                (Decider::Seat(by), Some(_)) => {
                    let seat = sources.text(by.value.span);
                    format!("say who sees the field: after its type, write `seen by {seat}`")
                }
                _ => "say who sees the field: after its type, write `seen by` and who gets it"
                    .to_string(),
            };
            found.push(
                Diagnostic::warning(Code::Leak, expression.span, message)
                    .label(sight.span, "only these see it")
                    .help(help),
            );
        }
    }
    found
}

/// Warns if an event puts a hidden field into a public state, where everyone could read it: `new shown of p = n`.
fn hidden_field(event: &Event, state: &str, definition: &Definition) -> Option<Diagnostic> {
    let mut fields = definition
        .values()
        .into_iter()
        .filter_map(|value| field_among(value, true));
    let (sight, name, span) = fields.find_map(|(field, expression)| {
        let sight = event.sights[field].as_ref()?;
        Some((sight, &event.fields[field].0, expression.span))
    })?;
    let message = format!(
        "not everyone sees the field `{name}` of `{}`, but everyone sees `{state}`, which it goes into",
        event.name
    );
    let diagnostic = Diagnostic::warning(Code::Leak, span, message)
        .label(sight.span, "only these see it")
        .help(format!(
            "say who sees `{state}`: after its type, write `seen by` or `hidden`"
        ));
    Some(diagnostic)
}

/// The field of the event that a value is, or has as an entry; if `deep`, also one that is added to its members.
fn field_among(value: &Expr, deep: bool) -> Option<(usize, &Expr)> {
    match &value.kind {
        ExprKind::EventField(field) => Some((*field, value)),
        ExprKind::Converted(inner) | ExprKind::Checked(inner) => field_among(inner, deep),
        ExprKind::But { value, .. } => field_among(value, deep),
        ExprKind::With(left, right) | ExprKind::Then(left, right) if deep => {
            field_among(left, deep).or_else(|| field_among(right, deep))
        }
        ExprKind::Collect(members) if deep => {
            members.iter().find_map(|member| field_among(member, deep))
        }
        _ => None,
    }
}

/// Warns about a row that no player can read, and about one that only some can read although its text reveals no secret.
fn unseen_row(
    program: &Program,
    sources: &Sources,
    event: EventId,
    row: &Row,
) -> Option<Diagnostic> {
    if row.sight.is_some() {
        return None;
    }
    let secrets = program.secrets_of_row(event, row);
    let label = &row.label;
    let warning = |message| Some(Diagnostic::warning(Code::UnseenRow, row.span, message));
    let all = program
        .seats
        .map_or("…", |kind| &program.types.kind(kind).name);
    let help = format!(
        "say who reads it, before `when`: `seen by {all}` if everyone is to know, `hidden` if only the referee is"
    );
    let name = |secret: &Secret| program.name_of(Some(event), secret.what);
    let mut unseen = secrets.iter();
    if let Some(secret) = unseen.find(|secret| is_for_nobody(program, event, secret)) {
        let hidden = name(secret);
        return warning(format!(
            "no one can read `{label}`: it depends on `{hidden}`, and no one sees all of it"
        ))
        .map(|warning| warning.help(&help));
    }
    let who = |secret: &Secret| member_who_sees(program, event, secret);
    for (index, secret) in secrets.iter().enumerate() {
        let before = secrets[..index].iter();
        let mut conflicting = before.filter(
            |before| matches!((who(before), who(secret)), (Some(one), Some(other)) if one != other),
        );
        if let Some(before) = conflicting.next() {
            let (one, other) = (name(before), name(secret));
            return warning(format!(
                "no one can read `{label}`: it depends on `{one}` and `{other}`, and no one sees both"
            ))
            .map(|warning| warning.help(&help));
        }
    }
    if let Some(([one, other], surely)) = two_owners(program, event, &secrets) {
        let seats = [one, other].map(|secret| {
            let key = secret.key.as_ref();
            key.map_or("…", |key| sources.text(key.span))
        });
        let of = |secret: &Secret, seat: &str| format!("`{} of {seat}`", name(secret));
        let (hidden, also) = (of(one, seats[0]), of(other, seats[1]));
        let why = format!("it depends on {hidden} and {also}");
        return warning(if surely {
            format!("no one can read `{label}`: {why}, and no one sees both")
        } else {
            let [one, other] = seats;
            format!("no one can read `{label}` unless `{one}` is `{other}`: {why}")
        })
        .map(|warning| warning.help(&help));
    }
    let mut text = row.clone();
    text.conditions = Vec::new();
    // A row for each of several may be meant for those who see the values of that one.
    let is_of_each = |secret: &&Secret| {
        let Some(key) = &secret.key else {
            return !row.bindings.is_empty();
        };
        let mut is_of_each = false;
        key.walk(&mut |part| is_of_each |= matches!(part.kind, ExprKind::Local(_)));
        is_of_each
    };
    let secret = secrets.iter().find(|secret| !is_of_each(secret))?;
    if !program.secrets_of_row(event, &text).is_empty() {
        return None;
    }
    let hidden = name(secret);
    let condition = sources.text(secret.span);
    Some(
        Diagnostic::warning(
            Code::UnseenRow,
            row.span,
            format!("only those who see `{hidden}` can read `{label}`: its condition depends on that, although its text does not"),
        )
        .label(secret.span, format!("`{condition}` depends on `{hidden}`"))
        .help(format!(
            "if everyone is to know, write `seen by {all}` before `when`, or let the condition depend on what everyone sees, such as `size of …`"
        )),
    )
}

/// The only member that sees the value behind a secret, if the rules name it.
fn member_who_sees(program: &Program, event: EventId, secret: &Secret) -> Option<i64> {
    match seat_that_sees(program, event, secret)?.kind {
        ExprKind::Constant(Constant::Scalar(member)) => Some(member),
        _ => None,
    }
}

/// The only seat that sees the value behind a secret, as an expression.
fn seat_that_sees(program: &Program, event: EventId, secret: &Secret) -> Option<Expr> {
    let sight = program.sight(Some(event), secret.what)?;
    let ExprKind::Collect(seats) = &sight.seats.as_ref()?.kind else {
        return None;
    };
    let [seat] = seats.as_slice() else {
        return None;
    };
    match &seat.kind {
        ExprKind::Local(local) => {
            let key = secret.key.as_ref()?;
            let parts = parts_of(key, &sight.parameters);
            parts.get(local.index()).cloned()
        }
        _ => Some(seat.clone()),
    }
}

/// Two secrets that two different seats see, and whether they surely differ: one seat is beside the other, or two
/// states say who they are.
fn two_owners<'s>(
    program: &Program,
    event: EventId,
    secrets: &'s [Secret],
) -> Option<([&'s Secret; 2], bool)> {
    let seats: Vec<(&Secret, Expr)> = secrets
        .iter()
        .filter_map(|secret| {
            let seat = seat_that_sees(program, event, secret)?;
            // The message shows the keys.
            secret.key.as_ref()?;
            Some((secret, written_out(program, seat)))
        })
        .collect();
    let is_one = |steps: &Expr| matches!(steps.kind, ExprKind::Constant(Constant::Scalar(1)));
    let is_beside = |one: &Expr, other: &Expr| match &one.kind {
        ExprKind::Beside { operand, steps, .. } => is_one(steps) && is_same(operand, other),
        _ => false,
    };
    let are_two = |one: &Expr, other: &Expr| match (&one.kind, &other.kind) {
        (ExprKind::State(one, _), ExprKind::State(other, _)) => one != other,
        _ => is_beside(one, other) || is_beside(other, one),
    };
    let mut pairs = seats
        .iter()
        .enumerate()
        .flat_map(|(place, one)| seats[..place].iter().map(move |other| (other, one)));
    let ((one, seat), (other, also)) = pairs.find(|(one, other)| are_two(&one.1, &other.1))?;
    let surely = is_beside(seat, also) || is_beside(also, seat);
    Some(([*one, *other], surely))
}

/// The definition of a fact without parameters, if it is one expression.
fn written_out(program: &Program, seat: Expr) -> Expr {
    let ExprKind::Fact {
        fact, arguments, ..
    } = &seat.kind
    else {
        return seat;
    };
    match program
        .facts
        .get(fact.index())
        .map(|fact| &fact.definition.body)
    {
        Some(Body::Expression(value)) if arguments.is_empty() => value.clone(),
        _ => seat,
    }
}

/// Whether no player sees the whole of a hidden value.
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

/// Warns of the first secret that the decider of an event does not see, with the help for that decider.
fn unseen(
    program: &Program,
    sources: &Sources,
    event: &Event,
    what: &str,
    secrets: &[Secret],
    help: impl Fn(&str) -> String,
) -> Option<Diagnostic> {
    let Decider::Seat(by) = &event.by else {
        return None;
    };
    let is_seen = |secret: &&Secret| !sees(program, event, &by.value, secret);
    let secret = secrets.iter().find(is_seen)?;
    let hidden = program.name_of(None, secret.what);
    let seat = sources.text(by.value.span);
    let message = format!("{what} depends on `{hidden}`, and `{seat}` does not see all of that");
    let diagnostic = Diagnostic::warning(Code::Leak, secret.span, message);
    Some(diagnostic.help(help(seat)))
}

/// Whether a seat sees the value behind a secret, or may see it.
fn sees(program: &Program, event: &Event, seat: &Expr, secret: &Secret) -> bool {
    let Some(sight) = program.sight(None, secret.what) else {
        return true;
    };
    let seats = match sight.seats.as_ref().map(|seats| &seats.kind) {
        None => return false,
        Some(ExprKind::Collect(seats)) => seats,
        Some(_) => return true,
    };
    // A field is the seat if it is impossible that it is another.
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
