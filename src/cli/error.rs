//! What ends a command before it is done, with the exit code that this has.

use std::{io, path::Path};

use referee::{
    failure::Failure,
    game::{Invalid, Unloaded},
    library::nearest_file,
};

use super::{Exit, screen::Screen};

/// What a command comes to: how it ends, unless something ended it before.
pub(super) type Result<T = Exit, E = Error> = std::result::Result<T, E>;

/// What ends a command before it is done.
pub(super) enum Error {
    /// Nothing is wrong: what else was asked for was done instead.
    Answered,
    /// A game cannot be loaded.
    Unloaded(Box<Unloaded>),
    /// What is asked of a game makes no sense.
    Invalid(Box<Invalid>),
    /// A transcript cannot be run to where it should.
    Failure(Failure),
    /// What is asked for is not there, or cannot be had.
    Message {
        exit: Exit,
        message: String,
        help: Vec<String>,
    },
    /// Reading or writing failed.
    Machine(anyhow::Error),
}

impl Error {
    /// The command line is wrong.
    pub(super) fn usage(message: impl Into<String>) -> Error {
        Error::Message {
            exit: Exit::Usage,
            message: message.into(),
            help: Vec::new(),
        }
    }

    /// A transcript, as messages call it, cannot be read.
    pub(super) fn unreadable(name: &str, error: &io::Error) -> Error {
        Error::Message {
            exit: Exit::Machine,
            message: format!("`{name}` cannot be read: {error}"),
            help: Error::meant(Path::new(name)),
        }
    }

    /// Which file was probably meant by the path of one that is not there.
    pub(super) fn meant(path: &Path) -> Vec<String> {
        let near = nearest_file(path).into_iter();
        near.map(|near| format!("did you mean `{}`?", near.display()))
            .collect()
    }

    /// The same, with a line on what to do about it where it is a message.
    pub(super) fn with_help(mut self, line: impl Into<String>) -> Error {
        if let Error::Message { help, .. } = &mut self {
            help.push(line.into());
        }
        self
    }

    /// How the command ends.
    pub(super) fn exit(&self) -> Exit {
        match self {
            Error::Answered => Exit::Done,
            Error::Unloaded(unloaded) => Exit::from(&**unloaded),
            Error::Invalid(_) => Exit::Usage,
            Error::Failure(failure) => Exit::from(failure),
            Error::Message { exit, .. } => *exit,
            Error::Machine(error) if is_closed_pipe(error) => Exit::Done,
            Error::Machine(_) => Exit::Machine,
        }
    }

    /// Says what is wrong.
    pub(super) fn show(&self, screen: &Screen) {
        match self {
            Error::Answered => {}
            Error::Unloaded(unloaded) => screen.unloaded(unloaded),
            Error::Invalid(invalid) => screen.say(&invalid.draw(screen.colour)),
            Error::Failure(failure) => screen.say(&failure.draw(screen.colour)),
            Error::Message { message, help, .. } => screen.error(message, help),
            Error::Machine(error) if is_closed_pipe(error) => {}
            Error::Machine(error) => screen.error(&with_causes(error), &[]),
        }
    }
}

/// An error and its causes, but for what it already says of them.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.ends_with(&cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause);
    }
    text
}

/// Whether the reader of the output has stopped reading.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

impl From<Unloaded> for Error {
    fn from(unloaded: Unloaded) -> Error {
        Error::Unloaded(Box::new(unloaded))
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Error {
        Error::Invalid(Box::new(invalid))
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        Error::Failure(failure)
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Error {
        Error::Machine(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Machine(error.into())
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        Error::Machine(error.into())
    }
}
