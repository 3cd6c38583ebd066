//! Rows and tables.

use super::super::failure::Failure;
use super::super::grammar::Rule;
use super::super::scan::Sort;
use crate::diagnostic::{Code, Diagnostic};

/// `| 1 when c`, `| late 1 when c`
pub(super) fn row_without_name(failure: &Failure) -> Option<Diagnostic> {
    let bar = failure.row()?;
    let found = failure.found();
    let page = failure.page;
    if page.word(failure.stretch.start) == "add"
        && page.sort(bar + 1) == Some(Sort::Text)
        && failure.at == bar + 2
    {
        // Without a name it is read as the first cell of a row of a `by` table.
        let message = "this row has neither a name nor a `=>`";
        return Some(
            Diagnostic::error(Code::RowWithoutName, page.span(bar), message)
                .help("give it a name: `| name: …`; in a `by` table write `| cell => value`"),
        );
    }
    let is_row = failure.expects(Rule::label) || failure.expects(Rule::colon);
    if !is_row || failure.expects(Rule::fat_arrow) || failure.at > bar + 2 {
        return None;
    }
    let span = page.span(bar);
    let message = "this row has no name";
    let diagnostic = Diagnostic::error(Code::RowWithoutName, span, message);
    if failure.at == bar + 2 {
        let label = failure.word(bar + 1);
        if found == "=>" {
            return Some(diagnostic.help(format!(
                "write `| name: value`; rows with `=>` belong to a table that begins with `by`: \
                 `by … | {label} => …`"
            )));
        }
        let is_value = matches!(page.sort(failure.at), Some(Sort::Text | Sort::Number))
            || matches!(found, "yes" | "no" | "none" | "the" | "new" | "{" | "[");
        if is_value {
            let message = "after the name of a row comes `:`";
            return Some(
                Diagnostic::error(Code::RowWithoutName, page.span(bar + 1).tail(), message)
                    .help(format!("write `| {label}: …`")),
            );
        }
    }
    Some(diagnostic.help("give it one: `| name: …`"))
}

/// A row that no definition, clause or policy is before.
pub(super) fn stray_row(failure: &Failure) -> Option<Diagnostic> {
    let begins = failure.at == failure.stretch.start && failure.entry == Rule::clauses_alone;
    (begins && failure.found() == "|").then(|| {
        Diagnostic::error(Code::UnknownItem, failure.span(), "this row belongs to no clause")
            .help("write before it what it is a row of: `impossible`, `report`, `new x`, `fact x = any of`")
    })
}

/// `report "done"`, `kind Size Small`, a row that begins without a bar
pub(super) fn missing_bar(failure: &Failure) -> Option<Diagnostic> {
    let page = failure.page;
    let found = failure.found();
    let wants_bar = [
        Rule::bar,
        Rule::row,
        Rule::by_row,
        Rule::member,
        Rule::added_row,
    ]
    .iter()
    .any(|rule| failure.expects(*rule));
    if !wants_bar {
        return None;
    }
    if found.is_empty() {
        return missing_rows(failure);
    }
    let help = match failure.word(failure.stretch.start) {
        "kind" | "ring" if !failure.after_expression() && failure.row().is_none() => {
            "members follow, each after a bar: `kind NAME | A | B`"
        }
        _ if page.first(failure.at) && failure.word(failure.at + 1) == ":"
            || failure.word(failure.at + 1) == "=>" =>
        {
            "every row begins with a bar: `| name: …`"
        }
        _ if failure.row().is_none() && !failure.after_expression() => {
            "rows follow, each with a bar and a name: `| name: …`"
        }
        _ => return None,
    };
    let message = format!("before `{found}` a `|` is missing");
    let message = match page.sort(failure.at) {
        Some(Sort::Text) => "before this text a `|` is missing".to_owned(),
        Some(Sort::Word) => message,
        _ => format!("expected `|`, found `{found}`"),
    };
    Some(Diagnostic::error(Code::MissingBar, failure.span(), message).help(help))
}

/// `n + sum of | a: 1`, `"{by n | 0 => 'none'}"`
pub(super) fn table_inside(failure: &Failure) -> Option<Diagnostic> {
    const TABLES: &[&str] = &["any", "all", "first", "highest", "lowest", "sum", "union"];
    let table = failure.before(2);
    let rows = failure.found() == "|" && failure.before(1) == "of" && TABLES.contains(&table);
    let columns = failure.found() == "by" && failure.wants_expression();
    let form = match (rows, columns) {
        (true, _) => format!("{table} of | …"),
        (_, true) => "by … | …".to_owned(),
        _ => return None,
    };
    let message = "a table stands after `=` only, not within an expression";
    Some(
        Diagnostic::error(Code::Syntax, failure.span(), message).help(format!(
            "give it a name, `fact x = {form}`, and write the name here"
        )),
    )
}

/// `new level of one = 1`
pub(super) fn new_entry(failure: &Failure) -> Option<Diagnostic> {
    let start = failure.stretch.start;
    let name = failure.word(start + 1);
    let is_entry =
        failure.word(start) == "new" && failure.found() == "of" && failure.at == start + 2;
    is_entry.then(|| {
        let message = "a new value is given for all of a map at once";
        Diagnostic::error(Code::Syntax, failure.span(), message)
            .help(format!(
                "write `new {name}(x) | name: value when x is …`: the others stay as they were"
            ))
            .help(format!("or `new {name} = {name} but value at …`"))
    })
}

/// `kind Size`, `by late` without rows
fn missing_rows(failure: &Failure) -> Option<Diagnostic> {
    if failure.row().is_some() || failure.wants_expression() {
        return None;
    }
    let words: Vec<&str> = failure.row_words().collect();
    let help = match words.first() {
        Some(&"kind" | &"ring") => "members follow, each after a bar: `kind NAME | A | B`",
        _ if words.contains(&"by") => "rows follow: `| cell => value`",
        _ => "rows follow: `| name: value`",
    };
    Some(Diagnostic::error(Code::MissingBar, failure.span(), "the rows are missing").help(help))
}

/// `by x | yes = 1`
pub(super) fn by_row_sign(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    (failure.wants_arrow() && matches!(found, "=" | "->" | "==>" | ":=")).then(|| {
        let message = format!("`{found}` cannot stand here");
        Diagnostic::error(Code::ForeignSign, failure.span(), message).help("write `=>`")
    })
}

/// `by x | yes: 1`
pub(super) fn by_row_colon(failure: &Failure) -> Option<Diagnostic> {
    let bar = failure.row()?;
    let colon = (bar..failure.at).find(|index| failure.word(*index) == ":")?;
    if !failure.wants_arrow() || failure.row_words().any(|word| word == "=>") {
        return None;
    }
    let message = "a row of a `by` table is a cell, `=>` and a value";
    let cell = failure.page.span(bar + 1).to(failure.page.span(colon - 1));
    let cell = failure.page.text.get(cell.range()).unwrap_or("cell");
    Some(
        Diagnostic::error(Code::ByRowColon, failure.page.span(colon), message)
            .here("only a row's name stands before a colon")
            .help(format!("write `| {cell} => …`")),
    )
}

/// `by x | Light or Dark => 1`
pub(super) fn cell_with_or(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    if !failure.wants_arrow() || !matches!(found, "or" | "and" | "|" | "/") {
        return None;
    }
    let (left, right) = (failure.before(1), failure.word(failure.at + 1));
    if found == "|" || right.is_empty() || left.is_empty() {
        return None;
    }
    let message = "a cell is one value, or several in braces";
    Some(
        Diagnostic::error(Code::CellWithOr, failure.span(), message)
            .help(format!("write `{{{left}, {right}}}`")),
    )
}

/// `by x | else => 1`
pub(super) fn cell_else(failure: &Failure) -> Option<Diagnostic> {
    failure.row()?;
    // `else` may be a row's name, so that only what follows it shows that it is not.
    let cell = if failure.before(1) == "else" && failure.before(2) == "|" {
        failure.at - 1
    } else {
        failure.at
    };
    let is_cell = matches!(failure.word(cell), "else" | "_" | "*" | "-")
        && matches!(failure.before(1), "|" | "," | ":" | "else");
    if !is_cell || !matches!(failure.word(cell + 1), "=>" | ",") {
        return None;
    }
    let message = "the cell that everything matches is `any`";
    let span = failure.page.span(cell);
    Some(Diagnostic::error(Code::CellElse, span, message).help("write `| any => …`"))
}

/// `first | a: 1`
pub(super) fn missing_of(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.before(1);
    let combines = matches!(
        word,
        "any" | "all" | "first" | "highest" | "lowest" | "sum" | "union"
    );
    (combines && failure.found() == "|").then(|| {
        failure
            .plain()
            .help(format!("a table begins with `{word} of`"))
    })
}

/// How late in a row its parts stand.
fn place_of(word: &str) -> usize {
    match word {
        "for" => 1,
        "when" => 2,
        "unless" => 3,
        "says" => 4,
        _ => 0,
    }
}

/// `unless d when c`, `when c when d`
pub(super) fn clause_order(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let found_place = place_of(found);
    failure.row()?;
    let late = failure
        .row_words()
        .max_by_key(|word| place_of(word))
        .filter(|word| place_of(word) >= found_place)?;
    if found_place == 0 {
        return None;
    }
    let diagnostic =
        |message: String| Diagnostic::error(Code::ClauseOrder, failure.span(), message);
    Some(if late == found {
        let join = if found == "unless" { "or" } else { "and" };
        let help = match found {
            "for" => "write all its variables after one `for`: `for x in s, y in t`".to_owned(),
            "says" => "write one text".to_owned(),
            _ => format!("join its conditions: `{found} c {join} d`"),
        };
        diagnostic(format!("a row has only one `{found}`")).help(help)
    } else {
        diagnostic(format!("`{found}` comes before `{late}`"))
            .help("the order is `| name: value for x in s when c unless d says \"…\"`")
    })
}

/// `| a: 1 for x in s where c`
pub(super) fn where_for_when(failure: &Failure) -> Option<Diagnostic> {
    let wants_when = failure.expects(Rule::kw_when) || failure.expects(Rule::when_clause);
    (wants_when && matches!(failure.found(), "where" | "with" | "provided" | "while")).then(|| {
        let message = format!("`{}` cannot stand here", failure.found());
        Diagnostic::error(Code::WhereForWhen, failure.span(), message).help("write `when`")
    })
}

/// `some x in s when c`, `every x in s where c`
pub(super) fn when_for_where(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let wants = |rules: &[Rule]| rules.iter().any(|rule| failure.expects(*rule));
    let help = if wants(&[Rule::kw_has]) && matches!(found, "where" | "when" | ":" | "is") {
        "write `every x in s has …`"
    } else if wants(&[Rule::kw_where, Rule::where_clause]) && matches!(found, "when" | "has" | ":")
    {
        "write `where`, as in `some x in s where …`"
    } else {
        return None;
    };
    let message = format!("`{found}` cannot stand here");
    Some(Diagnostic::error(Code::WhenForWhere, failure.span(), message).help(help))
}

/// `fact x = 1 when c`
pub(super) fn condition_outside_row(failure: &Failure) -> Option<Diagnostic> {
    let found = failure.found();
    let conditional = matches!(found, "when" | "unless" | "for" | "says");
    if failure.entry == Rule::hole && found == "for" {
        return Some(
            failure
                .plain()
                .help("put it into parentheses: `{(… for x in s)}`"),
        );
    }
    if !conditional
        || failure.entry == Rule::hole
        || failure.row().is_some()
        || !failure.after_expression()
    {
        return None;
    }
    let message = format!("only rows take `{found}`");
    let diagnostic = Diagnostic::error(Code::ConditionOutsideRow, failure.span(), message);
    let rest = match found {
        "for" => "value for x in s",
        "unless" => "value unless c",
        "says" => "value says \"…\"",
        _ => "value when c",
    };
    Some(match failure.word(failure.stretch.start) {
        "new" => {
            let name = failure.word(failure.stretch.start + 1);
            diagnostic.help(format!("write `new {name} | label: {rest}`, without `=`"))
        }
        "option" => diagnostic.help("an option is a constant"),
        _ if found == "for" => diagnostic.help(format!(
            "begin a table: `= union of | label: {rest}`; or write a collection: `{{value for x in s}}`"
        )),
        _ => {
            let has_type = failure.word(failure.stretch.start + 2) == ":" && failure.word(failure.stretch.start + 3) != "yes";
            let how = if has_type { "first" } else { "any" };
            diagnostic.help(format!("begin a table: `= {how} of | label: {rest}`"))
        }
    })
}
