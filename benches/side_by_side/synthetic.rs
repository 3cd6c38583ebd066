//! Rule files that consist of many lines of one sort, each of which counts.

use std::fmt::Write as _;

/// A sort of line, and a rule file with so many of them.
pub(crate) struct Sort {
    pub(crate) name: &'static str,
    pub(crate) rules: fn(u64) -> String,
}

pub(crate) const SORTS: [Sort; 9] = [
    Sort {
        name: "facts",
        rules: facts,
    },
    Sort {
        name: "facts in a row",
        rules: facts_in_a_row,
    },
    Sort {
        name: "rows of `sum of`",
        rules: rows_of_sum,
    },
    Sort {
        name: "rows of `first of`",
        rules: rows_of_first,
    },
    Sort {
        name: "rows of `by`",
        rules: rows_of_by,
    },
    Sort {
        name: "members",
        rules: members,
    },
    Sort {
        name: "states",
        rules: states,
    },
    Sort {
        name: "events",
        rules: events,
    },
    Sort {
        name: "report rows",
        rules: report_rows,
    },
];

/// A game around some items and the items of a section.
fn game(items: &str, section: &str) -> String {
    format!(
        "game grown \"Grown\"\n\nstate count: number = 0\n{items}\nevent go(step: 0..9)\non go {{\n  fact over = new count > 9\n  \
         new count = count + step\n{section}}}\n\ntranscript by words {{ repeat until \"\" {{ start play until over {{ | go: \"{{step}}\" }} }} }}\n"
    )
}

/// Lines that differ in their number.
fn lines(number: u64, line: impl Fn(u64) -> String) -> String {
    (1..=number).fold(String::new(), |mut text, index| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line(index));
        text
    })
}

/// Each rests on one halfway before it.
fn facts(number: u64) -> String {
    let items = lines(number, |index| match index / 2 {
        0 => format!("fact worth_{index}: number = count + {index}"),
        half => format!("fact worth_{index}: number = worth_{half} + {index}"),
    });
    let all = lines(number, |index| {
        format!("  | row_{index}: worth_{index} when count is {index}")
    });
    let items = format!("{items}fact all_of_it: number = sum of\n{all}");
    game(&items, "  report | all: \"{all_of_it}\"\n")
}

/// Each rests on the one before it, a hundred in a row.
fn facts_in_a_row(number: u64) -> String {
    const ROW: u64 = 100;
    let items = lines(number, |index| match index % ROW {
        1 => format!("fact worth_{index}: number = count + {index}"),
        _ => format!("fact worth_{index}: number = worth_{} + count", index - 1),
    });
    let ends = (1..=number).filter(|index| index % ROW == 0 || *index == number);
    let ends: Vec<String> = ends.map(|index| format!("worth_{index}")).collect();
    let items = format!(
        "{items}fact all_of_it: number = sum of\n  | row: worth for worth in [{}]\n",
        ends.join(", ")
    );
    game(&items, "  report | all: \"{all_of_it}\"\n")
}

fn rows_of_sum(number: u64) -> String {
    let rows = lines(number, |index| {
        format!("  | row_{index}: {index} when count is {index}")
    });
    game(
        &format!("fact all_of_it: number = sum of\n{rows}"),
        "  report | all: \"{all_of_it}\"\n",
    )
}

fn rows_of_first(number: u64) -> String {
    let rows = lines(number, |index| {
        format!("  | row_{index}: {index} when count is {index}")
    });
    let items = format!("fact first_of_it: number = first of\n{rows}  | other: 0\n");
    game(&items, "  report | first: \"{first_of_it}\"\n")
}

fn rows_of_by(number: u64) -> String {
    let rows = lines(number, |index| {
        format!("  | row_{index}: {index}, any => {}", index * 2)
    });
    let items =
        format!("fact looked_up: number = by count, count > 5\n{rows}  | other: any, any => 0\n");
    game(&items, "  report | looked_up: \"{looked_up}\"\n")
}

fn members(number: u64) -> String {
    let rows = lines(number, |index| format!("  | Member{index} {index}"));
    let items = format!("kind Member (value: number)\n{rows}state chosen: Member = Member1\n");
    game(
        &items,
        "  new chosen = after chosen else chosen\n  report | value: \"{value of new chosen}\"\n",
    )
}

fn states(number: u64) -> String {
    let items = lines(number, |index| {
        format!("state held_{index}: number = {index}")
    });
    let section = lines(number, |index| {
        format!("  new held_{index} = held_{index} + step")
    });
    let all = lines(number, |index| {
        format!("    | row_{index}: held_{index} when count is {index}")
    });
    game(
        &items,
        &format!(
            "{section}  fact all_of_it: number = sum of\n{all}  report | all: \"{{all_of_it}}\"\n"
        ),
    )
}

fn events(number: u64) -> String {
    let items = lines(number, |index| {
        format!(
            "event do_{index}(far: 1..9)\non do_{index} {{\n  impossible | far: \"too far\" when far > count\n  \
             new count = count + far\n  report | done: \"{{far}} done, {{new count}} there\"\n}}"
        )
    });
    let rows = lines(number, |index| {
        format!("  | do_{index}: \"{index} {{far}}\"")
    });
    format!(
        "game grown \"Grown\"\n\nstate count: number = 0\n{items}\ntranscript by words {{ repeat until \"\" {{ start play until count > 9 {{\n{rows}}} }} }}\n"
    )
}

fn report_rows(number: u64) -> String {
    let rows = lines(number, |index| {
        format!(
            "    | row_{index}: \"{{step}} and {{new count + {index}}}\" when new count is {index}"
        )
    });
    game("", &format!("  report\n{rows}"))
}
