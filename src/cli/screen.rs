//! Writes to standard error, coloured if that is a terminal.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use annotate_snippets::{Group, Level, Renderer};
use anstream::{AutoStream, ColorChoice};
use referee::{
    diagnostic::{Colour, masked_line},
    game::Unloaded,
};

/// Standard error.
pub(super) struct Screen {
    /// Whether messages are coloured.
    pub(super) colour: Colour,
}

/// Whether notes are suppressed, for the whole command.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Suppresses notes from here on.
pub(super) fn hush() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether notes are suppressed.
pub(super) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

impl Screen {
    pub(super) fn new() -> Screen {
        let colour = match AutoStream::choice(&io::stderr()) {
            ColorChoice::Never => Colour::Never,
            ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => Colour::Always,
        };
        Screen { colour }
    }

    /// Writes a text. If standard error is closed, the text is lost.
    pub(super) fn say(&self, text: &str) {
        let mut stream = match self.colour {
            Colour::Never => AutoStream::never(io::stderr()),
            Colour::Always => AutoStream::always(io::stderr()),
        };
        let _ = stream.write_all(format!("{text}\n").as_bytes());
    }

    /// Writes a note, unless notes are suppressed.
    pub(super) fn note(&self, text: &str) {
        if !is_quiet() {
            self.say(text);
        }
    }

    /// Writes an error that has no source to show, and a help text.
    pub(super) fn error(&self, message: &str, help: &[String]) {
        self.say(&titled(self.colour, &Level::ERROR, message, help));
    }

    /// Writes a warning and a help text.
    pub(super) fn warning(&self, message: &str, help: &[String]) {
        self.say(&titled(self.colour, &Level::WARNING, message, help));
    }

    /// Writes why a game could not be loaded.
    pub(super) fn unloaded(&self, unloaded: &Unloaded) {
        match unloaded {
            Unloaded::Missing(missing) => self.error(&missing.to_string(), &missing.help()),
            Unloaded::Variants(invalid)
            | Unloaded::Rules(invalid)
            | Unloaded::Settings(invalid) => {
                self.say(&invalid.draw(self.colour));
            }
        }
    }
}

/// A message that has no source to show, with a help text.
pub(super) fn titled(colour: Colour, level: &Level<'_>, message: &str, help: &[String]) -> String {
    let title = level.clone().primary_title(masked_line(message));
    let mut group = Group::with_title(title);
    for line in help {
        group = group.element(Level::HELP.message(masked_line(line)));
    }
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    renderer.render(&[group])
}
