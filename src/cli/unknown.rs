//! Suggestions for unknown commands and options.

use std::{env, path::PathBuf};

use clap::{CommandFactory as _, error::ContextValue};
use referee::game::Game;

use super::{Arguments, error::Error, settings};

/// For each command or option: what other tools call it.
const COMMANDS: [(&str, &[&str]); 17] = [
    (
        "check",
        &[
            "lint", "validate", "verify", "build", "compile", "fix", "parse",
        ],
    ),
    ("fmt", &["format", "indent", "pretty"]),
    ("why", &["explain", "trace", "debug", "whynot", "why-not"]),
    (
        "play",
        &[
            "repl",
            "shell",
            "step",
            "interactive",
            "session",
            "generate",
            "random",
        ],
    ),
    (
        "run",
        &[
            "exec", "execute", "eval", "report", "simulate", "start", "export", "convert",
        ],
    ),
    (
        "cover",
        &["cov", "coverage", "mutate", "mutants", "mutations"],
    ),
    ("diff", &["compare"]),
    (
        "show",
        &["info", "variants", "options", "rules", "describe"],
    ),
    ("list", &["ls", "games"]),
    ("moves", &["legal", "perft", "next"]),
    ("new", &["init", "create"]),
    ("doc", &["docs", "book", "rulebook"]),
    ("man", &["manual"]),
    ("--version", &["version"]),
    (
        "test --bless",
        &["bless", "snapshot", "snapshots", "update", "accept"],
    ),
    ("test --review", &["review"]),
    ("check --watch", &["watch"]),
];

/// What other tools call an option, and what to write instead.
const OPTIONS: [(&str, &str); 13] = [
    ("variant", "variants are joined to the game: `GAME+VARIANT`"),
    ("variants", "`referee show GAME` lists the variants"),
    ("option", "write `--set OPTION=VALUE`"),
    ("output", "write `--out`, or `>` and a file"),
    (
        "perft",
        "`referee moves GAME --depth N` counts lines of play",
    ),
    ("update", "`referee test --bless` writes reports anew"),
    ("accept", "`referee test --bless` writes reports anew"),
    ("write", "`referee fmt` writes files by itself"),
    (
        "verbose",
        "`referee why --trace` shows every step of a decision",
    ),
    (
        "debug",
        "`referee why --trace` shows every step of a decision",
    ),
    ("threads", "write `--jobs N`"),
    ("json", "`referee help COMMAND` lists the formats it writes"),
    ("color", "set the variable `NO_COLOR` to have no colour"),
];

/// The number of typing errors up to which a word is suggested.
const SLIPS: usize = 2;

/// The word that is nearest to another.
fn near<'w>(words: impl Iterator<Item = &'w str>, written: &str) -> Option<&'w str> {
    let distances = words.map(|word| (strsim::osa_distance(word, written), word));
    let nearest = distances.min_by_key(|(distance, _)| *distance);
    let (_, word) =
        nearest.filter(|(distance, word)| *distance <= SLIPS.min(word.chars().count() / 2))?;
    Some(word)
}

/// The error for an unknown command, with a suggestion.
pub(super) fn command(written: &str) -> Error {
    let commands = Arguments::command();
    let names = commands.get_subcommands().filter(|it| !it.is_hide_set());
    let names: Vec<&str> = names.map(clap::Command::get_name).collect();
    let word = written.to_lowercase();
    let mut synonyms = COMMANDS.iter();
    let same = synonyms.find(|(_, others)| others.contains(&word.as_str()));
    let meant = same.map(|(name, _)| *name);
    let meant = meant.or_else(|| near(names.iter().copied(), &word));
    let error = Error::usage(format!("there is no command `{written}`"));
    match meant {
        Some(name) => error.with_help(format!("did you mean `referee {name}`?")),
        None => error.with_help(format!("the commands are {}", names.join(", "))),
    }
}

/// The error for an unknown option, with a suggestion: a typing error, the name in another tool, or an option of the
/// game.
pub(super) fn option(written: &str) -> Option<Error> {
    // Arguments that are not Unicode are no options of a game.
    let arguments: Vec<String> = env::args_os()
        .filter_map(|argument| argument.into_string().ok())
        .collect();
    let commands = Arguments::command();
    let place = arguments
        .iter()
        .position(|argument| commands.find_subcommand(argument).is_some())?;
    let (_, after) = arguments.split_at(place);
    let (name, after) = after.split_first()?;
    let command = commands.find_subcommand(name)?;
    let own = command.get_arguments().filter_map(clap::Arg::get_long);
    let longs: Vec<&str> = own.chain(["rules", "quiet", "help"]).collect();
    let named = |argument: &str| {
        let name = argument.strip_prefix("--")?.split('=').next()?;
        let mut letters = name.chars();
        let is_name = letters.all(|it| it.is_alphanumeric() || "_-".contains(it));
        (is_name && !name.is_empty()).then(|| name.to_string())
    };
    // If inputs may begin with a hyphen, an unknown option was taken for one, so the error is about its value.
    let mut others = after.iter().filter_map(|argument| named(argument));
    let is_unknown = |option: &String| !longs.contains(&option.as_str());
    let option = named(written).or_else(|| others.find(is_unknown))?;
    let (option, written) = (option.as_str(), format!("--{option}"));
    let error = Error::usage(format!("`referee {name}` has no option `{written}`"));
    if let Some(long) = near(longs.iter().copied(), option) {
        return Some(error.with_help(format!("did you mean `--{long}`?")));
    }
    if longs.contains(&"set") && is_of_game(option, after) {
        let value = value_of(&written, after).unwrap_or("VALUE");
        return Some(error.with_help(format!(
            "to set the game's option, write `--set {option}={value}`"
        )));
    }
    let mut others = OPTIONS.iter();
    let other = others.find(|(other, _)| *other == option);
    Some(match other {
        Some((_, help)) => error.with_help(*help),
        None => error.with_help(format!("`referee {name} --help` lists its options")),
    })
}

/// The error for an unknown option `-m`, or for a number below 0 where none is possible.
pub(super) fn letter(written: &str) -> Option<Error> {
    let rest = written.strip_prefix('-')?;
    if rest.starts_with(|first: char| first.is_ascii_digit()) {
        return Some(
            Error::usage(format!("there is no option `{written}` here"))
                .with_help("the number must be 0 or more"),
        );
    }
    let error = Error::usage(format!("there is no option `{written}` here"));
    Some(match rest {
        "V" | "v" => error.with_help("`referee --version` tells the version"),
        _ => error.with_help("add `--help` to the command to see its options"),
    })
}

/// The error for a command without the game that it is about.
pub(super) fn no_game(missing: &ContextValue) -> Option<Error> {
    let ContextValue::Strings(missing) = missing else {
        return None;
    };
    let is_game = missing
        .first()
        .is_some_and(|first| first.starts_with("<GAME>"));
    let error = Error::usage("the game is missing");
    is_game.then(|| error.with_help("name one after the command: `referee list` lists them"))
}

/// Whether the game in the arguments has an option of this name.
fn is_of_game(option: &str, arguments: &[String]) -> bool {
    let folders = arguments.iter().zip(arguments.iter().skip(1));
    let folders = folders.filter(|(argument, _)| *argument == "--rules");
    let folders = folders.map(|(_, folder)| PathBuf::from(folder)).collect();
    let library = settings::with_folders(folders);
    let mut games = arguments.iter().filter_map(|argument| {
        let is_named = !argument.starts_with('-');
        is_named.then(|| Game::load(&library, argument, &[]).ok())?
    });
    let game = games.next();
    game.is_some_and(|game| game.options().iter().any(|one| one.name == option))
}

/// The value of an option: after `=`, or the next argument if that looks like one.
fn value_of<'a>(written: &str, arguments: &'a [String]) -> Option<&'a str> {
    let assigned = format!("{written}=");
    let mut joined = arguments
        .iter()
        .filter_map(|argument| argument.strip_prefix(&assigned));
    let apart = || {
        let mut after = arguments.iter().skip_while(|argument| *argument != written);
        let value = after.nth(1)?;
        // Other words may be arguments of the command.
        let is_value = value.parse::<i64>().is_ok() || matches!(value.as_str(), "yes" | "no");
        is_value.then_some(value.as_str())
    };
    joined.next().or_else(apart)
}
