//! Reversi.

use super::{Account, Random};

/// The board with a margin, row by row.
const WIDTH: usize = 10;

/// The eight ways, as steps that may wrap round.
const WAYS: [usize; 8] = [
    1,
    WIDTH - 1,
    WIDTH,
    WIDTH + 1,
    0usize.wrapping_sub(1),
    0usize.wrapping_sub(WIDTH - 1),
    0usize.wrapping_sub(WIDTH),
    0usize.wrapping_sub(WIDTH + 1),
];

type Board = [u8; WIDTH * WIDTH];

fn rival(disc: u8) -> u8 {
    if disc == b'X' { b'O' } else { b'X' }
}

fn turned(board: &Board, disc: u8, place: usize) -> Vec<usize> {
    let mut all = Vec::new();
    if board[place] != b'.' {
        return all;
    }
    for way in WAYS {
        let mut line = Vec::new();
        let mut at = place.wrapping_add(way);
        while board[at] == rival(disc) {
            line.push(at);
            at = at.wrapping_add(way);
        }
        if board[at] == disc {
            all.append(&mut line);
        }
    }
    all
}

fn can_move(board: &Board, disc: u8) -> bool {
    (0..board.len()).any(|place| !turned(board, disc, place).is_empty())
}

pub(crate) fn play(random: &mut Random, number: u64, account: &mut Account) {
    account.note("Ann Ben");
    account.say(format!("Game {number}: Ann (black) against Ben (white)"));
    let mut board = [b'#'; WIDTH * WIDTH];
    for row in 1..=8 {
        board[row * WIDTH + 1..row * WIDTH + 9].fill(b'.');
    }
    for (place, disc) in [(44, b'O'), (45, b'X'), (54, b'X'), (55, b'O')] {
        board[place] = disc;
    }
    let mut turn = b'X';
    let mut moves = 0;
    let count = |board: &Board, disc| {
        board
            .iter()
            .map(|other| u64::from(*other == disc))
            .sum::<u64>()
    };
    loop {
        let place = random.index(board.len());
        if board[place] != b'.' {
            continue;
        }
        let colour = |disc| if disc == b'X' { "black" } else { "white" };
        let lines = turned(&board, turn, place);
        let file = b"?abcdefgh?"[place % WIDTH] as char;
        let square = format!("{file}{}", place / WIDTH);
        if lines.is_empty() {
            if random.percent(10) {
                account.note(&square);
                account.say(format!("{} turns nothing over at {square}", colour(turn)));
            }
            continue;
        }
        account.note(&square);
        moves += 1;
        board[place] = turn;
        for line in lines {
            board[line] = turn;
        }
        let (black, white) = (count(&board, b'X'), count(&board, b'O'));
        account.say(format!("{moves}. {square} {black}:{white}"));
        if can_move(&board, rival(turn)) {
            turn = rival(turn);
        } else if can_move(&board, turn) {
            account.say(format!("{} passes", colour(rival(turn))));
        } else {
            for row in 1..=8 {
                account.say(String::from_utf8_lossy(
                    &board[row * WIDTH + 1..row * WIDTH + 9],
                ));
            }
            account.say(match black.cmp(&white) {
                std::cmp::Ordering::Equal => format!("a draw, {black}:{white}"),
                std::cmp::Ordering::Greater => format!("Ann wins {black}:{white}"),
                std::cmp::Ordering::Less => format!("Ben wins {white}:{black}"),
            });
            return;
        }
    }
}
