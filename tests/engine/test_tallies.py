import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analyzer.engine.tallies import Tally

LARGEST = np.iinfo(np.int64).max

tallies = st.builds(
    lambda games, points: Tally({"games": games, "points": points}),
    st.integers(0, 10**12),
    arrays(np.int64, (2, 3), elements=st.integers(-(10**15), 10**15)),
)


@given(st.lists(tallies, min_size=2, max_size=6), st.randoms())
def test_merging_does_not_depend_on_order_or_grouping(parts: list[Tally], random: Any) -> None:
    forwards = parts[0]
    for part in parts[1:]:
        forwards = forwards + part
    random.shuffle(parts)
    backwards = parts[-1]
    for part in reversed(parts[:-1]):
        backwards = part + backwards
    assert forwards == backwards


@given(tallies)
def test_dict_round_trip_through_json(tally: Tally) -> None:
    assert Tally.from_dict(json.loads(json.dumps(tally.to_dict()))) == tally


def test_merge_adds() -> None:
    total = Tally({"games": 2, "points": [1, 2]}) + Tally({"points": [10, 20], "games": 3})
    assert total["games"] == 5
    assert total["points"].tolist() == [11, 22]


@pytest.mark.parametrize("other", [{"games": 1, "points": [1, 2, 3]}, {"games": 1}, {"games": 1, "wins": [1, 2]}])
def test_merging_different_shapes_or_names_is_refused(other: dict[str, Any]) -> None:
    tally = Tally({"games": 1, "points": [1, 2]})
    assert tally != Tally(other)
    with pytest.raises(ValueError, match="cannot be merged"):
        tally + Tally(other)


def test_only_tallies_are_merged_and_compared() -> None:
    tally = Tally({"games": 1})
    assert tally != {"games": 1}
    with pytest.raises(TypeError):
        tally + {"games": 1}


@pytest.mark.parametrize("value", [1.0, [0.5], "1", True, [None]])
def test_only_integers_are_accepted(value: Any) -> None:
    with pytest.raises(TypeError, match="integers"):
        Tally({"games": value})


@pytest.mark.parametrize(("first", "second"), [(LARGEST, 1), (-LARGEST, -2), (LARGEST, LARGEST)])
def test_overflow_is_an_error_and_never_wraps(first: int, second: int) -> None:
    with pytest.raises(OverflowError):
        Tally({"points": first}) + Tally({"points": second})
    with pytest.raises(OverflowError):
        Tally({"points": np.uint64(2**63)})


def test_extreme_sums_that_fit_are_exact() -> None:
    assert (Tally({"points": LARGEST}) + Tally({"points": -LARGEST}))["points"] == 0
    assert (Tally({"points": LARGEST - 1}) + Tally({"points": 1}))["points"] == LARGEST


def test_a_tally_does_not_change() -> None:
    source = np.array([1, 2])
    tally = Tally({"points": source})
    source[0] = 9
    assert tally["points"].tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        tally["points"][0] = 9


def test_small_integer_types_are_widened_before_adding() -> None:
    tally = Tally({"points": np.array([200], np.uint8)})
    assert (tally + tally)["points"].tolist() == [400]
