"""Work is cut into fixed blocks of games, so that the result does not depend on who computes which block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.errors import UsageError

__all__ = ["Block", "growing_plan", "plan"]


@dataclass(frozen=True, slots=True)
class Block:
    """A contiguous range of games; its result is a pure function of the task and of its index.

    Parameters
    ----------
    index : int
        Place among the blocks of the task, from 0.
    start, stop : int
        The games start, start + 1, ..., stop - 1.

    Examples
    --------
    >>> Block(index=1, start=100, stop=150).size
    50
    """

    index: int
    start: int
    stop: int

    @property
    def size(self) -> int:
        """Number of games."""
        return self.stop - self.start

    def cut(self, size: int) -> tuple[Block, ...]:
        """The block in parts of so many games; the last may be smaller.

        Examples
        --------
        >>> [(part.start, part.stop) for part in Block(index=1, start=100, stop=150).cut(30)]
        [(100, 130), (130, 150)]
        """
        starts = range(self.start, self.stop, size)
        return tuple(Block(index, start, min(start + size, self.stop)) for index, start in enumerate(starts))


def plan(total: int, size: int) -> tuple[Block, ...]:
    """Cut a number of games into blocks; only the last may be smaller than the others.

    Parameters
    ----------
    total : int
        Number of games, at least 1.
    size : int
        Games in a block, at least 1.

    Returns
    -------
    tuple of Block

    Raises
    ------
    UsageError
        If either number is below 1.

    Examples
    --------
    >>> [(block.start, block.stop) for block in plan(250, 100)]
    [(0, 100), (100, 200), (200, 250)]
    """
    for name, value in (("number of games", total), ("block size", size)):
        if value < 1:
            raise UsageError(f"the {name} is {value}; it must be at least 1")
    return Block(0, 0, total).cut(size)


def growing_plan(total: int, first: int, largest: int) -> Iterator[Block]:
    """Cut a number of games into blocks that grow with the games before them, for runs that may stop early.

    A block has a quarter of the games before it, rounded down to a multiple of `first`, but at least `first` and at
    most `largest`. Block i is the same whatever the total, unless it is the last.

    Parameters
    ----------
    total : int
        Number of games, at least 1.
    first, largest : int
        Smallest and largest size of a block.

    Yields
    ------
    Block

    Raises
    ------
    UsageError
        If a number is below 1.

    Examples
    --------
    >>> [block.size for block in growing_plan(120, first=10, largest=20)]
    [10, 10, 10, 10, 10, 10, 10, 10, 20, 20]
    """
    for name, value in (("number of games", total), ("block size", min(first, largest))):
        if value < 1:
            raise UsageError(f"the {name} is {value}; it must be at least 1")
    index = start = 0
    while start < total:
        size = max(first, min(start // 4 // first * first, largest))
        yield Block(index, start, min(start + size, total))
        index, start = index + 1, start + size
