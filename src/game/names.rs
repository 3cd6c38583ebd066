//! `game+variant+variant`: the name that a game is loaded by.

use std::path::Path;

use super::Invalid;
use crate::{
    diagnostic::{Code, Diagnostic},
    library::{ENDING, is_path},
    merge::Merged,
    source::{Sources, Span},
    syntax::ast::{Header, Name, Text, TextPart},
};

/// What diagnostics call the text that names variants.
pub(super) const SOURCE: &str = "the name of the game";

/// Between a game and a variant.
const JOINT: char = '+';

/// A name that a game is loaded by.
pub(super) struct Named<'n> {
    whole: &'n str,
    /// The game's name, or the path of a rule file.
    pub(super) game: &'n str,
}

impl<'n> Named<'n> {
    /// Takes a name apart. The path of a file that is there is one name, whatever stands in it.
    pub(super) fn new(whole: &'n str) -> Named<'n> {
        let one = is_path(whole) && Path::new(whole).is_file();
        let game = match whole.split_once(JOINT) {
            Some((game, _)) if !one => game,
            _ => whole,
        };
        Named { whole, game }
    }

    /// The names of the variants, each with where it begins.
    fn parts(&self) -> impl Iterator<Item = (usize, &'n str)> {
        let mut end = self.game.len();
        let rest = self.whole.get(end..).unwrap_or("");
        rest.split(JOINT).skip(1).map(move |part| {
            let start = end + JOINT.len_utf8();
            end = start + part.len();
            (start, part)
        })
    }

    /// The variants that are named by the paths of their files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &'n str> {
        self.parts()
            .map(|(_, part)| part)
            .filter(|part| is_path(part))
    }

    /// The names of the variants, whose places are in a text that is added to `sources`.
    pub(super) fn variants(&self, sources: &mut Sources) -> Vec<Name> {
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

    /// Whether nothing is wrong but what the name says.
    pub(super) fn is_at_fault(&self, invalid: &Invalid) -> bool {
        let mut diagnostics = invalid.diagnostics.iter();
        diagnostics.all(|diagnostic| {
            let source = invalid.sources.get(diagnostic.span.source);
            source.is_some_and(|source| source.name == SOURCE && source.text == self.whole)
        })
    }
}

/// A warning for each rule file of a game that says another name than its file has: it is found by that of the file.
pub(super) fn other_names(merged: &Merged, sources: &Sources) -> Vec<Diagnostic> {
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
