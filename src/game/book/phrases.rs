//! The words that connect what the rule file says.

use super::Words;
use crate::syntax::ast::{
    Binding, Conditions, ExprKind, How, Operator, Parameter, Sight, Text, TextPart, Type, TypeKind,
};

/// A sentence that is being written.
#[derive(Debug, Default)]
pub(super) struct Phrase(Vec<Words>);

impl Phrase {
    pub(super) fn new(words: &str) -> Phrase {
        Phrase::default().words(words)
    }

    pub(super) fn done(self) -> Vec<Words> {
        self.0
    }

    /// The text without markup.
    pub(super) fn unmarked(&self) -> String {
        let parts = self.0.iter().map(|part| match part {
            Words::Plain(words) | Words::Name(words) | Words::Code(words) => words.as_str(),
        });
        parts.collect()
    }

    /// Adds words.
    pub(super) fn words(mut self, words: &str) -> Phrase {
        match self.0.last_mut() {
            _ if words.is_empty() => {}
            Some(Words::Plain(before)) => before.push_str(words),
            _ => self.0.push(Words::Plain(words.to_string())),
        }
        self
    }

    /// Adds a name of the rule file.
    pub(super) fn name(mut self, name: &str) -> Phrase {
        self.0.push(Words::Name(in_words(name)));
        self
    }

    /// Adds names, with commas between them.
    pub(super) fn list<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Phrase {
        for (place, name) in names.into_iter().enumerate() {
            if place > 0 {
                self = self.words(", ");
            }
            self = self.name(name);
        }
        self
    }

    /// Adds a name after its article.
    pub(super) fn one(self, name: &str) -> Phrase {
        let vowel = name.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']);
        self.words(if vowel { "An " } else { "A " }).name(name)
    }

    /// Ends the sentence, unless it has ended.
    pub(super) fn ended(self) -> Phrase {
        match self.0.last() {
            Some(Words::Plain(last)) if last.ends_with(['.', '!', '?', ':']) => self,
            _ => self.words("."),
        }
    }

    pub(super) fn code(mut self, code: String) -> Phrase {
        self.0.push(Words::Code(code));
        self
    }

    pub(super) fn ty(self, ty: &Type) -> Phrase {
        match &ty.kind {
            TypeKind::YesNo => self.words("yes or no"),
            TypeKind::Named(name) => self.name(&name.text),
            TypeKind::Decimals(places) => {
                self.words(&format!("a number with {places} decimal places"))
            }
            TypeKind::Range(from, to) => self.value(from).words(" to ").value(to),
            TypeKind::Set(of) => self.words("a set of ").ty(of),
            TypeKind::Bag(of) => self.words("a bag of ").ty(of),
            TypeKind::Pile(of) => self.words("a pile of ").ty(of),
            TypeKind::Map(from, to) => self.ty(to).words(" for each ").ty(from),
            TypeKind::Optional(of) => self.ty(of).words(" or nothing"),
        }
    }

    /// Adds a text, with its holes described.
    pub(super) fn text(mut self, text: &Text) -> Phrase {
        for part in &text.parts {
            self = match part {
                TextPart::Literal { text, .. } => self.words(text),
                TextPart::Hole(hole) => {
                    // The word for none would be in the way here.
                    match &hole.value.ungrouped().kind {
                        ExprKind::Binary { left, operator, .. } if *operator == Operator::Else => {
                            self.value(left)
                        }
                        _ => self.value(&hole.value),
                    }
                }
            };
        }
        self
    }

    /// Adds when a row fires: its sentence, or its conditions.
    pub(super) fn conditions(mut self, conditions: &Conditions, before: &str) -> Phrase {
        if let Some(says) = &conditions.says {
            return self.words(before).text(says);
        }
        if let Some(when) = &conditions.when {
            self = self.words(before).words("when ").value(when);
        }
        if let Some(unless) = &conditions.unless {
            let before = if conditions.when.is_some() {
                ", "
            } else {
                before
            };
            self = self.words(before).words("unless ").value(unless);
        }
        self
    }

    /// Adds what a row ranges over.
    pub(super) fn bindings(self, bindings: &[Binding], before: &str) -> Phrase {
        if bindings.is_empty() {
            return self;
        }
        self.words(before).ranges(bindings, " and each ")
    }

    /// Adds who sees it, if that is not everyone. `of` are the parameters, one of which may be the seat.
    pub(super) fn seen(self, sight: Option<&Sight>, of: &[Parameter]) -> Phrase {
        let Some(sight) = sight else { return self };
        let Some(seats) = &sight.seats else {
            return self.words(", hidden from everyone");
        };
        let words = self.words(", seen by ");
        let is_it = |one: &&Parameter| matches!(&seats.kind, ExprKind::Name(name) if name.text == one.name.text);
        match of.iter().find(is_it) {
            Some(one) => words.words("that ").ty(&one.ty),
            None => words.value(seats),
        }
    }

    /// Adds the author's comment.
    pub(super) fn comment(self, comment: &str) -> Phrase {
        if comment.is_empty() {
            return self;
        }
        let before = if self.0.is_empty() { "" } else { ". " };
        self.words(before).remark(&sentence(comment))
    }

    /// Adds a comment, in which backticks mark source code of the rules.
    pub(super) fn remark(mut self, comment: &str) -> Phrase {
        let parts: Vec<&str> = comment.split('`').collect();
        for (place, part) in parts.iter().enumerate() {
            let is_code = place % 2 == 1 && place + 1 < parts.len() && !part.is_empty();
            self = if is_code {
                self.code((*part).to_string())
            } else {
                self.words(part)
            };
        }
        self
    }
}

/// What stands between a name and what it is asked of: `points of p`, but `points_in p`.
pub(super) fn of(name: &str) -> &'static str {
    match name.rsplit(['_', ' ']).next() {
        Some("of" | "in" | "on" | "at") => " ",
        _ => " of ",
    }
}

/// A name with its parameters.
pub(super) fn with_parameters(name: &str, parameters: &[String]) -> String {
    match parameters {
        [] => name.to_string(),
        [one] => format!("{name}{}{one}", of(name)),
        several => format!("{name} ({})", several.join(", ")),
    }
}

/// How the rows that hold are combined.
pub(super) fn combined(how: How) -> &'static str {
    match how {
        How::Any => " if any of these holds:",
        How::All => " if all of these hold:",
        How::First => " is the first of these that applies:",
        How::Highest => " is the highest of these that apply:",
        How::Lowest => " is the lowest of these that apply:",
        How::Sum => " is the sum of these that apply:",
        How::Union => " is all of these together that apply:",
        How::One => " becomes:",
    }
}

/// A name of the rules as words.
pub(super) fn in_words(name: &str) -> String {
    name.replace('_', " ")
}

/// Capitalises the first letter.
pub(super) fn sentence(words: &str) -> String {
    let mut signs = words.chars();
    signs.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(signs).collect()
    })
}
