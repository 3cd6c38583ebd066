//! What a watcher is told of a deal; nothing here decides anything.

use super::super::counts::Watch;
use super::deal::{Card, Deal, EIGHT, JACK, JACKS, SEVEN, Suit, members};
use super::decide;

pub(super) fn opening<W: Watch>(deal: &Deal, watch: &mut W) {
    if W::LOOKS {
        watch.reached(match deal.players {
            2 => "players: two",
            3 => "players: three",
            _ => "players: four",
        });
        watch.reached(match deal.open.rank() {
            SEVEN => "opening: seven",
            EIGHT if deal.players == 2 => "opening: eight, two players",
            EIGHT => "opening: eight, more players",
            JACK => "opening: jack",
            _ => "opening: plain",
        });
    }
}

pub(super) fn before_take(deal: &Deal, watch: &mut impl Watch) {
    let hand = deal.hands[deal.turn];
    watch.reached_if(
        deal.penalty > 0 && hand & JACKS != 0,
        "seven: a jack is no answer",
    );
    watch.reached_if(
        deal.penalty > 0 && deal.playable() != 0,
        "seven: not answered by choice",
    );
    watch.reached_if(
        deal.penalty == 0 && hand & JACKS != 0,
        "jack: does not go on a jack",
    );
}

/// `penalty` and `stock` are those before cards were taken.
pub(super) fn after_take(deal: &Deal, penalty: u32, stock: usize, watch: &mut impl Watch) {
    watch.reached(match penalty {
        0 => "draw: one card",
        2 => "penalty: two",
        4 => "penalty: four",
        6 => "penalty: six",
        _ => "penalty: eight",
    });
    let owed = penalty.max(1) as usize;
    watch.reached_if(deal.renewed && penalty == 0, "renewed: by one card");
    watch.reached_if(
        deal.renewed && penalty > 0 && stock < owed,
        "renewed: in the middle of a penalty",
    );
    watch.reached_if(
        deal.renewed && penalty > 0 && stock == owed,
        "renewed: by a penalty's last card",
    );
    watch.reached_if(
        deal.renewed && deal.open.rank() == JACK,
        "renewed: under a jack",
    );
    watch.reached_if(
        deal.renewed && deal.stock() == 0,
        "renewed: with nothing to turn over",
    );
}

pub(super) fn pass<W: Watch>(watch: &mut W) {
    if W::LOOKS {
        watch.reached("draw: the card does not match");
    }
}

/// What was played by choice, where the rules of decision are not asked.
pub(super) fn free_choice<W: Watch>(deal: &Deal, card: Card, watch: &mut W) {
    if W::LOOKS {
        watch.reached_if(
            decide(deal) != Some(card),
            "choice: not that of the rules of decision",
        );
    }
}

pub(super) fn play(deal: &Deal, card: Card, wish: Option<Suit>, watch: &mut impl Watch) {
    let open = deal.open;
    let last = deal.hands[deal.turn] == card.bit();
    let first = deal.events == 0;
    watch.reached_if(deal.drawn, "draw: the card is played at once");
    watch.reached_if(
        deal.drawn && card.rank() == JACK,
        "draw: a jack is played at once",
    );
    watch.reached_if(deal.drawn && last, "draw: the card is the last one");
    watch.reached(match (open.rank(), deal.wish) {
        (JACK, Some(_)) => "match: the wish",
        (JACK, None) => "match: anything on an opening jack",
        _ if card.rank() == JACK => "match: a jack",
        _ if card.suit() == open.suit() => "match: suit",
        _ => "match: rank",
    });
    let wished_otherwise = deal.wish.is_some_and(|suit| suit != open.suit());
    watch.reached_if(
        wished_otherwise,
        "match: a wish that is not the jack's suit",
    );
    watch.reached_if(
        deal.penalty > 0 && first,
        "opening: seven answered by a seven",
    );
    if last {
        watch.reached(match card.rank() {
            SEVEN => "last card: seven",
            EIGHT => "last card: eight",
            JACK => "last card: jack",
            _ => "last card: plain",
        });
        watch.reached_if(
            card.rank() == SEVEN && deal.penalty > 0,
            "last card: seven on an active one",
        );
        return;
    }
    match card.rank() {
        SEVEN if deal.penalty > 0 => watch.reached("seven: on an active one"),
        SEVEN if open.rank() == SEVEN => watch.reached("seven: on one that has lost its effect"),
        SEVEN => watch.reached("seven"),
        EIGHT if deal.players == 2 => watch.reached("eight: the same player again"),
        EIGHT if open.rank() == EIGHT => watch.reached("eight: on an eight"),
        EIGHT => watch.reached("eight: the next is skipped"),
        _ => {}
    }
    watch.reached_if(wish == Some(card.suit()), "jack: names its own suit");
    watch.reached_if(
        wish.is_some_and(|suit| suit != card.suit()),
        "jack: names another suit",
    );
}

pub(super) fn decision(deal: &Deal, card: Card, watch: &mut impl Watch) {
    let choices = deal.playable();
    let jacks = choices & JACKS;
    let others = choices & !JACKS;
    let one_left = deal.hands[deal.seat_after(1)].is_power_of_two();
    let chosen = match (deal.penalty > 0, card.rank() == JACK) {
        (true, _) => "rule 1",
        (false, false) => "rule 2",
        (false, true) if one_left => "rule 4",
        (false, true) => "rule 3",
    };
    watch.reached(chosen);
    watch.reached_if(
        chosen == "rule 4" && others != 0,
        "rule 4: with another match",
    );
    watch.reached_if(
        one_left && choices != 0 && jacks == 0,
        "rule 4: no jack to play",
    );
    let skipping = card.rank() == EIGHT || deal.events == 0 && deal.open.rank() == EIGHT;
    watch.reached_if(one_left && skipping, "rule 4: whatever skipping is about");
    let equals = members(choices)
        .filter(|other| other.value() == card.value())
        .count();
    watch.reached_if(equals > 1, "rule 6");
    watch.reached_if(equals > 1 && card.rank() == SEVEN, "rule 6: sevens");
    watch.reached_if(equals > 1 && card.rank() == JACK, "rule 6: jacks");
    watch.reached_if(
        chosen == "rule 2" && members(others).count() > equals,
        "rule 2: the highest value of several",
    );
    if card.rank() == JACK {
        let rest = deal.hands[deal.turn] & !card.bit();
        let lengths = Suit::ALL.map(|suit| (rest & !JACKS & suit.cards()).count_ones());
        let longest = lengths.into_iter().max().unwrap_or_default();
        let tie = lengths
            .into_iter()
            .filter(|length| *length == longest)
            .count()
            > 1;
        watch.reached_if(tie && longest > 0, "rule 5: tie");
        watch.reached_if(!tie, "rule 5: one suit is most frequent");
        watch.reached_if(longest == 0 && rest != 0, "rule 5: nothing but jacks left");
        watch.reached_if(
            rest & JACKS != 0 && longest > 0,
            "rule 5: jacks not counted",
        );
    }
}

/// Every rule that valid transcripts reach.
pub const RULES: [&str; 57] = [
    "draw: a jack is played at once",
    "draw: one card",
    "draw: the card does not match",
    "draw: the card is played at once",
    "eight: on an eight",
    "eight: the next is skipped",
    "eight: the same player again",
    "jack: does not go on a jack",
    "jack: names another suit",
    "jack: names its own suit",
    "last card: eight",
    "last card: jack",
    "last card: plain",
    "last card: seven",
    "last card: seven on an active one",
    "match: a jack",
    "match: a wish that is not the jack's suit",
    "match: anything on an opening jack",
    "match: rank",
    "match: suit",
    "match: the wish",
    "opening: eight, more players",
    "opening: eight, two players",
    "opening: jack",
    "opening: plain",
    "opening: seven",
    "opening: seven answered by a seven",
    "penalty: eight",
    "penalty: four",
    "penalty: six",
    "penalty: two",
    "players: four",
    "players: three",
    "players: two",
    "renewed: by a penalty's last card",
    "renewed: by one card",
    "renewed: in the middle of a penalty",
    "renewed: under a jack",
    "rule 1",
    "rule 2",
    "rule 2: the highest value of several",
    "rule 3",
    "rule 4",
    "rule 4: no jack to play",
    "rule 4: whatever skipping is about",
    "rule 4: with another match",
    "rule 5: jacks not counted",
    "rule 5: nothing but jacks left",
    "rule 5: one suit is most frequent",
    "rule 5: tie",
    "rule 6",
    "rule 6: jacks",
    "rule 6: sevens",
    "seven",
    "seven: a jack is no answer",
    "seven: on an active one",
    "seven: on one that has lost its effect",
];

/// The same, where players make their own moves.
pub const RULES_OF_MOVES: [&str; 44] = [
    "choice: not that of the rules of decision",
    "draw: a jack is played at once",
    "draw: one card",
    "draw: the card does not match",
    "draw: the card is played at once",
    "eight: on an eight",
    "eight: the next is skipped",
    "eight: the same player again",
    "jack: does not go on a jack",
    "jack: names another suit",
    "jack: names its own suit",
    "last card: eight",
    "last card: jack",
    "last card: plain",
    "last card: seven",
    "last card: seven on an active one",
    "match: a jack",
    "match: a wish that is not the jack's suit",
    "match: anything on an opening jack",
    "match: rank",
    "match: suit",
    "match: the wish",
    "opening: eight, more players",
    "opening: eight, two players",
    "opening: jack",
    "opening: plain",
    "opening: seven",
    "opening: seven answered by a seven",
    "penalty: eight",
    "penalty: four",
    "penalty: six",
    "penalty: two",
    "players: four",
    "players: three",
    "players: two",
    "renewed: by a penalty's last card",
    "renewed: by one card",
    "renewed: in the middle of a penalty",
    "renewed: under a jack",
    "seven",
    "seven: a jack is no answer",
    "seven: not answered by choice",
    "seven: on an active one",
    "seven: on one that has lost its effect",
];
