//! The sorts of mistakes, each with the short name that stands in brackets before its message.

/// Makes [`Code`] with its names from one list.
macro_rules! codes {
    ($($(#[$doc:meta])+ $variant:ident = $slug:literal,)+) => {
        /// A sort of mistake. Its documentation shows the smallest text that makes one.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[$doc])+ $variant,)+
        }

        impl Code {
            /// Every sort, in the order of the stages that find them.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// Its short name, as in `error[unknown-name]`.
            #[must_use]
            pub fn slug(self) -> &'static str {
                match self {
                    $(Code::$variant => $slug,)+
                }
            }
        }
    };
}

codes! {
    // Reading a rule file.
    /// `fact = 1`: the text is not what can stand there.
    Syntax = "syntax",
    /// `"open`: a text that does not end on its line.
    UnclosedText = "unclosed-text",
    /// `a < b < c`: comparisons do not chain.
    ChainedComparison = "chained-comparison",
    /// `1..2..3`: ranges do not chain.
    ChainedRange = "chained-range",
    /// `{size of s where c}`: no variable goes through a collection.
    FilterWithoutBinding = "filter-without-binding",
    /// `after(a, 1, 2)`: a neighbour takes a value and a distance.
    TooManyArguments = "too-many-arguments",
    /// `99999999999999999999`: a number that is too large.
    LargeNumber = "large-number",
    /// `((((…`: an expression within too many others.
    TooDeep = "too-deep",
    // Looking up names.
    /// `turns` where nothing is called so.
    UnknownName = "unknown-name",
    /// Two definitions of one name.
    DuplicateName = "duplicate-name",
}
