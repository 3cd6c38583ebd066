//! `--limit`: how much a run may take.

use referee::limits::{Limit, Limits};

/// The argument of commands that run games.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Limited {
    /// Sets a limit: `fuel=N` values that an event may look at, `memory=N` MiB of values, `events=N` events. A run that
    /// needs more ends with exit code 5
    #[arg(long = "limit", value_name = "WHAT=N", value_parser = limit, display_order = 101)]
    limits: Vec<(Limit, u64)>,
}

impl Limited {
    /// The limits.
    pub(super) fn limits(&self) -> Limits {
        let usual = Limits::default();
        let limits = self.limits.iter();
        limits.fold(usual, |limits, (limit, amount)| {
            limits.with(*limit, *amount)
        })
    }
}

/// Takes an argument of `--limit` apart.
fn limit(written: &str) -> Result<(Limit, u64), String> {
    let wrong = || "write fuel=N, memory=N or events=N, with N from 1 on".to_owned();
    let (name, amount) = written.split_once('=').ok_or_else(wrong)?;
    let limit = Limit::ALL.into_iter().find(|limit| limit.name() == name);
    let amount = amount.parse().ok().filter(|amount| *amount > 0);
    limit.zip(amount).ok_or_else(wrong)
}
