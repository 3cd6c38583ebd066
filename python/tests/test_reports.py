"""Reports are those of the command, byte for byte, and so are the messages."""

from __future__ import annotations

import gc
import gzip
import io
import os
import subprocess
import weakref

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


class Halting(io.RawIOBase):
    """Takes at most ten bytes at a time, and nothing after so many calls."""

    def __init__(self, calls):
        self.calls, self.taken = calls, b""

    def writable(self):
        return True

    def write(self, text):
        if self.calls == 0:
            return None
        self.calls -= 1
        self.taken += bytes(text[:10])
        return len(text[:10])


def test_an_output_that_takes_a_part_at_a_time():
    game = referee.Game.load("snooker")
    report = game.run(SAMPLE).encode()
    output = Halting(1000)
    game.run(SAMPLE, output=output)
    assert output.taken == report
    output = Halting(3)
    with pytest.raises(BlockingIOError):
        game.run(SAMPLE, output=output)
    assert output.taken == report[:30]

    class Nothing:
        def write(self, text):
            return 0

    with pytest.raises(OSError, match="takes nothing"):
        game.run(SAMPLE, output=Nothing())


@pytest.mark.parametrize("run", ["run", "events", "tables", "cover", "why"])
def test_half_a_character_is_not_text(run):
    game, text = referee.Game.load("nim"), "1\nA\ud800 Ben\n2\nBen 2 from 1\n"
    for source in (text, iter([text])):
        with pytest.raises(UnicodeEncodeError):
            list(getattr(game, run)(source))


def test_two_games_and_a_transcript_that_cannot_be_read(tmp_path):
    game = referee.Game.load("nim")
    for path in (tmp_path, tmp_path / "nowhere.txt"):
        with pytest.raises(referee.MachineError):
            referee.diff(game, game, path)


def test_two_games_differ_by_rows():
    one, other = referee.Game.load("snooker"), referee.Game.load("snooker+foul-five")
    found = referee.diff(one, other, SAMPLE)
    assert (found.line, found.one, found.other) == (4, "0 : 4", "0 : 5")
    line = SAMPLE.read_text().splitlines()[found.at - 1]
    assert line.endswith("White")
    assert [row.name for row in (found.one_row, found.other_row)] == ["penalty.least", "penalty.least"]
    assert found.one_row == found.other_row == referee.Row("penalty.least", "snooker.rules", 65)
    assert referee.diff(one, other, iter(SAMPLE.read_text())) == found
    # Of two games that have nothing in common, no row makes the difference.
    nowhere = referee.diff(one, referee.Game.load("nim"), "1\nAnn Ben\n2\nAnn 2 from 1\n")
    assert (nowhere.line, nowhere.one_row, nowhere.other_row) == (1, None, None)
    with pytest.raises(TypeError, match="a transcript is a str"):
        referee.diff(one, one, 3)


def test_files_that_are_compressed(tmp_path):
    game = referee.Game.load("snooker")
    path = tmp_path / "sample.txt.gz"
    path.write_bytes(gzip.compress(SAMPLE.read_bytes()[:100]) + gzip.compress(SAMPLE.read_bytes()[100:]))
    assert game.run(path) == game.run(SAMPLE)
    assert game.why(path) == game.why(SAMPLE, name=str(path))
    assert game.cover([path]) == game.cover([SAMPLE])
    assert len(list(game.events(path))) == len(list(game.events(SAMPLE)))
    path.write_bytes(SAMPLE.read_bytes())
    with pytest.raises(referee.MachineError, match="cannot be read"):
        game.run(path)


def test_what_a_game_is():
    game = referee.Game.load("nim", {"most": 3}, seed=7)
    assert repr(game) == "<referee.Game nim most=3 seed=7>"
    assert repr(referee.Game.load("snooker+miss")) == "<referee.Game snooker+miss>"
    seen = weakref.ref(game)
    assert seen() is game
    with game.events("1\nAnn Ben\n2\nAnn 2 from 1\n") as events:
        assert next(events)["type"] == "run"
    assert list(events) == []
    del game
    gc.collect()
    assert seen() is None
