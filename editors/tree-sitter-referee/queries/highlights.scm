; Each word is matched by one pattern, since editors differ in whether the first or the last of several wins.

(comment) @comment

; ---- texts ----

(text "\"" @string)
(text "'" @string)
(plain) @string
(escape) @string.escape
(hole "{" @punctuation.special)
(hole "}" @punctuation.special)
(hole "..." @punctuation.special)

; ---- keywords ----

[
  "game" "variant" "option" "use" "from" "kind" "ring" "type" "grid" "up" "write" "as" "given" "state" "just" "event"
  "fact" "illegal" "refuse" "on" "impossible" "report" "refused" "follows" "policy" "limit" "example" "expect"
  "round" "per" "begin" "each" "chance" "weight" "referee" "wraps" "seen" "hidden"
  "transcript" "lines" "words" "set" "remove" "replace" "add" "to" "except"
] @keyword

(start) @keyword
[ "when" "unless" "says" "cites" "for" "where" "by" "inline" "maybe" "play" "until" "repeat" "times" ] @keyword

[
  "and" "or" "not" "is" "in" "within" "else" "with" "without" "then" "but" "at" "mod" "of" "the" "some" "every" "has"
  "after" "before" "old" "previous" "best" "sorted" "rounded" "down" "even" "highest" "lowest" "last"
] @keyword.operator

(new "new" @keyword)
(tensed "new" @keyword.operator)
(quantified "no" @keyword.operator)
(cell "any" @keyword.operator)
(table how: _ @keyword.operator)

(label) @label

; ---- values and operators ----

(number) @number
[ (yes) (no) (none) (empty) ] @constant.builtin

[ "=" "=>" "->" ".." "+" "-" "*" "/" "<" "<=" ">" ">=" "?" ] @operator
[ "(" ")" "[" "]" ] @punctuation.bracket
(set "{" @punctuation.bracket "}" @punctuation.bracket)
(section "{" @punctuation.bracket "}" @punctuation.bracket)
(example "{" @punctuation.bracket "}" @punctuation.bracket)
(transcript "{" @punctuation.bracket "}" @punctuation.bracket)
(repeat "{" @punctuation.bracket "}" @punctuation.bracket)
(play "{" @punctuation.bracket "}" @punctuation.bracket)
[ "," ":" "." "|" ] @punctuation.delimiter

; ---- names ----

(file_name) @module

(fact name: (name) @function)
(event name: (name) @function)
(section event: (name) @function)
(section like: (name) @function)
(policy name: (name) @function)
(play policy: (name) @function)
(row_expectation fact: (name) @function)
(transcript name: (name) @label)
(example name: (label) @label)

(option name: (name) @variable)
(given name: (name) @variable)
(state name: (name) @variable)
(just name: (name) @variable)
(new name: (name) @variable)
(set_value name: (name) @variable)
(set_value of: (name) @constant)
(names (name) @variable.parameter)
(parameter name: (name) @variable.parameter)
(binding name: (name) @variable.parameter)

(kind name: (name) @type)
(ring name: (name) @type)
(product name: (name) @type)
(alias name: (name) @type)
(grid name: (name) @type)
(write type: (name) @type)
(use type: (name) @type)
(member name: (name) @constant)
(member (number) (name) @constant)

"yes/no" @type.builtin
(collection_type [ "set" "bag" "pile" ] @type.builtin)
(collection_type (name) @type)
(range_type (name) @constant)
(range_type (binary_expr (name) @constant))
((type (name) @type.builtin) (#any-of? @type.builtin "number" "word" "text"))
((type (name) @type) (#not-any-of? @type "number" "word" "text"))

((call name: (name) @type) (#match? @type "^[A-Z]"))
((call name: (name) @function arguments: (_)) (#not-match? @function "^[A-Z]"))
((call name: (name) @function of: (_)) (#not-match? @function "^[A-Z]"))
((call name: (name) @variable !arguments !of) (#not-match? @variable "^[A-Z]"))
