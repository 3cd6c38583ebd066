//! A game with its variants and what they use, and what a name means there.

use std::{collections::BTreeMap, ops::Range, rc::Rc};

use super::{
    Place, Workspace, document::Document, questions::QuestionLines, symbol::Sort, symbol::Symbol,
};
use crate::{
    builtins,
    syntax::{Stretch, is_name},
};

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
    /// Which of them are what transcripts ask.
    pub(super) questions: Vec<(usize, QuestionLines)>,
    /// The declarations by name.
    by_name: BTreeMap<String, Vec<Found>>,
}

/// What an item of a variant changes.
pub(super) struct Change {
    path: String,
    /// Whether it only says when a row does not hold, so that the row's variables are known in it too.
    is_exception: bool,
}

impl Change {
    /// Whether it changes what has this path, or part of it.
    pub(super) fn is_in(&self, owner: &str) -> bool {
        let rest = self.path.strip_prefix(owner);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// A declaration: which document, and which of its symbols.
pub(super) type Found = (usize, usize);

impl Family {
    pub(super) fn find(workspace: &Workspace, file: &str) -> Family {
        let library = workspace.beside(file);
        let text = workspace.text(file).unwrap_or_default();
        let requested = workspace.document(file, &text);
        let mut docs: Vec<Rc<Document>> = Vec::new();
        let mut add = |name: &str, text: &str| {
            if !docs.iter().any(|document| document.name == name) {
                docs.push(workspace.document(name, text));
            }
        };
        let game = match requested.header() {
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
            questions: Vec::new(),
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

    /// Where some bytes of a document are.
    pub(super) fn place(&self, doc: usize, range: &Range<usize>) -> Option<Place> {
        let mut questions = self.questions.iter();
        let lines = questions.find(|(number, _)| *number == doc);
        Some(Place {
            file: self.docs[doc].name.clone(),
            range: match lines {
                Some((_, lines)) => lines.place(range)?,
                None => range.clone(),
            },
        })
    }

    pub(super) fn symbol(&self, (doc, symbol): Found) -> &Symbol {
        &self.docs[doc].symbols[symbol]
    }

    /// The documents whose names are known in one: itself, its game, the variants it asks for, and what is used.
    pub(super) fn visible(&self, doc: usize) -> Vec<usize> {
        let with = self.docs[doc].with();
        let is_variant = self.docs[doc].header().is_some_and(|(_, of)| of.is_some());
        let others = (0..self.users).filter(|other| {
            let header = self.docs[*other].header();
            *other == 0
                || *other >= self.own
                || is_variant
                    && header.is_some_and(|(name, _)| with.iter().any(|with| with == name))
        });
        let others = others.filter(|other| *other != doc);
        std::iter::once(doc).chain(others).collect()
    }

    /// What is declared where a document sees it.
    pub(super) fn visible_declarations(&self, doc: usize) -> impl Iterator<Item = Found> {
        let visible = self.visible(doc).into_iter();
        visible.flat_map(|doc| (0..self.docs[doc].symbols.len()).map(move |symbol| (doc, symbol)))
    }

    /// The declarations that a word of a document may mean; several where only types could tell.
    pub(super) fn candidates(&self, doc: usize, word: usize) -> Vec<Found> {
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
        let mut declared = declared.map(|one| (one.1, self.symbol(*one)));
        if let Some((at, _)) = declared.find(|(_, it)| own(it) && is_declared(it)) {
            return vec![(doc, at)];
        }
        let Some((stretch, clause)) = document.around(word) else {
            return Vec::new();
        };
        let begins = [stretch.words.start, clause.start].contains(&word);
        if begins || document.is_keyword(word) {
            return Vec::new();
        }
        if document.names_file(stretch, word) {
            return self.file_named(document.file_around(word));
        }
        let path = document.path(stretch);
        let named = |test: &dyn Fn(&Symbol) -> bool| self.named(doc, name, test);
        if path.contains(&word) && document.word(word - word.min(2)) == "new" {
            return named(&|symbol| symbol.sort == Sort::State);
        }
        if let Some(whole) = document.path_to(&path, word) {
            return named(&|symbol| symbol.paths.contains(&whole));
        }
        if document.word(word - word.min(1)) == "." {
            let owner = document.word(word - word.min(2));
            let whole = match document.word(word - word.min(3)) {
                "impossible" => format!(".{owner}.impossible.{name}"),
                _ => format!(".{owner}.{name}"),
            };
            return named(&|symbol| {
                symbol
                    .paths
                    .iter()
                    .any(|it| format!(".{it}").ends_with(&whole))
            });
        }
        if let Some(local) = self.local(doc, word) {
            return vec![local];
        }
        if document.names_event(stretch, word) {
            return named(&|symbol| symbol.sort == Sort::Event);
        }
        if document.word(word - word.min(1)) == "impossible" {
            // `impossible event.guard`
            let is_event = document.word(word + 1) == ".";
            return named(&|symbol| {
                if is_event {
                    symbol.sort == Sort::Event
                } else {
                    symbol.is_impossible()
                }
            });
        }
        self.not_local(doc, word, &clause)
    }

    /// The parameter or variable that a name means: of its own item, or of what that changes.
    fn local(&self, doc: usize, word: usize) -> Option<Found> {
        let document = &self.docs[doc];
        let place = &document.words[word].range;
        let all = self.by_name.get(document.word(word))?;
        let is_local = |(_, symbol): &(Found, &Symbol)| {
            symbol.sort == Sort::Local
                && symbol.range.start <= place.start
                && place.end <= symbol.range.end
        };
        let declared = all.iter().filter(|(its, _)| *its == doc);
        let declared = declared.map(|one| (*one, self.symbol(*one)));
        let local = declared.filter(is_local).min_by_key(|(_, symbol)| {
            let after = symbol.place.start > place.start;
            (
                symbol.range.len(),
                after,
                place.start.abs_diff(symbol.place.start),
            )
        });
        if let Some((found, _)) = local {
            return Some(found);
        }
        let change = document.change(word)?;
        let others = all.iter().filter(|found| found.0 != doc).copied();
        let mut changed = others.filter(|found| self.is_of(&change, *found));
        changed.find(|found| self.visible(doc).contains(&found.0))
    }

    /// The declarations of a name that is declared where a document sees it and that pass a test.
    fn named(&self, doc: usize, name: &str, test: &dyn Fn(&Symbol) -> bool) -> Vec<Found> {
        let all = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let visible = self.visible(doc).into_iter();
        let found = visible.flat_map(|doc| all.iter().filter(move |found| found.0 == doc));
        let found = found.filter(|found| test(self.symbol(**found)));
        found.copied().collect()
    }

    /// The declarations that a name may mean which is no parameter or variable.
    fn not_local(&self, doc: usize, word: usize, clause: &Range<usize>) -> Vec<Found> {
        let document = &self.docs[doc];
        let name = document.word(word);
        let named = |test: &dyn Fn(&Symbol) -> bool| self.named(doc, name, test);
        let events = self.events(doc, word, clause);
        let of_event = named(&|symbol| {
            matches!(symbol.sort, Sort::EventField | Sort::Fact)
                && symbol.events.iter().any(|event| events.contains(event))
        });
        if !of_event.is_empty() {
            return of_event;
        }
        // Nothing within a rule file asks for a game, a variant or an example.
        let can_mean = |sort| !matches!(sort, Sort::Game | Sort::Example);
        let mut found = named(&|symbol| {
            symbol.sort.is_global() && can_mean(symbol.sort) && symbol.events.is_empty()
        });
        if document.word(word + 1) == "of" && builtins::is_applied(name) {
            found.retain(|found| self.is_applied(*found));
        }
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

    /// Whether a declaration is a parameter of what is changed, or a variable of the row that does not always hold.
    pub(super) fn is_of(&self, change: &Change, found: Found) -> bool {
        let (document, symbol) = (&self.docs[found.0], self.symbol(found));
        if symbol.sort != Sort::Local {
            return false;
        }
        let at = document.word_at(symbol.place.start);
        let Some((stretch, clause)) = document.around(at) else {
            return false;
        };
        let mut owners = document.owners(stretch, &clause).into_iter();
        if document.word(at + 1) != "in" {
            return owners.any(|owner| change.is_in(&owner));
        }
        let row = document.word(document.row(&clause, at).start + 1);
        change.is_exception && owners.any(|owner| format!("{owner}.{row}") == change.path)
    }

    /// Whether `of` can follow a name, so that it is not the built-in of the same name there.
    fn is_applied(&self, found: Found) -> bool {
        let (document, symbol) = (&self.docs[found.0], self.symbol(found));
        let after = document.text.get(symbol.place.end..).unwrap_or("");
        after.starts_with('(') || matches!(symbol.sort, Sort::Attribute | Sort::Field)
    }

    /// The game or variant of a name.
    fn file_named(&self, name: &str) -> Vec<Found> {
        let is_it = |doc: &usize| self.docs[*doc].header().is_some_and(|it| it.0 == name);
        let found = (0..self.docs.len()).filter(is_it).filter_map(|doc| {
            let mut symbols = self.docs[doc].symbols.iter();
            let at = symbols.position(|symbol| symbol.sort == Sort::Game)?;
            Some((doc, at))
        });
        found.collect()
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
                self.all_events(doc)
            }
            "event" => vec![document.word(stretch.words.start + 1).to_string()],
            "example" => {
                let mut words = stretch.words.clone();
                let when = words.find(|at| document.word(*at) == "when");
                // What a transcript asks may be about any event.
                when.map_or_else(
                    || self.all_events(doc),
                    |at| vec![document.word(at + 1).to_string()],
                )
            }
            "replace" | "add" | "except" | "remove" => {
                let path = document.path(stretch);
                vec![document.word(path.start).to_string()]
            }
            _ => Vec::new(),
        }
    }

    fn all_events(&self, doc: usize) -> Vec<String> {
        let known = self.visible_declarations(doc).map(|one| self.symbol(one));
        let events = known.filter(|symbol| symbol.sort == Sort::Event);
        events.map(|event| event.name.clone()).collect()
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

    /// What the item around a word changes.
    pub(super) fn change(&self, word: usize) -> Option<Change> {
        let (stretch, _) = self.around(word)?;
        let path = self.text.get(self.bytes(&self.path(stretch)))?;
        (!path.is_empty()).then(|| Change {
            path: path.to_string(),
            is_exception: self.word(stretch.words.start) == "except",
        })
    }

    /// How changes name what an item or a clause declares.
    fn owners(&self, stretch: &Stretch, clause: &Range<usize>) -> Vec<String> {
        let name = self.word(clause.start + 1);
        let part = match self.word(clause.start) {
            rows @ ("impossible" | "begin" | "report" | "follows") => rows.to_string(),
            "new" => format!("new.{name}"),
            "add" | "replace" | "remove" | "except" => return Vec::new(),
            _ => name.to_string(),
        };
        if clause == &stretch.words {
            return vec![part];
        }
        let events = self.events(stretch).into_iter();
        events.map(|event| format!("{event}.{part}")).collect()
    }

    /// Whether a word that may be a name is a word of the language within an item.
    fn is_keyword(&self, word: usize) -> bool {
        let (before, next) = (self.word(word - word.min(1)), self.word(word + 1));
        match self.word(word) {
            // `but piece at square`: a name begins no operand where one ends.
            "at" => {
                let ends = matches!(before, ")" | "]" | "}" | "none" | "yes" | "no" | "empty")
                    || word > 0 && self.words[word - 1].is_text
                    || before.starts_with(|it: char| it.is_ascii_digit())
                    || is_name(before);
                ends && (before != "at" || !self.is_keyword(word - 1))
            }
            // `first of | …`
            _ if next == "of" && self.word(word + 2) == "|" => true,
            "play" => before == "start" || matches!(next, "by" | "until"),
            "refused" => before == "report",
            _ => false,
        }
    }
}
