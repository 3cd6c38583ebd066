//! What is said of rule files that are wrong: each case is a file, `tests/diagnostics/<stage>/<slug>[.<what>].rules`,
//! and what is said of it stands beside it. The slug must be among the codes that are reported.

use std::path::Path;

use referee::diagnostic::{Colour, Diagnostic};
use referee::source::Sources;
use referee::syntax;

/// Reads a file and returns what each stage up to `stage` finds wrong with it.
fn diagnose(stage: &str, sources: &mut Sources, name: &str, text: &str) -> Vec<Diagnostic> {
    assert_eq!(stage, "syntax", "no such stage");
    let id = sources.add(name, text);
    syntax::parse(sources, id).err().unwrap_or_default()
}

/// Checks one case.
fn check(path: &Path) {
    let part =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let name = part(path.file_name()).unwrap_or_default();
    let stem = name.trim_end_matches(".rules");
    let stage = part(path.parent().and_then(Path::file_name)).unwrap_or_default();
    let text = std::fs::read_to_string(path).expect("the case can be read");

    let mut sources = Sources::default();
    let found = diagnose(&stage, &mut sources, &name, &text);
    let slug = stem.split('.').next().unwrap_or(stem);
    let slugs: Vec<&str> = found.iter().map(|one| one.code.slug()).collect();
    let drawn: Vec<String> = found
        .iter()
        .map(|one| one.draw(&sources, Colour::Never) + "\n")
        .collect();
    let drawn = drawn.join("\n");
    assert!(slugs.contains(&slug), "{name} gives {slugs:?}:\n{drawn}");

    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().expect("a case is in a folder"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.bind(|| insta::assert_snapshot!(stem, drawn));
}

#[test]
fn cases() {
    insta::glob!("diagnostics/*/*.rules", check);
}
