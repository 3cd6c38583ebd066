//! How long it takes until a game could begin: on a transcript of no games at all.

use std::{fs, io, path::PathBuf};

use referee::library::Library;

use crate::{
    Wanted,
    measure::{self, Cost, median},
};

/// No game, and the end.
const EMPTY: [(&str, &str); 2] = [("weiqi", "-1 -1\n"), ("", "0\n")];

pub(crate) fn run(wanted: &Wanted) -> io::Result<()> {
    if !wanted.part("start-up") {
        return Ok(());
    }
    measure::head(
        "Start-up, on an empty transcript",
        &["game", "CPU, ms", "MiB"],
    );
    let library = Library::shipped();
    for game in library.names() {
        let variants = library.variants(&game);
        let combined = variants.iter().map(|variant| format!("{game}+{variant}"));
        for name in std::iter::once(game.clone()).chain(combined) {
            let empty = EMPTY
                .iter()
                .find(|(other, _)| game == *other || other.is_empty());
            let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("empty.txt");
            fs::write(&path, empty.map_or("", |(_, text)| text))?;
            let mut costs: Vec<Cost> = Vec::new();
            for _ in 0..if wanted.quick { 7 } else { 31 } {
                let mut command = measure::referee(&["run", &name]);
                costs.push(measure::cost(&mut command, fs::File::open(&path)?)?);
            }
            let milliseconds = median(costs.iter().map(|cost| cost.seconds() * 1e3));
            let memory = costs.iter().map(Cost::mebibytes).max().unwrap_or_default();
            measure::line(&[name, format!("{milliseconds:.1}"), memory.to_string()]);
        }
    }
    Ok(())
}
