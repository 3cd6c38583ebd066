//! What could be written next.

use std::collections::BTreeSet;

use super::{Workspace, family::Family, symbol::Sort};
use crate::builtins;

/// Words that an item begins with.
const ITEMS: &str = "option use kind ring type grid write given state just round event on fact policy transcript limit example";

/// Words that an item of a variant begins with.
const CHANGES: &str = "set remove replace add except";

/// Words that a clause begins with.
const CLAUSES: &str = "fact illegal refuse impossible new begin report follows";

/// Words of types.
const TYPES: &str = "number text word yes/no set bag pile";

/// Words within expressions, rows and steps.
const WITHIN: &str = "and or not is in within else mod with without then but at the some no every has best sorted by where for \
                      highest lowest first any all sum union of when unless says cites new old previous after before yes none \
                      empty it start play until repeat times inline maybe expect legal over per chance referee weight wraps seen hidden restart rounded";

/// Words that can be no name, or would be read as something else.
pub(super) fn is_word(name: &str) -> bool {
    let words = [ITEMS, CHANGES, CLAUSES, WITHIN, "game variant"];
    words
        .iter()
        .any(|words| words.split_whitespace().any(|word| word == name))
}

/// Something that could be written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Completion {
    /// How near it is to what is meant: the lowest comes first.
    pub rank: u8,
    /// What is written.
    pub name: String,
    /// What it is.
    pub sort: Sort,
    /// Its type, or how it is written.
    pub detail: String,
    /// What its author says of it.
    pub meaning: String,
}

impl Workspace {
    /// What could be written at `offset`, the likely first. It may have been begun.
    #[must_use]
    pub fn completions(&self, file: &str, offset: usize) -> Vec<Completion> {
        let family = self.family(file);
        let document = &family.docs[family.at];
        let line = document
            .text
            .get(..offset)
            .unwrap_or("")
            .rsplit('\n')
            .next()
            .unwrap_or("");
        if line.trim_start().starts_with("--") || line.contains(" -- ") {
            return Vec::new();
        }
        // The word that comes before the one that is being written.
        let end = document
            .words
            .partition_point(|word| word.range.end < offset);
        let begun = document.words.get(end);
        let begun = begun.filter(|it| it.range.start < offset && it.range.end >= offset);
        let end = if begun.is_some_and(|it| !it.is_name && !it.is_text) {
            end + 1
        } else {
            end
        };
        let first = line
            .trim_start()
            .chars()
            .all(|it| it.is_alphanumeric() || it == '_');
        let before = end.checked_sub(1).map_or("", |at| document.word(at));
        let mut found = BTreeSet::new();
        let mut words = |words: &str, rank| {
            for word in words.split_whitespace() {
                found.insert(Completion {
                    rank,
                    name: word.to_string(),
                    sort: Sort::Keyword,
                    detail: String::new(),
                    meaning: String::new(),
                });
            }
        };
        let is_variant = document.header().is_some_and(|(_, of)| of.is_some());
        if first {
            let indented = line.starts_with([' ', '\t']);
            words(if indented { CLAUSES } else { ITEMS }, 1);
            if is_variant && !indented {
                words(CHANGES, 1);
            }
            if !indented {
                return found.into_iter().collect();
            }
        }
        if let Some(path) = path_before(line) {
            return paths(&family, &path);
        }
        let in_type = matches!(before, ":" | "->")
            || before == "of" && {
                let kind = end.checked_sub(2).map_or("", |at| document.word(at));
                matches!(kind, "set" | "bag" | "pile")
            };
        if in_type {
            words(TYPES, 1);
        }
        words(WITHIN, 6);
        found.extend(self.named(&family, end, offset, in_type));
        for entry in &builtins::TABLE {
            found.insert(Completion {
                rank: 5,
                name: entry.name.to_string(),
                sort: Sort::Builtin,
                detail: format!("{}: {}", entry.form(), entry.result),
                meaning: entry.doc.to_string(),
            });
        }
        let mut names = BTreeSet::new();
        found
            .into_iter()
            .filter(|one| names.insert((one.name.clone(), one.sort)))
            .collect()
    }

    /// The names that are known at `offset`, after which the word `end` begins.
    fn named(
        &self,
        family: &Family,
        end: usize,
        offset: usize,
        in_type: bool,
    ) -> BTreeSet<Completion> {
        let document = &family.docs[family.at];
        let mut found = BTreeSet::new();
        let around = end
            .checked_sub(1)
            .and_then(|at| Some((at, document.around(at)?.1)));
        let events = around.map_or(Vec::new(), |(at, clause)| {
            family.events(family.at, at, &clause)
        });
        let wanted = self.wanted(family, end);
        for one in family.known(family.at) {
            let symbol = family.symbol(one);
            let of_event = symbol.events.iter().any(|event| events.contains(event));
            let rank = match symbol.sort {
                Sort::Local => {
                    let known = one.0 == family.at
                        && symbol.range.start <= offset
                        && offset <= symbol.range.end + 1;
                    if !known {
                        continue;
                    }
                    2
                }
                Sort::Kind | Sort::Type if in_type => 0,
                Sort::Member
                    if wanted
                        .is_some_and(|it| symbol.paths == [format!("{it}.{}", symbol.name)]) =>
                {
                    0
                }
                Sort::EventField | Sort::Fact if of_event => 2,
                Sort::EventField
                | Sort::Row
                | Sort::Cell
                | Sort::Play
                | Sort::Example
                | Sort::Game => continue,
                Sort::Fact if !symbol.events.is_empty() => continue,
                Sort::Member => 4,
                _ => 3,
            };
            found.insert(Completion {
                rank,
                name: symbol.name.clone(),
                sort: symbol.sort,
                detail: self.type_of(family, one).unwrap_or_default(),
                meaning: symbol.meaning.clone(),
            });
        }
        found
    }

    /// The kind whose members are likely before the word `end`: that of what is compared with them.
    fn wanted<'f>(&self, family: &'f Family, end: usize) -> Option<&'f str> {
        let document = &family.docs[family.at];
        let mut at = end.checked_sub(1)?;
        while matches!(document.word(at), "not" | "{" | "=" | "," | "(") {
            at = at.checked_sub(1)?;
        }
        if matches!(document.word(at), "is" | "in") {
            at = at.checked_sub(1)?;
        }
        let mut found = family.meant(family.at, at);
        // `mode of x is`: what stands before the first `of` says what it is.
        while !found.is_empty() && at >= 2 && document.word(at - 1) == "of" {
            at -= 2;
            found = family.meant(family.at, at);
        }
        let ty = self.type_of(family, *found.first()?)?;
        let name = ty.trim_end_matches('?').rsplit(' ').next()?.to_string();
        let kinds = family.known(family.at).map(|one| family.symbol(one));
        let mut kinds = kinds.filter(|symbol| symbol.sort == Sort::Kind);
        kinds
            .find(|symbol| symbol.name == name)
            .map(|symbol| symbol.name.as_str())
    }
}

/// The path that is being written at the end of a line, as far as the last dot.
fn path_before(line: &str) -> Option<String> {
    let line = line.trim_start();
    let rest = ["replace ", "remove ", "except ", "add to "]
        .iter()
        .find_map(|it| line.strip_prefix(it))?;
    if rest.contains([' ', ':', '|', '=']) {
        return None;
    }
    Some(
        rest.rsplit_once('.')
            .map_or(String::new(), |(path, _)| format!("{path}.")),
    )
}

/// The next parts of paths that begin so, in what a variant changes.
fn paths(family: &Family, begun: &str) -> Vec<Completion> {
    let others = family.known(family.at).filter(|(doc, _)| *doc != family.at);
    let mut found = BTreeSet::new();
    for one in others {
        let symbol = family.symbol(one);
        for path in &symbol.paths {
            let Some(rest) = path.strip_prefix(begun) else {
                continue;
            };
            let (name, more) = rest
                .split_once('.')
                .map_or((rest, false), |(name, _)| (name, true));
            found.insert(Completion {
                rank: 1,
                name: name.to_string(),
                sort: if more { Sort::Event } else { symbol.sort },
                detail: format!("{begun}{name}"),
                meaning: if more {
                    String::new()
                } else {
                    symbol.meaning.clone()
                },
            });
        }
    }
    let mut names = BTreeSet::new();
    found
        .into_iter()
        .rev()
        .filter(|one| names.insert(one.name.clone()))
        .collect()
}
