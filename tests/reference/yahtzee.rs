//! Yahtzee's score sheet.

use std::io::{BufRead, Write};

use super::words::{Error, Words};

const BOXES: [&str; 13] = [
    "aces",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "three-of-a-kind",
    "four-of-a-kind",
    "full-house",
    "small-straight",
    "large-straight",
    "yahtzee",
    "chance",
];
const YAHTZEE: usize = 11;

/// What a player has written.
#[derive(Clone, Default)]
struct Sheet {
    name: String,
    entries: [Option<u64>; 13],
    further: u64,
}

impl Sheet {
    fn bonus(&self) -> u64 {
        let upper: u64 = self.entries[..6].iter().flatten().sum();
        if upper >= 63 { 35 } else { 0 }
    }

    fn total(&self) -> u64 {
        self.entries.iter().flatten().sum::<u64>() + self.bonus() + 100 * self.further
    }
}

/// How many dice show each number, from 0 on.
type Dice = [u64; 7];

/// Reports on every game of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("games")? {
        let number = words.next()?.and_then(|word| word.strip_suffix(b":"));
        let players = match number {
            Some(b"10") => 10,
            Some(&[digit @ b'1'..=b'9']) => usize::from(digit - b'0'),
            _ => return Err(words.error("expected the number of players")),
        };
        let mut sheets = Vec::new();
        for _ in 0..players {
            sheets.push(Sheet {
                name: words.text("a name")?,
                ..Sheet::default()
            });
        }
        let mut left = 13 * players;
        let mut turn = 0;
        while left > 0 {
            if enter(&mut sheets[turn], &mut words, output)? {
                turn = (turn + 1) % players;
                left -= 1;
            }
        }
        say_result(&sheets, output)?;
    }
    words.end()
}

/// One line; whether something was entered.
fn enter(
    sheet: &mut Sheet,
    words: &mut Words<impl BufRead>,
    output: &mut impl Write,
) -> Result<bool, Error> {
    if words.next()? != Some(sheet.name.as_bytes()) {
        return Err(words.error("expected who is in turn"));
    }
    let mut dice: Dice = [0; 7];
    let thrown = words.word()?.unwrap_or_default();
    let valid = thrown.len() == 5 && thrown.iter().all(|die| (b'1'..=b'6').contains(die));
    if !valid {
        return Err(words.error("expected five dice"));
    }
    for die in thrown {
        dice[usize::from(die - b'0')] += 1;
    }
    let name = words.word()?.unwrap_or_default();
    let entry = BOXES.iter().position(|other| other.as_bytes() == name);
    let Some(entry) = entry else {
        return Err(words.error("expected a box"));
    };
    if sheet.entries[entry].is_some() {
        return Err(words.error("this box is filled"));
    }
    words.end_line()?;
    let yahtzee = dice.iter().position(|count| *count == 5);
    let own = yahtzee.filter(|_| sheet.entries[YAHTZEE].is_some());
    if let Some(own) = own.map(|number| number - 1)
        && entry != own
    {
        if sheet.entries[own].is_none() {
            let own = BOXES[own];
            writeln!(output, "{}: a joker of {own} goes there", sheet.name)?;
            return Ok(false);
        }
        if entry < 6 && sheet.entries[6..].contains(&None) {
            writeln!(output, "{}: a joker goes to a lower box", sheet.name)?;
            return Ok(false);
        }
    }
    let points = worth(entry, &dice, own.is_some());
    let bonus = sheet.bonus();
    sheet.entries[entry] = Some(points);
    writeln!(output, "{} {points} for {}", sheet.name, BOXES[entry])?;
    if own.is_some() && sheet.entries[YAHTZEE] == Some(50) {
        sheet.further += 1;
        writeln!(output, "{} 100 for a further yahtzee", sheet.name)?;
    }
    if bonus == 0 && sheet.bonus() > 0 {
        writeln!(output, "{} 35 for the upper boxes", sheet.name)?;
    }
    Ok(true)
}

/// What dice are worth in a box.
fn worth(entry: usize, dice: &Dice, joker: bool) -> u64 {
    let sum = (0..).zip(dice).map(|(number, count)| number * count).sum();
    let alike = |least| dice.iter().any(|count| *count >= least);
    let row = |length| {
        dice[1..]
            .windows(length)
            .any(|some| some.iter().all(|count| *count > 0))
    };
    let (fits, points) = match entry {
        0..=5 => return dice[entry + 1] * (entry as u64 + 1),
        6 => (alike(3), sum),
        7 => (alike(4), sum),
        8 => (joker || dice.contains(&3) && dice.contains(&2), 25),
        9 => (joker || row(4), 30),
        10 => (joker || row(5), 40),
        YAHTZEE => (alike(5), 50),
        _ => (true, sum),
    };
    if fits { points } else { 0 }
}

fn say_result(sheets: &[Sheet], output: &mut impl Write) -> Result<(), Error> {
    for (index, entry) in BOXES.iter().enumerate() {
        say(
            entry,
            sheets,
            |sheet| sheet.entries[index].unwrap_or(0),
            output,
        )?;
    }
    say("upper bonus", sheets, Sheet::bonus, output)?;
    say(
        "further yahtzees",
        sheets,
        |sheet| 100 * sheet.further,
        output,
    )?;
    say("total", sheets, Sheet::total, output)?;
    let best = sheets.iter().map(Sheet::total).max();
    let winners = sheets.iter().filter(|sheet| Some(sheet.total()) == best);
    let names: Vec<&str> = winners.map(|sheet| sheet.name.as_str()).collect();
    match names.as_slice() {
        [winner] if sheets.len() > 1 => writeln!(output, "{winner} wins")?,
        [_] | [] => {}
        several => writeln!(output, "{} are equal", several.join(" "))?,
    }
    Ok(())
}

/// A line with a number for each player.
fn say(
    what: &str,
    sheets: &[Sheet],
    number: impl Fn(&Sheet) -> u64,
    output: &mut impl Write,
) -> Result<(), Error> {
    write!(output, "{what}:")?;
    for sheet in sheets {
        write!(output, " {}", number(sheet))?;
    }
    output.write_all(b"\n")?;
    Ok(())
}
