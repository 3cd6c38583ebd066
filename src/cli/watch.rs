//! `--watch`: runs a command again after every change of a rule file or a transcript.

use std::{
    collections::BTreeSet,
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    time::Duration,
};

use anyhow::{Context as _, anyhow};
use notify::{EventKind, RecursiveMode, Watcher as _};
use referee::library::ENDING;

use super::{
    Exit,
    error::Result,
    folders::{self, TRANSCRIPTS},
    screen::Screen,
};

/// The argument of commands that can run again.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Watch {
    /// Runs again after every change of a rule file or a transcript, until you interrupt it
    #[arg(long, display_order = 102)]
    pub(super) watch: bool,
}

/// The argument itself.
const ARGUMENT: &str = "--watch";

/// Other endings of relevant files.
const OTHERS: [&str; 2] = [ENDING, "out"];

/// How long to wait for further changes after one: some editors write a file in several steps.
const SETTLED: Duration = Duration::from_millis(20);

/// How often the running command is polled.
const LOOK: Duration = Duration::from_millis(10);

/// Runs the command without `--watch` again and again. A change while it runs stops and restarts it, except for reports
/// that it writes itself.
pub(super) fn watch(screen: &Screen) -> Result {
    let arguments: Vec<OsString> = env::args_os().skip(1).filter(|it| it != ARGUMENT).collect();
    let program = env::current_exe().context("the program cannot be found")?;
    let (sender, changes) = mpsc::channel();
    let mut notifier = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| matters(&event)) {
            // This fails only when the program ends.
            let _ = sender.send(());
        }
    })
    .map_err(|error| anyhow!("changes cannot be waited for: {error}"))?;
    let writes = arguments
        .iter()
        .any(|it| it == "--bless" || it == "--fix" || it == "--review");
    for folder in folders(&arguments) {
        let added = notifier.watch(&folder, RecursiveMode::NonRecursive);
        added.map_err(|error| anyhow!("`{}` cannot be watched: {error}", folder.display()))?;
    }
    let mut is_first = true;
    loop {
        let command = Command::new(&program)
            .args(&arguments)
            .stdin(Stdio::inherit())
            .spawn();
        let mut child = command.context("the command cannot be started")?;
        let ended = ended(&mut child, &changes).context("the command cannot be waited for")?;
        let is_wrong = ended.and_then(|status| status.code()) == Some(Exit::Usage as i32);
        if is_first && is_wrong {
            // No change of a file makes the command line right.
            return Ok(Exit::Usage);
        }
        is_first = false;
        if writes {
            // These are its own changes.
            while changes.recv_timeout(SETTLED).is_ok() {}
        } else if ended.is_none() {
            continue;
        }
        screen.note("-- waiting for changes; Ctrl-C ends");
        if changes.recv().is_err() {
            return Ok(Exit::Done);
        }
        while changes.recv_timeout(SETTLED).is_ok() {}
    }
}

/// Waits until the command ends, or stops it if something changes. Returns the status of a command that ended.
fn ended(child: &mut Child, changes: &Receiver<()>) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if changes.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            continue;
        }
        while changes.recv_timeout(SETTLED).is_ok() {}
        child.kill()?;
        child.wait()?;
        return Ok(None);
    }
}

/// Whether a change is to a rule file, a transcript or a report.
fn matters(event: &notify::Event) -> bool {
    let is_change = matches!(
        event.kind,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
    );
    is_change
        && event.paths.iter().any(|path| {
            let ending = path.extension();
            let mut endings = TRANSCRIPTS.iter().chain(&OTHERS);
            ending.is_some_and(|ending| endings.any(|known| ending == *known))
        })
}

/// The folders to watch: those in the arguments, with everything in them, and those of files in the arguments; the
/// current folder if there are none, or if it is the command's default. For a folder of variants or transcripts, also
/// the folder of the game.
fn folders(arguments: &[OsString]) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        // `GAME.rules+VARIANT`
        let parts = [
            Path::new(argument),
            Path::new(text.split('+').next().unwrap_or("")),
        ];
        for path in parts {
            if path.is_dir() {
                found.extend(folders::folders(path));
            } else if let (true, Some(folder)) = (path.is_file(), path.parent()) {
                found.extend(folders::folders(folder));
            }
        }
    }
    if found.is_empty() {
        found.extend(folders::folders(Path::new(".")));
    }
    let games: Vec<PathBuf> = found
        .iter()
        .filter_map(|folder| folder_of_game(folder))
        .collect();
    found.extend(games);
    found
}

/// The folder of the game whose variants or transcripts are in `folder`, if there is one.
fn folder_of_game(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let mut game = folder.file_name()?.to_os_string();
    game.push(".");
    game.push(ENDING);
    let parent = folder.parent()?;
    parent.join(game).is_file().then(|| parent.to_path_buf())
}
