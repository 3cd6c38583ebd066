//! What editors need while rule files and transcripts are written: diagnostics, the meaning of names, their
//! declarations and uses, completions, and explanations of lines. Everything is a function of texts and byte offsets;
//! nothing here talks to an editor.
//!
//! Declarations are found by reading a file's words, so incomplete files work, too.

mod answers;
mod complete;
mod document;
mod expected_kind;
mod family;
mod questions;
mod rename;
mod symbol;
mod transcript;

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

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The name of the file.
    pub file: String,
    /// Its range in bytes.
    pub range: Range<usize>,
}

/// The files that are open in an editor, and the library around them.
#[derive(Debug, Default)]
pub struct Workspace {
    library: Library,
    /// The parsed files.
    documents: RefCell<BTreeMap<String, Rc<Document>>>,
    /// The types of facts when the game was last checked, by the game's file and the fact's path.
    types: BTreeMap<String, BTreeMap<String, String>>,
    /// The game of each open transcript.
    labels: BTreeMap<String, Label>,
}

impl Workspace {
    /// A workspace for `library`, without open files.
    #[must_use]
    pub fn new(library: Library) -> Workspace {
        Workspace {
            library,
            ..Workspace::default()
        }
    }

    /// Sets the text of `file`.
    pub fn open(&mut self, file: &str, text: &str) {
        self.library.insert(file, text);
    }

    /// Sets or removes the game that `file` is a transcript of.
    pub fn label(&mut self, file: &str, label: Option<Label>) {
        match label {
            Some(label) => self.labels.insert(file.to_string(), label),
            None => self.labels.remove(file),
        };
    }

    /// Closes `file`: its text is again the one on disk.
    pub fn close(&mut self, file: &str) {
        self.library.remove(Path::new(file));
        self.documents.borrow_mut().remove(file);
        self.labels.remove(file);
    }

    /// The names of the open files.
    #[must_use]
    pub fn opened(&self) -> Vec<String> {
        let texts = self.library.texts();
        texts.map(|(path, _)| path.display().to_string()).collect()
    }

    /// The library, with the open texts in place of the files on disk.
    #[must_use]
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The current text of a file.
    #[must_use]
    pub fn text(&self, file: &str) -> Option<String> {
        self.library.find(file).ok().map(|found| found.text)
    }

    /// The file itself, the game that it describes or changes, and all variants of that, as far as they exist.
    #[must_use]
    pub fn relatives(&self, file: &str) -> Vec<String> {
        let family = self.family(file);
        let names = family.docs.iter().take(family.own);
        let mut names: Vec<String> = names.map(|document| document.name.clone()).collect();
        names.sort_by_key(|name| name != file);
        names
    }

    /// Checks the game of a file.
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
                to_data(&found, game.sources(), file)
            }
            Err(
                Unloaded::Rules(invalid)
                | Unloaded::Settings(invalid)
                | Unloaded::Variants(invalid),
            ) => to_data(&invalid.diagnostics, &invalid.sources, file),
            Err(Unloaded::Missing(missing)) => vec![missing.to_data()],
        }
    }

    /// The text of a file, formatted.
    ///
    /// # Errors
    /// What is wrong with its syntax.
    pub fn formatted(&self, file: &str) -> Result<String, Invalid> {
        let text = self.text(file).unwrap_or_default();
        let name = file.to_string();
        RuleText { name, text }.formatted()
    }

    /// A parsed file.
    fn document(&self, name: &str, text: &str) -> Rc<Document> {
        let mut documents = self.documents.borrow_mut();
        if let Some(found) = documents.get(name).filter(|found| found.text == text) {
            return found.clone();
        }
        let document = Rc::new(Document::new(name, text));
        documents.insert(name.to_string(), document.clone());
        document
    }

    /// A file with its game, all variants of that, and the files that they use.
    fn family(&self, file: &str) -> Family {
        Family::find(self, file)
    }

    /// The type of a fact, when the game of one of these files was last checked.
    fn fact_type(&self, files: &[&str], path: &str) -> Option<&str> {
        let types = files.iter().filter_map(|file| self.types.get(*file));
        types
            .filter_map(|types| types.get(path))
            .map(String::as_str)
            .next()
    }

    /// The library as seen from a file's folder.
    fn beside(&self, file: &str) -> Library {
        self.library.beside(file)
    }

    /// Whether a name is that of a file, and not of an embedded text.
    #[must_use]
    pub fn is_file(&self, name: &str) -> bool {
        PathBuf::from(name).is_absolute()
    }
}

/// Diagnostics as data. Warnings are kept only for the file in question: other files are checked on their own.
fn to_data(found: &[Diagnostic], sources: &Sources, file: &str) -> Vec<Data> {
    let told = found.iter().map(|one| one.to_data(sources));
    let told = told.filter(|one| {
        one.severity == Severity::Error || one.labels.first().is_some_and(|it| it.file == file)
    });
    told.collect()
}
