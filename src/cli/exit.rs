//! Exit codes.

use std::process::ExitCode;

use referee::{
    diagnostic::Code,
    failure::Failure,
    game::{Example, Unloaded},
    library::Missing,
};

/// The exit codes that `--help` lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Done = 0,
    /// The command ran, and its answer is no.
    No = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The rule file is wrong.
    Rules = 3,
    /// The transcript is wrong.
    Transcript = 4,
    /// A bound was exceeded.
    Bound = 5,
    /// An input or output error.
    Machine = 6,
}

impl Exit {
    /// This code, or `next` if this is success.
    pub(super) fn then(self, next: Exit) -> Exit {
        match self {
            Exit::Done => next,
            wrong => wrong,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl From<&Unloaded> for Exit {
    fn from(unloaded: &Unloaded) -> Exit {
        match unloaded {
            Unloaded::Missing(Missing::Unknown { .. })
            | Unloaded::Variants(_)
            | Unloaded::Settings(_) => Exit::Usage,
            Unloaded::Missing(Missing::Unreadable { .. }) => Exit::Machine,
            Unloaded::Missing(Missing::NotText { .. }) | Unloaded::Rules(_) => Exit::Rules,
        }
    }
}

impl From<&Example> for Exit {
    fn from(example: &Example) -> Exit {
        let mut wrong = example.wrong.iter();
        if example.wrong.is_empty() {
            Exit::Done
        } else if wrong.all(|diagnostic| diagnostic.code == Code::ExampleFails) {
            Exit::No
        } else {
            Exit::Rules
        }
    }
}

impl From<&Failure> for Exit {
    fn from(failure: &Failure) -> Exit {
        match failure {
            Failure::Transcript(_) => Exit::Transcript,
            Failure::Rules(_) => Exit::Rules,
            Failure::Bound(_) => Exit::Bound,
            Failure::NoTranscript(_) | Failure::NotPlaying(_) | Failure::NoName(_) => Exit::Usage,
            Failure::Input(_) | Failure::Output(_) => Exit::Machine,
        }
    }
}
