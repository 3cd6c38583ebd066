//! Errors that end a command, with their exit codes.

use std::{io, path::Path};

use referee::{
    failure::Failure,
    game::{Invalid, Unloaded},
    library::nearest_file,
};

use super::{Exit, screen::Screen};

/// The result of a command: its exit code, or an error.
pub(super) type Result<T = Exit, E = Error> = std::result::Result<T, E>;

/// An error that ends a command.
pub(super) enum Error {
    /// Not an error: something else was requested, and has been written.
    Answered,
    /// A game cannot be loaded.
    Unloaded(Box<Unloaded>),
    /// A request to a game is invalid.
    Invalid(Box<Invalid>),
    /// The run over a transcript failed.
    Failure(Failure),
    /// Something that was requested does not exist or is not available.
    Message {
        exit: Exit,
        message: String,
        help: Vec<String>,
    },
    /// Reading or writing failed.
    Machine(anyhow::Error),
}

impl Error {
    /// An error in the command line.
    pub(super) fn usage(message: impl Into<String>) -> Error {
        Error::Message {
            exit: Exit::Usage,
            message: message.into(),
            help: Vec::new(),
        }
    }

    /// The error if a transcript cannot be read. `name` is its name in messages.
    pub(super) fn unreadable(name: &str, error: &io::Error) -> Error {
        Error::Message {
            exit: Exit::Machine,
            message: format!("`{name}` cannot be read: {error}"),
            help: Error::meant(Path::new(name)),
        }
    }

    /// The file that was probably meant by a path that does not exist.
    pub(super) fn meant(path: &Path) -> Vec<String> {
        let near = nearest_file(path).into_iter();
        near.map(|near| format!("did you mean `{}`?", near.display()))
            .collect()
    }

    /// Adds a help line to a message.
    pub(super) fn with_help(mut self, line: impl Into<String>) -> Error {
        if let Error::Message { help, .. } = &mut self {
            help.push(line.into());
        }
        self
    }

    /// The exit code.
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

    /// Shows the error.
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

/// Whether the error is that the reader of the output has closed it.
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
