//! Mau-Mau: deals played out by the rules of decision, and deals that the players play themselves.

use std::io::{BufRead, Write};

use super::counts::Watch;
use super::words::{Error, Words, write_number};
use deal::{Card, Cards, DECK, Deal, JACK, JACKS, LIMIT, Suit, dearest};

pub mod deal;
mod notes;

#[allow(unused_imports, reason = "a benchmark counts nothing")]
pub use notes::{RULES, RULES_OF_MOVES};

/// The options of the game.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a house rule that is played or not, whatever the others are"
)]
pub struct Rules {
    /// The deck has the cards from two to six as well.
    pub fifty_two: bool,
    /// An ace skips a player, and an eight does not.
    pub ace_skips: bool,
    /// A jack goes on a jack.
    pub jack_on_jack: bool,
    /// A nine turns the order of play round.
    pub nine_reverses: bool,
    /// A last jack does not double.
    pub no_doubling: bool,
}

impl Rules {
    /// The rules of the game with some variants, if all are known.
    pub fn of(variants: &[impl AsRef<str>]) -> Option<Self> {
        let mut rules = Rules::default();
        for variant in variants {
            match variant.as_ref() {
                "fifty-two" => rules.fifty_two = true,
                "ace-skips" => rules.ace_skips = true,
                "jack-on-jack" => rules.jack_on_jack = true,
                "nine-reverses" => rules.nine_reverses = true,
                "no-doubling" => rules.no_doubling = true,
                _ => return None,
            }
        }
        Some(rules)
    }
}

/// Plays out every deal of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, a deal runs out of cards, or a stream fails.
pub fn referee(rules: &Rules, input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    watched(rules, input, output, &mut ())
}

/// The same, with somebody who is told of each rule applied.
///
/// # Errors
/// If the transcript says what cannot be, a deal runs out of cards, or a stream fails.
pub fn watched(
    rules: &Rules,
    input: impl BufRead,
    output: &mut impl Write,
    watch: &mut impl Watch,
) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("deals")? {
        words.end_line()?;
        let mut deal = read_deal(rules, &mut words)?;
        notes::opening(&deal, watch);
        output.write_all(&deal.open.name())?;
        while !turn(&mut deal, &words, output, watch)? {}
        say_scores(rules, &deal, output)?;
    }
    words.end()
}

/// Checks the players' own moves, a line each, in every deal of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, a deal runs out of cards, or a stream fails.
pub fn referee_moves(
    rules: &Rules,
    input: impl BufRead,
    output: &mut impl Write,
) -> Result<(), Error> {
    watched_moves(rules, input, output, &mut ())
}

/// The same, with somebody who is told of each rule applied.
///
/// # Errors
/// If the transcript says what cannot be, a deal runs out of cards, or a stream fails.
pub fn watched_moves(
    rules: &Rules,
    input: impl BufRead,
    output: &mut impl Write,
    watch: &mut impl Watch,
) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("deals")? {
        words.end_line()?;
        let mut deal = read_deal(rules, &mut words)?;
        notes::opening(&deal, watch);
        output.write_all(&deal.open.name())?;
        while !read_move(rules, &mut deal, &mut words, output, watch)? {}
        say_scores(rules, &deal, output)?;
    }
    words.end()
}

/// Which card the rules of decision play, if any.
pub fn decide(deal: &Deal) -> Option<Card> {
    let choices = deal.playable();
    let jacks = choices & JACKS;
    let others = choices & !JACKS;
    // A set of one card is a single bit.
    let next_has_one = deal.hands[deal.seat_after(1)].is_power_of_two();
    if jacks != 0 && next_has_one {
        return dearest(jacks);
    }
    dearest(others).or(dearest(jacks))
}

/// The suit that a jack names from this hand.
pub fn longest(hand: Cards) -> Suit {
    let length = |suit: &Suit| (hand & !JACKS & suit.cards()).count_ones();
    // Of several the last, which is the highest suit.
    Suit::ALL
        .into_iter()
        .max_by_key(length)
        .unwrap_or(Suit::Clubs)
}

/// One turn by the rules of decision; yes if it ends the deal.
fn turn<W: Watch>(
    deal: &mut Deal,
    words: &Words<impl BufRead>,
    output: &mut impl Write,
    watch: &mut W,
) -> Result<bool, Error> {
    if deal.events >= LIMIT {
        return Err(words.error(format!("the deal is not over after {LIMIT} moves")));
    }
    if let Some(card) = decide(deal) {
        return play_decided(deal, card, output, watch);
    }
    let punished = deal.penalty > 0;
    take(deal, words, watch)?;
    if punished {
        return Ok(false);
    }
    if let Some(card) = decide(deal) {
        return play_decided(deal, card, output, watch);
    }
    notes::pass(watch);
    deal.pass();
    Ok(false)
}

fn play_decided<W: Watch>(
    deal: &mut Deal,
    card: Card,
    output: &mut impl Write,
    watch: &mut W,
) -> Result<bool, Error> {
    let rest = deal.hands[deal.turn] & !card.bit();
    let wish = (card.rank() == JACK).then(|| longest(rest));
    if W::LOOKS {
        notes::decision(deal, card, watch);
    }
    play(deal, card, wish, output, watch)
}

fn play<W: Watch>(
    deal: &mut Deal,
    card: Card,
    wish: Option<Suit>,
    output: &mut impl Write,
    watch: &mut W,
) -> Result<bool, Error> {
    if W::LOOKS {
        notes::play(deal, card, wish, watch);
    }
    let [suit, rank] = card.name();
    output.write_all(&[b' ', suit, rank])?;
    Ok(deal.play(card, wish))
}

fn take<W: Watch>(
    deal: &mut Deal,
    words: &Words<impl BufRead>,
    watch: &mut W,
) -> Result<(), Error> {
    let penalty = deal.penalty;
    let stock = deal.stock();
    if W::LOOKS {
        notes::before_take(deal, watch);
    }
    if deal.take().is_err() {
        return Err(words.error("the deal runs out of cards: one is to be drawn, and none is left"));
    }
    if W::LOOKS {
        notes::after_take(deal, penalty, stock, watch);
    }
    Ok(())
}

/// One move as the transcript has it; yes if it ends the deal.
fn read_move<W: Watch>(
    rules: &Rules,
    deal: &mut Deal,
    words: &mut Words<impl BufRead>,
    output: &mut impl Write,
    watch: &mut W,
) -> Result<bool, Error> {
    if !words.line()? {
        return Err(words.error("the deal is not over: expected a move"));
    }
    if deal.events >= LIMIT {
        return Err(words.error(format!("the deal is not over after {LIMIT} moves")));
    }
    let playable = deal.playable();
    let card = match words.word()?.unwrap_or_default() {
        b"take" => None,
        b"pass" if !deal.drawn => return Err(words.error("nobody may pass before drawing a card")),
        b"pass" => {
            words.end_line()?;
            if playable != 0 {
                return Err(words.error("the card drawn matches, so it is played at once"));
            }
            notes::pass(watch);
            deal.pass();
            return Ok(false);
        }
        word => Some(Card::named(rules, word)),
    };
    let Some(card) = card else {
        if deal.drawn {
            return Err(words.error("a card is drawn already: expected `pass` or a card"));
        }
        words.end_line()?;
        if deal.penalty == 0 && playable != 0 {
            return Err(words.error("there is a card to play, so none may be drawn"));
        }
        take(deal, words, watch)?;
        return Ok(false);
    };
    let card = card.ok_or_else(|| words.error("expected `take`, `pass` or a card"))?;
    let wish = read_wish(words)?;
    if deal.hands[deal.turn] & card.bit() == 0 {
        return Err(words.error(format!("player {} does not hold this card", deal.turn + 1)));
    }
    if playable & card.bit() == 0 {
        return Err(words.error("this card does not go on the open one"));
    }
    if (card.rank() == JACK) != wish.is_some() {
        return Err(words.error("a jack names a suit, and no other card does"));
    }
    notes::free_choice(deal, card, watch);
    play(deal, card, wish, output, watch)
}

/// The suit that a card names, if it names one.
fn read_wish(words: &mut Words<impl BufRead>) -> Result<Option<Suit>, Error> {
    let Some(word) = words.word()? else {
        return Ok(None);
    };
    let Some(suit) = Suit::named(word) else {
        return Err(words.error("expected a suit"));
    };
    words.end_line()?;
    Ok(Some(suit))
}

/// The next line: the number of players, and all cards once each.
fn read_deal(rules: &Rules, words: &mut Words<impl BufRead>) -> Result<Deal, Error> {
    if !words.line()? {
        return Err(words.error("expected another deal, but the transcript ends"));
    }
    let players = match words.word()? {
        Some(b"2") => 2,
        Some(b"3") => 3,
        Some(b"4") => 4,
        _ => return Err(words.error("expected the number of players: 2, 3 or 4")),
    };
    let mut deck = [Card::LOWEST; DECK];
    let size = deal::deck(rules).count_ones() as usize;
    let deck = &mut deck[..size];
    let mut known: Cards = 0;
    let mut twice = None;
    for place in deck.iter_mut() {
        let card = match words.word()?.map(|word| Card::named(rules, word)) {
            Some(Some(card)) => card,
            Some(None) => return Err(words.error("expected a card, suit first")),
            None => {
                return Err(
                    words.error(format!("expected {size} cards, not {}", known.count_ones()))
                );
            }
        };
        if known & card.bit() != 0 {
            twice = Some(words.error("this card is in the deck already"));
        }
        known |= card.bit();
        *place = card;
    }
    words.end_line()?;
    if let Some(error) = twice {
        return Err(error);
    }
    Ok(Deal::new(rules, players, deck))
}

fn say_scores(rules: &Rules, deal: &Deal, output: &mut impl Write) -> Result<(), Error> {
    let doubled = deal.open.rank() == JACK && !rules.no_doubling;
    let factor = if doubled { 2 } else { 1 };
    output.write_all(b"\nScore:")?;
    for player in 0..deal.players {
        output.write_all(b" ")?;
        write_number(output, factor * u64::from(deal.points(player)))?;
    }
    output.write_all(b"\n")?;
    Ok(())
}
