//! Crazy Eights.

use super::{Account, Random, joined};

const RANKS: [&str; 13] = [
    "A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K",
];
const SUITS: [&str; 4] = ["C", "D", "H", "S"];
const SUIT_NAMES: [&str; 4] = ["Clubs", "Diamonds", "Hearts", "Spades"];
const EIGHT: usize = 7;

/// A card: which rank, which suit.
type Card = (usize, usize);

fn written((rank, suit): Card) -> String {
    format!("{}{}", RANKS[rank], SUITS[suit])
}

fn points(hand: &[Card]) -> usize {
    let of = |(rank, _): &Card| {
        if *rank == EIGHT {
            50
        } else {
            (rank + 1).min(10)
        }
    };
    hand.iter().map(of).sum()
}

/// What lies open, and which suit must follow.
struct Open {
    card: Card,
    suit: usize,
}

impl Open {
    fn takes(&self, (rank, suit): Card) -> bool {
        rank == EIGHT || suit == self.suit || rank == self.card.0
    }
}

/// A shuffled deck that does not turn up an eight.
fn shuffled(random: &mut Random, dealt: usize) -> Vec<Card> {
    let mut deck: Vec<Card> = (0..13)
        .flat_map(|rank| (0..4).map(move |suit| (rank, suit)))
        .collect();
    loop {
        random.shuffle(&mut deck);
        if deck[dealt].0 != EIGHT {
            return deck;
        }
    }
}

pub(crate) fn play(random: &mut Random, account: &mut Account) {
    let names = &["Ann", "Ben", "Eve", "Max", "Zoe"][..random.index(4) + 2];
    let players = names.len();
    let dealt = players * if players == 2 { 7 } else { 5 };
    let mut stock = shuffled(random, dealt);
    account.note(format!("{players}: {}", joined(names)));
    account.note(joined(stock.iter().copied().map(written)));
    let mut hands: Vec<Vec<Card>> = vec![Vec::new(); players];
    for (index, card) in stock.drain(..dealt).enumerate() {
        hands[index % players].push(card);
    }
    for (name, hand) in names.iter().zip(&mut hands) {
        hand.sort_unstable();
        account.say(format!(
            "{name} holds {}",
            joined(hand.iter().copied().map(written))
        ));
    }
    let first = stock.remove(0);
    account.say(format!("{} is turned up", written(first)));
    let mut open = Open {
        card: first,
        suit: first.1,
    };
    // Some players keep low cards, so that the stock runs out.
    let keeps = random.percent(50);
    let (mut turn, mut passes) = (0, 0);
    loop {
        let name = names[turn];
        let hand = &mut hands[turn];
        hand.sort_unstable();
        let fitting: Vec<Card> = hand
            .iter()
            .copied()
            .filter(|card| open.takes(*card))
            .collect();
        let slip = random.percent(10);
        if slip && !fitting.is_empty() {
            account.note(format!(
                "{name} {}",
                if stock.is_empty() { "passes" } else { "draws" }
            ));
            account.say(format!("{name} has a card that fits"));
        } else if slip {
            let card = random.pick(hand);
            account.note(format!("{name} {}", written(card)));
            account.say(format!(
                "{} does not fit {}, {}",
                written(card),
                written(open.card),
                SUIT_NAMES[open.suit]
            ));
        } else if let Some(card) = if keeps {
            fitting.last()
        } else {
            fitting.first()
        } {
            hand.retain(|other| other != card);
            passes = 0;
            open = Open {
                card: *card,
                suit: card.1,
            };
            if card.0 == EIGHT {
                open.suit = random.index(4);
                account.note(format!("{name} {} {}", written(*card), SUITS[open.suit]));
                account.say(format!("{name} names {}", SUIT_NAMES[open.suit]));
            } else {
                account.note(format!("{name} {}", written(*card)));
            }
            if hand.is_empty() {
                let gain: usize = hands.iter().map(|hand| points(hand)).sum();
                account.say(format!("{name} wins {gain}"));
                return;
            }
            turn = (turn + 1) % players;
        } else if stock.is_empty() {
            account.note(format!("{name} passes"));
            passes += 1;
            turn = (turn + 1) % players;
            if passes == players {
                blocked(account, names, &hands);
                return;
            }
        } else {
            let until = stock.iter().position(|card| open.takes(*card));
            let count = until.map_or(stock.len(), |until| until + 1);
            let drawn: Vec<Card> = stock.drain(..count).collect();
            account.note(format!("{name} draws"));
            account.say(format!(
                "{name} draws {}",
                joined(drawn.iter().copied().map(written))
            ));
            if stock.is_empty() {
                account.say("the stock is empty");
            }
            hand.extend(drawn);
        }
    }
}

/// Nobody can go on.
fn blocked(account: &mut Account, names: &[&str], hands: &[Vec<Card>]) {
    let held: Vec<usize> = hands.iter().map(|hand| points(hand)).collect();
    account.say(format!(
        "nobody can go on: {} points are held",
        joined(&held)
    ));
    let least = held.iter().min().copied().unwrap_or_default();
    let mut lowest = names
        .iter()
        .zip(&held)
        .filter(|(_, points)| **points == least);
    match (lowest.next(), lowest.next()) {
        (Some((name, _)), None) => {
            let gain = held.iter().sum::<usize>() - least * held.len();
            account.say(format!("{name} wins {gain}"));
        }
        _ => account.say("nobody wins"),
    }
}
