//! The state for messages: on one line, with the pictures that the rules draw below it.

use std::fmt::Write as _;

use super::{ALL_COUNTS, Machine, memory::at};
use crate::{
    code::{EntriesShown, NONE, Plane, Shape, Shown, State},
    diagnostic::StateShown,
};

/// The longest value of a state other than a map that messages show, in characters.
const LONGEST_STATE: usize = 60;

/// Shown for an empty collection or text.
const NOTHING: &str = "nothing";

/// Shown for a value that the viewer does not see, and its sign in a picture.
const HIDDEN: &str = "hidden";
const UNSEEN: &str = "?";

/// How many characters the entries of a map may take.
const LINE: usize = 120;

/// Maps with at most this many entries are shown in full, but for entries that are none.
const ALL_ENTRIES: usize = 16;

/// How many characters a picture may have. A larger one is shown as a line instead.
const LARGEST_PICTURE: usize = 1 << 16;

/// How many bytes the entries of a map may take. A map with more is not shown.
const ALL_WRITTEN: usize = 1 << 24;

/// Showing the state may take this fraction of an event's fuel.
const PART: u64 = 64;

impl<'c> Machine<'c> {
    /// The state on one line, with the states that the rules draw below it.
    pub(crate) fn state_line(&mut self) -> String {
        StateShown::line(&self.state_shown())
    }

    /// All states that can be shown, with their values.
    pub(crate) fn state_shown(&mut self) -> Vec<StateShown> {
        self.within_work(Self::each_state)
    }

    /// Runs `show` with fuel of its own: a fraction of what an event may take, and no more than the current event has
    /// left. All work counts, however light. The event's fuel is restored afterwards.
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

    /// What to show in place of a state that the viewer does not see.
    fn unseen(&mut self, state: &'c State) -> Option<String> {
        if !matches!(state.shown, Some(Shown::Whole(_))) || self.is_seen(state, 0) {
            return None;
        }
        let size = state.size.as_ref();
        let size = size.and_then(|size| self.framed_value(size, 0).ok());
        Some(size.map_or(HIDDEN.into(), |size| format!("{size} {HIDDEN}")))
    }

    /// Whether the viewer sees a state, or its entry with this key.
    pub(super) fn is_seen(&mut self, state: &'c State, key: i64) -> bool {
        let seen = state.seen.as_ref();
        seen.is_none_or(|seen| self.framed_value(seen, key).is_ok_and(|seen| seen != 0))
    }

    /// Whether the viewer may know that the current event is possible.
    pub(crate) fn is_offered(&mut self, event: usize) -> bool {
        let offered = self.compiled.events[event].offered.as_ref();
        offered.is_none_or(|offered| self.framed_value(offered, 0).is_ok_and(|is| is != 0))
    }

    /// A state as the rules draw it.
    fn picture(&mut self, state: &'c State) -> Option<String> {
        let Some(Shown::Entries(shown)) = &state.shown else {
            return None;
        };
        let plane = shown.plane.filter(|_| shown.sign.is_some())?;
        drawn(&self.entries(state, shown)?, plane)
    }

    /// The entries of a map: all if they are few and none is missing, else the significant ones, as far as they fit in
    /// a line.
    fn entries_line(&mut self, index: usize, shown: &'c EntriesShown) -> Option<String> {
        let state = &self.compiled.states[index];
        let entries = self.entries(state, shown)?;
        if shown.collection.is_some() {
            // What the viewer sees of every entry matters; otherwise, empty entries are left out.
            if state.seen.is_some() {
                return Some(joined(&entries, usize::MAX));
            }
            let all = joined(&entries, usize::MAX);
            if entries.len() <= ALL_ENTRIES && all.chars().count() <= LINE {
                return Some(all);
            }
            let significant = entries.into_iter().filter(|entry| entry.value != NOTHING);
            let significant = joined(&significant.collect::<Vec<_>>(), LINE);
            return Some(or_nothing(significant));
        }
        if !shown.optional && entries.len() <= ALL_ENTRIES {
            let all = joined(&entries, usize::MAX);
            if all.chars().count() <= LINE {
                return Some(all);
            }
        }
        let significant: Vec<Entry> = if shown.optional {
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
        Some(match (joined(&significant, LINE), shown.optional) {
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
                    format!("{} {HIDDEN}", self.framed_value(size, key).ok()?)
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
            // Everyone sees whether there is an entry at all.
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

    /// How the rules draw an entry, if they do.
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

    /// The keys of a drawn state, row by row as in its picture.
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

    /// The entries that a state had when the game started.
    fn first_values(&mut self, index: usize) -> Option<Vec<i64>> {
        let Shape::Map { domain, slot, .. } = &self.compiled.states[index].shape else {
            return None;
        };
        // Initial values may depend on each other: evaluate all as at the start.
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
    /// All states that can be written, with their names: a map on a grid as a picture of several lines.
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
    /// The states that are maps on a grid, each with its name and its rows of points as in its picture.
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

/// A point of a grid, with its entry.
pub(crate) struct Point {
    /// Its written form.
    pub(crate) name: String,
    /// The written form of its entry.
    pub(crate) value: Option<String>,
    /// How the rules draw its entry, if they do.
    pub(crate) sign: Option<String>,
}

/// The entries of a map on a grid, row by row from the top.
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

/// Draws entries, each line after the name of its first point. One-character signs stand side by side. Nothing if the
/// picture would be too large.
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

/// A text padded with blanks. (A width in a format string cannot be as large as a name can be long.)
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

/// An entry of a map in its written form.
struct Entry {
    index: usize,
    number: i64,
    /// Whether the viewer does not see it.
    hidden: bool,
    key: String,
    value: String,
    sign: Option<String>,
}

/// `Ann 3 Ben 0`, or `1: 3, 2: 0` where the keys are not plain names. Stops soon after `longest` characters.
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
    for (written, entry) in entries.iter().enumerate() {
        let more = if line.is_empty() { "" } else { after };
        let next = format!("{more}{}{between}{}", entry.key, entry.value);
        length += next.chars().count();
        if !line.is_empty() && length > longest {
            // Say that entries are missing, so that nobody takes them for unchanged.
            let _ = write!(line, "{after}… and {} more", entries.len() - written);
            break;
        }
        line.push_str(&next);
    }
    line
}
