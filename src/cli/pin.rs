//! Pins: the first lines of a transcript may say which rules it is for, as `#? rules NAME sha256:…`.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Read},
    path::Path,
};

use super::screen::Screen;
use referee::{
    diagnostic::masked_line,
    game::{Game, PIN, is_wrong_pin, pinned},
};
use sha2::{Digest as _, Sha256};

/// The prefix of a line that is no part of the game.
const QUESTION: &[u8] = b"#?";

/// The prefix of a digest.
const ALGORITHM: &str = "sha256:";

/// The longest line that can be a pin, in bytes.
const LONGEST: usize = 4096;

/// The name of a game with its variants, and a digest of its rule files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pin {
    pub(super) name: String,
    /// `sha256:` and 64 hexadecimal digits.
    pub(super) digest: String,
}

impl Pin {
    /// The pin of a game. It does not depend on where the files are, the order in which they were read, line ends, or
    /// blanks at the ends of lines; on everything else it does, including comments.
    pub(super) fn of(game: &Game) -> Pin {
        let mut name = game.name().to_string();
        for variant in game.applied() {
            name.push('+');
            name.push_str(variant);
        }
        let mut texts: Vec<String> = game.rule_texts().map(canonical).collect();
        texts.sort();
        texts.dedup();
        let mut hash = Sha256::new();
        for text in texts {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        let mut digest = ALGORITHM.to_string();
        for byte in hash.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(digest, "{byte:02x}");
        }
        Pin { name, digest }
    }

    /// The line that pins a transcript to these rules.
    pub(super) fn line(&self) -> String {
        format!("#? rules {} {}", self.name, self.digest)
    }

    /// Parses the pin on a line, without `#?`.
    fn read(line: &str) -> Option<Pin> {
        let (name, digest) = pinned(line)?;
        Some(Pin {
            name: name.to_string(),
            digest: digest.to_string(),
        })
    }
}

/// A text with uniform line ends and no blanks before them.
fn canonical(text: &str) -> String {
    let lines = text.lines().map(str::trim_end);
    let mut canonical: String = lines.flat_map(|line| [line, "\n"]).collect();
    canonical.truncate(canonical.trim_end().len());
    canonical
}

/// A transcript is pinned to other rules: what is wrong, and what to do about it.
pub(super) struct Differs {
    pub(super) message: String,
    pub(super) help: Vec<String>,
}

impl Differs {
    fn new(transcript: &str, wanted: &Pin, found: &Pin) -> Differs {
        let transcript = masked_line(transcript);
        let message = if wanted.name == found.name {
            format!(
                "`{transcript}` is pinned to other rules: those of `{}` have changed",
                found.name
            )
        } else {
            let wanted = masked_line(&wanted.name);
            format!(
                "`{transcript}` is pinned to `{wanted}`, but runs under `{}`",
                found.name
            )
        };
        let help = vec![
            format!("`{}` is now {}", found.name, found.digest),
            "if the report is right under these rules, replace the pin with what `referee show GAME --pin` prints"
                .to_string(),
        ];
        Differs { message, help }
    }
}

/// Checks whether transcripts are pinned to other rules than a game's.
pub(super) struct Pins<'g> {
    game: &'g Game,
}

impl<'g> Pins<'g> {
    pub(super) fn new(game: &'g Game) -> Pins<'g> {
        Pins { game }
    }

    /// Checks a line in the head of a transcript.
    pub(super) fn differs(&self, transcript: &str, line: &str) -> Option<Differs> {
        if is_wrong_pin(line, self.game) {
            return Some(Differs {
                message: format!("the pin of `{}` cannot be read", masked_line(transcript)),
                help: vec![PIN.to_string()],
            });
        }
        let wanted = Pin::read(line)?;
        let found = Pin::of(self.game);
        (wanted != found).then(|| Differs::new(transcript, &wanted, &found))
    }

    /// Warns if a file is pinned to other rules.
    pub(super) fn warn(&self, path: &Path, screen: &Screen) {
        for differs in self.of_file(path) {
            screen.warning(&differs.message, &differs.help);
        }
    }

    /// Checks a file. Returns `None` for a file that cannot be read, or only once.
    pub(super) fn of_file(&self, path: &Path) -> Vec<Differs> {
        let found = std::cell::RefCell::new(Vec::new());
        let tell = |line: &str| {
            let differs = self.differs(&path.display().to_string(), line);
            found.borrow_mut().extend(differs);
        };
        if path.is_file()
            && let Ok(file) = File::open(path)
        {
            let mut input = Head::new(Box::new(file), &tell);
            let mut bytes = [0; LONGEST];
            while !input.over && matches!(input.read(&mut bytes), Ok(1..)) {}
        }
        found.into_inner()
    }
}

/// An input that reports the first lines of a transcript while they begin with `#?`, without this prefix.
pub(super) struct Head<'t> {
    input: Box<dyn Read + 't>,
    tell: &'t dyn Fn(&str),
    line: Vec<u8>,
    over: bool,
}

impl<'t> Head<'t> {
    pub(super) fn new(input: Box<dyn Read + 't>, tell: &'t dyn Fn(&str)) -> Head<'t> {
        Head {
            input,
            tell,
            line: Vec::new(),
            over: false,
        }
    }

    fn look(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            // The last line may lack a line end.
            self.ends();
            self.over = true;
        }
        for byte in bytes {
            if *byte == b'\n' {
                self.ends();
                self.line.clear();
            } else {
                self.line.push(*byte);
                let length = self.line.len().min(QUESTION.len());
                self.over =
                    self.line.get(..length) != QUESTION.get(..length) || self.line.len() > LONGEST;
            }
            if self.over {
                return;
            }
        }
    }

    /// Handles a complete line.
    fn ends(&mut self) {
        match self.line.strip_prefix(QUESTION) {
            Some(line) => (self.tell)(&String::from_utf8_lossy(line)),
            None => self.over = true,
        }
    }
}

impl Read for Head<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(bytes)?;
        if !self.over {
            self.look(bytes.get(..count).unwrap_or_default());
        }
        Ok(count)
    }
}
