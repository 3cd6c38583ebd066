"""A game on many transcripts, on a cluster of machines with Ray. ``docs/cluster.md`` tells how.

The results are those of `referee.shards.run`, byte for byte, however many machines there are and whichever of them die. It
needs Ray (``pip install 'referee[cluster]'``), and this package on every machine.
"""

from __future__ import annotations

import functools
import os
import pickle
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import ray
import ray.exceptions

from . import shards
from .shards import Counts, Result, Results

if TYPE_CHECKING:
    from ._native import Game

__all__ = ["Counts", "Result", "Results", "run"]


@functools.lru_cache(maxsize=4)
def _loaded(pickled: bytes) -> Game:
    """A game, which a worker loads once for all shards that it does."""
    game: Game = pickle.loads(pickled)
    return game


def _work(pickled: bytes, inputs: list[Any], form: str | None, rows: bool, file: str | None) -> Any:
    return shards.work(_loaded(pickled), inputs, form, rows, file)


def _got(done: Any, inputs: list[Any]) -> Any:
    """What came of a shard."""
    try:
        return ray.get(done)
    except ray.exceptions.RayError as error:
        if sys.version_info >= (3, 11):
            first, last = (each[0] if isinstance(each, tuple) else each for each in (inputs[0], inputs[-1]))
            error.add_note(f"in the shard of {len(inputs)} transcripts from `{first}` to `{last}`")
        raise


def run(
    game: Game,
    paths: Iterable[Any],
    *,
    form: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    shard: int = 256,
    rows: bool = False,
    progress: Callable[[int, int], object] | None = None,
    retries: int = 8,
) -> Results:
    """Runs a game on many transcripts on the cluster that Ray is connected to: `Results`.

    The arguments and exceptions are those of `referee.shards.run`. Every machine must see the paths and the ``folder``
    (a shared filesystem, or URIs as ``s3://…``). Each shard is a task with one processor. A shard whose worker or machine dies is
    done again elsewhere, so often as ``retries`` says; what it came to counts once. A few shards for each processor are
    under way at a time, so that what waits does not grow with the number of transcripts; without a ``folder`` the results
    are held here. After Ctrl-C, the cluster finishes the shards that are under way.

    Where Ray is not connected to a cluster, this machine becomes one.
    """
    plan = shards.Plan.of(game, paths, form=form, folder=folder, resume=resume, shard=shard, rows=rows)
    shown = progress or shards._shown
    if not ray.is_initialized():
        ray.init()
    task = ray.remote(num_cpus=1, max_retries=retries)(_work)
    shared = ray.put(pickle.dumps(game))
    pending: dict[Any, int] = {}

    def settle(most: int) -> None:
        while len(pending) > most:
            done, _ = ray.wait(list(pending), num_returns=1)
            for one in done:
                number = pending.pop(one)
                plan.done[number] = _got(one, plan.shards[number])
                shown(plan.finished(), len(plan.shards))

    # After an interrupt, the tasks under way are left to finish. `ray.cancel` of a task that just ends can abort the whole
    # process ("Tried to complete task that was not pending").
    for number in plan.left():
        file = None if plan.folder is None else plan.file(number)
        settle(4 * max(1, int(ray.cluster_resources().get("CPU", 1))) - 1)
        pending[task.remote(shared, plan.shards[number], form, rows, file)] = number
    settle(0)
    return plan.results()
