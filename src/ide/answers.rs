//! What a name means, where it is declared and where it is used.

use std::{collections::BTreeMap, ops::Range};

use super::{
    Place, Workspace,
    family::{Family, Found},
    symbol::{Sort, Symbol},
};
use crate::{
    builtins,
    diagnostic::{Data, Severity},
    library::Library,
};

/// How many lines of a declaration are shown.
const LINES: usize = 8;

/// What is shown of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The bytes of the name.
    pub range: Range<usize>,
    /// What it means, in Markdown.
    pub text: String,
}

/// A call that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// How it is written, with its parameters.
    pub form: String,
    /// The bytes of each parameter in that.
    pub parameters: Vec<Range<usize>>,
    /// The argument that is being written, from 0.
    pub present: usize,
    /// What it does.
    pub meaning: String,
}

impl Workspace {
    /// What the name at `offset` means.
    #[must_use]
    pub fn hover(&self, file: &str, offset: usize) -> Option<Hover> {
        let family = self.family(file);
        let document = &family.docs[family.at];
        let word = document.name_at(offset)?;
        let range = document.words[word].range.clone();
        let found = family.meant(family.at, word);
        let shown: Vec<String> = found
            .iter()
            .take(3)
            .map(|one| self.shown(&family, *one))
            .collect();
        if shown.is_empty() {
            let text = builtin(document.word(word))?;
            return Some(Hover { range, text });
        }
        Some(Hover {
            range,
            text: shown.join("\n\n---\n\n"),
        })
    }

    /// A declaration, in Markdown.
    fn shown(&self, family: &Family, found: Found) -> String {
        let symbol = family.symbol(found);
        let document = &family.docs[found.0];
        let start = match symbol.sort {
            Sort::Attribute | Sort::Field | Sort::EventField | Sort::Local => {
                let before = document.text.get(..symbol.place.start).unwrap_or("");
                before.rfind('\n').map_or(0, |newline| newline + 1)
            }
            _ => symbol.range.start,
        };
        let end = match symbol.sort {
            Sort::Attribute | Sort::Field | Sort::EventField | Sort::Local => {
                let after = document.text.get(symbol.place.end..).unwrap_or("");
                symbol.place.end + after.find('\n').unwrap_or(after.len())
            }
            _ => symbol.range.end,
        };
        let text = document.text.get(start..end).unwrap_or("").trim();
        let mut lines: Vec<&str> = text.lines().take(LINES).collect();
        if text.lines().count() > LINES {
            lines.push("…");
        }
        let mut parts = vec![format!("```referee\n{}\n```", lines.join("\n"))];
        if let Some(ty) = self.type_of(family, found) {
            parts.push(format!("`{}`: `{ty}`", symbol.name));
        }
        if !symbol.meaning.is_empty() {
            parts.push(symbol.meaning.clone());
        }
        let cited = cited(family, found);
        if !cited.is_empty() {
            parts.push(format!("follows {cited}"));
        }
        if found.0 != family.at {
            let before = document.text.get(..symbol.place.start).unwrap_or("");
            let line = before.matches('\n').count() + 1;
            let name = document.name.rsplit(['/', '\\']).next().unwrap_or("");
            parts.push(format!("{name}, line {line}"));
        }
        parts.join("\n\n")
    }

    /// The type of what is declared, where it has one.
    pub(super) fn type_of(&self, family: &Family, found: Found) -> Option<String> {
        let symbol = family.symbol(found);
        if !symbol.ty.is_empty() {
            return Some(symbol.ty.clone());
        }
        let files = [family.at, found.0, 0].map(|doc| family.docs[doc].name.as_str());
        match symbol.sort {
            Sort::Fact => self
                .fact_type(&files, symbol.paths.first()?)
                .map(str::to_string),
            _ => None,
        }
    }

    /// Where the name at `offset` is declared.
    #[must_use]
    pub fn definitions(&self, file: &str, offset: usize) -> Vec<Place> {
        let family = self.family(file);
        let document = &family.docs[family.at];
        let Some(word) = document.name_at(offset) else {
            return Vec::new();
        };
        let found = family.meant(family.at, word).into_iter();
        let places = found.map(|found| Place {
            file: family.docs[found.0].name.clone(),
            range: family.symbol(found).place.clone(),
        });
        places.collect()
    }

    /// Where the name at `offset` is used in the game and its variants, and declared.
    #[must_use]
    pub fn references(&self, file: &str, offset: usize) -> Vec<Place> {
        let family = Family::with_users(self, file);
        Workspace::uses(&family, offset, |found, meant| {
            meant.iter().any(|one| found.contains(one))
        })
    }

    /// The places of the name at `offset`, where what a word may mean passes `test`.
    fn uses(
        family: &Family,
        offset: usize,
        test: impl Fn(&[Found], &[Found]) -> bool,
    ) -> Vec<Place> {
        let document = &family.docs[family.at];
        let Some(word) = document.name_at(offset) else {
            return Vec::new();
        };
        let found = family.meant(family.at, word);
        let mut places = Vec::new();
        for (doc, other) in family.docs.iter().enumerate() {
            for index in 0..other.words.len() {
                if other.word(index) == document.word(word)
                    && test(&found, &family.meant(doc, index))
                {
                    let range = other.words[index].range.clone();
                    let file = other.name.clone();
                    places.push(Place { file, range });
                }
            }
        }
        places
    }

    /// The places of the name at `offset` that are to read `name` instead.
    ///
    /// # Errors
    /// Why it cannot be renamed.
    pub fn rename(&self, file: &str, offset: usize, name: &str) -> Result<Vec<Place>, String> {
        let family = Family::with_users(self, file);
        let document = &family.docs[family.at];
        let word = document.name_at(offset).ok_or("there is no name here")?;
        let old = document.word(word);
        let found = family.meant(family.at, word);
        let [one] = found.as_slice() else {
            return Err(match found.len() {
                0 => format!("`{old}` is not declared in these files"),
                _ => {
                    format!("`{old}` is declared several times, and only types tell which is meant")
                }
            });
        };
        if !crate::syntax::is_free_name(name) {
            return Err(format!("`{name}` cannot be a name"));
        }
        if family.symbol(*one).sort == Sort::Game {
            return Err("the name of a game or variant is that of its file: rename both".into());
        }
        if one.0 >= family.own || !self.is_file(&family.docs[one.0].name) {
            let place = &family.docs[one.0].name;
            return Err(format!(
                "`{old}` is declared in `{place}`, which other games use too"
            ));
        }
        let taken = family
            .docs
            .iter()
            .take(family.own)
            .flat_map(|doc| &doc.symbols);
        if taken
            .clone()
            .any(|symbol| symbol.name == name && symbol.sort != Sort::Row)
        {
            return Err(format!("there is a `{name}` already"));
        }
        let places = Workspace::uses(&family, offset, |found, meant| meant == found);
        match self.broken(&family, &places, name) {
            None => Ok(places),
            Some(wrong) => Err(format!("`{old}` cannot be renamed: {wrong}")),
        }
    }

    /// The first error that `name` in some places would cause in a file that has none now.
    fn broken(&self, family: &Family, places: &[Place], name: &str) -> Option<String> {
        let mut library = self.library.clone();
        for document in &family.docs {
            let mut text = document.text.clone();
            let own = places.iter().filter(|place| place.file == document.name);
            let mut ranges: Vec<_> = own.map(|place| place.range.clone()).collect();
            ranges.sort_by_key(|range| std::cmp::Reverse(range.start));
            for range in ranges {
                text.replace_range(range, name);
            }
            if text != document.text {
                library.insert(&document.name, text);
            }
        }
        let kept = family.docs.iter().enumerate();
        let mut kept = kept.filter(|(at, _)| *at < family.own || *at >= family.users);
        kept.find_map(|(_, document)| {
            let file = &document.name;
            let Data {
                message, labels, ..
            } = first_error(&library, file)?;
            if first_error(&self.library, file).is_some() {
                return None;
            }
            let place = labels.first().map_or_else(String::new, |place| {
                format!(" in line {} of `{}`", place.start.line, place.file)
            });
            Some(format!("{message}{place}"))
        })
    }

    /// What a file declares, but for variables.
    #[must_use]
    pub fn symbols(&self, file: &str) -> Vec<Symbol> {
        let text = self.text(file).unwrap_or_default();
        let symbols = self.document(file, &text).symbols.clone().into_iter();
        let own = symbols.filter(|it| !matches!(it.sort, Sort::Local | Sort::Cell | Sort::Play));
        own.collect()
    }

    /// The bytes of the items and sections of a file, and of its blocks of comments.
    #[must_use]
    pub fn folds(&self, file: &str) -> Vec<Range<usize>> {
        let text = self.text(file).unwrap_or_default();
        let document = self.document(file, &text);
        let mut folds = Vec::new();
        for stretch in &document.stretches {
            folds.push(document.bytes(&stretch.words));
            folds.extend(stretch.clauses.iter().map(|clause| document.bytes(clause)));
        }
        let (mut at, mut open) = (0, None);
        for line in text.split_inclusive('\n') {
            let start = *open.get_or_insert(at);
            at += line.len();
            if !line.trim_start().starts_with("--") {
                folds.push(start..at - line.len());
                open = None;
            }
        }
        folds.retain(|fold| {
            text.get(fold.clone())
                .is_some_and(|it| it.trim_end().contains('\n'))
        });
        folds
    }

    /// The types of facts that do not say theirs, each after the byte where it could be written.
    #[must_use]
    pub fn hints(&self, file: &str) -> Vec<(usize, String)> {
        let family = self.family(file);
        let document = &family.docs[family.at];
        let facts = document.symbols.iter().enumerate();
        let facts = facts.filter(|(_, it)| it.sort == Sort::Fact && it.ty.is_empty());
        let hints = facts.filter_map(|(at, symbol)| {
            let ty = self.type_of(&family, (family.at, at))?;
            let text = document.text.get(symbol.place.end..symbol.range.end)?;
            let equals = text.find('=')?;
            Some((symbol.place.end + text.get(..equals)?.trim_end().len(), ty))
        });
        hints.collect()
    }

    /// What each name of a file is, in order; built-ins too.
    #[must_use]
    pub fn names(&self, file: &str) -> Vec<(Range<usize>, Sort)> {
        let family = self.family(file);
        let document = &family.docs[family.at];
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for symbol in family.known(family.at).map(|found| family.symbol(found)) {
            *known.entry(&symbol.name).or_default() += 1;
        }
        let mut names = Vec::new();
        for index in (0..document.words.len()).filter(|index| document.words[*index].is_name) {
            let word = document.word(index);
            let found = match known.get(word) {
                Some(_) => family.meant(family.at, index),
                None => Vec::new(),
            };
            let range = document.words[index].range.clone();
            let first = found.first().map(|found| family.symbol(*found).sort);
            let sort = first.or_else(|| builtin(word).map(|_| Sort::Builtin));
            names.extend(sort.map(|sort| (range, sort)));
        }
        names
    }

    /// The call around `offset`.
    #[must_use]
    pub fn call(&self, file: &str, offset: usize) -> Option<Call> {
        let family = self.family(file);
        let document = &family.docs[family.at];
        let end = document
            .words
            .partition_point(|word| word.range.start < offset);
        let (mut depth, mut present) = (0_usize, 0);
        let open = (0..end).rev().take(500).find(|at| {
            match document.word(*at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth == 0 => return true,
                "(" | "[" | "{" => depth -= 1,
                "," if depth == 0 => present += 1,
                _ => {}
            }
            false
        })?;
        let name = open
            .checked_sub(1)
            .filter(|name| document.words[*name].is_name)?;
        if document.word(open) != "(" {
            return None;
        }
        let call = |name: &str, parameters: Vec<String>, meaning: String| {
            let mut form = format!("{name}(");
            let mut places = Vec::new();
            for (index, parameter) in parameters.iter().enumerate() {
                form += if index > 0 { ", " } else { "" };
                places.push(form.len()..form.len() + parameter.len());
                form += parameter;
            }
            form.push(')');
            Call {
                form,
                parameters: places,
                present,
                meaning,
            }
        };
        if let Some(found) = family.meant(family.at, name).first() {
            let symbol = family.symbol(*found);
            let within = |one: &&Symbol| match symbol.sort {
                Sort::Type => one.sort == Sort::Field && one.events.contains(&symbol.name),
                Sort::Event => one.sort == Sort::EventField && one.events.contains(&symbol.name),
                _ => one.sort == Sort::Local && one.range == symbol.range && !one.ty.is_empty(),
            };
            let parameters = family.docs[found.0].symbols.iter().filter(within);
            let parameters = parameters
                .map(|one| format!("{}: {}", one.name, one.ty))
                .collect();
            return Some(call(&symbol.name, parameters, symbol.meaning.clone()));
        }
        let entry = builtins::applied(document.word(name)).max_by_key(|it| it.parameters.len())?;
        let parameters = entry.parameters.iter();
        let parameters = parameters
            .map(|it| format!("{}: {}", it.name, it.pattern))
            .collect();
        Some(call(entry.name, parameters, entry.doc.to_string()))
    }
}

/// The places of a book that a declaration cites, after the name of the book; nothing where it cites none.
fn cited(family: &Family, found: Found) -> String {
    let symbol = family.symbol(found);
    if matches!(symbol.sort, Sort::Local | Sort::Field | Sort::EventField) {
        return String::new();
    }
    let places = |doc: usize, range: &Range<usize>| -> Vec<String> {
        let document = &family.docs[doc];
        let words = document.words.iter().enumerate();
        let cites = words.filter(|(index, word)| {
            range.contains(&word.range.start) && document.word(*index) == "cites"
        });
        let mut places: Vec<String> = Vec::new();
        for (index, _) in cites {
            let place = document.word(index + 1).trim_matches(['"', '\'']);
            if !place.is_empty() && !places.iter().any(|known| known == place) {
                places.push(place.to_string());
            }
        }
        places
    };
    let mut told = places(found.0, &symbol.range);
    if symbol.sort != Sort::Game && !told.is_empty() {
        let head = family.docs[found.0].symbols.iter();
        let head = head.filter(|head| head.sort == Sort::Game);
        let book = head.flat_map(|head| places(found.0, &head.range)).next();
        told.splice(0..0, book);
    }
    told.join(", ")
}

/// What is said of a built-in, in Markdown.
fn builtin(name: &str) -> Option<String> {
    let entries: Vec<String> = builtins::TABLE
        .iter()
        .filter(|entry| entry.name == name)
        .map(|entry| {
            let (example, value) = entry.example;
            format!(
                "```referee\n{}: {}\n```\n\n{}\n\n`{example}` is `{value}`",
                entry.form(),
                entry.result,
                entry.doc
            )
        })
        .collect();
    (!entries.is_empty()).then(|| entries.join("\n\n---\n\n"))
}

/// The first error of a rule file, or of one of its examples.
fn first_error(library: &Library, file: &str) -> Option<Data> {
    let mut workspace = Workspace::new(library.clone());
    let mut found = workspace.check(file).into_iter();
    found.find(|one| one.severity == Severity::Error)
}
