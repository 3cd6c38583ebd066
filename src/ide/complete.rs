//! Completions.

use std::{collections::BTreeSet, ops::Range};

use super::{
    Workspace,
    document::Document,
    family::{Change, Family},
    symbol::Sort,
};
use crate::{
    builtins,
    resolve::{ALL_RESULTS, COMPASS},
    syntax::{Entry, Expected, NameContext, Word, expected_after},
};

/// Names of types that are not declared.
const TYPES: [&str; 3] = ["number", "text", "word"];

/// Words that begin items of variants.
const CHANGES: [&str; 5] = ["set", "remove", "replace", "add", "except"];

/// A completion.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Completion {
    /// Its rank: the lowest comes first.
    pub rank: u8,
    /// The text to insert.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// Its type or its form.
    pub detail: String,
    /// Its author's comment.
    pub meaning: String,
}

/// Which names to offer.
#[derive(Debug, Clone, Copy)]
enum Names {
    /// Values for an expression.
    Values,
    /// Declarations of these sorts.
    Only(&'static [Sort]),
    /// Games.
    Games,
    /// The other variants of the game.
    Variants,
    /// The rows next to which a change can add a row.
    Beside,
    /// The rows of what precedes the dot.
    RowsOf,
}

impl Workspace {
    /// The completions at `offset`, the likeliest first. The word may have been begun.
    #[must_use]
    pub fn completions(&self, file: &str, offset: usize) -> Vec<Completion> {
        let Some((family, offset)) = self.family_at(file, offset) else {
            return Vec::new();
        };
        let document = &family.docs[family.at];
        let text = document.text.get(..offset).unwrap_or("");
        let letters = text
            .bytes()
            .rev()
            .take_while(|it| it.is_ascii_alphanumeric() || *it == b'_');
        let (before, _) = text.split_at(text.len() - letters.count());
        let line = before.rsplit('\n').next().unwrap_or("");
        if let Some(path) = path_before(line) {
            let mut found = paths(&family, &path);
            if line == "replace " {
                found.extend(["limit", "type", "write"].map(|word| keyword(word, 1)));
            }
            return found;
        }
        let Some(expected) = document.expected_at(before) else {
            return Vec::new();
        };
        let is_first = line.trim_start().is_empty();
        let is_variant = document.header().is_some_and(|(_, of)| of.is_some());
        let rank = if is_first { 1 } else { 6 };
        let words = expected.words.iter().map(String::as_str);
        let words = words.filter(|word| is_variant || !line.is_empty() || !CHANGES.contains(word));
        let mut found: BTreeSet<Completion> = words.map(|word| keyword(word, rank)).collect();
        // The word before the one at the cursor.
        let end = document.word_at(before.len());
        let names = expected.name.and_then(|name| document.names(name, end));
        match names {
            None => {}
            Some(Names::Games) => found.extend(games(self.beside(file).names())),
            Some(Names::Variants) => {
                let game = document.header().and_then(|(_, of)| of);
                found.extend(games(self.beside(file).variants(game.unwrap_or(""))));
            }
            Some(Names::Beside) => found.extend(document.rows_beside(&family, end)),
            Some(Names::RowsOf) => found.extend(document.rows_of(&family, end)),
            Some(names) => {
                if expected.name == Some(NameContext::Type) {
                    found.extend(TYPES.map(|name| keyword(name, 1)));
                }
                if document.opens_section(end) {
                    found.insert(keyword("start", 1));
                }
                found.extend(self.named(&family, end, offset, names));
            }
        }
        if family.docs.iter().any(|it| it.has_grid()) {
            found.extend(directions(expected.name));
        }
        if matches!(
            expected.name,
            Some(NameContext::Expression | NameContext::Cell)
        ) {
            found.extend(document.holes(end).iter().map(|name| keyword(name, 1)));
            if document.writes(end) {
                found.insert(keyword("it", 0));
            }
            if document.is_outcome(end) {
                found.extend(ALL_RESULTS.map(|result| keyword(result, 0)));
            }
            found.extend(builtins::TABLE.iter().map(|entry| Completion {
                rank: 5,
                name: entry.name.to_string(),
                sort: Sort::Builtin,
                detail: format!("{}: {}", entry.form(), entry.result),
                meaning: entry.doc.to_string(),
            }));
        }
        let mut names = BTreeSet::new();
        found
            .into_iter()
            .filter(|one| names.insert((one.name.clone(), one.sort)))
            .collect()
    }

    /// The names that are visible at `offset`, after the word before `end`.
    fn named(
        &self,
        family: &Family,
        end: usize,
        offset: usize,
        names: Names,
    ) -> BTreeSet<Completion> {
        let document = &family.docs[family.at];
        let mut found = BTreeSet::new();
        let around = end
            .checked_sub(1)
            .and_then(|at| Some((at, document.around(at)?.1)));
        let events = around.as_ref().map_or(Vec::new(), |(at, clause)| {
            family.events(family.at, *at, clause)
        });
        let asks_impossible = document.word(end.max(1) - 1) == "impossible";
        let wanted = self.expected_kind(family, end);
        let item = document
            .before(end)
            .map_or(0, |(stretch, _)| stretch.words.start);
        let in_policy = document.word(item) == "policy";
        let in_begin = around
            .as_ref()
            .is_some_and(|(_, clause)| document.word(clause.start) == "begin");
        let changed = around.as_ref().and_then(|(at, _)| document.change(*at));
        for one in family.visible_declarations(family.at) {
            let symbol = family.symbol(one);
            let of_event = symbol.events.iter().any(|event| events.contains(event));
            let of_other = !symbol.events.is_empty() && !of_event;
            let rank = match (names, symbol.sort) {
                (Names::Only(sorts), sort) if !sorts.contains(&sort) => continue,
                (_, Sort::Row) if asks_impossible && !symbol.is_impossible() => continue,
                (_, Sort::Local) => {
                    let is_here = one.0 == family.at
                        && symbol.range.start <= offset
                        && offset <= symbol.range.end + 1;
                    let is_changed = |change: &Change| family.is_of(change, one);
                    if !is_here && !changed.as_ref().is_some_and(is_changed) {
                        continue;
                    }
                    2
                }
                (_, Sort::Member)
                    if wanted
                        .is_some_and(|it| symbol.paths == [format!("{it}.{}", symbol.name)]) =>
                {
                    0
                }
                (_, Sort::EventField | Sort::Fact) if of_event => 2,
                (_, Sort::Fact) if of_other => continue,
                (Names::Only(_), Sort::Member | Sort::Option)
                | (Names::Values, Sort::Kind | Sort::Type | Sort::Member) => 4,
                (Names::Only(_), _) => 0,
                (Names::Values, Sort::Event) if in_policy => 3,
                (Names::Values, Sort::Round) if in_begin => 3,
                (
                    _,
                    Sort::Event
                    | Sort::EventField
                    | Sort::Policy
                    | Sort::Round
                    | Sort::Transcript
                    | Sort::Row
                    | Sort::Cell
                    | Sort::Play
                    | Sort::Example
                    | Sort::Game,
                ) => continue,
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
}

impl Document {
    /// What the grammar expects after `before`, the start of the text. After a mistake in the same item, that is
    /// anything in an expression; in a comment or a text, nothing.
    fn expected_at(&self, before: &str) -> Option<Expected> {
        let place = before.len();
        let line = before.rsplit('\n').next().unwrap_or("");
        let is_first = line.trim_start().is_empty();
        if line.is_empty() {
            let mut expected = expected_after(Entry::Items, "")?;
            if self.header().is_none() {
                expected
                    .words
                    .extend(expected_after(Entry::File, "")?.words);
            }
            return Some(expected);
        }
        let start_of = |words: &Range<usize>| self.bytes(words).start;
        let mut stretches = self.stretches.iter().rev();
        let stretch = stretches.find(|stretch| start_of(&stretch.words) < place)?;
        let mut clauses = stretch.clauses.iter().rev();
        let clause = clauses.find(|clause| start_of(clause) < place);
        let (entry, words) = match (clause, self.word(stretch.words.start)) {
            (Some(clause), _) => (Entry::Clauses, clause),
            (None, "game" | "variant") => (Entry::File, &stretch.words),
            (None, _) => (Entry::Items, &stretch.words),
        };
        let begun = before.get(start_of(words)..)?;
        if let Some(mut expected) = expected_after(entry, begun) {
            if expected.may_end && !is_first {
                let next = expected_after(entry, "").map_or(BTreeSet::new(), |next| next.words);
                expected.words.retain(|word| !next.contains(word));
            }
            return Some(expected);
        }
        let within = |word: &&Word| word.range.start < place && place < word.range.end;
        let ends = self.words.iter().map(|word| word.range.end);
        let last = ends.filter(|end| *end <= place).max();
        let gap = before.get(last.unwrap_or(0)..).unwrap_or("");
        let is_comment = gap.rsplit('\n').next().is_some_and(|it| it.contains("--"));
        if is_comment || self.words.iter().find(within).is_some_and(|it| it.is_text) {
            return None;
        }
        let mut expected = expected_after(Entry::Items, "fact x = ")?;
        expected
            .words
            .extend(expected_after(Entry::Clauses, "report | x: y ")?.words);
        Some(expected)
    }

    /// The names that are possible at the word `end`.
    fn names(&self, name: NameContext, end: usize) -> Option<Names> {
        let before = end.checked_sub(1)?;
        let (stretch, _) = self.around(before)?;
        let item = self.word(stretch.words.start);
        let is_play = self.is_play(stretch);
        let sorts: &'static [Sort] = match (name, self.word(before)) {
            (NameContext::Expression | NameContext::Cell, _) => return Some(Names::Values),
            (NameContext::Type, _) => &[Sort::Kind, Sort::Type, Sort::Member, Sort::Option],
            (NameContext::Bound, _) => &[Sort::Option, Sort::Member, Sort::Given, Sort::Local],
            (NameContext::Attribute, _) => &[Sort::Member],
            (NameContext::Alone, "from") => return Some(Names::Games),
            (NameContext::Alone, "with" | "without" | ",") if item == "variant" => {
                return Some(Names::Variants);
            }
            (NameContext::Alone, "use" | ",") if item == "use" => {
                &[Sort::Kind, Sort::Type, Sort::Fact]
            }
            (NameContext::Alone, "of") if item == "variant" => return Some(Names::Games),
            (NameContext::Alone, "of") if item == "set" => &[Sort::Member],
            (NameContext::Alone, "before" | "after") if item == "add" => {
                return Some(Names::Beside);
            }
            (NameContext::Alone, "new") if self.starts_clause(before) => &[Sort::State],
            (NameContext::Alone, "new" | "old" | "previous") => {
                &[Sort::State, Sort::Given, Sort::Fact]
            }
            (NameContext::Alone, "on" | "as" | ",") if item == "on" => &[Sort::Event],
            (NameContext::Alone, "|") if is_play => &[Sort::Event],
            (NameContext::Alone, "=>") => &[Sort::Event],
            (NameContext::Alone, "when") if item == "example" => &[Sort::Event],
            (NameContext::Alone, ".") if item == "example" => return Some(Names::RowsOf),
            (NameContext::Alone, "(" | ",") if item == "replace" => &[Sort::Field, Sort::Local],
            (NameContext::Alone, "by") if is_play => &[Sort::Policy],
            (NameContext::Alone, "set") if item == "set" => &[Sort::Option, Sort::Attribute],
            (NameContext::Alone, "write") => &[Sort::Kind, Sort::Type, Sort::State],
            (NameContext::Alone, "type") => &[Sort::Kind, Sort::Type],
            (NameContext::Alone, "per") => &[Sort::Round],
            (NameContext::Alone, "in") if item == "round" => &[Sort::Round, Sort::Kind],
            (NameContext::Alone, "impossible") if item == "example" => &[Sort::Row],
            (NameContext::Alone, "given" | ",") if item == "example" => &[Sort::State, Sort::Given],
            // A declaration needs a new name.
            (NameContext::Alone, _) => return None,
        };
        Some(Names::Only(sorts))
    }

    /// The rows of the path before the word `end`, to which a change adds a row.
    fn rows_beside(&self, family: &Family, end: usize) -> Vec<Completion> {
        let around = self.before(end);
        let path = around.map_or(0..0, |(stretch, _)| self.path(stretch));
        let path = self.text.get(self.bytes(&path)).unwrap_or("");
        // The `play` of the unnamed transcript.
        let whole = if path == "play" {
            "transcript.play"
        } else {
            path
        };
        paths(family, &format!("{whole}."))
    }

    /// The rows of what precedes the dot before the word `end`.
    fn rows_of(&self, family: &Family, end: usize) -> Vec<Completion> {
        let owner = self.word(end.saturating_sub(2));
        let rows = family
            .visible_declarations(family.at)
            .map(|one| family.symbol(one));
        let rows = rows.filter(|row| row.sort == Sort::Row);
        let rows = rows.filter(|row| {
            let path = format!(".{owner}.{}", row.name);
            row.paths.iter().any(|it| format!(".{it}").ends_with(&path))
        });
        let rows = rows.map(|row| Completion {
            sort: Sort::Row,
            ..keyword(&row.name, 0)
        });
        rows.collect()
    }
}

/// The kind of directions and its members, if such a name is possible.
fn directions(name: Option<NameContext>) -> impl Iterator<Item = Completion> {
    use NameContext::{Attribute, Cell, Expression, Type};
    let kind = matches!(name, Some(Type | Expression)).then(|| Completion {
        sort: Sort::Kind,
        ..keyword("Compass", 4)
    });
    let are_members = matches!(name, Some(Attribute | Cell | Expression));
    let members = COMPASS.iter().filter(move |_| are_members);
    kind.into_iter().chain(members.map(|name| Completion {
        sort: Sort::Member,
        ..keyword(name, 4)
    }))
}

/// Games or variants.
fn games(names: Vec<String>) -> impl Iterator<Item = Completion> {
    names.into_iter().map(|name| Completion {
        sort: Sort::Game,
        ..keyword(&name, 0)
    })
}

/// A word without documentation.
fn keyword(word: &str, rank: u8) -> Completion {
    Completion {
        rank,
        name: word.to_string(),
        sort: Sort::Keyword,
        detail: String::new(),
        meaning: String::new(),
    }
}

/// The path at the end of a line, up to its last dot.
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

/// The next components of paths with this prefix, in what a variant changes.
fn paths(family: &Family, begun: &str) -> Vec<Completion> {
    let others = family
        .visible_declarations(family.at)
        .filter(|(doc, _)| *doc != family.at);
    let mut found = BTreeSet::new();
    let mut add = |path: &str, sort: Sort, meaning: &str| {
        let Some(rest) = path.strip_prefix(begun) else {
            return;
        };
        let (name, is_whole) = rest
            .split_once('.')
            .map_or((rest, true), |(name, _)| (name, false));
        found.insert(Completion {
            rank: 1,
            name: name.to_string(),
            sort: if is_whole { sort } else { Sort::Event },
            detail: format!("{begun}{name}"),
            meaning: if is_whole { meaning } else { "" }.to_string(),
        });
    };
    for one in others {
        let symbol = family.symbol(one);
        for path in &symbol.paths {
            add(path, symbol.sort, &symbol.meaning);
        }
    }
    for doc in family.visible(family.at) {
        let document = &family.docs[doc];
        for path in document.parts().iter().filter(|_| doc != family.at) {
            add(path, Sort::Row, "");
        }
    }
    let mut names = BTreeSet::new();
    found
        .into_iter()
        .rev()
        .filter(|one| names.insert(one.name.clone()))
        .collect()
}
