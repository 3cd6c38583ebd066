//! What an editor asks of rule files and transcripts while they are written: what is wrong, what a name means, where it is
//! declared and used, what could be written next, why a line did what it did. All of it is a function of texts and
//! places in them, in bytes; nothing here talks to an editor.
//!
//! What is declared is read from the words of a file, so that a file that is half written still answers.

mod answers;
mod asked;
mod complete;
mod document;
mod family;
mod rename;
mod symbol;
mod transcript;
mod wanted;

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ops::Range,
    path::{Path, PathBuf},
    rc::Rc,
};

pub use answers::{Call, Hover};
pub use complete::Completion;
pub use symbol::{Sort, Symbol};
pub use transcript::Label;

use crate::{
    diagnostic::{Data, Diagnostic, Severity},
    game::{Game, Invalid, Unloaded},
    library::{Library, RuleText},
    source::Sources,
};
use document::Document;
use family::Family;

/// A place in a rule file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// What the file is called.
    pub file: String,
    /// Its bytes.
    pub range: Range<usize>,
}

/// The rule files that an editor has open, and those around them.
#[derive(Debug, Default)]
pub struct Workspace {
    library: Library,
    /// Files as they were taken apart last.
    documents: RefCell<BTreeMap<String, Rc<Document>>>,
    /// The types of facts, by the file of the game and the path of the fact, as they were found last.
    types: BTreeMap<String, BTreeMap<String, String>>,
    /// Which games the transcripts are of that are open.
    labels: BTreeMap<String, Label>,
}

impl Workspace {
    /// Files beside those of `library`.
    #[must_use]
    pub fn new(library: Library) -> Workspace {
        Workspace {
            library,
            ..Workspace::default()
        }
    }

    /// The text of `file` is `text` from now on.
    pub fn open(&mut self, file: &str, text: &str) {
        self.library.insert(file, text);
    }

    /// `file` is a transcript of a game, or none.
    pub fn label(&mut self, file: &str, label: Option<Label>) {
        match label {
            Some(label) => self.labels.insert(file.to_string(), label),
            None => self.labels.remove(file),
        };
    }

    /// The text of `file` is what is saved.
    pub fn close(&mut self, file: &str) {
        self.library.remove(Path::new(file));
        self.documents.borrow_mut().remove(file);
        self.labels.remove(file);
    }

    /// The files whose texts were given.
    #[must_use]
    pub fn opened(&self) -> Vec<String> {
        let texts = self.library.texts();
        texts.map(|(path, _)| path.display().to_string()).collect()
    }

    /// The library with the texts that are open.
    #[must_use]
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The present text of a file.
    #[must_use]
    pub fn text(&self, file: &str) -> Option<String> {
        self.library.find(file).ok().map(|found| found.text)
    }

    /// The game that a file describes or changes, and all its variants, as far as they are there: the file itself first.
    #[must_use]
    pub fn relatives(&self, file: &str) -> Vec<String> {
        let family = self.family(file);
        let names = family.docs.iter().take(family.own);
        let mut names: Vec<String> = names.map(|document| document.name.clone()).collect();
        names.sort_by_key(|name| name != file);
        names
    }

    /// Checks the game of a file, and gives what is wrong.
    pub fn check(&mut self, file: &str) -> Vec<Data> {
        match Game::load(&self.library, file, &[]) {
            Ok(game) => {
                self.types.insert(file.to_string(), game.fact_types());
                let mut found = game.warnings().to_vec();
                found.extend(
                    game.examples()
                        .into_iter()
                        .flat_map(|example| example.wrong),
                );
                told(&found, game.sources(), file)
            }
            Err(
                Unloaded::Rules(invalid)
                | Unloaded::Settings(invalid)
                | Unloaded::Variants(invalid),
            ) => told(&invalid.diagnostics, &invalid.sources, file),
            Err(Unloaded::Missing(missing)) => vec![missing.to_data()],
        }
    }

    /// A file in the one layout.
    ///
    /// # Errors
    /// What is wrong with its syntax.
    pub fn formatted(&self, file: &str) -> Result<String, Invalid> {
        let text = self.text(file).unwrap_or_default();
        let name = file.to_string();
        RuleText { name, text }.formatted()
    }

    /// A file, taken apart.
    fn document(&self, name: &str, text: &str) -> Rc<Document> {
        let mut documents = self.documents.borrow_mut();
        if let Some(found) = documents.get(name).filter(|found| found.text == text) {
            return found.clone();
        }
        let document = Rc::new(Document::new(name, text));
        documents.insert(name.to_string(), document.clone());
        document
    }

    /// A file, its game, all variants of that, and what they use.
    fn family(&self, file: &str) -> Family {
        Family::find(self, file)
    }

    /// The type of a fact, as it was found last in the game of one of the files.
    fn fact_type(&self, files: &[&str], path: &str) -> Option<&str> {
        let types = files.iter().filter_map(|file| self.types.get(*file));
        types
            .filter_map(|types| types.get(path))
            .map(String::as_str)
            .next()
    }

    /// The library as a file sees it.
    fn beside(&self, file: &str) -> Library {
        self.library.beside(file)
    }

    /// Whether a name is that of a file, and not of a shipped text.
    #[must_use]
    pub fn is_file(&self, name: &str) -> bool {
        PathBuf::from(name).is_absolute()
    }
}

/// What is wrong, as data. A warning counts only in the file that was asked about: the others are asked about themselves.
fn told(found: &[Diagnostic], sources: &Sources, file: &str) -> Vec<Data> {
    let told = found.iter().map(|one| one.to_data(sources));
    let told = told.filter(|one| {
        one.severity == Severity::Error || one.labels.first().is_some_and(|it| it.file == file)
    });
    told.collect()
}
