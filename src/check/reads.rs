//! The names that expressions read, and how deeply expressions nest.

use crate::{
    program::{
        Body, Choice, Definition, Equation, Expr, ExprKind, PlayRow, Program, Reading, Row,
        Template, Tense,
    },
    source::Span,
};

/// A use of a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    pub(super) what: Reading,
    pub(super) span: Span,
    /// How deeply it is nested in the expression.
    pub(super) level: usize,
}

/// All names that some expressions read.
#[derive(Debug, Clone, Default)]
pub(super) struct Reads {
    /// The names in order.
    pub(super) list: Vec<Read>,
    /// How deeply the expressions nest.
    pub(super) depth: usize,
}

impl Reads {
    pub(super) fn of<'e>(expressions: impl IntoIterator<Item = &'e Expr>) -> Reads {
        let mut reads = Reads::default();
        for expression in expressions {
            reads.add(expression);
        }
        reads
    }

    /// Adds what an equation reads when its round begins: whether it begins, and what the initial value needs of the
    /// new state.
    pub(super) fn and_again(mut self, program: &Program, equation: &Equation) -> Reads {
        let Some(begins) = equation.begins else {
            return self;
        };
        let span = program.facts.get(begins.index()).map(|fact| fact.span);
        self.list.push(Read {
            what: Reading::Fact(begins, Tense::Now),
            span: span.unwrap_or(equation.span),
            level: 1,
        });
        let state = program.states.get(equation.state.index());
        let initial = state.map(|state| of_definition(state.again(), false));
        let mut initial = Reads::of(initial.unwrap_or_default());
        for read in &mut initial.list {
            read.what = match read.what {
                Reading::State(state, Tense::Now) => Reading::State(state, Tense::New),
                Reading::Fact(fact, Tense::Now) => Reading::Fact(fact, Tense::New),
                other => other,
            };
        }
        self.depth = self.depth.max(initial.depth);
        self.list.extend(initial.list);
        self
    }

    /// Adds what an expression reads. It may be nested as deeply as the parser allows, and be wider.
    fn add(&mut self, expression: &Expr) {
        let mut open: Vec<(&Expr, usize)> = vec![(expression, 1)];
        while let Some((expression, level)) = open.pop() {
            self.depth = self.depth.max(level);
            if let Some(what) = reading(&expression.kind) {
                self.list.push(Read {
                    what,
                    span: expression.span,
                    level,
                });
            }
            let first = open.len();
            expression.children(&mut |child| open.push((child, level + 1)));
            open[first..].reverse();
        }
    }
}

/// What an expression reads itself, without its parts.
fn reading(kind: &ExprKind) -> Option<Reading> {
    match kind {
        ExprKind::State(state, tense) => Some(Reading::State(*state, *tense)),
        ExprKind::Given(given) => Some(Reading::Given(*given)),
        ExprKind::Fact { fact, tense, .. } | ExprKind::Tabulated(fact, tense) => {
            Some(Reading::Fact(*fact, *tense))
        }
        _ => None,
    }
}

/// The expressions of a definition; if `sentences`, also those in the texts after `says`.
pub(super) fn of_definition(definition: &Definition, sentences: bool) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = definition.only.iter().collect();
    match &definition.body {
        Body::Expression(value) => all.push(value),
        Body::Table(table) => all.extend(of_rows(&table.rows, sentences)),
        Body::By(table) => {
            all.extend(&table.keys);
            for row in &table.rows {
                all.extend(&row.conditions);
                all.push(&row.value);
                if sentences {
                    all.extend(of_sentence(row.says.as_ref()));
                }
            }
        }
    }
    all
}

/// The expressions of rows; if `sentences`, also those in the texts after `says`.
pub(super) fn of_rows(rows: &[Row], sentences: bool) -> Vec<&Expr> {
    let mut all = Vec::new();
    for row in rows {
        all.extend(row.bindings.iter().map(|(_, collection)| collection));
        all.extend(&row.conditions);
        all.push(&row.value);
        if sentences {
            all.extend(of_sentence(row.says.as_ref()));
        }
    }
    all
}

/// The expressions of rows that choose events.
pub(super) fn of_choices(rows: &[Choice]) -> Vec<&Expr> {
    let mut all = Vec::new();
    for row in rows {
        all.extend(row.bindings.iter().map(|(_, collection)| collection));
        all.extend(&row.conditions);
        all.extend(&row.fields);
        all.extend(of_sentence(row.says.as_ref()));
    }
    all
}

/// The expressions of a row of `play`.
pub(super) fn of_play_row(row: &PlayRow) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = row.conditions.iter().collect();
    all.extend(row.fields.iter().flatten());
    all.extend(of_pattern(&row.pattern));
    all
}

/// The expressions of a pattern: numbers of words, and keys of givens.
pub(super) fn of_pattern(pattern: &crate::program::Pattern) -> Vec<&Expr> {
    use crate::program::{Item, Target};
    let mut all = Vec::new();
    for item in &pattern.items {
        if let Item::Many {
            count: Some(count), ..
        } = item
        {
            all.push(count);
        }
        for hole in item.holes() {
            if let Target::Given(_, Some(key)) = &hole.target {
                all.push(key);
            }
        }
    }
    all
}

/// The holes of a text after `says`.
pub(super) fn of_sentence(sentence: Option<&Template>) -> Vec<&Expr> {
    let mut all = Vec::new();
    if let Some(sentence) = sentence {
        sentence.children(&mut |hole| all.push(hole));
    }
    all
}

/// The expressions of a transcript's steps.
pub(super) fn of_steps(steps: &[crate::program::Step]) -> Vec<&Expr> {
    use crate::program::Step;
    let mut all = Vec::new();
    for step in steps {
        match step {
            Step::Pattern(pattern) => all.extend(of_pattern(pattern)),
            Step::Start(_) => {}
            Step::Times { count, steps, .. } => {
                all.push(count);
                all.extend(of_steps(steps));
            }
            Step::Until { words, steps, .. } => {
                all.extend(of_pattern(words));
                all.extend(of_steps(steps));
            }
            Step::Play(play) => {
                all.extend(&play.until);
                if let Some(stop) = &play.stop {
                    all.extend(of_pattern(&stop.words));
                    all.extend(&stop.when);
                }
                all.extend(play.rows.iter().flat_map(of_play_row));
            }
        }
    }
    all
}

/// All patterns in a transcript's steps.
pub(super) fn patterns<'p>(
    steps: &'p [crate::program::Step],
    patterns_found: &mut Vec<&'p crate::program::Pattern>,
) {
    use crate::program::Step;
    for step in steps {
        match step {
            Step::Pattern(pattern) => patterns_found.push(pattern),
            Step::Start(_) => {}
            Step::Times { steps, .. } | Step::Until { steps, .. } => {
                patterns(steps, patterns_found);
            }
            Step::Play(play) => patterns_found.extend(play.rows.iter().map(|row| &row.pattern)),
        }
    }
}
