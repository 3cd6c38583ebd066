"""What goes wrong is an exception with fields."""

from __future__ import annotations

import collections
import io
import pickle
import types
from pathlib import Path

import pytest
import referee

WRONG = "1\n\nAnn Ben\nRed Whit\n"


def test_a_transcript_that_is_wrong():
    with pytest.raises(referee.TranscriptError) as caught:
        referee.Game.load("snooker").run(WRONG)
    error = caught.value
    assert (error.slug, error.file, error.line, error.column) == ("unexpected", "transcript", 4, 5)
    assert (error.kind, error.exit_code) == ("transcript", 4)
    assert error.message == "unexpected `Whit`"
    assert error.report == "Frame 1\nAnn's turn, in-hand\n"
    assert "did you mean `White`?" in error.notes[0]
    assert str(error).startswith("error[unexpected]: unexpected `Whit`\n --> transcript:4:5\n")
    assert isinstance(error, referee.Error)


def test_rules_that_are_wrong():
    text = 'game mine "Mine"\nstate total: number = 0\non start { new totl = 1 new x = y }\n'
    with pytest.raises(referee.RulesError) as caught:
        referee.Game.load("mine", text=text)
    assert caught.value.exit_code == 3
    assert len(caught.value.diagnostics) > 1
    assert [one.slug for one in caught.value.diagnostics] == [one.slug for one in referee.check("mine", text=text)]


@pytest.mark.parametrize(
    ("load", "slug"),
    [
        (lambda: referee.Game.load("snoker"), "no-game"),
        (lambda: referee.Game.load("snooker+fre-ball"), None),
        (lambda: referee.Game.load("snooker", {"red_balls": 99}), None),
        (lambda: referee.Game.load("snooker").run("", form="none such"), "no-transcript"),
        (lambda: referee.Game.load("snooker").why("1\n", 7), None),
        (lambda: referee.Game.load("nim").session().moves(), "not-playing"),
        (lambda: referee.Game.load("nim").session(form="none such"), "no-transcript"),
        (lambda: referee.Game.load("nim").cover("", form="none such"), "no-transcript"),
        (lambda: referee.Game.load("nim").session().moves(["taek"]), "unknown-name"),
        (lambda: referee.variants("nimm"), "no-game"),
    ],
)
def test_what_makes_no_sense(load, slug):
    with pytest.raises(referee.UsageError) as caught:
        load()
    assert slug is None or caught.value.slug == slug
    assert caught.value.exit_code == 2


def test_a_bound_that_is_hit():
    game = referee.Game.load("snooker", limits={"events": 2})
    with pytest.raises(referee.BoundError) as caught:
        game.run("1\n\nAnn Ben\nRed\nRed\nRed\nRed\n")
    assert (caught.value.slug, caught.value.exit_code) == ("limit", 5)


def test_a_file_that_is_not_there():
    with pytest.raises(referee.MachineError) as caught:
        referee.Game.load("snooker").run(Path("nowhere.txt"))
    assert (caught.value.slug, caught.value.line) == ("unreadable", None)


@pytest.mark.parametrize("run", ["run", "events", "tables"])
def test_what_python_raises_goes_through(run):
    def lines():
        yield "1\n"
        raise KeyError("mine")

    game = referee.Game.load("snooker")
    with pytest.raises(KeyError, match="mine"):
        result = getattr(game, run)(lines())
        list(result)


def test_rule_files_that_cannot_be_read(tmp_path):
    with pytest.raises(referee.MachineError) as caught:
        referee.Game.load(tmp_path / "nowhere.rules")
    assert (caught.value.slug, caught.value.file) == ("unreadable", None)
    rules = tmp_path / "latin.rules"
    rules.write_bytes(b'game latin "Latin"\n# \xe4\n')
    with pytest.raises(referee.RulesError) as caught:
        referee.Game.load(rules)
    error = caught.value
    assert (error.slug, error.file, error.line, error.column) == ("not-text", str(rules), 2, 3)


def test_a_report_is_told_where_it_would_have_been_returned():
    game, text = referee.Game.load("nim"), "1\nAnn Ben\n2\nAnn 3 from 1\n"
    told = {}
    for name, run in (
        ("run", lambda: game.run(text)),
        ("tables", lambda: game.tables(text)),
        ("output", lambda: game.run(text, output=io.BytesIO())),
        ("events", lambda: list(game.events(text))),
    ):
        with pytest.raises(referee.TranscriptError) as caught:
            run()
        told[name] = caught.value.report
    assert told == {"run": "Ann against Ben: 2\n", "tables": "Ann against Ben: 2\n", "output": "", "events": ""}


def test_options_and_limits_are_any_mappings():
    options = types.MappingProxyType({"most": 3})
    game = referee.Game.load("nim", options, limits=collections.ChainMap({"events": 1}))
    assert game.options["most"] == "3"
    with pytest.raises(referee.BoundError):
        game.run("1\nAnn Ben\n2\nAnn 1 from 1\nBen 1 from 1\n")
    assert referee.check("nim", options) == []
    for wrong in (1.5, b"3", [3]):
        with pytest.raises(TypeError, match="the value of an option is a str, an int, a bool or None"):
            referee.Game.load("nim", {"most": wrong})
    with pytest.raises(TypeError):
        referee.Game.load("nim", 3)
    with pytest.raises(referee.UsageError) as caught:
        referee.Game.load("nim", {"most": -1})
    assert caught.value.file == "options"
    assert "--set" not in str(caught.value)


def test_variants_of_a_file(tmp_path):
    (tmp_path / "mine.rules").write_text('game mine "Mine"\n')
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "other.rules").write_text('variant other of mine "Other"\n')
    assert referee.variants(tmp_path / "mine.rules") == ["other"]
    assert referee.variants("mine", folders=[tmp_path]) == ["other"]
    assert referee.variants("nim") == []


def test_what_is_no_transcript():
    game = referee.Game.load("snooker")
    with pytest.raises(TypeError, match="a transcript is a str, bytes"):
        game.run(7)
    with pytest.raises(TypeError, match="gives str or bytes"):
        game.run([7])
    with pytest.raises(TypeError, match="there is no limit"):
        referee.Game.load("snooker", limits={"time": 3})


def test_errors_and_games_can_be_pickled(tmp_path):
    rules = tmp_path / "mine.rules"
    rules.write_text(Path(__file__).parents[2].joinpath("examples/noughts/noughts.rules").read_text())
    game = referee.Game.load(rules)
    text = "2,2\n2,2\n"
    with pytest.raises(referee.TranscriptError) as caught:
        game.run(text)
    pickled = pickle.dumps(game)
    rules.unlink()
    with pytest.raises(referee.TranscriptError) as again:
        pickle.loads(pickled).run(text)
    copied = pickle.loads(pickle.dumps(caught.value))
    for error in (again.value, copied):
        assert str(error) == str(caught.value)
        assert vars(error) == vars(caught.value)
    caught.value.seen = "in the archive"
    assert pickle.loads(pickle.dumps(caught.value)).seen == "in the archive"
