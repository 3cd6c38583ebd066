//! One deal of Mau-Mau: hands, piles, and what a card does.

use super::Rules;

/// A card; the dearer its rank, and for one rank the higher its suit, the greater its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(u8);

/// Letters and values of the ranks, cheapest first; of two of one value the one that is played later.
const RANKS: [(u8, u32); 13] = [
    (b'2', 2),
    (b'3', 3),
    (b'Q', 3),
    (b'4', 4),
    (b'K', 4),
    (b'5', 5),
    (b'6', 6),
    (b'S', 7),
    (b'E', 8),
    (b'N', 9),
    (b'T', 10),
    (b'A', 11),
    (b'J', 20),
];
/// The cards of a hand, by the number of players.
const HAND: [usize; 5] = [0, 0, 7, 6, 5];
const SUITS: [u8; 4] = [b'D', b'H', b'S', b'C'];

/// The cards of the largest deck.
pub const DECK: usize = 52;
/// The letter of a seven's rank.
pub const SEVEN: u8 = b'S';
/// The letter of an eight's rank.
pub const EIGHT: u8 = b'E';
/// The letter of a nine's rank.
pub const NINE: u8 = b'N';
/// The letter of an ace's rank.
pub const ACE: u8 = b'A';
/// The letter of a jack's rank.
pub const JACK: u8 = b'J';
/// The most events of one deal; no real one comes near it, but some arrangements of cards could go round for ever.
pub const LIMIT: u32 = 100_000;

/// A set of cards, a bit for each.
pub type Cards = u64;

const SEVENS: Cards = 0xF << 28;
/// All four jacks.
pub const JACKS: Cards = 0xF << 48;
/// The cards from two to six, which not every deck has.
const LOW: Cards = 0xFF0_F0FF;

/// A suit, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suit {
    /// Written `D`.
    Diamonds,
    /// Written `H`.
    Hearts,
    /// Written `S`.
    Spades,
    /// Written `C`.
    Clubs,
}

impl Rules {
    /// The letter of the rank that skips a player.
    fn skip(&self) -> u8 {
        if self.ace_skips { ACE } else { EIGHT }
    }
}

impl Suit {
    /// All suits, lowest first.
    pub const ALL: [Suit; 4] = [Suit::Diamonds, Suit::Hearts, Suit::Spades, Suit::Clubs];

    /// As a player calls it.
    pub fn name(self) -> &'static str {
        match self {
            Suit::Diamonds => "Diamonds",
            Suit::Hearts => "Hearts",
            Suit::Spades => "Spades",
            Suit::Clubs => "Clubs",
        }
    }

    /// The suit called so.
    pub fn named(word: &[u8]) -> Option<Suit> {
        Suit::ALL
            .into_iter()
            .find(|suit| suit.name().as_bytes() == word)
    }

    /// All cards of the suit.
    pub fn cards(self) -> Cards {
        0x1_1111_1111_1111 << self as u32
    }
}

impl Card {
    /// The cheapest card.
    pub const LOWEST: Card = Card(0);

    /// The card of the deck written so, suit first.
    pub fn named(rules: &Rules, word: &[u8]) -> Option<Card> {
        let [suit, letter] = word else { return None };
        let suit = SUITS.iter().position(|other| other == suit)?;
        let rank = RANKS.iter().position(|rank| rank.0 == *letter)?;
        let card = u8::try_from(4 * rank + suit).ok().map(Card);
        card.filter(|card| deck(rules) & card.bit() != 0)
    }

    /// As transcript and report write it.
    pub fn name(self) -> [u8; 2] {
        [SUITS[self.suit() as usize], self.rank()]
    }

    /// Its suit.
    pub fn suit(self) -> Suit {
        Suit::ALL[usize::from(self.0 % 4)]
    }

    /// The letter of its rank.
    pub fn rank(self) -> u8 {
        RANKS[usize::from(self.0 / 4)].0
    }

    /// What it costs whoever is left with it.
    pub fn value(self) -> u32 {
        RANKS[usize::from(self.0 / 4)].1
    }

    /// The set of this card.
    pub fn bit(self) -> Cards {
        1 << self.0
    }

    fn same_rank(self) -> Cards {
        0xF << (self.0 / 4 * 4)
    }
}

/// The cards of a deck.
pub fn deck(rules: &Rules) -> Cards {
    let all = (1 << DECK) - 1;
    if rules.fifty_two { all } else { all & !LOW }
}

/// The cards of a set, cheapest first.
pub fn members(mut cards: Cards) -> impl Iterator<Item = Card> {
    std::iter::from_fn(move || {
        let card = Card(u8::try_from(cards.trailing_zeros()).ok()?);
        cards &= cards.checked_sub(1)?;
        Some(card)
    })
}

/// The dearest card of a set, of the highest suit among those of one value.
pub fn dearest(cards: Cards) -> Option<Card> {
    let place = cards.checked_ilog2()?;
    let card = u8::try_from(place).ok().map(Card)?;
    if card.value() > 4 {
        return Some(card);
    }
    // Only among the cheapest do two ranks have one value; there the suit comes before the rank.
    members(cards).max_by_key(|card| (card.value(), card.suit(), card.0))
}

/// A card had to be drawn, and there was none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOut;

/// The state of a deal.
#[derive(Clone, Debug)]
pub struct Deal {
    /// How many play.
    pub players: usize,
    /// Their cards.
    pub hands: [Cards; 4],
    /// Whose turn it is.
    pub turn: usize,
    /// The card on top of the discard pile.
    pub open: Card,
    /// The suit that the jack on top has named.
    pub wish: Option<Suit>,
    /// What the active seven makes the next player draw.
    pub penalty: u32,
    /// The player in turn has just drawn a card.
    pub drawn: bool,
    /// Whether the last card drawn was the pile's last.
    pub renewed: bool,
    /// The plays, takes and passes so far.
    pub events: u32,
    rules: Rules,
    /// Whether the order of play is turned round.
    reversed: bool,
    draw: Vec<Card>,
    /// How much of the draw pile is gone.
    gone: usize,
    /// The discard pile under the open card, oldest first.
    spent: Vec<Card>,
}

impl Deal {
    /// Deals the cards, the first to the first player.
    pub fn new(rules: &Rules, players: usize, deck: &[Card]) -> Self {
        let each = HAND[players];
        let (dealt, rest) = deck.split_at(players * each);
        let (open, draw) = (rest[0], &rest[1..]);
        let mut hands = [0; 4];
        for (place, card) in dealt.iter().enumerate() {
            hands[place % players] |= card.bit();
        }
        Deal {
            players,
            hands,
            turn: usize::from(open.rank() == rules.skip()),
            open,
            wish: None,
            penalty: if open.rank() == SEVEN { 2 } else { 0 },
            drawn: false,
            renewed: false,
            events: 0,
            rules: rules.clone(),
            reversed: false,
            draw: draw.to_vec(),
            gone: 0,
            spent: Vec::with_capacity(DECK),
        }
    }

    /// The seat so many after the one in turn.
    pub fn seat_after(&self, seats: usize) -> usize {
        let seats = if self.reversed {
            self.players - seats % self.players
        } else {
            seats
        };
        (self.turn + seats) % self.players
    }

    /// The cards of the player in turn that may be played.
    pub fn playable(&self) -> Cards {
        let fitting = if self.penalty > 0 {
            SEVENS
        } else if self.open.rank() == JACK {
            let wished = self.wish.map_or(Cards::MAX, Suit::cards);
            if self.rules.jack_on_jack {
                wished | JACKS
            } else {
                wished & !JACKS
            }
        } else {
            self.open.suit().cards() | self.open.same_rank() | JACKS
        };
        self.hands[self.turn] & fitting
    }

    /// Plays a card, and says whether that ends the deal: a last card has no effect.
    pub fn play(&mut self, card: Card, wish: Option<Suit>) -> bool {
        self.events += 1;
        self.drawn = false;
        self.hands[self.turn] &= !card.bit();
        self.spent.push(self.open);
        self.open = card;
        self.wish = wish;
        let over = self.hands[self.turn] == 0;
        if !over {
            match card.rank() {
                SEVEN => self.penalty += 2,
                NINE if self.rules.nine_reverses => self.reversed = !self.reversed,
                rank if rank == self.rules.skip() => self.turn = self.seat_after(1),
                _ => {}
            }
            self.turn = self.seat_after(1);
        }
        over
    }

    /// Draws a card, or the whole penalty, which ends the turn.
    pub fn take(&mut self) -> Result<(), RunOut> {
        self.events += 1;
        self.renewed = false;
        for _ in 0..self.penalty.max(1) {
            let card = self.draw()?;
            self.hands[self.turn] |= card.bit();
        }
        if self.penalty > 0 {
            self.penalty = 0;
            self.turn = self.seat_after(1);
        } else {
            self.drawn = true;
        }
        Ok(())
    }

    /// Leaves the turn to the next player.
    pub fn pass(&mut self) {
        self.events += 1;
        self.drawn = false;
        self.turn = self.seat_after(1);
    }

    /// The player's points, before any doubling.
    pub fn points(&self, player: usize) -> u32 {
        members(self.hands[player]).map(Card::value).sum()
    }

    /// How many cards are on the draw pile.
    pub fn stock(&self) -> usize {
        self.draw.len() - self.gone
    }

    /// How many cards lie under the open card.
    pub fn discards(&self) -> usize {
        self.spent.len()
    }

    fn draw(&mut self) -> Result<Card, RunOut> {
        // Empty only if there was nothing to turn over when the last card was drawn.
        let card = *self.draw.get(self.gone).ok_or(RunOut)?;
        self.gone += 1;
        if self.stock() == 0 {
            self.renew();
        }
        Ok(card)
    }

    fn renew(&mut self) {
        std::mem::swap(&mut self.draw, &mut self.spent);
        self.spent.clear();
        self.gone = 0;
        self.renewed = true;
    }
}
