//! A run that takes too much ends at the same place with the same words, whatever runs it and whatever ran before.

mod support;

use referee::{game::Game, library::Library, limits::Limits};
use support::run;

/// What an event looks at that has a number, in ways that machine code does in fewer steps.
const LOOPS: [&str; 6] = [
    "sum of | a: 1 for i in 1..k | b: 0",
    "size of (i for i in 1..k where i mod 3 is 1)",
    "first of | a: 1 when some i in 1..k where i > k | b: 2",
    "sum of | a: small(i) for i in 1..k | b: 0",
    "sum of | a: 1 for i in 1..k, j in 1..9 | b: 0",
    "(best i in 1..k by highest twice(i), lowest i) else large",
];

fn looping(expression: &str, limits: Limits) -> Game {
    let rules = format!(
        "game loops
state s: number = 0
state large: number = 0
event go(k: number)
fact small(i: number): number = (i + 1) mod 7
fact twice(i: number): number = small(i) + small(i + s)
on go {{
  fact found: number = {expression}
  fact over = k is 0
  new s = (s + found) mod 1000
  report | said: \"{{new s}}\"
}}
transcript by lines {{ start play until over {{ | go: \"go {{k}}\" }} }}
"
    );
    let game = Game::from_text("loops.rules", &rules, &Library::shipped(), &[]);
    game.unwrap_or_else(|invalid| panic!("{invalid}"))
        .limited(limits)
}

/// The greatest number that an event may have comes out the same by exact functions, by machine code, by the interpreter
/// of what becomes machine code, and after so many events that a game becomes machine code by itself.
#[test]
fn near_the_limit() {
    let limits = Limits {
        fuel: 1 << 18,
        ..Limits::default()
    };
    let many = "go 1\n".repeat(5000);
    for expression in LOOPS {
        let game = looping(expression, limits);
        let said = |game: &Game, before: &str, number: u64| {
            let transcript = format!("{before}go {number}\ngo 0\n");
            let outcome = run(game, None, transcript.as_bytes());
            let report = outcome.report.lines().count() - before.lines().count();
            let drawn = outcome.drawn();
            let drawn: Vec<&str> = drawn
                .lines()
                .filter(|line| line.starts_with("error") || line.contains("note"))
                .collect();
            format!("{report} {}", drawn.join("\n"))
        };
        let (mut passes, mut stops) = (1, limits.fuel + 1);
        while stops - passes > 1 {
            let middle = u64::midpoint(passes, stops);
            if said(&game, "", middle).contains("too much work") {
                stops = middle;
            } else {
                passes = middle;
            }
        }
        assert!(stops > 100, "{expression}: {stops}");
        for number in passes - 1..=stops + 1 {
            let expected = said(&game, "", number);
            for game in [
                looping(expression, limits).natively(),
                looping(expression, limits).interpreted(),
            ] {
                assert_eq!(said(&game, "", number), expected, "{expression}: {number}");
            }
            let game = looping(expression, limits);
            let later = said(&game, &many, number);
            assert_eq!(
                later.lines().next(),
                expected.lines().next(),
                "{expression}: {number} later"
            );
        }
    }
}

/// What long events of a game take together is the same too, and short ones count for nothing in it.
#[test]
fn long_events_together() {
    let limits = Limits {
        fuel: 1 << 18,
        ..Limits::default()
    };
    let long = "go 180000\n".repeat(600);
    let between = "go 1\n".repeat(5000);
    let game = looping(LOOPS[0], limits);
    let said = |game: Game, before: &str| {
        let transcript = format!("{before}{long}");
        run(&game, None, transcript.as_bytes())
            .report
            .lines()
            .count()
            - before.lines().count()
    };
    let expected = said(game, "");
    assert!((200..600).contains(&expected), "{expected}");
    assert_eq!(said(looping(LOOPS[0], limits).natively(), ""), expected);
    assert_eq!(said(looping(LOOPS[0], limits), &between), expected);
}
