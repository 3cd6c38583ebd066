"""Write down the rules of a game and have them enforced: the referee from Python.

>>> import referee
>>> game = referee.Game.load("snooker+free-ball")
>>> session = game.session()
>>> print(session.feed("1\\n\\nAnn Ben\\nRed White"), end="")
Frame 1
Ann's turn, in-hand
Foul!
0 : 4
Ben's turn, in-hand

`Game` loads rules and runs them on transcripts: `Game.run` gives the report, `Game.events` what happened as records, and
`Game.tables` as tables that Polars, DuckDB, pandas and pyarrow take. `Session` is a transcript under way. `check` says what
is wrong with rules, and `diff` where two games say different things of a transcript. What goes wrong is an `Error`
(`referee.errors`). `referee.shards` runs a game on many transcripts on one machine, `referee.ray` on a cluster; these two
are imported by their names, and need pyarrow, and Ray.
"""

from __future__ import annotations

from ._diff import Difference, Row, diff
from ._native import Events, Game, Session, Table, Tables, check, games, variants
from .errors import (
    BoundError,
    Diagnostic,
    Error,
    MachineError,
    RulesError,
    TranscriptError,
    UsageError,
)

__all__ = [
    "BoundError",
    "Diagnostic",
    "Difference",
    "Error",
    "Events",
    "Game",
    "MachineError",
    "Row",
    "RulesError",
    "Session",
    "Table",
    "Tables",
    "TranscriptError",
    "UsageError",
    "check",
    "diff",
    "games",
    "variants",
]
