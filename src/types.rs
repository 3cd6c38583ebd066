//! Types: which values they have, how many, and in which order.

mod names;
mod relations;

use std::sync::Arc;

pub(crate) use names::UNKNOWN;
pub(crate) use relations::{fits, join, join_elements, surely_fits};

use crate::source::Span;

/// Declares index types.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            /// The id with this index.
            #[must_use]
            pub(crate) fn new(index: usize) -> $name {
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The index in its list.
            #[must_use]
            #[allow(dead_code, reason = "not every list is looked into by a place")]
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        })+
    };
}
pub(crate) use ids;

ids! {
    /// A kind or ring.
    KindId,
    /// A product, grid or record.
    ProductId,
    /// A given.
    GivenId,
}

/// The numbers from `lo` to `hi`, both included, in units of the last decimal place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interval {
    /// The least number that there must be room for.
    pub lo: i64,
    /// The greatest number that there must be room for.
    pub hi: i64,
    /// How many decimal places they have; 0 for whole numbers.
    pub places: u8,
    /// The given that is the actual lower bound, if it is not fixed.
    pub lo_given: Option<GivenId>,
    /// The given that is the actual upper bound, if it is not fixed.
    pub hi_given: Option<GivenId>,
}

impl Interval {
    /// The whole numbers `lo..hi`, fixed.
    #[must_use]
    pub(crate) fn new(lo: i64, hi: i64) -> Interval {
        Interval::decimal(lo, hi, 0)
    }

    /// The numbers `lo..hi` in units of so many decimal places, fixed.
    #[must_use]
    pub(crate) fn decimal(lo: i64, hi: i64, places: u8) -> Interval {
        Interval {
            lo,
            hi,
            places,
            lo_given: None,
            hi_given: None,
        }
    }

    /// How many numbers there are; none on overflow.
    #[must_use]
    pub(crate) fn count(self) -> Option<u64> {
        u64::try_from(i128::from(self.hi) - i128::from(self.lo) + 1)
            .ok()
            .or(Some(0))
            .filter(|_| self.hi.checked_sub(self.lo).is_some())
    }

    /// Whether a bound is a given.
    #[must_use]
    pub(crate) fn is_dynamic(self) -> bool {
        self.lo_given.is_some() || self.hi_given.is_some()
    }

    /// Whether every number of `self` is surely in `other`.
    #[must_use]
    pub(crate) fn within(self, other: Interval) -> bool {
        let Some(scaled) = self.scaled(other.places) else {
            return false;
        };
        self == other || (!other.is_dynamic() && scaled.lo >= other.lo && scaled.hi <= other.hi)
    }

    /// The same numbers with more decimal places; none on overflow.
    #[must_use]
    pub(crate) fn scaled(self, places: u8) -> Option<Interval> {
        if places == self.places {
            return Some(self);
        }
        let scaled = |value| crate::arithmetic::scaled(value, self.places, places);
        Some(Interval::decimal(
            scaled(self.lo)?,
            scaled(self.hi)?,
            places,
        ))
    }

    /// A number of its units as text.
    #[must_use]
    pub(crate) fn text(self, value: i64) -> String {
        crate::arithmetic::decimal_text(value, self.places)
    }
}

/// Adjacent members of a kind, from `first` to `last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub kind: KindId,
    /// The index of the first member.
    pub first: u32,
    /// The index of the last member.
    pub last: u32,
}

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    /// `yes/no`
    YesNo,
    /// `number`: 64 bits, signed.
    Number,
    /// `number.00`: numbers with at least one decimal place.
    Decimal(u8),
    /// `1..size`
    Range(Interval),
    /// `Size`, `Small..Large`
    Member(Part),
    /// A product; a record if [`Product::record`] says so.
    Product(ProductId),
    /// `set of T`
    Set(Arc<Type>),
    /// `bag of T`
    Bag(Arc<Type>),
    /// `pile of T`
    Pile(Arc<Type>),
    /// `A -> T`
    Map(Arc<Type>, Arc<Type>),
    /// `T?`
    Optional(Arc<Type>),
    /// `word`
    Word,
    /// `text`
    Text,
    /// The type without values: of `none`, apart from none itself, and of the members of `empty`.
    Nothing,
    /// The type of something invalid, which was reported; compatible with everything.
    Wrong,
}

impl Type {
    /// `T?`; an optional type is unchanged.
    #[must_use]
    pub(crate) fn optional(self) -> Type {
        match self {
            Type::Optional(_) | Type::Wrong => self,
            other => Type::Optional(Arc::new(other)),
        }
    }

    /// The type without its `?`.
    #[must_use]
    pub(crate) fn required(&self) -> &Type {
        match self {
            Type::Optional(inner) => inner,
            other => other,
        }
    }

    /// Whether it may be none.
    #[must_use]
    pub(crate) fn is_optional(&self) -> bool {
        matches!(self, Type::Optional(_))
    }

    /// Whether it is a number of any sort.
    #[must_use]
    pub(crate) fn is_number(&self) -> bool {
        self.places().is_some()
    }

    /// How many decimal places its numbers have; none for other types.
    #[must_use]
    pub(crate) fn places(&self) -> Option<u8> {
        match self {
            Type::Number => Some(0),
            Type::Range(interval) => Some(interval.places),
            Type::Decimal(places) => Some(*places),
            _ => None,
        }
    }

    /// Whether its numbers have decimal places.
    #[must_use]
    pub(crate) fn is_decimal(&self) -> bool {
        self.places().is_some_and(|places| places > 0)
    }

    /// All numbers with so many decimal places.
    #[must_use]
    pub(crate) fn numbers(places: u8) -> Type {
        match places {
            0 => Type::Number,
            places => Type::Decimal(places),
        }
    }

    /// The type of one number.
    #[must_use]
    pub(crate) fn one_number(value: i64, places: u8) -> Type {
        Type::Range(Interval::decimal(value, value, places))
    }

    /// Whether it is a text of any sort.
    #[must_use]
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Type::Text | Type::Word)
    }

    /// The type of a set's, bag's or pile's members.
    #[must_use]
    pub(crate) fn element(&self) -> Option<&Type> {
        match self {
            Type::Set(element) | Type::Bag(element) | Type::Pile(element) => Some(element),
            _ => None,
        }
    }
}

/// A `kind` or `ring`.
#[derive(Debug, Clone)]
pub(crate) struct Kind {
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Whether the first member comes after the last.
    pub ring: bool,
    /// The names of its members, in ascending order; `1`, `2` … where they have none.
    pub members: Vec<String>,
    /// The given that is the actual number of members, if that is not fixed.
    pub count: Option<GivenId>,
    /// Whether its members have numbers and no names.
    pub numbered: bool,
    pub attributes: Vec<Attribute>,
}

/// An attribute of a kind.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub name: String,
    pub ty: Type,
    /// Its value for each member.
    pub values: Vec<Constant>,
}

/// A value known at compile time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Constant {
    /// A yes/no (0 or 1), number (in units of its last place), member (its index) or product (its index).
    Scalar(i64),
    /// A text.
    Text(String),
    /// none
    None,
}

/// A product, grid or record.
#[derive(Debug, Clone)]
pub(crate) struct Product {
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its parts.
    pub fields: Vec<Field>,
    /// The geometry, for a grid.
    pub grid: Option<Geometry>,
    /// Whether it is stored as a struct because a part has infinitely many values.
    pub record: bool,
}

impl Product {
    /// Whether it is the key of a state or given with several parameters.
    pub(crate) fn is_key(&self) -> bool {
        self.name.starts_with(KEY_OF)
    }
}

/// The prefix of the names of such products, before the name of the state or given.
pub(crate) const KEY_OF: &str = "key of ";

/// A part of a product.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub name: String,
    pub ty: Type,
}

/// The orientation of a grid's two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// Whether the first part grows towards the north.
    pub rows_up: bool,
    /// Whether the second part grows towards the west.
    pub columns_up: bool,
    /// Whether the last row is next to the first, and the last column next to the first.
    pub wraps: (bool, bool),
    /// The product's id, which distinguishes grids.
    pub product: ProductId,
}

/// All declared types of a game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Types {
    /// Kinds and rings.
    pub kinds: Vec<Kind>,
    /// Products, grids and records.
    pub products: Vec<Product>,
    /// The name and type of each `type N = T`, for messages.
    pub aliases: Vec<(String, Type)>,
}

impl Types {
    /// The kind with this id.
    ///
    /// # Panics
    /// If the id is of another game.
    #[must_use]
    pub(crate) fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.index()]
    }

    /// The product with this id.
    ///
    /// # Panics
    /// If the id is of another game.
    #[must_use]
    pub(crate) fn product(&self, id: ProductId) -> &Product {
        &self.products[id.index()]
    }

    /// The type of all members of a kind.
    #[must_use]
    pub(crate) fn whole(&self, kind: KindId) -> Type {
        let count = self.kind(kind).members.len();
        Type::Member(Part {
            kind,
            first: 0,
            last: u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX),
        })
    }

    /// The type of all members of a kind, for a type of some of them.
    pub(crate) fn whole_of(&self, ty: &Type) -> Type {
        match ty {
            Type::Member(part) => self.whole(part.kind),
            other => other.clone(),
        }
    }

    /// For how many values there must be room, at most `u64::MAX`; none if they are unbounded.
    #[must_use]
    pub(crate) fn capacity(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::YesNo => Some(2),
            Type::Range(interval) => interval.count(),
            Type::Member(part) => {
                Some(u64::from(part.last) + 1 - u64::from(part.first.min(part.last + 1)))
            }
            Type::Product(id) => {
                let product = self.product(*id);
                if product.record {
                    return None;
                }
                product.fields.iter().try_fold(1u64, |count, field| {
                    Some(count.saturating_mul(self.capacity(&field.ty)?))
                })
            }
            Type::Optional(inner) => Some(self.capacity(inner)?.saturating_add(1)),
            Type::Nothing => Some(0),
            Type::Number
            | Type::Decimal(_)
            | Type::Word
            | Type::Text
            | Type::Set(_)
            | Type::Bag(_)
            | Type::Pile(_)
            | Type::Map(..)
            | Type::Wrong => None,
        }
    }

    /// Whether values of the type are ordered: numbers, members, products of them, yes/no.
    #[must_use]
    pub(crate) fn is_ordered(&self, ty: &Type) -> bool {
        match ty {
            Type::Number | Type::Decimal(_) | Type::Range(_) | Type::Member(_) | Type::Wrong => {
                true
            }
            Type::Product(id) => !self.product(*id).record,
            Type::YesNo
            | Type::Set(_)
            | Type::Bag(_)
            | Type::Pile(_)
            | Type::Map(..)
            | Type::Optional(_)
            | Type::Word
            | Type::Text
            | Type::Nothing => false,
        }
    }
}
