"""The lattice of multisets of dice: every keep and every roll, with links that add or take away one die.

Expectation over a throw is a mean over single added dice, the best keep of a roll is a maximum over single removed
dice, so that no keep x roll matrix is ever formed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from analyzer.errors import PositionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

MAX_OUTCOMES = 1 << 22
"""Above this many ordered outcomes over all keeps, throws are drawn die by die instead of from a table."""

MAX_PAIRS = 1 << 22
"""Above this many (keep, thrown dice) pairs, locked dice and the uniform policy are refused."""


def _rank_table(dice: int, faces: int) -> NDArray[np.int64]:
    """`table[f, n, c]`: multisets of n dice over f faces in which the highest face shows fewer than c times."""
    table = np.zeros((faces + 1, dice + 1, dice + 2), dtype=np.int64)
    for f in range(1, faces + 1):
        for n in range(dice + 1):
            for c in range(n + 1):
                rest = comb(n - c + f - 2, f - 2) if f > 1 else int(n == c)
                table[f, n, c + 1] = table[f, n, c] + rest
    return table


def _multisets(size: int, faces: int) -> NDArray[np.uint8]:
    """Count vectors of all multisets of `size` dice, in ascending order of (count of highest face, ..., of lowest)."""
    if faces == 1:
        return np.full((1, 1), size, dtype=np.uint8)
    parts = []
    for top in range(size + 1):
        rest = _multisets(size - top, faces - 1)
        parts.append(np.column_stack([rest, np.full(len(rest), top, dtype=np.uint8)]))
    return np.concatenate(parts)


@dataclass(frozen=True, eq=False)
class Lattice:
    """Multisets of 0 to `dice` dice with `faces` faces, ordered by size, then by their highest dice.

    A node's index is also its rank in the tie rule: of two equally good keeps the one with the higher index is
    taken, that is the one with more dice and then the one with the higher dice.

    Attributes
    ----------
    dice, faces : int
        Number of dice and of faces; faces are numbered from 1.
    counts : uint8 array (nodes, faces)
        How many dice of the node show each face.
    offset : int64 array (dice + 2,)
        Nodes with n dice are `offset[n]` to `offset[n + 1] - 1`.
    append : uint32 array (partial nodes, faces)
        Node reached by adding a die of that face.
    remove : uint32 array (nodes, faces)
        Nodes reached by taking one die away, lowest face first; the first `removals[node]` count.
    removals : uint8 array (nodes,)
        Number of different faces in the node.

    Examples
    --------
    >>> lattice = Lattice.of(5, 6)
    >>> lattice.nodes, lattice.rolls
    (462, 252)
    >>> lattice.faces_of(lattice.index([3, 5, 5]))
    (5, 5, 3)
    """

    dice: int
    faces: int
    counts: NDArray[np.uint8]
    offset: NDArray[np.int64]
    append: NDArray[np.uint32]
    remove: NDArray[np.uint32]
    removals: NDArray[np.uint8]
    _rank: NDArray[np.int64]

    @staticmethod
    @lru_cache(maxsize=8)
    def of(dice: int, faces: int) -> Lattice:
        """Build the lattice for 1 to 10 dice with 2 to 12 faces.

        Parameters
        ----------
        dice, faces : int
            Number of dice and faces.

        Returns
        -------
        Lattice
            Cached: the same object for the same arguments.
        """
        rank = _rank_table(dice, faces)
        counts = np.concatenate([_multisets(n, faces) for n in range(dice + 1)])
        sizes = np.array([0] + [comb(n + faces - 1, faces - 1) for n in range(dice + 1)])
        offset = np.cumsum(sizes)
        partial = int(offset[dice])
        append = np.empty((partial, faces), dtype=np.uint32)
        remove = np.zeros((len(counts), faces), dtype=np.uint32)
        removals = np.zeros(len(counts), dtype=np.uint8)
        for f in range(faces):
            more = counts[:partial].copy()
            more[:, f] += 1
            append[:, f] = _index_counts(more, rank, offset)
            having = np.flatnonzero(counts[:, f])
            fewer = counts[having].copy()
            fewer[:, f] -= 1
            remove[having, removals[having]] = _index_counts(fewer, rank, offset)
            removals[having] += 1
        return Lattice(dice, faces, counts, offset, append, remove, removals, rank)

    @property
    def nodes(self) -> int:
        """Number of multisets of 0 to `dice` dice."""
        return len(self.counts)

    @property
    def first_roll(self) -> int:
        """Index of the first node with all dice."""
        return int(self.offset[self.dice])

    @property
    def rolls(self) -> int:
        """Number of multisets of all dice."""
        return self.nodes - self.first_roll

    @cached_property
    def roll_counts(self) -> NDArray[np.int64]:
        """Count vectors of the rolls, int64 array (rolls, faces)."""
        return self.counts[self.first_roll :].astype(np.int64)

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """Chance of every node when as many dice as it holds are thrown, float64 array (nodes,)."""
        chance = np.zeros(self.nodes)
        chance[0] = 1.0
        for n in range(self.dice):
            here = np.arange(self.offset[n], self.offset[n + 1])
            for f in range(self.faces):
                np.add.at(chance, self.append[here, f], chance[here] / self.faces)
        return chance

    def index(self, dice: Iterable[int]) -> int:
        """Node of the given dice, in any order.

        Parameters
        ----------
        dice : iterable of int
            Faces from 1 to `faces`; at most `self.dice` of them.

        Raises
        ------
        PositionError
            A die outside 1 to `faces`, or too many dice.
        """
        faces = list(dice)
        for die in faces:
            if not 1 <= die <= self.faces:
                raise PositionError(f"die {die} does not exist; faces go from 1 to {self.faces}")
        if len(faces) > self.dice:
            raise PositionError(f"{len(faces)} dice are too many; the game has {self.dice}")
        counts = np.bincount(np.array(faces, dtype=np.int64) - 1, minlength=self.faces)
        return int(_index_counts(counts[None, :], self._rank, self.offset)[0])

    def faces_of(self, node: int) -> tuple[int, ...]:
        """Dice of a node, highest first."""
        return tuple(f + 1 for f in range(self.faces - 1, -1, -1) for _ in range(int(self.counts[node, f])))

    def union(self, node: int, others: NDArray[np.integer]) -> NDArray[np.int64]:
        """Nodes that hold the dice of `node` and of each of `others` together."""
        total = self.counts[others].astype(np.int64) + self.counts[node]
        return _index_counts(total, self._rank, self.offset)

    @cached_property
    def subset_offset(self) -> NDArray[np.int64]:
        """The sub-multisets of node k are `subsets[subset_offset[k] : subset_offset[k + 1]]`."""
        sizes = np.prod(self.counts.astype(np.int64) + 1, axis=1)
        return np.concatenate([[0], np.cumsum(sizes)])

    @cached_property
    def subsets(self) -> NDArray[np.uint32]:
        """All keeps of every node, each once, uint32 array (pairs,), see `subset_offset`.

        Raises
        ------
        PositionError
            More than `MAX_PAIRS` pairs: the dice are too many for policies that list every keep.
        """
        total = int(self.subset_offset[-1])
        if total > MAX_PAIRS:
            raise PositionError(
                f"{self.dice} dice with {self.faces} faces have {total:,} keeps of nodes, above the limit of"
                f" {MAX_PAIRS:,}; use fewer dice or faces for locked dice or the policy 'random'"
            )
        owner = np.repeat(np.arange(self.nodes), np.diff(self.subset_offset))
        rest = np.arange(total) - self.subset_offset[owner]
        counts = np.empty((total, self.faces), dtype=np.int64)
        for f in range(self.faces):
            rest, counts[:, f] = np.divmod(rest, self.counts[owner, f].astype(np.int64) + 1)
        return _index_counts(counts, self._rank, self.offset).astype(np.uint32)

    @property
    def tabulated(self) -> bool:
        """Whether all ordered outcomes of all keeps fit into a table (see `MAX_OUTCOMES`)."""
        return self.all_outcomes <= MAX_OUTCOMES

    @property
    def all_outcomes(self) -> int:
        """Number of ordered outcomes of all keeps together."""
        sizes = np.diff(self.offset)
        return sum(int(sizes[n]) * self.faces ** (self.dice - n) for n in range(self.dice + 1))

    @cached_property
    def outcome_count(self) -> NDArray[np.uint64]:
        """Number of equally likely ordered outcomes of throwing the missing dice of every node."""
        missing = self.dice - self.counts.sum(axis=1, dtype=np.int64)
        return np.asarray(np.uint64(self.faces) ** missing.astype(np.uint64), dtype=np.uint64)

    @cached_property
    def outcome_offset(self) -> NDArray[np.uint64]:
        """Start of every node's outcomes in `outcomes`."""
        ends = np.cumsum(self.outcome_count)
        return np.concatenate([np.zeros(1, dtype=np.uint64), ends[:-1]]).astype(np.uint64)

    @cached_property
    def outcomes(self) -> NDArray[np.uint32]:
        """Roll (from 0) of each ordered outcome; the first die thrown is the most significant digit.

        So the same random word throws the same first dice whatever the number of dice kept.
        """
        table = np.empty(int(self.outcome_count.sum()), dtype=np.uint32)
        for n in range(self.dice, -1, -1):
            here = np.arange(self.offset[n], self.offset[n + 1])
            size = self.faces ** (self.dice - n)
            rows = self.outcome_offset[here].astype(np.int64)[:, None] + np.arange(size)
            if n == self.dice:
                table[rows[:, 0]] = here - self.first_roll
                continue
            step = size // self.faces
            for f in range(self.faces):
                source = self.outcome_offset[self.append[here, f]].astype(np.int64)[:, None] + np.arange(step)
                table[rows[:, f * step : (f + 1) * step]] = table[source]
        return table


def _index_counts(counts: NDArray[np.integer], rank: NDArray[np.int64], offset: NDArray[np.int64]) -> NDArray[np.int64]:
    left = counts.sum(axis=1, dtype=np.int64)
    index: NDArray[np.int64] = offset[left].copy()
    for f in range(counts.shape[1], 0, -1):
        here = counts[:, f - 1].astype(np.int64)
        index += rank[f, left, here]
        left = left - here
    return index
