//! `referee check --fix`: the changes of text that surely are what an author means.

use std::{fs, path::Path};

use anyhow::Context as _;
use referee::{
    diagnostic::edited,
    library::{BYTE_ORDER_MARK, Library},
};

use super::{
    super::{difference, output},
    Checked,
};

/// How many rounds of fixes there are: each fixes what was reported, which is at most a hundred mistakes, and may reveal
/// more. Fixes that undo each other end here.
const ROUNDS: usize = 32;

/// Changes the rule files of a game, as texts of `library` in place of the files, until nothing certain is left to
/// change. Whatever is not a file that reads as it was checked, such as a shipped one, stays.
pub(super) fn fixed(library: &mut Library, name: &str) -> Checked {
    let mut checked = Checked::new(library, name);
    for _ in 0..ROUNDS {
        let edited = checked
            .sources()
            .map(|sources| {
                let texts = edited(&checked.found, sources).into_iter();
                let is_file = |path: &str| {
                    let mut texts = sources.texts();
                    let checked = texts.find(|(name, _)| *name == path);
                    let found = library.find(path).ok().map(|found| found.text);
                    !path.is_empty() && found.as_deref() == checked.map(|(_, text)| text)
                };
                texts.filter(|(path, _)| is_file(path)).collect::<Vec<_>>()
            })
            .unwrap_or_default();
        if edited.is_empty() {
            break;
        }
        for (path, text) in edited {
            library.insert(path, text);
        }
        checked = Checked::new(library, name);
    }
    checked
}

/// Shows what the texts of `library` change in the files that they stand for, and writes it unless it is only `tried`.
/// Gives whether something changed.
pub(super) fn written(library: &mut Library, tried: bool, shown: bool) -> anyhow::Result<bool> {
    let texts: Vec<_> = library
        .texts()
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .collect();
    for (path, text) in &texts {
        let old = fs::read(path).with_context(|| unwritten(path))?;
        let mark = old.starts_with(BYTE_ORDER_MARK.as_bytes());
        let text = format!("{}{text}", if mark { BYTE_ORDER_MARK } else { "" });
        if shown {
            let colour = output::colour();
            let drawn = difference::drawn(path, &old, "fixed", text.as_bytes(), colour);
            output::write_drawn(drawn, colour)?;
        }
        if !tried {
            output::replace(path, text)?;
            library.remove(path);
        }
    }
    Ok(!texts.is_empty())
}

fn unwritten(path: &Path) -> String {
    format!("`{}` cannot be written", path.display())
}
