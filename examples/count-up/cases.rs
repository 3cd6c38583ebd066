//! Snapshot tests of one's own rule file. Each file in `cases/` is a transcript; what the referee says to it lies
//! beside it.

use std::{error::Error, fs, path::Path};

use referee::{game::Game, library::Library};

#[test]
fn cases() {
    insta::glob!("cases/*.txt", |path| {
        let said = said(path).expect("the rule file is right, and the case can be read");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.with_file_name(""));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        settings.bind(|| insta::assert_snapshot!(name.as_ref(), said));
    });
}

/// The report on a transcript, and after it why it stopped, if it did.
fn said(path: &Path) -> Result<String, Box<dyn Error>> {
    let rules = include_str!("count-up.rules");
    let game = Game::from_text("count-up.rules", rules, &Library::shipped(), &[])?;
    let transcript = fs::read(path)?;
    let mut report = Vec::new();
    let ran = game.run(None, "transcript", &mut transcript.as_slice(), &mut report);
    let mut said = String::from_utf8(report)?;
    if let Err(failure) = ran {
        said.push_str(&failure.to_string());
    }
    Ok(said)
}
