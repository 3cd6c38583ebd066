//! Warnings about two rows of a `play` that read the same line.
//!
//! Only certain conflicts are reported: where written forms depend on givens, or guards on the state, two rows may
//! complement each other.

use std::collections::{BTreeMap, BTreeSet};

use super::super::forms::Forms;
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Expr, ExprKind, Hole, Item, Pattern, Play, PlayRow, Program, Segment, Transcript, Via,
    },
    source::Sources,
    types::{Constant, Type},
};

/// How many forms of a word are compared at most.
const GREATEST: usize = 5_000;

/// Reports rows that read the same line in the same state.
pub(super) fn check(
    program: &Program,
    forms: &Forms<'_>,
    transcript: &Transcript,
    sources: &Sources,
) -> Vec<Diagnostic> {
    let mut plays: Vec<&Play> = Vec::new();
    super::collect_plays(&transcript.steps, &mut plays);
    let mut diagnostics = Vec::new();
    // A single row has no conflicts.
    for play in plays.into_iter().filter(|play| play.rows.len() > 1) {
        let lines: Vec<Line> = play
            .rows
            .iter()
            .map(|row| line(forms, &row.pattern))
            .collect();
        let mut above = Above::default();
        for (place, (row, line)) in play.rows.iter().zip(&lines).enumerate() {
            let clash = above.near(line).into_iter().find_map(|place| {
                let other = &play.rows[place];
                let example = both(&lines[place], line)?;
                (!exclude(program, other, row)).then_some((other, example))
            });
            if let Some((other, example)) = clash {
                diagnostics.push(same_line(row, other, &example, sources));
            }
            above.push(place, line);
        }
    }
    diagnostics
}

fn same_line(row: &PlayRow, other: &PlayRow, example: &[String], sources: &Sources) -> Diagnostic {
    let example = example.join(" ");
    let what = if example.trim().is_empty() {
        "an empty line".to_string()
    } else {
        format!("`{example}`")
    };
    let written = sources.text(row.pattern.span);
    Diagnostic::error(
        Code::SameLine,
        row.pattern.span,
        format!("the rows `{}` and `{}` can both read {what}", other.label, row.label),
    )
    .label(other.pattern.span, "this row reads it too")
    .help(format!(
        "write one of them differently; or say when each applies, in the guards of the events or in the rows: `{written} when …` and `… unless …`"
    ))
}

/// What is known of a word.
#[derive(Debug, Clone)]
enum Word {
    /// One of these words.
    Of(BTreeSet<String>),
    /// A number within a range.
    Number(i64, i64),
    /// Any word.
    Any,
    /// A word that is unknown before the game starts.
    Unknown,
}

/// The lines that a pattern matches: words, of which the last may be missing, then any number of others.
#[derive(Debug, Clone)]
struct Line {
    words: Vec<Word>,
    /// The least number of words.
    least: usize,
    rest: Option<Word>,
}

/// The rows above, indexed by the first words of their lines: in most games, each row starts with a word of its own.
#[derive(Default)]
struct Above<'l> {
    by_word: BTreeMap<&'l str, Vec<usize>>,
    /// The rows that may start with any word, or match empty lines.
    others: Vec<usize>,
    count: usize,
}

impl<'l> Above<'l> {
    fn push(&mut self, place: usize, line: &'l Line) {
        self.count += 1;
        match line.first() {
            Some(words) => {
                for word in words {
                    self.by_word.entry(word).or_default().push(place);
                }
            }
            None => self.others.push(place),
        }
    }

    /// The rows that may match the same line, in order.
    fn near(&self, line: &Line) -> Vec<usize> {
        let Some(words) = line.first() else {
            return (0..self.count).collect();
        };
        let known = words
            .iter()
            .filter_map(|word| self.by_word.get(word.as_str()));
        let mut near: Vec<usize> = known.chain([&self.others]).flatten().copied().collect();
        near.sort_unstable();
        near.dedup();
        near
    }
}

fn line(forms: &Forms<'_>, pattern: &Pattern) -> Line {
    let mut line = Line {
        words: Vec::new(),
        least: 0,
        rest: None,
    };
    for (place, item) in pattern.items.iter().enumerate() {
        match item {
            Item::Word(segments) => {
                let optional = matches!(segments.as_slice(), [Segment::Hole(hole)] if hole.absent.as_deref() == Some(""));
                line.words.push(word(forms, segments));
                if !optional {
                    line.least = line.words.len();
                }
            }
            Item::Many { hole, count } => {
                let word = hole_word(forms, hole);
                match count {
                    // Unknown, since so is the number of words before the next item.
                    None if place + 1 < pattern.items.len() => line.words.push(Word::Unknown),
                    None => line.rest = Some(word),
                    Some(count) => {
                        if let Some(count @ 0..=100) = forms.scalar(count) {
                            for _ in 0..count {
                                line.words.push(word.clone());
                            }
                            line.least = line.words.len();
                        } else {
                            // The number of words is unknown, so nothing is certain from here on.
                            line.words.push(Word::Unknown);
                            line.least = line.words.len();
                        }
                    }
                }
            }
        }
    }
    line
}

impl Line {
    /// The possible first words of a line, if they are known.
    fn first(&self) -> Option<&BTreeSet<String>> {
        match self.words.first() {
            Some(Word::Of(words)) if self.least > 0 => Some(words),
            _ => None,
        }
    }

    /// The word at an index, if lines can have that many words.
    fn word(&self, index: usize) -> Option<&Word> {
        self.words.get(index).or(self.rest.as_ref())
    }

    fn can_have(&self, count: usize) -> bool {
        count >= self.least && (count <= self.words.len() || self.rest.is_some())
    }
}

/// A line that surely matches both.
fn both(left: &Line, right: &Line) -> Option<Vec<String>> {
    let from = left.least.max(right.least);
    let to = left.words.len().max(right.words.len()).max(from) + 1;
    (from..=to)
        .filter(|count| left.can_have(*count) && right.can_have(*count))
        .find_map(|count| {
            (0..count)
                .map(|index| common(left.word(index)?, right.word(index)?))
                .collect()
        })
}

/// A word that surely matches both.
fn common(left: &Word, right: &Word) -> Option<String> {
    match (left, right) {
        (Word::Unknown, _) | (_, Word::Unknown) => None,
        (Word::Any, Word::Any) => Some("…".into()),
        (Word::Any, Word::Of(words)) | (Word::Of(words), Word::Any) => words.first().cloned(),
        (Word::Any, Word::Number(lo, _)) | (Word::Number(lo, _), Word::Any) => Some(lo.to_string()),
        (Word::Of(left), Word::Of(right)) => left.intersection(right).next().cloned(),
        (Word::Of(words), Word::Number(lo, hi)) | (Word::Number(lo, hi), Word::Of(words)) => words
            .iter()
            .find(|word| {
                word.parse::<i64>()
                    .is_ok_and(|number| (lo..=hi).contains(&&number))
            })
            .cloned(),
        (Word::Number(lo, hi), Word::Number(other_lo, other_hi)) => {
            let (lo, hi) = (lo.max(other_lo), hi.min(other_hi));
            (lo <= hi).then(|| {
                if *lo <= 0 && *hi >= 0 {
                    "0".into()
                } else {
                    lo.to_string()
                }
            })
        }
    }
}

/// What a word made of text and holes can be.
fn word(forms: &Forms<'_>, segments: &[Segment]) -> Word {
    if let [Segment::Hole(hole)] = segments {
        return hole_word(forms, hole);
    }
    let mut parts: Vec<BTreeSet<String>> = Vec::new();
    for segment in segments {
        parts.push(match segment {
            Segment::Literal(text) => BTreeSet::from([text.clone()]),
            Segment::Hole(hole) => match hole_word(forms, hole) {
                Word::Of(words) => words,
                Word::Number(lo, hi) if hi.saturating_sub(lo) < 100 => {
                    (lo..=hi).map(|number| number.to_string()).collect()
                }
                Word::Number(..) | Word::Any | Word::Unknown => return Word::Unknown,
            },
        });
    }
    let count = parts
        .iter()
        .try_fold(1, |count: usize, part| count.checked_mul(part.len()));
    if count.is_none_or(|count| count > GREATEST) {
        return Word::Unknown;
    }
    let mut words: BTreeSet<String> = BTreeSet::from([String::new()]);
    for part in &parts {
        words = words
            .iter()
            .flat_map(|word| part.iter().map(move |part| format!("{word}{part}")))
            .collect();
    }
    Word::Of(words)
}

fn hole_word(forms: &Forms<'_>, hole: &Hole) -> Word {
    let plain = hole.via == Via::Form && hole.absent.as_deref().is_none_or(str::is_empty);
    match &hole.ty {
        Type::Word | Type::Text => Word::Any,
        Type::Number if plain => Word::Number(i64::MIN, i64::MAX),
        ty if ty.is_decimal() && forms.hole_forms(hole).is_none() => Word::Unknown,
        Type::Range(interval) if plain && !interval.is_dynamic() && interval.places == 0 => {
            Word::Number(interval.lo, interval.hi)
        }
        _ => match forms.hole_forms(hole) {
            Some(forms) => {
                let mut words: BTreeSet<String> = forms.into_iter().map(|(_, form)| form).collect();
                words.extend(hole.absent.clone().filter(|absent| !absent.is_empty()));
                Word::Of(words)
            }
            None => Word::Unknown,
        },
    }
}

/// Whether the conditions of two rows exclude each other: a part of one contradicts a part of the other.
fn exclude(program: &Program, left: &PlayRow, right: &PlayRow) -> bool {
    let (left, right) = (conditions_of(program, left), conditions_of(program, right));
    left.iter().any(|(one, holds)| {
        right.iter().any(|(other, also)| {
            (holds != also && is_same(one, other)) || (*holds && *also && contradict(one, other))
        })
    })
}

/// The parts of a row's conditions, including the event's guard, each with whether it must hold or must not.
fn conditions_of<'p>(program: &'p Program, row: &'p PlayRow) -> Vec<(&'p Expr, bool)> {
    let guard = program
        .events
        .get(row.event.index())
        .and_then(|event| event.guard.as_ref())
        .map(|guard| &guard.condition);
    let mut open: Vec<(&Expr, bool)> = guard
        .into_iter()
        .chain(&row.conditions)
        .map(|condition| (condition, true))
        .collect();
    let mut parts = Vec::new();
    while let Some((condition, holds)) = open.pop() {
        match (&condition.kind, holds) {
            (ExprKind::Not(inner), _) => open.push((inner, !holds)),
            (ExprKind::And(left, right), true) | (ExprKind::Or(left, right), false) => {
                open.push((left, holds));
                open.push((right, holds));
            }
            _ => parts.push((condition, holds)),
        }
    }
    parts
}

/// Whether this is `x is A` and `x is B`.
fn contradict(left: &Expr, right: &Expr) -> bool {
    let (Some((of, value)), Some((other_of, other))) =
        (compared_with_constant(left), compared_with_constant(right))
    else {
        return false;
    };
    value != other && is_same(of, other_of)
}

/// The value that is compared with a constant, and the constant.
fn compared_with_constant(expression: &Expr) -> Option<(&Expr, &Constant)> {
    let ExprKind::Is(left, right) = &expression.kind else {
        return None;
    };
    match (&left.unconverted().kind, &right.unconverted().kind) {
        (_, ExprKind::Constant(value)) => Some((left.unconverted(), value)),
        (ExprKind::Constant(value), _) => Some((right.unconverted(), value)),
        _ => None,
    }
}

/// Whether two expressions are equal, by their printed forms without spans.
fn is_same(left: &Expr, right: &Expr) -> bool {
    let (left, right) = (left.unconverted(), right.unconverted());
    if std::mem::discriminant(&left.kind) != std::mem::discriminant(&right.kind)
        || left.ty != right.ty
    {
        return false;
    }
    let alike = match (&left.kind, &right.kind) {
        (ExprKind::Constant(left), ExprKind::Constant(right)) => left == right,
        (ExprKind::Local(left), ExprKind::Local(right)) => left == right,
        (ExprKind::EventField(left), ExprKind::EventField(right)) => left == right,
        (ExprKind::State(left, tense), ExprKind::State(right, other)) => {
            left == right && tense == other
        }
        (ExprKind::Given(left), ExprKind::Given(right)) => left == right,
        (
            ExprKind::Fact {
                fact: left, tense, ..
            },
            ExprKind::Fact {
                fact: right,
                tense: other,
                ..
            },
        )
        | (ExprKind::Tabulated(left, tense), ExprKind::Tabulated(right, other)) => {
            left == right && tense == other
        }
        (
            ExprKind::Attribute {
                kind: left,
                attribute,
                ..
            },
            ExprKind::Attribute {
                kind: right,
                attribute: other,
                ..
            },
        ) => left == right && attribute == other,
        (
            ExprKind::Field {
                product: left,
                field,
                ..
            },
            ExprKind::Field {
                product: right,
                field: other,
                ..
            },
        ) => left == right && field == other,
        (
            ExprKind::Arithmetic { operator: left, .. },
            ExprKind::Arithmetic {
                operator: right, ..
            },
        ) => left == right,
        (
            ExprKind::Order { operator: left, .. },
            ExprKind::Order {
                operator: right, ..
            },
        ) => left == right,
        (ExprKind::Builtin(left, _), ExprKind::Builtin(right, _)) => left == right,
        (
            ExprKind::Quantified {
                quantifier: left, ..
            },
            ExprKind::Quantified {
                quantifier: right, ..
            },
        ) => left == right,
        (ExprKind::Extreme { highest: left, .. }, ExprKind::Extreme { highest: right, .. })
        | (ExprKind::Beside { before: left, .. }, ExprKind::Beside { before: right, .. }) => {
            left == right
        }
        _ => true,
    };
    if !alike {
        return false;
    }
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    left.children(&mut |child| lefts.push(child));
    right.children(&mut |child| rights.push(child));
    lefts.len() == rights.len()
        && lefts
            .iter()
            .zip(rights)
            .all(|(left, right)| is_same(left, right))
}
