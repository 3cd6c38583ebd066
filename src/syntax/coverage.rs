//! Tests that the cases and the shipped rules use the whole grammar.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::grammar::{self, Rule};

/// Rules that make no node: blanks, classes of characters and words, aliases of other rules, and entry points for a
/// part of a file or for any text.
const WITHOUT_NODES: &str = "WHITESPACE atom bindings blank clause clause_word clauses_alone comment comment_text \
     bound_term comparison conditions everyday_word expr_alone header_alone item items_alone joining_word letter \
     opening_word reserved section_head section_head_alone simple_type starting_word step term type_alone \
     any_tokens byte_order_mark any_token whole_text text_with_holes text_hole broken_text open_text \
     in_line any_word any_letter any_number any_mark stray";

/// All rule files below `folder`.
fn rule_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
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
    let is_without = |rule: &Rule| {
        WITHOUT_NODES
            .split_whitespace()
            .any(|one| one == format!("{rule:?}"))
    };
    let mut used = BTreeSet::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        if let Ok(nodes) = grammar::parse(Rule::rule_file, &text) {
            used.extend(nodes.flatten().map(|node| node.as_rule()));
        }
    }
    let unused: Vec<&Rule> = Rule::all_rules()
        .iter()
        .filter(|rule| !used.contains(*rule) && !is_without(rule))
        .collect();
    assert!(unused.is_empty(), "no rule file uses {unused:?}");
}
