//! Ten-pin bowling, scored in the end as one does on paper.

use super::{Account, Random, joined};

/// What a bowler has rolled, and how it is written frame by frame.
#[derive(Default, Clone)]
struct Sheet {
    balls: Vec<u64>,
    signs: Vec<String>,
    /// Frames whose score has been said.
    said: usize,
}

impl Sheet {
    /// What each frame is worth, as far as that is known.
    fn frames(&self) -> Vec<u64> {
        let mut worth = Vec::new();
        let mut at = 0;
        while worth.len() < 10 && at < self.balls.len() {
            let strike = self.balls[at] == 10;
            let two: u64 = self.balls[at..].iter().take(2).sum();
            let needs = if strike || two == 10 { 3 } else { 2 };
            if self.balls.len() < at + needs {
                break;
            }
            worth.push(self.balls[at..at + needs].iter().sum());
            at += if strike { 1 } else { 2 };
        }
        worth
    }
}

pub(crate) fn play(random: &mut Random, account: &mut Account) {
    let names = &["Ann", "Ben", "Eve"][..=random.index(3)];
    account.note(format!("{} {}", names.len(), joined(names)));
    let mut sheets = vec![Sheet::default(); names.len()];
    for frame in 1..=10 {
        for (name, sheet) in names.iter().zip(&mut sheets) {
            sheet.signs.push(String::new());
            turn(random, account, frame, name, sheet);
        }
    }
    let totals: Vec<u64> = sheets
        .iter()
        .map(|sheet| sheet.frames().iter().sum())
        .collect();
    for ((name, sheet), total) in names.iter().zip(&sheets).zip(&totals) {
        account.say(format!("{name}: {} = {total}", joined(&sheet.signs)));
    }
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

/// The balls of one bowler in one frame.
fn turn(random: &mut Random, account: &mut Account, frame: usize, name: &str, sheet: &mut Sheet) {
    let mut standing = 10;
    let mut second = false;
    let first_ball = sheet.balls.len();
    loop {
        let foul = random.percent(5);
        let pins = if foul {
            0
        } else if random.percent(40) {
            standing
        } else {
            random.between(0, standing)
        };
        let cleared = pins == standing;
        let sign = match (foul, cleared, second, pins) {
            (true, ..) => "F".to_string(),
            (_, true, false, _) => "X".to_string(),
            (_, true, true, _) => "/".to_string(),
            (_, _, _, 0) => "-".to_string(),
            _ => pins.to_string(),
        };
        account.note(if foul || random.percent(80) {
            sign.clone()
        } else {
            pins.to_string()
        });
        sheet.balls.push(pins);
        if let Some(signs) = sheet.signs.last_mut() {
            *signs += &sign;
        }
        let rolled = &sheet.balls[first_ball..];
        let ends = match frame {
            10 => rolled.len() == 3 || rolled.len() == 2 && rolled.iter().sum::<u64>() < 10,
            _ => cleared || second,
        };
        let frames = sheet.frames();
        while sheet.said < frames.len() {
            let total: u64 = frames[..=sheet.said].iter().sum();
            account.say(format!(
                "{name} {}: {} {total}",
                sheet.said + 1,
                sheet.signs[sheet.said]
            ));
            sheet.said += 1;
        }
        if ends {
            return;
        }
        if cleared || second {
            standing = 10;
            second = false;
        } else {
            standing -= pins;
            second = true;
        }
    }
}
