//! The command line: its arguments, and a module for each thing that it does.

mod check;
mod cover;
mod debug;
mod diff;
mod examples;
mod exit;
mod findings;
mod inputs;
mod library;
mod list;
mod moves;
mod options;
mod output;
mod parallel;
mod reporter;
mod revision;
mod run;
mod screen;
mod settings;
mod shell;
mod show;
mod test;
mod why;
mod wording;

use clap::{Parser, Subcommand};
pub(crate) use exit::Exit;
use screen::Screen;

/// What `--help` ends with.
const MORE: &str = "\
A GAME is the name of one that `referee list` names, or the path of a rule file: it has a `/` or ends in `.rules`. \
Variants follow, each after a `+`, and are applied from left to right: `GAME+VARIANT+VARIANT`. What `--set` sets comes \
last. `referee show GAME` names the variants of a game. A variant can be the path of a file too.

Exit codes:
  0  done, and all is well
  1  it ran, and the answer is no: a test failed, `diff` found a difference, or `cover` less than it should be
  2  the command line is wrong: an unknown game, variant, transcript, option or argument
  3  the rule file is wrong, or its rules cannot be worked out when they run
  4  the transcript is malformed, or says what is impossible
  5  a bound was hit: the rule file's `limit`, or the work or memory that a game may take
  6  reading or writing failed

Where several files are given, one that is wrong does not keep the others from being read: its message goes to \
standard error, and the exit code is that of the first that was wrong. A reader that stops reading ends the command \
quietly.

Environment:
  REFEREE_RULES  folders of rule files, separated as in PATH; they come after those of --rules
  NO_COLOR       if it is set, messages have no colour; they have none outside a terminal either";

/// Referees games: reads the rules of a game and a transcript of it, and reports what the referee says.
#[derive(Debug, Parser)]
#[command(name = "referee", version, after_help = MORE, max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    library: library::Arguments,
    #[command(subcommand)]
    command: Command,
}

/// What can be asked for.
#[derive(Debug, Subcommand)]
enum Command {
    /// Reports on transcripts of a game
    Run(run::Arguments),
    /// Says all that is wrong with rule files, or probably not meant
    Check(check::Arguments),
    /// Shows a game's options and variants, and where its rules come from
    Show(show::Arguments),
    /// Tells what may happen next at a place of a transcript, or counts the lines of play from there
    Moves(moves::Arguments),
    /// Runs the tests that lie beside rule files
    Test(test::Arguments),
    /// Tells which rows of a game its transcripts reach, and which changes to its rules they would notice
    Cover(cover::Arguments),
    /// Explains what the referee decided on a line of a transcript: the rules and the values behind it
    Why(why::Arguments),
    /// Runs the same transcripts under two games, and shows where their reports first differ
    Diff(diff::Arguments),
    /// Lists the games there are
    List,
    /// Shows what the interpreter makes of rules
    #[command(subcommand, hide = true)]
    Debug(debug::Debug),
    /// Writes a script that completes this command's arguments in a shell
    Completions(shell::Completions),
    /// Writes the manual page
    Man(shell::Man),
}

/// Does what the command line says.
pub(crate) fn main() -> Exit {
    let arguments = Arguments::parse();
    let screen = Screen::new();
    command(&arguments, &screen).unwrap_or_else(|error| {
        if is_closed_pipe(&error) {
            return Exit::Done;
        }
        screen.error(&format!("{error:#}"), &[]);
        Exit::Machine
    })
}

fn command(arguments: &Arguments, screen: &Screen) -> anyhow::Result<Exit> {
    let library = match arguments.library.library() {
        Ok(library) => library,
        Err(message) => {
            screen.error(&message, &[]);
            return Ok(Exit::Usage);
        }
    };
    match &arguments.command {
        Command::Run(run) => run::run(run, &library, screen),
        Command::Check(check) => check::check(check, &library, screen),
        Command::Show(show) => show::show(show, &library, screen),
        Command::Moves(moves) => moves::moves(moves, &library, screen),
        Command::Test(test) => test::test(test, &library, screen),
        Command::Cover(cover) => cover::cover(cover, &library, screen),
        Command::Why(why) => why::why(why, &library, screen),
        Command::Diff(diff) => diff::diff(diff, &library, screen),
        Command::List => list::list(&library),
        Command::Debug(debug) => debug::debug(debug, &library, screen),
        Command::Completions(completions) => shell::completions(completions),
        Command::Man(man) => shell::man(man, screen),
    }
}

/// Whether whoever read the output has stopped reading.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
