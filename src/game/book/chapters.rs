//! The chapters of a book, from the items of a rule file.

mod sections;

use super::{
    Chapter, Entry, Part, Place, Words, comments,
    phrases::{Phrase, in_words, of, sentence},
};
use crate::{
    game::{GameOption, START},
    source::{Sources, Span},
    syntax::ast::{Definition, Example, ExprKind, Item, Kind, Members, Parameter, Section},
};

/// The title of the chapter about the start of a game.
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

/// The chapters before and after those about events.
const FIRST: [&str; 4] = [OPTIONS, THINGS, STATE, BEGINNING];
const LAST: [&str; 5] = [TERMS, END, CHOICE, FORM, EXAMPLES];

/// Follows a cyclic list.
const ROUND: &str = ", in this order, round and round";

/// The names of the facts that end and restart a game.
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
    /// The index of the current chapter.
    at: usize,
    /// The prefix of paths.
    prefix: String,
}

impl<'s> Writer<'s> {
    /// A writer for a game with these values of options.
    pub(super) fn new(sources: &'s Sources, options: &'s [GameOption]) -> Writer<'s> {
        Writer {
            sources,
            options,
            chapters: Vec::new(),
            at: 0,
            prefix: String::new(),
        }
    }

    /// The chapters about `items`.
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
            // Sections about the same events are put together.
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

    /// Switches to the chapter with this title, and creates it if necessary.
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

    /// Writes a heading, unless it is in `said`.
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
                None => Phrase::default().value(&option.value),
            };
            let cells = vec![
                Phrase::default().name(&option.name.text).done(),
                value.done(),
                Phrase::default().ty(&option.ty).done(),
                Phrase::default().comment(&self.comment(option.span)).done(),
            ];
            let span = inner_of(option.span, option.value.span);
            rows.push(self.entry(&option.name.text, cells, span, 0));
        }
        self.table(&["Option", "Value", "Possible", "Meaning"], rows);
    }

    /// The table of states.
    fn state(&mut self, items: &[Item]) {
        self.to(STATE);
        let mut rows = Vec::new();
        for item in items {
            let (mut sight, mut place) = (None, None);
            let (name, parameters, first, span) = match item {
                Item::State(state) => {
                    let first = match &state.initial {
                        Definition::Expression(value) => Phrase::default().value(value),
                        Definition::Table(_) | Definition::By(_) => Phrase::new("see below"),
                    };
                    sight = state.sight.as_ref();
                    place = Some(sections::written_in(&state.initial, state.span));
                    (&state.name, state.parameters.as_slice(), first, state.span)
                }
                Item::Just(just) => {
                    let first =
                        Phrase::new("no, and no again after any event that does not set it");
                    (&just.name, [].as_slice(), first, just.span)
                }
                _ => continue,
            };
            let mut named = Phrase::default().name(&name.text);
            for (place, parameter) in parameters.iter().enumerate() {
                let before = if place == 0 { of(&name.text) } else { " and " };
                named = named.words(before).words("each ").ty(&parameter.ty);
            }
            let cells = vec![
                named.seen(sight, parameters).done(),
                first.done(),
                Phrase::default().comment(&self.comment(span)).done(),
            ];
            rows.push(self.entry(&name.text, cells, place.unwrap_or(span), 0));
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
        // An empty column is left out.
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
                    words = words.words(", where ").value(condition);
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
                let span = inner_of(one.span, one.form.span);
                self.sentence(&format!("write {}", one.ty.text), words, span);
            }
            Item::Given(one) => {
                self.to(THINGS);
                let words = Phrase::new(match one.drawn {
                    None => "Before a game begins, this is given: ",
                    Some(_) => "Before a game begins, this is given or drawn by chance: ",
                });
                let mut words = words.name(&one.name.text);
                for parameter in &one.parameters {
                    words = words
                        .words(of(&one.name.text))
                        .words("each ")
                        .ty(&parameter.ty);
                }
                words = words.words(" (").ty(&one.ty).words(")");
                let words = words.seen(one.sight.as_ref(), &one.parameters);
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
        let mut words = words.words(" is one of these").words(order);
        if !comment.is_empty() {
            words = words
                .words(" (")
                .remark(comment.trim_end_matches('.'))
                .words(")");
        }
        let words = words.words(":");
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

    fn example(&mut self, example: &Example) {
        self.to(EXAMPLES);
        self.prefix = format!("example {}.", example.name.text);
        let title = match &example.title {
            Some(title) => Phrase::default().text(title),
            None => Phrase::new(&sentence(&in_words(&example.name.text))),
        };
        self.point("", title, example.span, 0);
        if !example.given.is_empty() {
            let mut words = Phrase::new("Given ");
            for (place, given) in example.given.iter().enumerate() {
                words = words.words(if place > 0 { ", " } else { "" });
                words = words.value(&given.target).words(" is ");
                words = words.value(&given.value);
            }
            self.point("given", words, example.span, 1);
        }
        if let Some(event) = &example.event {
            let words = Phrase::new("When ").value(event);
            self.point("when", words, event.span, 1);
        }
        let mut words = Phrase::new("Then ");
        for (place, expected) in example.expected.iter().enumerate() {
            words = words.words(if place > 0 { ", " } else { "" });
            words = words.expected(&expected.kind);
        }
        self.point("expect", words, example.span, 1);
    }
}

/// The place of a value, if a variant put it there, or else that of what has it.
fn inner_of(span: Span, value: Span) -> Span {
    if value.source == span.source {
        span
    } else {
        value
    }
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
        words = words.words(" (").ty(&field.ty);
        words = words.seen(field.sight.as_ref(), &[]).words(")");
    }
    words
}

fn names_of(section: &Section) -> Vec<&str> {
    section.events.iter().map(|it| it.text.as_str()).collect()
}

fn is_start(section: &Section) -> bool {
    section.events.iter().all(|event| event.text == START)
}

/// The title of a section's chapter: its events.
fn section_title(section: &Section) -> String {
    let names: Vec<String> = section.events.iter().map(|it| in_words(&it.text)).collect();
    sentence(&names.join(", "))
}

/// The source at a place, dedented.
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
