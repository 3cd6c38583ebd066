//! What is known about expressions at compile time: constant values, and which expressions only read and compare words.

use super::{Code, Compiled, NONE};
use crate::arithmetic::{divide, divide_even, modulo};

/// At most this many pieces of an expression, and of the facts it calls, are inspected.
const MOST_PIECES: usize = 32;

impl Compiled {
    /// The value of code that is constant.
    pub(crate) fn constant(&self, code: &Code) -> Option<i64> {
        let mut left = MOST_PIECES;
        self.constant_within(code, &mut left)
    }

    fn constant_within(&self, code: &Code, left: &mut usize) -> Option<i64> {
        *left = left.checked_sub(1)?;
        match code {
            Code::Constant(constant) => Some(*constant),
            Code::Fact(fact) => self.constant_within(&self.facts[*fact as usize].code, left),
            Code::Add(pair, _) => self.constant_pair(pair, i64::checked_add, left),
            Code::Subtract(pair, _) => self.constant_pair(pair, i64::checked_sub, left),
            Code::Multiply(pair, _) => self.constant_pair(pair, i64::checked_mul, left),
            Code::Divide(pair, _) => self.constant_pair(pair, divide, left),
            Code::DivideEven(pair, _) => self.constant_pair(pair, divide_even, left),
            Code::Modulo(pair, _) => self.constant_pair(pair, modulo, left),
            _ => None,
        }
    }

    fn constant_pair(
        &self,
        pair: &(Code, Code),
        value: fn(i64, i64) -> Option<i64>,
        left: &mut usize,
    ) -> Option<i64> {
        let first = self.constant_within(&pair.0, left)?;
        let second = self.constant_within(&pair.1, left)?;
        value(first, second).filter(|value| *value != NONE)
    }
}

impl Code {
    /// Whether an expression by itself does not loop, allocate or fail, whatever its parts do.
    pub(crate) fn is_simple(&self) -> bool {
        matches!(
            self,
            Code::Constant(_)
                | Code::Local(_)
                | Code::Load(_)
                | Code::GameNumber
                | Code::Lookup(..)
                | Code::Part(_)
                | Code::Index(_)
                | Code::Entry(_)
                | Code::RecordPart { .. }
                | Code::Less(_)
                | Code::LessOrEqual(_)
                | Code::Equal(_)
                | Code::EqualConstant(..)
                | Code::Not(_)
                | Code::And(_)
                | Code::Or(_)
                | Code::Else(_)
                | Code::Lift { .. }
                | Code::Between(_)
                | Code::HasBit { .. }
                | Code::IsValue(..)
                | Code::BitsWith(_)
                | Code::BitsWithout(_)
                | Code::Bit { .. }
                | Code::Members { .. }
                | Code::BitsBoth(_)
                | Code::BitsSize(_)
                | Code::BitsHighest { .. }
                | Code::BitsLowest { .. }
                | Code::BitsRanked { .. }
                | Code::Masked { .. }
                | Code::MaskedRows(_)
                | Code::PileSize(_)
                | Code::HashedSize(_)
                | Code::CountIn(_)
                | Code::If(_)
                | Code::GridStep { .. }
                | Code::GridWay { .. }
                | Code::After(_)
        )
    }
}
