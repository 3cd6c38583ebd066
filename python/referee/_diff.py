"""What two games say of the same transcript."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import Error, UsageError

if TYPE_CHECKING:
    from ._native import Game, Source

__all__ = ["Difference", "diff"]


@dataclass(frozen=True)
class Difference:
    """The first line on which two reports differ: its number from 1, and both; None where a report is over."""

    line: int
    one: str | None
    other: str | None


def diff(one: Game, other: Game, source: Source, *, form: str | None = None) -> Difference | None:
    """Where two games first say different things of a transcript: a `Difference`, or None where they say the same.

    What stops a run counts as its last line. An iterable is read once, and kept. Raises `UsageError` where there is no such
    form. The command `referee diff` also tells which rows made the difference; this does not.

    >>> import referee
    >>> one, other = referee.Game.load("snooker"), referee.Game.load("snooker+foul-five")
    >>> referee.diff(one, other, "1\\n\\nAnn Ben\\nRed White\\n")
    Difference(line=4, one='0 : 4', other='0 : 5')
    >>> referee.diff(one, one, "1\\n\\nAnn Ben\\nRed White\\n") is None
    True
    """
    if not isinstance(source, (str, bytes, bytearray)) and not hasattr(source, "__fspath__"):
        pieces = (piece.encode() if isinstance(piece, str) else bytes(piece) for piece in source)
        source = b"".join(pieces)
    left, right = _said(one, source, form), _said(other, source, form)
    for number in range(max(len(left), len(right))):
        here, there = left[number : number + 1], right[number : number + 1]
        if here != there:
            return Difference(number + 1, here[0] if here else None, there[0] if there else None)
    return None


def _said(game: Game, source: Source, form: str | None) -> list[str]:
    """What a game says, line by line, and what stops it."""
    try:
        return game.run(source, form=form).split("\n")
    except UsageError:
        raise
    except Error as error:
        headline = str(error).split("\n", 1)[0]
        place = "" if error.line is None else f" ({error.line}:{error.column})"
        return [*error.report.split("\n"), headline + place]
