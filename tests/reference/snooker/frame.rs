//! One frame of snooker: the score, and what each stroke does to it.

use super::super::counts::Watch;
use super::{Rules, notes};

/// A ball; as a number it is its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ball {
    /// The cue ball, worth nothing.
    White,
    /// One of many.
    Red,
    /// The lowest colour.
    Yellow,
    /// The second colour.
    Green,
    /// The third colour.
    Brown,
    /// The fourth colour.
    Blue,
    /// The fifth colour.
    Pink,
    /// The highest colour.
    Black,
}

use Ball::{Black, Blue, Brown, Green, Pink, Red, White, Yellow};

impl Ball {
    /// All balls, each at its value.
    pub const ALL: [Ball; 8] = [White, Red, Yellow, Green, Brown, Blue, Pink, Black];

    /// The balls that are no reds, and not white either.
    pub const COLOURS: [Ball; 6] = [Yellow, Green, Brown, Blue, Pink, Black];

    /// What the ball is worth.
    pub fn value(self) -> u8 {
        self as u8
    }

    /// As transcript and report write it.
    pub fn name(self) -> &'static str {
        match self {
            White => "White",
            Red => "Red",
            Yellow => "Yellow",
            Green => "Green",
            Brown => "Brown",
            Blue => "Blue",
            Pink => "Pink",
            Black => "Black",
        }
    }

    /// The ball written so.
    pub fn named(word: &[u8]) -> Option<Ball> {
        Some(match word {
            b"White" => White,
            b"Red" => Red,
            b"Yellow" => Yellow,
            b"Green" => Green,
            b"Brown" => Brown,
            b"Blue" => Blue,
            b"Pink" => Pink,
            b"Black" => Black,
            _ => return None,
        })
    }
}

/// What the transcript tells of a stroke.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stroke {
    /// The ball first hit.
    pub hit: Option<Ball>,
    /// How many of each ball fell, by value.
    pub potted: [u8; 8],
}

/// Which balls are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A red.
    Reds,
    /// Whichever colour is hit first, after a red.
    AnyColour,
    /// The lowest colour on the table.
    InOrder,
}

/// The state of a frame.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is asked for by itself, and no two exclude each other"
)]
pub struct Frame {
    /// The points of both players, the one who broke off first.
    pub scores: [u64; 2],
    /// Whose turn it is.
    pub striker: usize,
    /// Which balls are on.
    pub phase: Phase,
    /// The reds on the table.
    pub reds: u8,
    /// The value of the lowest colour on the table: colours leave it in their order only.
    pub lowest: u8,
    /// The white may be placed by hand.
    pub in_hand: bool,
    /// The last stroke was a foul, so the opponent may say `Play again`.
    pub fouled: bool,
    /// Who has the free ball.
    pub granted: Option<usize>,
    /// The last stroke did not first hit what it had to.
    pub missed: bool,
    /// What was before the last stroke.
    before: Table,
    pub(super) least_penalty: u8,
    with_free_ball: bool,
    with_miss: bool,
    /// How often in a row `Play again` was said; only counted for a watcher.
    pub(super) replays: u32,
    /// The black was respotted after a tie; only kept for a watcher.
    pub(super) respotted: bool,
}

/// What is put back after a miss.
#[derive(Clone, Copy, Debug)]
struct Table {
    striker: usize,
    phase: Phase,
    reds: u8,
    lowest: u8,
    in_hand: bool,
}

/// What follows from a stroke.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// The stroke was a foul.
    pub foul: bool,
    /// The colours that come back, each at its value.
    pub respot: [bool; 8],
    /// The visit is over.
    pub turn_over: bool,
    /// Whether the frame goes on.
    pub end: End,
}

/// Whether a frame goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It does.
    Open,
    /// The black is respotted, and a lot says who plays.
    Tie,
    /// This player has won.
    Won(usize),
}

impl Frame {
    /// All balls on their spots.
    pub fn new(rules: &Rules) -> Self {
        Frame {
            scores: [0, 0],
            striker: 0,
            phase: Phase::Reds,
            reds: rules.reds,
            lowest: Yellow.value(),
            in_hand: true,
            fouled: false,
            granted: None,
            missed: false,
            before: Table {
                striker: 0,
                phase: Phase::Reds,
                reds: rules.reds,
                lowest: Yellow.value(),
                in_hand: true,
            },
            least_penalty: rules.least_penalty,
            with_free_ball: rules.free_ball,
            with_miss: rules.miss,
            replays: 0,
            respotted: false,
        }
    }

    /// How many of this ball are on the table.
    pub fn left(&self, ball: Ball) -> u8 {
        match ball {
            White => 1,
            Red => self.reds,
            Yellow | Green | Brown | Blue | Pink | Black => u8::from(ball.value() >= self.lowest),
        }
    }

    /// The ball on; a colour is nominated by hitting it, and the lowest is without that.
    pub fn target(&self, hit: Option<Ball>) -> Ball {
        match self.phase {
            Phase::Reds => Red,
            Phase::AnyColour => hit.filter(|ball| *ball > Red).unwrap_or(Yellow),
            Phase::InOrder => Ball::ALL[usize::from(self.lowest)],
        }
    }

    /// Judges a stroke and goes on to the state after it.
    pub fn stroke<W: Watch>(&mut self, stroke: &Stroke, watch: &mut W) -> Verdict {
        let before = *self;
        let target = self.target(stroke.hit);
        let stand_in = self.stand_in(stroke);
        let wrong = |ball: &Ball| {
            *ball != target && Some(*ball) != stand_in && stroke.potted[*ball as usize] > 0
        };
        let wrong_pot = Ball::ALL.into_iter().rev().find(wrong);
        let strayed = stroke.hit != Some(target) && stand_in.is_none();
        let foul = strayed || wrong_pot.is_some();
        let on_target = stroke.potted[target as usize]
            + stand_in.map_or(0, |ball| stroke.potted[ball as usize]);
        let scored = !foul && on_target > 0;
        let only_black = self.phase == Phase::InOrder && target == Black;

        if foul {
            let struck = stroke.hit.filter(|_| stand_in.is_none());
            let struck = struck.map_or(0, Ball::value);
            let potted = wrong_pot.map_or(0, Ball::value);
            let penalty = self
                .least_penalty
                .max(target.value())
                .max(struck)
                .max(potted);
            self.scores[1 - self.striker] += u64::from(penalty);
        } else {
            self.scores[self.striker] += u64::from(on_target) * u64::from(target.value());
        }

        let mut respot = [false; 8];
        if foul || self.phase == Phase::AnyColour {
            for ball in Ball::COLOURS {
                respot[ball as usize] = stroke.potted[ball as usize] > 0;
            }
        } else {
            if self.phase == Phase::InOrder && stroke.potted[target as usize] > 0 {
                self.lowest += 1;
            }
            if let Some(ball) = stand_in {
                respot[ball as usize] = stroke.potted[ball as usize] > 0;
            }
        }
        self.before = Table {
            striker: self.striker,
            phase: self.phase,
            reds: self.reds,
            lowest: before.lowest,
            in_hand: self.in_hand,
        };
        self.granted = self
            .granted
            .filter(|player| strayed && *player == self.striker);
        self.missed = strayed;
        self.reds -= stroke.potted[Red as usize];
        self.phase = match self.phase {
            Phase::Reds if scored => Phase::AnyColour,
            Phase::Reds | Phase::AnyColour | Phase::InOrder if self.reds > 0 => Phase::Reds,
            Phase::Reds | Phase::AnyColour | Phase::InOrder => Phase::InOrder,
        };
        self.in_hand = stroke.potted[White as usize] > 0;
        self.fouled = foul;
        if !scored {
            self.striker = 1 - self.striker;
        }
        let verdict = Verdict {
            foul,
            respot,
            turn_over: !scored,
            end: self.end(only_black && (scored || foul)),
        };
        if W::LOOKS {
            notes::stroke(&before, stroke, self, &verdict, watch);
            if !foul {
                self.replays = 0;
            }
        }
        verdict
    }

    fn end(&self, decided: bool) -> End {
        let [first, second] = self.scores;
        match decided {
            false => End::Open,
            true if first == second => End::Tie,
            true => End::Won(usize::from(second > first)),
        }
    }

    /// The ball that stands in for the ball on: with the free ball, whatever other ball is hit first.
    pub fn stand_in(&self, stroke: &Stroke) -> Option<Ball> {
        let target = self.target(stroke.hit);
        let free = self.granted == Some(self.striker);
        stroke.hit.filter(|ball| free && *ball != target)
    }

    /// Whether the referee may say `Free ball`.
    pub fn free_ball_may_come(&self) -> bool {
        self.with_free_ball && self.fouled && self.granted != Some(self.striker)
    }

    /// The striker has the free ball.
    pub fn free_ball<W: Watch>(&mut self, watch: &mut W) {
        self.granted = Some(self.striker);
        self.missed = false;
        watch.reached_if(W::LOOKS, "free ball");
    }

    /// Whether the balls may be put back.
    pub fn may_be_put_back(&self) -> bool {
        self.with_miss && self.missed
    }

    /// The balls are put back, and the offender plays again from where the white was.
    pub fn put_back<W: Watch>(&mut self, watch: &mut W) {
        let Table {
            striker,
            phase,
            reds,
            lowest,
            in_hand,
        } = self.before;
        self.striker = striker;
        self.phase = phase;
        self.reds = reds;
        self.lowest = lowest;
        self.in_hand = in_hand;
        self.fouled = false;
        self.missed = false;
        if W::LOOKS {
            watch.reached("miss");
            watch.reached_if(self.granted.is_some(), "miss: with the free ball");
        }
    }

    /// The opponent of who has fouled lets him play again.
    pub fn play_again<W: Watch>(&mut self, watch: &mut W) {
        self.striker = 1 - self.striker;
        self.fouled = false;
        self.granted = None;
        self.missed = false;
        if W::LOOKS {
            self.replays += 1;
            notes::play_again(self, watch);
        }
    }

    /// After a tie this player plays the black, which is back on its spot.
    pub fn lot(&mut self, player: usize) {
        self.striker = player;
        self.lowest = Black.value();
        self.respotted = true;
        self.in_hand = true;
        self.fouled = false;
        self.missed = false;
    }
}
