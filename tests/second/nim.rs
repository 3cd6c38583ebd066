//! Nim.

use super::{Account, Random, joined};

pub(crate) fn play(random: &mut Random, account: &mut Account, last_loses: bool) {
    let names = ["Ann", "Ben"];
    let mut heaps: Vec<u64> = (0..random.between(1, 9))
        .map(|_| random.between(1, 9))
        .collect();
    account.note("Ann Ben");
    account.note(joined(&heaps));
    account.say(format!("Ann against Ben: {}", joined(&heaps)));
    let mut turn = 0;
    while heaps.iter().any(|heap| *heap > 0) {
        let heap = random.index(heaps.len());
        if random.percent(10) {
            account.note(format!("{} 0 from {}", names[turn], heap + 1));
            account.say(format!("{} must take one at least", names[turn]));
        }
        if heaps[heap] == 0 {
            continue;
        }
        let count = random.between(1, heaps[heap]);
        heaps[heap] -= count;
        account.note(format!("{} {count} from {}", names[turn], heap + 1));
        account.say(format!("{} leaves {}", names[turn], joined(&heaps)));
        turn = 1 - turn;
    }
    // Who took the last piece is not in turn now.
    let winner = if last_loses { turn } else { 1 - turn };
    account.say(format!("{} wins", names[winner]));
}
