from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, overload

from .errors import Diagnostic, Error

Source: TypeAlias = str | bytes | bytearray | PathLike[str] | Iterable[str | bytes]
# Several are a list or a tuple. With an iterable of its own for these, mypy could not tell what a list of both holds.
Sources: TypeAlias = str | bytes | bytearray | PathLike[str] | Iterable[Source | tuple[str, Source]]
Options: TypeAlias = Mapping[str, str | int | bool | None]
Limits: TypeAlias = Mapping[str, int]
Record: TypeAlias = dict[str, Any]

class _Writes(Protocol):
    def write(self, text: bytes, /) -> object: ...

class Game:
    @staticmethod
    def load(
        name: str | PathLike[str],
        options: Options | None = None,
        *,
        text: str | None = None,
        folders: Sequence[str | PathLike[str]] = (),
        seed: int = 0,
        limits: Limits | None = None,
    ) -> Game: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def variants(self) -> list[str]: ...
    @property
    def forms(self) -> list[str | None]: ...
    @property
    def event_names(self) -> list[str]: ...
    @property
    def policies(self) -> list[str]: ...
    @property
    def options(self) -> dict[str, str]: ...
    @property
    def warnings(self) -> list[Diagnostic]: ...
    @overload
    def run(
        self,
        source: Source,
        *,
        form: str | None = None,
        name: str | None = None,
        output: None = None,
    ) -> str: ...
    @overload
    def run(
        self,
        source: Source,
        *,
        form: str | None = None,
        name: str | None = None,
        output: _Writes,
    ) -> None: ...
    def events(self, source: Source, *, form: str | None = None, name: str | None = None) -> Events: ...
    def tables(
        self,
        sources: Sources,
        *,
        form: str | None = None,
        errors: Literal["raise", "keep"] = "raise",
    ) -> Tables: ...
    def table(
        self,
        kind: Literal["runs", "events", "changes", "said", "facts"],
        sources: Sources,
        *,
        form: str | None = None,
        errors: Literal["raise", "keep"] = "raise",
    ) -> Table: ...
    def session(self, *, form: str | None = None, name: str | None = None) -> Session: ...
    @overload
    def why(
        self,
        source: Source,
        line: int | None = None,
        *,
        event: int | None = None,
        column: int | None = None,
        not_: str | None = None,
        of: str | None = None,
        depth: int | None = None,
        form: str | None = None,
        name: str | None = None,
        format: Literal["text", "trace"] = "text",
    ) -> str: ...
    @overload
    def why(
        self,
        source: Source,
        line: int | None = None,
        *,
        event: int | None = None,
        column: int | None = None,
        not_: str | None = None,
        of: str | None = None,
        depth: int | None = None,
        form: str | None = None,
        name: str | None = None,
        format: Literal["data"],
    ) -> dict[str, Any]: ...
    def _counted(
        self, source: Source, *, form: str | None = None, name: str | None = None
    ) -> tuple[str, Error | None, dict[str, int], dict[str, int]]: ...
    @property
    def _texts(self) -> list[tuple[str, str]]: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def _cause(
        self, other: Game, text: bytes, form: str | None
    ) -> tuple[int, tuple[tuple[str, str, int] | None, tuple[str, str, int] | None]] | None: ...
    def cover(self, sources: Sources, *, form: str | None = None) -> list[dict[str, Any]]: ...

class Events(Iterator[Record]):
    def __iter__(self) -> Events: ...
    def __next__(self) -> Record: ...
    def __enter__(self) -> Events: ...
    def __exit__(self, *raised: object) -> None: ...
    def close(self) -> None: ...

class Table:
    @property
    def columns(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class Tables:
    @property
    def runs(self) -> Table: ...
    @property
    def events(self) -> Table: ...
    @property
    def changes(self) -> Table: ...
    @property
    def said(self) -> Table: ...
    @property
    def facts(self) -> Table: ...

class Session:
    def feed(self, lines: str) -> str: ...
    def end(self) -> str: ...
    def undo(self) -> str | None: ...
    @property
    def steps(self) -> int: ...
    @property
    def report(self) -> str: ...
    @property
    def transcript(self) -> str: ...
    @property
    def games(self) -> int: ...
    @property
    def stage(self) -> Literal["between", "playing", "complete"]: ...
    def state(self) -> dict[str, str]: ...
    def moves(self, events: Sequence[str] = (), *, illegal: bool = False) -> dict[str, Any]: ...
    def expected(self) -> list[dict[str, Any]]: ...
    def deciders(self) -> list[str | dict[str, str]]: ...
    def outcome(self) -> list[dict[str, Any]]: ...
    def choose(self, policy: str | None = None, *, seed: int = 0) -> str: ...
    def drawn(self, line: str = "", *, seed: int = 0) -> str | None: ...
    @overload
    def why(
        self,
        line: int | None = None,
        *,
        event: int | None = None,
        not_: str | None = None,
        of: str | None = None,
        depth: int | None = None,
        format: Literal["text", "trace"] = "text",
        next_line: str | None = None,
    ) -> str: ...
    @overload
    def why(
        self,
        line: int | None = None,
        *,
        event: int | None = None,
        not_: str | None = None,
        of: str | None = None,
        depth: int | None = None,
        format: Literal["data"],
        next_line: str | None = None,
    ) -> dict[str, Any]: ...
    def save(self, path: str | bytes | PathLike[str] | PathLike[bytes]) -> None: ...

def _whole(source: Source) -> tuple[str, bytes]: ...
def check(
    name: str | PathLike[str],
    options: Options | None = None,
    *,
    text: str | None = None,
    folders: Sequence[str | PathLike[str]] = (),
) -> list[Diagnostic]: ...
def games(*, folders: Sequence[str | PathLike[str]] = ()) -> list[str]: ...
def variants(game: str | PathLike[str], *, folders: Sequence[str | PathLike[str]] = ()) -> list[str]: ...
