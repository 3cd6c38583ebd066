//! How what something takes grows with its size: each curve is counted at some size and at twice that, above what the
//! same takes at size 1. The exponent is 1 where twice the size takes twice as much, and 2 where it takes four times as
//! much. If the text more than doubles (the rows of a table get longer, too), the exponent is of the text's length.
//! Whoever may write a rule file or a transcript must not find one that is much above 1.

use std::{fmt::Write as _, io, process::ExitCode};

use referee::{
    explanation::{DEPTH_OF_SENTENCES, Query},
    failure::Failure,
    game::{Game, Trial},
    library::Library,
};

use crate::{counted::Counted, valgrind};

/// What the process that is counted is called with.
pub(crate) const CURVE: &str = "--curve";

/// The greatest exponent there may be: n log n is below it at these sizes.
const MOST: f64 = 1.25;

/// A curve that grows faster, with the exponent that it may not exceed: `cover` runs the transcript again without each
/// row of the rules.
const FASTER: (&str, f64) = ("what a chain of sums reaches", 1.9);

/// Something that grows.
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    /// The smaller size.
    size: u64,
    what: What,
    /// The rule file of a size.
    rules: fn(u64) -> String,
    /// The transcript of a size.
    transcript: fn(u64) -> String,
}

/// What is done with the two texts.
#[derive(Clone, Copy)]
enum What {
    /// The rule file is checked.
    Check,
    /// And run on the transcript.
    Run,
    /// And run by machine code from the first event on.
    Natively,
    /// The transcript is run, and what it reaches is counted.
    Cover,
    /// The last line of the transcript is explained.
    Explain,
    /// The rule book is written.
    Book,
    /// The rule file is laid out anew.
    Format,
}

/// All curves.
pub(crate) static CURVES: [Curve; 43] = [
    check("facts", 200, |n| {
        game("", &lines(n, |i| format!("fact f{i}: number = s + {i}")))
    }),
    check("a chain of facts", 200, |n| chain(n, "NEXT + 1")),
    check("a chain of sums", 100, |n| {
        chain(n, "sum of | a: NEXT for i in 1..1 | b: 0")
    }),
    check("unused facts", 800, |n| {
        game("", &lines(n, |i| format!("fact f{i} = 3 / 0")))
    }),
    check("rows of `play` with one name", 400, |n| {
        let rows = lines(n, |_| "| go: \"go {k}\"".to_string());
        game("", "").replace("| go: \"go {k}\"", &rows)
    }),
    check("facts of one section", 800, |n| {
        let refused = lines(n, |i| {
            format!("  refuse r{i}: text? = first of | a: \"no\" when k is {i}")
        });
        game(&refused, "")
    }),
    Curve {
        what: What::Explain,
        ..run_once("what changes, explained", 800, |n| {
            let states = lines(n, |i| format!("state t{i}: number = 0"));
            game(&lines(n, |i| format!("  new t{i} = k")), &states)
        })
    },
    run_once("sections", 400, |n| {
        let sections = lines(n, |i| {
            format!("state t{i}: number = 0\non go {{ new t{i} = k }}")
        });
        game("", "").replace("transcript", &format!("{sections}transcript"))
    }),
    check("parentheses in one another", 30, |n| {
        let (open, close) = ("(".repeat(count(n)), ")".repeat(count(n)));
        game("", &format!("fact f: number = {open}s{close}"))
    }),
    check("piles in one another", 16, |n| {
        let of = "pile of ".repeat(count(n));
        game("", &format!("state p: {of}number = empty"))
    }),
    check("lists in one another", 16, |n| {
        let (open, close) = ("[".repeat(count(n)), "]".repeat(count(n)));
        game("", &format!("fact f = {open}1{close}"))
    }),
    check("texts in one another", 16, |n| {
        let inner = (1..n).fold("s".to_string(), |inner, _| {
            format!("size of (x for x in 1..9 where x is {inner})")
        });
        game("", &format!("fact f: number = {inner}"))
    }),
    check("unknown names", 400, |n| {
        game("", &lines(n, |i| format!("fact q{i} = zz{i}")))
    }),
    check("mistakes of syntax", 200, |n| {
        game("", &lines(n, |i| format!("fact q{i} = = {i}")))
    }),
    check("a name twice", 200, |n| {
        game("", &lines(n, |_| "fact q = 1".to_string()))
    }),
    check("rows of `by`", 200, |n| {
        let rows = lines(n, |i| format!("  | {i} => {}", i + 1));
        game("", &format!("fact f(x: 1..{n}): number = by x\n{rows}"))
    }),
    check("rows of `by` that leave a value out", 800, |n| {
        let rows = lines(n, |i| format!("  | not {i}, not {} => {i}", i * 7919 % n));
        let fact = "fact f(x: number, y: number): number = by x, y";
        game("", &format!("{fact}\n{rows}  | any, any => 0\n"))
    }),
    check("events", 200, |n| {
        let events = lines(n, |i| {
            format!("event e{i}(k: number)\non e{i} {{ fact over = k is {i} }}")
        });
        let rows = lines(n, |i| format!("  | e{i}: \"e{i} {{k}}\""));
        format!(
            "game grown\n{events}transcript by lines {{ start play until over {{\n{rows}}} }}\n"
        )
    }),
    check("columns of `by`, by their rows", 64, |n| {
        let columns = n.ilog2();
        let parameters: Vec<String> = (0..columns).map(|c| format!("c{c}: yes/no")).collect();
        let names: Vec<String> = (0..columns).map(|c| format!("c{c}")).collect();
        let rows = lines(1 << columns, |row| {
            let values: Vec<&str> = (0..columns)
                .map(|c| {
                    if ((row - 1) >> c) & 1 == 1 {
                        "yes"
                    } else {
                        "no"
                    }
                })
                .collect();
            format!("  | {} => {row}", values.join(", "))
        });
        let (parameters, names) = (parameters.join(", "), names.join(", "));
        game(
            "",
            &format!("fact f({parameters}): number = by {names}\n{rows}"),
        )
    }),
    check("report rows", 200, |n| {
        let rows = lines(n, |i| format!("    | r{i}: \"{{k}} {i}\" when k is {i}"));
        game(&format!("  report\n{rows}"), "")
    }),
    check("members", 400, |n| {
        let members: Vec<String> = (0..n).map(|i| format!("M{i}")).collect();
        game("", &format!("kind Member | {}", members.join(" ")))
    }),
    check("states", 200, |n| {
        game("", &lines(n, |i| format!("state s{i}: number = {i}")))
    }),
    check("events", 100, |n| {
        game(
            "",
            &lines(n, |i| {
                format!("event e{i}(k: number)\non e{i} {{ fact over = no }}")
            }),
        )
    }),
    check("options", 200, |n| {
        game("", &lines(n, |i| format!("option o{i}: 1..9 = 3")))
    }),
    check("examples", 100, |n| {
        game(
            "",
            &lines(n, |i| {
                format!("example e{i} {{ when go({i}) expect s is {i} }}")
            }),
        )
    }),
    check("rounds in one another", 30, |n| {
        let rounds = lines(n, |i| match i {
            1 => "round r1".to_string(),
            _ => format!("round r{i} in r{}", i - 1),
        });
        game("", &rounds)
    }),
    check("digits of decimals", 200, |n| {
        game("", &format!("fact f = 0.{}", "1".repeat(count(n))))
    }),
    check("comments that allow", 200, |n| {
        game(
            "",
            &lines(n, |i| format!("-- allow(unused): so\nfact q{i} = {i}")),
        )
    }),
    // What is copied takes few instructions: only long piles show it.
    run("a pile in front", 8000, |_| {
        growing("pile of number = empty", "[k] then s", "{size of new s}")
    }),
    run("a pile behind", 500, |_| {
        growing("pile of number = empty", "s then [k]", "{size of new s}")
    }),
    run("a set", 500, |_| {
        growing("set of number = empty", "s with {k}", "{size of new s}")
    }),
    run("a bag", 500, |_| {
        growing("bag of number = empty", "s with {k}", "{size of new s}")
    }),
    run("two sets that part", 500, |_| {
        game_of(
            "state s: set of number = empty\nstate t: set of number = empty",
            "  new s = s with {k}\n  new t = s with {0 - k}\n  report | r: \"{s is t}\"\n",
        )
    }),
    run("a text", 500, |_| growing("text = \"\"", "\"{s}x\"", "{k}")),
    run("words", 500, |_| {
        growing("text = \"\"", "\"{k}\"", "{new s}")
    }),
    run("numbers with places", 500, |_| {
        game_of(
            "state s: number.00 = 0",
            "  new s = s + k * 0.01 rounded even to 0.05\n  report | r: \"{new s}\"\n",
        )
    }),
    run_once("a region of a grid", 100, |n| {
        game_of(
            &format!("grid P(r: 1..{n}, c: 1..10)\nstate s(p: P): yes/no = no"),
            "  new s(p) | x: yes when p is P(k, 1)\n  report | r: \"{size of neighbours of region(P(2, 2), new s)}\"\n",
        )
    }),
    run_once("a picture", 100, |n| {
        game_of(
            &format!(
                "grid P(r: 1..{n}, c: 1..10)\nstate b(p: P): 0..9 = 0\nwrite b as \"{{it}}\"\nstate s: number = 0"
            ),
            "  impossible | no: \"no\" when k is 1\n  new s = k\n  report | r: \"x\"\n",
        )
    }),
    natively("a chain of `best`", 24, |n| {
        chain(n, "(best x in {NEXT, 2} by highest x) else 1")
    }),
    natively("a chain of `some`", 48, |n| {
        chain(
            n,
            "by (some x in 1..2 where x + NEXT > 0) | yes => 1 | no => 2",
        )
    }),
    Curve {
        what: What::Cover,
        ..run_once("what a chain of sums reaches", 12, |n| {
            chain(n, "sum of | a: NEXT for i in 1..1 | b: 0")
        })
    },
    Curve {
        what: What::Book,
        ..check("a rule book", 100, |n| {
            let rows = lines(n, |i| {
                format!("    | r{i}: \"{{k}} {i}\" when k is {i} cites \"{i}\"")
            });
            game(&format!("  report\n{rows}"), "")
        })
    },
    Curve {
        what: What::Format,
        ..check("layout", 200, |n| {
            let rows = lines(n, |i| {
                format!("    | r{i}: \"{{k}} {i}\" when k is {i} -- so")
            });
            game(&format!("  report\n{rows}"), "")
        })
    },
];

const fn check(name: &'static str, size: u64, rules: fn(u64) -> String) -> Curve {
    Curve {
        name,
        size,
        what: What::Check,
        rules,
        transcript: |_| String::new(),
    }
}

/// The rules do not grow, the transcript does.
const fn run(name: &'static str, size: u64, rules: fn(u64) -> String) -> Curve {
    Curve {
        what: What::Run,
        transcript: |n| lines(n, |i| format!("go {i}")),
        ..check(name, size, rules)
    }
}

/// The rules grow, the transcript does not.
const fn run_once(name: &'static str, size: u64, rules: fn(u64) -> String) -> Curve {
    Curve {
        what: What::Run,
        transcript: |_| "go 1\ngo 2\n".to_string(),
        ..check(name, size, rules)
    }
}

const fn natively(name: &'static str, size: u64, rules: fn(u64) -> String) -> Curve {
    Curve {
        what: What::Natively,
        ..run_once(name, size, rules)
    }
}

fn count(size: u64) -> usize {
    usize::try_from(size).unwrap_or(usize::MAX)
}

/// Lines that differ in their number, from 1.
fn lines(number: u64, line: impl Fn(u64) -> String) -> String {
    (1..=number).fold(String::new(), |mut text, index| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line(index));
        text
    })
}

/// A game with these items, and these lines in the section of its event.
fn game_of(items: &str, section: &str) -> String {
    format!(
        "game grown\n{items}\nevent go(k: number)\non go {{\n  fact over = k is 0\n{section}}}\n\
         transcript by lines {{ start play until over {{ | go: \"go {{k}}\" }} }}\n"
    )
}

/// The same with a state called `s`.
fn game(section: &str, items: &str) -> String {
    let section = format!("  new s = k\n{section}");
    game_of(&format!("state s: number = 0\n{items}"), &section)
}

/// A state that every event makes greater.
fn growing(state: &str, new: &str, said: &str) -> String {
    let section = format!("  new s = {new}\n  report | r: \"{said}\"\n");
    game_of(&format!("state s: {state}"), &section)
}

/// Facts each of which asks the next one.
fn chain(number: u64, fact: &str) -> String {
    let facts = lines(number, |i| {
        format!(
            "fact f{i}: number = {}",
            fact.replace("NEXT", &format!("f{}", i + 1))
        )
    });
    let items = format!(
        "{facts}fact f{}: number = s\nstate s: number = 0",
        number + 1
    );
    game_of(&items, "  new s = k + f1 - f1\n  report | r: \"{new s}\"\n")
}

/// A curve that was counted.
pub(crate) struct Counts {
    /// What is told of it.
    pub(crate) line: String,
    /// Whether it grows no faster than it may.
    pub(crate) is_held: bool,
}

/// Counts a curve; nothing where that is not possible here.
pub(crate) fn counts(curve: &Curve) -> io::Result<Option<Counts>> {
    let sizes = [1, curve.size, 2 * curve.size];
    let mut counts = Vec::new();
    for size in sizes {
        let size = size.to_string();
        match valgrind::instructions_of(&[CURVE, curve.name, &size], b"")? {
            Counted::So(count) => counts.push(count),
            Counted::Nothing(_) => return Ok(None),
        }
    }
    let lengths = sizes.map(|size| (curve.rules)(size).len() + (curve.transcript)(size).len());
    let exponent = doublings(&counts) / doublings(&lengths.map(|length| length as u64)).max(1.0);
    let (known, known_most) = FASTER;
    let is_known = known == curve.name;
    let is_held = exponent <= if is_known { known_most } else { MOST };
    let [_, less, more] = counts[..] else {
        return Ok(None);
    };
    let (name, size, twice) = (curve.name, curve.size, 2 * curve.size);
    let much = match (is_held, is_known) {
        (false, _) => ": grows too fast",
        (true, true) => ": grows too fast, which is known",
        (true, false) => "",
    };
    Ok(Some(Counts {
        line: format!("{name}: {size} take {less}, {twice} take {more}, n^{exponent:.2}{much}"),
        is_held,
    }))
}

/// How often the last figure doubles the one before, both above the first.
#[expect(clippy::cast_precision_loss, reason = "it is told to two places")]
fn doublings(counts: &[u64]) -> f64 {
    let above = |count: u64| count.saturating_sub(counts[0]).max(1) as f64;
    (above(counts[2]) / above(counts[1])).log2()
}

/// The process that is counted: does once what a curve is of.
pub(crate) fn once(name: &str, size: &str) -> ExitCode {
    let curve = CURVES.iter().find(|curve| curve.name == name);
    let (Some(curve), Ok(size)) = (curve, size.parse()) else {
        return ExitCode::FAILURE;
    };
    let (rules, transcript) = ((curve.rules)(size), (curve.transcript)(size));
    let library = Library::default();
    if let What::Format = curve.what {
        let name = "grown.rules".to_string();
        let text = referee::library::RuleText { name, text: rules };
        return code(text.formatted().is_ok());
    }
    let game = match Game::from_text("grown.rules", &rules, &library, &[]) {
        Ok(game) => game,
        // What is wrong is part of what some are of.
        Err(invalid) => return code(invalid.to_string().starts_with("error")),
    };
    let game = match curve.what {
        What::Natively => game.natively(),
        _ => game,
    };
    match curve.what {
        What::Check | What::Format => {}
        What::Run | What::Natively => {
            let ran = game.run(None, "grown", &mut transcript.as_bytes(), &mut io::sink());
            return match ran {
                Err(Failure::Output(_) | Failure::Input(_)) => ExitCode::FAILURE,
                _ => ExitCode::SUCCESS,
            };
        }
        What::Cover => {
            let trial = Trial {
                name: "grown".to_string(),
                form: None,
                settings: Vec::new(),
                transcript: transcript.into_bytes(),
            };
            return code(game.cover(&[trial]).is_ok());
        }
        What::Explain => {
            let query = Query {
                line: Some(2),
                depth: DEPTH_OF_SENTENCES,
                ..Query::default()
            };
            let explained = game.explain(&query, "transcript", transcript.as_bytes());
            return code(explained.is_ok_and(|explained| !explained.to_string().is_empty()));
        }
        What::Book => return code(!game.book().chapters.is_empty()),
    }
    ExitCode::SUCCESS
}

fn code(is_well: bool) -> ExitCode {
    if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
