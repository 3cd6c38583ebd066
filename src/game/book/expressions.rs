//! Words expressions.

use super::phrases::{Phrase, in_words, of};
use crate::syntax::{
    ast::{
        Binding, Cell, CellKind, ExpectationKind, Expr, ExprKind, Key, Operator, Prefix,
        Quantifier, Tense,
    },
    print,
};

impl Phrase {
    /// Adds an expression: names by their meaning, texts by their words.
    pub(super) fn value(self, value: &Expr) -> Phrase {
        if let Some(name) = plain(value) {
            return self.name(&name);
        }
        match &value.kind {
            ExprKind::Text(text) if text.parts.is_empty() => self.words("nothing"),
            ExprKind::Text(text) => self.words("“").text(text).words("”"),
            ExprKind::YesNo(yes) => self.words(if *yes { "yes" } else { "no" }),
            ExprKind::None | ExprKind::Empty => self.words("nothing"),
            ExprKind::Group(inner) => self.words("(").value(inner).words(")"),
            ExprKind::Unary { operator, operand } => match operator {
                Prefix::Not => self.words("not ").value(operand),
                Prefix::Negate => self.words("−").value(operand),
                Prefix::The => self.value(operand),
            },
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => self.binary(*operator, left, right),
            ExprKind::But { map, value, at } => {
                let words = self.value(map).words(" with ").apart(value);
                words.words(" at ").value(at)
            }
            ExprKind::Quantified {
                quantifier,
                bindings,
                condition,
            } => {
                let before = match quantifier {
                    Quantifier::Some => "for some ",
                    Quantifier::No => "for no ",
                    Quantifier::Every => "for every ",
                };
                let words = self.words(before).ranges(bindings, " and ");
                words.words(", ").value(condition)
            }
            ExprKind::Best {
                sorted,
                bindings,
                condition,
                keys,
            } => self.best(*sorted, bindings, condition.as_deref(), keys),
            ExprKind::Tensed { tense, operand } => self.words(tense_word(*tense)).value(operand),
            ExprKind::Beside {
                before,
                operand,
                steps,
            } => {
                let side = if *before { " before " } else { " after " };
                let words = match steps {
                    Some(steps) => self.words("the one that is ").apart(steps).words(" places"),
                    None => self.words("the one"),
                };
                words.words(side).apart(operand)
            }
            ExprKind::Extreme { highest, operand } => {
                let words = if *highest {
                    "the highest of "
                } else {
                    "the lowest of "
                };
                self.words(words).apart(operand)
            }
            ExprKind::Apply {
                function,
                arguments,
                ..
            } => self.applied(&function.text, arguments),
            ExprKind::Rounded {
                operand,
                rounding,
                to,
            } => {
                let words = self.apart(operand).words(", rounded ");
                let words = words.words(rounding.word());
                match to {
                    Some(to) => words.words(" to a multiple of ").apart(to),
                    None => words,
                }
            }
            ExprKind::Set(_)
            | ExprKind::Pile(_)
            | ExprKind::Filter { .. }
            | ExprKind::Mapped { .. } => self.collection(value),
            ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Decimal(..) => {
                self.words(&print::expression(value).replace('-', "−"))
            }
        }
    }

    /// Adds a collection: its members, or what it ranges over.
    fn collection(self, value: &Expr) -> Phrase {
        match &value.kind {
            ExprKind::Set(members) | ExprKind::Pile(members) => self.members(members, " and "),
            ExprKind::Filter { binding, condition } => {
                let words = self.words("every ");
                let words = words.ranges(std::slice::from_ref(&**binding), "");
                words.words(" where ").value(condition)
            }
            ExprKind::Mapped {
                braces,
                value,
                bindings,
                condition,
            } => {
                let is_set = matches!(
                    value.kind,
                    ExprKind::Mapped { .. } | ExprKind::Filter { .. }
                );
                let words = if is_set {
                    self.words("(").value(value).words(")")
                } else {
                    self.value(value)
                };
                let words = words.words(" for each ");
                let words = words.ranges(bindings, " and each ");
                let words = match condition {
                    Some(condition) => words.words(" where ").value(condition),
                    None => words,
                };
                words.words(if *braces { ", each once" } else { "" })
            }
            _ => self,
        }
    }

    /// Adds an expression, with parentheses if it has several parts.
    fn apart(self, value: &Expr) -> Phrase {
        let is_one = match &value.kind {
            ExprKind::Binary { .. }
            | ExprKind::But { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::Best { .. }
            | ExprKind::Rounded { .. }
            | ExprKind::Filter { .. }
            | ExprKind::Mapped { .. } => false,
            ExprKind::Unary { operator, operand } => match operator {
                Prefix::The => return self.apart(operand),
                Prefix::Not | Prefix::Negate => false,
            },
            ExprKind::Set(members) | ExprKind::Pile(members) => members.len() < 2,
            _ => true,
        };
        if is_one {
            self.value(value)
        } else {
            self.words("(").value(value).words(")")
        }
    }

    fn binary(self, operator: Operator, left: &Expr, right: &Expr) -> Phrase {
        let is_empty = matches!(right.kind, ExprKind::Empty);
        let listed = match &right.ungrouped().kind {
            ExprKind::Set(members) | ExprKind::Pile(members) => members.as_slice(),
            _ => &[],
        };
        let words = match operator {
            Operator::Else if matches!(right.kind, ExprKind::YesNo(false)) => "",
            Operator::Is if is_empty => " is empty",
            Operator::IsNot if is_empty => " is not empty",
            Operator::Is if listed.len() == 1 => " is only ",
            Operator::IsNot if listed.len() == 1 => " is not only ",
            Operator::In if !listed.is_empty() => " is ",
            Operator::NotIn if !listed.is_empty() => " is not ",
            Operator::Or => " or ",
            Operator::And => " and ",
            Operator::Is => " is ",
            Operator::IsNot => " is not ",
            Operator::In => " is in ",
            Operator::NotIn => " is not in ",
            Operator::Within => " is part of ",
            Operator::Less => " is less than ",
            Operator::LessOrEqual => " is at most ",
            Operator::Greater => " is more than ",
            Operator::GreaterOrEqual => " is at least ",
            Operator::Else => ", or else ",
            Operator::Range => " to ",
            Operator::Add => " + ",
            Operator::Subtract => " − ",
            Operator::With => " with ",
            Operator::Without => " without ",
            Operator::Then => " followed by ",
            Operator::Multiply => " × ",
            Operator::Divide => " ÷ ",
            Operator::Modulo => " modulo ",
        };
        let phrase = self.value(left).words(words);
        match operator {
            _ if !words.ends_with(' ') => phrase,
            Operator::In | Operator::NotIn if !listed.is_empty() => phrase.members(listed, " or "),
            _ => phrase.value(right),
        }
    }

    /// Adds a choice of the best by keys.
    fn best(
        self,
        sorted: bool,
        bindings: &[Binding],
        condition: Option<&Expr>,
        keys: &[Key],
    ) -> Phrase {
        let words = self.words(if sorted { "every " } else { "the " });
        let mut words = words.ranges(bindings, " and ");
        if let Some(condition) = condition {
            words = words.words(" where ").value(condition);
        }
        for (place, key) in keys.iter().enumerate() {
            let before = match (place, sorted) {
                (0, true) => ", in the order of the ",
                (0, false) => ", with the ",
                _ => ", then the ",
            };
            let which = if key.highest { "highest " } else { "lowest " };
            words = words.words(before).words(which).value(&key.value);
        }
        words
    }

    /// Adds a function of arguments.
    fn applied(self, function: &str, arguments: &[Expr]) -> Phrase {
        match (function, arguments) {
            ("item", [pile, place]) => {
                let words = self.words("number ").apart(place);
                words.words(" of ").apart(pile)
            }
            ("top", [count, pile]) => {
                let words = self.words("the top ").apart(count);
                words.words(" of ").apart(pile)
            }
            ("below", [count, pile]) => {
                let words = self.words("what lies below the top ").apart(count);
                words.words(" of ").apart(pile)
            }
            ("count", [one, many]) => {
                let words = self.words("the number of ").apart(one);
                words.words(" in ").apart(many)
            }
            ("apart", [from, to]) => {
                let words = self.words("the distance from ").apart(from);
                words.words(" to ").apart(to)
            }
            ("between", [from, to]) => {
                let words = self.words("what lies between ").apart(from);
                words.words(" and ").apart(to)
            }
            (_, [one]) => {
                let words = self.name(function).words(of(function));
                match &one.kind {
                    ExprKind::Mapped { braces: false, .. } => words.value(one),
                    _ => words.apart(one),
                }
            }
            _ => {
                let mut words = self.name(function);
                for (place, argument) in arguments.iter().enumerate() {
                    words = words.words(if place == 0 { " (" } else { ", " });
                    words = words.apart(argument);
                }
                words.words(if arguments.is_empty() { "" } else { ")" })
            }
        }
    }

    /// Adds members of a collection.
    fn members(mut self, members: &[Expr], last: &str) -> Phrase {
        for (place, member) in members.iter().enumerate() {
            let before = match place {
                0 => "",
                _ if place + 1 == members.len() => last,
                _ => ", ",
            };
            self = self.words(before).apart(member);
        }
        if members.is_empty() {
            self = self.words("nothing");
        }
        self
    }

    /// Adds variables with what they range over.
    pub(super) fn ranges(mut self, bindings: &[Binding], between: &str) -> Phrase {
        for (place, binding) in bindings.iter().enumerate() {
            let before = if place > 0 { between } else { "" };
            self = self.words(before).name(&binding.name.text).words(" in ");
            self = self.value(&binding.collection);
        }
        self
    }

    /// Adds an expectation of an example.
    pub(super) fn expected(self, expected: &ExpectationKind) -> Phrase {
        match expected {
            ExpectationKind::Holds(condition) => self.value(condition),
            ExpectationKind::Row { negated, fact, row } => {
                let words = self.words(if *negated { "not " } else { "" });
                words.name(&fact.text).words(": ").name(&row.text)
            }
            ExpectationKind::Legal { negated: false } => self.words("it is within the rules"),
            ExpectationKind::Legal { negated: true } => self.words("it is against the rules"),
            ExpectationKind::Impossible { row, .. } => {
                self.words("it is impossible: ").name(&row.text)
            }
        }
    }

    /// Adds what a cell of a table matches.
    pub(super) fn cell(self, cell: &Cell) -> Phrase {
        match &cell.kind {
            CellKind::Any => self.words("any"),
            CellKind::Match { negated, value } => {
                let words = if *negated { self.words("not ") } else { self };
                match &value.ungrouped().kind {
                    ExprKind::Set(members) | ExprKind::Pile(members) => {
                        words.members(members, " or ")
                    }
                    _ => words.value(value),
                }
            }
        }
    }
}

/// A name, possibly applied to another: `new score of the one after turn`.
fn plain(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Name(name) => Some(in_words(&name.text)),
        ExprKind::Unary {
            operator: Prefix::The,
            operand,
        } => plain(operand),
        ExprKind::Tensed { tense, operand } => {
            Some(format!("{}{}", tense_word(*tense), plain(operand)?))
        }
        ExprKind::Beside {
            before,
            operand,
            steps: None,
        } => {
            let side = if *before { "before" } else { "after" };
            Some(format!("the one {side} {}", plain(operand)?))
        }
        ExprKind::Extreme { highest, operand } => {
            let which = if *highest { "highest" } else { "lowest" };
            Some(format!("the {which} of {}", plain(operand)?))
        }
        ExprKind::Apply {
            function,
            arguments,
            ..
        } => match arguments.as_slice() {
            [argument] => match argument.kind {
                ExprKind::Number(number) => Some(format!("{} {number}", in_words(&function.text))),
                _ => Some(format!(
                    "{}{}{}",
                    in_words(&function.text),
                    of(&function.text),
                    plain(argument)?
                )),
            },
            _ => None,
        },
        _ => None,
    }
}

fn tense_word(tense: Tense) -> &'static str {
    match tense {
        Tense::New => "new ",
        Tense::Old => "old ",
        Tense::Previous => "previous ",
    }
}
