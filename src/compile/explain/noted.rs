//! Compiles expressions of explained rows: besides their value, they note in the journal what they mention.

mod loops;

use std::collections::BTreeMap;

use self::loops::loop_of;
use super::written::squeezed;
use crate::{
    builtins::Builtin,
    code::{
        Code, Loop, Noted, Text,
        explain::{Mention, Mentioned},
    },
    compile::{Compiler, Context, Frame, Noting, expressions::shifted},
    program::{Expr, ExprKind, FactId, LocalId, Quantifier, Tense, is_value_fact},
    types::Type,
};

/// The longest source text of an expression that is shown with its value, in bytes.
const LONGEST_MENTION: usize = 60;

/// The mentions of all explained rows.
#[derive(Debug, Default)]
pub(in crate::compile) struct Mentions {
    all: Vec<Mention>,
    /// The facts among them, each in its context.
    facts: Vec<(FactId, Context)>,
    places: BTreeMap<(FactId, Context), usize>,
    /// Whether lists are explained member by member, too.
    pub(in crate::compile) deep: bool,
}

impl Mentions {
    /// The index of a fact in a context.
    pub(super) fn place_of(&mut self, fact: FactId, context: Context) -> usize {
        let next = self.facts.len();
        let place = *self.places.entry((fact, context)).or_insert(next);
        if place == next {
            self.facts.push((fact, context));
        }
        place
    }

    /// The fact with an index.
    pub(super) fn fact(&self, place: usize) -> Option<(FactId, Context)> {
        self.facts.get(place).copied()
    }

    /// Takes all mentions.
    pub(super) fn take(&mut self) -> Vec<Mention> {
        std::mem::take(&mut self.all)
    }

    fn add(&mut self, mention: Mention) -> u32 {
        self.all.push(mention);
        u32::try_from(self.all.len() - 1).unwrap_or(u32::MAX)
    }
}

impl Compiler<'_> {
    /// An expression that notes what it mentions; nothing if only its parts do.
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
            } => {
                let mut found = self.found(frame, *quantifier, bindings, condition);
                let unmet = self.unmet(frame, *quantifier, expr, condition);
                if !unmet.is_empty() {
                    found = Noted::Before {
                        noted: unmet.into(),
                        code: Code::Noted(Box::new(found)),
                    };
                }
                match self.holds_for_all(frame, *quantifier, expr) {
                    Some(holds) => {
                        let mut noted = self.free_variables(frame, expr);
                        noted.push(holds);
                        Noted::Before {
                            noted: noted.into(),
                            code: Code::Noted(Box::new(found)),
                        }
                    }
                    None => found,
                }
            }
            ExprKind::Comprehension { .. } | ExprKind::Best { .. } => Noted::Before {
                noted: self.loops(frame, expr),
                code: frame.without_noting(|frame| self.code(frame, expr)),
            },
            _ => {
                let mut loops = Vec::new();
                expr.children(&mut |child| loops.extend(loop_of(child)));
                if let Some(noted) = self.mention(frame, expr) {
                    let code = Code::Noted(Box::new(noted));
                    if !is_size(expr) || loops.is_empty() {
                        return Some(code);
                    }
                    // Besides the count, note what is counted.
                    let loops = loops.into_iter();
                    let noted = loops.flat_map(|child| self.loops(frame, child)).collect();
                    return Some(Code::Noted(Box::new(Noted::Before { noted, code })));
                }
                let looked_for = self.looked_for(frame, expr);
                if loops.is_empty() && looked_for.is_none() {
                    return None;
                }
                let loops = loops.into_iter();
                let is_counted = looked_for.is_some()
                    && matches!(expr.kind, ExprKind::Builtin(Builtin::Count, _));
                let noted = loops.flat_map(|child| self.loops(frame, child));
                let noted = noted.chain(looked_for).collect();
                frame.noting = Noting::OfParts;
                let mut code = self.code(frame, expr);
                // How many there are is compared, not which.
                let name = self.name_of(expr);
                if is_counted && !name.is_empty() {
                    code = self.noted_as(name, &expr.ty, code);
                }
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

    /// Notes what makes `some` or `no` true or false, or `every` false.
    fn found(
        &mut self,
        frame: &mut Frame,
        quantifier: Quantifier,
        bindings: &[(LocalId, Expr)],
        condition: &Expr,
    ) -> Noted {
        let ranges = loops::independent(bindings)
            .map(|collection| self.code(frame, collection))
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

    /// Notes that `every` or `no` holds, for which no single member is the reason.
    fn holds_for_all(
        &mut self,
        frame: &mut Frame,
        quantifier: Quantifier,
        expr: &Expr,
    ) -> Option<Code> {
        if !self.mentions.deep || quantifier == Quantifier::Some {
            return None;
        }
        let name = self.name_of(expr);
        if name.is_empty() {
            return None;
        }
        let holds = frame.without_noting(|frame| self.code(frame, expr));
        let noted = self.noted_as(name, &expr.ty, Code::Constant(1));
        Some(Code::And(Box::new((holds, noted))))
    }

    /// Notes the options, givens, states and facts that a `some` compares with, if it finds nothing: no single member is the
    /// reason.
    fn unmet(
        &mut self,
        frame: &mut Frame,
        quantifier: Quantifier,
        expr: &Expr,
        condition: &Expr,
    ) -> Vec<Code> {
        fn compared<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
            match &expr.kind {
                ExprKind::State(..) | ExprKind::Given(_) | ExprKind::Constant(_) => {
                    found.push(expr);
                }
                ExprKind::Fact { .. } if loops::is_closed(expr) => found.push(expr),
                ExprKind::Entry { key, .. } => compared(key, found),
                _ => expr.children(&mut |child| compared(child, found)),
            }
        }
        let mut found = Vec::new();
        if self.mentions.deep && quantifier == Quantifier::Some {
            compared(condition, &mut found);
        }
        found.retain(|one| {
            let is_known = matches!(one.kind, ExprKind::Constant(_));
            self.fits_in_line(&one.ty) && (!is_known || self.is_option(&self.name_of(one)))
        });
        let found = found.into_iter().map(|one| {
            let code = frame.without_noting(|frame| self.code(frame, expr));
            let noted = self.code(frame, one);
            Code::And(Box::new((Code::Not(Box::new(code)), noted)))
        });
        found.collect()
    }

    /// The variables that an expression names and does not bind itself.
    fn free_variables(&mut self, frame: &mut Frame, expr: &Expr) -> Vec<Code> {
        fn named<'e>(
            expr: &'e Expr,
            free: &mut Vec<(LocalId, &'e Expr)>,
            bound: &mut Vec<LocalId>,
        ) {
            match &expr.kind {
                ExprKind::Local(local) if free.iter().all(|(known, _)| known != local) => {
                    free.push((*local, expr));
                }
                ExprKind::Quantified { bindings, .. }
                | ExprKind::Comprehension { bindings, .. } => {
                    bound.extend(bindings.iter().map(|(local, _)| *local));
                }
                ExprKind::Best { local, .. } | ExprKind::Lift { local, .. } => bound.push(*local),
                _ => {}
            }
            expr.children(&mut |child| named(child, free, bound));
        }
        let (mut free, mut bound) = (Vec::new(), Vec::new());
        named(expr, &mut free, &mut bound);
        // Longer names say enough.
        let free = free.into_iter().filter(|(local, expr)| {
            !bound.contains(local)
                && self.sources.text(expr.span).chars().count() == 1
                && self.fits_in_line(&expr.ty)
        });
        let free: Vec<&Expr> = free.map(|(_, expr)| expr).collect();
        free.into_iter()
            .map(|expr| self.code(frame, expr))
            .collect()
    }

    /// The key of a table by columns, noted with its value. A yes-or-no key notes what it depends on.
    pub(super) fn column(&mut self, frame: &mut Frame, key: &Expr) -> Code {
        if !self.mentions.deep || *key.ty.required() == Type::YesNo {
            return self.code(frame, key);
        }
        self.as_a_whole(frame, key)
    }

    /// An expression that notes its value under its source text, before what its parts note.
    fn as_a_whole(&mut self, frame: &mut Frame, expr: &Expr) -> Code {
        let own = self.code(frame, expr);
        let name = self.name_of(expr);
        let is_noted = matches!(&own, Code::Noted(noted) if matches!(**noted, Noted::Value { .. }));
        let is_constant = matches!(expr.kind, ExprKind::Constant(_));
        if is_noted || is_constant || name.is_empty() || !self.fits_in_line(&expr.ty) {
            return own;
        }
        self.noted_as(name, &expr.ty, own)
    }

    /// Code that notes its value under a name.
    fn noted_as(&mut self, name: String, ty: &Type, code: Code) -> Code {
        let text = Some(self.value_text(Code::Local(0), ty));
        let mention = self.mentions.add(Mention {
            name,
            text,
            what: Mentioned::Other,
            looked_for: None,
            literals: Vec::new(),
            compared: None,
        });
        Code::Noted(Box::new(Noted::Value {
            mention,
            of: Box::new([]),
            code,
        }))
    }

    /// The mention of a variable that ranges over a collection, named after that.
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
            .fits_in_line(&ty)
            .then(|| self.value_text(Code::Local(0), &ty));
        Some(Mention {
            name,
            text,
            what: Mentioned::Other,
            looked_for: None,
            literals: Vec::new(),
            compared: None,
        })
    }

    /// The mention of a state, a given, an option, a field, a variable or a fact; nothing for other expressions.
    fn mention(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Noted> {
        let name = self.name_of(expr);
        self.mention_called(frame, expr, name)
    }

    /// The same under another name.
    fn mention_called(&mut self, frame: &mut Frame, expr: &Expr, name: String) -> Option<Noted> {
        let mut of: &[Expr] = &[];
        let mut what = Mentioned::Other;
        // For a look-up or count, also note the key or collection.
        let mut parts = false;
        match &expr.kind {
            ExprKind::Attribute { .. } if self.mentions.deep => parts = true,
            ExprKind::Builtin(Builtin::Count, arguments)
                if self.mentions.deep && self.fits_in_line(&arguments[0].ty) =>
            {
                parts = true;
            }
            ExprKind::Builtin(Builtin::Size, arguments)
                if self.mentions.deep && !is_known(&arguments[0]) =>
            {
                parts = loop_of(&arguments[0]).is_none();
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
        let text = (!name.is_empty() && self.fits_in_line(&expr.ty))
            .then(|| self.value_text(Code::Local(0), &expr.ty));
        if text.is_none() && what == Mentioned::Other {
            return None;
        }
        // The text of several keys is that of the whole.
        let literals = of.iter().map(|one| self.literal(one));
        let literals = literals.map(|one| one.filter(|(source, _)| *source != name));
        let literals = literals.collect();
        let mention = self.mentions.add(Mention {
            name,
            text,
            what,
            looked_for: None,
            literals,
            compared: None,
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

    /// A key or an argument of which the source text says little: a constant member, or a call. Its source text, and the
    /// text of its value, which is the first local.
    fn literal(&mut self, expr: &Expr) -> Option<(String, Text)> {
        let name = self.name_of(expr);
        let is_member = is_known(expr) && matches!(expr.ty.required(), Type::Member(_));
        let is_told = is_member || name.contains('(');
        let is_plain = expr.ty.required().element().is_none() && self.is_written(&expr.ty);
        (is_told && is_plain).then(|| (name, self.value_text(Code::Local(0), &expr.ty)))
    }

    /// What is looked for in a state that is a collection, if it cannot be written in a line: a position among earlier
    /// ones, for example.
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
        if !self.mentions.deep || self.fits_in_line(&member.ty) || member.ty.is_optional() {
            return None;
        }
        let mention = self.mentions.add(Mention {
            name: self.name_of(member),
            text: None,
            what: Mentioned::Other,
            looked_for: Some(state.index()),
            literals: Vec::new(),
            compared: None,
        });
        let code = frame.without_noting(|frame| self.code(frame, member));
        Some(Code::Noted(Box::new(Noted::Value {
            mention,
            of: Box::new([]),
            code,
        })))
    }

    /// The name of an expression in explanations: its source text, or empty if too long.
    fn name_of(&self, expr: &Expr) -> String {
        let name = squeezed(self.sources.text(expr.span));
        // The span of a negated expression covers the `not`.
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
}

/// The kind of mention of a state in a tense. The previous state has no relation to the current event.
fn mentioned(context: Context, state: usize, tense: Tense) -> Mentioned {
    match shifted(context, tense).tense {
        Tense::Previous => Mentioned::Other,
        tense => Mentioned::State {
            state,
            new: tense == Tense::New,
        },
    }
}

/// Whether an expression is constant.
fn is_known(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::All => true,
        ExprKind::Converted(inner) | ExprKind::Checked(inner) => is_known(inner),
        _ => false,
    }
}

/// Whether an expression is the size of a collection.
fn is_size(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Builtin(Builtin::Size, _))
}
