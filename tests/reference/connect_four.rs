//! Connect Four.

use std::io::{BufRead, Write};

use super::words::{Error, Words};

/// The board with a margin, row by row from below.
const WIDTH: usize = 9;

/// Reports on every game of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for number in 1..=words.number_of("games")? {
        let names = words.names()?;
        writeln!(
            output,
            "Game {number}: {} (X) against {} (O)",
            names[0], names[1]
        )?;
        game(&names, &mut words, output)?;
    }
    words.end()
}

fn game(
    names: &[String; 2],
    words: &mut Words<impl BufRead>,
    output: &mut impl Write,
) -> Result<(), Error> {
    let mut board = [b'#'; WIDTH * 8];
    for row in 1..=6 {
        board[row * WIDTH + 1..row * WIDTH + 8].fill(b'.');
    }
    let mut heights = [0; 8];
    let mut turn = b'X';
    for dropped in 1..=42 {
        let column = match words.next()? {
            Some(b"*") => return Ok(()),
            Some(&[digit @ b'1'..=b'7']) => usize::from(digit - b'0'),
            _ => return Err(words.error("expected a column")),
        };
        if heights[column] == 6 {
            return Err(words.error("this column is full"));
        }
        heights[column] += 1;
        let place = heights[column] * WIDTH + column;
        board[place] = turn;
        let line = wins(&board, place);
        if line || dropped == 42 {
            for row in (1..=6).rev() {
                output.write_all(&board[row * WIDTH + 1..row * WIDTH + 8])?;
                output.write_all(b"\n")?;
            }
            let winner = &names[usize::from(turn == b'O')];
            if line {
                writeln!(output, "{winner} has 4 in a line and wins")?;
            } else {
                output.write_all(b"the board is full, and nobody wins\n")?;
            }
            return Ok(());
        }
        turn = if turn == b'X' { b'O' } else { b'X' };
    }
    Ok(())
}

/// Whether four are in a line through this place.
fn wins(board: &[u8; WIDTH * 8], place: usize) -> bool {
    let disc = board[place];
    [1, WIDTH - 1, WIDTH, WIDTH + 1].into_iter().any(|step| {
        let mut length = 1;
        let mut at = place + step;
        while board[at] == disc {
            length += 1;
            at += step;
        }
        at = place - step;
        while board[at] == disc {
            length += 1;
            at -= step;
        }
        length >= 4
    })
}
