//! Expressions that only look at words and compare them.

use super::Code;

impl Code {
    /// Whether an expression by itself takes no loop, makes nothing and cannot fail, whatever its parts do.
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
