//! Data flow through a transcript: which givens are read before a game starts, and whether one starts.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{
    forms::Forms,
    reads::{self},
};
use crate::{
    diagnostic::{Code, Diagnostic, alternatives},
    program::{ExprKind, Item, LocalId, Pattern, Program, Step, Target, Transcript},
    source::Span,
    types::{GivenId, Type},
};

/// A given, or one entry of it.
type Read = (GivenId, Option<i64>);

/// The data-flow facts at a step.
#[derive(Debug, Clone, Default)]
struct Flow {
    /// What was read on every path to here.
    always_read: BTreeSet<Read>,
    /// What was read on some path since the last game started, and where.
    read_since_start: BTreeMap<Read, Span>,
    /// Whether a game has started on some path.
    started: bool,
}

/// Reports givens that are not read, or read twice, games that do not start, and numbers that nothing uses.
pub(super) fn check(
    program: &Program,
    forms: &Forms<'_>,
    transcript: &Transcript,
) -> Vec<Diagnostic> {
    let mut walk = Walk {
        program,
        forms,
        diagnostics: Vec::new(),
    };
    let mut flow = Flow::default();
    if starts(&transcript.steps) {
        walk.steps(&transcript.steps, &mut flow);
    } else {
        walk.report(
            Diagnostic::error(
                Code::NoStart,
                transcript.span.head(),
                "no game ever starts in this transcript",
            )
            .help("write `start` after what is read before a game, and before its `play`"),
        );
    }
    let mut diagnostics = walk.diagnostics;
    diagnostics.extend(numbers(transcript));
    diagnostics
}

fn starts(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Start(_) => true,
        Step::Times { steps, .. } | Step::Until { steps, .. } => starts(steps),
        Step::Pattern(_) | Step::Play(_) => false,
    })
}

struct Walk<'w, 'p> {
    program: &'p Program,
    forms: &'w Forms<'p>,
    diagnostics: Vec<Diagnostic>,
}

impl Walk<'_, '_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        // A repeated step is visited twice.
        let is_same =
            |other: &Diagnostic| other.span == diagnostic.span && other.code == diagnostic.code;
        if !self.diagnostics.iter().any(is_same) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn steps(&mut self, steps: &[Step], flow: &mut Flow) {
        for step in steps {
            match step {
                Step::Pattern(pattern) => self.pattern(pattern, flow),
                Step::Start(span) => self.start(*span, flow),
                Step::Times { steps, .. } | Step::Until { steps, .. } => self.repeated(steps, flow),
                Step::Play(play) => {
                    if !flow.started {
                        self.report(
                            Diagnostic::error(
                                Code::NoStart,
                                play.span.head(),
                                "no game has started here yet",
                            )
                            .help("write `start` before this `play`"),
                        );
                    }
                }
            }
        }
    }

    /// Steps repeated any number of times, perhaps never. The second visit sees what the first leaves behind.
    fn repeated(&mut self, steps: &[Step], flow: &mut Flow) {
        let mut round = flow.clone();
        self.steps(steps, &mut round);
        let mut again = round.clone();
        again.read_since_start.extend(flow.read_since_start.clone());
        self.steps(steps, &mut again);
        flow.read_since_start.extend(again.read_since_start);
        flow.started |= again.started;
    }

    fn pattern(&mut self, pattern: &Pattern, flow: &mut Flow) {
        for hole in pattern.items.iter().flat_map(Item::holes) {
            let Target::Given(id, key) = &hole.target else {
                continue;
            };
            let entry = key.as_ref().and_then(|key| self.forms.scalar(key));
            let read = (*id, entry);
            let name = &self.program.givens[id.index()].name;
            if let Some(first) = flow.read_since_start.get(&read).copied() {
                let diagnostic = Diagnostic::error(
                    Code::GivenReadTwice,
                    hole.span,
                    format!("`{name}` is read twice before the game starts"),
                );
                self.report(
                    if first == hole.span {
                        diagnostic.note("what is repeated here has no `start` in it")
                    } else {
                        diagnostic.label(first, "the first time")
                    }
                    .help("read it once; a word that does not matter can be plain text"),
                );
            }
            flow.read_since_start.insert(read, hole.span);
            flow.always_read.insert(read);
        }
    }

    fn start(&mut self, span: Span, flow: &mut Flow) {
        for (index, given) in self.program.givens.iter().enumerate() {
            let id = GivenId::new(index);
            if given.default.is_some() || given.drawn || flow.always_read.contains(&(id, None)) {
                continue;
            }
            let missing = self.missing(id, given.key.as_ref(), flow);
            let Some(missing) = missing else { continue };
            let name = &given.name;
            let what = if missing.is_empty() {
                format!("`{name}`")
            } else {
                alternatives(&missing).replace(" or ", " and ")
            };
            let hole = match missing.as_slice() {
                [_, ..] => {
                    let holes = missing.iter().map(|entry| format!("{{{entry}}}"));
                    holes.collect::<Vec<_>>().join(" ")
                }
                // Several words, or a text of several words.
                [] if given.entry.element().is_some() || given.entry == Type::Text => {
                    format!("{{{name} ...}}")
                }
                [] => format!("{{{name}}}"),
            };
            // The number of entries may itself be a given.
            let sized = given
                .key
                .as_ref()
                .is_some_and(|key| self.forms.is_sized_by_given(key));
            let help = if sized {
                let entry = self.program.types.display(&given.entry);
                format!(
                    "how many there are is given: read them as a pile, `given {name}: pile of {entry}` and `{{{name} ... n}}`, and take `item({name}, number of …)`; or say what it is if it is not read: `given {name}: … = …`"
                )
            } else {
                format!(
                    "read it in a pattern before `start`: `\"{hole}\"`; or say what it is if it is not read: `given {name}: … = …`"
                )
            };
            self.report(
                Diagnostic::error(
                    Code::GivenNotRead,
                    span,
                    format!("the game starts here, but {what} may not have been read before"),
                )
                .label(given.span, "it is given, and has no default")
                .help(help),
            );
        }
        flow.read_since_start.clear();
        flow.started = true;
    }

    /// An entry of a given as rules write it.
    fn entry_name(&self, id: GivenId, key: &Type, entry: i64) -> String {
        let (given, types) = (&self.program.givens[id.index()], &self.program.types);
        match key {
            Type::Product(product) if types.product(*product).is_key() => {
                let parts = types.product_parts(*product, entry).into_iter();
                let parts = parts.map(|(ty, part)| match part {
                    Some(part) => types.value_name(ty.required(), part),
                    None => "none".to_owned(),
                });
                format!("{}({})", given.name, parts.collect::<Vec<_>>().join(", "))
            }
            _ => format!("{} of {}", given.name, types.value_name(key, entry)),
        }
    }

    /// The entries of a given that may not have been read, by name; none if all were.
    fn missing(&self, id: GivenId, key: Option<&Type>, flow: &Flow) -> Option<Vec<String>> {
        let Some(key) = key else {
            return Some(Vec::new());
        };
        let all = self.forms.values(key).unwrap_or_default();
        let missing: Vec<String> = all
            .iter()
            .filter(|entry| !flow.always_read.contains(&(id, Some(**entry))))
            .map(|entry| self.entry_name(id, key, *entry))
            .collect();
        if missing.is_empty() && !all.is_empty() {
            return None;
        }
        if missing.len() == all.len() || missing.len() > 6 {
            return Some(missing.into_iter().take(1).collect());
        }
        Some(missing)
    }
}

/// The numbers that a transcript reads for itself and does not use.
fn numbers(transcript: &Transcript) -> Vec<Diagnostic> {
    let mut used: BTreeSet<LocalId> = BTreeSet::new();
    for expression in reads::of_steps(&transcript.steps) {
        expression.walk(&mut |expression| {
            if let ExprKind::Local(local) = expression.kind {
                used.insert(local);
            }
        });
    }
    let mut diagnostics = Vec::new();
    unused_numbers(&transcript.steps, &used, &mut diagnostics);
    diagnostics
}

fn unused_numbers(steps: &[Step], used: &BTreeSet<LocalId>, diagnostics: &mut Vec<Diagnostic>) {
    for step in steps {
        match step {
            Step::Pattern(pattern) => {
                for hole in pattern.items.iter().flat_map(Item::holes) {
                    if let Target::Number(local) = hole.target
                        && !used.contains(&local)
                    {
                        diagnostics.push(
                            Diagnostic::warning(
                                Code::Unused,
                                hole.span,
                                format!("the number `{}` is read here, and nothing uses it", hole.name),
                            )
                            .help(format!(
                                "use it, as in `repeat {} times {{ … }}`; or is it a given whose name is misspelt?",
                                hole.name
                            )),
                        );
                    }
                }
            }
            Step::Times { steps, .. } | Step::Until { steps, .. } => {
                unused_numbers(steps, used, diagnostics);
            }
            Step::Start(_) | Step::Play(_) => {}
        }
    }
}
