"""What blocks hand back: named counts and sums in integers, which merge exactly and in any order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Tally"]


class Tally(Mapping[str, NDArray[np.int64]]):
    """Named arrays of 64-bit integers that add up over blocks.

    Integers make the sum independent of the order in which blocks finish, so one worker and two hundred give
    the same result bit for bit.

    Parameters
    ----------
    arrays : mapping of str to array_like of integers
        Copied, and read-only from then on. A plain integer becomes an array of shape ``()``.

    Raises
    ------
    TypeError
        If an array does not hold integers.
    OverflowError
        If a value does not fit into 64 signed bits.

    Examples
    --------
    >>> first = Tally({"games": 2, "points": [250, 31]})
    >>> second = Tally({"games": 1, "points": [100, 12]})
    >>> first + second
    Tally(games=3, points=[350, 43])
    """

    __slots__ = ("_arrays",)

    def __init__(self, arrays: Mapping[str, ArrayLike]) -> None:
        self._arrays = MappingProxyType({name: _integers(name, value) for name, value in arrays.items()})

    def __getitem__(self, name: str) -> NDArray[np.int64]:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __add__(self, other: Tally) -> Tally:
        """Merge two tallies.

        Raises
        ------
        ValueError
            If the names or the shapes differ: the tallies are of different tasks.
        OverflowError
            If a sum does not fit into 64 signed bits.
        """
        if not isinstance(other, Tally):
            return NotImplemented
        if self._shapes() != other._shapes():
            raise ValueError(f"tallies of different shape cannot be merged: {self._shapes()} and {other._shapes()}")
        return Tally({name: _sum(name, array, other[name]) for name, array in self.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self._shapes() == other._shapes() and all(
            np.array_equal(array, other[name]) for name, array in self.items()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tally({', '.join(f'{name}={array.tolist()}' for name, array in self.items())})"

    def to_dict(self) -> dict[str, Any]:
        """Plain integers and nested lists, fit for JSON.

        Examples
        --------
        >>> Tally({"games": 2, "points": [250, 31]}).to_dict()
        {'games': 2, 'points': [250, 31]}
        """
        return {name: array.tolist() for name, array in self.items()}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Tally:
        """The tally that `to_dict` wrote.

        Parameters
        ----------
        content : mapping of str to int or nested lists of int

        Returns
        -------
        Tally

        Raises
        ------
        TypeError, OverflowError
            As on construction.

        Examples
        --------
        >>> Tally.from_dict({"games": 2, "points": [250, 31]})["points"]
        array([250,  31])
        """
        return cls(content)

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        return {name: array.shape for name, array in self.items()}


def _integers(name: str, value: ArrayLike) -> NDArray[np.int64]:
    given = np.asarray(value)
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"tally {name!r} holds {given.dtype}; only integers merge exactly")
    if given.dtype == np.uint64 and np.any(given > np.uint64(np.iinfo(np.int64).max)):
        raise OverflowError(f"tally {name!r} exceeds 64 signed bits")
    array = np.array(given, dtype=np.int64)
    array.flags.writeable = False
    return array


def _sum(name: str, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    total = np.asarray(first + second)
    if np.any(((first ^ total) & (second ^ total)) < 0):
        raise OverflowError(f"tally {name!r} exceeds 64 signed bits")
    return total
