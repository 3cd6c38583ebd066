//! Crazy Eights.

use std::io::{BufRead, Write};

use super::words::{Error, Words};

const RANKS: &[u8; 13] = b"A23456789TJQK";
const SUITS: &[u8; 4] = b"CDHS";
const SUIT_NAMES: [&str; 4] = ["Clubs", "Diamonds", "Hearts", "Spades"];
const EIGHT: u8 = 7;

/// A card: four for each rank, in the order of suits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Card(u8);

/// Cards of a hand, a bit for each.
type Cards = u64;

impl Card {
    fn named(word: &[u8]) -> Option<Card> {
        let [rank, suit] = word else {
            return None;
        };
        let rank = (0..).zip(RANKS).find(|(_, letter)| *letter == rank)?.0;
        Some(Card(rank * 4 + suit_named(&[*suit])?))
    }

    fn rank(self) -> u8 {
        self.0 / 4
    }

    fn suit(self) -> u8 {
        self.0 % 4
    }

    fn bit(self) -> Cards {
        1 << self.0
    }

    fn name(self) -> [u8; 2] {
        [
            RANKS[usize::from(self.rank())],
            SUITS[usize::from(self.suit())],
        ]
    }

    fn points(self) -> u64 {
        if self.rank() == EIGHT {
            50
        } else {
            u64::from(self.rank() + 1).min(10)
        }
    }
}

fn suit_named(word: &[u8]) -> Option<u8> {
    (0..)
        .zip(SUITS)
        .find(|(_, letter)| word == [**letter])
        .map(|(suit, _)| suit)
}

fn members(mut cards: Cards) -> impl Iterator<Item = Card> {
    std::iter::from_fn(move || {
        let card = u8::try_from(cards.trailing_zeros()).ok()?;
        let there = cards != 0;
        cards &= cards.wrapping_sub(1);
        there.then_some(Card(card))
    })
}

fn points(hand: Cards) -> u64 {
    members(hand).map(Card::points).sum()
}

fn say_cards(cards: impl Iterator<Item = Card>, output: &mut impl Write) -> Result<(), Error> {
    for card in cards {
        let [rank, suit] = card.name();
        output.write_all(&[b' ', rank, suit])?;
    }
    output.write_all(b"\n")?;
    Ok(())
}

/// A game as far as it has gone.
struct Game {
    names: Vec<String>,
    hands: Vec<Cards>,
    deck: Vec<Card>,
    /// The top of the stock.
    next: usize,
    open: Card,
    suit: u8,
    turn: usize,
    passes: usize,
}

/// Reports on every game of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("games")? {
        let mut game = Game::read(&mut words)?;
        for (name, hand) in game.names.iter().zip(&game.hands) {
            write!(output, "{name} holds")?;
            say_cards(members(*hand), output)?;
        }
        output.write_all(&game.open.name())?;
        output.write_all(b" is turned up\n")?;
        while !game.line(&mut words, output)? {}
    }
    words.end()
}

impl Game {
    fn read(words: &mut Words<impl BufRead>) -> Result<Game, Error> {
        let players = match words.next()?.and_then(|word| word.strip_suffix(b":")) {
            Some(&[digit @ b'2'..=b'5']) => usize::from(digit - b'0'),
            _ => return Err(words.error("expected the number of players")),
        };
        let mut names = Vec::new();
        for _ in 0..players {
            names.push(words.text("a name")?);
        }
        words.end_line()?;
        let mut deck = Vec::with_capacity(52);
        let mut known: Cards = 0;
        for _ in 0..52 {
            let Some(card) = words.next()?.and_then(Card::named) else {
                return Err(words.error("expected a card"));
            };
            known |= card.bit();
            deck.push(card);
        }
        words.end_line()?;
        let dealt = players * if players == 2 { 7 } else { 5 };
        let open = deck[dealt];
        if known.count_ones() < 52 || open.rank() == EIGHT {
            return Err(words.error("this deck cannot be"));
        }
        let mut hands = vec![0; players];
        for (index, card) in deck[..dealt].iter().enumerate() {
            hands[index % players] |= card.bit();
        }
        Ok(Game {
            names,
            hands,
            deck,
            next: dealt + 1,
            open,
            suit: open.suit(),
            turn: 0,
            passes: 0,
        })
    }

    fn fits(&self, card: Card) -> bool {
        card.rank() == EIGHT || card.suit() == self.suit || card.rank() == self.open.rank()
    }

    fn pass_on(&mut self) {
        self.turn = (self.turn + 1) % self.names.len();
    }

    /// One line of the transcript; yes if it ends the game.
    fn line(
        &mut self,
        words: &mut Words<impl BufRead>,
        output: &mut impl Write,
    ) -> Result<bool, Error> {
        if words.next()? != Some(self.names[self.turn].as_bytes()) {
            return Err(words.error("expected who is in turn"));
        }
        let empty = self.next == self.deck.len();
        let card = match words.word()?.unwrap_or_default() {
            b"draws" if !empty => None,
            b"passes" if empty => None,
            word => match Card::named(word) {
                Some(card) => Some(card),
                None => return Err(words.error("expected what is done")),
            },
        };
        if let Some(card) = card {
            return self.play(card, words, output);
        }
        words.end_line()?;
        let able = members(self.hands[self.turn]).any(|card| self.fits(card));
        if able {
            writeln!(output, "{} has a card that fits", self.names[self.turn])?;
        } else if empty {
            self.passes += 1;
            self.pass_on();
            if self.passes == self.names.len() {
                self.blocked(output)?;
                return Ok(true);
            }
        } else {
            self.draw(output)?;
        }
        Ok(false)
    }

    fn draw(&mut self, output: &mut impl Write) -> Result<(), Error> {
        let stock = &self.deck[self.next..];
        let until = stock.iter().position(|card| self.fits(*card));
        let drawn = &stock[..until.map_or(stock.len(), |until| until + 1)];
        write!(output, "{} draws", self.names[self.turn])?;
        say_cards(drawn.iter().copied(), output)?;
        for card in drawn {
            self.hands[self.turn] |= card.bit();
        }
        self.next += drawn.len();
        if self.next == self.deck.len() {
            output.write_all(b"the stock is empty\n")?;
        }
        Ok(())
    }

    fn play(
        &mut self,
        card: Card,
        words: &mut Words<impl BufRead>,
        output: &mut impl Write,
    ) -> Result<bool, Error> {
        let named = match words.word()? {
            None => None,
            Some(word) => match suit_named(word) {
                Some(suit) => Some(suit),
                None => return Err(words.error("expected a suit")),
            },
        };
        words.end_line()?;
        let name = &self.names[self.turn];
        if self.hands[self.turn] & card.bit() == 0 {
            return Err(words.error("this card is not held"));
        }
        if (card.rank() == EIGHT) != named.is_some() {
            return Err(words.error("an eight names a suit, and no other card does"));
        }
        if !self.fits(card) {
            output.write_all(&card.name())?;
            output.write_all(b" does not fit ")?;
            output.write_all(&self.open.name())?;
            writeln!(output, ", {}", SUIT_NAMES[usize::from(self.suit)])?;
            return Ok(false);
        }
        self.hands[self.turn] &= !card.bit();
        self.open = card;
        self.suit = named.unwrap_or(card.suit());
        self.passes = 0;
        if let Some(suit) = named {
            writeln!(output, "{name} names {}", SUIT_NAMES[usize::from(suit)])?;
        }
        if self.hands[self.turn] == 0 {
            let gain: u64 = self.hands.iter().map(|hand| points(*hand)).sum();
            writeln!(output, "{name} wins {gain}")?;
            return Ok(true);
        }
        self.pass_on();
        Ok(false)
    }

    /// Nobody can go on.
    fn blocked(&self, output: &mut impl Write) -> Result<(), Error> {
        let held: Vec<u64> = self.hands.iter().map(|hand| points(*hand)).collect();
        output.write_all(b"nobody can go on:")?;
        for points in &held {
            write!(output, " {points}")?;
        }
        output.write_all(b" points are held\n")?;
        let least = held.iter().min().copied().unwrap_or_default();
        let mut lowest = (0..held.len()).filter(|player| held[*player] == least);
        match (lowest.next(), lowest.next()) {
            (Some(player), None) => {
                let gain = held.iter().map(|points| points - least).sum::<u64>();
                writeln!(output, "{} wins {gain}", self.names[player])?;
            }
            _ => output.write_all(b"nobody wins\n")?,
        }
        Ok(())
    }
}
