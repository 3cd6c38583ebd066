"""A game on many transcripts: on one machine here, on a cluster in `referee.ray`, with the same results, byte for byte.

The transcripts are divided into shards, a shard is run at a time by whoever is free, and what comes of them is put
together in the order of the transcripts. This needs pyarrow (``pip install 'referee[many]'``).

>>> import referee, referee.shards
>>> nim = referee.Game.load("nim")
>>> games = [("good", "1\\nAnn Ben\\n2\\nAnn 2 from 1\\n"), ("bad", "1\\nAnn Ben\\n2\\nAnn 3 from 1\\n")]
>>> results = referee.shards.run(nim, games, jobs=2)
>>> [(result.input, result.slug, result.line) for result in results]
[('good', None, None), ('bad', 'impossible', 4)]
>>> results.counts.reports, results.counts.errors
(1, {'impossible': 1})
"""

from __future__ import annotations

import hashlib
import json
import operator
import os
import pickle
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet

from .errors import Error

if TYPE_CHECKING:
    from ._native import Game

__all__ = ["SCHEMA", "Counts", "Result", "Results", "run"]

#: The columns of results, and of the Parquet files that they are kept in.
SCHEMA = pa.schema(
    [
        pa.field("input", pa.string(), nullable=False),
        pa.field("report", pa.string(), nullable=False),
        pa.field("kind", pa.string()),
        pa.field("slug", pa.string()),
        pa.field("message", pa.string()),
        pa.field("file", pa.string()),
        pa.field("line", pa.int64()),
        pa.field("column", pa.int64()),
    ]
)

#: What transcripts in folders end in.
ENDINGS = (".txt", ".txt.gz", ".txt.zst", ".txt.bz2")

#: How much of a transcript that is not read here is read at once.
PIECE = 1 << 20

#: Where a Parquet file has its counts.
COUNTS = b"referee.counts"


@dataclass(frozen=True)
class Result:
    """What came of a transcript: the report, as far as it came, and what stopped it, if anything did.

    ``kind`` is "usage", "rules", "transcript", "bound" or "machine", and None where the transcript's end was reached; the
    others are as in `referee.Error`.
    """

    input: str
    report: str
    kind: str | None = None
    slug: str | None = None
    message: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None


@dataclass
class Counts:
    """How much there was: ``reports`` that reached the end, and ``errors`` by slug.

    With ``rows=True`` also in how many events each row of the rules ``fired``, and how many ``lines`` each reported; rows
    are named by file, line and name, as in ``snooker.rules:84 penalty``.
    """

    reports: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    fired: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def add(self, other: Counts) -> None:
        """Adds the counts of other transcripts."""
        self.reports += other.reports
        for name in ("errors", "fired", "lines"):
            total = Counter(getattr(self, name))
            total.update(getattr(other, name))
            setattr(self, name, dict(sorted(total.items())))


class Results:
    """What came of many transcripts, in their order: an iterable of `Result`, with its ``counts``.

    What is kept in a folder is read again when it is asked for; else it is in memory.
    """

    def __init__(self, shards: Sequence[pa.Table | str]) -> None:
        self._shards = shards
        self.counts = Counts()
        for shard in shards:
            self.counts.add(_counts_of(shard))

    def tables(self) -> Iterator[pa.Table]:
        """The results as tables with the columns of `SCHEMA`, one for each shard."""
        for shard in self._shards:
            table = _read(shard) if isinstance(shard, str) else shard
            yield table.replace_schema_metadata(None)

    def table(self) -> pa.Table:
        """All results as one table with the columns of `SCHEMA`."""
        return pa.concat_tables(self.tables()) if self._shards else SCHEMA.empty_table()

    def __iter__(self) -> Iterator[Result]:
        for table in self.tables():
            for row in table.to_pylist():
                yield Result(**row)

    def write(self, output: IO[bytes]) -> None:
        """Writes the results as one stream: each as a JSON object on a line of its own, in the order of the transcripts."""
        for result in self:
            output.write(json.dumps(asdict(result), ensure_ascii=False).encode() + b"\n")


def run(
    game: Game,
    paths: Iterable[Any],
    *,
    form: str | None = None,
    jobs: int = 1,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    shard: int = 256,
    rows: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Results:
    """Runs a game on many transcripts on one machine, so many shards at once (``jobs``; 0: one for each core): `Results`.

    ``paths`` are the transcripts: paths or URIs of any filesystem that Arrow knows, also compressed (``.gz``, ``.zst``,
    ``.bz2``), folders, which stand for the files below them that end in ``.txt`` (before that), or pairs of a name and a
    text. Of each so many are a ``shard``. With ``rows`` the rows of the rules are counted, which takes much longer.

    With a ``folder``, each shard is kept there as a Parquet file when it is done, and not in memory. Where a run was broken
    off, the same call with ``resume`` does only what is left to do. ``progress`` is called with how many shards are done, and
    how many there are; where it is None and standard error is a terminal, that is shown there.

    A transcript that is wrong, or a path that cannot be read, appears among the results, and stops nothing. Raises
    `UsageError` where there is no such form, FileExistsError where the folder has results and ``resume`` is not set, and
    ValueError where these are of something else.
    """
    plan = Plan.of(game, paths, form=form, folder=folder, resume=resume, shard=shard, rows=rows)
    shown = progress or _shown
    if operator.index(jobs) < 0:
        raise ValueError("jobs is how many shards are run at once, or 0 for one on each core")
    jobs = jobs or _cores()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        pending: set[Future[None]] = set()

        def settle(most: int) -> None:
            while len(pending) > most:
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                for one in done:
                    pending.discard(one)
                    one.result()

        def work(number: int) -> None:
            plan.done[number] = plan.work(game, number)
            shown(plan.finished(), len(plan.shards))

        try:
            for number in plan.left():
                settle(2 * jobs - 1)
                pending.add(pool.submit(work, number))
            settle(0)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return plan.results()


class Plan:
    """What is to be done, and how far it is: the same for one machine and a cluster."""

    def __init__(self, shards: list[list[Any]], *, form: str | None, rows: bool, folder: str | None) -> None:
        self.shards = shards
        self.form = form
        self.rows = rows
        self.folder = folder
        #: What came of each shard: a table, or the file that has it.
        self.done: list[pa.Table | str | None] = [None] * len(shards)

    @classmethod
    def of(
        cls,
        game: Game,
        paths: Iterable[Any],
        *,
        form: str | None,
        folder: str | os.PathLike[str] | None,
        resume: bool,
        shard: int,
        rows: bool,
    ) -> Plan:
        game.session(form=form)  # that there is such a form
        if shard < 1:
            raise ValueError("a shard has at least one transcript")
        if isinstance(paths, (str, bytes, os.PathLike)):
            raise TypeError(f"paths are a list, also where there is only one: [{paths!r}]")
        inputs = list(_inputs(paths))
        plan = cls(
            [inputs[at : at + shard] for at in range(0, len(inputs), shard)],
            form=form,
            rows=rows,
            folder=None if folder is None else os.fspath(folder),
        )
        if plan.folder is not None:
            plan._begin(_digest(game, plan), resume)
        return plan

    def _begin(self, digest: str, resume: bool) -> None:
        """Makes the folder, or finds what is there already."""
        assert self.folder is not None
        system, path = _located(self.folder)
        system.create_dir(path, recursive=True)
        there = {one.base_name for one in system.get_file_info(pa.fs.FileSelector(path))}
        if "run.json" not in there:
            whose = json.dumps({"of": digest, "shards": len(self.shards)}).encode()
            _write(system, f"{path}/run.json", lambda output: output.write(whose))
            return
        if not resume:
            raise FileExistsError(f"`{self.folder}` has results: go on with resume=True, or name another folder")
        with system.open_input_stream(f"{path}/run.json") as file:
            of = json.loads(file.read())["of"]
        if of != digest:
            raise ValueError(f"the results in `{self.folder}` are of another game, or of other transcripts")
        for number in range(len(self.shards)):
            file = self.file(number)
            if os.path.basename(file) in there and _is_whole(file):
                self.done[number] = file

    def file(self, number: int) -> str:
        """The file of a shard."""
        return f"{self.folder}/shard-{number:06}.parquet"

    def left(self) -> list[int]:
        """The shards that are to be done."""
        return [number for number, done in enumerate(self.done) if done is None]

    def finished(self) -> int:
        """How many shards are done."""
        return sum(done is not None for done in self.done)

    def work(self, game: Game, number: int) -> pa.Table | str:
        """Does a shard. Whoever does it again comes to the same."""
        file = None if self.folder is None else self.file(number)
        return work(game, self.shards[number], self.form, self.rows, file)

    def results(self) -> Results:
        """What came of all of it."""
        return Results([one for one in self.done if one is not None])


def _cores() -> int:
    """How many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work(game: Game, inputs: list[Any], form: str | None, rows: bool, file: str | None) -> pa.Table | str:
    """Runs a game on the transcripts of a shard: a table, or the file that it was written to."""
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    counts = Counts()
    for each in inputs:
        result, some = _result(game, each, form, rows)
        counts.add(some)
        for name, value in asdict(result).items():
            columns[name].append(value)
    metadata = {COUNTS: json.dumps(asdict(counts)).encode()}
    table = pa.table(columns, schema=SCHEMA.with_metadata(metadata))
    if file is None:
        return table
    system, path = _located(file)
    _write(system, path, lambda output: pa.parquet.write_table(table, output))
    return file


def _write(system: pa.fs.FileSystem, path: str, write: Callable[[Any], object]) -> None:
    """Writes a file. It has its name when it is whole: who is stopped before leaves nothing behind that counts."""
    part = f"{path}.{uuid.uuid4().hex}.part"
    with system.open_output_stream(part) as output:
        write(output)
    system.move(part, path)


def _result(game: Game, each: Any, form: str | None, rows: bool) -> tuple[Result, Counts]:
    """What comes of a transcript."""
    name, source = each if isinstance(each, tuple) else (each, None)
    error: Error | None = None
    report = ""
    fired: dict[str, int] = {}
    lines: dict[str, int] = {}
    try:
        opened = _opened(name) if source is None else source
        if rows:
            report, error, fired, lines = game._counted(opened, form=form, name=name)
        else:
            report = game.run(opened, form=form, name=name)
    except Error as raised:
        report, error = raised.report, raised
    except (OSError, pa.ArrowException) as raised:
        message = f"`{name}` cannot be read: {raised}"
        unreadable = Result(name, "", "machine", "unreadable", message)
        return unreadable, Counts(errors={"unreadable": 1})
    if error is None:
        return Result(name, report), Counts(reports=1, fired=fired, lines=lines)
    result = Result(name, report, error.kind, error.slug, error.message, error.file, error.line, error.column)
    return result, Counts(errors={error.slug: 1}, fired=fired, lines=lines)


def _located(path: str) -> tuple[pa.fs.FileSystem, str]:
    """The filesystem of a path or URI, and the path there."""
    if "://" in path:
        system, path = pa.fs.FileSystem.from_uri(path)
        return system, path
    return pa.fs.LocalFileSystem(), path


def _opened(path: str) -> Any:
    """A transcript, to be run on."""
    if "://" not in path and not path.endswith(ENDINGS[1:]):
        return Path(path)
    system, path = _located(path)
    stream = system.open_input_stream(path, compression="detect")
    return iter(lambda: stream.read(PIECE), b"")


def _inputs(paths: Iterable[Any]) -> Iterator[Any]:
    """The transcripts that are meant: paths as text, or pairs of a name and a text."""
    for path in paths:
        if isinstance(path, tuple):
            yield path
            continue
        path = os.fspath(path)
        if path.endswith(ENDINGS):
            yield path
            continue
        try:
            system, there = _located(path)
            is_folder = system.get_file_info(there).type == pa.fs.FileType.Directory
            below = system.get_file_info(pa.fs.FileSelector(there, recursive=True)) if is_folder else []
        except (OSError, pa.ArrowException):
            is_folder = False  # what is wrong with it is told when it is opened
        if not is_folder:
            yield path
            continue
        found = (one.path for one in below if one.is_file and one.path.endswith(ENDINGS))
        scheme = path.split("://", 1)[0] + "://" if "://" in path else ""
        for one in sorted(found, key=lambda name: name.split("/")):
            yield scheme + one


def _digest(game: Game, plan: Plan) -> str:
    """What tells these results from others."""
    _, state = game.__reduce__()
    what = (state[2], state[5], game._texts, plan.form, plan.rows, plan.shards)
    return hashlib.sha256(pickle.dumps(what, protocol=4)).hexdigest()


def _read(file: str) -> pa.Table:
    system, path = _located(file)
    return pa.parquet.read_table(path, filesystem=system)


def _counts_of(shard: pa.Table | str) -> Counts:
    if isinstance(shard, str):
        system, path = _located(shard)
        metadata = pa.parquet.read_schema(path, filesystem=system).metadata
    else:
        metadata = shard.schema.metadata
    return Counts(**json.loads(metadata[COUNTS]))


def _is_whole(file: str) -> bool:
    """Whether a file of results can be read: a full disk, or a copy that was cut short, leaves only a part."""
    try:
        _counts_of(file)
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        return False
    return True


def _shown(done: int, all_: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == all_ else ""
        print(f"\r{done} of {all_} shards", end=end, file=sys.stderr, flush=True)
