"""Checks on numbers that the verbs are given; a complaint is one line: value, constraint, remedy."""

from __future__ import annotations

import numpy as np

from analyzer.errors import UsageError
from analyzer.fields import shown


def whole(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number.

    Raises
    ------
    UsageError
        The value is none, or is not in ``low..high``.

    Examples
    --------
    >>> whole("games", np.int64(1000), 1, 10**12)
    1000
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= int(value) <= high:
        raise UsageError(f"{name} = {shown(value)} cannot be; give a whole number in {low}..{high}")
    return int(value)


def check_workers(workers: object) -> None:
    """Raise UsageError unless the number of threads can be, also where an answer on disk needs none."""
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int | np.integer) or workers < 1):
        raise UsageError(f"the number of workers is {shown(workers)}; it must be at least 1")
