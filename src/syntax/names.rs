//! The names of grammar rules in messages.

use super::grammar::Rule;

/// The name of any item.
pub(super) const ITEM: &str = "the next item";

/// The name of any clause of a section.
pub(super) const CLAUSE: &str = "the next clause";

/// The name of any operator.
pub(super) const OPERATOR: &str = "an operator";

/// The names of rules that are not a single word of the language; empty for those that messages do not mention.
pub(super) const NAMES: &[(&str, &str)] = &[
    ("a name", "name binding call"),
    ("the name of a row", "label"),
    ("the name of a game or variant", "file_name"),
    ("a number", "number"),
    (
        ITEM,
        "kw_add kw_event kw_example kw_except kw_given kw_grid kw_just kw_kind kw_limit kw_on kw_option \
         kw_policy kw_remove kw_replace kw_ring kw_round kw_set kw_state kw_transcript kw_type kw_use kw_write \
         option_item use_item kind product_or_alias grid write given state just round event section policy \
         limit example transcript change set_value remove replace add except",
    ),
    (
        OPERATOR,
        "kw_and kw_but kw_in kw_or range comparing defaulting adding multiplying but rounding kw_rounded",
    ),
    ("`expect`", "example_expect"),
    ("`given`", "example_given"),
    ("a name and its value", "assignment"),
    ("what is expected", "expectation"),
    (
        CLAUSE,
        "kw_begin kw_fact kw_follows kw_illegal kw_impossible kw_refuse kw_report clause fact impossible \
         new begin report follows",
    ),
    ("`each`", "each_clause"),
    ("`for`", "for_each"),
    ("`game`", "game"),
    ("`per`", "per_round"),
    ("`seen by`", "sight"),
    ("`play`", "play"),
    ("`repeat`", "repeat"),
    ("`says`", "says_clause"),
    ("`unless`", "unless_clause"),
    ("`variant`", "variant"),
    ("`when`", "when_clause example_when"),
    ("`where`", "where_clause"),
    ("`yes/no`", "kw_yes_no"),
    (
        "`(`",
        "open_paren parameters fields names arguments keys group",
    ),
    ("`as`", "section_like"),
    ("`of`", "one_entry"),
    ("`)`", "close_paren"),
    ("`[`", "open_bracket pile"),
    ("`]`", "close_bracket"),
    ("`{`", "open_brace set"),
    ("`}`", "close_brace"),
    ("`,`", "comma stop"),
    ("`:`", "colon"),
    ("`.`", "dot"),
    ("`|`", "bar by_row row added_row"),
    ("`=`", "equals"),
    ("`=>`", "fat_arrow row_event"),
    ("`->`", "arrow"),
    ("`?`", "question_mark"),
    ("`...`", "ellipsis"),
    ("`\"`", "double_quote"),
    ("`'`", "single_quote"),
    ("`game` or `variant`", "header"),
    ("a member", "member"),
    ("an attribute", "attribute"),
    ("a name and its type", "parameter field axis"),
    (
        "a type",
        "written_type simple_type collection_type range_type type_alone decimals",
    ),
    ("a number or a name", "bound bound_term"),
    ("an expression or a table", "definition"),
    ("a table", "by_table table how"),
    (
        "a value",
        "kw_not kw_the negation value product operand term atom tensed beside extreme best by_row_body \
         row_body",
    ),
    ("a cell", "cell"),
    ("an expression", "expr comparison"),
    ("a condition", "quantified"),
    ("`highest` or `lowest`", "key"),
    ("a text", "text pattern"),
    ("a hole", "hole"),
    ("`by`", "separators decider drawn"),
    ("`weight`", "weight"),
    ("`without`", "excluded"),
    ("an escape", "escape"),
    ("a step", "step"),
    ("`before` or `after`", "place"),
    ("the path of a definition or a row", "path"),
    ("the end", "EOI"),
    (
        "",
        "WHITESPACE blank comment comment_text first_comment step_label letter reserved joining_word starting_word \
         clause_word opening_word everyday_word rule_file item expr_alone items_alone header_alone \
         section_head_alone clauses_alone section_head cites_clause bindings conditions plain_double plain_single \
         any_tokens byte_order_mark any_token whole_text text_with_holes text_hole broken_text open_text \
         in_line any_word any_letter any_number any_mark stray",
    ),
];

/// The name of `rule` in the words of the language; none if messages do not mention it.
///
/// A rule that is not in the table is a word of the language, and that is its name.
pub(super) fn message_name(rule: Rule) -> Option<String> {
    let rule = format!("{rule:?}");
    match NAMES
        .iter()
        .find(|(_, rules)| rules.split(' ').any(|one| one == rule))
    {
        Some((name, _)) => (!name.is_empty()).then(|| (*name).to_owned()),
        None => rule.strip_prefix("kw_").map(|word| format!("`{word}`")),
    }
}
