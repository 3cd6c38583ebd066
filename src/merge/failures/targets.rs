//! Diagnostics about changes whose target does not exist or is ambiguous.

use std::collections::BTreeSet;

use super::super::{
    locate::{Found, Wanted, written},
    targets::{DECIDER, EQUATION, STEPS, Target},
};
use crate::{
    diagnostic::{Code, Diagnostic, alternatives, enumerated, nearest},
    source::Span,
    syntax::{
        ast::{self, Expr, Item, Members},
        print,
    },
};

/// Adds a note that lists the rows of a target.
pub(super) fn rows_of(diagnostic: Diagnostic, target: &Target) -> Diagnostic {
    let mut labels: Vec<&str> = Vec::new();
    for label in target.labels() {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    if labels.is_empty() {
        return diagnostic;
    }
    let (noun, path) = (noun(target), &target.path);
    let note = format!("the {noun}s of `{path}` are {}", enumerated(labels));
    diagnostic.note(note)
}

/// How to change a row of a `by` table that has no name of its own.
fn whole_table(path: &str) -> String {
    format!(
        "to change one of several rows with the same first cell, give the whole table: `replace {path} = by … | …`"
    )
}

/// The noun for a row of the target.
pub(super) fn noun(target: &Target) -> &'static str {
    match target.what {
        "a kind" | "a ring" => "member",
        STEPS => "step",
        _ => "row",
    }
}

/// A path to nothing.
pub(in super::super) fn unknown_target(
    path: &ast::Path,
    wanted: Wanted,
    targets: &[Target],
) -> Diagnostic {
    let text = written(path);
    let error = |message| Diagnostic::error(Code::UnknownTarget, path.span, message);
    let whole = targets.iter().find(|target| target.path == text);
    if let Some(target) = whole.filter(|_| wanted == Wanted::Row) {
        let message = format!("`{text}` is {}, but a row is expected", target.what);
        if target.rows.is_none() {
            return error(message)
                .label(target.span, "it has no rows")
                .help(match target.what {
                    "a field" => format!("give it another type, as in `replace {text}: 1..6`"),
                    "a guard" | DECIDER | "a weight" => format!("write `replace {text} = …`"),
                    _ => format!("give it rows: `replace {text} = first of | …`, or `any of | …` for conditions"),
                });
        }
        let diagnostic = rows_of(error(message), target);
        return match (target.what, target.labels().next()) {
            ("an equation", Some(row)) => diagnostic.help(format!(
                "write `replace {text}.{row}: …` for one row, or `replace {text} = …` for all of it"
            )),
            _ => diagnostic,
        };
    }
    if let Some((outer, label)) = text.rsplit_once('.')
        && let Some(target) = targets.iter().find(|target| target.path == outer)
    {
        if !target.rows_called(label).is_empty() {
            let attribute = |other: &&Target| {
                let within = other.path.strip_prefix(outer);
                other.what == "an attribute" && within.is_some_and(|name| name.starts_with('.'))
            };
            if let Some(other) = targets.iter().find(attribute) {
                let message = format!("`{text}` is a member, and a member has no rows");
                let (_, name) = other.path.rsplit_once('.').unwrap_or_default();
                return error(message).help(format!("write `set {name} of {label} = …`"));
            }
            let message = format!("`{text}` is a row, and a row has no rows");
            return error(message).help(format!(
                "to replace the row, write `replace {text}: …`; to add one, `add to {outer} | …`"
            ));
        }
        if target.what == STEPS {
            return unknown_step(path, outer, label, targets);
        }
        if target.rows.is_none() {
            let message = format!("`{outer}` is {} without rows", target.what);
            return error(message).label(target.span, "it has no rows");
        }
        return unknown_row(path, label, target);
    }
    let paths = paths(targets);
    let first = path.parts.first().map_or("", |part| part.text.as_str());
    let inside: BTreeSet<&str> = targets
        .iter()
        .filter_map(|target| target.path.strip_prefix(first)?.strip_prefix('.'))
        .collect();
    if !inside.is_empty() && path.parts.len() > 1 {
        let rest = text.split_once('.').map_or("", |(_, rest)| rest);
        let message = format!("`{first}` has nothing called `{rest}` that could be changed");
        if rest == "guard" {
            let message = format!("`{first}` has no `when` that could be changed");
            return error(message).help(format!(
                "say when it may not come: `on {first} {{ impossible | name: \"…\" when … }}`"
            ));
        }
        let is_event = |target: &Target| {
            matches!(target.what, "a report" | "a guard" | EQUATION | DECIDER)
                && target.path.starts_with(&format!("{first}."))
        };
        if matches!(rest, "over" | "restart") && targets.iter().any(is_event) {
            return error(message).help(format!(
                "to add it, write `on {first} {{ fact {rest} = … }}`"
            ));
        }
        let beginning = format!("{first}.");
        let near = paths.iter().filter(|path| path.starts_with(&beginning));
        return error(message)
            .did_you_mean(&text, near.map(String::as_str))
            .note(format!("it has {}", enumerated(inside)));
    }
    let message = format!("there is nothing called `{text}` that could be changed");
    let many = path.parts.len() > 1;
    // A change of an event starts with its name alone.
    let near = paths.iter().filter_map(|path| {
        if many {
            Some(path.as_str())
        } else {
            path.split('.').next()
        }
    });
    let diagnostic = error(message).did_you_mean(&text, near);
    match longer(path, &text, &paths, diagnostic.help.is_empty()) {
        longer if longer.is_empty() => diagnostic,
        longer => diagnostic.help(format!("write {}", alternatives(longer))),
    }
}

/// A row that a target does not have.
fn unknown_row(path: &ast::Path, label: &str, target: &Target) -> Diagnostic {
    let outer = &target.path;
    let message = format!("`{outer}` has no {} called `{label}`", noun(target));
    let mut diagnostic = Diagnostic::error(Code::UnknownTarget, path.span, message);
    if let (Some(near), Some(last)) = (nearest(label, target.labels()), path.parts.last()) {
        let help = format!("did you mean `{near}`?");
        diagnostic = diagnostic.help(help).edit(last.span, near, false);
    }
    let is_shared = |label: &str| target.rows_called(label).len() > 1;
    if target.labels().any(is_shared) {
        diagnostic = diagnostic.help(whole_table(outer));
    }
    rows_of(diagnostic, target)
}

/// A step that the transcript `outer` does not have, or that has no name.
fn unknown_step(path: &ast::Path, outer: &str, label: &str, targets: &[Target]) -> Diagnostic {
    let same = targets.iter();
    let same = same.filter(|target| target.path == outer && target.what == STEPS);
    let (mut labels, mut others): (Vec<&str>, Vec<Span>) = (Vec::new(), Vec::new());
    for target in same {
        labels.extend(target.labels());
        let rows = target.rows.iter().flatten();
        // What repeats has the place of the transcript.
        let lines = rows.filter(|row| row.label.is_none() && row.span != target.span);
        others.extend(lines.map(|row| row.span));
    }
    let message = format!("`{outer}` has no step called `{label}`");
    let mut diagnostic = Diagnostic::error(Code::UnknownTarget, path.span, message);
    if let (Some(near), Some(last)) = (nearest(label, labels.iter().copied()), path.parts.last()) {
        let help = format!("did you mean `{near}`?");
        diagnostic = diagnostic.help(help).edit(last.span, near, false);
    }
    diagnostic = match labels.as_slice() {
        [] => diagnostic,
        [only] => diagnostic.note(format!("its only step with a name is `{only}`")),
        several => diagnostic.note(format!(
            "the steps of `{outer}` are {}",
            enumerated(several)
        )),
    };
    let has_others = !others.is_empty();
    for span in others {
        diagnostic = diagnostic.label(span, "this step has no name, so no variant can change it");
    }
    if has_others && diagnostic.help.is_empty() {
        return diagnostic.help(format!("give it a name in the game: `{label}: \"…\"`"));
    }
    diagnostic
}

/// The paths that a text may be the end of: it is easy to forget the event, or to write the keyword instead
/// (`refuse.most`). If `guess`, it may also be misspelt.
fn longer<'p>(
    path: &ast::Path,
    text: &str,
    paths: &'p BTreeSet<String>,
    guess: bool,
) -> Vec<&'p String> {
    let ending_with = |ending: &str| -> Vec<&'p String> {
        let ending = format!(".{ending}");
        let all = paths.iter();
        all.filter(|path| path.ends_with(&ending)).collect()
    };
    let all = ending_with(text);
    if !all.is_empty() {
        return all;
    }
    // More than two would not help.
    let few = |all: &Vec<&String>| (1..=2).contains(&all.len());
    let last = path.parts.last().map_or("", |part| part.text.as_str());
    let by_last = Some(ending_with(last)).filter(few);
    let misspelt = || {
        let inner = paths.iter().filter_map(|path| path.split_once('.'));
        nearest(text, inner.map(|(_, rest)| rest))
            .filter(|_| guess)
            .map(ending_with)
    };
    by_last
        .or_else(|| misspelt().filter(few))
        .unwrap_or_default()
}

/// A path into an event that the variant adds itself.
pub(in super::super) fn own_event(
    path: &ast::Path,
    event: &ast::Name,
    like: Option<&ast::Name>,
) -> Diagnostic {
    let (text, name) = (written(path), &event.text);
    let message = format!(
        "`{text}` cannot be changed here: this variant adds `{name}` itself, and a variant changes what it varies"
    );
    let error = Diagnostic::error(Code::UnknownTarget, path.span, message)
        .label(event.span, "it is added here");
    error.help(match like {
        Some(like) => format!(
            "say it in `on {name} as {like} {{ … }}`: a row there takes the place of the row of that name in `{like}`, and \
             new rows stay beside it, or come last",
            like = like.text
        ),
        None => format!("say it in `on {name} {{ … }}`"),
    })
}

/// The paths of everything that can be changed, including rows.
fn paths(targets: &[Target]) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for target in targets {
        paths.extend(
            target
                .labels()
                .map(|label| format!("{}.{label}", target.path)),
        );
        paths.insert(target.path.clone());
    }
    paths
}

/// A path that fits several targets.
pub(in super::super) fn ambiguous_target(path: &ast::Path, found: &[Found]) -> Diagnostic {
    let message = format!("`{}` can be several things", written(path));
    let mut diagnostic = Diagnostic::error(Code::AmbiguousTarget, path.span, message);
    for one in found {
        let (span, what) = match one.row.and_then(|row| one.target.rows.as_ref()?.get(row)) {
            Some(row) => (row.span, "a row"),
            None => (one.target.span, one.target.what),
        };
        diagnostic = diagnostic.label(span, format!("{what} of this name"));
    }
    let is_same_table =
        |one: &Found| one.row.is_some() && one.target.location == found[0].target.location;
    if found.iter().all(is_same_table) {
        return diagnostic.help(whole_table(&found[0].target.path));
    }
    if found.iter().all(|one| one.target.what == EQUATION) {
        diagnostic = diagnostic.help(
            "name a row of the one that is meant; to add rows, `add to … after ROW | …` or a section of its own, `on … { new … | … }`",
        );
    }
    diagnostic
}

/// `before` or `after` a row that does not exist.
pub(in super::super) fn unknown_place(
    path: &ast::Path,
    label: &ast::Name,
    target: &Target,
) -> Diagnostic {
    let (noun, text) = (noun(target), written(path));
    let message = format!("`{text}` has no {noun} called `{}`", label.text);
    let diagnostic = Diagnostic::error(Code::UnknownTarget, label.span, message)
        .did_you_mean(&label.text, target.labels());
    rows_of(diagnostic, target)
}

/// An option that does not exist.
pub(in super::super) fn unknown_option(name: &ast::Name, targets: &[Target]) -> Diagnostic {
    let options = || {
        let options = targets.iter().filter(|target| target.what == "an option");
        options.map(|target| target.path.as_str())
    };
    if let Some(target) = targets.iter().find(|target| target.path == name.text) {
        let message = format!(
            "`{}` is {}, but `set` is for options",
            name.text, target.what
        );
        return Diagnostic::error(Code::ChangeForm, name.span, message)
            .label(target.span, "it is declared here")
            .help(format!("write `replace {} = …`", name.text));
    }
    let is_member = |target: &&Target| {
        matches!(target.what, "a kind" | "a ring") && !target.rows_called(&name.text).is_empty()
    };
    if let Some(kind) = targets.iter().find(is_member) {
        let message = format!("`{}` is a member, but `set` is for options", name.text);
        let error = Diagnostic::error(Code::ChangeForm, name.span, message);
        let own = targets
            .iter()
            .filter(|target| target.what == "an attribute");
        let own = own.filter_map(|target| target.path.strip_prefix(&kind.path)?.strip_prefix('.'));
        let forms: Vec<String> = own
            .map(|attribute| format!("set {attribute} of {} = …", name.text))
            .collect();
        return if forms.is_empty() {
            error.label(kind.span, "its kind has no attributes that could be set")
        } else {
            error.help(format!("write {}", alternatives(forms)))
        };
    }
    let message = format!("there is no option called `{}`", name.text);
    let diagnostic = Diagnostic::error(Code::UnknownTarget, name.span, message)
        .did_you_mean(&name.text, options());
    diagnostic.note(if options().next().is_none() {
        "the game has no options".to_string()
    } else {
        format!("the options are {}", enumerated(options()))
    })
}

/// A type that does not exist, or is not declared as `type … = …`.
pub(in super::super) fn unknown_type(
    name: &ast::Name,
    items: &[Item],
    targets: &[Target],
) -> Diagnostic {
    let types = || {
        items.iter().filter_map(|item| match item {
            Item::Alias(alias) => Some(alias.name.text.as_str()),
            _ => None,
        })
    };
    let message = format!(
        "there is no `type {} = …` that could be replaced",
        name.text
    );
    let diagnostic = Diagnostic::error(Code::UnknownTarget, name.span, message);
    if let Some(target) = targets.iter().find(|target| target.path == name.text) {
        let error = diagnostic.label(target.span, format!("this is {}", target.what));
        return match target.what {
            "a kind" | "a ring" => error.help(format!("write `add to {} | …`", name.text)),
            _ => error.help(format!("write `replace {}: …`", name.text)),
        };
    }
    let diagnostic = diagnostic.did_you_mean(&name.text, types());
    diagnostic.note(if types().next().is_none() {
        "the game has no such types".to_string()
    } else {
        format!("such types are {}", enumerated(types()))
    })
}

/// A product that does not exist.
pub(in super::super) fn no_product(name: &ast::Name, items: &[Item]) -> Diagnostic {
    let types = || {
        items.iter().filter_map(|item| match item {
            Item::Product(product) => Some(product.name.text.as_str()),
            _ => None,
        })
    };
    let message = format!("there is no `type {}(…)` that could be replaced", name.text);
    let diagnostic = Diagnostic::error(Code::UnknownTarget, name.span, message)
        .did_you_mean(&name.text, types());
    diagnostic.note(if types().next().is_none() {
        "the game has no such types".to_string()
    } else {
        format!("such types are {}", enumerated(types()))
    })
}

/// An event that does not exist, in `on … as`.
pub(in super::super) fn no_event<'e>(
    name: &ast::Name,
    events: impl Iterator<Item = &'e str> + Clone,
) -> Diagnostic {
    let message = format!("there is no event called `{}`", name.text);
    Diagnostic::error(Code::UnknownEvent, name.span, message)
        .did_you_mean(&name.text, events.clone())
        .note(format!("the events are {}", enumerated(events)))
}

/// A `write` that does not exist.
pub(in super::super) fn no_write(name: &ast::Name, form: &Expr, items: &[Item]) -> Diagnostic {
    let forms = || {
        items.iter().filter_map(|item| match item {
            Item::Write(write) => Some(write.ty.text.as_str()),
            _ => None,
        })
    };
    let message = format!("the game has no `write {} as …`", name.text);
    let diagnostic = Diagnostic::error(Code::UnknownTarget, name.span, message);
    if nearest(&name.text, forms()).is_some() {
        return diagnostic.did_you_mean(&name.text, forms());
    }
    let form = print::expression(form);
    diagnostic.help(format!(
        "to define it for the first time, write `write {} as {form}`",
        name.text
    ))
}

/// A limit that does not exist.
pub(in super::super) fn no_limit(span: Span, events: i64) -> Diagnostic {
    Diagnostic::error(
        Code::UnknownTarget,
        span,
        "the game has no `limit` of its own",
    )
    .help(format!(
        "to define it for the first time, write `limit {events}`"
    ))
}

/// A member or attribute that does not exist.
pub(in super::super) fn unknown_attribute(
    name: &ast::Name,
    member: &ast::Name,
    items: &[Item],
) -> Diagnostic {
    let mut members = Vec::new();
    for item in items {
        let Item::Kind(kind) = item else { continue };
        let Members::Listed(listed) = &kind.members else {
            continue;
        };
        let attributes = kind.attributes.iter().map(|one| one.name.text.as_str());
        if listed.iter().any(|one| one.name.text == member.text) {
            let message = format!("`{}` has no `{}`", member.text, name.text);
            let diagnostic = Diagnostic::error(Code::UnknownTarget, name.span, message)
                .did_you_mean(&name.text, attributes.clone());
            let of = &kind.name.text;
            return if kind.attributes.is_empty() {
                diagnostic.note(format!("the members of `{of}` have no attributes"))
            } else {
                let attributes = enumerated(attributes);
                diagnostic.note(format!("the attributes of `{of}` are {attributes}"))
            };
        }
        if attributes.clone().any(|one| one == name.text) {
            members.extend(listed.iter().map(|one| one.name.text.as_str()));
        }
    }
    let message = format!("there is no member called `{}`", member.text);
    let diagnostic = Diagnostic::error(Code::UnknownTarget, member.span, message)
        .did_you_mean(&member.text, members.iter().copied());
    if members.is_empty() {
        return diagnostic;
    }
    let members = enumerated(members);
    diagnostic.note(format!("`{}` is an attribute of {members}", name.text))
}

/// A member and attribute that several kinds have.
pub(in super::super) fn ambiguous_attribute<'p>(
    span: Span,
    paths: impl Iterator<Item = &'p str>,
) -> Diagnostic {
    let kinds = paths.filter_map(|path| path.split('.').next());
    let message = format!(
        "several kinds have such a member with such an attribute: {}",
        enumerated(kinds)
    );
    Diagnostic::error(Code::AmbiguousTarget, span, message)
}
