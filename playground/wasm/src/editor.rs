//! What an editor asks.

use referee::ide::Sort;
use serde_json::{Value, json};

use crate::{
    place::{byte, place, told},
    rules::{Files, Rules, Shelf},
};

/// What is wrong with the open files, each asked about itself, and with the game that is made of them.
pub(crate) fn check(shelf: &mut Shelf, rules: &Rules) -> Value {
    shelf.open(&rules.files);
    let mut found: Vec<Value> = Vec::new();
    for file in rules.files.keys() {
        for data in shelf.workspace.check(file) {
            found.push(told(&data, &|file| shelf.text(file)));
        }
    }
    if let Err(Value::Array(wrong)) = shelf.game(rules) {
        found.extend(wrong);
    }
    let mut each: Vec<Value> = Vec::new();
    for one in found {
        if !each.contains(&one) {
            each.push(one);
        }
    }
    each.into()
}

pub(crate) fn format(shelf: &mut Shelf, files: &Files, file: &str) -> Value {
    shelf.open(files);
    match shelf.workspace.formatted(file) {
        Ok(text) => json!({ "text": text }),
        Err(invalid) => json!({ "wrong": invalid.diagnostics.first().map(|one| &one.message) }),
    }
}

/// The text of a file, and the byte at a place of it.
fn at(shelf: &mut Shelf, files: &Files, file: &str, at: usize) -> (String, usize) {
    shelf.open(files);
    let text = shelf.text(file).unwrap_or_default();
    let offset = byte(&text, at);
    (text, offset)
}

pub(crate) fn hover(shelf: &mut Shelf, files: &Files, file: &str, offset: usize) -> Value {
    let (text, offset) = at(shelf, files, file, offset);
    let hover = shelf.workspace.hover(file, offset);
    hover.map_or(Value::Null, |hover| {
        let (from, to) = (
            place(&text, hover.range.start),
            place(&text, hover.range.end),
        );
        json!({ "from": from, "to": to, "text": hover.text })
    })
}

pub(crate) fn complete(shelf: &mut Shelf, files: &Files, file: &str, offset: usize) -> Value {
    let (_, offset) = at(shelf, files, file, offset);
    let found = shelf.workspace.completions(file, offset).into_iter();
    let found = found.map(|one| {
        json!({
            "name": one.name, "sort": sort(one.sort), "rank": one.rank,
            "detail": one.detail, "meaning": one.meaning,
        })
    });
    found.collect()
}

pub(crate) fn call(shelf: &mut Shelf, files: &Files, file: &str, offset: usize) -> Value {
    let (_, offset) = at(shelf, files, file, offset);
    let call = shelf.workspace.call(file, offset);
    call.map_or(Value::Null, |call| {
        let parameters = call.parameters.iter();
        let parameters = parameters.filter_map(|range| call.form.get(range.clone()));
        json!({
            "form": call.form, "present": call.present, "meaning": call.meaning,
            "parameters": parameters.collect::<Vec<_>>(),
        })
    })
}

pub(crate) fn define(shelf: &mut Shelf, files: &Files, file: &str, offset: usize) -> Value {
    let (_, offset) = at(shelf, files, file, offset);
    let places = shelf.workspace.definitions(file, offset).into_iter();
    let places = places.map(|found| {
        let text = shelf.text(&found.file).unwrap_or_default();
        let line = text.get(..found.range.start).unwrap_or("");
        json!({ "file": found.file, "line": line.matches('\n').count() + 1 })
    });
    places.collect()
}

/// Each name of a file as where it begins, where it ends, and what it is; in order.
pub(crate) fn names(shelf: &mut Shelf, files: &Files, file: &str) -> Value {
    shelf.open(files);
    let text = shelf.text(file).unwrap_or_default();
    // In step with the names, so that the text is gone through once.
    let (mut done, mut count) = (0, 0);
    let mut to_place = |byte: usize| {
        let between = text.get(done..byte).unwrap_or("");
        count += between.chars().map(char::len_utf16).sum::<usize>();
        done = byte;
        count
    };
    let names = shelf.workspace.names(file).into_iter();
    let names = names.map(|(range, what)| {
        let from = to_place(range.start);
        json!([from, to_place(range.end), sort(what)])
    });
    names.collect()
}

/// What a name is, in few sorts, as the page colours it.
fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Kind | Sort::Type => "type",
        Sort::Member => "member",
        Sort::Attribute | Sort::Field | Sort::Row | Sort::Cell | Sort::Play => "property",
        Sort::Event => "event",
        Sort::Fact | Sort::Policy => "fact",
        Sort::Builtin => "builtin",
        Sort::Keyword => "keyword",
        Sort::Option | Sort::Given | Sort::State | Sort::Round => "state",
        Sort::Local | Sort::EventField => "local",
        Sort::Game | Sort::Transcript | Sort::Example => "game",
    }
}
