//! A match of tennis.

use super::{Account, Random, joined};

const NAMES: [&str; 2] = ["Ann", "Ben"];
const CALLS: [&str; 4] = ["love", "15", "30", "40"];

/// How a match is won.
pub(crate) struct Match {
    pub(crate) sets: usize,
    pub(crate) last_tie_break: usize,
    pub(crate) advantage: bool,
}

impl Match {
    pub(crate) fn play(&self, random: &mut Random, account: &mut Account) {
        account.note("Ann Ben");
        account.say("Ann to serve");
        let holds = random.between(40, 90);
        let mut opener = 0;
        let mut tallies: Vec<[usize; 2]> = Vec::new();
        let mut sets = [0, 0];
        loop {
            let last = tallies.len() == 2 * self.sets - 2;
            let (tally, winner) = self.set(random, account, holds, last, &mut opener);
            tallies.push(tally);
            sets[winner] += 1;
            if sets[winner] == self.sets {
                let result = tallies
                    .iter()
                    .map(|tally| format!("{}-{}", tally[winner], tally[1 - winner]));
                account.say(format!(
                    "Game, set and match {}, {}",
                    NAMES[winner],
                    joined(result)
                ));
                return;
            }
            account.say(format!(
                "Game and set {}, {}-{}",
                NAMES[winner], tally[0], tally[1]
            ));
        }
    }

    /// Who wins a set, and how.
    fn set(
        &self,
        random: &mut Random,
        account: &mut Account,
        holds: u64,
        last: bool,
        opener: &mut usize,
    ) -> ([usize; 2], usize) {
        let mut games = [0, 0];
        loop {
            let tie_break = games == [6, 6] && !(last && self.advantage);
            let target = match (tie_break, last) {
                (true, true) => self.last_tie_break,
                (true, false) => 7,
                (false, _) => 4,
            };
            let winner = game(random, account, holds, *opener, tie_break, target);
            *opener = 1 - *opener;
            games[winner] += 1;
            if tie_break || games[winner] >= 6 && games[winner] >= games[1 - winner] + 2 {
                return (games, winner);
            }
            account.say(format!("Game {}, {}-{}", NAMES[winner], games[0], games[1]));
            if games == [6, 6] && !(last && self.advantage) {
                account.say(format!("Tie-break, {} to serve", NAMES[*opener]));
            }
        }
    }
}

/// Who wins a game.
fn game(
    random: &mut Random,
    account: &mut Account,
    holds: u64,
    opener: usize,
    tie_break: bool,
    target: usize,
) -> usize {
    let who_serves = |played: usize| match played.div_ceil(2) % 2 {
        1 if tie_break => 1 - opener,
        _ => opener,
    };
    let mut points = [0, 0];
    let mut faulted = false;
    loop {
        let server = who_serves(points[0] + points[1]);
        let winner = if random.percent(10) {
            account.note("fault");
            account.say(if faulted { "Double fault" } else { "Fault" });
            faulted = !faulted;
            if faulted {
                continue;
            }
            1 - server
        } else {
            let winner = if random.percent(holds) {
                server
            } else {
                1 - server
            };
            account.note(NAMES[winner]);
            winner
        };
        faulted = false;
        points[winner] += 1;
        if points[winner] >= target && points[winner] >= points[1 - winner] + 2 {
            return winner;
        }
        let server = who_serves(points[0] + points[1]);
        let (own, other) = (points[server], points[1 - server]);
        account.say(if tie_break {
            format!("{own}-{other}, {} to serve", NAMES[server])
        } else if own >= 3 && other >= 3 {
            match own.cmp(&other) {
                std::cmp::Ordering::Equal => "Deuce".to_string(),
                std::cmp::Ordering::Greater => format!("Advantage {}", NAMES[server]),
                std::cmp::Ordering::Less => format!("Advantage {}", NAMES[1 - server]),
            }
        } else if own == other {
            format!("{}-all", CALLS[own])
        } else {
            format!("{}-{}", CALLS[own], CALLS[other])
        });
    }
}
