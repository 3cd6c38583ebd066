"""A game at the table."""

from __future__ import annotations

import os
import signal
import threading

import pytest
import referee
from conftest import SAMPLE, TRANSCRIPTS, folder


@pytest.mark.parametrize("name", ["nim", "snooker", "chess", "mau-mau.moves", "weiqi+superko,size=5"])
def test_a_session_says_what_a_run_says(name):
    game, form = folder(name)
    for case in sorted((TRANSCRIPTS / name).glob("*.txt"))[:5]:
        session = game.session(form=form)
        try:
            for line in case.read_text().splitlines():
                session.feed(line)
                session.state()
            session.end()
        except referee.Error:
            pass
        try:
            assert game.run(session.transcript, form=form) == session.report
        except referee.Error as error:
            assert error.report == session.report


def test_what_was_fed_is_taken_back(tmp_path):
    session = referee.Game.load("snooker").session(name="at the table")
    for line in SAMPLE.read_text().splitlines()[:6]:
        session.feed(line)
    before = session.transcript, session.report, session.state()
    session.feed(SAMPLE.read_text().splitlines()[6])
    assert session.transcript != before[0]
    assert session.undo().strip() == SAMPLE.read_text().splitlines()[6]
    assert (session.transcript, session.report, session.state()) == before
    with pytest.raises(referee.TranscriptError) as caught:
        session.feed("Red Whit")
    assert (caught.value.file, caught.value.line) == ("at the table", 7)
    assert (session.transcript, session.report, session.state()) == before
    session.save(tmp_path / "saved.txt")
    assert (tmp_path / "saved.txt").read_text() == session.transcript
    while session.steps:
        session.undo()
    assert (session.undo(), session.stage, session.games) == (None, "between", 0)


def test_what_may_come():
    session = referee.Game.load("nim").session()
    session.feed("1\nAnn Ben\n2")
    moves = session.moves(illegal=True)["moves"]
    assert [move["written"] for move in moves if move["verdict"] == "legal"] == [
        "Ann 1 from 1",
        "Ann 2 from 1",
    ]
    assert session.choose(seed=1) in {"Ann 1 from 1", "Ann 2 from 1"}
    assert session.expected()[0]["event"] == "take"
    assert "unexpected" in session.why(next_line="Ann 1 of 1")
    session.feed("Ann 2 from 1")
    assert session.stage == "complete"
    assert session.why(format="data")["events"][0]["event"] == "take"
    assert "Ann wins" in session.why(4)


def test_it_can_be_used_from_any_thread():
    session = referee.Game.load("nim").session()
    for line in ("1", "Ann Ben", "2", "Ann 2 from 1"):
        thread = threading.Thread(target=session.feed, args=(line,))
        thread.start()
        thread.join()
    assert session.stage == "complete"


def test_ctrl_c_ends_a_feed_or_it_is_done():
    games = 100_000
    session = referee.Game.load("nim").session()
    session.feed(f"{games}\n")
    before = session.transcript, session.report, session.steps, session.stage
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        session.feed("Ann Ben\n2\nAnn 2 from 1\n" * games)
    assert (session.transcript, session.report, session.steps, session.stage) == before
    assert session.feed("Ann Ben\n2\n") == "Ann against Ben: 2\n"


def test_a_line_that_is_refused_after_the_end_changes_nothing():
    session = referee.Game.load("snooker").session()
    session.feed(SAMPLE.read_text())
    session.end()
    before = session.transcript, session.report, session.steps
    with pytest.raises(referee.TranscriptError):
        session.feed("none such")
    assert (session.transcript, session.report, session.steps) == before


def test_events_that_there_are_not():
    session = referee.Game.load("nim").session()
    session.feed("1\nAnn Ben\n2")
    with pytest.raises(referee.UsageError) as caught:
        session.moves(["taek"])
    assert caught.value.helps == ("did you mean `take`?",)
    assert session.moves(["take"])["moves"]


def test_it_is_saved_wherever_paths_lead(tmp_path):
    session = referee.Game.load("nim").session()
    session.feed("1")
    session.save(os.fsencode(tmp_path / "saved.txt"))
    assert (tmp_path / "saved.txt").read_text() == "1\n"
