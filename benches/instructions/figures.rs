//! The figures that are written down, and what is to be said of new ones.

use std::{fmt, fs, io, path::PathBuf};

use crate::measured::Measured;

/// What takes new figures.
pub(crate) const BLESS: &str = "cargo bench --profile instructions --bench instructions -- --bless";

/// By how much all may grow on average: as much as differs from machine to machine.
const MEAN_MAY_BE: f64 = 1.01;

/// What the file says of itself.
const HEAD: &str = "\
# How many instructions things take. `cargo bench --profile instructions --bench instructions` counts them again, and
# fails where a figure has grown by more than it may, or all of them on average (the geometric mean of the new figures
# by those here) by more than 1 %. With `-- --bless` it writes this file.
#
# GAME            an event, reading and report included, as machine code that is warm: at the end of a transcript made
#                 up from a seed. `weiqi-short` is of games of about 35 turns, a quarter of them passes or refused.
#                 Snooker, Weiqi and Mau-Mau may grow by 10 %, the other games by 30 %.
# GAME perft      a line of play, as machine code: what counting all lines of some moves takes above those of one move
#                 fewer, for each line more. 2 moves of chess when one side is in check, the first 3 of Reversi. May grow
#                 by 30 %.
# GAME start-up   a process that loads and checks the game, and runs it on a transcript of no games. May grow by 30 %.
# GAME interpreted  an event of the first two to four games, interpreted and what that takes to be lowered included. May
#                 grow by 30 %.
#
# The last two are counted by valgrind, and only where it is installed; the others everywhere (on Linux on x86-64).
";

/// Instructions by the names of what takes them, in the order of the file.
pub(crate) struct Figures(Vec<(String, u64)>);

/// What is to be said of a figure.
pub(crate) struct Judged<'a> {
    measured: &'a Measured,
    before: Option<u64>,
    now: u64,
}

/// The geometric mean of new figures, each by the one that is written down.
pub(crate) struct Mean(f64);

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
            Some((name.trim_end().to_string(), figure.parse().ok()?))
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

    /// Writes down the new figures, and those before for what was not counted.
    pub(crate) fn write(&self, all: &[Measured], judged: &[Judged]) -> io::Result<()> {
        let lines = all.iter().filter_map(|measured| {
            let new = judged.iter().find(|new| new.measured.name == measured.name);
            let figure = new.map(|new| new.now).or_else(|| self.of(measured))?;
            Some(format!("{} {figure}\n", measured.name))
        });
        let text = format!("{HEAD}{}", lines.collect::<String>());
        fs::write(Figures::path(), text)
    }

    /// What is to be said when this takes so many instructions now.
    pub(crate) fn judge<'a>(&self, measured: &'a Measured, now: u64) -> Judged<'a> {
        Judged {
            measured,
            before: self.of(measured),
            now,
        }
    }

    fn of(&self, measured: &Measured) -> Option<u64> {
        let found = self.0.iter().find(|(name, _)| *name == measured.name);
        found.map(|(_, figure)| *figure)
    }
}

impl Judged<'_> {
    /// Whether it takes too many now; also where nothing is written down that it may take.
    pub(crate) fn is_grown(&self) -> bool {
        self.before
            .is_none_or(|before| self.differs(before, self.now))
    }

    fn is_fallen(&self) -> bool {
        self.before
            .is_some_and(|before| self.differs(self.now, before))
    }

    /// Whether the larger of two is larger by more than it may be.
    fn differs(&self, small: u64, large: u64) -> bool {
        large * 100 > small * (100 + self.measured.may_grow)
    }

    /// The new figure by the one that is written down.
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people to read")]
    fn ratio(&self) -> Option<f64> {
        self.before.map(|before| self.now as f64 / before as f64)
    }
}

impl Mean {
    /// Of all that there are figures for; none if there is nothing.
    #[expect(clippy::cast_precision_loss, reason = "a mean for people to read")]
    pub(crate) fn of(judged: &[Judged]) -> Option<Mean> {
        let ratios: Vec<f64> = judged.iter().filter_map(Judged::ratio).collect();
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        (!ratios.is_empty()).then(|| Mean((logarithms / ratios.len() as f64).exp()))
    }

    pub(crate) fn is_grown(&self) -> bool {
        self.0 > MEAN_MAY_BE
    }
}

impl fmt::Display for Judged<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Judged {
            measured: Measured { name, may_grow, .. },
            before,
            now,
        } = self;
        write!(out, "{name}: {now} instructions")?;
        match before {
            None => write!(out, "; nothing is written down for it"),
            Some(before) if self.is_grown() => write!(
                out,
                ", more than {may_grow} % above the {before} that are written down"
            ),
            Some(before) if self.is_fallen() => write!(
                out,
                ", far below the {before} that are written down: `{BLESS}` keeps that"
            ),
            Some(before) => write!(out, ", {before} are written down"),
        }
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "all: {:.3} of what is written down, as a geometric mean",
            self.0
        )?;
        if self.is_grown() {
            write!(out, ", more than the {MEAN_MAY_BE} that it may be")?;
        }
        Ok(())
    }
}
