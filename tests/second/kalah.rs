//! Kalah with six houses and four seeds.

use super::{Account, Random, joined};

const NAMES: [&str; 2] = ["Ann", "Ben"];

/// South's houses and store, and North's, in the order of sowing.
fn shown(board: &[u64; 14]) -> String {
    format!(
        "{} ({})  {} ({})",
        joined(&board[..6]),
        board[6],
        joined(&board[7..13]),
        board[13]
    )
}

pub(crate) fn play(random: &mut Random, number: u64, account: &mut Account) {
    account.note("Ann Ben");
    let mut board = [4; 14];
    board[6] = 0;
    board[13] = 0;
    account.say(format!("Game {number}: {}", shown(&board)));
    let mut turn = 0;
    loop {
        let first = 7 * turn;
        let house = random.index(6);
        if board[first + house] == 0 {
            continue;
        }
        account.note((house + 1).to_string());
        let rivals_store = 13 - first;
        let mut place = first + house;
        let mut hand = std::mem::take(&mut board[place]);
        while hand > 0 {
            place = (place + 1) % 14;
            if place != rivals_store {
                board[place] += 1;
                hand -= 1;
            }
        }
        let mut catch = 0;
        if (first..first + 6).contains(&place) && board[place] == 1 && board[12 - place] > 0 {
            catch = 1 + std::mem::take(&mut board[12 - place]);
            board[place] = 0;
            board[first + 6] += catch;
        }
        let over = board[..6].iter().all(|seeds| *seeds == 0)
            || board[7..13].iter().all(|seeds| *seeds == 0);
        if over {
            for place in (0..6).chain(7..13) {
                let store = if place < 6 { 6 } else { 13 };
                board[store] += std::mem::take(&mut board[place]);
            }
        }
        let name = NAMES[turn];
        account.say(format!("{name} {}: {}", house + 1, shown(&board)));
        if catch > 0 {
            account.say(format!("{name} catches {catch}"));
        }
        if over {
            let (south, north) = (board[6], board[13]);
            account.say(match south.cmp(&north) {
                std::cmp::Ordering::Equal => "a draw".to_string(),
                std::cmp::Ordering::Greater => format!("Ann wins {south}:{north}"),
                std::cmp::Ordering::Less => format!("Ben wins {north}:{south}"),
            });
            return;
        }
        if place == first + 6 {
            account.say(format!("{name} sows again"));
        } else {
            turn = 1 - turn;
        }
    }
}
