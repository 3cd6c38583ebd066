//! Shell completion of arguments: games, variants and options.

use std::{env, ffi::OsStr, path::PathBuf};

use clap_complete::{
    CompletionCandidate,
    engine::{PathCompleter, ValueCompleter as _},
};
use referee::{
    game::Game,
    library::{ENDING, Library},
};

use super::settings::with_folders;

/// Separates a game and its variants.
const JOINT: char = '+';

/// The words of the command line, which the shell passes after `--`.
fn words() -> Vec<String> {
    let words = env::args_os().skip_while(|word| word != "--").skip(1);
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// The library that the command line specifies.
fn library() -> Library {
    let words = words();
    let folders = words.iter().zip(words.iter().skip(1));
    let folders = folders.filter(|(word, _)| *word == "--rules");
    with_folders(folders.map(|(_, folder)| PathBuf::from(folder)).collect())
}

/// A candidate with its help, if it starts with what has been typed.
fn candidate(value: String, help: &str, current: &str) -> Option<CompletionCandidate> {
    let help = (!help.is_empty()).then(|| help.to_string().into());
    let goes_on = value.starts_with(current);
    goes_on.then(|| CompletionCandidate::new(value).help(help))
}

/// The games that start with what has been typed or, after a `+`, the variants of the game before it.
pub(super) fn games(current: &OsStr) -> Vec<CompletionCandidate> {
    let library = library();
    let Some(text) = current.to_str() else {
        return Vec::new();
    };
    if let Some((game, _)) = text.rsplit_once(JOINT) {
        let Ok(loaded) = Game::load(&library, game, &[]) else {
            return Vec::new();
        };
        let variants = loaded.variants().into_iter().filter(|it| !it.applied);
        return variants
            .filter_map(|it| candidate(format!("{game}{JOINT}{}", it.name), &it.title, text))
            .collect();
    }
    let begun = library.names().into_iter();
    let mut candidates: Vec<CompletionCandidate> = begun
        .filter(|name| name.starts_with(text))
        .filter_map(|name| {
            let loaded = Game::load(&library, &name, &[]).ok();
            candidate(name, loaded.as_ref().map_or("", |game| game.title()), text)
        })
        .collect();
    let rules = |path: &std::path::Path| path.extension().is_some_and(|it| it == ENDING);
    candidates.extend(PathCompleter::any().filter(rules).complete(current));
    candidates
}

/// The game on the command line.
fn game() -> Option<Game> {
    let library = library();
    let words = words();
    let mut games = words.iter().skip(1).filter(|word| !word.starts_with('-'));
    games.find_map(|word| Game::load(&library, word, &[]).ok())
}

/// The transcript forms of the game on the command line.
pub(super) fn forms(current: &OsStr) -> Vec<CompletionCandidate> {
    let (Some(game), Some(text)) = (game(), current.to_str()) else {
        return Vec::new();
    };
    let names = game.transcripts().into_iter().flatten();
    names
        .filter_map(|name| candidate(name.to_string(), "", text))
        .collect()
}

/// The commands.
pub(super) fn commands(current: &OsStr) -> Vec<CompletionCandidate> {
    let command = super::whole();
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
    let text = current.to_string_lossy();
    shown
        .filter_map(|it| {
            let help = it.get_about().map(ToString::to_string).unwrap_or_default();
            candidate(it.get_name().to_string(), &help, &text)
        })
        .collect()
}

/// The options of the game on the command line, or the values of one of them.
pub(super) fn settings(current: &OsStr) -> Vec<CompletionCandidate> {
    let (Some(game), Some(text)) = (game(), current.to_str()) else {
        return Vec::new();
    };
    let mut candidates = Vec::new();
    for option in game.options() {
        let name = &option.name;
        if text.contains('=') {
            let values = match option.ty.as_str() {
                "yes/no" => vec!["yes", "no"],
                _ => vec![option.default.as_str()],
            };
            let values = values.into_iter().map(|value| format!("{name}={value}"));
            candidates.extend(values.filter_map(|value| candidate(value, &option.meaning, text)));
        } else {
            let told = format!("{} = {}  {}", option.ty, option.value, option.meaning);
            candidates.extend(candidate(format!("{name}="), told.trim_end(), text));
        }
    }
    candidates
}
