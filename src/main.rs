//! The command `referee`: arguments in, text out, exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main().into()
}
