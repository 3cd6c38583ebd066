//! `referee completions` and `referee man`: shell completion and manual pages.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Command;
use clap_complete::{
    ArgValueCompleter, Shell,
    env::{CompleteEnv, Shells},
};
use clap_mangen::Man as Page;

use super::{
    Exit, complete,
    error::{Error, Result},
    output, whole,
};

/// The name of the command.
const NAME: &str = "referee";

/// The variable by which a shell requests completions.
const VARIABLE: &str = "REFEREE_COMPLETE";

/// The arguments of `completions`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// The arguments of `man`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Man {
    /// The command to write the page of; by default, `referee` itself
    #[arg(value_name = "COMMAND", add = ArgValueCompleter::new(complete::commands))]
    about: Option<String>,
    /// Writes the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "about")]
    dir: Option<PathBuf>,
}

/// Answers a shell's request for completions. Returns whether there was one.
///
/// # Errors
/// If the request is malformed.
pub(super) fn completed() -> clap::error::Result<bool> {
    let asked = CompleteEnv::with_factory(whole).var(VARIABLE).bin(NAME);
    // Without a current folder, files are not completed.
    let folder = env::current_dir().ok();
    asked.try_complete(env::args_os(), folder.as_deref())
}

/// Writes a completion script. It calls the command itself, which knows the games, variants and options.
pub(super) fn completions(arguments: &Completions) -> Result {
    let name = arguments.shell.to_string();
    let unknown = || Error::usage(format!("there are no completions for `{name}`"));
    let shells = Shells::builtins();
    let shell = shells.completer(&name).ok_or_else(unknown)?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, NAME, NAME, NAME, &mut script)?;
    output::write(script)?;
    Ok(Exit::Done)
}

/// Writes one manual page, or all.
pub(super) fn man(arguments: &Man) -> Result {
    let mut command = whole().disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &arguments.dir {
        return all_pages(&command, folder);
    }
    let command = match &arguments.about {
        None => command,
        Some(name) => {
            let found = command.find_subcommand(name);
            let unknown = || super::unknown::command(name);
            found.ok_or_else(unknown)?.clone()
        }
    };
    output::write(rendered(command).1?)?;
    Ok(Exit::Done)
}

/// Writes the page of a command and those of its subcommands into a folder, which is created if necessary.
fn all_pages(command: &Command, folder: &Path) -> Result {
    let at = |path: &Path| format!("`{}` cannot be written", path.display());
    fs::create_dir_all(folder).with_context(|| at(folder))?;
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
    for command in std::iter::once(command).chain(shown) {
        let (name, page) = rendered(command.clone());
        let path = folder.join(name);
        output::replace(&path, page?)?;
    }
    Ok(Exit::Done)
}

/// The file name of a command's page, and the page.
fn rendered(command: Command) -> (String, std::io::Result<Vec<u8>>) {
    let mut page = Vec::new();
    let source = concat!("referee ", env!("CARGO_PKG_VERSION"));
    let written = Page::new(command).source(source);
    let name = written.get_filename();
    let page = written.render(&mut page).map(|()| sections(&page));
    (name, page)
}

/// A page whose closing help is divided into sections, as usual in manuals.
fn sections(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    let mut lines = Vec::new();
    for line in page.lines() {
        lines.push(match line {
            ".SH EXTRA" => ".SH NOTES",
            "Example:" | "Examples:" => ".SH EXAMPLES",
            "Exit codes:" => ".SH EXIT STATUS",
            "Environment:" => ".SH ENVIRONMENT",
            line => line,
        });
        if let [.., ".SH NOTES", ".SH EXAMPLES"] = lines.as_slice() {
            lines.remove(lines.len() - 2);
        }
    }
    lines.push("");
    lines.join("\n").into_bytes()
}
