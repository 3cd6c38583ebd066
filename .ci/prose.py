"""Runs proselint over what people read: pages, and the comments of shipped rule files.

Code is left out, and what is left out makes no difference to the numbers of lines. What proselint may say all the same
stands in `ALLOWED`, each with a reason.
"""

import glob
import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

ALLOWED = {
    "typography.symbols.curly_quotes": "quotes are those that a keyboard has, as in code",
    "typography.symbols.ellipsis": "three dots are a part of output",
    "typography.symbols.multiplication": "a cross in a move is how players write it",
}

PAGES = ["*.md", "docs/*.md", "tests/README.md", "playground/*.md", "editors/*/README.md"]


def page(text: str) -> str:
    """The prose of a page in Markdown."""
    lines, code, number = [], False, itertools.count()
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            code = not code
            line = ""
        elif code:
            line = ""
        # Two things in code side by side are no word that is said twice.
        line = re.sub(r"`[^`]*`", lambda _: f"code{next(number)}", line)
        line = re.sub(r"\]\([^)]*\)", "]", line)
        lines.append(re.sub(r"^#+ (.*)$", r"\1.", line))
    return "\n".join(lines)


def rules(text: str) -> str:
    """The comments of a rule file."""
    comments = (re.search(r"-- (.*)$", line) for line in text.split("\n"))
    return page("\n".join(f"{found.group(1)}." if found else "" for found in comments))


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        for pattern in PAGES:
            for path in glob.glob(pattern):
                write(folder, path, page(Path(path).read_text(encoding="utf-8")))
        for path in glob.glob("rules/**/*.rules", recursive=True):
            write(folder, path, rules(Path(path).read_text(encoding="utf-8")))
        files = sorted(str(path) for path in Path(folder).iterdir())
        arguments = [sys.executable, "-m", "proselint", "check", "--output-format", "json", *files]
        output = subprocess.run(arguments, capture_output=True, text=True, check=False).stdout
    wrong = 0
    for path, found in json.loads(output)["result"].items():
        for one in found.get("diagnostics", []):
            if one["check_path"] not in ALLOWED:
                wrong += 1
                place = Path(unquote(path)).name.replace("#", "/")
                print(f"{place}:{one['pos'][0]}: {one['message']}")
    return 1 if wrong else 0


def write(folder: str, path: str, prose: str) -> None:
    Path(folder, path.replace("/", "#")).write_text(prose, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
