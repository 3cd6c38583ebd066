//! The names of types and values in messages.

use super::{Part, ProductId, Type, Types};

/// The name of an invalid type.
pub(crate) const UNKNOWN: &str = "something unknown";

impl Types {
    /// The type as its author would write it.
    #[must_use]
    pub(crate) fn display(&self, ty: &Type) -> String {
        match ty {
            Type::YesNo => "yes/no".into(),
            Type::Number => "number".into(),
            Type::Decimal(places) => format!("number.{}", "0".repeat(usize::from(*places))),
            Type::Range(interval) => format!(
                "{}..{}",
                interval.text(interval.lo),
                interval.text(interval.hi)
            ),
            Type::Member(part) => self.display_part(*part),
            Type::Product(id) => self.product(*id).name.clone(),
            Type::Set(element) => format!("set of {}", self.display(element)),
            Type::Bag(element) => format!("bag of {}", self.display(element)),
            Type::Pile(element) => format!("pile of {}", self.display(element)),
            Type::Map(key, value) => format!("{} -> {}", self.display(key), self.display(value)),
            Type::Optional(inner) => match &**inner {
                Type::Nothing => "none".into(),
                inner => format!("{}?", self.display(inner)),
            },
            Type::Word => "word".into(),
            Type::Text => "text".into(),
            Type::Nothing => "nothing".into(),
            Type::Wrong => UNKNOWN.into(),
        }
    }

    fn display_part(&self, part: Part) -> String {
        let kind = self.kind(part.kind);
        // A type of a single member is shown as its kind.
        let whole = part.first == 0 && part.last as usize + 1 >= kind.members.len();
        if whole || part.first == part.last {
            return kind.name.clone();
        }
        let whole = Type::Member(part);
        if let Some((name, _)) = self.aliases.iter().find(|(_, ty)| *ty == whole) {
            return name.clone();
        }
        let name = |place: u32| kind.members.get(place as usize).map_or("?", String::as_str);
        format!("{}..{}", name(part.first), name(part.last))
    }

    /// A value of a finite type as its author would write it: `7`, `yes`, `Small`, `Seat(2)`, `Pair(Small, Large)`.
    #[must_use]
    pub(crate) fn value_name(&self, ty: &Type, value: i64) -> String {
        match ty {
            Type::YesNo => if value == 0 { "no" } else { "yes" }.into(),
            Type::Member(part) => {
                let kind = self.kind(part.kind);
                let place = usize::try_from(value).ok();
                match place.and_then(|place| kind.members.get(place)) {
                    // The members of a numbered kind have no names.
                    Some(name) if name.parse::<u32>().is_ok() => format!("{}({name})", kind.name),
                    Some(name) => name.clone(),
                    None => "?".into(),
                }
            }
            Type::Product(id) => {
                let names: Vec<String> = self
                    .product_parts(*id, value)
                    .into_iter()
                    .map(|(ty, part)| match part {
                        Some(part) => self.value_name(ty.required(), part),
                        None => "none".into(),
                    })
                    .collect();
                format!("{}({})", self.product(*id).name, names.join(", "))
            }
            Type::Optional(inner) => self.value_name(inner, value),
            other => crate::arithmetic::decimal_text(value, other.places().unwrap_or(0)),
        }
    }

    /// The parts of the product value with this index, each with its type; a part may be none.
    #[must_use]
    pub(crate) fn product_parts(&self, id: ProductId, index: i64) -> Vec<(&Type, Option<i64>)> {
        let fields = &self.product(id).fields;
        let mut rest = index;
        let mut parts = Vec::new();
        for field in fields.iter().rev() {
            let (first, count) = self.first_and_count(&field.ty);
            let place = rest.rem_euclid(count);
            rest = rest.div_euclid(count);
            // None comes after all other values.
            let none = field.ty.is_optional() && place == count - 1;
            parts.push((&field.ty, (!none).then(|| first.saturating_add(place))));
        }
        parts.reverse();
        parts
    }

    /// The index of a product value by its parts.
    pub(crate) fn product_index(&self, id: ProductId, parts: &[Option<i64>]) -> Option<i64> {
        let mut both = self.product(id).fields.iter().zip(parts);
        both.try_fold(0i64, |index, (field, part)| {
            let (first, count) = self.first_and_count(&field.ty);
            let place = match part {
                Some(part) => part.checked_sub(first)?,
                None => count - 1,
            };
            index.checked_mul(count)?.checked_add(place)
        })
    }

    /// The first value of a product's part, and how many there are.
    fn first_and_count(&self, ty: &Type) -> (i64, i64) {
        let count = self.capacity(ty);
        let count = count.and_then(|count| i64::try_from(count).ok());
        let first = match ty.required() {
            Type::Range(interval) => interval.lo,
            Type::Member(part) => i64::from(part.first),
            _ => 0,
        };
        (first, count.unwrap_or(1).max(1))
    }

    /// The type with an article, for messages: `a Size`, `yes/no`, `a number`, `none`.
    #[must_use]
    pub(crate) fn described(&self, ty: &Type) -> String {
        let name = self.display(ty);
        match ty {
            Type::YesNo | Type::Nothing | Type::Wrong => name,
            Type::Optional(inner) if matches!(**inner, Type::Nothing) => name,
            Type::Optional(inner) => format!("{} or none", self.described(inner)),
            Type::Range(range) if range.lo == range.hi && range.places > 0 => format!(
                "a number with {}",
                crate::diagnostic::numbered(usize::from(range.places), "decimal place")
            ),
            Type::Range(range) if range.lo == range.hi => "a number".into(),
            Type::Range(_) => format!("a number {name}"),
            _ => crate::diagnostic::with_article(&name),
        }
    }
}
