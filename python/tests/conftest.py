"""What several tests need: the cases of the repository."""

from __future__ import annotations

import functools
from pathlib import Path

import referee

REPOSITORY = Path(__file__).resolve().parents[2]
TRANSCRIPTS = REPOSITORY / "tests" / "transcripts"
SAMPLE = TRANSCRIPTS / "snooker" / "sample.txt"


@functools.cache
def folder(name: str) -> tuple[referee.Game, str | None]:
    """The game and the form that a folder of cases is named after: `game+variant.form,option=value`."""
    called, *settings = name.split(",")
    called, _, form = called.partition(".")
    return referee.Game.load(called, dict(one.split("=") for one in settings)), form or None
