//! Random numbers that are the same everywhere for the same seed.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A seeded source of draws.
#[derive(Clone, Debug)]
pub struct Random(Pcg64Mcg);

impl Random {
    /// Starts a sequence of its own for each seed.
    pub fn new(seed: u64) -> Self {
        Random(Pcg64Mcg::seed_from_u64(seed))
    }

    /// A number below the bound, each equally likely.
    ///
    /// Our own, since libraries change from version to version how they do it: the high half of a product, drawn
    /// again where the low half shows that some numbers would come more often.
    pub fn below(&mut self, bound: u64) -> u64 {
        let bound = bound.max(1);
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            let [low, high] = halves(product);
            if low >= unfair {
                return high;
            }
        }
    }

    /// An index into something that long.
    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or_default()
    }

    /// A number from one to the other, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// Yes in so many of a hundred draws.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.index(things.len())]
    }

    /// Any order, each equally likely.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.index(end + 1));
        }
    }
}

fn halves(product: u128) -> [u64; 2] {
    let low = u64::try_from(product & u128::from(u64::MAX)).unwrap_or_default();
    let high = u64::try_from(product >> 64).unwrap_or_default();
    [low, high]
}
