//! Rule files that the page has open, and the games that are made of them.

use std::{collections::BTreeMap, path::PathBuf, rc::Rc};

use referee::{
    game::{Game, Unloaded, Viewer},
    ide::Workspace,
    library::Library,
    limits::{Limit, Limits},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{place, table::Tables};

/// What the page calls the transcript.
pub(crate) const TRANSCRIPT: &str = "transcript";

/// How many games are kept ready.
const KEPT: usize = 6;

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
    /// What a run may take, where somebody says it.
    #[serde(default)]
    limits: Bounds,
}

/// What a run may take.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
struct Bounds {
    fuel: Option<u64>,
    memory: Option<u64>,
    events: Option<u64>,
}

/// The game of some rules, perhaps limited to what a viewer may see; or returns what is wrong with it.
macro_rules! game {
    ($shelf:expr, $rules:expr) => {
        game!($shelf, $rules, None)
    };
    ($shelf:expr, $rules:expr, $viewer:expr) => {
        match $shelf.game_for($rules, $viewer) {
            Ok(game) => game,
            Err(wrong) => return json!({ "wrong": wrong }),
        }
    };
}

pub(crate) use game;

/// What was loaded last.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    files: Files,
    library: Library,
    pub(crate) workspace: Workspace,
    /// Each with the viewer that it is limited to, if there is one.
    games: Vec<(Rules, Option<Viewer>, Rc<Game>)>,
    pub(crate) tables: Tables,
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

    /// The game of some rules, made anew.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn load(&mut self, rules: &Rules) -> Result<Game, Unloaded> {
        self.open(&rules.files);
        let game = Game::load(&self.library, &rules.game, &rules.settings)?;
        Ok(game.with_data().limited(rules.limits.limits()))
    }

    /// The game of some rules.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn loaded(&mut self, rules: &Rules) -> Result<Rc<Game>, Unloaded> {
        self.seen(rules, None)
    }

    /// The game of some rules, limited to what `viewer` may see, if there is one.
    ///
    /// # Errors
    /// What is wrong with it.
    fn seen(&mut self, rules: &Rules, viewer: Option<Viewer>) -> Result<Rc<Game>, Unloaded> {
        self.open(&rules.files);
        let mut kept = self.games.iter();
        if let Some((.., game)) = kept.find(|(of, by, _)| of == rules && *by == viewer) {
            return Ok(game.clone());
        }
        let game = match viewer {
            None => self.load(rules)?,
            Some(viewer) => self.loaded(rules)?.seen_by(viewer).with_data(),
        };
        let game = Rc::new(game);
        if self.games.len() == KEPT {
            self.games.remove(0);
        }
        self.games.push((rules.clone(), viewer, game.clone()));
        Ok(game)
    }

    /// The game of some rules.
    ///
    /// # Errors
    /// What is wrong with it, as JSON.
    pub(crate) fn game(&mut self, rules: &Rules) -> Result<Rc<Game>, Value> {
        self.game_for(rules, None)
    }

    /// The game of some rules, limited to what `viewer` may see, if there is one.
    ///
    /// # Errors
    /// What is wrong with it, as JSON.
    pub(crate) fn game_for(
        &mut self,
        rules: &Rules,
        viewer: Option<Viewer>,
    ) -> Result<Rc<Game>, Value> {
        let seen = self.seen(rules, viewer);
        seen.map_err(|unloaded| self.wrong(&unloaded))
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

impl Bounds {
    /// What a run may take here: less than at a command line, since somebody waits.
    fn limits(&self) -> Limits {
        Limits::default()
            .with(Limit::Fuel, self.fuel.unwrap_or(1 << 26))
            .with(Limit::Memory, self.memory.unwrap_or(128))
            .with(Limit::Events, self.events.unwrap_or(200_000))
    }
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
