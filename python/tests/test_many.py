"""Many transcripts at once: the same results in the same order, however they are run."""

from __future__ import annotations

import gzip
import io

import pytest
import referee
from conftest import TRANSCRIPTS
from generated import nim

pytest.importorskip("pyarrow")
import referee.shards


@pytest.fixture
def folder(tmp_path):
    """Forty transcripts, of which four are wrong."""
    games = tmp_path / "games"
    games.mkdir()
    for number in range(40):
        (games / f"{number:03}.txt").write_text(nim(20, number))
    return games


def bytes_of(results) -> bytes:
    output = io.BytesIO()
    results.write(output)
    return output.getvalue()


def test_many_threads_say_what_one_says(folder):
    game = referee.Game.load("nim")
    one = referee.shards.run(game, [folder], shard=3)
    assert [result.input for result in one] == [str(path) for path in sorted(folder.iterdir())]
    for result in one:
        try:
            assert result.report == game.run(open(result.input))
            assert result.kind is None
        except referee.Error as error:
            assert (result.report, result.slug, result.line) == (error.report, error.slug, error.line)
    assert (one.counts.reports, sum(one.counts.errors.values())) == (36, 4)
    for jobs, shard in ((2, 3), (4, 1), (3, 100)):
        many = referee.shards.run(game, [folder], jobs=jobs, shard=shard)
        assert bytes_of(many) == bytes_of(one)
        assert many.counts == one.counts
        assert many.table().equals(one.table())


def test_rows_are_counted(folder):
    game = referee.Game.load("nim")
    plain = referee.shards.run(game, [folder], jobs=2)
    counted = referee.shards.run(game, [folder], jobs=2, shard=7, rows=True)
    assert bytes_of(counted) == bytes_of(plain)
    lines = sum(result.report.count("\n") for result in plain)
    assert sum(counted.counts.lines.values()) == lines
    wins = next(count for row, count in counted.counts.lines.items() if row.endswith(" wins"))
    assert wins == sum(result.report.count(" wins\n") for result in plain)
    assert set(counted.counts.lines) <= set(counted.counts.fired)


def test_what_was_done_is_not_done_again(folder, tmp_path):
    game = referee.Game.load("nim")
    kept = tmp_path / "kept"
    whole = referee.shards.run(game, [folder], shard=5)

    def stop(done, _):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        referee.shards.run(game, [folder], shard=5, folder=kept, progress=stop)
    done = {path.name: path.stat().st_mtime_ns for path in kept.glob("*.parquet")}
    assert 3 <= len(done) < 8
    with pytest.raises(FileExistsError, match="resume=True"):
        referee.shards.run(game, [folder], shard=5, folder=kept)
    with pytest.raises(ValueError, match="of another game"):
        referee.shards.run(referee.Game.load("nim", {"most": 3}), [folder], shard=5, folder=kept, resume=True)
    resumed = referee.shards.run(game, [folder], shard=5, folder=kept, resume=True)
    assert bytes_of(resumed) == bytes_of(whole)
    assert resumed.counts == whole.counts
    for name, time in done.items():
        assert (kept / name).stat().st_mtime_ns == time


def test_a_file_that_was_cut_short_is_done_again(folder, tmp_path):
    game, kept = referee.Game.load("nim"), tmp_path / "kept"
    whole = referee.shards.run(game, [folder], shard=5, folder=kept)
    broken = kept / "shard-000002.parquet"
    broken.write_bytes(broken.read_bytes()[:2])
    (kept / "shard-000003.parquet").write_bytes(b"")
    again = referee.shards.run(game, [folder], shard=5, folder=kept, resume=True)
    assert bytes_of(again) == bytes_of(whole)


def test_what_is_asked_of_many(folder):
    game = referee.Game.load("nim")
    for paths in (str(folder), folder, b"x"):
        with pytest.raises(TypeError, match="paths are a list"):
            referee.shards.run(game, paths)
    all_cores = referee.shards.run(game, [folder], jobs=0, shard=3)
    assert bytes_of(all_cores) == bytes_of(referee.shards.run(game, [folder]))
    with pytest.raises(TypeError):
        referee.shards.run(game, [folder], jobs="2")
    with pytest.raises(ValueError, match="jobs is how many"):
        referee.shards.run(game, [folder], jobs=-1)
    elsewhere = list(referee.shards.run(game, ["none://such", folder / "000.txt"]))
    assert [result.slug for result in elsewhere] == ["unreadable", None]


def test_transcripts_from_elsewhere(folder, tmp_path):
    game = referee.Game.load("nim")
    packed = tmp_path / "packed.txt.gz"
    text = nim(5).encode()
    packed.write_bytes(gzip.compress(text))
    results = list(referee.shards.run(game, [packed, f"file://{folder}/000.txt", ("mine", text), "nowhere.txt"]))
    assert results[0].report == results[2].report == game.run(text)
    assert results[1].report == game.run(folder / "000.txt")
    assert (results[3].kind, results[3].slug, results[3].report) == ("machine", "unreadable", "")
    with pytest.raises(referee.UsageError):
        referee.shards.run(game, [], form="none such")
    assert list(referee.shards.run(game, [])) == []


def test_cases_of_a_game():
    results = referee.shards.run(referee.Game.load("snooker"), [TRANSCRIPTS / "snooker"])
    assert next(iter(results)).slug == "impossible"
    assert results.counts.reports >= 2
