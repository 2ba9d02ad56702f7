from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import UsageError
from analyzer.report.protocols import all_of, names_of

results = st.builds(
    SimpleNamespace,
    label=st.sampled_from(["optimal", "par", "optimal (exact)", "1: par"]),
    title=st.sampled_from(["Dice Poker", "Yahtzee"]),
    exact=st.booleans(),
)


@given(st.lists(results, min_size=1, max_size=6))
def test_names_are_all_different_and_hold_the_labels(found: list[Any]) -> None:
    names = names_of(found)
    assert len(set(names)) == len(names) == len(found)
    assert all(result.label in name for result, name in zip(found, names, strict=True))


def test_names_that_differ_stay_as_they_are() -> None:
    pair = [SimpleNamespace(label=label, title=label, exact=True) for label in ("optimal", "par")]
    assert names_of(pair) == ["optimal", "par"]


def test_one_several_or_none() -> None:
    one: Any = SimpleNamespace(label="par", title="Yahtzee")
    assert all_of(one) == [one]
    assert all_of(iter([one, one])) == [one, one]
    with pytest.raises(UsageError, match="give at least one"):
        all_of(iter([]))
