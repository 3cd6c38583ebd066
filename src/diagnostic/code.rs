//! The sorts of mistakes, each with its code: the short name in brackets before a message.

/// Defines [`Code`] and its names from one list.
macro_rules! codes {
    ($($(#[$doc:meta])+ $variant:ident = $slug:literal,)+) => {
        /// A sort of mistake. Its documentation shows a minimal text that has it.
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
    /// `fact x = 1 +`: this text is not possible there.
    Syntax = "syntax",
    /// A file whose first word is `fact`.
    MissingHeader = "missing-header",
    /// `game nine` and later `game ten`.
    SecondHeader = "second-header",
    /// `game Nine`: a game's name begins with a small letter.
    FileName = "file-name",
    /// A file called `nine.rules` that says `game ten`.
    OtherName = "other-name",
    /// `on drop` in one variant, and in another a rule that holds for `move` alone.
    PassedBy = "passed-by",
    /// `replace go.report.far: "far"` where that row had a `when`.
    LostCondition = "lost-condition",
    /// `-- allow(unusd): …`, or `-- allow(unused)` without a reason.
    IdleAllow = "idle-allow",
    /// A file too large to be rules.
    LargeFile = "large-file",
    /// `fcat x = 1`: no item begins with this word.
    UnknownItem = "unknown-item",
    /// `new x = 1` outside `on … { }`.
    ClauseOutsideSection = "clause-outside-section",
    /// `on skip { state x: number = 0 }`: this belongs outside.
    ItemInSection = "item-in-section",
    /// `on skip { x = x + 1 }`: the state after the event is `new x`.
    Assignment = "assignment",
    /// `event tick { … }`: the effects of an event belong in `on tick { … }`.
    EventBody = "event-body",
    /// `on skip new x = 1 }`: a brace is forgotten.
    MissingBrace = "missing-brace",
    /// `on skip { new x = 1`: a brace is not closed.
    UnclosedBrace = "unclosed-brace",
    /// `fact x = (1 + 2`: a bracket is not closed.
    UnclosedBracket = "unclosed-bracket",
    /// `fact x = [1, 2)`: a bracket is closed by another sort.
    MismatchedBracket = "mismatched-bracket",
    /// `fact x = 1)`: a bracket closes nothing.
    SurplusBracket = "surplus-bracket",
    /// `fact x = {}`: what is empty is called `empty`.
    EmptyBrackets = "empty-brackets",
    /// `"open`: a text that does not end on its line.
    UnclosedText = "unclosed-text",
    /// `"a {x"`: a hole that does not end in its text.
    UnclosedHole = "unclosed-hole",
    /// `"a }"`: a brace that opens or closes no hole.
    BraceInText = "brace-in-text",
    /// `"a\n"`: only quotes, braces and `\` are escaped.
    UnknownEscape = "unknown-escape",
    /// `“a”`: quotes that are no quotes here.
    ForeignQuotes = "foreign-quotes",
    /// `// words`: a comment of another language.
    ForeignComment = "foreign-comment",
    /// `a --b`: neither a comment nor an operator.
    DoubleDash = "double-dash",
    /// `a == b`: a sign of another language.
    ForeignSign = "foreign-sign",
    /// `when a = b`: `=` defines and does not compare.
    EqualsForIs = "equals-for-is",
    /// `a is in b`: one word too many.
    IsIn = "is-in",
    /// `if a then b else c`: there are no branches, only tables.
    NoIf = "no-if",
    /// `let x = 1`: a word of another language.
    ForeignWord = "foreign-word",
    /// `fact x = 1;`: nothing ends or separates items and rows.
    StraySeparator = "stray-separator",
    /// `fact x = §`: a character that means nothing here.
    StrayCharacter = "stray-character",
    /// `fact größe = 1`: names are written in the letters of the English alphabet.
    ForeignLetter = "foreign-letter",
    /// `fact x-y = 1`: names take `_`.
    DashInName = "dash-in-name",
    /// `fact new = 1`: a word of the language cannot be a name.
    ReservedWord = "reserved-word",
    /// `2x`: a number that letters stick to.
    NumberAndLetters = "number-and-letters",
    /// `7,5`, `.5`: a decimal that is written in another way.
    Fraction = "fraction",
    /// `99999999999999999999`: a number that is too large.
    LargeNumber = "large-number",
    /// `state x = 0`: a type is missing.
    MissingType = "missing-type",
    /// `list of number`: a type of another language.
    ForeignType = "foreign-type",
    /// `x: 1..n + 1`: the ends of a range in a type are numbers or names.
    BoundExpression = "bound-expression",
    /// `state x: number`: a value is missing.
    MissingValue = "missing-value",
    /// `| 1 when c`: a row needs a name.
    RowWithoutName = "row-without-name",
    /// `report "done"`: rows and members begin with a bar.
    MissingBar = "missing-bar",
    /// `by x | yes: 1`: a `by` row is a cell, `=>` and a value.
    ByRowColon = "by-row-colon",
    /// `by x | Light or Dark => 1`: several values of a cell need braces.
    CellWithOr = "cell-with-or",
    /// `by x | else => 1`: the cell that everything matches is `any`.
    CellElse = "cell-else",
    /// `| a: 1 unless d when c`: `when` comes before `unless`.
    ClauseOrder = "clause-order",
    /// `| a: 1 for x in s where c`: a row has `when`.
    WhereForWhen = "where-for-when",
    /// `some x in s when c`: with a variable it is `where`.
    WhenForWhere = "when-for-where",
    /// `fact x = 1 when c`: only rows have conditions.
    ConditionOutsideRow = "condition-outside-row",
    /// `f of (a, b)`: several arguments need parentheses after the name.
    OfWithSeveral = "of-with-several",
    /// `a.b`: a part is taken with `of`.
    Dot = "dot",
    /// `a[1]`: an element is taken with `of` or `item`.
    Index = "index",
    /// `a < b < c`: comparisons do not chain.
    ChainedComparison = "chained-comparison",
    /// `1..2..3`: ranges do not chain.
    ChainedRange = "chained-range",
    /// `{size of s where c}`: there is no variable that ranges over the collection.
    FilterWithoutBinding = "filter-without-binding",
    /// `after(a, 1, 2)`: a neighbour takes a value and a distance.
    TooManyArguments = "too-many-arguments",
    /// `((((…`: an expression within too many others.
    TooDeep = "too-deep",
    // Applying variants.
    /// `set size = 9` in the file of a `game`.
    ChangeInGame = "change-in-game",
    /// `variant x of small` where `small` is a variant.
    BaseIsVariant = "base-is-variant",
    /// `with nine` where `nine` is a game.
    NotAVariant = "not-a-variant",
    /// `variant x of nine without y`, and y is applied too.
    ExcludedVariant = "excluded-variant",
    /// `variant x of nine` applied to another game.
    OtherBase = "other-base",
    /// `with smal`
    UnknownVariant = "unknown-variant",
    /// `variant x of nine with y` and `variant y of nine with x`
    CyclicVariants = "cyclic-variants",
    /// `with small, small`
    AppliedTwice = "applied-twice",
    /// `remove tick.lat`
    UnknownTarget = "unknown-target",
    /// `remove plan.first` where a fact and a policy are called `plan`.
    AmbiguousTarget = "ambiguous-target",
    /// `replace size = 9` where `size` is an option.
    ChangeForm = "change-form",
    /// `set size = 9` where it is 9 already.
    ChangesNothing = "changes-nothing",
    /// `add to tick.refused | full: …` in a `first of`
    PlaceMissing = "place-missing",
    /// `remove tick.late` in one variant and `replace tick.late = …` in another
    ChangedTwice = "changed-twice",
    // Looking up names.
    /// `kind K (a: number) | One 1 2`
    AttributeCount = "attribute-count",
    /// `option x: 1..x = 1`
    CyclicDeclaration = "cyclic-declaration",
    /// Two definitions of one name.
    DuplicateName = "duplicate-name",
    /// `9..1` as a type.
    EmptyRange = "empty-range",
    /// `grid G(a: 1..3)`
    GridAxes = "grid-axes",
    /// `state x(n: number): number = 0`
    InfiniteKey = "infinite-key",
    /// `limit 0`
    LimitRange = "limit-range",
    /// `option x: number = y` where y is a state.
    NotConstant = "not-constant",
    /// `option x: 1..3 = 4`
    OutsideType = "outside-type",
    /// `state x(n: 1..9999999999): number = 0`
    TooLarge = "too-large",
    /// `1..n` where n is a `number` that is given.
    UnboundedBound = "unbounded-bound",
    /// `on foo { }`
    UnknownEvent = "unknown-event",
    /// `level` where nothing is called so.
    UnknownName = "unknown-name",
    /// `--set foo=1`
    UnknownOption = "unknown-option",
    /// `state x: Foo = 1`
    UnknownType = "unknown-type",
    /// `state x: number = yes`
    WrongType = "wrong-type",
    /// `use T from nogame`
    UnknownGame = "unknown-game",
    // Checking.
    /// `letter of piece` where two parts of a piece have a letter.
    AmbiguousAttribute = "ambiguous-attribute",
    /// `Even` where two kinds have such a member and nothing decides between them.
    AmbiguousMember = "ambiguous-member",
    /// `count(x)`
    ArgumentCount = "argument-count",
    /// Facts that need each other in a chain of thousands.
    ChainTooDeep = "chain-too-deep",
    /// `by x, y | 1 => 2`
    CellCount = "cell-count",
    /// `by x | One or Two => 1`
    CellForm = "cell-form",
    /// `new x = f` and `fact f = new x`
    Cycle = "cycle",
    /// `any of | a: x | a: y`
    DuplicateLabel = "duplicate-label",
    /// `play until over` where no event ends the game.
    EndlessPlay = "endless-play",
    /// `size of Position`
    EndlessType = "endless-type",
    /// `given n: 1..9` that nothing reads before `start`.
    GivenNotRead = "given-not-read",
    /// `"{n} {n}"` before `start`.
    GivenReadTwice = "given-read-twice",
    /// `cites "rule {n}"`: a place in a book has no holes.
    CitesHole = "cites-hole",
    /// `"{x + 1}"` in a transcript.
    HoleForm = "hole-form",
    /// `first of | a: maybe none | b: x`
    NoValue = "no-value",
    /// `size of {x in items where c}` where `items` is a pile.
    SizeOfSet = "size-of-set",
    /// `illegal wrong = …` on which nothing depends.
    IllegalWithoutEffect = "illegal-without-effect",
    /// `top of p + 1`
    MayBeNone = "may-be-none",
    /// `first of | a: top of p | b: x`
    MaybeMissing = "maybe-missing",
    /// `inline` in a fact.
    MisplacedWord = "misplaced-word",
    /// `state x: number = 1` that no event changes.
    NeverChanges = "never-changes",
    /// `1 is Light`
    NeverEqual = "never-equal",
    /// An event that no transcript, policy or `follows` names.
    NeverHappens = "never-happens",
    /// `1 is none`
    NeverNone = "never-none",
    /// `on start { new x = 1 }`
    NewAtStart = "new-at-start",
    /// `event foul` where other events say who decides them.
    NoDecider = "no-decider",
    /// `letter of 1`
    NoAttribute = "no-attribute",
    /// `yes < no`
    NoOrder = "no-order",
    /// A transcript without `start`.
    NoStart = "no-start",
    /// A game without a `transcript`.
    NoTranscript = "no-transcript",
    /// `1 in 2`
    NotCollection = "not-collection",
    /// `x of 1` where x is a number.
    NotMap = "not-map",
    /// `1.0 / 3`
    Rounding = "rounding",
    /// `yes + 1`
    NotNumber = "not-number",
    /// `"{field}"`
    NotPrintable = "not-printable",
    /// `x when 1`
    NotYesNo = "not-yes-no",
    /// `report refused` without a `refuse` fact.
    NothingRefused = "nothing-refused",
    /// `write Size as "{mode}"`
    OutOfSight = "out-of-sight",
    /// `play until over`
    PlayForm = "play-form",
    /// `write turn as "x"`, `given board = "xo/ox"`: a picture of what has none, or one that does not fit.
    Picture = "picture",
    /// `level of mode + 1`
    ReadsOtherwise = "reads-otherwise",
    /// `fact f(n: 1..9): number = f(n)`
    Recursion = "recursion",
    /// `| tick: "{n}" | take: "{m}"`
    SameLine = "same-line",
    /// `some mode in Side where …` where `mode` is a state.
    Shadowing = "shadowing",
    /// `sum of {value of c for c in items}`
    SumOfSet = "sum-of-set",
    /// `by yes_or_no | yes => 1`
    TableGap = "table-gap",
    /// `new mode` in a guard.
    TenseHere = "tense-here",
    /// `best s in Size by highest width of s` where two have the same width.
    TiedKeys = "tied-keys",
    /// `"{x}{y}"` where x and y are numbers up to 12.
    TwoReadings = "two-readings",
    /// `play by foo until over`
    UnknownPolicy = "unknown-policy",
    /// `by x | any => 1 | yes => 2`
    UnreachableRow = "unreachable-row",
    /// `| put: "put"` where the event has a field.
    UnreadField = "unread-field",
    /// `fact a = b` and `fact b = a`
    UntypedFact = "untyped-fact",
    /// A fact, state or given on which nothing depends.
    Unused = "unused",
    /// `report | won: over`: a condition where a text is required.
    BareCondition = "bare-condition",
    /// `a is not One or a is not Two`
    ConstantCondition = "constant-condition",
    /// `refuse bad = …` in an event whose `report refused` says nothing.
    SilentRefusal = "silent-refusal",
    /// `"${who}"`: the sign is outside the hole.
    SignBeforeHole = "sign-before-hole",
    /// `report refused | poor: "…"` where `poor` is one of two facts that refuse the event, or `"{poor}"` where it may be
    /// none.
    WhichRefusal = "which-refusal",
    /// `report | mode: "{mode}"` where the event changes it.
    WhichTense = "which-tense",
    /// `fact x = a and b and c and d`: rows would be easier to vary.
    LongCondition = "long-condition",
    /// `state x: 0..21` next to `option goal: 2..99 = 21`: perhaps the range should depend on the option.
    FixedBound = "fixed-bound",
    /// What a seat may do, or who decides, depends on something that the seat does not see.
    Leak = "leak",
    /// A row of a report that no player can read.
    UnseenRow = "unseen-row",
    // Running.
    /// An `impossible` row fires.
    Impossible = "impossible",
    /// `#? total is 7` in a transcript, where it is not.
    Unmet = "unmet",
    /// `example late { when tick expect late }`, where that does not follow.
    ExampleFails = "example-fails",
    /// A request for the next moves at a place between two games.
    NotPlaying = "not-playing",
    /// A request about a line, or an event on a line, that the transcript does not have.
    NoPlace = "no-place",
    /// A game of more events than `limit` says.
    Limit = "limit",
    /// A path without end, when all paths are enumerated.
    EndlessPath = "endless-path",
    /// A row that visits thousands of millions of values.
    Work = "work",
    /// A policy none of whose rows fires.
    PolicyChoice = "policy-choice",
    /// A line of a transcript of more than a million bytes.
    TooLong = "too-long",
    /// A byte in a transcript that is no UTF-8.
    NotText = "not-text",
    /// A transcript that continues after its last game.
    LeftOver = "left-over",
    /// A transcript that ends in the middle of a game.
    EndsEarly = "ends-early",
    /// A line of a transcript that no pattern matches.
    Unexpected = "unexpected",
    /// `the x` where x is none.
    TheNone = "the-none",
    /// `9223372036854775807 + 1`
    Overflow = "overflow",
    /// `1 / 0`
    DivisionByZero = "division-by-zero",
    /// `new x = x + 1` beyond the end of x's type.
    Outside = "outside",
    /// A decision table without a row for what is the case.
    NoRow = "no-row",
    /// Two rows of a `new` that fire with different values.
    Disagreement = "disagreement",
    /// Two members of a kind that are written alike.
    SameForm = "same-form",
}

impl Code {
    /// Whether a mistake of this sort is never a consequence of another.
    pub(crate) fn is_independent(self) -> bool {
        matches!(
            self,
            Code::UnknownName
                | Code::UnknownType
                | Code::UnknownEvent
                | Code::UnknownOption
                | Code::WrongType
                | Code::NotNumber
                | Code::NotYesNo
                | Code::NoAttribute
                | Code::ArgumentCount
                | Code::MayBeNone
                | Code::OutsideType
                | Code::DuplicateName
                | Code::DuplicateLabel
        )
    }
}
