//! Diagnostics about changes whose target exists, but that cannot be made.

use super::{
    super::{
        bodies::List,
        history::{Edit, Step},
        layers::Layers,
        locate::written,
        targets::{DECIDER, EQUATION, ROUND, STEPS, Target},
    },
    targets::{noun, rows_of},
};
use crate::{
    diagnostic::{Code, Diagnostic, alternatives, enumerated},
    source::Span,
    syntax::{
        ast::{self, AddedRow, Sight, Type},
        print,
    },
};

/// A change without effect.
pub(in super::super) fn no_effect(span: Span, before: Span) -> Diagnostic {
    Diagnostic::error(Code::ChangesNothing, span, "this changes nothing")
        .label(before, "it is so already")
        .help("leave it out")
}

/// More changes than can be made in a reasonable time.
pub(in super::super) fn too_many_changes(span: Span, most: usize) -> Diagnostic {
    let message = format!("a variant of a game of this size makes at most {most} changes");
    Diagnostic::error(Code::LargeFile, span, message)
        .help("write a game of its own, or replace whole definitions instead of their rows")
}

/// More exceptions to a row than the allowed depth of an expression.
pub(in super::super) fn too_many_exceptions(span: Span, row: Span) -> Diagnostic {
    let message = "this row has too many exceptions already";
    Diagnostic::error(Code::TooDeep, span, message)
        .label(row, "this row")
        .help("give what they have in common a name, with a fact, and write one exception")
}

/// An attribute that is not a constant.
pub(in super::super) fn no_attribute_form(span: Span) -> Diagnostic {
    let message = "an attribute is a constant, so nothing can be worked out here";
    Diagnostic::error(Code::ChangeForm, span, message)
        .help("write a number, a member, a text, yes, no, none or an option")
}

/// A table where a path needs one expression.
pub(in super::super) fn no_rows_of_path(path: &ast::Path) -> Diagnostic {
    let text = written(path);
    let message = format!("what comes after `each in` of `{text}` is one expression");
    Diagnostic::error(Code::ChangeForm, path.span, message).help(format!(
        "give the table a name, `fact next = …`, and write `replace {text} = next`"
    ))
}

/// A definition for something that has none.
pub(in super::super) fn no_definition(path: &ast::Path, target: &Target) -> Diagnostic {
    let text = written(path);
    let message = match target.what {
        "an option" => format!("`{text}` is an option, and `set` changes it"),
        "a given" => format!("`{text}` is always read, so there is nothing to replace"),
        "a state" => format!("`{text}` falls back to no, and has no other value at the start"),
        "a guard" => format!("`{text}` is a guard, which is one condition"),
        DECIDER | "a weight" => format!("`{text}` is one expression"),
        ROUND => format!("`{text}` is the name of a round"),
        "a part" | "an axis" | "an attribute" | "a field" => {
            format!(
                "`{text}` is {}, which has a type and no definition",
                target.what
            )
        }
        STEPS => format!("`{text}` is a transcript, and its steps are replaced one by one"),
        what => format!("`{text}` is {what}, and its rows are replaced one by one"),
    };
    let error = Diagnostic::error(Code::ChangeForm, path.span, message);
    match target.what {
        "an option" => error.help(format!("write `set {text} = …`")),
        "a guard" | "a given" | "a state" => error,
        DECIDER => error.help(format!(
            "write `replace {text} = …`: whose choice it is, `chance` or `referee`"
        )),
        ROUND => error.help(format!(
            "write `replace {text} = …` with the name of a round, or `remove {text}`"
        )),
        "a weight" => error.help("put the table into a fact, and write that"),
        "a part" | "an axis" | "an attribute" | "a field" => {
            error.help(format!("write `replace {text}: …`"))
        }
        _ => {
            let row = target.labels().next().unwrap_or("row");
            let help = format!("write `replace {text}.{row}: …`, `remove` or `add to {text}`");
            rows_of(error, target).help(help)
        }
    }
}

/// A rule copied from another event that depends on fields which this event lacks.
pub(in super::super) fn must_say(
    event: &ast::Name,
    like: &ast::Name,
    part: &ast::Name,
    lacking: &[String],
) -> Diagnostic {
    let (event_name, like_name) = (&event.text, &like.text);
    let fields = alternatives(lacking);
    let message = format!(
        "what `{like_name}` says about `{}` depends on {fields}, which `{event_name}` does not have",
        part.text
    );
    Diagnostic::error(Code::UnknownName, like.span, message)
        .label(part.span, "it is said here")
        .help(format!(
            "say in this section what `{}` is for `{event_name}`",
            part.text
        ))
}

/// An event that copies itself, or two others.
pub(in super::super) fn taken_twice(event: &ast::Name, like: &ast::Name) -> Diagnostic {
    let message = if event.text == like.text {
        format!("`{}` is already like itself", event.text)
    } else {
        format!("`{}` already follows another event", event.text)
    };
    Diagnostic::error(Code::DuplicateName, like.span, message).help("say `as` once")
}

/// A type for something that has none.
pub(in super::super) fn no_type(path: &ast::Path, target: &Target, ty: &Type) -> Diagnostic {
    let text = written(path);
    let message = format!("`{text}` is {}, which has no type of its own", target.what);
    let error = Diagnostic::error(Code::ChangeForm, path.span, message);
    let error = error.label(target.span, "it stands here");
    match &ty.kind {
        ast::TypeKind::Named(name) if target.has_one_value() => {
            equals(error, path, &name.text, name.span)
        }
        _ => rows_of(error, target),
    }
}

/// `replace event.guard: c`: a value where a row is expected.
pub(in super::super) fn has_no_rows(
    path: &ast::Path,
    target: &Target,
    value: &ast::Expr,
) -> Diagnostic {
    let message = format!("`{}` is {} without rows", written(path), target.what);
    let error = Diagnostic::error(Code::UnknownTarget, path.span, message);
    let error = error.label(target.span, "it has no rows");
    equals(error, path, &print::expression(value), value.span)
}

/// Suggests `=` instead of `:` between the path and the value of a `replace`.
fn equals(error: Diagnostic, path: &ast::Path, value: &str, at: Span) -> Diagnostic {
    let between = Span::new(path.span.source, path.span.range().end..at.range().start);
    error
        .help(format!("write `replace {} = {value}`", written(path)))
        .edit(between, " = ", true)
}

/// A round for something that is not a state.
pub(in super::super) fn no_round(per: &ast::Name, target: &Target) -> Diagnostic {
    let message = format!(
        "`{}` is {}, but only a state belongs to a round",
        target.path, target.what
    );
    Diagnostic::error(Code::ChangeForm, per.span, message).label(target.span, "it stands here")
}

/// `seen by` or `hidden` for something that everyone must see.
pub(in super::super) fn no_sight(sight: &Sight, target: &Target) -> Diagnostic {
    let message = format!(
        "`{}` is {}, but only states, givens, fields of events and rows of reports can be hidden",
        target.path, target.what
    );
    Diagnostic::error(Code::ChangeForm, sight.span, message).label(target.span, "it stands here")
}

/// `wraps` for something that is not an axis.
pub(in super::super) fn no_axis(path: &ast::Path, target: &Target) -> Diagnostic {
    let message = format!(
        "`{}` is {}, but only an axis of a grid wraps",
        target.path, target.what
    );
    Diagnostic::error(Code::ChangeForm, path.span, message).label(target.span, "it stands here")
}

/// A named type, changed as if it were the type of something else.
pub(in super::super) fn named_type(path: &ast::Path, ty: Option<&Type>) -> Diagnostic {
    let text = written(path);
    let message = format!("`{text}` is a type, and comes after `type`");
    let ty = ty.map_or("…".to_owned(), print::written_type);
    Diagnostic::error(Code::ChangeForm, path.span, message)
        .help(format!("write `replace type {text} = {ty}`"))
}

/// A removal of something that must exist.
pub(in super::super) fn no_removal(path: &ast::Path, target: &Target) -> Diagnostic {
    let text = written(path);
    let what = match target.what {
        STEPS if path.parts.last().is_some_and(|last| last.text == "start") => {
            "where a game starts"
        }
        what => what,
    };
    let message = format!("`{text}` is {what}, which cannot be removed");
    let error = rows_of(
        Diagnostic::error(Code::ChangeForm, path.span, message),
        target,
    );
    let step = target
        .labels()
        .find(|label| *label != "start")
        .unwrap_or("NAME");
    match what {
        STEPS => error.help(format!(
            "replace its steps, `replace {text}.{step}: \"…\"`, or add another transcript, `transcript NAME by lines {{ … }}`"
        )),
        "a play" if target.labels().count() == 1 => {
            error.help(format!("replace its row, `replace {text}.{step}: \"…\"`"))
        }
        "a play" => error.help(format!(
            "replace its rows, `replace {text}.{step}: \"…\"`, or remove them, `remove {text}.{step}`"
        )),
        _ => error,
    }
}

/// The removal of a table's only row.
pub(in super::super) fn last_row(path: &ast::Path, target: &Target) -> Diagnostic {
    let message = format!("`{}` would be left without rows", target.path);
    Diagnostic::error(Code::ChangeForm, path.span, message)
        .label(target.span, "no other row is left of it")
        .help(match target.what {
            "a fact" | EQUATION => format!(
                "write `replace {0} = …`, or `remove {0}` for all of it",
                target.path
            ),
            _ => format!("write `replace {} = …`", target.path),
        })
}

/// An exception to something that has no conditions.
pub(in super::super) fn no_exception(path: &ast::Path, target: &Target) -> Diagnostic {
    let text = written(path);
    let message = format!(
        "`{text}` is a member of {}, not a row with conditions",
        target.path
    );
    Diagnostic::error(Code::ChangeForm, path.span, message)
}

/// A row of the wrong form for its list.
pub(in super::super) fn other_form(
    span: Span,
    list: Option<&List>,
    row: &AddedRow,
    target: &Target,
) -> Diagnostic {
    let row = match row {
        AddedRow::Row(_) => "`| name: value when …`",
        AddedRow::By(_) => "`| cell => value`",
        AddedRow::Member(_) => "`| Member value`",
    };
    let path = &target.path;
    let message = match list {
        None => format!("`{path}` is {} without rows", target.what),
        Some(List::Rows(_)) => {
            format!("the rows of `{path}` are `| name: value when …`, and this is {row}")
        }
        Some(List::By(_)) => {
            format!("the rows of `{path}` are `| cell => value`, and this is {row}")
        }
        Some(List::Steps(_)) => {
            "a step of a transcript that a variant adds is a text, `| name: \"…\"`".to_string()
        }
        Some(List::Members(_)) => {
            format!("the members of `{path}` are `| Member value`, and this is {row}")
        }
    };
    let diagnostic = Diagnostic::error(Code::ChangeForm, span, message)
        .label(target.span, "it is declared here");
    match list {
        None => diagnostic.help(format!("write `replace {path} = …`")),
        Some(List::Members(_)) => {
            diagnostic.help("another value for an attribute: `set attribute of Member = …`")
        }
        Some(_) => diagnostic,
    }
}

/// A row added without a place to a list whose order matters.
pub(in super::super) fn place_missing(path: &ast::Path, target: &Target) -> Diagnostic {
    let text = written(path);
    let message = format!("the order of `{text}` decides: say where this goes");
    let how = if target.what == STEPS {
        "done"
    } else {
        "asked"
    };
    let diagnostic = Diagnostic::error(Code::PlaceMissing, path.span, message).label(
        target.span,
        format!("its {}s are {how} in this order", noun(target)),
    );
    let diagnostic = rows_of(diagnostic, target);
    let Some((first, last)) = target.labels().next().zip(target.labels().last()) else {
        return diagnostic;
    };
    let before = format!("write `add to {text} before {first}`");
    diagnostic.help(match last {
        // A row after this one is never reached.
        "any" => before,
        _ => format!("{before} if it is {how} first, `add to {text} after {last}` if last"),
    })
}

/// A change of something that an earlier change removed.
pub(in super::super) fn lost(
    path: &ast::Path,
    step: &Step,
    layer: usize,
    layers: &Layers,
) -> Diagnostic {
    if layer != step.layer && !layers.knows(layer, step.layer) {
        return both(path.span, &written(path), step, layer, layers);
    }
    let message = format!("`{}` no longer exists", written(path));
    Diagnostic::error(Code::UnknownTarget, path.span, message).label(step.span, label_of(step.edit))
}

/// Two changes that contradict each other.
pub(in super::super) fn clash(earlier: &Step, later: &Step, layers: &Layers) -> Diagnostic {
    let path = if later.path.len() < earlier.path.len() {
        &earlier.path
    } else {
        &later.path
    };
    if earlier.layer == later.layer {
        let message = format!("`{path}` is changed twice");
        return Diagnostic::error(Code::ChangedTwice, later.span, message)
            .here("the second time")
            .label(earlier.span, "the first time")
            .help("keep one of the two changes");
    }
    both(later.span, path, earlier, later.layer, layers)
}

/// An event of one variant that a rule of another ignores, though the rule holds for `like`, which the event copies.
/// The names are those of the variant with the event and of the one with the rule.
pub(in super::super) fn ignored_event(
    rule: Span,
    event: &ast::Name,
    like: &str,
    [adder, other]: [&str; 2],
    joined: Span,
) -> Diagnostic {
    let name = &event.text;
    let message =
        format!("`{other}` says this of `{like}`, and not of `{name}`, which `{adder}` adds");
    Diagnostic::warning(Code::PassedBy, rule, message)
        .label(event.span, format!("`{name}` is added here"))
        .label(joined, "they are joined here")
        .help(format!(
            "say in a variant `with {adder}, {other}` what holds for `{name}`, or nothing, if this is right; if they make no sensible game together, write `without {other}` in the header of `{adder}`"
        ))
}

/// A row that one variant adds to a list of which another replaces every row that it knows.
pub(in super::super) fn unforeseen_row(
    replaced: &Step,
    new: &Step,
    owner: &str,
    layers: &Layers,
) -> Diagnostic {
    let name = |layer: usize| &layers.list[layer].name.text;
    let (other, adder) = (name(replaced.layer), name(new.layer));
    let row = new.path.rsplit('.').next().unwrap_or_default();
    let message = format!(
        "`{other}` replaces all rows of `{owner}` that it knows, and `{adder}` adds `{row}`, which it does not know"
    );
    let joined = layers.joined(new.layer.min(replaced.layer), new.layer.max(replaced.layer));
    Diagnostic::warning(Code::PassedBy, replaced.span, message)
        .label(new.span, format!("`{row}` is added here"))
        .label(joined, "they are joined here")
        .help(format!(
            "say in a variant `with {adder}, {other}` what `{owner}.{row}` is; if they make no sensible game together, write `without {other}` in the header of `{adder}`"
        ))
}

/// Two variants that change the same definition.
fn both(span: Span, path: &str, earlier: &Step, later: usize, layers: &Layers) -> Diagnostic {
    let name = |layer: usize| &layers.list[layer].name.text;
    let (first, second) = (name(earlier.layer), name(later));
    let message = format!("`{first}` and `{second}` both change `{path}`");
    let joined = layers.joined(earlier.layer, later);
    let mut error = Diagnostic::error(Code::ChangedTwice, span, message);
    let requested_by = |layer: usize| layers.list[layer].requested_by;
    for layer in [earlier.layer, later] {
        // Says who requested each variant, unless the same one requested both.
        if let Some(by) =
            requested_by(layer).filter(|_| requested_by(earlier.layer) != requested_by(later))
        {
            let note = format!("`{}` requires `{}`", name(by), name(layer));
            error = error.note(note);
        }
    }
    error
        .here(format!("`{second}` changes it"))
        .label(earlier.span, label_of(earlier.edit))
        .label(joined, "they are joined here")
        .help(format!(
            "apply one of them, or define `{path}` in a variant `with {first}, {second}`"
        ))
}

/// The last `refuse` fact of an event is removed, but not what is reported then.
pub(in super::super) fn unrefused(
    event: &str,
    name: &str,
    step: &Step,
    report: &ast::Report,
) -> Diagnostic {
    let message = format!("without `{name}`, nothing refuses `{event}`");
    let rows = report.rows.iter();
    let rows = rows.map(|row| format!("remove {event}.report.{}", row.label.text));
    let rows: Vec<String> = rows.collect();
    Diagnostic::error(Code::NothingRefused, step.span, message)
        .label(report.span, "this is said when it is refused")
        .help(format!("write {}, too", enumerated(&rows)))
}

/// The label at a step of a definition's history.
fn label_of(edit: Edit) -> &'static str {
    match edit {
        Edit::Set => "it is set here",
        Edit::Added => "it is added here",
        Edit::Replaced | Edit::Retyped => "it is replaced here",
        Edit::Removed => "it is removed here",
        Edit::Excepted => "it is excepted here",
        Edit::Dropped => "nothing needs it after this",
    }
}

/// A variant's definition that hides a built-in which another file uses.
pub(in super::super) fn hides_builtin(name: &str, added: Span, used: Span) -> Diagnostic {
    let message = format!("the game uses the built-in `{name}`, which this would hide");
    Diagnostic::error(Code::DuplicateName, added, message)
        .label(used, "it is used here")
        .help("give it another name")
}

/// Warns of an event without a guard that copies the rules of an event with one.
pub(in super::super) fn lost_guard(
    event: &ast::Event,
    like: &ast::Name,
    guard: &ast::Guard,
) -> Diagnostic {
    let (name, like) = (&event.name.text, &like.text);
    let message = format!("`{name}` may come at any time, but `{like}` may not");
    Diagnostic::warning(Code::LostCondition, event.name.span, message)
        .label(guard.condition.span, format!("`{like}` may come only then"))
        .help(format!(
            "write the condition after `event {name}`, too: `as` does not copy it"
        ))
}

/// Warns of a row without a condition that replaces one with a condition.
pub(in super::super) fn lost_condition(before: &ast::Row, row: &ast::Row) -> Option<Diagnostic> {
    let has_none =
        |row: &ast::Row| row.conditions.when.is_none() && row.conditions.unless.is_none();
    let condition = before.conditions.when.as_ref();
    let condition = condition.or(before.conditions.unless.as_ref())?;
    if !has_none(row) || !row.bindings.is_empty() {
        return None;
    }
    let message = format!("`{}` always holds now: it had a condition", row.label.text);
    Some(
        Diagnostic::warning(Code::LostCondition, row.label.span, message)
            .label(condition.span, "the row that this replaces holds only then")
            .help("write the condition too: a row is replaced with all that belongs to it"),
    )
}
