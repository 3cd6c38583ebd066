//! Finds the comments of authors: above something, or at the end of its line.

use crate::{
    source::{Sources, Span},
    syntax::ast::Header,
};

/// What a comment begins with.
const DASHES: &str = "--";

/// The comments on what is at `span`.
pub(super) fn of(sources: &Sources, span: Span) -> String {
    let parts = [above(sources, span), beside(sources, span)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// The comment on the lines above `span`.
pub(super) fn above(sources: &Sources, span: Span) -> String {
    let text = sources.get(span.source).map(|source| source.text.as_str());
    let before = text.and_then(|text| text.get(..span.start as usize));
    let before = before.unwrap_or("");
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    if !before.get(line..).unwrap_or("").trim().is_empty() {
        return String::new();
    }
    let mut said = Vec::new();
    let mut lines = before.get(..line).unwrap_or("").lines().rev().peekable();
    while let Some(comment) = lines.peek().and_then(|line| comment_line(line)) {
        said.push(comment);
        lines.next();
    }
    // A comment below the first line is about the file.
    if lines.next().is_some_and(is_header) {
        said.clear();
    }
    said.reverse();
    said.join(" ")
}

/// The comment at the end of the first line of `span`, or of its only line.
pub(super) fn beside(sources: &Sources, span: Span) -> String {
    let text = sources.get(span.source).map(|source| source.text.as_str());
    let rest = text.and_then(|text| text.get(span.start as usize..));
    let first = rest.and_then(|rest| rest.lines().next());
    first.and_then(trailing).unwrap_or("").to_string()
}

/// The comments on the whole file: above its first line, and below it. After a blank line, a comment counts only if
/// another blank line follows.
pub(super) fn about(sources: &Sources, header: &Header) -> Vec<String> {
    let (Header::Game { name, title, cites }
    | Header::Variant {
        name, title, cites, ..
    }) = header;
    let last = cites.as_ref().or(title.as_ref());
    let last = last.map_or(name.span, |text| text.span);
    let text = sources.get(last.source).map(|source| source.text.as_str());
    let text = text.unwrap_or("");
    let above = text.lines().map_while(comment_line);
    let rest = text.get(last.end as usize..).unwrap_or("");
    let below: Vec<&str> = rest.lines().skip(1).collect();
    let is_blank = |line: &&&str| line.trim().is_empty();
    let blank = below.iter().take_while(is_blank).count();
    let comment = below.iter().skip(blank);
    let comment: Vec<&str> = comment.map_while(|line| comment_line(line)).collect();
    let after = below.get(blank + comment.len());
    let is_of_item = blank > 0 && after.is_some_and(|line| !line.trim().is_empty());
    let below = comment.into_iter().filter(|_| !is_of_item);
    above.chain(below).map(str::to_string).collect()
}

fn is_header(line: &str) -> bool {
    line.starts_with("game ") || line.starts_with("variant ")
}

/// The text of a line that is only a comment.
fn comment_line(line: &str) -> Option<&str> {
    line.trim().strip_prefix(DASHES).map(str::trim)
}

/// The text of a comment at the end of a line. Dashes within a text start none.
fn trailing(line: &str) -> Option<&str> {
    let mut quote = None;
    let mut before = ' ';
    for (place, sign) in line.char_indices() {
        match quote {
            Some(open) if sign == open && before != '\\' => quote = None,
            None if sign == '"' || sign == '\'' => quote = Some(sign),
            None if sign == '-' && before.is_whitespace() => {
                if let Some(rest) = line.get(place..).and_then(|it| it.strip_prefix(DASHES)) {
                    return Some(rest.trim());
                }
            }
            _ => {}
        }
        before = sign;
    }
    None
}
