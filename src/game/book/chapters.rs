//! The chapters of a book, from the items of a rule file.

use super::{
    Chapter, Entry, Part, Place, Words, comments,
    phrases::{Phrase, combined, in_words, sentence},
};
use crate::{
    game::{GameOption, START},
    source::{Sources, Span},
    syntax::{
        ast::{
            ByTable, Clause, Definition, Event, Example, ExprKind, Fact, How, Item, Kind, Members,
            New, Parameter, Role, Rounds, Row, Section, Step, Table, Text, Transcript, Unit,
        },
        print,
    },
};

/// The title of the chapter on how a game begins.
pub(super) const BEGINNING: &str = "How a game begins";

const OPTIONS: &str = "What can be chosen";
const THINGS: &str = "What there is";
const STATE: &str = "What is kept";
const TERMS: &str = "What the words mean";
const END: &str = "How it ends";
const CHOICE: &str = "How events are chosen";
const FORM: &str = "How it is written down";
/// The title of the chapter of examples.
pub(super) const EXAMPLES: &str = "Examples";

/// The chapters that come before those of events, and after them.
const FIRST: [&str; 4] = [OPTIONS, THINGS, STATE, BEGINNING];
const LAST: [&str; 5] = [TERMS, END, CHOICE, FORM, EXAMPLES];

/// Of what has no end: after its last comes its first.
const ROUND: &str = ", in this order, round and round";

/// The name of the fact that ends a game, and of that which begins it again.
const OVER: &str = "over";
const RESTART: &str = "restart";

fn state_name(item: &Item) -> Option<&str> {
    match item {
        Item::State(state) => Some(&state.name.text),
        _ => None,
    }
}

/// Writes the chapters of a book.
pub(super) struct Writer<'s> {
    sources: &'s Sources,
    options: &'s [GameOption],
    chapters: Vec<Chapter>,
    /// The chapter that is written to.
    at: usize,
    /// What paths begin with.
    prefix: String,
}

impl<'s> Writer<'s> {
    /// A writer; the options have these values.
    pub(super) fn new(sources: &'s Sources, options: &'s [GameOption]) -> Writer<'s> {
        Writer {
            sources,
            options,
            chapters: Vec::new(),
            at: 0,
            prefix: String::new(),
        }
    }

    /// The chapters on `items`.
    pub(super) fn book(mut self, items: &[Item]) -> Vec<Chapter> {
        for title in FIRST {
            self.to(title);
        }
        for item in items {
            match item {
                Item::Event(event) => self.to(&sentence(&in_words(&event.name.text))),
                Item::Section(section) if is_start(section) => {}
                Item::Section(section) => self.to(&section_title(section)),
                _ => {}
            }
        }
        for title in LAST {
            self.to(title);
        }
        self.options(items);
        self.state(items);
        let mut told: Vec<Vec<&str>> = Vec::new();
        let states: Vec<&str> = items.iter().filter_map(state_name).collect();
        for item in items {
            let Item::Section(section) = item else {
                // How messages draw a state is no rule.
                let is_drawing =
                    matches!(item, Item::Write(one) if states.contains(&one.ty.text.as_str()));
                if !is_drawing {
                    self.item(item);
                }
                continue;
            };
            // What several sections say of the same events is told together.
            let names = names_of(section);
            if !told.contains(&names) {
                let of_same = items.iter().filter_map(|item| match item {
                    Item::Section(section) if names_of(section) == names => Some(section),
                    _ => None,
                });
                self.section(&of_same.collect::<Vec<_>>());
                told.push(names);
            }
        }
        self.chapters.retain(|chapter| !chapter.parts.is_empty());
        self.chapters
    }

    /// Goes to the chapter of this title, which is there from now on.
    fn to(&mut self, title: &str) {
        let found = self.chapters.iter().position(|it| it.title == title);
        self.at = found.unwrap_or_else(|| {
            self.chapters.push(Chapter {
                title: title.to_string(),
                parts: Vec::new(),
            });
            self.chapters.len() - 1
        });
    }

    fn put(&mut self, part: Part) {
        if let Some(chapter) = self.chapters.get_mut(self.at) {
            chapter.parts.push(part);
        }
    }

    fn heading(&mut self, words: &str) {
        self.put(Part::Heading(words.to_string()));
    }

    /// A heading, if it is none of those that were `said`.
    fn heading_once(&mut self, words: &'static str, said: &mut Vec<&'static str>) {
        if !said.contains(&words) {
            said.push(words);
            self.heading(words);
        }
    }

    fn entry(&self, path: &str, cells: Vec<Vec<Words>>, span: Span, level: usize) -> Entry {
        let source = self.sources.get(span.source);
        Entry {
            path: format!("{}{path}", self.prefix),
            cells,
            level,
            cites: self.sources.cited(span).map(str::to_string),
            place: Place {
                file: source.map_or(String::new(), |source| source.name.clone()),
                line: self.sources.position(span).line,
                text: dedented(self.sources, span),
            },
            change: None,
        }
    }

    fn sentence(&mut self, path: &str, words: Phrase, span: Span) {
        let entry = self.entry(path, vec![words.ended().done()], span, 0);
        self.put(Part::Sentence(entry));
    }

    fn point(&mut self, path: &str, words: Phrase, span: Span, level: usize) {
        let entry = self.entry(path, vec![words.done()], span, level);
        self.put(Part::Point(entry));
    }

    fn comment(&self, span: Span) -> String {
        comments::of(self.sources, span)
    }

    /// The table of options.
    fn options(&mut self, items: &[Item]) {
        self.to(OPTIONS);
        let mut rows = Vec::new();
        for item in items {
            let Item::Option(option) = item else { continue };
            let set = self.options.iter().find(|it| it.name == option.name.text);
            let value = match set {
                Some(set) => Phrase::new(&set.value),
                None => Phrase::default().words(&print::expression(&option.value)),
            };
            let cells = vec![
                Phrase::default().name(&option.name.text).done(),
                value.done(),
                Phrase::default().ty(&option.ty).done(),
                Phrase::default().comment(&self.comment(option.span)).done(),
            ];
            rows.push(self.entry(&option.name.text, cells, option.span, 0));
        }
        self.table(&["Option", "Value", "Possible", "Meaning"], rows);
    }

    /// The table of states.
    fn state(&mut self, items: &[Item]) {
        self.to(STATE);
        let mut rows = Vec::new();
        for item in items {
            let (name, parameters, first, span) = match item {
                Item::State(state) => {
                    let first = match &state.initial {
                        Definition::Expression(value) => Phrase::default().value(value),
                        Definition::Table(_) | Definition::By(_) => Phrase::new("as told below"),
                    };
                    (&state.name, state.parameters.as_slice(), first, state.span)
                }
                Item::Just(just) => {
                    let first = Phrase::new("no, and again after every other event");
                    (&just.name, [].as_slice(), first, just.span)
                }
                _ => continue,
            };
            let mut named = Phrase::default().name(&name.text);
            for (place, parameter) in parameters.iter().enumerate() {
                named = named.words(if place == 0 {
                    " of each "
                } else {
                    " and each "
                });
                named = named.ty(&parameter.ty);
            }
            let cells = vec![
                named.done(),
                first.done(),
                Phrase::default().comment(&self.comment(span)).done(),
            ];
            rows.push(self.entry(&name.text, cells, span, 0));
        }
        self.table(&["What", "At the beginning", "Meaning"], rows);
        for item in items {
            if let Item::State(state) = item
                && !matches!(state.initial, Definition::Expression(_))
            {
                let name = format!("{} at the beginning", state.name.text);
                self.prefix = format!("{} first", state.name.text);
                self.definition("", &name, &state.initial, state.span, "");
            }
        }
    }

    fn table(&mut self, head: &[&str], rows: Vec<Entry>) {
        if rows.is_empty() {
            return;
        }
        // A column in which nothing stands is left out.
        let filled: Vec<bool> = (0..head.len())
            .map(|column| {
                let mut cells = rows.iter().filter_map(|row| row.cells.get(column));
                cells.any(|cell| !cell.is_empty())
            })
            .collect();
        let is_filled = |column: usize| filled.get(column).copied().unwrap_or(true);
        let keep = |rows: Vec<Entry>| -> Vec<Entry> {
            let narrow = |mut row: Entry| {
                let cells = row.cells.into_iter().enumerate();
                let cells = cells.filter(|(column, _)| is_filled(*column));
                row.cells = cells.map(|(_, cell)| cell).collect();
                row
            };
            rows.into_iter().map(narrow).collect()
        };
        let head = head.iter().enumerate();
        let head = head.filter(|(column, _)| is_filled(*column));
        self.put(Part::Table {
            head: head.map(|(_, title)| (*title).to_string()).collect(),
            rows: keep(rows),
        });
    }

    fn item(&mut self, item: &Item) {
        self.prefix.clear();
        match item {
            Item::Kind(kind) => self.kind(kind),
            Item::Product(one) => {
                self.to(THINGS);
                let mut words = Phrase::default().one(&one.name.text).words(" has ");
                words = fields(words, &one.fields);
                if let Some(condition) = &one.condition {
                    words = words.words(", where ").condition(condition);
                }
                let words = words.comment(&self.comment(one.name.span));
                self.sentence(&one.name.text, words, one.name.span);
            }
            Item::Alias(one) => {
                self.to(THINGS);
                let words = Phrase::default().one(&one.name.text).words(" is ");
                let words = words.ty(&one.ty).comment(&self.comment(one.name.span));
                self.sentence(&one.name.text, words, one.name.span);
            }
            Item::Grid(one) => {
                self.to(THINGS);
                let words = Phrase::default().one(&one.name.text);
                let words = words.words(" is a place on a grid, with ");
                let axes: Vec<Parameter> = one.axes.iter().map(|axis| axis.field.clone()).collect();
                let words = fields(words, &axes).comment(&self.comment(one.name.span));
                self.sentence(&one.name.text, words, one.name.span);
            }
            Item::Write(one) => {
                self.to(THINGS);
                let words = Phrase::default().one(&one.ty.text).words(" is written ");
                let words = words.value(&one.form).comment(&self.comment(one.span));
                self.sentence(&format!("write {}", one.ty.text), words, one.span);
            }
            Item::Given(one) => {
                self.to(THINGS);
                let words = Phrase::new("Before a game begins, this is told: ");
                let mut words = words.name(&one.name.text);
                for parameter in &one.parameters {
                    words = words.words(" of each ").ty(&parameter.ty);
                }
                words = words.words(" (").ty(&one.ty).words(")");
                let words = words.comment(&self.comment(one.span));
                self.sentence(&one.name.text, words, one.span);
            }
            Item::Round(one) => {
                self.to(THINGS);
                let mut words = Phrase::default().one(&one.name.text);
                words = words.words(" is a part of the game that begins again");
                if let Some(within) = &one.within {
                    words = words.words(", and anew with each ").name(&within.text);
                }
                let words = words.comment(&self.comment(one.span));
                self.sentence(&one.name.text, words, one.span);
            }
            Item::Event(event) => self.event(event),
            Item::Fact(fact) => {
                self.to(TERMS);
                self.fact(fact);
            }
            Item::Policy(policy) => {
                self.to(CHOICE);
                self.prefix = format!("{}.", policy.name.text);
                let words = Phrase::default().name(&policy.name.text);
                let words = words.words(": the first of these that can be done");
                let words = words.comment(&self.comment(policy.span));
                self.sentence("", words, policy.span);
                self.rows(&policy.rows, "", 0, false);
            }
            Item::Transcript(transcript) => self.transcript(transcript),
            Item::Limit(limit) => {
                self.to(END);
                let words = format!("A game has at most {} events.", limit.events);
                self.sentence("limit", Phrase::new(&words), limit.span);
            }
            Item::Example(example) => self.example(example),
            Item::Option(_)
            | Item::Use(_)
            | Item::State(_)
            | Item::Just(_)
            | Item::Section(_)
            | Item::Change(_) => {}
        }
    }

    fn kind(&mut self, kind: &Kind) {
        self.to(THINGS);
        let name = &kind.name.text;
        let comment = self.comment(kind.span);
        let words = Phrase::default().one(name);
        let members = match &kind.members {
            Members::Count(count) => {
                let words = words.words(" is one of ").value(count).words(ROUND);
                self.sentence(name, words.comment(&comment), kind.span);
                return;
            }
            Members::Listed(members) => members,
        };
        let order = if kind.ring { ROUND } else { "" };
        if kind.attributes.is_empty() {
            let names = members.iter().map(|member| member.name.text.as_str());
            let words = words.words(" is one of ").list(names).words(order);
            self.sentence(name, words.comment(&comment), kind.span);
            return;
        }
        let words = words.words(" is one of these").words(order);
        let words = words.comment(&comment).words(":");
        self.sentence(name, words, kind.span);
        let mut head = vec![sentence(&in_words(name))];
        let attributes = kind.attributes.iter();
        head.extend(attributes.map(|it| sentence(&in_words(&it.name.text))));
        let rows = members.iter().map(|member| {
            let mut cells = vec![Phrase::default().name(&member.name.text).done()];
            let values = member.values.iter().map(|value| match &value.kind {
                ExprKind::Text(text) => Phrase::default().text(text),
                _ => Phrase::default().value(value),
            });
            cells.extend(values.map(Phrase::done));
            self.entry(
                &format!("{name}.{}", member.name.text),
                cells,
                member.span,
                0,
            )
        });
        let rows = rows.collect();
        self.put(Part::Table { head, rows });
    }

    fn event(&mut self, event: &Event) {
        self.to(&sentence(&in_words(&event.name.text)));
        self.prefix = format!("{}.", event.name.text);
        let comment = self.comment(event.span);
        if !comment.is_empty() {
            self.sentence("", Phrase::default().comment(&comment), event.span);
        }
        if !event.fields.is_empty() {
            let words = fields(Phrase::new("It is told with "), &event.fields);
            self.sentence("fields", words, event.span);
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
        let mut words = Phrase::new(when).condition(&guard.condition);
        if let Some(says) = &guard.says {
            words = words.words(": otherwise ").text(says);
        }
        self.sentence("guard", words, span);
    }

    /// What sections say of the same events.
    fn section(&mut self, sections: &[&Section]) {
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

    /// The fact that ends a game, or begins it again.
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
        match &fact.definition {
            Definition::Expression(condition) => {
                let words = words.words(" when ").condition(condition);
                self.sentence(&fact.name.text, words.comment(&comment), condition.span);
            }
            Definition::Table(table) => {
                let how = match table.how {
                    How::All => " when all of these hold:",
                    _ => " when one of these holds:",
                };
                let words = words.comment(&comment).words(how);
                self.sentence(&fact.name.text, words, fact.span);
                self.table_rows(table, &fact.name.text);
            }
            Definition::By(table) => {
                let words = words.comment(&comment).words(" as this table says");
                self.sentence(&fact.name.text, words, fact.span);
                self.by_table(table, &fact.name.text);
            }
        }
    }

    fn fact(&mut self, fact: &Fact) {
        let mut name = in_words(&fact.name.text);
        if !fact.parameters.is_empty() {
            let parameters = fact.parameters.iter().map(|it| in_words(&it.name.text));
            let parameters: Vec<String> = parameters.collect();
            name = format!("{name}({})", parameters.join(", "));
        }
        let above = comments::above(self.sources, fact.span);
        let comment = comments::beside(self.sources, fact.span);
        let before = fact.name.text.clone();
        let path = std::mem::take(&mut self.prefix);
        self.prefix = format!("{path}{before}");
        // What stands above is often about the facts after it, too.
        if !above.is_empty() {
            self.sentence("#", Phrase::default().comment(&above), fact.span);
        }
        self.definition("", &name, &fact.definition, fact.span, &comment);
        self.prefix = path;
    }

    /// What something is; `before` stands before its name.
    fn definition(
        &mut self,
        before: &str,
        name: &str,
        definition: &Definition,
        span: Span,
        comment: &str,
    ) {
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
            let keys: Vec<String> = entry.keys.iter().map(print::expression).collect();
            name = format!("{name} of {}", keys.join(", "));
        } else if !new.parameters.is_empty() {
            let names: Vec<&str> = new.parameters.iter().map(|it| it.text.as_str()).collect();
            name = format!("{name} of each {}", names.join(", "));
        }
        let comment = self.comment(new.span);
        let path = std::mem::take(&mut self.prefix);
        self.prefix = format!("{path}new {name}");
        let words = Phrase::new("New ").name(&name);
        match &new.definition {
            Definition::Expression(value) => {
                let words = words.words(": ").value(value).comment(&comment);
                let mut entry = self.entry("", vec![words.done()], new.span, 0);
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
                    self.point("", words, new.span, 0);
                    self.rows(&table.rows, ".", 1, false);
                }
            }
            definition => self.definition("New ", &name, definition, new.span, &comment),
        }
        self.prefix = path;
    }

    /// Rows, a point each. Of rows that are only yes or no, a sentence tells all.
    fn rows(&mut self, rows: &[Row], path: &str, level: usize, yes_no: bool) {
        for row in rows {
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
                    .words("an empty line")
                    .conditions(&row.conditions, ", ");
            } else {
                words = words.value(&row.value);
                words = words.bindings(&row.bindings, ", for each ");
                words = words.conditions(&row.conditions, ", ");
            }
            let comment = self.comment(row.span);
            let words = words.comment(&comment);
            self.point(&format!("{path}{}", row.label.text), words, row.span, level);
        }
    }

    /// A table that is read by its columns.
    fn by_table(&mut self, table: &ByTable, path: &str) {
        let mut head: Vec<String> = table
            .keys
            .iter()
            .map(|key| sentence(&in_words(&print::expression(key))))
            .collect();
        head.push("Then".to_string());
        let mut rows = Vec::new();
        for (place, row) in table.rows.iter().enumerate() {
            let mut cells: Vec<Vec<Words>> = row
                .cells
                .iter()
                .map(|cell| Phrase::new(&print::cell(cell)).done())
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

    fn transcript(&mut self, transcript: &Transcript) {
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
                    let mut words = Phrase::new("Then, until ").condition(&play.until);
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

    fn example(&mut self, example: &Example) {
        self.to(EXAMPLES);
        self.prefix = format!("example {}.", example.name.text);
        let title = match &example.title {
            Some(title) => Phrase::default().text(title),
            None => Phrase::new(&sentence(&in_words(&example.name.text))),
        };
        self.point("", title, example.span, 0);
        if !example.given.is_empty() {
            let given: Vec<String> = example.given.iter().map(print::assignment).collect();
            let words = Phrase::new("Given ");
            self.point("given", codes(words, &given), example.span, 1);
        }
        if let Some(event) = &example.event {
            let words = Phrase::new("When ").code(print::expression(event));
            self.point("when", words, event.span, 1);
        }
        let expected: Vec<String> = example.expected.iter().map(print::expectation).collect();
        let words = codes(Phrase::new("Then "), &expected);
        self.point("expect", words, example.span, 1);
    }
}

/// Parts of a rule file, with commas between them.
fn codes(mut words: Phrase, codes: &[String]) -> Phrase {
    for (place, code) in codes.iter().enumerate() {
        let comma = if place > 0 { ", " } else { "" };
        words = words.words(comma).code(code.clone());
    }
    words
}

/// Fields with their types.
fn fields(mut words: Phrase, fields: &[Parameter]) -> Phrase {
    for (place, field) in fields.iter().enumerate() {
        let between = match place {
            0 => "",
            _ if place + 1 == fields.len() => " and ",
            _ => ", ",
        };
        words = words.words(between).name(&field.name.text);
        words = words.words(" (").ty(&field.ty).words(")");
    }
    words
}

/// Whether a text is more than a word or a hole.
fn speaks(text: &Text) -> bool {
    let words = text.parts.iter().map(|part| match part {
        crate::syntax::ast::TextPart::Literal { text, .. } => text.split_whitespace().count(),
        crate::syntax::ast::TextPart::Hole(_) => 0,
    });
    words.sum::<usize>() > 1
}

fn names_of(section: &Section) -> Vec<&str> {
    section.events.iter().map(|it| it.text.as_str()).collect()
}

fn is_start(section: &Section) -> bool {
    section.events.iter().all(|event| event.text == START)
}

/// The title of the chapter of a section: the events that it belongs to.
fn section_title(section: &Section) -> String {
    let names: Vec<String> = section.events.iter().map(|it| in_words(&it.text)).collect();
    sentence(&names.join(", "))
}

/// What stands at a place, its lines as far in as they are from the first.
fn dedented(sources: &Sources, span: Span) -> String {
    let column = sources.position(span).column.saturating_sub(1);
    let mut lines = Vec::new();
    for (place, line) in sources.text(span).lines().enumerate() {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        let skipped = if place == 0 { 0 } else { blanks.min(column) };
        lines.push(line.get(skipped..).unwrap_or("").to_string());
    }
    lines.join("\n")
}
