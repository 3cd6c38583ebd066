//! A game with its variants and what they use, and what a name means there.

use std::{collections::BTreeMap, ops::Range, rc::Rc};

use super::{Workspace, document::Document, symbol::Sort, symbol::Symbol};
use crate::syntax::Stretch;

/// A file, its game, all variants of that, the games that they use, and perhaps those that use the game.
pub(super) struct Family {
    /// The game, its variants, the games that these use, and the games that use this one.
    pub(super) docs: Vec<Rc<Document>>,
    /// How many of them are the game and its variants.
    pub(super) own: usize,
    /// Where the games begin that use this one.
    pub(super) users: usize,
    /// The file that was asked about.
    pub(super) at: usize,
    /// The declarations by name.
    by_name: BTreeMap<String, Vec<Found>>,
}

/// A declaration: which document, and which of its symbols.
pub(super) type Found = (usize, usize);

impl Family {
    pub(super) fn find(workspace: &Workspace, file: &str) -> Family {
        let library = workspace.beside(file);
        let text = workspace.text(file).unwrap_or_default();
        let asked = workspace.document(file, &text);
        let mut docs: Vec<Rc<Document>> = Vec::new();
        let mut add = |name: &str, text: &str| {
            if !docs.iter().any(|document| document.name == name) {
                docs.push(workspace.document(name, text));
            }
        };
        let game = match asked.header() {
            Some((_, Some(of))) => {
                if let Ok(found) = library.find(of) {
                    add(&found.name, &found.text);
                }
                of.to_string()
            }
            Some((name, None)) => {
                add(file, &text);
                name.to_string()
            }
            None => String::new(),
        };
        add(file, &text);
        for variant in library.variants(&game) {
            if let Ok(found) = library.find_variant(&game, &variant) {
                add(&found.name, &found.text);
            }
        }
        let own = docs.len();
        let used: Vec<String> = docs.iter().flat_map(|document| document.uses()).collect();
        for name in used {
            if let Ok(found) = library.find(&name)
                && !docs.iter().any(|document| document.name == found.name)
            {
                docs.push(workspace.document(&found.name, &found.text));
            }
        }
        let at = docs.iter().position(|document| document.name == file);
        let mut family = Family {
            users: docs.len(),
            docs,
            own,
            at: at.unwrap_or(0),
            by_name: BTreeMap::new(),
        };
        for doc in 0..family.docs.len() {
            family.index(doc);
        }
        family
    }

    /// Makes the declarations of a document known by name.
    fn index(&mut self, doc: usize) {
        for (at, symbol) in self.docs[doc].symbols.iter().enumerate() {
            let known = self.by_name.entry(symbol.name.clone()).or_default();
            known.push((doc, at));
        }
    }

    /// The same with the other games that use this one.
    pub(super) fn with_users(workspace: &Workspace, file: &str) -> Family {
        let mut family = Family::find(workspace, file);
        let library = workspace.beside(&family.docs[0].name);
        let Some((game, None)) = family.docs[0].header() else {
            return family;
        };
        let game = game.to_string();
        for name in library.names() {
            if let Ok(found) = library.find(&name) {
                let document = workspace.document(&found.name, &found.text);
                let is_known = family.docs.iter().any(|known| known.name == found.name);
                if !is_known && document.uses().contains(&game) {
                    family.docs.push(document);
                    family.index(family.docs.len() - 1);
                }
            }
        }
        family
    }

    pub(super) fn symbol(&self, (doc, symbol): Found) -> &Symbol {
        &self.docs[doc].symbols[symbol]
    }

    /// The documents whose names are known in one: itself, its game, the variants it asks for, and what is used.
    pub(super) fn visible(&self, doc: usize) -> Vec<usize> {
        let with = self.docs[doc].with();
        let others = (0..self.users).filter(|other| {
            let header = self.docs[*other].header();
            *other == 0
                || *other >= self.own
                || doc < self.users
                    && header.is_some_and(|(name, _)| with.iter().any(|with| with == name))
        });
        let others = others.filter(|other| *other != doc);
        std::iter::once(doc).chain(others).collect()
    }

    /// What is declared where a document sees it.
    pub(super) fn known(&self, doc: usize) -> impl Iterator<Item = Found> {
        let visible = self.visible(doc).into_iter();
        visible.flat_map(|doc| (0..self.docs[doc].symbols.len()).map(move |symbol| (doc, symbol)))
    }

    /// The declarations that a word of a document may mean; several where only types could tell.
    pub(super) fn meant(&self, doc: usize, word: usize) -> Vec<Found> {
        let document = &self.docs[doc];
        let name = document.word(word);
        if !document.words.get(word).is_some_and(|word| word.is_name) {
            return Vec::new();
        }
        let place = &document.words[word].range;
        let own = |symbol: &Symbol| symbol.place == *place;
        let is_declared = |symbol: &Symbol| !matches!(symbol.sort, Sort::Cell | Sort::Play);
        let all = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let declared = all.iter().filter(|(its, _)| *its == doc);
        let declared = declared.map(|one| (one.1, self.symbol(*one)));
        let mut here = declared.clone();
        if let Some((at, _)) = here.find(|(_, it)| own(it) && is_declared(it)) {
            return vec![(doc, at)];
        }
        let Some((stretch, clause)) = document.around(word) else {
            return Vec::new();
        };
        let begins = [stretch.words.start, clause.start].contains(&word);
        if begins || document.is_keyword(word) {
            return Vec::new();
        }
        let path = document.path(stretch);
        let named = |test: &dyn Fn(&Symbol) -> bool| -> Vec<Found> {
            let visible = self.visible(doc).into_iter();
            let found = visible.flat_map(|doc| all.iter().filter(move |found| found.0 == doc));
            let found = found.filter(|found| test(self.symbol(**found)));
            found.copied().collect()
        };
        if path.contains(&word) && document.word(word - word.min(2)) == "new" {
            return named(&|symbol| symbol.sort == Sort::State);
        }
        if let Some(whole) = document.path_to(&path, word) {
            return named(&|symbol| symbol.paths.contains(&whole));
        }
        if document.word(word - word.min(1)) == "." {
            let whole = format!(".{}.{name}", document.word(word - word.min(2)));
            return named(&|symbol| {
                symbol
                    .paths
                    .iter()
                    .any(|it| format!(".{it}").ends_with(&whole))
            });
        }
        let is_local = |symbol: &&(usize, &Symbol)| {
            let symbol = symbol.1;
            symbol.sort == Sort::Local
                && symbol.name == name
                && symbol.range.start <= place.start
                && place.end <= symbol.range.end
        };
        let local = declared
            .filter(|it| is_local(&it))
            .min_by_key(|(_, symbol)| {
                let after = symbol.place.start > place.start;
                (
                    symbol.range.len(),
                    after,
                    place.start.abs_diff(symbol.place.start),
                )
            });
        if let Some((at, _)) = local {
            return vec![(doc, at)];
        }
        if document.names_event(stretch, word) {
            return named(&|symbol| symbol.sort == Sort::Event);
        }
        if document.word(word - word.min(1)) == "impossible" {
            return named(&|symbol| {
                let mut paths = symbol.paths.iter();
                symbol.sort == Sort::Row && paths.any(|path| path.contains(".impossible."))
            });
        }
        let events = self.events(doc, word, &clause);
        let of_event = named(&|symbol| {
            matches!(symbol.sort, Sort::EventField | Sort::Fact)
                && symbol.events.iter().any(|event| events.contains(event))
        });
        if !of_event.is_empty() {
            return of_event;
        }
        // Nothing within a rule file asks for a game, a variant or an example.
        let is_asked = |sort| !matches!(sort, Sort::Game | Sort::Example);
        let mut found = named(&|symbol| {
            symbol.sort.is_global() && is_asked(symbol.sort) && symbol.events.is_empty()
        });
        if found.is_empty() {
            found = named(&|symbol| matches!(symbol.sort, Sort::Attribute | Sort::Field));
        }
        if found.is_empty() {
            found = named(&|symbol| {
                matches!(
                    symbol.sort,
                    Sort::Fact | Sort::Transcript | Sort::EventField
                )
            });
        }
        found
    }

    /// The events whose fields and facts are known at a word: those of its section, or the one of its row of a play.
    pub(super) fn events(&self, doc: usize, word: usize, clause: &Range<usize>) -> Vec<String> {
        let document = &self.docs[doc];
        let Some((stretch, _)) = document.around(word) else {
            return Vec::new();
        };
        match document.word(stretch.words.start) {
            "on" => document.events(stretch),
            "transcript" => {
                let row = document.row(clause, word);
                if document.word(row.start) == "|" {
                    return vec![document.word(row.start + 1).to_string()];
                }
                let known = self.known(doc).map(|one| self.symbol(one));
                let events = known.filter(|symbol| symbol.sort == Sort::Event);
                events.map(|event| event.name.clone()).collect()
            }
            "event" => vec![document.word(stretch.words.start + 1).to_string()],
            "example" => {
                let mut words = stretch.words.clone();
                let when = words.find(|at| document.word(*at) == "when");
                when.map_or(Vec::new(), |at| vec![document.word(at + 1).to_string()])
            }
            "replace" | "add" | "except" | "remove" => {
                let path = document.path(stretch);
                vec![document.word(path.start).to_string()]
            }
            _ => Vec::new(),
        }
    }
}

impl Document {
    /// The path up to a word of the path of a change, or that of the row before or after which a new row is added.
    fn path_to(&self, path: &Range<usize>, word: usize) -> Option<String> {
        let written = |words: Range<usize>| self.text.get(self.bytes(&words));
        if path.contains(&word) {
            return written(path.start..word + 1).map(str::to_string);
        }
        let is_beside = matches!(self.word(path.end), "before" | "after");
        let rows = written(path.clone()).filter(|_| is_beside && path.end + 1 == word)?;
        Some(format!("{rows}.{}", self.word(word)))
    }

    /// Whether a word is the label of a row of a play.
    fn names_event(&self, stretch: &Stretch, word: usize) -> bool {
        self.is_play(stretch) && self.word(word + 1) == ":" && self.word(word - word.min(1)) == "|"
    }

    /// Whether a word that may be a name is a word of the language within an item.
    fn is_keyword(&self, word: usize) -> bool {
        let (before, next) = (self.word(word - word.min(1)), self.word(word + 1));
        match self.word(word) {
            // `first of | …`
            _ if next == "of" && self.word(word + 2) == "|" => true,
            "play" => before == "start" || matches!(next, "by" | "until"),
            "refused" => before == "report",
            _ => false,
        }
    }

    /// The name of the game or variant, and of a variant the game.
    pub(super) fn header(&self) -> Option<(&str, Option<&str>)> {
        let is_header = |at: &usize| matches!(self.word(*at), "game" | "variant");
        let starts = self.stretches.iter().map(|stretch| stretch.words.start);
        let at = starts.clone().find(is_header)?;
        let (next, name) = self.file_name(at + 1);
        let is_variant = self.word(at) == "variant" && self.word(next) == "of";
        Some((name, is_variant.then(|| self.file_name(next + 1).1)))
    }

    /// The name of a game or variant that begins with a word, in which there may be `-`; and the word after it.
    fn file_name(&self, start: usize) -> (usize, &str) {
        let mut end = start + 1;
        while end < self.words.len() && self.words[end].range.start == self.words[end - 1].range.end
        {
            end += 1;
        }
        let bytes = self.bytes(&(start..end));
        (
            end,
            self.text.get(bytes).unwrap_or("").trim_end_matches(','),
        )
    }

    /// The variants that the header asks for.
    fn with(&self) -> Vec<String> {
        let Some(header) = self.stretches.first() else {
            return Vec::new();
        };
        let words = header.words.clone();
        let Some(with) = words.clone().find(|at| self.word(*at) == "with") else {
            return Vec::new();
        };
        let mut names = Vec::new();
        let mut at = with + 1;
        while at < words.end && !self.words[at].is_text && self.word(at) != "without" {
            let (next, name) = self.file_name(at);
            names.push(name.to_string());
            at = next + usize::from(self.word(next) == ",");
        }
        names
    }

    /// The games that something is used from.
    fn uses(&self) -> Vec<String> {
        let uses = self.stretches.iter().map(|stretch| stretch.words.clone());
        let uses = uses.filter(|words| self.word(words.start) == "use");
        let from = uses.filter_map(|mut words| words.find(|at| self.word(*at) == "from"));
        from.map(|from| self.file_name(from + 1).1.to_string())
            .collect()
    }
}
