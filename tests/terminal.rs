//! What somebody at a terminal sees while many transcripts are worked on for long: how far that is, and the reports as
//! they are.
#![cfg(unix)]

use std::{
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use nix::{
    pty::{OpenptyResult, Winsize, openpty},
    sys::stat::Mode,
    unistd::mkfifo,
};

/// A game whose report is one line that never ends.
const DOTS: &str = r#"game dots "Dots"

state seen: 0..3 = 0
event dot
on dot {
  new seen = seen + 1
  report | dot: inline "."
}
transcript by words { start play until seen is 3 { | dot: "x" } }
"#;

/// What its bar says.
const BAR: &str = "transcripts";

/// Longer than it takes until somebody wants to know how much longer.
const LONG: Duration = Duration::from_millis(1300);

/// How many transcripts are worked on; for all the others of the last round the first of that round keeps them waiting.
const TRANSCRIPTS: usize = 40;

/// A folder with a game and transcripts, of which one is a pipe.
struct Work {
    folder: PathBuf,
    pipe: PathBuf,
}

impl Work {
    fn new(name: &str) -> Work {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("dots.rules"), DOTS).expect("a file can be written");
        let pipe = folder.join("0.txt");
        mkfifo(&pipe, Mode::S_IRWXU).expect("a pipe can be made");
        for number in 1..TRANSCRIPTS {
            fs::write(folder.join(format!("{number}.txt")), "x x x")
                .expect("a file can be written");
        }
        Work { folder, pipe }
    }

    /// The command that works on all of it. Somebody writes the first transcript after a long time.
    fn begun(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(["run", "dots.rules", "-j", "2"]);
        command.args((0..TRANSCRIPTS).map(|number| format!("{number}.txt")));
        command.current_dir(&self.folder).stdin(Stdio::null());
        command.env("TERM", "xterm").env_remove("NO_COLOR");
        let pipe = self.pipe.clone();
        thread::spawn(move || {
            let mut pipe = OpenOptions::new()
                .write(true)
                .open(pipe)
                .expect("it is read");
            thread::sleep(LONG);
            pipe.write_all(b"x x x").expect("it is still read");
        });
        command
    }

    fn report() -> String {
        "...".repeat(TRANSCRIPTS)
    }
}

/// A terminal: what shows it, and what a process writes to.
fn terminal() -> (File, File) {
    let size = Winsize {
        ws_row: 24,
        ws_col: 200,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let OpenptyResult { master, slave } = openpty(Some(&size), None).expect("there are terminals");
    (File::from(master), File::from(slave))
}

/// All that comes to a terminal until nobody writes to it any more.
fn shown(mut terminal: File) -> String {
    let mut all = Vec::new();
    let mut some = [0; 4096];
    // Where it ends is told as an error.
    while let Ok(count @ 1..) = terminal.read(&mut some) {
        all.extend_from_slice(&some[..count]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// What stands on the screen at last.
fn screen(written: &str) -> Vec<String> {
    let mut lines = vec![Vec::new()];
    let (mut row, mut column) = (0, 0);
    let mut rest = written.chars();
    while let Some(next) = rest.next() {
        match next {
            '\r' => column = 0,
            '\n' => {
                row += 1;
                lines.resize(lines.len().max(row + 1), Vec::new());
            }
            '\u{1b}' => {
                assert_eq!(rest.next(), Some('['), "what else there is nobody uses");
                let mut count = String::new();
                match rest.by_ref().find(|next| {
                    count.push(*next);
                    next.is_ascii_alphabetic()
                }) {
                    Some('A') => row -= count.trim_end_matches('A').parse().unwrap_or(1),
                    Some('K') if count == "2K" => lines[row].clear(),
                    Some('K') => lines[row].truncate(column),
                    Some('m' | 'h' | 'l') => {}
                    other => panic!("what does {other:?} do?"),
                }
            }
            letter => {
                let line: &mut Vec<char> = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = letter;
                column += 1;
            }
        }
    }
    lines
        .into_iter()
        .map(|line| line.into_iter().collect())
        .collect()
}

#[test]
fn a_terminal_shows_how_far_it_is() {
    let work = Work::new("terminal-errors");
    let (screen_side, written) = terminal();
    let mut command = work.begun();
    let child = command
        .stdout(Stdio::piped())
        .stderr(written)
        .spawn()
        .expect("the command starts");
    // Only the process has the terminal now.
    drop(command);
    let shown = shown(screen_side);
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), Work::report());
    assert!(shown.contains(BAR), "{shown:?}");
    assert_eq!(screen(&shown).concat(), "", "nothing is left of it");
}

#[test]
fn nothing_of_it_is_written_elsewhere() {
    let work = Work::new("terminal-none");
    let output = work.begun().output().expect("the command ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), Work::report());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_line_that_is_open_is_not_written_over() {
    let work = Work::new("terminal-both");
    let (screen_side, written) = terminal();
    let mut command = work.begun();
    let mut child = command
        .stdout(written.try_clone().expect("a terminal can be shared"))
        .stderr(written)
        .spawn()
        .expect("the command starts");
    drop(command);
    let shown = shown(screen_side);
    assert!(child.wait().expect("the command ends").success());
    assert_eq!(screen(&shown), [Work::report()], "{shown:?}");
}

/// A game and a transcript with sequences that would turn colours round and name the terminal's window.
const OBEYED: [(&str, &str); 3] = [
    (
        "named.rules",
        "game named \"A \u{1b}[7mtitle\u{9b}7m\u{202e}\"\n\
         given who: word\n\
         event say(what: word)\n\
         on say {\n  \
           fact over = what is \"end\"\n  \
           report | said: \"{who} \u{1b}]0;x says {what}\"\n\
         }\n\
         transcript by lines { \"{who}\" start play until over { | say: \"say {what}\" } }\n",
    ),
    (
        "other.rules",
        "game other \"\u{2067}\"\n\
         given who: word\n\
         event say(what: word)\n\
         on say {\n  \
           fact over = what is \"end\"\n  \
           report | said: \"{who} asks {what}\"\n\
         }\n\
         transcript by lines { \"{who}\" start play until over { | say: \"say {what}\" } }\n",
    ),
    (
        "game.txt",
        "A\u{1b}[7m\u{7f}nn\nsay \u{9b}7m\u{61c}hello\nsay\n",
    ),
];

#[test]
fn nothing_that_is_shown_is_obeyed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal-obeyed");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("named")).expect("a folder can be made");
    for (name, text) in OBEYED {
        fs::write(folder.join(name), text).expect("a file can be written");
    }
    let odd = "odd\u{1b}[7m\u{9b}7m.txt";
    fs::copy(folder.join("game.txt"), folder.join(odd)).expect("a file can be copied");
    fs::copy(folder.join("game.txt"), folder.join("named/odd.in")).expect("it can be copied");
    fs::write(folder.join("named/odd.out"), "other\n").expect("a file can be written");
    for arguments in [
        &["run", "named.rules", odd][..],
        &["run", "named.rules", odd, "--format", "jsonl"],
        &["run", "-j", "2", "named.rules", odd, "game.txt"],
        &["run", "named.rules", "no\u{1b}[7m.txt"],
        &["why", "named.rules", "game.txt:2"],
        &["show", "named.rules"],
        &["show", "named.rules", "--flat"],
        &["list", "--rules", "."],
        &["test", "named"],
        &["diff", "named.rules", "other.rules", odd],
        &["cover", "named.rules", odd],
        &["moves", "named.rules", "game.txt:2"],
    ] {
        let (screen_side, written) = terminal();
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command
            .args(arguments)
            .current_dir(&folder)
            .stdin(Stdio::null());
        command.env("TERM", "xterm").env_remove("NO_COLOR");
        let mut child = command
            .stdout(written.try_clone().expect("a terminal can be shared"))
            .stderr(written)
            .spawn()
            .expect("the command starts");
        drop(command);
        let shown = shown(screen_side);
        child.wait().expect("the command ends");
        assert!(!shown.is_empty(), "{arguments:?}");
        // The command's own styles are other ones.
        assert!(!shown.contains("\u{1b}[7m"), "{arguments:?}: {shown:?}");
        assert!(!shown.contains("\u{1b}]"), "{arguments:?}: {shown:?}");
        let obeyed = ['\u{7f}', '\u{9b}', '\u{61c}', '\u{202e}', '\u{2067}'];
        assert!(!shown.contains(obeyed), "{arguments:?}: {shown:?}");
    }
    // A pipe gets all as it is.
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(["run", "named.rules", "game.txt"]);
    let output = command.current_dir(&folder).output().expect("it runs");
    let report = "A\u{1b}[7m\u{7f}nn \u{1b}]0;x says \u{9b}7m\u{61c}hello\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), report);
}

/// What is typed once the terminal shows what it waits for.
const TYPED: [(&str, &str); 9] = [
    ("games> ", "1\r"),
    ("name of First, name of Second> ", "Ann Ben\r"),
    ("Ann> ", "4\r"),
    ("Ann> ", "0\r"),
    ("Ann> ", "why\r"),
    ("Ann> ", "un\t\r"),
    ("Ann> ", "3\r"),
    ("Ann> ", "?\r"),
    ("Ann> ", "quit\r"),
];

#[test]
fn a_game_is_played() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal-play");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    let (mut screen_side, written) = terminal();
    let mut command = Command::new("timeout");
    command.args(["60", env!("CARGO_BIN_EXE_referee"), "play", "connect-four"]);
    command.args(["--seat", "Ben=random"]).current_dir(&folder);
    command.env("TERM", "xterm").env("NO_COLOR", "1");
    let share = || written.try_clone().expect("a terminal can be shared");
    command.stdin(share()).stdout(share()).stderr(share());
    let mut child = command.spawn().expect("the command starts");
    drop((command, written));
    let mut all = String::new();
    for (awaited, line) in TYPED {
        let begin = all.len();
        // A line that is asked for begins with this; one that is completed does not.
        let asks = |text: &str| {
            text.rsplit_once("?2004h")
                .is_some_and(|(_, line)| line.contains(awaited))
        };
        while !asks(all.split_at(begin).1) {
            let mut some = [0; 4096];
            let count = screen_side.read(&mut some).unwrap_or(0);
            assert!(count > 0, "{awaited} never came: {all}");
            all.push_str(&String::from_utf8_lossy(&some[..count]));
        }
        screen_side.write_all(line.as_bytes()).expect("it is read");
    }
    all.push_str(&shown(screen_side));
    assert!(child.wait().expect("the command ends").success());
    for told in [
        "1,1  ...XO..",
        "`0` is not one of 1..7",
        "line 5: 0",
        "took back `4` and what followed it",
        "column: 1..7",
        "The transcript is in connect-four-1.txt.",
    ] {
        assert!(all.contains(told), "{told}: {all}");
    }
    let kept = fs::read_to_string(folder.join("connect-four-1.txt")).expect("it is kept");
    assert!(kept.starts_with("1\nAnn Ben\n3\n"), "{kept}");
}

#[test]
fn what_is_typed_ahead_is_played() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal-ahead");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    let (mut screen_side, written) = terminal();
    let mut command = Command::new("timeout");
    command.args(["60", env!("CARGO_BIN_EXE_referee"), "play", "connect-four"]);
    command.current_dir(&folder);
    command.env("TERM", "xterm").env("NO_COLOR", "1");
    let share = || written.try_clone().expect("a terminal can be shared");
    command.stdin(share()).stdout(share()).stderr(share());
    let mut child = command.spawn().expect("the command starts");
    drop((command, written));
    let mut all = String::new();
    while !all.contains("games> ") {
        let mut some = [0; 4096];
        let count = screen_side.read(&mut some).unwrap_or(0);
        assert!(count > 0, "nothing is asked for: {all}");
        all.push_str(&String::from_utf8_lossy(&some[..count]));
    }
    // All of it comes at once, before anything else is asked for.
    screen_side
        .write_all(b"1\rAnn Ben\r4\r3\rquit\r")
        .expect("it is read");
    all.push_str(&shown(screen_side));
    assert!(child.wait().expect("the command ends").success(), "{all}");
    let kept = fs::read_to_string(folder.join("connect-four-1.txt")).expect("it is kept");
    assert_eq!(kept, "1\nAnn Ben\n4\n3\n");
}

/// What is answered: of four reports that differ, the first is accepted and put back, the second skipped, the rest accepted.
const ANSWERED: &str = "?\na\nu\ns\nA\n";

#[test]
fn reports_are_reviewed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal-review");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("dots")).expect("a folder can be made");
    fs::write(folder.join("dots.rules"), DOTS).expect("a file can be written");
    let names = ["a", "b", "c", "d"];
    let output = |name: &str| folder.join(format!("dots/{name}.out"));
    for name in names {
        fs::write(folder.join(format!("dots/{name}.in")), "x x x").expect("it can be written");
        fs::write(output(name), "old").expect("it can be written");
    }
    let (mut screen_side, written) = terminal();
    let mut command = Command::new("timeout");
    command.args(["60", env!("CARGO_BIN_EXE_referee"), "test", "--review", "."]);
    command.current_dir(&folder).env("NO_COLOR", "1");
    let share = || written.try_clone().expect("a terminal can be shared");
    command.stdin(share()).stdout(share()).stderr(share());
    let mut child = command.spawn().expect("the command starts");
    drop((command, written));
    screen_side
        .write_all(ANSWERED.as_bytes())
        .expect("it is read");
    let shown = shown(screen_side);
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{shown}");
    for told in [
        "A  accept this, and all others that differ by the same row",
        "undone  dots/a.in",
        "2 written, 2 failed",
    ] {
        assert!(shown.contains(told), "`{told}` is not in {shown}");
    }
    let kept = names.map(|name| fs::read_to_string(output(name)).expect("it is there"));
    assert_eq!(kept, ["old", "old", "...", "..."]);
}
