//! The rule files are shipped inside the program: a new one makes a new program.

fn main() {
    println!("cargo::rerun-if-changed=rules");
}
