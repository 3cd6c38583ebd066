//! What is said of rule files that are wrong: each case is a file, `tests/diagnostics/<stage>/<slug>[.<what>].rules`,
//! and what is said of it stands beside it. The slug must be among the codes that are reported.
//!
//! A case of the stage `merge` is a variant; its game and the variants it asks for lie in `merge/games`.

use std::path::Path;

use referee::diagnostic::{Code, Colour, Diagnostic, LINTS, Level, Sources, edited};
use referee::game::Game;
use referee::library::{Library, RuleText};

/// Where the games lie that variants change.
const GAMES: &str = "tests/diagnostics/merge/games";

/// What the stages up to `stage` find wrong with a file, and the texts it speaks of.
fn diagnose(stage: &str, name: &str, text: &str) -> (Vec<Diagnostic>, Sources) {
    if stage == "syntax" {
        let file = RuleText {
            name: name.to_string(),
            text: text.to_string(),
        };
        return match file.canonical() {
            Ok(_) => (Vec::new(), Sources::default()),
            Err(invalid) => (invalid.diagnostics, invalid.sources),
        };
    }
    let library = match stage {
        "merge" => Library::with_folders(vec![GAMES.into()]),
        _ => Library::shipped(),
    };
    match Game::from_text(name, text, &library, &settings(text)) {
        Ok(game) => {
            let mut found = game.lints();
            found.extend(
                game.examples()
                    .into_iter()
                    .flat_map(|example| example.wrong),
            );
            (found, game.sources().clone())
        }
        Err(invalid) => (invalid.diagnostics, invalid.sources),
    }
}

/// The options that a case is run with: lines such as `-- set x=1`.
fn settings(text: &str) -> Vec<(String, String)> {
    text.lines()
        .filter_map(|line| line.strip_prefix("-- set ")?.split_once('='))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect()
}

/// Checks one case.
fn check(path: &Path) {
    let part =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let name = part(path.file_name()).unwrap_or_default();
    let stem = name.trim_end_matches(".rules");
    let stage = part(path.parent().and_then(Path::file_name)).unwrap_or_default();
    let text = std::fs::read_to_string(path).expect("the case can be read");

    let (found, sources) = diagnose(&stage, &name, &text);
    let slug = stem.split('.').next().unwrap_or(stem);
    let slugs: Vec<&str> = found.iter().map(|one| one.code.slug()).collect();
    let drawn: Vec<String> = found
        .iter()
        .map(|one| one.draw(&sources, Colour::Never) + "\n")
        .collect();
    let drawn = drawn.join("\n");
    assert!(slugs.contains(&slug), "{name} gives {slugs:?}:\n{drawn}");

    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().expect("a case is in a folder"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.bind(|| insta::assert_snapshot!(stem, drawn));
}

/// What is looked for only where nothing else is wrong.
const LATE: &[Code] = &[
    Code::Unused,
    Code::EndlessPlay,
    Code::IllegalWithoutEffect,
    Code::NeverChanges,
    Code::NeverHappens,
    Code::SameForm,
    Code::TiedKeys,
];

/// The mistakes among `found` that are not among `known`, and were not hidden by them.
fn new_mistakes(known: &[Diagnostic], found: &[Diagnostic]) -> Vec<String> {
    let key = |one: &Diagnostic| format!("{}: {}", one.code.slug(), one.message);
    let mut known: Vec<String> = known.iter().map(key).collect();
    let mut added = Vec::new();
    let found = found.iter().filter(|one| !LATE.contains(&one.code));
    for one in found.map(key) {
        match known.iter().position(|other| *other == one) {
            Some(index) => drop(known.swap_remove(index)),
            None => added.push(one),
        }
    }
    added
}

/// Does what each edit says, one at a time: the mistake is gone then, and of what is certain no other has come.
fn follow(path: &Path) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stage = path.parent().and_then(Path::file_name);
    let stage = stage.unwrap_or_default().to_string_lossy();
    let text = std::fs::read_to_string(path).expect("the case can be read");
    let (found, sources) = diagnose(&stage, &name, &text);
    for diagnostic in &found {
        for edit in diagnostic
            .edits
            .iter()
            .filter(|edit| edit.file(&sources) == name)
        {
            let changed = edit.applied(&sources).expect("it can be done");
            let (left, sources) = diagnose(&stage, &name, &changed);
            let drawn: Vec<String> = left
                .iter()
                .map(|one| one.draw(&sources, Colour::Never))
                .collect();
            let drawn = format!("{name}: {edit:?}\n{changed}\n{}", drawn.join("\n"));
            let same = |one: &Diagnostic| {
                one.code == diagnostic.code && one.range().start == diagnostic.range().start
            };
            assert!(
                !left.iter().any(same),
                "the mistake is still there\n{drawn}"
            );
            if edit.certain {
                let added = new_mistakes(&found, &left);
                assert!(added.is_empty(), "{added:?} came\n{drawn}");
            }
        }
    }
}

#[test]
fn advice_works_when_followed() {
    insta::glob!("diagnostics/*/*.rules", follow);
}

#[test]
fn certain_edits_together_come_to_an_end() {
    let mut count = 0;
    insta::glob!("diagnostics/*/*.rules", |path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stage = path.parent().and_then(Path::file_name);
        let stage = stage.unwrap_or_default().to_string_lossy();
        let mut text = std::fs::read_to_string(path).expect("the case can be read");
        for round in 0.. {
            let (found, sources) = diagnose(&stage, &name, &text);
            let Some(next) = edited(&found, &sources).remove(name.as_ref()) else {
                break;
            };
            assert_ne!(text, next, "{name} is changed");
            assert!(round < 20, "{name} is changed again and again:\n{next}");
            text = next;
            count += 1;
        }
    });
    assert!(count > 20, "there are such cases: {count}");
}

#[test]
fn cases() {
    insta::glob!("diagnostics/*/*.rules", check);
}

/// The rule files of a part of a page.
fn rule_files(page: &str) -> Vec<&str> {
    let blocks = page.split("```rules\n").skip(1);
    blocks
        .filter_map(|block| block.split("```").next())
        .collect()
}

/// The lints of a rule file that is called `lamp.rules`, with the variants that follow it in the text.
fn lints_of(text: &str) -> Vec<&'static str> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lints");
    std::fs::create_dir_all(folder.join("lamp")).expect("there is room for a file");
    let mut parts = text.split("\nvariant ");
    let game = parts.next().unwrap_or_default();
    std::fs::write(folder.join("lamp.rules"), game).expect("it can be written");
    let mut named = "lamp".to_owned();
    for variant in parts {
        let name = variant.split(' ').next().unwrap_or_default();
        let file = folder.join("lamp").join(name).with_extension("rules");
        std::fs::write(file, format!("variant {variant}")).expect("it can be written");
        named = format!("{named}+{name}");
    }
    let library = Library::with_folders(vec![folder]);
    let game = Game::load(&library, &named, &[]).expect("it runs");
    game.lints().iter().map(|one| one.code.slug()).collect()
}

#[test]
fn every_lint_is_documented() {
    let page = std::fs::read_to_string("docs/lints.md").expect("the page can be read");
    let mut parts = page.split("\n## ");
    let start = parts.next().unwrap_or_default();
    for file in rule_files(start) {
        assert_eq!(lints_of(file), [""; 0], "{file}");
    }
    let names: Vec<&str> = LINTS.iter().map(|lint| lint.code.slug()).collect();
    let mut documented = Vec::new();
    for part in parts {
        let name = part.lines().next().unwrap_or_default();
        let [wrong, right] = rule_files(part)[..] else {
            panic!("{name} shows what is wrong and what is right");
        };
        assert_eq!(lints_of(wrong), [name], "{wrong}");
        assert_eq!(lints_of(right), [""; 0], "{right}");
        documented.push(name);
    }
    assert_eq!(documented, names);
    for lint in LINTS {
        let name = lint.code.slug();
        let level = match lint.level {
            Level::Allow => "off",
            Level::Warn => "on",
            Level::Deny => "an error",
        };
        assert!(
            start.contains(&format!("| [`{name}`](#{name}) | {level} |")),
            "{name} is {level}"
        );
    }
}

#[test]
fn a_rule_about_one_event_passes_by_none_that_holds_as_another() {
    let game = |drained: &str| {
        format!(
            r#"game lamp
ring Player | First | Second
state turn: Player = First
state power: 0..9 = 9
event go by turn
on go {{
  fact over = new power is 0
  new power = power - 1
  new turn = after turn
}}
event wait by turn
on wait {{
  new power = power - 1
  new turn = after turn
}}
transcript by lines {{ start play until over {{ | go: "go" | wait: "wait" }} }}

variant rests of lamp
event rest by turn
on rest as go {{ report | rests: "{{old turn}} rests" }}
add to play | rest: "rest"

variant drain of lamp
replace {drained}.new.power = power - 1 - power mod 2
"#
        )
    };
    assert_eq!(lints_of(&game("wait")), [""; 0]);
    assert_eq!(lints_of(&game("go")), [""; 0]);
    let apart = game("wait").replace("rest as go {", "rest {");
    assert_eq!(lints_of(&apart), ["passed-by"]);
}
