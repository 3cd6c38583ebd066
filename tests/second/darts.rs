//! A leg of darts.

use super::{Account, Random, joined};

/// A dart: how many times it counts, and which number.
type Dart = (u64, u64);

fn written((times, number): Dart) -> String {
    match (times, number) {
        (2, 25) => "BULL".to_string(),
        (2, _) => format!("D{number}"),
        (3, _) => format!("T{number}"),
        _ => number.to_string(),
    }
}

/// A dart at random, and now and then the one that is wanted.
fn thrown(random: &mut Random, left: u64) -> Dart {
    if left.is_multiple_of(2) && (2..=40).contains(&left) && random.percent(20) {
        return (2, left / 2);
    }
    if left == 50 && random.percent(50) {
        return (2, 25);
    }
    if (1..=20).contains(&left) && random.percent(20) {
        return (1, left);
    }
    match random.between(0, 21) {
        0 => (1, 0),
        21 => (random.between(1, 2), 25),
        number => (random.between(1, 3), number),
    }
}

pub(crate) fn play(
    random: &mut Random,
    number: u64,
    account: &mut Account,
    start: u64,
    double_in: bool,
) {
    let names = ["Ann", "Ben"];
    account.note("Ann Ben");
    account.say(format!("Leg {number}: Ann to throw, {start} required"));
    let mut all_left = [start; 2];
    let mut all_counting = [!double_in; 2];
    let mut turn = 0;
    loop {
        let name = names[turn];
        let before = all_left[turn];
        let (mut left, mut counting) = (before, all_counting[turn]);
        let mut darts = Vec::new();
        let mut bust = None;
        let mut out = None;
        while darts.len() < 3 && bust.is_none() && out.is_none() {
            let dart = thrown(random, left);
            darts.push(written(dart));
            counting |= dart.0 == 2;
            if !counting {
                continue;
            }
            let value = dart.0 * dart.1;
            match left.checked_sub(value) {
                None => bust = Some("too many"),
                Some(1) => bust = Some("1 would be left"),
                Some(0) if dart.0 == 2 => out = Some(written(dart)),
                Some(0) => bust = Some("not by a double"),
                Some(rest) => left = rest,
            }
        }
        account.note(format!("{name}: {}", joined(darts)));
        if let Some(dart) = out {
            account.say(format!("{name} {before}, game shot with {dart}"));
            return;
        }
        if let Some(bust) = bust {
            account.say(format!("{name} bust, {bust}: {before} left"));
        } else {
            all_left[turn] = left;
            all_counting[turn] = counting;
            account.say(format!("{name} {}, {left} left", before - left));
        }
        turn = 1 - turn;
    }
}
