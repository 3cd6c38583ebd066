//! The mentions of loops: what they range over, what each iteration gives, and what is loop-invariant.

use crate::{
    code::{
        Code, Loop, Noted, Source,
        explain::{Compared, Mention, Mentioned},
    },
    compile::{Compiler, Frame, definitions::each_root, expressions::shifted},
    program::{Expr, ExprKind, FactId, LocalId, TemplatePart},
    types::Type,
};

/// The state of a search for loop-invariant mentions.
struct Looped<'l> {
    /// The facts whose definitions are being visited.
    through: &'l mut Vec<FactId>,
    noted: &'l mut Vec<Code>,
}

impl Compiler<'_> {
    /// Notes the condition and the keys of the best of a collection, evaluated for that value only.
    fn keys_of_best(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Code> {
        let ExprKind::Best {
            sorted: false,
            local,
            collection,
            condition,
            keys,
        } = &expr.kind
        else {
            return None;
        };
        if !self.mentions.deep {
            return None;
        }
        let element = collection.ty.element()?.clone();
        let alone = ExprKind::Collect(vec![expr.clone()]);
        let alone = Expr::new(alone, Type::Pile(element.into()), expr.span);
        let range = frame.without_noting(|frame| self.bindings(frame, &[(*local, alone)]));
        let condition = condition.as_deref().map(|met| self.code(frame, met));
        let keys = keys.iter().map(|key| self.as_a_whole(frame, &key.value));
        let noted = condition.into_iter().chain(keys).collect();
        Some(each_time(range, None, noted))
    }

    /// Notes the keys of all members of which the best is taken, the best first, each with the member.
    fn keys_compared(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Code> {
        let ExprKind::Best {
            sorted: false,
            local,
            collection,
            condition,
            keys,
        } = &expr.kind
        else {
            return None;
        };
        let element = collection.ty.element()?.clone();
        let mut noted = Vec::new();
        for key in keys {
            let is_own = matches!(key.value.kind, ExprKind::Local(key) if key == *local);
            // That the first number is the lowest needs no comparison.
            if !is_own || keys.len() > 1 {
                let name = self.name_of(&key.value);
                let member = (*local, &element);
                noted.extend(self.of_member(frame, member, name, &key.value, Some(key.highest)));
            }
        }
        if noted.is_empty() {
            return None;
        }
        let all = ExprKind::Best {
            sorted: true,
            local: *local,
            collection: collection.clone(),
            condition: condition.clone(),
            keys: keys.clone(),
        };
        let all = Expr::new(all, Type::Pile(element.into()), expr.span);
        let range = frame.without_noting(|frame| self.bindings(frame, &[(*local, all)]));
        Some(each_time(range, None, noted.into()))
    }

    /// Notes a value that belongs to a member of a collection, with the member, if both can be written.
    fn of_member(
        &mut self,
        frame: &mut Frame,
        (local, element): (LocalId, &Type),
        name: String,
        value: &Expr,
        highest: Option<bool>,
    ) -> Option<Code> {
        let is_plain = |ty: &Type| ty.required().element().is_none();
        let are_plain = is_plain(element) && is_plain(&value.ty);
        if !self.mentions.deep || !are_plain {
            return None;
        }
        if !self.fits_in_line(element) || !self.fits_in_line(&value.ty) {
            return None;
        }
        let member = Expr::new(ExprKind::Local(local), element.clone(), value.span);
        let mention = Mention {
            name,
            text: Some(self.value_text(Code::Local(0), &value.ty)),
            what: Mentioned::Other,
            looked_for: None,
            literals: Vec::new(),
            compared: Some(Compared {
                member: self.value_text(Code::Local(0), element),
                highest,
            }),
        };
        let mention = self.mentions.add(mention);
        let (of, code) = frame.without_noting(|frame| {
            let of = Box::new([self.code(frame, &member)]);
            (of, self.code(frame, value))
        });
        Some(Code::Noted(Box::new(Noted::Value { mention, of, code })))
    }

    /// Notes the values of a list that a loop builds, each with the member that it is computed from.
    fn values_made(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Code> {
        let ExprKind::Comprehension {
            value,
            bindings,
            condition,
        } = &expr.kind
        else {
            return None;
        };
        let [(local, collection)] = bindings.as_slice() else {
            return None;
        };
        let is_own = matches!(value.kind, ExprKind::Local(value) if value == *local);
        let name = self.name_of(expr);
        if is_own || name.is_empty() || !matches!(expr.ty.required(), Type::Pile(_)) {
            return None;
        }
        let element = collection.ty.element()?.clone();
        let noted = self.of_member(frame, (*local, &element), name, value, None)?;
        let range = frame.without_noting(|frame| self.bindings(frame, bindings));
        let condition = condition
            .as_deref()
            .map(|condition| frame.without_noting(|frame| self.code(frame, condition)));
        Some(each_time(range, condition, Box::new([noted])))
    }

    /// Notes what the loops of a text mention.
    pub(in crate::compile::explain) fn loops_in_text(
        &mut self,
        frame: &mut Frame,
        text: &Expr,
    ) -> Box<[Code]> {
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

    /// Notes what the values of a list mention in each iteration: for a list in a text, which has few members.
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
        Some(each_time(range, condition, Box::new([value])))
    }

    /// Notes the members of a list or set that a loop builds, if they can be written.
    fn members_made(&mut self, frame: &mut Frame, expr: &Expr) -> Option<Code> {
        let name = self.name_of(expr);
        if name.is_empty() || !self.fits_in_line(&expr.ty) {
            return None;
        }
        let code = frame.without_noting(|frame| self.code(frame, expr));
        Some(self.noted_as(name, &expr.ty, code))
    }

    /// Notes what a loop mentions: all that it ranges over, and what else is loop-invariant.
    pub(super) fn loops(&mut self, frame: &mut Frame, expr: &Expr) -> Box<[Code]> {
        let mut noted = Vec::new();
        if self.mentions.deep && matches!(expr.kind, ExprKind::Comprehension { .. }) {
            noted.extend(self.members_made(frame, expr));
            noted.extend(self.values_made(frame, expr));
        }
        let mut within = Vec::new();
        match &expr.kind {
            ExprKind::Comprehension {
                value,
                bindings,
                condition,
            } => {
                let ranges = independent(bindings);
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
                noted.extend(self.keys_of_best(frame, expr));
                noted.extend(self.keys_compared(frame, expr));
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

    /// Collects the loop-invariant mentions of an expression in a loop. For a fact called in each iteration, collects
    /// those of its definition instead.
    fn looped(&mut self, frame: &mut Frame, expr: &Expr, looped: &mut Looped<'_>) {
        let is_asked = match &expr.kind {
            ExprKind::Fact { .. } | ExprKind::State(..) => true,
            ExprKind::Entry { map, .. } => matches!(map.kind, ExprKind::State(..)),
            _ => false,
        };
        if is_asked && is_closed(expr) {
            // The source text of another definition is not what the row mentions.
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

/// Notes something in each iteration of a loop.
fn each_time(bindings: Box<[(u32, Source)]>, condition: Option<Code>, noted: Box<[Code]>) -> Code {
    // A sum without values: iterates over everything.
    let code = Code::Constant(0);
    let noted = Code::Noted(Box::new(Noted::Before { noted, code }));
    let condition = match condition {
        Some(condition) => Code::And(Box::new((condition, noted))),
        None => noted,
    };
    Code::Noted(Box::new(Noted::Found {
        range: Loop {
            bindings,
            condition: Some(condition),
        },
        holds: true,
        variables: Box::new([]),
        condition: Code::Constant(0),
        ranges: Box::new([]),
    }))
}

/// The loop that builds a collection, if there is one.
pub(super) fn loop_of(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Comprehension { .. } | ExprKind::Best { .. } => Some(expr),
        ExprKind::Converted(inner) | ExprKind::Checked(inner) => loop_of(inner),
        ExprKind::Listed { collection, .. } => loop_of(collection),
        _ => None,
    }
}

/// The sources of a loop that do not depend on its own variables, which have no value outside it.
pub(super) fn independent(bindings: &[(LocalId, Expr)]) -> impl Iterator<Item = &Expr> {
    let ranges = bindings.iter().enumerate();
    ranges.filter_map(|(place, (_, range))| {
        let before = bindings.get(..place).unwrap_or_default();
        let is_free = !before.iter().any(|(local, _)| has_local(range, *local));
        is_free.then_some(range)
    })
}

fn has_local(expr: &Expr, local: LocalId) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Local(this) if this == local);
    expr.children(&mut |child| found = found || has_local(child, local));
    found
}

/// Whether an expression has no variables.
pub(super) fn is_closed(expr: &Expr) -> bool {
    let mut closed = !matches!(expr.kind, ExprKind::Local(_));
    expr.children(&mut |child| closed = closed && is_closed(child));
    closed
}
