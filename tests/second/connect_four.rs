//! Connect Four.

use super::{Account, Random};

/// The board with a margin, row by row from below.
const WIDTH: usize = 9;

pub(crate) fn play(random: &mut Random, number: u64, account: &mut Account) {
    account.note("Ann Ben");
    account.say(format!("Game {number}: Ann (X) against Ben (O)"));
    let mut board = [b'#'; WIDTH * 8];
    for row in 1..=6 {
        for column in 1..=7 {
            board[row * WIDTH + column] = b'.';
        }
    }
    let mut turn = b'X';
    let end = loop {
        let column = random.between(1, 7);
        let Some(place) = (1..=6)
            .map(|row| row * WIDTH + usize::try_from(column).unwrap_or_default())
            .find(|place| board[*place] == b'.')
        else {
            continue;
        };
        account.note(column.to_string());
        board[place] = turn;
        let line = [1, WIDTH - 1, WIDTH, WIDTH + 1].into_iter().any(|step| {
            let forth = (1..7)
                .take_while(|far| board[place + far * step] == turn)
                .count();
            let back = (1..7)
                .take_while(|far| board[place - far * step] == turn)
                .count();
            forth + back >= 3
        });
        if line {
            let winner = if turn == b'X' { "Ann" } else { "Ben" };
            break format!("{winner} has 4 in a line and wins");
        }
        if !board.contains(&b'.') {
            break "the board is full, and nobody wins".to_string();
        }
        turn = if turn == b'X' { b'O' } else { b'X' };
    };
    for row in (1..=6).rev() {
        account.say(String::from_utf8_lossy(
            &board[row * WIDTH + 1..row * WIDTH + 8],
        ));
    }
    account.say(end);
}
