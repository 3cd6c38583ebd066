//! What grammar rules are called in front of the author of a rule file.

use super::grammar::Rule;

/// What any item is called.
pub(super) const ITEM: &str = "the next item";

/// What any clause of a section is called.
pub(super) const CLAUSE: &str = "the next clause";

/// What any operator is called.
pub(super) const OPERATOR: &str = "an operator";

/// What stands where `rule` was tried, in the words of the language; nothing where it is not worth a word.
///
/// Without a last arm for all others, so that a new rule of the grammar must be given its words.
#[expect(clippy::too_many_lines, reason = "a table with a line for each rule")]
pub(super) fn human(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::name | Rule::binding | Rule::call => "a name",
        Rule::label => "the name of a row",
        Rule::file_name => "the name of a game or variant",
        Rule::number => "a number",
        Rule::kw_add
        | Rule::kw_event
        | Rule::kw_example
        | Rule::kw_except
        | Rule::kw_given
        | Rule::kw_grid
        | Rule::kw_just
        | Rule::kw_kind
        | Rule::kw_limit
        | Rule::kw_on
        | Rule::kw_option
        | Rule::kw_policy
        | Rule::kw_remove
        | Rule::kw_replace
        | Rule::kw_ring
        | Rule::kw_set
        | Rule::kw_state
        | Rule::kw_transcript
        | Rule::kw_type
        | Rule::kw_use
        | Rule::kw_write
        | Rule::option_item
        | Rule::use_item
        | Rule::kind
        | Rule::product_or_alias
        | Rule::grid
        | Rule::write
        | Rule::given
        | Rule::state
        | Rule::just
        | Rule::event
        | Rule::section
        | Rule::policy
        | Rule::limit
        | Rule::example
        | Rule::transcript
        | Rule::change
        | Rule::set_value
        | Rule::remove
        | Rule::replace
        | Rule::add
        | Rule::except => ITEM,
        Rule::kw_after => "`after`",
        Rule::kw_all => "`all`",
        Rule::kw_and
        | Rule::kw_but
        | Rule::kw_in
        | Rule::kw_or
        | Rule::range
        | Rule::comparing
        | Rule::defaulting
        | Rule::adding
        | Rule::multiplying
        | Rule::but => OPERATOR,
        Rule::kw_any => "`any`",
        Rule::kw_as => "`as`",
        Rule::kw_at => "`at`",
        Rule::kw_bag => "`bag`",
        Rule::kw_before => "`before`",
        Rule::kw_best => "`best`",
        Rule::kw_by => "`by`",
        Rule::kw_empty => "`empty`",
        Rule::kw_every => "`every`",
        Rule::kw_expect | Rule::example_expect => "`expect`",
        Rule::kw_legal => "`legal`",
        Rule::example_given => "`given`",
        Rule::assignment => "a name and its value",
        Rule::expectation => "what is expected",
        Rule::kw_fact
        | Rule::kw_follows
        | Rule::kw_illegal
        | Rule::kw_impossible
        | Rule::kw_refuse
        | Rule::kw_report
        | Rule::clause
        | Rule::fact
        | Rule::impossible
        | Rule::new
        | Rule::report
        | Rule::follows => CLAUSE,
        Rule::kw_first => "`first`",
        Rule::kw_for | Rule::for_each => "`for`",
        Rule::kw_from => "`from`",
        Rule::kw_game | Rule::game => "`game`",
        Rule::kw_has => "`has`",
        Rule::kw_highest => "`highest`",
        Rule::kw_inline => "`inline`",
        Rule::kw_lines => "`lines`",
        Rule::kw_lowest => "`lowest`",
        Rule::kw_maybe => "`maybe`",
        Rule::kw_new => "`new`",
        Rule::kw_no => "`no`",
        Rule::kw_none => "`none`",
        Rule::kw_of => "`of`",
        Rule::kw_old => "`old`",
        Rule::kw_pile => "`pile`",
        Rule::kw_play | Rule::play => "`play`",
        Rule::kw_previous => "`previous`",
        Rule::kw_refused => "`refused`",
        Rule::kw_repeat | Rule::repeat => "`repeat`",
        Rule::kw_says | Rule::says_clause => "`says`",
        Rule::kw_some => "`some`",
        Rule::kw_start => "`start`",
        Rule::kw_sum => "`sum`",
        Rule::kw_times => "`times`",
        Rule::kw_to => "`to`",
        Rule::kw_union => "`union`",
        Rule::kw_unless | Rule::unless_clause => "`unless`",
        Rule::kw_until => "`until`",
        Rule::kw_up => "`up`",
        Rule::kw_variant | Rule::variant => "`variant`",
        Rule::kw_when | Rule::when_clause | Rule::example_when => "`when`",
        Rule::kw_where | Rule::where_clause => "`where`",
        Rule::kw_with => "`with`",
        Rule::kw_words => "`words`",
        Rule::kw_yes => "`yes`",
        Rule::kw_yes_no => "`yes/no`",
        Rule::open_paren | Rule::parameters | Rule::names | Rule::arguments | Rule::group => "`(`",
        Rule::close_paren => "`)`",
        Rule::open_bracket | Rule::pile => "`[`",
        Rule::close_bracket => "`]`",
        Rule::open_brace | Rule::set => "`{`",
        Rule::close_brace => "`}`",
        Rule::comma | Rule::stop => "`,`",
        Rule::colon => "`:`",
        Rule::dot => "`.`",
        Rule::bar | Rule::by_row | Rule::row | Rule::added_row => "`|`",
        Rule::equals => "`=`",
        Rule::fat_arrow | Rule::row_event => "`=>`",
        Rule::arrow => "`->`",
        Rule::question_mark => "`?`",
        Rule::ellipsis => "`...`",
        Rule::double_quote => "`\"`",
        Rule::single_quote => "`'`",
        Rule::header => "`game` or `variant`",
        Rule::member => "a member",
        Rule::attribute => "an attribute",
        Rule::parameter | Rule::axis => "a name and its type",
        Rule::written_type | Rule::simple_type | Rule::collection_type | Rule::range_type => {
            "a type"
        }
        Rule::bound => "a number or a name",
        Rule::definition => "an expression or a table",
        Rule::by_table | Rule::table | Rule::how => "a table",
        Rule::kw_not
        | Rule::kw_the
        | Rule::negation
        | Rule::value
        | Rule::product
        | Rule::operand
        | Rule::term
        | Rule::atom
        | Rule::tensed
        | Rule::beside
        | Rule::extreme
        | Rule::best
        | Rule::by_row_body
        | Rule::row_body => "a value",
        Rule::cell => "a cell",
        Rule::expr | Rule::comparison => "an expression",
        Rule::quantified => "a condition",
        Rule::key => "`highest` or `lowest`",
        Rule::text => "a text",
        Rule::hole => "a hole",
        Rule::escape => "an escape",
        Rule::step => "a step",
        Rule::place => "`before` or `after`",
        Rule::path => "the path of a definition or a row",
        Rule::EOI => "the end",
        Rule::WHITESPACE
        | Rule::blank
        | Rule::comment
        | Rule::comment_text
        | Rule::first_comment
        | Rule::letter
        | Rule::reserved
        | Rule::joining_word
        | Rule::starting_word
        | Rule::clause_word
        | Rule::opening_word
        | Rule::everyday_word
        | Rule::rule_file
        | Rule::item
        | Rule::expr_alone
        | Rule::items_alone
        | Rule::header_alone
        | Rule::section_head_alone
        | Rule::clauses_alone
        | Rule::section_head
        | Rule::bindings
        | Rule::conditions
        | Rule::plain_double
        | Rule::plain_single => return None,
    })
}
