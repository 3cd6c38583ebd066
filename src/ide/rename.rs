//! Renames declarations in rule files, and in the transcripts that test them.

use std::{collections::BTreeMap, ops::Range};

use super::{
    Label, Place, Workspace,
    family::{Family, Found},
    symbol::Sort,
};
use crate::{
    diagnostic::{Data, Severity},
    game::Game,
    library::Library,
    resolve::OUTCOME,
    syntax,
    transcript::QUESTION,
};

/// Names of facts with a special meaning in every game.
const SPECIAL: [&str; 3] = ["over", "restart", OUTCOME];

impl Workspace {
    /// The places to replace by `name`, in the rule files and in `tests`, which are transcripts of the game.
    ///
    /// # Errors
    /// Why the name cannot be changed.
    pub fn rename(
        &self,
        file: &str,
        offset: usize,
        name: &str,
        tests: &[(String, Label)],
    ) -> Result<Vec<Place>, String> {
        let family = self.family_with_users_at(file, offset);
        let (mut family, offset) = family.ok_or("there is no name here")?;
        let document = &family.docs[family.at];
        let word = document.name_at(offset).ok_or("there is no name here")?;
        let old = document.word(word).to_string();
        let found = family.candidates(family.at, word);
        let [one] = found[..] else {
            return Err(match found.len() {
                0 => format!("`{old}` is not declared in these files"),
                _ => {
                    format!("`{old}` is declared several times, and only types tell which is meant")
                }
            });
        };
        if !syntax::is_free_name(name) {
            return Err(format!("`{name}` cannot be a name"));
        }
        let sort = family.symbol(one).sort;
        if sort == Sort::Game {
            return Err("the name of a game or variant is that of its file: rename both".into());
        }
        if one.0 >= family.own || !self.is_file(&family.docs[one.0].name) {
            let place = &family.docs[one.0].name;
            return Err(format!(
                "`{old}` is declared in `{place}`, which other games use too"
            ));
        }
        for special in SPECIAL {
            if sort == Sort::Fact && old == special {
                return Err(format!("what the fact `{old}` does, it does by its name"));
            }
            if sort == Sort::Fact && name == special {
                return Err(format!("a fact called `{name}` means something of its own"));
            }
        }
        let taken = family.docs.iter().take(family.own);
        let mut taken = taken.flat_map(|doc| &doc.symbols);
        if taken.any(|symbol| symbol.name == name && symbol.sort != Sort::Row) {
            return Err(format!("there is a `{name}` already"));
        }
        if sort != Sort::Row && family.has_other(name) {
            return Err(format!("these files use `{name}` for something else"));
        }
        let others = tests.iter().filter(|(test, _)| test != file);
        for (test, label) in others {
            family.add_questions(self, test, label);
        }
        let mut places = Workspace::uses(&family, offset, |found, meant| meant == found);
        let refused = |wrong| format!("`{old}` cannot be renamed: {wrong}");
        if let Some(wrong) = self.broken(&family, &places, one, (&old, name)) {
            return Err(refused(wrong));
        }
        self.rename_in_tests(&mut places, (&old, name), sort, tests)
            .map_err(refused)?;
        Ok(places)
    }

    /// Adds the places in transcripts whose words are read as the name.
    ///
    /// # Errors
    /// If a transcript that passes now would fail.
    fn rename_in_tests(
        &self,
        places: &mut Vec<Place>,
        (old, name): (&str, &str),
        sort: Sort,
        tests: &[(String, Label)],
    ) -> Result<(), String> {
        let library = self.renamed(places, name);
        // Each game is loaded with the transcripts' options, before and after renaming.
        let mut games = BTreeMap::new();
        for (test, label) in tests {
            let asks = places.iter().any(|place| place.file == *test);
            let text = self.text(test).unwrap_or_default();
            let reads = sort == Sort::Member && text.contains(old);
            if !asks && !reads {
                continue;
            }
            let [now, then] = games
                .entry((&label.game, &label.settings))
                .or_insert_with(|| {
                    [&self.library, &library].map(|it| Game::load(it, &label.game, &label.settings))
                });
            let (Ok(now), Ok(then)) = (now, then) else {
                continue;
            };
            let form = label.form.as_deref();
            if !holds(now, form, test, &text)
                || holds(then, form, test, &replaced(&text, test, places, name))
            {
                continue;
            }
            if reads {
                places.extend(words(&text, old).map(|range| Place {
                    file: test.clone(),
                    range,
                }));
            }
            if !holds(then, form, test, &replaced(&text, test, places, name)) {
                return Err(format!("`{test}` would no longer hold"));
            }
        }
        Ok(())
    }

    /// The library with `name` in these places.
    fn renamed(&self, places: &[Place], name: &str) -> Library {
        let mut library = self.library.clone();
        for place in places {
            let text = self.text(&place.file).unwrap_or_default();
            library.insert(&place.file, replaced(&text, &place.file, places, name));
        }
        library
    }

    /// The first new error that renaming causes in any file.
    fn broken(
        &self,
        family: &Family,
        places: &[Place],
        one: Found,
        (old, name): (&str, &str),
    ) -> Option<String> {
        let library = self.renamed(places, name);
        let kept = (0..family.own).chain(family.users..family.docs.len());
        let is_question =
            |doc: &usize| family.questions.iter().any(|(question, _)| question == doc);
        // A file that contains neither name cannot break, if the game does not.
        let has = |doc: usize| {
            let document = &family.docs[doc];
            (0..document.words.len()).any(|at| match document.word(at) {
                word if word == name => true,
                word if word == old => {
                    let meant = family.candidates(doc, at);
                    meant.is_empty() || meant.contains(&one)
                }
                _ => false,
            })
        };
        let concerned = |doc: usize| {
            let visible = family.visible(doc).into_iter();
            let mut changes = visible.filter(|it| *it != 0 && *it < family.own);
            doc == 0 || has(doc) || changes.any(has)
        };
        let mut kept = kept.filter(|doc| !is_question(doc) && concerned(*doc));
        kept.find_map(|doc| {
            let file = &family.docs[doc].name;
            let Data {
                message, labels, ..
            } = first_error(&library, file)?;
            if first_error(&self.library, file).is_some() {
                return None;
            }
            let place = labels.first().map_or_else(String::new, |place| {
                format!(" in line {} of `{}`", place.start.line, place.file)
            });
            Some(format!("{message}{place}"))
        })
    }
}

impl Family {
    /// Whether these files use a name that they do not declare: a built-in, or an outcome.
    fn has_other(&self, name: &str) -> bool {
        let mut own = self.docs.iter().take(self.own).enumerate();
        own.any(|(doc, document)| {
            let mut words = (0..document.words.len()).filter(|at| document.word(*at) == name);
            words.any(|at| document.words[at].is_name && self.candidates(doc, at).is_empty())
        })
    }
}

/// The text of a file with `name` in those places that are in it.
fn replaced(text: &str, file: &str, places: &[Place], name: &str) -> String {
    let own = places.iter().filter(|place| place.file == file);
    let mut ranges: Vec<_> = own.map(|place| place.range.clone()).collect();
    ranges.sort_by_key(|range| std::cmp::Reverse(range.start));
    let mut text = text.to_string();
    for range in ranges {
        text.replace_range(range, name);
    }
    text
}

/// The places of a word in a transcript, without comments and questions.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = Range<usize>> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let found = text.match_indices(word).map(|(start, _)| start);
    found
        .map(|start| start..start + word.len())
        .filter(move |range| {
            let before = text.get(..range.start).unwrap_or("");
            let after = text.get(range.end..).unwrap_or("");
            let line = before.rsplit('\n').next().unwrap_or("");
            !before.ends_with(is_letter)
                && !after.starts_with(is_letter)
                && !line.starts_with(QUESTION)
        })
}

/// Whether a transcript runs to its end and its questions are met.
fn holds(game: &Game, form: Option<&str>, name: &str, text: &str) -> bool {
    let judged = game.judge(form, name, text.as_bytes(), &mut std::io::sink());
    judged.is_ok_and(|judged| judged.stopped.is_none() && judged.unmet.is_none())
}

/// The first error in a rule file or in one of its examples.
fn first_error(library: &Library, file: &str) -> Option<Data> {
    let mut workspace = Workspace::new(library.clone());
    let mut found = workspace.check(file).into_iter();
    found.find(|one| one.severity == Severity::Error)
}
