//! What is said on standard error, in colour where that is a terminal.

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
    /// Whether messages have colour.
    pub(super) colour: Colour,
}

/// Whether nothing is said that is not wrong. It is so or not for the whole command.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From here on nothing is said that is not wrong.
pub(super) fn hush() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether nothing is to be said that is not wrong.
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

    /// Says a text. Nobody is left to hear where standard error is closed.
    pub(super) fn say(&self, text: &str) {
        let mut stream = match self.colour {
            Colour::Never => AutoStream::never(io::stderr()),
            Colour::Always => AutoStream::always(io::stderr()),
        };
        let _ = stream.write_all(format!("{text}\n").as_bytes());
    }

    /// Says something that is not wrong, unless only what is wrong is wanted.
    pub(super) fn note(&self, text: &str) {
        if !is_quiet() {
            self.say(text);
        }
    }

    /// Says what is wrong where no text can be shown, and what to do about it.
    pub(super) fn error(&self, message: &str, help: &[String]) {
        self.say(&titled(self.colour, &Level::ERROR, message, help));
    }

    /// Says what may not be meant, and what to do about it.
    pub(super) fn warning(&self, message: &str, help: &[String]) {
        self.say(&titled(self.colour, &Level::WARNING, message, help));
    }

    /// Says why a game could not be loaded.
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

/// A message without a text to show, and what to do about it.
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
