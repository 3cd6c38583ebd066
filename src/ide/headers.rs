//! What a rule file says of other files: the game that it changes, the variants and games that it needs.

use super::document::Document;
use crate::syntax::Stretch;

impl Document {
    /// Whether a word is part of the name of another game or variant.
    pub(super) fn names_file(&self, stretch: &Stretch, word: usize) -> bool {
        let mut before = (stretch.words.start..word).rev();
        match self.word(stretch.words.start) {
            "variant" => before.any(|at| matches!(self.word(at), "of" | "with" | "without")),
            "use" => before.any(|at| self.word(at) == "from"),
            _ => false,
        }
    }

    /// The name of the game or variant, and of a variant the game.
    pub(super) fn header(&self) -> Option<(&str, Option<&str>)> {
        let is_header = |at: &usize| matches!(self.word(*at), "game" | "variant");
        let starts = self.stretches.iter().map(|stretch| stretch.words.start);
        let at = starts.clone().find(is_header)?;
        let (next, name) = self.file_name(at + 1);
        let is_variant = self.word(at) == "variant" && self.word(next) == "of";
        Some((name, is_variant.then(|| self.file_name(next + 1).1)))
    }

    /// The name of a game or variant that begins with a word, in which there may be `-`; and the word after it.
    fn file_name(&self, start: usize) -> (usize, &str) {
        let mut end = start + 1;
        while end < self.words.len() && self.words[end].range.start == self.words[end - 1].range.end
        {
            end += 1;
        }
        let bytes = self.bytes(&(start..end));
        (
            end,
            self.text.get(bytes).unwrap_or("").trim_end_matches(','),
        )
    }

    /// The name of the game or variant that a word is part of.
    pub(super) fn file_around(&self, word: usize) -> &str {
        let touches = |at: &usize| {
            let before = at.checked_sub(1).map(|before| &self.words[before]);
            before.is_some_and(|before| before.range.end == self.words[*at].range.start)
                && self.word(*at - 1) != ","
        };
        let start = (1..=word).rev().find(|at| !touches(at));
        self.file_name(start.unwrap_or(word)).1
    }

    /// The variants that the header asks for.
    pub(super) fn with(&self) -> Vec<String> {
        let Some(header) = self.stretches.first() else {
            return Vec::new();
        };
        let words = header.words.clone();
        let Some(with) = words.clone().find(|at| self.word(*at) == "with") else {
            return Vec::new();
        };
        let mut names = Vec::new();
        let mut at = with + 1;
        while at < words.end && !self.words[at].is_text && self.word(at) != "without" {
            let (next, name) = self.file_name(at);
            names.push(name.to_string());
            at = next + usize::from(self.word(next) == ",");
        }
        names
    }

    /// The games that something is used from.
    pub(super) fn uses(&self) -> Vec<String> {
        let uses = self.stretches.iter().map(|stretch| stretch.words.clone());
        let uses = uses.filter(|words| self.word(words.start) == "use");
        let from = uses.filter_map(|mut words| words.find(|at| self.word(*at) == "from"));
        from.map(|from| self.file_name(from + 1).1.to_string())
            .collect()
    }
}
