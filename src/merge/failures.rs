//! Diagnostics about variants that cannot be applied.

mod changes;
mod targets;

pub(super) use changes::{
    clash, has_no_rows, hides_builtin, ignored_event, last_row, lost, lost_condition, lost_guard,
    must_say, named_type, no_attribute_form, no_axis, no_definition, no_effect, no_exception,
    no_removal, no_round, no_rows_of_path, no_sight, no_type, other_form, place_missing,
    taken_twice, too_many_changes, too_many_exceptions, unforeseen_row, unrefused,
};
pub(super) use targets::{
    ambiguous_attribute, ambiguous_target, no_event, no_limit, no_product, no_write, own_event,
    unknown_attribute, unknown_option, unknown_place, unknown_target, unknown_type,
};

use super::layers::Layer;
use crate::{
    diagnostic::{Code, Diagnostic, alternatives, enumerated},
    library::Missing,
    source::Span,
    syntax::ast,
};

/// A change in the file of a game.
pub(super) fn change_in_game(change: &ast::Change) -> Diagnostic {
    let message = "only a variant can change a game, and this file is a game";
    Diagnostic::error(Code::ChangeInGame, change.span, message)
        .help("change the rule where the game has it, or write a variant: a file of its own that begins with `variant … of …`")
}

/// A variant of a variant.
pub(super) fn base_is_variant(of: &ast::Name, game: &str) -> Diagnostic {
    let name = &of.text;
    let message = format!("`{name}` is a variant of `{game}`, but a variant changes a game");
    Diagnostic::error(Code::BaseIsVariant, of.span, message)
        .help(format!("write `of {game} with {name}`"))
}

/// A game where a variant is expected.
pub(super) fn not_a_variant(asked: &ast::Name) -> Diagnostic {
    let message = format!("`{}` is a game, but a variant is expected", asked.text);
    Diagnostic::error(Code::NotAVariant, asked.span, message)
}

/// A variant of another game.
pub(super) fn other_base(
    name: &ast::Name,
    of: &ast::Name,
    game: &str,
    asked: &ast::Name,
) -> Diagnostic {
    let message = format!(
        "`{}` is a variant of `{}`, but `{game}` is another game",
        name.text, of.text
    );
    let diagnostic = Diagnostic::error(Code::OtherBase, asked.span, message);
    if of.span == asked.span {
        diagnostic
    } else {
        diagnostic.label(of.span, "this is the game that it changes")
    }
}

/// A variant that does not exist. `in_header` says whether the header of another one names it.
pub(super) fn unknown_variant(
    name: &ast::Name,
    game: &str,
    missing: &Missing,
    in_header: bool,
) -> Diagnostic {
    let Missing::Unknown { names, games, .. } = missing else {
        return Diagnostic::error(Code::UnknownVariant, name.span, missing.to_string());
    };
    let message = if name.text.is_empty() {
        format!(
            "the name of a variant is missing after `{game}+`: are there blanks around the `+`?"
        )
    } else {
        format!("`{game}` has no variant called `{}`", name.text)
    };
    let mut diagnostic = Diagnostic::error(Code::UnknownVariant, name.span, message)
        .did_you_mean(&name.text, names.iter().map(String::as_str));
    if !games.is_empty() {
        let games = alternatives(games);
        diagnostic = diagnostic.note(format!("a variant of {games} has this name"));
    }
    if in_header && diagnostic.help.is_empty() {
        diagnostic = diagnostic.help(format!(
            "for a variant of your own, name the folder with its file `{game}/{}.rules`: `--rules FOLDER`",
            name.text
        ));
    } else if names.is_empty() {
        diagnostic = diagnostic
            .help("a variant of your own is named by its path, as in `GAME+folder/variant.rules`");
    }
    diagnostic.note(if names.is_empty() {
        format!("`{game}` has no variants")
    } else {
        format!("its variants are {}", enumerated(names))
    })
}

/// Variants that each require the other to be applied first; `way` is the cycle that ends at `name`.
pub(super) fn cyclic(name: &ast::Name, way: &[&Layer]) -> Diagnostic {
    let message = if let [only] = way {
        format!(
            "`{}` would have to be applied before itself",
            only.name.text
        )
    } else {
        let names = enumerated(way.iter().map(|layer| &layer.name.text));
        format!("{names} would each have to be applied before the others")
    };
    let mut diagnostic = Diagnostic::error(Code::CyclicVariants, name.span, message);
    for layer in way.iter().skip(1) {
        let label = format!("`{}` is required here", layer.name.text);
        diagnostic = diagnostic.label(layer.requested_at, label);
    }
    diagnostic.help("leave one of them out of a `with`")
}

/// Two variants of which one, `layer`, excludes the other in its header, at `name`.
pub(super) fn excluded(layer: &Layer, name: &ast::Name, other: &Layer) -> Diagnostic {
    let message = format!(
        "`{}` cannot be applied with `{}`",
        layer.name.text, name.text
    );
    let span = if other.requested_at == name.span {
        layer.requested_at
    } else {
        other.requested_at
    };
    Diagnostic::error(Code::ExcludedVariant, span, message)
        .label(name.span, "it says so here")
        .help(format!(
            "leave `{}` or `{}` out",
            layer.name.text, name.text
        ))
}

/// A variant that is named twice.
pub(super) fn applied_twice(name: &ast::Name, variant: &str, first: Span) -> Diagnostic {
    let message = format!("`{variant}` is applied twice");
    Diagnostic::error(Code::AppliedTwice, name.span, message)
        .here("the second time")
        .label(first, "the first time")
        .help("name it once")
}
