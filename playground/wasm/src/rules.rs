//! Rule files that the page has open, and the games that are made of them.

use std::{collections::BTreeMap, path::PathBuf, rc::Rc};

use referee::{
    game::{Game, Unloaded},
    ide::Workspace,
    library::Library,
    limits::{Limit, Limits},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::place;

/// What the page calls the transcript.
pub(crate) const TRANSCRIPT: &str = "transcript";

/// How many games are kept ready.
const KEPT: usize = 4;

/// Texts by the names of their files: those that stand in place of shipped ones, and those of the page's user.
pub(crate) type Files = BTreeMap<String, String>;

/// What a game is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Rules {
    /// The texts of the page.
    pub(crate) files: Files,
    /// The game, with its variants: `game+variant`.
    pub(crate) game: String,
    /// Values of options.
    #[serde(default)]
    pub(crate) settings: Vec<(String, String)>,
    /// Which form the transcript has.
    #[serde(default)]
    pub(crate) form: Option<String>,
}

/// What was loaded last.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    files: Files,
    library: Library,
    pub(crate) workspace: Workspace,
    games: Vec<(Rules, Rc<Game>)>,
}

impl Shelf {
    /// Has these texts, and no others, in place of files.
    pub(crate) fn open(&mut self, files: &Files) {
        if self.files == *files && !self.workspace.opened().is_empty() {
            return;
        }
        self.files.clone_from(files);
        // The folder without a name: what lies there is called as the shipped files are.
        self.library = Library::with_folders(vec![PathBuf::new()]);
        for (file, text) in files {
            self.library.insert(file, text);
        }
        self.workspace = Workspace::new(self.library.clone());
    }

    /// The text of a file.
    pub(crate) fn text(&self, file: &str) -> Option<String> {
        if let Some(text) = self.files.get(file) {
            return Some(text.clone());
        }
        let name = file.strip_suffix(".rules")?;
        let found = match name.split_once('/') {
            Some((game, variant)) => self.library.find_variant(game, variant),
            None => self.library.find(name),
        };
        found.ok().map(|found| found.text)
    }

    /// The game of some rules.
    ///
    /// # Errors
    /// What is wrong with it, as JSON.
    pub(crate) fn game(&mut self, rules: &Rules) -> Result<Rc<Game>, Value> {
        self.open(&rules.files);
        if let Some((_, game)) = self.games.iter().find(|(known, _)| known == rules) {
            return Ok(game.clone());
        }
        let game = Game::load(&self.library, &rules.game, &rules.settings);
        let game = game.map_err(|unloaded| self.wrong(&unloaded))?;
        let game = Rc::new(game.limited(limits()));
        if self.games.len() == KEPT {
            self.games.remove(0);
        }
        self.games.push((rules.clone(), game.clone()));
        Ok(game)
    }

    /// What is wrong with a game, as JSON.
    fn wrong(&self, unloaded: &Unloaded) -> Value {
        let invalid = match unloaded {
            Unloaded::Missing(missing) => {
                let help = missing.help();
                return json!([{
                    "severity": "error", "code": "no-game", "message": missing.to_string(),
                    "labels": [], "notes": [], "helps": help, "edits": [],
                }]);
            }
            Unloaded::Rules(invalid)
            | Unloaded::Settings(invalid)
            | Unloaded::Variants(invalid) => invalid,
        };
        let found = invalid.diagnostics.iter();
        let found = found.map(|one| one.to_data(&invalid.sources));
        found
            .map(|data| place::told(&data, &|file| self.text(file)))
            .collect()
    }
}

/// What a run may take here: less than at a command line, since somebody waits.
fn limits() -> Limits {
    Limits::default()
        .with(Limit::Fuel, 1 << 26)
        .with(Limit::Memory, 128)
        .with(Limit::Events, 200_000)
}

/// All games and variants, with their texts.
pub(crate) fn library() -> Value {
    let library = Library::shipped();
    let text = |found: Result<referee::library::RuleText, _>| match found {
        Ok(found) => json!({ "file": found.name, "text": found.text }),
        Err(_) => Value::Null,
    };
    let games = library.names().into_iter().map(|game| {
        let variants = library.variants(&game).into_iter().map(|variant| {
            let mut told = text(library.find_variant(&game, &variant));
            told["name"] = variant.into();
            told
        });
        let variants: Value = variants.collect();
        let mut told = text(library.find(&game));
        told["name"] = game.into();
        told["variants"] = variants;
        told
    });
    games.collect()
}
