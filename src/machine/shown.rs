//! The state for messages: in a line, with pictures of what the rules draw below it.

use std::fmt::Write as _;

use super::{ALL_COUNTS, Machine, memory::at};
use crate::{
    code::{Asked, EntriesShown, NONE, Plane, Shape, Shown, State},
    diagnostic::StateShown,
};

/// How long a state may be that messages show, in characters, where it is no map.
const LONGEST_STATE: usize = 60;

/// What stands for a value that is an empty collection or text.
const NOTHING: &str = "nothing";

/// What stands for a value that whoever looks does not see; how a picture draws it.
const HIDDEN: &str = "hidden";
const UNSEEN: &str = "?";

/// How far the entries of a map reach, in characters.
const LINE: usize = 120;

/// How many entries of a map are shown whether or not they say much; those that are none are not.
const ALL_ENTRIES: usize = 16;

/// How many characters a picture may have. What would be larger is shown as a line.
const LARGEST_PICTURE: usize = 1 << 16;

/// How many bytes the entries of a map may have as they are written. What would be more is not shown.
const ALL_WRITTEN: usize = 1 << 24;

/// To show the state may take this part of the work that an event may take.
const PART: u64 = 64;

impl<'c> Machine<'c> {
    /// The state in a line; below it, the states that the rules draw.
    pub(crate) fn state_line(&mut self) -> String {
        StateShown::line(&self.state_shown())
    }

    /// The states that can be shown, each with its value.
    pub(crate) fn state_shown(&mut self) -> Vec<StateShown> {
        self.within_work(Self::each_state)
    }

    /// Shows something with a fuel of its own: a part of what an event may take, and no more than the present event has left,
    /// however little each step takes. The event's fuel stays as it is.
    fn within_work<T>(&mut self, show: impl FnOnce(&mut Self) -> T) -> T {
        let (fuel, light) = (self.fuel, self.light_work);
        self.light_work = ALL_COUNTS;
        self.fuel = fuel.min(self.compiled.limits.fuel / PART);
        let shown = show(self);
        (self.fuel, self.light_work) = (fuel, light);
        shown
    }

    fn each_state(&mut self) -> Vec<StateShown> {
        let compiled = self.compiled;
        let mut all = Vec::new();
        for (index, state) in compiled.states.iter().enumerate() {
            let mut show = |value: String, drawn: bool| {
                all.push(StateShown {
                    name: state.name.clone(),
                    value,
                    drawn,
                });
            };
            if let Some(unseen) = self.unseen(state) {
                show(unseen, false);
                continue;
            }
            if let Some(picture) = self.picture(state) {
                show(picture, true);
                continue;
            }
            let written = match &state.shown {
                None => None,
                Some(Shown::Whole(text)) => self
                    .framed(state.locals, |machine| machine.rendered(text))
                    .ok()
                    .filter(|written| written.chars().count() <= LONGEST_STATE),
                Some(Shown::Entries(shown)) => self.entries_line(index, shown),
            };
            if let Some(written) = written {
                show(written, false);
            }
        }
        all
    }

    /// What is shown of a state in place of its value, where whoever looks does not see it.
    fn unseen(&mut self, state: &'c State) -> Option<String> {
        if !matches!(state.shown, Some(Shown::Whole(_))) || self.is_seen(state, 0) {
            return None;
        }
        let size = state.size.as_ref();
        let size = size.and_then(|size| self.value_for(size, 0));
        Some(size.map_or(HIDDEN.into(), |size| format!("{size} {HIDDEN}")))
    }

    /// Whether whoever looks sees a state, or its entry with this key.
    pub(super) fn is_seen(&mut self, state: &'c State, key: i64) -> bool {
        let seen = state.seen.as_ref();
        seen.is_none_or(|seen| self.value_for(seen, key).is_some_and(|seen| seen != 0))
    }

    /// The value of something that is asked by itself, with this as its first local.
    fn value_for(&mut self, asked: &'c Asked, first: i64) -> Option<i64> {
        let answer = self.framed(asked.locals.max(1), |machine| {
            machine.set_local(0, first);
            machine.exactly(|machine| machine.evaluate(&asked.code))
        });
        answer.ok()
    }

    /// Whether whoever looks may know that the event in hand may happen.
    pub(crate) fn is_offered(&mut self, event: usize) -> bool {
        let offered = self.compiled.events[event].offered.as_ref();
        offered.is_none_or(|offered| self.value_for(offered, 0).is_some_and(|is| is != 0))
    }

    /// A state as the rules draw it.
    fn picture(&mut self, state: &'c State) -> Option<String> {
        let Some(Shown::Entries(shown)) = &state.shown else {
            return None;
        };
        let plane = shown.plane.filter(|_| shown.sign.is_some())?;
        drawn(&self.entries(state, shown)?, plane)
    }

    /// The entries of a map: all if there are few and none is missing, else those that say something, as far as a line
    /// reaches.
    fn entries_line(&mut self, index: usize, shown: &'c EntriesShown) -> Option<String> {
        let state = &self.compiled.states[index];
        let entries = self.entries(state, shown)?;
        if shown.collection.is_some() {
            // Who sees what is said of each; without that, what is empty says little.
            if state.seen.is_some() {
                return Some(joined(&entries, usize::MAX));
            }
            let all = joined(&entries, usize::MAX);
            if entries.len() <= ALL_ENTRIES && all.chars().count() <= LINE {
                return Some(all);
            }
            let telling = entries.into_iter().filter(|entry| entry.value != NOTHING);
            let telling = joined(&telling.collect::<Vec<_>>(), LINE);
            return Some(or_nothing(telling));
        }
        if !shown.optional && entries.len() <= ALL_ENTRIES {
            let all = joined(&entries, usize::MAX);
            if all.chars().count() <= LINE {
                return Some(all);
            }
        }
        let telling: Vec<Entry> = if shown.optional {
            entries
                .into_iter()
                .filter(|entry| entry.number != NONE || entry.hidden)
                .collect()
        } else {
            let first = self.first_values(index).unwrap_or_default();
            entries
                .into_iter()
                .filter(|entry| entry.hidden || first.get(entry.index) != Some(&entry.number))
                .collect()
        };
        Some(match (joined(&telling, LINE), shown.optional) {
            (line, true) => line,
            (line, _) if line.is_empty() => "as at the start".into(),
            (line, _) => format!("{line}; otherwise as at the start"),
        })
    }

    fn entries(&mut self, state: &'c State, shown: &'c EntriesShown) -> Option<Vec<Entry>> {
        let Shape::Map { domain, slot, .. } = &state.shape else {
            return None;
        };
        let last = match &shown.last {
            Some(last) => domain.index(self.evaluate(last).ok()?).saturating_add(1),
            None => domain.count,
        };
        let mut entries = Vec::new();
        let mut bytes = 0;
        for index in 0..last.min(domain.count) {
            let key = domain.value(index);
            if shown
                .partial
                .is_some_and(|partial| !self.is_value(partial, key))
            {
                continue;
            }
            if let Some((text, locals, size)) = &shown.collection {
                let hidden = !self.is_seen(state, key);
                let value = if hidden {
                    format!("{} {HIDDEN}", self.value_for(size, key)?)
                } else {
                    let written = self.framed(*locals, |machine| {
                        machine.set_local(0, key);
                        machine.rendered(text)
                    });
                    or_nothing(written.ok()?)
                };
                let entry = Entry {
                    index,
                    number: 0,
                    hidden,
                    key: self.rendered_value(key, &shown.key),
                    value,
                    sign: None,
                };
                bytes += entry.key.len() + entry.value.len();
                if bytes > ALL_WRITTEN {
                    return None;
                }
                entries.push(entry);
                continue;
            }
            let number = self.read(state.offset, index, *slot);
            // Whether there is something at all, everyone sees.
            let hidden = number != NONE && !self.is_seen(state, key);
            let (value, sign) = if hidden {
                let sign = shown.sign.as_ref().map(|_| UNSEEN.to_string());
                (HIDDEN.to_string(), sign)
            } else {
                (
                    self.rendered_value(number, &shown.entry),
                    self.sign(shown, number),
                )
            };
            let entry = Entry {
                index,
                number,
                hidden,
                key: self.rendered_value(key, &shown.key),
                value,
                sign,
            };
            bytes += entry.key.len() + entry.value.len();
            bytes += entry.sign.as_ref().map_or(0, String::len);
            if bytes > ALL_WRITTEN {
                return None;
            }
            entries.push(entry);
        }
        Some(entries)
    }

    /// How the rules draw an entry, if they say so.
    fn sign(&mut self, shown: &'c EntriesShown, entry: i64) -> Option<String> {
        let (sign, locals) = shown.sign.as_ref()?;
        let rendered = self.framed(*locals, |machine| {
            machine.set_local(0, entry);
            machine.rendered(sign)
        });
        rendered.ok()
    }

    /// How the rules draw each of these values as entries of a state.
    pub(crate) fn signs(&mut self, state: usize, values: &[i64]) -> Option<Vec<String>> {
        let compiled = self.compiled;
        let Some(Shown::Entries(shown)) = &compiled.states[state].shown else {
            return None;
        };
        values
            .iter()
            .map(|value| self.sign(shown, *value))
            .collect()
    }

    /// The keys of a state that is drawn, row by row as its picture shows them.
    pub(crate) fn points(&mut self, state: usize) -> Option<Vec<Vec<i64>>> {
        let compiled = self.compiled;
        let state = &compiled.states[state];
        let (Some(Shown::Entries(shown)), Shape::Map { domain, .. }) = (&state.shown, &state.shape)
        else {
            return None;
        };
        let entries = self.entries(state, shown)?;
        let rows = arranged(&entries, shown.plane?).into_iter();
        let key = |entry: &Entry| domain.value(entry.index);
        Some(rows.map(|row| row.into_iter().map(key).collect()).collect())
    }

    /// The values that the entries of a state had when the game started.
    fn first_values(&mut self, index: usize) -> Option<Vec<i64>> {
        let Shape::Map { domain, slot, .. } = &self.compiled.states[index].shape else {
            return None;
        };
        // Initial values may speak of others: all are those of the start.
        let event = std::mem::replace(&mut self.event, 0);
        self.epoch += 1;
        let initial = self.new_value(index);
        self.event = event;
        self.epoch += 1;
        let start = at(initial.ok()?);
        let values = (0..domain.count).map(|index| self.read(start, index, *slot));
        Some(values.collect())
    }
}

impl Machine<'_> {
    /// The states that can be written, each with its name: a map on a grid as a picture of several lines.
    pub(crate) fn states_written(&mut self) -> Vec<(String, String)> {
        self.within_work(Self::each_written)
    }

    fn each_written(&mut self) -> Vec<(String, String)> {
        let compiled = self.compiled;
        let mut written = Vec::new();
        for state in &compiled.states {
            let unseen = self.unseen(state);
            let text = match &state.shown {
                _ if unseen.is_some() => unseen,
                None => None,
                Some(Shown::Whole(text)) => self
                    .framed(state.locals, |machine| machine.rendered(text))
                    .ok(),
                Some(Shown::Entries(shown)) => {
                    self.entries(state, shown).map(|entries| match shown.plane {
                        Some(plane) => {
                            drawn(&entries, plane).unwrap_or_else(|| joined(&entries, LINE))
                        }
                        None => joined(&entries, usize::MAX),
                    })
                }
            };
            written.extend(text.map(|text| (state.name.clone(), text)));
        }
        written
    }
}

impl Machine<'_> {
    /// The states that are maps on a grid, each with its name and its rows of points as a picture shows them: the name
    /// of each point and what is there, if something is.
    pub(crate) fn pictures(&mut self) -> Vec<(String, Vec<Vec<Point>>)> {
        self.within_work(Self::each_picture)
    }

    fn each_picture(&mut self) -> Vec<(String, Vec<Vec<Point>>)> {
        let compiled = self.compiled;
        let mut pictures = Vec::new();
        for state in &compiled.states {
            let Some(Shown::Entries(shown)) = &state.shown else {
                continue;
            };
            let Some(plane) = shown.plane else { continue };
            let Some(entries) = self.entries(state, shown) else {
                continue;
            };
            let point = |entry: &Entry| Point {
                name: entry.key.clone(),
                value: (entry.number != NONE).then(|| entry.value.clone()),
                sign: entry.sign.clone(),
            };
            let rows = arranged(&entries, plane).into_iter();
            let rows = rows.map(|row| row.into_iter().map(point).collect());
            pictures.push((state.name.clone(), rows.collect()));
        }
        pictures
    }
}

/// A point of a grid, and what is there.
pub(crate) struct Point {
    /// How it is written.
    pub(crate) name: String,
    /// What is there, as it is written.
    pub(crate) value: Option<String>,
    /// How the rules draw it, if they say so.
    pub(crate) sign: Option<String>,
}

/// The entries of a map on a grid, row by row, as people look at it.
fn arranged(entries: &[Entry], plane: Plane) -> Vec<Vec<&Entry>> {
    let mut rows: Vec<Vec<&Entry>> = Vec::new();
    for entry in entries {
        let row = entry.index / plane.columns.max(1);
        match rows.last_mut() {
            Some(last) if last[0].index / plane.columns.max(1) == row => last.push(entry),
            _ => rows.push(vec![entry]),
        }
    }
    if plane.rows_up {
        rows.reverse();
    }
    if plane.columns_up {
        for row in &mut rows {
            row.reverse();
        }
    }
    rows
}

/// Entries as a picture, each line after the name of its first point. Signs of one character stand side by side. Nothing
/// where it would be too large.
fn drawn(entries: &[Entry], plane: Plane) -> Option<String> {
    let rows = arranged(entries, plane);
    let cell = |entry: &Entry| match (&entry.sign, entry.number) {
        (Some(sign), _) => sign.clone(),
        (None, NONE) => ".".to_string(),
        (None, _) => entry.value.clone(),
    };
    let length = |text: &str| text.chars().count();
    let widest = entries.iter().map(|entry| length(&cell(entry))).max();
    let names = rows.iter().map(|row| length(&row[0].key)).max();
    let (widest, names) = (widest.unwrap_or(0), names.unwrap_or(0));
    if entries.len() * widest + rows.len() * names > LARGEST_PICTURE {
        return None;
    }
    let close = widest == 1 && entries.iter().all(|entry| entry.sign.is_some());
    let between = if close { "" } else { " " };
    let mut lines = Vec::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .map(|entry| padded(&cell(entry), widest))
            .collect();
        let line = format!("{}  {}", padded(&row[0].key, names), cells.join(between));
        lines.push(line.trim_end().to_string());
    }
    Some(lines.join("\n"))
}

/// A text with blanks behind it. A width in a format may not be as great as a name.
fn padded(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(blanks))
}

fn or_nothing(written: String) -> String {
    if written.is_empty() {
        NOTHING.into()
    } else {
        written
    }
}

/// An entry of a map, and how it is written.
struct Entry {
    index: usize,
    number: i64,
    /// Whether whoever looks does not see it.
    hidden: bool,
    key: String,
    value: String,
    sign: Option<String>,
}

/// `Ann 3 Ben 0`, or `1: 3, 2: 0` where the keys are not plain names; not much longer than `longest`.
fn joined(entries: &[Entry], longest: usize) -> String {
    let plain = |key: &str| {
        key.chars()
            .all(|letter| letter.is_alphabetic() || letter == '_')
    };
    let (between, after) = if entries.iter().all(|entry| plain(&entry.key)) {
        (" ", " ")
    } else {
        (": ", ", ")
    };
    let (mut line, mut length) = (String::new(), 0);
    for (told, entry) in entries.iter().enumerate() {
        let more = if line.is_empty() { "" } else { after };
        let next = format!("{more}{}{between}{}", entry.key, entry.value);
        length += next.chars().count();
        if !line.is_empty() && length > longest {
            // Nobody is to take what is left out for what has not changed.
            let _ = write!(line, "{after}… and {} more", entries.len() - told);
            break;
        }
        line.push_str(&next);
    }
    line
}
