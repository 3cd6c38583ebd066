"""Reports are those of the command, byte for byte, and so are the messages."""

from __future__ import annotations

import io
import os
import subprocess

import pytest
import referee
from conftest import SAMPLE, TRANSCRIPTS, folder

FOLDERS = sorted(path.name for path in TRANSCRIPTS.iterdir() if path.is_dir())


def snapshot(case) -> str:
    """What is written down of a case: the report, how the run ends, and the message."""
    _, _, text = case.with_suffix(".snap").read_text().split("---\n", 2)
    return text


def told(game, form, case, source) -> str:
    """The same, of a run from here."""
    report, kind, drawn = "", "done (0)", ""
    try:
        report = game.run(source, form=form, name=case.name)
    except referee.Error as error:
        report, drawn = error.report, str(error)
        kind = f"{error.kind} ({error.exit_code})"
    gap = "" if not report or report.endswith("\n") else "\n--- the line is not complete\n"
    return f"{report}{gap}--- {kind}\n{drawn}"


@pytest.mark.parametrize("name", FOLDERS)
def test_every_case_says_what_is_written_down(name):
    game, form = folder(name)
    cases = sorted((TRANSCRIPTS / name).glob("*.txt"))
    assert cases
    for case in cases:
        # A snapshot's end is not kept to the byte.
        assert told(game, form, case, case).rstrip() == snapshot(case).rstrip(), case


@pytest.mark.parametrize("name", FOLDERS)
def test_events_say_what_the_report_says(name):
    game, form = folder(name)
    for case in sorted((TRANSCRIPTS / name).glob("*.txt"))[:3]:
        said = []
        try:
            for record in game.events(case, form=form):
                for line in record.get("said", []):
                    said.append(line["text"] + ("" if line.get("inline") else "\n"))
            error = None
        except referee.Error as raised:
            error = raised
        try:
            report = game.run(case, form=form)
            assert error is None
        except referee.Error as raised:
            report = raised.report
            assert (raised.slug, raised.line) == (error.slug, error.line)
        assert "".join(said) == report, case


def test_every_sort_of_source_says_the_same():
    game = referee.Game.load("snooker")
    report = game.run(SAMPLE)
    text = SAMPLE.read_text()
    output = io.BytesIO()
    assert game.run(SAMPLE, output=output) is None
    assert output.getvalue() == report.encode()
    for source in (
        text,
        text.encode(),
        bytearray(text.encode()),
        iter(text),
        [text[:10], text[10:].encode()],
    ):
        assert game.run(source) == report
    with SAMPLE.open() as as_text, SAMPLE.open("rb") as as_bytes:
        assert game.run(as_text) == game.run(as_bytes) == report


@pytest.mark.skipif("REFEREE" not in os.environ, reason="REFEREE does not say where the command is")
def test_the_command_writes_the_same_bytes():
    command = os.environ["REFEREE"]
    for game in referee.games():
        for case in sorted((TRANSCRIPTS / game).glob("*.txt"))[:2]:
            ran = subprocess.run([command, "run", game, case], capture_output=True, check=False)
            try:
                report, message, code = referee.Game.load(game).run(case), "", 0
            except referee.Error as error:
                report, message, code = error.report, f"{error}\n", error.exit_code
            assert (ran.stdout, ran.returncode) == (report.encode(), code)
            assert ran.stderr.decode() == message


def test_a_report_comes_before_more_is_read():
    """Who feeds a run sees what came of each line."""
    seen = []

    class Output:
        def write(self, text):
            seen.append(bytes(text))

    def lines():
        yield "1\n"
        yield "Ann Ben\n"
        yield "2\n"
        yield "Ann 1 from 1\n"
        assert b"".join(seen) == b"Ann against Ben: 2\nAnn leaves 1\n"
        yield "Ben 1 from 1\n"

    referee.Game.load("nim").run(lines(), output=Output())
    assert b"".join(seen).endswith(b"Ben wins\n")
