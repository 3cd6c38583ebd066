//! Adds an example to its game's tree, so that the later stages check and compile it like everything else: its state
//! becomes the initial state, its event the choice of a policy, and its expectations facts.

use super::{
    super::{
        Game,
        drawn::apply,
        questions::tree::{Tree, answer_clause, binary, fires, negation, not, row},
    },
    keys,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
    syntax::ast::{
        Assignment, ByRow, ByTable, Cell, CellKind, Clause, Conditions, Definition, Example,
        Expectation, ExpectationKind, Expr, ExprKind, Fact, Item, Name, Operator, Parameter,
        Policy, Role, RuleFile, Section, Type, TypeKind,
    },
};

/// The policy that chooses the event. No rule file can use this name.
pub(super) const POLICY: &str = "the example";

/// The value that an example sets for a state that is declared with `just`.
pub(super) type JustSo = (String, bool);

/// The game's tree with the example's initial state, and a policy that chooses its event. Returns also the values of
/// states that are declared with `just`.
///
/// # Errors
/// If the example sets something that does not exist or cannot be set.
pub(super) fn with_state(
    game: &Game,
    example: &Example,
) -> Result<(RuleFile, Vec<JustSo>), Box<Diagnostic>> {
    let mut file = game.merged.file.clone();
    file.items.retain(|item| !matches!(item, Item::Example(_)));
    let mut just = Vec::new();
    let mut told: Vec<(&Name, Vec<&Assignment>)> = Vec::new();
    let given = game.assignments(&example.given)?;
    for assignment in &given {
        let name = target(&assignment.target);
        match told.iter_mut().find(|(other, _)| other.text == name.text) {
            Some((_, list)) => list.push(assignment),
            None => told.push((name, vec![assignment])),
        }
    }
    for (name, assignments) in told {
        assign(&mut file, name, &assignments, &mut just)?;
    }
    if let Some(event) = &example.event {
        file.items.push(Item::Policy(Policy {
            name: named(POLICY, event.span),
            rows: vec![row("event", event.clone(), Conditions::default())],
            span: event.span,
        }));
    }
    Ok((file, just))
}

/// The name that an assignment sets.
pub(super) fn target(expr: &Expr) -> &Name {
    match &expr.kind {
        ExprKind::Apply { function, .. } => function,
        ExprKind::Name(name) => name,
        _ => unreachable!("the grammar has only names and applications here"),
    }
}

/// Sets the initial value of a state or a given.
fn assign(
    file: &mut RuleFile,
    name: &Name,
    assignments: &[&Assignment],
    just: &mut Vec<JustSo>,
) -> Result<(), Box<Diagnostic>> {
    let wrong = |message: String| Diagnostic::error(Code::UnknownName, name.span, message);
    let whole = match assignments {
        [one] if matches!(one.target.kind, ExprKind::Name(_)) => Some(one.value.clone()),
        _ => None,
    };
    let mut added = None;
    let place = file.items.iter().position(|item| match item {
        Item::State(state) => state.name.text == name.text,
        Item::Given(given) => given.name.text == name.text,
        Item::Just(just) => just.name.text == name.text,
        _ => false,
    });
    match place.and_then(|place| file.items.get_mut(place)) {
        Some(Item::State(state)) => {
            if state.per.is_some() {
                state.again = Some(state.initial.clone());
            }
            if let Some(value) = whole {
                state.initial = Definition::Expression(value);
            } else {
                let parameters = state.parameters.clone();
                let old = state.initial.clone();
                if parameters.len() > 1 {
                    // No key and no value of an entry can mean them.
                    let own = state
                        .parameters
                        .iter_mut()
                        .zip(keys_of(name, "", parameters.len()));
                    own.for_each(|(parameter, key)| parameter.name = key);
                }
                if parameters.len() > 1 && state.again.is_some() {
                    // The next round begins without the example's entries.
                    let own = keys_of(name, "", parameters.len());
                    let own = own.iter().map(plain).collect();
                    let again = apply(&without_example(name), own, name.span);
                    state.again = Some(Definition::Expression(again));
                }
                let (items, initial) = entries(name, &parameters, &state.ty, old, assignments)?;
                state.initial = initial;
                added = Some(items);
            }
        }
        Some(Item::Given(given)) => {
            given.drawn = None;
            given.default = Some(match whole {
                Some(value) => Definition::Expression(value),
                None => Definition::By(by_entries(
                    &given.parameters,
                    given.default.as_ref(),
                    assignments,
                )?),
            });
        }
        Some(Item::Just(_)) => {
            let value = whole.map(|value| value.kind);
            let Some(ExprKind::YesNo(yes)) = value else {
                let message = format!("`{}` is declared by `just`, and is yes or no", name.text);
                return Err(Box::new(wrong(message)));
            };
            just.push((name.text.clone(), yes));
        }
        _ => {
            let names = file.items.iter().filter_map(|item| match item {
                Item::State(state) => Some(state.name.text.as_str()),
                Item::Given(given) => Some(given.name.text.as_str()),
                Item::Just(just) => Some(just.name.text.as_str()),
                _ => None,
            });
            let message = format!("no state and no given is called `{}`", name.text);
            return Err(Box::new(wrong(message).did_you_mean(&name.text, names)));
        }
    }
    file.items.extend(added.into_iter().flatten());
    Ok(())
}

/// Sets entries of a map. Adds facts for the map without and with them; returns these and the initial value.
fn entries(
    name: &Name,
    parameters: &[Parameter],
    ty: &Type,
    old: Definition,
    assignments: &[&Assignment],
) -> Result<(Vec<Item>, Definition), Box<Diagnostic>> {
    let span = name.span;
    let before = without_example(name);
    let first = Fact {
        role: Role::Fact,
        name: before.clone(),
        parameters: parameters.to_vec(),
        ty: Some(ty.clone()),
        definition: old,
        cites: None,
        span,
    };
    if parameters.len() > 1 {
        let (same, table) = entries_of_several(name, parameters, &before, assignments)?;
        return Ok((
            vec![Item::Fact(same), Item::Fact(first)],
            Definition::By(table),
        ));
    }
    let after = named(&format!("{} in the example", name.text), span);
    let mut map = plain(&before);
    for assignment in assignments {
        let key = &keys(assignment, 1)?[0];
        map = Expr {
            kind: ExprKind::But {
                map: Box::new(map),
                value: Box::new(assignment.value.clone()),
                at: Box::new(key.clone()),
            },
            span: assignment.target.span,
        };
    }
    let whole = plain(&after);
    let second = Fact {
        role: Role::Fact,
        name: after,
        parameters: Vec::new(),
        ty: None,
        definition: Definition::Expression(map),
        cites: None,
        span,
    };
    let mut items = vec![Item::Fact(second)];
    let value = match parameters {
        [parameter] => {
            let entry = entry_of(name, parameter, ty);
            let arguments = vec![whole, plain(&named(&parameter.name.text, span))];
            let value = apply(&entry.name, arguments, span);
            items.push(Item::Fact(entry));
            value
        }
        _ => whole,
    };
    items.push(Item::Fact(first));
    Ok((items, Definition::Expression(value)))
}

/// The name of a state's initial value without the example's entries. No rule file can use it.
fn without_example(name: &Name) -> Name {
    named(&format!("{} without the example", name.text), name.span)
}

/// Names for the keys of a map. No rule file can use them.
fn keys_of(name: &Name, whose: &str, count: usize) -> Vec<Name> {
    let keys = (1..=count).map(|place| format!("{whose}key {place} of {}", name.text));
    keys.map(|key| named(&key, name.span)).collect()
}

/// Entries with several keys, as a table with a column for each entry: whether the keys are those of the entry. Returns
/// the fact that compares them, too. (Entries with one key may be those of a picture, which needs a set of keys.)
fn entries_of_several(
    name: &Name,
    parameters: &[Parameter],
    before: &Name,
    assignments: &[&Assignment],
) -> Result<(Fact, ByTable), Box<Diagnostic>> {
    let span = name.span;
    let own = keys_of(name, "", parameters.len());
    let others = keys_of(name, "entry's ", parameters.len());
    let named_by = |keys: &[Name]| {
        let pairs = parameters.iter().zip(keys.to_vec());
        let renamed = pairs.map(|(parameter, name)| Parameter {
            name,
            ..parameter.clone()
        });
        renamed.collect::<Vec<_>>()
    };
    let compared = [named_by(&own), named_by(&others)].concat();
    let is_same = own.iter().zip(&others);
    let is_same = is_same.map(|(one, other)| binary(Operator::Is, plain(one), plain(other)));
    let same = named(&format!("an entry of {}", name.text), span);
    let mut table = ByTable {
        keys: Vec::new(),
        rows: Vec::new(),
        span,
    };
    let cell = |kind: CellKind| Cell { kind, span };
    let row = |fires: Option<usize>, value: Expr| {
        let yes = || CellKind::Match {
            negated: false,
            value: Expr {
                kind: ExprKind::YesNo(true),
                span,
            },
        };
        let cells = (0..assignments.len()).map(|place| {
            cell(if fires == Some(place) {
                yes()
            } else {
                CellKind::Any
            })
        });
        ByRow {
            label: None,
            cells: cells.collect(),
            span: value.span,
            value,
            conditions: Conditions::default(),
        }
    };
    for (place, assignment) in assignments.iter().enumerate() {
        let arguments = own.iter().map(plain);
        let arguments = arguments.chain(keys(assignment, parameters.len())?.iter().cloned());
        let key = apply(&same, arguments.collect(), assignment.target.span);
        table.keys.push(key);
        table.rows.push(row(Some(place), assignment.value.clone()));
    }
    table.rows.push(row(
        None,
        apply(before, own.iter().map(plain).collect(), span),
    ));
    let condition = is_same
        .into_iter()
        .reduce(|left, right| binary(Operator::And, left, right));
    let same = Fact {
        role: Role::Fact,
        name: same,
        parameters: compared,
        ty: None,
        definition: Definition::Expression(condition.unwrap_or(Expr {
            kind: ExprKind::YesNo(true),
            span,
        })),
        cites: None,
        span,
    };
    Ok((same, table))
}

/// A fact for an entry of a map that is a value: only declared maps can be applied directly.
fn entry_of(name: &Name, parameter: &Parameter, ty: &Type) -> Fact {
    let span = name.span;
    let map = Parameter {
        name: named(&format!("{} as a map", name.text), span),
        ty: Type {
            kind: TypeKind::Map(Box::new(parameter.ty.clone()), Box::new(ty.clone())),
            span,
        },
        next: None,
        sight: None,
    };
    let key = plain(&named(&parameter.name.text, span));
    let value = apply(&map.name, vec![key], span);
    Fact {
        role: Role::Fact,
        name: named(&format!("an entry of {}", name.text), span),
        parameters: vec![map, parameter.clone()],
        ty: Some(ty.clone()),
        definition: Definition::Expression(value),
        cites: None,
        span,
    }
}

/// A given with these entries; the others have their default, if that is an expression.
fn by_entries(
    parameters: &[Parameter],
    default: Option<&Definition>,
    assignments: &[&Assignment],
) -> Result<ByTable, Box<Diagnostic>> {
    let mut rows = Vec::new();
    for assignment in assignments {
        let cells = keys(assignment, parameters.len())?.iter().map(|key| Cell {
            kind: CellKind::Match {
                negated: false,
                value: key.clone(),
            },
            span: key.span,
        });
        rows.push(ByRow {
            label: None,
            cells: cells.collect(),
            value: assignment.value.clone(),
            conditions: Conditions::default(),
            span: assignment.target.span,
        });
    }
    let span = assignments
        .first()
        .map_or(Span::default(), |one| one.target.span);
    if let Some(Definition::Expression(value)) = default {
        let any = Cell {
            kind: CellKind::Any,
            span,
        };
        rows.push(ByRow {
            label: None,
            cells: vec![any; parameters.len()],
            value: value.clone(),
            conditions: Conditions::default(),
            span,
        });
    }
    Ok(ByTable {
        keys: parameters
            .iter()
            .map(|parameter| plain(&named(&parameter.name.text, span)))
            .collect(),
        rows,
        span,
    })
}

/// The tree that [`with_state`] made, with a fact for each expectation.
///
/// # Errors
/// If an expectation mentions something that does not exist.
pub(super) fn with_expectations(
    game: &Game,
    example: &Example,
) -> Result<RuleFile, Box<Diagnostic>> {
    let mut tree = Tree::new(game);
    let event = example.event.as_ref().map(target);
    let mut clauses: Vec<Clause> = Vec::new();
    for (number, expectation) in example.expected.iter().enumerate() {
        let Some(definition) = definition(game, event, expectation)? else {
            continue;
        };
        let span = expectation.span;
        if event.is_some() {
            clauses.push(answer_clause(number, 0, span, definition));
        } else {
            tree.add_between_events(number, span, definition);
        }
    }
    tree.check_between_events();
    if let Some(event) = event
        && !clauses.is_empty()
    {
        tree.file.items.push(Item::Section(Section {
            events: vec![event.clone()],
            like: None,
            clauses,
            span: event.span,
        }));
    }
    Ok(tree.file)
}

/// The condition of an expectation; `None` if no fact can express it.
fn definition(
    game: &Game,
    event: Option<&Name>,
    expectation: &Expectation,
) -> Result<Option<Definition>, Box<Diagnostic>> {
    let span = expectation.span;
    match &expectation.kind {
        ExpectationKind::Holds(condition) => {
            let condition = game.expand_pictures(condition)?;
            Ok(Some(Definition::Expression(game.as_yes_no(&condition))))
        }
        ExpectationKind::Row {
            negated, fact, row, ..
        } => {
            let facts = facts(&game.merged.file, event);
            let Some(found) = facts.iter().find(|one| one.name.text == fact.text) else {
                let message = match event {
                    Some(event) => format!("`{}` has no fact called `{}`", event.text, fact.text),
                    None => format!("no fact is called `{}`", fact.text),
                };
                let names = facts.iter().map(|fact| fact.name.text.as_str());
                return Err(Box::new(
                    Diagnostic::error(Code::UnknownName, fact.span, message)
                        .did_you_mean(&fact.text, names),
                ));
            };
            let fires = fires(found, &row.text, row.span)?;
            Ok(Some(if *negated { negation(fires) } else { fires }))
        }
        ExpectationKind::Legal { negated } => {
            let facts = facts(&game.merged.file, event);
            let broken = facts.iter().filter(|fact| fact.role != Role::Fact);
            let whole = broken
                .map(|fact| not(game.as_yes_no(&plain(&named(&fact.name.text, span)))))
                .reduce(|left, right| binary(Operator::And, left, right))
                .unwrap_or(Expr {
                    kind: ExprKind::YesNo(true),
                    span,
                });
            let whole = if *negated { not(whole) } else { whole };
            Ok(Some(Definition::Expression(whole)))
        }
        ExpectationKind::Impossible { .. } => Ok(None),
    }
}

/// The facts of an event and those that belong to no event.
fn facts<'f>(file: &'f RuleFile, event: Option<&Name>) -> Vec<&'f Fact> {
    let mut facts = Vec::new();
    for item in &file.items {
        match item {
            Item::Fact(fact) => facts.push(fact),
            Item::Section(section) => {
                let names = |event: &Name| section.events.iter().any(|one| one.text == event.text);
                if event.is_some_and(names) {
                    facts.extend(section.clauses.iter().filter_map(|clause| match clause {
                        Clause::Fact(fact) => Some(fact),
                        _ => None,
                    }));
                }
            }
            _ => {}
        }
    }
    facts
}

fn named(text: &str, span: Span) -> Name {
    Name {
        text: text.to_string(),
        span,
    }
}

fn plain(name: &Name) -> Expr {
    Expr {
        kind: ExprKind::Name(name.clone()),
        span: name.span,
    }
}
