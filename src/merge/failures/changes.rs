//! What is said of changes that have a target and cannot be made.

use super::{
    super::{
        aims::Aim,
        bodies::List,
        history::{Deed, Step},
        layers::Layers,
        locate::written,
    },
    targets::rows_of,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
    syntax::ast::{self, AddedRow},
};

/// A change after which everything is as it was.
pub(in super::super) fn idle(span: Span, before: Span) -> Diagnostic {
    Diagnostic::error(Code::ChangesNothing, span, "this changes nothing")
        .label(before, "it is so already")
        .help("leave it out")
}

/// A constant that no member can have.
pub(in super::super) fn no_attribute_form(span: Span) -> Diagnostic {
    let message = "an attribute is a constant: nothing is worked out here";
    Diagnostic::error(Code::ChangeForm, span, message)
        .help("write a number, a member, a text, yes, no, none or an option")
}

/// A definition for what has none.
pub(in super::super) fn no_definition(path: &ast::Path, aim: &Aim) -> Diagnostic {
    let text = written(path);
    let message = match aim.what {
        "an option" => format!("`{text}` is an option, and `set` changes it"),
        "a given" => format!("`{text}` is always read, so there is nothing to replace"),
        "a state" => format!("`{text}` falls back to no, and has no other value at the start"),
        "a guard" => format!("`{text}` is a guard, which is one condition"),
        what => format!("`{text}` is {what}, and its rows are replaced one by one"),
    };
    let error = Diagnostic::error(Code::ChangeForm, path.span, message);
    match aim.what {
        "an option" => error.help(format!("write `set {text} = …`")),
        "a guard" | "a given" | "a state" => error,
        _ => {
            let row = aim.labels().next().unwrap_or("row");
            let help = format!("write `replace {text}.{row}: …`, `remove` or `add to {text}`");
            rows_of(error, aim).help(help)
        }
    }
}

/// Something that cannot go.
pub(in super::super) fn no_removal(path: &ast::Path, aim: &Aim) -> Diagnostic {
    let text = written(path);
    let message = format!("`{text}` is {}, which cannot be removed", aim.what);
    rows_of(Diagnostic::error(Code::ChangeForm, path.span, message), aim)
}

/// A table that would be left without rows.
pub(in super::super) fn last_row(path: &ast::Path, aim: &Aim) -> Diagnostic {
    let message = format!("`{}` would be left without rows", aim.path);
    Diagnostic::error(Code::ChangeForm, path.span, message)
        .label(aim.span, "this is its only row")
        .help(format!("write `replace {} = …`", aim.path))
}

/// An exception to what always holds.
pub(in super::super) fn no_exception(path: &ast::Path, aim: &Aim) -> Diagnostic {
    let text = written(path);
    let message = format!(
        "`{text}` is a member of {}, not a row with conditions",
        aim.path
    );
    Diagnostic::error(Code::ChangeForm, path.span, message)
}

/// A row of one sort among rows of another.
pub(in super::super) fn other_form(
    span: Span,
    list: Option<&List>,
    row: &AddedRow,
    aim: &Aim,
) -> Diagnostic {
    let row = match row {
        AddedRow::Row(_) => "`| name: value when …`",
        AddedRow::By(_) => "`| cell => value`",
        AddedRow::Member(_) => "`| Member value`",
    };
    let path = &aim.path;
    let message = match list {
        None => format!("`{path}` is {} without rows", aim.what),
        Some(List::Rows(_)) => {
            format!("the rows of `{path}` are `| name: value when …`, and this is {row}")
        }
        Some(List::By(_)) => {
            format!("the rows of `{path}` are `| cell => value`, and this is {row}")
        }
        Some(List::Members(_)) => {
            format!("the members of `{path}` are `| Member value`, and this is {row}")
        }
    };
    let diagnostic =
        Diagnostic::error(Code::ChangeForm, span, message).label(aim.span, "it is declared here");
    match list {
        None => diagnostic.help(format!("write `replace {path} = …`")),
        Some(_) => diagnostic,
    }
}

/// Rows added where the order of rows decides, and nobody said where.
pub(in super::super) fn place_missing(path: &ast::Path, aim: &Aim) -> Diagnostic {
    let text = written(path);
    let message = format!("the order of `{text}` decides: say where this goes");
    let diagnostic = Diagnostic::error(Code::PlaceMissing, path.span, message)
        .label(aim.span, "its rows are asked in this order");
    let diagnostic = rows_of(diagnostic, aim);
    match aim.labels().next() {
        Some(label) => diagnostic.help(format!("write `add to {text} before {label}`")),
        None => diagnostic,
    }
}

/// A change to what is not there since an earlier one.
pub(in super::super) fn lost(
    path: &ast::Path,
    step: &Step,
    layer: usize,
    layers: &Layers,
) -> Diagnostic {
    if layer != step.layer && !layers.knows(layer, step.layer) {
        return both(path.span, &written(path), step, layer, layers);
    }
    let message = format!("`{}` is not there any more", written(path));
    Diagnostic::error(Code::UnknownTarget, path.span, message).label(step.span, told(step.deed))
}

/// Two changes that cannot both be meant.
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
            .help("say once what is to be");
    }
    both(later.span, path, earlier, later.layer, layers)
}

/// Two variants that change the same.
fn both(span: Span, path: &str, earlier: &Step, later: usize, layers: &Layers) -> Diagnostic {
    let name = |layer: usize| &layers.list[layer].name.text;
    let (first, second) = (name(earlier.layer), name(later));
    let message = format!("`{first}` and `{second}` both change `{path}`");
    let joined = layers.joined(earlier.layer, later);
    Diagnostic::error(Code::ChangedTwice, span, message)
        .here(format!("`{second}` changes it"))
        .label(earlier.span, told(earlier.deed))
        .label(joined, "they are joined here")
        .help(format!(
            "apply one of them, or say in a variant `with {first}, {second}` what `{path}` is to be"
        ))
}

/// What a step did, to be read where it stands.
fn told(deed: Deed) -> &'static str {
    match deed {
        Deed::Set => "it is set here",
        Deed::Added => "it is added here",
        Deed::Replaced => "it is replaced here",
        Deed::Removed => "it is removed here",
        Deed::Excepted => "it is excepted here",
        Deed::Dropped => "nothing needs it after this",
    }
}
