//! The cases and the shipped rules use the whole grammar; every rule of it has a name; and the table of common mistakes
//! is sound.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use names::NAMES;
use referee::internals::{grammar_rules, used_grammar_rules};

#[path = "../../src/syntax/names.rs"]
#[allow(dead_code, reason = "messages use it")]
mod names;

/// The parser, which is not compiled here: that would take long.
mod grammar {
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Rule;
}

/// Rules that make no node: blanks, classes of characters and words, aliases of other rules, and entry points for a
/// part of a file or for any text.
const WITHOUT_NODES: &str = "WHITESPACE atom bindings blank clause clause_word clauses_alone comment comment_text \
     bound_term comparison conditions everyday_word expr_alone header_alone item items_alone joining_word letter \
     opening_word reserved section_head section_head_alone simple_type starting_word step term type_alone \
     any_tokens byte_order_mark any_token whole_text text_with_holes text_hole broken_text open_text \
     in_line any_word any_letter any_number any_mark stray";

/// All rule files below `folder`.
fn rule_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            rule_files(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "rules")
        {
            files.push(path);
        }
    }
}

#[test]
fn every_rule_of_the_grammar_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    rule_files(&root.join("rules"), &mut files);
    rule_files(&root.join("tests/syntax"), &mut files);
    let is_without = |rule: &String| WITHOUT_NODES.split_whitespace().any(|one| one == rule);
    let mut used = BTreeSet::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("the file can be read");
        used.extend(used_grammar_rules(&text));
    }
    let mut unused = grammar_rules();
    unused.retain(|rule| !used.contains(rule) && !is_without(rule));
    assert!(unused.is_empty(), "no rule file uses {unused:?}");
}

#[test]
fn every_rule_of_the_grammar_is_named_once() {
    let rules: BTreeSet<String> = grammar_rules().into_iter().collect();
    let mut named = BTreeSet::new();
    for rule in NAMES.iter().flat_map(|(_, rules)| rules.split(' ')) {
        assert!(rules.contains(rule) && named.insert(rule), "{rule}");
    }
    let nameless = rules.iter().filter(|rule| !named.contains(rule.as_str()));
    for rule in nameless {
        assert!(rule.starts_with("kw_"), "{rule} has no name");
    }
}

/// The conditions of the table of mistakes that are names of their own; those with `=` or `-` are no grammar rules either.
const CONDITIONS: &str =
    "first start begins third ends typed unused applied counted seen thousands twice upper-case";

/// Each mistake in the table has a help, and its conditions exist. A build for tests requires that each line can be read
/// (`TABLE` in `src/syntax/mistakes/table.rs`) when the first file with a mistake is read, as one is here.
#[test]
fn the_table_of_mistakes_is_sound() {
    let library = referee::library::Library::shipped();
    let wrong = referee::game::Game::from_text("wrong.rules", "game wrong #", &library, &[]);
    let drawn = wrong.map_err(|wrong| wrong.draw(referee::diagnostic::Colour::Never));
    let drawn = drawn.err().unwrap_or_default();
    assert!(drawn.contains("`#` opens no comment"), "{drawn}");

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(root.join("src/syntax/mistakes/table.txt"));
    let table = table.expect("the table can be read");
    let rules: BTreeSet<String> = grammar_rules().into_iter().collect();
    let mut count = 0;
    for case in table.lines().filter_map(|line| line.strip_prefix("  ")) {
        let columns: Vec<&str> = case.split("  ").collect();
        let [_, conditions, _, ..] = columns.as_slice() else {
            panic!("no help: {case}");
        };
        for condition in conditions.split(' ') {
            let condition = condition.trim_start_matches('!');
            let is_named =
                condition.contains(['=', '-']) || CONDITIONS.split(' ').any(|one| one == condition);
            assert!(
                is_named || condition.split('|').all(|rule| rules.contains(rule)),
                "{condition}"
            );
        }
        count += 1;
    }
    assert!(count > 100, "{count} cases");
}
