//! How the command ends.

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
    /// Done, and all is well.
    Done = 0,
    /// It ran, and the answer is no.
    No = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The rule file is wrong.
    Rules = 3,
    /// The transcript is wrong.
    Transcript = 4,
    /// A bound was hit.
    Bound = 5,
    /// Reading or writing failed.
    Machine = 6,
}

impl Exit {
    /// This one, unless all was well and then it is `next`.
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
