//! The examples in rule files.

use referee::{diagnostic::Code, game::Example};

use super::Exit;

/// How the command ends where an example is so.
pub(super) fn exit(example: &Example) -> Exit {
    let mut wrong = example.wrong.iter();
    if example.wrong.is_empty() {
        Exit::Done
    } else if wrong.all(|diagnostic| diagnostic.code == Code::ExampleFails) {
        Exit::No
    } else {
        Exit::Rules
    }
}
