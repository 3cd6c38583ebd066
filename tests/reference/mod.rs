//! Referees written by hand, one for each game and for nothing else: what the rule files are checked against, in
//! what they decide and in how fast. Each reads a transcript word by word and keeps no more of it than its game asks for.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test and each benchmark uses its own part of this module"
)]
#![allow(
    clippy::indexing_slicing,
    reason = "boards and tables are indexed by what was checked to lie on them, as a referee in a hurry does"
)]

pub mod bowling;
pub mod chess;
pub mod connect_four;
pub mod counts;
pub mod crazy_eights;
pub mod darts;
pub mod draughts;
pub mod kalah;
pub mod mau_mau;
pub mod nim;
pub mod random;
pub mod reversi;
pub mod snooker;
pub mod snooker_chance;
pub mod tennis;
pub mod weiqi;
pub mod words;
pub mod yahtzee;

/// Valid transcripts made up from a seed, which between them reach every rule.
pub mod generate {
    pub mod mau_mau;
    pub mod snooker;
    pub mod snooker_chance;
    pub mod weiqi;
}
