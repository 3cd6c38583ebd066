//! Finds tests in folders.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use referee::{
    diagnostic::masked_line,
    game::has_expectations,
    library::{ENDING, Library},
};

use super::{
    super::{
        error::{Error, Result},
        folders::{self, Found, TRANSCRIPTS},
        inputs::{self, left_out},
        screen::Screen,
    },
    label::{Label, label},
};

/// What the name of a transcript ends in that is always a test.
const INPUT: &str = "in";

/// The ending of a report's name.
const OUTPUT: &str = "out";

/// What is said of a transcript that could be of any game.
const NO_GAME: &str = "it is not clear which game this tests: put it beside a rule file, or into a folder named after a game; beside a variant, begin its name with that of the variant and a dot";

/// A test: a transcript of a game.
pub(super) struct Case {
    /// The path of the transcript as it is shown.
    pub(super) name: String,
    /// The path of the transcript.
    pub(super) input: PathBuf,
    /// The game it is of, or why it is not known.
    pub(super) label: Result<Label, String>,
}

impl Case {
    /// The path of the report.
    pub(super) fn output(&self) -> PathBuf {
        output_of(&self.input)
    }

    /// Whether there must be a report where the transcript does not run to its end.
    pub(super) fn needs_report(&self) -> bool {
        self.input.extension().is_some_and(|ending| ending == INPUT)
    }

    /// The test of a transcript.
    fn new(input: &Path, library: &Library) -> Case {
        let folder = input.parent().unwrap_or(Path::new(""));
        let stem = input.file_stem().unwrap_or_default().to_string_lossy();
        let found = match label(folder, &stem, library) {
            Ok(Some(label)) => Ok(label),
            Ok(None) => Err(NO_GAME.to_string()),
            Err(message) => Err(message),
        };
        Case {
            name: input.display().to_string(),
            input: input.to_path_buf(),
            label: found,
        }
    }
}

/// The path of the report on a transcript.
pub(super) fn output_of(input: &Path) -> PathBuf {
    input.with_extension(OUTPUT)
}

/// The tests that paths lead to, each once.
///
/// # Errors
/// A path leads to none.
pub(super) fn cases(paths: &[PathBuf], library: &Library) -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut names = BTreeSet::new();
    for path in paths {
        let mut found = at(path, library)?;
        found.retain(|case| names.insert(case.name.clone()));
        cases.append(&mut found);
    }
    Ok(cases)
}

/// The tests that a path leads to.
fn at(path: &Path, library: &Library) -> Result<Vec<Case>> {
    let unreadable = |error: io::Error| Error::unreadable(&inputs::name(path), &error);
    if path.is_dir() {
        return below(path, library).map_err(unreadable);
    }
    if let Some(file) = variant_of(path) {
        return Err(Error::usage(format!(
            "`{}` is not a file: write `{file}`, which is tested with its game",
            path.display()
        )));
    }
    fs::metadata(path).map_err(unreadable)?;
    let ending = path.extension().unwrap_or_default();
    if ending == OUTPUT {
        let inputs = TRANSCRIPTS.map(|ending| path.with_extension(ending));
        let input = inputs.iter().find(|input| input.is_file());
        let usual = path.with_extension(INPUT);
        return Ok(vec![Case::new(input.unwrap_or(&usual), library)]);
    }
    if TRANSCRIPTS.iter().any(|known| ending == *known) {
        return Ok(vec![Case::new(path, library)]);
    }
    if ending == ENDING {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut cases = below(folder, library).map_err(unreadable)?;
        cases.retain(|case| {
            let file = case
                .label
                .as_ref()
                .ok()
                .and_then(|label| label.file.as_ref());
            file.is_some_and(|file| file == path)
        });
        return Ok(cases);
    }
    Err(Error::usage(format!(
        "`{}` is neither a folder, a rule file nor a test",
        path.display()
    )))
}

/// The rule file in a path such as `game+variant.rules`, which names no file.
fn variant_of(path: &Path) -> Option<&str> {
    let (_, file) = path.to_str()?.rsplit_once('+')?;
    let is_rules = Path::new(file).extension().is_some_and(|it| it == ENDING);
    (is_rules && !path.exists() && Path::new(file).is_file()).then_some(file)
}

/// The tests in a folder and all folders in it, in the order of their names.
fn below(folder: &Path, library: &Library) -> io::Result<Vec<Case>> {
    let found = folders::files(folder, &TRANSCRIPTS, None).and_then(Found::whole)?;
    for special in &found.special {
        Screen::new().note(&left_out(special));
    }
    let mut cases = Vec::new();
    for path in &found.files {
        if !is_test(path) {
            continue;
        }
        let case = Case::new(path, library);
        if case.label.as_ref().is_err_and(|message| message == NO_GAME) && !says_what_holds(path) {
            // Other things have such names too.
            let note = format!("note: `{}` is left out: {NO_GAME}", case.name);
            Screen::new().note(&masked_line(&note));
            continue;
        }
        cases.push(case);
    }
    Ok(cases)
}

/// Whether a transcript is one to be tested: its name says so, or there is something to test.
fn is_test(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == INPUT) || says_what_holds(path)
}

/// Whether a report lies beside a transcript, or it says itself what must hold.
fn says_what_holds(path: &Path) -> bool {
    output_of(path).is_file()
        || File::open(path)
            .and_then(inputs::all)
            .is_ok_and(|text| has_expectations(&text))
}
