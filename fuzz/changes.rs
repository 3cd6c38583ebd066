//! Changes to texts, token by token: a fuzzer that changes bytes alone seldom finds another valid rule file.

/// Numbers that are the same on every machine (`SplitMix64`).
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to before `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        usize::try_from(word % u64::try_from(end.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Words and marks that stand at the edges of what is allowed, and that constructs begin with.
const TOKENS: [&str; 76] = [
    "0",
    "1",
    "-1",
    "63",
    "64",
    "65",
    "255",
    "9223372036854775807",
    "-9223372036854775808",
    "0.5",
    "-0.00",
    "9.999999999",
    "92233720368547758.07",
    "0.0000000000000000001",
    "number.00",
    "rounded",
    "rounded up",
    "rounded down",
    "round",
    "even",
    "per",
    "begin",
    "each",
    "none",
    "empty",
    "yes",
    "no",
    "maybe",
    "new",
    "old",
    "the",
    "other",
    "next",
    "size",
    "of",
    "sum",
    "product",
    "best",
    "lowest",
    "highest",
    "sorted",
    "reversed",
    "some",
    "every",
    "in",
    "to",
    "where",
    "when",
    "unless",
    "for",
    "else",
    "by",
    "turn",
    "chance weight",
    "outcome",
    "write",
    "as",
    "cites",
    "says",
    "with",
    "without",
    "then",
    "pile",
    "set",
    "bag",
    "grid",
    "text",
    "|",
    "{",
    "}",
    "(",
    ")",
    "=>",
    "-- allow(unused-name)",
    "\u{1b}[31m",
    "\u{202e}",
];

/// Whole lines, one of each construct that only a few cases have.
const LINES: [&str; 30] = [
    "state money: 0.00..99999.99 = 1.50",
    "state total: number.00 per set = 0",
    "round set",
    "round game in set",
    "fact share = 10.00 / 3 rounded down to 0.01",
    "fact half = 7 / 2 rounded even",
    "fact tenth = 1.13 rounded up to 0.05",
    "event cross(path: pile of 1..9 each in {last(path) + 1} without path)",
    "event roll(pips: 1..6) by chance weight pips * 2",
    "event turn(to: 0..9) by chance weight 9223372036854775807",
    "fact outcome(p: Player) = by p is turn | yes => win | no => loss",
    "fact outcome = 3",
    "write board as mark of it else \".\"",
    "  begin | done: set when new s > 3",
    "  | same: \"{k}\" when k is 1 says \"so\" cites \"1.2\"",
    "  impossible | far: \"no\" when k > 9 cites \"3\"",
    "-- allow(never-read, never-true)",
    "-- allow(",
    "example first { start go(1) expect s is 1 }",
    "#? size of (x for x in 1..9 where x > 3) is 6",
    "#? s is 7 / 2 rounded up",
    "#? why",
    "#? go 1: no",
    "option most: 1..9 = 3",
    "variant fuzzed of fuzzed \"changed\"",
    "use cards",
    "remove fact over",
    "replace fact over = yes",
    "replace state s: number.0 = 1.5",
    "type Low = 1..3",
];

/// A text in words, marks and blanks.
fn tokens(text: &str) -> Vec<&str> {
    let sort = |character: char| match character {
        character if character.is_alphanumeric() || character == '_' => 0,
        character if character.is_whitespace() => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if sort(first) == 2 {
            first.len_utf8()
        } else {
            let other = |character: char| sort(character) != sort(first);
            rest.find(other).unwrap_or(rest.len())
        };
        let (token, after) = rest.split_at(end);
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// A text with a few tokens left out, doubled, exchanged or put in from another.
pub fn changed(text: &str, other: &str, random: &mut Random) -> String {
    let (mut all, others) = (tokens(text), tokens(other));
    for _ in 0..=random.below(4) {
        let place = random.below(all.len());
        if all.is_empty() {
            break;
        }
        match random.below(8) {
            0 => drop(all.remove(place)),
            1 => all.insert(place, all[place]),
            2 => all[place] = random.one(&TOKENS),
            3 => all.insert(place, random.one(&TOKENS)),
            4 if !others.is_empty() => {
                let from = random.below(others.len());
                let some = &others[from..others.len().min(from + 1 + random.below(12))];
                all.splice(place..place, some.iter().copied());
            }
            // A name takes the place of another one, a number that of a number.
            5 => {
                let sort = |token: &str| {
                    let first = token.chars().next()?;
                    Some((first.is_alphabetic(), first.is_numeric()))
                };
                let like: Vec<&str> = all
                    .iter()
                    .copied()
                    .filter(|token| sort(token) == sort(all[place]))
                    .collect();
                all[place] = random.one(&like);
            }
            6 if random.below(4) == 0 => {
                let ends = |token: &&str| token.contains('\n');
                let next = all.iter().skip(place).position(ends);
                let place = next.map_or(all.len(), |next| place + next);
                all.splice(place..place, ["\n", random.one(&LINES)]);
            }
            _ => {
                let with = random.below(all.len());
                all.swap(place, with);
            }
        }
    }
    all.concat()
}

/// Changes an input of a fuzzer in place, and gives how long it is then: half the time byte by byte, as `bytes` does.
#[allow(dead_code, reason = "the tests change texts that are their own")]
pub fn of_fuzzer(
    data: &mut [u8],
    size: usize,
    most: usize,
    seed: u32,
    bytes: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    let mut random = Random(u64::from(seed));
    if random.below(3) == 0 {
        return bytes(data, size, most);
    }
    let text = String::from_utf8_lossy(&data[..size]).into_owned();
    let new = changed(&text, &text, &mut random);
    let count = new.len().min(most).min(data.len());
    data[..count].copy_from_slice(&new.as_bytes()[..count]);
    count
}
