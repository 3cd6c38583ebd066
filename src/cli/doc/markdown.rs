//! A book as Markdown. What comes from a rule file cannot be taken for marks.

use std::fmt::Write as _;

use referee::game::book::{Book, Change, Changed, Entry, Part, Words};

use crate::cli::output::padded;

/// The signs that mean something in Markdown, at some place or other.
const MARKS: &str = "\\`*_[]<>#|&~";

/// A whole book.
pub(super) fn written(book: &Book) -> String {
    let mut text = format!("# {}\n", escaped(&book.title));
    for line in titles(book) {
        let _ = write!(text, "\n{line}\n");
    }
    if !book.changes.is_empty() {
        text.push_str("\n## What is different\n\n");
        for change in &book.changes {
            let Changed {
                chapter,
                of,
                entry,
                gone,
            } = change;
            let of = of.as_deref().map(|of| format!("*{}*: ", escaped(of)));
            let of = of.unwrap_or_default();
            let head = if *gone { "**no longer:** " } else { "" };
            let mark = if *gone { String::new() } else { marked(entry) };
            let cells = enumerated(&entry.cells);
            let chapter = escaped(chapter);
            let _ = writeln!(text, "- {chapter}: {of}{head}{cells}{mark}{}", from(entry));
        }
    }
    for chapter in &book.chapters {
        let _ = write!(text, "\n## {}\n", escaped(&chapter.title));
        let mut in_list = false;
        for part in &chapter.parts {
            let point = matches!(part, Part::Point(_));
            if !(point && in_list) {
                text.push('\n');
            }
            in_list = point;
            part_of(&mut text, part);
        }
    }
    text
}

/// What stands below the title.
fn titles(book: &Book) -> Vec<String> {
    let mut lines = Vec::new();
    for (title, meaning) in &book.variants {
        let meaning = meaning.join(" ");
        let colon = if meaning.is_empty() { "" } else { ": " };
        lines.push(format!(
            "**{}**{colon}{}",
            escaped(title),
            escaped(&meaning)
        ));
    }
    if !book.about.is_empty() {
        lines.push(escaped(&book.about.join(" ")));
    }
    if let Some(place) = &book.cites {
        lines.push(format!("These rules follow: {}.", escaped(place)));
    }
    lines
}

fn part_of(text: &mut String, part: &Part) {
    // Writing to a string cannot fail.
    let _ = match part {
        Part::Heading(title) => writeln!(text, "### {}", escaped(title)),
        Part::Sentence(entry) => {
            let words = cells(&entry.cells).join(" ");
            writeln!(text, "{words}{}{}", marked(entry), from(entry))
        }
        Part::Point(entry) => {
            let indent = "  ".repeat(entry.level);
            let words = cells(&entry.cells).join(" ");
            writeln!(text, "{indent}- {words}{}{}", marked(entry), from(entry))
        }
        Part::Table { head, rows } => {
            let titles: Vec<String> = head.iter().map(|title| escaped(title)).collect();
            let _ = writeln!(text, "| {} | Rule |", titles.join(" | "));
            let _ = writeln!(text, "|{}", " --- |".repeat(titles.len() + 1));
            for row in rows {
                let cells = cells(&row.cells).join(" | ");
                let place = from(row);
                let _ = writeln!(text, "| {cells} |{}{place} |", marked(row));
            }
            Ok(())
        }
        Part::Picture { title, rows } => {
            let _ = writeln!(text, "The picture of {}:\n\n```text", escaped(title));
            text.push_str(&picture(rows));
            writeln!(text, "```")
        }
    };
}

/// A picture, a line for each row.
pub(super) fn picture(rows: &[Vec<Option<String>>]) -> String {
    let cells = rows.iter().flatten();
    let width = cells.map(|cell| cell.as_deref().unwrap_or(".").chars().count());
    let width = width.max().unwrap_or(1);
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().map(|cell| {
            let cell = cell.as_deref().unwrap_or(".");
            padded(&cell.replace(['`', '\n'], " "), width)
        });
        let line = cells.collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn cells(cells: &[Vec<Words>]) -> Vec<String> {
    cells.iter().map(|words| sentence(words)).collect()
}

/// The cells of a row in a sentence, without those that say nothing.
fn enumerated(row: &[Vec<Words>]) -> String {
    let mut told = cells(row);
    told.retain(|cell| !cell.trim().is_empty());
    told.join(", ")
}

fn sentence(words: &[Words]) -> String {
    let mut text = String::new();
    let mut after_name = false;
    for part in words {
        match part {
            Words::Plain(words) => text.push_str(&escaped(words)),
            Words::Name(name) => {
                // Stars that touch would be one mark.
                let joiner = if after_name { "\u{2060}" } else { "" };
                let _ = write!(text, "{joiner}*{}*", escaped(name));
            }
            Words::Code(code) => text.push_str(&fenced(code)),
        }
        after_name = matches!(part, Words::Name(_));
    }
    text
}

/// What a variant did to a sentence, and the book that it follows.
fn marked(entry: &Entry) -> String {
    let cites = entry.cites.as_deref();
    let cites = cites.map_or(String::new(), |place| format!(" [{}]", escaped(place)));
    match &entry.change {
        None => cites,
        Some(Change::New) => format!("{cites} **(new)**"),
        Some(Change::Instead(old)) => {
            format!("{cites} **(instead of: {})**", enumerated(old))
        }
    }
}

/// Where a sentence comes from.
fn from(entry: &Entry) -> String {
    format!(" ({}:{})", escaped(&entry.place.file), entry.place.line)
}

/// Code between more backticks than stand in it one after the other.
fn fenced(code: &str) -> String {
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
    // In a table a bar would end the cell.
    let code = code.replace('|', "\\|");
    let mut longest = 0;
    let mut run = 0;
    for sign in code.chars() {
        run = if sign == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let blank = if longest > 0 { " " } else { "" };
    format!("{fence}{blank}{code}{blank}{fence}")
}

/// A text in which no sign means anything.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for sign in text.chars() {
        if MARKS.contains(sign) {
            escaped.push('\\');
        }
        escaped.push(if sign == '\n' { ' ' } else { sign });
    }
    escaped
}
