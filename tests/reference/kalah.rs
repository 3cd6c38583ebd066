//! Kalah with six houses and four seeds.

use std::io::{BufRead, Write};

use super::words::{Error, Words, write_number};

/// South's houses and store, and North's, in the order of sowing.
type Board = [u64; 14];

/// Reports on every game of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for number in 1..=words.number_of("games")? {
        let names = words.names()?;
        let board = [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0];
        write!(output, "Game {number}: ")?;
        show(&board, output)?;
        game(&names, board, &mut words, output)?;
    }
    words.end()
}

fn show(board: &Board, output: &mut impl Write) -> Result<(), Error> {
    show_row(&board[..7], output)?;
    output.write_all(b"  ")?;
    show_row(&board[7..], output)?;
    output.write_all(b"\n")?;
    Ok(())
}

/// Houses, and their store.
fn show_row(row: &[u64], output: &mut impl Write) -> Result<(), Error> {
    for seeds in &row[..6] {
        write_number(output, *seeds)?;
        output.write_all(b" ")?;
    }
    output.write_all(b"(")?;
    write_number(output, row[6])?;
    output.write_all(b")")?;
    Ok(())
}

fn game(
    names: &[String; 2],
    mut board: Board,
    words: &mut Words<impl BufRead>,
    output: &mut impl Write,
) -> Result<(), Error> {
    let mut turn = 0;
    loop {
        let house = match words.next()? {
            Some(&[digit @ b'1'..=b'6']) => usize::from(digit - b'1'),
            _ => return Err(words.error("expected a house")),
        };
        let first = 7 * turn;
        let mut place = first + house;
        let mut hand = std::mem::take(&mut board[place]);
        if hand == 0 {
            return Err(words.error("this house is empty"));
        }
        while hand > 0 {
            place = (place + 1) % 14;
            if place != 13 - first {
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
        let empty = |houses: &[u64]| houses.iter().all(|seeds| *seeds == 0);
        let over = empty(&board[..6]) || empty(&board[7..13]);
        if over {
            for start in [0, 7] {
                board[start + 6] += board[start..start + 6].iter().sum::<u64>();
                board[start..start + 6].fill(0);
            }
        }
        let name = &names[turn];
        output.write_all(name.as_bytes())?;
        output.write_all(b" ")?;
        write_number(output, house as u64 + 1)?;
        output.write_all(b": ")?;
        show(&board, output)?;
        if catch > 0 {
            writeln!(output, "{name} catches {catch}")?;
        }
        if over {
            let (south, north) = (board[6], board[13]);
            match south.cmp(&north) {
                std::cmp::Ordering::Equal => writeln!(output, "a draw")?,
                std::cmp::Ordering::Greater => {
                    writeln!(output, "{} wins {south}:{north}", names[0])?;
                }
                std::cmp::Ordering::Less => writeln!(output, "{} wins {north}:{south}", names[1])?,
            }
            return Ok(());
        }
        if place == first + 6 {
            writeln!(output, "{name} sows again")?;
        } else {
            turn = 1 - turn;
        }
    }
}
