//! Transcripts to code.

use super::{Compiler, Frame};
use crate::{
    code::{
        Check, Chooser, Hole, Item, Pattern, Play, PlayRow, Reading, Segment, Shape, Step, Stop,
        Target, Transcript,
    },
    program::{self, EventId, ExprKind, LocalId, Unit, Via},
    types::Type,
};

impl Compiler<'_> {
    pub(super) fn transcripts(&mut self) {
        for transcript in &self.program.transcripts {
            let mut frame = Frame::new(Self::plain_context(), transcript.locals);
            self.counts.clear();
            counts_of(&transcript.steps, &mut self.counts);
            let steps = self.steps(&mut frame, &transcript.steps);
            self.compiled.transcripts.push(Transcript {
                name: transcript.name.clone(),
                by_lines: transcript.unit == Unit::Lines,
                steps,
                locals: frame.locals,
            });
        }
    }

    fn steps(&mut self, frame: &mut Frame, steps: &[program::Step]) -> Vec<Step> {
        steps
            .iter()
            .map(|step| match step {
                program::Step::Pattern(pattern) => {
                    Step::Pattern(self.pattern(frame, pattern, None))
                }
                program::Step::Start(_) => Step::Start,
                program::Step::Times { count, steps, .. } => {
                    Step::Times(self.code(frame, count), self.steps(frame, steps))
                }
                program::Step::Until { words, steps, .. } => {
                    Step::Until(self.pattern(frame, words, None), self.steps(frame, steps))
                }
                program::Step::Play(play) => Step::Play(self.play(frame, play)),
            })
            .collect()
    }

    fn play(&mut self, frame: &mut Frame, play: &program::Play) -> Play {
        let policies = self.program.policies.len();
        Play {
            by: play.by.map(|policy| match policy.index() {
                index if index < policies => Chooser::Policy(index),
                _ => Chooser::Lot,
            }),
            until: play.until.as_ref().map(|until| self.code(frame, until)),
            stop: play.stop.as_ref().map(|stop| Stop {
                before: stop.before,
                words: self.pattern(frame, &stop.words, None),
                when: stop.when.as_ref().map(|when| self.code(frame, when)),
            }),
            rows: play
                .rows
                .iter()
                .map(|row| PlayRow {
                    passed: self.passed_when_taken(row.span),
                    event: row.event.index(),
                    pattern: self.pattern(frame, &row.pattern, Some(row.event)),
                    fields: row
                        .fields
                        .iter()
                        .enumerate()
                        .filter_map(|(index, field)| {
                            Some((index, self.code(frame, field.as_ref()?)))
                        })
                        .collect(),
                    conditions: {
                        let conditions = self.conditions(frame, &row.conditions);
                        self.passing_conditions(row.span, conditions)
                    },
                    written: row.written.clone(),
                })
                .collect(),
        }
    }

    fn pattern(
        &mut self,
        frame: &mut Frame,
        pattern: &program::Pattern,
        event: Option<EventId>,
    ) -> Pattern {
        let items = pattern
            .items
            .iter()
            .map(|item| match item {
                program::Item::Word(segments) => Item::Word(
                    segments
                        .iter()
                        .map(|segment| match segment {
                            program::Segment::Literal(text) => Segment::Literal(text.clone()),
                            program::Segment::Hole(hole) => {
                                Segment::Hole(Box::new(self.hole(frame, hole, false, event)))
                            }
                        })
                        .collect(),
                ),
                program::Item::Many { hole, count } => Item::Many {
                    hole: Box::new(self.hole(frame, hole, true, event)),
                    count: count.as_ref().map(|count| self.code(frame, count)),
                },
            })
            .collect();
        Pattern { items }
    }

    fn hole(
        &mut self,
        frame: &mut Frame,
        hole: &program::Hole,
        many: bool,
        event: Option<EventId>,
    ) -> Hole {
        let reading = match hole.target {
            program::Target::Number(local) if self.counts.contains(&local) => Reading::Number {
                lo: 0,
                hi: i64::MAX,
            },
            _ => self.reading(&hole.ty, hole.via),
        };
        let whole = self.target_type(&hole.target, event);
        let shape = if many || hole.via == Via::Joined {
            self.shape(whole.required())
        } else {
            Shape::Scalar
        };
        let check = self.word_check(&hole.ty, hole.via);
        Hole {
            target: match &hole.target {
                program::Target::Given(id, key) => {
                    Target::Given(id.index(), key.as_ref().map(|key| self.code(frame, key)))
                }
                program::Target::Number(local) => Target::Number(local.0),
                program::Target::Field(index) => Target::Field(*index),
            },
            reading,
            absent: hole.absent.clone(),
            between: hole.between.clone(),
            name: match &hole.target {
                program::Target::Given(_, Some(key)) => {
                    format!("{} of {}", hole.name, self.sources.text(key.span))
                }
                _ => hole.name.clone(),
            },
            ty: self.program.types.display(&hole.ty),
            shape,
            check,
        }
    }

    /// The check of a value read from one word.
    fn word_check(&mut self, ty: &Type, via: Via) -> Option<Check> {
        match (via, ty.element()) {
            (Via::Joined, Some(element)) => self.check(&element.clone()),
            _ if self.is_whole(ty.required()) => None,
            _ => self.check(ty),
        }
    }

    /// Whether a type is a kind with all its members, so that every word that can be read is one.
    fn is_whole(&self, ty: &Type) -> bool {
        match ty {
            Type::Member(part) => {
                self.program.types.whole(part.kind) == *ty && !self.is_dynamic(ty)
            }
            _ => false,
        }
    }

    fn target_type(&self, target: &program::Target, event: Option<EventId>) -> Type {
        match target {
            program::Target::Given(id, None) => self.program.givens[id.index()].ty.clone(),
            program::Target::Given(id, Some(_)) => self.program.givens[id.index()].entry.clone(),
            program::Target::Number(_) => Type::Number,
            program::Target::Field(index) => event.map_or(Type::Wrong, |event| {
                self.program.events[event.index()].fields[*index].1.clone()
            }),
        }
    }

    fn reading(&mut self, ty: &Type, via: Via) -> Reading {
        match via {
            Via::Attribute(kind, attribute) => {
                Reading::Attribute(self.attribute_texts(kind, attribute))
            }
            Via::Joined => {
                let element = ty.element().cloned().unwrap_or(Type::Word);
                Reading::Joined(Box::new(self.reading(&element, Via::Form)))
            }
            Via::Form => match ty {
                Type::YesNo => Reading::YesNo,
                Type::Number => Reading::Number {
                    lo: i64::MIN + 1,
                    hi: i64::MAX,
                },
                Type::Decimal(places) => Reading::Decimal {
                    places: *places,
                    lo: i64::MIN + 1,
                    hi: i64::MAX,
                },
                Type::Range(range) if range.places > 0 => Reading::Decimal {
                    places: range.places,
                    lo: range.lo,
                    hi: range.hi,
                },
                Type::Range(range) => Reading::Number {
                    lo: range.lo,
                    hi: range.hi,
                },
                Type::Member(_) | Type::Product(_) => {
                    let form = self.form(&self.program.types.whole_of(ty));
                    self.compiled.forms[form].read = true;
                    Reading::Form(form)
                }
                _ => Reading::Word,
            },
        }
    }
}

/// The numbers that say how often something is repeated.
fn counts_of(steps: &[program::Step], counts: &mut Vec<LocalId>) {
    for step in steps {
        match step {
            program::Step::Times { count, steps, .. } => {
                if let ExprKind::Local(local) = count.kind {
                    counts.push(local);
                }
                counts_of(steps, counts);
            }
            program::Step::Until { steps, .. } => counts_of(steps, counts),
            program::Step::Pattern(_) | program::Step::Start(_) | program::Step::Play(_) => {}
        }
    }
}
