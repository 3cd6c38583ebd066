//! Finds the declarations of a rule file by reading its words, so that incomplete files work, too.

use std::ops::Range;

use super::symbol::{Sort, Symbol};
use crate::{
    resolve::OUTCOME,
    syntax::{Stretch, Word, skeleton},
};

/// Words that are followed by variables of an expression or a row.
const BINDERS: [&str; 7] = ["for", "some", "no", "every", "best", "sorted", "{"];

/// Words that end a list of variables.
const AFTER_BINDINGS: [&str; 9] = [
    "where", "has", "when", "unless", "by", "says", "cites", "and", "or",
];

/// A rule file, split into words and stretches.
#[derive(Debug)]
pub(super) struct Document {
    /// Its name in diagnostics.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) words: Vec<Word>,
    pub(super) stretches: Vec<Stretch>,
    pub(super) symbols: Vec<Symbol>,
}

impl Document {
    pub(super) fn new(name: &str, text: &str) -> Document {
        let (words, stretches) = skeleton(text);
        let mut document = Document {
            name: name.to_string(),
            text: text.to_string(),
            words,
            stretches,
            symbols: Vec::new(),
        };
        for stretch in document.stretches.clone() {
            document.item(stretch.words.clone(), &[]);
            let events = document.events(&stretch);
            for clause in stretch.clauses {
                document.item(clause, &events);
            }
        }
        document
    }

    /// The text of a word; empty if there is no such word.
    pub(super) fn word(&self, index: usize) -> &str {
        let word = self.words.get(index);
        word.and_then(|word| self.text.get(word.range.clone()))
            .unwrap_or("")
    }

    /// The first word that starts at an offset or after it.
    pub(super) fn word_at(&self, byte: usize) -> usize {
        self.words.partition_point(|word| word.range.start < byte)
    }

    /// The name at an offset or directly before it.
    pub(super) fn name_at(&self, offset: usize) -> Option<usize> {
        let first = self
            .words
            .partition_point(|word| word.range.start <= offset);
        let before = (0..first).rev().take_while(|index| {
            self.words[*index].range.end >= offset || !self.words[*index].is_text
        });
        before
            .take(2)
            .find(|index| self.words[*index].is_name && self.words[*index].range.end >= offset)
    }

    /// The stretch that contains a word, and its clause in a section.
    pub(super) fn around(&self, index: usize) -> Option<(&Stretch, Range<usize>)> {
        let next = self
            .stretches
            .partition_point(|stretch| stretch.words.start <= index);
        let stretch = self.stretches.get(next.checked_sub(1)?)?;
        if !stretch.words.contains(&index) {
            return None;
        }
        let clauses = &stretch.clauses;
        let next = clauses.partition_point(|clause| clause.start <= index);
        let clause = clauses.get(next.max(1) - 1);
        let clause = clause.filter(|clause| clause.contains(&index));
        Some((stretch, clause.cloned().unwrap_or(stretch.words.clone())))
    }

    /// The same for the word before `end`.
    pub(super) fn before(&self, end: usize) -> Option<(&Stretch, Range<usize>)> {
        end.checked_sub(1).and_then(|at| self.around(at))
    }

    /// Whether an item is a transcript, or changes the `play` of one.
    pub(super) fn is_play(&self, stretch: &Stretch) -> bool {
        let path = self.path(stretch);
        match self.word(stretch.words.start) {
            "transcript" => true,
            "add" | "replace" => self.word(path.end - path.end.min(1)) == "play",
            _ => false,
        }
    }

    /// The paths of parts that declare no name: new values in sections, and steps of transcripts.
    pub(super) fn parts(&self) -> Vec<String> {
        let mut parts = Vec::new();
        for stretch in &self.stretches {
            let events = self.events(stretch);
            let clauses = stretch.clauses.iter();
            for clause in clauses.filter(|it| self.word(it.start) == "new") {
                let state = self.word(clause.start + 1);
                parts.extend(events.iter().map(|event| format!("{event}.new.{state}")));
            }
            if self.word(stretch.words.start) == "transcript" {
                let own = self.word(stretch.words.start + 1);
                let name = if own == "by" { "transcript" } else { own };
                let is_step = |at: &usize| {
                    let is_label = self.word(at + 1) == ":" && self.word(at - 1) != "|";
                    is_label && self.words[*at].is_name || self.word(*at) == "start"
                };
                let steps = stretch.words.clone().skip(1).filter(is_step);
                parts.extend(steps.map(|at| format!("{name}.{}", self.word(at))));
            }
        }
        parts
    }

    /// Whether the word `end` is in a clause about how values are written.
    pub(super) fn writes(&self, end: usize) -> bool {
        let around = self.before(end);
        let start = around.map_or(0, |(stretch, _)| stretch.words.start);
        self.word(start) == "write"
            || self.word(start) == "replace" && self.word(start + 1) == "write"
    }

    /// Whether the file declares a grid, and therefore has directions.
    pub(super) fn has_grid(&self) -> bool {
        let mut stretches = self.stretches.iter();
        stretches.any(|stretch| self.word(stretch.words.start) == "grid")
    }

    /// The names that fill whole holes in the patterns of the transcript around the word `end`.
    pub(super) fn holes(&self, end: usize) -> Vec<&str> {
        let around = self.before(end);
        let words = around.map_or(0..0, |(stretch, _)| stretch.words.clone());
        let is_transcript = self.word(words.start) == "transcript";
        let words = words.filter(|at| is_transcript && self.words[*at].is_name);
        let holes = words.filter(|at| {
            let range = &self.words[*at].range;
            let (before, after) = self.text.split_at(range.start);
            before.ends_with('{')
                && after
                    .get(range.len()..)
                    .is_some_and(|it| it.starts_with('}'))
        });
        holes.map(|at| self.word(at)).collect()
    }

    /// Whether the word `end` is in an item about the outcome.
    pub(super) fn is_outcome(&self, end: usize) -> bool {
        self.before(end).is_some_and(|(stretch, clause)| {
            let mut path = self.path(stretch);
            self.word(clause.start + 1) == OUTCOME || path.any(|at| self.word(at) == OUTCOME)
        })
    }

    /// Whether a clause of a section begins with a word.
    pub(super) fn starts_clause(&self, word: usize) -> bool {
        self.around(word)
            .is_some_and(|(_, clause)| clause.start == word)
    }

    /// Whether the word `end` is in the list of a section's events.
    pub(super) fn opens_section(&self, end: usize) -> bool {
        self.before(end).is_some_and(|(stretch, clause)| {
            self.word(stretch.words.start) == "on" && clause == stretch.words
        })
    }

    /// The events of a section.
    pub(super) fn events(&self, stretch: &Stretch) -> Vec<String> {
        let words = stretch.words.clone();
        if self.word(words.start) != "on" {
            return Vec::new();
        }
        let names = words.skip(1).take_while(|index| self.word(*index) != "{");
        let names = names.filter(|index| self.words[*index].is_name);
        names.map(|index| self.word(index).to_string()).collect()
    }

    /// The range in bytes from one word to another.
    pub(super) fn bytes(&self, words: &Range<usize>) -> Range<usize> {
        let start = self.words.get(words.start).map_or(0, |it| it.range.start);
        let ends = |at: usize| self.words.get(at).map_or(start, |it| it.range.end);
        // The holes of a text follow it in the list of words, but the text ends later.
        let text = words
            .clone()
            .rev()
            .find(|at| self.words.get(*at).is_some_and(|it| it.is_text));
        let last = ends(words.end.max(1) - 1);
        start..last.max(start).max(text.map_or(start, ends))
    }

    /// The row that contains a word, within its clause.
    pub(super) fn row(&self, clause: &Range<usize>, index: usize) -> Range<usize> {
        let is_bar = |at: &usize| self.word(*at) == "|";
        let start = (clause.start..=index).rev().find(is_bar);
        let end = (index + 1..clause.end).find(is_bar);
        start.unwrap_or(clause.start)..end.unwrap_or(clause.end)
    }

    /// The path of a change, after the word that begins the change: words and dots.
    pub(super) fn path(&self, stretch: &Stretch) -> Range<usize> {
        let start = match self.word(stretch.words.start) {
            "replace" | "remove" | "except" => stretch.words.start + 1,
            "add" => stretch.words.start + 2,
            _ => return 0..0,
        };
        let mut end = start.min(stretch.words.end);
        while end < stretch.words.end
            && (self.words[end].is_name || self.word(end) == ".")
            && (end == start || self.word(end) == "." || self.word(end - 1) == ".")
        {
            end += 1;
        }
        start..end
    }

    /// Adds the declarations of an item or a clause.
    fn item(&mut self, words: Range<usize>, events: &[String]) {
        let name = words.start + 1;
        let own = self.word(name).to_string();
        let of_events = |part: &str| -> Vec<String> {
            let paths = events.iter().map(|event| format!("{event}.{part}"));
            paths.collect()
        };
        let keyword = self.word(words.start).to_string();
        let sort = match keyword.as_str() {
            "game" | "variant" => Sort::Game,
            "option" => Sort::Option,
            "kind" | "ring" => Sort::Kind,
            "type" | "grid" => Sort::Type,
            "given" => Sort::Given,
            "state" | "just" => Sort::State,
            "round" => Sort::Round,
            "event" => Sort::Event,
            "policy" => Sort::Policy,
            "example" => Sort::Example,
            "transcript" => Sort::Transcript,
            "fact" | "illegal" | "refuse" => Sort::Fact,
            "impossible" | "begin" | "report" | "follows" => {
                self.rows(&words, &of_events(&keyword), Sort::Row);
                self.bindings(&words);
                return;
            }
            "new" => {
                self.parameters(name + 1, &words, Sort::Local, &[]);
                self.rows(&words, &of_events(&format!("new.{own}")), Sort::Row);
                self.bindings(&words);
                return;
            }
            _ => {
                let stretch = Stretch {
                    words: words.clone(),
                    clauses: Vec::new(),
                };
                let path = self.path(&stretch);
                let text = self.text.get(self.bytes(&path)).unwrap_or("").to_string();
                if !path.is_empty() {
                    let mut rows = path.end..words.end;
                    let is_row = rows.any(|at| matches!(self.word(at), ":" | "=>"));
                    let sort = match self.word(path.end - 1) {
                        "play" => Sort::Play,
                        _ if keyword == "add" && !is_row => Sort::Member,
                        _ => Sort::Row,
                    };
                    self.rows(&(path.end..words.end), &[text], sort);
                }
                if keyword != "on" {
                    self.bindings(&words);
                }
                return;
            }
        };
        let is_named = sort != Sort::Transcript || own != "by";
        let paths = if events.is_empty() {
            vec![own.clone()]
        } else {
            of_events(&own)
        };
        let mut after = name + 1;
        if is_named && self.words.get(name).is_some_and(|word| word.is_name) {
            let at = self.symbols.len();
            self.declare(name, sort, &words, paths.clone(), events);
            let fields = [own.clone()];
            after = match sort {
                Sort::Kind => self.parameters(after, &words, Sort::Attribute, &fields),
                Sort::Type => self.parameters(after, &words, Sort::Field, &fields),
                Sort::Event => self.parameters(after, &words, Sort::EventField, &fields),
                _ => self.parameters(after, &words, Sort::Local, events),
            };
            if self.word(after) == ":" {
                self.symbols[at].ty = self.type_after(after + 1, words.end);
            }
        }
        let rows = match sort {
            Sort::Kind => Sort::Member,
            Sort::Transcript => Sort::Play,
            _ => Sort::Row,
        };
        let paths = match sort {
            Sort::Transcript if is_named => vec![format!("{own}.play")],
            Sort::Transcript => vec!["transcript.play".to_string()],
            _ => paths,
        };
        self.rows(&(after..words.end), &paths, rows);
        self.bindings(&words);
    }

    /// The type that is written after a word, up to its end.
    pub(super) fn type_after(&self, start: usize, end: usize) -> String {
        let ends = |at: &usize| {
            matches!(
                self.word(*at),
                "=" | "," | ")" | "|" | "{" | "when" | "unless" | "up" | "each"
            ) || *at > start && self.words[*at].first
        };
        let end = (start..end).find(ends).unwrap_or(end);
        let text = self.text.get(self.bytes(&(start..end))).unwrap_or("");
        text.to_string()
    }

    fn declare(
        &mut self,
        name: usize,
        sort: Sort,
        words: &Range<usize>,
        paths: Vec<String>,
        events: &[String],
    ) {
        let range = self.bytes(words);
        self.symbols.push(Symbol {
            name: self.word(name).to_string(),
            sort,
            place: self.words[name].range.clone(),
            meaning: self.meaning(&range),
            range,
            paths,
            events: events.to_vec(),
            ty: String::new(),
        });
    }

    /// Adds the parameters in parentheses, if there are any at `open`. Returns the word after them.
    fn parameters(
        &mut self,
        open: usize,
        words: &Range<usize>,
        sort: Sort,
        events: &[String],
    ) -> usize {
        if self.word(open) != "(" {
            return open;
        }
        let mut at = open + 1;
        // The depth of nested parentheses: `each in next(path)`.
        let mut within = 0usize;
        while at < words.end && (within > 0 || self.word(at) != ")") {
            match self.word(at) {
                "(" => within += 1,
                ")" => within -= 1,
                _ => {}
            }
            let starts =
                within == 0 && matches!(self.word(at - 1), "(" | ",") && self.words[at].is_name;
            if starts && matches!(self.word(at + 1), ":" | "," | ")") {
                let whole = match sort {
                    Sort::Local => words.clone(),
                    _ => at..at + 1,
                };
                let paths = events
                    .iter()
                    .map(|event| format!("{event}.{}", self.word(at)));
                let paths = paths.collect();
                self.declare(at, sort, &whole, paths, events);
                if self.word(at + 1) == ":" {
                    let ty = self.type_after(at + 2, words.end);
                    if let Some(symbol) = self.symbols.last_mut() {
                        symbol.ty = ty;
                    }
                }
            }
            at += 1;
        }
        (at + 1).min(words.end)
    }

    /// Adds rows, which follow bars.
    fn rows(&mut self, words: &Range<usize>, paths: &[String], sort: Sort) {
        for bar in words.clone() {
            let name = bar + 1;
            let follows = self.words.get(name).is_some_and(|word| word.is_name);
            if self.word(bar) != "|" || !follows || name >= words.end {
                continue;
            }
            let sort = match (sort, self.word(name + 1)) {
                (Sort::Row, "=>" | ",") => Sort::Cell,
                (Sort::Row | Sort::Play, ":") | (Sort::Member, _) => sort,
                _ => continue,
            };
            let label = self.word(name);
            let paths = paths.iter().map(|path| format!("{path}.{label}")).collect();
            let row = self.row(words, name);
            let whole = if sort == Sort::Member {
                name..row.end
            } else {
                row
            };
            self.declare(name, sort, &whole, paths, &[]);
        }
    }

    /// Adds the variables of rows and expressions.
    fn bindings(&mut self, words: &Range<usize>) {
        let mut depth = 0_usize;
        let mut listing: Option<usize> = None;
        for at in words.start + 1..words.end {
            match self.word(at) {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => {
                    depth = depth.saturating_sub(1);
                    listing = listing.filter(|list| *list <= depth);
                }
                "|" => listing = None,
                word if AFTER_BINDINGS.contains(&word) && listing == Some(depth) => listing = None,
                _ => {}
            }
            let before = self.word(at - 1);
            let binds = BINDERS.contains(&before) || before == "," && listing == Some(depth);
            if binds && self.words[at].is_name && self.word(at + 1) == "in" {
                listing = Some(depth);
                let row = self.row(words, at);
                self.declare(at, Sort::Local, &row, Vec::new(), &[]);
            }
        }
    }

    /// The author's comments on a range: on the lines before it, and at the end of its line.
    fn meaning(&self, range: &Range<usize>) -> String {
        let mut said = Vec::new();
        let before = self.text.get(..range.start).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        if before.get(line..).unwrap_or("").trim().is_empty() {
            let lines = before.get(..line).unwrap_or("").lines().rev();
            let lines = lines.map_while(|line| line.trim().strip_prefix("--"));
            said.extend(lines.map(str::trim));
            said.reverse();
        }
        let after = self.text.get(range.start..).unwrap_or("");
        let line = after.lines().next().unwrap_or("");
        let last = self
            .words
            .partition_point(|word| word.range.start < range.start + line.len());
        let end = self
            .words
            .get(last.max(1) - 1)
            .map_or(0, |word| word.range.end);
        let rest = self.text.get(end..range.start + line.len()).unwrap_or("");
        said.extend(rest.trim().strip_prefix("--").map(str::trim));
        said.join("\n")
    }
}
