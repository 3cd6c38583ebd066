//! Describes events: their fields, when they are possible and what follows from them; definitions and tables; and how a
//! transcript is read.

use super::{
    super::{
        Part, Words, comments,
        phrases::{Phrase, combined, in_words, of, sentence, with_parameters},
    },
    BEGINNING, END, FORM, OVER, RESTART, Writer, fields, is_start, names_of, section_title,
};
use crate::{
    source::Span,
    syntax::{
        ast::{
            ByTable, Clause, Decider, Definition, Event, ExprKind, Fact, How, New, Role, Rounds,
            Row, Section, Step, Table, Text, Transcript, Unit,
        },
        print,
    },
};

impl Writer<'_> {
    pub(super) fn transcript(&mut self, transcript: &Transcript) {
        self.to(FORM);
        let name = transcript.name.as_ref().map(|name| name.text.as_str());
        self.prefix = format!("transcript {}.", name.unwrap_or(""));
        let words = match name {
            Some(name) => Phrase::new("In the form ").name(name).words(", "),
            None => Phrase::default(),
        };
        let words = match (name, transcript.unit) {
            (Some(_), Unit::Lines) => words.words("each of these is a line"),
            (Some(_), Unit::Words) => words.words("these come word by word"),
            (None, Unit::Lines) => words.words("Each of these is a line"),
            (None, Unit::Words) => words.words("These come word by word"),
        };
        let words = words.comment(&self.comment(transcript.span));
        self.sentence("", words, transcript.span);
        self.steps(&transcript.steps, 0);
    }

    fn steps(&mut self, steps: &[Step], level: usize) {
        for (place, step) in steps.iter().enumerate() {
            let path = format!("{level}.{place}");
            match step {
                Step::Pattern(pattern) => {
                    let words = Phrase::default().text(&pattern.text);
                    self.point(&path, words, pattern.text.span, level);
                }
                Step::Start(span) => {
                    self.point(&path, Phrase::new("The game begins."), *span, level);
                }
                Step::Repeat(repeat) => {
                    let (words, span) = match &repeat.rounds {
                        Rounds::Times(times) => {
                            let words = Phrase::new("As often as ").value(times);
                            (words.words(" says:"), times.span)
                        }
                        Rounds::Until(text) => {
                            let words = Phrase::new("Again and again, up to the words ");
                            (words.words("“").text(text).words("”:"), text.span)
                        }
                    };
                    self.point(&path, words, span, level);
                    self.steps(&repeat.steps, level + 1);
                }
                Step::Play(play) => {
                    let mut words = Phrase::new("Then, until ").value(&play.until);
                    if let Some(stop) = &play.stop {
                        words = words.words(" or up to the words “").text(&stop.words);
                        words = words.words("”");
                    }
                    if let Some(by) = &play.by {
                        words = words.words(", the events that ").name(&by.text);
                        words = words.words(" chooses");
                    }
                    self.point(&path, words.words(":"), play.span, level);
                    for row in &play.rows {
                        let words = Phrase::default().name(&row.label.text).words(": ");
                        let words = match &row.value.kind {
                            ExprKind::Text(text) => words.text(text),
                            _ => words.value(&row.value),
                        };
                        let words = words.conditions(&row.conditions, ", ");
                        let words = words.comment(&self.comment(row.span));
                        let path = format!("{path}.{}", row.label.text);
                        self.point(&path, words, row.span, level + 1);
                    }
                }
            }
        }
    }

    pub(super) fn event(&mut self, event: &Event) {
        self.to(&sentence(&in_words(&event.name.text)));
        self.prefix = format!("{}.", event.name.text);
        let comment = self.comment(event.span);
        if !comment.is_empty() {
            self.sentence("", Phrase::default().comment(&comment), event.span);
        }
        if !event.fields.is_empty() {
            let words = fields(Phrase::new("It is recorded with "), &event.fields);
            self.sentence("fields", words, event.span);
        }
        if let Some(by) = &event.by {
            let words = match &by.decider {
                Decider::Seat(seat) => Phrase::default().value(seat).words(" decides it"),
                Decider::Chance(None) => Phrase::new("Chance decides it"),
                Decider::Chance(Some(weight)) => {
                    Phrase::new("Chance decides it, with the weight ").value(weight)
                }
                Decider::Referee => Phrase::new("Nobody decides it; the referee notes it"),
            };
            self.sentence("by", words, by.span);
        }
        let span = event.guard.as_ref().map(|guard| guard.condition.span);
        let Some((guard, span)) = event.guard.as_ref().zip(span) else {
            let name = event.name.span;
            if self.sources.cited(name).is_some() {
                self.sentence("guard", Phrase::new("It may happen at any time"), name);
            }
            return;
        };
        let when = if guard.negated {
            "It may happen unless "
        } else {
            "It may happen only when "
        };
        let mut words = Phrase::new(when).value(&guard.condition);
        if let Some(says) = &guard.says {
            words = words
                .words("; if it may not, the referee says: ")
                .text(says);
        }
        self.sentence("guard", words, span);
    }

    /// Writes what sections say about the same events.
    pub(super) fn section(&mut self, sections: &[&Section]) {
        let Some(section) = sections.first().copied() else {
            return;
        };
        if is_start(section) {
            self.to(BEGINNING);
        } else {
            self.to(&section_title(section));
        }
        let at = self.at;
        self.prefix = format!("{}.", names_of(section).join(","));
        for section in sections {
            let comment = self.comment(section.span);
            if !comment.is_empty() {
                self.sentence("section", Phrase::default().comment(&comment), section.span);
            }
        }
        let clauses = sections.iter().flat_map(|section| &section.clauses);
        let clauses: Vec<&Clause> = clauses.collect();
        let is_impossible = |clause: &&Clause| matches!(clause, Clause::Impossible(_));
        if clauses.iter().any(is_impossible) {
            self.heading("When it is impossible");
        }
        for clause in &clauses {
            if let Clause::Impossible(rows) = clause {
                self.rows(&rows.rows, "impossible.", 0, false);
            }
        }
        let facts = |role: Role| {
            clauses.iter().filter_map(move |clause| match clause {
                Clause::Fact(fact) if fact.role == role => Some(fact),
                _ => None,
            })
        };
        for (role, heading) in [
            (Role::Refuse, "When it is refused"),
            (Role::Illegal, "When it is against the rules"),
        ] {
            if facts(role).next().is_some() {
                self.heading(heading);
            }
            facts(role).for_each(|fact| self.fact(fact));
        }
        let is_end = |fact: &Fact| [OVER, RESTART].contains(&fact.name.text.as_str());
        if facts(Role::Fact).any(|fact| !is_end(fact)) {
            self.heading("What it comes to");
        }
        for fact in facts(Role::Fact) {
            if is_end(fact) {
                self.to(END);
                self.end(section, fact);
                self.at = at;
            } else {
                self.fact(fact);
            }
        }
        if clauses
            .iter()
            .any(|clause| matches!(clause, Clause::New(_)))
        {
            self.heading("What changes");
        }
        for clause in &clauses {
            if let Clause::New(new) = clause {
                self.new_value(new);
            }
        }
        let mut said = Vec::new();
        for clause in &clauses {
            match clause {
                Clause::Begin(rows) => {
                    self.heading_once("What begins again", &mut said);
                    self.rows(&rows.rows, "begin.", 0, false);
                }
                Clause::Report(report) if report.refused => {
                    self.heading_once("What is said when it is refused", &mut said);
                    self.rows(&report.rows, "refused.", 0, false);
                }
                Clause::Report(report) => {
                    self.heading_once("What is said", &mut said);
                    self.rows(&report.rows, "report.", 0, false);
                }
                Clause::Follows(rows) => {
                    self.heading_once("What follows at once", &mut said);
                    self.rows(&rows.rows, "follows.", 0, false);
                }
                Clause::Fact(_) | Clause::Impossible(_) | Clause::New(_) => {}
            }
        }
    }

    /// Writes the fact that ends or restarts a game.
    fn end(&mut self, section: &Section, fact: &Fact) {
        let what = if fact.name.text == OVER {
            "The game is over after "
        } else {
            "The game begins again after "
        };
        let names = section.events.iter().map(|it| it.text.as_str());
        let words = if is_start(section) {
            Phrase::new("The game is over as soon as it begins")
        } else {
            Phrase::new(what).list(names)
        };
        let comment = self.comment(fact.span);
        let span = written_in(&fact.definition, fact.span);
        match &fact.definition {
            Definition::Expression(condition) => {
                let words = match condition.kind {
                    ExprKind::YesNo(true) => words,
                    ExprKind::YesNo(false) if !is_start(section) => never(section, fact),
                    _ => words.words(" when ").value(condition),
                };
                self.sentence(&fact.name.text, words.comment(&comment), condition.span);
            }
            Definition::Table(table) => {
                let how = match table.how {
                    How::All => " when all of these hold:",
                    _ => " when one of these holds:",
                };
                let words = words.words(how);
                if !comment.is_empty() {
                    let about = Phrase::default().comment(&comment);
                    self.sentence("#", about, fact.span);
                }
                self.sentence(&fact.name.text, words, span);
                self.table_rows(table, &fact.name.text);
            }
            Definition::By(table) => {
                let words = words.comment(&comment).words(" as this table says");
                self.sentence(&fact.name.text, words, span);
                self.by_table(table, &fact.name.text);
            }
        }
    }

    pub(super) fn fact(&mut self, fact: &Fact) {
        let name = in_words(&fact.name.text);
        let parameters = fact.parameters.iter().map(|it| in_words(&it.name.text));
        let parameters: Vec<String> = parameters.collect();
        let name = with_parameters(&name, &parameters);
        let above = comments::above(self.sources, fact.span);
        let comment = comments::beside(self.sources, fact.span);
        let before = fact.name.text.clone();
        let path = std::mem::take(&mut self.prefix);
        self.prefix = format!("{path}{before}");
        // A comment above is often about the following facts, too.
        if !above.is_empty() {
            self.sentence("#", Phrase::default().comment(&above), fact.span);
        }
        self.definition("", &name, &fact.definition, fact.span, &comment);
        self.prefix = path;
    }

    /// Writes a definition; `before` precedes its name.
    pub(super) fn definition(
        &mut self,
        before: &str,
        name: &str,
        definition: &Definition,
        span: Span,
        comment: &str,
    ) {
        let span = written_in(definition, span);
        let words = Phrase::default().words(before).name(name);
        match definition {
            Definition::Expression(value) => {
                let words = words.words(": ").value(value).comment(comment);
                let mut entry = self.entry("", vec![words.done()], span, 0);
                let cites = self.sources.cited(value.span);
                entry.cites = cites.map(str::to_string);
                self.put(Part::Point(entry));
            }
            Definition::Table(table) => {
                let words = match comment {
                    "" => words,
                    _ => words.words(" (").remark(comment).words(")"),
                };
                self.point("", words.words(combined(table.how)), span, 0);
                let yes_no = matches!(table.how, How::Any | How::All);
                self.rows(&table.rows, ".", 1, yes_no);
            }
            Definition::By(table) => {
                let words = words.words(" is as this table says").comment(comment);
                self.point("", words, span, 0);
                self.by_table(table, "");
            }
        }
    }

    fn table_rows(&mut self, table: &Table, path: &str) {
        let yes_no = matches!(table.how, How::Any | How::All);
        self.rows(&table.rows, &format!("{path}."), 0, yes_no);
    }

    fn new_value(&mut self, new: &New) {
        let mut name = in_words(&new.name.text);
        if let Some(entry) = &new.entry {
            let keys = entry.keys.iter();
            let keys: Vec<String> = keys
                .map(|key| Phrase::default().value(key).unmarked())
                .collect();
            name = format!("{name}{}{}", of(&name), keys.join(", "));
        } else if !new.parameters.is_empty() {
            let names: Vec<&str> = new.parameters.iter().map(|it| it.text.as_str()).collect();
            name = format!("{name}{}each {}", of(&name), names.join(", "));
        }
        let comment = self.comment(new.span);
        let path = std::mem::take(&mut self.prefix);
        self.prefix = format!("{path}new {name}");
        let words = Phrase::new("New ").name(&name);
        match &new.definition {
            Definition::Expression(value) => {
                let words = words.words(": ").value(value).comment(&comment);
                let span = written_in(&new.definition, new.span);
                let mut entry = self.entry("", vec![words.done()], span, 0);
                let cites = self.sources.cited(value.span);
                entry.cites = cites.map(str::to_string);
                self.put(Part::Point(entry));
            }
            Definition::Table(table) if table.how == How::One => {
                if let [row] = table.rows.as_slice() {
                    let words = words.words(": ").value(&row.value);
                    let words = words.bindings(&row.bindings, ", for each ");
                    let words = words.conditions(&row.conditions, ", ").comment(&comment);
                    self.point("", words, row.span, 0);
                } else {
                    let words = words.words(", or as before:").comment(&comment);
                    let span = written_in(&new.definition, new.span);
                    self.point("", words, span, 0);
                    self.rows(&table.rows, ".", 1, false);
                }
            }
            definition => self.definition("New ", &name, definition, new.span, &comment),
        }
        self.prefix = path;
    }

    /// Writes rows as list items. Rows that are only yes or no become one sentence.
    pub(super) fn rows(&mut self, rows: &[Row], path: &str, level: usize, yes_no: bool) {
        let mut goes_on = false;
        for row in rows {
            let is_begun = std::mem::replace(&mut goes_on, row.inline);
            let mut words = Phrase::default().name(&row.label.text).words(": ");
            let is_sentence = matches!(&row.value.kind, ExprKind::Text(text) if speaks(text));
            let is_empty = matches!(&row.value.kind, ExprKind::Text(text) if text.parts.is_empty());
            if path.ends_with("impossible.") && is_sentence {
                if let ExprKind::Text(text) = &row.value.kind {
                    words = words.text(text);
                }
            } else if yes_no && row.conditions.says.is_some() {
                words = words.conditions(&row.conditions, "");
            } else if is_empty && path == "report." {
                words = words
                    .words(if is_begun {
                        "the end of the line"
                    } else {
                        "an empty line"
                    })
                    .conditions(&row.conditions, ", ");
            } else {
                words = words.value(&row.value);
                words = words.bindings(&row.bindings, ", for each ");
                words = words.conditions(&row.conditions, ", ");
            }
            let comment = self.comment(row.span);
            let words = words.seen(row.sight.as_ref(), &[]).comment(&comment);
            self.point(&format!("{path}{}", row.label.text), words, row.span, level);
        }
    }

    /// Writes a table by columns.
    fn by_table(&mut self, table: &ByTable, path: &str) {
        let mut head: Vec<String> = table
            .keys
            .iter()
            .map(|key| sentence(&Phrase::default().value(key).unmarked()))
            .collect();
        head.push("Then".to_string());
        let mut rows = Vec::new();
        for (place, row) in table.rows.iter().enumerate() {
            let mut cells: Vec<Vec<Words>> = row
                .cells
                .iter()
                .map(|cell| Phrase::default().cell(cell).done())
                .collect();
            let then = Phrase::default().value(&row.value);
            cells.push(then.conditions(&row.conditions, ", ").done());
            let label = row.label.as_ref().map(|label| label.text.clone());
            let label = label.unwrap_or_else(|| {
                let cells: Vec<String> = row.cells.iter().map(print::cell).collect();
                if cells.is_empty() {
                    place.to_string()
                } else {
                    cells.join(",")
                }
            });
            rows.push(self.entry(&format!("{path}.{label}"), cells, row.span, 0));
        }
        self.put(Part::Table { head, rows });
    }
}

/// Says that the events of a section never end the game, or never begin it again.
fn never(section: &Section, fact: &Fact) -> Phrase {
    let names = section.events.iter().map(|it| it.text.as_str());
    let does = match section.events.as_slice() {
        [_] => " does not ",
        _ => " do not ",
    };
    let what = match fact.name.text.as_str() {
        OVER => "end the game",
        _ => "begin the game again",
    };
    Phrase::default().list(names).words(does).words(what)
}

/// The place of a definition: its own, if a variant put it there, or else that of what it defines.
pub(super) fn written_in(definition: &Definition, span: Span) -> Span {
    let own = match definition {
        Definition::Expression(value) => value.span,
        Definition::Table(table) => table.span,
        Definition::By(table) => table.span,
    };
    if own.source == span.source { span } else { own }
}

/// Whether a text is more than a single word or hole.
fn speaks(text: &Text) -> bool {
    let words = text.parts.iter().map(|part| match part {
        crate::syntax::ast::TextPart::Literal { text, .. } => text.split_whitespace().count(),
        crate::syntax::ast::TextPart::Hole(_) => 0,
    });
    words.sum::<usize>() > 1
}
