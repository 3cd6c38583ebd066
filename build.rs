//! The rule files are shipped inside the program: a new one makes a new program.
#![expect(
    clippy::print_stdout,
    reason = "this is how a build script speaks to cargo"
)]

fn main() {
    println!("cargo::rerun-if-changed=rules");
}
