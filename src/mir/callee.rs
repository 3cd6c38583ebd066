//! What the runtime does for rules: piles, hashed sets, texts, searches of grids, words of transcripts.

/// Hands the list of runtime functions to a macro: for each its documentation, its name here and in the runtime, its
/// parameters, and whether it may fail.
macro_rules! callees {
    ($macro:ident) => {
        $macro! {
            /// A copy of so many words.
            Copy copy(from, words) fails;
            /// How many bytes of a map, from one to before another, are a byte.
            CountBytes count_bytes(map, from, to, byte) fails;
            /// Which bytes of a map, of at most 64 from one to before another, lie between two bytes: a bit for each.
            EntriesBetween entries_between(map, from, to, least, greatest) fails;
            /// A new block of zeroes.
            Block block(words) fails;
            /// Sets one of the values kept from a place on.
            Write write(base, index, slot, value) returns;
            /// Whether two values are the same.
            Same same(left, right, shape) returns;
            /// Whether a collection has a value.
            Has has(item, set, shape) fails;
            /// How often a word is in a pile.
            CountWords count_words(pile, word) returns;
            /// How often a value is in a hashed set.
            CountHashed count_hashed(set, item, hashed) fails;
            /// Whether a hashed set or bag has a value.
            HasHashed has_hashed(set, item, hashed) fails;
            /// A hashed set or bag with one more value.
            InsertHashed insert_hashed(set, value, hashed) fails;
            /// A hashed set without a value, or a bag without one piece of it.
            RemoveHashed remove_hashed(set, value, hashed) fails;
            /// Begins a pile.
            BeginPile begin_pile() returns;
            /// The pile of so many words of memory.
            PileOfWords pile_of_words(from, count) fails;
            /// Adds an element to a pile that was begun.
            Push push(log, value, slot, element) fails;
            /// Adds an element of one word, which says all, to a pile that was begun.
            PushWord push_word(log, value) fails;
            /// Ends a pile that was begun.
            EndPile end_pile(log, stride) fails;
            /// Whether so many words are the same.
            SameWords same_words(left, right, words) returns;
            /// Goes on where a row could not be evaluated, unless the fuel is used up.
            GoOn go_on() fails;
            /// Whether any row stands against the present event, asked in the order of the file.
            IsRefused is_refused(event) fails;
            /// Keeps the fields of the present event.
            Found found() returns;
            /// Adds a value to those that are listed.
            List list(value) fails;
            /// Gives back what the last event made beyond memory.
            Collect collect() returns;
            /// The text that is a word of the transcript.
            TextOf text_of(start, end) returns;
            /// Reads a word as a number; says whether it is one.
            ReadNumber read_number(start, end) returns;
            /// Reads a word as a number with so many decimal places; says whether it is one.
            ReadDecimal read_decimal(places, start, end) returns;
            /// Reads a word by a form; says whether it is a word of it.
            ReadForm read_form(form, start, end) returns;
            /// Reads a word in a hole; says whether it stands for a value there.
            ReadHole read_hole(hole, start, end) fails;
            /// Reads a word of several parts, and puts their values where they go; says whether it is made so.
            ReadParts read_parts(item, start, end) fails;
            /// Whether a word is a text that is known beforehand.
            IsText is_text(start, end, text) returns;
            /// Keeps what `previous` asks for.
            Keep keep() returns;
            /// Makes room for so many bytes more of the report.
            MakeRoom make_room(bytes) returns;
            /// Fails because of something that is wrong with a row, at a place of the rules.
            Raise raise(trouble, site) fails;
            /// Fails because a value lies outside a type.
            RaiseOutside raise_outside(value, check, site) fails;
            /// Fails because an index is no value of a type of which only some are.
            RaiseIndex raise_index(index, site) fails;
            /// Fails because two rows give different values: the report ends with the entry, one value and the other.
            RaiseDisagreement raise_disagreement(first, second, start, middle, end, site) fails;
            /// Fails because an `impossible` row fires, whose text was written to the report from a place on.
            RaiseImpossible raise_impossible(row, start, member) fails;
            /// Writes a number.
            SayNumber say_number(number) returns;
            /// Writes which game this is.
            SayGameNumber say_game_number() returns;
            /// The element of a pile with an index from 0.
            Element element(pile, index, slot) fails;
            /// One pile under another.
            Then then(first, second, stride) fails;
            /// A pile of words with one more under it.
            ThenWord then_word(first, word) fails;
            /// The first of a pile, or all but those.
            Slice slice(pile, count, below) fails;
            /// A pile the other way round.
            Reversed reversed(pile, stride) fails;
            /// A pile in the order of a pile of keys, so many for each element, the lowest first.
            Sorted sorted(pile, stride, keys, count) fails;
            /// Whether any of the points beside a region has an entry, as it is kept in a byte.
            BoundaryHas boundary_has(source, point, map, wanted) fails;
            /// Begins to search a region, or what lies beside it; says what comes first.
            BeginSearch begin_search(source, point, map) fails;
            /// What comes next in the search that was begun last; none at its end.
            NextPoint next_point() fails;
            /// Begins to search what lies beside points, none of which is known yet; says which search that is.
            BeginAround begin_around(grid) returns;
            /// Adds a point to those that a search goes around.
            AddPoint add_point(search, point) returns;
            /// Begins to go through the entries of a hashed set or bag in ascending order.
            BeginEntries begin_entries(set, hashed) returns;
            /// The next entry of the set or bag that was begun last; none at its end.
            NextEntry next_entry() fails;
            /// Ends the search that was begun last.
            EndSearch end_search() returns;
            /// Writes a text that is known beforehand.
            SayLiteral say_literal(text) returns;
            /// Writes a value.
            SayValue say_value(value, written) fails;
            /// The text of the report from a place on, which is taken back.
            MakeText make_text(start) fails;
            /// Notes that the run passes a place.
            JournalPassed journal_passed(place) returns;
            /// What an explained table is asked of, by its place.
            JournalArgument journal_argument(place) returns;
            /// Begins a row of an explained table.
            JournalRow journal_row(row) fails;
            /// Notes whether the next condition of the row holds.
            JournalCondition journal_condition(holds) returns;
            /// Notes that the row fires, and its value.
            JournalFired journal_fired(value) returns;
            /// Notes the next local of the row.
            JournalLocal journal_local(value) returns;
            /// How many values the row has noted.
            JournalMark journal_mark() returns;
            /// Takes back what was noted from one mark to another.
            JournalTakeBack journal_take_back(from, to) returns;
            /// Says what the next value is asked of.
            JournalOf journal_of(value) returns;
            /// Notes at a mark a value that is mentioned, and that it is asked of the last so many values.
            JournalNote journal_note(mark, mention, of, value) fails;
            /// Divides, rounded down.
            Divide divide(left, right) fails;
            /// Divides, rounded to the nearest number.
            DivideEven divide_even(left, right) fails;
            /// What a division leaves.
            Modulo modulo(left, right) fails;
        }
    };
}
pub(crate) use callees;

macro_rules! declare {
    ($($(#[$doc:meta])* $name:ident $function:ident($($parameter:ident),*) $may:ident;)*) => {
        /// A function of the runtime.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Callee {
            $($(#[$doc])* $name,)*
        }

        impl Callee {
            /// Its name, as the text form shows it.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Callee::$name => stringify!($function),)*
                }
            }

            /// Whether it may fail.
            pub(crate) fn may_fail(self) -> bool {
                match self {
                    $(Callee::$name => stringify!($may).len() == "fails".len(),)*
                }
            }

            /// How many parameters it takes.
            pub(crate) fn parameters(self) -> usize {
                match self {
                    $(Callee::$name => <[&str]>::len(&[$(stringify!($parameter)),*]),)*
                }
            }
        }
    };
}
callees!(declare);

/// What [`raise`] says is wrong.
pub(crate) const RAISE_WORK: i64 = 0;
pub(crate) const RAISE_NONE: i64 = 1;
pub(crate) const RAISE_OVERFLOW: i64 = 2;
pub(crate) const RAISE_ZERO: i64 = 3;
pub(crate) const RAISE_NO_ROW: i64 = 4;
