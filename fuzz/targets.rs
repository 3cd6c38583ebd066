//! What is fuzzed: each function takes any bytes, and panics where a promise of `SECURITY.md` does not hold. The fuzzers
//! of this folder call them, and so does `tests/fuzz.rs`.

use std::{cell::RefCell, collections::BTreeMap};

use jsonschema::Validator;
use referee::{
    diagnostic::{Code, Colour, Diagnostic, Sources},
    explanation,
    game::{Game, Moves, MovesQuery, Session, Settings, Stage, Trial, Verdict},
    ide::{Label, Workspace},
    library::{Library, RuleText},
    limits::Limits,
};

/// What divides a rule file from a transcript.
const BETWEEN: &str = "\n%%\n";

/// What one input may take: enough for machine code, and so little that none takes a second.
const LIMITS: Limits = Limits {
    fuel: 1 << 18,
    memory: 64,
    events: 500,
};

/// The most bytes that are looked at.
const MOST: usize = 1 << 16;

/// What messages call a fuzzed rule file.
const FILE: &str = "fuzzed.rules";

/// A rule file, and maybe a transcript behind it.
fn parts(data: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(data.get(..MOST).unwrap_or(data)).into_owned();
    let (rules, transcript) = text.split_once(BETWEEN).unwrap_or((&text, ""));
    (rules.to_owned(), transcript.to_owned())
}

fn game(rules: &str) -> Option<Game> {
    match Game::from_text(FILE, rules, &Library::shipped(), &[]) {
        Ok(game) => Some(game.limited(LIMITS)),
        Err(invalid) => {
            assert!(
                !invalid.diagnostics.is_empty(),
                "wrong, and nothing says why"
            );
            assert_masked(&invalid.draw(Colour::Never));
            None
        }
    }
}

/// What a terminal would obey is in no message.
fn assert_masked(message: &str) {
    let obeyed = |character: char| {
        !matches!(character, '\n' | '\t') && referee::diagnostic::is_obeyed(character)
    };
    assert!(!message.contains(obeyed), "{message:?}");
}

/// The report and the message of a run.
fn said(game: &Game, form: Option<&str>, transcript: &str) -> (String, String) {
    let mut report = Vec::new();
    let ran = game.run(form, "transcript", &mut transcript.as_bytes(), &mut report);
    let message = ran
        .err()
        .map_or(String::new(), |failure| failure.draw(Colour::Never));
    assert_masked(&message);
    (String::from_utf8_lossy(&report).into_owned(), message)
}

/// A rule file is checked and, where it is right, run on a transcript in every way: all say the same.
pub fn rules(data: &[u8]) {
    let (rules, transcript) = parts(data);
    if let Some(usual) = game(&rules) {
        let ways = Ways::of(usual, || game(&rules));
        ways.agree(None, &transcript);
    }
}

/// A game, with the other ways to run it.
struct Ways {
    usual: Game,
    natively: Option<Game>,
    interpreted: Option<Game>,
    plain: Option<Game>,
}

impl Ways {
    fn of(usual: Game, load: impl Fn() -> Option<Game>) -> Ways {
        Ways {
            usual,
            natively: load().map(Game::natively),
            interpreted: load().map(Game::interpreted),
            plain: load().map(Game::unoptimised),
        }
    }

    /// Exact functions, machine code, the interpreter of what becomes machine code, and the program as it was written
    /// say the same of a transcript.
    fn agree(&self, form: Option<&str>, transcript: &str) {
        let expected = said(&self.usual, form, transcript);
        // What takes much memory is not counted alike, and what takes much work not where nothing is optimised.
        if expected.1.contains("this takes too much memory") {
            return;
        }
        let says = |game: &Option<Game>| game.as_ref().map(|game| said(game, form, transcript));
        assert_eq!(says(&self.natively).as_ref(), Some(&expected), "natively");
        let interpreted = says(&self.interpreted);
        assert_eq!(interpreted.as_ref(), Some(&expected), "interpreted");
        if !expected.1.contains("this takes too much") {
            let plain = says(&self.plain);
            assert!(
                plain.as_ref() == Some(&expected)
                    || plain.is_some_and(|plain| plain.1.contains("this takes too much")),
                "as it was written"
            );
        }
        let query = MovesQuery {
            form: form.map(str::to_owned),
            ..MovesQuery::default()
        };
        // There is an answer, or a reason why not.
        let _ = self
            .usual
            .moves(&query, "transcript", &mut transcript.as_bytes());
    }
}

/// One of some names: the one that is written, or any.
fn one<'n>(written: &str, names: &'n [String]) -> Option<&'n str> {
    let known = names.iter().find(|name| *name == written);
    let sum: usize = written.bytes().map(usize::from).sum();
    let name = known.or_else(|| names.get(sum % names.len().max(1)))?;
    Some(name)
}

/// How many games are kept, each in four ways.
const KEPT: usize = 16;

thread_local! {
    static GAMES: RefCell<BTreeMap<String, Option<Ways>>> = const { RefCell::new(BTreeMap::new()) };
}

/// A game of the library on any transcript, with any variants and values of options: the first line says which, as
/// `game+variant,option=value`.
pub fn transcript(data: &[u8]) {
    let text = String::from_utf8_lossy(data.get(..MOST).unwrap_or(data)).into_owned();
    let (first, transcript) = text.split_once('\n').unwrap_or((&text, ""));
    let mut settings = first.split(',');
    let mut named = settings.next().unwrap_or_default().split('+');
    let library = Library::shipped();
    let games = library.names();
    let game = one(named.next().unwrap_or_default(), &games).unwrap_or_default();
    let variants = library.variants(game);
    let mut name = game.to_owned();
    for variant in named.take(3).filter_map(|written| one(written, &variants)) {
        name = format!("{name}+{variant}");
    }
    let settings: Settings = settings
        .filter_map(|setting| setting.split_once('='))
        .map(|(option, value)| (option.to_owned(), value.to_owned()))
        .collect();
    let load = || {
        let game = Game::load(&library, &name, &settings);
        game.ok().map(|game| game.limited(LIMITS))
    };
    let key = format!("{name} {settings:?}");
    // A game may be run any number of times; that it was makes no difference.
    let mut ways = GAMES.with_borrow_mut(|games| {
        if games.len() > KEPT {
            games.clear();
        }
        games.remove(&key)
    });
    let ways = ways
        .take()
        .unwrap_or_else(|| load().map(|usual| Ways::of(usual, load)));
    if let Some(ways) = &ways {
        let forms = ways.usual.transcripts();
        ways.agree(forms[transcript.len() % forms.len()], transcript);
    }
    GAMES.with_borrow_mut(|games| games.insert(key, ways));
}

/// Any text as a variant of a game of the library, which the first line names: what is wrong with it is said, or it can
/// be written out in full and says the same.
pub fn variant(data: &[u8]) {
    let (text, transcript) = parts(data);
    let (first, text) = text.split_once('\n').unwrap_or((&text, ""));
    let library = Library::shipped();
    let names = library.names();
    let Some(base) = one(first, &names) else {
        return;
    };
    // What it is called and of what is mostly right.
    let changed = if text.contains("variant") {
        text.to_owned()
    } else {
        format!("variant fuzzed of {base} \"\"\n{text}")
    };
    let Some(with) = game(&changed) else {
        return;
    };
    let flat = with.flat();
    let alone = Game::from_text("flat.rules", &flat, &Library::default(), &[]);
    let alone = alone.unwrap_or_else(|invalid| panic!("{flat}\n{invalid}"));
    assert_eq!(alone.flat(), flat, "written out again");
    let (with, without) = (
        said(&with, None, &transcript),
        said(&alone.limited(LIMITS), None, &transcript),
    );
    assert_eq!(with.0, without.0, "written out in full");
}

/// Questions in a transcript are answered, or what is wrong with them is said.
pub fn questions(data: &[u8]) {
    let (rules, transcript) = parts(data);
    let Some(game) = game(&rules) else {
        return;
    };
    let mut report = Vec::new();
    match game.judge(None, "transcript", transcript.as_bytes(), &mut report) {
        Err(invalid) => assert_masked(&invalid.draw(Colour::Never)),
        Ok(judged) => {
            let unmet = judged.unmet.map(|unmet| unmet.draw(Colour::Never));
            assert_masked(&unmet.unwrap_or_default());
            // Whoever asks changes nothing.
            let said = said(&game, None, &transcript).0;
            assert_eq!(String::from_utf8_lossy(&report), said, "without questions");
        }
    }
}

/// What the formatter and the printer write can be read, is written the same again, and means the same.
pub fn layout(data: &[u8]) {
    let (text, _) = parts(data);
    let file = |text: String| RuleText {
        name: FILE.to_owned(),
        text,
    };
    let first = file(text);
    let canonical = first.canonical().ok();
    if let Ok(once) = first.formatted() {
        let again = file(once.clone());
        let twice = again.formatted().ok();
        assert_eq!(twice.as_ref(), Some(&once), "formatted again");
        assert_eq!(again.canonical().ok(), canonical, "formatted, and printed");
    }
    if let Some(once) = canonical {
        let again = file(once.clone()).canonical().ok();
        assert_eq!(again.as_ref(), Some(&once), "printed again");
    }
}

/// What programs read, each with its schema.
struct Schemas {
    diagnostic: Validator,
    event: Validator,
    why: Validator,
}

impl Schemas {
    fn new() -> Schemas {
        let validator = |text: &str| {
            let schema = serde_json::from_str(text).expect("a schema is JSON");
            jsonschema::validator_for(&schema).expect("it is a schema")
        };
        Schemas {
            diagnostic: validator(include_str!("../docs/diagnostics.schema.json")),
            event: validator(include_str!("../docs/events.schema.json")),
            why: validator(include_str!("../docs/why.schema.json")),
        }
    }

    fn hold(schema: &Validator, value: &serde_json::Value) {
        let wrong = schema.iter_errors(value).next();
        let wrong = wrong.map(|error| format!("{}: {error}", error.instance_path()));
        assert!(wrong.is_none(), "{wrong:?}\n{value}");
    }

    fn diagnostics(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        for diagnostic in diagnostics {
            let value = serde_json::to_value(diagnostic.to_data(sources)).expect("it is JSON");
            Schemas::hold(&self.diagnostic, &value);
        }
    }
}

/// What programs read follows its schema: diagnostics, the events of a run, explanations.
pub fn data(data: &[u8]) {
    thread_local! {
        static SCHEMAS: Schemas = Schemas::new();
    }
    let (rules, transcript) = parts(data);
    SCHEMAS.with(|schemas| {
        let game = match Game::from_text(FILE, &rules, &Library::shipped(), &[]) {
            Ok(game) => game.limited(LIMITS),
            Err(invalid) => return schemas.diagnostics(&invalid.diagnostics, &invalid.sources),
        };
        schemas.diagnostics(game.warnings(), game.sources());
        schemas.diagnostics(&game.lints(), game.sources());
        let mut lines = 0;
        let ran = game.watched().run(
            None,
            "transcript",
            &mut transcript.as_bytes(),
            &mut |item| {
                lines += 1;
                if lines < 40 {
                    Schemas::hold(&schemas.event, &serde_json::to_value(&item)?);
                }
                Ok(())
            },
        );
        if let Some(report) = ran.as_ref().err().and_then(|failure| failure.report()) {
            schemas.diagnostics(std::slice::from_ref(&report.diagnostic), &report.sources);
        }
        for line in [None, Some(1), Some(2)] {
            let query = explanation::Query {
                line,
                depth: 2,
                ..explanation::Query::default()
            };
            if let Ok(told) = game.explain(&query, "transcript", transcript.as_bytes()) {
                let value = serde_json::to_value(&told).expect("it is JSON");
                Schemas::hold(&schemas.why, &value);
                assert_masked(&told.draw(Colour::Never));
                assert_masked(&told.trace(Colour::Never));
            }
        }
    });
}

/// A transcript that is fed line by line, with lines taken back and questions in between, is reported as a run is.
pub fn session(data: &[u8]) {
    let (rules, transcript) = parts(data);
    let Some(game) = game(&rules) else {
        return;
    };
    let expected = said(&game, None, &transcript);
    let Ok(mut session) = game.session(None, "transcript") else {
        return;
    };
    let mut refused = None;
    for (number, line) in transcript.lines().take(60).enumerate() {
        let before = session.report().to_owned();
        if number % 3 == 1 {
            let _ = session.states();
            let _ = session.pictures();
            let _ = session.state();
            let _ = session.expected();
            let _ = session.completions(line);
            let _ = session.moves(&[], number % 2 == 0);
            for by in session.deciders().unwrap_or_default() {
                let _ = session.draw(&by, 7);
            }
            let _ = session.choose(None, 7);
            let _ = session.outcome();
        }
        if session.feed(line).is_ok() && number % 4 == 2 {
            assert!(session.undo().is_some(), "a line was fed");
            assert_eq!(session.report(), before, "a line was taken back");
            let _ = session.why_next(line, &explanation::Query::default());
            assert!(session.feed(line).is_ok(), "a line that was fed before");
        } else if session.transcript().lines().count() <= number {
            refused = session.feed(line).err();
            break;
        }
    }
    let limit = |message: &str| message.contains("this takes too much");
    if limit(&expected.1) || transcript.lines().count() > 60 {
        return;
    }
    let failure = refused.or_else(|| session.end().err());
    let last = failure.as_ref().map_or("", |refusal| &refusal.report);
    let message = failure.as_ref().map_or(String::new(), ToString::to_string);
    if limit(&message) {
        return;
    }
    assert_eq!(format!("{}{last}", session.report()), expected.0);
    assert_eq!(message, expected.1);
}

/// The most lines after which it is asked what may come, and the most of those moves that are tried.
const ASKED: usize = 6;
const TRIED: usize = 12;

/// What may come is the same however it is searched for, and what a session accepts: each event that is listed as
/// possible is, each that is listed as impossible is not, and a line that is accepted was listed.
pub fn moves(data: &[u8]) {
    let (rules, transcript) = parts(data);
    let (Some(usual), Some(plain)) = (game(&rules), game(&rules)) else {
        return;
    };
    let plain = plain.unoptimised();
    let (Ok(mut usual), Ok(mut plain)) = (
        usual.session(None, "transcript"),
        plain.session(None, "transcript"),
    ) else {
        return;
    };
    let mut lines = transcript.lines();
    for _ in 0..ASKED {
        let (all, plainly) = (usual.moves(&[], true), plain.moves(&[], true));
        if let (Ok(all), Ok(plainly)) = (&all, &plainly) {
            assert_eq!(all, plainly, "after:\n{}", usual.transcript());
            assert_tried(&mut usual, all);
        }
        let Some(line) = lines.next() else {
            return;
        };
        let due = usual.expected().unwrap_or_default();
        let playing = usual.stage() == Stage::Playing && usual.open().is_empty();
        if usual.feed(line).is_err() || plain.feed(line).is_err() {
            return;
        }
        let words = !line.trim().is_empty() && !line.trim_start().starts_with("#?");
        let is_read = playing && words && usual.open().is_empty();
        if let Ok(all) = all
            && is_read
            && all.endless.is_empty()
        {
            let begins = |written: &str| {
                let mut words = line.split_whitespace();
                written
                    .split_whitespace()
                    .all(|word| words.next() == Some(word))
            };
            let stops = due
                .iter()
                .any(|due| due.event.is_none() && begins(&due.written));
            let listed = all.moves.iter().any(|one| begins(&one.written));
            assert!(
                listed || stops,
                "not listed: {all:?}, after:\n{}",
                usual.transcript()
            );
        }
    }
}

/// Some of the moves that are listed can be read as events, the others not.
fn assert_tried(session: &mut Session<'_>, all: &Moves) {
    for one in all.moves.iter().step_by(all.moves.len() / TRIED + 1) {
        let fed = session.feed(&one.written);
        match (&one.verdict, &fed) {
            (Verdict::Legal | Verdict::Illegal { .. }, Err(refusal)) => {
                let code = refusal
                    .failure
                    .report()
                    .map(|report| report.diagnostic.code);
                assert!(
                    !matches!(code, Some(Code::Impossible | Code::Unexpected)),
                    "{one:?} is listed after:\n{}\n{refusal}",
                    session.transcript()
                );
            }
            (Verdict::Impossible { .. }, Ok(_)) => {
                panic!("{one:?} is accepted after:\n{}", session.transcript());
            }
            _ => {}
        }
        if fed.is_ok() {
            session.undo();
        }
    }
}

/// All that tells about a game, or tries it: its rule book, its lints, its full text, its examples, what transcripts
/// reach, which small changes they notice, and which row says what.
pub fn book(data: &[u8]) {
    let (rules, transcript) = parts(data);
    let Some(game) = game(&rules) else {
        return;
    };
    let book = game.book();
    let entries = book
        .chapters
        .iter()
        .flat_map(referee::game::book::Chapter::entries);
    assert!(entries.count() <= rules.len(), "the book is endless");
    for found in game.lints().iter().chain(game.warnings()) {
        assert_masked(&found.draw(game.sources(), Colour::Never));
    }
    let flat = game.flat();
    let alone = Game::from_text("flat.rules", &flat, &Library::default(), &[]);
    assert!(alone.is_ok(), "{flat}");
    for example in game.examples() {
        for wrong in example.wrong {
            assert_masked(&wrong.draw(game.sources(), Colour::Never));
        }
    }
    let _ = game.why("on.report");
    let trial = Trial {
        name: "transcript".to_owned(),
        form: None,
        settings: Vec::new(),
        transcript: transcript.into_bytes(),
    };
    let _ = game.cover(std::slice::from_ref(&trial));
    let _ = game.mutants(&[trial], Some(3));
}

/// What an editor asks, at a few places of a rule file and of a transcript.
pub fn editor(data: &[u8]) {
    let (rules, transcript) = parts(data);
    let mut workspace = Workspace::new(Library::shipped());
    let file = "./fuzzed.rules";
    workspace.open(file, &rules);
    let _ = workspace.check(file);
    let _ = workspace.symbols(file);
    let _ = workspace.folds(file);
    let _ = workspace.hints(file);
    let _ = workspace.names(file);
    let _ = workspace.formatted(file);
    let steps = rules.len() / 8 + 1;
    for offset in (0..=rules.len() + 1).step_by(steps) {
        let _ = workspace.hover(file, offset);
        let _ = workspace.definitions(file, offset);
        let _ = workspace.references(file, offset);
        let _ = workspace.rename(file, offset, "renamed", &[]);
        let _ = workspace.completions(file, offset);
        let _ = workspace.call(file, offset);
    }
    let label = Label {
        game: file.to_owned(),
        form: None,
        settings: Vec::new(),
    };
    // What an editor asks of a transcript has the usual limits: a long one would take long.
    let short: String = transcript
        .lines()
        .take(5)
        .flat_map(|line| [line, "\n"])
        .collect();
    workspace.open("fuzzed.txt", &short);
    let _ = workspace.next("fuzzed.txt", &label, short.len());
    let _ = workspace.explanation("fuzzed.txt", &label, short.len() / 2);
}
