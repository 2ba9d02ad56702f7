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
