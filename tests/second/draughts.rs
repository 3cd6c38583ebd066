//! English draughts.

use std::collections::BTreeMap;

use super::{Account, Random};

/// The men by their squares: `b` and `w`, kings in capitals.
type Men = BTreeMap<usize, char>;

/// How many moves a game has at most.
const LONGEST: usize = 300;

/// A move: the squares, and those that are jumped over.
#[derive(Clone)]
struct Move {
    path: Vec<usize>,
    taken: Vec<usize>,
}

impl Move {
    fn written(&self) -> String {
        let path: Vec<String> = self.path.iter().map(ToString::to_string).collect();
        path.join(if self.taken.is_empty() { "-" } else { "x" })
    }
}

/// The square so many steps down and to the right.
fn beside(square: usize, down: isize, right: isize) -> Option<usize> {
    let row = (square - 1) / 4;
    let column = (square - 1) % 4 * 2 + 1 - row % 2;
    let row = row.checked_add_signed(down).filter(|row| *row < 8)?;
    let column = column
        .checked_add_signed(right)
        .filter(|column| *column < 8)?;
    Some(row * 4 + column / 2 + 1)
}

fn ways(man: char) -> Vec<(isize, isize)> {
    let all = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    let fits = |(down, _): &(isize, isize)| match man {
        'b' => *down > 0,
        'w' => *down < 0,
        _ => true,
    };
    all.into_iter().filter(fits).collect()
}

/// All ways in which a jump goes on, those that break off included.
fn jumps(men: &Men, man: char, begun: &Move) -> Vec<(Move, bool)> {
    let (first, at) = (begun.path[0], begun.path[begun.path.len() - 1]);
    let mut found = Vec::new();
    for (down, right) in ways(man) {
        let (Some(over), Some(to)) = (beside(at, down, right), beside(at, 2 * down, 2 * right))
        else {
            continue;
        };
        let is_rival = men
            .get(&over)
            .is_some_and(|other| !other.eq_ignore_ascii_case(&man));
        let is_free = to == first || !men.contains_key(&to);
        if !is_rival || !is_free || begun.taken.contains(&over) {
            continue;
        }
        let mut longer = begun.clone();
        longer.path.push(to);
        longer.taken.push(over);
        let further = jumps(men, man, &longer);
        found.push((longer, further.is_empty()));
        found.extend(further);
    }
    found
}

/// All moves, each with whether it is allowed.
fn moves(men: &Men, turn: char) -> Vec<(Move, bool)> {
    let own = || {
        men.iter()
            .filter(|(_, man)| man.eq_ignore_ascii_case(&turn))
    };
    let begun = |square: usize| Move {
        path: vec![square],
        taken: Vec::new(),
    };
    let mut all: Vec<(Move, bool)> = own()
        .flat_map(|(square, man)| jumps(men, *man, &begun(*square)))
        .collect();
    let walks = all.is_empty();
    for (square, man) in own() {
        for (down, right) in ways(*man) {
            if let Some(to) = beside(*square, down, right)
                && !men.contains_key(&to)
            {
                let mut walk = begun(*square);
                walk.path.push(to);
                all.push((walk, walks));
            }
        }
    }
    all
}

pub(crate) fn play(random: &mut Random, account: &mut Account) {
    let name = |side| if side == 'b' { "black" } else { "white" };
    let mut men: Men = (1..=12).map(|square| (square, 'b')).collect();
    men.extend((21..=32).map(|square| (square, 'w')));
    let (mut turn, mut number) = ('b', 1);
    for _ in 0..LONGEST {
        let all = moves(&men, turn);
        let (chosen, allowed) = all[random.index(all.len())].clone();
        let dots = if turn == 'b' { "." } else { "..." };
        let written = chosen.written();
        account.note(&written);
        if !allowed {
            account.say(format!("{number}{dots} {written} is not allowed"));
            continue;
        }
        account.say(format!("{number}{dots} {written}"));
        let goal = chosen.path[chosen.path.len() - 1];
        let mut man = men.remove(&chosen.path[0]).unwrap_or(turn);
        for square in &chosen.taken {
            men.remove(square);
        }
        let far = if turn == 'b' { 29..=32 } else { 1..=4 };
        if man == turn && far.contains(&goal) {
            man = turn.to_ascii_uppercase();
            account.say(format!("a king on {goal}"));
        }
        men.insert(goal, man);
        if turn == 'w' {
            number += 1;
        }
        let rival = if turn == 'b' { 'w' } else { 'b' };
        if moves(&men, rival).is_empty() {
            account.say(format!("{} wins: {} cannot move", name(turn), name(rival)));
            for row in 0..8 {
                let sign = |column: usize| {
                    let square = row * 4 + column / 2 + 1;
                    let is_dark = (row + column) % 2 == 1;
                    men.get(&square).filter(|_| is_dark).copied().unwrap_or('.')
                };
                account.say((0..8).map(sign).collect::<String>());
            }
            return;
        }
        turn = rival;
    }
    account.note("*");
}
