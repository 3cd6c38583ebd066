"""Tables hold what the records say, and others take them without copying."""

from __future__ import annotations

import json
import re

import pytest
import referee
from conftest import REPOSITORY, SAMPLE, TRANSCRIPTS, folder
from generated import snooker

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.compute")

KINDS = ["runs", "events", "changes", "said", "facts"]


def as_text(value):
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def rows_of(records):
    """What tables hold, made of records."""
    tables = {kind: [] for kind in KINDS[1:]}
    places = {}

    def row(one):
        place = places[one["row"]]
        return {"name": place.get("name"), "file": place["file"], "line": place["line"]}

    def number(value):
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    for record in records:
        if record["type"] == "row":
            places[record["row"]] = record
        if record["type"] != "event":
            continue
        head = {name: record[name] for name in ("game", "number", "line", "event")}
        tables["events"].append(
            head
            | {name: record[name] for name in ("by", "outcome")}
            | {"words": record.get("words"), "fields": as_text(record.get("fields", {}))}
            | {"illegal": record.get("illegal", []), "refused": record.get("refused")}
            | {"impossible": record.get("impossible", {}).get("text")}
        )
        for change in record.get("changes", []):
            old, new = change.get("from"), change.get("to")
            tables["changes"].append(
                head
                | {"state": change["state"], "place": [as_text(at) for at in change.get("at", [])]}
                | {"old": as_text(old), "new": as_text(new)}
                | {"old_number": number(old), "new_number": number(new)}
                | {name: [as_text(one) for one in change.get(name, [])] for name in ("added", "removed")}
                | {"rows": [row(one) for one in change.get("rows", [])]}
            )
        for said in record.get("said", []):
            place = row(said["row"])
            tables["said"].append(
                head
                | {"text": said["text"], "inline": said.get("inline", False)}
                | {"row": place["name"], "row_file": place["file"], "row_line": place["line"]}
                | {"says": said["row"].get("says")}
            )
        for fact in record.get("facts", []):
            tables["facts"].append(
                head
                | {"fact": fact["fact"], "arguments": [as_text(of) for of in fact.get("of", [])]}
                | {"value": as_text(fact["value"]), "value_number": number(fact["value"])}
                | {"rows": [row(one) for one in fact.get("rows", [])]}
            )
    return tables


@pytest.mark.parametrize("name", ["snooker", "chess", "weiqi", "mau-mau", "yahtzee", "kalah"])
def test_tables_hold_what_the_records_say(name):
    game, form = folder(name)
    cases = sorted((TRANSCRIPTS / name).glob("*.txt"))
    tables = game.tables(cases, form=form, errors="keep")
    runs = pa.table(tables.runs).to_pylist()
    for case, run in zip(cases, runs, strict=True):
        records, error = [], None
        try:
            for record in game.events(case, form=form):
                records.append(record)
        except referee.Error as raised:
            error = raised
        assert run["input"] == str(case)
        assert run["slug"] == (error and error.slug)
        assert (run["line"], run["column"]) == ((error.line, error.column) if error else (None, None))
        for kind, rows in rows_of(records).items():
            table = pa.table(getattr(tables, kind))
            here = table.filter(pa.compute.field("input") == str(case)).drop_columns("input")
            assert here.to_pylist() == rows, (case, kind)


def test_a_table_that_is_made_while_it_is_taken_is_the_same():
    game = referee.Game.load("snooker")
    inputs = [SAMPLE, ("mine", SAMPLE.read_text())]
    tables = game.tables(inputs)
    for kind in KINDS:
        held = getattr(tables, kind)
        coming = game.table(kind, inputs)
        assert pa.table(coming).equals(pa.table(held))
        assert held.columns == pa.table(held).column_names
        with pytest.raises(RuntimeError, match="was taken"):
            pa.table(coming)
        with pytest.raises(TypeError):
            len(coming)


def test_what_is_wrong_with_tables():
    game = referee.Game.load("snooker")
    with pytest.raises(referee.TranscriptError):
        game.tables("1\n\nAnn Ben\nRed Whit\n")
    with pytest.raises(pa.ArrowException, match="unexpected `Whit`"):
        pa.table(game.table("said", "1\n\nAnn Ben\nRed Whit\n"))
    with pytest.raises(ValueError, match="there is no table `rows`"):
        game.table("rows", "")
    with pytest.raises(ValueError, match="write raise or keep"):
        game.tables("", errors="ignore")
    with pytest.raises(TypeError, match="reads str, bytes"):
        game.table("said", iter([""]))


def test_nothing_is_copied():
    """Two tables of pyarrow that are made of one have the same memory."""
    said = referee.Game.load("snooker").tables(SAMPLE).said

    def addresses(table):
        chunks = [chunk for column in table.columns for chunk in column.chunks]
        return [buffer and buffer.address for chunk in chunks for buffer in chunk.buffers()]

    assert addresses(pa.table(said)) == addresses(pa.table(said))


def test_others_take_them():
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    tables = referee.Game.load("snooker").tables(SAMPLE)
    report = referee.Game.load("snooker").run(SAMPLE)
    assert polars.DataFrame(tables.said)["text"].to_list() == report.splitlines()
    said = tables.said  # noqa: F841 (DuckDB finds it by its name)
    assert duckdb.sql("select text from said").fetchall() == [(line,) for line in report.splitlines()]
    try:
        from_arrow = pytest.importorskip("pandas").DataFrame.from_arrow
        assert list(from_arrow(tables.said)["text"]) == report.splitlines()
    except (AttributeError, pytest.skip.Exception):
        pass  # pandas is not here, or too old
    for kind in KINDS:
        table = getattr(tables, kind)
        assert len(polars.DataFrame(table)) == len(table) == len(pa.table(table))


def test_the_columns_are_those_that_the_page_names():
    page = (REPOSITORY / "docs" / "python.md").read_text()
    page = page.partition("\nA row is a struct")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("|")]
    start = rows.index(["column", "holds", ""])
    groups: dict[str, list[str]] = {}
    group = ""
    for names, holds, _ in rows[start + 1 :]:
        if not holds:
            group = names.replace("`", "")
        else:
            groups.setdefault(group, []).extend(re.findall(r"`(\w+)`", names))
    tables = referee.Game.load("nim").tables([])
    for kind in KINDS:
        shared = groups["all tables"] + (groups["all but runs"] if kind != "runs" else [])
        assert getattr(tables, kind).columns == shared + groups[kind], kind


def test_generated_frames_are_as_the_rules_allow():
    runs = (
        referee.Game.load("snooker").tables([(f"{seed}", snooker(5, seed)) for seed in range(10)], errors="keep").runs
    )
    assert pa.table(runs)["slug"].null_count == len(runs)
