//! Infers the kind of the value to be written next.

use std::ops::Range;

use super::{
    Workspace,
    document::Document,
    family::{Family, Found},
    symbol::{Sort, Symbol},
};

impl Workspace {
    /// The kind whose members are likely before the word `end`: that of the other operand, the cell, the argument or
    /// the declared type.
    pub(super) fn expected_kind<'f>(&self, family: &'f Family, end: usize) -> Option<&'f str> {
        let ty = self.expected_type(family, end)?;
        let name = ty.trim_end_matches('?').rsplit(' ').next()?.to_string();
        let known = family
            .visible_declarations(family.at)
            .map(|one| (one, family.symbol(one)));
        let mut known = known.filter(|(_, it)| it.name == name);
        let (found, symbol) = known.find(|(_, it)| matches!(it.sort, Sort::Kind | Sort::Type))?;
        if symbol.sort == Sort::Kind {
            return Some(&symbol.name);
        }
        // `type Upper = d..f`: a part of a kind.
        let document = &family.docs[found.0];
        let first = document.word_at(symbol.place.start) + 2;
        let part = *family.candidates(found.0, first).first()?;
        let part = family.symbol(part);
        match part.sort {
            Sort::Member => part.paths.first()?.split('.').next(),
            Sort::Kind => Some(&part.name),
            _ => None,
        }
    }

    fn expected_type(&self, family: &Family, end: usize) -> Option<String> {
        let document = &family.docs[family.at];
        let (_, clause) = document.before(end)?;
        let mut at = end.checked_sub(1)?;
        if let Some(ty) = family.argument_type(end) {
            return Some(ty);
        }
        let start = document.row(&clause, at).start;
        while matches!(document.word(at), "not" | "{" | "," | "(") && at > start {
            at -= 1;
        }
        match document.word(at) {
            "is" | "in" => self.type_before(family, at),
            "=" => self.written_type(family, &clause),
            ":" | "=>" if document.word(start) == "|" => {
                self.cell_type(family, &clause, end).or_else(|| {
                    let is_value = document.word(at) == "=>"
                        || !clause.clone().any(|at| document.word(at) == "=>");
                    is_value
                        .then(|| self.written_type(family, &clause))
                        .flatten()
                })
            }
            _ => self
                .cell_type(family, &clause, end)
                .or_else(|| self.type_before(family, at + 1)),
        }
    }

    /// The type of the expression that ends before a word.
    fn type_before(&self, family: &Family, end: usize) -> Option<String> {
        let document = &family.docs[family.at];
        let mut at = document.applied(end.checked_sub(1)?)?;
        let mut found = family.candidates(family.at, at);
        // In `mode of x is`, the name before the first `of` decides.
        while !found.is_empty() && at >= 2 && document.word(at - 1) == "of" {
            at = document.applied(at - 2)?;
            found = family.candidates(family.at, at);
        }
        self.type_of(family, *found.first()?)
    }

    /// The type of the value that an item or a clause defines.
    fn written_type(&self, family: &Family, clause: &Range<usize>) -> Option<String> {
        let document = &family.docs[family.at];
        let name = match document.word(clause.start) {
            "replace" | "add" => {
                let change = document.change(clause.start)?;
                let mut known = family
                    .visible_declarations(family.at)
                    .filter(|found| found.0 != family.at);
                let found = known.find(|found| {
                    let mut paths = family.symbol(*found).paths.iter();
                    paths.any(|path| change.is_in(path))
                });
                return self.type_of(family, found?);
            }
            _ => clause.start + 1,
        };
        self.type_of(family, *family.candidates(family.at, name).first()?)
    }

    /// The type of the cell at the word `end`, in a table with `by`.
    fn cell_type(&self, family: &Family, clause: &Range<usize>, end: usize) -> Option<String> {
        let document = &family.docs[family.at];
        let row = document.row(clause, end.checked_sub(1)?);
        if document.word(row.start) != "|" {
            return None;
        }
        let label = if document.word(row.start + 2) == ":" {
            3
        } else {
            1
        };
        let cells = row.start + label..end;
        if cells
            .clone()
            .any(|at| matches!(document.word(at), "=>" | "when" | "unless"))
        {
            return None;
        }
        let column = document.commas(cells).count();
        let bar = clause.clone().find(|at| document.word(*at) == "|")?;
        let by = (clause.start..bar)
            .rev()
            .find(|at| document.word(*at) == "by")?;
        let mut starts = std::iter::once(by).chain(document.commas(by + 1..bar));
        let mut at = starts.nth(column)? + 1;
        if matches!(document.word(at), "new" | "old" | "previous" | "the") {
            at += 1;
        }
        self.type_of(family, *family.candidates(family.at, at).first()?)
    }
}

impl Family {
    /// The type of the argument at the word `end`.
    fn argument_type(&self, end: usize) -> Option<String> {
        let document = &self.docs[self.at];
        let (name, present) = document.open_call(end)?;
        let found = *self.candidates(self.at, name).first()?;
        let parameters = self.parameters(found);
        Some(parameters.get(present)?.ty.clone()).filter(|ty| !ty.is_empty())
    }

    /// The declarations in the parentheses after a name.
    pub(super) fn parameters(&self, found: Found) -> Vec<&Symbol> {
        let symbol = self.symbol(found);
        let within = |one: &&Symbol| match symbol.sort {
            Sort::Type => one.sort == Sort::Field && one.events.contains(&symbol.name),
            Sort::Event => one.sort == Sort::EventField && one.events.contains(&symbol.name),
            _ => one.sort == Sort::Local && one.range == symbol.range && !one.ty.is_empty(),
        };
        self.docs[found.0].symbols.iter().filter(within).collect()
    }
}

impl Document {
    /// The name of the expression that ends with a word: before its parentheses, if it has any.
    fn applied(&self, last: usize) -> Option<usize> {
        if self.word(last) != ")" {
            return Some(last);
        }
        let mut depth = 0_usize;
        let open = (0..=last).rev().take(200).find(|at| {
            match self.word(*at) {
                ")" => depth += 1,
                "(" => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        open.checked_sub(1)
    }

    /// The commas among some words, outside of brackets.
    fn commas(&self, words: Range<usize>) -> impl Iterator<Item = usize> {
        let mut depth = 0_usize;
        words.filter(move |at| {
            match self.word(*at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && self.word(*at) == ","
        })
    }

    /// The name before the parenthesis that is open at the word `end`, and the index of the argument, from 0.
    pub(super) fn open_call(&self, end: usize) -> Option<(usize, usize)> {
        let (mut depth, mut present) = (0_usize, 0);
        let open = (0..end).rev().take(500).find(|at| {
            match self.word(*at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth == 0 => return true,
                "(" | "[" | "{" => depth -= 1,
                "," if depth == 0 => present += 1,
                _ => {}
            }
            false
        })?;
        let name = open
            .checked_sub(1)
            .filter(|name| self.words[*name].is_name)?;
        (self.word(open) == "(").then_some((name, present))
    }
}
