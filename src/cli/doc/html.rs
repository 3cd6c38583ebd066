//! A book as a page for browsers, which needs nothing beside it. What comes from a rule file is text and never markup.

use std::{collections::BTreeMap, fmt::Write as _};

use referee::game::book::{Book, Change, Changed, Chapter, Entry, Part, Words};

use super::markdown::picture;

/// How a page looks.
const STYLE: &str = include_str!("page.css");

/// Where the playground lies, as a site sees it.
const PLAYGROUND: &str = "../playground/index.html";

/// The page of a book in a site.
pub(super) fn file_name(book: &str) -> String {
    format!("{}.html", book.replace('+', "-with-"))
}

/// A whole page; in a site with links to the list of all, and into the playground.
pub(super) fn page(book: &Book, index: Option<&str>) -> String {
    let mut titles = vec![book.title.as_str()];
    titles.extend(book.variants.iter().map(|(title, _)| title.as_str()));
    let title = escaped(&titles.join(", "));
    let mut page = opening(&title);
    if let Some(index) = index {
        let _ = writeln!(
            page,
            "<p><a href=\"{}\">All games</a> · <a href=\"{PLAYGROUND}#game={}\">In the playground</a></p>",
            escaped(index),
            encoded(&book.name)
        );
    }
    let _ = writeln!(page, "<h1>{title}</h1>");
    for (title, meaning) in &book.variants {
        let meaning = escaped(&meaning.join(" "));
        let _ = writeln!(page, "<p><strong>{}</strong> {meaning}</p>", escaped(title));
    }
    if !book.about.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", escaped(&book.about.join(" ")));
    }
    if let Some(place) = &book.cites {
        let _ = writeln!(
            page,
            "<p>These rules follow: <cite>{}</cite>.</p>",
            escaped(place)
        );
    }
    let mut writer = Writer {
        page,
        anchors: BTreeMap::new(),
        level: None,
    };
    writer.contents(book);
    writer.changes(book);
    for (place, chapter) in book.chapters.iter().enumerate() {
        writer.chapter(place, chapter);
    }
    writer.page.push_str("</main>\n</body>\n</html>\n");
    writer.page
}

/// The page that lists all books: each game with its variants.
pub(super) fn index(listed: &[Vec<(String, String)>]) -> String {
    let mut page = opening("Rule books");
    page.push_str("<h1>Rule books</h1>\n<ul>\n");
    for pages in listed {
        let Some((first, variants)) = pages.split_first() else {
            continue;
        };
        let _ = write!(page, "<li>{}", link(first));
        if !variants.is_empty() {
            page.push_str("\n<ul>\n");
            for variant in variants {
                let _ = writeln!(page, "<li>{}</li>", link(variant));
            }
            page.push_str("</ul>");
        }
        page.push_str("</li>\n");
    }
    page.push_str("</ul>\n</main>\n</body>\n</html>\n");
    page
}

fn link((name, title): &(String, String)) -> String {
    format!(
        "<a href=\"{}\">{}</a>",
        encoded(&file_name(name)),
        escaped(title)
    )
}

fn opening(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
}

/// Writes the body of a page.
struct Writer {
    page: String,
    /// How often each name for links was given.
    anchors: BTreeMap<String, usize>,
    /// How deep the open lists lie in each other.
    level: Option<usize>,
}

impl Writer {
    fn contents(&mut self, book: &Book) {
        self.page.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
        if !book.changes.is_empty() {
            self.page
                .push_str("<li><a href=\"#changes\">What is different</a></li>\n");
        }
        for (place, chapter) in book.chapters.iter().enumerate() {
            let title = escaped(&chapter.title);
            let _ = writeln!(
                self.page,
                "<li><a href=\"#chapter-{place}\">{title}</a></li>"
            );
        }
        self.page.push_str("</ol>\n</nav>\n");
    }

    fn changes(&mut self, book: &Book) {
        if book.changes.is_empty() {
            return;
        }
        self.page
            .push_str("<h2 id=\"changes\">What is different</h2>\n<ul>\n");
        for change in &book.changes {
            let Changed {
                chapter,
                of,
                entry,
                gone,
            } = change;
            let of = of
                .as_deref()
                .map(|of| format!("<em>{}</em>: ", escaped(of)));
            let of = of.unwrap_or_default();
            let told = cells(&entry.cells);
            let words = if *gone {
                format!("<strong class=\"new\">no longer:</strong> <del>{told}</del>")
            } else {
                format!("{told}{}", marks(entry))
            };
            let chapter = escaped(chapter);
            let _ = writeln!(self.page, "<li>{chapter}: {of}{words}</li>");
        }
        self.page.push_str("</ul>\n");
    }

    fn chapter(&mut self, place: usize, chapter: &Chapter) {
        let title = escaped(&chapter.title);
        let _ = writeln!(self.page, "<h2 id=\"chapter-{place}\">{title}</h2>");
        for part in &chapter.parts {
            if !matches!(part, Part::Point(_)) {
                self.close_lists();
            }
            self.part(part);
        }
        self.close_lists();
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Heading(title) => {
                let _ = writeln!(self.page, "<h3>{}</h3>", escaped(title));
            }
            Part::Sentence(entry) => {
                let words = format!("{}{}", cells(&entry.cells), marks(entry));
                let anchor = self.anchor(entry);
                let source = source(entry);
                let _ = writeln!(
                    self.page,
                    "<div id=\"{anchor}\" class=\"sentence\"><p>{words}</p>{source}</div>"
                );
            }
            Part::Point(entry) => self.point(entry),
            Part::Table { head, rows } => self.table(head, rows),
            Part::Picture { title, rows } => {
                let _ = writeln!(
                    self.page,
                    "<div><p>The picture of {}:</p><pre>{}</pre></div>",
                    escaped(title),
                    escaped(&picture(rows))
                );
            }
        }
    }

    fn point(&mut self, entry: &Entry) {
        // A list opens within the point before it, which is still open.
        match self.level {
            None => self.page.push_str("<ul>\n"),
            Some(level) if entry.level > level => self.page.push_str("\n<ul>\n"),
            Some(level) => {
                for _ in entry.level..level {
                    self.page.push_str("</li>\n</ul>\n");
                }
                self.page.push_str("</li>\n");
            }
        }
        let level = match self.level {
            Some(level) if entry.level > level => level + 1,
            None => 0,
            _ => entry.level,
        };
        self.level = Some(level);
        let words = format!("{}{}", cells(&entry.cells), marks(entry));
        let anchor = self.anchor(entry);
        let _ = write!(self.page, "<li id=\"{anchor}\">{words}{}", source(entry));
    }

    fn close_lists(&mut self) {
        if let Some(level) = self.level.take() {
            for _ in 0..=level {
                self.page.push_str("</li>\n</ul>\n");
            }
        }
    }

    fn table(&mut self, head: &[String], rows: &[Entry]) {
        self.page.push_str("<table>\n<thead><tr>");
        for title in head {
            let _ = write!(self.page, "<th scope=\"col\">{}</th>", escaped(title));
        }
        self.page
            .push_str("<th scope=\"col\">Rule</th></tr></thead>\n<tbody>\n");
        for row in rows {
            let anchor = self.anchor(row);
            let _ = write!(self.page, "<tr id=\"{anchor}\">");
            for cell in &row.cells {
                let _ = write!(self.page, "<td>{}</td>", sentence(cell));
            }
            let _ = writeln!(self.page, "<td>{}{}</td></tr>", marks(row), source(row));
        }
        self.page.push_str("</tbody>\n</table>\n");
    }

    /// A name for links, which nothing else on the page has.
    fn anchor(&mut self, entry: &Entry) -> String {
        let name = format!("rule-{}", entry.anchor());
        let count = self.anchors.entry(name.clone()).or_default();
        *count += 1;
        if *count == 1 {
            name
        } else {
            format!("{name}-again-{count}")
        }
    }
}

/// The place in the rule file, which opens to what stands there.
fn source(entry: &Entry) -> String {
    format!(
        "<details><summary>{}:{}</summary><pre>{}</pre></details>",
        escaped(&entry.place.file),
        entry.place.line,
        escaped(&entry.place.text)
    )
}

fn marks(entry: &Entry) -> String {
    let mut marks = String::new();
    if let Some(place) = &entry.cites {
        let _ = write!(marks, " <cite>{}</cite>", escaped(place));
    }
    match &entry.change {
        None => {}
        Some(Change::New) => marks.push_str(" <strong class=\"new\">new</strong>"),
        Some(Change::Instead(old)) => {
            let _ = write!(
                marks,
                " <strong class=\"new\">instead of:</strong> <del>{}</del>",
                cells(old)
            );
        }
    }
    marks
}

fn cells(cells: &[Vec<Words>]) -> String {
    let cells = cells.iter().map(|words| sentence(words));
    let cells: Vec<String> = cells.filter(|cell| !cell.trim().is_empty()).collect();
    cells.join(", ")
}

fn sentence(words: &[Words]) -> String {
    let parts = words.iter().map(|part| match part {
        Words::Plain(words) => escaped(words),
        Words::Name(name) => format!("<em>{}</em>", escaped(name)),
        Words::Code(code) => format!("<code>{}</code>", escaped(code)),
    });
    parts.collect()
}

/// A text in which no sign means anything.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A name in an address.
fn encoded(name: &str) -> String {
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"+-._".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
