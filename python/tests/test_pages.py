"""The pages about Python show what happens. `REFEREE_PAGES=all` also runs what takes long."""

from __future__ import annotations

import doctest
import os

import pytest
from conftest import REPOSITORY

for needed in ("duckdb", "polars", "pyarrow"):
    pytest.importorskip(needed)


@pytest.mark.parametrize("page", ["python.md", "cluster.md"])
def test_a_page_shows_what_happens(page, monkeypatch, tmp_path):
    monkeypatch.chdir(REPOSITORY)
    text = (REPOSITORY / "docs" / page).read_text()
    if os.environ.get("REFEREE_PAGES") != "all":
        text, _, _ = text.partition("\n## Five questions")
    # The marks of blocks would be taken for what an example prints.
    lines = ["" if line.startswith("```") else line for line in text.splitlines()]
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {"FOLDER": str(tmp_path)}, page, page, 0)
    assert test.examples
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=told.append)
    assert not told, "".join(told)
