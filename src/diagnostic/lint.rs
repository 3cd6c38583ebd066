//! Lints: warnings with names, whose levels can be set.

use std::collections::{BTreeMap, BTreeSet};

use super::{Code, Diagnostic, Severity, Sources};
use crate::source::{Source, SourceId, Span};

/// What happens to a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// It is left out.
    Allow,
    /// It is shown.
    Warn,
    /// It becomes an error.
    Deny,
}

/// A sort of warning, with its default level.
#[derive(Debug, Clone, Copy)]
pub struct Lint {
    /// The sort of mistake; its code is the name of the lint.
    pub code: Code,
    /// The level unless another is set.
    pub level: Level,
}

/// All lints, by name.
pub const LINTS: &[Lint] = &[
    warn(Code::BareCondition),
    warn(Code::ConstantCondition),
    warn(Code::DivisionByZero),
    allow(Code::FixedBound),
    warn(Code::IdleAllow),
    warn(Code::Leak),
    allow(Code::LongCondition),
    warn(Code::LostCondition),
    warn(Code::NeverChanges),
    warn(Code::NeverNone),
    warn(Code::NoDecider),
    warn(Code::OtherName),
    warn(Code::OutsideType),
    warn(Code::PassedBy),
    warn(Code::SignBeforeHole),
    warn(Code::SilentRefusal),
    warn(Code::TiedKeys),
    warn(Code::UnseenRow),
    warn(Code::Unused),
    warn(Code::WhichRefusal),
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

/// The start of a comment that allows warnings: `-- allow(unused): a variant uses it`.
const ALLOW: &str = "-- allow(";

/// The start of such a comment without its dashes.
const WORD: &str = "allow(";

/// Removes the warnings that a comment allows: one directly above their item, or above their line.
pub(crate) fn retain_unallowed(found: &mut Vec<Diagnostic>, sources: &Sources) {
    let mut files: BTreeMap<SourceId, Comments<'_>> = BTreeMap::new();
    found.retain(|one| {
        let id = one.span.source;
        let (Severity::Warning, Some(source)) = (one.severity, sources.get(id)) else {
            return true;
        };
        let comments = files.entry(id).or_insert_with(|| Comments::of(source));
        !comments.allow(source.line(one.span.start as usize), one.code)
    });
}

/// Warns of `allow` comments that allow nothing.
pub(crate) fn useless_allows(sources: &Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let ids = (0..u16::MAX).map(SourceId);
    let texts = ids.map_while(|id| Some((id, sources.get(id)?)));
    for (id, source) in texts.filter(|(_, source)| source.text.contains(WORD)) {
        let mut start = 0;
        for line in source.text.split_inclusive('\n') {
            let (before, comment) = line.split_at(line.len() - line.trim_start().len());
            let at = start + before.len();
            start += line.len();
            let words = comment.strip_prefix("--").map(str::trim_start);
            if words.is_some_and(|words| words.starts_with(WORD)) {
                let comment = comment.trim_end();
                found.extend(useless_allow(comment, |from, to| {
                    Span::new(id, at + from..at + to)
                }));
            }
        }
    }
    found
}

/// Warns of an `allow` comment that is invalid. `span` gives the place of an offset and a length within it.
fn useless_allow(comment: &str, span: impl Fn(usize, usize) -> Span) -> Vec<Diagnostic> {
    let names = match names(comment) {
        Ok(names) => names,
        Err(why) => {
            let message = format!("this comment allows nothing: {why}");
            let warning = Diagnostic::warning(Code::IdleAllow, span(0, comment.len()), message);
            return vec![
                warning.help("write `-- allow(NAME): REASON`, with the name of the warning"),
            ];
        }
    };
    let known = || LINTS.iter().map(|lint| lint.code.slug());
    let unknown = names.filter(|(_, name)| known().all(|slug| slug != *name));
    let found = unknown.map(|(at, name)| {
        let message = format!("there is no warning called `{name}`");
        Diagnostic::warning(Code::IdleAllow, span(at, at + name.len()), message)
            .did_you_mean(name, known())
    });
    found.collect()
}

/// The `allow` comments of a text.
struct Comments<'s> {
    lines: Vec<&'s str>,
    /// For each line, the first line of its item.
    items: Vec<Option<usize>>,
    /// What the comments directly above a line allow; filled on demand.
    allowed: BTreeMap<usize, BTreeSet<&'s str>>,
}

impl<'s> Comments<'s> {
    fn of(source: &'s Source) -> Comments<'s> {
        let lines: Vec<&str> = source.text.lines().collect();
        let begins = |line: &str| !line.is_empty() && !line.starts_with([' ', '\t', '}', '|', '-']);
        let mut item = None;
        let items = lines.iter().enumerate().map(|(number, line)| {
            if begins(line) {
                item = Some(number);
            }
            item
        });
        Comments {
            items: items.collect(),
            lines,
            allowed: BTreeMap::new(),
        }
    }

    /// Whether a warning of this sort is allowed on a line.
    fn allow(&mut self, line: usize, code: Code) -> bool {
        let item = self.items.get(line).copied().flatten();
        let lines = [Some(line), item].into_iter().flatten();
        lines
            .into_iter()
            .any(|line| self.above(line).contains(code.slug()))
    }

    fn above(&mut self, line: usize) -> &BTreeSet<&'s str> {
        let lines = &self.lines;
        self.allowed.entry(line).or_insert_with(|| {
            let above = lines.get(..line).unwrap_or_default().iter().rev();
            let comments = above.take_while(|line| line.trim_start().starts_with("--"));
            let names = comments.filter_map(|comment| names(comment.trim_start()).ok());
            names.flatten().map(|(_, name)| name).collect()
        })
    }
}

/// The names of the lints that a comment allows, each with its offset in the comment.
///
/// # Errors
/// Why the comment allows nothing.
fn names(comment: &str) -> Result<impl Iterator<Item = (usize, &str)>, &'static str> {
    let rest = comment.strip_prefix(ALLOW);
    let (names, reason) = rest
        .and_then(|rest| rest.split_once(')'))
        .ok_or("its form is wrong")?;
    let reason = reason.strip_prefix(':').unwrap_or_default();
    if reason.trim().is_empty() {
        return Err("it gives no reason");
    }
    let at = |name: &str| name.as_ptr() as usize - comment.as_ptr() as usize;
    let names = names.split(',').map(str::trim);
    Ok(names.map(move |name| (at(name), name)))
}
