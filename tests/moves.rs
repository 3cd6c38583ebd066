//! Every `moves/<folder>/<case>.txt`: what may happen next at its end, and what may not with the reason; and how many
//! lines of play there are from there, where `<case>.lines` gives the published counts for 1, 2, 3 … events.

mod support;

use std::{fmt::Write as _, fs, path::Path};

use rayon::prelude::*;
use referee::{
    diagnostic::Colour,
    game::{Game, MovesQuery, Verdict},
};
use support::load;

/// What a folder's name says: `game` or `game+variant`, then maybe `.form` of its transcripts.
fn folder(name: &str) -> (Game, Option<String>) {
    match name.split_once('.') {
        Some((game, form)) => (load(game, &[]), Some(form.to_string())),
        None => (load(name, &[]), None),
    }
}

fn told(game: &Game, form: Option<&str>, transcript: &[u8]) -> String {
    let mut query = MovesQuery {
        form: form.map(str::to_string),
        ..MovesQuery::default()
    };
    let legal = match game.moves(&query, "transcript", &mut &*transcript) {
        Ok(moves) => moves,
        Err(failure) => return failure.draw(Colour::Never),
    };
    query.illegal = true;
    let every = game
        .moves(&query, "transcript", &mut &*transcript)
        .expect("what may happen was told");
    let may: Vec<_> = every
        .moves
        .iter()
        .filter(|one| matches!(one.verdict, Verdict::Legal | Verdict::Illegal { .. }))
        .collect();
    assert!(
        may.iter().copied().eq(legal.moves.iter()),
        "both ways find the same"
    );

    let mut text = String::new();
    for one in &legal.moves {
        writeln!(text, "{}", one.written).expect("a string takes all");
    }
    for endless in &legal.endless {
        writeln!(
            text,
            "left out: {} has no end of values for {}: {}",
            endless.event, endless.field, endless.ty
        )
        .expect("a string takes all");
    }
    // Of a thousand that may not happen the first of each reason will do.
    let mut reasons: Vec<String> = Vec::new();
    for one in &every.moves {
        let (verdict, row, says) = match &one.verdict {
            Verdict::Legal => continue,
            Verdict::Illegal { fact, says } => ("illegal", fact, says.clone().unwrap_or_default()),
            Verdict::Impossible { row, says } => ("not", row, says.clone()),
            Verdict::Refused { fact, says } => ("not", fact, says.clone().unwrap_or_default()),
        };
        let letters: String = says.chars().filter(char::is_ascii_lowercase).collect();
        let sort = match &one.verdict {
            Verdict::Illegal { .. } => letters,
            _ => letters.len().to_string(),
        };
        let reason = format!("{row}{sort}");
        if !reasons.contains(&reason) {
            reasons.push(reason);
            writeln!(text, "{verdict} {}: {row}: {says}", one.written).expect("a string takes all");
        }
    }
    text
}

/// The counts of a `.lines` file, one for each depth from 1 on.
fn counts(case: &Path) -> Vec<u64> {
    fs::read_to_string(case.with_extension("lines"))
        .unwrap_or_default()
        .split_whitespace()
        .map(|count| count.parse().expect("a count is a number"))
        .collect()
}

#[test]
fn lines_of_play() {
    let cases = std::sync::Mutex::new(Vec::new());
    insta::glob!("moves/*/*.txt", |case| {
        let mut cases = cases.lock().expect("no thread panicked");
        cases.push(case.to_path_buf());
    });
    let cases = cases.into_inner().expect("no thread panicked");
    cases.par_iter().for_each(|case| counted(case));
}

/// Compares the counts of a case with those of its game, also as machine code.
fn counted(case: &Path) {
    let parent = case.parent().and_then(Path::file_name).unwrap_or_default();
    let name = parent.to_string_lossy();
    let transcript = fs::read(case).expect("the case is there");
    let (game, form) = folder(&name);
    let native = folder(&name).0.natively();
    let query = MovesQuery {
        form,
        ..MovesQuery::default()
    };
    let counts = counts(case).into_iter().zip(1..);
    let counts: Vec<(u64, u32, &Game)> = counts
        .flat_map(|(count, depth)| [&game, &native].map(|game| (count, depth, game)))
        .collect();
    counts.into_par_iter().for_each(|(count, depth, game)| {
        let (lines, _) = game
            .lines_of_play(&query, depth, "transcript", &mut transcript.as_slice())
            .expect("a game is being played");
        assert_eq!(lines, count, "{}: {depth} events deep", case.display());
    });
}

#[test]
fn moves() {
    insta::glob!("moves/*/*.txt", |case| {
        let parent = case.parent().expect("a case lies in a folder");
        let name = parent.file_name().unwrap_or_default().to_string_lossy();
        let (game, form) = folder(&name);
        let transcript = fs::read(case).expect("the case is there");
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(parent);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        let stem = case.file_stem().unwrap_or_default().to_string_lossy();
        settings
            .bind(|| insta::assert_snapshot!(&*stem, told(&game, form.as_deref(), &transcript)));
    });
}
