"""Blocks run in threads: compiled kernels release the GIL, so threads use all cores without copying anything.

At most two items per worker are under way, so a run of a million blocks holds only a few results at a time.
Ctrl-C and errors take effect between blocks: what is under way finishes, what is not yet begun never starts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from itertools import islice
from numbers import Integral
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NoReturn, TypeVar

from analyzer.engine.blocks import Block
from analyzer.engine.progress import Progress, progress_bar
from analyzer.engine.tallies import Tally
from analyzer.errors import UsageError
from analyzer.fields import shown

__all__ = ["default_workers", "map_threads", "run_blocks", "worker_count"]

T = TypeVar("T")
R = TypeVar("R")

POLL_SECONDS = 0.5
"""Waiting without end would not notice Ctrl-C on Windows."""


def default_workers() -> int:
    """Number of processors that this process may use.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> default_workers() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def worker_count(workers: object) -> int:
    """Number of threads to use.

    Parameters
    ----------
    workers : int or None
        None stands for one per processor.

    Returns
    -------
    int

    Raises
    ------
    UsageError
        If it is no whole number of at least 1.

    Examples
    --------
    >>> worker_count(2)
    2
    """
    if workers is None:
        return default_workers()
    if isinstance(workers, bool) or not isinstance(workers, Integral) or workers < 1:
        raise UsageError(f"the number of workers is {shown(workers)}; it must be at least 1")
    return int(workers)


def run_blocks(
    blocks: Sequence[Block],
    work: Callable[[Block], Tally],
    *,
    workers: int | None = None,
    progress: Progress | bool = False,
    label: str = "",
) -> Tally:
    """Run all blocks and merge their tallies; the result is the same for any number of workers.

    Parameters
    ----------
    blocks : sequence of Block
        At least one.
    work : callable
        From a block to its tally. It runs in several threads at once, and in the calling thread if there is
        one worker.
    workers : int, optional
        Number of threads; by default one per processor.
    progress : Progress or bool, optional
        True shows a bar on a terminal; an object is told after every block how many games were done.
    label : str, optional
        Text in front of the bar.

    Returns
    -------
    Tally

    Raises
    ------
    UsageError
        If `workers` is below 1.
    ValueError
        If there are no blocks.
    KeyboardInterrupt
        On Ctrl-C, after the blocks under way.

    Notes
    -----
    An exception in a block keeps the blocks that have not begun from starting, and propagates.

    Examples
    --------
    >>> from analyzer.engine.blocks import plan
    >>> run_blocks(plan(1000, 300), lambda block: Tally({"games": block.size}), workers=2)
    Tally(games=1000)
    """
    if not blocks:
        raise ValueError("there are no blocks to run")
    display: AbstractContextManager[Progress]
    if isinstance(progress, bool):
        display = progress_bar(label, sum(block.size for block in blocks), enabled=progress)
    else:
        display = nullcontext(progress)
    total: Tally | None = None
    with display as shown, closing(_as_done(work, blocks, workers)) as done:
        for place, tally in done:
            total = tally if total is None else total + tally
            shown.advance(blocks[place].size)
    assert total is not None
    return total


def map_threads(function: Callable[[T], R], items: Iterable[T], workers: int | None = None) -> list[R]:
    """Apply a function to all items in threads.

    Parameters
    ----------
    function : callable
        Takes one item. It runs in several threads at once, and in the calling thread if there is one worker.
    items : iterable
        What it is applied to.
    workers : int, optional
        Number of threads; by default one per processor.

    Returns
    -------
    list
        The results in the order of the items.

    Raises
    ------
    UsageError
        If `workers` is below 1.
    KeyboardInterrupt
        On Ctrl-C, after the items under way.

    Examples
    --------
    >>> map_threads(lambda face: face * face, [1, 2, 3], workers=2)
    [1, 4, 9]
    """
    with closing(_as_done(function, items, workers)) as done:
        return [result for _, result in sorted(done, key=lambda pair: pair[0])]


def _as_done(function: Callable[[T], R], items: Iterable[T], workers: int | None) -> Generator[tuple[int, R]]:
    """Place and result of every item, in the order in which they finish."""
    count = worker_count(workers)
    numbered = enumerate(items)
    if count == 1:
        for place, item in numbered:
            yield place, function(item)
        return
    # Queues in C: Ctrl-C in the middle of a lock of `concurrent.futures` can leave it locked, and the threads waiting.
    todo: SimpleQueue[tuple[int, T] | None] = SimpleQueue()
    done: SimpleQueue[tuple[int, Callable[[], R]]] = SimpleQueue()
    stopped: list[bool] = []
    threads: list[Thread] = []

    def work() -> None:
        for place, item in iter(todo.get, None):
            if not stopped:
                done.put((place, _outcome(function, item)))

    running = 0
    try:
        while True:
            for numbered_item in islice(numbered, 2 * count - running):
                todo.put(numbered_item)
                running += 1
                if len(threads) < min(running, count):
                    threads.append(Thread(target=work, name=f"analyzer_{len(threads)}"))
                    threads[-1].start()
            if not running:
                return
            try:
                place, result = done.get(timeout=POLL_SECONDS)
            except Empty:
                continue
            running -= 1
            yield place, result()
    finally:
        stopped.append(True)
        for _ in threads:
            todo.put(None)
        for thread in threads:
            if thread.ident is not None:  # it was started
                thread.join()


def _outcome(function: Callable[[T], R], item: T) -> Callable[[], R]:
    """Apply a function; what is returned gives the result, or raises what the function raised."""
    try:
        result = function(item)
    except BaseException as problem:  # noqa: BLE001  it is raised where the result is asked for
        return partial(_raise, problem)
    return lambda: result


def _raise(problem: BaseException) -> NoReturn:
    raise problem
