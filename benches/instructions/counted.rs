//! What was counted.

/// What was counted.
pub(crate) enum Counted {
    /// So many instructions.
    So(u64),
    /// Nothing, and why.
    Nothing(String),
}

impl Counted {
    /// Those above what less of the same takes.
    pub(crate) fn above(self, less: Counted) -> Counted {
        match (self, less) {
            (Counted::So(all), Counted::So(less)) => Counted::So(all - less.min(all)),
            (nothing @ Counted::Nothing(_), _) | (_, nothing) => nothing,
        }
    }

    /// Shared out among so many.
    pub(crate) fn each(self, number: u64) -> Counted {
        match self {
            Counted::So(count) => Counted::So(count / number.max(1)),
            nothing @ Counted::Nothing(_) => nothing,
        }
    }
}
