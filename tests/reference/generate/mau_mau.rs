//! Deals of Mau-Mau: well shuffled ones, and ones stacked so that every rule comes up.

use std::io::{self, Write};

use super::super::counts::Counts;
use super::super::mau_mau::deal::{
    ACE, Card, DECK, Deal, EIGHT, JACK, NINE, RunOut, SEVEN, Suit, deck, members,
};
use super::super::mau_mau::{Rules, decide, longest, watched, watched_moves};
use super::super::random::Random;

/// Longer than any real deal; what goes on for longer is dealt again.
const PATIENCE: u32 = 2000;

/// How a deal would end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// Somebody wins.
    Won,
    /// A card is to be drawn, and there is none.
    RunsOut,
    /// It goes on and on.
    Endless,
}

/// A valid transcript of so many deals, to be played out by the rules of decision.
///
/// # Panics
/// If the referee does not think it valid.
pub fn generate(rules: &Rules, deals: u64, random: &mut Random, counts: &mut Counts) -> String {
    let mut text = format!("{deals}\n").into_bytes();
    for _ in 0..deals {
        let (players, deck) = deal(rules, random);
        write_deal(players, &deck, &mut text).expect("a vector takes any text");
    }
    watched(rules, text.as_slice(), &mut io::sink(), counts).expect("what is generated is valid");
    String::from_utf8(text).expect("cards are letters")
}

/// A transcript whose last deal runs out of cards, which is an error in its last line.
pub fn generate_running_out(deals: u64, random: &mut Random) -> String {
    let rules = &Rules::default();
    let mut text = format!("{deals}\n").into_bytes();
    for number in 1..=deals {
        let last = number == deals;
        let (players, deck) = if last {
            deal_running_out(rules, random)
        } else {
            deal(rules, random)
        };
        write_deal(players, &deck, &mut text).expect("a vector takes any text");
    }
    String::from_utf8(text).expect("cards are letters")
}

/// A valid transcript of so many deals with the players' own moves, which are any that are allowed.
///
/// # Panics
/// If the referee does not think it valid.
pub fn generate_moves(
    rules: &Rules,
    deals: u64,
    random: &mut Random,
    counts: &mut Counts,
) -> String {
    let mut text = format!("{deals}\n").into_bytes();
    for _ in 0..deals {
        moves(rules, random, &mut text);
    }
    watched_moves(rules, text.as_slice(), &mut io::sink(), counts)
        .expect("what is generated is valid");
    String::from_utf8(text).expect("cards are letters")
}

/// A long transcript of well shuffled deals; how many plays, takes and passes they come to.
///
/// # Errors
/// If the stream fails.
pub fn generate_large(
    rules: &Rules,
    deals: u64,
    random: &mut Random,
    output: &mut impl Write,
) -> io::Result<u64> {
    writeln!(output, "{deals}")?;
    let mut events = 0;
    let mut left = deals;
    let mut deck = full_deck(rules);
    while left > 0 {
        random.shuffle(&mut deck);
        let mut deal = Deal::new(rules, 2 + random.index(3), &deck);
        if run(&mut deal).0 == Course::Won {
            write_deal(deal.players, &deck, output)?;
            events += u64::from(deal.events);
            left -= 1;
        }
    }
    Ok(events)
}

/// A long transcript of moves; how many there are.
///
/// # Errors
/// If the stream fails.
pub fn generate_large_moves(
    rules: &Rules,
    deals: u64,
    random: &mut Random,
    output: &mut impl Write,
) -> io::Result<u64> {
    writeln!(output, "{deals}")?;
    let mut events = 0;
    let mut text = Vec::new();
    for _ in 0..deals {
        text.clear();
        events += u64::from(moves(rules, random, &mut text));
        output.write_all(&text)?;
    }
    Ok(events)
}

/// A deal that somebody wins.
fn deal(rules: &Rules, random: &mut Random) -> (usize, Vec<Card>) {
    loop {
        let players = 2 + random.index(3);
        let deck = stacked(rules, players, random);
        if run(&mut Deal::new(rules, players, &deck)).0 == Course::Won {
            return (players, deck);
        }
    }
}

/// A deal that one would wait for too long: cards are exchanged for as long as that leaves fewer to draw.
fn deal_running_out(rules: &Rules, random: &mut Random) -> (usize, Vec<Card>) {
    loop {
        let players = 2 + random.index(3);
        let mut deck = stacked(rules, players, random);
        let mut least = DECK;
        for _ in 0..1000 {
            let mut other = deck.clone();
            other.swap(random.index(deck.len()), random.index(deck.len()));
            let (course, left) = run(&mut Deal::new(rules, players, &other));
            if course == Course::RunsOut {
                return (players, other);
            }
            if left <= least {
                (deck, least) = (other, left);
            }
        }
    }
}

/// Plays a deal out by the rules of decision; how it ends, and the fewest cards that were left to draw.
fn run(deal: &mut Deal) -> (Course, usize) {
    let mut least = DECK;
    while deal.events < PATIENCE {
        if let Some(card) = decide(deal) {
            let rest = deal.hands[deal.turn] & !card.bit();
            let wish = (card.rank() == JACK).then(|| longest(rest));
            if deal.play(card, wish) {
                return (Course::Won, least);
            }
        } else if deal.drawn {
            deal.pass();
        } else {
            match deal.take() {
                Ok(()) => least = least.min(deal.stock() + deal.discards()),
                Err(RunOut) => return (Course::RunsOut, 0),
            }
        }
    }
    (Course::Endless, DECK)
}

fn full_deck(rules: &Rules) -> Vec<Card> {
    members(deck(rules)).collect()
}

/// A shuffled deck, in which something may have been arranged.
fn stacked(rules: &Rules, players: usize, random: &mut Random) -> Vec<Card> {
    let mut deck = full_deck(rules);
    random.shuffle(&mut deck);
    let dealt = Deal::new(rules, players, &deck)
        .hands
        .iter()
        .map(|hand| hand.count_ones() as usize)
        .sum();
    if random.percent(30) {
        let rank = match effective(rules) {
            Some(rank) if random.percent(50) => rank,
            _ => random.pick(&[SEVEN, SEVEN, EIGHT, JACK]),
        };
        let place = deck.iter().position(|card| card.rank() == rank);
        deck.swap(dealt, place.unwrap_or_default());
    }
    // All cards of a rank to the first players, so that sevens meet and jacks are left.
    if random.percent(40) {
        let rank = match effective(rules) {
            Some(rank) if random.percent(50) => rank,
            _ => random.pick(&[SEVEN, SEVEN, SEVEN, EIGHT, JACK, JACK]),
        };
        let mut seat = random.index(dealt);
        for place in dealt + 1..deck.len() {
            if deck[place].rank() == rank {
                deck.swap(place, seat);
                seat = (seat + 1) % dealt;
            }
        }
    }
    deck
}

/// A rank that these rules give an effect and others do not.
fn effective(rules: &Rules) -> Option<u8> {
    let ace = rules.ace_skips.then_some(ACE);
    ace.or(rules.nine_reverses.then_some(NINE))
}

fn write_deal(players: usize, deck: &[Card], output: &mut impl Write) -> io::Result<()> {
    write!(output, "{players}")?;
    for card in deck {
        let [suit, rank] = card.name();
        output.write_all(&[b' ', suit, rank])?;
    }
    output.write_all(b"\n")
}

/// A deal and its moves, again until it ends as it should; how many moves there are.
fn moves(rules: &Rules, random: &mut Random, text: &mut Vec<u8>) -> u32 {
    let start = text.len();
    loop {
        let players = 2 + random.index(3);
        let deck = stacked(rules, players, random);
        let mut deal = Deal::new(rules, players, &deck);
        write_deal(players, &deck, text).expect("a vector takes any text");
        // Some players keep to the rules of decision more than others.
        let discipline = random.pick(&[0, 30, 80]);
        while deal.events < PATIENCE {
            match random_move(&mut deal, discipline, random, text) {
                Ok(true) => return deal.events,
                Ok(false) => {}
                Err(RunOut) => break,
            }
        }
        text.truncate(start);
    }
}

/// Makes a move that is allowed; yes if it ends the deal.
fn random_move(
    deal: &mut Deal,
    discipline: u64,
    random: &mut Random,
    text: &mut Vec<u8>,
) -> Result<bool, RunOut> {
    let playable = deal.playable();
    let optional = deal.drawn || deal.penalty > 0;
    let plays = playable != 0 && (!optional || deal.drawn || random.percent(70));
    if plays {
        let decided = decide(deal).filter(|_| random.percent(discipline));
        let cards: Vec<Card> = members(playable).collect();
        let card = decided.unwrap_or_else(|| random.pick(&cards));
        text.extend_from_slice(&card.name());
        let wish = (card.rank() == JACK).then(|| random.pick(&Suit::ALL));
        if let Some(suit) = wish {
            text.push(b' ');
            text.extend_from_slice(suit.name().as_bytes());
        }
        text.push(b'\n');
        Ok(deal.play(card, wish))
    } else if deal.drawn {
        text.extend_from_slice(b"pass\n");
        deal.pass();
        Ok(false)
    } else {
        text.extend_from_slice(b"take\n");
        deal.take()?;
        Ok(false)
    }
}
