//! What a watcher is told of a game; nothing here decides anything.

use std::collections::HashMap;

use super::super::counts::Watch;
use super::board::{Point, Refusal};
use super::{Game, Ruling, Turn};

/// What is remembered of a game for the watcher's sake.
#[derive(Default)]
pub(super) struct Notes {
    /// At which turn each board of this game first lay there, passes or not.
    boards: HashMap<u64, u64>,
    /// The last turn was a put that was taken back.
    refused: bool,
    /// The turn before that was a pass by choice.
    chosen_before: bool,
    /// A single stone beaten by the last put, which now lies alone where it can be beaten in turn: beaten, put.
    ko: Option<(usize, usize)>,
    /// The passes since then.
    passes: u32,
    /// The puts since the last pass.
    puts: usize,
    /// This is a replay.
    replay: bool,
}

impl Notes {
    pub(super) fn turn(
        &mut self,
        game: &mut Game,
        turn: Turn,
        ruling: Ruling,
        watch: &mut impl Watch,
    ) {
        if game.turns == 1 {
            self.boards.clear();
            self.boards.insert(0, 0);
        }
        match (ruling, turn) {
            (Ruling::Stands(put), Turn::Put(row, column)) => {
                self.stands(game, game.board.at(row, column), put.loop_length, watch);
                self.refused = false;
                self.chosen_before = false;
            }
            (Ruling::Refused(refusal), Turn::Put(row, column)) => {
                self.passes += 1;
                let left = self.puts == 1 && refusal == Refusal::Retake && game.turns > 2;
                watch.reached_if(left, "taboo: retake, back to what a pass left");
                self.puts = 0;
                refused(game, game.board.at(row, column), refusal, watch);
                self.refused = true;
            }
            _ => {
                self.passes += 1;
                self.puts = 0;
                self.passed(game, watch);
                self.refused = false;
                self.chosen_before = true;
            }
        }
        if game.over || game.tied {
            watch.reached_if(game.over && self.replay, "replay: played to its end");
            watch.reached_if(game.tied && self.replay, "replay: tied again");
            let replay = game.tied;
            *self = Notes {
                replay,
                ..Notes::default()
            };
        }
    }

    fn stands(
        &mut self,
        game: &mut Game,
        place: usize,
        loop_length: Option<usize>,
        watch: &mut impl Watch,
    ) {
        let beaten = game.board.beaten().len();
        watch.reached("put");
        watch.reached_if(game.board.point(place) == Point::Empty, "suicide");
        watch.reached_if(beaten == 1, "beaten: one stone");
        watch.reached_if(beaten > 1, "beaten: several stones");
        watch.reached_if(blocks(game) > 1, "beaten: several blocks");
        let retaken =
            self.ko == game.board.beaten().first().map(|stone| (place, *stone)) && beaten == 1;
        watch.reached_if(retaken && self.passes > 0, "retake: allowed after a pass");
        self.ko = (beaten == 1).then(|| (game.board.beaten()[0], place));
        self.puts += 1;
        let left = loop_length == Some(self.puts) && game.turns > self.puts as u64;
        watch.reached_if(left, "tie: back to what a pass left");
        match loop_length {
            Some(length) if length % 2 == 1 => watch.reached("tie: after an odd number of puts"),
            Some(_) => watch.reached("tie: after an even number of puts"),
            None if self.boards.contains_key(&game.board.hash()) => {
                watch.reached("loop: broken by a pass");
                let turns = game.turns - self.boards[&game.board.hash()];
                let retake = turns == 2 + u64::from(self.passes);
                watch.reached_if(!retake, "loop: of more than a retake, broken by a pass");
            }
            None => {}
        }
        self.boards.insert(game.board.hash(), game.turns);
        self.passes = 0;
    }

    fn passed(&mut self, game: &Game, watch: &mut impl Watch) {
        watch.reached("pass by choice");
        watch.reached_if(game.turns == 1, "pass by choice: first turn");
        // Whoever passed last has handed the turn on.
        let white_last = game.turn == Point::Black;
        watch.reached_if(game.over && white_last, "over: black passes, then white");
        watch.reached_if(game.over && !white_last, "over: white passes, then black");
        watch.reached_if(game.over && game.turns == 2, "over: in two turns");
        watch.reached_if(self.refused, "pass by choice: after a put taken back");
        watch.reached_if(
            self.refused && self.chosen_before,
            "pass by choice: one on either side of a put taken back",
        );
    }
}

fn refused(game: &mut Game, place: usize, refusal: Refusal, watch: &mut impl Watch) {
    match refusal {
        Refusal::Invalid => {
            let own = game.board.point(place) == game.turn.rival();
            watch.reached(if own {
                "invalid: on one's own stone"
            } else {
                "invalid: on the other's stone"
            });
        }
        Refusal::Suicide => {
            let own = game.turn.rival();
            let beside = game.board.beside(place);
            let joined = beside
                .into_iter()
                .any(|place| game.board.point(place) == own);
            watch.reached(if joined {
                "taboo: suicide of several stones"
            } else {
                "taboo: suicide of one stone"
            });
        }
        Refusal::Retake => watch.reached("taboo: retake"),
    }
}

/// How many blocks the beaten stones were.
fn blocks(game: &Game) -> usize {
    let mut left = game.board.beaten().to_vec();
    let mut blocks = 0;
    while let Some(stone) = left.pop() {
        blocks += 1;
        let mut block = vec![stone];
        while let Some(stone) = block.pop() {
            let beside = game.board.beside(stone);
            block.extend(left.extract_if(.., |other| beside.contains(other)));
        }
    }
    blocks
}

/// Every rule that valid transcripts reach.
pub const RULES: [&str; 26] = [
    "beaten: one stone",
    "beaten: several blocks",
    "beaten: several stones",
    "invalid: on one's own stone",
    "invalid: on the other's stone",
    "loop: broken by a pass",
    "loop: of more than a retake, broken by a pass",
    "over: black passes, then white",
    "over: in two turns",
    "over: white passes, then black",
    "pass by choice",
    "pass by choice: after a put taken back",
    "pass by choice: first turn",
    "pass by choice: one on either side of a put taken back",
    "put",
    "replay: played to its end",
    "replay: tied again",
    "retake: allowed after a pass",
    "several games",
    "taboo: retake",
    "taboo: retake, back to what a pass left",
    "taboo: suicide of one stone",
    "taboo: suicide of several stones",
    "tie: after an even number of puts",
    "tie: after an odd number of puts",
    "tie: back to what a pass left",
];
