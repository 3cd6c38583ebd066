//! What happened, as data. Every case of `transcripts/`, run with `--format jsonl`: each object is as
//! `docs/events.schema.json` says, what was said is the report, and the changes lead from each state to the next.
//! `events/<folder>/<case>.snap` shows the objects of `transcripts/<folder>/<case>.txt`, for one case or more of every
//! shipped game; adding a case is adding an empty snapshot.

mod support;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use rayon::prelude::*;
use referee::{
    game::{Game, Watched},
    library::Library,
    stream::Item,
};
use serde_json::Value;
use support::{Folder, run, schema, violations};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where rows stand, by their numbers.
type Places = BTreeMap<u64, Value>;

/// The objects of a run.
fn items(watched: &Watched<'_>, form: Option<&str>, transcript: &[u8]) -> Vec<Value> {
    let mut items = Vec::new();
    let _ = watched.run(
        form,
        support::TRANSCRIPT,
        &mut &*transcript,
        &mut |item: Item| {
            items.push(serde_json::to_value(&item)?);
            Ok(())
        },
    );
    items
}

/// What was said in some events, as a report.
fn report(items: &[Value]) -> String {
    let mut report = String::new();
    for said in items
        .iter()
        .filter_map(|item| item["said"].as_array())
        .flatten()
    {
        report.push_str(said["text"].as_str().expect("a text is a text"));
        if said["inline"] != true {
            report.push('\n');
        }
    }
    report
}

/// Applies the changes of some events one after the other; each must begin with what was so before.
fn replay(items: &[Value]) {
    let mut state = Value::Null;
    for item in items {
        for change in item["changes"].as_array().into_iter().flatten() {
            let name = change["state"].as_str().expect("a name is a text");
            let at = change["at"].as_array();
            let written: Vec<String> = at
                .into_iter()
                .flatten()
                .map(|part| part.as_str().map_or(part.to_string(), ToString::to_string))
                .collect();
            let known = match written.as_slice() {
                [] => &mut state[name],
                parts => &mut state[name][parts.join(",")],
            };
            if let (Some(added), Some(removed)) = (change.get("added"), change.get("removed")) {
                let members = known.as_array_mut().expect("it has members");
                for one in removed.as_array().into_iter().flatten() {
                    let place = members.iter().position(|member| member == one);
                    members.remove(place.expect("it was a member"));
                }
                members.extend(added.as_array().cloned().unwrap_or_default());
                continue;
            }
            assert_eq!(*known, change["from"], "{item}");
            assert_ne!(*known, change["to"], "{item}");
            *known = change["to"].clone();
        }
        if !item["state"].is_null() {
            state = item["state"].clone();
        }
    }
}

/// The files of a folder of tests, in order.
fn entries(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("tests").join(folder)).expect("the folder is there");
    let entries = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries.collect();
    paths.sort();
    paths
}

/// The games with transcripts, and the transcripts of each.
fn folders() -> Vec<(String, Vec<PathBuf>)> {
    let folders = entries("transcripts").into_iter().map(|folder| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let mut cases = entries(&format!("transcripts/{name}"));
        cases.retain(|case| case.extension().is_some_and(|ending| ending == "txt"));
        (name.into_owned(), cases)
    });
    folders.collect()
}

#[test]
fn every_case_is_as_the_schema_says() {
    let (events, diagnostics) = (
        schema("events.schema.json"),
        schema("diagnostics.schema.json"),
    );
    let count = folders().into_par_iter().map(|(name, cases)| {
        let Folder { game, form } = Folder::new(&name);
        let watched = game.watched();
        let count = cases.iter().map(|case| {
            let transcript = fs::read(case).expect("the case is there");
            let items = items(&watched, form.as_deref(), &transcript);
            for item in &items {
                let wrong = violations(item, &events);
                assert!(wrong.is_empty(), "{case:?}: {item}\n{wrong}");
            }
            let plain = run(&game, form.as_deref(), &transcript);
            assert_eq!(report(&items), plain.report, "{case:?}");
            let last = items.last().expect("there is an object");
            if plain.failure.is_some() {
                assert_eq!(last["type"], "error", "{case:?}");
                let mut error = last.clone();
                error
                    .as_object_mut()
                    .expect("it is an object")
                    .remove("type");
                let wrong = violations(&error, &diagnostics);
                assert!(wrong.is_empty(), "{case:?}: {error}\n{wrong}");
                let code = plain.code().map(|code| code.slug().to_string());
                assert_eq!(error["code"].as_str(), code.as_deref(), "{case:?}");
            } else {
                assert_eq!(last["type"], "end", "{case:?}");
            }
            assert_eq!(items[0]["type"], "run");
            replay(&items);
            items.len()
        });
        count.sum::<usize>()
    });
    let count: usize = count.sum();
    assert!(count > 5000, "there are cases: {count}");
}

/// Compares what every back end tells of some transcripts of a game. Returns how many there are.
fn compare(load: &dyn Fn() -> Game, form: Option<&str>, cases: &[PathBuf]) -> usize {
    let games = [
        load().unoptimised(),
        load().natively(),
        load().interpreted(),
    ];
    let [plain, native, interpreted] = games.each_ref().map(Game::watched);
    for case in cases {
        let transcript = fs::read(case).expect("the case is there");
        let told = |watched| items(watched, form, &transcript);
        let expected = told(&plain);
        assert_eq!(told(&native), expected, "machine code: {}", case.display());
        assert_eq!(
            told(&interpreted),
            expected,
            "the interpreter: {}",
            case.display()
        );
    }
    cases.len()
}

/// What is told does not depend on what runs the game, nor, with that, on what ran before.
#[test]
fn every_back_end_tells_the_same() {
    let shipped = folders().into_par_iter().map(|(name, cases)| {
        // A third of them tells enough, and takes a third of the time.
        let cases: Vec<PathBuf> = cases.into_iter().step_by(3).collect();
        let form = Folder::new(&name).form;
        compare(&|| Folder::new(&name).game, form.as_deref(), &cases)
    });
    let language = entries("language").into_par_iter().map(|rules| {
        let case = rules.with_extension("txt");
        if rules.extension().is_none_or(|ending| ending != "rules") || !case.exists() {
            return 0;
        }
        let text = fs::read_to_string(&rules).expect("rules are text");
        let name = rules.display().to_string();
        let load = || {
            Game::from_text(&name, &text, &Library::shipped(), &[])
                .unwrap_or_else(|invalid| panic!("{invalid}"))
        };
        compare(&load, None, &[case])
    });
    let count = shipped.sum::<usize>() + language.sum::<usize>();
    assert!(count > 100, "there are cases: {count}");
}

/// A row in a few words: its name, its place, and what it asks.
fn row(places: &Places, row: &Value) -> String {
    let number = row["row"].as_u64().expect("a row has a number");
    let place = &places[&number];
    assert_eq!(row["name"], place["name"]);
    let end = &place["end"];
    let mut text = format!(
        "{} {}:{}:{}-{}:{}",
        row["name"].as_str().unwrap_or("="),
        place["file"].as_str().unwrap_or_default(),
        place["line"],
        place["column"],
        end["line"],
        end["column"],
    );
    for asks in ["uses", "when"] {
        let names: Vec<String> = row[asks]
            .as_array()
            .into_iter()
            .flatten()
            .map(|ask| {
                let new = if ask["new"] == true { "new " } else { "" };
                let (name, of) = if ask["fact"].is_null() {
                    (&ask["state"], &ask["at"])
                } else {
                    (&ask["fact"], &ask["of"])
                };
                format!("{new}{}{}", name.as_str().unwrap_or_default(), of_what(of))
            })
            .collect();
        if !names.is_empty() {
            let _ = write!(text, " {asks} {}", names.join(", "));
        }
    }
    if let Some(says) = row["says"].as_str() {
        let _ = write!(text, " says \"{says}\"");
    }
    text
}

fn of_what(of: &Value) -> String {
    let of: Vec<String> = of
        .as_array()
        .into_iter()
        .flatten()
        .map(Value::to_string)
        .collect();
    if of.is_empty() {
        String::new()
    } else {
        format!("({})", of.join(", "))
    }
}

fn changed(change: &Value) -> String {
    match change.get("added") {
        Some(added) => format!("added {added} removed {}", change["removed"]),
        None => format!("{} -> {}", change["from"], change["to"]),
    }
}

/// An object as somebody can read it: nothing is left out but what is null or empty.
fn shown(places: &mut Places, item: &Value) -> String {
    if item["type"] == "row" {
        let number = item["row"].as_u64().expect("a row has a number");
        places.insert(number, item.clone());
        return String::new();
    }
    let mut text = String::new();
    let object = item.as_object().expect("an item is an object");
    let list = |name: &str| item[name].as_array().cloned().unwrap_or_default();
    let plain = object.iter().filter(|(name, value)| {
        let empty = value.is_null()
            || value.as_array().is_some_and(Vec::is_empty)
            || value.as_object().is_some_and(serde_json::Map::is_empty);
        !empty
            && !["said", "changes", "facts", "row", "impossible", "state"].contains(&name.as_str())
    });
    let plain: Vec<String> = plain
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    let _ = writeln!(text, "{}", plain.join(", "));
    if !item["row"].is_null() {
        let _ = writeln!(text, "  row {}", row(places, &item["row"]));
    }
    let impossible = &item["impossible"];
    if !impossible.is_null() {
        let _ = writeln!(
            text,
            "  impossible {}  {}",
            impossible["text"],
            row(places, &impossible["row"])
        );
    }
    for said in list("said") {
        let inline = if said["inline"] == true {
            " inline"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "  said{inline} {}  {}",
            said["text"],
            row(places, &said["row"])
        );
    }
    let rows = |text: &mut String, of: &Value| {
        for one in of["rows"].as_array().into_iter().flatten() {
            let _ = writeln!(text, "    {}", row(places, one));
        }
    };
    for change in list("changes") {
        let (state, at) = (
            change["state"].as_str().unwrap_or_default(),
            of_what(&change["at"]),
        );
        let _ = writeln!(text, "  change {state}{at} {}", changed(&change));
        rows(&mut text, &change);
    }
    for fact in list("facts") {
        let (name, of) = (
            fact["fact"].as_str().unwrap_or_default(),
            of_what(&fact["of"]),
        );
        let _ = writeln!(text, "  fact {name}{of} = {}", fact["value"]);
        rows(&mut text, &fact);
    }
    for (name, value) in item["state"].as_object().into_iter().flatten() {
        let _ = writeln!(text, "  state {name} {value}");
    }
    text
}

#[test]
fn cases() {
    insta::glob!("events/*/*.snap", |snapshot| {
        let folder = snapshot.parent().expect("a case lies in a folder");
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let stem = snapshot.file_stem().unwrap_or_default().to_string_lossy();
        let case = root().join("tests/transcripts").join(&*name);
        let transcript = fs::read(case.join(format!("{stem}.txt"))).expect("the case is there");
        let Folder { game, form } = Folder::new(&name);
        let items = items(&game.watched(), form.as_deref(), &transcript);
        let mut places = Places::new();
        let text = items.iter().map(|item| shown(&mut places, item));
        let text: String = text.collect();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        settings.bind(|| insta::assert_snapshot!(&*stem, text));
    });
}

#[test]
fn every_shipped_game_has_one() {
    let folders = fs::read_dir(root().join("tests/events")).expect("the cases are there");
    let folders: Vec<String> = folders
        .map(|folder| folder.expect("the cases are there").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    for name in referee::library::Library::shipped().names() {
        let of = |folder: &String| {
            let rest = folder.strip_prefix(&name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ',']))
        };
        assert!(folders.iter().any(of), "{name}");
    }
}
