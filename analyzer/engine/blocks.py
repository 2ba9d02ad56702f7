"""Work is cut into fixed blocks of games, so that the result does not depend on who computes which block."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.errors import UsageError

__all__ = ["Block", "plan"]


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
    return tuple(Block(index, start, min(start + size, total)) for index, start in enumerate(range(0, total, size)))
