//! Every `transcripts/<folder>/<case>.txt`, run: the report as far as it comes, how the run ends, and what is said
//! if that is a failure. `README.md` beside this file says how to add a case.

mod support;

use std::{cell::RefCell, collections::BTreeMap, fs, path::Path};

use referee::diagnostic::Colour;
use support::{Folder, Outcome};

/// What is said to a case, and how its run ends.
fn run(folder: &Folder, case: &Path) -> String {
    let bytes = fs::read(case).expect("the case is there");
    let name = case.file_name().unwrap_or_default().to_string_lossy();
    let mut report = Vec::new();
    let failure = folder
        .game
        .run(
            folder.form.as_deref(),
            &name,
            &mut bytes.as_slice(),
            &mut report,
        )
        .err();
    let outcome = Outcome {
        report: String::from_utf8(report).expect("a report is text"),
        failure,
    };
    let (report, kind, drawn) = (&outcome.report, outcome.kind(), outcome.drawn());
    let gap = if report.is_empty() || report.ends_with('\n') {
        ""
    } else {
        "\n--- the line is not complete\n"
    };
    format!("{report}{gap}--- {kind}\n{drawn}")
}

/// What does not hold of what a case expects on lines that begin with `#?`.
fn unmet(folder: &Folder, case: &Path) -> String {
    let bytes = fs::read(case).expect("the case is there");
    let form = folder.form.as_deref();
    let name = case.to_string_lossy();
    let judged = folder.game.judge(form, &name, &bytes, &mut std::io::sink());
    match judged {
        Ok(judged) => judged
            .unmet
            .map_or(String::new(), |unmet| unmet.draw(Colour::Never)),
        Err(invalid) => invalid.draw(Colour::Never),
    }
}

#[test]
fn transcripts() {
    let folders: RefCell<BTreeMap<String, Folder>> = RefCell::default();
    insta::glob!("transcripts/*/*.txt", |case| {
        let folder = case.parent().expect("a case lies in a folder");
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let mut folders = folders.borrow_mut();
        let folder_of = || Folder::new(&name);
        let of = folders.entry(name.to_string()).or_insert_with(folder_of);
        let outcome = run(of, case);
        assert_eq!(unmet(of, case), "", "{}", case.display());
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        let stem = case.file_stem().unwrap_or_default().to_string_lossy();
        settings.bind(|| insta::assert_snapshot!(&*stem, outcome));
    });
}
