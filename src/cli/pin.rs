//! Pins: the rules that a transcript is written for, as its first lines may name them: `#? rules NAME sha256:…`.

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

/// What a line begins with that is no part of the game.
const QUESTION: &[u8] = b"#?";

/// What a digest begins with.
const ALGORITHM: &str = "sha256:";

/// How long a line may be that can be a pin.
const LONGEST: usize = 4096;

/// A game's name with its variants, and a digest of the texts of its rule files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pin {
    pub(super) name: String,
    /// `sha256:` and 64 digits.
    pub(super) digest: String,
}

impl Pin {
    /// The pin of a game. Where its files lie, in which order they were read, how their lines end and blanks at a line's
    /// end do not matter; all else does, comments too.
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

    /// The line of a transcript that names these rules.
    pub(super) fn line(&self) -> String {
        format!("#? rules {} {}", self.name, self.digest)
    }

    /// The pin on a line after its `#?`, if one stands there.
    fn read(line: &str) -> Option<Pin> {
        let (name, digest) = pinned(line)?;
        Some(Pin {
            name: name.to_string(),
            digest: digest.to_string(),
        })
    }
}

/// A text whose lines end in one way, without blanks before it.
fn canonical(text: &str) -> String {
    let lines = text.lines().map(str::trim_end);
    let mut canonical: String = lines.flat_map(|line| [line, "\n"]).collect();
    canonical.truncate(canonical.trim_end().len());
    canonical
}

/// What to say of a transcript that is pinned to other rules than a game's: what is so, and what to do.
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

/// Finds out whether transcripts are pinned to other rules than a game's.
pub(super) struct Pins<'g> {
    game: &'g Game,
}

impl<'g> Pins<'g> {
    pub(super) fn new(game: &'g Game) -> Pins<'g> {
        Pins { game }
    }

    /// What to say of a line of the head of a transcript.
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

    /// What to say of a file. Nothing is said of one that cannot be read, or only once.
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

/// A transcript as it is read, whose first lines are told as long as they begin with `#?`, without that.
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
            // The last line need not end.
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

    /// The line is there.
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
