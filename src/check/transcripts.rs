//! Checks transcripts: their steps, and how each event is written.

use std::collections::BTreeMap;

use super::{Checker, Place, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{EventId, Expr, Item, Play, PlayRow, PolicyId, Step, Stop, Target, Transcript},
    source::Span,
    syntax::{ast, print},
};

/// The built-in policy.
pub(crate) const RANDOM: PolicyId = PolicyId(u32::MAX);

impl<'t> Checker<'t> {
    pub(super) fn transcripts(&mut self) -> Vec<Transcript> {
        let file = self.resolved.file;
        let mut transcripts: Vec<Transcript> = Vec::new();
        for item in &file.items {
            let ast::Item::Transcript(written) = item else {
                continue;
            };
            let name = written.name.as_ref().map(|name| name.text.clone());
            if let Some(first) = transcripts.iter().find(|other| other.name == name) {
                let message = match &name {
                    Some(name) => format!("two transcripts are called `{name}`"),
                    None => "two transcripts have no name".into(),
                };
                self.report(
                    Diagnostic::error(Code::DuplicateName, written.span.head(), message)
                        .label(first.span.head(), "the first")
                        .help(
                            "all but one of them have a name: `transcript spoken by lines { … }`",
                        ),
                );
            }
            let mut scope = Scope::new(Place::Transcript);
            let steps = self.steps(&mut scope, &written.steps, written.unit);
            transcripts.push(Transcript {
                name,
                unit: written.unit,
                steps,
                locals: scope.locals(),
                span: written.span,
            });
        }
        if transcripts.is_empty() && !self.resolved.event_names.is_empty() {
            self.no_transcript();
        }
        // The default is the one without a name, or else the first.
        if let Some(default) = transcripts
            .iter()
            .position(|transcript| transcript.name.is_none())
        {
            let default = transcripts.remove(default);
            transcripts.insert(0, default);
        }
        transcripts
    }

    fn no_transcript(&mut self) {
        let header = match &self.resolved.file.header {
            ast::Header::Game { name, .. } | ast::Header::Variant { name, .. } => name.span,
        };
        self.report(
            Diagnostic::error(
                Code::NoTranscript,
                header,
                "nothing says what a transcript of this game looks like",
            )
            .help("add `transcript by lines { start play until over { | … } }`"),
        );
    }

    fn steps(&mut self, scope: &mut Scope, written: &'t [ast::Step], unit: ast::Unit) -> Vec<Step> {
        let before = scope.variables.len();
        let mut steps = Vec::new();
        for step in written {
            match step {
                ast::Step::Pattern(pattern) => {
                    steps.push(Step::Pattern(self.pattern(
                        scope,
                        &pattern.text,
                        None,
                        unit,
                    )));
                }
                ast::Step::Start(span) => steps.push(Step::Start(*span)),
                ast::Step::Repeat(repeat) => steps.push(self.repeat(scope, repeat, unit)),
                ast::Step::Play(play) => steps.push(Step::Play(self.play(scope, play, unit))),
            }
        }
        scope.leave(before);
        steps
    }

    fn repeat(&mut self, scope: &mut Scope, repeat: &'t ast::Repeat, unit: ast::Unit) -> Step {
        match &repeat.rounds {
            ast::Rounds::Times(count) => {
                let count = self.number(scope, count, "`times` counts");
                Step::Times {
                    count,
                    steps: self.steps(scope, &repeat.steps, unit),
                }
            }
            ast::Rounds::Until(words) => {
                let words = self.fixed_words(scope, words, unit);
                Step::Until {
                    words,
                    steps: self.steps(scope, &repeat.steps, unit),
                }
            }
        }
    }

    /// Checks words without holes.
    fn fixed_words(
        &mut self,
        scope: &mut Scope,
        words: &'t ast::Text,
        unit: ast::Unit,
    ) -> crate::program::Pattern {
        if words
            .parts
            .iter()
            .any(|part| matches!(part, ast::TextPart::Hole(_)))
        {
            self.report(
                Diagnostic::error(
                    Code::HoleForm,
                    words.span,
                    "the words that end something have no holes",
                )
                .help("write them out, or let an event end the game"),
            );
        }
        let plain = ast::Text {
            parts: words
                .parts
                .iter()
                .filter(|part| matches!(part, ast::TextPart::Literal { .. }))
                .cloned()
                .collect(),
            span: words.span,
        };
        self.pattern(scope, &plain, None, unit)
    }

    fn play(&mut self, scope: &mut Scope, play: &'t ast::Play, unit: ast::Unit) -> Play {
        let by = play.by.as_ref().and_then(|name| self.policy_named(name));
        let until = self.until(scope, &play.until);
        let stop = play.stop.as_ref().map(|stop| Stop {
            before: stop.before,
            words: self.fixed_words(scope, &stop.words, unit),
            when: stop.when.as_ref().map(|when| self.condition(scope, when)),
        });
        if play.by.is_some() && !play.rows.is_empty() {
            self.report(
                Diagnostic::error(
                    Code::PlayForm,
                    play.rows[0].span,
                    "a policy chooses every event here, so none is read",
                )
                .help("leave out the rows, or leave out `by …`"),
            );
        }
        if play.by.is_none() && play.rows.is_empty() {
            self.report(
                Diagnostic::error(
                    Code::PlayForm,
                    play.span,
                    "nothing says how an event is written",
                )
                .help("write a row for each: `{ | put: \"{row} {column}\" }`, or `play by …`"),
            );
        }
        let rows: Vec<PlayRow> = play
            .rows
            .iter()
            .filter_map(|row| self.play_row(scope, row, unit))
            .collect();
        let labels = play.rows.iter().map(|row| (&*row.label.text, &row.label));
        let last: BTreeMap<&str, &ast::Name> = labels.collect();
        let mut known: BTreeMap<(&str, EventId), Span> = BTreeMap::new();
        for row in &rows {
            let first = *known.entry((&row.label, row.event)).or_insert(row.span);
            if first != row.span
                && let Some(second) = last.get(&*row.label)
            {
                self.same_label(second, first);
            }
        }
        Play {
            by,
            until,
            stop,
            rows,
            span: play.span,
        }
    }

    fn policy_named(&mut self, name: &ast::Name) -> Option<PolicyId> {
        if name.text == "random" {
            return Some(RANDOM);
        }
        if let Some(policy) = self.resolved.policy_names.get(&name.text) {
            return Some(*policy);
        }
        let near = self.candidates(self.resolved.policy_names.keys());
        self.report(
            Diagnostic::error(
                Code::UnknownPolicy,
                name.span,
                format!("there is no policy called `{}`", name.text),
            )
            .did_you_mean(&name.text, near.iter().map(String::as_str)),
        );
        None
    }

    /// Checks the end of a `play`: `over`, a condition, or both joined by `or`. The end of the game always ends it.
    fn until(&mut self, scope: &mut Scope, written: &ast::Expr) -> Option<Expr> {
        let is_over = |expr: &ast::Expr| matches!(&expr.kind, ast::ExprKind::Name(name) if name.text == "over");
        if is_over(written) {
            return None;
        }
        if let ast::ExprKind::Binary {
            operator: ast::Operator::Or,
            left,
            right,
            ..
        } = &written.kind
        {
            if is_over(left) {
                return self.until(scope, right);
            }
            if is_over(right) {
                return self.until(scope, left);
            }
        }
        Some(self.condition(scope, written))
    }

    fn play_row(
        &mut self,
        scope: &mut Scope,
        row: &'t ast::Row,
        unit: ast::Unit,
    ) -> Option<PlayRow> {
        if row.inline || row.maybe || !row.bindings.is_empty() {
            self.report(
                Diagnostic::error(
                    Code::MisplacedWord,
                    row.span,
                    "a row of `play` has a text, and perhaps `when` and `unless`",
                )
                .help("leave out `inline`, `maybe` and `for`"),
            );
        }
        let event = self.row_event(row)?;
        let ast::ExprKind::Text(text) = &row.value.kind else {
            self.report(
                Diagnostic::error(
                    Code::PlayForm,
                    row.value.span,
                    "this row says how an event is written, so it is a text",
                )
                .help("write it in quotes, with a hole for each field: `\"{row} {column}\"`"),
            );
            return None;
        };
        let before = scope.variables.len();
        let reported = self.diagnostics.len();
        let pattern = self.pattern(scope, text, Some(event), unit);
        if self.diagnostics.len() > reported {
            // After an error in a hole, its field would be reported as unread as well.
            scope.leave(before);
            return None;
        }
        let conditions = self.conditions_of(scope, &row.conditions);
        let fields = self.row_fields(scope, row, event, &pattern);
        scope.leave(before);
        Some(PlayRow {
            label: row.label.text.clone(),
            event,
            pattern,
            fields,
            conditions,
            written: written(&row.conditions),
            span: row.span,
        })
    }

    /// The event of a row: its label, or the name after `=>`.
    fn row_event(&mut self, row: &ast::Row) -> Option<EventId> {
        let name = match row.event.as_ref().map(|event| &event.kind) {
            None => &row.label,
            Some(ast::ExprKind::Name(name)) => name,
            Some(ast::ExprKind::Apply { function, .. }) => function,
            Some(_) => {
                self.report(
                    Diagnostic::error(
                        Code::UnknownEvent,
                        row.span,
                        "an event is expected after `=>`",
                    )
                    .help("write its name with its fields: `roll(10)`"),
                );
                return None;
            }
        };
        match self.resolved.event_names.get(&name.text) {
            Some(event) if *event != EventId::START => Some(*event),
            _ => {
                let near = self.candidates(self.resolved.event_names.keys());
                let diagnostic = Diagnostic::error(
                    Code::UnknownEvent,
                    name.span,
                    format!("there is no event called `{}`", name.text),
                )
                .did_you_mean(&name.text, near.iter().map(String::as_str))
                .note("a row of `play` has the name of its event, or names it after `=>`");
                self.report(diagnostic);
                None
            }
        }
    }

    /// The value of each field that is not read.
    fn row_fields(
        &mut self,
        scope: &mut Scope,
        row: &ast::Row,
        event: EventId,
        pattern: &crate::program::Pattern,
    ) -> Vec<Option<Expr>> {
        let fields = self.resolved.events[event.index()].fields.clone();
        let read: Vec<usize> = pattern
            .items
            .iter()
            .flat_map(Item::holes)
            .filter_map(|hole| match hole.target {
                Target::Field(index) => Some(index),
                Target::Given(..) | Target::Number(_) => None,
            })
            .collect();
        let mut values: Vec<Option<Expr>> = vec![None; fields.len()];
        if let Some(written) = &row.event {
            let arguments: &[ast::Expr] = match &written.kind {
                ast::ExprKind::Apply { arguments, .. } => arguments,
                _ => &[],
            };
            if arguments.len() != fields.len() {
                self.named_event(scope, written);
                return values;
            }
            for (index, ((name, ty), argument)) in fields.iter().zip(arguments).enumerate() {
                let itself =
                    matches!(&argument.kind, ast::ExprKind::Name(found) if found.text == *name);
                if !(itself && read.contains(&index)) {
                    values[index] = Some(self.value(scope, argument, ty));
                }
            }
            return values;
        }
        for (index, (name, ty)) in fields.iter().enumerate() {
            if read.contains(&index) {
                continue;
            }
            if !ty.is_optional() {
                self.unread_field(row.value.span, name);
            }
            values[index] = Some(Self::none(row.span));
        }
        values
    }

    fn unread_field(&mut self, span: Span, name: &str) {
        self.report(
            Diagnostic::error(
                Code::UnreadField,
                span,
                format!("nothing here reads the field `{name}`, which is never none"),
            )
            .help(format!("write `{{{name}}}` where it stands in a line")),
        );
    }
}

/// The conditions of a row as text.
fn written(conditions: &ast::Conditions) -> Vec<String> {
    [("when", &conditions.when), ("unless", &conditions.unless)]
        .into_iter()
        .filter_map(|(word, condition)| {
            let condition = condition.as_ref()?;
            Some(format!("{word} {}", print::expression(condition)))
        })
        .collect()
}
