//! Yahtzee's score sheet.

use super::{Account, Random, joined};

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

#[derive(Default, Clone)]
struct Sheet {
    entries: [Option<u64>; 13],
    further: u64,
}

impl Sheet {
    fn upper(&self) -> u64 {
        self.entries[..6].iter().flatten().sum()
    }

    fn bonus(&self) -> u64 {
        if self.upper() >= 63 { 35 } else { 0 }
    }

    fn total(&self) -> u64 {
        self.entries.iter().flatten().sum::<u64>() + self.bonus() + 100 * self.further
    }
}

/// What dice are worth in a box.
fn worth(entry: usize, dice: &[u64; 5], joker: bool) -> u64 {
    let mut counts = [0u64; 7];
    for (face, count) in (0..).zip(&mut counts) {
        *count = dice.iter().map(|die| u64::from(*die == face)).sum();
    }
    let sum = dice.iter().sum();
    let alike = counts.iter().max().copied().unwrap_or_default();
    let row = |length| counts[1..].windows(length).any(|some| !some.contains(&0));
    let fits = match entry {
        0..=5 => return counts[entry + 1] * (entry as u64 + 1),
        6 => return if alike >= 3 { sum } else { 0 },
        7 => return if alike >= 4 { sum } else { 0 },
        8 => (joker || counts.contains(&3) && counts.contains(&2), 25),
        9 => (joker || row(4), 30),
        10 => (joker || row(5), 40),
        YAHTZEE => (alike == 5, 50),
        _ => return sum,
    };
    if fits.0 { fits.1 } else { 0 }
}

fn throw(random: &mut Random) -> [u64; 5] {
    let mut dice = [0; 5];
    if random.percent(30) {
        dice.fill(random.between(1, 6));
    } else if random.percent(20) {
        let low = random.between(1, 2);
        dice = [low + 3, low + 1, low + 4, low, low + 2];
    } else {
        for die in &mut dice {
            *die = random.between(1, 6);
        }
    }
    dice
}

pub(crate) fn play(random: &mut Random, account: &mut Account) {
    let names = &["Ann", "Ben", "Eve", "Max"][..=random.index(4)];
    account.note(format!("{}: {}", names.len(), joined(names)));
    let mut sheets = vec![Sheet::default(); names.len()];
    let mut turn = 0;
    while sheets.iter().any(|sheet| sheet.entries.contains(&None)) {
        let dice = throw(random);
        let (name, sheet) = (names[turn], &mut sheets[turn]);
        let entry = random.index(13);
        if sheet.entries[entry].is_some() {
            continue;
        }
        let written: String = dice.iter().map(u64::to_string).collect();
        account.note(format!("{name} {written} {}", BOXES[entry]));
        let joker = dice.iter().all(|die| *die == dice[0]) && sheet.entries[YAHTZEE].is_some();
        let own = usize::try_from(dice[0]).unwrap_or_default() - 1;
        if joker && entry != own && sheet.entries[own].is_none() {
            account.say(format!("{name}: a joker of {} goes there", BOXES[own]));
            continue;
        }
        if joker && entry < 6 && entry != own && sheet.entries[6..].contains(&None) {
            account.say(format!("{name}: a joker goes to a lower box"));
            continue;
        }
        let points = worth(entry, &dice, joker);
        let bonus = sheet.bonus();
        sheet.entries[entry] = Some(points);
        account.say(format!("{name} {points} for {}", BOXES[entry]));
        if joker && sheet.entries[YAHTZEE] == Some(50) {
            sheet.further += 1;
            account.say(format!("{name} 100 for a further yahtzee"));
        }
        if bonus == 0 && sheet.bonus() > 0 {
            account.say(format!("{name} 35 for the upper boxes"));
        }
        turn = (turn + 1) % names.len();
    }
    for (index, entry) in BOXES.iter().enumerate() {
        let row = sheets.iter().filter_map(|sheet| sheet.entries[index]);
        account.say(format!("{entry}: {}", joined(row)));
    }
    account.say(format!(
        "upper bonus: {}",
        joined(sheets.iter().map(Sheet::bonus))
    ));
    account.say(format!(
        "further yahtzees: {}",
        joined(sheets.iter().map(|sheet| 100 * sheet.further))
    ));
    let totals: Vec<u64> = sheets.iter().map(Sheet::total).collect();
    account.say(format!("total: {}", joined(&totals)));
    let best = totals.iter().max();
    let winners = names
        .iter()
        .zip(&totals)
        .filter(|(_, total)| Some(*total) == best);
    let winners: Vec<&&str> = winners.map(|(name, _)| name).collect();
    match winners.as_slice() {
        [winner] if names.len() > 1 => account.say(format!("{winner} wins")),
        [_] | [] => {}
        several => account.say(format!("{} are equal", joined(several))),
    }
}
