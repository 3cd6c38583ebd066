"""A run lets other threads run, and Ctrl-C ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import referee
from conftest import TRANSCRIPTS

ENDLESS = """
import pathlib, sys, referee
game = referee.Game.load("nim")

def text():
    yield b"1000000000\\n"
    while True:
        yield b"Ann Ben\\n2\\nAnn 2 from 1\\n" * 1000

class Nowhere:
    def write(self, text):
        pass

source = text()
print("begun", flush=True)
try:
    match sys.argv[1]:
        case "run":
            game.run(source, output=Nowhere())
        case "events":
            for _ in game.events(source):
                pass
        case "tables":
            game.tables(source)
        case "table":
            import pyarrow
            text = b"1000000000\\n" + b"Ann Ben\\n2\\nAnn 2 from 1\\n" * 300_000
            try:
                pyarrow.table(game.table("changes", text))
            except pyarrow.ArrowException:
                while True:  # Ctrl-C is not lost with what pyarrow makes of it.
                    pass
        case "cover":
            chess = pathlib.Path(sys.argv[2]) / "chess"
            referee.Game.load("chess").cover(sorted(chess.glob("*.txt")))
except KeyboardInterrupt:
    print("interrupted", flush=True)
except referee.Error as error:
    print(error, flush=True)
"""


@pytest.mark.parametrize("what", ["run", "events", "tables", "table", "cover"])
def test_ctrl_c_ends_it(what):
    if what == "table":
        pytest.importorskip("pyarrow")
    run = subprocess.Popen([sys.executable, "-c", ENDLESS, what, TRANSCRIPTS], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "begun\n"
    time.sleep(0.5)
    assert run.poll() is None
    began = time.monotonic()
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=20)
    assert out == "interrupted\n"
    assert time.monotonic() - began < 10


def test_other_threads_run_meanwhile(tmp_path):
    """While a long file is refereed, this thread goes on: it could not if the run held the interpreter's lock."""
    path = tmp_path / "long.txt"
    games = 200_000
    path.write_text(f"{games}\n" + "Ann Ben\n2\nAnn 2 from 1\n" * games)
    game = referee.Game.load("nim")
    began, longest, last = time.monotonic(), 0.0, time.monotonic()
    thread = threading.Thread(target=game.run, args=(path,))
    thread.start()
    while thread.is_alive():
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        time.sleep(0.001)
    took = time.monotonic() - began
    assert longest < took / 2, (longest, took)


def test_events_that_nobody_takes_end():
    events = referee.Game.load("nim").events("1\nAnn Ben\n2\nAnn 2 from 1\n")
    assert next(events)["type"] == "run"
    events.close()
    assert list(events) == []
    threads = [referee.Game.load("nim").events(iter(["1\n"])) for _ in range(5)]
    del threads


@pytest.mark.parametrize("end", ["", "os._exit(0)", "sys.exit()"])
def test_python_ends_while_a_run_goes_on(end):
    script = f"""
import os, sys, referee

def text():
    yield "1000000000\\n"
    while True:
        yield "Ann Ben\\n2\\nAnn 2 from 1\\n"

game = referee.Game.load("nim")
events, session = game.events(text()), game.session()
table = game.table("said", [__import__("pathlib").Path("/dev/zero")])
next(events)
session.feed("1")
{end}
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=20, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_process_that_is_forked_is_told():
    """It has no threads, and would wait for ever."""
    game = referee.Game.load("nim")
    session, events = game.session(), game.events("1\nAnn Ben\n2\nAnn 2 from 1\n")
    child = os.fork()
    if child == 0:
        told = 0
        for ask in (session.state, lambda: next(events)):
            try:
                ask()
            except RuntimeError:
                told += 1
        fine = told == 2 and game.run("1\nAnn Ben\n2\nAnn 2 from 1\n").endswith("Ann wins\n")
        os._exit(0 if fine else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert next(events)["type"] == "run"


SMALL_STACKS = """
import threading, referee
deep = 'game m "M"\\n\\nstate h: number = ' + "(" * 60 + "1" + ")" * 60 + "\\n"
done = []

def work():
    game = referee.Game.load("chess")
    referee.check("snooker")
    referee.check("m", text=deep)
    game.cover("0\\n")
    done.append(game.run("0\\n"))

threading.stack_size(64 << 10)
thread = threading.Thread(target=work)
thread.start()
thread.join()
print(done)
"""


def test_threads_with_small_stacks():
    run = subprocess.run([sys.executable, "-c", SMALL_STACKS], capture_output=True, timeout=60, check=False, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("[")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
def test_ctrl_c_ends_the_waiting_for_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for what in ("run", "why", "cover"):
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            getattr(referee.Game.load("nim"), what)(pipe)
