//! The functions of the runtime: piles, hashed sets, texts, searches of grids, words of transcripts.

/// Passes the list of runtime functions to a macro: for each its documentation, its name here and in the runtime, its
/// parameters, and whether it may fail.
macro_rules! callees {
    ($macro:ident) => {
        $macro! {
            /// Copies words of memory to a new block.
            Copy copy(from, words) fails;
            /// How many bytes of a map in a half-open range equal a byte.
            CountBytes count_bytes(map, from, to, byte) fails;
            /// For at most 64 bytes of a map in a half-open range: a bit for each that lies between two bounds.
            EntriesBetween entries_between(map, from, to, least, greatest) fails;
            /// Allocates a block of zeroes.
            Block block(words) fails;
            /// Sets one of the values stored from a place on.
            Write write(base, index, slot, value) returns;
            /// Whether two values are equal.
            Same same(left, right, shape) returns;
            /// Whether a collection contains a value.
            Has has(item, set, shape) fails;
            /// How often a pile contains a word.
            CountWords count_words(pile, word) returns;
            /// How often a hashed set or bag contains a value.
            CountHashed count_hashed(set, item, hashed) fails;
            /// Whether a hashed set or bag contains a value.
            HasHashed has_hashed(set, item, hashed) fails;
            /// A hashed set or bag with one more value.
            InsertHashed insert_hashed(set, value, hashed) fails;
            /// A hashed set without a value, or a bag with one occurrence fewer.
            RemoveHashed remove_hashed(set, value, hashed) fails;
            BeginPile begin_pile() returns;
            /// The pile of a number of words of memory.
            PileOfWords pile_of_words(from, count) fails;
            /// Adds an element to a pile that was begun.
            Push push(log, value, slot, element) fails;
            /// Adds a one-word element that needs no interning to a pile that was begun.
            PushWord push_word(log, value) fails;
            /// Finishes a pile that was begun.
            EndPile end_pile(log, stride) fails;
            /// Whether two blocks of words are equal.
            SameWords same_words(left, right, words) returns;
            /// Clears the failure of a row that could not be evaluated, unless the fuel is used up.
            GoOn go_on() fails;
            /// Whether any row against the current event fires, in the order of the file.
            IsRefused is_refused(event) fails;
            /// Keeps the fields of the current event as a result of the search.
            Found found() returns;
            /// Adds a value to the list for the caller.
            List list(value) fails;
            /// Frees what the last event allocated outside memory.
            Collect collect() returns;
            /// The text of a word of the transcript.
            TextOf text_of(start, end) returns;
            /// Reads a word as a number; returns whether it is one.
            ReadNumber read_number(start, end) returns;
            /// Reads a word as a number with decimal places; returns whether it is one.
            ReadDecimal read_decimal(places, start, end) returns;
            /// Reads a word by a form; returns whether it is a word of it.
            ReadForm read_form(form, start, end) returns;
            /// Reads a word in a hole; returns whether it has a value there.
            ReadHole read_hole(hole, start, end) fails;
            /// Reads a word of several parts, and stores their values; returns whether it matches.
            ReadParts read_parts(item, start, end) fails;
            /// Whether a word is a given text of the program.
            IsText is_text(start, end, text) returns;
            /// Saves the state for `previous`.
            Keep keep() returns;
            /// Makes room for more bytes of the report.
            MakeRoom make_room(bytes) returns;
            /// Fails with trouble at a site in the rules.
            Raise raise(trouble, site) fails;
            /// Fails because a value is outside its type.
            RaiseOutside raise_outside(value, check, site) fails;
            /// Fails because an index is no value of a partial type.
            RaiseIndex raise_index(index, partial, site) fails;
            /// Fails because two rows disagree: the report ends with the entry, one value and the other.
            RaiseDisagreement raise_disagreement(first, second, start, middle, end, site) fails;
            /// Fails because an `impossible` row fires, whose text was written to the report from a place on.
            RaiseImpossible raise_impossible(row, start, member) fails;
            /// Writes a number.
            SayNumber say_number(number) returns;
            /// Writes the number of the game.
            SayGameNumber say_game_number() returns;
            /// The element of a pile with an index from 0.
            Element element(pile, index, slot) fails;
            /// One pile under another.
            Then then(first, second, stride) fails;
            /// A pile of words with one more under it.
            ThenWord then_word(first, word) fails;
            /// The first elements of a pile, or all but those.
            Slice slice(pile, count, below) fails;
            /// A pile in reverse order.
            Reversed reversed(pile, stride) fails;
            /// A pile sorted by a pile of keys, several for each element, the lowest first.
            Sorted sorted(pile, stride, keys, count) fails;
            /// Whether any neighbour of a region has an entry, given as the byte that stores it.
            BoundaryHas boundary_has(source, point, map, wanted) fails;
            /// Begins a search of a region, or of its neighbours; returns the first point.
            BeginSearch begin_search(source, point, map) fails;
            /// The next point of the innermost search; none at its end.
            NextPoint next_point() fails;
            /// Begins a search of the neighbours of points, none of which is known yet; returns its index.
            BeginAround begin_around(grid) returns;
            /// Adds a point to those whose neighbours are searched.
            AddPoint add_point(search, point) returns;
            /// Begins to iterate over the entries of a hashed set or bag in ascending order.
            BeginEntries begin_entries(set, hashed) returns;
            /// The next entry of the innermost iteration; none at its end.
            NextEntry next_entry() fails;
            /// Ends the innermost search.
            EndSearch end_search() returns;
            /// Writes a text of the program.
            SayLiteral say_literal(text) returns;
            /// Writes a value.
            SayValue say_value(value, written) fails;
            /// The text of the report from a place on, which is removed from the report.
            MakeText make_text(start) fails;
            /// Counts that the run passes a place.
            JournalPassed journal_passed(place) returns;
            /// An argument of an explained table.
            JournalArgument journal_argument(place) returns;
            /// Begins an attempt of a row in the journal.
            JournalRow journal_row(row) fails;
            /// Notes whether the next condition of the row holds.
            JournalCondition journal_condition(holds) returns;
            /// Notes that the row fires, and its value.
            JournalFired journal_fired(value) returns;
            /// Notes the next local of the row.
            JournalLocal journal_local(value) returns;
            /// The number of values that the row has noted.
            JournalMark journal_mark() returns;
            /// Removes the notes between two marks.
            JournalTakeBack journal_take_back(from, to) returns;
            /// Notes an argument of the next value.
            JournalOf journal_of(value) returns;
            /// Inserts a mentioned value at a mark; the last `of` noted arguments are its own.
            JournalNote journal_note(mark, mention, of, value) fails;
            /// Division, rounded down.
            Divide divide(left, right) fails;
            /// Division, rounded to the nearest number.
            DivideEven divide_even(left, right) fails;
            /// The remainder of a division rounded down.
            Modulo modulo(left, right) fails;
        }
    };
}
pub(crate) use callees;

macro_rules! declare {
    ($($(#[$doc:meta])* $name:ident $function:ident($($parameter:ident),*) $may:ident;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Callee {
            $($(#[$doc])* $name,)*
        }

        impl Callee {
            /// Its name in the text form.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Callee::$name => stringify!($function),)*
                }
            }

            pub(crate) fn may_fail(self) -> bool {
                match self {
                    $(Callee::$name => stringify!($may).len() == "fails".len(),)*
                }
            }

            /// The number of parameters.
            pub(crate) fn parameters(self) -> usize {
                match self {
                    $(Callee::$name => <[&str]>::len(&[$(stringify!($parameter)),*]),)*
                }
            }
        }
    };
}
callees!(declare);

/// The kinds of trouble that [`raise`] reports.
pub(crate) const RAISE_WORK: i64 = 0;
pub(crate) const RAISE_NONE: i64 = 1;
pub(crate) const RAISE_OVERFLOW: i64 = 2;
pub(crate) const RAISE_ZERO: i64 = 3;
pub(crate) const RAISE_NO_ROW: i64 = 4;
