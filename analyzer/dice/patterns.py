"""What a roll contains: for many rolls at once, the pips of the dice that make a pattern.

Every function takes counts of shape (rolls, faces), how many dice of each roll show each face, and returns an
int64 array of shape (rolls,): the sum of the dice that make the pattern (the highest such sum, if the roll
makes the pattern in several ways), or `ABSENT` where the roll does not make it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.integer]
Sums = npt.NDArray[np.int64]

ABSENT = -1


@lru_cache(maxsize=8)
def all_counts(dice: int, faces: int) -> npt.NDArray[np.int8]:
    """Return every roll of some dice as counts of its faces.

    Parameters
    ----------
    dice, faces
        How many dice, and how many faces each has.

    Returns
    -------
    ndarray
        Read-only, shape (rolls, faces), in the order of the sorted rolls (1-1-1-1-1 first).

    Examples
    --------
    >>> all_counts(2, 3).tolist()
    [[2, 0, 0], [1, 1, 0], [1, 0, 1], [0, 2, 0], [0, 1, 1], [0, 0, 2]]
    """
    rolls = np.array(list(combinations_with_replacement(range(faces), dice)), dtype=np.int8)
    shown = [(rolls == face).sum(axis=1, dtype=np.int8) for face in range(faces)]
    counts: npt.NDArray[np.int8] = np.stack(shown, axis=1)
    counts.flags.writeable = False
    return counts


def total(counts: Counts) -> Sums:
    """Return the sum of all dice."""
    sums: Sums = counts.astype(np.int64) @ np.arange(1, counts.shape[1] + 1, dtype=np.int64)
    return sums


def is_all_alike(counts: Counts) -> npt.NDArray[np.bool_]:
    """Return whether all dice of each roll show one face."""
    alike: npt.NDArray[np.bool_] = counts.max(axis=1) == counts.sum(axis=1)
    return alike


def of_face(counts: Counts, face: int) -> Sums:
    """Return the sum of the dice that show a face; no such die makes 0, never `ABSENT`."""
    return counts[:, face - 1].astype(np.int64) * face


def of_a_kind(counts: Counts, n: int, *, exactly: bool = False) -> Sums:
    """Return the sum of n dice of the highest face that at least (or exactly) n dice show."""
    highest = _highest_face(_shown_by(counts, n, exactly))
    return np.where(highest > 0, n * highest, ABSENT)


def two_pairs(counts: Counts, *, same_face: bool = False, exactly: bool = False) -> Sums:
    """Return the sum of the two highest pairs; same_face lets four alike count as two pairs."""
    pairs = counts // 2 if same_face else _shown_by(counts, 2, exactly).astype(np.int64)
    high = _highest_face(pairs > 0)
    at_high = np.arange(1, counts.shape[1] + 1) == high[:, None]
    low = _highest_face(pairs - at_high > 0)
    return np.where(low > 0, 2 * (high + low), ABSENT)


def full_house(counts: Counts, *, same_face: bool = False, exactly: bool = False) -> Sums:
    """Return the sum of three dice of one face and two of another; same_face lets five alike count."""
    best = np.full(counts.shape[0], ABSENT, dtype=np.int64)
    triples = _shown_by(counts, 3, exactly)
    for face in range(1, counts.shape[1] + 1):
        rest = counts.copy()
        rest[:, face - 1] = rest[:, face - 1] - 3 if same_face else 0
        pair = _highest_face(_shown_by(rest, 2, exactly))
        made = triples[:, face - 1] & (pair > 0)
        best = np.maximum(best, np.where(made, 3 * face + 2 * pair, ABSENT))
    return best


def face_set(counts: Counts, sets: Iterable[tuple[int, ...]], *, exactly: bool = False) -> Sums:
    """Return the sum of the highest set of faces that is there, a die for each face.

    With `exactly` the set must not be part of a longer run: the faces just below and above it are missing.
    """
    faces = counts.shape[1]
    best = np.full(counts.shape[0], ABSENT, dtype=np.int64)
    for faces_needed in sets:
        made = (counts[:, [face - 1 for face in faces_needed]] > 0).all(axis=1)
        if exactly:
            around = [face - 1 for face in (min(faces_needed) - 1, max(faces_needed) + 1) if 1 <= face <= faces]
            made &= (counts[:, around] == 0).all(axis=1)
        best = np.maximum(best, np.where(made, sum(faces_needed), ABSENT))
    return best


def _shown_by(counts: Counts, n: int, exactly: bool) -> npt.NDArray[np.bool_]:
    shown: npt.NDArray[np.bool_] = counts == n if exactly else counts >= n
    return shown


def _highest_face(flags: npt.NDArray[np.bool_]) -> Sums:
    """Return the highest flagged face of each roll, 0 where none is flagged."""
    highest: Sums = (flags * np.arange(1, flags.shape[1] + 1, dtype=np.int64)).max(axis=1)
    return highest
