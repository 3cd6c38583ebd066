//! Trivia: the blanks, line breaks and comments between two words.

/// A comment, with what precedes it.
#[derive(Debug)]
pub(super) struct Comment<'t> {
    /// Its text, from the dashes on.
    pub(super) text: &'t str,
    /// How many line breaks precede it.
    pub(super) lines: usize,
    /// Its column.
    pub(super) column: usize,
}

/// The trivia before a word.
#[derive(Debug)]
pub(super) struct Trivia<'t> {
    /// The comments.
    pub(super) comments: Vec<Comment<'t>>,
    /// How many line breaks follow the last comment, or how many there are without comments.
    pub(super) lines: usize,
    /// The start of the word.
    pub(super) end: usize,
}

impl Trivia<'_> {
    /// Whether the word is on another line than the one before it.
    pub(super) fn has_line(&self) -> bool {
        self.lines > 0 || !self.comments.is_empty()
    }
}

/// The trivia from byte `start` of a text up to the next word.
pub(super) fn trivia(text: &str, start: usize) -> Trivia<'_> {
    let mut trivia = Trivia {
        comments: Vec::new(),
        lines: 0,
        end: start,
    };
    loop {
        let rest = text.get(trivia.end..).unwrap_or("");
        if rest.starts_with("--") {
            let length = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let before = text.get(..trivia.end).unwrap_or("");
            let line = before.rsplit('\n').next().unwrap_or("");
            trivia.comments.push(Comment {
                text: rest.get(..length).unwrap_or(rest).trim_end(),
                lines: std::mem::take(&mut trivia.lines),
                column: line.chars().count(),
            });
            trivia.end += length;
        } else {
            match rest.bytes().next() {
                Some(b'\n') => trivia.lines += 1,
                Some(b' ' | b'\t'..=b'\r') => {}
                _ => break,
            }
            trivia.end += 1;
        }
    }
    trivia
}
