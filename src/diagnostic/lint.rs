//! Warnings by name: which there are, and how seriously each is taken.

use super::{Code, Diagnostic, Severity, Sources};

/// How seriously a warning is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// It is not mentioned.
    Allow,
    /// It is mentioned.
    Warn,
    /// It is a mistake.
    Deny,
}

/// A sort of warning.
#[derive(Debug, Clone, Copy)]
pub struct Lint {
    /// The sort of mistake, whose short name is the lint's.
    pub code: Code,
    /// How seriously it is taken unless somebody says otherwise.
    pub level: Level,
}

/// Every sort of warning, by name.
pub const LINTS: &[Lint] = &[
    warn(Code::DivisionByZero),
    allow(Code::FixedBound),
    allow(Code::LongCondition),
    warn(Code::NeverChanges),
    warn(Code::NeverNone),
    warn(Code::NoDecider),
    warn(Code::OtherName),
    warn(Code::OutsideType),
    warn(Code::TiedKeys),
    warn(Code::Unused),
    warn(Code::WhichTense),
];

const fn warn(code: Code) -> Lint {
    let level = Level::Warn;
    Lint { code, level }
}

const fn allow(code: Code) -> Lint {
    let level = Level::Allow;
    Lint { code, level }
}

/// What marks a comment that allows warnings: `-- allow(unused): a variant uses it`.
const ALLOW: &str = "-- allow(";

impl Diagnostic {
    /// Whether a comment allows this warning: one directly above the item that it is in, or above its line.
    pub(crate) fn is_allowed(&self, sources: &Sources) -> bool {
        if self.severity != Severity::Warning {
            return false;
        }
        let Some(source) = sources.get(self.span.source) else {
            return false;
        };
        let lines: Vec<&str> = source.text.lines().collect();
        let line = sources.position(self.span).line.saturating_sub(1);
        let is_comment = |line: &&str| line.trim_start().starts_with("--");
        let mut above = lines.get(..line).unwrap_or_default().iter().rev();
        let own = above.clone().take_while(|line| is_comment(line));
        let begins = |line: &str| !line.is_empty() && !line.starts_with([' ', '\t', '}', '|', '-']);
        let item = if lines.get(line).is_some_and(|line| begins(line)) {
            above
        } else {
            above.find(|line| begins(line));
            above
        };
        own.chain(item.take_while(|line| is_comment(line)))
            .any(|line| allows(line, self.code))
    }
}

/// Whether a comment allows warnings of one sort, and says why.
fn allows(comment: &str, code: Code) -> bool {
    let rest = comment.trim_start().strip_prefix(ALLOW);
    let Some((names, reason)) = rest.and_then(|rest| rest.split_once(')')) else {
        return false;
    };
    let reason = reason.strip_prefix(':').unwrap_or_default();
    !reason.trim().is_empty() && names.split(',').any(|name| name.trim() == code.slug())
}
