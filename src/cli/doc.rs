//! `referee doc`: the rule book of a game, or a site of all games.

mod html;
mod markdown;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap_complete::engine::ArgValueCompleter;
use referee::{game::Game, library::Library};

use super::{
    Exit, complete,
    error::{Error, Result},
    output,
    settings::{self, Setting},
};

/// The arguments of `doc`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// The game: its name, or the path of a rule file; with variants, `GAME+VARIANT`
    #[arg(required_unless_present = "all", conflicts_with = "all", add = ArgValueCompleter::new(complete::games))]
    game: Option<String>,
    /// Writes one HTML page, which needs no other files
    #[arg(long, conflicts_with = "markdown")]
    html: bool,
    /// Writes Markdown, which is the default
    #[arg(long)]
    markdown: bool,
    /// Writes a site into a folder: a page for every game and for each of its variants
    #[arg(long, requires = "out", conflicts_with_all = ["html", "markdown"])]
    all: bool,
    /// Where to write the book, or the site
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Sets an option of the game
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = settings::setting, add = ArgValueCompleter::new(complete::settings), display_order = 100)]
    settings: Vec<Setting>,
}

/// Writes a book, or a site.
pub(super) fn doc(arguments: &Arguments, library: &Library) -> Result {
    let Some(game) = &arguments.game else {
        let folder = arguments.out.as_deref();
        return match folder {
            Some(folder) => site(folder, library),
            None => Err(Error::usage("`--all` needs `--out FOLDER`")),
        };
    };
    let book = settings::load(library, game, &arguments.settings)?.book();
    let text = if arguments.html {
        html::page(&book, None)
    } else {
        markdown::written(&book)
    };
    match &arguments.out {
        Some(path) => write(path, &text)?,
        None => output::write(text)?,
    }
    Ok(Exit::Done)
}

/// Writes a page for every game and each of its variants, and an index.
fn site(folder: &Path, library: &Library) -> Result {
    fs::create_dir_all(folder)
        .with_context(|| format!("`{}` cannot be written", folder.display()))?;
    let mut listed = Vec::new();
    for name in library.names() {
        let game = Game::load(library, &name, &[])?;
        let mut pages = vec![(name.clone(), game.title().to_string())];
        write_page(folder, &game)?;
        for variant in game.variants() {
            let name = format!("{name}+{}", variant.name);
            // A variant that requires others is in their books.
            let Ok(game) = Game::load(library, &name, &[]) else {
                continue;
            };
            write_page(folder, &game)?;
            pages.push((game.book().name, variant.title));
        }
        listed.push(pages);
    }
    write(&folder.join("index.html"), &html::index(&listed))?;
    output::write(format!("{}\n", folder.join("index.html").display()))?;
    Ok(Exit::Done)
}

fn write_page(folder: &Path, game: &Game) -> anyhow::Result<()> {
    let book = game.book();
    let path = folder.join(html::file_name(&book.name));
    write(&path, &html::page(&book, Some("index.html")))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    output::replace(path, text)
}
