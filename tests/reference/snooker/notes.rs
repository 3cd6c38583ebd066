//! What a watcher is told of a frame; nothing here decides anything.

use super::super::counts::Watch;
use super::frame::{Ball, End, Frame, Phase, Stroke, Verdict};

/// The words by which a line of the transcript is known.
const WORDS: [&str; 11] = [
    "None", "Play", "again", "White", "Red", "Yellow", "Green", "Brown", "Blue", "Pink", "Black",
];

pub(super) fn stroke<W: Watch>(
    before: &Frame,
    stroke: &Stroke,
    after: &Frame,
    verdict: &Verdict,
    watch: &mut W,
) {
    let target = before.target(stroke.hit);
    if let Some(ball) = before.stand_in(stroke) {
        let fell = |ball: Ball| stroke.potted[ball as usize] > 0;
        watch.reached_if(verdict.foul, "free ball: fouled");
        watch.reached_if(!verdict.foul && fell(ball), "free ball: potted");
        let both = fell(ball) && fell(target);
        watch.reached_if(!verdict.foul && both, "free ball: potted with the ball on");
        let order = before.phase == Phase::InOrder;
        watch.reached_if(!verdict.foul && order, "free ball: for a colour");
    }
    if verdict.foul {
        faults(before, stroke, target, watch);
        penalty(before, stroke, target, watch);
    } else {
        fair(before, stroke, watch);
    }
    changes(before, stroke, after, verdict, watch);
    let respots = verdict.respot.iter().filter(|back| **back).count();
    watch.reached_if(respots > 1, "respot: several colours");
    watch.reached_if(respots > 0 && !verdict.foul, "respot: nominated");
    watch.reached_if(respots > 0 && verdict.foul, "respot: fallen in a foul");
    let black_only = before.phase == Phase::InOrder && before.lowest == Ball::Black.value();
    watch.reached_if(black_only && before.scores == after.scores, "black: missed");
    if before.respotted {
        watch.reached(match (verdict.end, verdict.foul) {
            (End::Open | End::Tie, _) => "after a tie: missed",
            (End::Won(_), true) => "after a tie: decided by a foul",
            (End::Won(_), false) => "after a tie: decided by a pot",
        });
    }
    let striker_won = verdict.end == End::Won(before.striker);
    match verdict.end {
        End::Open => {}
        End::Tie => watch.reached(if verdict.foul {
            "tie: by a foul"
        } else {
            "tie: by a pot"
        }),
        End::Won(_) => {
            watch.reached(if verdict.foul {
                "end: by a foul"
            } else {
                "end: by a pot"
            });
            let level = before.scores[0] == before.scores[1];
            watch.reached_if(level && verdict.foul, "end: by a foul at level scores");
            watch.reached_if(level && !verdict.foul, "end: by a pot at level scores");
            watch.reached_if(
                !striker_won && !verdict.foul,
                "end: black potted by the loser",
            );
            watch.reached_if(striker_won && verdict.foul, "end: fouled by the winner");
        }
    }
}

fn faults(before: &Frame, stroke: &Stroke, target: Ball, watch: &mut impl Watch) {
    let wrong = |ball: Ball| ball != target && ball != Ball::White;
    let nothing = stroke.hit.is_none();
    let wrong_hit = stroke.hit.is_some_and(|ball| ball != target);
    let wrong_pot = Ball::ALL
        .into_iter()
        .any(|ball| wrong(ball) && stroke.potted[ball as usize] > 0);
    let in_off = stroke.potted[Ball::White as usize] > 0;
    let faults = [nothing, wrong_hit, wrong_pot, in_off]
        .into_iter()
        .filter(|fault| *fault)
        .count();
    watch.reached_if(nothing, "foul: nothing hit");
    watch.reached_if(wrong_hit, "foul: wrong ball hit");
    watch.reached_if(wrong_pot, "foul: wrong ball potted");
    watch.reached_if(in_off, "foul: white potted");
    watch.reached_if(nothing && in_off, "foul: nothing hit, white potted");
    watch.reached_if(faults == 2, "foul: two faults");
    watch.reached_if(faults == 3, "foul: three faults");
    watch.reached_if(
        stroke.potted[target as usize] > 0,
        "foul: ball on potted, not scored",
    );
    let colour = before.phase == Phase::AnyColour;
    watch.reached_if(colour && nothing, "nominated: yellow, nothing hit");
    watch.reached_if(
        colour && stroke.hit == Some(Ball::Red),
        "nominated: yellow, red hit",
    );
    watch.reached_if(
        colour && stroke.hit.is_some_and(|ball| ball > Ball::Red),
        "nominated: fouled",
    );
}

/// Which cause alone made the penalty.
fn penalty(before: &Frame, stroke: &Stroke, target: Ball, watch: &mut impl Watch) {
    let wrong = |ball: &Ball| *ball != target && stroke.potted[*ball as usize] > 0;
    let causes = [
        (before.least_penalty, "penalty: the least"),
        (target.value(), "penalty: ball on"),
        (
            stroke
                .hit
                .filter(|ball| *ball != target)
                .map_or(0, Ball::value),
            "penalty: ball hit",
        ),
        (
            Ball::ALL
                .into_iter()
                .filter(wrong)
                .map(Ball::value)
                .max()
                .unwrap_or_default(),
            "penalty: ball potted",
        ),
    ];
    let highest = causes.iter().map(|cause| cause.0).max().unwrap_or_default();
    let mut decisive = causes.iter().filter(|cause| cause.0 == highest);
    if let (Some(cause), None) = (decisive.next(), decisive.next()) {
        watch.reached(cause.1);
    }
}

fn fair(before: &Frame, stroke: &Stroke, watch: &mut impl Watch) {
    let potted: u8 = stroke.potted.iter().sum();
    watch.reached(match (before.phase, potted) {
        (Phase::Reds, 0) => "reds: missed",
        (Phase::Reds, 1) => "reds: one potted",
        (Phase::Reds, _) => "reds: several potted",
        (Phase::AnyColour, 0) => "colour: missed",
        (Phase::AnyColour, _) => "colour: potted",
        (Phase::InOrder, 0) => "order: missed",
        (Phase::InOrder, _) => "order: potted",
    });
}

fn changes(
    before: &Frame,
    stroke: &Stroke,
    after: &Frame,
    verdict: &Verdict,
    watch: &mut impl Watch,
) {
    let foul = verdict.foul;
    let last_red = before.reds > 0 && after.reds == 0;
    watch.reached_if(last_red && !foul, "last red: potted");
    watch.reached_if(last_red && foul, "last red: fallen in a foul");
    watch.reached_if(
        foul && stroke.potted[Ball::Red as usize] > 0,
        "reds: fallen in a foul",
    );
    watch.reached_if(foul && before.phase == Phase::Reds, "reds: fouled");
    watch.reached_if(foul && before.phase == Phase::AnyColour, "colour: fouled");
    watch.reached_if(foul && before.phase == Phase::InOrder, "order: fouled");
    if before.phase == Phase::AnyColour && before.reds == 0 {
        watch.reached_if(
            !foul && verdict.turn_over,
            "colour after the last red: missed",
        );
        watch.reached_if(foul, "colour after the last red: fouled");
        watch.reached_if(!verdict.turn_over, "colour after the last red: potted");
    }
    let late_red = before.phase == Phase::AnyColour && last_red;
    watch.reached_if(late_red, "last red: fallen with a colour on");
    watch.reached_if(
        after.in_hand && verdict.end == End::Open,
        "in-hand: white potted",
    );
    watch.reached_if(
        before.replays > 0 && !foul,
        "play again: then a fair stroke",
    );
}

pub(super) fn play_again(frame: &Frame, watch: &mut impl Watch) {
    watch.reached("play again");
    watch.reached_if(frame.in_hand, "play again: in-hand kept");
    watch.reached_if(frame.replays > 1, "play again: more than once in a row");
    watch.reached_if(
        frame.phase == Phase::InOrder,
        "play again: colours in order",
    );
}

pub(super) fn names<W: Watch>(names: &[Vec<u8>; 2], watch: &mut W) {
    if W::LOOKS {
        for word in WORDS {
            let used = names.iter().any(|name| name == word.as_bytes());
            watch.reached_if(used, "name: a word of the transcript");
            watch.reached_if(used && word == "Red", "name: Red");
            watch.reached_if(used && word == "None", "name: None");
            watch.reached_if(used && word == "Play", "name: Play");
        }
        watch.reached_if(names.iter().any(|name| name.len() > 20), "name: a long one");
    }
}

pub(super) fn lot<W: Watch>(player: usize, names: &[Vec<u8>; 2], watch: &mut W) {
    if W::LOOKS {
        watch.reached(if player == 0 {
            "lot: the first player"
        } else {
            "lot: the second player"
        });
        let word = WORDS.iter().any(|word| names[player] == word.as_bytes());
        watch.reached_if(word, "lot: a word of the transcript");
    }
}

/// What only some variants have.
pub const RULES_OF_FREE_BALL: [&str; 5] = [
    "free ball",
    "free ball: for a colour",
    "free ball: fouled",
    "free ball: potted",
    "free ball: potted with the ball on",
];

/// The same of another variant.
pub const RULES_OF_MISS: [&str; 1] = ["miss"];

/// Every rule that valid transcripts reach.
pub const RULES: [&str; 61] = [
    "after a tie: decided by a foul",
    "after a tie: decided by a pot",
    "after a tie: missed",
    "black: missed",
    "colour after the last red: fouled",
    "colour after the last red: missed",
    "colour after the last red: potted",
    "colour: fouled",
    "colour: missed",
    "colour: potted",
    "end: black potted by the loser",
    "end: by a foul",
    "end: by a foul at level scores",
    "end: by a pot",
    "end: by a pot at level scores",
    "end: fouled by the winner",
    "foul: ball on potted, not scored",
    "foul: nothing hit",
    "foul: nothing hit, white potted",
    "foul: three faults",
    "foul: two faults",
    "foul: white potted",
    "foul: wrong ball hit",
    "foul: wrong ball potted",
    "in-hand: white potted",
    "last red: fallen in a foul",
    "last red: fallen with a colour on",
    "last red: potted",
    "lot: a word of the transcript",
    "lot: the first player",
    "lot: the second player",
    "name: None",
    "name: Play",
    "name: Red",
    "name: a long one",
    "name: a word of the transcript",
    "nominated: fouled",
    "nominated: yellow, nothing hit",
    "nominated: yellow, red hit",
    "order: fouled",
    "order: missed",
    "order: potted",
    "penalty: ball hit",
    "penalty: ball on",
    "penalty: ball potted",
    "penalty: the least",
    "play again",
    "play again: colours in order",
    "play again: in-hand kept",
    "play again: more than once in a row",
    "play again: then a fair stroke",
    "reds: fallen in a foul",
    "reds: fouled",
    "reds: missed",
    "reds: one potted",
    "reds: several potted",
    "respot: fallen in a foul",
    "respot: nominated",
    "respot: several colours",
    "tie: by a foul",
    "tie: by a pot",
];
