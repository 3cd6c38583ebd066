//! Loads a game from a text, or from a name like `game+variant+variant`: runs all stages, and collects what is wrong.

use std::{path::Path, sync::OnceLock};

use super::{Game, Invalid, Unloaded};
use crate::{
    check,
    compile::compile,
    diagnostic::{Code, Diagnostic, capped, retain_unallowed, useless_allows},
    library::{ENDING, Library, Missing, RuleText, is_path},
    merge::{self, Merged},
    optimise::optimise,
    program::Program,
    resolve::{self, COMPASS},
    source::{SourceId, Sources, Span},
    stack,
    syntax::{
        self, MAXIMUM_DEPTH, Salvaged,
        ast::{Header, Name, Text, TextPart},
    },
};

/// The name of the source that names the variants, in diagnostics.
pub(super) const SOURCE: &str = "the name of the game";

/// Separates a game and its variants.
const JOINT: char = '+';

/// The name of a game, with variants.
struct Named<'n> {
    whole: &'n str,
    /// The game's name, or the path of a rule file.
    game: &'n str,
}

impl<'n> Named<'n> {
    /// Splits a name. The path of an existing file is not split.
    fn new(whole: &'n str) -> Named<'n> {
        let one = is_path(whole) && Path::new(whole).is_file();
        let game = match whole.split_once(JOINT) {
            Some((game, _)) if !one => game,
            _ => whole,
        };
        Named { whole, game }
    }

    /// The names of the variants, each with its offset.
    fn parts(&self) -> impl Iterator<Item = (usize, &'n str)> {
        let mut end = self.game.len();
        let rest = self.whole.get(end..).unwrap_or("");
        rest.split(JOINT).skip(1).map(move |part| {
            let start = end + JOINT.len_utf8();
            end = start + part.len();
            (start, part)
        })
    }

    /// The variants that are given by paths.
    fn paths(&self) -> impl Iterator<Item = &'n str> {
        self.parts()
            .map(|(_, part)| part)
            .filter(|part| is_path(part))
    }

    /// The names of the variants, with their places in a text that is added to `sources`.
    fn variants(&self, sources: &mut Sources) -> Vec<Name> {
        if self.whole == self.game {
            return Vec::new();
        }
        let id = sources.add(SOURCE, self.whole);
        self.parts()
            .map(|(start, part)| Name {
                text: part.to_string(),
                span: Span::new(id, start..start + part.len()),
            })
            .collect()
    }

    /// Whether the name itself is all that is wrong.
    fn is_at_fault(&self, invalid: &Invalid) -> bool {
        let mut diagnostics = invalid.diagnostics.iter();
        diagnostics.all(|diagnostic| {
            let source = invalid.sources.get(diagnostic.span.source);
            source.is_some_and(|source| source.name == SOURCE && source.text == self.whole)
        })
    }
}

/// Adds the games with this word in their titles to the error about a missing game.
fn with_titles(mut missing: Missing, library: &Library) -> Missing {
    if let Missing::Unknown {
        name,
        names,
        titled,
        ..
    } = &mut missing
    {
        let words = |text: &str| -> Vec<String> {
            let lower = text.to_lowercase();
            let words = lower.split(|letter: char| !letter.is_alphanumeric());
            words
                .filter(|word| !word.is_empty())
                .map(str::to_string)
                .collect()
        };
        let wanted = words(name);
        let has_word = |game: &&String| {
            let title = words(&title(library, game).unwrap_or_default());
            let mut starts = title.windows(wanted.len().max(1));
            !wanted.is_empty() && starts.any(|some| some == wanted)
        };
        *titled = names.iter().filter(has_word).cloned().collect();
    }
    missing
}

/// The title of a library's game; `None` if its file cannot be read.
fn title(library: &Library, game: &str) -> Option<String> {
    let found = library.find(game).ok()?;
    let mut sources = Sources::default();
    let id = sources.add(found.name, found.text);
    match syntax::parse(&sources, id).ok()?.header {
        Header::Game { title, .. } => title.as_ref().map(plain),
        Header::Variant { .. } => None,
    }
}

/// Says that a file may be no rule file.
fn not_rules(mut unloaded: Unloaded, file: &str) -> Unloaded {
    let is_named_so = Path::new(file).extension().is_some_and(|it| it == ENDING);
    if let Unloaded::Rules(invalid) = &mut unloaded
        && let (false, Some(first)) = (is_named_so, invalid.diagnostics.first_mut())
        && first.code == Code::MissingHeader
    {
        let help = "if this is a transcript, name its game before it";
        first.help.push(help.to_string());
    }
    unloaded
}

impl Game {
    /// Loads a game of `library` by name, or any rule file by path; variants are added like `game+variant+variant`, and
    /// applied from left to right. If the rule file is a variant's, its game is searched for.
    ///
    /// # Errors
    /// If there is no such game, or all that is wrong with it.
    pub fn load(
        library: &Library,
        name: &str,
        settings: &[(String, String)],
    ) -> Result<Game, Unloaded> {
        let named = Named::new(name);
        let found = library
            .find(named.game)
            .map_err(|missing| Unloaded::Missing(with_titles(missing, library)))?;
        let loaded = Game::named(&found, &named, &library.beside(named.game), settings);
        let mut game = loaded.map_err(|unloaded| not_rules(unloaded, &found.name))?;
        let mut warnings = other_names(&game.merged, &game.sources);
        retain_unallowed(&mut warnings, &game.sources);
        warnings.append(&mut game.warnings);
        game.warnings = warnings;
        Ok(game)
    }

    /// Loads a game from the text of its rule file, for example a revision or an editor's buffer. `name` is its name in
    /// diagnostics, followed by variants, each after a `+`. The variants and all files in `use` come from `library`.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn load_text(
        library: &Library,
        name: &str,
        text: &str,
        settings: &[(String, String)],
    ) -> Result<Game, Unloaded> {
        let named = Named::new(name);
        let found = RuleText {
            name: named.game.to_string(),
            text: text.to_string(),
        };
        Game::named(&found, &named, library, settings)
    }

    fn named(
        found: &RuleText,
        named: &Named,
        library: &Library,
        settings: &[(String, String)],
    ) -> Result<Game, Unloaded> {
        for path in named.paths() {
            library.find(path).map_err(Unloaded::Missing)?;
        }
        let load = |settings| Game::combined(found, named, library, settings);
        load(settings).map_err(|invalid| {
            if named.is_at_fault(&invalid) {
                Unloaded::Variants(invalid)
            } else if !settings.is_empty() && load(&[]).is_ok() {
                Unloaded::Settings(invalid)
            } else {
                Unloaded::Rules(invalid)
            }
        })
    }

    /// Checks the rule file `text`, which diagnostics call `name`.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn from_text(
        name: &str,
        text: &str,
        library: &Library,
        settings: &[(String, String)],
    ) -> Result<Game, Invalid> {
        let found = RuleText {
            name: name.to_string(),
            text: text.to_string(),
        };
        Game::combined(&found, &Named::new(""), library, settings)
    }

    /// A game combined with its variants.
    fn combined(
        found: &RuleText,
        named: &Named,
        library: &Library,
        settings: &[(String, String)],
    ) -> Result<Game, Invalid> {
        let mut sources = Sources::default();
        let id = sources.add(&found.name, &found.text);
        let chosen = named.variants(&mut sources);
        let checked = stack::with_room(MAXIMUM_DEPTH, || {
            checked(&mut sources, id, &chosen, library, settings)
        });
        match checked {
            Ok((merged, program, warnings)) => {
                let compiled = stack::with_room(program.depth, || {
                    let mut compiled = compile(&program, &sources);
                    optimise(&mut compiled);
                    compiled
                });
                Ok(Game {
                    sources,
                    program,
                    compiled: Box::new(compiled),
                    explained: OnceLock::new(),
                    warnings,
                    merged,
                    library: library.clone(),
                    settings: settings.to_vec(),
                    seed: 0,
                    redaction: None,
                })
            }
            Err(diagnostics) => Err(Invalid {
                sources,
                diagnostics: capped(diagnostics),
            }),
        }
    }
}

/// A game as one tree, its checked program, and warnings.
type Checked = (Merged, Program, Vec<Diagnostic>);

/// The diagnostics, and whether later stages could not look at the rest of the file.
type Wrong = (Vec<Diagnostic>, bool);

/// Runs all stages from text to checked program.
fn checked(
    sources: &mut Sources,
    id: SourceId,
    chosen: &[Name],
    library: &Library,
    settings: &[(String, String)],
) -> Result<Checked, Vec<Diagnostic>> {
    stages(sources, id, chosen, library, settings).map_err(|(mut wrong, early)| {
        if early {
            wrong.extend(elsewhere(sources, id, &wrong, chosen, library, settings));
        }
        wrong
    })
}

/// Runs the stages in order, up to the first that finds an error.
fn stages(
    sources: &mut Sources,
    id: SourceId,
    chosen: &[Name],
    library: &Library,
    settings: &[(String, String)],
) -> Result<Checked, Wrong> {
    let late = |wrong| (wrong, false);
    let file = syntax::parse(sources, id).map_err(|wrong| (wrong, true))?;
    let mut merged = merge::merge(file, chosen, library, sources).map_err(late)?;
    merged.cite(sources).map_err(late)?;
    for (name, value) in settings {
        sources.add(resolve::SETTING, format!("{name}={value}"));
    }
    loop {
        let resolved = resolve::resolve(&merged.file, sources, settings)
            .map_err(|wrong| (merged.blamed(wrong, sources), true))?;
        let found = match check::check(resolved, sources) {
            Ok((program, mut warnings)) => {
                if !merged.drop_orphans(&warnings) {
                    warnings.append(&mut merged.warnings);
                    let knows = |file, other| merged.knows(file, other);
                    let game = merged.game_file();
                    warnings.extend(check::check_joined(&program, sources, game, &knows));
                    retain_unallowed(&mut warnings, sources);
                    warnings.extend(useless_allows(sources));
                    return Ok((merged, program, capped(warnings)));
                }
                continue;
            }
            Err(wrong) => wrong,
        };
        if !merged.drop_orphans(&found) {
            return Err((merged.blamed(found, sources), false));
        }
    }
}

/// What is wrong in the rest of a file with syntax errors or wrong declarations. Possible consequences of these are
/// left out.
fn elsewhere(
    sources: &Sources,
    id: SourceId,
    wrong: &[Diagnostic],
    chosen: &[Name],
    library: &Library,
    settings: &[(String, String)],
) -> Vec<Diagnostic> {
    let text = sources.get(id).map_or("", |source| source.text.as_str());
    if wrong.iter().any(|one| one.span.source != id) {
        return Vec::new();
    }
    let Some(Salvaged {
        text,
        removed_words,
    }) = syntax::salvage(text, wrong)
    else {
        return Vec::new();
    };
    let mut rest = sources.replaced(id, text);
    let Err((mut found, _)) = stages(&mut rest, id, chosen, library, settings) else {
        return Vec::new();
    };
    // A grid declares the directions on it.
    let removes_grid = removed_words.contains("grid");
    found.retain(|one| {
        let named = rest.text(one.span);
        let is_direction = named == "Compass" || COMPASS.contains(&named);
        let removed = removed_words.contains(named) || removes_grid && is_direction;
        one.code.is_independent() && one.span.source == id && !removed
    });
    found
}

/// A warning for each rule file whose game has another name than the file: a game is found by the file's name.
fn other_names(merged: &Merged, sources: &Sources) -> Vec<Diagnostic> {
    let headers = std::iter::once(&merged.file.header).chain(&merged.variants);
    let warnings = headers.filter_map(|header| {
        let (sort, name) = match header {
            Header::Game { name, .. } => ("game", name),
            Header::Variant { name, .. } => ("variant", name),
        };
        let source = sources.get(name.span.source)?;
        let path = Path::new(&source.name);
        path.extension().filter(|ending| *ending == ENDING)?;
        let file = path.file_stem()?.to_str()?;
        if file == name.text {
            return None;
        }
        let message = format!("the {sort} `{}` is in a file called `{file}`", name.text);
        let warning = Diagnostic::warning(Code::OtherName, name.span, message);
        Some(warning.help(format!(
            "give both the same name: whoever looks for the {sort} `{file}` finds this one"
        )))
    });
    warnings.collect()
}

/// A text without holes.
pub(super) fn plain(text: &Text) -> String {
    let parts = text.parts.iter().map(|part| match part {
        TextPart::Literal { text, .. } => text.as_str(),
        TextPart::Hole(_) => "",
    });
    parts.collect()
}
