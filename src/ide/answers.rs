//! The meaning of names, their declarations and their uses.

use std::{collections::BTreeMap, ops::Range};

use super::{
    Place, Workspace,
    family::{Family, Found},
    symbol::{Sort, Symbol},
};
use crate::builtins;

/// The number of lines of a declaration that a hover shows.
const LINES: usize = 8;

/// The hover of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The range of the name, in bytes.
    pub range: Range<usize>,
    /// The meaning of the name, in Markdown.
    pub text: String,
}

/// A call that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The form of the function, with its parameters.
    pub form: String,
    /// The range of each parameter in `form`, in bytes.
    pub parameters: Vec<Range<usize>>,
    /// The index of the argument that is being written, from 0.
    pub present: usize,
    /// What the function does.
    pub meaning: String,
}

impl Workspace {
    /// The meaning of the name at `offset`.
    #[must_use]
    pub fn hover(&self, file: &str, offset: usize) -> Option<Hover> {
        let (family, offset) = self.family_at(file, offset)?;
        let document = &family.docs[family.at];
        let word = document.name_at(offset)?;
        let range = family.place(family.at, &document.words[word].range)?.range;
        let found = family.candidates(family.at, word);
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
        let is_part = matches!(
            symbol.sort,
            Sort::Attribute | Sort::Field | Sort::EventField | Sort::Local
        );
        let Range { mut start, mut end } = symbol.range.clone();
        if is_part {
            // The lines of the item or clause that contains it.
            let at = document.word_at(symbol.place.start);
            let around = document
                .around(at)
                .map(|(_, clause)| document.bytes(&clause));
            let whole = around.unwrap_or(0..document.text.len());
            let (before, after) = document.text.split_at(symbol.place.end);
            let first = before.rfind('\n').map_or(0, |newline| newline + 1);
            let last = before.len() + after.find('\n').unwrap_or(after.len());
            start = first.max(whole.start);
            let rest = document
                .text
                .get(whole.end..last)
                .unwrap_or("")
                .trim_start();
            end = if rest.is_empty() || rest.starts_with("--") {
                last
            } else {
                whole.end
            };
        }
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

    /// The type of a declaration, if it has one.
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
            Sort::Local => self.bound_type(family, found),
            _ => None,
        }
    }

    /// The type of a variable that ranges over what follows `in`.
    fn bound_type(&self, family: &Family, found: Found) -> Option<String> {
        let document = &family.docs[found.0];
        let mut at = document.word_at(family.symbol(found).place.start) + 1;
        if document.word(at) != "in" {
            return None;
        }
        at += 1;
        if document.word(at + 1) == ".."
            || document
                .word(at)
                .starts_with(|it: char| it.is_ascii_digit())
        {
            let around = document.around(at)?.1;
            let range = document.type_after(at, around.end.min(at + 3));
            return range.contains("..").then_some(range);
        }
        if matches!(document.word(at), "new" | "old" | "previous" | "the") {
            at += 1;
        }
        let of = *family.candidates(found.0, at).first()?;
        let symbol = family.symbol(of);
        if matches!(symbol.sort, Sort::Kind | Sort::Type) {
            return Some(symbol.name.clone());
        }
        let ty = self.type_of(family, of)?;
        let (collection, element) = ty.split_once(" of ")?;
        let is_one = collection.ends_with("set")
            || collection.ends_with("pile")
            || collection.ends_with("bag");
        is_one.then(|| element.trim_end_matches('?').to_string())
    }

    /// The declarations of the name at `offset`.
    #[must_use]
    pub fn definitions(&self, file: &str, offset: usize) -> Vec<Place> {
        let Some((family, offset)) = self.family_at(file, offset) else {
            return Vec::new();
        };
        let document = &family.docs[family.at];
        let Some(word) = document.name_at(offset) else {
            return Vec::new();
        };
        let found = family.candidates(family.at, word).into_iter();
        let places = found.filter_map(|found| family.place(found.0, &family.symbol(found).place));
        places.collect()
    }

    /// The uses and declarations of the name at `offset` in the game and its variants.
    #[must_use]
    pub fn references(&self, file: &str, offset: usize) -> Vec<Place> {
        let Some((family, offset)) = self.family_with_users_at(file, offset) else {
            return Vec::new();
        };
        Workspace::uses(&family, offset, |found, meant| {
            meant.iter().any(|one| found.contains(one))
        })
    }

    /// The places of the name at `offset`, where its possible meanings pass `test`.
    pub(super) fn uses(
        family: &Family,
        offset: usize,
        test: impl Fn(&[Found], &[Found]) -> bool,
    ) -> Vec<Place> {
        let document = &family.docs[family.at];
        let Some(word) = document.name_at(offset) else {
            return Vec::new();
        };
        let found = family.candidates(family.at, word);
        let mut places = Vec::new();
        for (doc, other) in family.docs.iter().enumerate() {
            for index in 0..other.words.len() {
                if other.word(index) == document.word(word)
                    && test(&found, &family.candidates(doc, index))
                {
                    places.extend(family.place(doc, &other.words[index].range));
                }
            }
        }
        places
    }

    /// The name and range of the declaration at `offset`, for removing it if nothing uses it: whole lines, if they
    /// contain nothing else. Something that another item changes cannot be removed.
    #[must_use]
    pub fn removable(&self, file: &str, offset: usize) -> Option<(String, Range<usize>)> {
        let text = self.text(file)?;
        let document = self.document(file, &text);
        let mut symbols = document.symbols.iter();
        let symbol = symbols.find(|symbol| {
            let is_such = matches!(
                symbol.sort,
                Sort::Fact | Sort::Option | Sort::Kind | Sort::Type
            );
            is_such && symbol.place.start == offset
        })?;
        let (before, after) = (
            text.get(..symbol.range.start)?,
            text.get(symbol.range.end..)?,
        );
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let rest = after.split_inclusive('\n').next().unwrap_or("");
        let is_alone = before.get(line..)?.trim().is_empty()
            && (rest.trim().is_empty() || rest.trim_start().starts_with("--"));
        let range = if is_alone {
            line..symbol.range.end + rest.len()
        } else {
            symbol.range.clone()
        };
        Some((symbol.name.clone(), range))
    }

    /// The declarations of a file, except variables.
    #[must_use]
    pub fn symbols(&self, file: &str) -> Vec<Symbol> {
        let text = self.text(file).unwrap_or_default();
        let symbols = self.document(file, &text).symbols.clone().into_iter();
        let own = symbols.filter(|it| !matches!(it.sort, Sort::Local | Sort::Cell | Sort::Play));
        own.collect()
    }

    /// The ranges of a file's items, sections and comment blocks, in bytes.
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

    /// Inlay hints, each with the offset that it follows: the types of facts that do not declare theirs, and the
    /// original values of options that a variant sets.
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
            let end = symbol.place.end + text.get(..equals)?.trim_end().len();
            Some((end, format!(": {ty}")))
        });
        let set = document.stretches.iter().filter_map(|stretch| {
            let Range { start, end } = stretch.words;
            if document.word(start) != "set" || document.word(start + 2) != "=" {
                return None;
            }
            let mut meant = family.candidates(family.at, start + 1).into_iter();
            let option = meant.find(|found| family.symbol(*found).sort == Sort::Option)?;
            let declared = family.docs[option.0]
                .text
                .get(family.symbol(option).range.clone())?;
            let (_, value) = declared.split_once('=')?;
            let end = document.bytes(&(start..end)).end;
            Some((end, format!(" instead of {}", value.trim())))
        });
        hints.chain(set).collect()
    }

    /// Every name in a file, in order, with its sort; built-ins, too.
    #[must_use]
    pub fn names(&self, file: &str) -> Vec<(Range<usize>, Sort)> {
        let family = self.family(file);
        let document = &family.docs[family.at];
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for symbol in family
            .visible_declarations(family.at)
            .map(|found| family.symbol(found))
        {
            *known.entry(&symbol.name).or_default() += 1;
        }
        let mut names = Vec::new();
        for index in (0..document.words.len()).filter(|index| document.words[*index].is_name) {
            let word = document.word(index);
            let found = match known.get(word) {
                Some(_) => family.candidates(family.at, index),
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
        let end = document.word_at(offset);
        let (name, present) = document.open_call(end)?;
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
        if let Some(found) = family.candidates(family.at, name).first() {
            let symbol = family.symbol(*found);
            let parameters = family.parameters(*found).into_iter();
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

/// The citations of a declaration after the name of the book; `None` if there are none.
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

/// The documentation of a built-in, in Markdown.
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
