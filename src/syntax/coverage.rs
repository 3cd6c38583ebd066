//! Checks that the cases and the shipped rules use all of the grammar.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pest::Parser as _;

use super::grammar::{Grammar, Rule};

/// Rules that make no node: blanks and what they are made of, classes of characters and words, rules that
/// only stand for others, and those that read a part of a file alone.
const WITHOUT_NODES: &[Rule] = &[
    Rule::WHITESPACE,
    Rule::atom,
    Rule::bindings,
    Rule::blank,
    Rule::clause,
    Rule::clause_word,
    Rule::clauses_alone,
    Rule::comment,
    Rule::comment_text,
    Rule::comparison,
    Rule::conditions,
    Rule::everyday_word,
    Rule::expr_alone,
    Rule::header_alone,
    Rule::item,
    Rule::items_alone,
    Rule::joining_word,
    Rule::letter,
    Rule::opening_word,
    Rule::reserved,
    Rule::section_head,
    Rule::section_head_alone,
    Rule::simple_type,
    Rule::starting_word,
    Rule::step,
    Rule::term,
];

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
    let mut used: BTreeSet<Rule> = WITHOUT_NODES.iter().copied().collect();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        if let Ok(nodes) = Grammar::parse(Rule::rule_file, &text) {
            used.extend(nodes.flatten().map(|node| node.as_rule()));
        }
    }
    let unused: Vec<&Rule> = Rule::all_rules()
        .iter()
        .filter(|rule| !used.contains(rule))
        .collect();
    assert!(unused.is_empty(), "no rule file uses {unused:?}");
}
