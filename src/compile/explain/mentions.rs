//! What expressions mention.

use super::{Explainer, squeezed};
use crate::{
    code::{
        Code,
        explain::{Mention, Mentioned, Phrase},
    },
    compile::{Frame, expressions::shifted},
    program::{Expr, ExprKind, LocalId, Quantifier},
};

/// How long an expression may be that is shown with its value.
const LONGEST_MENTION: usize = 60;

impl Explainer<'_, '_> {
    /// An expression as it was written, and what it mentions.
    pub(super) fn phrase(&mut self, frame: &mut Frame, expr: &Expr) -> Phrase {
        Phrase {
            written: self.condition(expr),
            mentioned: self.mentioned(frame, expr),
        }
    }

    /// The conditions that a condition joins by `and`, each by itself.
    pub(super) fn joined(
        &mut self,
        frame: &mut Frame,
        condition: &Expr,
        conditions: &mut Vec<Code>,
        phrases: &mut Vec<Phrase>,
    ) {
        let unless = self.condition(condition).starts_with("unless ");
        self.joined_by(frame, condition, unless, conditions, phrases);
    }

    /// The same; `apart` says that the condition is negated by a word that does not stand in its place.
    fn joined_by(
        &mut self,
        frame: &mut Frame,
        condition: &Expr,
        apart: bool,
        conditions: &mut Vec<Code>,
        phrases: &mut Vec<Phrase>,
    ) {
        if let ExprKind::And(left, right) = &condition.kind {
            self.joined_by(frame, left, false, conditions, phrases);
            self.joined_by(frame, right, false, conditions, phrases);
            return;
        }
        if let ExprKind::Not(either) = &condition.kind
            && let ExprKind::Or(left, right) = &either.kind
        {
            for part in [left, right] {
                let not = Expr {
                    kind: ExprKind::Not(part.clone()),
                    ty: condition.ty.clone(),
                    span: part.span,
                };
                self.joined_by(frame, &not, true, conditions, phrases);
            }
            return;
        }
        conditions.push(self.compiler.code(frame, condition));
        let text = squeezed(self.compiler.sources.text(condition.span));
        let written = match &condition.kind {
            ExprKind::Not(operand) if apart => negated(operand, &text),
            _ => text,
        };
        let mentioned = self.mentioned(frame, condition);
        phrases.push(Phrase { written, mentioned });
    }

    /// What an expression mentions: state, givens, options, fields, variables and facts, each with its value.
    pub(super) fn mentioned(&mut self, frame: &mut Frame, expr: &Expr) -> Mentioned {
        match &expr.kind {
            ExprKind::And(left, right) => self.decided(frame, 0, left, right),
            ExprKind::Or(left, right) => self.decided(frame, 1, left, right),
            ExprKind::Else(first, second) => Mentioned::Else {
                first: Box::new(self.coded(frame, first)),
                second: Box::new(self.mentioned(frame, second)),
            },
            ExprKind::Lift {
                local,
                operand,
                body,
            } => Mentioned::Bound {
                local: local.0,
                operand: Box::new(self.coded(frame, operand)),
                body: Box::new(self.mentioned(frame, body)),
            },
            ExprKind::Quantified {
                quantifier,
                bindings,
                condition,
            } => self.found(frame, *quantifier, bindings, condition),
            // What their variables are in each round is too much to tell.
            ExprKind::Comprehension { bindings, .. } => Mentioned::All(
                bindings
                    .iter()
                    .map(|(_, collection)| self.mentioned(frame, collection))
                    .collect(),
            ),
            ExprKind::Best { collection, .. } => self.mentioned(frame, collection),
            _ => {
                let mut all: Vec<Mentioned> = Vec::new();
                all.extend(self.mention(frame, expr).map(Mentioned::Value));
                match &expr.kind {
                    // The entry says what the map says here.
                    ExprKind::Entry { key, .. } if !all.is_empty() => {
                        all.push(self.mentioned(frame, key));
                    }
                    _ => expr.children(&mut |child| all.push(self.mentioned(frame, child))),
                }
                Mentioned::All(all)
            }
        }
    }

    fn coded(&mut self, frame: &mut Frame, expr: &Expr) -> (Code, Mentioned) {
        let code = self.compiler.code(frame, expr);
        (code, self.mentioned(frame, expr))
    }

    fn decided(&mut self, frame: &mut Frame, decides: i64, left: &Expr, right: &Expr) -> Mentioned {
        Mentioned::Joined {
            decides,
            left: Box::new(self.coded(frame, left)),
            right: Box::new(self.coded(frame, right)),
        }
    }

    /// What makes `some` or `no` true or false, or what makes `every` false.
    fn found(
        &mut self,
        frame: &mut Frame,
        quantifier: Quantifier,
        bindings: &[(LocalId, Expr)],
        condition: &Expr,
    ) -> Mentioned {
        let ranges = bindings
            .iter()
            .map(|(_, collection)| self.mentioned(frame, collection))
            .collect();
        let variables = bindings
            .iter()
            .filter_map(|(local, collection)| self.variable(frame, *local, collection))
            .collect();
        let code = self.compiler.code(frame, condition);
        let code = if quantifier == Quantifier::Every {
            Code::Not(Box::new(code))
        } else {
            code
        };
        Mentioned::Found {
            bindings: self.compiler.bindings(frame, bindings),
            condition: Box::new([code]),
            ranges,
            variables,
            body: Box::new(self.mentioned(frame, condition)),
        }
    }

    /// A variable that goes through a collection: its name stands before that.
    pub(super) fn variable(
        &mut self,
        frame: &mut Frame,
        local: LocalId,
        collection: &Expr,
    ) -> Option<Mention> {
        let ty = collection.ty.element()?.clone();
        let source = self.compiler.sources.get(collection.span.source)?;
        let before = source.text.get(..collection.span.range().start)?;
        let name = before
            .trim_end()
            .strip_suffix("in")?
            .split_whitespace()
            .last()?;
        let variable = Expr {
            kind: ExprKind::Local(local),
            ty,
            span: collection.span,
        };
        let text = self
            .is_written(&variable.ty)
            .then(|| self.compiler.text(frame, &variable));
        Some(Mention {
            name: name.to_string(),
            text,
            fact: None,
        })
    }

    fn mention(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Mention> {
        let name = squeezed(self.compiler.sources.text(expr.span));
        // What is negated has the place of the whole.
        let name = name.strip_prefix("not ").unwrap_or(&name);
        let bare = name
            .strip_prefix('(')
            .and_then(|name| name.strip_suffix(')'));
        let bare = bare.filter(|bare| !bare.contains(['(', ')']));
        let name = bare.unwrap_or(name).to_string();
        let fact = match &expr.kind {
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            } => {
                let context = shifted(frame.context, *tense);
                let arguments = arguments
                    .iter()
                    .map(|argument| self.compiler.code(frame, argument))
                    .collect();
                Some((self.fact(*fact, context), arguments))
            }
            ExprKind::State(..)
            | ExprKind::Given(_)
            | ExprKind::EventField(_)
            | ExprKind::Local(_) => None,
            ExprKind::Entry { map, .. }
                if matches!(map.kind, ExprKind::State(..) | ExprKind::Given(_)) =>
            {
                None
            }
            ExprKind::Constant(_) if self.is_option(&name) => None,
            _ => return None,
        };
        if name.is_empty() || name.chars().count() > LONGEST_MENTION {
            return None;
        }
        let text = self
            .is_written(&expr.ty)
            .then(|| self.compiler.text(frame, expr));
        (text.is_some() || fact.is_some()).then_some(Mention { name, text, fact })
    }

    pub(super) fn is_option(&self, name: &str) -> bool {
        let options = &self.compiler.program.options;
        options.iter().any(|option| option.name == name)
    }
}

/// A condition that is negated, as one would write it.
fn negated(condition: &Expr, text: &str) -> String {
    let once = |word: &str| text.matches(word).count() == 1;
    if let Some(operand) = text.strip_prefix("not ") {
        return operand.to_string();
    }
    match &condition.kind {
        ExprKind::Not(inner) => match inner.kind {
            ExprKind::Is(..) if once(" is not ") => text.replace(" is not ", " is "),
            ExprKind::In(..) if once(" not in ") => text.replace(" not in ", " in "),
            _ => format!("not ({text})"),
        },
        ExprKind::Is(..) if once(" is ") => text.replace(" is ", " is not "),
        ExprKind::In(..) if once(" in ") => text.replace(" in ", " not in "),
        ExprKind::And(..) | ExprKind::Is(..) | ExprKind::In(..) | ExprKind::Order { .. } => {
            format!("not ({text})")
        }
        _ => format!("not {text}"),
    }
}
