; `@indent.…` is what Neovim reads, and `@indent` and `@outdent` what Helix does.

[
  (section)
  (example)
  (transcript)
  (repeat)
  (play)
] @indent.begin @indent

(section "}" @indent.end @indent.branch @outdent)
(example "}" @indent.end @indent.branch @outdent)
(transcript "}" @indent.end @indent.branch @outdent)
(repeat "}" @indent.end @indent.branch @outdent)
(play "}" @indent.end @indent.branch @outdent)

; Rows stand below the word that begins their table.
[
  (kind)
  (ring)
  (fact)
  (impossible)
  (new)
  (report)
  (follows)
  (policy)
  (replace)
  (add)
] @indent.begin @indent
