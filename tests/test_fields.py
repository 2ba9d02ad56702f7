"""Complaints about fields: one short line whatever the value is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import RulesError
from analyzer.fields import (
    FieldError,
    check_choice,
    check_integer,
    check_kind,
    check_name,
    check_switch,
    check_text,
    nearest,
    shown,
    slug,
    unknown,
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(anything)
def test_any_value_is_shown_on_one_short_line(value: Any) -> None:
    assert len(shown(value).splitlines()) == 1
    assert len(shown(value)) <= 60


@given(anything)
def test_any_value_passes_or_gives_one_line(value: Any) -> None:
    def complaint(check: Any, *limits: Any) -> str:
        try:
            check("key", value, *limits, "owner")
        except FieldError as error:
            return str(error)
        return "owner: key = fine"

    for line in (
        complaint(check_integer, 1, 3),
        complaint(check_choice, ("one", "two")),
        complaint(check_switch),
        complaint(check_text),
        complaint(check_name),
        complaint(check_kind, int, "an int"),
    ):
        assert line.startswith("owner: key = ")
        assert len(line.splitlines()) == 1


def test_values_too_large_to_print_are_shown() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    assert shown(10**5000) == "<int too large to show>"
    assert shown([10**5000]) == "<list too large to show>"
    assert shown(nested) == "<list too large to show>"
    while nested:  # Python would recurse to free it.
        nested = nested.pop()


@given(anything, st.lists(st.sampled_from(["pair", "two_pairs", "full_house"]), unique=True))
def test_names_are_matched_whatever_they_are(value: Any, choices: list[str]) -> None:
    assert nearest(value, choices) in [None, *choices]
    assert len(unknown("line", value, choices).splitlines()) == 1


def test_the_nearest_name() -> None:
    lines = ("pair", "two_pairs", "full_house", "small_straight")
    assert nearest("fullhouse", lines) == "full_house"
    assert nearest("TWO PAIR", lines) == "two_pairs"
    assert nearest("straight", lines) == "small_straight"
    assert nearest("", lines) is None
    assert nearest("qqq", lines) is None


@pytest.mark.parametrize("name", ["full_house", "Full House", "FULL--house ", "full\thouse"])
def test_slugs(name: str) -> None:
    assert slug(name) == "full_house"


@pytest.mark.parametrize("value", [None, True, 7, ["pair"]])
def test_no_other_value_becomes_a_name(value: Any) -> None:
    with pytest.raises(RulesError):
        check_name("name", slug(value))
