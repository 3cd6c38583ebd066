//! Signs of other languages, and signs of this one in the wrong place.

use super::super::failure::Failure;
use super::super::grammar::Rule;
use super::super::scan::Sort;
use crate::diagnostic::{Code, Diagnostic};

/// `// words`, `# words`
pub(super) fn foreign_comment(failure: &Failure) -> Option<Diagnostic> {
    let sign = failure.found();
    matches!(sign, "//" | "#" | "/*" | "*/").then(|| {
        let message = format!("`{sign}` opens no comment");
        Diagnostic::error(Code::ForeignComment, failure.span(), message)
            .help("a comment is `-- words`, to the end of the line")
    })
}

/// `a --b`, `a-- b`
pub(super) fn double_dash(failure: &Failure) -> Option<Diagnostic> {
    if failure.found() != "--" {
        return None;
    }
    let touches = failure.page.touch(failure.at, failure.at + 1);
    let message = "`--` opens a comment only with a blank on both sides";
    let diagnostic = Diagnostic::error(Code::DoubleDash, failure.span(), message);
    Some(if touches {
        diagnostic.help("for a comment write `-- words`; to subtract a negative value, `a - -b`")
    } else {
        diagnostic.help("write a blank before it")
    })
}

/// `==`, `!=`, `&&` and their like
pub(super) fn foreign_sign(failure: &Failure) -> Option<Diagnostic> {
    let sign = failure.found();
    let help = match sign {
        "==" | "===" => "write `is`",
        "!=" | "!==" | "<>" | "~=" => "write `is not`",
        "&&" | "&" => "write `and`",
        "||" => "write `or`",
        "!" if failure.word(failure.at + 1) == "=" => "write `is not`",
        "!" => "write `not`",
        "%" => "write `mod`",
        "**" | "^" => "there are no powers: write `x * x`",
        "=<" => "write `<=`",
        "+=" | "-=" | "*=" | "/=" | "++" => {
            "the state after an event is given by an equation, such as `new x = x + 1`"
        }
        ":=" => "write `=`",
        "->" if failure.expects(Rule::fat_arrow) => "write `=>`",
        "=>" if failure.expects(Rule::arrow) => "write `->`",
        "=>" if failure.after_expression() => {
            "for `at least` write `>=`; `=>` stands in the rows of a `by` table"
        }
        "::" => "write `:`",
        _ => return None,
    };
    let message = match sign {
        "->" | "=>" => format!("`{sign}` cannot stand here"),
        _ => format!("there is no `{sign}`"),
    };
    Some(Diagnostic::error(Code::ForeignSign, failure.span(), message).help(help))
}

/// `when a = b`
pub(super) fn equals_for_is(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found() == "=" && failure.after_expression();
    found.then(|| {
        let message = "`=` gives a name its value and does not compare";
        Diagnostic::error(Code::EqualsForIs, failure.span(), message).help("to compare, write `is`")
    })
}

/// `;` at the end of a line, `,` at the end of a row
pub(super) fn stray_separator(failure: &Failure) -> Option<Diagnostic> {
    let sign = failure.found();
    let next = failure.at + 1;
    let ends = next >= failure.stretch.end
        || failure.page.first(next)
        || matches!(failure.word(next), "|" | "}");
    let stray = sign == ";" || matches!(sign, "," | ".") && ends;
    stray.then(|| {
        let message = format!("no `{sign}` ends a line, a row or an item");
        Diagnostic::error(Code::StraySeparator, failure.span(), message).help("take it away")
    })
}

/// `a.b`, `1.5`
pub(super) fn dot(failure: &Failure) -> Option<Diagnostic> {
    let page = failure.page;
    let (before, next) = (failure.at.checked_sub(1)?, failure.at + 1);
    let touches = page.touch(before, failure.at) && page.touch(failure.at, next);
    if failure.found() != "." || !touches {
        return None;
    }
    let (left, right) = (failure.word(before), failure.word(next));
    let span = page.span(before).to(page.span(next));
    match (page.sort(before)?, page.sort(next)?) {
        (Sort::Number, Sort::Number) => {
            let message = "there are only whole numbers";
            Some(
                Diagnostic::error(Code::Fraction, span, message)
                    .help("count in smaller units: 15 halves for 7.5"),
            )
        }
        (Sort::Word, Sort::Word) => {
            let message = "a part is not taken with a dot";
            Some(
                Diagnostic::error(Code::Dot, span, message)
                    .help(format!("write `{right} of {left}`")),
            )
        }
        _ => None,
    }
}

/// `a[1]`
pub(super) fn index(failure: &Failure) -> Option<Diagnostic> {
    let before = failure.at.checked_sub(1)?;
    let after_word = failure.page.sort(before) == Some(Sort::Word);
    if failure.found() != "[" || !after_word || !failure.page.touch(before, failure.at) {
        return None;
    }
    let name = failure.word(before);
    let message = "an entry is not taken with brackets";
    Some(
        Diagnostic::error(Code::Index, failure.span(), message).help(format!(
            "write `{name} of x` or `{name}(x)` for a map, `item({name}, 1)` for a pile"
        )),
    )
}
