//! The figures that are written down, and what is to be said of new ones.

use std::{fmt, fs, io, path::PathBuf};

/// What takes new figures.
pub(crate) const BLESS: &str = "cargo bench --profile instructions --bench instructions -- --bless";

/// Of how many parts one may be more, or less, before anybody is told: a tenth.
const PART: u64 = 10;

/// What the file says of itself.
const HEAD: &str = "# How many instructions an event takes. Written by";

/// Instructions for each event, by the names of races in the order of the file.
pub(crate) struct Figures(Vec<(String, u64)>);

/// What is to be said of a race.
pub(crate) struct Judged {
    name: String,
    before: Option<u64>,
    now: u64,
}

impl Figures {
    fn path() -> PathBuf {
        [env!("CARGO_MANIFEST_DIR"), "benches", "instructions.txt"]
            .iter()
            .collect()
    }

    /// Those that are written down.
    pub(crate) fn read() -> io::Result<Figures> {
        let text = fs::read_to_string(Figures::path())?;
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let figures = lines.map(|line| {
            let (name, figure) = line.rsplit_once(' ')?;
            Some((name.to_string(), figure.parse().ok()?))
        });
        let figures: Option<Vec<_>> = figures.collect();
        figures.map(Figures).ok_or_else(|| {
            let path = Figures::path();
            io::Error::other(format!(
                "{}: not lines of a name and a figure",
                path.display()
            ))
        })
    }

    /// Writes them down.
    pub(crate) fn write(&self) -> io::Result<()> {
        let lines = self
            .0
            .iter()
            .map(|(name, figure)| format!("{name} {figure}\n"));
        let text = format!("{HEAD} `{BLESS}`.\n{}", lines.collect::<String>());
        fs::write(Figures::path(), text)
    }

    /// What is to be said of a race that takes so many instructions now.
    pub(crate) fn judge(&self, name: &str, now: u64) -> Judged {
        let before = self.0.iter().find(|(other, _)| other == name);
        Judged {
            name: name.to_string(),
            before: before.map(|(_, figure)| *figure),
            now,
        }
    }

    /// Takes a new figure.
    pub(crate) fn set(&mut self, name: &str, now: u64) {
        match self.0.iter_mut().find(|(other, _)| other == name) {
            Some((_, figure)) => *figure = now,
            None => self.0.push((name.to_string(), now)),
        }
    }
}

impl Judged {
    /// Whether it takes too many now; also where nothing is written down that it may take.
    pub(crate) fn is_grown(&self) -> bool {
        self.before
            .is_none_or(|before| self.now - self.now.min(before) > before / PART)
    }

    fn is_fallen(&self) -> bool {
        self.before
            .is_some_and(|before| before - before.min(self.now) > before / PART)
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Judged { name, before, now } = self;
        write!(out, "{name}: {now} instructions an event")?;
        match before {
            None => write!(out, "; nothing is written down for it"),
            Some(before) if self.is_grown() => {
                write!(
                    out,
                    ", more than a tenth above the {before} that are written down"
                )
            }
            Some(before) if self.is_fallen() => write!(
                out,
                ", more than a tenth below the {before} that are written down: `{BLESS}` keeps that"
            ),
            Some(before) => write!(out, ", {before} are written down"),
        }
    }
}
