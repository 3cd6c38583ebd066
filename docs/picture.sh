#!/bin/sh
# Draws the picture of the README, docs/picture.svg, from what the commands below really print:
#   docs/picture.sh > docs/picture.svg
# It needs `referee` in the PATH. A test runs it and compares.
set -eu
cd "$(dirname "$0")/.."
unset REFEREE_RULES NO_COLOR
export CLICOLOR_FORCE=1 COLUMNS=100

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp tests/transcripts/snooker/sample.txt "$folder/frame.txt"
sed 's/new turn = after turn/new turn = after trun/' examples/noughts/noughts.rules > "$folder/noughts.rules"
cd "$folder"

shown() {
  printf '\033[1m\033[92m$\033[0m \033[1m%s\033[0m\n' "$1"
  sh -c "$1" 2>&1 || true
  echo
}

{
  shown 'sed -n 4p frame.txt'
  shown 'referee run snooker frame.txt | head -5'
  shown 'referee why snooker frame.txt:4'
  shown 'referee why snooker frame.txt:4 --not foul'
  shown 'referee check noughts.rules'
} | awk '
  # Each line becomes a text; what stands between the signs for colours becomes a part of it.
  function escaped(text) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
    # Spaces at the beginning, and several of them, would be drawn as one.
    gsub(/ /, "\302\240", text)
    return text
  }
  function part(text,    style) {
    if (text == "") return ""
    style = (colour == "" ? "" : " fill=\"" colour "\"") (bold ? " font-weight=\"bold\"" : "")
    return style == "" ? escaped(text) : "<tspan" style ">" escaped(text) "</tspan>"
  }
  {
    line = ""; rest = $0
    while (match(rest, /\033\[[0-9]+m/)) {
      line = line part(substr(rest, 1, RSTART - 1))
      code = substr(rest, RSTART + 2, RLENGTH - 3)
      rest = substr(rest, RSTART + RLENGTH)
      if (code == 0) { colour = ""; bold = 0 }
      else if (code == 1) bold = 1
      else if (code == 91) colour = "#f07178"
      else if (code == 92) colour = "#a5d6a7"
      else if (code == 93) colour = "#ffcb6b"
      else if (code == 94) colour = "#82aaff"
    }
    lines[++count] = line part(rest)
    plain = $0; gsub(/\033\[[0-9]+m/, "", plain)
    if (length(plain) > columns) columns = length(plain)
  }
  END {
    # The last is empty.
    while (lines[count] == "") count--
    height = 20 * count + 32; width = int(columns * 17 / 2) + 40
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" width "\" height=\"" height "\" viewBox=\"0 0 " width " " height "\" role=\"img\">"
    print "<title>A terminal: a foul is reported, explained by its rule, and a mistake in a rule file is pointed out</title>"
    print "<rect width=\"" width "\" height=\"" height "\" rx=\"8\" fill=\"#1e1e2e\"/>"
    print "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"14\" fill=\"#d8dee9\">"
    for (i = 1; i <= count; i++)
      if (lines[i] != "") print "<text x=\"20\" y=\"" 20 * i + 12 "\">" lines[i] "</text>"
    print "</g>"
    print "</svg>"
  }
'
