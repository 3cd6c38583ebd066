//! The rule book of a game: the rules, in the order in which readers ask for them. Everything that is said about the
//! game comes from the rule file; only the connecting words are written here.

mod chapters;
mod comments;
mod expressions;
mod phrases;

use std::collections::BTreeMap;

use super::{Game, GameOption, Hole, Takes, load::plain};
use crate::syntax::{
    ast::{Header, Item},
    print,
};
use chapters::Writer;

/// The number of lines that are made up before a game begins.
const MOST_LINES: usize = 8;

/// The rule book of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    /// The game's title.
    pub title: String,
    /// The name of the game and of the variants.
    pub name: String,
    /// The titles of the variants, each with its author's comment.
    pub variants: Vec<(String, Vec<String>)>,
    /// The book that the rules follow, if the author cites one.
    pub cites: Option<String>,
    /// The author's comment on the game, by lines.
    pub about: Vec<String>,
    /// What the variants change.
    pub changes: Vec<Changed>,
    /// The chapters. None is empty.
    pub chapters: Vec<Chapter>,
}

/// A chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// Its title.
    pub title: String,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part of a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A heading.
    Heading(String),
    /// A sentence.
    Sentence(Entry),
    /// A point of a list.
    Point(Entry),
    /// A table.
    Table {
        /// The headings of the columns.
        head: Vec<String>,
        /// Its rows.
        rows: Vec<Entry>,
    },
    /// A picture of a position, from the top row down.
    Picture {
        /// Its title.
        title: String,
        /// The sign on each point; `None` for an empty one.
        rows: Vec<Vec<Option<String>>>,
    },
}

/// A sentence, a list item or a table row, with its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Identifies it in the game and its variants.
    pub(super) path: String,
    /// Its words; a table row has several cells.
    pub cells: Vec<Vec<Words>>,
    /// Its level in a nested list.
    pub level: usize,
    /// The citation of its rule.
    pub cites: Option<String>,
    /// Its place in the rules.
    pub place: Place,
    /// How a variant changed it.
    pub change: Option<Change>,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// Words.
    Plain(String),
    /// A name of the rules, to be emphasised.
    Name(String),
    /// Source code of the rules.
    Code(String),
}

/// The place that a sentence comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The rule file.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// The source at that place.
    pub text: String,
}

/// How a variant changed a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    New,
    /// It replaces these cells of the game's book.
    Instead(Vec<Vec<Words>>),
}

/// An entry in the list of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The title of the chapter.
    pub chapter: String,
    /// For a row of a table: what the table is of.
    pub of: Option<String>,
    /// The sentence: new, changed, or removed from the game.
    pub entry: Entry,
    /// Whether it was removed.
    pub gone: bool,
}

impl Game {
    /// The rule book of the game, with the changes that its variants make.
    ///
    /// ```
    /// use referee::{game::Game, library::Library};
    ///
    /// let game = Game::load(&Library::shipped(), "connect-four", &[])?;
    /// let book = game.book();
    /// assert_eq!(book.title, "Connect Four");
    /// assert!(book.chapters.iter().any(|chapter| chapter.title == "How it ends"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn book(&self) -> Book {
        let mut name = self.name().to_string();
        for variant in self.applied() {
            name.push('+');
            name.push_str(variant);
        }
        let variants = self.variants().into_iter();
        let titles = variants.filter(|variant| variant.applied);
        let cites = match &self.merged.file.header {
            Header::Game { cites, .. } | Header::Variant { cites, .. } => cites.as_ref(),
        };
        let mut chapters =
            Writer::new(&self.sources, &self.options()).book(&self.merged.file.items);
        self.picture(&mut chapters);
        let mut changes = Vec::new();
        if let Some(base) = &self.merged.base {
            let same = options_alike(&self.options(), base, &self.merged.file.items);
            let before = Writer::new(&self.sources, &same).book(base);
            changes = mark(&before, &mut chapters, chapters::EXAMPLES);
        }
        Book {
            title: self.title().to_string(),
            name,
            variants: titles
                .map(|variant| (variant.title, variant.meaning))
                .collect(),
            cites: cites.map(plain),
            about: comments::about(&self.sources, &self.merged.file.header),
            changes,
            chapters,
        }
    }
}

impl Chapter {
    /// Its entries, in order.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.parts.iter().flat_map(|part| match part {
            Part::Sentence(entry) | Part::Point(entry) => std::slice::from_ref(entry),
            Part::Table { rows, .. } => rows.as_slice(),
            Part::Heading(_) | Part::Picture { .. } => &[],
        })
    }

    /// For each of its entries, what the table is of that it is a row of, if it is one.
    fn owners(&self) -> Vec<Option<String>> {
        let mut heads: Vec<&Entry> = Vec::new();
        let mut owners = Vec::new();
        for part in &self.parts {
            let (level, entries): (_, &[Entry]) = match part {
                Part::Sentence(entry) | Part::Point(entry) => {
                    (entry.level, std::slice::from_ref(entry))
                }
                Part::Table { rows, .. } => (usize::MAX, rows),
                Part::Heading(_) | Part::Picture { .. } => continue,
            };
            heads.retain(|head| head.level < level);
            for entry in entries {
                let head = heads.last();
                let head = head.filter(|head| entry.path.starts_with(&head.path));
                owners.push(head.and_then(|head| head.subject()));
            }
            if let Part::Sentence(entry) | Part::Point(entry) = part {
                heads.push(entry);
            }
        }
        owners
    }

    fn entries_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.parts.iter_mut().flat_map(|part| match part {
            Part::Sentence(entry) | Part::Point(entry) => std::slice::from_mut(entry),
            Part::Table { rows, .. } => rows.as_mut_slice(),
            Part::Heading(_) | Part::Picture { .. } => &mut [],
        })
    }
}

impl Entry {
    /// What it begins with: the name of what it is about, if it begins so.
    fn subject(&self) -> Option<String> {
        match self.cells.first()?.as_slice() {
            [Words::Name(name), ..] => Some(name.clone()),
            [Words::Plain(article), Words::Name(name), ..] if !article.trim().contains(' ') => {
                Some(name.clone())
            }
            _ => None,
        }
    }

    /// Whether another says the same, be it as the only row of a table or as one of several.
    fn is_same(&self, other: &Entry) -> bool {
        self.cells == other.cells
            || self.place == other.place && rows_said(&self.cells) == rows_said(&other.cells)
    }

    /// Whether one of two is a row of a table, and the other is the same row and alone in it.
    fn is_same_row(&self, other: &Entry) -> bool {
        let is_row = |row: &Entry, alone: &Entry| {
            let label = row.path.strip_prefix(&alone.path);
            label.is_some_and(|label| label.starts_with('.'))
        };
        self.place == other.place && (is_row(self, other) || is_row(other, self))
    }

    /// A name for links: lower-case letters, digits and dashes.
    #[must_use]
    pub fn anchor(&self) -> String {
        let mut anchor = String::new();
        for sign in self.path.chars() {
            if sign.is_ascii_alphanumeric() {
                anchor.push(sign.to_ascii_lowercase());
            } else if !anchor.ends_with('-') {
                anchor.push('-');
            }
        }
        anchor
    }
}

/// What rows say behind their names.
fn rows_said(cells: &[Vec<Words>]) -> Vec<&[Words]> {
    let begins = |words: &Words| matches!(words, Words::Plain(plain) if plain.starts_with(": "));
    let said = cells.iter().map(|cell| {
        let start = cell.iter().position(begins);
        &cell[start.unwrap_or(0)..]
    });
    said.collect()
}

/// The options whose values are the same in the game and its variants: their definitions are the same, and those of the
/// options that they mention.
fn options_alike(options: &[GameOption], base: &[Item], items: &[Item]) -> Vec<GameOption> {
    let written = |items: &[Item]| -> BTreeMap<String, String> {
        let all = items.iter().filter_map(|item| match item {
            Item::Option(one) => Some((one.name.text.clone(), print::expression(&one.value))),
            _ => None,
        });
        all.collect()
    };
    let (before, after) = (written(base), written(items));
    let mut alike: Vec<GameOption> = options.to_vec();
    alike.retain(|option| {
        option.value == option.default && before.get(&option.name) == after.get(&option.name)
    });
    loop {
        let changed: Vec<&str> = options
            .iter()
            .map(|option| option.name.as_str())
            .filter(|name| !alike.iter().any(|option| option.name == *name))
            .collect();
        let speaks = |option: &GameOption| {
            let value = after.get(&option.name).map_or("", String::as_str);
            let mut words = value.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
            words.any(|word| changed.contains(&word))
        };
        let left: Vec<GameOption> = alike.iter().filter(|it| !speaks(it)).cloned().collect();
        if left.len() == alike.len() {
            return alike;
        }
        alike = left;
    }
}

/// Marks what is not in the earlier book, and lists all changes: first what is new or changed, then what was removed.
/// Examples are left out.
fn mark(before: &[Chapter], after: &mut [Chapter], examples: &str) -> Vec<Changed> {
    let rules = || before.iter().filter(|chapter| chapter.title != examples);
    // Rows of a table may share a name; then their texts decide.
    let mut old: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in rules().flat_map(Chapter::entries) {
        old.entry(&entry.path).or_default().push(entry);
    }
    let entries = || rules().flat_map(Chapter::entries);
    let now = after.iter().filter(|chapter| chapter.title != examples);
    let mut rows: Vec<Option<&Entry>> = Vec::new();
    for entry in now.flat_map(Chapter::entries) {
        let found = entries().find(|one| one.is_same_row(entry));
        if let Some(found) = found
            && let Some(alike) = old.get_mut(found.path.as_str())
        {
            alike.retain(|one| !std::ptr::eq(*one, found));
        }
        rows.push(found);
    }
    let mut rows = rows.into_iter();
    let mut take = |entry: &Entry| {
        if let Some(row) = rows.next().flatten() {
            return Some(row);
        }
        let alike = old.get_mut(entry.path.as_str())?;
        let same = alike.iter().position(|one| one.is_same(entry));
        (!alike.is_empty()).then(|| alike.remove(same.unwrap_or(0)))
    };
    let mut changes = Vec::new();
    for chapter in after.iter_mut().filter(|chapter| chapter.title != examples) {
        let title = chapter.title.clone();
        let owners = chapter.owners();
        for (entry, of) in chapter.entries_mut().zip(owners) {
            match take(entry) {
                Some(found) if found.is_same(entry) => continue,
                Some(found) => entry.change = Some(Change::Instead(found.cells.clone())),
                None => entry.change = Some(Change::New),
            }
            changes.push(Changed {
                chapter: title.clone(),
                of,
                entry: entry.clone(),
                gone: false,
            });
        }
    }
    for chapter in rules() {
        let all = chapter.entries().zip(chapter.owners());
        let gone = all.filter(|(entry, _)| {
            let left = old.get(entry.path.as_str());
            left.is_some_and(|left| left.iter().any(|one| std::ptr::eq(*one, *entry)))
        });
        changes.extend(gone.map(|(entry, of)| Changed {
            chapter: chapter.title.clone(),
            of,
            entry: entry.clone(),
            gone: true,
        }));
    }
    changes
}

impl Game {
    /// Adds pictures of the states that are maps on grids to the chapter about the beginning, if a game can start with
    /// made-up names and numbers.
    fn picture(&self, chapters: &mut [Chapter]) {
        let Some(chapter) = chapters
            .iter_mut()
            .find(|it| it.title == chapters::BEGINNING)
        else {
            return;
        };
        let Ok(mut session) = self.session(None, "book") else {
            return;
        };
        let mut names = 0;
        for _ in 0..MOST_LINES {
            if session.games() > 0 {
                break;
            }
            let Ok(expected) = session.expected() else {
                return;
            };
            let [expected] = expected.as_slice() else {
                return;
            };
            let mut line = expected.written.clone();
            for hole in &expected.holes {
                let Some(word) = made_up(hole, &mut names) else {
                    return;
                };
                line = line.replacen(&format!("<{}>", hole.name), &word, 1);
            }
            line.push('\n');
            if session.feed(&line).is_err() {
                return;
            }
        }
        for picture in session.pictures() {
            let rows = picture.rows.into_iter();
            chapter.parts.push(Part::Picture {
                title: phrases::in_words(&picture.state),
                rows: rows
                    .map(|row| row.into_iter().map(|cell| cell.value).collect())
                    .collect(),
            });
        }
    }
}

/// A made-up word for a hole.
fn made_up(hole: &Hole, names: &mut u32) -> Option<String> {
    if hole.several {
        return None;
    }
    Some(match &hole.takes {
        Takes::Word => {
            *names += 1;
            format!("N{names}")
        }
        Takes::Number { least, greatest } => (*least).max(1).min(*greatest).to_string(),
        Takes::Decimal { least, greatest } => least.as_ref().or(greatest.as_ref())?.clone(),
        Takes::OneOf(words) => words.first()?.clone(),
    })
}
