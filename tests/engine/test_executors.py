import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import default_workers, map_threads, run_blocks
from analyzer.engine.tallies import Tally
from analyzer.errors import UsageError

BLOCKS = plan(1000, 7)


def tally_of(block: Block) -> Tally:
    games = np.arange(block.start, block.stop)
    return Tally({"games": block.size, "index": games.sum(), "last_digit": np.bincount(games % 10, minlength=10)})


class Counter:
    def __init__(self) -> None:
        self.steps: list[int] = []

    def advance(self, n: int, /) -> None:
        self.steps.append(n)


@pytest.mark.parametrize("workers", [1, 2, 7, None])
def test_result_is_the_same_for_any_number_of_workers(workers: int | None) -> None:
    total = run_blocks(BLOCKS, tally_of, workers=workers)
    assert total == tally_of(Block(0, 0, 1000))


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_result_does_not_depend_on_the_order_in_which_blocks_come_and_finish(workers: int) -> None:
    def uneven(block: Block) -> Tally:
        time.sleep(0.002 * (block.index * 7919 % 5))
        return tally_of(block)

    assert run_blocks(BLOCKS[:40][::-1], uneven, workers=workers) == run_blocks(BLOCKS[:40], tally_of, workers=1)


@pytest.mark.parametrize("workers", [1, 3])
def test_progress_hears_of_every_game(workers: int) -> None:
    counter = Counter()
    run_blocks(BLOCKS, tally_of, workers=workers, progress=counter)
    assert sorted(counter.steps) == sorted(block.size for block in BLOCKS)


def test_progress_bar_is_silent_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    run_blocks(BLOCKS, tally_of, workers=2, progress=True, label="simulating")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_an_error_propagates_and_stops_the_rest(workers: int) -> None:
    begun = []

    def failing(block: Block) -> Tally:
        begun.append(block.index)
        if block.index == 3:
            raise ZeroDivisionError("block 3")
        time.sleep(0.001)
        return tally_of(block)

    with pytest.raises(ZeroDivisionError, match="block 3"):
        run_blocks(plan(100_000, 10), failing, workers=workers)
    assert len(begun) < 1000
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("analyzer")]


def test_few_results_wait_at_a_time() -> None:
    """The items are taken as they are needed, so a long plan does not fill the memory."""
    taken, finished = 0, 0

    def items() -> Iterator[int]:
        nonlocal taken
        for value in range(200):
            taken += 1
            assert taken - finished <= 2 * 3 + 3
            yield value

    def count(value: int) -> int:
        nonlocal finished
        with lock:
            finished += 1
        return value

    lock = threading.Lock()
    assert map_threads(count, items(), workers=3) == list(range(200))


def test_no_blocks_and_no_workers_are_refused() -> None:
    with pytest.raises(ValueError, match="no blocks"):
        run_blocks([], tally_of)
    for workers in (0, -2):
        with pytest.raises(UsageError, match="at least 1"):
            run_blocks(BLOCKS, tally_of, workers=workers)
        with pytest.raises(UsageError, match="at least 1"):
            map_threads(abs, [1], workers)


@pytest.mark.parametrize("workers", [1, 2, 7, None])
def test_map_keeps_the_order(workers: int | None) -> None:
    def slow_at_first(value: int) -> int:
        time.sleep(0.01 / (1 + value))
        return -value

    assert map_threads(slow_at_first, range(20), workers) == [-value for value in range(20)]
    assert map_threads(slow_at_first, [], workers) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_map_passes_errors_on(workers: int) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        map_threads(int, ["1", "x", "3"], workers)


def test_threads_really_run_side_by_side() -> None:
    meeting = threading.Barrier(2)
    assert map_threads(lambda _: meeting.wait(timeout=60) >= 0, range(2), workers=2) == [True, True]


def test_default_workers_is_positive() -> None:
    assert 1 <= default_workers() <= (os.cpu_count() or 1)


INTERRUPTED = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job inherits that it is ignored
from analyzer.engine.blocks import plan
from analyzer.engine.executors import map_threads, run_blocks
from analyzer.engine.tallies import Tally

done = []

def work(block):
    done.append(block.index)
    if len(done) == 4:
        print("running", flush=True)
    time.sleep(float(sys.argv[3]))
    return Tally({"games": 1})

how, workers = sys.argv[1], int(sys.argv[2])
blocks = plan(100_000, 1)
try:
    if how == "run":
        run_blocks(blocks, work, workers=workers)
    else:
        map_threads(work, blocks, workers)
except KeyboardInterrupt:
    before = len(done)
    time.sleep(0.2)
    print("interrupted", len(done) - before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", ["run", "map"])
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_ctrl_c_ends_the_run_after_the_blocks_under_way(how: str, workers: int) -> None:
    interrupt(how, workers, 0.05)


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_leaves_no_lock_behind() -> None:
    """With short items Ctrl-C often comes while new ones are handed out; some 3 of 100 runs hung in a thread pool."""
    for number in range(150):
        interrupt("map" if number % 2 else "run", 7, 0.0002, delay=0.08 * number / 150)


def interrupt(how: str, workers: int, seconds: float, delay: float = 0.0) -> None:
    """Interrupt a run of items that take some time each, once it has begun."""
    command = [sys.executable, "-c", INTERRUPTED, how, str(workers), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        # All blocks together take over ten minutes, so ending at all within this time proves the point.
        try:
            rest, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert rest == "interrupted 0\n"
    assert process.returncode == 0
