//! Which rules a referee really applied, and how often.

use std::collections::BTreeMap;

/// How often each rule was reached, by its name.
pub type Counts = BTreeMap<&'static str, u64>;

/// Somebody who is told of each rule that a referee applies.
pub trait Watch {
    /// Whether anybody looks. A referee keeps what only a watcher asks for (boards of long ago, say) behind this.
    const LOOKS: bool;

    /// The rule was applied once more.
    fn reached(&mut self, rule: &'static str);

    /// The same, if the rule was really the one that applied.
    fn reached_if(&mut self, condition: bool, rule: &'static str) {
        if Self::LOOKS && condition {
            self.reached(rule);
        }
    }
}

/// Nobody looks: the calls compile to nothing.
impl Watch for () {
    const LOOKS: bool = false;

    fn reached(&mut self, _rule: &'static str) {}
}

impl Watch for Counts {
    const LOOKS: bool = true;

    fn reached(&mut self, rule: &'static str) {
        *self.entry(rule).or_default() += 1;
    }
}

/// Adds what one run reached to what others did.
pub fn add(counts: &mut Counts, more: &Counts) {
    for (rule, times) in more {
        *counts.entry(rule).or_default() += times;
    }
}
