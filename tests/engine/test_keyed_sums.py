"""Sums by key, against a dictionary."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from analyzer.engine.jit import kernel
from analyzer.engine.keyed_sums import empty_sums, reserve, slot_of


@kernel
def add_all(keys, values, capacity):
    """Sums of values and numbers of keys, with the last place of each as its note."""
    table = empty_sums(capacity, 2, 1)
    for i in range(keys.size):
        table = reserve(table, 1)
        at = slot_of(table.keys, table.number, keys[i])
        table.sums[at, 0] += values[i]
        table.sums[at, 1] += 1
        table.notes[at, 0] = i
    return table


@pytest.mark.parametrize("step", [1, 1 << 16, (1 << 32) + 1, 355392 * 355393])
@pytest.mark.parametrize("capacity", [1, 64])
def test_sums_are_those_of_a_dictionary(step: int, capacity: int) -> None:
    random = np.random.default_rng(3)
    keys = random.integers(0, 700, 5000) * np.int64(step)
    values = random.integers(0, 100, 5000).astype(float)
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    last = {}
    for i, (key, value) in enumerate(zip(keys.tolist(), values.tolist(), strict=True)):
        sums[key][0] += value
        sums[key][1] += 1
        last[key] = i
    table = add_all(keys, values, capacity)
    found, totals, notes = table.entries()
    assert found.tolist() == sorted(sums)
    assert totals.tolist() == [sums[key] for key in sorted(sums)]
    assert notes[:, 0].tolist() == [last[key] for key in sorted(sums)]
    assert int(table.number[0]) == len(sums)
    assert 2 * len(sums) <= len(table.keys)


def test_a_table_without_keys_has_no_entries() -> None:
    keys, sums, notes = add_all(np.zeros(0, dtype=np.int64), np.zeros(0), 8).entries()
    assert keys.shape == (0,)
    assert sums.shape == (0, 2)
    assert notes.shape == (0, 1)
