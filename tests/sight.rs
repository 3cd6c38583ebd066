//! Nobody is shown what that seat does not see: games with hidden cards are played at random and looked at from each seat, and
//! all that is shown is searched for cards that the seat cannot know.

mod support;

use std::collections::BTreeSet;

use referee::{
    diagnostic::Colour,
    explanation::{DEPTH_OF_SENTENCES, Query},
    game::{Decider, Game, Session, Stage, Viewer},
};

/// A generator of numbers, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("a number") % count
    }

    fn shuffled(&mut self, mut cards: Vec<String>) -> Vec<String> {
        for place in (1..cards.len()).rev() {
            cards.swap(place, self.below(place + 1));
        }
        cards
    }
}

/// All texts of two signs, one of each.
fn deck(first: &str, second: &str) -> Vec<String> {
    let one = |a: char| second.chars().map(move |b| format!("{a}{b}"));
    first.chars().flat_map(one).collect()
}

/// The cards in a text.
fn cards_in(text: &str, deck: &[String]) -> BTreeSet<String> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric();
    let words = text.split(|letter| !is_letter(letter));
    let cards = words.filter(|word| deck.iter().any(|card| card == word));
    cards.map(str::to_string).collect()
}

/// What one seat is shown of a game, besides the moves that are its own.
fn shown(
    session: &mut Session<'_>,
    last: Option<&str>,
    is_own: bool,
) -> Vec<(&'static str, String)> {
    let mut all = vec![("report", session.report().to_string())];
    let states = session.states();
    all.push(("states", format!("{states:?}")));
    all.push(("state", session.state().unwrap_or_default()));
    all.push(("pictures", format!("{:?}", session.pictures())));
    all.push(("values", format!("{:?}", session.values())));
    if session.stage() == Stage::Playing {
        let moves = session.moves(&[], false).map(|moves| format!("{moves:?}"));
        all.push((
            "moves",
            moves.unwrap_or_else(|failure| failure.draw(Colour::Never)),
        ));
        let expected = session.expected().map(|expected| {
            // What a hole takes is every card.
            let written = expected.into_iter().map(|one| (one.written, one.untimely));
            format!("{:?}", written.collect::<Vec<_>>())
        });
        all.push((
            "expected",
            expected.unwrap_or_else(|failure| failure.draw(Colour::Never)),
        ));
        all.push(("completions", session.completions("").join(" ")));
    }
    for depth in [DEPTH_OF_SENTENCES, 50] {
        let query = Query {
            depth,
            ..Query::default()
        };
        let why = session.why(&query).map(|why| {
            let (short, long) = (why.draw(Colour::Never), why.trace(Colour::Never));
            format!("{short}\n{long}\n{why:?}")
        });
        all.push((
            "why",
            why.unwrap_or_else(|failure| failure.draw(Colour::Never)),
        ));
    }
    if let (false, Some(last)) = (is_own, last) {
        let nonsense = format!("{last} nonsense");
        if let Err(refusal) = session.feed(&nonsense) {
            // Which cards there are is no secret.
            let text = refusal.to_string();
            let lines = text
                .lines()
                .filter(|line| !line.contains("is not a Card ("));
            all.push(("refusal", lines.collect::<Vec<_>>().join("\n")));
        }
    }
    all
}

/// A game with hidden cards.
struct Hidden {
    game: &'static str,
    form: Option<&'static str>,
    deck: Vec<String>,
    /// The lines before the first event, for a shuffled deck.
    opening: fn(&[String]) -> Vec<String>,
    seats: usize,
    /// The hands of the seats that a deck gives, and how many cards are turned up.
    hands: fn(&[String]) -> Vec<Vec<String>>,
}

/// Plays at random, and looks from each seat after each line.
fn played(hidden: &Hidden, seed: u64, most: usize) {
    let game = support::load(hidden.game, &[]);
    let mut numbers = Numbers(seed);
    let deck = numbers.shuffled(hidden.deck.clone());
    let views: Vec<Game> = (0..hidden.seats)
        .map(|seat| game.seen_by(Viewer::Seat(seat)).with_data())
        .chain([game.seen_by(Viewer::Everyone).with_data()])
        .collect();
    let mut session = game.session(hidden.form, "game").expect("a session");
    let mut lines = (hidden.opening)(&deck);
    for line in &lines {
        session
            .feed(line)
            .unwrap_or_else(|refusal| panic!("{refusal}"));
    }
    // What each seat can know: its hand, what was said at the table, and what it drew.
    let hands = (hidden.hands)(&deck);
    let mut known: Vec<BTreeSet<String>> = hands.into_iter().map(BTreeSet::from_iter).collect();
    known.resize(hidden.seats + 1, BTreeSet::new());
    let opening = lines.len();
    // The first card is turned up for all.
    let mut states = session.states().into_iter();
    if let Some((_, turned)) = states.find(|(name, _)| name == "open") {
        let turned = cards_in(&turned, &hidden.deck);
        for known in &mut known {
            known.extend(turned.clone());
        }
    }
    for _ in 0..most {
        let referee = session.report().to_string();
        // What was said before the first event is for the referee.
        let last = lines.last().filter(|_| lines.len() > opening).cloned();
        for (seat, view) in views.iter().enumerate() {
            let mut table = view.session(hidden.form, "game").expect("a session");
            for line in &lines {
                table.feed(line).expect("it was fed before");
            }
            let owner = table.seats().get(seat).cloned();
            let decides = session.deciders().expect("who decides");
            let is_own = decides.iter().any(|by| match by {
                Decider::Seat(by) => Some(by) == owner.as_ref(),
                _ => false,
            });
            let mut may_know = known[seat].clone();
            // Events are said aloud, but for what is passed face down.
            for line in lines.iter().skip(opening.min(3)) {
                let aloud = !line.contains(" passes ");
                let own = owner.as_ref().is_some_and(|owner| line.starts_with(owner));
                if aloud || own {
                    may_know.extend(cards_in(line, &hidden.deck));
                }
            }
            // What the referee tells a seat by its name.
            for line in referee.lines() {
                let own = owner.as_ref().is_some_and(|owner| line.starts_with(owner));
                let told = line.starts_with("Score") || line.contains("is turned up");
                if own || told {
                    may_know.extend(cards_in(line, &hidden.deck));
                }
            }
            for (what, text) in shown(&mut table, last.as_deref(), is_own) {
                let cards = cards_in(&text, &hidden.deck);
                let mut leaked: Vec<&String> = cards.difference(&may_know).collect();
                if what == "completions" && cards.len() == hidden.deck.len() {
                    leaked.clear();
                }
                assert!(
                    leaked.is_empty(),
                    "{} {seed}: seat {seat} learns {leaked:?} by {what} after {last:?}:\n{text}",
                    hidden.game
                );
            }
        }
        if session.stage() != Stage::Playing {
            return;
        }
        let Ok(line) = session.choose(None, numbers.below(1 << 20) as u64) else {
            return;
        };
        let decides = session.deciders().expect("who decides");
        let before = pile(&mut session, &hidden.deck);
        session
            .feed(&line)
            .unwrap_or_else(|refusal| panic!("{refusal}"));
        lines.push(line);
        // What leaves the pile is in the hand of whoever drew.
        let after = pile(&mut session, &hidden.deck);
        if let [Decider::Seat(seat), ..] = decides.as_slice()
            && let Some(seat) = session.seat(seat)
        {
            known[seat].extend(before.difference(&after).cloned());
        }
    }
}

/// The cards that may be drawn, as the referee sees them.
fn pile(session: &mut Session<'_>, deck: &[String]) -> BTreeSet<String> {
    let states = session.states().into_iter();
    let mut piles = states.filter(|(name, _)| name == "draw" || name == "stock");
    piles
        .next()
        .map_or(BTreeSet::new(), |(_, cards)| cards_in(&cards, deck))
}

fn dealt(deck: &[String], players: usize, each: usize) -> Vec<Vec<String>> {
    let hand = |player: usize| (0..each).map(move |round| deck[players * round + player].clone());
    (0..players).map(|player| hand(player).collect()).collect()
}

#[test]
fn mau_mau() {
    let hidden = Hidden {
        game: "mau-mau",
        form: Some("moves"),
        deck: deck("DHSC", "SENTJQKA"),
        opening: |deck| vec!["1".into(), format!("3 {}", deck.join(" "))],
        seats: 3,
        hands: |deck| dealt(deck, 3, 6),
    };
    for seed in 1..4 {
        played(&hidden, seed, 14);
    }
}

#[test]
fn crazy_eights() {
    let hidden = Hidden {
        game: "crazy-eights",
        form: None,
        deck: deck("A234567T9JQK8", "CDHS"),
        opening: |deck| {
            let mut deck = deck.to_vec();
            // An eight is not turned up.
            if deck[15].starts_with('8') {
                let other = (16..deck.len()).find(|at| !deck[*at].starts_with('8'));
                deck.swap(15, other.expect("a card"));
            }
            let deck = deck.join(" ");
            vec!["1".into(), "3: Ann Ben Cid".into(), deck]
        },
        seats: 3,
        hands: |deck| dealt(deck, 3, 5),
    };
    for seed in 1..4 {
        played(&hidden, seed, 14);
    }
}

#[test]
fn hearts() {
    let hidden = Hidden {
        game: "hearts",
        form: None,
        deck: deck("23456789TJQKA", "CDSH"),
        opening: |deck| {
            let hands = dealt(deck, 4, 13);
            let names = ["Ann", "Ben", "Cid", "Dan"];
            let mut lines = vec![
                "1".into(),
                names.join(" "),
                format!("deal {}", deck.join(" ")),
            ];
            for (name, hand) in names.iter().zip(hands) {
                lines.push(format!("{name} passes {}", hand[..3].join(" ")));
            }
            lines
        },
        seats: 4,
        hands: |deck| dealt(deck, 4, 13),
    };
    for seed in 1..3 {
        played(&hidden, seed, 12);
    }
}
