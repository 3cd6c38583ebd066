//! The report as one page for browsers, which needs nothing beside it.

use std::fmt::Write as _;

use referee::{
    diagnostic::numbered,
    game::{
        Game,
        cover::{Cover, CoveredRow},
    },
};

use super::text;

/// How the page looks.
const STYLE: &str = include_str!("page.css");

/// What is reached, as a page.
pub(super) fn written(game: &Game, cover: &Cover) -> String {
    let (fired, all) = cover.fired();
    let title = escaped(game.title());
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}: {} %</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <p>{fired} of {} fired in {}: {} %.\n\
         A row of this colour <span class=\"fired\">made a difference</span> to a report, one of this \
         <span class=\"idle\">fired and made none</span>, one of this <span class=\"never\">never fired</span>.</p>\n",
        cover.per_cent(),
        numbered(all, "row"),
        text::runs(cover),
        cover.per_cent(),
    );
    never(&mut page, cover);
    for (place, (name, source)) in cover.files.iter().enumerate() {
        let _ = writeln!(
            page,
            "<h2>{}</h2>\n<table>\n<tr><th>line<th>asked<th>fired<th>changed<th></tr>",
            escaped(name)
        );
        for (index, line) in source.lines().enumerate() {
            let number = index + 1;
            let rows = cover.rows.iter();
            let here: Vec<&CoveredRow> = rows
                .filter(|row| row.file == place && (row.line..=row.last_line).contains(&number))
                .collect();
            line_of(&mut page, place, number, line, &here);
        }
        page.push_str("</table>\n");
    }
    page.push_str("</body>\n</html>\n");
    page
}

/// The rows that never fired, with where they stand.
fn never(page: &mut String, cover: &Cover) {
    let rows: Vec<&CoveredRow> = cover.rows.iter().filter(|row| row.fired == 0).collect();
    if rows.is_empty() {
        return;
    }
    // Writing to a string cannot fail.
    let _ = writeln!(page, "<h2>Never fired</h2>\n<ul>");
    for row in rows {
        let _ = writeln!(
            page,
            "<li><a href=\"#f{}l{}\">{}</a>: {}</li>",
            row.file,
            row.line,
            escaped(&row.name()),
            escaped(&row.reason_told())
        );
    }
    page.push_str("</ul>\n");
}

/// A line of a rule file; the counts stand where a row begins.
fn line_of(page: &mut String, file: usize, number: usize, line: &str, here: &[&CoveredRow]) {
    let class = if here.is_empty() {
        ""
    } else if here.iter().any(|row| row.fired == 0) {
        " class=\"never\""
    } else if here.iter().all(|row| row.changed == Some(0)) {
        " class=\"idle\""
    } else {
        " class=\"fired\""
    };
    let begins: Vec<&&CoveredRow> = here.iter().filter(|row| row.line == number).collect();
    let counts = |count: fn(&CoveredRow) -> Option<u64>| {
        let counts = begins.iter().filter_map(|row| count(row));
        let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
        counts.join(" ")
    };
    let why: Vec<String> = begins
        .iter()
        .filter(|row| row.reason.is_some())
        .map(|row| format!("<span class=\"why\">{}</span>", escaped(&row.reason_told())))
        .collect();
    let _ = writeln!(
        page,
        "<tr id=\"f{file}l{number}\"{class}><td class=\"line\">{number}<td>{}<td>{}<td>{}<td class=\"rule\">{}{}</tr>",
        counts(|row| Some(row.considered)),
        counts(|row| Some(row.fired)),
        counts(|row| row.changed),
        escaped(line),
        why.join(""),
    );
}

/// A text in which no sign means anything.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
