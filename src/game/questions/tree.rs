//! Adds the questions of a transcript to the game's tree as facts, so that the later stages check and compile them like
//! everything else.

use super::{
    super::Game,
    lines::{Line, QuestionSyntax},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::question_name,
    source::Span,
    syntax::ast::{
        Clause, Conditions, Definition, Expr, ExprKind, Fact, How, Item, Name, Operator, Play,
        Prefix, Role, Row, RuleFile, Section, Step, Table, Transcript, Type, TypeKind,
    },
};

/// The number of the fact that refers to everything asked between events.
const ALL: usize = usize::MAX;

/// The game's tree with a fact for each question, or for each section of an event that can answer it.
///
/// # Errors
/// If a fact has no such row, or it cannot be known whether the row fires.
pub(super) fn with_questions(game: &Game, lines: &[Line]) -> Result<RuleFile, Box<Diagnostic>> {
    let mut tree = Tree::new(game);
    for (number, line) in lines.iter().enumerate() {
        let span = line.span;
        match &line.kind {
            QuestionSyntax::Impossible(_)
            | QuestionSyntax::Guarded(_)
            | QuestionSyntax::Moves(_) => {}
            QuestionSyntax::Legal => tree.add_legal(number, span),
            QuestionSyntax::Holds(expression, Some(fact)) => {
                let expression = game.expand_pictures(expression)?;
                tree.for_each_section_with(fact, |section, part| {
                    let definition = Definition::Expression(game.as_yes_no(&expression));
                    section
                        .clauses
                        .push(answer_clause(number, part, span, definition));
                    Ok(())
                })?;
            }
            QuestionSyntax::Row {
                fact,
                of_event: true,
                row,
            } => {
                // Several events may have facts of this name, and the row may belong to only some of them.
                let has_row = |found: &Fact| match &found.definition {
                    Definition::Table(table) => table.rows.iter().any(|one| one.label.text == *row),
                    _ => false,
                };
                let mut is_somewhere = false;
                tree.for_each_section_with(fact, |section, _| {
                    is_somewhere |= fact_of(section, fact).is_some_and(has_row);
                    Ok(())
                })?;
                tree.for_each_section_with(fact, |section, part| {
                    let Some(found) = fact_of(section, fact) else {
                        return Ok(());
                    };
                    let definition = if is_somewhere && !has_row(found) {
                        Definition::Expression(constant(false, span))
                    } else {
                        fires(found, row, span)?
                    };
                    section
                        .clauses
                        .push(answer_clause(number, part, span, definition));
                    Ok(())
                })?;
            }
            QuestionSyntax::Holds(expression, None) => {
                let expression = game.expand_pictures(expression)?;
                let definition = Definition::Expression(game.as_yes_no(&expression));
                tree.add_between_events(number, span, definition);
            }
            QuestionSyntax::Row { fact, row, .. } => {
                let found = tree.file.items.iter().find_map(|item| match item {
                    Item::Fact(found) if found.name.text == *fact => Some(found),
                    _ => None,
                });
                if let Some(found) = found {
                    let definition = fires(found, row, span)?;
                    tree.add_between_events(number, span, definition);
                }
            }
        }
    }
    tree.check_between_events();
    Ok(tree.file)
}

/// A game's tree under construction.
pub(in crate::game) struct Tree<'g> {
    game: &'g Game,
    pub(in crate::game) file: RuleFile,
    /// The facts that are evaluated between events.
    between: Vec<Name>,
}

impl<'g> Tree<'g> {
    /// The tree of a game, without additions.
    pub(in crate::game) fn new(game: &'g Game) -> Tree<'g> {
        Tree {
            game,
            file: game.merged.file.clone(),
            between: Vec::new(),
        }
    }

    /// Calls `add` for each section that has a fact of this name.
    fn for_each_section_with(
        &mut self,
        fact: &str,
        mut add: impl FnMut(&mut Section, usize) -> Result<(), Box<Diagnostic>>,
    ) -> Result<(), Box<Diagnostic>> {
        for (part, item) in self.file.items.iter_mut().enumerate() {
            let Item::Section(section) = item else {
                continue;
            };
            let has = section
                .clauses
                .iter()
                .any(|clause| matches!(clause, Clause::Fact(found) if found.name.text == fact));
            if has {
                add(section, part)?;
            }
        }
        Ok(())
    }

    /// Adds facts for whether the event before a line was legal, to each section with `illegal` or `refuse` facts.
    fn add_legal(&mut self, number: usize, span: Span) {
        let game = self.game;
        for (part, item) in self.file.items.iter_mut().enumerate() {
            let Item::Section(section) = item else {
                continue;
            };
            let broken = section.clauses.iter().filter_map(|clause| match clause {
                Clause::Fact(fact) if fact.role != Role::Fact => Some(Expr {
                    kind: ExprKind::Name(Name {
                        text: fact.name.text.clone(),
                        span,
                    }),
                    span,
                }),
                _ => None,
            });
            let whole = broken
                .map(|fact| not(game.as_yes_no(&fact)))
                .reduce(|left, right| binary(Operator::And, left, right));
            if let Some(whole) = whole {
                let definition = Definition::Expression(whole);
                section
                    .clauses
                    .push(answer_clause(number, part, span, definition));
            }
        }
    }

    /// Adds a fact that is evaluated between events.
    pub(in crate::game) fn add_between_events(
        &mut self,
        number: usize,
        span: Span,
        definition: Definition,
    ) {
        let fact = fact(
            question_name(number, 0),
            span,
            Some(yes_no(span)),
            definition,
        );
        self.between.push(fact.name.clone());
        self.file.items.push(Item::Fact(fact));
    }

    /// Adds a transcript whose `until` refers to the facts between events. This way they are checked like an `until`,
    /// which may not mention new values.
    pub(in crate::game) fn check_between_events(&mut self) {
        let Some(span) = self.between.first().map(|name| name.span) else {
            return;
        };
        let rows = std::mem::take(&mut self.between).into_iter();
        let rows = rows.enumerate().map(|(place, name)| {
            let span = name.span;
            let kind = ExprKind::Name(name);
            row(
                &format!("row{place}"),
                Expr { kind, span },
                Conditions::default(),
            )
        });
        let table = Table {
            how: How::Any,
            rows: rows.collect(),
            span,
        };
        let name = question_name(ALL, 0);
        let all = fact(name, span, Some(yes_no(span)), Definition::Table(table));
        let name = all.name.clone();
        let mut transcripts = self.file.items.iter().filter_map(|item| match item {
            Item::Transcript(transcript) => Some(transcript),
            _ => None,
        });
        let asking = transcripts.find_map(|transcript| {
            let mut asking = Transcript {
                name: Some(name.clone()),
                ..transcript.clone()
            };
            let play = first_play(&mut asking.steps)?;
            play.until = Expr {
                kind: ExprKind::Name(name.clone()),
                span,
            };
            Some(asking)
        });
        if let Some(asking) = asking {
            self.file.items.push(Item::Fact(all));
            self.file.items.push(Item::Transcript(asking));
        }
    }
}

impl Game {
    /// The expression as a question: an optional fact by itself asks whether it has a value.
    pub(in crate::game) fn as_yes_no(&self, expression: &Expr) -> Expr {
        let span = expression.span;
        match &expression.kind {
            ExprKind::Name(name) => {
                let mut facts = self.program.facts.iter();
                let fact = facts.find(|fact| fact.name == name.text && fact.parameters.is_empty());
                if fact.is_some_and(|fact| fact.definition.ty.is_optional()) {
                    let none = Expr {
                        kind: ExprKind::None,
                        span,
                    };
                    binary(Operator::IsNot, expression.clone(), none)
                } else {
                    expression.clone()
                }
            }
            ExprKind::Unary {
                operator: Prefix::Not,
                operand,
            } => not(self.as_yes_no(operand)),
            _ => expression.clone(),
        }
    }
}

/// The fact of this name in a section.
fn fact_of<'s>(section: &'s Section, name: &str) -> Option<&'s Fact> {
    section.clauses.iter().find_map(|clause| match clause {
        Clause::Fact(found) if found.name.text == name => Some(found),
        _ => None,
    })
}

fn constant(yes: bool, span: Span) -> Expr {
    let kind = ExprKind::YesNo(yes);
    Expr { kind, span }
}

/// The first `play` of some steps.
fn first_play(steps: &mut [Step]) -> Option<&mut Play> {
    steps.iter_mut().find_map(|step| match step {
        Step::Play(play) => Some(play),
        Step::Repeat(repeat) => first_play(&mut repeat.steps),
        Step::Pattern(_) | Step::Start(_) => None,
    })
}

/// A definition that holds if a row of a fact fires.
pub(in crate::game) fn fires(
    fact: &Fact,
    label: &str,
    span: Span,
) -> Result<Definition, Box<Diagnostic>> {
    let wrong = |message: String| Box::new(Diagnostic::error(Code::UnknownName, span, message));
    let name = &fact.name.text;
    let Definition::Table(table) = &fact.definition else {
        return Err(wrong(format!("`{name}` has no rows that could fire")));
    };
    let place = table.rows.iter().position(|row| row.label.text == label);
    let Some(place) = place else {
        let labels = table.rows.iter().map(|row| row.label.text.as_str());
        let diagnostic = wrong(format!("`{name}` has no row called `{label}`"));
        return Err(Box::new(diagnostic.did_you_mean(label, labels)));
    };
    let constant = |yes: bool| constant(yes, span);
    let mut rows: Vec<Row> = table.rows.iter().take(place + 1).cloned().collect();
    match table.how {
        How::First if rows.iter().all(|row| !row.maybe) => {
            for (index, row) in rows.iter_mut().enumerate() {
                row.value = constant(index == place);
                row.conditions.says = None;
            }
            let last = &table.rows[place];
            if last.conditions.when.is_some()
                || last.conditions.unless.is_some()
                || !last.bindings.is_empty()
            {
                rows.push(row("otherwise", constant(false), Conditions::default()));
            }
            Ok(table_of(How::First, rows, span))
        }
        How::First | How::All => Err(wrong(format!(
            "it is not known which row of `{name}` fires"
        ))),
        How::Any | How::Highest | How::Lowest | How::Sum | How::Union | How::One => {
            let mut only = rows.split_off(place);
            for row in &mut only {
                row.conditions.says = None;
                if table.how != How::Any {
                    row.value = constant(true);
                }
            }
            Ok(table_of(How::Any, only, span))
        }
    }
}

fn table_of(how: How, rows: Vec<Row>, span: Span) -> Definition {
    Definition::Table(Table { how, rows, span })
}

pub(in crate::game) fn row(label: &str, value: Expr, conditions: Conditions) -> Row {
    let span = value.span;
    Row {
        label: Name {
            text: label.to_string(),
            span,
        },
        inline: false,
        maybe: false,
        value,
        event: None,
        bindings: Vec::new(),
        sight: None,
        conditions,
        span,
    }
}

/// The clause that answers a question in one section.
pub(in crate::game) fn answer_clause(
    number: usize,
    part: usize,
    span: Span,
    definition: Definition,
) -> Clause {
    let name = question_name(number, part);
    Clause::Fact(fact(name, span, Some(yes_no(span)), definition))
}

fn yes_no(span: Span) -> Type {
    let kind = TypeKind::YesNo;
    Type { kind, span }
}

/// A fact without parameters.
pub(in crate::game) fn fact(
    name: String,
    span: Span,
    ty: Option<Type>,
    definition: Definition,
) -> Fact {
    Fact {
        role: Role::Fact,
        name: Name { text: name, span },
        parameters: Vec::new(),
        ty,
        definition,
        cites: None,
        span,
    }
}

pub(in crate::game) fn not(operand: Expr) -> Expr {
    Expr {
        span: operand.span,
        kind: ExprKind::Unary {
            operator: Prefix::Not,
            operand: Box::new(operand),
        },
    }
}

pub(in crate::game) fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr {
        kind: ExprKind::Binary {
            operator,
            operator_span: span,
            left: Box::new(left),
            right: Box::new(right),
        },
        span,
    }
}

/// The negation of a definition.
pub(in crate::game) fn negation(definition: Definition) -> Definition {
    match definition {
        Definition::Table(mut table) => {
            for row in &mut table.rows {
                row.value = not(row.value.clone());
            }
            if table.how == How::Any {
                table.how = How::All;
            }
            Definition::Table(table)
        }
        other => other,
    }
}
