"""On a cluster, results are those of one core, byte for byte, also where a machine dies.

`REFEREE_GAMES` says how many games are run; a few thousand otherwise.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading

import pytest
import referee

pytest.importorskip("ray")
import ray
import referee.ray
import referee.shards
from ray.cluster_utils import Cluster
from generated import nim

GAMES = int(os.environ.get("REFEREE_GAMES", "4000"))
EACH = 20


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    for number in range(GAMES // EACH):
        (folder / f"{number:06}.txt").write_text(nim(EACH, number))
    return folder


@pytest.fixture(scope="module")
def cluster():
    # A machine that dies is noticed after some seconds.
    noticed = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 1000, "health_check_failure_threshold": 5}
    head = {"num_cpus": 1, "include_dashboard": False, "_system_config": noticed}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def bytes_of(results) -> bytes:
    output = io.BytesIO()
    results.write(output)
    return output.getvalue()


@pytest.mark.parametrize("kept", [False, True], ids=["here", "in a folder"])
def test_a_machine_that_dies_loses_nothing(cluster, transcripts, tmp_path, kept):
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    game = referee.Game.load("nim")
    shard = max(1, GAMES // EACH // 50)
    one = referee.shards.run(game, [transcripts], shard=shard, rows=True)
    assert one.counts.errors
    killed = threading.Event()

    def progress(done, all_):
        if done >= all_ // 2 and not killed.is_set():
            killed.set()
            cluster.remove_node(node, allow_graceful=False)

    folder = tmp_path / "kept" if kept else None
    many = referee.ray.run(game, [transcripts], shard=shard, rows=True, folder=folder, progress=progress)
    assert killed.is_set()
    assert bytes_of(many) == bytes_of(one)
    assert many.counts == one.counts
    if folder is not None:
        again = referee.ray.run(game, [transcripts], shard=shard, rows=True, folder=folder, resume=True)
        assert bytes_of(again) == bytes_of(one)


def test_ctrl_c_leaves_python_and_the_cluster_as_they_were(cluster, transcripts):
    game = referee.Game.load("nim")
    whole = bytes_of(referee.shards.run(game, [transcripts]))
    for done_before in range(0, 20, 2):

        def progress(done, _, most=done_before):
            if done > most:
                signal.raise_signal(signal.SIGINT)

        with pytest.raises(KeyboardInterrupt):
            referee.ray.run(game, [transcripts], shard=1, rows=True, progress=progress)
    assert bytes_of(referee.ray.run(game, [transcripts])) == whole


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
def test_a_shard_that_always_fails_is_named(cluster):
    fails = ray.remote(max_retries=0)(lambda: os._exit(1))
    with pytest.raises(ray.exceptions.WorkerCrashedError) as caught:
        referee.ray._got(fails.remote(), ["a.txt", ("mine", "1\n")])
    assert caught.value.__notes__ == ["in the shard of 2 transcripts from `a.txt` to `mine`"]
