#!/usr/bin/env bash
# Whether this grammar and that of `referee` find the same rule files valid: all of this project, shipped ones and cases of
# tests. Needs `tree-sitter`, and `referee`, or another program that REFEREE names. Files that are valid for one only, with
# the reason, are listed in `differences.txt`.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/../.."
referee="${REFEREE:-referee}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

find examples playground rules tests -name '*.rules' -not -path '*/node_modules/*' | sort >"$folder/files"
while read -r file; do
    code=0
    "$referee" fmt - <"$file" >/dev/null 2>&1 || code=$?
    case $code in
    0) ;;
    3 | 6) echo "$file" ;; # it has a mistake, or is no text
    *) echo "\`$referee fmt -\` ends with code $code" >&2 && exit 2 ;;
    esac
done <"$folder/files" >"$folder/wrong for referee"

{ tree-sitter parse --grammar-path "$here" --quiet --paths "$folder/files" 2>/dev/null || true; } >"$folder/parsed"
{ grep -E '\((ERROR|MISSING) ' "$folder/parsed" || true; } | sed -E 's/[[:space:]].*//' | sort >"$folder/wrong for tree-sitter"
# Both find some files wrong; a list without any means that a program did nothing.
[[ -s "$folder/wrong for referee" && -s "$folder/wrong for tree-sitter" ]]

grep -v '^#' "$here/differences.txt" | sed 's/ .*//' | sort >"$folder/listed"
comm -3 "$folder/wrong for referee" "$folder/wrong for tree-sitter" | tr -d '\t' | sort >"$folder/found"
new="$(comm -13 "$folder/listed" "$folder/found")"
gone="$(comm -23 "$folder/listed" "$folder/found")"
[[ -z $new ]] || printf 'Valid for one only:\n%s\n' "$new"
[[ -z $gone ]] || printf 'The same for both, and yet in differences.txt:\n%s\n' "$gone"
printf '%s rule files, of which both find %s wrong; %s differences, listed with a reason\n' \
    "$(wc -l <"$folder/files")" "$(comm -12 "$folder/wrong for referee" "$folder/wrong for tree-sitter" | wc -l)" \
    "$(wc -l <"$folder/listed")"
[[ -z $new && -z $gone ]]
