//! Headers, items, sections and their braces.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::failure::{Failure, is_reserved};
use crate::syntax::grammar::Rule;
use crate::syntax::lexer::Lexed;
use crate::syntax::outline::opening_words;

/// A file without a header.
pub(in crate::syntax) fn missing_header(span: Span) -> Diagnostic {
    let message = "a rule file begins with the name of its game";
    Diagnostic::error(Code::MissingHeader, span.head(), message)
        .here("before this")
        .help("write `game NAME \"Its title\"`, or `variant NAME of GAME \"Its title\"`")
}

/// `game nine` after a `fact`
pub(in crate::syntax) fn late_header(span: Span) -> Diagnostic {
    let message = "a rule file begins with the name of its game";
    Diagnostic::error(Code::MissingHeader, span, message)
        .here("this comes too late")
        .help("move this line to the beginning of the file")
}

/// `game nine` and later `game ten`
pub(in crate::syntax) fn second_header(span: Span) -> Diagnostic {
    let message = "a rule file describes one game or one variant";
    Diagnostic::error(Code::SecondHeader, span, message)
        .here("a second one begins here")
        .help("put it into a file of its own")
}

/// `new x = 1` at the top
pub(in crate::syntax) fn clause_outside_section(lexed: Lexed, index: usize) -> Diagnostic {
    let word = lexed.word(index);
    let message = format!("`{word}` belongs in the section of an event");
    let diagnostic = Diagnostic::error(Code::ClauseOutsideSection, lexed.span(index), message);
    match index.checked_sub(1).filter(|at| lexed.word(*at) == "}") {
        Some(brace) => diagnostic
            .label(lexed.span(brace), "the section before it ends here")
            .help("if it belongs to that section, put the `}` after it; if not, write `on EVENT { … }` around it"),
        None => diagnostic.help("write it in `on EVENT { … }`"),
    }
}

/// `on skip {` without its `}`
pub(in crate::syntax) fn unclosed_brace(lexed: Lexed, start: usize, brace: usize) -> Diagnostic {
    let line = lexed.line(brace);
    let opening = (start..brace)
        .rev()
        .find(|index| lexed.first(*index))
        .unwrap_or(start);
    let text = lexed.written(opening, brace);
    let message = format!("`{text}` (line {line}) is not closed");
    Diagnostic::error(Code::UnclosedBrace, lexed.span(brace), message)
        .here("this brace is still open")
        .help("write `}` where it ends")
}

/// A `}` too many
pub(in crate::syntax) fn surplus_brace(span: Span) -> Diagnostic {
    Diagnostic::error(Code::SurplusBracket, span, "this `}` closes nothing")
        .help("remove it; or is a `{` missing before it?")
}

/// `on skip new x = 1 }`
pub(in crate::syntax) fn missing_brace(lexed: Lexed, start: usize, at: usize) -> Diagnostic {
    let last = lexed.span(at.saturating_sub(1));
    let head = lexed.written(start, at.saturating_sub(1));
    let head = head.trim_end_matches([':', ' ']);
    let message = format!("a `{{` is missing after `{head}`");
    Diagnostic::error(Code::MissingBrace, last.tail(), message)
        .help(format!("write `{head} {{ … }}`"))
}

/// An unknown first word of an item or clause.
pub(super) fn unknown_item(failure: &Failure) -> Option<Diagnostic> {
    let in_section = failure.entry == Rule::clauses_alone;
    if failure.entry == Rule::hole {
        return None;
    }
    let begins = failure.at == failure.stretch.start || failure.lexed.first(failure.at);
    let whole = failure.expects(Rule::EOI) || failure.at == failure.stretch.start;
    let word = failure.found();
    if !begins || !whole || !word.starts_with(char::is_alphabetic) {
        return None;
    }
    if in_section && failure.lexed.opens_item(failure.at) {
        return Some(item_in_section(failure));
    }
    if opening_words().any(|known| known == word)
        || failure.after_expression()
            && !followed_by_name(failure)
            && failure.word(failure.at + 1) != "|"
    {
        return None;
    }
    let what = if in_section { "clause" } else { "item" };
    let message = format!("no {what} begins with `{word}`");
    let diagnostic = Diagnostic::error(Code::UnknownItem, failure.span(), message)
        .did_you_mean(word, opening_words());
    Some(if diagnostic.help.is_empty() {
        let words = if in_section {
            "a clause begins with `fact`, `illegal`, `refuse`, `impossible`, `new`, `begin`, `report` or `follows`"
        } else {
            "an item begins with a word such as `fact`, `state`, `event`, `on`, `kind` or `type`"
        };
        diagnostic.help(words)
    } else {
        diagnostic
    })
}

/// Whether the word at fault is followed by another on its line, as the first word of an item is.
fn followed_by_name(failure: &Failure) -> bool {
    let next = failure.at + 1;
    !failure.lexed.first(next) && failure.word(next).starts_with(char::is_alphabetic)
}

/// `on skip { state x: number = 0 }`
fn item_in_section(failure: &Failure) -> Diagnostic {
    let word = failure.found();
    let message = format!("`{word}` is not allowed in a section");
    let diagnostic = Diagnostic::error(Code::ItemInSection, failure.span(), message);
    if word == "set" {
        return diagnostic.help("for the state after the event, write `new x = …`");
    }
    let end = (failure.at + 1..failure.stretch.end)
        .find(|index| failure.lexed.first(*index))
        .unwrap_or(failure.stretch.end);
    let joint = if word == "add" { "to" } else { "from" };
    let to = (failure.at + 2..end).find(|index| failure.word(*index) == joint);
    if let (true, Some(to)) = (matches!(word, "add" | "remove"), to)
        && to + 1 < end
    {
        let value = failure.lexed.written(failure.at + 1, to - 1);
        let target = failure.lexed.written(to + 1, end - 1);
        let old = if target.contains(' ') {
            format!("({target})")
        } else {
            target.to_owned()
        };
        let (sign, set) = if word == "add" {
            ('+', "with")
        } else {
            ('-', "without")
        };
        return diagnostic.help(format!(
            "what changes is an equation: `new {target} = {old} {sign} {value}` for a number, `new {target} = {old} {set} {{{value}}}` for a set"
        ));
    }
    diagnostic.help("write it outside the braces, before or after the section")
}

/// `x = x + 1` in a section, or at the top
pub(super) fn assignment(failure: &Failure) -> Option<Diagnostic> {
    let lexed = failure.lexed;
    let goes_on = lexed.assigns(failure.at) || failure.word(failure.at + 1) == ":";
    let start = if goes_on && lexed.first(failure.at) {
        failure.at
    } else {
        failure.stretch.start
    };
    let begins = failure.at == start || !lexed.opens_item(start) && !lexed.opens_clause_only(start);
    let name = failure.word(start);
    let declares = start == failure.at
        && failure.word(start + 1) == ":"
        && !failure.expects_any(&[Rule::bar, Rule::row, Rule::by_row, Rule::added_row]);
    if !begins || !lexed.assigns(start) && !declares || is_reserved(name) || name.is_empty() {
        return None;
    }
    let span = lexed.span(start);
    if failure.entry == Rule::clauses_alone {
        let is_state = (1..lexed.tokens.len()).any(|index| {
            lexed.word(index) == name && matches!(lexed.word(index - 1), "state" | "just")
        });
        // In a variant, or a file with `use`, there may be states that are not declared here.
        let sees_all = !(0..lexed.tokens.len())
            .any(|index| lexed.first(index) && matches!(lexed.word(index), "variant" | "use"));
        let changes_itself =
            (start + 1..failure.stretch.end).any(|index| failure.word(index) == name);
        let is_fact = !is_state && !changes_itself && failure.word(start + 1) == "=";
        if sees_all && is_fact {
            let message = "a clause begins with a word that says what it does";
            return Some(
                Diagnostic::error(Code::Assignment, span, message)
                    .here("no state is called so")
                    .help(format!("write `fact {name} = …`")),
            );
        }
        let message = "a state changes by an equation for its new value";
        let diagnostic = Diagnostic::error(Code::Assignment, span, message)
            .here("this says nothing about the state after the event");
        let mut further = start + 1..failure.stretch.end;
        let equals = further
            .find(|index| matches!(failure.word(*index), "=" | "+=" | "-=" | "*=" | "/=" | ":="));
        return Some(match equals {
            // An equation for one entry, as in `score of turn = …`.
            Some(equals) if failure.word(start + 1) == "of" => {
                let entry = lexed.written(start, equals - 1);
                diagnostic.help(format!("write `new {entry} = …`"))
            }
            _ if sees_all && is_state => diagnostic.help(format!("write `new {name} = …`")),
            _ => diagnostic.help(format!(
                "write `new {name} = …`; or `fact {name} = …` to give a value a name"
            )),
        });
    }
    if failure.entry == Rule::items_alone {
        if (0..lexed.tokens.len()).any(|index| lexed.first(index) && lexed.word(index) == "variant")
        {
            let message = format!("nothing says what happens to `{name}`");
            return Some(Diagnostic::error(Code::Assignment, span, message).help(format!(
                "write `set {name} = …` if it is an option of the game, `replace {name} = …` if it is a fact or state of it"
            )).help(format!(
                "if the game has no `{name}`, write `fact {name} = …` or `state {name}: TYPE = …`"
            )));
        }
        let message = format!("nothing says what `{name}` is");
        return Some(Diagnostic::error(Code::Assignment, span, message).help(format!(
            "write `fact {name} = …` if it follows from other things, `state {name}: TYPE = …` if events change it"
        )));
    }
    None
}
