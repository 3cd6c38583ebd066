//! Every case in `transcripts/`, fed line by line as at a table: it is reported as by a run; lines that are taken back and
//! fed again say the same; a line that is refused changes nothing; whoever asks what may come changes nothing; and what is
//! listed can be read.

mod support;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use referee::{
    diagnostic::Colour,
    explanation::Query,
    game::{Game, Session, Stage},
};
use support::Folder;

/// What stands nowhere.
const NONSENSE: &str = "\u{2603}\u{2603} 9999999999 \u{2603}";

/// All that can be seen of a session.
fn seen(session: &mut Session<'_>) -> (String, String, Option<String>, String) {
    let expected = match session.expected() {
        Ok(expected) => format!("{expected:?}"),
        Err(failure) => failure.draw(Colour::Never),
    };
    let (transcript, report) = (
        session.transcript().to_string(),
        session.report().to_string(),
    );
    (transcript, report, session.state(), expected)
}

/// What a run says, and how it ends.
fn run(game: &Game, form: Option<&str>, text: &str) -> (String, Option<String>) {
    let mut report = Vec::new();
    let failure = game.run(form, "case", &mut text.as_bytes(), &mut report);
    let report = String::from_utf8(report).expect("a report is text");
    (
        report,
        failure.err().map(|failure| failure.draw(Colour::Never)),
    )
}

/// How many moves were read back.
static READ_BACK: AtomicUsize = AtomicUsize::new(0);

/// Some of what may come, whatever it is: it can be read as it is written, and is the event that was meant.
fn read_back(session: &mut Session<'_>) {
    let Ok(next) = session.moves(&[], false) else {
        return;
    };
    let apart = next.moves.len() / 3 + 1;
    for one in next.moves.iter().step_by(apart) {
        let refused = session.feed(&one.written).err();
        assert!(refused.is_none(), "{one:?} is listed: {refused:?}");
        let why = session.why(&Query::default()).expect("it was read");
        let mut read = why.events.iter().map(|event| &event.event);
        assert!(read.any(|event| *event == one.event), "{one:?} is another");
        assert!(session.undo().is_some());
        READ_BACK.fetch_add(1, Ordering::Relaxed);
    }
}

/// Feeds a transcript, with many ways back; gives what a run would.
fn fed(game: &Game, form: Option<&str>, text: &str) -> (String, Option<String>) {
    let mut session = match game.session(form, "case") {
        Ok(session) => session,
        Err(failure) => return (String::new(), Some(failure.draw(Colour::Never))),
    };
    let mut lines: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if session.stage() == Stage::Between {
            // No answer, and nothing of what was given is lost.
            assert!(session.moves(&[], true).is_err());
        }
        let before = seen(&mut session);
        if session.feed(NONSENSE).is_ok() {
            // A name, maybe.
            assert!(session.undo().is_some());
        }
        assert_eq!(seen(&mut session), before, "line {}", number + 1);
        if let Err(refusal) = session.feed(line) {
            assert_eq!(seen(&mut session), before, "line {}", number + 1);
            let report = format!("{}{}", session.report(), refusal.report);
            return (report, Some(refusal.to_string()));
        }
        lines.push(line);
        if number % 5 != 3 {
            continue;
        }
        let after = seen(&mut session);
        // That takes long: only after some of the lines.
        if number % 3 == 0 {
            read_back(&mut session);
        }
        let count = 1 + (number * 7) % lines.len().min(40);
        let from = lines.len() - count;
        for _ in from..lines.len() {
            assert!(session.undo().is_some());
        }
        let _ = session.moves(&[], number % 2 == 0);
        for line in &lines[from..] {
            assert!(session.feed(line).is_ok(), "it was fed before: {line}");
        }
        assert_eq!(
            seen(&mut session),
            after,
            "line {}, {count} back",
            number + 1
        );
    }
    let failure = session.end().err();
    let at_end = seen(&mut session);
    if session.feed(NONSENSE).is_err() {
        assert_eq!(seen(&mut session), at_end, "after the end");
    } else {
        session.undo();
    }
    let no_event = ["none such".to_string()];
    assert!(session.moves(&no_event, false).is_err());
    let said = failure.as_ref().map_or("", |refusal| &refusal.report);
    let report = format!("{}{said}", session.report());
    (report, failure.map(|refusal| refusal.to_string()))
}

#[test]
fn fed_line_by_line() {
    let mut folders: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let cases = cases();
    assert!(cases.len() > 400, "{} cases", cases.len());
    for case in cases {
        let folder = case.parent().and_then(Path::file_name).unwrap_or_default();
        let name = folder.to_string_lossy().into_owned();
        folders.entry(name).or_default().push(case);
    }
    let folders: Vec<(String, Vec<PathBuf>)> = folders.into_iter().collect();
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((name, cases)) = folders.get(next.fetch_add(1, Ordering::Relaxed)) {
                    fed_as_run(name, cases);
                }
            });
        }
    });
    let read_back = READ_BACK.load(Ordering::Relaxed);
    assert!(read_back > 300, "{read_back} moves were read back");
}

/// Feeds the cases of a folder to its game, also as machine code.
fn fed_as_run(name: &str, cases: &[PathBuf]) {
    let mut native = Folder::new(name);
    native.game = native.game.natively();
    let both = [Folder::new(name), native];
    for case in cases {
        let Ok(text) = String::from_utf8(fs::read(case).expect("the case is there")) else {
            // A session is fed text.
            continue;
        };
        for Folder { game, form } in &both {
            let ran = run(game, form.as_deref(), &text);
            assert_eq!(fed(game, form.as_deref(), &text), ran, "{}", case.display());
        }
    }
}

/// All cases, in order.
fn cases() -> Vec<PathBuf> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder can be read");
        let paths = entries.map(|entry| entry.expect("it can be read").path());
        paths.collect()
    };
    let all = below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts"));
    let folders = all.iter().filter(|path| path.is_dir());
    let mut cases: Vec<PathBuf> = folders.flat_map(|path| below(path)).collect();
    cases.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    cases.sort();
    cases
}
