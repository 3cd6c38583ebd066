//! The command line: its arguments, and a module for each subcommand.

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
mod schema;
mod screen;
mod settings;
mod shell;
mod show;
#[cfg(feature = "tables")]
mod tables;
mod test;
mod unknown;
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
  1  it ran, but a check failed: a test failed, `diff` found a difference, `cover` is below its threshold, or `fmt` \
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
    #[arg(short, long, global = true, display_order = 200)]
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
    /// Writes the JSON Schema of what a command writes as JSON
    Schema(schema::Arguments),
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

/// The examples at the end of each command's help: the command's name, and a line to type.
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

/// Runs the command.
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

/// Writes what comes instead of a command: help, the version, or what is wrong with the arguments.
fn unparsed(told: &clap::Error, screen: &Screen) -> Result {
    if told.use_stderr() {
        if let Some(error) = mistaken(told) {
            return Err(error);
        }
        // Clap's message repeats arguments verbatim, so control characters in them are masked.
        let mut arguments = std::env::args_os();
        if arguments.any(|argument| argument.to_string_lossy().contains(is_obeyed)) {
            screen.say(masked(&told.render().to_string()).trim_end());
        } else {
            drop(told.print());
        }
        // If standard error is closed, the message is lost.
        return Ok(Exit::Usage);
    }
    let written = told.print().and_then(|()| io::stdout().flush());
    written.context("standard output cannot be written")?;
    Ok(Exit::Done)
}

/// A better message than clap's for some mistakes.
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
        return Some(unknown::command(command));
    }
    if told.kind() == ErrorKind::MissingRequiredArgument {
        return unknown::no_game(told.get(ContextKind::InvalidArg)?);
    }
    let argument = text(ContextKind::InvalidArg)?;
    if told.kind() == ErrorKind::UnknownArgument {
        return unknown::option(argument).or_else(|| unknown::letter(argument));
    }
    let error = told.source()?.downcast_ref::<ParseIntError>()?;
    let value = text(ContextKind::InvalidValue)?;
    Some(Error::usage(match error.kind() {
        IntErrorKind::PosOverflow => format!("`{value}` is too much for `{argument}`"),
        _ => format!("`{argument}` takes a whole number, not `{value}`"),
    }))
}

impl Command {
    /// Whether the command runs again after every change.
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
        if let Command::Run(run) = &arguments.command {
            run.can_change()?;
        }
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
        Command::Schema(schema) => schema::schema(schema),
        Command::New(new) => new::new(new, &library, screen),
        Command::Lsp => lsp::lsp(&library),
        Command::Debug(debug) => debug::debug(debug, &library, screen),
        Command::Completions(completions) => shell::completions(completions),
        Command::Man(man) => shell::man(man),
    }
}
