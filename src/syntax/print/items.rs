//! Items, sections, transcripts and changes.

use super::super::ast::{self, ChangeKind, Clause, Header, Item, Step};
use super::Printer;

impl Printer {
    /// The header's line.
    pub(super) fn header(&mut self, header: &Header) {
        let title = match header {
            Header::Game { name, title } => {
                self.put("game ");
                self.name(name);
                title
            }
            Header::Variant {
                name,
                of,
                with,
                title,
            } => {
                self.put("variant ");
                self.name(name);
                self.put(" of ");
                self.name(of);
                if !with.is_empty() {
                    self.put(" with ");
                    self.list(with, ", ", Self::name);
                }
                title
            }
        };
        self.optional(" ", title.as_ref(), Self::quoted);
        self.put("\n");
    }

    /// An item, and the end of its last line.
    pub(super) fn item(&mut self, item: &Item) {
        match item {
            Item::Option(option) => {
                self.declaration("option ", &option.name, &[], Some(&option.ty));
                self.put(" = ");
                self.expr(&option.value);
            }
            Item::Use(one) => {
                self.put("use ");
                self.list(&one.names, ", ", Self::name);
                self.put(" from ");
                self.name(&one.from);
            }
            Item::Kind(kind) => self.kind_of_members(kind),
            Item::Product(product) => {
                self.declaration("type ", &product.name, &product.fields, None);
                self.optional(" where ", product.condition.as_ref(), Self::expr);
            }
            Item::Grid(grid) => self.grid(grid),
            Item::Alias(alias) => {
                self.declaration("type ", &alias.name, &[], None);
                self.put(" = ");
                self.written_type(&alias.ty);
            }
            Item::Write(write) => {
                self.declaration("write ", &write.ty, &[], None);
                self.put(" as ");
                self.expr(&write.form);
            }
            Item::Given(given) => {
                self.declaration("given ", &given.name, &given.parameters, Some(&given.ty));
                self.optional(" = ", given.default.as_ref(), Self::definition);
            }
            Item::State(state) => {
                self.declaration("state ", &state.name, &state.parameters, Some(&state.ty));
                self.put(" = ");
                self.definition(&state.initial);
            }
            Item::Just(just) => self.declaration("just ", &just.name, &[], None),
            Item::Event(event) => self.event(event),
            Item::Section(section) => self.section(section),
            Item::Fact(fact) => self.fact(fact),
            Item::Policy(policy) => {
                self.declaration("policy ", &policy.name, &[], None);
                self.rows(&policy.rows);
            }
            Item::Transcript(transcript) => self.transcript(transcript),
            Item::Limit(limit) => self.put(&format!("limit {}", limit.events)),
            Item::Example(example) => self.example(example),
            Item::Change(change) => self.change(&change.kind),
        }
        self.put("\n");
    }

    /// `word name(x: T): U`
    fn declaration(
        &mut self,
        word: &str,
        name: &ast::Name,
        parameters: &[ast::Parameter],
        ty: Option<&ast::Type>,
    ) {
        self.put(word);
        self.name(name);
        self.parameters(parameters);
        self.optional(": ", ty, Self::written_type);
    }

    fn parameters(&mut self, parameters: &[ast::Parameter]) {
        if !parameters.is_empty() {
            self.put("(");
            self.list(parameters, ", ", Self::parameter);
            self.put(")");
        }
    }

    fn parameter(&mut self, parameter: &ast::Parameter) {
        self.name(&parameter.name);
        self.put(": ");
        self.written_type(&parameter.ty);
    }

    fn kind_of_members(&mut self, kind: &ast::Kind) {
        let word = if kind.ring { "ring " } else { "kind " };
        self.declaration(word, &kind.name, &kind.attributes, None);
        match &kind.members {
            ast::Members::Count(count) => {
                self.put(" of ");
                self.expr(count);
            }
            ast::Members::Listed(members) => self.members(members),
        }
    }

    fn grid(&mut self, grid: &ast::Grid) {
        self.declaration("grid ", &grid.name, &[], None);
        self.put("(");
        self.list(&grid.axes, ", ", |printer, axis| {
            printer.parameter(&axis.field);
            if axis.up {
                printer.put(" up");
            }
        });
        self.put(")");
    }

    fn event(&mut self, event: &ast::Event) {
        self.declaration("event ", &event.name, &event.fields, None);
        if let Some(guard) = &event.guard {
            self.exception(guard.negated, &guard.condition);
            self.optional(" says ", guard.says.as_ref(), Self::quoted);
        }
    }

    fn exception(&mut self, negated: bool, condition: &ast::Expr) {
        self.put(if negated { " unless " } else { " when " });
        self.expr(condition);
    }

    fn section(&mut self, section: &ast::Section) {
        self.put("on ");
        self.list(&section.events, ", ", Self::name);
        self.put(" {");
        self.indent += 1;
        for clause in &section.clauses {
            self.line(0);
            self.clause(clause);
        }
        self.indent -= 1;
        self.line(0);
        self.put("}");
    }

    fn clause(&mut self, clause: &Clause) {
        match clause {
            Clause::Fact(fact) => self.fact(fact),
            Clause::Impossible(rows) => {
                self.put("impossible");
                self.rows(&rows.rows);
            }
            Clause::New(new) => self.new_clause(new),
            Clause::Report(report) => {
                self.put(if report.refused {
                    "report refused"
                } else {
                    "report"
                });
                self.rows(&report.rows);
            }
            Clause::Follows(rows) => {
                self.put("follows");
                self.rows(&rows.rows);
            }
        }
    }

    fn fact(&mut self, fact: &ast::Fact) {
        let word = match fact.role {
            ast::Role::Fact => "fact ",
            ast::Role::Illegal => "illegal ",
            ast::Role::Refuse => "refuse ",
        };
        self.declaration(word, &fact.name, &fact.parameters, fact.ty.as_ref());
        self.put(" = ");
        self.definition(&fact.definition);
    }

    fn new_clause(&mut self, new: &ast::New) {
        self.declaration("new ", &new.name, &[], None);
        if !new.parameters.is_empty() {
            self.put("(");
            self.list(&new.parameters, ", ", Self::name);
            self.put(")");
        }
        match &new.definition {
            ast::Definition::Table(table) if table.how == ast::How::One => self.rows(&table.rows),
            definition => {
                self.put(" = ");
                self.definition(definition);
            }
        }
    }

    fn transcript(&mut self, transcript: &ast::Transcript) {
        self.put("transcript ");
        if let Some(name) = &transcript.name {
            self.name(name);
            self.put(" ");
        }
        self.put(match transcript.unit {
            ast::Unit::Lines => "by lines {",
            ast::Unit::Words => "by words {",
        });
        self.steps(&transcript.steps);
    }

    /// Steps and the brace after them.
    fn steps(&mut self, steps: &[Step]) {
        self.indent += 1;
        for step in steps {
            self.line(0);
            match step {
                Step::Pattern(text) => self.quoted(text),
                Step::Start(_) => self.put("start"),
                Step::Repeat(repeat) => {
                    match &repeat.rounds {
                        ast::Rounds::Times(times) => {
                            self.put("repeat ");
                            self.expr(times);
                            self.put(" times {");
                        }
                        ast::Rounds::Until(words) => {
                            self.put("repeat until ");
                            self.quoted(words);
                            self.put(" {");
                        }
                    }
                    self.steps(&repeat.steps);
                }
                Step::Play(play) => self.play(play),
            }
        }
        self.indent -= 1;
        self.line(0);
        self.put("}");
    }

    fn play(&mut self, play: &ast::Play) {
        self.put("play");
        self.optional(" by ", play.by.as_ref(), Self::name);
        self.put(" until ");
        self.expr(&play.until);
        if let Some(stop) = &play.stop {
            self.put(if stop.before { ", or before " } else { ", or " });
            self.quoted(&stop.words);
            self.optional(" when ", stop.when.as_ref(), Self::expr);
        }
        if !play.rows.is_empty() {
            self.put(" {");
            self.rows(&play.rows);
            self.line(0);
            self.put("}");
        }
    }

    fn change(&mut self, change: &ChangeKind) {
        match change {
            ChangeKind::Set { name, of, value } => {
                self.declaration("set ", name, &[], None);
                self.optional(" of ", of.as_ref(), Self::name);
                self.put(" = ");
                self.expr(value);
            }
            ChangeKind::Remove { path } => {
                self.put("remove ");
                self.path(path);
            }
            ChangeKind::ReplaceDefinition { path, definition } => {
                self.put("replace ");
                self.path(path);
                self.put(" = ");
                self.definition(definition);
            }
            ChangeKind::ReplaceRow { path, row } => {
                self.put("replace ");
                self.path(path);
                self.put(": ");
                match row {
                    ast::AddedRow::Row(row) => self.row_body(row),
                    ast::AddedRow::By(row) => self.by_row_body(row),
                    ast::AddedRow::Member(member) => self.member(member),
                }
            }
            ChangeKind::Add { path, place, rows } => self.add(path, place.as_ref(), rows),
            ChangeKind::Except {
                path,
                negated,
                condition,
            } => {
                self.put("except ");
                self.path(path);
                self.exception(*negated, condition);
            }
        }
    }

    fn add(&mut self, path: &ast::Path, place: Option<&ast::Place>, rows: &[ast::AddedRow]) {
        self.put("add to ");
        self.path(path);
        if let Some(place) = place {
            self.put(if place.before { " before " } else { " after " });
            self.name(&place.label);
        }
        for row in rows {
            self.line(1);
            match row {
                ast::AddedRow::Row(row) => self.row(row),
                ast::AddedRow::By(row) => self.by_row(row),
                ast::AddedRow::Member(member) => self.member(member),
            }
        }
    }

    fn path(&mut self, path: &ast::Path) {
        self.list(&path.parts, ".", Self::name);
    }
}
