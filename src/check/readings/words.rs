//! The words that a pattern matches, as automata, and the shortest text that one of them matches in two ways.
//!
//! Each part of a word is an automaton whose end state determines the value it has read, so two readings of a text
//! differ where its parts meet. Both are followed through the word in parallel, shortest texts first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::{
    arithmetic,
    check::forms::Forms,
    program::{Hole, Segment, Via},
    types::Type,
};

/// How many pairs of positions are visited in one word.
const MOST_PAIRS: usize = 100_000;

/// The automaton of a part of a word. Its initial state is 0.
#[derive(Debug, Default)]
pub(super) struct Part<'p> {
    /// The hole that it reads; none for plain text.
    hole: Option<&'p Hole>,
    /// The transitions of each state.
    pub(super) next: Vec<BTreeMap<char, usize>>,
    /// The final states.
    pub(super) ends: BTreeSet<usize>,
    /// Whether it may be missing.
    optional: bool,
    /// Whether it may be there several times.
    repeats: bool,
    /// For the members of a list after the first, the text before each.
    separator: Option<&'p str>,
}

impl<'p> Part<'p> {
    pub(super) fn of(
        forms: &Forms<'_>,
        segment: &'p Segment,
        after: Option<&Segment>,
    ) -> Option<Part<'p>> {
        let mut part = Part {
            next: vec![BTreeMap::new()],
            ..Part::default()
        };
        let hole = match segment {
            Segment::Literal(text) => {
                part.add(text);
                return Some(part);
            }
            Segment::Hole(hole) => &**hole,
        };
        part.hole = Some(hole);
        let is_list = hole.via == Via::Joined;
        part.repeats = is_list && hole.between.is_none();
        match &hole.absent {
            Some(absent) if absent.is_empty() => part.optional = true,
            Some(absent) => part.add(absent),
            None => {}
        }
        let single;
        let one = if is_list {
            single = Hole {
                ty: hole.ty.element()?.clone(),
                via: Via::Form,
                ..hole.clone()
            };
            &single
        } else {
            hole
        };
        if let Some(forms) = forms.hole_forms(one) {
            for (_, form) in forms {
                part.add(&form);
            }
        } else if one.via == Via::Form && one.ty.is_number() && !forms.is_sized_by_given(&one.ty) {
            part.numbers(&one.ty);
        } else if one.ty.is_text() {
            part.words(after);
        } else {
            return None;
        }
        Some(part)
    }

    /// The members of a list in one word after the first, each with its separator.
    pub(super) fn more(
        forms: &Forms<'_>,
        segment: &'p Segment,
        after: Option<&Segment>,
    ) -> Option<Part<'p>> {
        let Segment::Hole(hole) = segment else {
            return None;
        };
        let separator = hole.between.as_ref()?.by.joins()?;
        let member = Segment::Hole(Box::new(Hole {
            absent: None,
            ..(**hole).clone()
        }));
        let Part { next, ends, .. } = Part::of(forms, &member, after)?;
        let shift = separator.chars().count();
        let chain = separator
            .chars()
            .zip(1..)
            .map(|step| BTreeMap::from([step]));
        let moved = next.into_iter().map(|steps| {
            let steps = steps.into_iter();
            steps
                .map(|(character, to)| (character, to + shift))
                .collect()
        });
        Some(Part {
            hole: None,
            next: chain.chain(moved).collect(),
            ends: ends.into_iter().map(|end| end + shift).collect(),
            optional: true,
            repeats: true,
            separator: Some(separator),
        })
    }

    fn place(&mut self) -> usize {
        self.next.push(BTreeMap::new());
        self.next.len() - 1
    }

    fn add(&mut self, text: &str) {
        let mut at = 0;
        for character in text.chars() {
            at = if let Some(next) = self.next[at].get(&character) {
                *next
            } else {
                let next = self.place();
                self.next[at].insert(character, next);
                next
            };
        }
        self.ends.insert(at);
    }

    /// Numbers with at most as many digits as the greatest.
    fn numbers(&mut self, ty: &Type) {
        let (lo, hi) = match ty {
            Type::Range(interval) => (interval.lo, interval.hi),
            _ => (i64::MIN, i64::MAX),
        };
        if let Some(places) = ty.places().filter(|places| *places > 0) {
            return self.decimals(lo < 0, (lo, hi), places);
        }
        let digits = |number: i64| number.unsigned_abs().to_string().len();
        self.add("0");
        let mut begin = vec![0];
        if lo < 0 {
            let sign = self.place();
            self.next[0].insert('-', sign);
            begin.push(sign);
        }
        let mut from = begin;
        for place in 0..digits(lo).max(digits(hi)) {
            let to = self.place();
            self.ends.insert(to);
            for from in from {
                for digit in '0'..='9' {
                    if place > 0 || digit > '0' {
                        self.next[from].insert(digit, to);
                    }
                }
            }
            from = vec![to];
        }
    }

    /// Numbers with decimal places, with at most as many digits before the point as the greatest.
    fn decimals(&mut self, signed: bool, (lo, hi): (i64, i64), places: u8) {
        let unit = arithmetic::unit(places).unsigned_abs();
        let digits = |number: i64| (number.unsigned_abs() / unit).to_string().len();
        let mut from = vec![0];
        if signed {
            let sign = self.place();
            self.next[0].insert('-', sign);
            from.push(sign);
        }
        let point = self.place();
        for _ in 0..digits(lo).max(digits(hi)) {
            let to = self.place();
            for from in from {
                self.digits(from, to);
            }
            self.next[to].insert('.', point);
            from = vec![to];
        }
        let mut at = point;
        for _ in 0..places {
            let to = self.place();
            self.digits(at, to);
            at = to;
        }
        self.ends.insert(at);
    }

    fn digits(&mut self, from: usize, to: usize) {
        for digit in '0'..='9' {
            self.next[from].insert(digit, to);
        }
    }

    /// Any text up to the next segment; a few letters represent all others.
    fn words(&mut self, after: Option<&Segment>) {
        let ends = match after {
            Some(Segment::Literal(text)) => text.chars().next(),
            _ => None,
        };
        let rest = self.place();
        self.ends.insert(rest);
        for character in ('a'..='c')
            .chain('0'..='9')
            .filter(|one| Some(*one) != ends)
        {
            self.next[0].insert(character, rest);
            self.next[rest].insert(character, rest);
        }
    }
}

/// The position of a reading: a part, and a state of it. None before the first part.
type At = Option<(usize, usize)>;

/// A character that is read: the part that reads it, and whether that starts with it.
pub(super) type Step = (usize, bool);

pub(super) struct Word<'p> {
    pub(super) parts: Vec<Part<'p>>,
}

impl Word<'_> {
    /// The next characters of a reading, each with the position after it and its step.
    fn steps(&self, at: At) -> Vec<(char, At, Step)> {
        let mut steps = Vec::new();
        let mut begin = |part: usize| {
            for (character, to) in &self.parts[part].next[0] {
                steps.push((*character, Some((part, *to)), (part, true)));
            }
        };
        let first = match at {
            None => 0,
            Some((part, place)) if self.parts[part].ends.contains(&place) => {
                if self.parts[part].repeats {
                    begin(part);
                }
                part + 1
            }
            Some(_) => self.parts.len(),
        };
        for part in first..self.parts.len() {
            // Later members need a first one.
            if part > first && self.parts[part].separator.is_some() {
                continue;
            }
            begin(part);
            if !self.parts[part].optional {
                break;
            }
        }
        if let Some((part, place)) = at {
            for (character, to) in &self.parts[part].next[place] {
                steps.push((*character, Some((part, *to)), (part, false)));
            }
        }
        steps
    }

    fn ends(&self, at: At) -> bool {
        let rest = match at {
            None => 0,
            Some((part, place)) if self.parts[part].ends.contains(&place) => part + 1,
            Some(_) => return false,
        };
        self.parts[rest..].iter().all(|part| part.optional)
    }

    /// The shortest text with two readings, each character with its steps in both.
    pub(super) fn ambiguous_text(&self) -> Option<Vec<(char, Step, Step)>> {
        type Pair = (At, At, bool);
        type Came = Option<(Pair, (char, Step, Step))>;
        let mut known: BTreeMap<Pair, Came> = BTreeMap::new();
        let start = (None, None, false);
        known.insert(start, None);
        let mut open = VecDeque::from([start]);
        while let Some(pair) = open.pop_front() {
            let (one, other, differ) = pair;
            if differ && self.ends(one) && self.ends(other) {
                let mut text = Vec::new();
                let mut at = pair;
                while let Some(Some((before, step))) = known.get(&at) {
                    text.push(*step);
                    at = *before;
                }
                text.reverse();
                return Some(text);
            }
            let others = self.steps(other);
            for (character, to, step) in self.steps(one) {
                for (same, other_to, other_step) in &others {
                    if *same != character || known.len() > MOST_PAIRS {
                        continue;
                    }
                    let next = (to, *other_to, differ || step != *other_step);
                    known.entry(next).or_insert_with(|| {
                        open.push_back(next);
                        Some((pair, (character, step, *other_step)))
                    });
                }
            }
        }
        None
    }

    /// The values that the holes read, as text. None if one is not a value of its hole's type after all.
    pub(super) fn describe(&self, text: &[(char, Step)]) -> Option<String> {
        let mut values = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            let Some(hole) = part.hole else { continue };
            let mut pieces: Vec<String> = Vec::new();
            let more = self.parts.get(index + 1).and_then(|more| more.separator);
            let is_of_part = |read: usize| read == index || more.is_some() && read == index + 1;
            for (character, (_, begins)) in text.iter().filter(|(_, (read, _))| is_of_part(*read)) {
                match pieces.last_mut() {
                    Some(piece) if !begins => piece.push(*character),
                    _ => pieces.push(character.to_string()),
                }
            }
            for piece in pieces.iter_mut().skip(1) {
                if let Some(member) = more.and_then(|more| piece.strip_prefix(more)) {
                    *piece = member.to_owned();
                }
            }
            if let Type::Range(interval) = hole.ty.required() {
                let outside = |piece: &String| {
                    let number = arithmetic::decimal(piece);
                    let number = number.filter(|(_, places)| *places == interval.places);
                    let number = number.map(|(number, _)| number);
                    number.is_none_or(|number| number < interval.lo || number > interval.hi)
                };
                if hole.absent.is_none() && pieces.iter().any(outside) {
                    return None;
                }
            }
            let name = &hole.name;
            values.push(match pieces.as_slice() {
                [] => format!("no {name}"),
                pieces => format!("{name} {}", pieces.join(" ")),
            });
        }
        Some(values.join(", "))
    }
}
