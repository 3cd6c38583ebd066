//! `referee completions` and `referee man`: what a shell and a manual reader want to know of the command.

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use super::{
    Exit,
    error::{Error, Result},
    output,
};

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
    /// The command whose page it is; the page of all is written otherwise
    #[arg(value_name = "COMMAND")]
    about: Option<String>,
}

/// The whole command line.
fn whole() -> Command {
    super::Arguments::command()
}

/// Writes a script that completes arguments.
pub(super) fn completions(arguments: &Completions) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut whole(), "referee", &mut script);
    output::write(script)?;
    Ok(Exit::Done)
}

/// Writes a manual page.
pub(super) fn man(arguments: &Man) -> Result {
    let mut command = whole().disable_help_subcommand(true);
    command.build();
    let command = match &arguments.about {
        None => command,
        Some(name) => {
            let found = command.find_subcommand(name);
            let unknown = || Error::usage(format!("there is no command called `{name}`"));
            found.ok_or_else(unknown)?.clone()
        }
    };
    let mut page = Vec::new();
    let source = concat!("referee ", env!("CARGO_PKG_VERSION"));
    Page::new(command).source(source).render(&mut page)?;
    output::write(page)?;
    Ok(Exit::Done)
}
