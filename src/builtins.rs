//! The built-ins, in one table: the checker types calls by it, and the reference in `docs/language.md` is generated
//! from it. A new built-in is a member of [`Builtin`], an entry of [`TABLE`] and a lowering in `compile`.

/// A built-in. Its entry in [`TABLE`] has its types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Builtin {
    /// `size of c`
    Size,
    /// `count(x, c)`
    Count,
    /// `sum of c`
    Sum,
    /// `top of p`
    Top,
    /// `top(k, p)`
    TopMany,
    /// `item(p, i)`
    Item,
    /// `below(k, p)`
    Below,
    /// `reversed of p`
    Reversed,
    /// `number of m`
    Number,
    /// `joined of c`
    Joined,
    /// `neighbours of p`, of a point or of a set
    Neighbours,
    /// `region(p, m)`
    Region,
    /// `step(p, way, k)`
    Step,
    /// `way(p, q)`
    Way,
    /// `between(p, q)`
    Between,
    /// `ray(p, way)`
    Ray,
    /// `apart(x, y)`
    Apart,
    /// `game_number`
    GameNumber,
}

/// A built-in's signature and documentation.
#[derive(Debug)]
pub(crate) struct Entry {
    pub builtin: Builtin,
    /// Its name; two entries may share one if they take different numbers of arguments.
    pub name: &'static str,
    /// Its parameters. A built-in without parameters is written as a name alone.
    pub parameters: &'static [Parameter],
    /// The type of its result.
    pub result: Pattern,
    /// What it computes, in one line.
    pub doc: &'static str,
    /// An example, in the context of [`CONTEXT`], with its value.
    pub example: (&'static str, &'static str),
    /// A common mistake with a message of its own.
    pub mistake: Option<Mistake>,
}

/// A parameter of a built-in.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// Its name in messages and in the reference.
    pub name: &'static str,
    /// The types that it accepts.
    pub pattern: Pattern,
    /// Those types in words, to follow "is asked of" in a message.
    pub wanted: &'static str,
}

/// A set of types; for a result, how it follows from the types of the arguments.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Numbers.
    Number,
    /// Numbers within a [`Bound`] that depends on the arguments.
    Within(Bound),
    /// Text.
    Text,
    /// Single values with a written form.
    Printable,
    /// Any type, the same throughout an entry.
    Any,
    /// Members of a kind, and products of members.
    Ranked,
    /// Numbers or members of one kind, the same throughout an entry.
    Scalar,
    /// Points of a grid, the same grid throughout an entry.
    Point,
    /// The ways of the compass.
    Way,
    /// The same, or none.
    Optional(&'static Pattern),
    /// A set.
    Set(&'static Pattern),
    /// A pile.
    Pile(&'static Pattern),
    /// A set, a bag or a pile.
    Collection(&'static Pattern),
    /// A map.
    Map(&'static Pattern, &'static Pattern),
    /// Either of two.
    Or(&'static Pattern, &'static Pattern),
}

/// The bound of a number that a built-in returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// How many members the argument can have.
    Size,
    /// How many values the argument's type has.
    Place,
    /// The greatest distance between two values of the arguments' types.
    Distance,
}

/// A common mistake with a built-in that has a message of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// `count(c)` for `size of c`.
    CountForSize,
}

impl Entry {
    /// Its form in a rule file: `size of …`, `count(x, c)`.
    #[must_use]
    pub(crate) fn form(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|it| it.name).collect();
        match names.as_slice() {
            [] => self.name.to_string(),
            [only] => format!("{} of {only}", self.name),
            _ => format!("{}({})", self.name, names.join(", ")),
        }
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pattern::Number | Pattern::Within(_) => formatter.write_str("number"),
            Pattern::Text => formatter.write_str("text"),
            Pattern::Any | Pattern::Printable => formatter.write_str("T"),
            Pattern::Ranked => formatter.write_str("member or product"),
            Pattern::Scalar => formatter.write_str("number or member"),
            Pattern::Point => formatter.write_str("point"),
            Pattern::Way => formatter.write_str("way"),
            Pattern::Optional(inner) => write!(formatter, "{inner}?"),
            Pattern::Set(element) => write!(formatter, "set of {element}"),
            Pattern::Pile(element) => write!(formatter, "pile of {element}"),
            Pattern::Collection(element) => write!(formatter, "collection of {element}"),
            Pattern::Map(key, value) => write!(formatter, "{key} -> {value}"),
            Pattern::Or(left, right) => write!(formatter, "{left} or {right}"),
        }
    }
}

/// The built-in that is written as this name alone, if there is one: `game_number`.
pub(crate) fn constant(name: &str) -> Option<&'static Entry> {
    let mut entries = TABLE.iter().filter(|entry| entry.parameters.is_empty());
    entries.find(|entry| entry.name == name)
}

/// The built-ins of this name that take arguments.
pub(crate) fn applied(name: &str) -> impl Iterator<Item = &'static Entry> {
    let entries = TABLE.iter().filter(|entry| !entry.parameters.is_empty());
    entries.filter(move |entry| entry.name == name)
}

/// Whether a built-in of this name takes arguments.
pub(crate) fn is_applied(name: &str) -> bool {
    applied(name).next().is_some()
}

/// The names of the built-ins that take arguments.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let entries = TABLE.iter().filter(|entry| !entry.parameters.is_empty());
    entries.map(|entry| entry.name)
}

/// The rules around the examples of [`TABLE`].
pub(crate) const CONTEXT: &str = "\
kind Length | Short | Middle | Long
grid Point(row: 1..3, column: 1..4)
fact marks(p: Point): number = by p | {Point(1, 1), Point(1, 2)} => 1 | any => 0
";

const fn parameter(name: &'static str, pattern: Pattern, wanted: &'static str) -> Parameter {
    Parameter {
        name,
        pattern,
        wanted,
    }
}

const APART: &str = "two numbers, or two members of one kind";
const MEMBERSHIP: &str = "a thing and a collection";
const NUMBER: &str = "a number";
const PILE: Parameter = parameter("p", Pattern::Pile(&Pattern::Any), "a pile");
const STEPS: Parameter = parameter("k", Pattern::Number, NUMBER);
const POINT: Parameter = parameter("p", Pattern::Point, "points of a `grid`");
const OTHER_POINT: Parameter = parameter("q", Pattern::Point, "points of a `grid`");
const WAY: Parameter = parameter("way", Pattern::Way, "a way of the compass");

/// All built-ins, in the order of the reference.
pub(crate) static TABLE: [Entry; 18] = [
    Entry {
        builtin: Builtin::Size,
        name: "size",
        parameters: &[parameter(
            "…",
            Pattern::Collection(&Pattern::Any),
            "a set, a bag or a pile",
        )],
        result: Pattern::Within(Bound::Size),
        doc: "how many values it holds",
        example: ("size of {2, 5, 5}", "2"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Count,
        name: "count",
        parameters: &[
            parameter("x", Pattern::Any, MEMBERSHIP),
            parameter("c", Pattern::Collection(&Pattern::Any), MEMBERSHIP),
        ],
        result: Pattern::Number,
        doc: "how often x is among them",
        example: ("count(1, [3, 1, 1])", "2"),
        mistake: Some(Mistake::CountForSize),
    },
    Entry {
        builtin: Builtin::Sum,
        name: "sum",
        parameters: &[parameter(
            "…",
            Pattern::Collection(&Pattern::Number),
            "a collection of numbers",
        )],
        result: Pattern::Number,
        doc: "all of them added up",
        example: ("sum of [3, 1, 2]", "6"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Top,
        name: "top",
        parameters: &[PILE],
        result: Pattern::Optional(&Pattern::Any),
        doc: "the first; none if the pile is empty",
        example: ("top of [3, 1, 2]", "3"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::TopMany,
        name: "top",
        parameters: &[STEPS, PILE],
        result: Pattern::Pile(&Pattern::Any),
        doc: "the first k, or as many as there are",
        example: ("top(2, [3, 1, 2])", "3 1"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Item,
        name: "item",
        parameters: &[PILE, parameter("i", Pattern::Number, NUMBER)],
        result: Pattern::Optional(&Pattern::Any),
        doc: "the one in place i, counted from 1; none if there is no such place",
        example: ("item([3, 1, 2], 2)", "1"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Below,
        name: "below",
        parameters: &[STEPS, PILE],
        result: Pattern::Pile(&Pattern::Any),
        doc: "all but the first k",
        example: ("below(2, [3, 1, 2])", "2"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Reversed,
        name: "reversed",
        parameters: &[PILE],
        result: Pattern::Pile(&Pattern::Any),
        doc: "the last first",
        example: ("reversed of [3, 1, 2]", "2 1 3"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Number,
        name: "number",
        parameters: &[parameter(
            "m",
            Pattern::Ranked,
            "a member of a kind, or a product of such",
        )],
        result: Pattern::Within(Bound::Place),
        doc: "its place in its type, counted from 1",
        example: ("number of Middle", "2"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Joined,
        name: "joined",
        parameters: &[parameter(
            "…",
            Pattern::Collection(&Pattern::Printable),
            "a collection of what can be written",
        )],
        result: Pattern::Text,
        doc: "their written forms in one text, without spaces",
        example: ("joined of [\"to\", \"fro\"]", "tofro"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Neighbours,
        name: "neighbours",
        parameters: &[parameter(
            "p",
            Pattern::Or(&Pattern::Point, &Pattern::Set(&Pattern::Point)),
            "a point of a `grid`, or a set of them",
        )],
        result: Pattern::Set(&Pattern::Point),
        doc: "the points beside it, not diagonally; of a set, those beside it and not in it",
        example: ("neighbours of Point(1, 1)", "1,2 2,1"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Region,
        name: "region",
        parameters: &[
            POINT,
            parameter(
                "map",
                Pattern::Map(&Pattern::Point, &Pattern::Any),
                "a point and a map of its grid",
            ),
        ],
        result: Pattern::Set(&Pattern::Point),
        doc: "the points connected to p by neighbours with an equal entry, p among them",
        example: ("region(Point(1, 1), marks)", "1,1 1,2"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Step,
        name: "step",
        parameters: &[POINT, WAY, STEPS],
        result: Pattern::Optional(&Pattern::Point),
        doc: "the point k steps that way; none if it is off the grid",
        example: ("step(Point(1, 1), south, 2)", "3,1"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Way,
        name: "way",
        parameters: &[POINT, OTHER_POINT],
        result: Pattern::Optional(&Pattern::Way),
        doc: "the way from p to q; none if they are not on one of the eight lines",
        example: ("way(Point(3, 1), Point(1, 3))", "north_east"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Between,
        name: "between",
        parameters: &[POINT, OTHER_POINT],
        result: Pattern::Set(&Pattern::Point),
        doc: "the points between p and q on a line, neither of them included",
        example: ("between(Point(1, 1), Point(1, 4))", "1,2 1,3"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Ray,
        name: "ray",
        parameters: &[POINT, WAY],
        result: Pattern::Pile(&Pattern::Point),
        doc: "the points from p that way up to the edge, the nearest first",
        example: ("ray(Point(3, 3), north)", "2,3 1,3"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::Apart,
        name: "apart",
        parameters: &[
            parameter("x", Pattern::Scalar, APART),
            parameter("y", Pattern::Scalar, APART),
        ],
        result: Pattern::Within(Bound::Distance),
        doc: "how far x and y are from each other; of members, by their places",
        example: ("apart(3, 10)", "7"),
        mistake: None,
    },
    Entry {
        builtin: Builtin::GameNumber,
        name: "game_number",
        parameters: &[],
        result: Pattern::Number,
        doc: "which game of the transcript this is",
        example: ("game_number", "1"),
        mistake: None,
    },
];
