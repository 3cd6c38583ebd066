//! The command line: its arguments, and a module for each thing that it does.

mod check;
mod complete;
mod cover;
mod debug;
mod diff;
mod difference;
mod doc;
mod error;
mod exit;
mod findings;
mod folders;
mod format;
mod inputs;
mod list;
mod lsp;
mod moves;
mod new;
mod output;
mod parallel;
mod pin;
mod play;
mod reporter;
mod revision;
mod run;
mod screen;
mod settings;
mod shell;
mod show;
#[cfg(feature = "tables")]
mod tables;
mod test;
mod watch;
mod why;

use std::{
    collections::BTreeMap,
    error::Error as _,
    io::{self, Write as _},
    num::{IntErrorKind, ParseIntError},
};

use anyhow::Context as _;
use clap::{
    CommandFactory as _, FromArgMatches as _, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};
use error::{Error, Result};
pub(crate) use exit::Exit;
use referee::diagnostic::{is_obeyed, masked};
use screen::Screen;

/// What `--help` ends with.
const MORE: &str = "\
GAME is a name that `referee list` shows, or the path of a rule file (with a `/`, or ending in `.rules`). Add variants \
with `+`: `GAME+VARIANT+VARIANT` applies them from left to right, and then `--set`. `referee show GAME` lists a game's \
variants. A variant can also be the path of a file.

Exit codes:
  0  done, and all is well
  1  it ran, and the answer is no: a test failed, `diff` found a difference, `cover` is below its threshold, or `fmt` \
found an unformatted file
  2  the command line is wrong: an unknown game, variant, form of transcript, option or argument
  3  the rule file is wrong, or its rules fail when they run
  4  the transcript is malformed, or contains something impossible
  5  a limit was reached: the rule file's `limit`, or the work, memory or events that `--limit` allows
  6  reading or writing failed, for example because a file does not exist

If you give several files, a wrong one does not keep the others from being read: its message goes to standard error, and \
the exit code is that of the first wrong one. If the reader of a pipe stops reading, the command ends quietly.

Environment:
  REFEREE_RULES  folders of rule files, separated as in PATH; they come after those of --rules
  NO_COLOR       if set, messages have no colour; outside a terminal they have none anyway";

/// Enforces the rules of a game: reads the rules and a transcript, and writes the referee's report.
#[derive(Debug, Parser)]
#[command(name = "referee", version, after_help = MORE, max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    library: settings::Folders,
    /// Shows only errors and warnings: no notes, and no tests that pass
    #[arg(short, long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

/// What can be asked for.
#[derive(Debug, Subcommand)]
enum Command {
    /// Reports on transcripts of a game
    Run(run::Arguments),
    /// Reports errors and likely mistakes in rule files
    Check(check::Arguments),
    /// Formats rule files
    Fmt(format::Arguments),
    /// Shows a game's options and variants, and where its rules come from
    Show(show::Arguments),
    /// Writes the rule book of a game, for people
    Doc(doc::Arguments),
    /// Referees a game as you play it, line by line
    Play(play::Arguments),
    /// Lists what may happen next in a transcript, or counts the lines of play from there
    Moves(moves::Arguments),
    /// Runs the tests beside rule files
    Test(test::Arguments),
    /// Shows which rows of a game its transcripts reach, and which rule changes they would notice
    Cover(cover::Arguments),
    /// Explains a line of a transcript: what the referee decided, and by which rules and values
    Why(why::Arguments),
    /// Runs the same transcripts under two games, and shows where their reports first differ
    Diff(diff::Arguments),
    /// Lists the games
    List(list::Arguments),
    /// Starts a new game: writes a rule file, a transcript and its report
    New(new::Arguments),
    /// Runs the language server for editors, over standard input and output
    Lsp,
    /// Shows what the interpreter makes of rules
    #[command(subcommand, hide = true)]
    Debug(debug::Debug),
    /// Writes a script for tab completion in a shell
    Completions(shell::Completions),
    /// Writes the manual pages
    Man(shell::Man),
}

/// The examples that the help of each command ends with: its name, and a line to type.
const EXAMPLES: &str = include_str!("../examples/help.txt");

/// The whole command line.
fn whole() -> clap::Command {
    let examples = EXAMPLES.lines().filter_map(|line| line.split_once(": "));
    let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, example) in examples {
        by_name.entry(name).or_default().push(example);
    }
    let mut command = Arguments::command();
    for (name, examples) in by_name {
        let title = if examples.len() == 1 {
            "Example:"
        } else {
            "Examples:"
        };
        let help = format!("{title}\n  {}", examples.join("\n  "));
        command = command.mut_subcommand(name, |command| command.after_help(help));
    }
    command
}

/// Does what the command line says.
pub(crate) fn main() -> Exit {
    match shell::completed() {
        Ok(false) => {}
        Ok(true) => return Exit::Done,
        Err(_) => return Exit::Usage,
    }
    let screen = Screen::new();
    let matches = whole().try_get_matches();
    let ended = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => command(&arguments, &screen),
        Err(told) => unparsed(&told, &screen),
    };
    ended.unwrap_or_else(|error| {
        error.show(&screen);
        error.exit()
    })
}

/// Writes what there is instead of a command: help and the version as asked, or what is wrong with the arguments.
fn unparsed(told: &clap::Error, screen: &Screen) -> Result {
    if told.use_stderr() {
        if let Some(error) = mistaken(told) {
            return Err(error);
        }
        // What is wrong repeats arguments as they are.
        let mut arguments = std::env::args_os();
        if arguments.any(|argument| argument.to_string_lossy().contains(is_obeyed)) {
            screen.say(masked(&told.render().to_string()).trim_end());
        } else {
            drop(told.print());
        }
        // Nobody is left to hear where standard error is closed.
        return Ok(Exit::Usage);
    }
    let written = told.print().and_then(|()| io::stdout().flush());
    written.context("standard output cannot be written")?;
    Ok(Exit::Done)
}

/// What is wrong with the arguments, where we know better than `clap` what is meant.
fn mistaken(told: &clap::Error) -> Option<Error> {
    let text = |kind| match told.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    if let Some(command) = text(ContextKind::InvalidSubcommand) {
        if told.kind() == ErrorKind::MissingSubcommand {
            let help = "write one, as in `referee run GAME FILE`; `referee help` lists them";
            return Some(Error::usage("a command is missing").with_help(help));
        }
        return Some(unknown_command(command));
    }
    let argument = text(ContextKind::InvalidArg)?;
    if told.kind() == ErrorKind::UnknownArgument {
        return game_option(argument);
    }
    let error = told.source()?.downcast_ref::<ParseIntError>()?;
    let value = text(ContextKind::InvalidValue)?;
    Some(Error::usage(match error.kind() {
        IntErrorKind::PosOverflow => format!("`{value}` is too much for `{argument}`"),
        _ => format!("`{argument}` takes a whole number, not `{value}`"),
    }))
}

/// What other tools call a command.
const SYNONYMS: [(&str, &[&str]); 13] = [
    (
        "check",
        &["lint", "validate", "verify", "build", "compile", "fix"],
    ),
    ("fmt", &["format", "indent", "pretty"]),
    ("why", &["explain", "trace", "debug", "whynot", "why-not"]),
    ("play", &["repl", "shell", "step", "interactive", "session"]),
    (
        "run",
        &["exec", "execute", "eval", "report", "simulate", "start"],
    ),
    (
        "cover",
        &["cov", "coverage", "mutate", "mutants", "mutations"],
    ),
    ("diff", &["compare"]),
    ("show", &["info"]),
    ("list", &["ls", "games"]),
    ("moves", &["legal", "perft", "next"]),
    ("new", &["init", "create"]),
    ("doc", &["docs", "book", "rulebook"]),
    ("man", &["manual"]),
];

/// How many letters of a command may be wrong.
const SLIPS: usize = 2;

/// What to say of a command that there is not, with the one that is probably meant.
fn unknown_command(written: &str) -> Error {
    let commands = Arguments::command();
    let names = commands.get_subcommands().filter(|it| !it.is_hide_set());
    let names: Vec<&str> = names.map(clap::Command::get_name).collect();
    let word = written.to_lowercase();
    let same = SYNONYMS
        .iter()
        .find(|(_, others)| others.contains(&word.as_str()));
    let near = || {
        let distances = names
            .iter()
            .map(|name| (strsim::osa_distance(name, &word), *name));
        let nearest = distances.min_by_key(|(distance, _)| *distance);
        nearest.filter(|(distance, name)| *distance <= SLIPS.min(name.len() / 2))
    };
    let meant = same
        .map(|(name, _)| *name)
        .or_else(|| near().map(|(_, name)| name));
    let error = Error::usage(format!("there is no command `{written}`"));
    match meant {
        Some(name) => error.with_help(format!("did you mean `referee {name}`?")),
        None => error.with_help(format!("the commands are {}", names.join(", "))),
    }
}

/// What to say of an argument `--most` that there is not, if it is no slip of the pen: it may be an option of the game.
fn game_option(written: &str) -> Option<Error> {
    let option = written
        .strip_prefix("--")
        .filter(|it| it.chars().all(|it| it.is_alphanumeric() || it == '_'))?;
    // Those that are no Unicode are no options of a game.
    let arguments: Vec<String> = std::env::args_os()
        .filter_map(|argument| argument.into_string().ok())
        .collect();
    let commands = Arguments::command();
    let mut all = arguments.iter();
    let command = all.find_map(|argument| commands.find_subcommand(argument))?;
    let longs = command.get_arguments().filter_map(clap::Arg::get_long);
    let longs: Vec<&str> = longs.collect();
    let is_near = |long: &&str| strsim::osa_distance(long, option) <= SLIPS.min(long.len() / 2);
    if !longs.contains(&"set") || longs.iter().any(is_near) {
        return None;
    }
    let assigned = format!("{written}=");
    let mut joined = arguments
        .iter()
        .filter_map(|argument| argument.strip_prefix(&assigned));
    let apart = || {
        let mut after = arguments.iter().skip_while(|argument| *argument != written);
        let value = after.nth(1)?;
        // Other words may be those of the command.
        let is_value = value.parse::<i64>().is_ok() || matches!(value.as_str(), "yes" | "no");
        is_value.then_some(value.as_str())
    };
    let value = joined.next().or_else(apart).unwrap_or("VALUE");
    let name = command.get_name();
    let error = Error::usage(format!("`referee {name}` has no argument `{written}`"));
    Some(error.with_help(format!(
        "if `{option}` is an option of the game, write `--set {option}={value}`"
    )))
}

impl Command {
    /// Whether it runs again after every change.
    fn watches(&self) -> bool {
        let again = match self {
            Command::Run(run) => &run.again,
            Command::Check(check) => &check.again,
            Command::Test(test) => &test.again,
            Command::Cover(cover) => &cover.again,
            _ => return false,
        };
        again.watch
    }
}

fn command(arguments: &Arguments, screen: &Screen) -> Result {
    if arguments.quiet {
        screen::hush();
    }
    if arguments.command.watches() {
        return watch::watch(screen);
    }
    let library = arguments.library.library().map_err(Error::usage)?;
    match &arguments.command {
        Command::Run(run) => run::run(run, &library, screen),
        Command::Check(check) => check::check(check, &library, screen),
        Command::Fmt(fmt) => format::format(fmt, &library, screen),
        Command::Show(show) => show::show(show, &library),
        Command::Doc(doc) => doc::doc(doc, &library),
        Command::Play(play) => play::play(play, &library, screen),
        Command::Moves(moves) => moves::moves(moves, &library, screen),
        Command::Test(test) => test::test(test, &library, screen),
        Command::Cover(cover) => cover::cover(cover, &library),
        Command::Why(why) => why::why(why, &library, screen),
        Command::Diff(diff) => diff::diff(diff, &library, screen),
        Command::List(list) => list::list(list, &library),
        Command::New(new) => new::new(new, &library, screen),
        Command::Lsp => lsp::lsp(&library),
        Command::Debug(debug) => debug::debug(debug, &library, screen),
        Command::Completions(completions) => shell::completions(completions),
        Command::Man(man) => shell::man(man),
    }
}
