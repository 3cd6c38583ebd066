//! Expressions of explained rows: what they mention is noted in the journal beside their values.

use std::collections::BTreeMap;

use super::written::squeezed;
use crate::{
    builtins::Builtin,
    code::{
        Code, Loop, Noted,
        explain::{Mention, Mentioned},
    },
    compile::{Compiler, Context, Frame, Noting, definitions::each_root, expressions::shifted},
    program::{Expr, ExprKind, FactId, LocalId, Quantifier, TemplatePart, Tense, is_value_fact},
};

/// How long an expression may be that is shown with its value.
const LONGEST_MENTION: usize = 60;

/// What explained rows mention.
#[derive(Debug, Default)]
pub(in crate::compile) struct Mentions {
    all: Vec<Mention>,
    /// The facts among them, each in the context in which it is asked.
    facts: Vec<(FactId, Context)>,
    places: BTreeMap<(FactId, Context), usize>,
    /// Whether lists are told of member by member, too.
    pub(in crate::compile) deep: bool,
}

impl Mentions {
    /// The place of a fact in a context.
    pub(super) fn place_of(&mut self, fact: FactId, context: Context) -> usize {
        let next = self.facts.len();
        let place = *self.places.entry((fact, context)).or_insert(next);
        if place == next {
            self.facts.push((fact, context));
        }
        place
    }

    /// The fact at a place.
    pub(super) fn fact(&self, place: usize) -> Option<(FactId, Context)> {
        self.facts.get(place).copied()
    }

    /// All that is mentioned.
    pub(super) fn take(&mut self) -> Vec<Mention> {
        std::mem::take(&mut self.all)
    }

    fn add(&mut self, mention: Mention) -> u32 {
        self.all.push(mention);
        u32::try_from(self.all.len() - 1).unwrap_or(u32::MAX)
    }
}

/// What is looked through for what a loop mentions.
struct Looped<'l> {
    /// The facts whose definitions are looked into.
    through: &'l mut Vec<FactId>,
    noted: &'l mut Vec<Code>,
}

impl Compiler<'_> {
    /// An expression that notes what it mentions; nothing where only its parts do.
    pub(in crate::compile) fn noted(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Code> {
        if frame.noting == Noting::OfParts {
            frame.noting = Noting::Yes;
            return None;
        }
        let noted = match &expr.kind {
            ExprKind::And(left, right) => self.decided(frame, 0, left, right),
            ExprKind::Or(left, right) => self.decided(frame, 1, left, right),
            ExprKind::Quantified {
                quantifier,
                bindings,
                condition,
            } => self.found(frame, *quantifier, bindings, condition),
            ExprKind::Comprehension { .. } | ExprKind::Best { .. } => Noted::Before {
                noted: self.loops(frame, expr),
                code: frame.without_noting(|frame| self.code(frame, expr)),
            },
            _ => {
                if let Some(noted) = self.mention(frame, expr) {
                    return Some(Code::Noted(Box::new(noted)));
                }
                let mut loops = Vec::new();
                expr.children(&mut |child| loops.extend(loop_of(child)));
                let looked_for = self.looked_for(frame, expr);
                if loops.is_empty() && looked_for.is_none() {
                    return None;
                }
                let loops = loops.into_iter();
                let noted = loops.flat_map(|child| self.loops(frame, child));
                let noted = noted.chain(looked_for).collect();
                frame.noting = Noting::OfParts;
                let code = self.code(frame, expr);
                Noted::Before { noted, code }
            }
        };
        Some(Code::Noted(Box::new(noted)))
    }

    fn decided(&mut self, frame: &mut Frame, decides: i64, left: &Expr, right: &Expr) -> Noted {
        Noted::Joined {
            decides,
            left: self.code(frame, left),
            right: self.code(frame, right),
        }
    }

    /// What makes `some` or `no` true or false, or what makes `every` false.
    fn found(
        &mut self,
        frame: &mut Frame,
        quantifier: Quantifier,
        bindings: &[(LocalId, Expr)],
        condition: &Expr,
    ) -> Noted {
        let ranges = bindings
            .iter()
            .map(|(_, collection)| self.code(frame, collection))
            .collect();
        let variables = bindings
            .iter()
            .filter_map(|(local, collection)| {
                let mention = self.variable(collection)?;
                Some((self.mentions.add(mention), local.0))
            })
            .collect();
        let range = frame.without_noting(|frame| {
            let code = self.code(frame, condition);
            Loop {
                bindings: self.bindings(frame, bindings),
                condition: Some(match quantifier {
                    Quantifier::Every => Code::Not(Box::new(code)),
                    _ => code,
                }),
            }
        });
        Noted::Found {
            range,
            holds: quantifier == Quantifier::Some,
            variables,
            condition: self.code(frame, condition),
            ranges,
        }
    }

    /// A variable that goes through a collection: its name stands before that.
    fn variable(&mut self, collection: &Expr) -> Option<Mention> {
        let ty = collection.ty.element()?.clone();
        let source = self.sources.get(collection.span.source)?;
        let before = source.text.get(..collection.span.range().start)?;
        let name = before
            .trim_end()
            .strip_suffix("in")?
            .split_whitespace()
            .last()?
            .to_string();
        let text = self
            .is_told(&ty)
            .then(|| self.value_text(Code::Local(0), &ty));
        Some(Mention {
            name,
            text,
            what: Mentioned::Other,
            looked_for: None,
        })
    }

    /// State, a given, an option, a field, a variable or a fact; nothing for another expression.
    fn mention(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Noted> {
        let name = self.name_of(expr);
        self.mention_called(frame, expr, name)
    }

    /// The same by a name.
    fn mention_called(&mut self, frame: &mut Frame, expr: &Expr, name: String) -> Option<Noted> {
        let mut of: &[Expr] = &[];
        let mut what = Mentioned::Other;
        // Of what is looked up or counted, that is noted, too, of which it is.
        let mut parts = false;
        match &expr.kind {
            ExprKind::Attribute { .. } if self.mentions.deep => parts = true,
            ExprKind::Builtin(Builtin::Count, arguments)
                if self.mentions.deep && self.is_told(&arguments[0].ty) =>
            {
                parts = true;
            }
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            } => {
                if is_value_fact(&self.program.facts[fact.index()].name) {
                    return None;
                }
                let context = shifted(frame.context, *tense);
                what = Mentioned::Fact(self.mentions.place_of(*fact, context));
                of = arguments;
            }
            ExprKind::State(state, tense) => what = mentioned(frame.context, state.index(), *tense),
            ExprKind::Given(_) | ExprKind::EventField(_) | ExprKind::Local(_) => {}
            ExprKind::Entry { map, key } => {
                match &map.kind {
                    ExprKind::State(state, tense) => {
                        what = mentioned(frame.context, state.index(), *tense);
                    }
                    ExprKind::Given(_) => {}
                    _ => return None,
                }
                of = std::slice::from_ref(key);
            }
            ExprKind::Constant(_) if self.is_option(&name) => {}
            _ => return None,
        }
        let text = (!name.is_empty() && self.is_told(&expr.ty))
            .then(|| self.value_text(Code::Local(0), &expr.ty));
        if text.is_none() && what == Mentioned::Other {
            return None;
        }
        let mention = self.mentions.add(Mention {
            name,
            text,
            what,
            looked_for: None,
        });
        let of = of.iter().map(|one| self.code(frame, one)).collect();
        let code = if parts && frame.noting == Noting::Yes {
            frame.noting = Noting::OfParts;
            self.code(frame, expr)
        } else {
            frame.without_noting(|frame| self.code(frame, expr))
        };
        Some(Noted::Value { mention, of, code })
    }

    /// What is looked for in a state that is a collection, where that cannot be written in a line: a position among those
    /// before it, say.
    fn looked_for(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Code> {
        let (member, collection) = match &expr.kind {
            ExprKind::In(member, collection) => (&**member, &**collection),
            ExprKind::Builtin(Builtin::Count, arguments) => match arguments.as_slice() {
                [member, collection] => (member, collection),
                _ => return None,
            },
            _ => return None,
        };
        let ExprKind::State(state, _) = collection.kind else {
            return None;
        };
        if !self.mentions.deep || self.is_told(&member.ty) || member.ty.is_optional() {
            return None;
        }
        let mention = self.mentions.add(Mention {
            name: self.name_of(member),
            text: None,
            what: Mentioned::Other,
            looked_for: Some(state.index()),
        });
        let code = frame.without_noting(|frame| self.code(frame, member));
        Some(Code::Noted(Box::new(Noted::Value {
            mention,
            of: Box::new([]),
            code,
        })))
    }

    /// What an expression is called that is mentioned: as it was written, or nothing where that is too long.
    fn name_of(&self, expr: &Expr) -> String {
        let name = squeezed(self.sources.text(expr.span));
        // What is negated has the place of the whole.
        let name = name.strip_prefix("not ").unwrap_or(&name);
        let bare = name
            .strip_prefix('(')
            .and_then(|name| name.strip_suffix(')'));
        let bare = bare.filter(|bare| !bare.contains(['(', ')']));
        let name = bare.unwrap_or(name);
        if name.chars().count() > LONGEST_MENTION {
            return String::new();
        }
        name.to_string()
    }

    /// What the loops of a text mention.
    pub(super) fn loops_in_text(&mut self, frame: &mut Frame, text: &Expr) -> Box<[Code]> {
        let mut loops: Vec<&Expr> = loop_of(text).into_iter().collect();
        if let ExprKind::Template(template) = &text.kind {
            for part in &template.parts {
                if let TemplatePart::Hole(hole) = part {
                    loops.extend(loop_of(hole));
                }
            }
        }
        let mut noted = Vec::new();
        for one in loops {
            noted.extend(self.loops(frame, one));
            if self.mentions.deep {
                noted.extend(self.each_time(frame, one));
            }
        }
        noted.into()
    }

    /// What the value of a list mentions, each time round: for a list in a text, which has few members.
    fn each_time(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Code> {
        let ExprKind::Comprehension {
            value,
            bindings,
            condition,
        } = loop_of(expr).map(|expr| &expr.kind)?
        else {
            return None;
        };
        let range = frame.without_noting(|frame| self.bindings(frame, bindings));
        let condition = condition
            .as_deref()
            .map(|condition| frame.without_noting(|frame| self.code(frame, condition)));
        let value = self.code(frame, value);
        // None is the one that is looked for: all are gone through.
        let noted = Code::Noted(Box::new(Noted::Before {
            noted: Box::new([value]),
            code: Code::Constant(0),
        }));
        let condition = match condition {
            Some(condition) => Code::And(Box::new((condition, noted))),
            None => noted,
        };
        Some(Code::Noted(Box::new(Noted::Found {
            range: Loop {
                bindings: range,
                condition: Some(condition),
            },
            holds: true,
            variables: Box::new([]),
            condition: Code::Constant(0),
            ranges: Box::new([]),
        })))
    }

    /// The members of a list or set that is made by a loop, where they can be told.
    fn members_made(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Code> {
        let name = self.name_of(expr);
        if name.is_empty() || !self.is_told(&expr.ty) {
            return None;
        }
        let text = Some(self.value_text(Code::Local(0), &expr.ty));
        let mention = self.mentions.add(Mention {
            text,
            name,
            what: Mentioned::Other,
            looked_for: None,
        });
        let code = frame.without_noting(|frame| self.code(frame, expr));
        Some(Code::Noted(Box::new(Noted::Value {
            mention,
            of: Box::new([]),
            code,
        })))
    }

    /// What a loop mentions: all that it goes through, and of the rest what is the same each time round.
    fn loops(&mut self, frame: &mut Frame, expr: &Expr) -> Box<[Code]> {
        let mut noted = Vec::new();
        if self.mentions.deep && matches!(expr.kind, ExprKind::Comprehension { .. }) {
            noted.extend(self.members_made(frame, expr));
        }
        let mut within = Vec::new();
        match &expr.kind {
            ExprKind::Comprehension {
                value,
                bindings,
                condition,
            } => {
                let ranges = bindings.iter().map(|(_, collection)| collection);
                noted.extend(ranges.map(|collection| self.code(frame, collection)));
                within.extend(condition.as_deref());
                within.push(&**value);
            }
            ExprKind::Best {
                collection,
                condition,
                keys,
                ..
            } => {
                noted.push(self.code(frame, collection));
                within.extend(condition.as_deref());
                within.extend(keys.iter().map(|key| &key.value));
            }
            _ => {}
        }
        let mut looped = Looped {
            through: &mut Vec::new(),
            noted: &mut noted,
        };
        for expr in within {
            self.looped(frame, expr, &mut looped);
        }
        noted.into()
    }

    /// What an expression in a loop mentions that is the same each time round. Where a fact is asked for each of
    /// something, what that fact mentions stands in its place.
    fn looped(&mut self, frame: &mut Frame, expr: &Expr, looped: &mut Looped<'_>) {
        let is_asked = match &expr.kind {
            ExprKind::Fact { .. } | ExprKind::State(..) => true,
            ExprKind::Entry { map, .. } => matches!(map.kind, ExprKind::State(..)),
            _ => false,
        };
        if is_asked && is_closed(expr) {
            // What stands in another definition is not what the row mentions.
            let name = if looped.through.is_empty() {
                self.name_of(expr)
            } else {
                String::new()
            };
            if let Some(noted) = self.mention_called(frame, expr, name) {
                looped.noted.push(Code::Noted(Box::new(noted)));
            }
            return;
        }
        match &expr.kind {
            ExprKind::Fact { fact, tense, .. } if !looped.through.contains(fact) => {
                looped.through.push(*fact);
                let context = shifted(frame.context, *tense);
                let outer = std::mem::replace(&mut frame.context, context);
                let program = self.program;
                let definition = &program.facts[fact.index()].definition;
                each_root(definition, &mut |root| self.looped(frame, root, looped));
                frame.context = outer;
                looped.through.pop();
            }
            _ => {}
        }
        expr.children(&mut |child| self.looped(frame, child, looped));
    }
}

/// A state in a tense. What it was before the last event is none of this one's.
fn mentioned(context: Context, state: usize, tense: Tense) -> Mentioned {
    match shifted(context, tense).tense {
        Tense::Previous => Mentioned::Other,
        tense => Mentioned::State {
            state,
            new: tense == Tense::New,
        },
    }
}

/// The loop that a collection is made by, if it is.
fn loop_of(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Comprehension { .. } | ExprKind::Best { .. } => Some(expr),
        ExprKind::Converted(inner) | ExprKind::Checked(inner) => loop_of(inner),
        ExprKind::Listed { collection, .. } => loop_of(collection),
        _ => None,
    }
}

/// Whether an expression has no variables.
fn is_closed(expr: &Expr) -> bool {
    let mut closed = !matches!(expr.kind, ExprKind::Local(_));
    expr.children(&mut |child| closed = closed && is_closed(child));
    closed
}
