//! The source texts of expressions.

use super::Explainer;
use crate::{
    code::Code,
    compile::{Compiler, Frame},
    program::{Expr, ExprKind},
    types::Type,
};

impl Compiler<'_> {
    /// The source text of an expression. In the tree, `unless` negates what follows it, and so does the `when` of an
    /// `except`.
    pub(super) fn as_written(&self, expr: &Expr) -> String {
        let text = squeezed(self.sources.text(expr.span));
        let whole = self.sources.get(expr.span.source);
        let before = whole.and_then(|source| source.text.get(..expr.span.range().start));
        let mut words = before.unwrap_or_default().split_whitespace().rev();
        let word = words.next();
        let is_exception = words.nth(1) == Some("except");
        match word {
            Some("unless") if !is_exception => format!("unless {text}"),
            Some("when") if is_exception => format!("unless {text}"),
            _ => text,
        }
    }

    /// Whether values of a type fit in a line of an explanation.
    pub(super) fn fits_in_line(&self, ty: &Type) -> bool {
        match ty.required().element() {
            Some(element) => {
                let within = element.element();
                self.is_written(element) && within.is_none_or(|within| within.element().is_none())
            }
            None => self.is_written(ty),
        }
    }

    /// Whether a name is an option's.
    pub(super) fn is_option(&self, name: &str) -> bool {
        let options = &self.program.options;
        options.iter().any(|option| option.name == name)
    }
}

impl Explainer<'_, '_> {
    /// The source texts of some conditions, split at `and`.
    pub(super) fn conditions(
        &mut self,
        frame: &mut Frame,
        conditions: &[Expr],
    ) -> (Box<[Code]>, Vec<String>) {
        let (mut codes, mut written) = (Vec::new(), Vec::new());
        for condition in conditions {
            let unless = self.compiler.as_written(condition).starts_with("unless ");
            self.condition(frame, condition, unless, &mut codes, &mut written);
        }
        (codes.into(), written)
    }

    /// A condition; `apart` means that it is negated by a word elsewhere.
    fn condition(
        &mut self,
        frame: &mut Frame,
        condition: &Expr,
        apart: bool,
        codes: &mut Vec<Code>,
        written: &mut Vec<String>,
    ) {
        if let ExprKind::And(left, right) = &condition.kind {
            self.condition(frame, left, false, codes, written);
            self.condition(frame, right, false, codes, written);
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
                self.condition(frame, &not, true, codes, written);
            }
            return;
        }
        codes.push(self.compiler.code(frame, condition));
        let text = squeezed(self.compiler.sources.text(condition.span));
        written.push(match &condition.kind {
            ExprKind::Not(operand) if apart => negated(operand, &text),
            _ => text,
        });
    }
}

/// Squeezes a text into one line.
pub(super) fn squeezed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The source text of a negated condition.
pub(super) fn negated(condition: &Expr, text: &str) -> String {
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
        ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Is(..)
        | ExprKind::In(..)
        | ExprKind::Within(..)
        | ExprKind::Else(..)
        | ExprKind::Order { .. } => format!("not ({text})"),
        _ => format!("not {text}"),
    }
}
