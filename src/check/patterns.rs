//! Checks patterns: texts with holes that are read.

use super::{Checker, Scope, aims::Aim};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{EventId, Hole, Item, Pattern, Segment, Target, Unit, Via},
    source::Span,
    syntax::ast::{self, Many, TextPart},
    types::Type,
    word::{Between, Separator},
};

impl Checker<'_> {
    /// Checks a text as a pattern. In a row of `play`, its holes are primarily fields of `event`.
    pub(super) fn pattern(
        &mut self,
        scope: &mut Scope,
        text: &ast::Text,
        event: Option<EventId>,
        unit: Unit,
    ) -> Pattern {
        let mut items: Vec<Item> = Vec::new();
        let mut word: Vec<Segment> = Vec::new();
        for part in &text.parts {
            match part {
                TextPart::Literal { text, .. } => {
                    let mut pieces = text.split(char::is_whitespace);
                    if let Some(first) = pieces.next()
                        && !first.is_empty()
                    {
                        word.push(Segment::Literal(first.to_string()));
                    }
                    for piece in pieces {
                        close(&mut word, &mut items);
                        if !piece.is_empty() {
                            word.push(Segment::Literal(piece.to_string()));
                        }
                    }
                }
                TextPart::Hole(hole) => match &hole.many {
                    Many::One => {
                        if let Some(hole) = self.read_hole(scope, hole, event, false) {
                            word.push(Segment::Hole(Box::new(hole)));
                        }
                    }
                    Many::Rest | Many::Exactly(_) => {
                        if !word.is_empty() {
                            self.touching(hole.span);
                        }
                        close(&mut word, &mut items);
                        items.extend(self.many_hole(scope, hole, event));
                    }
                },
            }
        }
        close(&mut word, &mut items);
        self.touching_many(text);
        self.only_last(&items, unit, text.span);
        Pattern {
            items,
            span: text.span,
        }
    }

    fn touching(&mut self, span: Span) {
        self.report(
            Diagnostic::error(
                Code::HoleForm,
                span,
                "a hole for several words needs a blank on each side",
            )
            .help("for a collection without blanks, write `{joined of x}`"),
        );
    }

    /// Reports a text right after a hole for several words.
    fn touching_many(&mut self, text: &ast::Text) {
        for pair in text.parts.windows(2) {
            let [TextPart::Hole(hole), next] = pair else {
                continue;
            };
            if matches!(hole.many, Many::One) {
                continue;
            }
            let apart = matches!(next, TextPart::Literal { text, .. } if text.starts_with(char::is_whitespace));
            if !apart {
                self.touching(hole.span);
            }
        }
    }

    /// Requires optional holes to be last, and holes for any number of words to be last or before a text, in
    /// transcripts by lines.
    fn only_last(&mut self, items: &[Item], unit: Unit, span: Span) {
        for (index, item) in items.iter().enumerate() {
            let open_ended = match item {
                Item::Many { count, .. } => count.is_none(),
                Item::Word(segments) => {
                    matches!(segments.as_slice(), [Segment::Hole(hole)] if hole.absent.as_deref() == Some(""))
                }
            };
            if !open_ended {
                continue;
            }
            let place = item.holes().first().map_or(span, |hole| hole.span);
            let next = items.get(index + 1);
            let ends = matches!(next, Some(Item::Word(word)) if matches!(word.as_slice(), [Segment::Literal(_)]));
            if ends && matches!(item, Item::Many { .. }) {
                continue;
            }
            if unit == Unit::Words {
                self.report(
                    Diagnostic::error(
                        Code::HoleForm,
                        place,
                        "in a transcript `by words`, nothing says where this ends",
                    )
                    .help(match item {
                        Item::Many { .. } => "put a word after it, as in `{x ...} end`, or say how many: `{x ... 3}`; or read the transcript `by lines`",
                        Item::Word(_) => "read the transcript `by lines`; or write something for what is missing: `{x else '-'}`",
                    }),
                );
            } else if next.is_some() {
                let (message, help) = match item {
                    Item::Many { .. } => (
                        "nothing says where this ends: what comes after it is not a text",
                        "put a word between them, as in `{a ...} / {b ...}`, or say how many: `{a ... 3}`",
                    ),
                    Item::Word(_) => (
                        "what may be missing comes last",
                        "move it to the end of the pattern",
                    ),
                };
                self.report(Diagnostic::error(Code::HoleForm, place, message).help(help));
            }
        }
    }

    fn many_hole(
        &mut self,
        scope: &mut Scope,
        hole: &ast::Hole,
        event: Option<EventId>,
    ) -> Option<Item> {
        let read = self.read_hole(scope, hole, event, true)?;
        let count = match &hole.many {
            Many::Exactly(count) => {
                Some(self.number(scope, count, "a number is expected after `...`"))
            }
            Many::One | Many::Rest => None,
        };
        Some(Item::Many { hole: read, count })
    }

    fn read_hole(
        &mut self,
        scope: &mut Scope,
        hole: &ast::Hole,
        event: Option<EventId>,
        many: bool,
    ) -> Option<Hole> {
        let (written, absent) = match &hole.value.kind {
            ast::ExprKind::Binary {
                operator: ast::Operator::Else,
                left,
                right,
                ..
            } => (&**left, Some(self.absent(right)?)),
            _ => (&hole.value, None),
        };
        let mut aim = self.aim(scope, written, event, hole.span)?;
        let between = match &hole.separators {
            Some(separators) => Some(self.between(&mut aim, separators, many)?),
            None => None,
        };
        if absent.is_some() && !Self::takes_none(&aim) {
            self.report(
                Diagnostic::error(
                    Code::NeverNone,
                    hole.span,
                    format!(
                        "`{}` is never none, so no word can stand for that",
                        aim.name
                    ),
                )
                .help("give it a type with `?`, or leave out `else`"),
            );
            return None;
        }
        if let (true, Target::Number(_), ast::ExprKind::Name(name)) =
            (many, &aim.target, &written.kind)
        {
            self.unknown_name(scope, name);
            return None;
        }
        let whole = aim.ty.required().clone();
        let ty = match (many, aim.via) {
            (true, Via::Form) => match whole.element() {
                Some(element) => element.clone(),
                None if whole == Type::Text => Type::Text,
                None => {
                    let message = format!(
                        "`{}` is {}, not a collection of words",
                        aim.name,
                        self.described(&whole)
                    );
                    self.report(
                        Diagnostic::error(Code::HoleForm, hole.span, message)
                            .help(format!("write `{{{}}}`", aim.name)),
                    );
                    return None;
                }
            },
            (true, _) => {
                self.touching(hole.span);
                return None;
            }
            (false, _) => whole,
        };
        if !self.is_readable(&ty, aim.via, many) {
            let message = format!(
                "`{}` is {}, which cannot be read as a word",
                aim.name,
                self.described(&ty)
            );
            let mut diagnostic = Diagnostic::error(Code::HoleForm, hole.span, message);
            if ty.element().is_some() {
                diagnostic = diagnostic.help(if between.is_some() {
                    format!(
                        "read its members as words of their own: `{{{} ...}}`",
                        aim.name
                    )
                } else {
                    format!(
                        "write `{{{} ...}}` for words up to the line's end, or `{{joined of {}}}`",
                        aim.name, aim.name
                    )
                });
            }
            if ty == Type::Text && aim.via == Via::Form {
                diagnostic = diagnostic.help(format!(
                    "write `{{{} ...}}` for words up to the line's end; or let its type be `word`, for one word",
                    aim.name
                ));
            }
            self.report(diagnostic);
            return None;
        }
        Some(Hole {
            target: aim.target,
            ty,
            via: aim.via,
            absent,
            between,
            name: aim.name,
            span: hole.span,
        })
    }

    /// The text between the members of a list that is read. Without blanks, the list is one word.
    fn between(
        &mut self,
        aim: &mut Aim,
        separators: &ast::Separators,
        many: bool,
    ) -> Option<Between> {
        let by = self.separator(&separators.between);
        let last = match &separators.last {
            Some(last) => self.separator(last),
            None => by.clone(),
        };
        let texts = [Some(&separators.between), separators.last.as_ref()];
        let mut parts = texts.into_iter().flatten().flat_map(|text| &text.parts);
        if parts.any(|part| matches!(part, TextPart::Hole(_))) {
            return None;
        }
        let name = &aim.name;
        let between = Between {
            by: Separator::of(&by),
            last: Separator::of(&last),
        };
        let is_list = aim.via == Via::Form && aim.ty.required().element().is_some();
        let (message, help) = if !is_list {
            (
                format!(
                    "`by` says what comes between the members of a collection, but `{name}` is read as one value"
                ),
                "leave out `by …`".into(),
            )
        } else if by.is_empty() || last.is_empty() {
            (
                "there is nothing between the members here".to_owned(),
                format!("write `{{joined of {name}}}`"),
            )
        } else {
            match (between.by.joins(), between.last.joins()) {
                (Some(_), Some(_)) if by == last => {
                    if !many {
                        aim.via = Via::Joined;
                        return Some(between);
                    }
                    (
                        format!("without a blank in `{by}`, this is one word and not several"),
                        format!("write `{{{name} by '{by}'}}`, or `by '{by} '` with a blank"),
                    )
                }
                (None, None) if many => return Some(between),
                (None, None) => (
                    "with a blank between its members, this is several words".to_owned(),
                    format!("write `{{{name} ... by '{by}'}}`"),
                ),
                _ => (
                    "what comes before the last member is read only if all members are words of their own"
                        .to_owned(),
                    "put a blank into both texts, or leave out `last …`".into(),
                ),
            }
        };
        self.report(Diagnostic::error(Code::HoleForm, separators.span, message).help(help));
        None
    }

    /// The word for none.
    fn absent(&mut self, written: &ast::Expr) -> Option<String> {
        if let ast::ExprKind::Text(text) = &written.kind {
            match text.parts.as_slice() {
                [] => return Some(String::new()),
                [TextPart::Literal { text, .. }] if !text.contains(char::is_whitespace) => {
                    return Some(text.clone());
                }
                _ => {}
            }
        }
        self.report(
            Diagnostic::error(
                Code::HoleForm,
                written.span,
                "after `else` comes the word that means none",
            )
            .help("write it in quotes: `{x else '-'}`; `''` where it may be missing"),
        );
        None
    }
}

/// Ends the current word.
fn close(word: &mut Vec<Segment>, items: &mut Vec<Item>) {
    if !word.is_empty() {
        items.push(Item::Word(std::mem::take(word)));
    }
}
