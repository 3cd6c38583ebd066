"""What goes wrong, as exceptions.

Every exception of this package is an `Error`, and has the same fields. Which class it is says what is wrong, and what the
command would have ended with (``exit_code``):

=================  =========  ====================================================================
class              exit code  what is wrong
=================  =========  ====================================================================
`UsageError`       2          what is asked for: a game, variant, option, form or line there is not
`RulesError`       3          the rule file
`TranscriptError`  4          the transcript
`BoundError`       5          it takes more events, work or memory than it may
`MachineError`     6          reading or writing failed
=================  =========  ====================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

__all__ = [
    "BoundError",
    "Diagnostic",
    "Error",
    "MachineError",
    "RulesError",
    "TranscriptError",
    "UsageError",
]


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong, or probably not meant, with its first place.

    ``data`` is all of it, as ``docs/diagnostics.schema.json`` describes it: more places, the edits that fix it, what was
    ``expected`` where a transcript cannot be read on, and the ``state`` of the game before that.
    ``file``, ``line`` and ``column`` are None where no text is at fault, as where a file is missing.

    >>> import referee
    >>> [(one.slug, one.line) for one in referee.check("mine", text='game mine "Mine"')]
    [('no-transcript', 1)]
    """

    slug: str
    severity: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Diagnostic:
        place = data["labels"][0] if data["labels"] else {}
        return cls(
            slug=data["code"],
            severity=data["severity"],
            message=data["message"],
            file=place.get("file"),
            line=place.get("line"),
            column=place.get("column"),
            notes=tuple(data["notes"]),
            helps=tuple(data["helps"]),
            data=data,
        )


def _diagnostics(data: list[dict[str, Any]]) -> list[Diagnostic]:
    return [Diagnostic._of(one) for one in data]


class Error(Exception):
    """What every exception of this package is. Its text is what the command shows.

    ``slug``, ``message``, ``file``, ``line``, ``column``, ``notes`` and ``helps`` are those of the first of
    ``diagnostics``; a rule file may have several. ``report`` is the part of the report that came before
    the error; it is empty after ``run(output=…)`` and `Game.events`, which have already delivered it.
    """

    kind: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, text: str, diagnostics: list[dict[str, Any]] | None = None, report: str = "") -> None:
        super().__init__(text)
        self.report = report
        self.diagnostics = _diagnostics(diagnostics or [])
        first = next(
            (one for one in self.diagnostics if one.severity == "error"),
            Diagnostic(slug=self.kind, severity="error", message=text),
        )
        self.slug = first.slug
        self.message = first.message
        self.file = first.file
        self.line = first.line
        self.column = first.column
        self.notes = first.notes
        self.helps = first.helps

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),), vars(self)


class UsageError(Error):
    """What is asked for makes no sense: there is no such game, variant, option, form, line or name."""

    kind = "usage"
    exit_code = 2


class RulesError(Error):
    """The rule file is wrong: as it is read, or because a row cannot be worked out when it runs."""

    kind = "rules"
    exit_code = 3


class TranscriptError(Error):
    """The transcript is wrong: it cannot be read, or says what is impossible."""

    kind = "transcript"
    exit_code = 4


class BoundError(Error):
    """A bound was hit: too many events, too much work, too much memory."""

    kind = "bound"
    exit_code = 5


class MachineError(Error):
    """A file cannot be read, or a report cannot be written."""

    kind = "machine"
    exit_code = 6
