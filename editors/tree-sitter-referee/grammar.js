// Rule files, for editors: what they highlight, fold and indent.
//
// The grammar of the language is `grammar/rules.pest`, and rules have the same names and order here, so that a construct
// that is added there can be added here too. `compare.mjs` says whether both find the same files valid. What differs:
//
// - Here the layers of an expression say how tightly operators bind, which `syntax/precedence.rs` does there.
// - A word is a keyword wherever the grammar could go on with it, else a name, unless it is reserved. So a rule in which
//   such a word may also be a name or a label says so (`name_or`, `label`).
// - `src/scanner.c` reads what depends on the characters around it: comments, `-`, numbers and the words of a text.

// The words that cannot be names, as `reserved` in `grammar/words.pest`.
const RESERVED = `
  and but else in is mod not of or then within without with
  after any before best empty every highest inline lowest maybe new none no old previous some sorted the yes
  by cites for says unless when where
  event except fact follows given illegal impossible just on option policy refuse report state transcript variant
`.trim().split(/\s+/);

// The words that an item begins with and that can be names.
const ITEMS = "add example game grid kind limit remove replace ring round set type use write".split(" ");

/** One or more of a rule, with commas between them. */
const list = (rule) => seq(rule, repeat(seq(",", rule)));

/** A name where these keywords could stand too. */
const name_or = ($, ...words) => choice($.name, ...words.map((word) => alias(word, $.name)));

/** The name of a row, where these keywords could stand too; reserved words may be labels. */
const label_or = ($, ...words) =>
  alias(choice($.name, ...RESERVED, ...words), $.label);

/** A layer of operators: `operand operator operand`. Where both could go on, the inner expression does. */
const chain = ($, self, operators, operand) =>
  prec.right(seq(field("left", self), field("operator", operators), field("right", operand)));

/** `when c unless d says "…"` */
const conditions = ($) => [optional($.when_clause), optional($.unless_clause), optional($.says_clause), optional($.cites_clause)];

/** `by` rows, from their cells on. */
const by_row_body = ($) => [list($.cell), "=>", field("value", $._expr), ...conditions($)];

/** Rows, from their values on. */
const row_body = ($) => [
  optional("inline"), optional("maybe"), field("value", $._expr), optional($.row_event), optional($.for_each),
  optional($.sight),
  ...conditions($),
];

export default grammar({
  name: "referee",

  externals: ($) => [$.comment, $._minus, $.number, $._plain_double, $._plain_single],
  extras: ($) => [/[ \t\n\x0b\x0c\r]+/, $.comment],
  word: ($) => $.name,
  reserved: { global: () => RESERVED },
  inline: ($) => [$._name, $._type_name],

  conflicts: ($) => [
    [$.binding, $.call],          // `{x in s where c}` and `{x in s}`
    [$.cell, $._comparison],      // a row of a `by` table and another, as far as `=>`
    [$.call, $.member],           // `add to Size | Small - 1 => …` and `add to Size | Small -1`
    [$.best],                     // `by highest x, lowest y` and `f(… by highest x, y)`
    [$.call],                     // `until x  of: "{…}"` and `until x of y`
    [$.no, $.quantified],         // `= no  remove x` and `= no remove in …`
    [$._bound_term, $._atom],     // `replace a: 1..9 -> T` and `replace a: 1..9`
    [$._simple_type, $.call],     // `replace a: set of T` and `replace a: set of t when …`
    [$._bound_term, $.call],      // the same with names
    [$._bound_term, $._term],     // the same with parentheses
  ],

  rules: {
    // ---- the file ---------------------------------------------------------------------------------

    source_file: ($) => seq($.header, repeat($._item)),

    header: ($) => seq(choice($.game, $.variant), optional(field("title", $.text)), optional($.cites_clause)),
    game: ($) => seq("game", field("name", $.file_name)),
    variant: ($) =>
      seq(
        "variant", field("name", $.file_name), "of", field("game", $.file_name),
        optional(seq("with", list($.file_name))), optional($.excluded),
      ),
    excluded: ($) => seq("without", list($.file_name)),

    _item: ($) =>
      choice(
        $.fact, $.state, $.section, $.event, $.option, $.use, $.kind, $.ring, $.product, $.alias, $.grid, $.write, $.given,
        $.just, $.round, $.policy, $.transcript, $.limit, $.example, $._change,
      ),

    // ---- vocabulary -------------------------------------------------------------------------------

    option: ($) =>
      seq("option", field("name", $.name), ":", field("type", $.type), "=", field("value", $._expr)),
    use: ($) => seq("use", list(field("type", $.name)), "from", field("game", $.file_name)),

    kind: ($) => seq("kind", field("name", $.name), optional($.parameters), repeat1($.member)),
    ring: ($) =>
      seq(
        "ring", field("name", $.name),
        choice(seq("of", $._bound), seq(optional($.parameters), repeat1($.member))),
      ),
    member: ($) => seq("|", field("name", $.name), repeat($._attribute)),
    _attribute: ($) =>
      choice($.text, $.number, alias($.negative, $.unary_expr), $.yes, alias("no", $.no), $.none, $.name),
    negative: ($) => seq(alias($._minus, "-"), $.number),

    parameters: ($) => seq("(", list($.parameter), ")"),
    parameter: ($) => seq(field("name", $.name), ":", field("type", $.type)),
    product: ($) => seq("type", field("name", $.name), $.parameters, optional($.where_clause)),
    alias: ($) => seq("type", field("name", $.name), "=", field("type", $.type)),
    grid: ($) => seq("grid", field("name", $.name), "(", list($.axis), ")"),
    axis: ($) => seq($.parameter, optional("up"), optional("wraps")),
    write: ($) => seq("write", field("type", $.name), "as", field("value", $._expr)),

    type: ($) => seq($._simple_type, optional("?"), optional(seq("->", $.type))),
    _simple_type: ($) => choice("yes/no", $.decimals, $.collection_type, $.range_type, $._type_name),
    _type_name: ($) => name_or($, "set", "bag", "pile"),
    decimals: () => token(seq("number.", /0+/)),
    collection_type: ($) => seq(choice("set", "bag", "pile"), "of", $._simple_type),
    range_type: ($) => seq($._bound, "..", $._bound),
    _bound: ($) => prec.right(choice(alias($.bound_sum, $.binary_expr), $._bound_product)),
    bound_sum: ($) => chain($, $._bound, choice("+", alias($._minus, "-"), "with", "without", "then"), $._bound_product),
    _bound_product: ($) => prec.right(choice(alias($.bound_product, $.binary_expr), $._bound_term)),
    bound_product: ($) => chain($, $._bound_product, choice("*", "/", "mod"), $._bound_term),
    _bound_term: ($) => choice($.number, $.name, $.group, alias($.bound_prefixed, $.unary_expr)),
    bound_prefixed: ($) => seq(field("operator", alias($._minus, "-")), $._bound_term),

    // ---- what there is, what happens, what follows ------------------------------------------------

    given: ($) =>
      seq(
        "given", field("name", $.name), optional($.parameters), ":", field("type", $.type), optional($.sight),
        optional($.drawn), optional(seq("=", field("value", $._definition))),
      ),
    drawn: ($) => seq("by", "chance"),
    state: ($) =>
      seq(
        "state", field("name", $.name), optional($.parameters), ":", field("type", $.type), optional($.per_round),
        optional($.sight), "=", field("value", $._definition),
      ),
    sight: ($) => choice(seq("seen", "by", $._expr), "hidden"),
    per_round: ($) => seq("per", $.name),
    round: ($) => seq("round", field("name", $.name), optional(seq("in", field("within", $.name)))),
    begin: ($) => seq("begin", repeat1($.row)),
    just: ($) => seq("just", field("name", $.name)),
    event: ($) =>
      seq(
        "event", field("name", $.name), optional(alias($.fields, $.parameters)), optional($.decider),
        optional(seq(choice($.when_clause, $.unless_clause), optional($.says_clause))), optional($.cites_clause),
      ),
    fields: ($) => seq("(", list(alias($.field, $.parameter)), ")"),
    field: ($) => seq(field("name", $.name), ":", field("type", $.type), optional($.each_clause), optional($.sight)),
    each_clause: ($) => seq("each", "in", $._expr),
    decider: ($) => seq("by", choice(seq("chance", optional($.weight)), "referee", $._expr)),
    weight: ($) => seq("weight", $._expr),

    section: ($) =>
      seq(
        "on", list(field("event", $.name)), optional(seq("as", field("like", $.name))),
        "{", repeat($._clause), "}",
      ),
    _clause: ($) => choice($.fact, $.impossible, $.new, $.begin, $.report, $.follows),

    fact: ($) =>
      seq(
        choice("fact", "illegal", "refuse"), field("name", $.name), optional($.parameters),
        optional(seq(":", field("type", $.type))), "=", field("value", $._definition), optional($.cites_clause),
      ),
    impossible: ($) => seq("impossible", repeat1($.row)),
    new: ($) =>
      seq(
        "new", field("name", $.name), optional(choice($.names, $.one_entry)),
        choice(seq("=", field("value", $._definition), optional($.cites_clause)), repeat1($.row)),
      ),
    names: ($) => seq("(", list($.name), ")"),
    one_entry: ($) => seq("of", choice($.keys, $._term)),
    keys: ($) => prec(1, seq("(", list($._expr), ")")),
    report: ($) => seq("report", optional("refused"), repeat1($.row)),
    follows: ($) => seq("follows", repeat1($.row)),
    policy: ($) => seq("policy", field("name", $.name), repeat1($.row)),
    limit: ($) => seq("limit", $.number),

    // ---- examples ---------------------------------------------------------------------------------

    example: ($) =>
      seq(
        "example", field("name", label_or($)), optional(field("title", $.text)),
        "{", optional($.example_given), optional($.example_when), $.example_expect, "}",
      ),
    example_given: ($) => seq("given", list($.assignment)),
    assignment: ($) => seq($.call, "=", field("value", $._expr)),
    example_when: ($) => seq("when", $.call),
    example_expect: ($) => seq("expect", list($._expectation)),
    _expectation: ($) => choice($.row_expectation, $._expr),
    row_expectation: ($) =>
      choice(
        seq("impossible", optional(seq(field("event", $.name), ".")), label_or($)),
        seq(optional("not"), field("fact", $.name), ".", label_or($)),
      ),

    // ---- definitions ------------------------------------------------------------------------------

    _definition: ($) => choice($.by_table, $.table, $._expr),
    by_table: ($) => seq("by", list(field("column", $._expr)), repeat1($.by_row)),
    by_row: ($) => prec.dynamic(1, prec.right(seq("|", optional(seq(label_or($), ":")), ...by_row_body($)))),
    cell: ($) => choice("any", seq(optional("not"), $._value)),
    table: ($) =>
      seq(field("how", choice("any", "all", "first", "highest", "lowest", "sum", "union")), "of", repeat1($.row)),
    row: ($) => prec.right(seq("|", label_or($), ":", ...row_body($))),
    row_event: ($) => seq("=>", $.call),
    for_each: ($) => seq("for", list($.binding)),
    binding: ($) => seq(field("name", $.name), "in", field("collection", $._value)),
    // After `no` an item may follow too.
    binding_after_no: ($) => seq(field("name", name_or($, ...ITEMS)), "in", field("collection", $._value)),
    when_clause: ($) => prec.right(seq("when", $._expr)),
    unless_clause: ($) => seq("unless", $._expr),
    says_clause: ($) => seq("says", $.text),
    cites_clause: ($) => seq("cites", $.text),
    where_clause: ($) => prec.right(seq("where", $._expr)),

    // ---- expressions, loosest first ---------------------------------------------------------------

    _expr: ($) => prec.right(choice(alias($.or_expr, $.binary_expr), $._and)),
    or_expr: ($) => chain($, $._expr, "or", $._and),
    _and: ($) => prec.right(choice(alias($.and_expr, $.binary_expr), $._not)),
    and_expr: ($) => chain($, $._and, "and", $._not),
    _not: ($) => prec.right(choice(alias($.not_expr, $.unary_expr), $._comparison)),
    not_expr: ($) => prec.right(seq(field("operator", "not"), $._not)),
    _comparison: ($) => prec.right(choice(alias($.comparison, $.binary_expr), $._value)),
    comparison: ($) => chain($, $._value, $.comparing, $._value),
    comparing: () =>
      choice("is", seq("is", "not"), "in", seq("not", "in"), "within", "<", "<=", ">", ">="),

    _value: ($) => prec.right(choice(alias($.else_expr, $.binary_expr), $._range)),
    else_expr: ($) => chain($, $._value, "else", $._range),
    _range: ($) => prec.right(choice(alias($.range_expr, $.binary_expr), $._sum)),
    range_expr: ($) => chain($, $._sum, "..", $._sum),
    _sum: ($) => prec.right(choice(alias($.sum_expr, $.binary_expr), $.but_expr, $._product)),
    sum_expr: ($) => chain($, $._sum, choice("+", alias($._minus, "-"), "with", "without", "then"), $._product),
    but_expr: ($) =>
      prec.right(seq(field("map", $._sum), "but", field("value", $._product), "at", field("key", $._product))),
    _product: ($) =>
      prec.right(choice(alias($.product_expr, $.binary_expr), $.rounded_expr, $._term)),
    rounded_expr: ($) =>
      prec.right(seq($._product, "rounded", choice("down", "up", "even"), optional(seq("to", $.number)))),
    product_expr: ($) => chain($, $._product, choice("*", "/", "mod"), $._term),

    _term: ($) => choice($._plain_term, $.group),
    _plain_term: ($) => choice(alias($.prefixed, $.unary_expr), $._atom),
    prefixed: ($) => seq(field("operator", choice(alias($._minus, "-"), "the")), $._term),

    _atom: ($) =>
      choice(
        $.call, $.number, $.text, $.set, $.pile, $.tensed, $.quantified, $.beside, $.extreme, $.best, $.yes,
        $.no, $.none, $.empty,
      ),
    yes: () => "yes",
    no: () => "no",
    none: () => "none",
    empty: () => "empty",

    // The words that tables and types begin with may be names.
    _name: ($) => name_or($, "all", "first", "sum", "union", "set", "bag", "pile"),
    call: ($) => seq(field("name", $._name), optional(choice(field("arguments", $.arguments), seq("of", field("of", $._term))))),
    arguments: ($) => prec(1, seq("(", list($._expr), ")")),
    group: ($) => seq("(", $._expr, optional(seq($.for_each, optional($.where_clause))), ")"),
    set: ($) =>
      seq(
        "{",
        choice(
          list($._expr),
          seq($._expr, $.for_each, optional($.where_clause)),
          seq($.binding, $.where_clause),
        ),
        "}",
      ),
    pile: ($) => seq("[", list($._expr), "]"),
    tensed: ($) => seq(choice("new", "old", "previous"), $.call),
    quantified: ($) =>
      prec.right(choice(
        seq("some", list($.binding), $.where_clause),
        seq("no", alias($.binding_after_no, $.binding), repeat(seq(",", $.binding)), $.where_clause),
        seq("every", list($.binding), "has", $._expr),
      )),
    beside: ($) => seq(choice("after", "before"), choice(alias($.beside_arguments, $.arguments), $._plain_term)),
    beside_arguments: ($) => seq("(", $._expr, optional(seq(",", $._expr)), ")"),
    extreme: ($) => seq(choice("highest", "lowest"), "of", $._term),
    best: ($) =>
      seq(choice("best", "sorted"), list($.binding), optional($.where_clause), "by", list($.key)),
    key: ($) => prec.right(seq(choice("highest", "lowest"), $._value)),

    // ---- texts ------------------------------------------------------------------------------------

    text: ($) =>
      choice(
        seq('"', repeat(choice(alias($._plain_double, $.plain), $.hole, $.escape)), token.immediate('"')),
        seq("'", repeat(choice(alias($._plain_single, $.plain), $.hole, $.escape)), token.immediate("'")),
      ),
    hole: ($) =>
      seq(
        token.immediate("{"), $._expr, optional(seq("...", optional($._expr))), optional($.separators), "}",
      ),
    separators: ($) => seq("by", $.text, optional(seq("last", $.text))),
    escape: () => token.immediate(/\\["'\\{}]/),

    // ---- transcripts ------------------------------------------------------------------------------

    transcript: ($) =>
      seq(
        "transcript", optional(field("name", $.name)), "by", choice("lines", "words"), "{", repeat($._step), "}",
      ),
    _step: ($) => choice($.pattern, $.repeat, $.play, $.start),
    start: () => "start",
    pattern: ($) => seq(optional(seq(label_or($, "start", "repeat", "play"), ":")), $.text),
    repeat: ($) =>
      seq("repeat", choice(seq("until", $.text), seq($._expr, "times")), "{", repeat($._step), "}"),
    play: ($) =>
      prec.right(seq(
        "play", optional(seq("by", field("policy", $.name))), "until", $._expr, optional($.stop),
        optional(seq("{", repeat($.row), "}")),
      )),
    stop: ($) => prec.right(seq(",", "or", optional("before"), $.text, optional($.when_clause))),

    // ---- variants ---------------------------------------------------------------------------------

    _change: ($) => choice($.set_value, $.remove, $.replace, $.add, $.except),
    set_value: ($) =>
      seq("set", field("name", $.name), optional(seq("of", field("of", $.name))), "=", field("value", $._expr)),
    remove: ($) => seq("remove", $.path),
    replace: ($) =>
      seq(
        "replace",
        choice(
          $.product, $.alias, $.write, $.limit,
          seq(
            alias($.replaced, $.path),
            choice(
              seq("=", field("value", $._definition)),
              seq(":", choice($._by_body, $._other_type, $._row_body)),
            ),
          ),
        ),
      ),
    replaced: ($) => seq(label_or($, "type", "write", "limit"), repeat($._step_of_path)),
    // What cannot be a value, and what looks like one but is hardly meant as one: `set of Size`.
    _other_type: ($) =>
      choice(
        seq(alias($.type_alone, $.type), choice(seq(optional($.per_round), optional($.sight)), "wraps")),
        seq(alias($.type_before_per, $.type), choice(seq($.per_round, optional($.sight)), "wraps")),
      ),
    type_before_per: ($) => choice($.range_type, $._type_name),
    type_alone: ($) =>
      choice(
        prec.dynamic(1, $.collection_type),
        seq(choice("yes/no", $.decimals), optional("?"), optional(seq("->", $.type))),
        seq(choice($.collection_type, $.range_type, $._type_name), choice("?", seq(optional("?"), "->", $.type))),
      ),
    _by_body: ($) => prec.dynamic(1, seq(...by_row_body($))),
    _row_body: ($) => seq(...row_body($)),
    add: ($) => seq("add", "to", $.path, optional($.place), repeat1(choice($.by_row, $.row, $.member))),
    place: ($) => seq(choice("before", "after"), label_or($)),
    except: ($) => seq("except", $.path, choice($.when_clause, $.unless_clause)),
    path: ($) => seq(label_or($), repeat($._step_of_path)),
    _step_of_path: ($) => seq(token.immediate("."), alias(token.immediate(/[A-Za-z][A-Za-z0-9_]*/), $.label)),

    // ---- words ------------------------------------------------------------------------------------

    name: () => /[A-Za-z][A-Za-z0-9_]*/,
    file_name: () => /[a-z](-?[A-Za-z0-9_])*/,
  },
});
