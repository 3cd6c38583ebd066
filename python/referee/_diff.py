"""What two games say of the same transcript."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._native import _whole
from .errors import Error, UsageError

if TYPE_CHECKING:
    from ._native import Game, Source

__all__ = ["Difference", "Row", "diff"]


@dataclass(frozen=True)
class Row:
    """A row of the rules: its name after that of what it belongs to (``fact.row``), its file, and its line there."""

    name: str
    file: str
    line: int


@dataclass(frozen=True)
class Difference:
    """The first line on which two reports differ: its number from 1, and both; None where a report is over.

    ``at`` is the line of the transcript on which the games come apart (0 before anything is read), and ``one_row`` and
    ``other_row`` are the rows that make it so, if rows do: None where the game has no such row.
    """

    line: int
    one: str | None
    other: str | None
    at: int | None = None
    one_row: Row | None = None
    other_row: Row | None = None


def diff(one: Game, other: Game, source: Source, *, form: str | None = None) -> Difference | None:
    """Where two games first say different things of a transcript: a `Difference`, or None where they say the same.

    An error counts as the last line of a report: two games that stop at the same place for the same reason say the same.
    An iterable is read once, and kept. Raises `UsageError` where there is no such form, and `MachineError` where the
    transcript cannot be read.

    >>> import referee
    >>> one, other = referee.Game.load("snooker"), referee.Game.load("snooker+foul-five")
    >>> found = referee.diff(one, other, "1\\n\\nAnn Ben\\nRed White\\n")
    >>> found.line, found.one, found.other, found.at
    (4, '0 : 4', '0 : 5', 4)
    >>> found.one_row
    Row(name='penalty.least', file='snooker.rules', line=65)
    >>> referee.diff(one, one, "1\\n\\nAnn Ben\\nRed White\\n") is None
    True
    """
    name, text = _whole(source)
    left, right = _said(one, text, form, name), _said(other, text, form, name)
    for number in range(max(len(left), len(right))):
        here, there = left[number : number + 1], right[number : number + 1]
        if here != there:
            at, rows = one._cause(other, text, form) or (None, (None, None))
            one_row, other_row = (row and Row(*row) for row in rows)
            return Difference(
                number + 1, here[0] if here else None, there[0] if there else None, at, one_row, other_row
            )
    return None


def _said(game: Game, text: bytes, form: str | None, name: str) -> list[str]:
    """What a game says, line by line, and what stops it."""
    try:
        return game.run(text, form=form, name=name).split("\n")
    except UsageError:
        raise
    except Error as error:
        headline = str(error).split("\n", 1)[0]
        place = "" if error.line is None else f" ({error.line}:{error.column})"
        return [*error.report.split("\n"), headline + place]
